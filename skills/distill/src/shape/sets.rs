//! Decisions between actions of one verb, as tables of features.

use crate::rollouts::{Choice, Corpus, Place};
use rl_gym::vocabulary::{Fact, MAX_ARGS};

/// Decisions of one table at most.
const MAX_SETS: usize = 400;

/// A feature of an argument of a verb.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Aspect {
    pub(crate) k: usize,
    pub(crate) feature: usize,
}

/// One decision: a row of aspects for each action.
#[derive(Clone, Debug)]
pub(crate) struct Set {
    pub(crate) at: Place,
    pub(crate) chosen: usize,
    pub(crate) values: Vec<f32>,
}

/// Decisions between actions of one verb.
#[derive(Clone, Debug)]
pub(crate) struct Sets {
    pub(crate) verb: u16,
    pub(crate) aspects: Vec<Aspect>,
    pub(crate) facts: Vec<&'static Fact>,
    pub(crate) sets: Vec<Set>,
}

impl Set {
    /// Row of action `i`.
    pub(crate) fn row(&self, i: usize, width: usize) -> &[f32] {
        &self.values[i * width..(i + 1) * width]
    }

    /// Number of actions.
    pub(crate) fn len(&self, width: usize) -> usize {
        self.values.len().checked_div(width).unwrap_or(1)
    }
}

impl Sets {
    /// The table of `verb` for decisions in which it was chosen. Only actions with the arguments that are given beside
    /// a place take part.
    pub(crate) fn new(corpus: &Corpus<'_>, verb: u16, places: &[(Place, [Option<u16>; MAX_ARGS])]) -> Self {
        let words = corpus.rollouts.words();
        let kinds = words.verbs()[usize::from(verb)].args;
        let mut aspects = Vec::new();
        for (k, kind) in kinds.iter().enumerate() {
            let features = words.kinds()[*kind].features.iter().enumerate();
            aspects.extend(features.filter(|(_, f)| !f.is_label).map(|(feature, _)| Aspect { k, feature }));
        }
        let every = places.len().div_ceil(MAX_SETS).max(1);
        let mut sets = Vec::new();
        for (at, given) in places.iter().step_by(every) {
            let fits = |c: &Choice| {
                let args = given.iter().zip(c.term.args);
                c.term.verb == verb && args.clone().all(|(want, has)| want.is_none_or(|w| w == has))
            };
            let Some(chosen) = corpus.chosen(*at).filter(|c| fits(c)) else { continue };
            let all: Vec<&Choice> = corpus.choices(*at).iter().filter(|c| fits(c)).collect();
            let Some(chosen) = all.iter().position(|c| std::ptr::eq(*c, chosen)) else { continue };
            let values = all.iter().flat_map(|c| aspects.iter().map(|a| corpus.feature(c, a.k, a.feature)));
            sets.push(Set { at: *at, chosen, values: values.collect() });
        }
        let fact = |a: &Aspect| &words.kinds()[kinds[a.k]].features[a.feature];
        let facts = aspects.iter().map(fact).collect();
        let mut table = Self { verb, aspects, facts, sets };
        table.drop_constant();
        table
    }

    /// Number of aspects.
    pub(crate) fn width(&self) -> usize {
        self.aspects.len()
    }

    /// Leaves out aspects in which the actions of no decision differ: they cannot decide anything.
    fn drop_constant(&mut self) {
        let width = self.width();
        let varies = |a: usize| {
            self.sets.iter().any(|s| (1..s.len(width)).any(|i| s.row(i, width)[a] != s.row(0, width)[a]))
        };
        let keep: Vec<usize> = (0..width).filter(|a| varies(*a)).collect();
        for set in &mut self.sets {
            let count = set.len(width);
            let values = (0..count).flat_map(|i| keep.iter().map(move |a| (i, *a)));
            let values: Vec<f32> = values.map(|(i, a)| set.values[i * width + a]).collect();
            if keep.is_empty() {
                // Nothing tells them apart: one action stands for all.
                set.chosen = 0;
            }
            set.values = values;
        }
        self.aspects = keep.iter().map(|a| self.aspects[*a]).collect();
        self.facts = keep.iter().map(|a| self.facts[*a]).collect();
    }

    /// The same aspects for the decisions that `keep` accepts.
    pub(crate) fn only(&self, keep: impl Fn(&Set) -> bool) -> Self {
        let sets = self.sets.iter().filter(|s| keep(s)).cloned().collect();
        Self { verb: self.verb, aspects: self.aspects.clone(), facts: self.facts.clone(), sets }
    }
}
