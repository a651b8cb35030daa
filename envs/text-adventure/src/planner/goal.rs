//! What is asked of the planner, and what it answers.

use crate::{
    action::Action,
    condition::{Binding, Cond, all_hold},
    set::Ent,
    story::Story,
    world::{End, World},
};

/// What a plan is for.
#[derive(Clone, PartialEq, Debug)]
pub enum Goal {
    /// A won game with every point that there is, of all seats together.
    Win,
    /// All of these, where [`crate::Term::Me`] is the figure of the seat.
    All(Vec<Cond>),
}

impl Goal {
    /// Whether `world` is where the plan should lead.
    pub fn is_met(&self, story: &Story, world: &World, me: Ent) -> bool {
        match self {
            Self::Win => {
                let points: i32 = (0..story.seats.len()).map(|s| i32::from(world.score(s))).sum();
                world.end() == End::Won && points >= i32::from(story.max_score)
            }
            Self::All(conds) => all_hold(conds, story, world, &Binding::of(me)),
        }
    }
}

/// How much a plan may cost, and what it must be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// States looked at, at most. Each takes about 1 kB.
    pub nodes: u32,
    /// Whether to search for a shortest plan (A*), which takes far more states.
    pub shortest: bool,
    /// Whether needless actions are taken out of a plan that was found.
    pub shorten: bool,
}

impl Default for Budget {
    fn default() -> Self {
        Self { nodes: 20_000, shortest: false, shorten: true }
    }
}

/// A way to the goal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// What to do, in order.
    pub actions: Vec<Action>,
    /// Whether no shorter plan exists. It is only claimed by the exact search, in stories in which nothing but the
    /// player changes the world.
    pub is_shortest: bool,
    /// States looked at.
    pub nodes: u32,
}

/// Why there is no plan.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoPlan {
    /// Nothing leads to the goal.
    #[error("nothing leads to the goal: all {nodes} states that may matter were looked at")]
    Impossible {
        /// States looked at.
        nodes: u32,
    },
    /// The budget is used up.
    #[error("no plan within {nodes} states; give a larger budget")]
    Budget {
        /// States looked at.
        nodes: u32,
    },
}
