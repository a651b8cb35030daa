//! Best-first search over states.

use super::{
    compile::compile,
    fact::{Fact, Task},
    goal::{Budget, Goal, NoPlan, Plan},
    relax::{NEVER, Relaxer, Step},
    seen::Seen,
    shorten::shorten,
    walk::{Ways, act, follow},
};
use crate::{
    action::Action,
    condition::{Cond, Pred, Term},
    effect::Effect,
    rules,
    scope::Scope,
    set::Ent,
    story::{Story, Trigger},
    world::{End, World},
};
use std::{cmp::Reverse, collections::BinaryHeap};

/// A state with the way to it: its parent and the actions from there, in the pool.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) world: World,
    pub(super) parent: u32,
    pub(super) begin: u32,
    pub(super) end: u32,
    pub(super) cost: u32,
}

/// A planner. It keeps its memory from plan to plan.
#[derive(Default, Debug)]
pub struct Planner {
    pub(super) task: Task,
    pub(super) relaxer: Relaxer,
    pub(super) ways: Ways,
    pub(super) nodes: Vec<Node>,
    pub(super) pool: Vec<Action>,
    pub(super) seen: Seen,
    pub(super) steps: Vec<Step>,
    pub(super) open: BinaryHeap<Reverse<(u32, u32, u32)>>,
    pub(super) rest: BinaryHeap<Reverse<(u32, u32, u32)>>,
    pub(super) listed: Vec<Action>,
}

impl Planner {
    /// Plans for `seat` from `world` to `goal`.
    ///
    /// # Errors
    /// When nothing leads there, or nothing was found within the budget.
    pub fn plan(
        &mut self,
        story: &Story,
        world: &World,
        seat: usize,
        goal: &Goal,
        budget: &Budget,
    ) -> Result<Plan, NoPlan> {
        let me = story.seats[seat];
        if goal.is_met(story, world, me) {
            return Ok(Plan { actions: Vec::new(), is_shortest: true, nodes: 0 });
        }
        self.prepare(story, world, me, goal);
        let root = Node { world: *world, parent: NEVER, begin: 0, end: 0, cost: 0 };
        self.nodes.push(root);
        self.seen.insert(world.hash());
        if budget.shortest {
            return self.exact(story, me, goal, budget);
        }
        let h = self.relaxer.estimate(&self.task, story, world);
        if h == NEVER {
            return Err(NoPlan::Impossible { nodes: 1 });
        }
        self.open.push(Reverse((h, 0, 0)));
        let mut found = self.search(story, me, goal, budget)?;
        let nodes = self.nodes.len() as u32;
        if budget.shorten {
            shorten(story, world, me, &mut found, |w| goal.is_met(story, w, me));
        }
        Ok(Plan { actions: found, is_shortest: false, nodes })
    }

    /// The first action of a plan for `seat` from `world`: the policy of a planner that plans anew in every state.
    ///
    /// # Errors
    /// As [`Planner::plan`]. `Ok(None)` when the goal is reached.
    pub fn next(
        &mut self,
        story: &Story,
        world: &World,
        seat: usize,
        goal: &Goal,
        budget: &Budget,
    ) -> Result<Option<Action>, NoPlan> {
        Ok(self.plan(story, world, seat, goal, budget)?.actions.first().copied())
    }

    fn prepare(&mut self, story: &Story, world: &World, me: Ent, goal: &Goal) {
        self.nodes.clear();
        self.pool.clear();
        self.seen.clear();
        self.open.clear();
        self.rest.clear();
        ground(&mut self.task, story, world, me, goal);
    }

    fn search(
        &mut self,
        story: &Story,
        me: Ent,
        goal: &Goal,
        budget: &Budget,
    ) -> Result<Vec<Action>, NoPlan> {
        loop {
            let (at, everything) = match (self.open.pop(), self.rest.is_empty()) {
                (Some(Reverse((.., at))), _) => (at, false),
                (None, false) => (self.rest.pop().map_or(0, |Reverse((.., at))| at), true),
                (None, true) => return Err(NoPlan::Impossible { nodes: self.nodes.len() as u32 }),
            };
            let world = self.nodes[at as usize].world;
            let found = if everything {
                self.expand_all(story, me, goal, at, &world)
            } else {
                self.expand(story, me, goal, at, &world)
            };
            if let Some(goal) = found {
                return Ok(self.path(goal));
            }
            if self.nodes.len() as u32 >= budget.nodes {
                return Err(NoPlan::Budget { nodes: self.nodes.len() as u32 });
            }
        }
    }

    /// Follows the optimist from node `at`, then takes each of his steps that works now alone.
    fn expand(&mut self, story: &Story, me: Ent, goal: &Goal, at: u32, world: &World) -> Option<u32> {
        let h = self.relaxer.estimate(&self.task, story, world);
        std::mem::swap(&mut self.steps, &mut self.relaxer.steps);
        let begin = self.pool.len() as u32;
        let mut ahead = *world;
        follow(&self.task, story, &mut ahead, &self.steps, &mut self.ways, &mut self.pool);
        if self.pool.len() as u32 > begin
            && let Some(goal) = self.add(story, me, goal, at, begin, ahead)
        {
            return Some(goal);
        }
        let steps = std::mem::take(&mut self.steps);
        let found = steps.iter().find_map(|step| self.try_one(story, me, goal, at, world, step.action));
        self.steps = steps;
        self.rest.push(Reverse((h, self.nodes[at as usize].cost, at)));
        found
    }

    fn expand_all(&mut self, story: &Story, me: Ent, goal: &Goal, at: u32, world: &World) -> Option<u32> {
        let mut listed = std::mem::take(&mut self.listed);
        rules::admissible(story, world, &Scope::of(story, world, me), &mut listed);
        let found = listed.iter().find_map(|a| self.try_one(story, me, goal, at, world, *a));
        self.listed = listed;
        found
    }

    fn try_one(
        &mut self,
        story: &Story,
        me: Ent,
        goal: &Goal,
        at: u32,
        world: &World,
        action: Action,
    ) -> Option<u32> {
        let mut next = *world;
        if act(story, &mut next, me, action).is_err() {
            return None;
        }
        let begin = self.pool.len() as u32;
        self.pool.push(action);
        self.add(story, me, goal, at, begin, next)
    }

    /// Adds a state reached from node `parent` by the actions of the pool from `begin`, unless it is known or hopeless.
    /// Returns it when it meets the goal.
    fn add(
        &mut self,
        story: &Story,
        me: Ent,
        goal: &Goal,
        parent: u32,
        begin: u32,
        world: World,
    ) -> Option<u32> {
        let end = self.pool.len() as u32;
        if !self.seen.insert(world.hash()) {
            self.pool.truncate(begin as usize);
            return None;
        }
        let cost = self.nodes[parent as usize].cost + (end - begin);
        let at = self.nodes.len() as u32;
        self.nodes.push(Node { world, parent, begin, end, cost });
        if goal.is_met(story, &world, me) {
            return Some(at);
        }
        let h = match world.end() {
            End::Open => self.relaxer.estimate(&self.task, story, &world),
            _ => NEVER,
        };
        if h != NEVER {
            self.open.push(Reverse((h, cost, at)));
        }
        None
    }

    pub(super) fn path(&self, goal: u32) -> Vec<Action> {
        let mut nodes = vec![goal];
        let mut at = goal;
        while self.nodes[at as usize].parent != NEVER {
            at = self.nodes[at as usize].parent;
            nodes.push(at);
        }
        let runs = nodes.iter().rev().map(|n| &self.nodes[*n as usize]);
        runs.flat_map(|n| &self.pool[n.begin as usize..n.end as usize]).copied().collect()
    }
}

/// Grounds what bears on `goal`.
pub(super) fn ground(task: &mut Task, story: &Story, world: &World, me: Ent, goal: &Goal) {
    task.clear(me);
    let mut goals = Vec::new();
    match goal {
        Goal::Win => {
            goals.push(Fact::Won);
            let scores = |e: &Effect| matches!(e, Effect::Score(n) if *n > 0);
            for (r, rule) in story.rules.iter().enumerate() {
                let can_fire = !rule.when.iter().any(|c| is_never(*c, story, me));
                if rule.once
                    && can_fire
                    && !matches!(rule.trigger, Trigger::Forbid(_))
                    && rule.effects.iter().any(scores)
                {
                    goals.push(Fact::Fired(r as u8));
                }
            }
        }
        Goal::All(conds) => {
            let ent = |t: Term| match t {
                Term::Ent(e) => Some(e),
                Term::Me => Some(me),
                _ => None,
            };
            for cond in conds {
                let fact = match (cond.pred, cond.want) {
                    (Pred::At(x, y), true) => ent(x).zip(ent(y)).map(|(x, y)| match () {
                        () if x == me => Fact::Room(y),
                        () if y == me => Fact::Held(x),
                        () => Fact::At(x, y),
                    }),
                    (Pred::Within(x, y), true) => ent(x).zip(ent(y)).map(|(x, y)| match () {
                        () if x == me => Fact::Room(y),
                        () if y == me => Fact::Held(x),
                        () => Fact::Within(x, y),
                    }),
                    (Pred::Has(x, bit), true) => ent(x).map(|x| Fact::Is(bit, x)),
                    (Pred::Has(x, bit), false) => ent(x).map(|x| Fact::Not(bit, x)),
                    (Pred::Flag(f), want) => Some(Fact::Flag(f, want)),
                    (Pred::AtLeast(c, n), true) => Some(Fact::AtLeast(c, n)),
                    (Pred::Learned(t), true) => Some(Fact::Learned(t)),
                    (Pred::Fired(r), true) => Some(Fact::Fired(r)),
                    (Pred::Visible(x), true) => ent(x).map(Fact::See),
                    (Pred::Reachable(x), true) => ent(x).map(Fact::Touch),
                    _ => None,
                };
                goals.extend(fact);
            }
        }
    }
    for fact in goals {
        let id = task.id(fact);
        if !task.goals.contains(&id) {
            task.goals.push(id);
        }
    }
    compile(task, story, world);
}

/// Whether a condition can never hold, because it is about who acts or what something is. Rules for another player of
/// the story fall away by it.
pub(crate) fn is_never(cond: Cond, story: &Story, me: Ent) -> bool {
    let ent = |t: Term| match t {
        Term::Ent(e) => Some(e),
        Term::Me => Some(me),
        _ => None,
    };
    match cond.pred {
        Pred::Same(x, y) => ent(x).zip(ent(y)).is_some_and(|(x, y)| (x == y) != cond.want),
        Pred::Is(x, attr) => ent(x).is_some_and(|x| story.is(x, attr) != cond.want),
        _ => false,
    }
}
