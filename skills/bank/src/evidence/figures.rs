//! The numbers of the gates, and the decisions that follow from them.

use crate::{
    BankError,
    stats::{EProcess, Interval, Plan, Side, e_bh, interval, lower_bound, paired_elo, wilson, within},
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// G0.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Static {
    /// What is wrong, with lines.
    pub findings: Vec<String>,
}

impl Static {
    pub(crate) const fn passes(&self) -> bool {
        self.findings.is_empty()
    }
}

/// One recorded start from which a skill ran twice.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReplayRun {
    /// Hash of the actions of the first run.
    pub first: String,
    /// Hash of those of the second.
    pub second: String,
    /// Whether the effect came about.
    pub effect: bool,
}

/// G1.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Replay {
    /// The starts.
    pub runs: Vec<ReplayRun>,
    /// The rate that the contract claims.
    pub claim: f64,
}

impl Replay {
    /// Share of the starts from which the effect came about.
    pub fn rate(&self) -> f64 {
        self.runs.iter().filter(|run| run.effect).count() as f64 / self.runs.len().max(1) as f64
    }

    /// All act alike twice, and the claim is not above what the starts allow (upper 95 % Wilson limit): the skill
    /// need not do as well from starts that it was not found at, which is for G2 to say.
    pub(crate) fn passes(&self) -> Result<bool, BankError> {
        if self.runs.is_empty() || self.runs.iter().any(|run| run.first != run.second) {
            return Ok(false);
        }
        let successes = self.runs.iter().filter(|run| run.effect).count() as u64;
        Ok(wilson(successes, self.runs.len() as u64, 0.95)?.high >= self.claim)
    }
}

/// G2. The number of uses is fixed before; a test may end early only to refuse.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contract {
    /// Uses in which the effect came about.
    pub successes: u64,
    /// Uses.
    pub uses: u64,
    /// Uses that were planned.
    pub planned: u64,
    /// The rate that the contract claims.
    pub claim: f64,
    /// Least lower limit of the rate.
    pub least: f64,
    /// How far the lower limit may be below the claim.
    pub slack: f64,
}

impl Contract {
    /// Fewest uses that say enough.
    pub const FEWEST: u64 = 40;

    /// The rate with its 95 % Wilson limits.
    ///
    /// # Errors
    /// [`BankError::Number`] without uses.
    pub fn rate(&self) -> Result<Interval, BankError> {
        wilson(self.successes, self.uses, 0.95)
    }

    /// Whether so many successes in all planned uses would pass.
    ///
    /// # Errors
    /// [`BankError::Number`] for numbers that make no sense.
    pub fn would_pass(&self, successes: u64) -> Result<bool, BankError> {
        Ok(wilson(successes, self.planned, 0.95)?.low >= self.least.max(self.claim - self.slack))
    }

    pub(crate) fn passes(&self) -> Result<bool, BankError> {
        let is_whole = self.uses == self.planned && self.uses >= Self::FEWEST;
        Ok(is_whole && self.successes <= self.uses && self.would_pass(self.successes)?)
    }
}

/// G3: paired games on the same seeds, with and without the skill.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Uplift {
    /// When the test ends.
    pub plan: Plan,
    /// Score with the skill minus score without, in the order of the seeds. The test ended after the last of them.
    pub differences: Vec<f64>,
}

impl Uplift {
    /// The e-value of a gain at the end of the test.
    ///
    /// # Errors
    /// [`BankError::Number`] for differences outside -1..=1.
    pub fn e(&self) -> Result<f64, BankError> {
        e_of(Side::Greater, 0.0, &self.differences)
    }

    /// Mean gain with 95 % limits that hold although the test stopped when it had seen enough.
    ///
    /// # Errors
    /// As [`Uplift::e`].
    pub fn gain(&self) -> Result<Interval, BankError> {
        interval(&self.differences, 0.95)
    }

    pub(crate) fn passes(&self) -> Result<bool, BankError> {
        Ok(self.differences.len() <= self.plan.cap as usize && self.e()? >= self.plan.accept)
    }
}

/// The e-value of some numbers.
pub(crate) fn e_of(side: Side, null: f64, numbers: &[f64]) -> Result<f64, BankError> {
    let mut process = EProcess::new(side, null)?;
    numbers.iter().try_for_each(|x| process.observe(*x))?;
    Ok(process.e())
}

/// G4: all candidates of a round.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Multiple {
    /// The e-values of G3, by content hash.
    pub e_values: BTreeMap<String, f64>,
    /// Share of the accepted that may be wrong, on average.
    pub fdr: f64,
    /// The e-value that G3 asks for. Less counts as none: G3 refuses it, and what is accepted leaning on the refused
    /// may be wrong more often than `fdr` says.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub least: f64,
}

/// Whether nothing was asked for. Records of such comparisons hash without it.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
fn is_zero(x: &f64) -> bool {
    *x == 0.0
}

impl Multiple {
    pub(crate) fn passes(&self, skill: &str) -> Result<bool, BankError> {
        let e: Vec<f64> = self.e_values.values().map(|e| if *e < self.least { 0.0 } else { *e }).collect();
        let accepted = e_bh(&e, self.fdr)?;
        let place = self.e_values.keys().position(|hash| hash == skill);
        Ok(place.is_some_and(|place| accepted.contains(&place)))
    }
}

/// How much worse a bank may be.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RegressionRule {
    /// The lower 95 % limit of the mean change is above minus this share of the score's range.
    pub margin: f64,
    /// No family of scenarios changes by less than minus this share...
    pub family_margin: f64,
    /// ...where the e-value of a harm is at least this. 0 takes the mean alone, which few pairs throw about: of
    /// families of 50 pairs without any change, a fifth of them discordant, one in five would be refused.
    pub family_e: f64,
    /// Pairs in each family at least.
    pub family_pairs: u64,
    /// The lower 95 % limit of the Elo difference to the bank before is above this.
    pub elo: f64,
}

impl Default for RegressionRule {
    fn default() -> Self {
        Self { margin: 0.01, family_margin: 0.05, family_e: 4.0, family_pairs: 40, elo: -15.0 }
    }
}

/// G5: the whole bank after against before, on all of a suite.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Regression {
    /// Score after minus score before, by family of scenarios.
    pub families: BTreeMap<String, Vec<f64>>,
    /// Share of opponents beaten by the agent with the bank after among those with the bank before, minus what one
    /// of them beats in its place; empty for games without opponents.
    pub duel: Vec<f64>,
    /// The rule.
    pub rule: RegressionRule,
}

impl Regression {
    /// All changes.
    pub fn changes(&self) -> Vec<f64> {
        self.families.values().flatten().copied().collect()
    }

    /// Families that are worse than they may be.
    ///
    /// # Errors
    /// [`BankError::Number`] for changes outside -1..=1.
    pub fn worse_families(&self) -> Result<Vec<&str>, BankError> {
        let mut worse = Vec::new();
        for (name, changes) in &self.families {
            let mean = changes.iter().sum::<f64>() / changes.len().max(1) as f64;
            let harm = e_of(Side::Less, 0.0, changes)?;
            if mean < -self.rule.family_margin && harm >= self.rule.family_e {
                worse.push(name.as_str());
            }
        }
        Ok(worse)
    }

    pub(crate) fn passes(&self) -> Result<bool, BankError> {
        let rule = self.rule;
        let is_enough = self.families.values().all(|changes| changes.len() as u64 >= rule.family_pairs);
        if self.families.is_empty() || !is_enough || lower_bound(&self.changes(), 0.05)? <= -rule.margin {
            return Ok(false);
        }
        if !self.duel.is_empty() && paired_elo(&self.duel, 0.9)?.low <= rule.elo {
            return Ok(false);
        }
        Ok(self.worse_families()?.is_empty())
    }
}

/// A chance at which a skill would have begun. The game went on without it; what it would have done was tried apart.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Chance {
    /// Probability of the effect as predicted.
    pub predicted: f64,
    /// Whether it came about where the skill was tried.
    pub happened: bool,
    /// Whether it came about all the same where it was not.
    pub without: bool,
}

/// When a shadow is passed.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ShadowRule {
    /// Calibration error at most.
    pub most: f64,
    /// Chances at least.
    pub chances: u64,
    /// Bins of equal width over the predictions.
    pub bins: u32,
}

impl Default for ShadowRule {
    fn default() -> Self {
        Self { most: 0.15, chances: 40, bins: 10 }
    }
}

/// G6.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shadow {
    /// The chances.
    pub chances: Vec<Chance>,
    /// The rule.
    pub rule: ShadowRule,
}

impl Shadow {
    /// Expected calibration error: over bins of the predictions, the mean of |predicted - happened|, each bin with
    /// the weight of its chances. 0 is perfect, 1 is worst.
    ///
    /// # Errors
    /// [`BankError::Number`] for a prediction outside 0..=1 or a rule without bins.
    pub fn error(&self) -> Result<f64, BankError> {
        let bins = within("rule.bins", self.rule.bins.into(), 1.0, 1000.0)?;
        let mut sums = vec![0.0; self.rule.bins as usize];
        for chance in &self.chances {
            let predicted = within("prediction", chance.predicted, 0.0, 1.0)?;
            let bin = ((predicted * bins) as usize).min(sums.len() - 1);
            sums[bin] += predicted - f64::from(u8::from(chance.happened));
        }
        Ok(sums.iter().map(|x: &f64| x.abs()).sum::<f64>() / self.chances.len().max(1) as f64)
    }

    pub(crate) fn passes(&self) -> Result<bool, BankError> {
        Ok(self.chances.len() as u64 >= self.rule.chances && self.error()? < self.rule.most)
    }
}

/// Why there is no more need of a skill.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Retirement {
    /// Nobody used it.
    Unused {
        /// Rounds without a use.
        rounds: u64,
        /// Rounds after which that is enough.
        most: u64,
    },
    /// Another skill may begin wherever it may, and is shown to gain at least as much.
    Dominated {
        /// Content hash of the other.
        by: String,
        /// Lower limit of the other's gain.
        other_low: f64,
        /// Upper limit of its own.
        own_high: f64,
    },
    /// The bank is full.
    Budget {
        /// Skills in the bank.
        skills: u64,
        /// Skills that it may hold.
        most: u64,
        /// Lower limit of its gain a use, the least of all.
        low: f64,
        /// The next to it.
        next: f64,
    },
    /// Another version has taken its place.
    Replaced {
        /// Content hash of the other.
        by: String,
    },
}

impl Retirement {
    pub(crate) fn holds(&self) -> bool {
        match self {
            Self::Unused { rounds, most } => rounds >= most,
            Self::Dominated { other_low, own_high, .. } => other_low >= own_high,
            Self::Budget { skills, most, low, next } => skills > most && low <= next,
            Self::Replaced { by } => !by.is_empty(),
        }
    }
}
