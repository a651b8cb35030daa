//! A simulator with the rows it needs: one environment on which a search plays ahead.

use rl_gym::{AnyState, Arena, DynEnv, Dynamics, Fault, Flags, Luck, Pcg64, Rows, Shape, Space, Spec};

/// Most seats that a search keeps values for.
pub(crate) const MAX_SEATS: usize = 8;

/// What a state is worth to each seat; seats past the game's own hold 0.
pub(crate) type Values = [f32; MAX_SEATS];

/// Who moves next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Status {
    /// This seat.
    Turn(usize),
    /// Nature.
    Chance,
    /// Nobody: the game is over.
    Over,
}

/// Row memory, kept warm between decisions.
pub(crate) struct Desk {
    rows: Arena,
    outcomes: Vec<(u32, f64)>,
    weights: Vec<f64>,
    seats: usize,
    actions: u32,
}

impl Desk {
    /// Memory for games of `spec`.
    ///
    /// # Errors
    /// A game whose moves are not one discrete choice of one seat at a time, or with too many seats.
    pub(crate) fn new(spec: &Spec) -> Result<Self, Fault> {
        let refuse = |why: &str| Err(Fault::new(format!("search cannot play {}: {why}", spec.id())));
        if spec.dynamics != Dynamics::TurnBased {
            return refuse("its seats do not move one at a time");
        }
        let Space::Discrete { n } = spec.action else {
            return refuse("its actions are not one discrete choice");
        };
        if spec.seats > MAX_SEATS {
            return refuse(&format!("it has {} seats, and search keeps values for {MAX_SEATS}", spec.seats));
        }
        Ok(Self {
            rows: Arena::new(Shape::new(spec, 1)),
            outcomes: Vec::new(),
            weights: Vec::new(),
            seats: spec.seats,
            actions: n,
        })
    }
}

/// A simulator at a state of one's own, and the count of what was done with it.
pub struct Table<'a> {
    env: &'a mut dyn DynEnv,
    desk: &'a mut Desk,
    /// Work so far: one a step, an outcome or a judgement.
    pub(crate) work: u32,
}

impl<'a> Table<'a> {
    /// A table over `env`.
    ///
    /// # Errors
    /// An environment without the abilities that search stands on.
    pub(crate) fn new(env: &'a mut dyn DynEnv, desk: &'a mut Desk) -> Result<Self, Fault> {
        let lacks = |env: &dyn DynEnv, what: &str| {
            Fault::new(format!(
                "search cannot play {}: the game offers no {what}; implement it, or seat another player",
                env.spec().id()
            ))
        };
        if env.as_heuristic().is_none() {
            return Err(lacks(env, "Heuristic"));
        }
        if env.as_snapshot().is_none() {
            return Err(lacks(env, "Snapshot"));
        }
        // Luck that the simulator draws by itself would come from the generator in the state: foreknowledge.
        let has_luck = env.spec().luck != Luck::Deterministic;
        match env.as_chance() {
            Some(chance) => chance.set_explicit(true),
            None if has_luck => return Err(lacks(env, "Chance")),
            None => {}
        }
        Ok(Self { env, desk, work: 0 })
    }

    /// Whether something is hidden, so that more than one deal is worth a look.
    pub(crate) fn has_deals(&mut self) -> bool {
        self.env.as_resample().is_some()
    }

    /// Saves the state into `state`, reusing its memory.
    pub(crate) fn save(&mut self, state: &mut AnyState) {
        if let Some(env) = self.env.as_snapshot() {
            env.save_any_into(state);
        }
    }

    /// Goes back to a state of this search.
    pub(crate) fn load(&mut self, state: &AnyState) -> Result<(), Fault> {
        self.env.as_snapshot().map_or(Ok(()), |env| env.load_any(state))
    }

    /// Redraws what `seat` cannot know.
    pub(crate) fn redraw(&mut self, seat: usize, rng: &mut Pcg64) {
        if let Some(env) = self.env.as_resample() {
            env.resample(seat, rng);
        }
    }

    /// Appends the legal actions of `seat`, which is to act.
    pub(crate) fn legal(&mut self, seat: usize, actions: &mut Vec<u32>) {
        let (_, mut frame) = self.desk.rows.lane(0);
        if frame.mask_bits == 0 {
            return actions.extend(0..self.desk.actions);
        }
        frame.out.flags.fill(Flags::ALIVE);
        frame.out.flags[seat] |= Flags::TO_ACT;
        frame.observe(&*self.env, Rows::Acting);
        actions.extend(self.desk.rows.mask_row(seat).ones().map(|a| a as u32));
    }

    /// Whether nature moves in this game, so that more than one line of luck is worth a look.
    pub(crate) fn has_luck(&mut self) -> bool {
        self.env.as_chance().is_some()
    }

    /// Takes an action of `seat`.
    pub(crate) fn step(&mut self, seat: usize, action: u32) -> Result<Status, Fault> {
        let refused = || Fault::new(format!("action {action} of seat {seat} was refused in the simulator"));
        self.attempt(seat, action)?.ok_or_else(refused)
    }

    /// Takes an action of `seat` where it is legal; otherwise nothing happens.
    pub(crate) fn attempt(&mut self, seat: usize, action: u32) -> Result<Option<Status>, Fault> {
        self.work += 1;
        self.desk.rows.acts_mut()[4 * seat..4 * seat + 4].copy_from_slice(&action.to_ne_bytes());
        let (acts, mut frame) = self.desk.rows.lane(0);
        frame.out.reward.fill(0.0);
        frame.out.flags.fill(Flags::empty());
        self.env.step(acts, frame.out.reborrow())?;
        if frame.out.flags[seat].contains(Flags::ILLEGAL) {
            return Ok(None);
        }
        Ok(Some(self.status()))
    }

    /// Lets chance come out as given.
    pub(crate) fn happen(&mut self, outcome: u32) -> Result<Status, Fault> {
        self.work += 1;
        let (_, mut frame) = self.desk.rows.lane(0);
        frame.out.reward.fill(0.0);
        frame.out.flags.fill(Flags::empty());
        if let Some(env) = self.env.as_chance() {
            env.apply_outcome(outcome, frame.out.reborrow())?;
        }
        Ok(self.status())
    }

    fn status(&self) -> Status {
        let flags = self.desk.rows.lane_flags(0);
        match flags.iter().position(|f| f.contains(Flags::TO_ACT)) {
            Some(seat) => Status::Turn(seat),
            None if flags.iter().any(|f| f.contains(Flags::ALIVE)) => Status::Chance,
            None => Status::Over,
        }
    }

    /// Replaces `outcomes` by nature's pending moves.
    pub(crate) fn outcomes(&mut self, outcomes: &mut Vec<(u32, f64)>) -> Result<(), Fault> {
        let found = self.env.as_chance().is_some_and(|env| env.outcomes(outcomes));
        if found && !outcomes.is_empty() {
            return Ok(());
        }
        Err(Fault::new(format!(
            "{} waits for nature but offers no outcomes: search needs its Chance ability",
            self.env.spec().id()
        )))
    }

    /// Draws an outcome by its probability.
    pub(crate) fn draw(&mut self, rng: &mut Pcg64) -> Result<u32, Fault> {
        let mut outcomes = std::mem::take(&mut self.desk.outcomes);
        let found = self.outcomes(&mut outcomes);
        let drawn = found.map(|()| {
            self.desk.weights.clear();
            self.desk.weights.extend(outcomes.iter().map(|o| o.1));
            outcomes[rng.weighted(&self.desk.weights)].0
        });
        self.desk.outcomes = outcomes;
        drawn
    }

    /// What the state is worth to each seat.
    pub(crate) fn values(&mut self) -> Values {
        self.work += 1;
        let mut values = [0.0; MAX_SEATS];
        if let Some(env) = self.env.as_heuristic() {
            env.values(&mut values[..self.desk.seats]);
        }
        values
    }

    /// Stages begun.
    pub(crate) fn stage(&self) -> u32 {
        self.env.as_heuristic().map_or(0, |env| env.stage())
    }

    /// A sensible action of `seat`.
    pub(crate) fn suggest(&self, seat: usize, rng: &mut Pcg64) -> Option<u32> {
        self.env.as_heuristic().and_then(|env| env.suggest(seat, rng))
    }
}
