//! The canonical command of an action.

use crate::{
    action::{Action, Dir, Slot, Verb},
    grammar::{Grammar, Role},
    parser::{self, ParseError, tokens::push_plain},
    rules,
    scope::Scope,
    set::{Ent, NONE},
    story::Story,
    world::World,
};

/// Appends the canonical command of an action: the verb's first grammar line with whole names, without articles.
///
/// Whole names are unambiguous wherever the action is listed by [`rules::admissible`], since things of equal name stand
/// for each other there: [`parser::parse_action`] of the text is the action. For an action with another of several
/// things of one name use [`command_in`].
pub fn command_text(story: &Story, action: Action, out: &mut String) {
    write(story, action, out, |_, _| {});
}

/// Appends the canonical command of an action as it must be said in this state: when several things of one name are in
/// sight and the plain command means another one, the place is added ("take coin on table"). Returns whether the text
/// means exactly this action; it cannot when two things of one name lie in one place.
pub fn command_in(
    words: &crate::lexicon::Words,
    world: &World,
    scope: &Scope,
    action: Action,
    out: &mut String,
) -> bool {
    let story = words.story();
    let begin = out.len();
    let means = |text: &str| match parser::parse_action(words, world, scope, text) {
        Ok(meant) | Err(ParseError::Refused(meant, _)) => meant == action,
        Err(_) => false,
    };
    // First plainly, then with the place of the one object, of the other, of both.
    for with_place in [[false; 2], [true, false], [false, true], [true; 2]] {
        out.truncate(begin);
        write(story, action, out, |slot, out| {
            let e = if slot == 0 { action.a } else { action.b };
            if with_place[slot] {
                push_place(story, world, scope, e, out);
            }
        });
        if means(&out[begin..]) {
            return true;
        }
    }
    out.truncate(begin);
    command_text(story, action, out);
    false
}

fn write(story: &Story, action: Action, out: &mut String, place: impl Fn(usize, &mut String)) {
    let entry = rules::entry(action.verb);
    let parts = Grammar::get().canonical(action.verb);
    out.push_str(&parts[0]);
    for (slot, (kind, e)) in [(entry.a, action.a), (entry.b, action.b)].into_iter().enumerate() {
        if kind == Slot::None {
            break;
        }
        out.push(' ');
        match kind {
            Slot::Dir => out.push_str(Dir::of_slot(e).map_or("", super::names::direction)),
            Slot::Topic => {
                let topic = story.topics.get(usize::from(e)).and_then(|t| t.words.first());
                push_plain(topic.map_or("", String::as_str), out);
            }
            _ if usize::from(e) < story.len() => {
                push_name(story, e, out);
                place(slot, out);
            }
            _ => {}
        }
        let after = &parts[slot + 1];
        if !after.is_empty() {
            out.push(' ');
            out.push_str(after);
        }
    }
}

/// The name as it is typed.
fn push_name(story: &Story, e: Ent, out: &mut String) {
    let name = &story.entity(e).name;
    for adjective in &name.adjectives {
        push_plain(adjective, out);
        out.push(' ');
    }
    push_plain(&name.noun, out);
}

/// Where a thing is, as it is typed behind its name: ` on table`, ` from cook`, ` on floor`.
fn push_place(story: &Story, world: &World, scope: &Scope, e: Ent, out: &mut String) {
    let grammar = Grammar::get();
    let place = world.parent(e);
    if place == NONE {
        return;
    }
    if place == scope.me {
        let name_at = out.len();
        // What one holds oneself is told by a word before the name, which was just written.
        let mut name = String::new();
        push_name(story, e, &mut name);
        let begin = name_at - name.len();
        out.insert(begin, ' ');
        out.insert_str(begin, grammar.first_of(Role::Mine));
        return;
    }
    out.push(' ');
    out.push_str(grammar.place_word(if story.is(place, crate::entity::Attr::Actor) {
        Verb::Steal
    } else if story.is_room(place) || story.is(place, crate::entity::Attr::Supporter) {
        Verb::PutOn
    } else {
        Verb::PutIn
    }));
    out.push(' ');
    if story.is_room(place) {
        out.push_str(grammar.first_of(Role::Floor));
    } else {
        push_name(story, place, out);
    }
}
