//! What a skill can ask about the decision at hand. Facts and terms are read when they are first asked for.

use rl_gym::{
    Bits, Pcg64,
    vocabulary::{Term, Vocabulary, fact},
};
use std::sync::Arc;

/// The decision at hand.
pub(crate) struct View {
    words: Arc<dyn Vocabulary>,
    obs: Vec<u8>,
    legal: Vec<u32>,
    terms: Vec<Option<Term>>,
    has_terms: bool,
    /// What was seen when the use began.
    start: Vec<u8>,
    /// Own decisions of this use so far.
    pub(crate) decision: u32,
    /// The skill's own random numbers.
    pub(crate) rng: Pcg64,
}

/// What a selector asks of an argument of an action.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Aspect {
    /// Which argument, from 0.
    pub(crate) k: usize,
    /// A feature of its kind, or `None` for the argument itself.
    pub(crate) feature: Option<usize>,
}

impl View {
    pub(crate) fn new(words: Arc<dyn Vocabulary>) -> Self {
        Self {
            words,
            obs: Vec::new(),
            legal: Vec::new(),
            terms: Vec::new(),
            has_terms: false,
            start: Vec::new(),
            decision: 0,
            rng: Pcg64::seed(0),
        }
    }

    /// Takes in a decision.
    pub(crate) fn look(&mut self, obs: &[u8], mask: Bits<'_>) {
        self.obs.clear();
        self.obs.extend_from_slice(obs);
        self.legal.clear();
        self.legal.extend(mask.ones().map(|a| a as u32));
        self.has_terms = false;
    }

    /// A use begins here.
    pub(crate) fn begin(&mut self) {
        self.start.clone_from(&self.obs);
    }

    /// The value of a fact when the use began.
    pub(crate) fn at_start(&self, fact: usize) -> f32 {
        self.words.fact(&self.start, fact)
    }

    /// The value of a fact.
    pub(crate) fn value(&self, fact: usize) -> f32 {
        self.words.fact(&self.obs, fact)
    }

    /// The index of a fact.
    pub(crate) fn fact(&self, name: &str) -> Option<usize> {
        fact(self.words.facts(), name)
    }

    /// Legal actions, ascending.
    pub(crate) fn legal(&self) -> &[u32] {
        &self.legal
    }

    fn terms(&mut self) -> &[Option<Term>] {
        if !self.has_terms {
            self.terms.clear();
            self.terms.extend(self.legal.iter().map(|a| self.words.term(&self.obs, *a)));
            self.has_terms = true;
        }
        &self.terms
    }

    /// The term of a legal action.
    pub(crate) fn term(&mut self, action: u32) -> Option<Term> {
        let at = self.legal.binary_search(&action).ok()?;
        self.terms()[at]
    }

    /// The index of a verb.
    pub(crate) fn verb(&self, name: &str) -> Option<u16> {
        self.words.verbs().iter().position(|v| v.name == name).map(|v| v as u16)
    }

    /// The name of a verb.
    pub(crate) fn verb_name(&self, verb: u16) -> &'static str {
        self.words.verbs().get(usize::from(verb)).map_or("", |v| v.name)
    }

    /// Legal actions of a verb whose arguments are as given (`None`: any), ascending.
    pub(crate) fn matching(&mut self, verb: u16, args: [Option<u16>; 3]) -> impl Iterator<Item = u32> + '_ {
        self.terms();
        self.legal.iter().zip(&self.terms).filter_map(move |(action, term)| {
            let term = (*term)?;
            let fits = args.iter().zip(term.args).all(|(want, has)| want.is_none_or(|w| w == has));
            (term.verb == verb && fits).then_some(*action)
        })
    }

    /// What `name` says about arguments of a verb: a feature (`worth`), one of a later argument (`2.worth`), or the
    /// argument itself (`2`).
    pub(crate) fn aspect(&self, verb: u16, name: &str) -> Option<Aspect> {
        let (k, name) = match name.split_once('.') {
            Some((k, name)) => (k.parse::<usize>().ok()?.checked_sub(1)?, Some(name)),
            None => match name.parse::<usize>() {
                Ok(k) => (k.checked_sub(1)?, None),
                Err(_) => (0, Some(name)),
            },
        };
        let kind = *self.words.verbs().get(usize::from(verb))?.args.get(k)?;
        let feature = match name {
            Some(name) => Some(fact(self.words.kinds().get(kind)?.features, name)?),
            None => None,
        };
        Some(Aspect { k, feature })
    }

    /// The value of an aspect of a term.
    pub(crate) fn look_at(&self, term: Term, aspect: Aspect) -> f32 {
        let arg = term.args[aspect.k];
        match aspect.feature {
            None => f32::from(arg),
            Some(feature) => {
                let kind = self.words.verbs()[usize::from(term.verb)].args[aspect.k];
                self.words.feature(&self.obs, kind, arg, feature)
            }
        }
    }

    /// The legal action of a verb that fits every range and has the greatest sum of weighted aspects; the lowest of
    /// equals.
    pub(crate) fn pick(
        &mut self,
        verb: u16,
        ranges: &[(Aspect, (f32, f32))],
        weights: &[(Aspect, f32)],
    ) -> Option<u32> {
        self.terms();
        let mut best: Option<(f32, u32)> = None;
        for (action, term) in self.legal.iter().zip(&self.terms) {
            let Some(term) = term.filter(|t| t.verb == verb) else { continue };
            let fits = ranges.iter().all(|(aspect, (low, high))| {
                let value = self.look_at(term, *aspect);
                *low <= value && value <= *high
            });
            if !fits {
                continue;
            }
            let score: f32 = weights.iter().map(|(aspect, w)| w * self.look_at(term, *aspect)).sum();
            if best.is_none_or(|(most, _)| score > most) {
                best = Some((score, *action));
            }
        }
        best.map(|(_, action)| action)
    }
}
