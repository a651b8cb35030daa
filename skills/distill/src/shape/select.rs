//! Selectors: what chosen actions must be like, and what the best of those has most of.

use super::{
    logit::{self, Logit},
    sets::Sets,
};
use crate::ir::{Range, Selector, Weight};
use rl_gym::vocabulary::{Fact, Vocabulary};

/// Conditions of one selector at most.
const MAX_RANGES: usize = 3;
/// Share of chosen actions that a condition holds of at least: where none fits nothing is done, so that a condition is for
/// hard rules, and weights are for the rest.
const HOLDS: f64 = 0.98;
/// Share of the other actions that a condition shuts out at least.
const SHUTS_OUT: f64 = 0.25;
/// Chance that all that were chosen fit by luck, at most.
const DOUBT: f64 = 1e-3;
/// Decisions that a bound must rest on.
const MIN_SETS: usize = 5;

/// A fitted selector and how well it does.
#[derive(Clone, Debug)]
pub(crate) struct Fit {
    pub(crate) ranges: Vec<(usize, Range)>,
    pub(crate) weights: Vec<(usize, f32)>,
    /// Share of decisions in which it picks what was chosen, or its equal.
    pub(crate) accuracy: f64,
    /// The same for a blind pick.
    pub(crate) blind: f64,
    /// Decisions that it rests on.
    pub(crate) decisions: usize,
    /// Nats that its weights explain, less their price.
    pub(crate) nats: f64,
}

/// Conditions and weights for the decisions of `sets`. `given` are conditions that it starts from.
pub(crate) fn fit(sets: &Sets, given: &[(usize, Range)], with_ranges: bool) -> Fit {
    let width = sets.width();
    let mut active: Vec<Vec<bool>> = sets.sets.iter().map(|s| vec![true; s.len(width)]).collect();
    let mut ranges = given.to_vec();
    given.iter().for_each(|(a, range)| restrict(sets, &mut active, *a, *range));
    while with_ranges && ranges.len() < MAX_RANGES && sets.sets.len() >= MIN_SETS {
        let mut best: Option<(f64, usize, Range)> = None;
        for a in (0..width).filter(|a| !ranges.iter().any(|(used, _)| used == a)) {
            for range in possible(sets, a) {
                let (out, luck) = shuts_out(sets, &active, a, range);
                // Predicates read better than bounds: a bound must do clearly more.
                let worth = if sets.facts[a].is_predicate() { out * 1.25 } else { out };
                if out >= SHUTS_OUT && luck <= DOUBT.ln() && best.is_none_or(|(most, ..)| worth > most + 1e-9)
                {
                    best = Some((worth, a, range));
                }
            }
        }
        let Some((_, a, range)) = best else { break };
        restrict(sets, &mut active, a, range);
        ranges.push((a, range));
    }
    let logit = logit::fit(sets, &active);
    let weights = round(sets, &logit);
    let price = logit.weights.len() as f64 * (0.5 * (sets.sets.len().max(2) as f64).ln() + 1.0);
    Fit {
        accuracy: accuracy(sets, &ranges, &weights),
        blind: blind(sets),
        decisions: sets.sets.len(),
        nats: logit.fit - logit.blind - price,
        ranges,
        weights,
    }
}

impl Fit {
    /// The selector in names.
    pub(crate) fn selector(&self, sets: &Sets, words: &dyn Vocabulary) -> Selector {
        let name = |a: usize| aspect_name(sets.aspects[a].k, sets.facts[a]);
        let mut selector = Selector::of(words.verbs()[usize::from(sets.verb)].name);
        selector.want = self.ranges.iter().map(|(a, range)| (name(*a), *range)).collect();
        selector.weigh =
            self.weights.iter().map(|(a, weight)| Weight { of: name(*a), weight: *weight }).collect();
        selector.want.sort_by(|a, b| a.0.cmp(&b.0));
        selector
    }
}

/// How `ctx.pick` names a feature of argument `k`, from 0.
pub(crate) fn aspect_name(k: usize, fact: &Fact) -> String {
    if k == 0 { fact.name.to_owned() } else { format!("{}.{}", k + 1, fact.name) }
}

fn restrict(sets: &Sets, active: &mut [Vec<bool>], a: usize, range: Range) {
    let width = sets.width();
    for (set, active) in sets.sets.iter().zip(active) {
        active.iter_mut().enumerate().for_each(|(i, on)| *on &= range.holds(set.row(i, width)[a]));
    }
}

/// Conditions on an aspect that hold of nearly all chosen actions.
fn possible(sets: &Sets, a: usize) -> Vec<Range> {
    let width = sets.width();
    let mut chosen: Vec<f32> = sets.sets.iter().map(|s| s.row(s.chosen, width)[a]).collect();
    chosen.sort_by(f32::total_cmp);
    if sets.facts[a].is_predicate() {
        let yes = chosen.iter().filter(|x| **x >= 0.5).count() as f64 / chosen.len() as f64;
        let out = [(yes >= HOLDS, Range::Is(true)), (yes <= 1.0 - HOLDS, Range::Is(false))];
        return out.into_iter().filter(|(holds, _)| *holds).map(|(_, range)| range).collect();
    }
    // Of numbers only "some" and "none": how much is for weights to judge.
    let mut all: Vec<f32> =
        sets.sets.iter().flat_map(|s| (0..s.len(width)).map(move |i| s.row(i, width)[a])).collect();
    all.sort_by(f32::total_cmp);
    all.dedup();
    let [none, some, ..] = all[..] else { return Vec::new() };
    let share = chosen.iter().filter(|x| **x >= some).count() as f64 / chosen.len() as f64;
    let out = [(share >= HOLDS, Range::AtLeast(some)), (share <= 1.0 - HOLDS, Range::AtMost(none))];
    out.into_iter().filter(|(holds, _)| *holds).map(|(_, range)| range).collect()
}

/// Mean share of the actions that were not chosen, and take part still, that a condition shuts out; and the log chance
/// that those that were chosen fit by luck.
fn shuts_out(sets: &Sets, active: &[Vec<bool>], a: usize, range: Range) -> (f64, f64) {
    let width = sets.width();
    let (mut sum, mut n, mut luck) = (0.0, 0.0, 0.0);
    for (set, active) in sets.sets.iter().zip(active) {
        let all: Vec<usize> = (0..active.len()).filter(|i| active[*i]).collect();
        let fits = all.iter().filter(|i| range.holds(set.row(**i, width)[a])).count();
        let chosen = usize::from(range.holds(set.row(set.chosen, width)[a]) && active[set.chosen]);
        if all.len() > 1 {
            let others = all.len() - usize::from(active[set.chosen]);
            sum += 1.0 - (fits - chosen) as f64 / others.max(1) as f64;
            luck += (fits.max(1) as f64 / all.len() as f64).ln();
            n += 1.0;
        }
    }
    if n < MIN_SETS as f64 { (0.0, 0.0) } else { (sum / n, luck) }
}

/// Weights of two significant digits, the greatest effect 1 or so; what moves next to nothing is left out.
fn round(sets: &Sets, logit: &Logit) -> Vec<(usize, f32)> {
    let Some((first, lead)) = logit.weights.first().copied() else { return Vec::new() };
    if logit.weights.len() == 1 {
        return vec![(first, if lead > 0.0 { 1.0 } else { -1.0 })];
    }
    let unit = logit.weights.iter().map(|(_, w)| w.abs()).fold(0.0, f64::max);
    if unit <= 0.0 {
        return Vec::new();
    }
    let span = |a: usize| f64::from(sets.facts[a].high - sets.facts[a].low);
    let most = logit.weights.iter().map(|(a, w)| w.abs() * span(*a)).fold(0.0, f64::max);
    let all = logit.weights.iter().filter(|(a, w)| w.abs() * span(*a) >= 0.01 * most);
    all.map(|(a, w)| (*a, two_digits(w / unit))).collect()
}

/// A number with two significant digits.
pub(crate) fn two_digits(x: f64) -> f32 {
    if x == 0.0 || !x.is_finite() {
        return 0.0;
    }
    let power = 10f64.powi(1 - x.abs().log10().floor() as i32);
    ((x * power).round() / power) as f32
}

/// Share of decisions in which the pick is the chosen action or has the same features.
pub(crate) fn accuracy(sets: &Sets, ranges: &[(usize, Range)], weights: &[(usize, f32)]) -> f64 {
    let width = sets.width();
    let right = sets.sets.iter().filter(|set| {
        let mut best: Option<(f32, usize)> = None;
        for i in 0..set.len(width) {
            let row = set.row(i, width);
            if ranges.iter().all(|(a, range)| range.holds(row[*a])) {
                let score = weights.iter().map(|(a, w)| w * row[*a]).sum();
                if best.is_none_or(|(most, _)| score > most) {
                    best = Some((score, i));
                }
            }
        }
        best.is_some_and(|(_, i)| i == set.chosen || set.row(i, width) == set.row(set.chosen, width))
    });
    right.count() as f64 / sets.sets.len().max(1) as f64
}

fn blind(sets: &Sets) -> f64 {
    let width = sets.width();
    sets.sets.iter().map(|s| 1.0 / s.len(width) as f64).sum::<f64>() / sets.sets.len().max(1) as f64
}
