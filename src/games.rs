//! The only place that names games: one line each.

use rl_gym::{Game, Registry};

/// The games of this repository.
pub fn bundled() -> Registry {
    agon_classic::games().into_iter().fold(
        Registry::new().with(with_search(agon_settlers::game())).with(agon_text_adventure::game()),
        Registry::with,
    )
}

/// The game with the search players behind its own.
fn with_search(mut game: Game) -> Game {
    game.bots.extend(agon_search::bots());
    game
}
