//! Carrying out an action.

use super::{
    Refusal,
    check::{binding, check},
    entry, noise,
};
use crate::{
    action::{Action, Verb},
    condition::{Binding, all_hold},
    effect::happen,
    entity::Bit,
    log::{Log, Note},
    scope::Scope,
    set::Ent,
    story::{Story, Trigger},
    world::World,
};

/// Carries out `action` of the actor of `scope`, then whatever the story's rules make of it, and notes it all in `log`.
///
/// # Errors
/// Why it does not work; the world and the log are then untouched.
pub fn apply(
    story: &Story,
    world: &mut World,
    scope: &Scope,
    action: Action,
    log: &mut Log,
) -> Result<(), Refusal> {
    check(story, world, scope, action)?;
    perform(story, world, scope, action, log);
    Ok(())
}

/// [`apply`] for an action of which it is known that it works now.
pub(crate) fn perform(story: &Story, world: &mut World, scope: &Scope, action: Action, log: &mut Log) {
    debug_assert_eq!(check(story, world, scope, action), Ok(()), "{action:?} was said to work");
    let binding = binding(story, scope, action);
    log.push(Note::did(scope.me, scope.room, action));
    let before = world.score_of(story, scope.me);
    for &effect in entry(action.verb).effects {
        happen(effect, story, world, &binding);
    }
    match action.verb {
        Verb::Go => follow(story, world, scope, binding.dest, log),
        Verb::Ask | Verb::Tell => speak(story, world, scope, &binding, log),
        loud if noise::is_loud(loud) => noise::heard(story, world, scope, loud, log),
        _ => {}
    }
    for trigger in [Some(action), None] {
        run(story, world, &binding, trigger, false, log);
    }
    let gained = world.score_of(story, scope.me) - before;
    if gained != 0 {
        log.push(Note::scored(scope.me, scope.room, gained));
    }
}

/// Whoever follows leaves with whoever goes.
fn follow(story: &Story, world: &mut World, scope: &Scope, dest: Ent, log: &mut Log) {
    if story.seat_of(scope.me).is_none() {
        return;
    }
    for e in *world.set(Bit::Following) {
        if world.parent(e) == scope.room && e != scope.me {
            world.place(e, dest);
            log.push(Note::walked(e, scope.room, dest));
        }
    }
}

/// What a topic does beside its answer.
fn speak(story: &Story, world: &mut World, scope: &Scope, binding: &Binding, log: &mut Log) {
    let Some(topic) = story.topics.get(usize::from(binding.b)) else { return };
    world.learn(binding.b);
    log.push(Note::told(binding.a, scope.room, topic.answer));
    for &effect in &topic.effects {
        happen(effect, story, world, binding);
    }
}

/// Runs the rules of one trigger: those after `action`, or those that are looked at after every action (or at the end
/// of every turn).
pub(super) fn run(
    story: &Story,
    world: &mut World,
    binding: &Binding,
    action: Option<Action>,
    each_turn: bool,
    log: &mut Log,
) {
    for (index, rule) in story.rules.iter().enumerate() {
        let is_due = match (rule.trigger, action) {
            (Trigger::After(pattern), Some(action)) => pattern.fits(action),
            (Trigger::Always, None) => !each_turn,
            (Trigger::EachTurn, None) => each_turn,
            _ => false,
        };
        let index = index as u8;
        if !is_due || (rule.once && world.has_fired(index)) || !all_hold(&rule.when, story, world, binding) {
            continue;
        }
        if rule.once {
            world.fire(index);
        }
        let room = world.outermost(binding.me);
        if let Some(text) = rule.text {
            log.push(Note::told(binding.me, room, text));
        }
        for &effect in &rule.effects {
            happen(effect, story, world, binding);
        }
    }
}
