//! Sentences with slots, read from data once.

use super::names;
use crate::{
    action::{Dir, Verb},
    entity::{Attr, named},
    grammar::Meta,
    parser::ErrorKind,
    rules::Refusal,
    set::{Ent, NONE},
    story::Story,
};
use serde::Deserialize;
use std::{collections::BTreeMap, sync::LazyLock};

named! {
    /// Sentences that belong to no verb and no refusal.
    Line {
        /// What was done first.
        FirstDoing = "first_doing",
        /// The thing that was taken for granted.
        Assuming = "assuming",
        /// The thing of a list to which an answer belongs.
        OfList = "of_list",
        /// A word was corrected.
        Corrected = "corrected",
        /// A word is suggested.
        Suggest = "suggest",
        /// Several things are meant.
        Which = "which",
        /// A thing is missing.
        What = "what",
        /// Somebody is missing.
        Whom = "whom",
        /// A direction is missing.
        Where = "where",
        /// A turn was taken back.
        Undone = "undone",
        /// No turn is left to be taken back.
        NothingToUndo = "nothing_to_undo",
        /// The end, won.
        Won = "won",
        /// The end, lost.
        Lost = "lost",
        /// Points won.
        Scored = "scored",
        /// Points lost.
        LostPoints = "lost_points",
        /// A room without light.
        Dark = "dark",
        /// Its name.
        DarkName = "dark_name",
        /// Things in a room.
        Here = "here",
        /// Things on something.
        On = "on",
        /// Things in something.
        In = "in",
        /// Things with somebody.
        Holds = "holds",
        /// Somebody in a room.
        Person = "person",
        /// Several people in a room.
        People = "people",
        /// Exits.
        Exits = "exits",
        /// No exits.
        NoExits = "no_exits",
        /// An exit through an open door.
        Through = "through",
        /// An exit through a closed door.
        ThroughClosed = "through_closed",
        /// What one carries.
        Carrying = "carrying",
        /// What one wears.
        Wearing = "wearing",
        /// One carries nothing.
        EmptyHanded = "empty_handed",
        /// A thing without a text.
        NothingSpecial = "nothing_special",
        /// State: open.
        IsOpen = "is_open",
        /// State: closed.
        IsClosed = "is_closed",
        /// State: locked.
        IsLocked = "is_locked",
        /// State: on.
        IsOn = "is_on",
        /// State: off.
        IsOff = "is_off",
        /// State: worn.
        IsWorn = "is_worn",
        /// State: broken.
        IsBroken = "is_broken",
        /// State: cut and cooked.
        IsState = "is_state",
        /// What is inside a thing.
        Contains = "contains",
        /// Nothing is.
        IsEmpty = "is_empty",
        /// What is on a thing.
        Bears = "bears",
        /// In lists: lit.
        MarkOn = "mark_on",
        /// In lists: worn.
        MarkWorn = "mark_worn",
        /// In lists: open.
        MarkOpen = "mark_open",
        /// In lists: closed.
        MarkClosed = "mark_closed",
        /// In lists: broken.
        MarkBroken = "mark_broken",
        /// A search with success.
        Found = "found",
        /// An opened thing with something in it.
        Opened = "opened",
        /// Readable, but blank.
        NothingWritten = "nothing_written",
        /// Somebody leaves.
        Leaves = "leaves",
        /// Somebody arrives.
        Arrives = "arrives",
        /// A lamp went out.
        BurnedOut = "burned_out",
        /// Another seat offers something.
        Offered = "offered",
        /// An offer to another seat.
        OfferMade = "offer_made",
        /// A trade with somebody.
        TradeDone = "trade_done",
        /// Two parts became one thing.
        Combined = "combined",
        /// Food was cooked.
        Cooked = "cooked",
        /// The score.
        Score = "score",
    }
}

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
    fn read(source: &str) -> Result<Self, String> {
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

/// All sentences.
#[derive(Debug)]
pub(crate) struct Prose {
    pub(crate) raw: Raw,
    did: Vec<[Template; 2]>,
    refused: Vec<Template>,
    errors: Vec<Template>,
    lines: Vec<Template>,
    doing: Vec<Template>,
    states: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Raw {
    pub(crate) the: String,
    pub(crate) a: String,
    pub(crate) an: String,
    pub(crate) some: String,
    pub(crate) vowels: String,
    pub(crate) an_words: Vec<String>,
    pub(crate) a_words: Vec<String>,
    pub(crate) plurals: Vec<(String, String)>,
    pub(crate) numbers: Vec<String>,
    pub(crate) comma: String,
    pub(crate) and: String,
    pub(crate) or: String,
    pub(crate) it: (String, String, String, String),
    pub(crate) they: (String, String, String, String),
    pub(crate) is: (String, String),
    pub(crate) has: (String, String),
    pub(crate) s: (String, String),
    pub(crate) es: (String, String),
    pub(crate) does: (String, String),
    pub(crate) s_n: (String, String),
    pub(crate) you: String,
    did: BTreeMap<String, (String, String)>,
    refused: BTreeMap<String, String>,
    errors: BTreeMap<String, String>,
    lines: BTreeMap<String, String>,
    states: BTreeMap<String, String>,
    doing: BTreeMap<String, String>,
}

static PROSE: LazyLock<Prose> = LazyLock::new(|| {
    let source = include_str!("../../../../assets/text/prose.ron");
    Prose::read(source).unwrap_or_else(|why| panic!("assets/text/prose.ron: {why}"))
});

impl Prose {
    /// The sentences that are compiled in.
    pub(crate) fn get() -> &'static Self {
        &PROSE
    }

    /// Reads a file of sentences: every verb, refusal, fault and line must have its own, and no other may be there.
    pub(crate) fn read(source: &str) -> Result<Self, String> {
        let raw: Raw = ron::from_str(source).map_err(|e| e.to_string())?;
        let texts = |what: &str, map: &BTreeMap<String, String>, names: Vec<&'static str>| {
            if let Some(extra) = map.keys().find(|k| !names.contains(&k.as_str())) {
                return Err(format!("{what}: nothing is called \"{extra}\""));
            }
            let text =
                |name: &&str| map.get(*name).ok_or_else(|| format!("{what}: no sentence for \"{name}\""));
            names.iter().map(|name| text(name).and_then(|t| Template::read(t))).collect::<Result<Vec<_>, _>>()
        };
        let verbs: Vec<&str> = Verb::ALL.iter().map(|v| v.name()).collect();
        let half = |i: usize| {
            let pick = |(k, v): (&String, &(String, String))| {
                (k.clone(), if i == 0 { v.0.clone() } else { v.1.clone() })
            };
            texts("did", &raw.did.iter().map(pick).collect(), verbs.clone())
        };
        let did = half(0)?.into_iter().zip(half(1)?).map(|(mine, theirs)| [mine, theirs]).collect();
        let doing = Verb::ALL.iter().map(|v| raw.doing.get(v.name()).map_or("", String::as_str));
        let cut_or_cooked = crate::effect::CUT.iter().chain(&crate::effect::COOKED);
        let states =
            crate::entity::Bit::ALL.iter().map(|b| raw.states.get(b.name()).cloned().unwrap_or_default());
        for bit in cut_or_cooked {
            if !raw.states.contains_key(bit.name()) {
                return Err(format!("states: no word for \"{}\"", bit.name()));
            }
        }
        Ok(Self {
            did,
            refused: texts("refused", &raw.refused, Refusal::ALL.iter().map(|r| r.name()).collect())?,
            errors: texts("errors", &raw.errors, ErrorKind::ALL.iter().map(|e| e.name()).collect())?,
            lines: texts("lines", &raw.lines, Line::ALL.iter().map(|l| l.name()).collect())?,
            doing: doing.map(Template::read).collect::<Result<_, _>>()?,
            states: states.collect(),
            raw,
        })
    }

    pub(crate) fn line(&self, line: Line) -> &Template {
        &self.lines[line as usize]
    }

    pub(crate) fn did(&self, verb: Verb, is_mine: bool) -> &Template {
        &self.did[verb as usize][usize::from(!is_mine)]
    }

    pub(crate) fn doing(&self, verb: Verb) -> &Template {
        let doing = &self.doing[verb as usize];
        if doing.is_empty() { &self.did[verb as usize][0] } else { doing }
    }

    pub(crate) fn refused(&self, why: Refusal) -> &Template {
        &self.refused[why as usize]
    }

    pub(crate) fn error(&self, kind: ErrorKind) -> &Template {
        &self.errors[kind as usize]
    }

    pub(crate) fn state(&self, bit: crate::entity::Bit) -> &str {
        &self.states[bit as usize]
    }
}

/// Whether it is spoken of as several.
pub(crate) fn is_plural(story: &Story, e: Ent) -> bool {
    usize::from(e) < story.len() && story.is(e, Attr::Plural)
}

/// Kept so that a new command about the game is not forgotten here.
const _: () = assert!(Meta::COUNT == 12);
