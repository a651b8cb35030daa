//! What a seat spoke of, for words like `it`, and what it can take back.

use crate::{
    entity::Attr,
    lexicon::Words,
    scope::Scope,
    set::{Ent, Set},
    story::Story,
    world::World,
};
use std::sync::Arc;

/// What pronouns mean: it, them, him, her.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Memory {
    pub(crate) spoken: [Set; 4],
}

impl Memory {
    /// One thing was spoken of.
    pub(crate) fn mention(&mut self, story: &Story, me: Ent, e: Ent) {
        if usize::from(e) >= story.len() || e == me {
            return;
        }
        let is = |attr| story.is(e, attr);
        let slots = match () {
            () if is(Attr::Male) => [false, false, true, false],
            () if is(Attr::Female) => [false, false, false, true],
            () if is(Attr::Plural) => [false, true, false, false],
            () if is(Attr::Actor) => [true; 4],
            () => [true, false, false, false],
        };
        self.spoken
            .iter_mut()
            .zip(slots)
            .filter(|(_, is_meant)| *is_meant)
            .for_each(|(s, _)| *s = Set::one(e));
    }
}

/// What a seat saw last, for as long as the world stays as it is: one command asks for it again and again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sight {
    /// Of which story; held, so that another one cannot come to lie in its place.
    story: Option<Arc<Story>>,
    /// [`World::hash`] of then: it has everything that a scope depends on.
    hash: u64,
    scope: Option<Scope>,
}

impl Sight {
    /// The surroundings of `me`.
    #[inline]
    pub(crate) fn of(&mut self, words: &Words, world: &World, me: Ent) -> Scope {
        let is_story = self.story.as_ref().is_some_and(|story| Arc::ptr_eq(story, words.shared()));
        match self.scope {
            Some(scope) if is_story && self.hash == world.hash() && scope.me == me => scope,
            _ => {
                if !is_story {
                    self.story = Some(Arc::clone(words.shared()));
                }
                let scope = Scope::of(words.story(), world, me);
                (self.hash, self.scope) = (world.hash(), Some(scope));
                scope
            }
        }
    }
}

/// States before the last turns: a ring, filled once and then written over.
#[derive(Clone, Debug, Default)]
pub(crate) struct Past {
    ring: Vec<World>,
    /// Where the next state is written.
    next: usize,
    len: usize,
}

impl Past {
    pub(crate) const fn clear(&mut self) {
        (self.next, self.len) = (0, 0);
    }

    /// Keeps a state, in the place of the one `depth` turns earlier.
    pub(crate) fn push(&mut self, world: &World, depth: usize) {
        if depth == 0 {
            return;
        }
        self.next %= depth;
        match self.ring.get_mut(self.next) {
            Some(place) => *place = *world,
            None => self.ring.push(*world),
        }
        self.next += 1;
        self.len = (self.len + 1).min(depth);
    }

    /// The last state that was kept.
    pub(crate) fn pop(&mut self) -> Option<World> {
        self.len = self.len.checked_sub(1)?;
        self.next = if self.next == 0 { self.ring.len() } else { self.next } - 1;
        self.ring.get(self.next).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_seen_follows_the_world_and_the_story() {
        use crate::entity::{Attr, Bit, Entity};
        let words = |is_dark: bool| {
            let mut story = Story::new("");
            let room = story.add(Entity::new("cellar"), if is_dark { &[Attr::Dark] } else { &[] });
            story.rooms = 1;
            story.exits.push([crate::story::NO_EXIT; crate::action::Dir::COUNT]);
            let me = story.add(Entity::new("you"), &[Attr::Actor, Attr::Seat]);
            let coin = story.add(Entity::new("coin"), &[]);
            story.seats.push(me);
            story.start.place(me, room);
            story.start.place(coin, room);
            story.seal();
            (Words::new(Arc::new(story)), me, coin)
        };
        let ((light, me, coin), (dark, ..)) = (words(false), words(true));
        let mut sight = Sight::default();
        let mut world = light.story().start;
        assert!(sight.of(&light, &world, me).seen.has(coin));
        assert!(!sight.of(&dark, &world, me).seen.has(coin), "the same world, another story");
        assert!(sight.of(&light, &world, me).seen.has(coin));
        world.put(coin, Bit::Hidden, true);
        assert!(!sight.of(&light, &world, me).seen.has(coin));
        assert_eq!(sight.of(&light, &world, me), Scope::of(light.story(), &world, me));
    }

    #[test]
    fn the_past_comes_back_in_order_as_deep_as_it_goes() {
        let mut past = Past::default();
        let at = |turn: u64| {
            let mut world = World::default();
            world.set_seed(turn);
            world
        };
        let back = |past: &mut Past| past.pop().map(|w| w.seed());
        (0..7).for_each(|t| past.push(&at(t), 4));
        assert_eq!((back(&mut past), back(&mut past)), (Some(6), Some(5)));
        past.push(&at(9), 4);
        assert_eq!([(); 4].map(|()| back(&mut past)), [Some(9), Some(4), Some(3), None]);
        past.push(&at(1), 4);
        past.clear();
        assert_eq!(back(&mut past), None);
        past.push(&at(1), 0);
        assert_eq!(back(&mut past), None);
    }
}
