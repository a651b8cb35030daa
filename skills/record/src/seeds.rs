//! Seeds for training, gates and reports, kept apart by type: what was learned from, what admits, what is told.

use rl_gym::{EpisodeSeed, Pcg64, SeedSequence};
use std::{fmt, marker::PhantomData};

mod sealed {
    pub trait Sealed {}
}

/// What seeds are for. The three below and no other.
pub trait Purpose: sealed::Sealed + Copy + fmt::Debug + Send + Sync + 'static {
    /// Its word, which also names the fold of games that come in folds.
    const WORD: &'static str;
    /// The name of the fold of generated games that belongs to it.
    const FOLD: &'static str;
    /// First part of the path of its seeds.
    const KEY: u32;
}

macro_rules! purposes {
    ($($name:ident $word:literal $fold:literal $key:literal $doc:literal;)*) => {$(
        #[doc = $doc]
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum $name {}
        impl sealed::Sealed for $name {}
        impl Purpose for $name {
            const WORD: &'static str = $word;
            const FOLD: &'static str = $fold;
            const KEY: u32 = 0xf01d_0000 + $key;
        }
    )*};
}

purposes! {
    Train "train" "train" 1 "Rollouts that skills are mined and tuned on.";
    Gate "gate" "dev" 2 "Trials that admit or refuse skills, and watch admitted ones.";
    Report "report" "test" 3 "Trials whose figures are told. Nothing is chosen by them.";
}

/// Seeds for one purpose. Those of different purposes never meet, whatever their roots: the purpose is part of the
/// path, and matches of the league have shorter numbers there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Seeds<P> {
    root: u64,
    stream: u32,
    purpose: PhantomData<P>,
}

/// One of them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Seed<P> {
    root: u64,
    stream: u32,
    number: u32,
    purpose: PhantomData<P>,
}

impl<P: Purpose> Seeds<P> {
    /// The seeds under `root`. Different streams never meet either.
    pub const fn new(root: u64, stream: u32) -> Self {
        Self { root, stream, purpose: PhantomData }
    }

    /// Number `number` of them.
    pub const fn get(self, number: u32) -> Seed<P> {
        Seed { root: self.root, stream: self.stream, number, purpose: PhantomData }
    }

    /// Those with numbers from `first`, as many as `count`.
    pub fn range(self, first: u32, count: u32) -> impl Iterator<Item = Seed<P>> {
        (first..first + count).map(move |number| self.get(number))
    }
}

impl<P: Purpose> Seed<P> {
    fn path(self) -> SeedSequence {
        SeedSequence::new(self.root).child(P::KEY).child(self.stream).child(self.number)
    }

    /// Its number among its stream.
    pub const fn number(self) -> u32 {
        self.number
    }

    /// The seed of the episode.
    pub fn episode(self) -> EpisodeSeed {
        EpisodeSeed::Fresh(self.path().child(0))
    }

    /// A generator that belongs to it; each `who` (from 0) has one of their own.
    pub fn rng(self, who: u32) -> Pcg64 {
        self.path().child(1 + who).rng()
    }
}

impl<P: Purpose> fmt::Display for Seed<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}/{}/{}", P::WORD, self.root, self.stream, self.number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn streams<P: Purpose>() -> impl Iterator<Item = u64> {
        (0..3)
            .flat_map(|root| (0..3).flat_map(move |stream| Seeds::<P>::new(root, stream).range(0, 5)))
            .flat_map(|seed| {
                let EpisodeSeed::Fresh(path) = seed.episode() else { unreachable!() };
                [path.rng().next_u64(), seed.rng(0).next_u64(), seed.rng(1).next_u64()]
            })
    }

    #[test]
    fn no_two_streams_meet() {
        let all: Vec<u64> = streams::<Train>().chain(streams::<Gate>()).chain(streams::<Report>()).collect();
        assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len());
        assert_eq!(all.len(), 3 * 3 * 3 * 5 * 3);
    }
}
