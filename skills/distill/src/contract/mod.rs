//! Contracts from instances: what held before the good ones, what came about, what stayed as it was.

mod effect;
mod line;
mod pre;

pub(crate) use line::{Line, To};
pub(crate) use pre::{focus, preconditions};

use crate::{
    Config,
    mine::Instance,
    rollouts::{Corpus, Place},
};
use agon_skill::Contract;

/// Decisions of an instance that an invariant is worth its place for.
const MIN_GUARDED: usize = 3;

/// A mined contract with what it rests on.
#[derive(Clone, Debug)]
pub(crate) struct Mined {
    pub(crate) contract: Contract,
    /// Instances with a known end in which the effect came about, of all with one.
    pub(crate) successes: usize,
    pub(crate) uses: usize,
    /// How much likelier the effect is than in windows of the same length elsewhere.
    pub(crate) lift: f64,
}

/// The contract of instances, or `None` where nothing comes about reliably.
pub(crate) fn mine(corpus: &Corpus<'_>, instances: &[Instance], config: &Config) -> Option<Mined> {
    let known: Vec<&Instance> = instances
        .iter()
        .filter(|i| corpus.facts(i.from()).is_some() && corpus.facts(i.to()).is_some())
        .collect();
    let ends: Vec<(&[f32], &[f32])> =
        known.iter().filter_map(|i| Some((corpus.facts(i.from())?, corpus.facts(i.to())?))).collect();
    let middles: Vec<&[f32]> = known.iter().filter_map(|i| corpus.facts(middle(i))).collect();
    if ends.len() < config.min_instances {
        return None;
    }
    let mut lengths: Vec<usize> = instances.iter().map(Instance::len).collect();
    lengths.sort_unstable();
    let usual = lengths[lengths.len() / 2];
    let others = windows(corpus, instances, usual);
    let (effect, lift) = effect::effect(corpus, &ends, &middles, &others, config)?;
    let is_good = |(start, end): &(&[f32], &[f32])| effect.iter().all(|l| l.holds(start, end));
    let successes = ends.iter().filter(|e| is_good(e)).count();
    let starts: Vec<&[f32]> = ends.iter().filter(|e| is_good(e)).map(|e| e.0).collect();
    let mut pre: Vec<Line> = effect.iter().filter_map(|l| l.not_yet()).collect();
    pre.extend(preconditions(corpus, &starts, &pre, config));
    let good: Vec<&Instance> = instances
        .iter()
        .filter(|i| corpus.facts(i.from()).zip(corpus.facts(i.to())).is_some_and(|e| is_good(&e)))
        .collect();
    let invariant = if usual < MIN_GUARDED { Vec::new() } else { pre::invariants(corpus, &good, &others) };
    let within = lengths[(lengths.len() * 95).div_ceil(100).saturating_sub(1)].max(1);
    let literals = |lines: &[Line]| lines.iter().map(|l| l.literal(corpus)).collect();
    let contract = Contract {
        pre: literals(&pre),
        effect: literals(&effect),
        invariant: literals(&invariant),
        within: within as u32,
        rate: wilson_low(successes, ends.len()),
    };
    Some(Mined { contract, successes, uses: ends.len(), lift })
}

/// Where the last element begins, or, where it is a run, goes on: what holds there already is not its effect.
fn middle(instance: &Instance) -> Place {
    let step = instance.spans.last().map_or(0, |s| if s.to - s.from > 1 { s.from + 1 } else { s.from });
    Place { run: instance.run, step }
}

/// Windows of `length` decisions that meet no instance: their starts and ends.
fn windows<'a>(corpus: &Corpus<'a>, instances: &[Instance], length: usize) -> Vec<(&'a [f32], &'a [f32])> {
    let mut taken: Vec<Vec<bool>> = (0..corpus.runs()).map(|run| vec![false; corpus.len(run) + 1]).collect();
    for instance in instances {
        taken[instance.run][instance.from().step..instance.to().step].fill(true);
    }
    let ends = |at: &Place| {
        let to = at.step + length;
        let is_free = to <= corpus.len(at.run) && !taken[at.run][at.step..to].contains(&true);
        is_free.then(|| Some((corpus.facts(*at)?, corpus.facts(Place { step: to, ..*at })?))).flatten()
    };
    corpus.sample().iter().filter_map(ends).collect()
}

fn share<T>(items: &[T], holds: impl Fn(&T) -> bool) -> f64 {
    if items.is_empty() { 0.0 } else { items.iter().filter(|i| holds(i)).count() as f64 / items.len() as f64 }
}

/// Wilson's lower 95 % bound of a share: what is claimed is what the instances bear out.
pub(crate) fn wilson_low(successes: usize, uses: usize) -> f32 {
    if uses == 0 {
        return 0.0;
    }
    let (n, z2) = (uses as f64, 1.96_f64 * 1.96);
    let p = successes as f64 / n;
    let low = (p + z2 / (2.0 * n) - 1.96 * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).sqrt()) / (1.0 + z2 / n);
    (low.max(0.0) * 1_000.0).round() as f32 / 1_000.0
}
