//! The grammar of commands, read from data: which words are verbs, prepositions and directions, and which rows of
//! words and slots lead to which verb.

use crate::{
    action::{Dir, Verb},
    entity::{Attr, Bit, named},
    lexicon::{Table, hash_word},
};
use serde::Deserialize;
use std::sync::LazyLock;

named! {
    /// Commands about the game that cost no turn. The parser knows them; whoever runs the game carries them out.
    Meta {
        /// How many points there are.
        Score = "score",
        /// What one can do.
        Help = "help",
        /// Takes the last turn back.
        Undo = "undo",
        /// Keeps the game under a name.
        Save = "save",
        /// Goes back to a kept game.
        Restore = "restore",
        /// Rooms are described in full each time.
        Verbose = "verbose",
        /// Rooms are described in full once.
        Brief = "brief",
        /// Begins again.
        Restart = "restart",
        /// Ends the session.
        Quit = "quit",
        /// Starts or stops a transcript.
        Transcript = "transcript",
        /// Shows the rooms seen so far.
        Map = "map",
        /// Says something to the other seats.
        Say = "say",
    }
}

named! {
    /// What a word does in commands beside being part of lines. A word can have several roles.
    Role {
        /// Is passed over.
        Article = "article",
        /// Stands for a noun: "the red one".
        One = "one",
        /// Narrows to what one holds.
        Mine = "mine",
        /// Joins the items of a list.
        And = "and",
        /// Everything.
        All = "all",
        /// Leaves out of everything.
        Except = "except",
        /// Ends a clause.
        Then = "then",
        /// Is passed over after `all`.
        Of = "of",
        /// The last command once more.
        Again = "again",
        /// Corrects a word of the last command.
        Oops = "oops",
        /// The thing last spoken of.
        It = "it",
        /// The things, or the plural thing, last spoken of.
        Them = "them",
        /// The man last spoken of.
        Him = "him",
        /// The woman last spoken of.
        Her = "her",
        /// Whoever acts.
        Me = "me",
        /// The room itself as a place.
        Floor = "floor",
        /// Leads to the place where something is.
        Inside = "inside",
    }
}

/// Index of a word of the grammar; [`NO_WORD`] for none.
pub(crate) type WordId = u16;
/// Not a word of the grammar (or of the story).
pub(crate) const NO_WORD: u16 = u16::MAX;

/// What a slot of a line takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Thing,
    Held,
    Multi,
    MultiHeld,
    Actor,
    Cooker(Bit),
    Door,
    Dir,
    Topic,
    Text,
}

impl Kind {
    /// Whether a list fits.
    pub(crate) const fn is_multi(self) -> bool {
        matches!(self, Self::Multi | Self::MultiHeld)
    }

    /// Whether what fits is normally held.
    pub(crate) const fn is_held(self) -> bool {
        matches!(self, Self::Held | Self::MultiHeld)
    }
}

/// One piece of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Piece {
    /// One of these words: a range of [`Grammar::choices`].
    Word(u16, u16),
    /// A slot, and whether it is the second object.
    Slot(Kind, bool),
    /// A direction that the verb implies.
    Toward(Dir),
}

/// What a line leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Leads {
    Act(Verb),
    Meta(Meta),
}

/// A row of words and slots.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) leads: Leads,
    pub(crate) pieces: Vec<Piece>,
}

/// A word of the grammar.
#[derive(Clone, Debug, Default)]
pub(crate) struct Word {
    pub(crate) text: String,
    roles: u32,
    pub(crate) dir: Option<Dir>,
    /// Whether it stands inside of lines, as a preposition does.
    pub(crate) is_inner: bool,
    /// Lines that begin with it, in order.
    pub(crate) lines: Vec<u16>,
}

impl Word {
    /// Whether it has this role.
    pub(crate) const fn is(&self, role: Role) -> bool {
        self.roles >> role as u32 & 1 == 1
    }
}

/// All of the grammar.
#[derive(Debug)]
pub(crate) struct Grammar {
    pub(crate) words: Vec<Word>,
    table: Table,
    pub(crate) lines: Vec<Line>,
    choices: Vec<WordId>,
    /// Lines that begin with a slot: bare directions.
    pub(crate) open_lines: Vec<u16>,
    /// Per verb the words before, between and after the objects of its canonical command.
    canonical: Vec<[String; 3]>,
    directions: Vec<String>,
    from: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    articles: Vec<String>,
    one: Vec<String>,
    mine: Vec<String>,
    and: Vec<String>,
    all: Vec<String>,
    except: Vec<String>,
    then: Vec<String>,
    of: Vec<String>,
    again: Vec<String>,
    oops: Vec<String>,
    it: Vec<String>,
    them: Vec<String>,
    him: Vec<String>,
    her: Vec<String>,
    me: Vec<String>,
    floor: Vec<String>,
    inside: Vec<String>,
    from: String,
    directions: Vec<(String, Vec<String>)>,
    verbs: Vec<(String, Vec<String>)>,
    meta: Vec<(String, Vec<String>)>,
}

static GRAMMAR: LazyLock<Grammar> = LazyLock::new(|| {
    let source = include_str!("../../../assets/text/grammar.ron");
    Grammar::read(source).unwrap_or_else(|why| panic!("assets/text/grammar.ron: {why}"))
});

impl Grammar {
    /// The grammar that is compiled in.
    pub(crate) fn get() -> &'static Self {
        &GRAMMAR
    }

    /// Reads a grammar file.
    fn read(source: &str) -> Result<Self, String> {
        let raw: Raw = ron::from_str(source).map_err(|e| e.to_string())?;
        let mut grammar = Self {
            words: Vec::new(),
            table: Table::default(),
            lines: Vec::new(),
            choices: Vec::new(),
            open_lines: Vec::new(),
            canonical: vec![<[String; 3]>::default(); Verb::COUNT],
            directions: vec![String::new(); Dir::COUNT],
            from: raw.from.clone(),
        };
        let roles = [
            &raw.articles,
            &raw.one,
            &raw.mine,
            &raw.and,
            &raw.all,
            &raw.except,
            &raw.then,
            &raw.of,
            &raw.again,
            &raw.oops,
            &raw.it,
            &raw.them,
            &raw.him,
            &raw.her,
            &raw.me,
            &raw.floor,
            &raw.inside,
        ];
        for (role, words) in Role::ALL.iter().zip(roles) {
            for word in words {
                let id = grammar.word(word);
                grammar.words[usize::from(id)].roles |= 1 << *role as u32;
            }
        }
        for (name, words) in &raw.directions {
            let dir = Dir::named(name).ok_or_else(|| format!("no direction \"{name}\""))?;
            grammar.directions[dir as usize] = words.first().cloned().unwrap_or_default();
            for word in words {
                let id = grammar.word(word);
                grammar.words[usize::from(id)].dir = Some(dir);
            }
        }
        for (name, lines) in &raw.verbs {
            let verb = Verb::named(name).ok_or_else(|| format!("no verb \"{name}\""))?;
            lines.iter().try_for_each(|line| grammar.line(Leads::Act(verb), line))?;
        }
        for (name, lines) in &raw.meta {
            let meta = Meta::named(name).ok_or_else(|| format!("no command \"{name}\""))?;
            lines.iter().try_for_each(|line| grammar.line(Leads::Meta(meta), line))?;
        }
        for &verb in Verb::ALL {
            let line = grammar.lines.iter().find(|l| l.leads == Leads::Act(verb));
            let line = line.ok_or_else(|| format!("no line leads to \"{}\"", verb.name()))?.clone();
            grammar.canonical[verb as usize] = grammar.canonical_of(&line)?;
        }
        Ok(grammar)
    }

    /// The id of a word, added when it is new.
    fn word(&mut self, text: &str) -> WordId {
        let hash = hash_word(text);
        if let Some(id) = self.table.get(hash) {
            return id;
        }
        let id = self.words.len() as WordId;
        self.words.push(Word { text: text.into(), ..Word::default() });
        self.table.insert(hash, id);
        id
    }

    fn line(&mut self, leads: Leads, text: &str) -> Result<(), String> {
        let mut pieces = Vec::new();
        let mut slots = 0;
        for part in text.split_whitespace() {
            pieces.push(match part.strip_prefix('{').and_then(|p| p.strip_suffix('}')) {
                Some(slot) => slot_piece(slot, &mut slots)
                    .ok_or_else(|| format!("unknown slot \"{part}\" in the line \"{text}\""))?,
                None => {
                    let from = self.choices.len() as u16;
                    for word in part.split('|') {
                        let id = self.word(word);
                        self.words[usize::from(id)].is_inner |= !pieces.is_empty();
                        self.choices.push(id);
                    }
                    Piece::Word(from, self.choices.len() as u16)
                }
            });
        }
        let index = self.lines.len() as u16;
        match pieces.first() {
            Some(&Piece::Word(from, to)) => {
                for choice in from..to {
                    let id = self.choices[usize::from(choice)];
                    self.words[usize::from(id)].lines.push(index);
                }
            }
            Some(_) => self.open_lines.push(index),
            None => return Err(format!("an empty line of {leads:?}")),
        }
        self.lines.push(Line { leads, pieces });
        Ok(())
    }

    fn canonical_of(&self, line: &Line) -> Result<[String; 3], String> {
        let mut parts = <[String; 3]>::default();
        let mut slot = 0;
        for &piece in &line.pieces {
            match piece {
                Piece::Word(from, _) => {
                    if !parts[slot].is_empty() {
                        parts[slot].push(' ');
                    }
                    parts[slot].push_str(self.text(self.choices[usize::from(from)]));
                }
                Piece::Slot(_, is_second) if usize::from(is_second) == slot && slot < 2 => slot += 1,
                _ => {
                    return Err(format!("the first line of {:?} must have its objects in order", line.leads));
                }
            }
        }
        Ok(parts)
    }

    /// Words before, between and after the objects of the canonical command of a verb.
    pub(crate) fn canonical(&self, verb: Verb) -> &[String; 3] {
        &self.canonical[verb as usize]
    }

    /// The id of a word by its hash.
    #[inline]
    pub(crate) fn find(&self, hash: u64) -> WordId {
        self.table.get(hash).unwrap_or(NO_WORD)
    }

    /// A word, if it is one.
    #[inline]
    pub(crate) fn get_word(&self, id: WordId) -> Option<&Word> {
        self.words.get(usize::from(id))
    }

    /// How a word is written.
    pub(crate) fn text(&self, id: WordId) -> &str {
        &self.words[usize::from(id)].text
    }

    /// Whether `word` is one of the choices of a piece.
    #[inline]
    pub(crate) fn accepts(&self, from: u16, to: u16, word: WordId) -> bool {
        self.choices[usize::from(from)..usize::from(to)].contains(&word)
    }

    /// The word for a direction.
    pub(crate) fn direction(&self, dir: Dir) -> &str {
        &self.directions[dir as usize]
    }

    /// The preposition that tells where something is: as the verb that puts it there has it, or `from` somebody.
    pub(crate) fn place_word(&self, verb: Verb) -> &str {
        match verb {
            Verb::PutIn | Verb::PutOn => &self.canonical(verb)[1],
            _ => &self.from,
        }
    }

    /// The first word of a role, as the parser itself uses it.
    pub(crate) fn first_of(&self, role: Role) -> &str {
        self.words.iter().find(|w| w.is(role)).map_or("", |w| &w.text)
    }
}

fn slot_piece(slot: &str, slots: &mut u8) -> Option<Piece> {
    if let Some(dir) = slot.strip_prefix('=') {
        return Dir::named(dir).map(Piece::Toward);
    }
    let (place, name) = match slot.split_once(':') {
        Some(("a", name)) => (false, name),
        Some(("b", name)) => (true, name),
        Some(_) => return None,
        None => (*slots > 0, slot),
    };
    *slots += 1;
    let kind = match name {
        "thing" => Kind::Thing,
        "held" => Kind::Held,
        "multi" => Kind::Multi,
        "multi-held" => Kind::MultiHeld,
        "actor" => Kind::Actor,
        "fryer" => Kind::Cooker(Bit::Fried),
        "roaster" => Kind::Cooker(Bit::Roasted),
        "griller" => Kind::Cooker(Bit::Grilled),
        "door" => Kind::Door,
        "dir" => Kind::Dir,
        "topic" => Kind::Topic,
        "text" => Kind::Text,
        other => Attr::named(other).map(|_| Kind::Thing)?,
    };
    Some(Piece::Slot(kind, place))
}
