//! Evidence and contracts in words.

use super::table::{gain, percent};
use agon_skill::{Budget, Compare, Literal, Operand, Skill};
use agon_skill_bank::{
    BankError, Evidence, Gate,
    evidence::{Alarm, Figures, Monitor, Outcome, Retirement},
    stats::{Interval, interval},
};
use std::fmt::Write;

/// What the figures of a piece of evidence say, in a line.
pub(super) fn evidence(piece: &Evidence) -> String {
    figures(piece).unwrap_or_else(|error| format!("its figures make no sense: {error}"))
}

fn figures(piece: &Evidence) -> Result<String, BankError> {
    Ok(match piece.figures() {
        Figures::Static(x) if x.findings.is_empty() => "loads, and nothing forbidden is seen in it".into(),
        Figures::Static(x) => x.findings.join("; "),
        Figures::Replay(x) if x.runs.is_empty() => {
            "it never began on the starts that it was tried from".into()
        }
        Figures::Replay(x) => {
            let alike = x.runs.iter().filter(|run| run.first == run.second).count();
            format!(
                "{} starts played twice, {alike} alike; effect in {}, claims {}",
                x.runs.len(),
                percent(x.rate()),
                percent(x.claim)
            )
        }
        Figures::Contract(x) if x.uses == 0 => "it never applied on the seeds of the gate".into(),
        Figures::Contract(x) => {
            let rate = x.rate()?;
            format!(
                "effect in {} of {} uses (95 % limits {} to {}); at least {} is wanted{}",
                x.successes,
                x.uses,
                percent(rate.low),
                percent(rate.high),
                percent(x.least.max(x.claim - x.slack)),
                if x.uses < x.planned { format!("; {} uses were planned", x.planned) } else { String::new() }
            )
        }
        Figures::Uplift(x) => {
            let pairs = x.differences.len();
            format!(
                "e-value {} of a gain after {pairs} pairs, {}",
                e_value(x.e()?),
                interval_words(&x.gain()?)
            )
        }
        Figures::Multiple(x) => {
            format!("among {} of its round at a false discovery rate of {}", x.e_values.len(), percent(x.fdr))
        }
        Figures::Regression(x) => {
            let changes = x.changes();
            let mut text = format!(
                "whole bank over {} pairs: {}; lower limit above -{} is wanted",
                changes.len(),
                interval_words(&interval(&changes, 0.95)?),
                percent(x.rule.margin)
            );
            let worse = x.worse_families()?;
            if !worse.is_empty() {
                _ = write!(text, "; worse in {}", worse.join(", "));
            }
            text
        }
        Figures::Shadow(x) => format!(
            "{} chances of {}, calibration error {:.3}, below {} is wanted",
            x.chances.len(),
            x.rule.chances,
            x.error()?,
            x.rule.most
        ),
        Figures::Probation(x) => monitor(x, x.probation()?),
        Figures::Watch(x) => monitor(x, x.watch()?),
        Figures::Version { from, to } => format!("it is written for {from}, the bank is for {to} now"),
        Figures::Retirement(Retirement::Unused { rounds, .. }) => format!("not used for {rounds} rounds"),
        Figures::Retirement(Retirement::Dominated { by, .. }) => {
            format!("{by} may begin wherever it may and gains at least as much")
        }
        Figures::Retirement(Retirement::Budget { skills, most, .. }) => {
            format!("{skills} skills where {most} may be, and it gains least a use")
        }
        Figures::Retirement(Retirement::Replaced { by }) => format!("replaced by {by}"),
        Figures::Rollback { snapshot, reason } | Figures::Restore { snapshot, reason } => {
            format!("back to snapshot {snapshot}: {reason}")
        }
        Figures::Order { reason } => reason.clone(),
    })
}

fn monitor(x: &Monitor, alarm: Option<Alarm>) -> String {
    let done = x.outcomes.iter().filter(|o| **o == Outcome::Effect).count();
    let end = match alarm {
        Some(Alarm::Contract) => "ALARM: its contract stopped holding",
        Some(Alarm::Harm) => "ALARM: episodes with it score less",
        None => "no alarm",
    };
    format!(
        "effect in {done} of {} uses, offered in {} of {} episodes, {end}",
        x.outcomes.len(),
        x.offered,
        x.episodes
    )
}

/// An e-value: up to any height, but its digits say nothing beyond some thousands.
pub(super) fn e_value(e: f64) -> String {
    if e >= 1e4 { format!("{e:.0e}") } else { format!("{e:.2}") }
}

pub(super) fn interval_words(i: &Interval) -> String {
    format!("gain {}", gain(i.estimate, i.low, i.high))
}

/// The piece that decided the last move of a skill: of its newest failures the first one, else its newest.
pub(super) fn decisive(pieces: &[Evidence]) -> Option<&Evidence> {
    let trail = pieces.iter().rev().take_while(|piece| !piece.passed());
    trail.last().or_else(|| {
        // A passed gate that was compared with others stands behind the one that failed: look past it once.
        let behind = pieces.iter().rev().skip(1).take_while(|piece| !piece.passed()).last();
        let newest = pieces.last();
        newest.filter(|piece| piece.gate() != Gate::Multiple).or(behind).or(newest)
    })
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
        let within = super::table::count(c.within as usize, "decision");
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
            "{decisions} decisions, {step_safepoints} safepoints a decision, {call_safepoints} a use, {} KiB",
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
