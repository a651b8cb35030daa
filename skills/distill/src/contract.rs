//! Contracts from instances: what held before the good ones, what came about, what stayed as it was.

use crate::{
    Config,
    mine::Instance,
    rollouts::{Corpus, Place},
};
use agon_skill::{Compare, Contract, Literal, Operand};

/// Literals of an effect, and of a precondition, at most.
const MAX_EFFECT: usize = 2;
const MAX_PRE: usize = 4;
/// By how much the effect must be likelier than without the pattern.
const MIN_LIFT: f64 = 0.2;
/// Share of the states that are left that a further literal must exclude.
const EXCLUDES: f64 = 0.1;
/// Instances, and share of other windows that break it, for an invariant.
const INVARIANT_INSTANCES: usize = 20;
const BREAKS: f64 = 0.1;
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

/// A literal with indices.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Line {
    pub(crate) fact: usize,
    pub(crate) is: Compare,
    pub(crate) to: To,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum To {
    Number(f32),
    Change(f32),
}

impl Line {
    pub(crate) fn at_least(fact: usize, x: f32) -> Self {
        Self { fact, is: Compare::AtLeast, to: To::Number(x) }
    }

    pub(crate) fn at_most(fact: usize, x: f32) -> Self {
        Self { fact, is: Compare::AtMost, to: To::Number(x) }
    }

    pub(crate) fn holds(self, start: &[f32], now: &[f32]) -> bool {
        let to = match self.to {
            To::Number(x) => x,
            To::Change(plus) => start[self.fact] + plus,
        };
        match self.is {
            Compare::AtLeast => now[self.fact] >= to,
            Compare::AtMost => now[self.fact] <= to,
            Compare::Equal => (now[self.fact] - to).abs() < 0.5,
        }
    }

    pub(crate) fn literal(self, corpus: &Corpus<'_>) -> Literal {
        let to = match self.to {
            To::Number(x) => Operand::Number(x),
            To::Change(start_plus) => Operand::Change { start_plus },
        };
        Literal { fact: corpus.fact_list()[self.fact].name.into(), is: self.is, to }
    }
}

/// The contract of instances, or `None` where nothing comes about reliably.
pub(crate) fn mine(corpus: &Corpus<'_>, instances: &[Instance], config: &Config) -> Option<Mined> {
    let ends: Vec<(&[f32], &[f32])> = instances
        .iter()
        .filter_map(|i| Some((corpus.facts(i.from())?, corpus.facts(i.to())?)))
        .collect();
    if ends.len() < config.min_instances {
        return None;
    }
    let mut lengths: Vec<usize> = instances.iter().map(Instance::len).collect();
    lengths.sort_unstable();
    let usual = lengths[lengths.len() / 2];
    let others = windows(corpus, instances, usual);
    let (effect, lift) = effect(corpus, &ends, &others, config)?;
    let is_good = |(start, end): &(&[f32], &[f32])| effect.iter().all(|l| l.holds(start, end));
    let successes = ends.iter().filter(|e| is_good(e)).count();
    let starts: Vec<&[f32]> = ends.iter().filter(|e| is_good(e)).map(|e| e.0).collect();
    let mut pre: Vec<Line> = effect.iter().filter_map(|l| not_yet(*l)).collect();
    pre.extend(preconditions(corpus, &starts, &pre, config));
    let good: Vec<&Instance> = instances
        .iter()
        .filter(|i| corpus.facts(i.from()).zip(corpus.facts(i.to())).is_some_and(|e| is_good(&e)))
        .collect();
    let invariant = if usual < MIN_GUARDED { Vec::new() } else { invariants(corpus, &good, &others) };
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

/// What comes about in nearly all instances and seldom elsewhere: the literals and their lift.
fn effect(
    corpus: &Corpus<'_>,
    ends: &[(&[f32], &[f32])],
    others: &[(&[f32], &[f32])],
    config: &Config,
) -> Option<(Vec<Line>, f64)> {
    let pays = pays(corpus);
    let mut found: Vec<(f64, f64, Line)> = Vec::new();
    for (fact, what) in corpus.fact_list().iter().enumerate().filter(|(f, _)| !corpus.clocks[*f]) {
        for line in changes(fact, what.is_predicate(), ends, config.effect_share) {
            // It must come about, not just be so.
            let comes = |(start, end): &(&[f32], &[f32])| !line.holds(start, start) && line.holds(start, end);
            let lift = share(ends, comes) - share(others, comes);
            if share(ends, comes) >= config.effect_share && lift >= MIN_LIFT {
                let rises = line.is == Compare::AtLeast;
                let is_paid = pays[fact] == Some(rises);
                // What is counted comes before what only goes with it.
                let bonus = match (is_paid, what.is_predicate()) {
                    (true, false) => 2.0,
                    (true, true) => 1.0,
                    (false, _) => 0.0,
                };
                found.push((lift + bonus, lift, line));
            }
        }
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.2.fact.cmp(&b.2.fact)));
    let mut effect: Vec<Line> = Vec::new();
    let mut lift = 0.0;
    for (_, gain, line) in found {
        let joint = |e: &(&[f32], &[f32])| effect.iter().chain([&line]).all(|l| l.holds(e.0, e.1));
        // One thing that pays says it all; another one would only make the use go on for it.
        let says_all = effect.first().is_some_and(|l| pays[l.fact].is_some() && l.to != To::Number(1.0));
        if !says_all && effect.len() < MAX_EFFECT && share(ends, joint) >= config.effect_share {
            if effect.is_empty() {
                lift = gain;
            }
            effect.push(line);
        }
    }
    (!effect.is_empty()).then_some((effect, lift))
}

/// Facts that move with rewards: `Some(true)` where a rise is paid, `Some(false)` where a fall is.
fn pays(corpus: &Corpus<'_>) -> Vec<Option<bool>> {
    let mut counts = vec![[(0usize, 0usize); 2]; corpus.width()];
    if corpus.is_paid {
        for at in corpus.places() {
            let next = Place { step: at.step + 1, ..at };
            let (Some(a), Some(b)) = (corpus.facts(at), corpus.facts(next)) else { continue };
            let paid = usize::from(corpus.reward(at) > 0.0);
            for (fact, counts) in counts.iter_mut().enumerate() {
                if a[fact] != b[fact] {
                    let way = &mut counts[usize::from(b[fact] > a[fact])];
                    *way = (way.0 + 1, way.1 + paid);
                }
            }
        }
    }
    let often = |(all, paid): (usize, usize)| all >= 5 && paid * 2 >= all;
    counts.iter().map(|[fall, rise]| if often(*rise) { Some(true) } else { often(*fall).then_some(false) }).collect()
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

/// The literal that says that an effect is not there yet: a skill whose effect holds already has nothing to do.
fn not_yet(line: Line) -> Option<Line> {
    match (line.is, line.to) {
        (Compare::AtLeast, To::Number(x)) => Some(Line::at_most(line.fact, x - 1.0)),
        (Compare::AtMost, To::Number(x)) => Some(Line::at_least(line.fact, x + 1.0)),
        _ => None,
    }
}

/// What holds at nearly all of `starts` and not everywhere, the most telling first.
pub(crate) fn preconditions(
    corpus: &Corpus<'_>,
    starts: &[&[f32]],
    given: &[Line],
    config: &Config,
) -> Vec<Line> {
    let states: Vec<&[f32]> = corpus.sample().into_iter().filter_map(|at| corpus.facts(at)).collect();
    if starts.is_empty() || states.is_empty() {
        return Vec::new();
    }
    let holds = |line: Line| move |s: &&[f32]| line.holds(s, s);
    let mut possible: Vec<Line> = Vec::new();
    for (fact, what) in corpus.fact_list().iter().enumerate().filter(|(f, _)| !corpus.clocks[*f]) {
        let lines = if what.is_predicate() {
            vec![Line::at_least(fact, 1.0), Line::at_most(fact, 0.0)]
        } else {
            let mut values: Vec<f32> = starts.iter().map(|s| s[fact]).collect();
            values.sort_by(f32::total_cmp);
            let spare = ((1.0 - config.pre_share) * values.len() as f64 + 1e-9).floor() as usize;
            vec![Line::at_least(fact, values[spare]), Line::at_most(fact, values[values.len() - 1 - spare])]
        };
        possible.extend(lines.into_iter().filter(|l| {
            share(starts, holds(*l)) >= config.pre_share && share(&states, holds(*l)) <= 1.0 - config.informative
        }));
    }
    let mut left: Vec<&[f32]> = states;
    left.retain(|s| given.iter().all(|l| l.holds(s, s)));
    let mut pre: Vec<Line> = Vec::new();
    while given.len() + pre.len() < MAX_PRE && !left.is_empty() {
        let excluded = |line: Line| {
            let out = 1.0 - share(&left, holds(line));
            // Bounds of numbers come from the same data, and carry over less well than predicates.
            if corpus.fact_list()[line.fact].is_predicate() { out } else { 0.7 * out }
        };
        let mut best: Option<(f64, Line)> = None;
        for line in &possible {
            let out = excluded(*line);
            if best.is_none_or(|(most, _)| out > most + 1e-9) {
                best = Some((out, *line));
            }
        }
        let Some((out, line)) = best else { break };
        if out < EXCLUDES {
            break;
        }
        left.retain(|s| line.holds(s, s));
        pre.push(line);
    }
    pre
}

/// Predicates that no good instance moves and that other windows often do.
fn invariants(corpus: &Corpus<'_>, good: &[&Instance], others: &[(&[f32], &[f32])]) -> Vec<Line> {
    if good.len() < INVARIANT_INSTANCES {
        return Vec::new();
    }
    let states = |i: &Instance| {
        let (from, to) = (i.from().step, i.to().step);
        (from..to).filter_map(|step| corpus.facts(Place { run: i.run, step })).collect::<Vec<&[f32]>>()
    };
    let lines = corpus.fact_list().iter().enumerate().filter(|(_, f)| f.is_predicate());
    let mut found: Vec<(f64, Line)> = lines
        .flat_map(|(fact, _)| [Line::at_least(fact, 1.0), Line::at_most(fact, 0.0)])
        .filter(|line| good.iter().all(|i| states(i).iter().all(|s| line.holds(s, s))))
        .filter_map(|line| {
            let begin: Vec<_> = others.iter().filter(|(start, _)| line.holds(start, start)).collect();
            let broken = share(&begin, |(start, end)| !line.holds(start, end));
            (begin.len() >= 20 && broken >= BREAKS).then_some((broken, line))
        })
        .collect();
    found.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.fact.cmp(&b.1.fact)));
    found.into_iter().take(1).map(|(_, line)| line).collect()
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
