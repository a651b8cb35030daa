//! The skill bank: what admits skills, watches them and takes them out again.
//!
//! - [`stats`]: tests that may stop at any time, bounds, and what many tests say together.
//! - [`evidence`]: the numbers of a gate, from which its decision can be made again.
//! - [`lifecycle`]: where a skill may go on what evidence, in one table.
//! - [`gates`]: G0 to G7 over [`gates::Trials`], and rounds of them; [`gates::Played`] plays them with matched
//!   episodes.
//! - [`bank`]: skills, evidence and log as a folder; snapshots; a bank as one file.
//!
//! Not here: who proposes skills, and merging or splitting them; which games are played; anything that a clock says.
//!
//! ```
//! use agon_skill_bank::stats::{Paired, Plan, Stop};
//!
//! // Games with and without a skill on the same seeds: seven in ten end alike, two are won by it, one is lost.
//! let mut test = Paired::new(Plan::default())?;
//! let seen = [0.0, 1.0, 0.0, 0.0, -1.0, 0.0, 1.0, 0.0, 0.0, 0.0];
//! let end = seen.iter().cycle().find_map(|difference| {
//!     test.observe(*difference).ok()?;
//!     test.stop()
//! });
//! assert_eq!(end, Some(Stop::Gain));
//! assert!(test.e() >= 20.0 && test.pairs() < 250);
//! # Ok::<(), agon_skill_bank::BankError>(())
//! ```

pub mod bank;
mod error;
pub mod evidence;
pub mod gates;
pub mod lifecycle;
pub mod stats;

pub use bank::Bank;
pub use error::BankError;
pub use evidence::{Evidence, Gate};
pub use lifecycle::State;
