//! One finished game as the fits read it.

use serde::{Deserialize, Serialize};

use crate::RatingError;

/// Most seats one game may have. Seat sets are bit masks of one byte in the inner loop.
pub const MAX_SEATS: usize = 8;

/// Which part of a game's ranks carries information about strength.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Placing {
    /// Only who is among rank 0 counts; the order of the others is ignored. For games whose players
    /// fight for first place only.
    WinnerOnly,
    /// Every rank counts, first to last.
    Full,
}

/// A finished game: who sat where, who placed where, and which games it is correlated with.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct GameResult {
    /// Player index per seat, 2 to [`MAX_SEATS`] entries. A player may hold several seats (self-play).
    pub seats: Vec<usize>,
    /// Rank per seat: 0 is best, equal ranks are a tie, gaps mean nothing. All 0 is a draw.
    pub ranks: Vec<u8>,
    /// Games with equal `block` share a seed or a seat-swapped pairing and count as correlated.
    pub block: u64,
    /// Which ranks carry information.
    pub placing: Placing,
}

impl GameResult {
    /// A result from its four parts; nothing is checked until it is rated.
    pub fn new(seats: Vec<usize>, ranks: Vec<u8>, block: u64, placing: Placing) -> Self {
        Self { seats, ranks, block, placing }
    }

    /// Ranks with only the information of `placing`: 0 or 1 for winner-only, else as they are.
    pub(crate) fn informative_rank(&self, seat: usize) -> u8 {
        match self.placing {
            Placing::WinnerOnly => u8::from(self.ranks[seat] > 0),
            Placing::Full => self.ranks[seat],
        }
    }
}

/// Checks one game's shape; `game` is its index for the message.
pub(crate) fn check_shape(game: usize, seats: usize, ranks: &[u8]) -> Result<(), RatingError> {
    if !(2..=MAX_SEATS).contains(&seats) {
        return Err(RatingError::SeatCount { game, seats });
    }
    if ranks.len() != seats {
        return Err(RatingError::RanksLength { game, seats, ranks: ranks.len() });
    }
    match ranks.iter().min() {
        Some(&best) if best > 0 => Err(RatingError::NoFirstPlace { game, best }),
        _ => Ok(()),
    }
}

/// Checks that every seat of game `game` holds a known player.
pub(crate) fn check_players(game: usize, seats: &[usize], players: usize) -> Result<(), RatingError> {
    match seats.iter().position(|&player| player >= players) {
        Some(seat) => Err(RatingError::PlayerOutOfRange { game, seat, player: seats[seat], players }),
        None => Ok(()),
    }
}

/// Checks a whole slice of results.
pub(crate) fn check_games(players: usize, games: &[GameResult]) -> Result<(), RatingError> {
    if games.is_empty() {
        return Err(RatingError::NoGames);
    }
    games.iter().enumerate().try_for_each(|(index, game)| {
        check_shape(index, game.seats.len(), &game.ranks)?;
        check_players(index, &game.seats, players)
    })
}
