//! Like states: a small regression tree over all facts, clocks too, that tells returns apart.

use crate::rollouts::{Corpus, Place};

const DEPTH: usize = 4;
/// States of a bucket at least.
const MIN_LEAF: usize = 25;
/// Bounds that are tried for each fact.
const CUTS: usize = 8;

/// Buckets of like states with their mean returns.
#[derive(Debug)]
pub(crate) enum Buckets {
    Leaf { mean: f64 },
    Split { fact: usize, at_least: f32, low: Box<Buckets>, high: Box<Buckets> },
}

impl Buckets {
    pub(crate) fn new(corpus: &Corpus<'_>) -> Self {
        let states: Vec<(&[f32], f64)> = corpus
            .sample()
            .into_iter()
            .filter_map(|at| Some((corpus.facts(at)?, f64::from(corpus.to_go(at)))))
            .collect();
        Self::grow(&states, corpus.width(), DEPTH)
    }

    fn grow(states: &[(&[f32], f64)], width: usize, depth: usize) -> Self {
        let mean = states.iter().map(|s| s.1).sum::<f64>() / states.len().max(1) as f64;
        if depth == 0 || states.len() < 2 * MIN_LEAF {
            return Self::Leaf { mean };
        }
        let mut best: Option<(f64, usize, f32)> = None;
        for fact in 0..width {
            let mut sorted: Vec<(f32, f64)> =
                states.iter().map(|(facts, y)| (facts[fact], y - mean)).collect();
            sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
            let mut sums = vec![0.0; sorted.len() + 1];
            (0..sorted.len()).for_each(|i| sums[i + 1] = sums[i] + sorted[i].1);
            for cut in 1..CUTS {
                let i = sorted.len() * cut / CUTS;
                // The first state with the value that stands at the cut.
                let i = sorted.partition_point(|s| s.0 < sorted[i].0);
                let (low, high) = (i, sorted.len() - i);
                if low.min(high) < MIN_LEAF {
                    continue;
                }
                let (a, b) = (sums[i], sums[sorted.len()] - sums[i]);
                let gain = a * a / low as f64 + b * b / high as f64;
                if best.is_none_or(|(most, ..)| gain > most * 1.000_001 + 1e-12) {
                    best = Some((gain, fact, sorted[i].0));
                }
            }
        }
        let Some((gain, fact, at_least)) = best else { return Self::Leaf { mean } };
        if gain <= 1e-9 {
            return Self::Leaf { mean };
        }
        let (high, low): (Vec<_>, Vec<_>) = states.iter().partition(|s| s.0[fact] >= at_least);
        let grow = |states: &[(&[f32], f64)]| Box::new(Self::grow(states, width, depth - 1));
        Self::Split { fact, at_least, low: grow(&low), high: grow(&high) }
    }

    /// The mean return of states like that at a place.
    pub(crate) fn mean(&self, corpus: &Corpus<'_>, at: Place) -> f64 {
        let Some(facts) = corpus.facts(at) else { return 0.0 };
        let mut node = self;
        loop {
            match node {
                Self::Leaf { mean } => return *mean,
                Self::Split { fact, at_least, low, high } => {
                    node = if facts[*fact] >= *at_least { high } else { low };
                }
            }
        }
    }
}
