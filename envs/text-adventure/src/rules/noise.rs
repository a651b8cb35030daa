//! Noise: what people of different temper do when somebody pushes, pulls, turns, smashes or snatches.

use super::turn::is_open_way;
use crate::{
    action::{Dir, Verb},
    entity::{Attr, Bit},
    log::{Log, Note},
    scope::Scope,
    set::{Ent, NONE},
    story::Story,
    world::World,
};

/// From this much of a trait on, of 100, it shows.
const MARKED: u8 = 60;

/// Whether an act is heard next door.
pub(super) const fn is_loud(verb: Verb) -> bool {
    matches!(verb, Verb::Push | Verb::Pull | Verb::Turn | Verb::Attack | Verb::Steal)
}

/// People hear a loud act: the timid leave the room of a violent one, the curious come from next door to look. Whoever
/// follows somebody, walks a round of their own, or is more loyal than curious or timid, stays.
pub(super) fn heard(story: &Story, world: &mut World, scope: &Scope, verb: Verb, log: &mut Log) {
    let is_violent = matches!(verb, Verb::Attack | Verb::Steal);
    let people = *story.all(Attr::Actor)
        - *story.all(Attr::Seat)
        - *world.set(Bit::Following)
        - *world.set(Bit::Hidden);
    for e in people {
        let (who, room) = (story.entity(e), world.parent(e));
        if !story.is_room(room) || who.pace > 0 {
            continue;
        }
        let shows = |value: u8| value >= MARKED && value > who.persona.loyal;
        let to = if room == scope.room {
            if is_violent && shows(who.persona.timid) { way_out(story, world, room) } else { None }
        } else {
            (shows(who.persona.curious) && is_open_way(story, world, room, scope.room)).then_some(scope.room)
        };
        if let Some(to) = to {
            world.place(e, to);
            log.push(Note::walked(e, room, to));
        }
    }
}

/// The first open way out of a room, in the order of directions.
fn way_out(story: &Story, world: &World, room: Ent) -> Option<Ent> {
    Dir::ALL
        .iter()
        .map(|d| story.exit(room, *d).to)
        .find(|to| *to != NONE && is_open_way(story, world, room, *to))
}
