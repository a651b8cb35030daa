//! Walking, and following the optimist's plan as far as it goes.

use super::{
    fact::{Fact, Task},
    relax::{Relaxer, Step},
};
use crate::{
    action::{Action, Dir, Verb},
    entity::{Attr, Bit},
    log::Log,
    rules::{self, Refusal},
    scope::Scope,
    set::{Ent, NONE},
    story::Story,
    world::{End, World},
};

/// Most rooms of a story.
const ROOMS: usize = crate::set::MAX_ENTITIES;

/// Carries out one action of `me` and ends the turn.
///
/// # Errors
/// Why the rules refuse it; the world is then as it was.
pub fn act(story: &Story, world: &mut World, me: Ent, action: Action) -> Result<(), Refusal> {
    let scope = Scope::of(story, world, me);
    let mut log = Log::default();
    rules::apply(story, world, &scope, action, &mut log)?;
    rules::end_turn(story, world, &mut log);
    Ok(())
}

/// Ways from one room through what is open now.
#[derive(Debug)]
pub(super) struct Ways {
    /// Steps to each room, [`NONE`] for no way.
    pub(super) far: [u8; ROOMS],
    last: [(Ent, u8); ROOMS],
    queue: Vec<Ent>,
}

impl Default for Ways {
    fn default() -> Self {
        Self { far: [NONE; ROOMS], last: [(NONE, 0); ROOMS], queue: Vec::new() }
    }
}

impl Ways {
    /// Measures all ways from `room`.
    pub(super) fn from(&mut self, story: &Story, world: &World, room: Ent) {
        self.far = [NONE; ROOMS];
        self.queue.clear();
        self.queue.push(room);
        self.far[usize::from(room)] = 0;
        let mut next = 0;
        while let Some(&at) = self.queue.get(next) {
            next += 1;
            for &dir in Dir::ALL {
                let exit = story.exit(at, dir);
                let open = exit.to != NONE
                    && (exit.door == NONE
                        || (world.is(exit.door, Bit::Open) && !world.is(exit.door, Bit::Hidden)));
                if open && self.far[usize::from(exit.to)] == NONE {
                    self.far[usize::from(exit.to)] = self.far[usize::from(at)] + 1;
                    self.last[usize::from(exit.to)] = (at, dir as u8);
                    self.queue.push(exit.to);
                }
            }
        }
    }

    /// Adds the walk to `room`, which must be within reach, to `out`.
    pub(super) fn walk_to(&self, room: Ent, out: &mut Vec<Action>) {
        let begin = out.len();
        let mut at = room;
        while self.far[usize::from(at)] != 0 {
            let (from, dir) = self.last[usize::from(at)];
            out.push(Action::go(Dir::ALL[usize::from(dir)]));
            at = from;
        }
        out[begin..].reverse();
    }
}

/// Where an action on a thing that is not held is done; `None` where one stands.
fn site(story: &Story, world: &World, me: Ent, ways: &Ways, x: Ent) -> Option<Ent> {
    if usize::from(x) >= story.len() {
        return None;
    }
    if story.is(x, Attr::Door) {
        let sides = story.entity(x).sides;
        return sides.into_iter().min_by_key(|s| ways.far[usize::from(*s)]);
    }
    let room = world.outermost(x);
    (story.is_room(room) && !world.is_within(x, me)).then_some(room)
}

/// Follows `steps` from `world` as far as they go, nearest first and never before what they need; adds what it did to
/// `out`. Whatever has to be carried too much is laid down.
pub(super) fn follow(
    task: &Task,
    story: &Story,
    world: &mut World,
    steps: &[Step],
    ways: &mut Ways,
    out: &mut Vec<Action>,
) {
    let mut left: Vec<Step> = steps.iter().filter(|s| s.action.verb != Verb::Go).copied().collect();
    let mut order: Vec<(u8, usize, Ent)> = Vec::new();
    let begin = out.len();
    'next: while world.end() == End::Open && out.len() - begin < 4 * 256 {
        let here = world.outermost(task.me);
        ways.from(story, world, here);
        order.clear();
        for (i, step) in left.iter().enumerate() {
            if !is_ready(task, story, world, step.op) {
                continue;
            }
            let action = step.action;
            let is_topic = matches!(action.verb, Verb::Ask | Verb::Tell);
            let sites = [Some(action.a), (!is_topic).then_some(action.b)];
            let mut places = sites.into_iter().flatten().filter_map(|x| site(story, world, task.me, ways, x));
            let goal = Relaxer::room_of(task, step.op).or_else(|| places.next()).unwrap_or(here);
            if ways.far[usize::from(goal)] != NONE {
                order.push((ways.far[usize::from(goal)], i, goal));
            }
        }
        order.sort_unstable();
        for &(_, i, goal) in &order {
            let (mark, saved) = (out.len(), *world);
            ways.walk_to(goal, out);
            let walked = out[mark..].iter().all(|a| act(story, world, task.me, *a).is_ok());
            if walked && perform(task, story, world, &left, left[i].action, out) {
                left.remove(i);
                continue 'next;
            }
            *world = saved;
            out.truncate(mark);
        }
        return;
    }
}

/// Does `action`, having made room in the hands for it if need be.
fn perform(
    task: &Task,
    story: &Story,
    world: &mut World,
    left: &[Step],
    action: Action,
    out: &mut Vec<Action>,
) -> bool {
    match act(story, world, task.me, action) {
        Ok(()) => {
            out.push(action);
            true
        }
        Err(Refusal::HandsFull) => {
            let uses = |x: Ent| left.iter().filter(|s| s.action.a == x || s.action.b == x).count();
            let held = (story.rooms..story.len() as Ent).filter(|e| world.parent(*e) == task.me);
            let Some(least) = held.filter(|e| !world.is(*e, Bit::Worn)).min_by_key(|e| (uses(*e), *e)) else {
                return false;
            };
            let drop = Action::on(Verb::Drop, least);
            if act(story, world, task.me, drop).is_err() || act(story, world, task.me, action).is_err() {
                return false;
            }
            out.extend([drop, action]);
            true
        }
        Err(_) => false,
    }
}

/// Whether an op lacks nothing but a walk.
fn is_ready(task: &Task, story: &Story, world: &World, op: u16) -> bool {
    task.pre_of(usize::from(op)).iter().all(|p| {
        let fact = task.facts[usize::from(*p)];
        matches!(fact, Fact::Room(_) | Fact::Touch(_) | Fact::See(_) | Fact::Light(_))
            || task.holds(fact, story, world)
    })
}
