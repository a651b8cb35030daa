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
    facts: Vec<f32>,
    has_facts: bool,
    /// Facts with which the use began.
    pub(crate) start: Vec<f32>,
    /// Own decisions of this use so far.
    pub(crate) decision: u32,
    /// The skill's own random numbers.
    pub(crate) rng: Pcg64,
    feature: Vec<f32>,
}

impl View {
    pub(crate) fn new(words: Arc<dyn Vocabulary>) -> Self {
        let facts = words.facts().len();
        let most = words.kinds().iter().map(|k| k.features.len()).max().unwrap_or(0);
        Self {
            words,
            obs: Vec::new(),
            legal: Vec::new(),
            terms: Vec::new(),
            has_terms: false,
            facts: vec![0.0; facts],
            has_facts: false,
            start: vec![0.0; facts],
            decision: 0,
            rng: Pcg64::seed(0),
            feature: vec![0.0; most],
        }
    }

    /// Takes in a decision.
    pub(crate) fn look(&mut self, obs: &[u8], mask: Bits<'_>) {
        self.obs.clear();
        self.obs.extend_from_slice(obs);
        self.legal.clear();
        self.legal.extend(mask.ones().map(|a| a as u32));
        self.has_terms = false;
        self.has_facts = false;
    }

    /// All facts.
    pub(crate) fn facts(&mut self) -> &[f32] {
        if !self.has_facts {
            self.words.read(&self.obs, &mut self.facts);
            self.has_facts = true;
        }
        &self.facts
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

    /// The value of a feature of argument `k` (from 0) of a term; `None` when there is no such thing.
    pub(crate) fn feature(&mut self, term: Term, k: usize, name: &str) -> Option<f32> {
        let verb = self.words.verbs().get(usize::from(term.verb))?;
        let kind = *verb.args.get(k)?;
        let features = self.words.kinds().get(kind)?.features;
        let at = fact(features, name)?;
        let values = &mut self.feature[..features.len()];
        self.words.features(&self.obs, kind, term.args[k], values);
        Some(values[at])
    }

    /// The legal action of a verb with the greatest (or least) value of a feature; the lowest of equals.
    pub(crate) fn best(&mut self, verb: u16, k: usize, name: &str, least: bool) -> Option<u32> {
        self.terms();
        let mut best: Option<(f32, u32)> = None;
        for at in 0..self.legal.len() {
            let (action, term) = (self.legal[at], self.terms[at]);
            let Some(term) = term.filter(|t| t.verb == verb) else { continue };
            let value = self.feature(term, k, name)?;
            let value = if least { -value } else { value };
            if best.is_none_or(|(most, _)| value > most) {
                best = Some((value, action));
            }
        }
        best.map(|(_, action)| action)
    }
}
