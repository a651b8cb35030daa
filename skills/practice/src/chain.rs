//! A chain of similar tasks, along which a bank grows.

use crate::{Comparison, Lesson, LessonConfig, Mean, PracticeError, collect, compare::matched, lesson, mean};
use agon_skill::{Seed, Seeds, Skill, Train};
use agon_skill_agent::{
    Arm, Kit, Learner, MakePolicy, Plain, PlayConfig, SkillUser, Task, TrialError, UserConfig, arm, play,
};
use agon_skill_bank::{Bank, State, gates::Trials};
use agon_skill_distill::{DistillError, Rollouts};
use serde::Serialize;
use std::sync::Arc;

/// A chain.
#[derive(Clone, PartialEq, Debug)]
pub struct ChainConfig {
    /// Blocks of tasks; after each but the last, what was played is learned from.
    pub blocks: u32,
    /// Tasks of a block.
    pub tasks: u32,
    /// Number of the chain: chains of different numbers play different tasks.
    pub number: u32,
    /// How it learns.
    pub lesson: LessonConfig,
}

impl Default for ChainConfig {
    fn default() -> Self {
        Self { blocks: 4, tasks: 150, number: 0, lesson: LessonConfig::default() }
    }
}

/// A block of a chain.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ChainBlock {
    /// Active skills with which it was played.
    pub skills: usize,
    /// The agent without a bank, against the one with the bank as it was then.
    pub against: Comparison,
}

/// What a chain gave.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Chain {
    /// Its blocks.
    pub blocks: Vec<ChainBlock>,
    /// Own decisions a task with the bank minus without, over all blocks after the first.
    pub decisions: Mean,
    /// What was learned after each block.
    #[serde(skip)]
    pub lessons: Vec<Lesson>,
}

/// `base` with skills, used wherever they apply.
///
/// # Errors
/// A skill that does not fit the task.
pub fn with_skills(
    task: &Task,
    base: &MakePolicy,
    skills: &[Skill],
    config: &UserConfig,
) -> Result<Arm, TrialError> {
    let kit = Kit::new(&task.game, &task.spec()?, skills.iter().cloned())?;
    if kit.is_empty() {
        return Ok(arm(base.clone()));
    }
    let (game, base, skills, config) = (task.game.clone(), base.clone(), skills.to_vec(), config.clone());
    Ok(Arc::new(move |spec| -> Box<dyn Learner> {
        // The same skills fitted just before.
        match Kit::new(&game, spec, skills.iter().cloned()) {
            Ok(kit) => Box::new(SkillUser::new(base(spec), kit, config.clone())),
            Err(_) => Box::new(Plain(base(spec))),
        }
    }))
}

/// Names and hashes of the skills among `skills` that act, in the order of their kit.
pub(crate) fn names(skills: &[Skill]) -> Vec<(String, String)> {
    let acts = |s: &&Skill| matches!(s.kind, agon_skill::Kind::Option | agon_skill::Kind::Policy);
    skills.iter().filter(acts).map(|s| (s.name.clone(), s.content_hash())).collect()
}

/// Plays a chain as `base` with the active skills of `bank`, which learns after each block from all that it played, and as
/// `base` alone on the same tasks. `progress` hears of each block.
///
/// # Errors
/// When something cannot be played, or the bank not be written.
pub fn chain(
    task: &Task,
    base: &MakePolicy,
    bank: &mut Bank,
    trials: &mut dyn Trials,
    config: &ChainConfig,
    play_config: &PlayConfig,
    mut progress: impl FnMut(u32, &ChainBlock),
) -> Result<Chain, PracticeError> {
    let mut known = Rollouts::in_words(&task.game.id(), task.words()?);
    let (mut blocks, mut lessons, mut differences) = (Vec::new(), Vec::new(), Vec::new());
    for block in 0..config.blocks {
        let seeds: Vec<Seed<Train>> = Seeds::new(config.lesson.root, 2000 + config.number)
            .range(block * config.tasks, config.tasks)
            .collect();
        let skills = bank.with_tools(bank.skills_at(State::Active));
        let user = with_skills(task, base, &skills, &UserConfig::default())?;
        let (rollouts, after) = collect(task, &user, "chain", &seeds, play_config)?;
        let before = play(task, &arm(base.clone()), &seeds, play_config)?;
        let names = names(&skills);
        let told = ChainBlock { skills: names.len(), against: Comparison::of(&before, &after, &names) };
        if block > 0 {
            let decisions = |e: &agon_skill_agent::Episode| f64::from(e.decisions);
            differences
                .extend(matched(&before, &after).0.into_iter().map(|(a, b)| decisions(b) - decisions(a)));
        }
        progress(block, &told);
        blocks.push(told);
        known.absorb(rollouts)?;
        if block + 1 < config.blocks {
            match lesson(bank, &known, trials, &config.lesson) {
                Ok(lesson) => lessons.push(lesson),
                // Too little happened yet: the next block brings more.
                Err(PracticeError::Distill(DistillError::Empty { .. })) => lessons.push(Lesson::default()),
                Err(error) => return Err(error),
            }
        }
    }
    Ok(Chain { blocks, decisions: mean(&differences), lessons })
}
