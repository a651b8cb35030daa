//! The exact search for a shortest plan.

use super::{
    goal::{Budget, Goal, NoPlan, Plan},
    relax::NEVER,
    search::{Node, Planner},
    walk::act,
};
use crate::{
    condition::Pred,
    rules,
    scope::Scope,
    set::Ent,
    story::{Story, Trigger},
    world::End,
};
use std::cmp::Reverse;

impl Planner {
    /// A* with the dearest-need bound, over every action that works.
    pub(super) fn exact(
        &mut self,
        story: &Story,
        me: Ent,
        goal: &Goal,
        budget: &Budget,
    ) -> Result<Plan, NoPlan> {
        let world = self.nodes[0].world;
        let h = self.relaxer.bound(&self.task, story, &world);
        if h != NEVER {
            self.open.push(Reverse((h, 0, 0)));
        }
        // A state may be reached again by a shorter way, so what was seen says how far it was.
        while let Some(Reverse((_, _, at))) = self.open.pop() {
            let Node { world, cost, .. } = self.nodes[at as usize];
            if goal.is_met(story, &world, me) {
                let is_shortest = is_still(story);
                return Ok(Plan { actions: self.path(at), is_shortest, nodes: self.nodes.len() as u32 });
            }
            if self.seen.cost(world.hash()).is_some_and(|c| c < cost) || world.end() != End::Open {
                continue;
            }
            let mut listed = std::mem::take(&mut self.listed);
            rules::admissible(story, &world, &Scope::of(story, &world, me), &mut listed);
            for &action in &listed {
                let mut next = world;
                if act(story, &mut next, me, action).is_err() || !self.seen.lower(next.hash(), cost + 1) {
                    continue;
                }
                let h = match goal.is_met(story, &next, me) {
                    true => 0,
                    false => self.relaxer.bound(&self.task, story, &next),
                };
                if h == NEVER {
                    continue;
                }
                let (begin, child) = (self.pool.len() as u32, self.nodes.len() as u32);
                self.pool.push(action);
                self.nodes.push(Node { world: next, parent: at, begin, end: begin + 1, cost: cost + 1 });
                self.open.push(Reverse((cost + 1 + h, h, child)));
            }
            self.listed = listed;
            if self.nodes.len() as u32 >= budget.nodes {
                return Err(NoPlan::Budget { nodes: self.nodes.len() as u32 });
            }
        }
        Err(NoPlan::Impossible { nodes: self.nodes.len() as u32 })
    }
}

/// Whether nothing but the player changes the world of `story`, so that equal hashes mean equal futures.
fn is_still(story: &Story) -> bool {
    story.entities.iter().all(|e| e.pace == 0 && e.fuel.is_none())
        && story.rules.iter().all(|r| {
            r.trigger != Trigger::EachTurn && !r.when.iter().any(|c| matches!(c.pred, Pred::Turn(_)))
        })
}
