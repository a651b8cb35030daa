//! What can come of a command, as enums: the words for each are data of the prose.

use crate::{action::Action, entity::named, grammar::Meta, rules::Refusal};

named! {
    /// What is wrong with a command that was not understood. It costs no turn and changes nothing. Of several faults
    /// the one furthest into the command is told, then the later one of this list.
    ErrorKind {
        /// Nothing was said.
        Empty = "empty",
        /// More than [`crate::parser::MAX_TEXT`] bytes, [`crate::parser::MAX_TOKENS`] words or
        /// [`crate::parser::MAX_CLAUSES`] clauses.
        TooLong = "too_long",
        /// The command begins with no verb.
        UnknownVerb = "unknown_verb",
        /// Understood up to some word.
        Partial = "partial",
        /// More follows than the verb takes.
        JunkAfter = "junk_after",
        /// The verb takes fewer objects.
        TooManyNouns = "too_many_nouns",
        /// The verb does not go with this preposition.
        WrongPreposition = "wrong_preposition",
        /// The verb takes one more object.
        MissingNoun = "missing_noun",
        /// A word that this seat has no reason to know.
        UnknownWord = "unknown_word",
        /// No such thing is seen here. It does not tell whether there is one elsewhere.
        NotVisible = "not_visible",
        /// One holds nothing of the kind.
        NotHeld = "not_held",
        /// Only people can be spoken to.
        NotAnimate = "not_animate",
        /// The verb takes one thing at a time.
        MultiNotAllowed = "multi_not_allowed",
        /// Nothing was spoken of that a pronoun, `again` or `oops` could mean.
        PronounUnset = "pronoun_unset",
        /// Everything that was meant was left out again.
        ExceptEmpty = "except_empty",
        /// `all` means nothing here.
        NothingApplies = "nothing_applies",
        /// Several things are meant, and asking is switched off.
        Ambiguous = "ambiguous",
    }
}

/// Why a text is no action that works now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParseError {
    /// It was not understood.
    Error(ErrorKind),
    /// It was understood and does not work.
    Refused(Action, Refusal),
    /// It is about the game, not in it.
    Meta(Meta),
}

/// What came of a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// It was carried out; whether the world (but for the turn) is now another one.
    Ok {
        /// Whether anything changed.
        changed: bool,
    },
    /// What it would bring about is the case already.
    NoEffect(Refusal),
    /// It was understood and does not work. Nothing changed and no turn passed.
    Refused(Refusal),
    /// It was not understood. Nothing changed and no turn passed.
    ParseError(ErrorKind),
    /// The next line may answer; see [`crate::parser::Session::choices`]. Nothing changed and no turn passed.
    Question,
    /// It is about the game: to be carried out by the caller, but for undo.
    Meta(Meta),
}

/// What came of a line: of its last clause that was looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reply {
    /// What came of it.
    pub outcome: Outcome,
    /// The last action that was carried out or refused.
    pub action: Option<Action>,
    /// Turns that passed; where somebody else ends turns, clauses that call for one.
    pub turns: u8,
    /// Words that were corrected.
    pub corrected: u8,
}

/// What happens when several things are meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Ambiguity {
    /// A question, which the next line may answer.
    #[default]
    Ask,
    /// The first is taken.
    First,
    /// An error.
    Error,
}

/// What happens with a word that is nearly another one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Typos {
    /// It is corrected, and told.
    Correct,
    /// The other word is suggested.
    #[default]
    Suggest,
    /// It is unknown.
    Off,
}

/// How commands are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// What happens when several things are meant.
    pub ambiguity: Ambiguity,
    /// What happens with mistyped words.
    pub typos: Typos,
    /// Whether what a command needs first (taking, opening, taking off) is done by itself.
    pub implicit: bool,
    /// Whether a carried-out clause ends the turn. Off where several seats move and somebody else ends it.
    pub ends_turn: bool,
    /// Whether rooms that were seen before are described in full again.
    pub verbose: bool,
    /// Turns that can be taken back.
    pub undo_depth: u8,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            ambiguity: Ambiguity::Ask,
            typos: Typos::Suggest,
            implicit: true,
            ends_turn: true,
            verbose: true,
            undo_depth: 16,
        }
    }
}
