//! Rival treasures: who has banked what, and who wins.

use crate::{
    set::{Ent, NONE, Set},
    story::Story,
    world::{MAX_SEATS, World},
};

/// What seats are rivals for: treasures with a value of its own for each seat, and a vault for each seat.
///
/// A treasure counts for a seat while it lies in that seat's vault, at any depth.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stakes {
    vaults: [Ent; MAX_SEATS],
    treasures: Set,
    /// Private value by entity and seat.
    worth: Vec<[u8; MAX_SEATS]>,
    /// What a seat would have with everything banked.
    best: [u16; MAX_SEATS],
}

impl Stakes {
    /// Nothing to be rivals for.
    pub fn none(story: &Story) -> Self {
        Self {
            vaults: [NONE; MAX_SEATS],
            treasures: Set::EMPTY,
            worth: vec![[0; MAX_SEATS]; story.len()],
            best: [0; MAX_SEATS],
        }
    }

    /// Vaults by seat, and treasures with their value to each seat.
    pub fn new(story: &Story, vaults: &[Ent], treasures: &[(Ent, [u8; MAX_SEATS])]) -> Self {
        let mut stakes = Self::none(story);
        for (slot, vault) in stakes.vaults.iter_mut().zip(vaults) {
            *slot = *vault;
        }
        for &(treasure, worth) in treasures {
            stakes.treasures.insert(treasure);
            stakes.worth[usize::from(treasure)] = worth;
            for (best, worth) in stakes.best.iter_mut().zip(worth).take(vaults.len()) {
                *best += u16::from(worth);
            }
        }
        stakes
    }

    /// The treasures.
    pub const fn treasures(&self) -> Set {
        self.treasures
    }

    /// The vault of a seat; [`NONE`] without one.
    pub const fn vault(&self, seat: usize) -> Ent {
        self.vaults[seat]
    }

    /// The seat whose vault `e` is.
    pub fn vault_of(&self, e: Ent) -> Option<usize> {
        if e == NONE { None } else { self.vaults.iter().position(|v| *v == e) }
    }

    /// What `e` is worth to a seat once banked; 0 for what is no treasure.
    pub fn worth(&self, e: Ent, seat: usize) -> u8 {
        self.worth[usize::from(e)][seat]
    }

    /// What a seat has with everything banked.
    pub const fn best(&self, seat: usize) -> u16 {
        self.best[seat]
    }

    /// The seat in whose vault `treasure` lies.
    pub fn banker(&self, world: &World, treasure: Ent) -> Option<usize> {
        let mut at = world.parent(treasure);
        while at != NONE {
            if let Some(seat) = self.vault_of(at) {
                return Some(seat);
            }
            at = world.parent(at);
        }
        None
    }

    /// Banked private value of every seat.
    pub fn banked(&self, world: &World) -> [u16; MAX_SEATS] {
        let mut banked = [0; MAX_SEATS];
        for treasure in self.treasures {
            if let Some(seat) = self.banker(world, treasure) {
                banked[seat] += u16::from(self.worth(treasure, seat));
            }
        }
        banked
    }

    /// Whether every treasure lies in some vault.
    pub fn is_settled(&self, world: &World) -> bool {
        !self.treasures.is_empty() && self.treasures.iter().all(|t| self.banker(world, t).is_some())
    }

    /// Places of the seats by banked value, 0 best; equal values share a place and the next one is left out.
    pub fn places(&self, world: &World, places: &mut [u8]) {
        let banked = self.banked(world);
        let seats = places.len();
        for (seat, place) in places.iter_mut().enumerate() {
            *place = banked[..seats].iter().filter(|b| **b > banked[seat]).count() as u8;
        }
    }

    /// Shares of each seat's best, each less the mean of the others: they sum to zero.
    pub fn lead(&self, world: &World, seats: usize) -> [f32; MAX_SEATS] {
        let banked = self.banked(world);
        let share = |seat: usize| f32::from(banked[seat]) / f32::from(self.best[seat].max(1));
        let sum: f32 = (0..seats).map(share).sum();
        let mut lead = [0.0; MAX_SEATS];
        for (seat, lead) in lead.iter_mut().enumerate().take(seats) {
            let others = seats.saturating_sub(1).max(1) as f32;
            *lead = share(seat) - (sum - share(seat)) / others;
        }
        lead
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entity::{Attr, Entity};

    #[test]
    fn what_lies_in_a_vault_counts_for_its_seat_alone_and_ties_share_a_place() {
        let mut story = Story::new("vaults");
        let room = story.add_room(Entity::new("room"), &[]);
        let figures: Vec<Ent> =
            (0..3).map(|_| story.add(Entity::new("x"), &[Attr::Actor, Attr::Seat])).collect();
        let vaults: Vec<Ent> = (0..3).map(|_| story.add(Entity::new("vault"), &[Attr::Supporter])).collect();
        let gems: Vec<Ent> = (0..3).map(|_| story.add(Entity::new("gem"), &[Attr::Portable])).collect();
        let bag = story.add(Entity::new("bag"), &[Attr::Container, Attr::Portable]);
        let worth = [[3, 1, 2, 0], [1, 3, 2, 0], [2, 2, 2, 0]];
        let stakes =
            Stakes::new(&story, &vaults, &[(gems[0], worth[0]), (gems[1], worth[1]), (gems[2], worth[2])]);
        let mut world = World::default();
        for e in figures.iter().chain(&vaults).chain(&gems) {
            world.place(*e, room);
        }
        assert_eq!((stakes.banked(&world), stakes.is_settled(&world)), ([0; 4], false));
        world.place(bag, vaults[0]);
        world.place(gems[0], bag);
        world.place(gems[1], vaults[1]);
        let mut places = [9; 3];
        stakes.places(&world, &mut places);
        assert_eq!((stakes.banked(&world), places), ([3, 3, 0, 0], [0, 0, 2]));
        assert!(!stakes.is_settled(&world));
        // A treasure in another seat's vault counts by the value that it has there.
        world.place(gems[2], vaults[2]);
        stakes.places(&world, &mut places);
        assert_eq!((stakes.banked(&world), places), ([3, 3, 2, 0], [0, 0, 2]));
        assert!(stakes.is_settled(&world));
        let lead = stakes.lead(&world, 3);
        assert!((lead[..3].iter().sum::<f32>()).abs() < 1e-6 && lead[0] > lead[2], "{lead:?}");
    }
}
