//! A recorded episode: everything needed to play it again, and enough hashes to prove that it is the same.

mod format;
mod habits;
mod moves;
mod pack;
mod play;
mod range;

pub use moves::{MoveReader, MoveRecorder, Moves};
pub use play::{Divergence, Moment, VerifyReport};

use crate::{
    batch::{BatchEnv, OnIllegal},
    error::{Fault, GymError},
    flags::Flags,
    game::Game,
    options::Options,
    seed::{EpisodeSeed, SeedSequence},
    space::Space,
};
use serde::{Deserialize, Serialize};

/// A remark on a step, by whoever watched or played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Annotation {
    /// State it is about: 0 is the start, `n` the state after step `n`.
    pub step: u32,
    /// Seat that it is about or that said it.
    pub seat: Option<u8>,
    /// What is said.
    pub text: String,
}

/// One recorded episode of one game. Actions of acting seats only, a byte each for small games, compressed
/// when saved; nature's moves beside them; a state hash every few steps.
///
/// The stored actions mean something under the same rules version only: [`Replay::play`] refuses others.
#[derive(Clone, PartialEq, Debug)]
pub struct Replay {
    /// Game name.
    pub game: String,
    /// Rules version.
    pub version: u32,
    /// Options of the environment.
    pub options: Options,
    /// Seed of the episode.
    pub seed: SeedSequence,
    /// What an illegal action did.
    pub on_illegal: OnIllegal,
    /// Who sat where, in words; one label a seat.
    pub seats: Vec<String>,
    /// Final place by seat, 0 best, `u8::MAX` where the game gives none; empty when the episode did not end
    /// or its environment failed.
    pub ranks: Vec<u8>,
    /// Remarks, in the order in which they were made.
    pub annotations: Vec<Annotation>,
    steps: u32,
    every: u32,
    hashes: Vec<u64>,
    acts: Vec<u8>,
    /// Nature's moves: for the reset and each step a count and the outcomes. `None`: not offered.
    chance: Option<Vec<u8>>,
}

impl Replay {
    /// Env steps.
    pub const fn steps(&self) -> u32 {
        self.steps
    }

    /// Steps whose state hash is stored, with the hash: 0, every few steps, and the last one. Empty for an
    /// environment without state hashes.
    pub fn checkpoints(&self) -> impl Iterator<Item = (u32, u64)> {
        let (every, last) = (self.every.max(1), self.steps);
        self.hashes.iter().zip(0u32..).map(move |(hash, i)| (i.saturating_mul(every).min(last), *hash))
    }
}

impl Replay {
    /// The state hash stored for the state after `step`.
    fn hash_at(&self, step: u32) -> Option<u64> {
        let every = self.every.max(1);
        if step.is_multiple_of(every) {
            return self.hashes.get((step / every) as usize).copied();
        }
        // The last state has one of its own where it is not a regular one.
        (step == self.steps).then(|| self.hashes.get((step / every) as usize + 1).copied()).flatten()
    }
}

/// The choices of a recording.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordConfig {
    /// Who sits where; one label a seat.
    pub seats: Vec<String>,
    /// Seed that the lane's episode was begun with.
    pub seed: EpisodeSeed,
    /// What the batch does with illegal actions.
    pub on_illegal: OnIllegal,
    /// Steps between two state hashes; 0 counts as 1. Each hash costs 8 bytes.
    pub every: u32,
}

impl RecordConfig {
    /// A hash every 64 steps, illegal actions reported.
    pub const fn new(seats: Vec<String>, seed: EpisodeSeed) -> Self {
        Self { seats, seed, on_illegal: OnIllegal::Report, every: 64 }
    }
}

/// Follows one lane of a batch and writes its [`Replay`].
///
/// [`Recorder::begin`] after the lane's reset, then [`Recorder::before_step`] and [`Recorder::after_step`]
/// around every step of the batch until the latter says that the episode is over, then [`Recorder::finish`].
/// The batch must not reset the lane inside the ending step: use `Disabled` or `NextStep`.
#[derive(Debug)]
pub struct Recorder {
    lane: usize,
    action: Space,
    acting: Vec<bool>,
    over: bool,
    replay: Replay,
}

impl Recorder {
    /// Begins at the start of an episode: right after the reset of `lane` of `batch`.
    ///
    /// # Errors
    /// A [`Fault`] when the seed is not one to start from again or the labels do not fit the seats.
    pub fn begin(
        game: &Game,
        options: &Options,
        config: RecordConfig,
        batch: &mut dyn BatchEnv,
        lane: usize,
    ) -> Result<Self, GymError> {
        let EpisodeSeed::Fresh(seed) = config.seed else {
            let text = "an episode that continues a generator cannot be recorded, its start depends on all before: \
                        use Seeding::Tree or give the lane a fresh seed";
            return Err(Fault::new(text).into());
        };
        let seats = batch.spec().seats;
        if config.seats.len() != seats {
            let text =
                format!("{} labels for {seats} seats of {}: give one a seat", config.seats.len(), game.id());
            return Err(Fault::new(text).into());
        }
        let action = batch.spec().action.clone();
        let replay = Replay {
            game: game.name.into(),
            version: game.version,
            options: options.clone(),
            seed,
            on_illegal: config.on_illegal,
            seats: config.seats,
            ranks: Vec::new(),
            annotations: Vec::new(),
            steps: 0,
            every: config.every.max(1),
            hashes: Vec::new(),
            acts: Vec::new(),
            chance: batch.env(lane).as_chance().is_some().then(Vec::new),
        };
        let mut recorder = Self { lane, action, acting: vec![false; seats], over: false, replay };
        recorder.look(batch);
        Ok(recorder)
    }

    /// Notes the actions of the acting seats, as written for the step to come.
    pub fn before_step(&mut self, batch: &mut dyn BatchEnv) {
        let (_, mut actions) = batch.parts();
        for (seat, _) in self.acting.iter().enumerate().filter(|(_, acting)| **acting) {
            let row = actions.row_mut(self.lane * self.acting.len() + seat);
            pack::push_action(&mut self.replay.acts, &self.action, row);
        }
    }

    /// Notes what the step did; true when the episode is over. Steps after that are not noted.
    ///
    /// # Errors
    /// A [`Fault`] when the batch has already reset the lane.
    pub fn after_step(&mut self, batch: &mut dyn BatchEnv) -> Result<bool, GymError> {
        if self.over {
            return Ok(true);
        }
        let seats = self.acting.len();
        let view = batch.view();
        if (0..seats).any(|seat| view.flags(self.lane * seats + seat).contains(Flags::FIRST)) {
            let text = format!(
                "lane {} was reset inside the ending step, so that its last state cannot be recorded: \
                 record lanes of a batch with Autoreset::Disabled or NextStep",
                self.lane
            );
            return Err(Fault::new(text).into());
        }
        self.replay.steps += 1;
        self.look(batch);
        Ok(self.over)
    }

    /// Notes chance outcomes, checkpoints and who acts next.
    fn look(&mut self, batch: &mut dyn BatchEnv) {
        let seats = self.acting.len();
        let view = batch.view();
        let flags = |seat: usize| view.flags(self.lane * seats + seat);
        let mut alive = false;
        for (seat, acting) in self.acting.iter_mut().enumerate() {
            *acting = flags(seat).contains(Flags::TO_ACT);
            alive |= flags(seat).contains(Flags::ALIVE);
        }
        self.over = !alive;
        if self.over {
            let mine = view.finals().filter(|(end, _)| end.lane as usize == self.lane);
            self.replay.ranks = mine.map(|(end, _)| end.rank).collect();
        }
        let env = batch.env(self.lane);
        if let (Some(stream), Some(chance)) = (&mut self.replay.chance, env.as_chance()) {
            pack::push_list(stream, chance.drawn());
        }
        if (self.over || self.replay.steps.is_multiple_of(self.replay.every))
            && let Some(hash) = env.state_hash()
        {
            self.replay.hashes.push(hash);
        }
    }

    /// Adds a remark about the present state.
    pub fn annotate(&mut self, seat: Option<u8>, text: impl Into<String>) {
        let note = Annotation { step: self.replay.steps, seat, text: text.into() };
        self.replay.annotations.push(note);
    }

    /// The replay, also of an episode that is not over yet.
    pub fn finish(mut self, batch: &mut dyn BatchEnv) -> Replay {
        let due = !self.over && !self.replay.steps.is_multiple_of(self.replay.every);
        if due && let Some(hash) = batch.env(self.lane).state_hash() {
            self.replay.hashes.push(hash);
        }
        self.replay
    }
}
