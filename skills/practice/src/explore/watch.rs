//! Who looks on at play: which predicates come about, and the way to one of them.

use agon_skill::{Seed, Train};
use agon_skill_agent::{Episode, Status, Watch};
use agon_skill_distill::{DistillError, Rollouts, TraceId};
use rl_gym::{Bits, Vocabulary};
use std::sync::Arc;

/// Notes which predicates came about that did not hold before.
pub(super) struct Flips {
    pub(super) words: Arc<dyn Vocabulary>,
    pub(super) predicates: Arc<Vec<usize>>,
    pub(super) held: Option<Vec<bool>>,
    pub(super) came: Vec<bool>,
}

impl Flips {
    fn look(&mut self, obs: &[u8]) {
        let now: Vec<bool> = self.predicates.iter().map(|f| self.words.fact(obs, *f) >= 0.5).collect();
        if let Some(held) = &self.held {
            for (came, (now, held)) in self.came.iter_mut().zip(now.iter().zip(held)) {
                *came |= *now && !held;
            }
        }
        self.held = Some(now);
    }
}

impl Watch for Flips {
    fn decision(&mut self, obs: &[u8], _: Bits<'_>, _: u32) {
        self.look(obs);
    }

    fn reward(&mut self, _: f32) {}

    fn end(&mut self, obs: Option<&[u8]>, _: &Episode) {
        if let Some(obs) = obs {
            self.look(obs);
        }
    }
}

/// Writes an episode down until a predicate comes about, which is its only reward.
pub(super) struct Aim {
    pub(super) rollouts: Rollouts,
    pub(super) trace: TraceId,
    pub(super) fact: usize,
    pub(super) held: Option<bool>,
    pub(super) seed: Seed<Train>,
    /// The last decision: what was seen, what was legal, what was chosen.
    pub(super) last: Option<(Vec<u8>, Vec<u64>, usize, u32)>,
    pub(super) is_over: bool,
    pub(super) error: Option<DistillError>,
}

/// Who plays in rollouts of a goal: the whole way, and its last step again.
pub(super) const WAY: &str = "way";
/// See [`WAY`].
pub(super) const STEP: &str = "step";

impl Aim {
    fn note<T>(&mut self, result: Result<T, DistillError>) {
        if let (None, Err(error)) = (&self.error, result) {
            self.error = Some(error);
        }
    }

    /// Whether the predicate came about with this observation.
    fn has_come(&mut self, obs: &[u8]) -> bool {
        let now = self.rollouts.words().fact(obs, self.fact) >= 0.5;
        self.held.replace(now).is_some_and(|held| now && !held)
    }

    fn close(&mut self, obs: Option<&[u8]>, has_come: bool) {
        self.is_over = true;
        if has_come {
            let paid = self.rollouts.reward(self.trace, 1.0);
            self.note(paid);
        }
        let ended = self.rollouts.end(self.trace, obs, f64::from(u8::from(has_come)));
        self.note(ended);
        if let (true, Some((seen, mask, bits, action))) = (has_come, self.last.take()) {
            // A seat of its own, since it is a trace of its own in the same episode.
            let step = self.rollouts.begin(self.seed.number().into(), self.seed, 1, STEP);
            let decided = self.rollouts.decision(step, &seen, Bits::new(&mask, bits), action);
            self.note(decided);
            let paid = self.rollouts.reward(step, 1.0);
            self.note(paid);
            let ended = self.rollouts.end(step, obs, 1.0);
            self.note(ended);
        }
    }
}

impl Watch for Aim {
    fn decision(&mut self, obs: &[u8], mask: Bits<'_>, action: u32) {
        if self.is_over {
            return;
        }
        if self.has_come(obs) {
            return self.close(Some(obs), true);
        }
        match self.rollouts.decision(self.trace, obs, mask, action) {
            Err(DistillError::Illegal { .. }) => self.last = None,
            result => {
                self.last = Some((obs.to_vec(), mask.words().to_vec(), mask.len(), action));
                self.note(result);
            }
        }
    }

    fn reward(&mut self, _: f32) {}

    fn end(&mut self, obs: Option<&[u8]>, episode: &Episode) {
        if !self.is_over && episode.status == Status::Ended {
            let has_come = obs.is_some_and(|obs| self.has_come(obs));
            self.close(obs, has_come);
        }
    }
}
