//! Reports: folds over what happened.

use crate::{error::LeagueError, store::Store};
use rl_gym::Game;

/// Id of the best champion of a run; `None` before the first.
///
/// # Errors
/// When the store cannot be read.
pub fn best_champion(store: &Store, _game: &Game) -> Result<Option<i64>, LeagueError> {
    Ok(store.events()?.iter().rev().find(|e| e.what == "snapshot").and_then(|e| e.player))
}
