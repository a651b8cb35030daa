//! What play was good for, once a task is given.

use crate::{
    Comparison, LearnConfig, PracticeError, chain::names, compare, learn, learn::chosen, with_skills,
};
use agon_skill::{Report, Seed, Seeds, Skill};
use agon_skill_agent::{Arm, MakePolicy, PlayConfig, Task, arm};
use serde::Serialize;

/// The skills of play against none, and against those of undirected play, once a task is given.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PlayReport {
    /// Without skills, against the skills of play.
    pub none: Comparison,
    /// With the skills of undirected play, against those of play.
    pub random: Comparison,
}

/// Compares the frozen skills of play with no skills and with those of undirected play (`control`) on report seeds. Each
/// side learns on as many train episodes of the task where to trust its skills.
///
/// # Errors
/// As [`crate::explore()`].
pub fn play_report(
    task: &Task,
    base: &MakePolicy,
    [skills, control]: [&[Skill]; 2],
    learning: LearnConfig,
    report: u32,
    play_config: &PlayConfig,
) -> Result<PlayReport, PracticeError> {
    let seeds: Vec<Seed<Report>> = Seeds::new(learning.root, 1).range(0, report).collect();
    let taught = |skills: &[Skill]| -> Result<Arm, PracticeError> {
        let known = learn(task, base, skills, learning, play_config)?;
        Ok(with_skills(task, base, skills, &chosen(&known))?)
    };
    let player = taught(skills)?;
    let none = compare(task, &arm(base.clone()), &player, &names(skills), &seeds, play_config)?;
    let random = compare(task, &taught(control)?, &player, &names(skills), &seeds, play_config)?;
    Ok(PlayReport { none, random })
}
