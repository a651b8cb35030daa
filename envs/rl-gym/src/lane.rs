//! One lane's step, in the stages that a host may schedule apart: plan, simulate, score, observe, reset.

use crate::{
    arena::{Arena, Final, LaneFault},
    batch::{Autoreset, BatchConfig, OnIllegal, Seeding},
    bits::{BitsMut, words_for},
    env::{DynEnv, Outcome},
    error::Fault,
    flags::Flags,
    seed::EpisodeSeed,
};

/// What a lane does in this step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Plan {
    /// Play the actions.
    Step,
    /// Ignore the actions and begin an episode.
    Reset,
    /// Stand still: the episode is over and the caller resets.
    Idle,
}

/// What one seat has got so far.
#[derive(Clone, Copy, Default, Debug)]
struct Seat {
    episode_return: f64,
    /// How its episode ended, also when the others played on.
    end: Flags,
    rank: u8,
}

/// Zeroes a row. Most games have one or two seats, for which two stores beat a call of `memset`.
#[inline]
fn clear<T: Copy + Default>(row: &mut [T]) {
    match row {
        [only] => *only = T::default(),
        [first, second] => (*first, *second) = (T::default(), T::default()),
        _ => row.fill(T::default()),
    }
}

/// The bookkeeping of one lane: plain data beside its environment.
#[derive(Clone, Debug)]
pub struct Lane {
    /// Number within the whole batch.
    index: u32,
    /// Number within its arena.
    local: usize,
    root: u64,
    episode: u32,
    seed: EpisodeSeed,
    steps: u32,
    max_steps: u32,
    over: bool,
    alive: u64,
    forfeit: bool,
    seats: Vec<Seat>,
    /// What a reset writes and nobody reads: its rewards, and within an ending step its metrics.
    scratch: Vec<f32>,
    /// Bytes of an observation row.
    obs_row: usize,
    /// Least reward of a step: what a forfeit costs.
    least_reward: f32,
    config: BatchConfig,
    fault: Option<Fault>,
}

impl Lane {
    /// The lane `index` of a batch, `local` in its arena, not yet reset.
    pub fn new(index: u32, local: usize, env: &dyn DynEnv, config: BatchConfig) -> Self {
        let spec = env.spec();
        Self {
            index,
            local,
            root: 0,
            episode: 0,
            seed: EpisodeSeed::tree(0, index, 0),
            steps: 0,
            max_steps: spec.max_steps.unwrap_or(u32::MAX),
            over: true,
            alive: 0,
            forfeit: false,
            seats: vec![Seat::default(); spec.seats],
            scratch: vec![0.0; spec.seats + spec.metrics.len()],
            obs_row: spec.obs.row_bytes(),
            least_reward: spec.reward.0,
            config,
            fault: None,
        }
    }

    /// Number within its arena.
    pub const fn local(&self) -> usize {
        self.local
    }

    /// Seed of the current episode.
    pub const fn seed(&self) -> EpisodeSeed {
        self.seed
    }

    /// Stage 1, `ApplyActions`: what this lane does.
    #[inline]
    pub const fn plan(&self) -> Plan {
        match (self.over, self.config.autoreset) {
            (false, _) => Plan::Step,
            (true, Autoreset::Disabled) => Plan::Idle,
            // In SameStep only a reset that failed leaves a lane over: try again.
            (true, Autoreset::SameStep | Autoreset::NextStep) => Plan::Reset,
        }
    }

    /// Stage 2, `Simulate`: the rules.
    #[inline]
    pub fn simulate(&mut self, plan: Plan, env: &mut dyn DynEnv, arena: &mut Arena) {
        let (acts, mut frame) = arena.lane(self.local);
        self.simulate_in(plan, env, acts, &mut frame.out);
    }

    #[inline(always)]
    fn simulate_in(&mut self, plan: Plan, env: &mut dyn DynEnv, acts: &[u8], out: &mut Outcome<'_>) {
        clear(out.reward);
        clear(out.flags);
        if plan == Plan::Step
            && let Err(fault) = env.step(acts, out.reborrow())
        {
            self.fault = Some(fault);
        }
    }

    /// Stage 3, `Score`: returns, limits, forfeits, faults; decides whether the episode is over.
    #[inline]
    pub fn score(&mut self, plan: Plan, env: &mut dyn DynEnv, arena: &mut Arena) {
        let (_, mut frame) = arena.lane(self.local);
        self.score_in(plan, env, &mut frame.out);
    }

    #[inline(always)]
    fn score_in(&mut self, plan: Plan, env: &mut dyn DynEnv, out: &mut Outcome<'_>) {
        if plan != Plan::Step {
            return;
        }
        self.steps += 1;
        if self.fault.is_some() {
            self.void(out);
        } else if self.config.on_illegal == OnIllegal::Forfeit
            && out.flags.iter().any(|f| f.contains(Flags::ILLEGAL))
        {
            self.forfeit(out);
        } else if self.steps >= self.max_steps {
            for flags in out.flags.iter_mut().filter(|f| f.contains(Flags::ALIVE)) {
                *flags = (*flags - Flags::ALIVE - Flags::TO_ACT) | Flags::TRUNCATED;
            }
        }
        let mut alive = 0;
        for (i, (seat, (flags, reward))) in
            self.seats.iter_mut().zip(out.flags.iter().zip(&*out.reward)).enumerate()
        {
            seat.episode_return += f64::from(*reward);
            if flags.intersects(Flags::ENDED) {
                seat.end = *flags;
            }
            alive |= u64::from(flags.contains(Flags::ALIVE)) << i;
        }
        self.alive = alive;
        self.over = alive == 0;
        if self.over && self.fault.is_none() && !self.forfeit {
            self.place(env);
        }
    }

    /// How a living seat's flags read when its episode ends now.
    fn ended(&self, seat: usize, how: Flags) -> Flags {
        if self.alive >> seat & 1 == 1 { how } else { Flags::empty() }
    }

    #[cold]
    fn void(&mut self, out: &mut Outcome<'_>) {
        for (seat, flags) in out.flags.iter_mut().enumerate() {
            *flags = self.ended(seat, Flags::TRUNCATED);
        }
        out.reward.fill(0.0);
    }

    #[cold]
    fn forfeit(&mut self, out: &mut Outcome<'_>) {
        self.forfeit = true;
        for (seat, flags) in out.flags.iter_mut().enumerate() {
            let offender = flags.contains(Flags::ILLEGAL);
            out.reward[seat] = if offender { self.least_reward } else { 0.0 };
            self.seats[seat].rank = u8::from(offender);
            *flags = self.ended(seat, Flags::TERMINATED) | (*flags & Flags::ILLEGAL);
        }
    }

    fn place(&mut self, env: &dyn DynEnv) {
        let mut ranks = [u8::MAX; 64];
        let ranks = &mut ranks[..self.seats.len()];
        if !env.ranks(ranks) {
            ranks.fill(u8::MAX);
        }
        self.seats.iter_mut().zip(&*ranks).for_each(|(seat, rank)| seat.rank = *rank);
    }

    /// Stage 4, `Observe`: writes the wanted rows and records ended episodes.
    #[inline]
    pub fn observe(&mut self, plan: Plan, env: &dyn DynEnv, arena: &mut Arena) {
        if self.fault.is_some() {
            self.report(arena);
            return;
        }
        if plan == Plan::Reset {
            return;
        }
        let (_, mut frame) = arena.lane(self.local);
        frame.observe_rows(env, self.config.rows, self.obs_row);
        if self.over && plan == Plan::Step {
            self.finish(arena);
        }
    }

    fn finish(&mut self, arena: &mut Arena) {
        for (number, seat) in self.seats.iter().enumerate() {
            let entry = Final {
                lane: self.index,
                seat: number as u32,
                episode: self.episode,
                steps: self.steps,
                episode_return: seat.episode_return,
                rank: seat.rank,
                flags: seat.end,
            };
            arena.push_final(self.local, entry);
        }
    }

    fn report(&mut self, arena: &mut Arena) {
        let Some(fault) = self.fault.take() else { return };
        let entry =
            LaneFault { lane: self.index, episode: self.episode, seed: self.seed, step: self.steps, fault };
        arena.faults.push(entry);
        let (_, frame) = arena.lane(self.local);
        frame.obs.fill(0);
        let bits = frame.mask_bits;
        for row in frame.mask.chunks_exact_mut(words_for(bits).max(1)) {
            BitsMut::new(row, bits).fill(true);
        }
    }

    /// Stage 5, `Reset`: begins the next episode where the plan or the autoreset mode says so.
    #[inline]
    pub fn reset_if_due(&mut self, plan: Plan, env: &mut dyn DynEnv, arena: &mut Arena) {
        let same_step = self.over && plan == Plan::Step && self.config.autoreset == Autoreset::SameStep;
        if same_step || plan == Plan::Reset {
            self.begin_next(env, arena);
        }
    }

    /// All stages in a row.
    #[inline]
    pub fn advance(&mut self, env: &mut dyn DynEnv, arena: &mut Arena) {
        // Most games have one or two seats: loops and row numbers of a known length vanish.
        match arena.shape().seats {
            1 => self.advance_with(1, env, arena),
            2 => self.advance_with(2, env, arena),
            seats => self.advance_with(seats, env, arena),
        }
    }

    #[inline(always)]
    fn advance_with(&mut self, seats: usize, env: &mut dyn DynEnv, arena: &mut Arena) {
        let plan = self.plan();
        let (acts, mut frame) = arena.rows_of(self.local, seats);
        self.simulate_in(plan, env, acts, &mut frame.out);
        self.score_in(plan, env, &mut frame.out);
        // The usual step needs the rows looked up once only. A fault ends the episode, so `over` covers it.
        if plan == Plan::Step && !self.over {
            frame.observe_rows(env, self.config.rows, self.obs_row);
            return;
        }
        self.turn_over(plan, env, arena);
    }

    /// The rarer half of a step: the episode is over, or it begins.
    #[inline(never)]
    fn turn_over(&mut self, plan: Plan, env: &mut dyn DynEnv, arena: &mut Arena) {
        self.observe(plan, env, arena);
        self.reset_if_due(plan, env, arena);
    }

    /// Starts the lane's sequence of episodes anew under `root`.
    pub fn restart(&mut self, root: u64, env: &mut dyn DynEnv, arena: &mut Arena) {
        self.root = root;
        self.episode = 0;
        let seed = match self.config.seeding {
            Seeding::Tree => EpisodeSeed::tree(root, self.index, 0),
            Seeding::Gymnasium => EpisodeSeed::plain(root.wrapping_add(u64::from(self.index))),
        };
        self.wipe(arena);
        self.reset(seed, env, arena);
    }

    /// Begins an episode of the caller's choice.
    pub fn reset_to(&mut self, seed: EpisodeSeed, env: &mut dyn DynEnv, arena: &mut Arena) {
        self.episode += 1;
        self.wipe(arena);
        self.reset(seed, env, arena);
    }

    /// Begins the next episode of the lane's own sequence, at the caller's wish.
    pub fn reset_next(&mut self, env: &mut dyn DynEnv, arena: &mut Arena) {
        self.wipe(arena);
        self.begin_next(env, arena);
    }

    /// Takes the last step's reward and end flags away: a reset on its own is no step.
    fn wipe(&self, arena: &mut Arena) {
        let (_, frame) = arena.lane(self.local);
        clear(frame.out.flags);
        clear(frame.out.reward);
    }

    /// Begins the next episode within a step, whose reward and end flags stay.
    fn begin_next(&mut self, env: &mut dyn DynEnv, arena: &mut Arena) {
        self.episode += 1;
        let seed = match self.config.seeding {
            Seeding::Tree => EpisodeSeed::tree(self.root, self.index, self.episode),
            Seeding::Gymnasium => EpisodeSeed::Continue,
        };
        self.reset(seed, env, arena);
    }

    /// Flags of the ending step stay beside those of the new episode; its rewards and metrics stay too.
    fn reset(&mut self, seed: EpisodeSeed, env: &mut dyn DynEnv, arena: &mut Arena) {
        self.seed = seed;
        self.steps = 0;
        self.forfeit = false;
        clear(&mut self.seats);
        let seats = self.seats.len();
        let (_, mut frame) = arena.lane(self.local);
        frame.obs.fill(0);
        // The step's own rewards and end flags are put back after the environment has written its signals.
        let mut ended = 0u64;
        let mut truncated = 0u64;
        let mut illegal = 0u64;
        for (seat, flags) in frame.out.flags.iter_mut().enumerate() {
            ended |= u64::from(flags.contains(Flags::TERMINATED)) << seat;
            truncated |= u64::from(flags.contains(Flags::TRUNCATED)) << seat;
            illegal |= u64::from(flags.contains(Flags::ILLEGAL)) << seat;
            *flags = Flags::empty();
        }
        let (reward, unread) = self.scratch.split_at_mut(seats);
        reward.fill(0.0);
        let metrics = if ended | truncated == 0 { &mut *frame.out.metrics } else { unread };
        metrics.fill(0.0);
        let out = Outcome { reward, flags: &mut *frame.out.flags, metrics };
        if let Err(fault) = env.reset(seed, out) {
            self.over = true;
            self.alive = 0;
            frame.out.flags.fill(Flags::empty());
            self.fault = Some(fault);
            self.report(arena);
            return;
        }
        self.alive = 0;
        for (seat, flags) in frame.out.flags.iter_mut().enumerate() {
            if flags.contains(Flags::ALIVE) {
                self.alive |= 1 << seat;
                *flags |= Flags::FIRST;
            }
        }
        self.over = self.alive == 0;
        frame.observe_rows(env, self.config.rows, self.obs_row);
        for (seat, flags) in frame.out.flags.iter_mut().enumerate() {
            let bit = |set: u64, flag: Flags| if set >> seat & 1 == 1 { flag } else { Flags::empty() };
            *flags |= bit(ended, Flags::TERMINATED)
                | bit(truncated, Flags::TRUNCATED)
                | bit(illegal, Flags::ILLEGAL);
        }
    }

    /// Records a panic of the environment as a fault of this lane.
    pub fn panicked(&mut self, what: &str, arena: &mut Arena) {
        let (_, frame) = arena.lane(self.local);
        for (seat, flags) in frame.out.flags.iter_mut().enumerate() {
            *flags = if self.alive >> seat & 1 == 1 { Flags::TRUNCATED } else { Flags::empty() };
        }
        frame.out.reward.fill(0.0);
        self.over = true;
        self.alive = 0;
        self.fault = Some(Fault::new(format!("the environment panicked: {what}")));
        self.report(arena);
    }
}
