//! Environments for the tests and the benchmark of the host.

#![allow(dead_code, unreachable_pub, unused_imports, reason = "each binary uses some of these")]

mod cart_pole;
mod crowd;
mod line;
mod saboteur;

pub use cart_pole::CartPole;
pub use crowd::Crowd;
pub use line::Line;
pub use saboteur::{Crime, Saboteur};

use rl_gym::{
    Batch, BatchEnv, DynEnv, Dynamics, Env, EpisodeSeed, Factory, Information, LaneReset, Luck, Pcg64,
    Placing, Space, Spec, Utility,
};
use std::sync::{
    Arc, Once,
    atomic::{AtomicUsize, Ordering},
};

/// A factory of boxed environments.
pub fn factory<E: Env>(make: fn() -> E) -> Factory {
    Arc::new(move || Ok(Box::new(make()) as Box<dyn DynEnv>))
}

/// A spec with everything that the host does not look at filled in.
pub fn spec(game: &str, seats: usize, obs: Space, n: u32, masked: bool, max_steps: Option<u32>) -> Spec {
    Spec {
        game: game.into(),
        version: 1,
        seats,
        obs,
        action: Space::Discrete { n },
        masked,
        dynamics: Dynamics::Mixed,
        information: Information::Perfect,
        luck: Luck::Sampled,
        utility: Utility::GeneralSum,
        placing: if seats > 1 { Placing::Full } else { Placing::None },
        reward: (-1.0, 1.0),
        metrics: vec!["length".into()],
        max_steps,
    }
}

/// A factory whose environment of lane `i` is `make(i)`. A batch makes one environment more, for its spec,
/// before those of its lanes.
pub fn by_lane<E: Env>(make: fn(usize) -> E) -> Factory {
    let made = AtomicUsize::new(0);
    Arc::new(move || {
        let lane = made.fetch_add(1, Ordering::Relaxed).saturating_sub(1);
        Ok(Box::new(make(lane)) as Box<dyn DynEnv>)
    })
}

/// Keeps the panics of saboteurs out of the test output; all others are printed as ever.
pub fn mute_saboteurs() {
    static MUTED: Once = Once::new();
    MUTED.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if !info.location().is_some_and(|l| l.file().ends_with("saboteur.rs")) {
                usual(info);
            }
        }));
    });
}

/// Plays batches side by side with the same random actions, some of them illegal, and resets some lanes.
pub struct Driver {
    rng: Pcg64,
    resets: Vec<LaneReset>,
    choices: Vec<u32>,
    /// Seats that ended an episode so far.
    pub ends: usize,
    /// Faults so far.
    pub faults: Vec<String>,
}

impl Driver {
    /// A driver with its own luck.
    pub fn new(seed: u64) -> Self {
        Self { rng: Pcg64::seed(seed), resets: Vec::new(), choices: Vec::new(), ends: 0, faults: Vec::new() }
    }

    /// One call on every batch, the same for all: mostly a step, one time in nine a reset of some lanes.
    pub fn advance(&mut self, batches: &mut [Box<dyn BatchEnv>]) {
        if self.rng.below(9) == 0 {
            self.draw_resets(batches[0].shape().lanes as u32);
            batches.iter_mut().for_each(|b| _ = b.reset_lanes(&self.resets));
        } else {
            self.draw_actions(batches[0].view());
            for batch in batches.iter_mut() {
                let (_, mut actions) = batch.parts();
                self.choices.iter().enumerate().for_each(|(row, a)| actions.set(row, *a));
                batch.step();
            }
        }
        self.ends += batches[0].view().finals().count();
        self.faults.extend(batches[0].view().faults().map(ToString::to_string));
    }

    /// In any order, some lanes twice.
    fn draw_resets(&mut self, lanes: u32) {
        self.resets.clear();
        for _ in 0..1 + self.rng.below(4) {
            let seed = (self.rng.below(2) == 0).then(|| EpisodeSeed::plain(self.rng.next_u64()));
            self.resets.push(LaneReset { lane: self.rng.below(lanes), seed });
        }
    }

    fn draw_actions(&mut self, batch: Batch<'_>) {
        self.choices.clear();
        for row in 0..batch.shape().rows() {
            let mut act = [0; 4];
            batch.spec().action.sample(batch.mask(row), &mut self.rng, &mut act);
            let wild = self.rng.below(25) == 0;
            self.choices.push(if wild { self.rng.below(20) } else { u32::from_ne_bytes(act) });
        }
    }
}
