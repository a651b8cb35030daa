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
        let hidden = *world.set(Bit::Hidden);
        let [here, held, nested] = world.placed(story.rooms, room, me, story.len()).map(|set| set - hidden);
        let mut carried = held;
        let (mut seen, mut reach) = (here | held, here | held);
        let closable = *story.all(Attr::Openable) - *story.all(Attr::Supporter);
        let open = *world.set(Bit::Open) | !closable;
        let (glass, actor) = (*story.all(Attr::Transparent), *story.all(Attr::Actor));
        for e in nested - held {
            let mut at = world.parent(e);
            let mut can_touch = true;
            for _ in 0..MAX_DEPTH {
                if at == room || at == me {
                    seen.insert(e);
                    reach.put(e, can_touch);
                    carried.put(e, at == me);
                    break;
                }
                if at < story.rooms || at == NONE || hidden.has(at) {
                    break;
                }
                if actor.has(at) {
                    can_touch = false;
                } else if !open.has(at) {
                    if !glass.has(at) {
                        break;
                    }
                    can_touch = false;
                }
                at = world.parent(at);
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
        let doors = story.doors.get(usize::from(room)).copied().unwrap_or_default() - hidden;
        seen |= doors;
        reach |= doors;
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
