//! A fingerprint of the rules as played, so that a run is never continued or compared under others unawares.

use crate::error::LeagueError;
use rl_gym::{BatchConfig, BatchEnv, Game, Options, Pcg64, VecEnv};

const LANES: usize = 4;
const STEPS: usize = 1500;

/// A hash over seeded random play of every byte that a player can see: 16 hex digits.
///
/// Any change of rules, observations, masks or seeds changes it; a change of speed does not.
///
/// # Errors
/// What the game says about its options.
pub fn fingerprint(game: &Game, options: &Options) -> Result<String, LeagueError> {
    let mut batch = VecEnv::new(&game.factory(options.clone()), BatchConfig::lanes(LANES))?;
    let mut hasher = blake3::Hasher::new();
    hasher.update(game.id().as_bytes());
    hasher.update(&batch.reset(2026).fingerprint().to_le_bytes());
    let mut rng = Pcg64::seed(2026);
    let action = batch.spec().action.clone();
    for _ in 0..STEPS {
        let (view, mut actions) = batch.parts();
        for row in 0..view.shape().rows() {
            action.sample(view.mask(row), &mut rng, actions.row_mut(row));
        }
        hasher.update(&batch.step().fingerprint().to_le_bytes());
    }
    Ok(hasher.finalize().to_hex()[..16].to_owned())
}
