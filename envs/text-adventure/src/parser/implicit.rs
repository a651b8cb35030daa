//! What goes without saying: to use a thing one takes it first, to reach into a chest one opens it first.

use super::reader::Reader;
use crate::{
    action::{Action, Dir, Verb},
    entity::{Attr, Bit},
    log::Log,
    rules::{self, Refusal},
    scope::Scope,
    set::{Ent, NONE},
    story::Story,
    world::World,
};

/// Actions that go before one command at most.
pub const MAX_IMPLICIT: usize = 2;

/// What would have to be done first, if `action` is refused for this reason.
fn first_of(story: &Story, world: &World, scope: &Scope, action: Action, why: Refusal) -> Option<Action> {
    let known = |e: Ent| usize::from(e) < story.len();
    match why {
        // To take a thing only to put it down again is not what anybody means.
        Refusal::NotHeld if action.verb != Verb::Drop => {
            let needs = |e: Ent, slot: usize| {
                let entry = rules::entry(action.verb);
                let needs = if slot == 0 { entry.need_a } else { entry.need_b };
                known(e) && !scope.held.has(e) && needs.iter().any(|n| n.or == Refusal::NotHeld)
            };
            let missing = [(action.a, 0), (action.b, 1)].into_iter().find(|(e, slot)| needs(*e, *slot));
            missing.map(|(e, _)| Action::on(Verb::Take, e))
        }
        Refusal::WornNow if scope.held.has(action.a) => Some(Action::on(Verb::Remove, action.a)),
        Refusal::DoorClosed => {
            let door = story.exit(scope.room, Dir::of_slot(action.a)?).door;
            (door != NONE).then_some(Action::on(Verb::Open, door))
        }
        Refusal::ShutTight => known(action.b).then_some(Action::on(Verb::Open, action.b)),
        // Behind glass: the outermost closed container that holds it.
        Refusal::OutOfReach => [action.a, action.b].into_iter().filter(|e| known(*e)).find_map(|e| {
            let mut closed = None;
            let mut at = world.parent(e);
            while known(at) && !story.is_room(at) && !story.is(at, Attr::Actor) {
                if story.is(at, Attr::Openable) && story.is(at, Attr::Container) && !world.is(at, Bit::Open) {
                    closed = Some(Action::on(Verb::Open, at));
                }
                at = world.parent(at);
            }
            closed
        }),
        _ => None,
    }
}

/// Carries out what must go before `action`, and then `action`, of which it is known why it does not work yet. Returns
/// how many actions went before; the world and the log are then changed.
///
/// # Errors
/// What is in the way even then; the world and the log may then have been changed and must be thrown away.
pub(crate) fn run(
    story: &Story,
    world: &mut World,
    scope: &Scope,
    action: Action,
    why: Refusal,
    most: usize,
    log: &mut Log,
) -> Result<usize, Refusal> {
    let (mut scope, mut reason) = (*scope, why);
    // What opening would show is not told for nothing: of a container that is full one learns by opening it.
    let told = |last: Refusal| if last == Refusal::NoRoom { why } else { last };
    let mut done = 0;
    while done < most {
        let Some(mut before) = first_of(story, world, &scope, action, reason) else {
            return Err(told(reason));
        };
        // What goes before may want something first itself: to take what lies behind glass, one opens it.
        if let Err(other) = rules::check(story, world, &scope, before) {
            let Some(earlier) = first_of(story, world, &scope, before, other) else { return Err(why) };
            before = earlier;
        }
        rules::apply(story, world, &scope, before, log).map_err(|_| why)?;
        done += 1;
        scope = Scope::of(story, world, scope.me);
        match rules::apply(story, world, &scope, action, log) {
            Ok(()) => return Ok(done),
            Err(next) => reason = next,
        }
    }
    Err(why)
}

/// Whether `action` would work after what goes without saying.
pub(crate) fn helps(reader: &Reader<'_>, action: Action, why: Refusal) -> bool {
    let mut world = *reader.world;
    let mut log = Log::default();
    // Most refusals cannot be helped: find out before the state is copied.
    first_of(reader.story, reader.world, reader.scope, action, why).is_some()
        && run(reader.story, &mut world, reader.scope, action, why, MAX_IMPLICIT, &mut log).is_ok()
}
