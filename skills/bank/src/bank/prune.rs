//! Skills that are not needed any more.

use super::{Bank, Entry};
use crate::{
    BankError,
    evidence::{Evidence, Figures, Retirement, Source},
    lifecycle::State,
    stats::Interval,
};
use serde::{Deserialize, Serialize};

/// When a skill is not needed any more.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PruneRule {
    /// Rounds without a use.
    pub rounds: u64,
    /// Active skills at most.
    pub most: usize,
}

impl Default for PruneRule {
    fn default() -> Self {
        Self { rounds: 10, most: 100 }
    }
}

/// A skill that was retired, and why.
pub type PruneWhy = (String, Retirement);

impl Bank {
    /// Retires what is not used, what another skill does at least as well wherever it may begin, and, while the bank
    /// holds more than it may, the skill with the least lower limit of gain a use. Tells which.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn prune(&mut self, rule: PruneRule) -> Result<Vec<PruneWhy>, BankError> {
        let mut out = Vec::new();
        while let Some((hash, why)) = self.needless(rule) {
            let figures = Figures::Retirement(why.clone());
            let evidence = Evidence::new(&hash, Source::default(), figures)?;
            self.present(&hash, &[evidence])?;
            out.push((hash, why));
        }
        Ok(out)
    }

    fn needless(&self, rule: PruneRule) -> Option<PruneWhy> {
        let active: Vec<&Entry> = self.at(State::Active).collect();
        let round = self.round();
        for entry in &active {
            let rounds = round.saturating_sub(entry.round);
            if rounds >= rule.rounds {
                return Some((entry.hash.clone(), Retirement::Unused { rounds, most: rule.rounds }));
            }
        }
        for entry in &active {
            if let Some(why) = active.iter().find_map(|other| dominates(other, entry)) {
                return Some((entry.hash.clone(), why));
            }
        }
        let mut worth: Vec<(f64, &Entry)> = active.iter().map(|e| (low_per_use(e), *e)).collect();
        worth.sort_by(|a, b| a.0.total_cmp(&b.0).then_with(|| a.1.hash.cmp(&b.1.hash)));
        let skills = worth.len() as u64;
        match worth.as_slice() {
            [(low, least), rest @ ..] if skills > rule.most as u64 => {
                let next = rest.first().map_or(*low, |(next, _)| *next);
                let why = Retirement::Budget { skills, most: rule.most as u64, low: *low, next };
                Some((least.hash.clone(), why))
            }
            _ => None,
        }
    }
}

/// The lower limit of its gain over its uses an episode that was measured; a skill that nobody used counts as one.
fn low_per_use(entry: &Entry) -> f64 {
    let low = entry.gain.map_or(-1.0, |gain| gain.low);
    let episodes = entry.monitor.changes.len().max(1) as f64;
    low / (entry.monitor.outcomes.len() as f64 / episodes).max(1.0)
}

/// Whether `other` may begin wherever `entry` may, and gains at least as much.
fn dominates(other: &Entry, entry: &Entry) -> Option<Retirement> {
    let (theirs, own) = (other.skill.as_ref()?, entry.skill.as_ref()?);
    let (Interval { low: other_low, .. }, Interval { high: own_high, .. }) = (other.gain?, entry.gain?);
    let is_wider =
        theirs.contract.pre.iter().all(|wide| own.contract.pre.iter().any(|narrow| narrow.implies(wide)));
    let is_other = other.hash != entry.hash && theirs.kind == own.kind;
    (is_other && is_wider && other_low >= own_high).then(|| Retirement::Dominated {
        by: other.hash.clone(),
        other_low,
        own_high,
    })
}
