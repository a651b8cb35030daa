//! What happens by itself at the end of a turn.

use super::apply::run;
use crate::{
    action::Dir,
    condition::Binding,
    entity::{Attr, Bit},
    log::{Log, Note},
    set::{Ent, NONE},
    story::Story,
    world::{End, World},
};

/// Ends a turn: lamps burn down, people walk their rounds, the story's rules of the turn run, time passes.
pub fn end_turn(story: &Story, world: &mut World, log: &mut Log) {
    if world.end() == End::Open {
        burn(story, world, log);
        walk(story, world, log);
        for (seat, &me) in story.seats.iter().enumerate() {
            let before = world.score(seat);
            run(story, world, &Binding::of(me), None, true, log);
            let gained = world.score(seat) - before;
            if gained != 0 {
                log.push(Note::scored(me, world.outermost(me), gained));
            }
        }
    }
    world.pass_turn();
}

fn burn(story: &Story, world: &mut World, log: &mut Log) {
    for lamp in *story.all(Attr::Lamp) & *world.set(Bit::On) {
        let Some(fuel) = story.entity(lamp).fuel else { continue };
        let left = world.counter(fuel) - 1;
        world.count(fuel, left.max(0));
        if left <= 0 {
            world.put(lamp, Bit::On, false);
            log.push(Note::burned_out(lamp, world.outermost(lamp)));
        }
    }
}

fn walk(story: &Story, world: &mut World, log: &mut Log) {
    for actor in *story.all(Attr::Actor) - *story.all(Attr::Seat) {
        let who = story.entity(actor);
        if who.pace == 0
            || !(world.turn() + 1).is_multiple_of(who.pace.into())
            || world.is(actor, Bit::Following)
        {
            continue;
        }
        let room = world.parent(actor);
        let Some(at) = who.patrol.iter().position(|r| *r == room) else { continue };
        let next = who.patrol[(at + 1) % who.patrol.len()];
        if next != room && is_open_way(story, world, room, next) {
            world.place(actor, next);
            log.push(Note::walked(actor, room, next));
        }
    }
}

/// Whether an exit without a closed door leads from one room to another.
pub(super) fn is_open_way(story: &Story, world: &World, from: Ent, to: Ent) -> bool {
    Dir::ALL
        .iter()
        .map(|d| story.exit(from, *d))
        .any(|exit| exit.to == to && (exit.door == NONE || world.is(exit.door, Bit::Open)))
}
