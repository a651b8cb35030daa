//! A table whose moves the tests see, and games on it.

use agon_settlers::{Action, ActionId, Config, Counts, SettlersEnv, State};
use rl_gym::{Arena, Chance, Env, EpisodeSeed, Flags, Pcg64, Shape};

/// One environment with the rows it needs.
pub(crate) struct Table {
    pub(crate) env: SettlersEnv,
    rows: Arena,
}

impl Table {
    /// A new game; with `explicit`, nature's moves are left to the test.
    pub(crate) fn new(config: &Config, seed: u64, explicit: bool) -> Self {
        let mut env = SettlersEnv::new(config).expect("valid");
        let mut rows = Arena::new(Shape::new(Env::spec(&env), 1));
        env.set_explicit(explicit);
        Env::reset(&mut env, EpisodeSeed::plain(seed), rows.lane(0).1.out).expect("a reset");
        Self { env, rows }
    }

    pub(crate) fn state(&self) -> &State {
        self.env.state()
    }

    /// The actor takes `action`.
    pub(crate) fn step(&mut self, action: ActionId) {
        let (seats, mut acts) = (self.state().num_seats(), [0; 4]);
        acts[usize::from(self.state().actor().expect("somebody acts"))] = u32::from(action.0);
        let mut frame = self.rows.lane(0).1;
        frame.out.flags.fill(Flags::empty());
        Env::step(&mut self.env, &acts[..seats], frame.out.reborrow()).expect("a step");
        assert!(!frame.out.flags.iter().any(|f| f.contains(Flags::ILLEGAL)), "{action:?} is illegal");
    }

    /// Nature moves; returns the code of the outcome.
    pub(crate) fn happen(&mut self, rng: &mut Pcg64) -> u32 {
        let mut outcomes = Vec::new();
        assert!(self.env.outcomes(&mut outcomes), "nature is to move");
        let chances: Vec<f64> = outcomes.iter().map(|o| o.1).collect();
        let outcome = outcomes[rng.weighted(&chances)].0;
        self.force(outcome);
        outcome
    }

    /// Nature's move comes out as `outcome`.
    pub(crate) fn force(&mut self, outcome: u32) {
        let frame = self.rows.lane(0).1;
        self.env.apply_outcome(outcome, frame.out).expect("a possible outcome");
    }

    /// Hands by seat.
    pub(crate) fn hands(&self) -> [Counts; 4] {
        std::array::from_fn(|s| self.state().seat(s as u8).hand)
    }
}

/// A legal action: half of the time one that builds, buys, plays a card or trades with a seat, where there is one;
/// drafts are sent and not dropped.
pub(crate) fn lively(state: &State, rng: &mut Pcg64) -> ActionId {
    let legal: Vec<ActionId> = (0..state.legal().count()).filter_map(|k| state.legal().nth(k)).collect();
    let of = |want: fn(&Action) -> bool| -> Vec<ActionId> {
        legal.iter().copied().filter(|a| want(&a.action().expect("of the table"))).collect()
    };
    let moves = of(|a| {
        matches!(
            a,
            Action::Settlement(_)
                | Action::City(_)
                | Action::BuyDev
                | Action::Knight
                | Action::Monopoly(_)
                | Action::YearOfPlenty(..)
                | Action::Accept
                | Action::Confirm(_)
                | Action::OfferSend
                | Action::Robber { victim: 1..=3, .. }
        )
    });
    let kept = of(|a| !matches!(a, Action::OfferDrop));
    let from = if !moves.is_empty() && rng.below(2) == 0 { moves } else { kept };
    from[rng.below(from.len() as u32) as usize]
}
