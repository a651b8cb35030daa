//! Every action that works now.

use super::{
    check::Around,
    sieve::Sieve,
    table::{Entry, Pair, TABLE},
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
    // Most stories have so few entities that one word holds a set of them.
    if story.len() <= 64 { around.all::<1>(actions) } else { around.all::<4>(actions) }
}

impl Around<'_> {
    fn all<const N: usize>(&self, actions: &mut Vec<Action>) {
        let sieve = Sieve::<N>::of(self);
        for verb in self.story.verbs.iter() {
            self.list(&TABLE[verb as usize], &sieve, actions);
        }
    }

    fn list<const N: usize>(&self, entry: &Entry, sieve: &Sieve<N>, actions: &mut Vec<Action>) {
        let begin = actions.len();
        let add = |a: Ent, b: Ent, actions: &mut Vec<Action>| {
            let action = Action { verb: entry.verb, a, b };
            if self.together_narrowed(entry, action) && !self.is_double(action, &actions[begin..]) {
                actions.push(action);
            }
        };
        match (entry.a, entry.b) {
            (Slot::Dir, _) => {
                let exits = &self.story.exits[usize::from(self.scope.room)];
                let needs_exit = matches!(entry.pairs, [Pair::Way, ..]);
                for (dir, exit) in Dir::ALL.iter().zip(exits) {
                    if exit.to != NONE || !needs_exit {
                        add(dir.slot(), NONE, actions);
                    }
                }
            }
            (Slot::Thing, Slot::Thing) => {
                let Some(first) = sieve.passing(self.story, entry.verb, 0) else { return };
                let Some(second) = sieve.passing(self.story, entry.verb, 1) else { return };
                let (mut first, mut second) = (first.set(), second.set());
                self.narrow(entry, &mut first, &mut second);
                for a in first {
                    second.iter().for_each(|b| add(a, b, actions));
                }
            }
            (Slot::Thing, Slot::Topic) => {
                let Some(first) = sieve.passing(self.story, entry.verb, 0) else { return };
                first.each(|a| {
                    for (t, topic) in self.story.topics.iter().enumerate() {
                        if topic.actor == a {
                            add(a, t as Ent, actions);
                        }
                    }
                });
            }
            (Slot::Thing, _) => {
                let Some(first) = sieve.passing(self.story, entry.verb, 0) else { return };
                let is_free = !self.story.forbids.has(entry.verb) && first.has_none_of(&self.story.twins);
                if entry.pairs.is_empty() && is_free {
                    first.each(|a| actions.push(Action { verb: entry.verb, a, b: NONE }));
                    return;
                }
                let mut first = first.set();
                self.narrow(entry, &mut first, &mut { Set::EMPTY });
                first.iter().for_each(|a| add(a, NONE, actions));
            }
            _ => add(NONE, NONE, actions),
        }
    }

    /// Takes out candidates that fail a pair which is about one object alone (see [`Pair::is_of_one`]), and those that a
    /// pair of both rules out whatever the other object is.
    fn narrow(&self, entry: &Entry, first: &mut Set, second: &mut Set) {
        let (story, world) = (self.story, self.world);
        for pair in entry.pairs {
            match pair {
                Pair::Strength => {
                    let left = self.strength_left(self.scope.me);
                    *first = first.iter().filter(|e| u32::from(story.entity(*e).size) <= left).collect();
                }
                Pair::Space => {
                    let has_room = |e: &Ent| self.has_space(*e);
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

    /// Whether the same words stand for an action that is listed already.
    fn is_double(&self, action: Action, listed: &[Action]) -> bool {
        let name = |e: Ent| self.story.entities.get(usize::from(e)).map_or(e, |x| x.twin);
        let is_twin = |e: Ent| usize::from(e) < self.story.len() && self.story.twins.has(e);
        (is_twin(action.a) || is_twin(action.b))
            && super::entry(action.verb).b != Slot::Topic
            && listed.iter().any(|o| name(o.a) == name(action.a) && name(o.b) == name(action.b))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        generate::{Knobs, generate},
        rules::perform,
    };
    use rl_gym::Pcg64;

    #[test]
    fn sets_of_one_word_and_of_four_list_the_same() {
        let mut rng = Pcg64::seed(5);
        let (mut one, mut four, mut log) = (Vec::new(), Vec::new(), crate::Log::default());
        for seed in 0..4 {
            let knobs = Knobs { rooms: 8, distractors: 12, people: 1, ..Knobs::default() };
            let story = generate(&knobs, seed).expect("a game").story;
            assert!(story.len() <= 64, "{} entities are too many for one word", story.len());
            let mut world = story.start;
            for _ in 0..200 {
                let scope = Scope::of(&story, &world, story.seats[0]);
                let around = Around { story: &story, world: &world, scope: &scope };
                one.clear();
                four.clear();
                around.all::<1>(&mut one);
                around.all::<4>(&mut four);
                assert_eq!(one, four);
                log.clear();
                perform(&story, &mut world, &scope, one[rng.below(one.len() as u32) as usize], &mut log);
                if world.end() != End::Open {
                    break;
                }
            }
        }
    }
}
