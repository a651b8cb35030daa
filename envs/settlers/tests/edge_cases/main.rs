//! The sixty edge cases that the reference engine does not test, by number (design notes, section 1.6).

mod bank;
mod cards;
mod longest_road;
mod pieces_and_setup;
mod player_trade;
mod robber;
mod winning;

use agon_settlers::testing::Position;
use agon_settlers::{ActionId, Board, Config, Outcome, Resource, Seat, State};

/// Four seats on the board of the first game.
pub(crate) fn table() -> Position {
    Position::new(&Config::default(), Board::beginner())
}

pub(crate) fn table_with(config: Config) -> Position {
    Position::new(&config, Board::beginner())
}

/// Enough for a settlement and a road to it.
pub(crate) const SETTLE: [u8; 5] = [2, 2, 1, 1, 0];

pub(crate) fn id(name: &str) -> ActionId {
    ActionId::parse(name).unwrap_or_else(|| panic!("`{name}` is no action"))
}

pub(crate) fn can(state: &State, name: &str) -> bool {
    state.legal().contains(id(name))
}

/// Names of the legal actions that start with `prefix`.
pub(crate) fn legal(state: &State, prefix: &str) -> Vec<String> {
    state.legal().iter().filter_map(|a| a.name()).filter(|n| n.starts_with(prefix)).collect()
}

#[track_caller]
pub(crate) fn act(state: &mut State, name: &str) {
    if let Err(e) = state.step(id(name)) {
        panic!("{e}");
    }
}

/// Takes `names` one after the other.
#[track_caller]
pub(crate) fn acts(state: &mut State, names: &[&str]) {
    names.iter().for_each(|name| act(state, name));
}

/// A decision with a forced outcome.
#[track_caller]
pub(crate) fn force(state: &mut State, name: &str, outcome: Outcome) {
    if let Err(e) = state.decide(id(name)) {
        panic!("{e}");
    }
    state.resolve(outcome).expect("a possible outcome");
}

#[track_caller]
pub(crate) fn roll(state: &mut State, a: u8, b: u8) {
    force(state, "roll dice", Outcome::Dice(a, b));
}

pub(crate) fn hand(state: &State, seat: Seat) -> [u8; 5] {
    state.seat(seat).hand.array()
}

pub(crate) fn count(state: &State, seat: Seat, resource: Resource) -> u8 {
    state.seat(seat).hand.get(resource.index())
}

pub(crate) fn length(state: &State, seat: Seat) -> u8 {
    state.seat(seat).road_length
}
