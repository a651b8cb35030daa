//! The skill bank.

mod error;
pub mod stats;

pub use error::BankError;
