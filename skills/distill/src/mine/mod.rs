//! Sequences of abstract actions that recur, with every place where they do.

mod classes;
mod grammar;

pub(crate) use classes::{Ask, Class, Classes};
pub use grammar::{Grammar, re_pair};

use crate::{
    Config,
    rollouts::{Corpus, Place},
    segment::Segment,
};
use grammar::gain_bits;
use std::collections::BTreeSet;

/// Steps `from..to` of a run in which one class was chosen all the time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Span {
    pub(crate) from: usize,
    pub(crate) to: usize,
}

/// One place where a pattern occurs.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Instance {
    pub(crate) run: usize,
    /// A span for each element; of a loop those of every round behind each other.
    pub(crate) spans: Vec<Span>,
}

impl Instance {
    pub(crate) fn from(&self) -> Place {
        Place { run: self.run, step: self.spans.first().map_or(0, |s| s.from) }
    }

    pub(crate) fn to(&self) -> Place {
        Place { run: self.run, step: self.spans.last().map_or(0, |s| s.to) }
    }

    pub(crate) fn len(&self) -> usize {
        self.to().step - self.from().step
    }
}

/// A sequence of classes that recurs.
#[derive(Clone, Debug)]
pub(crate) struct Pattern {
    pub(crate) classes: Vec<Class>,
    /// Whether the whole sequence is repeated.
    pub(crate) is_loop: bool,
    /// Bits that naming it saves.
    pub(crate) gain: f64,
    pub(crate) instances: Vec<Instance>,
}

/// Episodes and seeds in which instances stand.
pub(crate) fn spread(corpus: &Corpus<'_>, instances: &[Instance]) -> (usize, usize) {
    let traces = || instances.iter().map(|i| corpus.trace(i.run));
    let episodes: BTreeSet<u64> = traces().map(|t| t.episode).collect();
    (episodes.len(), traces().map(|t| t.seed).collect::<BTreeSet<u32>>().len())
}

/// Runs of equal classes of a run.
fn spans(
    corpus: &Corpus<'_>,
    classes: &Classes,
    run: usize,
    from: usize,
    to: usize,
) -> Vec<(Option<Class>, Span)> {
    let mut spans: Vec<(Option<Class>, Span)> = Vec::new();
    for step in from..to {
        let class = classes.at(corpus, Place { run, step });
        match spans.last_mut() {
            Some((last, span)) if *last == class => span.to = step + 1,
            _ => spans.push((class, Span { from: step, to: step + 1 })),
        }
    }
    spans
}

/// The patterns of all segments, most gain first.
pub(crate) fn patterns(
    corpus: &Corpus<'_>,
    classes: &Classes,
    segments: &[Segment],
    config: &Config,
) -> Vec<Pattern> {
    let mut sequences = Vec::new();
    for segment in segments {
        let spans = spans(corpus, classes, segment.run, segment.from, segment.to);
        for spoken in spans.split(|(class, _)| class.is_none()) {
            sequences.push(spoken.iter().filter_map(|(class, _)| *class).collect::<Vec<u32>>());
        }
    }
    let terminals = classes.count() as u32;
    let grammar = re_pair(sequences, terminals, config.max_patterns, config.min_instances);
    let symbols = terminals + grammar.rules.len() as u32;
    let mut found: BTreeSet<(Vec<Class>, bool)> = (0..terminals).map(|c| (vec![c], false)).collect();
    for symbol in terminals..symbols {
        let classes = grammar.expand(symbol);
        let period = period(&classes);
        if period < classes.len() {
            found.insert((classes[..period].to_vec(), true));
        } else if classes.len() <= config.max_elements {
            found.insert((classes, false));
        }
    }
    let runs: Vec<_> =
        (0..corpus.runs()).map(|run| spans(corpus, classes, run, 0, corpus.len(run))).collect();
    let mut patterns: Vec<Pattern> = found
        .into_iter()
        .filter_map(|(classes, is_loop)| {
            let instances = instances(&runs, &classes, is_loop);
            let gain = match classes.len() {
                // A single action names itself; it is worth what its selector explains, which is not known yet.
                1 => 0.0,
                length => gain_bits(instances.len(), length, symbols as usize),
            };
            let pattern = Pattern { classes, is_loop, gain, instances };
            is_supported(corpus, &pattern, config).then_some(pattern)
        })
        .filter(|p| p.classes.len() == 1 || p.gain > 0.0)
        .collect();
    patterns.sort_by(|a, b| b.gain.total_cmp(&a.gain).then_with(|| a.classes.cmp(&b.classes)));
    patterns.truncate(config.max_patterns);
    patterns
}

fn is_supported(corpus: &Corpus<'_>, pattern: &Pattern, config: &Config) -> bool {
    if pattern.instances.len() < config.min_instances {
        return false;
    }
    let (episodes, seeds) = spread(corpus, &pattern.instances);
    episodes >= config.min_episodes && seeds >= config.min_seeds
}

/// The length of the shortest sequence whose repetition is `classes`.
fn period(classes: &[Class]) -> usize {
    let n = classes.len();
    (1..n).find(|p| n.is_multiple_of(*p) && classes.iter().skip(*p).eq(&classes[..n - p])).unwrap_or(n)
}

/// Every occurrence without overlap, from the start of each run on; of a loop with at least two rounds.
fn instances(runs: &[Vec<(Option<Class>, Span)>], classes: &[Class], is_loop: bool) -> Vec<Instance> {
    let mut out = Vec::new();
    for (run, spans) in runs.iter().enumerate() {
        let fits = |at: usize| {
            at + classes.len() <= spans.len()
                && classes.iter().zip(&spans[at..]).all(|(class, (has, _))| *has == Some(*class))
        };
        let mut at = 0;
        while at < spans.len() {
            let mut end = at;
            while fits(end) {
                end += classes.len();
                if !is_loop {
                    break;
                }
            }
            if end - at >= classes.len() * if is_loop { 2 } else { 1 } {
                out.push(Instance { run, spans: spans[at..end].iter().map(|(_, span)| *span).collect() });
                at = end;
            } else {
                at += 1;
            }
        }
    }
    out
}
