//! Abstract actions: a verb with what tells the chosen arguments from those that were passed over.

use crate::rollouts::{Choice, Corpus, Place};
use rl_gym::vocabulary::MAX_ARGS;

/// Questions that split a verb into classes, at most.
const MAX_ASKS: usize = 2;
/// Decisions of a verb that are looked at, at most.
const MAX_SETS: usize = 400;
/// Decisions with a choice that a verb needs before its arguments are looked at.
const MIN_SETS: usize = 10;
/// Nats by which a question must tell chosen arguments from others.
const MIN_NATS: f64 = 0.1;

/// A question about an action.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Ask {
    /// Whether a feature of an argument is at least so much; all that is less is at most `else_most`.
    Feature { k: usize, feature: usize, at_least: f32, else_most: f32 },
    /// Whether an argument was an argument of the action before.
    Same { k: usize },
}

/// Questions by verb. The answers make the class of an action: `verb * 4 + answers`.
#[derive(Debug)]
pub(crate) struct Classes {
    asks: Vec<Vec<Ask>>,
}

/// The class of an action.
pub(crate) type Class = u32;

/// A decision between several actions of one verb.
struct Set<'a> {
    chosen: usize,
    all: Vec<&'a Choice>,
    before: Option<&'a Choice>,
}

impl Classes {
    /// Chooses the questions of every verb by how well they tell chosen actions from others of the same verb.
    pub(crate) fn learn(corpus: &Corpus<'_>, with_same: bool) -> Self {
        let verbs = corpus.rollouts.words().verbs();
        let mut places: Vec<Vec<Place>> = vec![Vec::new(); verbs.len()];
        for at in corpus.places() {
            if let Some(chosen) = corpus.chosen(at) {
                places[usize::from(chosen.term.verb)].push(at);
            }
        }
        let asks = (0..verbs.len()).map(|verb| {
            let every = places[verb].len().div_ceil(MAX_SETS).max(1);
            let sets = places[verb].iter().step_by(every).filter_map(|at| set(corpus, *at));
            questions(corpus, verb, sets.collect(), with_same)
        });
        Self { asks: asks.collect() }
    }

    /// The class of an action that comes after `before`.
    pub(crate) fn class(&self, corpus: &Corpus<'_>, choice: &Choice, before: Option<&Choice>) -> Class {
        let verb = u32::from(choice.term.verb);
        let asks = self.asks[verb as usize].iter().enumerate();
        verb * 4 + asks.map(|(i, ask)| u32::from(answer(corpus, *ask, choice, before)) << i).sum::<u32>()
    }

    /// The class of what was chosen at a decision.
    pub(crate) fn at(&self, corpus: &Corpus<'_>, at: Place) -> Option<Class> {
        Some(self.class(corpus, corpus.chosen(at)?, before(corpus, at)))
    }

    /// The verb of a class, and its questions with their answers.
    pub(crate) fn tests(&self, class: Class) -> (u16, impl Iterator<Item = (Ask, bool)> + '_) {
        let verb = (class / 4) as u16;
        let asks = self.asks[usize::from(verb)].iter().enumerate();
        (verb, asks.map(move |(i, ask)| (*ask, class >> i & 1 == 1)))
    }

    /// Number of classes, used or not.
    pub(crate) fn count(&self) -> usize {
        self.asks.len() * 4
    }
}

/// What was chosen at the decision before.
pub(crate) fn before<'a>(corpus: &Corpus<'a>, at: Place) -> Option<&'a Choice> {
    let step = at.step.checked_sub(1)?;
    corpus.chosen(Place { step, ..at })
}

fn set<'a>(corpus: &Corpus<'a>, at: Place) -> Option<Set<'a>> {
    let choices = corpus.choices(at);
    let chosen = corpus.chosen(at)?;
    let all: Vec<&Choice> = choices.iter().filter(|c| c.term.verb == chosen.term.verb).collect();
    let chosen = all.iter().position(|c| std::ptr::eq(*c, chosen))?;
    (all.len() > 1).then(|| Set { chosen, all, before: before(corpus, at) })
}

fn answer(corpus: &Corpus<'_>, ask: Ask, choice: &Choice, before: Option<&Choice>) -> bool {
    match ask {
        Ask::Feature { k, feature, at_least, .. } => corpus.feature(choice, k, feature) >= at_least,
        Ask::Same { k } => before.is_some_and(|before| is_argument(corpus, choice, k, before)),
    }
}

/// Whether argument `k` of an action is one of another action's.
fn is_argument(corpus: &Corpus<'_>, choice: &Choice, k: usize, before: &Choice) -> bool {
    let verbs = corpus.rollouts.words().verbs();
    let kind = verbs[usize::from(choice.term.verb)].args[k];
    let kinds = verbs[usize::from(before.term.verb)].args.iter().take(MAX_ARGS);
    kinds.zip(before.term.args).any(|(other, arg)| *other == kind && arg == choice.term.args[k])
}

fn questions(corpus: &Corpus<'_>, verb: usize, mut sets: Vec<Set<'_>>, with_same: bool) -> Vec<Ask> {
    let mut asks = Vec::new();
    while asks.len() < MAX_ASKS && sets.len() >= MIN_SETS {
        let mut best: Option<(f64, Ask)> = None;
        for ask in possible(corpus, verb, &sets, with_same) {
            let nats = nats(corpus, ask, &sets);
            if nats >= MIN_NATS && best.is_none_or(|(most, _)| nats > most) {
                best = Some((nats, ask));
            }
        }
        let Some((_, ask)) = best else { break };
        asks.push(ask);
        // From here on: what tells the chosen one from those that answer alike.
        for set in &mut sets {
            let chosen = set.all[set.chosen];
            let before = set.before;
            let said = answer(corpus, ask, chosen, before);
            set.all.retain(|c| answer(corpus, ask, c, before) == said);
            set.chosen = set.all.iter().position(|c| std::ptr::eq(*c, chosen)).unwrap_or_default();
        }
        sets.retain(|s| s.all.len() > 1);
    }
    asks
}

fn possible(corpus: &Corpus<'_>, verb: usize, sets: &[Set<'_>], with_same: bool) -> Vec<Ask> {
    let words = corpus.rollouts.words();
    let mut asks = Vec::new();
    for (k, kind) in words.verbs()[verb].args.iter().enumerate() {
        let features = words.kinds()[*kind].features.iter().enumerate();
        for (feature, fact) in features.filter(|(_, f)| !f.is_label) {
            if fact.is_predicate() {
                asks.push(Ask::Feature { k, feature, at_least: 0.5, else_most: 0.49 });
                continue;
            }
            let all = sets.iter().flat_map(|s| &s.all);
            let mut values: Vec<f32> = all.map(|c| corpus.feature(c, k, feature)).collect();
            values.sort_by(f32::total_cmp);
            values.dedup();
            // Some of it, or none: how much is for weights to judge, and a bound in the midst would cut instances of
            // one habit into two classes.
            if let [else_most, at_least, ..] = *values {
                asks.push(Ask::Feature { k, feature, at_least, else_most });
            }
        }
        if with_same {
            asks.push(Ask::Same { k });
        }
    }
    asks
}

/// How much the answers of chosen actions differ from those of all: the divergence of the two shares.
fn nats(corpus: &Corpus<'_>, ask: Ask, sets: &[Set<'_>]) -> f64 {
    let (mut chosen, mut all) = (0.0, 0.0);
    for set in sets {
        let yes = |c: &Choice| f64::from(u8::from(answer(corpus, ask, c, set.before)));
        chosen += yes(set.all[set.chosen]);
        all += set.all.iter().map(|c| yes(c)).sum::<f64>() / set.all.len() as f64;
    }
    let n = sets.len() as f64 + 1.0;
    let (a, b) = ((chosen + 0.5) / n, (all + 0.5) / n);
    a * (a / b).ln() + (1.0 - a) * ((1.0 - a) / (1.0 - b)).ln()
}
