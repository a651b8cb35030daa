//! Ratings with intervals: who is stronger, by how much, and how sure are we.
//!
//! Everything here is pure mathematics on finished results: no I/O, no clock, no random numbers, and
//! no other Agon crate. The same results in any order give the same bits.
//!
//! - [`fit()`]: the leaderboard. Batch Bradley-Terry / Luce fit of any mix of 2..=8-seat games, with
//!   fixed anchors, seat terms, Fisher and cluster-robust covariance, likelihood of superiority.
//! - [`davidson`](davidson()): two-seat fit that models draws and the first seat's edge explicitly.
//! - [`elo`]: online Elo for matchmaking, where a cheap and slightly stale number is enough.
//! - [`interval`]: Wilson, Clopper-Pearson, binomial test, intervals from correlated games.
//! - [`Sprt`]: is A better than B? A sequential test over paired seeds that stops early.
//! - [`cycle_alarm`]: does a single number per player explain the results at all?
//! - [`drift()`] and [`homogeneity()`]: do ratings hold over time, and do several estimates agree?
//!
//! What is not here: storing matches, printing tables, choosing opponents, playing the games of a test.
//!
//! ```
//! use agon_ratings::{EloOrigin, FitOptions, GameResult, Level, Placing, fit};
//!
//! // Player 1 wins 30 of 40 two-seat games against player 0; each game has a seed of its own.
//! let games: Vec<_> = (0..40)
//!     .map(|g| GameResult::new(vec![0, 1], if g < 30 { vec![1, 0] } else { vec![0, 1] }, g, Placing::Full))
//!     .collect();
//! let options = FitOptions { elo_origin: Some(EloOrigin { player: 0, elo: 1000.0 }), ..FitOptions::default() };
//! let table = fit(2, &games, &options)?;
//! let gap = table.difference(1, 0, Level::P95).expect("the two have met");
//! assert!(gap.low > 0.0 && (gap.estimate - 185.2).abs() < 0.1); // Elo, with one virtual draw added
//! # Ok::<(), agon_ratings::RatingError>(())
//! ```

mod cycle;
mod davidson;
mod design;
mod drift;
pub mod elo;
mod error;
mod fit;
mod game;
pub mod interval;
mod newton;
mod robust;
mod scale;
mod sprt;
mod table;

pub use cycle::{CycleAlarm, PairResidual, cycle_alarm};
pub use davidson::{Davidson, DavidsonOptions, Duel, DuelOutcome, davidson};
pub use drift::{Drift, Homogeneity, Shift, drift, homogeneity};
pub use error::RatingError;
pub use fit::{Anchor, EloOrigin, FitOptions, fit};
pub use game::{GameResult, MAX_SEATS, Placing};
pub use interval::{Alternative, Interval, Level};
pub use scale::Standing;
pub use sprt::{MIN_BLOCKS, Sprt, SprtReport, Verdict};
pub use table::{ELO_PER_THETA, Fit, Spread};
