//! The grammar of commands, read from data: which words are verbs, prepositions and directions, and which rows of
//! words and slots lead to which verb.

use crate::{
    action::{Dir, Verb},
    entity::{Bit, named},
    lexicon::Table,
};
use std::sync::LazyLock;

mod read;
#[allow(dead_code, unreachable_pub, reason = "what every named list has, whether it is asked for or not")]
mod role;

pub(crate) use role::Role;

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
    /// All its roles, a bit each.
    pub(crate) const fn roles(&self) -> u32 {
        self.roles
    }

    /// Whether it has this role.
    pub(crate) const fn is(&self, role: Role) -> bool {
        self.roles >> role as u32 & 1 == 1
    }
}

/// All of the grammar.
#[derive(Debug)]
pub(crate) struct Grammar {
    pub(crate) words: Vec<Word>,
    /// The roles of each word, close together: every word of a line is asked for them.
    roles: Vec<u32>,
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

static GRAMMAR: LazyLock<Grammar> = LazyLock::new(|| {
    let source = include_str!("../../../assets/text/grammar.ron");
    Grammar::read(source).unwrap_or_else(|why| panic!("assets/text/grammar.ron: {why}"))
});

impl Grammar {
    /// The grammar that is compiled in.
    pub(crate) fn get() -> &'static Self {
        &GRAMMAR
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

    /// All roles of a word, a bit each; none when it is no word.
    #[inline]
    pub(crate) fn roles(&self, id: WordId) -> u32 {
        self.roles.get(usize::from(id)).copied().unwrap_or(0)
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
