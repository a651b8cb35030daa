//! Planning over the rules themselves. The planner grounds what bears on a goal by regression through the table of
//! verbs and the story's rules, lets an optimist plan in that (nothing ever becomes false), and follows the optimist
//! in the true rules as far as he goes; best-first search goes on from there. Everything is decided by the state, so
//! equal questions have equal answers.

mod compile;
mod exact;
mod fact;
mod goal;
mod need;
mod regress;
mod relax;
mod search;
mod seen;
mod shorten;
mod walk;

pub use goal::{Budget, Goal, NoPlan, Plan};
pub use search::Planner;
pub(crate) use search::is_never;
pub use walk::act;

use crate::{story::Story, world::World};

/// Plans for `seat` from `world` to a won game with every point that there is.
///
/// # Errors
/// When nothing leads there, or nothing was found within the budget.
pub fn plan(story: &Story, world: &World, seat: usize, budget: &Budget) -> Result<Plan, NoPlan> {
    Planner::default().plan(story, world, seat, &Goal::Win, budget)
}
