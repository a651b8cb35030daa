//! What one actor sees and can touch.

use crate::{
    entity::{Attr, Bit},
    set::{Ent, Set},
    story::Story,
    world::{MAX_DEPTH, World},
};

/// The surroundings of one actor in one state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scope {
    /// Who.
    pub me: Ent,
    /// In which room.
    pub room: Ent,
    /// Whether there is light.
    pub is_lit: bool,
    /// Everything that can be seen: things, doors and actors, never rooms. In the dark only what one carries.
    pub seen: Set,
    /// What can be touched: seen, not behind glass, not in somebody else's hands.
    pub reach: Set,
    /// What one holds directly, worn things among them.
    pub held: Set,
}

impl Scope {
    /// The surroundings of `me`.
    pub fn of(story: &Story, world: &World, me: Ent) -> Self {
        let room = world.outermost(me);
        let around = Holders::of(story, world, me);
        let held = around.inside(me);
        let (mut seen, mut reach) = (held, held);
        around.spread(held, true, 1, &mut seen, &mut reach);
        let carried = seen;
        if room != me {
            let here = around.inside(room);
            seen |= here;
            reach |= here;
            around.spread(here, true, 1, &mut seen, &mut reach);
        }
        let lamps = seen & *story.all(Attr::Lamp) & *world.set(Bit::On);
        let is_lit = !story.is(room, Attr::Dark) || !lamps.is_empty();
        if !is_lit {
            seen = carried;
            seen.insert(me);
            reach &= carried;
        }
        // Doors lie in no room but between two; one finds them in the dark, by feel.
        for e in *story.all(Attr::Door) - *world.set(Bit::Hidden) {
            if story.entity(e).sides.contains(&room) {
                seen.insert(e);
                reach.insert(e);
            }
        }
        reach.remove(me);
        Self { me, room, is_lit, seen, reach, held }
    }

    /// What a seat comes to know here: what it sees and, with light, the room.
    pub const fn noticed(&self) -> Set {
        let mut noticed = self.seen;
        noticed.insert(self.room);
        noticed
    }
}

/// Which things show what lies in, on or with them.
struct Holders<'a> {
    story: &'a Story,
    world: &'a World,
    hidden: Set,
    /// What may hold something, but for the viewer itself.
    may_hold: Set,
    /// Open to the eye and, people aside, to hands: everything that is not closed.
    open: Set,
}

impl<'a> Holders<'a> {
    fn of(story: &'a Story, world: &'a World, me: Ent) -> Self {
        let hidden = *world.set(Bit::Hidden);
        let closable = *story.all(Attr::Openable) - *story.all(Attr::Supporter) - *story.all(Attr::Actor);
        let open = *world.set(Bit::Open) | !closable;
        Self { story, world, hidden, may_hold: story.holders - Set::one(me), open }
    }

    /// What lies directly in `place` and is not hidden, rooms aside.
    #[inline]
    fn inside(&self, place: Ent) -> Set {
        self.world.inside(place, self.story.len()) - self.hidden
    }

    /// Adds what `things` show, at any depth. `can_touch`: whether the things themselves can be touched.
    fn spread(&self, things: Set, can_touch: bool, depth: usize, seen: &mut Set, reach: &mut Set) {
        if depth >= MAX_DEPTH {
            return;
        }
        for holder in things & self.may_hold {
            let is_open = self.open.has(holder);
            if !is_open && !self.story.is(holder, Attr::Transparent) {
                continue;
            }
            let inside = self.inside(holder);
            if inside.is_empty() {
                continue;
            }
            let can_touch = can_touch && is_open && !self.story.is(holder, Attr::Actor);
            *seen |= inside;
            if can_touch {
                *reach |= inside;
            }
            self.spread(inside, can_touch, depth + 1, seen, reach);
        }
    }
}
