//! The skill bank.
