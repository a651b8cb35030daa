//! One table of settlers for the examples, with a simulator for players that search.

use agon_search::{Breadth, Expectimax, Mcts, Plans, Rounds, Scope, Searcher};
use cpu_time::ThreadTime;
use rl_gym::{
    AnyState, Autoreset, BatchConfig, BatchEnv, Decisions, DynEnv, EpisodeSeed, Flags, Game, LaneReset,
    Options, Pcg64, Policy, SeedSequence, Spec, VecEnv,
};

/// A table that plays one game after another.
pub(crate) struct Arena {
    batch: VecEnv,
    scratch: Box<dyn DynEnv>,
    state: AnyState,
    rngs: Vec<Pcg64>,
}

/// What one seat's decisions of a game cost.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Cost {
    pub(crate) decisions: u64,
    pub(crate) seconds: f64,
    pub(crate) most: f64,
}

impl Arena {
    pub(crate) fn new(game: &Game, options: Options) -> Self {
        let config = BatchConfig { lanes: 1, autoreset: Autoreset::Disabled, ..BatchConfig::default() };
        let scratch = (game.make)(&options).expect("an environment");
        let batch = VecEnv::new(&game.factory(options), config).expect("a batch");
        let seats = batch.spec().seats;
        Self { batch, scratch, state: Box::new(()), rngs: vec![Pcg64::default(); seats] }
    }

    /// Plays one game; `policies` holds a player a seat. Returns the places and what each seat's real decisions
    /// (more than one legal action) cost. `look` is called with the environment before every step.
    pub(crate) fn play(
        &mut self,
        policies: &mut [&mut dyn Policy],
        seed: u64,
        mut look: impl FnMut(&mut dyn DynEnv),
    ) -> (Vec<u8>, Vec<Cost>) {
        let root = SeedSequence::new(seed);
        let episode = EpisodeSeed::Fresh(root.child(0));
        self.batch.reset_lanes(&[LaneReset { lane: 0, seed: Some(episode) }]);
        let seats = policies.len();
        for (seat, policy) in policies.iter_mut().enumerate() {
            self.rngs[seat] = root.child(1 + seat as u32).rng();
            policy.begin(seat, seat);
        }
        let (mut costs, mut given_up) = (vec![Cost::default(); seats], Vec::new());
        loop {
            look(self.batch.env(0));
            for (seat, (policy, spent)) in policies.iter_mut().zip(&mut costs).enumerate() {
                if self.batch.view().flags(seat).contains(Flags::TO_ACT) {
                    let cost = self.ask(&mut **policy, seat, &mut given_up);
                    if self.batch.view().mask(seat).count() > 1 {
                        spent.decisions += 1;
                        spent.seconds += cost;
                        spent.most = spent.most.max(cost);
                    }
                }
            }
            assert!(given_up.is_empty(), "{given_up:?}");
            let view = self.batch.step();
            assert_eq!(view.faults().count(), 0);
            let ranks: Vec<u8> = view.finals().map(|f| f.0.rank).collect();
            if !ranks.is_empty() {
                return (ranks, costs);
            }
        }
    }

    fn ask(&mut self, policy: &mut dyn Policy, seat: usize, given_up: &mut Vec<(u32, rl_gym::Fault)>) -> f64 {
        let row = [seat as u32];
        let start = ThreadTime::now();
        if policy.wants_simulator() {
            self.batch.env(0).as_snapshot().expect("snapshots").save_any_into(&mut self.state);
            self.scratch.as_snapshot().expect("snapshots").load_any(&self.state).expect("the same game");
            if let Some(env) = self.scratch.as_resample() {
                env.resample(seat, &mut self.rngs[seat]);
            }
        }
        let (view, actions) = self.batch.parts();
        let mut ask = Decisions::new(view, actions, &row, &mut self.rngs, given_up);
        if policy.wants_simulator() {
            ask = ask.with_simulator(&mut *self.scratch);
        }
        policy.act(&mut ask).expect("a decision");
        start.elapsed().as_secs_f64()
    }
}

/// A named player, `e:work,deals,depth,width,inner_width,ahead`, or
/// `p:work,deals,again,finalists,depth,width,inner_width,ahead`, or
/// `m:work,rounds,explore,trust,ahead`.
pub(crate) fn make(name: &str, spec: &Spec) -> Box<dyn Policy> {
    let numbers =
        |text: &str| text.split(',').map(|n| n.parse::<f32>().expect("a number")).collect::<Vec<_>>();
    if let Some(text) = name.strip_prefix("e:") {
        let n = numbers(text);
        return Box::new(Searcher::new(Expectimax::new(Breadth {
            work: n[0] as u32,
            deals: n[1] as u32,
            depth: n[2] as u32,
            width: n[3] as usize,
            inner_width: n[4] as usize,
            ahead: n[5] as u32,
        })));
    }
    if let Some(text) = name.strip_prefix("p:") {
        let n = numbers(text);
        return Box::new(Searcher::new(Plans::new(Scope {
            work: n[0] as u32,
            deals: n[1] as u32,
            again: n[2] as u32,
            finalists: n[3] as usize,
            depth: n[4] as usize,
            width: n[5] as usize,
            inner_width: n[6] as usize,
            ahead: n[7] as u32,
        })));
    }
    if let Some(text) = name.strip_prefix("m:") {
        let n = numbers(text);
        return Box::new(Searcher::new(Mcts::new(Rounds {
            work: n[0] as u32,
            rounds: n[1] as u32,
            explore: n[2],
            trust: n[3],
            ahead: n[4] as u32,
        })));
    }
    let bots: Vec<_> = agon_settlers::game().bots.into_iter().chain(agon_search::bots()).collect();
    (bots.iter().find(|b| b.name == name).expect("a player").make)(spec)
}
