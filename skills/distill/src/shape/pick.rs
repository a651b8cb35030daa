//! Selectors with their names resolved, to ask what code would have picked in a recorded decision.

use super::sets::Aspect;
use crate::{
    ir::{Bound, Range, Selector},
    rollouts::{Choice, Corpus, Place},
};
use rl_gym::vocabulary::{MAX_ARGS, fact};

/// A selector for recorded decisions. It picks as the runtime does: the first of the best.
#[derive(Clone, Debug)]
pub(crate) struct Pick {
    pub(crate) verb: u16,
    constants: [Option<u16>; MAX_ARGS],
    ranges: Vec<(Aspect, Range)>,
    weights: Vec<(Aspect, f32)>,
}

impl Pick {
    /// `None` when a name is not of this game. Arguments that are bound to variables are left free.
    pub(crate) fn new(corpus: &Corpus<'_>, selector: &Selector) -> Option<Self> {
        let words = corpus.rollouts.words();
        let verb = words.verbs().iter().position(|v| v.name == selector.verb)?;
        let aspect = |name: &str| {
            let (k, name) = match name.split_once('.') {
                Some((k, name)) => (k.parse::<usize>().ok()?.checked_sub(1)?, name),
                None => (0, name),
            };
            let kind = words.verbs()[verb].args.get(k)?;
            Some(Aspect { k, feature: fact(words.kinds()[*kind].features, name)? })
        };
        let mut constants = [None; MAX_ARGS];
        for (constant, bound) in constants.iter_mut().zip(&selector.args) {
            if let Bound::Constant(x) = bound {
                *constant = Some(*x);
            }
        }
        let ranges = selector.want.iter().map(|(name, range)| Some((aspect(name)?, *range)));
        let mut named: Vec<_> = selector.weigh.iter().collect();
        named.sort_by(|a, b| a.of.cmp(&b.of));
        let weights = named.iter().map(|w| Some((aspect(&w.of)?, w.weight)));
        Some(Self {
            verb: verb as u16,
            constants,
            ranges: ranges.collect::<Option<_>>()?,
            weights: weights.collect::<Option<_>>()?,
        })
    }

    /// Whether an action fits. `given` are arguments that it must have besides.
    pub(crate) fn fits(&self, corpus: &Corpus<'_>, choice: &Choice, given: &[Option<u16>; MAX_ARGS]) -> bool {
        let args = |want: &[Option<u16>; MAX_ARGS]| {
            want.iter().zip(choice.term.args).all(|(want, has)| want.is_none_or(|w| w == has))
        };
        choice.term.verb == self.verb
            && args(&self.constants)
            && args(given)
            && self.ranges.iter().all(|(a, range)| range.holds(corpus.feature(choice, a.k, a.feature)))
    }

    /// What it picks at a place.
    pub(crate) fn pick<'a>(
        &self,
        corpus: &Corpus<'a>,
        at: Place,
        given: &[Option<u16>; MAX_ARGS],
    ) -> Option<&'a Choice> {
        let mut best: Option<(f32, &Choice)> = None;
        for choice in corpus.choices(at) {
            if self.fits(corpus, choice, given) {
                let of = |(a, w): &(Aspect, f32)| w * corpus.feature(choice, a.k, a.feature);
                let score = self.weights.iter().map(of).sum();
                if best.is_none_or(|(most, _)| score > most) {
                    best = Some((score, choice));
                }
            }
        }
        best.map(|(_, choice)| choice)
    }

    /// Whether it picks what was chosen, or something that looks the same.
    pub(crate) fn agrees(&self, corpus: &Corpus<'_>, at: Place, given: &[Option<u16>; MAX_ARGS]) -> bool {
        let (Some(chosen), Some(picked)) = (corpus.chosen(at), self.pick(corpus, at, given)) else {
            return false;
        };
        picked.term == chosen.term || (self.has_features(corpus) && picked.rows == chosen.rows)
    }

    /// Whether every argument of the verb can be told by features.
    fn has_features(&self, corpus: &Corpus<'_>) -> bool {
        let words = corpus.rollouts.words();
        words.verbs()[usize::from(self.verb)].args.iter().all(|k| !words.kinds()[*k].features.is_empty())
    }
}
