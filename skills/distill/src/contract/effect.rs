//! What instances bring about.

use super::{
    line::{Line, To},
    share,
};
use crate::{
    Config,
    rollouts::{Corpus, Place},
};
use agon_skill::Compare;

/// Literals of an effect at most.
const MAX_EFFECT: usize = 2;
/// By how much the effect must be likelier than without the pattern.
const MIN_LIFT: f64 = 0.2;
/// Correlation with the final score from which a number is said to go with it.
const GOES_WITH_SCORE: f64 = 0.4;

/// What comes about in nearly all instances and seldom elsewhere: the literals and their lift.
pub(super) fn effect(
    corpus: &Corpus<'_>,
    ends: &[(&[f32], &[f32])],
    middles: &[&[f32]],
    others: &[(&[f32], &[f32])],
    config: &Config,
) -> Option<(Vec<Line>, f64)> {
    let late = |line: Line| {
        let is_late = |(end, middle): (&(&[f32], &[f32]), &&[f32])| !line.holds(end.0, middle);
        ends.iter().zip(middles).filter(|(end, middle)| is_late((end, middle))).count() as f64
            / ends.len() as f64
    };
    let pays = pays(corpus);
    let mut found: Vec<(f64, f64, Line)> = Vec::new();
    for (fact, what) in corpus.told() {
        for line in changes(fact, what.is_predicate(), ends, config.effect_share) {
            // It must come about, not just be so.
            let comes = |(start, end): &(&[f32], &[f32])| !line.holds(start, start) && line.holds(start, end);
            let lift = share(ends, comes) - share(others, comes);
            if share(ends, comes) >= config.effect_share && lift >= MIN_LIFT && late(line) >= 0.5 {
                let rises = line.is == Compare::AtLeast;
                let (way, strength) = pays[fact];
                // What pays comes first, and what is counted before what only goes with it.
                let is_paid = way == Some(rises);
                let bonus =
                    if is_paid { 2.0 * strength } else { 0.0 } + if what.is_predicate() { 0.0 } else { 0.1 };
                found.push((lift + bonus, lift, line));
            }
        }
    }
    // Of nearly equal ones the first of the game's list.
    let rank = |x: f64| (10.0 * x).round() as i64;
    found.sort_by_key(|f| (std::cmp::Reverse(rank(f.0)), f.2.fact));
    let mut effect: Vec<Line> = Vec::new();
    let mut lift = 0.0;
    for (_, gain, line) in found {
        let joint = |e: &(&[f32], &[f32])| effect.iter().chain([&line]).all(|l| l.holds(e.0, e.1));
        // One thing that pays says it all; another one would only make the use go on for it.
        let says_all =
            effect.first().is_some_and(|l| pays[l.fact].0.is_some() && !matches!(l.to, To::Number(_)));
        if !says_all && effect.len() < MAX_EFFECT && share(ends, joint) >= config.effect_share {
            if effect.is_empty() {
                lift = gain;
            }
            effect.push(line);
        }
    }
    (!effect.is_empty()).then_some((effect, lift))
}

/// Facts that move with rewards, and how closely (0 to 1): `Some(true)` where a rise is paid, `Some(false)` where a fall
/// is. Where no number does, rewards coming at the end alone, numbers whose last value goes with the score.
fn pays(corpus: &Corpus<'_>) -> Vec<(Option<bool>, f64)> {
    let (mut counts, mut rewards) = (vec![[(0usize, 0usize); 2]; corpus.width()], 0);
    for at in corpus.places() {
        let next = Place { step: at.step + 1, ..at };
        let (Some(a), Some(b)) = (corpus.facts(at), corpus.facts(next)) else { continue };
        let paid = usize::from(corpus.reward(at) > 0.0);
        rewards += paid;
        for (fact, counts) in counts.iter_mut().enumerate() {
            if a[fact] != b[fact] {
                let way = &mut counts[usize::from(b[fact] > a[fact])];
                *way = (way.0 + 1, way.1 + paid);
            }
        }
    }
    // Share of the changes that are paid, and of the rewards that come with one.
    let close = |(all, paid): (usize, usize)| {
        let (precision, recall) = (paid as f64 / all.max(1) as f64, paid as f64 / rewards.max(1) as f64);
        if all >= 5 && precision >= 0.5 { precision * recall } else { 0.0 }
    };
    let mut pays: Vec<(Option<bool>, f64)> = counts
        .iter()
        .map(|[fall, rise]| {
            let (fall, rise) = (close(*fall), close(*rise));
            if rise.max(fall) > 0.0 { (Some(rise >= fall), rise.max(fall)) } else { (None, 0.0) }
        })
        .collect();
    let numbers = || corpus.told().filter(|(_, f)| !f.is_predicate()).map(|(f, _)| f);
    if numbers().all(|f| pays[f].0.is_none()) {
        for f in numbers() {
            let r = end_correlation(corpus, f);
            if r.abs() >= GOES_WITH_SCORE {
                pays[f] = (Some(r > 0.0), r.abs());
            }
        }
    }
    pays
}

/// Correlation over runs of a fact's last value with the final score.
fn end_correlation(corpus: &Corpus<'_>, fact: usize) -> f64 {
    let last = |run: usize| {
        let end = Place { run, step: corpus.len(run) };
        let facts = corpus.facts(end).or_else(|| corpus.facts(Place { step: end.step - 1, ..end }))?;
        Some((f64::from(facts[fact]), f64::from(corpus.trace(run).score?)))
    };
    let points: Vec<(f64, f64)> = (0..corpus.runs()).filter_map(last).collect();
    let n = points.len().max(1) as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / n;
    let (x, y) = (mean(|p| p.0), mean(|p| p.1));
    let sum = |of: &dyn Fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>();
    let (xx, yy) = (sum(&|p| (p.0 - x).powi(2)), sum(&|p| (p.1 - y).powi(2)));
    if xx * yy > 0.0 { sum(&|p| (p.0 - x) * (p.1 - y)) / (xx * yy).sqrt() } else { 0.0 }
}

/// Possible literals about the change of a fact.
fn changes(fact: usize, is_predicate: bool, ends: &[(&[f32], &[f32])], least: f64) -> Vec<Line> {
    if is_predicate {
        return vec![Line::at_least(fact, 1.0), Line::at_most(fact, 0.0)];
    }
    let mut by: Vec<f32> = ends.iter().map(|(start, end)| end[fact] - start[fact]).collect();
    by.sort_by(f32::total_cmp);
    let mut lines = Vec::new();
    // What nearly all reach, else what enough of them do.
    for share in [0.95, least] {
        let spare = ((1.0 - share) * by.len() as f64 + 1e-9).floor() as usize;
        let (rise, fall) = (by[spare], by[by.len() - 1 - spare]);
        let is_new = |is: Compare| !lines.iter().any(|l: &Line| l.is == is);
        let (up, down) = (rise > 0.0 && is_new(Compare::AtLeast), fall < 0.0 && is_new(Compare::AtMost));
        if up {
            lines.push(Line { fact, is: Compare::AtLeast, to: To::Change(rise) });
        }
        if down {
            lines.push(Line { fact, is: Compare::AtMost, to: To::Change(fall) });
        }
    }
    lines
}
