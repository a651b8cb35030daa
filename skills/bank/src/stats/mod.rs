//! Statistics of the gates. Everything here is pure mathematics: no file, no clock, no random number.
//!
//! Tests are by betting: a gambler starts with capital 1 and bets on each pair before it is played; where the null
//! hypothesis holds, no bet gains on average, so the capital exceeds 20 at any time with probability 1/20 at most
//! (Ville). That allows to stop whenever one likes, and to combine tests that depend on each other.

mod betting;
mod bounds;
mod e_bh;
mod paired;
mod wilson;

pub use betting::{Detector, EProcess, Side};
pub use bounds::{Interval, elo, interval, lower_bound, paired_elo, upper_bound};
pub use e_bh::e_bh;
pub use paired::{Paired, Plan, Stop};
pub use wilson::wilson;

use crate::BankError;

/// A number within `low..=high`, or what is wrong.
pub(crate) fn within(what: &'static str, value: f64, low: f64, high: f64) -> Result<f64, BankError> {
    if (low..=high).contains(&value) { Ok(value) } else { Err(BankError::Number { what, value, low, high }) }
}
