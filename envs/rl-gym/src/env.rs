//! The world's side of a step: what an author writes ([`Env`]) and what everybody else holds ([`DynEnv`]).

use crate::{
    bits::{BitsMut, words_for},
    error::Fault,
    flags::{Flags, Row},
    rng::Pcg64,
    seed::EpisodeSeed,
    spec::Spec,
};
use std::any::Any;

/// Where a reset or a step writes what happened: borrowed columns of one environment, an element a seat.
///
/// On entry rewards are 0 and flags are empty; metrics keep their last values.
#[derive(Debug)]
pub struct Outcome<'a> {
    /// Reward of this step, by seat.
    pub reward: &'a mut [f32],
    /// State after this step, by seat.
    pub flags: &'a mut [Flags],
    /// Metric columns named in the spec, one value an environment.
    pub metrics: &'a mut [f32],
}

impl Outcome<'_> {
    /// The same columns, lent on.
    #[inline]
    pub fn reborrow(&mut self) -> Outcome<'_> {
        Outcome { reward: self.reward, flags: self.flags, metrics: self.metrics }
    }

    /// Marks every seat alive and the given one to act: the usual signal of a turn-based game.
    #[inline]
    pub fn turn(&mut self, seat: usize) {
        self.flags.fill(Flags::ALIVE);
        self.flags[seat] = Flags::ALIVE | Flags::TO_ACT;
    }

    /// Marks every seat alive and to act: the usual signal of a simultaneous game.
    #[inline]
    pub fn everyone(&mut self) {
        self.flags.fill(Flags::ALIVE | Flags::TO_ACT);
    }

    /// Ends the episode by the rules for every seat.
    #[inline]
    pub fn terminate(&mut self) {
        self.flags.fill(Flags::TERMINATED);
    }

    /// Ends the episode by a limit for every seat.
    #[inline]
    pub fn truncate(&mut self) {
        self.flags.fill(Flags::TRUNCATED);
    }

    /// Marks the seat's action as refused. The caller repeats the signals of the unchanged state besides.
    #[inline]
    pub fn refuse(&mut self, seat: usize) {
        self.flags[seat] |= Flags::ILLEGAL;
    }
}

/// A game as its author writes it. One agent, turns, simultaneous moves and mixtures are the same call.
///
/// An environment owns its state and its generator, never an output row: the caller lends those. All
/// configuration (seats, board, variants) happens when it is made, so that its [`Spec`] never changes.
pub trait Env: Send + 'static {
    /// Element of an observation row; a row has `spec().obs.row_bytes() / size_of::<Obs>()` of them.
    type Obs: Row;
    /// One seat's action.
    type Act: Row;

    /// What this environment is.
    fn spec(&self) -> &Spec;

    /// Starts an episode: seeds the generator as `seed` says, sets the state up and signals who acts.
    ///
    /// # Errors
    /// A [`Fault`] voids the episode; the batch reports it and tries the next one.
    fn reset(&mut self, seed: EpisodeSeed, out: Outcome<'_>) -> Result<(), Fault>;

    /// Applies one action row per seat; rows of seats without `TO_ACT` are ignored. An action outside the
    /// space or the mask leaves the state untouched and sets `ILLEGAL` on its seat.
    ///
    /// # Errors
    /// A [`Fault`] says that the environment itself failed; the batch reports it and resets this lane only.
    fn step(&mut self, acts: &[Self::Act], out: Outcome<'_>) -> Result<(), Fault>;

    /// Writes what `seat` may see, replacing all of `obs`, and (for a seat to act) all of its `mask`.
    ///
    /// Called after a reset or step for those seats whose rows are wanted. Mask rows of seats that are not
    /// to act need no care: the caller sets them to all ones.
    fn observe(&self, seat: usize, obs: &mut [Self::Obs], mask: BitsMut<'_>);

    /// Writes each seat's final place, 0 best, equal numbers tied, and returns true; false while the game
    /// goes on and for games without a placing.
    fn ranks(&self, _ranks: &mut [u8]) -> bool {
        false
    }

    /// Writes each seat's count in the game's own points (victory points, score) as the state stands, hidden
    /// ones included, and returns true; false for games that count none. For reports and learners, never
    /// shown to a player and never rated.
    fn points(&self, _points: &mut [f32]) -> bool {
        false
    }

    /// A hash of the whole state, hidden parts and generator included; `None` when not offered.
    fn state_hash(&self) -> Option<u64> {
        None
    }

    /// This environment's [`Snapshot`] ability: `Some(self)` where it is implemented.
    fn as_snapshot(&mut self) -> Option<&mut dyn DynSnapshot> {
        None
    }

    /// This environment's [`Chance`] ability: `Some(self)` where it is implemented.
    fn as_chance(&mut self) -> Option<&mut dyn Chance> {
        None
    }

    /// This environment's [`Resample`] ability: `Some(self)` where it is implemented.
    fn as_resample(&mut self) -> Option<&mut dyn Resample> {
        None
    }

    /// This environment's [`TextEnv`] ability: `Some(self)` where it is implemented.
    fn as_text(&self) -> Option<&dyn TextEnv> {
        None
    }

    /// This environment's [`Heuristic`] ability: `Some(self)` where it is implemented.
    fn as_heuristic(&self) -> Option<&dyn Heuristic> {
        None
    }
}

/// States that can be saved and restored, generator included, so that play goes on exactly.
pub trait Snapshot: Env {
    /// The saved state.
    type State: Clone + Send + 'static;

    /// A copy of the state.
    fn save(&self) -> Self::State;

    /// Overwrites an existing copy, reusing its memory.
    fn save_into(&self, state: &mut Self::State) {
        *state = self.save();
    }

    /// Goes back to a saved state.
    fn load(&mut self, state: &Self::State);
}

/// A saved state whose type is known to its environment only.
pub type AnyState = Box<dyn Any + Send>;

/// Object-safe face of [`Snapshot`].
pub trait DynSnapshot {
    /// A copy of the state.
    fn save_any(&self) -> AnyState;

    /// Overwrites a copy that came from the same kind of environment without allocating; makes a new one otherwise.
    fn save_any_into(&self, state: &mut AnyState);

    /// Goes back to a saved state.
    ///
    /// # Errors
    /// When `state` came from another kind of environment.
    fn load_any(&mut self, state: &AnyState) -> Result<(), Fault>;
}

impl<E: Snapshot> DynSnapshot for E {
    fn save_any(&self) -> AnyState {
        Box::new(self.save())
    }

    fn save_any_into(&self, state: &mut AnyState) {
        match state.downcast_mut::<E::State>() {
            Some(state) => self.save_into(state),
            None => *state = self.save_any(),
        }
    }

    fn load_any(&mut self, state: &AnyState) -> Result<(), Fault> {
        let state = state.downcast_ref::<E::State>().ok_or_else(|| {
            let id = self.spec().id();
            Fault::new(format!("the saved state is not one of {id}: load states only where they were saved"))
        })?;
        self.load(state);
        Ok(())
    }
}

/// Explicit luck: nature's moves with their probabilities.
///
/// Normally a step draws nature's moves from the episode's stream. With [`Chance::set_explicit`] the
/// environment stops where nature is to move: no seat has `TO_ACT`, and the caller applies an outcome.
pub trait Chance {
    /// Whether the environment stops for outcomes (default: it draws them itself).
    fn set_explicit(&mut self, explicit: bool);

    /// Replaces `outcomes` by all (outcome, probability) pairs of nature's pending move, probabilities
    /// summing to 1; false when nature is not to move.
    fn outcomes(&self, outcomes: &mut Vec<(u32, f64)>) -> bool;

    /// Applies an outcome of nature's pending move.
    ///
    /// # Errors
    /// When nature is not to move or the outcome is impossible.
    fn apply_outcome(&mut self, outcome: u32, out: Outcome<'_>) -> Result<(), Fault>;

    /// The outcomes drawn in the last reset, step or applied outcome, in order. A replay stores them.
    fn drawn(&self) -> &[u32];
}

/// Hidden information: redraws whatever `viewer` cannot know.
pub trait Resample {
    /// Replaces everything hidden from `viewer` (hands, decks, the generator) by a draw that agrees with all
    /// that it has seen. Search may look at states only after this.
    fn resample(&mut self, viewer: usize, rng: &mut Pcg64);
}

/// Judgement of whole states, for search. It reads hidden facts too: ask it about resampled states only.
pub trait Heuristic {
    /// Writes what the state is worth to each seat: an estimate of its share of winning, 0 to 1, exact where
    /// the game is over. One call for all seats, because a share depends on what the others have.
    fn values(&self, values: &mut [f32]);

    /// How many stages (turns, rounds) have begun. A search compares states at the start of the same stage,
    /// where nobody is in the middle of something. Constant, as by default, where every state is as quiet as
    /// the next one.
    fn stage(&self) -> u32 {
        0
    }

    /// A sensible action of `seat`, which is to act, found quickly and from what that seat may see: how a search
    /// lets others play, and how it plays on to the next stage. `None`, as by default, where there is none.
    fn suggest(&self, _seat: usize, _rng: &mut Pcg64) -> Option<u32> {
        None
    }
}

/// A game that can be read and played as text.
pub trait TextEnv {
    /// Appends what `seat` may see, in words.
    fn observe_text(&self, seat: usize, out: &mut String);

    /// Calls `each` with every legal action of `seat` in ascending order and its name.
    fn legal_text(&self, seat: usize, each: &mut dyn FnMut(u32, &str));

    /// The name of an action index, legal or not; `None` outside the space.
    fn action_name(&self, action: u32) -> Option<String>;

    /// The action that a text means for `seat`, now.
    ///
    /// # Errors
    /// A [`ParseError`] that lists what would be understood.
    fn parse(&self, seat: usize, text: &str) -> Result<u32, ParseError>;
}

/// A text that names no legal action.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("\"{text}\" is not a legal action{}: {mend}", .nearest.as_ref().map_or_else(String::new, |n| format!(" (nearest: \"{n}\")")))]
pub struct ParseError {
    /// The text as given.
    pub text: String,
    /// The most similar legal action.
    pub nearest: Option<String>,
    /// What to do instead.
    pub mend: String,
}

/// One environment's rows of a batch, lent for one call. The environment keeps none of them.
#[derive(Debug)]
pub struct Frame<'a> {
    /// Observation rows behind each other, one a seat.
    pub obs: &'a mut [u8],
    /// Mask rows behind each other, one a seat; empty without masks.
    pub mask: &'a mut [u64],
    /// Bits of one mask row.
    pub mask_bits: usize,
    /// Rewards, flags and metrics.
    pub out: Outcome<'a>,
}

/// The object-safe face of every [`Env`] (blanket implementation; rows are bytes).
///
/// Row lengths are those of the spec; the batch types keep them right. Actions and rows must be aligned
/// for the element type, which rows of an [`crate::Arena`] are.
pub trait DynEnv: Send {
    /// See [`Env::spec`].
    fn spec(&self) -> &Spec;
    /// See [`Env::reset`].
    ///
    /// # Errors
    /// As [`Env::reset`].
    fn reset(&mut self, seed: EpisodeSeed, out: Outcome<'_>) -> Result<(), Fault>;
    /// See [`Env::step`]; `acts` holds one action row a seat.
    ///
    /// # Errors
    /// As [`Env::step`].
    fn step(&mut self, acts: &[u8], out: Outcome<'_>) -> Result<(), Fault>;
    /// See [`Env::observe`].
    fn observe(&self, seat: usize, obs: &mut [u8], mask: BitsMut<'_>);
    /// See [`Env::ranks`].
    fn ranks(&self, ranks: &mut [u8]) -> bool;
    /// See [`Env::points`].
    fn points(&self, points: &mut [f32]) -> bool;
    /// See [`Env::state_hash`].
    fn state_hash(&self) -> Option<u64>;
    /// See [`Env::as_snapshot`].
    fn as_snapshot(&mut self) -> Option<&mut dyn DynSnapshot>;
    /// See [`Env::as_chance`].
    fn as_chance(&mut self) -> Option<&mut dyn Chance>;
    /// See [`Env::as_resample`].
    fn as_resample(&mut self) -> Option<&mut dyn Resample>;
    /// See [`Env::as_text`].
    fn as_text(&self) -> Option<&dyn TextEnv>;
    /// See [`Env::as_heuristic`].
    fn as_heuristic(&self) -> Option<&dyn Heuristic>;
}

impl<E: Env> DynEnv for E {
    #[inline]
    fn spec(&self) -> &Spec {
        Env::spec(self)
    }

    fn reset(&mut self, seed: EpisodeSeed, out: Outcome<'_>) -> Result<(), Fault> {
        Env::reset(self, seed, out)
    }

    #[inline]
    fn step(&mut self, acts: &[u8], out: Outcome<'_>) -> Result<(), Fault> {
        Env::step(self, bytemuck::cast_slice(acts), out)
    }

    #[inline]
    fn observe(&self, seat: usize, obs: &mut [u8], mask: BitsMut<'_>) {
        Env::observe(self, seat, bytemuck::cast_slice_mut(obs), mask);
    }

    fn ranks(&self, ranks: &mut [u8]) -> bool {
        Env::ranks(self, ranks)
    }

    fn points(&self, points: &mut [f32]) -> bool {
        Env::points(self, points)
    }

    fn state_hash(&self) -> Option<u64> {
        Env::state_hash(self)
    }

    fn as_snapshot(&mut self) -> Option<&mut dyn DynSnapshot> {
        Env::as_snapshot(self)
    }

    fn as_chance(&mut self) -> Option<&mut dyn Chance> {
        Env::as_chance(self)
    }

    fn as_resample(&mut self) -> Option<&mut dyn Resample> {
        Env::as_resample(self)
    }

    fn as_text(&self) -> Option<&dyn TextEnv> {
        Env::as_text(self)
    }

    fn as_heuristic(&self) -> Option<&dyn Heuristic> {
        Env::as_heuristic(self)
    }
}

/// Which rows a step writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Rows {
    /// Rows of seats about to act and of seats that just ended. A four-seat board game then pays for one
    /// observation a move. Other observation rows keep what they held; a reset zeroes them.
    #[default]
    Acting,
    /// Every seat's row in every step.
    All,
}

impl Rows {
    #[inline]
    fn wants(self, flags: Flags) -> bool {
        self == Self::All || flags.intersects(Flags::WRITTEN)
    }
}

impl Frame<'_> {
    /// Writes the wanted observation and mask rows after a reset or step.
    #[inline]
    pub fn observe(&mut self, env: &dyn DynEnv, rows: Rows) {
        let obs_row = self.obs.len() / self.out.flags.len();
        self.observe_rows(env, rows, obs_row);
    }

    /// [`Frame::observe`] for a caller that knows the bytes of a row: a division a step is worth saving.
    #[inline(always)]
    pub(crate) fn observe_rows(&mut self, env: &dyn DynEnv, rows: Rows, obs_row: usize) {
        let seats = self.out.flags.len();
        let words = words_for(self.mask_bits);
        for seat in 0..seats {
            let flags = self.out.flags[seat];
            let mask = &mut self.mask[seat * words..(seat + 1) * words];
            if rows.wants(flags) {
                let obs = &mut self.obs[seat * obs_row..(seat + 1) * obs_row];
                env.observe(seat, obs, BitsMut::new(mask, self.mask_bits));
            }
            if words > 0 && !flags.contains(Flags::TO_ACT) {
                BitsMut::new(mask, self.mask_bits).fill(true);
            }
        }
    }
}

/// The action that `row` holds, when the action space is one discrete choice.
pub fn discrete(row: &[u8]) -> u32 {
    bytemuck::pod_read_unaligned(row)
}
