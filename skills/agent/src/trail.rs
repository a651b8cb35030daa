//! How skills were used in an episode, and policies that tell it.

use crate::Context;
use agon_skill_runtime::Abort;
use rl_gym::{Decisions, Fault, Policy};

/// A policy whose use of skills can be asked for.
pub trait Learner: Policy {
    /// The episode of `row` is over; `obs` is the row's last observation, where there is one. Tells how skills were used in
    /// it, and forgets it.
    fn end(&mut self, row: usize, obs: Option<&[u8]>) -> Trail;
}

/// A policy that uses no skills.
pub struct Plain(pub Box<dyn Policy>);

impl Policy for Plain {
    fn begin(&mut self, row: usize, seat: usize) {
        self.0.begin(row, seat);
    }

    fn wants_simulator(&self) -> bool {
        self.0.wants_simulator()
    }

    fn act(&mut self, decisions: &mut Decisions<'_>) -> Result<(), Fault> {
        self.0.act(decisions)
    }
}

impl Learner for Plain {
    fn end(&mut self, _: usize, _: Option<&[u8]>) -> Trail {
        Trail::default()
    }
}

/// How a use ended.
#[derive(Clone, PartialEq, Debug)]
pub enum Ended {
    /// What the skill promises came about.
    Done,
    /// It was broken off.
    Aborted(Abort),
    /// The episode ended before it did.
    Cut,
    /// It applied and was not begun, since its share of chances left it out.
    Passed {
        /// Whether what it promises came about all the same, within the time that it promises.
        came_about: bool,
    },
}

/// One use of a skill in an episode.
#[derive(Clone, PartialEq, Debug)]
pub struct Use {
    /// The skill, as an index into the kit.
    pub skill: usize,
    /// Own decision of the episode at which it began, from 0.
    pub at: u32,
    /// Decisions that it made.
    pub decisions: u32,
    /// The context in which it began; empty where nobody asked for it.
    pub context: Context,
    /// How it ended.
    pub ended: Ended,
}

/// A choice between skills and the base policy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice {
    /// Own decision of the episode, from 0.
    pub at: u32,
    /// Where it was made.
    pub context: Context,
    /// The skill, as an index into the kit; `None` is the base policy.
    pub arm: Option<usize>,
}

/// How skills were used in an episode.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Trail {
    /// Uses, in the order in which they ended.
    pub uses: Vec<Use>,
    /// Choices, where a bandit made them: once for each new context and set of skills that apply.
    pub choices: Vec<Choice>,
}
