//! One environment with the rows that it writes.

use agon_text_adventure::{Action, TextAdventure, observe::OBS_LEN};
use rl_gym::{BitsMut, Env, EpisodeSeed, Flags, Outcome, Pcg64, words_for};

pub(crate) struct Stage {
    pub(crate) env: TextAdventure,
    pub(crate) reward: Vec<f32>,
    pub(crate) flags: Vec<Flags>,
    pub(crate) metrics: Vec<f32>,
}

impl Stage {
    pub(crate) fn new(env: TextAdventure, seed: u64) -> Self {
        let spec = env.spec();
        let (seats, metrics) = (spec.seats, spec.metrics.len());
        let mut stage = Self {
            env,
            reward: vec![0.0; seats],
            flags: vec![Flags::empty(); seats],
            metrics: vec![0.0; metrics],
        };
        stage.reset(seed);
        stage
    }

    pub(crate) fn reset(&mut self, seed: u64) {
        self.clear();
        let out = Outcome { reward: &mut self.reward, flags: &mut self.flags, metrics: &mut self.metrics };
        self.env.reset(EpisodeSeed::plain(seed), out).expect("a game");
    }

    fn clear(&mut self) {
        self.reward.fill(0.0);
        self.flags.fill(Flags::empty());
    }

    /// Sends `row` as the row of every seat.
    pub(crate) fn send(&mut self, row: &[u32]) {
        self.clear();
        let acts: Vec<u32> = row.repeat(self.reward.len());
        let out = Outcome { reward: &mut self.reward, flags: &mut self.flags, metrics: &mut self.metrics };
        self.env.step(&acts, out).expect("a step");
    }

    /// Sends a line of text.
    pub(crate) fn say(&mut self, line: &str) {
        let mut bytes = [0u8; 256];
        bytes[..line.len()].copy_from_slice(line.as_bytes());
        let row: Vec<u32> =
            bytes.chunks_exact(4).map(|c| u32::from_ne_bytes([c[0], c[1], c[2], c[3]])).collect();
        self.send(&row);
    }

    /// Carries out a listed action of the asked seat.
    pub(crate) fn act(&mut self, action: Action) {
        let index = self.env.actions().iter().position(|a| *a == action);
        let index = index.unwrap_or_else(|| panic!("{action:?} is not listed: {:?}", self.env.actions()));
        self.send(&[index as u32]);
    }

    pub(crate) fn is_over(&self) -> bool {
        self.env.state().asked().is_none()
    }

    /// A random listed action.
    pub(crate) fn random(&mut self, rng: &mut Pcg64) {
        let n = self.env.actions().len() as u32;
        self.send(&[rng.below(n)]);
    }

    pub(crate) fn row(&self, seat: usize) -> (Vec<u8>, Vec<u64>) {
        let bits = self.env.spec().mask_bits();
        let (mut obs, mut mask) = (vec![0x5a; OBS_LEN], vec![0; words_for(bits)]);
        self.env.observe(seat, &mut obs, BitsMut::new(&mut mask, bits));
        (obs, mask)
    }
}
