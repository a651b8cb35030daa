//! What holds before good instances, and what they leave alone.

use super::{line::Line, share};
use crate::{
    Config,
    mine::Instance,
    rollouts::{Corpus, Place},
};

/// Literals of a precondition at most.
const MAX_PRE: usize = 4;
/// Share of the states that are left that a further literal must exclude.
const EXCLUDES: f64 = 0.1;
/// Starts that a bound of a number must rest on.
const BOUND_STARTS: usize = 20;
/// Instances, and share of other windows that break it, for an invariant.
const INVARIANT_INSTANCES: usize = 20;
const BREAKS: f64 = 0.1;

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
    for (fact, what) in corpus.told() {
        let lines = if what.is_predicate() {
            vec![Line::at_least(fact, 1.0), Line::at_most(fact, 0.0)]
        } else if starts.len() < BOUND_STARTS {
            Vec::new()
        } else {
            let mut values: Vec<f32> = starts.iter().map(|s| s[fact]).collect();
            values.sort_by(f32::total_cmp);
            let spare = ((1.0 - config.pre_share) * values.len() as f64 + 1e-9).floor() as usize;
            vec![Line::at_least(fact, values[spare]), Line::at_most(fact, values[values.len() - 1 - spare])]
        };
        // How many times less likely than 1 it must be that all starts have it by chance: there are some hundred facts,
        // and bounds of numbers are chosen to fit.
        let doubt = if what.is_predicate() { 1e-4_f64 } else { 1e-6 };
        possible.extend(lines.into_iter().filter(|l| {
            let usual = share(&states, holds(*l));
            share(starts, holds(*l)) >= config.pre_share
                && usual <= 1.0 - config.informative
                && starts.len() as f64 * usual.max(1e-9).ln() <= doubt.ln()
        }));
    }
    let mut left: Vec<&[f32]> = states;
    left.retain(|s| given.iter().all(|l| l.holds(s, s)));
    let mut pre: Vec<Line> = Vec::new();
    while given.len() + pre.len() < MAX_PRE && !left.is_empty() {
        let excluded = |line: Line| {
            let out = 1.0 - share(&left, holds(line));
            // Bounds of numbers come from the same data, and carry over less well than predicates.
            if corpus.fact_list()[line.fact].is_predicate() { out } else { 0.5 * out }
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
pub(super) fn invariants(corpus: &Corpus<'_>, good: &[&Instance], others: &[(&[f32], &[f32])]) -> Vec<Line> {
    if good.len() < INVARIANT_INSTANCES {
        return Vec::new();
    }
    let states = |i: &Instance| {
        let (from, to) = (i.from().step, i.to().step);
        (from..to).filter_map(|step| corpus.facts(Place { run: i.run, step })).collect::<Vec<&[f32]>>()
    };
    let lines = corpus.told().filter(|(_, f)| f.is_predicate());
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

/// The predicate that tells the starts of instances best from other states, where it holds of most starts: what is done in
/// several situations is described for the commonest one.
pub(crate) fn focus(corpus: &Corpus<'_>, starts: &[Place]) -> Option<Line> {
    let facts = |places: &[Place]| places.iter().filter_map(|at| corpus.facts(*at)).collect::<Vec<&[f32]>>();
    let (starts, states) = (facts(starts), facts(&corpus.sample()));
    let mut best: Option<(f64, Line)> = None;
    for (fact, _) in corpus.told().filter(|(_, f)| f.is_predicate()) {
        for line in [Line::at_least(fact, 1.0), Line::at_most(fact, 0.0)] {
            let holds = |s: &&[f32]| line.holds(s, s);
            let (here, usual) = (share(&starts, holds), share(&states, holds));
            let tells = here * (here / usual.max(1e-6)).max(1.0).ln();
            if (0.5..1.0).contains(&here) && tells > 0.2 && best.is_none_or(|(most, _)| tells > most + 1e-9) {
                best = Some((tells, line));
            }
        }
    }
    best.map(|(_, line)| line)
}
