//! What can go wrong in a command.

use agon_league::LeagueError;
use agon_skill::SkillError;
use agon_skill_agent::TrialError;
use agon_skill_bank::BankError;
use agon_skill_distill::DistillError;
use agon_skill_practice::PracticeError;
use rl_gym::GymError;
use std::path::PathBuf;

/// A command failed: what was wrong, the value seen, the mend.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CliError {
    /// A game, option or player was refused.
    #[error(transparent)]
    Gym(#[from] GymError),
    /// A run cannot be made, opened, continued or reported.
    #[error(transparent)]
    League(#[from] LeagueError),
    /// A skill does not fit.
    #[error(transparent)]
    Skill(#[from] SkillError),
    /// A bank of skills refuses.
    #[error(transparent)]
    Bank(#[from] BankError),
    /// A task of skills cannot be played.
    #[error(transparent)]
    Trial(#[from] TrialError),
    /// Nothing can be mined.
    #[error(transparent)]
    Distill(#[from] DistillError),
    /// Practice with skills refuses.
    #[error(transparent)]
    Practice(#[from] PracticeError),
    /// A file cannot be read or written.
    #[error("{}: {why}", .path.display())]
    File {
        /// The path.
        path: PathBuf,
        /// What the system said, and the mend.
        why: String,
    },
    /// Standard output is gone or takes no more.
    #[error(
        "standard output cannot be written ({0}): what was printed is not whole; free space where it goes, or send it elsewhere"
    )]
    Output(#[from] std::io::Error),
    /// A request that makes no sense.
    #[error("{0}")]
    Request(String),
}
