//! What one seat is told of what happened.

use super::{
    line::Line,
    message::{self, has_topic},
    names,
    room::{self, Listed},
    sentences::Prose,
    template::Fill,
};
use crate::{
    action::{Action, Dir, Verb},
    effect::COOKED,
    log::{Note, What},
    scope::Scope,
    set::{Ent, NONE},
    story::Story,
    world::World,
};

/// How much is told.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Style {
    /// Rooms by name and contents alone when one walks into them.
    pub brief: bool,
}

/// Appends what the actor of `scope` notices of `notes`, a paragraph a note: its own acts in the second person, those
/// of others that it sees in the third. `scope` and `world` are those after everything happened.
pub fn narrate(story: &Story, world: &World, scope: &Scope, notes: &[Note], style: Style, out: &mut String) {
    let teller = Teller { story, world, scope, style };
    for note in notes {
        let begin = out.len();
        if begin > 0 && !out.ends_with('\n') {
            out.push('\n');
        }
        let from = out.len();
        teller.note(note, out);
        if out.len() == from {
            out.truncate(begin);
        }
    }
}

struct Teller<'a> {
    story: &'a Story,
    world: &'a World,
    scope: &'a Scope,
    style: Style,
}

impl Teller<'_> {
    fn note(&self, note: &Note, out: &mut String) {
        let is_mine = note.who == self.scope.me;
        let is_here = note.room == self.scope.room;
        let fill = Fill { me: note.who, a: note.who, ..Fill::new(self.story, self.scope.me) };
        let line = |line: Line, fill: &Fill<'_>, out: &mut String| Prose::get().line(line).write(fill, out);
        match note.what {
            What::Did(action) if is_mine => self.mine(action, out),
            What::Did(action) => self.theirs(note, action, out),
            What::Refused(action, why) if is_mine => {
                message::refused(self.story, self.world, self.scope, action, why, out);
            }
            What::Refused(..) => {}
            What::Told(text) if is_mine || is_here => out.push_str(self.story.text(text)),
            What::Walked(to) if is_here && self.sees(note.who) => {
                // Whoever walks along with the reader has arrived before; whoever else is still seen came back.
                let dir = self.way(note.room, to);
                line(Line::Leaves, &Fill { dir, ..fill }, out);
            }
            What::Walked(to) if is_here => {
                let dir = self.way(note.room, to);
                if self.scope.is_lit {
                    line(Line::Leaves, &Fill { dir, ..fill }, out);
                }
            }
            What::Walked(to) if to == self.scope.room && self.scope.is_lit => line(Line::Arrives, &fill, out),
            What::BurnedOut if is_here || self.world.outermost(note.who) == self.scope.room => {
                line(Line::BurnedOut, &fill, out);
            }
            What::Scored(points) if is_mine => {
                let which = if points < 0 { Line::LostPoints } else { Line::Scored };
                line(which, &Fill { n: i32::from(points).abs(), ..fill }, out);
            }
            What::Told(_) | What::Walked(_) | What::BurnedOut | What::Scored(_) => {}
        }
    }

    fn sees(&self, e: Ent) -> bool {
        self.scope.seen.has(e)
    }

    /// In which direction one room lies from another.
    fn way(&self, from: Ent, to: Ent) -> Option<Dir> {
        Dir::ALL.iter().copied().find(|d| self.story.exit(from, *d).to == to)
    }

    fn fill(&self, me: Ent, action: Action) -> Fill<'_> {
        let text = if has_topic(action) {
            let topic = self.story.topics.get(usize::from(action.b));
            topic.and_then(|t| t.words.first()).map_or("", String::as_str)
        } else {
            ""
        };
        let b = if has_topic(action) { NONE } else { action.b };
        Fill { me, a: action.a, b, text, dir: Dir::of_slot(action.a), ..Fill::new(self.story, self.scope.me) }
    }

    /// An act of the reader.
    fn mine(&self, action: Action, out: &mut String) {
        let (story, world, scope) = (self.story, self.world, self.scope);
        let fill = self.fill(scope.me, action);
        let line = |line: Line, fill: &Fill<'_>, out: &mut String| Prose::get().line(line).write(fill, out);
        match action.verb {
            Verb::Go => room::tell(story, world, scope, self.style.brief, out),
            Verb::Look => room::tell(story, world, scope, false, out),
            Verb::Inventory => room::inventory(story, world, scope, out),
            Verb::Examine => room::examine(story, world, scope, action.a, out),
            Verb::Read => {
                let writing = &story.entity(action.a).writing;
                if writing.is_empty() {
                    line(Line::NothingWritten, &fill, out);
                } else {
                    Prose::get().did(Verb::Read, true).write(&Fill { text: writing, ..fill }, out);
                }
            }
            Verb::Search | Verb::Open => {
                let inside = Listed::inside(story, world, scope, action.a);
                if inside.is_empty() {
                    return Prose::get().did(action.verb, true).write(&fill, out);
                }
                let which = if action.verb == Verb::Open { Line::Opened } else { Line::Found };
                inside.sentence(which, &fill, out);
            }
            Verb::Combine => {
                let made = story.recipe(action.a, action.b).map_or(NONE, |r| r.makes);
                let name = |out: &mut String| {
                    if made != NONE {
                        names::push_a(story, made, out);
                    }
                };
                line(Line::Combined, &Fill { list: Some(&name), ..fill }, out);
            }
            Verb::Cook => {
                let state = COOKED.iter().rev().find(|b| world.is(action.a, **b));
                let text = state.map_or("", |b| Prose::get().state(*b));
                line(Line::Cooked, &Fill { text, ..fill }, out);
            }
            Verb::Offer => {
                let is_done = world.parent(action.b) == scope.me;
                line(if is_done { Line::TradeDone } else { Line::OfferMade }, &fill, out);
            }
            verb => Prose::get().did(verb, true).write(&fill, out),
        }
    }

    /// An act of somebody else.
    fn theirs(&self, note: &Note, action: Action, out: &mut String) {
        let fill = self.fill(note.who, action);
        let is_here = note.room == self.scope.room;
        if action.verb == Verb::Go {
            let to = Dir::of_slot(action.a).map_or(NONE, |d| self.story.exit(note.room, d).to);
            if !self.scope.is_lit {
            } else if is_here {
                Prose::get().line(Line::Leaves).write(&fill, out);
            } else if to == self.scope.room {
                Prose::get().line(Line::Arrives).write(&fill, out);
            }
            return;
        }
        if !is_here || !self.scope.is_lit {
            return;
        }
        let is_for_me = action.verb == Verb::Offer && self.world.parent(action.b) == self.scope.me;
        if is_for_me {
            return Prose::get().line(Line::Offered).write(&fill, out);
        }
        Prose::get().did(action.verb, false).write(&fill, out);
    }
}
