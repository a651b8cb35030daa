//! One seat, cheap, episodes of random length.

use super::spec;
use rl_gym::{BitsMut, Dtype, Env, EpisodeSeed, Fault, Outcome, Pcg64, Space, Spec};

/// CartPole with Gymnasium's constants and Euler integration.
pub struct CartPole {
    spec: Spec,
    rng: Pcg64,
    state: [f64; 4],
}

impl CartPole {
    /// A cart that was never reset.
    pub fn new() -> Self {
        let obs = Space::boxed(Dtype::F32, &[4], f64::NEG_INFINITY, f64::INFINITY);
        // The limit cuts good episodes, so that both kinds of end occur.
        Self { spec: spec("cart", 1, obs, 2, false, Some(30)), rng: Pcg64::seed(0), state: [0.0; 4] }
    }
}

impl Env for CartPole {
    type Obs = f32;
    type Act = u32;

    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn reset(&mut self, seed: EpisodeSeed, mut out: Outcome<'_>) -> Result<(), Fault> {
        seed.apply(&mut self.rng);
        self.state = std::array::from_fn(|_| self.rng.uniform(-0.05, 0.05));
        out.everyone();
        Ok(())
    }

    fn step(&mut self, acts: &[u32], mut out: Outcome<'_>) -> Result<(), Fault> {
        if acts[0] > 1 {
            out.everyone();
            out.refuse(0);
            return Ok(());
        }
        let [x, v, angle, spin] = self.state;
        let force = if acts[0] == 1 { 10.0 } else { -10.0 };
        let (sin, cos) = angle.sin_cos();
        let temp = (force + 0.05 * spin * spin * sin) / 1.1;
        let spin_up = (9.8 * sin - cos * temp) / (0.5 * (4.0 / 3.0 - 0.1 * cos * cos / 1.1));
        let push = temp - 0.05 * spin_up * cos / 1.1;
        let dt_s = 0.02;
        self.state = [x + dt_s * v, v + dt_s * push, angle + dt_s * spin, spin + dt_s * spin_up];
        out.reward[0] = 1.0;
        out.metrics[0] += 1.0;
        if self.state[0].abs() > 2.4 || self.state[2].abs() > 0.209_439_51 {
            out.terminate();
        } else {
            out.everyone();
        }
        Ok(())
    }

    fn observe(&self, _seat: usize, obs: &mut [f32], _mask: BitsMut<'_>) {
        for (cell, x) in obs.iter_mut().zip(self.state) {
            *cell = x as f32;
        }
    }

    fn state_hash(&self) -> Option<u64> {
        Some(self.state.iter().fold(self.rng.state().0 as u64, |h, x| h.rotate_left(7) ^ x.to_bits()))
    }
}
