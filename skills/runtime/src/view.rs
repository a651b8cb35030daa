//! What a skill can ask about the decision at hand. Facts and terms are read when they are first asked for.

use crate::select::Known;
use rl_gym::{
    Bits, Pcg64,
    vocabulary::{Term, Vocabulary, fact},
};
use std::sync::Arc;

/// The decision at hand.
pub(crate) struct View {
    words: Arc<dyn Vocabulary>,
    /// Names of facts, sorted, with their indices.
    names: Vec<(&'static str, usize)>,
    obs: Vec<u8>,
    mask: Vec<u64>,
    mask_bits: usize,
    legal: Vec<u32>,
    has_legal: bool,
    terms: Vec<Option<Term>>,
    has_terms: bool,
    /// What was seen when the use began.
    start: Vec<u8>,
    /// Own decisions of this use so far.
    pub(crate) decision: u32,
    /// The skill's own random numbers.
    pub(crate) rng: Pcg64,
    sieve: Sieve,
    /// Selectors that were met as text.
    pub(crate) wants: Known<(Aspect, (f32, f32))>,
    pub(crate) weighs: Known<(Aspect, f32)>,
}

/// Memory of a selector, kept warm between decisions.
#[derive(Default)]
struct Sieve {
    /// Actions that are still in, with their arguments.
    found: Vec<(u32, [u16; 3])>,
    /// Arguments that are asked about, one for each run of the same, and the values of all actions.
    args: Vec<u16>,
    distinct: Vec<f32>,
    values: Vec<f32>,
    scores: Vec<f32>,
}

impl Sieve {
    fn take(&mut self, legal: &[u32], terms: &[Option<Term>], verb: u16) {
        self.found.clear();
        let fits = |(action, term): (&u32, &Option<Term>)| {
            term.filter(|t| t.verb == verb).map(|term| (*action, term.args))
        };
        self.found.extend(legal.iter().zip(terms).filter_map(fits));
    }

    /// Reads an aspect of all actions. Actions often come in runs that share an argument, which is read once.
    fn read(&mut self, words: &dyn Vocabulary, obs: &[u8], kinds: &[usize], aspect: Aspect) {
        let arg = |(_, args): &(u32, [u16; 3])| args[aspect.k];
        self.values.clear();
        let Some(feature) = aspect.feature else {
            self.values.extend(self.found.iter().map(|a| f32::from(arg(a))));
            return;
        };
        self.args.clear();
        self.args.extend(self.found.iter().map(arg));
        self.args.dedup();
        self.distinct.clear();
        self.distinct.resize(self.args.len(), 0.0);
        words.feature_of_each(obs, kinds[aspect.k], &self.args, feature, &mut self.distinct);
        let mut at = 0;
        for action in &self.found {
            if self.args[at] != arg(action) {
                at += 1;
            }
            self.values.push(self.distinct[at]);
        }
    }

    /// Leaves the actions whose value is within bounds.
    fn keep(&mut self, low: f32, high: f32) {
        let mut values = self.values.iter();
        self.found.retain(|_| values.next().is_some_and(|value| low <= *value && *value <= high));
    }
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
        let mut names: Vec<(&'static str, usize)> =
            words.facts().iter().enumerate().map(|(i, f)| (f.name, i)).collect();
        names.sort_unstable();
        Self {
            words,
            names,
            obs: Vec::new(),
            mask: Vec::new(),
            mask_bits: 0,
            legal: Vec::new(),
            has_legal: false,
            terms: Vec::new(),
            has_terms: false,
            start: Vec::new(),
            decision: 0,
            rng: Pcg64::seed(0),
            sieve: Sieve::default(),
            wants: Known::default(),
            weighs: Known::default(),
        }
    }

    /// Takes in a decision.
    pub(crate) fn look(&mut self, obs: &[u8], mask: Bits<'_>) {
        self.obs.clear();
        self.obs.extend_from_slice(obs);
        self.mask.clear();
        self.mask.extend_from_slice(mask.words());
        self.mask_bits = mask.len();
        self.has_legal = false;
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
        let at = self.names.binary_search_by(|(known, _)| (*known).cmp(name)).ok()?;
        Some(self.names[at].1)
    }

    /// Legal actions, ascending.
    pub(crate) fn legal(&mut self) -> &[u32] {
        if !self.has_legal {
            self.legal.clear();
            self.legal.extend(Bits::new(&self.mask, self.mask_bits).ones().map(|a| a as u32));
            self.has_legal = true;
        }
        &self.legal
    }

    fn terms(&mut self) -> &[Option<Term>] {
        if !self.has_terms {
            self.legal();
            self.terms.clear();
            self.terms.extend(self.legal.iter().map(|a| self.words.term(&self.obs, *a)));
            self.has_terms = true;
        }
        &self.terms
    }

    /// The term of a legal action.
    pub(crate) fn term(&mut self, action: u32) -> Option<Term> {
        let at = self.legal().binary_search(&action).ok()?;
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
        let Self { words, obs, legal, terms, sieve, .. } = self;
        sieve.take(legal, terms, verb);
        let kinds = words.verbs()[usize::from(verb)].args;
        for (aspect, (low, high)) in ranges {
            sieve.read(&**words, obs, kinds, *aspect);
            sieve.keep(*low, *high);
        }
        sieve.scores.clear();
        sieve.scores.resize(sieve.found.len(), 0.0);
        for (aspect, weight) in weights {
            sieve.read(&**words, obs, kinds, *aspect);
            sieve.scores.iter_mut().zip(&sieve.values).for_each(|(score, value)| *score += weight * value);
        }
        let mut best: Option<(f32, u32)> = None;
        for (score, (action, _)) in sieve.scores.iter().zip(&sieve.found) {
            if best.is_none_or(|(most, _)| *score > most) {
                best = Some((*score, *action));
            }
        }
        best.map(|(_, action)| action)
    }
}
