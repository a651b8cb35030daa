//! Worlds for rivals: a middle that all reach alike, and for every seat a wing of the same build.

use super::{
    GenerateError, MAX_ATTEMPTS,
    knobs::{Fold, ThemeName},
    names::Names,
    plot::Failure,
    rival_world::Builder,
    theme, words,
};
use crate::{
    condition::{Cond, Pred, Term},
    planner::{Budget, Goal, Planner},
    set::{Ent, NONE},
    story::Story,
    world::MAX_SEATS,
};
use rl_gym::SeedSequence;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What a world for rivals is to be like.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RivalKnobs {
    /// The theme; `None` draws one.
    pub theme: Option<ThemeName>,
    /// The part of all names.
    pub fold: Fold,
    /// Seats, 2 to 4.
    pub seats: u8,
    /// Rooms of each wing, 2 to 6.
    pub wing: u8,
    /// Treasures, 3 to 7 and more than seats: one in each wing, the others in the middle.
    pub treasures: u8,
    /// Whether all distances are equal; else one wing is a room longer.
    pub strict: bool,
    /// Things in each wing that are good for nothing, 0 to 6.
    pub distractors: u8,
    /// Size of all things that one can carry, 3 to 100.
    pub capacity: u8,
    /// Rounds before the game is cut, in plan lengths of the farthest treasure, 1 to 50.
    pub cap_factor: u8,
}

impl Default for RivalKnobs {
    fn default() -> Self {
        Self {
            theme: None,
            fold: Fold::Train,
            seats: 2,
            wing: 3,
            treasures: 5,
            strict: true,
            distractors: 1,
            capacity: 8,
            cap_factor: 4,
        }
    }
}

/// A treasure, and what it is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Treasure {
    /// The thing.
    pub thing: Ent,
    /// Its class: treasures of one class lie alike for all seats and have one multiplier a seat.
    pub class: u8,
    /// Its public value.
    pub base: u8,
    /// Its private value to each seat once banked: the public one times a multiplier of 0 to 3.
    pub worth: [u8; MAX_SEATS],
}

/// A world for rivals.
#[derive(Clone, PartialEq, Debug)]
pub struct Rival {
    /// The world. No rule of it ends the game: what is banked decides.
    pub story: Arc<Story>,
    /// The vault of each seat, a supporter in its first room.
    pub vaults: Vec<Ent>,
    /// The treasures.
    pub treasures: Vec<Treasure>,
    /// Actions of the longest of the plans that bank one treasure each, of any seat.
    pub longest: u16,
    /// What it was made from.
    pub knobs: RivalKnobs,
    /// The seed that it was made from.
    pub seed: u64,
    /// Where it takes place.
    pub theme: ThemeName,
}

impl RivalKnobs {
    /// Whether every knob is in its range and they go together.
    ///
    /// # Errors
    /// The first that is not, with the value seen and what it may be.
    pub fn check(&self) -> Result<(), GenerateError> {
        let low = 3.max(self.seats + 1);
        for (knob, value, low, high) in [
            ("seats", self.seats, 2, MAX_SEATS as u8),
            ("wing", self.wing, 2, 6),
            ("treasures", self.treasures, low, 7),
            ("distractors", self.distractors, 0, 6),
            ("capacity", self.capacity, 3, 100),
            ("cap_factor", self.cap_factor, 1, 50),
        ] {
            if !(low..=high).contains(&value) {
                let range = format!("{low} to {high}");
                return Err(GenerateError::Knob { knob, value: value.to_string(), range });
            }
        }
        Ok(())
    }
}

/// Makes the world of these knobs and this seed.
///
/// Every wing has the same rooms joined in the same way, and the same things in them; so all distances from a start to
/// the middle, to its own treasure and to those of others are equal (with `strict`, which is checked). The planner
/// proves that each seat can bank each treasure.
///
/// # Errors
/// [`GenerateError::Knob`] for a knob out of range, [`GenerateError::Attempts`] when 64 attempts give no world.
pub fn rival(knobs: &RivalKnobs, seed: u64) -> Result<Rival, GenerateError> {
    knobs.check()?;
    let mut planner = Planner::default();
    let mut failures = Vec::new();
    for attempt in 0..MAX_ATTEMPTS {
        let mut rng = SeedSequence::new(seed).child(0x21A1).child(attempt).rng();
        let all = ThemeName::ALL;
        let drawn = all[rng.below(all.len() as u32) as usize];
        let name = knobs.theme.unwrap_or(drawn);
        let theme = theme(name).map_err(Clone::clone)?;
        let lines = words::lines().map_err(Clone::clone)?;
        let mut builder = Builder {
            knobs,
            theme,
            lines,
            story: Story::new(&theme.titles[rng.below(theme.titles.len() as u32) as usize]),
            names: Names::new(knobs.fold),
            rng,
            wings: Vec::new(),
            vaults: Vec::new(),
            treasures: Vec::new(),
        };
        let made = builder.build().and_then(|()| {
            let mut world = Rival {
                story: Arc::new(builder.story),
                vaults: builder.vaults,
                treasures: builder.treasures,
                longest: 0,
                knobs: knobs.clone(),
                seed,
                theme: name,
            };
            certify(&mut planner, &mut world).map(|()| world)
        });
        match made {
            Ok(world) => return Ok(world),
            Err(failure) => failures.push(failure),
        }
    }
    Err(super::given_up(seed, failures))
}

/// Proves that all seats are alike and that each can bank every treasure; sets the cap.
fn certify(planner: &mut Planner, world: &mut Rival) -> Result<(), Failure> {
    if world.knobs.strict && !is_fair(world) {
        return Err(Failure::new("strict", "distances differ from seat to seat"));
    }
    let story = Arc::make_mut(&mut world.story);
    let budget = Budget { nodes: 4000, ..Budget::default() };
    for (seat, vault) in world.vaults.iter().enumerate() {
        for t in &world.treasures {
            let lies = Pred::At(Term::Ent(t.thing), Term::Ent(*vault));
            let plan = planner
                .plan(story, &story.start, seat, &Goal::All(vec![Cond::yes(lies)]), &budget)
                .map_err(|e| Failure::new("treasures", format!("seat {seat} cannot bank one: {e}")))?;
            world.longest = world.longest.max(plan.actions.len() as u16);
        }
    }
    story.cap = (world.longest * u16::from(world.knobs.cap_factor)).max(20);
    Ok(())
}

/// Whether every start has the same distances, in order, to the treasures of each class, to the locks and to the
/// other starts.
pub(super) fn is_fair(world: &Rival) -> bool {
    let story = &world.story;
    let vectors = |seat: usize| {
        let far = steps_from(story, story.start.outermost(story.seats[seat]));
        let mut of: Vec<(u16, u16)> = Vec::new();
        for t in &world.treasures {
            of.push((u16::from(t.class), far[usize::from(story.start.outermost(t.thing))]));
        }
        for lock in *story.all(crate::Attr::Lockable) {
            of.push((300, far[usize::from(story.start.outermost(lock))]));
            for key in (0..story.len() as Ent).filter(|k| story.opens(lock, *k)) {
                of.push((301, far[usize::from(story.start.outermost(key))]));
            }
        }
        for figure in &story.seats {
            of.push((302, far[usize::from(story.start.outermost(*figure))]));
        }
        for vault in &world.vaults {
            of.push((303, far[usize::from(story.start.outermost(*vault))]));
        }
        of.sort_unstable();
        of
    };
    let first = vectors(0);
    (1..story.seats.len()).all(|seat| vectors(seat) == first)
}

/// Steps from `room` to every room, doors open.
fn steps_from(story: &Story, room: Ent) -> Vec<u16> {
    let mut far = vec![u16::MAX; usize::from(story.rooms)];
    let mut queue = vec![room];
    far[usize::from(room)] = 0;
    let mut next = 0;
    while let Some(&at) = queue.get(next) {
        next += 1;
        for exit in &story.exits[usize::from(at)] {
            if exit.to != NONE && far[usize::from(exit.to)] == u16::MAX {
                far[usize::from(exit.to)] = far[usize::from(at)] + 1;
                queue.push(exit.to);
            }
        }
    }
    far
}
