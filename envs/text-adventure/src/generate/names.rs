//! Names: unique in a game, and from the part of all names that the fold may use.

use super::{
    knobs::Fold,
    theme::{Noun, Theme},
};
use crate::entity::Name;
use rl_gym::Pcg64;

/// FNV-1a (Fowler, Noll and Vo) over words, finished by mixing.
pub(super) fn digest<'a>(words: impl IntoIterator<Item = &'a str>) -> u64 {
    let mut h = 0xCBF2_9CE4_8422_2325u64;
    for word in words {
        for byte in word.bytes().chain([0]) {
            h = (h ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3);
        }
    }
    crate::world::mix(h)
}

impl Fold {
    /// The fold that something with this digest belongs to: eight tenths train, one dev, one test.
    pub const fn of(digest: u64) -> Self {
        match digest % 10 {
            8 => Self::Dev,
            9 => Self::Test,
            _ => Self::Train,
        }
    }

    /// The fold of a name of an adjective and a noun.
    pub fn of_name(adjective: &str, noun: &str) -> Self {
        Self::of(digest([adjective, noun]))
    }
}

/// Whether `phrase` is said like this adjective and noun.
fn is_phrase(phrase: &str, adjective: &str, noun: &str) -> bool {
    phrase.strip_suffix(noun).and_then(|rest| rest.strip_suffix(' ')) == Some(adjective)
}

/// Gives names and remembers which are taken.
#[derive(Debug)]
pub(super) struct Names {
    fold: Fold,
    taken: Vec<(String, String)>,
    adjectives: Vec<usize>,
}

impl Names {
    pub(super) fn new(fold: Fold) -> Self {
        Self { fold, taken: Vec::new(), adjectives: Vec::new() }
    }

    /// Whether a noun is in use, so that it alone would not be clear.
    pub(super) fn has_noun(&self, noun: &str) -> bool {
        self.taken.iter().any(|t| t.1 == noun)
    }

    /// A noun without an adjective, unless it is taken.
    pub(super) fn plain(&mut self, noun: &str) -> Option<Name> {
        let is_free = !self.has_noun(noun) && !self.taken.iter().any(|t| is_phrase(noun, &t.0, &t.1));
        is_free.then(|| {
            self.taken.push((String::new(), noun.into()));
            Name { adjectives: Vec::new(), noun: noun.into(), synonyms: Vec::new() }
        })
    }

    /// A noun with an adjective of `list` (and of `more`) that makes it one of the fold and unique.
    pub(super) fn with(
        &mut self,
        noun: &str,
        list: &[String],
        more: &[String],
        rng: &mut Pcg64,
    ) -> Option<Name> {
        let n = list.len() + more.len();
        self.adjectives.clear();
        self.adjectives.extend(0..n);
        while !self.adjectives.is_empty() {
            let at = self.adjectives.swap_remove(rng.below(self.adjectives.len() as u32) as usize);
            let adjective = list.get(at).unwrap_or_else(|| &more[at - list.len()]);
            let is_taken = self.taken.iter().any(|(a, o)| {
                (o == noun && a == adjective) || (a.is_empty() && is_phrase(o, adjective, noun))
            })
                // "small key" must not be part of "small small key", nor a noun be its own adjective.
                || noun.split(' ').any(|w| w == adjective);
            if !is_taken && Fold::of_name(adjective, noun) == self.fold {
                self.taken.push((adjective.clone(), noun.into()));
                return Some(Name {
                    adjectives: vec![adjective.clone()],
                    noun: noun.into(),
                    synonyms: Vec::new(),
                });
            }
        }
        None
    }

    /// One of `nouns`, with an adjective that its material allows. Nouns that are not used yet come first.
    pub(super) fn draw<'t>(
        &mut self,
        theme: &Theme,
        nouns: &'t [Noun],
        rng: &mut Pcg64,
    ) -> Option<(&'t Noun, Name)> {
        let n = nouns.len() as u32;
        let first = rng.below(n.max(1)) as usize;
        let around = (0..nouns.len()).map(|i| &nouns[(first + i) % nouns.len()]);
        let fresh = around.clone().filter(|x| !self.has_noun(&x.name)).collect::<Vec<_>>();
        let used = around.filter(|x| self.has_noun(&x.name)).collect::<Vec<_>>();
        for noun in fresh.into_iter().chain(used) {
            let any = theme.adjectives.get("any").map_or(&[][..], Vec::as_slice);
            let more = theme.adjectives.get(&noun.of).map_or(&[][..], Vec::as_slice);
            if let Some(name) = self.with(&noun.name, any, more, rng) {
                return Some((noun, name));
            }
        }
        None
    }
}
