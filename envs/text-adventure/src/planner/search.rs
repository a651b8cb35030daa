//! Best-first search over states, and the exact search for a shortest plan.

use super::{
    compile::compile,
    fact::{Fact, Task},
    relax::{NEVER, Relaxer, Step},
    shorten::shorten,
    walk::{Ways, act, follow},
};
use crate::{
    action::Action,
    condition::{Binding, Cond, Pred, Term, all_hold},
    effect::Effect,
    rules,
    scope::Scope,
    set::Ent,
    story::{Story, Trigger},
    world::{End, World},
};
use std::{cmp::Reverse, collections::BinaryHeap};

/// What a plan is for.
#[derive(Clone, PartialEq, Debug)]
pub enum Goal {
    /// A won game with every point that there is, of all seats together.
    Win,
    /// All of these, where [`Term::Me`] is the figure of the seat.
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

#[derive(Clone, Copy, Debug)]
struct Node {
    world: World,
    parent: u32,
    begin: u32,
    end: u32,
    cost: u32,
}

/// A planner. It keeps its memory from plan to plan.
#[derive(Default, Debug)]
pub struct Planner {
    task: Task,
    relaxer: Relaxer,
    ways: Ways,
    nodes: Vec<Node>,
    pool: Vec<Action>,
    seen: Seen,
    steps: Vec<Step>,
    open: BinaryHeap<Reverse<(u32, u32, u32)>>,
    rest: BinaryHeap<Reverse<(u32, u32, u32)>>,
    listed: Vec<Action>,
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

    fn path(&self, goal: u32) -> Vec<Action> {
        let mut nodes = vec![goal];
        let mut at = goal;
        while self.nodes[at as usize].parent != NEVER {
            at = self.nodes[at as usize].parent;
            nodes.push(at);
        }
        let runs = nodes.iter().rev().map(|n| &self.nodes[*n as usize]);
        runs.flat_map(|n| &self.pool[n.begin as usize..n.end as usize]).copied().collect()
    }

    /// A* with the dearest-need bound, over every action that works.
    fn exact(&mut self, story: &Story, me: Ent, goal: &Goal, budget: &Budget) -> Result<Plan, NoPlan> {
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
fn is_never(cond: Cond, story: &Story, me: Ent) -> bool {
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

/// Whether nothing but the player changes the world of `story`, so that equal hashes mean equal futures.
fn is_still(story: &Story) -> bool {
    story.entities.iter().all(|e| e.pace == 0 && e.fuel.is_none())
        && story.rules.iter().all(|r| {
            r.trigger != Trigger::EachTurn && !r.when.iter().any(|c| matches!(c.pred, Pred::Turn(_)))
        })
}

/// States that were met, by hash, with the cheapest way to each: open addressing.
#[derive(Default, Debug)]
struct Seen {
    table: Vec<(u64, u32)>,
    used: usize,
}

impl Seen {
    fn clear(&mut self) {
        self.table.fill((0, 0));
        self.used = 0;
    }

    fn slot(&self, key: u64) -> usize {
        let mask = self.table.len() - 1;
        let mut at = key as usize & mask;
        while self.table[at].0 != 0 && self.table[at].0 != key {
            at = (at + 1) & mask;
        }
        at
    }

    /// Whether `hash` is new; it is known from now on.
    fn insert(&mut self, hash: u64) -> bool {
        let key = hash.max(1);
        if self.used * 2 >= self.table.len() {
            let bigger = vec![(0, 0); (self.table.len() * 2).max(256)];
            for entry in std::mem::replace(&mut self.table, bigger) {
                if entry.0 != 0 {
                    let at = self.slot(entry.0);
                    self.table[at] = entry;
                }
            }
        }
        let at = self.slot(key);
        let is_new = self.table[at].0 == 0;
        if is_new {
            self.table[at] = (key, 0);
            self.used += 1;
        }
        is_new
    }

    /// The cheapest way to `hash`.
    fn cost(&self, hash: u64) -> Option<u32> {
        let entry = self.table[self.slot(hash.max(1))];
        (entry.0 != 0).then_some(entry.1)
    }

    /// Whether `cost` is the cheapest way to `hash` so far; it is remembered then.
    fn lower(&mut self, hash: u64, cost: u32) -> bool {
        let is_new = self.insert(hash);
        let at = self.slot(hash.max(1));
        let is_lower = is_new || cost < self.table[at].1;
        if is_lower {
            self.table[at].1 = cost;
        }
        is_lower
    }
}
