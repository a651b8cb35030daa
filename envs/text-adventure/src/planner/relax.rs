//! The optimist's plan: what it would take if nothing that was true ever became false.

use super::fact::{Fact, Task, way_to};
use crate::{action::Action, set::Ent, story::Story, world::World};
use std::{cmp::Reverse, collections::BinaryHeap};

/// No way.
pub(super) const NEVER: u32 = u32::MAX;
/// What needs cost together at most: sums of sums grow fast, and beyond this they say nothing.
const MOST: u32 = 1 << 30;
/// Marks a fact that holds already, among supporters.
const GIVEN: u32 = u32::MAX;
/// Marks the supporter of a fact that follows from where a thing lies now.
const BY_PLACE: u32 = u32::MAX - 1;

/// One action of the optimist's plan.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Step {
    /// What its preconditions cost: later steps cost more.
    pub(super) cost: u32,
    /// Index of its op.
    pub(super) op: u16,
    /// What is done.
    pub(super) action: Action,
}

/// Scratch of [`Relaxer::estimate`].
#[derive(Default, Debug)]
pub(super) struct Relaxer {
    cost: Vec<u32>,
    by: Vec<u32>,
    missing: Vec<u32>,
    sum: Vec<u32>,
    heap: BinaryHeap<Reverse<(u32, u16)>>,
    /// What is in the way of a thing where it lies: runs in `place_pre`, one a member of [`Task::access`].
    runs: Vec<(u32, u32)>,
    place_pre: Vec<u16>,
    place_missing: Vec<u32>,
    place_sum: Vec<u32>,
    head: Vec<u32>,
    next: Vec<u32>,
    stack: Vec<u16>,
    marked: Vec<bool>,
    /// The optimist's plan of the last estimate: cheapest steps first, no action twice.
    pub(super) steps: Vec<Step>,
}

impl Relaxer {
    /// Actions that the optimist needs from `world` to the goals of `task`; [`NEVER`] when even that does not help.
    pub(super) fn estimate(&mut self, task: &Task, story: &Story, world: &World) -> u32 {
        self.explore(task, story, world, false);
        self.extract(task)
    }

    /// A lower bound of the actions from `world` to the goals: the dearest goal, each fact at its dearest need.
    pub(super) fn bound(&mut self, task: &Task, story: &Story, world: &World) -> u32 {
        self.explore(task, story, world, true);
        task.goals.iter().map(|g| self.cost[usize::from(*g)]).max().unwrap_or(0)
    }

    fn explore(&mut self, task: &Task, story: &Story, world: &World, dearest: bool) {
        let (facts, ops) = (task.facts.len(), task.ops.len());
        fill(&mut self.cost, facts, NEVER);
        fill(&mut self.by, facts, GIVEN);
        fill(&mut self.sum, ops, 0);
        self.missing.clear();
        self.missing.extend(task.ops.iter().map(|o| o.end - o.begin));
        self.heap.clear();
        self.places(task, story, world);
        for (f, fact) in task.facts.iter().enumerate() {
            if task.holds(*fact, story, world) {
                self.reach(f as u16, 0, GIVEN);
            }
        }
        for o in 0..ops {
            if self.missing[o] == 0 {
                self.reach(task.ops[o].add, u32::from(task.ops[o].action.is_some()), o as u32);
            }
        }
        for i in 0..task.access.len() {
            if self.runs[i].0 != NEVER && self.place_missing[i] == 0 {
                self.reach(task.access[i], 0, BY_PLACE);
            }
        }
        let mut goals_left = task.goals.len();
        while let Some(Reverse((cost, fact))) = self.heap.pop() {
            let f = usize::from(fact);
            if cost > self.cost[f] {
                continue;
            }
            goals_left -= usize::from(task.goals.contains(&fact));
            if goals_left == 0 {
                break;
            }
            let (from, to) = (task.first_use[f] as usize, task.first_use[f + 1] as usize);
            for &o in &task.uses[from..to] {
                let o = usize::from(o);
                self.sum[o] = if dearest { self.sum[o].max(cost) } else { (self.sum[o] + cost).min(MOST) };
                self.missing[o] -= 1;
                if self.missing[o] == 0 {
                    let op = &task.ops[o];
                    let cost = self.sum[o] + u32::from(op.action.is_some());
                    self.reach(op.add, cost, o as u32);
                }
            }
            let mut at = self.head[f];
            while at != NEVER {
                let i = self.owner(at);
                self.place_sum[i] =
                    if dearest { self.place_sum[i].max(cost) } else { (self.place_sum[i] + cost).min(MOST) };
                self.place_missing[i] -= 1;
                if self.place_missing[i] == 0 {
                    self.reach(task.access[i], self.place_sum[i], BY_PLACE);
                }
                at = self.next[at as usize];
            }
        }
    }

    fn reach(&mut self, fact: u16, cost: u32, by: u32) {
        let f = usize::from(fact);
        if cost < self.cost[f] {
            self.cost[f] = cost;
            self.by[f] = by;
            self.heap.push(Reverse((cost, fact)));
        }
    }

    /// The run that holds a place of `place_pre`.
    fn owner(&self, at: u32) -> usize {
        self.runs.partition_point(|r| r.1 <= at)
    }

    /// Looks up what is in the way of every thing where it lies now.
    fn places(&mut self, task: &Task, story: &Story, world: &World) {
        self.runs.clear();
        self.place_pre.clear();
        for &id in &task.access {
            let (x, touch) = match task.facts[usize::from(id)] {
                Fact::Touch(x) => (x, true),
                Fact::See(x) => (x, false),
                _ => continue,
            };
            let begin = self.place_pre.len();
            let is_door = story.is(x, crate::entity::Attr::Door);
            let can = !is_door
                && way_to(story, world, task.me, x, touch, |fact| {
                    // What nothing bears on holds or never will: an optimist passes over it.
                    if !task.holds(fact, story, world)
                        && let Some(id) = task.find(fact)
                    {
                        self.place_pre.push(id);
                    }
                });
            if !can {
                self.place_pre.truncate(begin);
            }
            let end = self.place_pre.len() as u32;
            // Runs stay in order for the search in them, also those that lead nowhere.
            self.runs.push((if can { begin as u32 } else { NEVER }, end));
        }
        let n = self.runs.len();
        self.place_missing.clear();
        let mut begin = 0;
        for run in &self.runs {
            self.place_missing.push(run.1 - begin);
            begin = run.1;
        }
        fill(&mut self.place_sum, n, 0);
        fill(&mut self.head, task.facts.len(), NEVER);
        fill(&mut self.next, self.place_pre.len(), NEVER);
        for (at, &p) in self.place_pre.iter().enumerate() {
            self.next[at] = self.head[usize::from(p)];
            self.head[usize::from(p)] = at as u32;
        }
    }

    /// Follows the supporters back from the goals.
    fn extract(&mut self, task: &Task) -> u32 {
        self.steps.clear();
        if task.goals.iter().any(|g| self.cost[usize::from(*g)] == NEVER) {
            return NEVER;
        }
        fill(&mut self.marked, task.facts.len(), false);
        self.stack.clear();
        self.stack.extend_from_slice(&task.goals);
        while let Some(fact) = self.stack.pop() {
            let f = usize::from(fact);
            if std::mem::replace(&mut self.marked[f], true) {
                continue;
            }
            match self.by[f] {
                GIVEN => {}
                BY_PLACE => {
                    let i = task.access.iter().position(|a| *a == fact).unwrap_or(0);
                    let begin = if i == 0 { 0 } else { self.runs[i - 1].1 };
                    let end = self.runs[i].1;
                    self.stack.extend_from_slice(&self.place_pre[begin as usize..end as usize]);
                }
                o => {
                    let op = &task.ops[o as usize];
                    if let Some(action) = op.action {
                        self.steps.push(Step { cost: self.cost[f], op: o as u16, action });
                    }
                    self.stack.extend_from_slice(task.pre_of(o as usize));
                }
            }
        }
        self.steps.sort_unstable();
        let steps = &mut self.steps;
        let mut kept = 0;
        for i in 0..steps.len() {
            // A walk of one direction may be meant from several rooms; anything else is done once.
            let again = steps[..kept].iter().any(|s| {
                s.action == steps[i].action && (s.action.verb != crate::Verb::Go || s.op == steps[i].op)
            });
            if !again {
                steps[kept] = steps[i];
                kept += 1;
            }
        }
        steps.truncate(kept);
        kept as u32
    }

    /// The room of the first [`Fact::Room`] that an op needs.
    pub(super) fn room_of(task: &Task, op: u16) -> Option<Ent> {
        task.pre_of(usize::from(op)).iter().find_map(|p| match task.facts[usize::from(*p)] {
            Fact::Room(r) => Some(r),
            _ => None,
        })
    }
}

fn fill<T: Clone>(v: &mut Vec<T>, n: usize, value: T) {
    v.clear();
    v.resize(n, value);
}
