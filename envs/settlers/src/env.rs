//! The game behind the step API of `rl-gym`.

mod chance;
mod resample;

use crate::action::{ACTIONS, ActionId};
use crate::belief::{Belief, Filter};
use crate::counts::Counts;
use crate::observe;
use crate::options::Config;
use crate::state::{GameOutcome, State};
use crate::topology::MAX_SEATS;
use rl_gym::{
    BitsMut, Chance, DynSnapshot, Dynamics, Env, EpisodeSeed, Fault, Flags, GymError, Heuristic, Information,
    Luck, Outcome, Pcg64, Placing, Resample, Snapshot, Space, Spec, TextEnv, Utility,
};

/// Registry name.
pub(crate) const NAME: &str = "settlers";
/// Rules version: a change of behaviour raises it.
pub(crate) const VERSION: u32 = 1;

/// One table of settlers.
///
/// Observations are rows of bytes ([`observe::PARTS`]), actions indices of the one table
/// ([`crate::Action`]). The winner gets 1 and each other seat `-1 / (seats - 1)`; a game cut by the turn cap
/// gives 0 to all and ranks all first. With the option `auto_advance`, decisions with a single legal action
/// are taken inside the step.
pub struct SettlersEnv {
    state: State,
    /// What seats can have counted so far.
    belief: Belief,
    /// Scratch of the counting.
    filter: Filter,
    /// Whether chance is left to the caller.
    explicit: bool,
    /// Outcomes of the last call, as `chance` codes them.
    drawn: Vec<u32>,
    spec: Box<Spec>,
}

impl SettlersEnv {
    /// An environment of these options; reset it before the first step.
    ///
    /// # Errors
    /// An option outside its range.
    pub fn new(config: &Config) -> Result<Self, GymError> {
        let state = State::with_rng(config, Pcg64::seed(0)).map_err(|e| Fault::new(e.to_string()))?;
        let spec = Box::new(spec(config));
        let drawn = Vec::with_capacity(16);
        Ok(Self { state, belief: Belief::new(), filter: Filter::default(), explicit: false, drawn, spec })
    }

    /// The game as it stands: everything, hidden parts included.
    pub const fn state(&self) -> &State {
        &self.state
    }

    /// Every deal of hands that agrees with all that `viewer` has seen since the start of the game, with its
    /// probability: hands by seat (the viewer's own as it is), in no particular order, probabilities summing to 1.
    ///
    /// A single deal when every hand is known to it. `None` when that cannot be told: after
    /// [`SettlersEnv::set_state`], after a redraw for another seat, and once more than 4096 deals have agreed (random play
    /// has stayed below 32, `greedy` below 128).
    /// [`Resample`] draws from this list; see there for what is counted.
    pub fn possible_hands(&mut self, viewer: usize) -> Option<Vec<([Counts; MAX_SEATS], f64)>> {
        let worlds = self.belief.worlds(&self.state, viewer, &mut self.filter)?;
        Some(worlds.iter().map(|world| (world.counts(), world.chance)).collect())
    }

    /// Puts a hand-made position in place of the current one; it must have the same number of seats. It has no
    /// past, so from there on seats count nothing and know what lies on the table alone.
    ///
    /// # Panics
    /// With another number of seats.
    pub fn set_state(&mut self, state: &State) {
        assert_eq!(state.num_seats(), self.spec.seats, "the spec fixes the number of seats");
        self.state = *state;
        self.belief.forget(state);
        self.drawn.clear();
    }

    /// Takes a legal decision, and notes what it shows.
    #[inline]
    fn decide(&mut self, action: ActionId) -> Result<(), Fault> {
        let (phase, actor) = (self.state.phase, self.state.actor);
        self.state.decide(action).map_err(|e| Fault::new(e.to_string()))?;
        self.belief.decided(&self.state, phase, actor, action);
        Ok(())
    }

    /// Lets chance and, where asked for, forced decisions happen until somebody has to choose.
    #[inline]
    fn settle(&mut self) -> Result<(), Fault> {
        loop {
            if self.state.pending().is_some() {
                if self.explicit {
                    return Ok(());
                }
                self.draw()?;
            } else if self.state.config().auto_advance
                && let Some(forced) = self.state.legal().only()
            {
                self.decide(forced)?;
            } else {
                return Ok(());
            }
        }
    }

    /// Says who acts or how it ended.
    #[inline]
    fn signal(&self, out: &mut Outcome<'_>) {
        out.metrics[0] = self.state.turns() as f32;
        match (self.state.outcome(), self.state.actor()) {
            (Some(GameOutcome::Winner(_)), _) => out.terminate(),
            (Some(GameOutcome::Truncated), _) => out.truncate(),
            (None, Some(seat)) => out.turn(seat.into()),
            (None, None) => out.flags.fill(Flags::ALIVE),
        }
    }

    /// Signals, and pays the winner when the game has just ended.
    #[inline]
    fn conclude(&self, out: &mut Outcome<'_>) {
        self.signal(out);
        if let Some(GameOutcome::Winner(winner)) = self.state.outcome() {
            out.reward.fill(-1.0 / (self.spec.seats - 1) as f32);
            out.reward[usize::from(winner)] = 1.0;
        }
    }
}

fn spec(config: &Config) -> Spec {
    Spec {
        game: NAME.into(),
        version: VERSION,
        seats: config.seats.into(),
        obs: observe::space(),
        action: Space::Discrete { n: ACTIONS as u32 },
        masked: true,
        dynamics: Dynamics::TurnBased,
        information: Information::Imperfect,
        luck: Luck::Explicit,
        utility: Utility::ZeroSum,
        placing: Placing::WinnerOnly,
        reward: (-1.0, 1.0),
        metrics: vec!["turns".into()],
        max_steps: most_steps(config),
    }
}

/// Decisions that no game reaches; `None` without a turn cap.
///
/// A turn has at most 97 bank trades, builds and purchases (each takes a card out of play, of at most 95 and two
/// of year of plenty), 47 discards (half of 95) and a dozen other decisions. An offer has at most 4 + 4 cards, is
/// sent, and confirmed or not; each responder starts one counter draft of 8 cards, ends it, and answers. All
/// seats count as responders (switch 12).
fn most_steps(config: &Config) -> Option<u32> {
    const TURN: u32 = 160;
    let seats = u32::from(config.seats);
    let offers = if config.player_trade { u32::from(config.max_offers) } else { 0 };
    let a_turn = TURN + offers * (10 + 11 * seats);
    (config.turn_cap > 0).then(|| config.turn_cap.saturating_mul(a_turn).saturating_add(4 * seats))
}

impl Env for SettlersEnv {
    type Obs = u8;
    type Act = u32;

    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn reset(&mut self, seed: EpisodeSeed, mut out: Outcome<'_>) -> Result<(), Fault> {
        let mut rng = *self.state.rng();
        seed.apply(&mut rng);
        let config = *self.state.config();
        self.state = State::with_rng(&config, rng).map_err(|e| Fault::new(e.to_string()))?;
        self.belief.begin();
        self.drawn.clear();
        self.settle()?;
        self.signal(&mut out);
        Ok(())
    }

    fn step(&mut self, acts: &[u32], mut out: Outcome<'_>) -> Result<(), Fault> {
        self.drawn.clear();
        let Some(seat) = self.state.actor() else {
            self.signal(&mut out);
            return Ok(());
        };
        let action = u16::try_from(acts[usize::from(seat)]).map_or(ActionId(u16::MAX), ActionId);
        if !self.state.legal().contains(action) {
            self.signal(&mut out);
            out.refuse(seat.into());
            return Ok(());
        }
        self.decide(action)?;
        self.settle()?;
        self.conclude(&mut out);
        Ok(())
    }

    fn observe(&self, seat: usize, obs: &mut [u8], mut mask: BitsMut<'_>) {
        observe::write(&self.state, seat as u8, obs);
        if self.state.actor() == Some(seat as u8) {
            mask.copy_from(self.state.legal().words());
        } else {
            mask.fill(true);
        }
    }

    fn ranks(&self, ranks: &mut [u8]) -> bool {
        match self.state.outcome() {
            None => return false,
            Some(GameOutcome::Truncated) => ranks.fill(0),
            Some(GameOutcome::Winner(winner)) => {
                ranks.fill(1);
                ranks[usize::from(winner)] = 0;
            }
        }
        true
    }

    fn points(&self, points: &mut [f32]) -> bool {
        for (seat, points) in points.iter_mut().enumerate() {
            *points = f32::from(self.state.true_points(seat as u8));
        }
        true
    }

    fn state_hash(&self) -> Option<u64> {
        Some(self.state.hash())
    }

    fn as_snapshot(&mut self) -> Option<&mut dyn DynSnapshot> {
        Some(self)
    }

    fn as_chance(&mut self) -> Option<&mut dyn Chance> {
        Some(self)
    }

    fn as_resample(&mut self) -> Option<&mut dyn Resample> {
        Some(self)
    }

    fn as_text(&self) -> Option<&dyn TextEnv> {
        Some(self)
    }

    fn as_heuristic(&self) -> Option<&dyn Heuristic> {
        Some(self)
    }
}

/// A table as it is saved: the game and what seats can have counted in it.
#[derive(PartialEq, Debug)]
pub struct Saved {
    state: State,
    belief: Belief,
}

impl Saved {
    /// The game: everything, hidden parts included.
    pub const fn state(&self) -> &State {
        &self.state
    }
}

impl Clone for Saved {
    fn clone(&self) -> Self {
        Self { state: self.state, belief: self.belief.clone() }
    }

    fn clone_from(&mut self, other: &Self) {
        self.state = other.state;
        self.belief.clone_from(&other.belief);
    }
}

impl Snapshot for SettlersEnv {
    type State = Saved;

    fn save(&self) -> Saved {
        Saved { state: self.state, belief: self.belief.clone() }
    }

    fn save_into(&self, saved: &mut Saved) {
        saved.state = self.state;
        saved.belief.clone_from(&self.belief);
    }

    fn load(&mut self, saved: &Saved) {
        assert_eq!(saved.state.num_seats(), self.spec.seats, "the spec fixes the number of seats");
        self.state = saved.state;
        self.belief.clone_from(&saved.belief);
        self.drawn.clear();
    }
}
