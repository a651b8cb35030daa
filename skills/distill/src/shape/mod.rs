//! From the instances of a pattern to code: what differs becomes a selector, a variable or a parameter, runs become
//! loops.

mod antiunify;
mod bind;
mod logit;
mod pick;
mod rehearse;
mod select;
mod sets;

pub use antiunify::{Slot, anti_unify};
pub(crate) use pick::Pick;
pub(crate) use rehearse::{Rehearsal, holds, rehearse};
pub(crate) use select::{Fit, fit, two_digits};
pub(crate) use sets::Sets;

use crate::{
    Config,
    ir::{Bound, Ir, Range, Selector, Until},
    mine::{Ask, Classes, Instance, Pattern, Span},
    rollouts::{Corpus, Place},
};
use agon_skill::{Compare, Literal, Operand, Param};
use antiunify::most_common;
use bind::{AGREE, Element, bind, elements, given};
use rl_gym::vocabulary::MAX_ARGS;

/// A selector that is right in this share of the instances is preferred to a constant.
const GOOD_SELECTOR: f64 = 0.9;
/// Share of decisions of a run in which its end condition does not hold yet.
const NOT_YET: f64 = 0.8;
const MAX_TIMES: usize = 64;

/// A pattern as code.
#[derive(Clone, Debug)]
pub(crate) struct Shaped {
    pub(crate) ir: Ir,
    pub(crate) params: Vec<Param>,
    /// How its selectors do, in order.
    pub(crate) fits: Vec<Fit>,
    pub(crate) instances: Vec<Instance>,
    /// Instances in which the code would have done what was done.
    pub(crate) imitated: Vec<bool>,
}

/// The first and last run of every instance cut to the decision next to the others.
pub(crate) fn trimmed(pattern: &Pattern) -> Option<Pattern> {
    if pattern.is_loop {
        return None;
    }
    let mut out = pattern.clone();
    for instance in &mut out.instances {
        let last = instance.spans.len() - 1;
        instance.spans[0].from = instance.spans[0].to - 1;
        if last > 0 {
            instance.spans[last].to = instance.spans[last].from + 1;
        }
    }
    (out.instances != pattern.instances).then_some(out)
}

/// The code of a pattern; `None` where it has too many holes or a loop whose end nothing tells.
pub(crate) fn shape(
    corpus: &Corpus<'_>,
    classes: &Classes,
    pattern: &Pattern,
    config: &Config,
) -> Option<Shaped> {
    let mut elements = elements(corpus, classes, pattern);
    let mut params = Vec::new();
    let holes = bind(corpus, pattern, &mut elements, &mut params);
    if holes > config.max_holes {
        return None;
    }
    let mut fits = Vec::new();
    let mut selectors = Vec::new();
    for (e, element) in elements.iter_mut().enumerate() {
        let (selector, fit) = select(corpus, classes, pattern.classes[e], element)?;
        selectors.push(selector);
        fits.push(fit);
    }
    let mut parts = Vec::new();
    for (e, element) in elements.iter().enumerate() {
        let act = Ir::Act { pick: selectors[e].clone(), keep: element.keep.clone() };
        if !element.is_run || pattern.is_loop {
            parts.push(act);
            continue;
        }
        let next = selectors.get(e + 1).zip(elements.get(e + 1));
        let until = match next {
            None => Until::Effect,
            Some((selector, next)) => match until(corpus, element, selector, next) {
                Some(until) => until,
                None if e == 0 => return None,
                None => Until::Effect,
            },
        };
        let most = times(element.spans.iter().map(|(_, s)| s.to - s.from).collect());
        parts.push(Ir::Repeat { body: Box::new(act), until, most });
    }
    let body = if parts.len() == 1 { parts.remove(0) } else { Ir::Seq(parts) };
    let ir = if pattern.is_loop {
        let rounds = pattern.instances.iter().map(|i| i.spans.len() / pattern.classes.len());
        Ir::Repeat { body: Box::new(body), until: Until::Effect, most: times(rounds.collect()) }
    } else {
        body
    };
    let imitated = imitated(corpus, pattern, &elements, &selectors);
    Some(Shaped { ir, params, fits, instances: pattern.instances.clone(), imitated })
}

/// The number of times that covers 19 of 20.
fn times(mut counts: Vec<usize>) -> u32 {
    counts.sort_unstable();
    let at = (counts.len() * 95).div_ceil(100).saturating_sub(1);
    counts.get(at).map_or(1, |n| (*n).clamp(1, MAX_TIMES)) as u32
}

/// The selector of an element, fitted to every decision of its spans.
fn select(
    corpus: &Corpus<'_>,
    classes: &Classes,
    class: u32,
    element: &mut Element,
) -> Option<(Selector, Fit)> {
    let places: Vec<(Place, [Option<u16>; MAX_ARGS])> = element
        .spans
        .iter()
        .flat_map(|(run, span)| (span.from..span.to).map(|step| Place { run: *run, step }))
        .map(|at| (at, given(corpus, element, at)))
        .collect();
    let sets = Sets::new(corpus, element.verb, &places);
    let ranges = class_ranges(classes, class, &sets);
    let mut fitted = fit(&sets, &ranges, true);
    let words = corpus.rollouts.words();
    let mut selector = fitted.selector(&sets, &**words);
    // An argument that is always the same one is named where features do not tell it.
    if fitted.accuracy < GOOD_SELECTOR && !element.is_run {
        for k in 0..element.bounds.len() {
            let args: Vec<Vec<u16>> =
                places.iter().filter_map(|(at, _)| Some(vec![corpus.chosen(*at)?.term.args[k]])).collect();
            if element.bounds[k] == Bound::Any
                && let Some((x, count)) = most_common(&args, 0)
                && count as f64 >= AGREE * args.len() as f64
            {
                element.bounds[k] = Bound::Constant(x);
                let places: Vec<_> =
                    places.iter().map(|(at, _)| (*at, given(corpus, element, *at))).collect();
                let sets = Sets::new(corpus, element.verb, &places);
                fitted = fit(&sets, &class_ranges(classes, class, &sets), true);
                selector = fitted.selector(&sets, &**words);
            }
        }
    }
    selector.args = element.bounds.clone();
    Some((selector, fitted))
}

/// The answers that make a class, as conditions on aspects that differ between actions.
pub(crate) fn class_ranges(classes: &Classes, class: u32, sets: &Sets) -> Vec<(usize, Range)> {
    let mut ranges = Vec::new();
    for (ask, yes) in classes.tests(class).1 {
        let Ask::Feature { k, feature, at_least, else_most } = ask else { continue };
        let Some(a) = sets.aspects.iter().position(|a| (a.k, a.feature) == (k, feature)) else { continue };
        if ranges.iter().any(|(used, _)| *used == a) {
            continue;
        }
        if sets.facts[a].is_predicate() {
            ranges.push((a, Range::Is(yes)));
        } else {
            ranges.push((a, if yes { Range::AtLeast(at_least) } else { Range::AtMost(else_most) }));
        }
    }
    ranges
}

/// What ends a run before `next`: that it can be done, or a fact.
fn until(corpus: &Corpus<'_>, element: &Element, selector: &Selector, next: &Element) -> Option<Until> {
    let pick = Pick::new(corpus, selector)?;
    let in_runs = || {
        element.spans.iter().zip(&next.spans).flat_map(|((run, span), (_, after))| {
            let ends = Place { run: *run, step: after.from };
            (span.from..span.to).map(move |step| (Place { run: *run, step }, ends))
        })
    };
    let all = in_runs().count().max(1) as f64;
    let can = |at: Place, ends: Place| {
        let given = given(corpus, next, ends);
        corpus.choices(at).iter().any(|c| pick.fits(corpus, c, &given))
    };
    let not_yet = in_runs().filter(|(at, ends)| !can(*at, *ends)).count() as f64 / all;
    if not_yet >= NOT_YET {
        return Some(Until::Can(selector.clone()));
    }
    // A fact that does not hold within the run and holds after it.
    let ends = |line: (usize, f32)| {
        let holds = |at: Place| corpus.facts(at).is_some_and(|f| f[line.0] == line.1);
        let within = in_runs().filter(|(at, _)| !holds(*at)).count() as f64 / all;
        let after = next.spans.iter().filter(|(run, s)| holds(Place { run: *run, step: s.from })).count();
        within.min(after as f64 / next.spans.len().max(1) as f64)
    };
    let facts = corpus.told().filter(|(_, x)| x.is_predicate());
    let mut best: Option<(f64, (usize, f32))> = None;
    for line in facts.flat_map(|(f, _)| [(f, 1.0), (f, 0.0)]) {
        let share = ends(line);
        if share >= 0.9 && best.is_none_or(|(most, _)| share > most) {
            best = Some((share, line));
        }
    }
    let (_, (fact, value)) = best?;
    let is = if value > 0.5 { Compare::AtLeast } else { Compare::AtMost };
    let fact = corpus.fact_list()[fact].name.into();
    Some(Until::Holds(Literal { fact, is, to: Operand::Number(value) }))
}

/// In which instances every selector picks what was chosen.
fn imitated(
    corpus: &Corpus<'_>,
    pattern: &Pattern,
    elements: &[Element],
    selectors: &[Selector],
) -> Vec<bool> {
    let picks: Option<Vec<Pick>> = selectors.iter().map(|s| Pick::new(corpus, s)).collect();
    let Some(picks) = picks else { return vec![false; pattern.instances.len()] };
    let n = pattern.classes.len();
    let same = |run: usize, e: usize, span: &Span| {
        (span.from..span.to).all(|step| {
            let at = Place { run, step };
            picks[e].agrees(corpus, at, &given(corpus, &elements[e], at))
        })
    };
    let all = |i: &Instance| i.spans.iter().enumerate().all(|(j, span)| same(i.run, j % n, span));
    pattern.instances.iter().map(all).collect()
}
