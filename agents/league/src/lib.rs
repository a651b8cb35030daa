//! Self-play: players climb a ladder by playing each other.
//!
//! A [`Training`] draws candidates from a search distribution, seats them by Elo-based matchmaking among frozen
//! champions and anchors in all seat rotations, and moves the distribution by what they won. Everything that
//! happened is a row of the run's [`Store`]; the [`report`] is a fold over those rows. [`Runner`] plays any list
//! of matches on any number of threads with the same results.
//!
//! Not here: any game (they come as [`rl_gym::Game`] values), drawing of progress bars, argument parsing.

mod error;
mod evolve;
mod ladder;
mod matches;
mod matchmaking;
mod player;
pub mod report;
mod rules;
mod runner;
mod schedule;
mod store;
mod train;

pub use error::LeagueError;
pub use evolve::{Cma, Pbt, Plain, Search, SearchKind, to_genes};
pub use ladder::{Ladder, play_ladder};
pub use matches::{Match, MatchKind, MatchSeed, Outcome, Status, rotations};
pub use matchmaking::{Elo, Pairing, START, draw};
pub use player::{Maker, Player, PlayerKind};
pub use rules::fingerprint;
pub use runner::{Rerun, Runner, RunnerConfig, Verified, verify};
pub use schedule::{EXAM_GENERATION, LADDER_GENERATION, Schedule, tables_for};
pub use store::{Event, Kept, KeptSize, STORE_FILE, STORE_VERSION, Store, Timing};
pub use train::{Budget, Ended, Progress, Standing, Summary, TrainConfig, Training};
