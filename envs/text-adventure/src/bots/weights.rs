//! Hand-written weights of the scripted players.

use super::{
    features::{COUNT, F},
    player::Weights,
};

const fn weights<const N: usize>(given: [(F, f32); N]) -> Weights {
    let mut weights = [0.0; COUNT];
    let mut i = 0;
    while i < N {
        weights[given[i].0 as usize] = given[i].1;
        i += 1;
    }
    weights
}

/// What every scripted player agrees on, `weights` on top.
const fn with<const N: usize>(base: Weights, given: [(F, f32); N]) -> Weights {
    let mut weights = base;
    let mut i = 0;
    while i < N {
        weights[given[i].0 as usize] = given[i].1;
        i += 1;
    }
    weights
}

/// Takes what it sees and banks it when it happens to be home; walks at random.
pub(super) const GREEDY: Weights = weights([
    (F::take_treasure, 8.0),
    (F::raid, 6.0),
    (F::bank, 8.0),
    (F::unbank, -8.0),
    (F::misplace, -8.0),
    (F::go, 0.6),
    (F::open, 0.6),
    (F::unlock, 1.0),
    (F::light, 0.4),
    (F::take_thing, 0.6),
    (F::tries, -0.3),
    (F::accept_gain, 4.0),
    (F::give, -4.0),
    (F::noise, 1.0),
]);

/// Maps the world, opens what is shut, fetches what it saw and carries it home.
pub(super) const EXPLORER: Weights = weights([
    (F::take_treasure, 12.0),
    (F::raid, 9.0),
    (F::bank, 12.0),
    (F::unbank, -12.0),
    (F::misplace, -12.0),
    (F::take_thing, 2.2),
    (F::drop_thing, -2.0),
    (F::go_new, 1.8),
    (F::go_home, 6.0),
    (F::go_loot, 2.5),
    (F::go_back, -0.2),
    (F::go, 0.1),
    (F::open, 3.0),
    (F::unlock, 4.0),
    (F::search, 1.9),
    (F::light, 2.0),
    (F::look_into, 0.3),
    (F::machine, 1.5),
    (F::shut, -2.0),
    (F::prepare, 0.5),
    (F::talk, 1.0),
    (F::give, -6.0),
    (F::offer_gain, 6.0),
    (F::accept_gain, 8.0),
    (F::decline, 0.2),
    (F::steal, 8.0),
    (F::idle, -1.0),
    (F::tries, -1.5),
    (F::noise, 0.3),
]);

/// The explorer, keen on offers that pay.
pub(super) const TRADER: Weights =
    with(EXPLORER, [(F::offer_gain, 12.0), (F::offer, 1.6), (F::accept_gain, 14.0), (F::talk, 1.4)]);

/// The explorer, who shuts doors behind itself and takes from others what it can.
pub(super) const BLOCKER: Weights =
    with(EXPLORER, [(F::shut, 1.7), (F::raid, 14.0), (F::steal, 16.0), (F::tries, -3.0)]);
