//! Sentences with slots.

use super::{names, sentences::Prose};
use crate::{
    action::Dir,
    entity::Attr,
    set::{Ent, NONE},
    story::Story,
};

/// An object of a sentence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Object {
    A,
    B,
    Me,
    Door,
    /// The object that is in the way.
    That,
    N,
}

/// How an object or a word that agrees with it is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    The,
    A,
    Bare,
    It,
    They,
    Is,
    Has,
    Does,
    S,
    Es,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Text(Box<str>),
    Object(Form, Object, bool),
    Dir,
    Count,
    Word,
    Upto,
    /// Whatever `text` holds, with a capital or not.
    Given(bool),
}

/// A sentence.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Template(Vec<Piece>);

/// What the slots of a sentence are filled with.
#[derive(Clone, Copy)]
pub(crate) struct Fill<'a> {
    pub(crate) story: &'a Story,
    /// Who reads: this figure is "you".
    pub(crate) reader: Ent,
    pub(crate) me: Ent,
    pub(crate) a: Ent,
    pub(crate) b: Ent,
    pub(crate) door: Ent,
    pub(crate) that: Ent,
    pub(crate) dir: Option<Dir>,
    pub(crate) n: i32,
    pub(crate) text: &'a str,
    /// Writes the text instead, when there is more of it than one word.
    pub(crate) list: Option<&'a dyn Fn(&mut String)>,
    pub(crate) word: &'a str,
    pub(crate) upto: &'a str,
}

impl<'a> Fill<'a> {
    pub(crate) const fn new(story: &'a Story, reader: Ent) -> Self {
        Self {
            story,
            reader,
            me: NONE,
            a: NONE,
            b: NONE,
            door: NONE,
            that: NONE,
            dir: None,
            n: 1,
            text: "",
            list: None,
            word: "",
            upto: "",
        }
    }

    const fn object(&self, object: Object) -> Ent {
        match object {
            Object::A => self.a,
            Object::B => self.b,
            Object::Me => self.me,
            Object::Door => self.door,
            Object::That => self.that,
            Object::N => NONE,
        }
    }
}

impl Template {
    pub(crate) fn read(source: &str) -> Result<Self, String> {
        let mut pieces = Vec::new();
        let mut rest = source;
        while let Some(open) = rest.find('{') {
            let close =
                rest[open..].find('}').ok_or_else(|| format!("an open brace in \"{source}\""))? + open;
            if open > 0 {
                pieces.push(Piece::Text(rest[..open].into()));
            }
            let slot = &rest[open + 1..close];
            pieces.push(slot_of(slot).ok_or_else(|| format!("unknown slot {{{slot}}} in \"{source}\""))?);
            rest = &rest[close + 1..];
        }
        if !rest.is_empty() {
            pieces.push(Piece::Text(rest.into()));
        }
        Ok(Self(pieces))
    }

    /// Whether there is nothing to be told.
    pub(crate) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Appends the sentence.
    pub(crate) fn write(&self, fill: &Fill<'_>, out: &mut String) {
        for piece in &self.0 {
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Object(Form::S, Object::N, _) => {
                    let (one, many) = &Prose::get().raw.s_n;
                    out.push_str(if fill.n == 1 { one } else { many });
                }
                Piece::Object(form, Object::N, _) => names::push_agreement(*form, fill.n != 1, out),
                Piece::Object(form, object, is_capital) => {
                    names::push_form(fill, *form, fill.object(*object), *is_capital, out);
                }
                Piece::Dir => out.push_str(fill.dir.map_or("", names::direction)),
                Piece::Count => names::push_number(fill.n, out),
                Piece::Word => out.push_str(fill.word),
                Piece::Upto => out.push_str(fill.upto),
                Piece::Given(is_capital) => {
                    let begin = out.len();
                    match fill.list {
                        Some(write) => write(out),
                        None => out.push_str(fill.text),
                    }
                    if *is_capital {
                        names::capitalise(begin, out);
                    }
                }
            }
        }
    }
}

fn slot_of(slot: &str) -> Option<Piece> {
    match slot {
        "dir" => return Some(Piece::Dir),
        "n" => return Some(Piece::Count),
        "word" => return Some(Piece::Word),
        "upto" => return Some(Piece::Upto),
        "text" | "list" | "doing" => return Some(Piece::Given(false)),
        "List" => return Some(Piece::Given(true)),
        "that" => return Some(Piece::Object(Form::The, Object::That, false)),
        "That" => return Some(Piece::Object(Form::The, Object::That, true)),
        _ => {}
    }
    let (form, object) = slot.rsplit_once('_')?;
    let object = match object {
        "a" => Object::A,
        "b" => Object::B,
        "me" => Object::Me,
        "door" => Object::Door,
        "that" => Object::That,
        "n" => Object::N,
        _ => return None,
    };
    let is_capital = form.starts_with(char::is_uppercase);
    let form = match form.to_lowercase().as_str() {
        "the" => Form::The,
        "a" => Form::A,
        "bare" => Form::Bare,
        "it" => Form::It,
        "they" => Form::They,
        "is" | "are" => Form::Is,
        "has" => Form::Has,
        "does" => Form::Does,
        "s" => Form::S,
        "es" => Form::Es,
        _ => return None,
    };
    Some(Piece::Object(form, object, is_capital))
}

/// Whether it is spoken of as several.
pub(crate) fn is_plural(story: &Story, e: Ent) -> bool {
    usize::from(e) < story.len() && story.is(e, Attr::Plural)
}
