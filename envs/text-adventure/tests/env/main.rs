//! The step API: conformance, rounds, privacy, rewards, players and pages.

#[path = "../common/mod.rs"]
mod common;
#[path = "../fixture/mod.rs"]
mod fixture;

mod conformance;
mod interfaces;
mod pages;
mod players;
mod predicates;
mod privacy;
mod rewards;
mod rounds;
mod stage;
mod worlds;
