//! What a seat spoke of, for words like `it`, and what it can take back.

use crate::{
    entity::Attr,
    set::{Ent, Set},
    story::Story,
    world::World,
};

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
    pub(crate) fn push(&mut self, world: World, depth: usize) {
        if depth == 0 {
            return;
        }
        self.next %= depth;
        match self.ring.get_mut(self.next) {
            Some(place) => *place = world,
            None => self.ring.push(world),
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
    fn the_past_comes_back_in_order_as_deep_as_it_goes() {
        let mut past = Past::default();
        let at = |turn: u64| {
            let mut world = World::default();
            world.set_seed(turn);
            world
        };
        let back = |past: &mut Past| past.pop().map(|w| w.seed());
        (0..7).for_each(|t| past.push(at(t), 4));
        assert_eq!((back(&mut past), back(&mut past)), (Some(6), Some(5)));
        past.push(at(9), 4);
        assert_eq!([(); 4].map(|()| back(&mut past)), [Some(9), Some(4), Some(3), None]);
        past.push(at(1), 4);
        past.clear();
        assert_eq!(back(&mut past), None);
        past.push(at(1), 0);
        assert_eq!(back(&mut past), None);
    }
}
