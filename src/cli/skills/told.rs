//! Evidence and contracts in words.

use super::table::{count, percent};
use agon_skill::{Budget, Compare, Literal, Operand, Skill};
use agon_skill_bank::{Evidence, bank::Entry, evidence::Figures, stats::Interval};

/// An e-value: up to any height, but its digits say nothing beyond some thousands.
pub(super) fn e_value(e: f64) -> String {
    if e >= 1e4 { format!("{e:.0e}") } else { format!("{e:.2}") }
}

/// What the figures of a piece of evidence say, without its gate and decision.
pub(super) fn figures(piece: &Evidence) -> String {
    let text = piece.to_string();
    text.split_once(": ").map_or(text.as_str(), |(_, figures)| figures).to_owned()
}

/// The piece that decided the last move of a skill: the first failure of that move, else its last piece.
pub(super) fn decisive<'a>(entry: &Entry, pieces: &'a [Evidence]) -> Option<&'a Evidence> {
    let shown = &entry.history.last()?.evidence;
    let given: Vec<&Evidence> = pieces.iter().filter(|piece| shown.contains(&piece.hash())).collect();
    given.iter().find(|piece| !piece.passed()).or(given.last()).copied()
}

/// The newest figures of a skill's gain: e-value and gain.
pub(super) fn uplift(pieces: &[Evidence]) -> Option<(f64, Interval)> {
    pieces.iter().rev().find_map(|piece| match piece.figures() {
        Figures::Uplift(x) => Some((x.e().ok()?, x.gain().ok()?)),
        _ => None,
    })
}

/// A literal as in code.
pub(super) fn literal(l: &Literal) -> String {
    let is = match l.is {
        Compare::AtLeast => ">=",
        Compare::AtMost => "<=",
        Compare::Equal => "==",
    };
    let to = match &l.to {
        Operand::Number(x) => x.to_string(),
        Operand::Param(name) => name.clone(),
        Operand::Change { start_plus } => format!("start {start_plus:+}"),
    };
    format!("{} {is} {to}", l.fact)
}

/// A contract and budget, as names with texts.
pub(super) fn contract(skill: &Skill) -> Vec<(&'static str, String)> {
    let list = |literals: &[Literal]| match literals {
        [] => "nothing".to_owned(),
        some => some.iter().map(literal).collect::<Vec<_>>().join(", "),
    };
    let c = &skill.contract;
    let mut out = vec![("may begin when", list(&c.pre))];
    if c.effect.is_empty() {
        out.push(("promises", "nothing".into()));
    } else {
        let within = count(c.within as usize, "decision");
        out.push((
            "promises",
            format!("{} within {within}, in {} of uses", list(&c.effect), percent(c.rate.into())),
        ));
    }
    if !c.invariant.is_empty() {
        out.push(("ends where this breaks", list(&c.invariant)));
    }
    let Budget { decisions, step_safepoints, call_safepoints, memory } = skill.budget;
    out.push((
        "may spend",
        format!(
            "{}, {step_safepoints} safepoints a decision, {call_safepoints} a use, {} KiB",
            count(decisions as usize, "decision"),
            memory / 1024
        ),
    ));
    for p in &skill.params {
        out.push(("parameter", format!("{} = {} {}", p.name, p.default, p.doc).trim_end().to_owned()));
    }
    for (name, hash) in &skill.tools {
        out.push(("tool", format!("{name} ({hash})")));
    }
    out
}

/// The word of a kind, a proposer or whatever else has one in the files.
pub(super) fn word(value: &impl serde::Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(word)) => word,
        Ok(other) => other.to_string(),
        Err(error) => error.to_string(),
    }
}
