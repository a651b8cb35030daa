//! The context of a decision: which predicates hold, as bits.

use rl_gym::vocabulary::{Fact, Vocabulary};

/// Which of a game's predicates hold, at most 128 of them, in the order of its facts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Context(pub u128);

impl Context {
    /// In how many predicates two contexts differ.
    pub const fn distance(self, other: Self) -> u32 {
        (self.0 ^ other.0).count_ones()
    }

    /// The facts that its bits stand for, in order.
    pub fn predicates(facts: &[Fact]) -> Vec<usize> {
        (0..facts.len()).filter(|i| facts[*i].is_predicate()).take(128).collect()
    }

    /// Whether predicate number `bit` holds.
    pub const fn holds(self, bit: usize) -> bool {
        self.0 >> bit & 1 == 1
    }
}

impl serde::Serialize for Context {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&format_args!("{:x}", self.0))
    }
}

impl<'de> serde::Deserialize<'de> for Context {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        u128::from_str_radix(&text, 16)
            .map(Self)
            .map_err(|_| serde::de::Error::custom(format!("\"{text}\" is no context: up to 32 hex digits")))
    }
}

/// Reads contexts.
#[derive(Clone, Debug)]
pub(crate) struct Reader {
    predicates: Vec<usize>,
}

impl Reader {
    /// A reader of the predicates among `facts`.
    pub(crate) fn new(facts: &[Fact]) -> Self {
        Self { predicates: Context::predicates(facts) }
    }

    /// The context of an observation.
    pub(crate) fn read(&self, words: &dyn Vocabulary, obs: &[u8]) -> Context {
        let bit = |(bit, fact): (usize, &usize)| u128::from(words.fact(obs, *fact) >= 0.5) << bit;
        Context(self.predicates.iter().enumerate().map(bit).fold(0, |bits, bit| bits | bit))
    }
}
