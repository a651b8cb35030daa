//! Cuts runs where something happened: a rare predicate flipped, a reward came, an action had no words.

use crate::{
    Config,
    rollouts::{Corpus, Place},
};
use std::collections::BTreeMap;

/// A predicate that flips in more than this share of decisions is noise, not a boundary.
const RARE: f64 = 0.15;
/// A kind of change seen in this many first segments is known.
const KNOWN: usize = 5;
/// Cost of a segment of a known kind.
const USUAL: f64 = 0.2;

/// Steps `from..to` of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Segment {
    pub(crate) run: usize,
    pub(crate) from: usize,
    pub(crate) to: usize,
}

/// What changed over a segment: predicates that hold now, those that do not any more, and whether it paid.
type Label = (Vec<i16>, bool);

/// The segments of all runs, in order.
pub(crate) fn segments(corpus: &Corpus<'_>, config: &Config) -> Vec<Segment> {
    let rare = rare(corpus);
    let cuts: Vec<Vec<(usize, f64)>> =
        (0..corpus.runs()).map(|run| cuts(corpus, run, &rare, config)).collect();
    let mut seen: BTreeMap<Label, usize> = BTreeMap::new();
    for (run, cuts) in cuts.iter().enumerate() {
        let ends = cuts.iter().map(|c| c.0).chain([corpus.len(run)]);
        let starts = [0].into_iter().chain(cuts.iter().map(|c| c.0));
        for (from, to) in starts.zip(ends) {
            *seen.entry(label(corpus, run, from, to, &rare)).or_default() += 1;
        }
    }
    (0..corpus.runs()).flat_map(|run| decode(corpus, run, &cuts[run], &seen, &rare, config)).collect()
}

/// Predicates that flip seldom.
fn rare(corpus: &Corpus<'_>) -> Vec<usize> {
    let mut flips = vec![0usize; corpus.width()];
    let mut pairs = 0;
    for at in corpus.places() {
        let next = Place { step: at.step + 1, ..at };
        if let (Some(a), Some(b)) = (corpus.facts(at), corpus.facts(next)) {
            pairs += 1;
            a.iter().zip(b).enumerate().for_each(|(f, (a, b))| flips[f] += usize::from(a != b));
        }
    }
    let most = RARE * pairs as f64;
    let facts = corpus.fact_list().iter().enumerate();
    facts
        .filter(|(f, fact)| {
            fact.is_predicate() && !corpus.clocks[*f] && flips[*f] > 0 && flips[*f] as f64 <= most
        })
        .map(|(f, _)| f)
        .collect()
}

/// Possible boundaries of a run with their weights; those near each other are one, the weightiest.
fn cuts(corpus: &Corpus<'_>, run: usize, rare: &[usize], config: &Config) -> Vec<(usize, f64)> {
    let weight = |step: usize| {
        let (before, at) = (Place { run, step: step - 1 }, Place { run, step });
        let flips = match (corpus.facts(before), corpus.facts(at)) {
            (Some(a), Some(b)) => rare.iter().filter(|f| a[**f] != b[**f]).count(),
            _ => 0,
        };
        let reward = if corpus.reward(before) == 0.0 { 0.0 } else { 2.0 };
        let unspoken = if corpus.chosen(before).is_none() { 1.0 } else { 0.0 };
        flips as f64 + reward + unspoken
    };
    let mut cuts: Vec<(usize, f64)> = Vec::new();
    for step in 1..corpus.len(run) {
        let weight = weight(step);
        match cuts.last_mut() {
            _ if weight == 0.0 => {}
            Some(last) if step - last.0 < config.merge_radius => {
                if weight > last.1 {
                    *last = (step, weight);
                }
            }
            _ => cuts.push((step, weight)),
        }
    }
    cuts
}

fn label(corpus: &Corpus<'_>, run: usize, from: usize, to: usize, rare: &[usize]) -> Label {
    let paid = (from..to).any(|step| corpus.reward(Place { run, step }) > 0.0);
    let ends = (corpus.facts(Place { run, step: from }), corpus.facts(Place { run, step: to }));
    let (Some(a), Some(b)) = ends else { return (Vec::new(), paid) };
    let flipped = rare.iter().filter(|f| a[**f] != b[**f]);
    (flipped.map(|f| (*f as i16 + 1) * if b[*f] > a[*f] { 1 } else { -1 }).collect(), paid)
}

/// The cheapest choice among the possible boundaries (dynamic programming over them).
fn decode(
    corpus: &Corpus<'_>,
    run: usize,
    cuts: &[(usize, f64)],
    seen: &BTreeMap<Label, usize>,
    rare: &[usize],
    config: &Config,
) -> Vec<Segment> {
    /// Boundaries that one segment may swallow.
    const REACH: usize = 8;
    let marks: Vec<usize> =
        [0].into_iter().chain(cuts.iter().map(|c| c.0)).chain([corpus.len(run)]).collect();
    let mut best: Vec<(f64, usize)> = vec![(f64::INFINITY, 0); marks.len()];
    best[0].0 = 0.0;
    for end in 1..marks.len() {
        for start in end.saturating_sub(REACH)..end {
            let (from, to) = (marks[start], marks[end]);
            let is_whole = end - start == marks.len() - 1;
            if to - from < config.min_length && !is_whole && end - start < REACH {
                // Too short, unless there is no other way.
                let cost = best[start].0 + 10.0;
                if cost < best[end].0 {
                    best[end] = (cost, start);
                }
                continue;
            }
            let known = seen.get(&label(corpus, run, from, to, rare)).is_some_and(|n| *n >= KNOWN);
            let inside = (end - start - 1) as f64;
            let cost =
                best[start].0 + if known { USUAL } else { config.new_skill } + config.inconsistent * inside;
            if cost < best[end].0 {
                best[end] = (cost, start);
            }
        }
    }
    let mut segments = Vec::new();
    let mut end = marks.len() - 1;
    while end > 0 {
        let start = best[end].1;
        segments.push(Segment { run, from: marks[start], to: marks[end] });
        end = start;
    }
    segments.reverse();
    segments
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rollouts;
    use agon_skill::{Seeds, Train};
    use rl_gym::{
        Bits,
        vocabulary::{Fact, Kind, Term, Verb, Vocabulary},
    };
    use std::sync::Arc;

    /// A phase, a flicker and a counter; one verb.
    struct Phases;

    impl Vocabulary for Phases {
        fn version(&self) -> u32 {
            1
        }
        fn facts(&self) -> &'static [Fact] {
            const {
                &[
                    Fact::holds("phase", "second phase"),
                    Fact::holds("flicker", "every other decision"),
                    Fact::number("count", 0.0, 255.0, "decisions"),
                ]
            }
        }
        fn fact(&self, obs: &[u8], fact: usize) -> f32 {
            f32::from(obs[fact])
        }
        fn verbs(&self) -> &'static [Verb] {
            const { &[Verb { name: "go", args: &[] }] }
        }
        fn kinds(&self) -> &'static [Kind] {
            &[]
        }
        fn term(&self, _: &[u8], action: u32) -> Option<Term> {
            (action == 0).then_some(Term { verb: 0, args: [0; 3] })
        }
        fn feature(&self, _: &[u8], _: usize, _: u16, _: usize) -> f32 {
            0.0
        }
    }

    /// Ten runs of thirty decisions: the phase changes at 10, a reward comes for decision 19.
    fn rollouts(wordless: bool) -> Rollouts {
        let mut rollouts = Rollouts::in_words("phases-v1", Arc::new(Phases));
        for seed in Seeds::<Train>::new(0, 0).range(0, 10) {
            let id = rollouts.begin(seed.number().into(), seed, 0, "x");
            for i in 0..30_u8 {
                let action = u32::from(wordless && i == 24);
                let obs = [u8::from(i >= 10), i % 2, i];
                rollouts.decision(id, &obs, Bits::new(&[3], 2), action).expect("legal");
                if i == 19 {
                    rollouts.reward(id, 1.0).expect("finite");
                }
            }
            rollouts.end(id, Some(&[1, 0, 30]), 1.0).expect("open");
        }
        rollouts
    }

    fn cut(rollouts: &Rollouts, config: &Config) -> Vec<(usize, usize)> {
        let corpus = Corpus::new(rollouts, |_| true).expect("it has traces");
        let segments = segments(&corpus, config);
        segments.iter().filter(|s| s.run == 3).map(|s| (s.from, s.to)).collect()
    }

    #[test]
    fn runs_are_cut_where_a_rare_predicate_flips_and_where_a_reward_came() {
        let config = Config::default();
        assert_eq!(cut(&rollouts(false), &config), [(0, 10), (10, 20), (20, 30)]);
        // An action without words cuts too; boundaries nearer than the radius are one, the weightier.
        assert_eq!(cut(&rollouts(true), &config), [(0, 10), (10, 20), (20, 25), (25, 30)]);
        assert_eq!(
            cut(&rollouts(true), &Config { merge_radius: 8, ..config }),
            [(0, 10), (10, 20), (20, 30)]
        );
    }

    #[test]
    fn a_kind_of_change_that_was_never_seen_is_dear() {
        // Inner boundaries cost nothing: what pays and nothing else is known, with or without a quiet end, and becomes
        // one segment. The phase and the reward together are not known, and stay two.
        let config = Config { inconsistent: 0.0, ..Config::default() };
        assert_eq!(cut(&rollouts(false), &config), [(0, 10), (10, 30)]);
        assert_eq!(cut(&rollouts(false), &Config { new_skill: 0.0, ..config.clone() }), [(0, 30)]);
        assert_eq!(cut(&rollouts(false), &Config { inconsistent: 5.0, ..config }).len(), 3);
    }
}
