//! Evidence in one line.

use super::{Evidence, Figures, Monitor, Outcome, Retirement};
use crate::stats::Interval;
use std::fmt;

impl fmt::Display for Evidence {
    /// Gate, decision and the figures that matter, in one line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let decision = match (self.figures(), self.passed()) {
            (Figures::Watch(_), true) => "no alarm",
            (Figures::Watch(_), false) => "alarm",
            (_, true) => "passed",
            (_, false) => "failed",
        };
        write!(f, "{} {decision}: ", self.gate())?;
        match self.figures() {
            Figures::Static(x) if x.findings.is_empty() => f.write_str("it compiles, nothing forbidden"),
            Figures::Static(x) => f.write_str(&x.findings.join("; ")),
            Figures::Replay(x) => {
                let alike = x.runs.iter().filter(|run| run.first == run.second).count();
                let (all, rate, claim) = (x.runs.len(), 100.0 * x.rate(), 100.0 * x.claim);
                write!(
                    f,
                    "{alike} of {all} runs alike twice, effect in {rate:.0} % of them, {claim:.0} % claimed"
                )
            }
            Figures::Contract(x) => {
                let (successes, uses, claim) = (x.successes, x.uses, 100.0 * x.claim);
                write!(f, "effect in {successes} of {uses} uses")?;
                if let Ok(rate) = x.rate() {
                    write!(f, " ({:.0} to {:.0} %)", 100.0 * rate.low, 100.0 * rate.high)?;
                }
                write!(f, ", {claim:.0} % claimed")
            }
            Figures::Uplift(x) => {
                if let (Ok(gain), Ok(e)) = (x.gain(), x.e()) {
                    write!(
                        f,
                        "gain {} over {} pairs, e-value {}",
                        Limits(gain),
                        x.differences.len(),
                        Short(e)
                    )?;
                }
                Ok(())
            }
            Figures::Multiple(x) => {
                let own = x.e_values.get(self.skill()).copied().unwrap_or_default();
                let (all, fdr) = (x.e_values.len(), 100.0 * x.fdr);
                write!(f, "e-value {} among {all} candidates, {fdr:.0} % false discoveries", Short(own))
            }
            Figures::Regression(x) => {
                let changes = x.changes();
                if let Ok(change) = crate::stats::interval(&changes, 0.9) {
                    let (pairs, families) = (changes.len(), x.families.len());
                    write!(f, "change {} over {pairs} pairs of {families} families", Limits(change))?;
                }
                if let (false, Ok(elo)) = (x.duel.is_empty(), crate::stats::paired_elo(&x.duel, 0.9)) {
                    write!(f, ", Elo {:+.0} ({:+.0} to {:+.0})", elo.estimate, elo.low, elo.high)?;
                }
                match x.worse_families() {
                    Ok(worse) if !worse.is_empty() => write!(f, ", worse in {}", worse.join(", ")),
                    _ => Ok(()),
                }
            }
            Figures::Shadow(x) => {
                write!(
                    f,
                    "calibration error {:.3} over {} chances",
                    x.error().unwrap_or(1.0),
                    x.chances.len()
                )
            }
            Figures::Probation(x) => uses(f, x, x.probation().ok().flatten().is_some()),
            Figures::Watch(x) => uses(f, x, x.watch().ok().flatten().is_some()),
            Figures::Version { from, to } => write!(f, "written for {from}, the bank is for {to}"),
            Figures::Retirement(why) => why.fmt(f),
            Figures::Rollback { snapshot, reason } | Figures::Restore { snapshot, reason } => {
                write!(f, "back to snapshot {snapshot}: {reason}")
            }
            Figures::Order { reason } => f.write_str(reason),
        }
    }
}

fn uses(f: &mut fmt::Formatter<'_>, x: &Monitor, is_alarm: bool) -> fmt::Result {
    let done = x.outcomes.iter().filter(|o| **o == Outcome::Effect).count();
    let (all, claim) = (x.outcomes.len(), 100.0 * x.claim);
    write!(f, "effect in {done} of {all} uses, {claim:.0} % claimed")?;
    if !x.changes.is_empty() {
        let mean = x.changes.iter().sum::<f64>() / x.changes.len() as f64;
        write!(f, "; mean change {mean:+.3} in {} episodes", x.changes.len())?;
    }
    if is_alarm { f.write_str("; alarm") } else { Ok(()) }
}

impl fmt::Display for Retirement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unused { rounds, .. } => write!(f, "not used in {rounds} rounds"),
            Self::Dominated { by, .. } => write!(f, "{by} may begin wherever it may, and gains more"),
            Self::Budget { skills, most, .. } => {
                write!(f, "{skills} skills where {most} may be, and it gains least a use")
            }
            Self::Replaced { by } => write!(f, "{by} has taken its place"),
        }
    }
}

/// A mean with its limits.
struct Limits(Interval);

impl fmt::Display for Limits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:+.3} ({:+.3} to {:+.3})", self.0.estimate, self.0.low, self.0.high)
    }
}

/// An e-value, which may be astronomic.
struct Short(f64);

impl fmt::Display for Short {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 < 1e6 { write!(f, "{:.1}", self.0) } else { write!(f, "{:.0e}", self.0) }
    }
}
