//! Taking needless actions out of a plan.

use super::walk::act;
use crate::{action::Action, set::Ent, story::Story, world::World};

/// Leaves out every action (with those that then no longer work) without which the plan still reaches its goal.
pub(super) fn shorten(
    story: &Story,
    start: &World,
    me: Ent,
    plan: &mut Vec<Action>,
    is_goal: impl Fn(&World) -> bool,
) {
    let (mut before, mut at) = (*start, 0);
    let mut kept = Vec::with_capacity(plan.len());
    while at < plan.len() {
        let mut world = before;
        kept.clear();
        for &action in &plan[at + 1..] {
            if is_goal(&world) {
                break;
            }
            if act(story, &mut world, me, action).is_ok() {
                kept.push(action);
            }
        }
        if is_goal(&world) {
            plan.truncate(at);
            plan.extend_from_slice(&kept);
        } else if act(story, &mut before, me, plan[at]).is_ok() {
            at += 1;
        } else {
            return;
        }
    }
}
