//! Three seats at once; seats die in the middle of an episode while the others play on.

use super::spec;
use rl_gym::{BitsMut, Dtype, Env, EpisodeSeed, Fault, Flags, Outcome, Pcg64, Space, Spec};

const SEATS: usize = 3;

/// Each seat bets 0..4 against luck; a loss costs lives, the last one alive wins.
pub struct Crowd {
    spec: Spec,
    rng: Pcg64,
    lives: [i32; SEATS],
    places: [u8; SEATS],
    clock: u32,
}

impl Crowd {
    /// A table that was never reset.
    pub fn new() -> Self {
        let obs = Space::boxed(Dtype::I32, &[SEATS + 1], -1e6, 1e6);
        Self {
            spec: spec("crowd", SEATS, obs, 4, false, Some(12)),
            rng: Pcg64::seed(0),
            lives: [0; SEATS],
            places: [0; SEATS],
            clock: 0,
        }
    }
}

impl Env for Crowd {
    type Obs = i32;
    type Act = u32;

    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn reset(&mut self, seed: EpisodeSeed, mut out: Outcome<'_>) -> Result<(), Fault> {
        seed.apply(&mut self.rng);
        self.lives = std::array::from_fn(|_| 1 + self.rng.below(8) as i32);
        self.places = [0; SEATS];
        self.clock = 0;
        out.everyone();
        Ok(())
    }

    fn step(&mut self, acts: &[u32], out: Outcome<'_>) -> Result<(), Fault> {
        self.clock += 1;
        let was = self.lives.map(|l| l > 0);
        if let Some(bad) = (0..SEATS).find(|&s| was[s] && acts[s] >= 4) {
            for (flags, was) in out.flags.iter_mut().zip(was) {
                *flags = if was { Flags::ALIVE | Flags::TO_ACT } else { Flags::empty() };
            }
            out.flags[bad] |= Flags::ILLEGAL;
            return Ok(());
        }
        for seat in 0..SEATS {
            if was[seat] && self.rng.below(4) <= acts[seat] {
                self.lives[seat] -= acts[seat] as i32 + 1;
                out.reward[seat] = -0.25;
            }
        }
        let left = self.lives.iter().filter(|l| **l > 0).count();
        for (seat, was) in was.into_iter().enumerate() {
            let alive = self.lives[seat] > 0;
            if was && !alive {
                self.places[seat] = left as u8;
            }
            out.flags[seat] = match (was, alive && left > 1) {
                (true, true) => Flags::ALIVE | Flags::TO_ACT,
                (true, false) => Flags::TERMINATED,
                (false, _) => Flags::empty(),
            };
        }
        out.metrics[0] = self.clock as f32;
        Ok(())
    }

    fn observe(&self, seat: usize, obs: &mut [i32], _mask: BitsMut<'_>) {
        for (i, cell) in obs[..SEATS].iter_mut().enumerate() {
            *cell = self.lives[(seat + i) % SEATS];
        }
        obs[SEATS] = self.clock as i32;
    }

    fn ranks(&self, ranks: &mut [u8]) -> bool {
        ranks.copy_from_slice(&self.places);
        true
    }
}
