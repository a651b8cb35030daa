//! Names and sentences for code: from verbs, features and effects.

use super::print::number;
use crate::ir::{Bound, Ir, Range, Rule, Selector, Until, Weight};
use agon_skill::{Compare, Literal, Operand};
use rl_gym::vocabulary::{Vocabulary, fact};

/// Letters of a name at most, with room for a number behind it.
const LONGEST: usize = 58;

/// A name in `snake_case`: what is done to what.
pub(crate) fn name(ir: &Ir, effect: &[Literal]) -> String {
    let parts = |ir: &Ir| {
        let mut parts: Vec<String> = ir.selectors().iter().map(|s| short(s)).collect();
        parts.dedup();
        parts
    };
    let then = |ir: &Ir| parts(ir).join("_then_");
    let parts = parts(ir);
    let mut name = match ir {
        Ir::Choose(_) => format!("choose_{}", parts.iter().take(3).cloned().collect::<Vec<_>>().join("_or_")),
        Ir::Repeat { body, .. } if matches!(**body, Ir::Choose(_)) => {
            format!("play_{}", parts.iter().take(3).cloned().collect::<Vec<_>>().join("_or_"))
        }
        Ir::Repeat { .. } => format!("keep_{}", parts.join("_then_")),
        Ir::If { then: one, otherwise, .. } => format!("{}_or_{}", then(one), then(otherwise)),
        _ => parts.join("_then_"),
    };
    if let Some(first) = effect.first() {
        let with = format!("{name}_for_{}", bare(&first.fact));
        if with.len() <= LONGEST && !name.contains(bare(&first.fact)) {
            name = with;
        }
    }
    let is_letter = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    let mut name: String = name.to_ascii_lowercase().chars().filter(|c| is_letter(*c)).collect();
    while name.len() > LONGEST {
        match name.rfind('_') {
            Some(at) => name.truncate(at),
            None => name.truncate(LONGEST),
        }
    }
    if name.is_empty() { "skill".into() } else { name }
}

/// A verb with the feature that matters most.
fn short(pick: &Selector) -> String {
    let what = |name: &str| bare(name.rsplit('.').next().unwrap_or(name)).to_owned();
    let wanted = pick.want.iter().find(|(_, r)| matches!(r, Range::Is(true) | Range::AtLeast(_)));
    if pick.args.iter().any(|a| matches!(a, Bound::Same(_))) {
        return format!("{}_it", pick.verb);
    }
    match (wanted, pick.weigh.first()) {
        (Some((name, _)), _) => format!("{}_{}", pick.verb, what(name)),
        (None, Some(w)) if w.weight > 0.0 => format!("{}_most_{}", pick.verb, what(&w.of)),
        (None, Some(w)) => format!("{}_least_{}", pick.verb, what(&w.of)),
        (None, None) => pick.verb.clone(),
    }
}

fn bare(name: &str) -> &str {
    name.strip_prefix("is_").or_else(|| name.strip_prefix("has_")).unwrap_or(name)
}

/// What code does, as a sentence.
pub(crate) fn sentence(ir: &Ir, words: &dyn Vocabulary) -> String {
    let text = clause(ir, words);
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => format!("{}{}.", first.to_ascii_uppercase(), letters.as_str()),
        None => "Does nothing.".into(),
    }
}

fn clause(ir: &Ir, words: &dyn Vocabulary) -> String {
    let all =
        |literals: &[Literal]| literals.iter().map(|l| plainly(l, words)).collect::<Vec<_>>().join(" and ");
    match ir {
        Ir::Seq(parts) => parts.iter().map(|p| clause(p, words)).collect::<Vec<_>>().join(", then "),
        Ir::Act { pick, .. } => action(pick),
        Ir::Repeat { body, until, most } => {
            let end = match until {
                Until::Effect => String::new(),
                Until::Can(pick) => format!(" until it can {}", action(pick)),
                Until::Holds(literal) => format!(" until {}", plainly(literal, words)),
            };
            format!("{}{end}, up to {most} times", clause(body, words))
        }
        Ir::If { when, then, otherwise } => {
            format!("if {}: {}; else: {}", all(when), clause(then, words), clause(otherwise, words))
        }
        Ir::Choose(rules) => {
            let rule = |r: &Rule| match &*r.when {
                [] => action(&r.pick),
                when => format!("if {} {}", all(when), action(&r.pick)),
            };
            format!(
                "the first of these that it can: {}",
                rules.iter().map(rule).collect::<Vec<_>>().join("; ")
            )
        }
    }
}

/// A selector in words.
fn action(pick: &Selector) -> String {
    let mut notes = Vec::new();
    for (k, bound) in pick.args.iter().enumerate() {
        match bound {
            Bound::Any => {}
            Bound::Constant(x) => notes.push(format!("argument {} is {x}", k + 1)),
            Bound::Same(name) => notes.push(format!("the {name} of before")),
            Bound::Param(name) => notes.push(format!("the given {name}")),
        }
    }
    for (name, range) in &pick.want {
        notes.push(match range {
            Range::Is(true) => name.clone(),
            Range::Is(false) => format!("not {name}"),
            Range::AtLeast(x) => format!("{name} at least {}", number(*x)),
            Range::AtMost(x) => format!("{name} at most {}", number(*x)),
            Range::Between(low, high) => format!("{name} {} to {}", number(*low), number(*high)),
        });
    }
    match &*pick.weigh {
        [] => {}
        [only] => notes.push(format!("{} {}", if only.weight > 0.0 { "most" } else { "least" }, only.of)),
        many => notes.push(format!("most {}", sum(many))),
    }
    let verb = pick.verb.replace('_', " ");
    if notes.is_empty() { verb } else { format!("{verb} ({})", notes.join(", ")) }
}

/// A weighted sum: `shine - 0.5 weight`.
fn sum(weights: &[Weight]) -> String {
    let mut text = String::new();
    for w in weights {
        let sign = match (text.is_empty(), w.weight < 0.0) {
            (true, true) => "-",
            (true, false) => "",
            (false, true) => " - ",
            (false, false) => " + ",
        };
        let size = w.weight.abs();
        let factor = if size == 1.0 { String::new() } else { format!("{} ", number(size)) };
        text += &format!("{sign}{factor}{}", w.of);
    }
    text
}

/// A literal in words.
fn said(literal: &Literal) -> String {
    let sign = match literal.is {
        Compare::AtLeast => ">=",
        Compare::AtMost => "<=",
        Compare::Equal => "==",
    };
    match &literal.to {
        Operand::Number(x) => format!("{} {sign} {}", literal.fact, number(*x)),
        Operand::Param(name) => format!("{} {sign} {name}", literal.fact),
        Operand::Change { start_plus } => {
            format!("{} {sign} its start {:+}", literal.fact, start_plus)
        }
    }
}

/// A literal in words, predicates as such.
pub(crate) fn plainly(literal: &Literal, words: &dyn Vocabulary) -> String {
    let is_predicate = fact(words.facts(), &literal.fact).is_some_and(|f| words.facts()[f].is_predicate());
    match (&literal.to, literal.is) {
        (Operand::Number(x), Compare::AtLeast) if is_predicate && *x > 0.0 => literal.fact.clone(),
        (Operand::Number(x), Compare::AtMost) if is_predicate && *x < 1.0 => format!("not {}", literal.fact),
        (Operand::Change { start_plus }, Compare::AtLeast) => {
            format!("{} rises by {} or more", literal.fact, number(*start_plus))
        }
        (Operand::Change { start_plus }, Compare::AtMost) => {
            format!("{} falls by {} or more", literal.fact, number(-start_plus))
        }
        _ => said(literal),
    }
}
