//! Every action that works now.

use super::{
    check::Around,
    table::{Entry, Need, Pair, TABLE, What},
};
use crate::{
    action::{Action, Dir, Slot},
    entity::Attr,
    scope::Scope,
    set::{Ent, NONE, Set},
    story::Story,
    world::{End, World},
};

/// Replaces `actions` by every action that works now for the actor of `scope`, in ascending order of verb and objects.
///
/// The list is complete: an action is in it exactly when [`super::check()`] lets it pass, but for twins (things of the
/// same name) that can stand for each other, of which only the lowest is listed. It is empty once the game is over.
pub fn admissible(story: &Story, world: &World, scope: &Scope, actions: &mut Vec<Action>) {
    actions.clear();
    if world.end() != End::Open {
        return;
    }
    let around = Around { story, world, scope };
    for verb in story.verbs.iter() {
        around.list(&TABLE[verb as usize], actions);
    }
}

impl Around<'_> {
    fn list(&self, entry: &Entry, actions: &mut Vec<Action>) {
        let begin = actions.len();
        let fitting = &self.story.fitting[entry.verb as usize];
        let has_twins = !self.story.twins.is_empty();
        let add = |a: Ent, b: Ent, actions: &mut Vec<Action>| {
            let action = Action { verb: entry.verb, a, b };
            if self.together_narrowed(entry, action)
                && !(has_twins && self.is_double(action, &actions[begin..]))
            {
                actions.push(action);
            }
        };
        match (entry.a, entry.b) {
            (Slot::Dir, _) => Dir::ALL.iter().for_each(|d| add(d.slot(), NONE, actions)),
            (Slot::Thing, Slot::Thing) => {
                let mut first = self.passing(entry.need_a, fitting[0]);
                if first.is_empty() {
                    return;
                }
                let mut second = self.passing(entry.need_b, fitting[1]);
                self.narrow(entry, &mut first, &mut second);
                for a in first {
                    second.iter().for_each(|b| add(a, b, actions));
                }
            }
            (Slot::Thing, Slot::Topic) => {
                for a in self.passing(entry.need_a, fitting[0]) {
                    for (t, topic) in self.story.topics.iter().enumerate() {
                        if topic.actor == a {
                            add(a, t as Ent, actions);
                        }
                    }
                }
            }
            (Slot::Thing, _) => {
                let mut first = self.passing(entry.need_a, fitting[0]);
                let mut none = Set::EMPTY;
                self.narrow(entry, &mut first, &mut none);
                first.iter().for_each(|a| add(a, NONE, actions));
            }
            _ => add(NONE, NONE, actions),
        }
    }

    /// Takes out candidates that fail a pair which is about one object alone (see [`Pair::is_of_one`]), and those that a
    /// pair of both rules out whatever the other object is.
    #[inline]
    fn narrow(&self, entry: &Entry, first: &mut Set, second: &mut Set) {
        if first.is_empty() {
            return;
        }
        let (story, world) = (self.story, self.world);
        for pair in entry.pairs {
            match pair {
                Pair::Strength => {
                    let left = self.strength_left(self.scope.me);
                    *first = first.iter().filter(|e| u32::from(story.entity(*e).size) <= left).collect();
                }
                Pair::Space => {
                    let has_room = |e: &Ent| world.children(*e) < usize::from(story.entity(*e).capacity);
                    *second = second.iter().filter(has_room).collect();
                }
                Pair::Fuel => *first = first.iter().filter(|e| self.has_fuel(*e)).collect(),
                Pair::Light if !self.scope.is_lit => *first = Set::EMPTY,
                Pair::Trade => {
                    let people = *story.all(Attr::Actor) & self.scope.reach;
                    let is_held = |e: &Ent| {
                        let holder = world.parent(*e);
                        holder != NONE && people.has(holder)
                    };
                    *second = second.iter().filter(is_held).collect();
                }
                _ => {}
            }
        }
    }

    /// All entities that pass what is needed of one object; `fitting` are those whose attributes do. Objects must be
    /// seen, whatever else is needed.
    #[inline]
    fn passing(&self, needs: &[Need], fitting: Set) -> Set {
        let mut left = fitting & self.scope.seen;
        for need in needs {
            if left.is_empty() {
                break;
            }
            match need.what {
                What::Attr(_) | What::Seen => {}
                what if need.want => left &= self.set(what),
                what => left = left - self.set(what),
            }
        }
        left
    }

    /// Whether the same words stand for an action that is listed already.
    fn is_double(&self, action: Action, listed: &[Action]) -> bool {
        let name = |e: Ent| self.story.entities.get(usize::from(e)).map_or(e, |x| x.twin);
        let is_twin = |e: Ent| usize::from(e) < self.story.len() && self.story.twins.has(e);
        (is_twin(action.a) || is_twin(action.b))
            && super::entry(action.verb).b != Slot::Topic
            && listed.iter().any(|o| name(o.a) == name(action.a) && name(o.b) == name(action.b))
    }
}
