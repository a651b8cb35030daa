//! Links patterns to reward: do those who follow one fare better than others in states like theirs?
//!
//! Two tests, because rewards come in two ways. *Near*: what is paid within the pattern's length, against the same run
//! with the pattern's places moved round by a random offset, so that neither the rhythm of rewards nor that of the
//! pattern is disturbed. *Far*: what runs with the pattern end up with, against runs of the same player without it, the
//! label drawn anew. Both compare with the mean of a bucket of like states. The smaller of the two counts, doubled.

mod buckets;

pub(crate) use buckets::Buckets;

use crate::{
    Config,
    mine::Pattern,
    rollouts::{Corpus, Place},
};
use rl_gym::{Pcg64, SeedSequence};
use std::collections::BTreeMap;

/// A permutation test may stop once this many draws were as extreme (Besag and Clifford: the p value stays valid).
const EXTREME: u32 = 20;
/// Runs with, and without, that a far test needs.
const MIN_RUNS: usize = 5;

/// What a pattern gains, and how sure that is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Gain {
    /// Mean gain over like states, in units of return.
    pub(crate) uplift: f64,
    /// Chance of as much without any link, one-sided.
    pub(crate) p: f64,
}

/// Tests `pattern`; `number` keeps the random numbers of different patterns apart.
pub(crate) fn gain(
    corpus: &Corpus<'_>,
    buckets: &Buckets,
    pattern: &Pattern,
    number: u32,
    config: &Config,
) -> Gain {
    let mut rng = SeedSequence::new(config.seed).child(number).rng();
    let near = near(corpus, pattern, config.permutations, &mut rng);
    let far = far(corpus, buckets, pattern, config.permutations, &mut rng);
    let tests: Vec<Gain> = near.into_iter().chain(far).collect();
    let count = tests.len() as f64;
    let best = tests.into_iter().reduce(|a, b| if b.p < a.p { b } else { a });
    match best {
        Some(best) => Gain { p: (best.p * count).min(1.0), ..best },
        None => Gain { uplift: 0.0, p: 1.0 },
    }
}

/// The share of draws at least as great as `seen`, which is one of them.
fn p_value(seen: f64, most: u32, mut draw: impl FnMut() -> f64) -> f64 {
    let mut extreme = 0;
    for n in 1..=most {
        // Sums in another order differ in their last bits.
        if draw() >= seen - 1e-9 * seen.abs().max(1e-6) {
            extreme += 1;
            if extreme == EXTREME {
                return f64::from(extreme) / f64::from(n);
            }
        }
    }
    f64::from(extreme + 1) / f64::from(most + 1)
}

/// What is paid within the usual length of the pattern. `None` where nothing is ever paid on the way.
fn near(corpus: &Corpus<'_>, pattern: &Pattern, permutations: u32, rng: &mut Pcg64) -> Option<Gain> {
    if !corpus.is_paid {
        return None;
    }
    let mut lengths: Vec<usize> = pattern.instances.iter().map(crate::mine::Instance::len).collect();
    lengths.sort_unstable();
    let window = *lengths.get(lengths.len() / 2)?;
    let mut starts: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for instance in &pattern.instances {
        starts.entry(instance.run).or_default().push(instance.from().step);
    }
    // Windows are cut off at the end of a run; starts that near to it are compared with each other by the rotation.
    let paid = |run: usize, from: usize| {
        let to = (from + window).min(corpus.len(run));
        let after = if to == corpus.len(run) { 0.0 } else { corpus.to_go(Place { run, step: to }) };
        f64::from(corpus.to_go(Place { run, step: from }) - after)
    };
    let tables: Vec<(Vec<f64>, &Vec<usize>)> = starts
        .iter()
        .map(|(run, starts)| {
            let all: Vec<f64> = (0..corpus.len(*run)).map(|from| paid(*run, from)).collect();
            let mean = all.iter().sum::<f64>() / all.len() as f64;
            (all.iter().map(|x| x - mean).collect(), starts)
        })
        .collect();
    let count = pattern.instances.len() as f64;
    let shifted = |offsets: &mut dyn FnMut(usize) -> usize| {
        let sum: f64 = tables
            .iter()
            .map(|(all, starts)| {
                let offset = offsets(all.len());
                starts.iter().map(|s| all[(s + offset) % all.len()]).sum::<f64>()
            })
            .sum();
        sum / count
    };
    let seen = shifted(&mut |_| 0);
    let p = p_value(seen, permutations, || shifted(&mut |n| rng.below(n as u32) as usize));
    Some(Gain { uplift: seen, p })
}

/// What runs with the pattern end up with. `None` where nearly all runs have it, or nearly none.
fn far(
    corpus: &Corpus<'_>,
    buckets: &Buckets,
    pattern: &Pattern,
    permutations: u32,
    rng: &mut Pcg64,
) -> Option<Gain> {
    let mut first: BTreeMap<usize, usize> = BTreeMap::new();
    for instance in &pattern.instances {
        first.entry(instance.run).or_insert(instance.from().step);
    }
    let enough = MIN_RUNS.min(corpus.runs());
    if first.len() < enough || corpus.runs() - first.len() < enough {
        return None;
    }
    // Every run is one unit: at its first instance, or at some decision.
    let mut strata: BTreeMap<&str, Vec<(f64, bool)>> = BTreeMap::new();
    for run in 0..corpus.runs() {
        let step = first.get(&run).copied().unwrap_or_else(|| rng.below(corpus.len(run) as u32) as usize);
        let at = Place { run, step };
        let over = f64::from(corpus.to_go(at)) - buckets.mean(corpus, at);
        strata.entry(&corpus.trace(run).player).or_default().push((over, first.contains_key(&run)));
    }
    let mut strata: Vec<Vec<(f64, bool)>> = strata.into_values().collect();
    let statistic = |strata: &[Vec<(f64, bool)>]| {
        let (mut sum, mut weight) = (0.0, 0.0);
        for units in strata {
            let with = units.iter().filter(|u| u.1).count() as f64;
            let without = units.len() as f64 - with;
            if with > 0.0 && without > 0.0 {
                let total = |has: bool| units.iter().filter(|u| u.1 == has).map(|u| u.0).sum::<f64>();
                sum += with * (total(true) / with - total(false) / without);
                weight += with;
            }
        }
        if weight > 0.0 { sum / weight } else { 0.0 }
    };
    let seen = statistic(&strata);
    let p = p_value(seen, permutations, || {
        for units in &mut strata {
            for i in (1..units.len()).rev() {
                let j = rng.below(i as u32 + 1) as usize;
                (units[i].1, units[j].1) = (units[j].1, units[i].1);
            }
        }
        statistic(&strata)
    });
    Some(Gain { uplift: seen, p })
}

/// Benjamini and Hochberg's q values: the share of false findings among those with a p value at most this.
pub(crate) fn q_values(p: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|a, b| p[*a].total_cmp(&p[*b]));
    let mut q = vec![1.0; p.len()];
    let mut least = 1.0_f64;
    for (rank, i) in order.iter().enumerate().rev() {
        least = least.min(p[*i] * p.len() as f64 / (rank + 1) as f64);
        q[*i] = least;
    }
    q
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn q_values_are_those_of_the_definition() {
        // 0.01 * 4 / 1 = 0.04; 0.02 * 4 / 2 = 0.04; 0.03 * 4 / 3 = 0.04; 0.5 * 4 / 4 = 0.5.
        let q = q_values(&[0.5, 0.02, 0.01, 0.03]);
        assert!(q.iter().zip([0.5, 0.04, 0.04, 0.04]).all(|(a, b)| (a - b).abs() < 1e-12), "{q:?}");
        assert!(q_values(&[]).is_empty());
    }

    #[test]
    fn p_values_are_uniform_when_nothing_is_there() {
        let mut rng = Pcg64::seed(3);
        let mut low = 0;
        for _ in 0..2_000 {
            let seen = rng.unit();
            low += u32::from(p_value(seen, 99, || rng.unit()) <= 0.1);
        }
        // 200 expected, standard deviation 13.
        assert!((140..=250).contains(&low), "{low}");
    }
}
