//! What one actor sees and can touch.

use crate::{
    entity::{Attr, Bit},
    set::{Ent, NONE, Set},
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
        let hidden = world.set(Bit::Hidden);
        let open = *world.set(Bit::Open) | !*story.all(Attr::Openable);
        let glass = *story.all(Attr::Transparent);
        let supporter = *story.all(Attr::Supporter);
        let actor = *story.all(Attr::Actor);
        let parents = world.parents();
        let (mut seen, mut reach, mut held) = (Set::EMPTY, Set::EMPTY, Set::EMPTY);
        let mut carried = Set::EMPTY;
        for e in story.rooms..story.entities.len() as Ent {
            let mut at = parents[usize::from(e)];
            if at == NONE || hidden.has(e) {
                continue;
            }
            if at == me {
                held.insert(e);
            }
            let mut can_touch = true;
            for _ in 0..MAX_DEPTH {
                if at == room {
                    seen.insert(e);
                    reach.put(e, can_touch);
                    break;
                }
                if at == me {
                    carried.insert(e);
                    seen.insert(e);
                    reach.put(e, can_touch);
                    break;
                }
                if at < story.rooms || at == NONE || hidden.has(at) {
                    break;
                }
                if actor.has(at) {
                    can_touch = false;
                } else if !(supporter.has(at) || open.has(at)) {
                    if !glass.has(at) {
                        break;
                    }
                    can_touch = false;
                }
                at = parents[usize::from(at)];
            }
        }
        let lamps = seen & *story.all(Attr::Lamp) & *world.set(Bit::On);
        let is_lit = !story.is(room, Attr::Dark) || !lamps.is_empty();
        if !is_lit {
            seen = carried;
            seen.insert(me);
            reach &= carried;
        }
        // Doors lie in no room but between two; one finds them in the dark, by feel.
        for e in *story.all(Attr::Door) - *hidden {
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
