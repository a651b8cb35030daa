//! What can go wrong in a command.

use agon_league::LeagueError;
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
