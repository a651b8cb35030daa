//! Answers: refusals, faults, the end.

use super::{line::Line, names, sentences::Prose, template::Fill};
use crate::{
    action::{Action, Dir, Verb},
    entity::Bit,
    grammar::Grammar,
    parser::ErrorKind,
    rules::{self, Refusal},
    scope::Scope,
    set::{Ent, NONE},
    story::Story,
    world::{End, World},
};

/// Appends why `action` of the actor of `scope` does not work. A rule that forbids it speaks for itself.
pub fn refused(story: &Story, world: &World, scope: &Scope, action: Action, why: Refusal, out: &mut String) {
    let fill = fill(story, world, scope, action, why);
    if why == Refusal::Forbidden
        && let Some(rule) = rules::forbidding(story, world, scope, action)
        && let Some(text) = story.rules[rule].text
    {
        out.push_str(story.text(text));
        return;
    }
    Prose::get().refused(why).write(&fill, out);
}

/// What the slots of a refusal are filled with. Nothing that is not seen is ever named.
fn fill<'a>(story: &'a Story, world: &World, scope: &Scope, action: Action, why: Refusal) -> Fill<'a> {
    let shown = |e: Ent| if usize::from(e) < story.len() && scope.seen.has(e) { e } else { NONE };
    let dir = Dir::of_slot(action.a);
    let door = dir.map_or(NONE, |d| story.exit(scope.room, d).door);
    let (a, b) = (shown(action.a), if has_topic(action) { NONE } else { shown(action.b) });
    let is_in_the_way = |e: Ent| match why {
        Refusal::NotHeld => e != NONE && !scope.held.has(e),
        Refusal::Broken => e != NONE && world.is(e, Bit::Broken),
        _ => false,
    };
    let that = if !is_in_the_way(a) && is_in_the_way(b) { b } else { a };
    Fill { me: scope.me, a, b, door, that, dir, ..Fill::new(story, scope.me) }
}

pub(super) fn has_topic(action: Action) -> bool {
    rules::entry(action.verb).b == crate::action::Slot::Topic
}

/// Appends what is wrong with a command: `word` is where it went wrong, `upto` what was understood before.
pub fn error(story: &Story, kind: ErrorKind, word: &str, upto: &str, out: &mut String) {
    Prose::get().error(kind).write(&Fill { word, upto, ..Fill::new(story, NONE) }, out);
}

/// Appends what was done before the command itself: "(first taking the lamp)".
pub(crate) fn first_doing(story: &Story, me: Ent, action: Action, out: &mut String) {
    let prose = Prose::get();
    let fill = Fill { me, a: action.a, b: action.b, dir: Dir::of_slot(action.a), ..Fill::new(story, me) };
    let doing = |out: &mut String| prose.doing(action.verb).write(&fill, out);
    prose.line(Line::FirstDoing).write(&Fill { list: Some(&doing), ..fill }, out);
}

/// Appends the object that was taken for granted: "(with the brass key)".
pub(crate) fn assuming(story: &Story, verb: Verb, is_second: bool, e: Ent, out: &mut String) {
    let words = |out: &mut String| {
        if is_second {
            out.push_str(&Grammar::get().canonical(verb)[1]);
            out.push(' ');
        }
        names::push_the(story, e, out);
    };
    Prose::get().line(Line::Assuming).write(&Fill { list: Some(&words), ..Fill::new(story, NONE) }, out);
}

/// Appends to which thing of a list an answer belongs: "anvil: ".
pub(crate) fn which_of_list(story: &Story, e: Ent, out: &mut String) {
    if usize::from(e) < story.len() {
        Prose::get().line(Line::OfList).write(&Fill { a: e, ..Fill::new(story, NONE) }, out);
    }
}

/// Asks which of several things (or topics) is meant.
pub(crate) fn ask_which(story: &Story, choices: &[Ent], is_topic: bool, out: &mut String) {
    let prose = Prose::get();
    let list = |out: &mut String| {
        names::push_list(choices.len(), &prose.raw.or, out, |i, out| {
            let e = usize::from(choices[i]);
            match story.topics.get(e) {
                Some(topic) if is_topic => out.push_str(topic.words.first().map_or("", String::as_str)),
                _ if e < story.len() => names::push_the(story, choices[i], out),
                _ => out.push_str(Dir::of_slot(choices[i]).map_or("", names::direction)),
            }
        });
    };
    prose.line(Line::Which).write(&Fill { list: Some(&list), ..Fill::new(story, NONE) }, out);
}

/// Asks for the object that a command lacks; `known` is the first one when the second is missing.
pub(crate) fn ask_for(
    story: &Story,
    verb: Verb,
    known: Option<Ent>,
    is_second: bool,
    asked: Line,
    out: &mut String,
) {
    let parts = Grammar::get().canonical(verb);
    let words = |out: &mut String| {
        out.push_str(&parts[0]);
        if is_second {
            if let Some(e) = known {
                out.push(' ');
                names::push_the(story, e, out);
            }
            out.push(' ');
            out.push_str(&parts[1]);
        }
    };
    Prose::get().line(asked).write(&Fill { list: Some(&words), ..Fill::new(story, NONE) }, out);
}

/// Appends how the game ended, if it has.
pub fn ending(story: &Story, world: &World, out: &mut String) {
    let line = match world.end() {
        End::Open => return,
        End::Won => Line::Won,
        End::Lost => Line::Lost,
    };
    Prose::get().line(line).write(&Fill::new(story, NONE), out);
}
