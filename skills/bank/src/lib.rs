//! The skill bank.

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
