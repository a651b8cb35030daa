//! What goes wrong with practice.

use agon_skill::SkillError;
use agon_skill_agent::TrialError;
use agon_skill_bank::BankError;
use agon_skill_distill::DistillError;
use rl_gym::GymError;

/// What goes wrong with practice.
#[derive(Debug, thiserror::Error)]
pub enum PracticeError {
    /// The game refuses.
    #[error(transparent)]
    Gym(#[from] GymError),
    /// A skill does not fit.
    #[error(transparent)]
    Skill(#[from] SkillError),
    /// A task cannot be played.
    #[error(transparent)]
    Trial(#[from] TrialError),
    /// The miner refuses.
    #[error(transparent)]
    Distill(#[from] DistillError),
    /// The bank refuses.
    #[error(transparent)]
    Bank(#[from] BankError),
    /// What is asked for cannot be done.
    #[error("{0}")]
    Request(String),
}
