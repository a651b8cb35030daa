//! The words for skills: facts of a row, verbs, and what can be said of nodes, edges, tiles, resources and rivals.
//!
//! All are read from the observation row alone, one at a time and without allocation. A row of another length reads as
//! zeros, an argument that its kind does not have as the least value of the feature. The page is `docs/words.md`.

/// A list of facts, each with the function that reads it (of the row and an argument).
macro_rules! words {
    ($($name:ident $low:literal..=$high:literal $meaning:literal, $read:expr;)*) => {
        /// The list.
        pub(super) const WORDS: &[rl_gym::vocabulary::Fact] =
            &[$(rl_gym::vocabulary::Fact::number(stringify!($name), $low as f32, $high as f32, $meaning)),*];

        /// Reads the word of the same index.
        pub(super) static READ: [fn(&super::row::Row<'_>, usize) -> f32; WORDS.len()] = [$($read),*];
    };
}

mod edge;
mod facts;
mod goal;
mod node;
mod page;
mod resource;
mod rival;
mod row;
mod tile;
mod verbs;

pub use page::markdown;

use rl_gym::vocabulary::{Fact, Kind, Term, Verb, Vocabulary};
use row::Row;

/// Version of what the words mean.
pub const VERSION: u32 = 1;

/// The words of every settlers environment: all options share one row.
#[derive(Clone, Copy, Debug, Default)]
pub struct Words;

impl Vocabulary for Words {
    fn version(&self) -> u32 {
        VERSION
    }

    fn facts(&self) -> &'static [Fact] {
        facts::WORDS
    }

    fn fact(&self, obs: &[u8], fact: usize) -> f32 {
        facts::READ[fact](&Row::of(obs), 0)
    }

    /// Dearer parts that facts share are worked out once.
    fn read(&self, obs: &[u8], values: &mut [f32]) {
        let row = Row::of(obs);
        values.iter_mut().zip(&facts::READ).for_each(|(value, read)| *value = read(&row, 0));
    }

    fn verbs(&self) -> &'static [Verb] {
        verbs::VERBS
    }

    fn kinds(&self) -> &'static [Kind] {
        verbs::KINDS
    }

    fn term(&self, obs: &[u8], action: u32) -> Option<Term> {
        verbs::term(&Row::of(obs), action)
    }

    fn feature(&self, obs: &[u8], kind: usize, arg: u16, feature: usize) -> f32 {
        verbs::feature(&Row::of(obs), kind, arg.into(), feature)
    }

    fn feature_of_each(&self, obs: &[u8], kind: usize, args: &[u16], feature: usize, values: &mut [f32]) {
        let row = Row::of(obs);
        for (value, arg) in values.iter_mut().zip(args) {
            *value = verbs::feature(&row, kind, usize::from(*arg), feature);
        }
    }
}
