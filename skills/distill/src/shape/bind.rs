//! What the arguments of each element are bound to: nothing, a constant, an earlier argument, or a parameter.

use super::antiunify::{Slot, anti_unify, most_common};
use crate::{
    emit::local_name,
    ir::Bound,
    mine::{Classes, Pattern, Span},
    rollouts::{Corpus, Place},
};
use agon_skill::{Param, ParamKind};
use rl_gym::vocabulary::MAX_ARGS;

/// An argument is constant, or the same as an earlier one, if this share of the instances says so.
pub(super) const AGREE: f64 = 0.95;
/// Share of instances with a run of several decisions that makes an element a loop.
const OFTEN_RUN: f64 = 0.2;

/// One element while it is shaped.
pub(super) struct Element {
    pub(super) verb: u16,
    pub(super) is_run: bool,
    /// For each instance (and round) its run and span.
    pub(super) spans: Vec<(usize, Span)>,
    pub(super) bounds: Vec<Bound>,
    pub(super) keep: Vec<(usize, String)>,
}

/// The elements of a pattern with their spans.
pub(super) fn elements(corpus: &Corpus<'_>, classes: &Classes, pattern: &Pattern) -> Vec<Element> {
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
            spans: spans.iter().map(|(i, s)| (pattern.instances[*i].run, *s)).collect(),
            bounds: vec![Bound::Any; args],
            keep: Vec::new(),
        }
    };
    (0..n).map(element).collect()
}

/// Decides what arguments are bound to; gives the number of different ones that are not known beforehand.
pub(super) fn bind(
    corpus: &Corpus<'_>,
    pattern: &Pattern,
    elements: &mut [Element],
    params: &mut Vec<Param>,
) -> usize {
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
                        doc: format!(
                            "which {} to {}",
                            kind.name,
                            words.verbs()[usize::from(elements[e].verb)].name
                        ),
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
pub(super) fn given(corpus: &Corpus<'_>, element: &Element, at: Place) -> [Option<u16>; MAX_ARGS] {
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
