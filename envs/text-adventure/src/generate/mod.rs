//! Games made from knobs and a seed.
//!
//! A skeleton of rooms is drawn, furnished from a theme and given gates whose keys lie where they can be reached before;
//! quests add what they need and the rules that reward it. Every game is certified: a planner finds a plan, and the
//! plan typed into the parser wins with every point. Equal knobs and seed make equal games, byte for byte.

mod certify;
mod coop;
mod gates;
mod knobs;
mod level;
mod names;
mod pack;
mod plot;
mod quest;
mod rival;
mod rival_world;
mod skeleton;
mod theme;
mod words;

pub use certify::{Generated, Skill, digest, fingerprint};
pub use coop::{Coop, coop};
pub use knobs::{Fold, GenerateError, Hints, Knobs, Quest, ThemeName};
pub use level::{BENCHMARK_SEEDS, LEVELS, benchmark, level};
pub use pack::{Sheet, pack};
pub use rival::{Rival, RivalKnobs, Treasure, rival};
pub use theme::{Assembly, Host, HostKind, Machine, Noun, Person, RoomKind, Theme, ThemeError, parse, theme};

use crate::{entity::Attr, planner::Planner, story::Story};
use names::Names;
use plot::{Failure, Plot};
use rl_gym::{Pcg64, SeedSequence};
use skeleton::Skeleton;

/// Attempts at a game before its knobs are called impossible.
pub const MAX_ATTEMPTS: u32 = 64;

/// Makes the game of these knobs and this seed.
///
/// # Errors
/// [`GenerateError::Knob`] names a knob out of range and the value seen; [`GenerateError::Attempts`] names the knobs
/// that 64 attempts ran into.
pub fn generate(knobs: &Knobs, seed: u64) -> Result<Generated, GenerateError> {
    generate_with(&mut Planner::default(), knobs, seed)
}

/// [`generate`] with a planner whose memory is used again: for many games.
///
/// # Errors
/// As [`generate`].
pub fn generate_with(planner: &mut Planner, knobs: &Knobs, seed: u64) -> Result<Generated, GenerateError> {
    knobs.check()?;
    // An attempt that came out too long makes the next one put things nearer: how far they are put, in percent.
    let mut reach = 50u32;
    let mut failures: Vec<Failure> = Vec::new();
    for attempt in 0..MAX_ATTEMPTS {
        let mut rng = SeedSequence::new(seed).child(0x7E87).child(attempt).rng();
        let made =
            plot(knobs, &mut rng, reach, 0)?.and_then(|draft| certify::certify(planner, knobs, seed, draft));
        match made {
            Ok(generated) => return Ok(Generated { attempts: attempt + 1, ..generated }),
            Err(failure) => {
                match failure.knob {
                    "plan_length.least" | "choice_bits.least" => reach = (reach + 15).min(100),
                    "plan_length.greatest" | "choice_bits.greatest" => reach = reach.saturating_sub(15),
                    _ => {}
                }
                failures.push(failure);
            }
        }
    }
    Err(given_up(seed, failures))
}

/// The error of too many attempts: the knobs that they ran into, most often first.
fn given_up(seed: u64, mut failures: Vec<Failure>) -> GenerateError {
    let mut counts: Vec<(usize, &str)> = Vec::new();
    for failure in &failures {
        let knob = failure.knob.split('.').next().unwrap_or(failure.knob);
        match counts.iter_mut().find(|c| c.1 == knob) {
            Some(count) => count.0 += 1,
            None => counts.push((1, knob)),
        }
    }
    counts.sort_by(|a, b| b.cmp(a));
    let knobs = counts.iter().map(|(n, knob)| format!("`{knob}` ({n} times)")).collect::<Vec<_>>().join(", ");
    let why = failures.pop().map_or_else(String::new, |f| f.why);
    GenerateError::Attempts { attempts: MAX_ATTEMPTS, seed, why, knobs }
}

/// One attempt at a story, not certified yet.
fn plot(
    knobs: &Knobs,
    rng: &mut Pcg64,
    reach: u32,
    partners: u8,
) -> Result<Result<Draft, Failure>, GenerateError> {
    let all = ThemeName::ALL;
    let name = knobs.theme.unwrap_or_else(|| all[rng.below(all.len() as u32) as usize]);
    let theme = theme(name).map_err(Clone::clone)?;
    let lines = words::lines().map_err(Clone::clone)?;
    let Some((skeleton, kinds)) = layout(knobs, theme, rng) else {
        return Ok(Err(Failure::new("fold", "no layout of the fold was drawn")));
    };
    let title = &theme.titles[rng.below(theme.titles.len() as u32) as usize];
    let mut story = Story::new(title);
    story.intro.clone_from(&theme.intros[rng.below(theme.intros.len() as u32) as usize]);
    let mut plot = Plot {
        knobs,
        theme,
        lines,
        rng: *rng,
        story,
        skeleton,
        names: Names::new(knobs.fold),
        spots: Vec::new(),
        me: 0,
        reach,
        sentences: Vec::new(),
        scored: Vec::new(),
        needed: Vec::new(),
        kinds,
        partners,
        opened: Vec::new(),
    };
    Ok(plot.fill().map(|quests| Draft { theme: name, quests, story: plot.story, lines, opened: plot.opened }))
}

/// A story with what is known of it before it is certified.
#[derive(Debug)]
struct Draft {
    theme: ThemeName,
    quests: Vec<Quest>,
    story: Story,
    lines: &'static words::Lines,
    /// Doors that partners open, with the seat that does.
    opened: Vec<(usize, crate::set::Ent)>,
}

/// A skeleton with the kind of each room, of the layouts of the fold.
fn layout(knobs: &Knobs, theme: &Theme, rng: &mut Pcg64) -> Option<(Skeleton, Vec<usize>)> {
    (0..200).find_map(|_| {
        let skeleton = Skeleton::random(knobs, rng);
        let kinds = room_kinds(&skeleton, theme, rng);
        let names = kinds.iter().map(|k| theme.rooms[*k].name.as_str());
        let digest = crate::world::mix(skeleton.digest() ^ names::digest(names));
        (Fold::of(digest) == knobs.fold).then_some((skeleton, kinds))
    })
}

/// Draws what each room is: by weight, three times as often beside a kind that it likes, seldom twice.
fn room_kinds(skeleton: &Skeleton, theme: &Theme, rng: &mut Pcg64) -> Vec<usize> {
    let mut kinds: Vec<usize> = Vec::new();
    let mut weights = Vec::new();
    for room in 0..skeleton.rooms {
        let beside = room.checked_sub(1).map(|e| kinds[usize::from(skeleton.edges[usize::from(e)].from)]);
        weights.clear();
        weights.extend(theme.rooms.iter().enumerate().map(|(k, kind)| {
            let likes = beside.is_some_and(|b| {
                kind.near.contains(&theme.rooms[b].name) || theme.rooms[b].near.contains(&kind.name)
            });
            let used = kinds.iter().filter(|o| **o == k).count() as u32;
            60 * kind.weight * if likes { 3 } else { 1 } / (1 + 6 * used)
        }));
        let mut left = rng.below(weights.iter().sum());
        let kind = weights.iter().position(|w| match left.checked_sub(*w) {
            Some(rest) => {
                left = rest;
                false
            }
            None => true,
        });
        kinds.push(kind.unwrap_or(0));
    }
    kinds
}

impl Plot<'_> {
    /// Everything that an attempt adds, in order. Returns the quests that it drew.
    fn fill(&mut self) -> Result<Vec<Quest>, Failure> {
        self.set_up()?;
        self.place_lamp()?;
        let knobs = self.knobs;
        let mut bag = Vec::new();
        let mut quests = Vec::new();
        for i in 0..knobs.quest_count {
            if bag.is_empty() {
                bag.extend_from_slice(&knobs.quests);
                self.rng.shuffle(&mut bag);
            }
            let quest = bag.pop().unwrap_or(Quest::Fetch);
            self.add_quest(quest, i + 1 == knobs.quest_count)?;
            quests.push(quest);
        }
        self.place_keys()?;
        self.bystanders()?;
        self.distract()?;
        self.victory()?;
        self.story.objective = self.sentences.join(" ");
        self.story.seal();
        Ok(quests)
    }

    /// Things that are good for nothing: no rule and no person asks for them.
    fn distract(&mut self) -> Result<(), Failure> {
        let theme = self.theme;
        for _ in 0..self.knobs.distractors {
            if self.left() == 0 {
                return Ok(());
            }
            let x = self.draw("things", &theme.things, &[Attr::Portable])?;
            if let Some(room) = self.any_room(self.last_stage(), |_, _| true) {
                self.put(x, room);
            }
        }
        Ok(())
    }
}
