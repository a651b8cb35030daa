//! The step API: conformance, rounds, privacy, rewards, players and pages.

#[path = "../common/mod.rs"]
mod common;
#[path = "../fixture/mod.rs"]
mod fixture;

mod conformance;
