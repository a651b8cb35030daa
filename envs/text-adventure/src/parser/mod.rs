//! From typed text to actions: tokens, grammar lines, noun phrases, and which of several meanings is meant.
//!
//! [`parse_action`] is the pure function for one action; a [`Session`] is what a seat types into: it remembers what was
//! spoken of, asks when it must, takes turns back and does first what goes without saying.

mod ask;
mod implicit;
mod kinds;
mod lines;
mod list;
mod memory;
mod noun;
mod rank;
mod reader;
mod session;
pub(crate) mod tokens;
mod turn;
mod typo;

pub use crate::grammar::Meta;
pub use implicit::MAX_IMPLICIT;
pub use kinds::{Ambiguity, ErrorKind, Outcome, ParseError, Reply, Settings, Typos};
pub use rank::MAX_CHOICES;
pub use session::{MAX_CLAUSES, Session};
pub use tokens::{MAX_TEXT, MAX_TOKENS};

use crate::{action::Action, lexicon::Words, scope::Scope, world::World};
use memory::Memory;
use reader::{Meaning, Reader};
use tokens::Tokens;

/// The one action that `text` means for the actor of `scope`, now.
///
/// Only this text and what is in sight decide: no memory, nothing done first, no question. Things of one name stand for
/// each other; several things of different names that would do as well are ambiguous.
///
/// # Errors
/// [`ParseError::Refused`] with the best meaning when none works, [`ParseError::Error`] when it is not understood or
/// means several actions, [`ParseError::Meta`] when it is about the game.
pub fn parse_action(words: &Words, world: &World, scope: &Scope, text: &str) -> Result<Action, ParseError> {
    let mut tokens = Tokens::default();
    tokens.read(words, text).map_err(|_| ParseError::Error(ErrorKind::TooLong))?;
    let (memory, settings) = (Memory::default(), Settings { implicit: false, ..Settings::default() });
    let mut list = tokens.list();
    while let Some((last, rest)) = list.split_last()
        && last.mark == tokens::Mark::Stop
    {
        list = rest;
    }
    let mut reader = Reader::new(words, world, scope, list, &memory, &settings);
    match reader.read() {
        Ok(Meaning::One(_, found)) if found.others > 0 => Err(ParseError::Error(ErrorKind::Ambiguous)),
        Ok(Meaning::One(_, found)) => {
            found.verdict.map(|()| found.action).map_err(|why| ParseError::Refused(found.action, why))
        }
        Ok(Meaning::Many(..)) => Err(ParseError::Error(ErrorKind::MultiNotAllowed)),
        Ok(Meaning::Meta(meta, ..)) => Err(ParseError::Meta(meta)),
        Ok(Meaning::Lacks(..)) => Err(ParseError::Error(ErrorKind::MissingNoun)),
        Err((kind, _)) => Err(ParseError::Error(kind)),
    }
}
