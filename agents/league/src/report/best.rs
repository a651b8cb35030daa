//! The best champion of a run.

use super::run::Gathered;
use crate::{error::LeagueError, store::Store};
use rl_gym::Game;

/// Id of the best champion of a run; `None` before the first.
///
/// The best is the one with the greatest lower 95 % limit of its Elo in the batch fit over the ladder games of
/// finished generations, the newest among equals. Exam games never count, so an exam stays a test on fresh
/// seeds. While nothing can be fitted it is the newest.
///
/// # Errors
/// When the store cannot be read, or belongs to another game.
pub fn best_champion(store: &Store, game: &Game) -> Result<Option<i64>, LeagueError> {
    let gathered = Gathered::new(store, game)?;
    let standings = gathered.standings()?;
    Ok(gathered.best(&standings))
}
