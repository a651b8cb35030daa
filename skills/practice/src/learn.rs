//! Learning where to trust which skill.

use crate::{PracticeError, chain::names, with_skills};
use agon_skill::{Seed, Seeds, Skill, Train};
use agon_skill_agent::{Chooser, Experience, MakePolicy, PlayConfig, Task, UserConfig, play};
use std::sync::Arc;

/// Rounds of episodes from which a bandit learns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LearnConfig {
    /// Rounds; what is known is frozen within one.
    pub rounds: u32,
    /// Train episodes of a round.
    pub episodes: u32,
    /// Root of the seeds.
    pub root: u64,
}

impl Default for LearnConfig {
    fn default() -> Self {
        Self { rounds: 6, episodes: 100, root: 1 }
    }
}

/// What `base` with `skills` at hand learns about them on train seeds.
///
/// # Errors
/// A skill that does not fit; what the game says about its options.
pub fn learn(
    task: &Task,
    base: &MakePolicy,
    skills: &[Skill],
    config: LearnConfig,
    play_config: &PlayConfig,
) -> Result<Experience, PracticeError> {
    let hashes: Vec<String> = names(skills).into_iter().map(|(_, hash)| hash).collect();
    let mut known = Experience::default();
    for round in 0..config.rounds {
        let user = with_skills(task, base, skills, &chosen(&known))?;
        let seeds: Vec<Seed<Train>> =
            Seeds::new(config.root, 3000).range(round * config.episodes, config.episodes).collect();
        let played = play(task, &user, &seeds, play_config)?;
        known.learn(&played, |i| hashes.get(i).cloned().unwrap_or_default());
    }
    Ok(known)
}

/// Skills chosen by what is known.
pub fn chosen(known: &Experience) -> UserConfig {
    UserConfig { chooser: Chooser::Bandit(Arc::new(known.clone())), ..UserConfig::default() }
}
