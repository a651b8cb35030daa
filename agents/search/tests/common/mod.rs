//! One lane of a game, asked as a match runner asks it.
#![allow(dead_code, reason = "each test binary uses its own part of this")]

use rl_gym::{
    AnyState, Autoreset, BatchConfig, BatchEnv, Decisions, DynEnv, EpisodeSeed, Fault, Flags, Game,
    LaneReset, Pcg64, Policy, VecEnv,
};

/// One lane of a game and the simulator that its caller serves.
pub(crate) struct Lane {
    pub(crate) batch: VecEnv,
    scratch: Box<dyn DynEnv>,
    state: AnyState,
}

impl Lane {
    pub(crate) fn new(game: &Game) -> Self {
        let config = BatchConfig { lanes: 1, autoreset: Autoreset::Disabled, ..BatchConfig::default() };
        let options = game.defaults();
        let scratch = (game.make)(&options).expect("an environment");
        Self {
            batch: VecEnv::new(&game.factory(options), config).expect("a batch"),
            scratch,
            state: Box::new(()),
        }
    }

    pub(crate) fn reset(&mut self, seed: u64) {
        self.batch.reset_lanes(&[LaneReset { lane: 0, seed: Some(EpisodeSeed::plain(seed)) }]);
    }

    pub(crate) fn acting(&self) -> Option<usize> {
        let view = self.batch.view();
        (0..view.spec().seats).find(|&s| view.flags(s).contains(Flags::TO_ACT))
    }

    /// What `policy` would do for `seat`, as a match runner asks it.
    pub(crate) fn ask(&mut self, policy: &mut dyn Policy, seat: usize, rng: Pcg64) -> Result<u32, Fault> {
        let mut rngs = vec![rng; self.batch.shape().rows()];
        if policy.wants_simulator() && self.batch.env(0).as_snapshot().is_some() {
            self.batch.env(0).as_snapshot().expect("snapshots").save_any_into(&mut self.state);
            self.scratch.as_snapshot().expect("snapshots").load_any(&self.state).expect("the same game");
            if let Some(env) = self.scratch.as_resample() {
                env.resample(seat, &mut rngs[seat]);
            }
        }
        let mut given_up = Vec::new();
        let row = [seat as u32];
        let (view, actions) = self.batch.parts();
        let mut ask =
            Decisions::new(view, actions, &row, &mut rngs, &mut given_up).with_simulator(&mut *self.scratch);
        policy.act(&mut ask)?;
        match given_up.pop() {
            Some((_, why)) => Err(why),
            None => Ok(self.batch.parts().1.as_slice_mut::<u32>()[seat]),
        }
    }

    pub(crate) fn take(&mut self, seat: usize, action: u32) {
        self.batch.parts().1.set(seat, action);
        self.batch.step();
    }
}
