//! How much of a quest is left, told from the state alone: what each step of a certified plan needs, regressed from the
//! end of the plan to its start, once.

use crate::{
    action::{Action, Dir, Verb},
    entity::{Attr, Bit},
    log::Log,
    rules,
    scope::Scope,
    set::{Ent, NONE},
    story::Story,
    world::{End, MAX_FLAGS, MAX_RULES, World},
};

/// Something that is so in a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fact {
    /// The first lies in, on or with the second.
    At(Ent, Ent),
    Is(Bit, Ent, bool),
    Flag(u8),
    Fired(u8),
    Learned(u8),
}

impl Fact {
    fn holds(self, world: &World) -> bool {
        match self {
            Self::At(e, place) => world.parent(e) == place,
            Self::Is(bit, e, value) => world.is(e, bit) == value,
            Self::Flag(flag) => world.flag(flag),
            Self::Fired(rule) => world.has_fired(rule),
            Self::Learned(topic) => world.has_learned(topic),
        }
    }

    /// Whether both are about the same thing, whatever they say of it.
    fn is_about(self, other: Self) -> bool {
        match (self, other) {
            (Self::At(a, _), Self::At(b, _)) => a == b,
            (Self::Is(a, x, _), Self::Is(b, y, _)) => (a, x) == (b, y),
            (a, b) => a == b,
        }
    }
}

/// What must be so before each step of a plan for the rest of it to work, walking aside.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Milestones {
    /// Facts needed before a step, and the steps left then (walks not counted), least left first.
    needs: Vec<(Vec<Fact>, u16)>,
    /// Steps of the whole plan, walks not counted.
    all: u16,
}

impl Milestones {
    /// The milestones of a plan: seats and what they do, in order. Empty when the plan does not work.
    pub(crate) fn of(story: &Story, plan: &[(usize, Action)]) -> Self {
        let mut worlds = vec![story.start];
        for &(seat, action) in plan {
            let mut world = worlds[worlds.len() - 1];
            let scope = Scope::of(story, &world, story.seats[seat]);
            if world.end() != End::Open
                || rules::apply(story, &mut world, &scope, action, &mut Log::default()).is_err()
            {
                return Self::default();
            }
            rules::end_turn(story, &mut world, &mut Log::default());
            worlds.push(world);
        }
        let mut milestones = Self::default();
        let Some(last) = plan.len().checked_sub(1) else { return milestones };
        let mut needed = brought_about(story, &worlds[0], &worlds[last]);
        for i in (0..=last).rev() {
            // What this step brings about need not be so before it.
            needed.retain(|f| f.holds(&worlds[i]));
            for fact in support(story, &worlds[i], plan[i]) {
                if !needed.iter().any(|f| f.is_about(fact)) {
                    needed.push(fact);
                }
            }
            if plan[i].1.verb != Verb::Go {
                milestones.all += 1;
            }
            milestones.needs.push((needed.clone(), milestones.all));
        }
        milestones
    }

    /// Minus the share of the plan that is left in `world`, -1 to 0; -1 where nothing is known.
    pub(crate) fn potential(&self, world: &World) -> f32 {
        let reached = self.needs.iter().find(|(facts, _)| facts.iter().all(|f| f.holds(world)));
        match reached {
            Some((_, left)) if self.all > 0 => -f32::from(*left) / f32::from(self.all),
            _ => -1.0,
        }
    }
}

/// What is otherwise before the last step than at the start: how things lie and stand, flags, rules, topics. People
/// move by themselves, so where they are is left out.
fn brought_about(story: &Story, before: &World, after: &World) -> Vec<Fact> {
    let entities = story.rooms..story.len() as Ent;
    let places =
        entities.clone().filter(|e| !story.is(*e, Attr::Actor)).map(|e| Fact::At(e, after.parent(e)));
    let bits = Bit::ALL.iter().filter(|b| **b != Bit::Moved).flat_map(|&bit| {
        let entities = entities.clone();
        entities.map(move |e| Fact::Is(bit, e, after.is(e, bit)))
    });
    let flags = (0..MAX_FLAGS as u8).map(Fact::Flag);
    let fired = (0..MAX_RULES as u8).map(Fact::Fired);
    let learned = (0..64).map(Fact::Learned);
    let all = places.chain(bits).chain(flags).chain(fired).chain(learned);
    all.filter(|f| f.holds(after) && !f.holds(before)).collect()
}

/// What a step needs of the things that it is about: where they lie and how they stand. Where the figure itself stands
/// is left out, so that walking is worth nothing by itself.
fn support(story: &Story, world: &World, (seat, action): (usize, Action)) -> Vec<Fact> {
    let mut facts = Vec::new();
    let me = story.seats[seat];
    let room = world.outermost(me);
    let door = match Dir::of_slot(action.a) {
        Some(dir) if action.verb == Verb::Go => story.exit(room, dir).door,
        _ => NONE,
    };
    if door != NONE {
        facts.push(Fact::Is(Bit::Open, door, true));
    }
    let is_topic = rules::entry(action.verb).b == crate::action::Slot::Topic;
    for e in [action.a, if is_topic { NONE } else { action.b }] {
        if usize::from(e) >= story.len() || e == me {
            continue;
        }
        if !story.is_room(e) && world.parent(e) != NONE {
            facts.push(Fact::At(e, world.parent(e)));
        }
        facts.extend(Bit::ALL.iter().filter(|b| **b != Bit::Moved).map(|b| Fact::Is(*b, e, world.is(e, *b))));
        // What it lies in must be as open as it is.
        let mut holder = world.parent(e);
        while holder != NONE && !story.is_room(holder) && holder != me {
            facts.push(Fact::Is(Bit::Open, holder, world.is(holder, Bit::Open)));
            holder = world.parent(holder);
        }
    }
    facts
}
