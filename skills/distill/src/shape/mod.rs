//! From the instances of a pattern to code: what differs becomes a selector, a variable or a parameter, runs become
//! loops.

mod antiunify;
mod logit;
mod pick;
mod rehearse;
mod select;
mod sets;

pub(crate) use antiunify::most_common;
pub use antiunify::{Slot, anti_unify};
pub(crate) use pick::Pick;
pub(crate) use rehearse::{Rehearsal, rehearse};
pub(crate) use select::{Fit, fit, two_digits};
pub(crate) use sets::Sets;

use crate::{
    Config,
    emit::local_name,
    ir::{Bound, Ir, Range, Selector, Until},
    mine::{Ask, Classes, Instance, Pattern, Span},
    rollouts::{Corpus, Place},
};
use agon_skill::{Compare, Literal, Operand, Param, ParamKind};
use rl_gym::vocabulary::MAX_ARGS;

/// An argument is constant, or the same as an earlier one, if this share of the instances says so.
const AGREE: f64 = 0.95;
/// A selector that is right in this share of the instances is preferred to a constant.
const GOOD_SELECTOR: f64 = 0.9;
/// Share of instances with a run of several decisions that makes an element a loop.
const OFTEN_RUN: f64 = 0.2;
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

/// One element while it is shaped.
struct Element {
    verb: u16,
    is_run: bool,
    /// For each instance (and round) the span.
    spans: Vec<(usize, Span)>,
    bounds: Vec<Bound>,
    keep: Vec<(usize, String)>,
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
pub(crate) fn shape(corpus: &Corpus<'_>, classes: &Classes, pattern: &Pattern, config: &Config) -> Option<Shaped> {
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

fn elements(corpus: &Corpus<'_>, classes: &Classes, pattern: &Pattern) -> Vec<Element> {
    let n = pattern.classes.len();
    let element = |e: usize| {
        let spans: Vec<(usize, Span)> = pattern
            .instances
            .iter()
            .enumerate()
            .flat_map(|(i, instance)| instance.spans.iter().skip(e).step_by(n).map(move |s| (i, *s)))
            .collect();
        let runs = spans.iter().filter(|(_, s)| s.to - s.from > 1).count();
        let verb = classes.tests(pattern.classes[e]).0;
        let args = corpus.rollouts.words().verbs()[usize::from(verb)].args.len().min(MAX_ARGS);
        Element {
            verb,
            is_run: runs as f64 >= OFTEN_RUN * spans.len() as f64,
            spans: spans
                .iter()
                .map(|(i, s)| (pattern.instances[*i].run, *s))
                .collect(),
            bounds: vec![Bound::Any; args],
            keep: Vec::new(),
        }
    };
    (0..n).map(element).collect()
}

/// Decides what arguments are bound to; gives the number of different ones that are not known beforehand.
fn bind(corpus: &Corpus<'_>, pattern: &Pattern, elements: &mut [Element], params: &mut Vec<Param>) -> usize {
    let words = corpus.rollouts.words();
    // Arguments of all elements behind each other; of a run those of its last decision, of a loop its first round.
    let n = pattern.classes.len();
    let (mut places, mut sorts) = (Vec::new(), Vec::new());
    for (e, element) in elements.iter().enumerate() {
        for k in 0..element.bounds.len() {
            places.push((e, k));
            sorts.push(words.verbs()[usize::from(element.verb)].args[k]);
        }
    }
    let lists: Vec<Vec<u16>> = pattern
        .instances
        .iter()
        .map(|instance| {
            let chosen = |e: usize| {
                let step = instance.spans[..n][e].to - 1;
                corpus.chosen(Place { run: instance.run, step })
            };
            places.iter().map(|(e, k)| chosen(*e).map_or(0, |c| c.term.args[*k])).collect()
        })
        .collect();
    let slots = anti_unify(&lists, &sorts, AGREE);
    let mut names: Vec<Option<String>> = Vec::new();
    let mut first: Vec<(usize, usize)> = Vec::new();
    let mut holes = 0;
    for (place, slot) in slots.iter().enumerate() {
        let ((e, k), kind) = (places[place], &words.kinds()[sorts[place]]);
        match slot {
            Slot::Constant(x) if kind.features.is_empty() => elements[e].bounds[k] = Bound::Constant(*x),
            // With features a selector is tried first: see `select`.
            Slot::Constant(_) => holes += 1,
            Slot::Variable(v) if *v == first.len() => {
                first.push((e, k));
                names.push(None);
                holes += 1;
                if kind.features.is_empty() && !elements[e].is_run && params.len() < agon_skill::MAX_PARAMS {
                    let default = most_common(&lists, place).map_or(0.0, |(x, _)| f32::from(x));
                    let name = unused(kind.name, params.iter().map(|p: &Param| p.name.as_str()));
                    params.push(Param {
                        name: name.clone(),
                        kind: ParamKind::Arg(kind.name.into()),
                        default,
                        doc: format!("which {} to {}", kind.name, words.verbs()[usize::from(elements[e].verb)].name),
                    });
                    elements[e].bounds[k] = Bound::Param(name.clone());
                    names[*v] = Some(format!("args.{name}"));
                }
            }
            Slot::Variable(v) => {
                let (at, of) = first[*v];
                // A loop's body meets other arguments in every round, and a run in every decision.
                if elements[e].is_run || elements[at].is_run || pattern.is_loop && at == e {
                    holes += 1;
                    continue;
                }
                let name = match &names[*v] {
                    Some(name) => name.clone(),
                    None => {
                        let name = local_name(&unused(kind.name, names.iter().flatten().map(String::as_str)));
                        elements[at].keep.push((of, name.clone()));
                        names[*v] = Some(name.clone());
                        name
                    }
                };
                elements[e].bounds[k] = match name.strip_prefix("args.") {
                    Some(param) => Bound::Param(param.into()),
                    None => Bound::Same(name),
                };
            }
        }
    }
    holes
}

fn unused<'a>(name: &str, taken: impl Iterator<Item = &'a str>) -> String {
    let taken: Vec<&str> = taken.collect();
    let mut number = 1;
    loop {
        let name = if number == 1 { name.to_owned() } else { format!("{name}{number}") };
        if !taken.contains(&name.as_str()) {
            return name;
        }
        number += 1;
    }
}

/// Arguments that an element's action has because an earlier one, or the caller, had them.
fn given(corpus: &Corpus<'_>, element: &Element, at: Place) -> [Option<u16>; MAX_ARGS] {
    let mut given = [None; MAX_ARGS];
    if let Some(chosen) = corpus.chosen(at) {
        for (k, bound) in element.bounds.iter().enumerate() {
            if matches!(bound, Bound::Same(_) | Bound::Param(_) | Bound::Constant(_)) {
                given[k] = Some(chosen.term.args[k]);
            }
        }
    }
    given
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
                let places: Vec<_> = places.iter().map(|(at, _)| (*at, given(corpus, element, *at))).collect();
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
    let facts = corpus.fact_list().iter().enumerate().filter(|(f, x)| x.is_predicate() && !corpus.clocks[*f]);
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
fn imitated(corpus: &Corpus<'_>, pattern: &Pattern, elements: &[Element], selectors: &[Selector]) -> Vec<bool> {
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
