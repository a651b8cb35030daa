//! What an ended game says about its seats.

use crate::matches::Status;
use rl_gym::{DynEnv, guarded};

/// Why places say nothing about who won; ratings know players by their places alone.
pub(super) fn misplaced(ranks: &[u8]) -> Option<String> {
    if ranks.contains(&u8::MAX) {
        return Some("the game ended without placing its seats".into());
    }
    (!ranks.contains(&0)).then(|| format!("the game ended with nobody in first place: {ranks:?}"))
}

/// The end of a game on its way to becoming an [`Outcome`].
pub(super) struct End {
    pub(super) ranks: Vec<u8>,
    pub(super) points: Vec<f32>,
    pub(super) status: Status,
    pub(super) note: Option<String>,
}

impl End {
    /// Asks the environment for its points; one that panics at it voids the game.
    pub(super) fn count_points(&mut self, env: &dyn DynEnv) {
        let mut points = vec![0.0; self.ranks.len()];
        match guarded("the environment", || env.points(&mut points)) {
            Ok(true) => self.points = points,
            Ok(false) => {}
            Err(fault) => {
                self.ranks.fill(0);
                self.status = Status::Void;
                self.note = Some(fault.to_string());
            }
        }
    }
}
