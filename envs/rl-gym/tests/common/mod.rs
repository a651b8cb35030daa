//! Two toy games for the tests of this crate: a duel that can be broken in many ways, and one in which seats
//! leave one after another.
#![allow(dead_code, unreachable_pub, reason = "each test binary uses its part of this module")]

pub mod duel;
pub mod stairs;

use rl_gym::{BatchEnv, Flags, SeedSequence, VecEnv};

/// Legal random actions for every row to act, the same whatever thread steps the rows.
pub fn act(batch: &mut VecEnv, step: u64) {
    let space = batch.spec().action.clone();
    let (view, mut actions) = batch.parts();
    for row in 0..view.shape().rows() {
        if view.flags(row).contains(Flags::TO_ACT) {
            let mut rng = SeedSequence::new(step).child(row as u32).rng();
            space.sample(view.mask(row), &mut rng, actions.row_mut(row));
        }
    }
}
