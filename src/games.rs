//! The only place that names games: one line each.

use rl_gym::Registry;

/// The games of this repository.
pub fn bundled() -> Registry {
    agon_classic::games().into_iter().fold(Registry::new().with(agon_settlers::game()), Registry::with)
}
