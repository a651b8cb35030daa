//! The planner's next command, from full information: for training and as an upper bound.

use super::{
    config::{Config, Mode},
    state::State,
};
use crate::{
    action::Action,
    condition::{Cond, Pred, Term},
    planner::{Budget, Goal, Planner},
};

/// States that one plan may look at.
const BUDGET: Budget = Budget { nodes: 2_000, shortest: false, shorten: true };

impl State {
    /// What the planner does next for `seat`, and after that: the shortest way to the end of the quest that it finds;
    /// for rivals the plan that banks the most private value a step, among treasures that lie free or are its own.
    /// Empty when it finds none.
    pub(crate) fn advise(&self, planner: &mut Planner, seat: usize, config: &Config) -> Vec<Action> {
        let (story, world) = (&*self.game.story, &self.world);
        if config.mode != Mode::Rival {
            return planner
                .plan(story, world, seat, &Goal::Win, &BUDGET)
                .map_or_else(|_| Vec::new(), |p| p.actions);
        }
        let (stakes, vault) = (&self.game.stakes, self.game.stakes.vault(seat));
        let mut best: Option<(f32, Vec<Action>)> = None;
        for treasure in stakes.treasures() {
            let holder = world.parent(treasure);
            let is_taken = story.seat_of(holder).is_some_and(|s| s != seat);
            let worth = stakes.worth(treasure, seat);
            if worth == 0 || is_taken || stakes.banker(world, treasure).is_some() {
                continue;
            }
            let goal = Goal::All(vec![Cond::yes(Pred::At(Term::Ent(treasure), Term::Ent(vault)))]);
            let Ok(plan) = planner.plan(story, world, seat, &goal, &BUDGET) else { continue };
            let turns_left = usize::from(self.cap(config).saturating_sub(world.turn()));
            if plan.actions.is_empty() || plan.actions.len() > turns_left {
                continue;
            }
            let gain = f32::from(worth) / plan.actions.len() as f32;
            if best.as_ref().is_none_or(|(most, _)| gain > *most) {
                best = Some((gain, plan.actions));
            }
        }
        best.map_or_else(Vec::new, |(_, plan)| plan)
    }
}
