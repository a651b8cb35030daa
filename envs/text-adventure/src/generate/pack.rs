//! Packs: many games of which no two are built alike, and the sheet that describes a game.

use super::{
    certify::{Generated, Skill, commands, digest},
    generate_with,
    knobs::{GenerateError, Knobs, Quest, ThemeName},
};
use crate::planner::Planner;
use serde::{Deserialize, Serialize};

/// What is known of a game, for a file beside it. The knobs and the seed make the game again; the rest can be checked
/// against it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sheet {
    /// Its title.
    pub title: String,
    /// What it is made from.
    pub knobs: Knobs,
    /// The seed that it is made from.
    pub seed: u64,
    /// Where it takes place.
    pub theme: ThemeName,
    /// What it asks for.
    pub quests: Vec<Quest>,
    /// What it asks of a player.
    pub skills: Vec<Skill>,
    /// What the player is told.
    pub objective: String,
    /// The certified plan as commands.
    pub plan: Vec<String>,
    /// Sum of log2 of the admissible actions along the plan, rounded down.
    pub choice_bits: u16,
    /// Turns before the game is cut.
    pub cap: u16,
    /// Points that can be had.
    pub max_score: i16,
    /// Equal for games that differ in words alone.
    pub fingerprint: u64,
    /// Equal for games that are equal in every word.
    pub digest: u64,
}

impl Generated {
    /// The sheet that describes this game.
    pub fn sheet(&self) -> Sheet {
        let story = &self.story;
        Sheet {
            title: story.title.clone(),
            knobs: self.knobs.clone(),
            seed: self.seed,
            theme: self.theme,
            quests: self.quests.clone(),
            skills: self.skills.clone(),
            objective: story.objective.clone(),
            plan: commands(story, &self.plan),
            choice_bits: self.choice_bits,
            cap: story.cap,
            max_score: story.max_score,
            fingerprint: self.fingerprint,
            digest: digest(story),
        }
    }
}

/// Seeds tried for each game of a pack, at most.
const TRIES: u64 = 32;

/// `n` games of these knobs, of which no two are built alike: seeds from `seed` on, those left out that give a game
/// with the fingerprint of an earlier one.
///
/// # Errors
/// As [`super::generate`]; [`GenerateError::Alike`] when too few games differ, which small worlds with one kind of quest
/// run into.
pub fn pack(n: usize, knobs: &Knobs, seed: u64) -> Result<Vec<Generated>, GenerateError> {
    let mut planner = Planner::default();
    let mut games: Vec<Generated> = Vec::with_capacity(n);
    let mut prints: Vec<u64> = Vec::with_capacity(n);
    let mut seeds = seed..;
    let mut repeated = 0;
    while games.len() < n {
        let Some(next) = seeds.next() else { break };
        let game = generate_with(&mut planner, knobs, next)?;
        match prints.binary_search(&game.fingerprint) {
            Ok(_) => repeated += 1,
            Err(at) => {
                prints.insert(at, game.fingerprint);
                games.push(game);
                repeated = 0;
            }
        }
        if repeated == TRIES {
            return Err(GenerateError::Alike { wanted: n, found: games.len(), tried: TRIES });
        }
    }
    Ok(games)
}
