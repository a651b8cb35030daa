//! One lane's step, in the stages that a host may schedule apart: plan, simulate, score, observe, reset.

use crate::{
    arena::{Arena, Final, LaneFault},
    batch::{Autoreset, BatchConfig, OnIllegal, Seeding},
    bits::{BitsMut, words_for},
    env::DynEnv,
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
    returns: Vec<f64>,
    /// How each seat's episode ended, also when the others played on.
    ends: Vec<Flags>,
    ranks: Vec<u8>,
    rewards: (f32, f32),
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
            returns: vec![0.0; spec.seats],
            ends: vec![Flags::empty(); spec.seats],
            ranks: vec![0; spec.seats],
            rewards: spec.reward,
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
        let (acts, frame) = arena.lane(self.local);
        frame.out.reward.fill(0.0);
        frame.out.flags.fill(Flags::empty());
        if plan == Plan::Step
            && let Err(fault) = env.step(acts, frame.out)
        {
            self.fault = Some(fault);
        }
    }

    /// Stage 3, `Score`: returns, limits, forfeits, faults; decides whether the episode is over.
    #[inline]
    pub fn score(&mut self, plan: Plan, env: &mut dyn DynEnv, arena: &mut Arena) {
        if plan != Plan::Step {
            return;
        }
        self.steps += 1;
        let (_, frame) = arena.lane(self.local);
        let out = frame.out;
        if self.fault.is_some() {
            for (seat, flags) in out.flags.iter_mut().enumerate() {
                *flags = if self.alive >> seat & 1 == 1 { Flags::TRUNCATED } else { Flags::empty() };
            }
            out.reward.fill(0.0);
        } else if self.config.on_illegal == OnIllegal::Forfeit
            && out.flags.iter().any(|f| f.contains(Flags::ILLEGAL))
        {
            self.forfeit = true;
            for (seat, flags) in out.flags.iter_mut().enumerate() {
                let offender = flags.contains(Flags::ILLEGAL);
                out.reward[seat] = if offender { self.rewards.0 } else { 0.0 };
                self.ranks[seat] = u8::from(offender);
                let ended = if self.alive >> seat & 1 == 1 { Flags::TERMINATED } else { Flags::empty() };
                *flags = ended | (*flags & Flags::ILLEGAL);
            }
        } else if self.steps >= self.max_steps {
            for flags in out.flags.iter_mut().filter(|f| f.contains(Flags::ALIVE)) {
                *flags = (*flags - Flags::ALIVE - Flags::TO_ACT) | Flags::TRUNCATED;
            }
        }
        let mut alive = 0;
        for (seat, flags) in out.flags.iter().enumerate() {
            self.returns[seat] += f64::from(out.reward[seat]);
            if flags.intersects(Flags::ENDED) {
                self.ends[seat] = *flags;
            }
            alive |= u64::from(flags.contains(Flags::ALIVE)) << seat;
        }
        self.alive = alive;
        self.over = alive == 0;
        if self.over && self.fault.is_none() && !self.forfeit && !env.ranks(&mut self.ranks) {
            self.ranks.fill(u8::MAX);
        }
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
        frame.observe(env, self.config.rows);
        if self.over && plan == Plan::Step {
            self.finish(arena);
        }
    }

    fn finish(&mut self, arena: &mut Arena) {
        for seat in 0..self.returns.len() {
            let entry = Final {
                lane: self.index,
                seat: seat as u32,
                episode: self.episode,
                steps: self.steps,
                episode_return: self.returns[seat],
                rank: self.ranks[seat],
                flags: self.ends[seat],
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
            self.reset_next(env, arena);
        }
    }

    /// All stages in a row.
    #[inline]
    pub fn advance(&mut self, env: &mut dyn DynEnv, arena: &mut Arena) {
        let plan = self.plan();
        self.simulate(plan, env, arena);
        self.score(plan, env, arena);
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
        let (_, frame) = arena.lane(self.local);
        frame.out.flags.fill(Flags::empty());
        frame.out.reward.fill(0.0);
        self.reset(seed, env, arena);
    }

    /// Begins an episode of the caller's choice.
    pub fn reset_to(&mut self, seed: EpisodeSeed, env: &mut dyn DynEnv, arena: &mut Arena) {
        self.episode += 1;
        let (_, frame) = arena.lane(self.local);
        frame.out.flags.fill(Flags::empty());
        frame.out.reward.fill(0.0);
        self.reset(seed, env, arena);
    }

    /// Begins the next episode of the lane's own sequence.
    pub fn reset_next(&mut self, env: &mut dyn DynEnv, arena: &mut Arena) {
        self.episode += 1;
        let seed = match self.config.seeding {
            Seeding::Tree => EpisodeSeed::tree(self.root, self.index, self.episode),
            Seeding::Gymnasium => EpisodeSeed::Continue,
        };
        self.reset(seed, env, arena);
    }

    /// Flags of the ending step stay beside those of the new episode; its reward stays too.
    fn reset(&mut self, seed: EpisodeSeed, env: &mut dyn DynEnv, arena: &mut Arena) {
        self.seed = seed;
        self.steps = 0;
        self.forfeit = false;
        self.returns.fill(0.0);
        self.ends.fill(Flags::empty());
        let seats = self.returns.len();
        let (_, mut frame) = arena.lane(self.local);
        frame.obs.fill(0);
        frame.out.metrics.fill(0.0);
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
        let mut scratch = [0.0f32; 64];
        let out = crate::env::Outcome {
            reward: &mut scratch[..seats],
            flags: &mut *frame.out.flags,
            metrics: &mut *frame.out.metrics,
        };
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
        frame.observe(env, self.config.rows);
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
