//! From the list of steals to the deals that one viewer must reckon with.

use super::packed::{self, Packed, changed, covers, give};
use super::{Each, Span, Steal};
use crate::counts::Counts;
use crate::topology::MAX_SEATS;

/// Most deals that are kept apart.
pub(crate) const MOST_WORLDS: usize = 4096;

/// One joint deal of hands.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct World {
    /// Hands by seat, the viewer's own included.
    pub(crate) hands: Each<Packed>,
    /// Its chance; all of a list sum to 1.
    pub(crate) chance: f64,
    /// Sum of the chances up to this one.
    pub(crate) up_to: f64,
}

impl World {
    /// Hands as counts.
    pub(crate) fn counts(&self) -> Each<Counts> {
        self.hands.map(packed::counts)
    }
}

/// The deal at `x` in 0..1 when they lie side by side.
pub(crate) fn pick(worlds: &[World], x: f64) -> &World {
    let at = worlds.partition_point(|w| w.up_to <= x);
    &worlds[at.min(worlds.len() - 1)]
}

/// The deals of one viewer after a prefix of the steals of a game, so that the next call has less to do; none
/// when they were too many.
#[derive(Default)]
struct Cache {
    steals: Vec<Steal>,
    worlds: Vec<World>,
}

impl Cache {
    fn keep(&mut self, steals: &[Steal], worlds: &[World]) {
        self.steals.clear();
        self.steals.extend_from_slice(steals);
        self.worlds.clear();
        self.worlds.extend_from_slice(worlds);
    }
}

/// Scratch memory of the computation; no part of a state.
#[derive(Default)]
pub(crate) struct Filter {
    worlds: Vec<World>,
    next: Vec<World>,
    /// Places of worlds in `next` by hash, plus one; a power of two.
    slots: Vec<u32>,
    caches: Each<Cache>,
}

impl Filter {
    /// A list of one deal.
    pub(super) fn only(&mut self, hands: Each<Packed>) -> &[World] {
        self.worlds.clear();
        self.worlds.push(World { hands, chance: 1.0, up_to: 1.0 });
        &self.worlds
    }

    /// The deals for `viewer` after `steals`, from `base` or, without one, from empty hands. `None` when there are
    /// too many.
    pub(super) fn run(
        &mut self,
        viewer: usize,
        base: Option<&[World]>,
        steals: &[Steal],
    ) -> Option<&[World]> {
        let mut from = 0;
        match base {
            Some(worlds) => {
                self.worlds.clear();
                self.worlds.extend_from_slice(worlds);
            }
            None => {
                let cache = &self.caches[viewer];
                if !cache.steals.is_empty() && steals.starts_with(&cache.steals) {
                    if cache.worlds.is_empty() {
                        return None;
                    }
                    from = cache.steals.len();
                    self.worlds.clone_from(&cache.worlds);
                } else {
                    self.only([0; MAX_SEATS]);
                }
            }
        }
        for (i, steal) in steals.iter().enumerate().skip(from) {
            self.pass(&Span::of(&steal.before));
            self.steal(viewer, steal);
            debug_assert!(!self.worlds.is_empty(), "{steal:?} agrees with no deal for seat {viewer}");
            if self.worlds.is_empty() || self.worlds.len() > MOST_WORLDS {
                if base.is_none() {
                    self.caches[viewer].keep(&steals[..=i], &[]);
                }
                return None;
            }
        }
        if base.is_none() && from < steals.len() {
            self.caches[viewer].keep(steals, &self.worlds);
        }
        Some(&self.worlds)
    }

    /// Takes the public events after the last steal into account and sums the chances up.
    pub(super) fn end(&mut self, span: &Span) -> Option<&[World]> {
        self.pass(span);
        self.normalise();
        (!self.worlds.is_empty()).then_some(&self.worlds[..])
    }

    /// Drops deals that public events refute and applies those to the rest.
    fn pass(&mut self, span: &Span) {
        self.worlds.retain_mut(|world| {
            for s in 0..MAX_SEATS {
                if !covers(world.hands[s], span.need[s]) || !covers(span.room[s], world.hands[s]) {
                    return false;
                }
                world.hands[s] = changed(world.hands[s], span.change[s]);
            }
            true
        });
    }

    /// Every card that may have been stolen, by its share of the victim's hand; equal deals become one.
    fn steal(&mut self, viewer: usize, steal: &Steal) {
        let (thief, victim) = (usize::from(steal.thief), usize::from(steal.victim));
        let seen = (viewer == thief || viewer == victim).then_some(steal.card.index());
        if let Some(r) = seen {
            self.worlds.retain_mut(|world| {
                let held = (world.hands[victim] >> (8 * r)) as u8;
                if held > 0 {
                    world.chance *= f64::from(held);
                    give(&mut world.hands, steal.victim, steal.thief, r);
                }
                held > 0
            });
            return self.normalise();
        }
        self.next.clear();
        self.slots.clear();
        self.slots.resize((10 * self.worlds.len()).next_power_of_two(), 0);
        for world in &self.worlds {
            for r in 0..5 {
                let held = (world.hands[victim] >> (8 * r)) as u8;
                if held > 0 {
                    let mut hands = world.hands;
                    give(&mut hands, steal.victim, steal.thief, r);
                    add(&mut self.next, &mut self.slots, hands, world.chance * f64::from(held));
                }
            }
        }
        std::mem::swap(&mut self.worlds, &mut self.next);
        self.normalise();
    }

    fn normalise(&mut self) {
        let sum: f64 = self.worlds.iter().map(|w| w.chance).sum();
        let mut up_to = 0.0;
        for world in &mut self.worlds {
            world.chance /= sum;
            up_to += world.chance;
            world.up_to = up_to;
        }
    }
}

/// Adds to the deal's chance, or the deal when it is new.
fn add(worlds: &mut Vec<World>, slots: &mut [u32], hands: Each<Packed>, chance: f64) {
    let hash = hands.iter().fold(0u64, |h, &x| (h ^ x).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29));
    let mask = slots.len() - 1;
    let mut at = (hash >> 7) as usize & mask;
    while slots[at] > 0 {
        let world = &mut worlds[slots[at] as usize - 1];
        if world.hands == hands {
            world.chance += chance;
            return;
        }
        at = (at + 1) & mask;
    }
    worlds.push(World { hands, chance, up_to: 0.0 });
    slots[at] = worlds.len() as u32;
}
