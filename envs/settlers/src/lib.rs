//! Settlers: the base game of Catan, exact, for two to four seats.
//!
//! This crate holds the rules as plain data and functions: no clock, file or network, no heap in a step, chance
//! only from the seed or from outcomes that the caller forces. The fact sheet is the crate's README.
//!
//! ```
//! use agon_settlers::{Config, State};
//! use rl_gym::{Pcg64, SeedSequence};
//!
//! let mut game = State::new(&Config { turn_cap: 500, ..Config::default() }, SeedSequence::new(7)).unwrap();
//! let mut policy = Pcg64::seed(1);
//! while game.outcome().is_none() {
//!     let choice = policy.below(game.legal().count());
//!     let action = game.legal().nth(choice).unwrap();
//!     game.step(action).unwrap();
//! }
//! println!("{:?} after {} decisions", game.outcome().unwrap(), game.steps());
//! ```

mod action;
mod belief;
mod board;
pub mod bots;
mod chance;
mod counts;
mod digest;
mod env;
mod error;
mod game;
#[doc(hidden)]
pub mod heuristic;
mod longest_road;
mod mask;
pub mod observe;
mod options;
mod rules;
mod state;
#[doc(hidden)]
pub mod testing;
mod text;
pub mod topology;
mod trace;
pub mod words;

pub use action::{ACTIONS, Action, ActionId, at};
pub use board::{Board, Port};
pub use chance::{ImpossibleOutcome, Outcome, Outcomes, Pending};
pub use counts::{Counts, DevCard, Resource};
pub use env::{Saved, SettlersEnv};
pub use error::{IllegalAction, Reason};
pub use game::{config, game, options, options_markdown};
pub use longest_road::{longest, longest_through};
pub use mask::{LegalMask, MASK_WORDS};
pub use options::{BoardSize, Compat, Config, ConfigError, Layout};
pub use rules::{OfferError, StepEvents};
pub use state::{
    BANK_EACH, CITY_COST, CITY_PIECES, DECK, DEV_COST, GameOutcome, LOG, MAX_SIDE, Offer, Phase, ROAD_COST,
    ROAD_PIECES, Record, SETTLEMENT_COST, SETTLEMENT_PIECES, SeatState, State, Trade,
};
pub use text::{MAX_TEXT, write_text};
pub use topology::{EdgeId, NodeId, Seat, TileId};
pub use trace::{TraceError, TraceSummary, replay_trace};
