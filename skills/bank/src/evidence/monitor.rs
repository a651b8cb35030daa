//! Uses of a skill, watched as they come.

use crate::{
    BankError,
    evidence::Source,
    stats::{Detector, EProcess, Side, within},
};
use serde::{Deserialize, Serialize};

/// How a use ended.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Outcome {
    /// The effect came about. In files: `+`.
    Effect,
    /// It did not. In files: `-`.
    NoEffect,
    /// It was broken off. In files: `!`.
    Abort,
}

/// Outcomes in files: one sign each, in one text.
pub(crate) mod signs {
    use super::Outcome;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(crate) fn serialize<S: Serializer>(outcomes: &[Outcome], to: S) -> Result<S::Ok, S::Error> {
        let sign = |o: &Outcome| match o {
            Outcome::Effect => '+',
            Outcome::NoEffect => '-',
            Outcome::Abort => '!',
        };
        to.serialize_str(&outcomes.iter().map(sign).collect::<String>())
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Outcome>, D::Error> {
        let outcome = |sign: char| match sign {
            '+' => Ok(Outcome::Effect),
            '-' => Ok(Outcome::NoEffect),
            '!' => Ok(Outcome::Abort),
            other => Err(D::Error::custom(format!("outcome '{other}': outcomes are +, - and !"))),
        };
        String::deserialize(from)?.chars().map(outcome).collect()
    }
}

/// When uses give alarm.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MonitorRule {
    /// How far the rate of success may be below the claim.
    pub slack: f64,
    /// Probation: e-value of an alarm. 20 is a false one in at most 5 of 100 probations.
    pub alarm: f64,
    /// Probation: uses after which it is passed.
    pub uses: u64,
    /// Probation: episodes with a use, played with and without it, that it takes at least: harm shows in episodes, and uses
    /// of one episode hang together. Evidence from before there was such a least has 0.
    #[serde(default = "none")]
    pub least: u64,
    /// Probation: share of the episodes in which it may be used.
    pub cap: f64,
    /// Active skills: uses (episodes, for harm) between two false alarms on average, at least.
    pub patience: f64,
}

const fn none() -> u64 {
    0
}

impl Default for MonitorRule {
    fn default() -> Self {
        Self { slack: 0.1, alarm: 20.0, uses: 200, least: 50, cap: 0.2, patience: 2000.0 }
    }
}

/// What is wrong with the uses of a skill.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Alarm {
    /// Its rate of success is more than the slack below its claim.
    Contract,
    /// Episodes with it score less than those without it.
    Harm,
}

/// Uses in order, with what episodes with it scored more than the same ones without it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Monitor {
    /// The rate that the contract claims; 0 for a skill that promises nothing.
    pub claim: f64,
    /// Episodes.
    pub episodes: u64,
    /// Those of them in which it might be used.
    pub offered: u64,
    /// How each use ended.
    #[serde(with = "signs")]
    pub outcomes: Vec<Outcome>,
    /// Score with it minus score without, one an episode that was played both ways.
    pub changes: Vec<f64>,
    /// Where the uses can be seen again, for those in trials.
    #[serde(default)]
    pub sources: Vec<Source>,
    /// The rule.
    pub rule: MonitorRule,
}

impl Monitor {
    /// Nothing seen yet.
    pub const fn new(claim: f64, rule: MonitorRule) -> Self {
        Self {
            claim,
            episodes: 0,
            offered: 0,
            outcomes: Vec::new(),
            changes: Vec::new(),
            sources: Vec::new(),
            rule,
        }
    }

    /// The mean of +1 and -1 that the contract promises at least, if it promises anything.
    fn promise(&self) -> Result<Option<f64>, BankError> {
        let claim = within("claim", self.claim, 0.0, 1.0)?;
        let least = 2.0 * (claim - self.rule.slack) - 1.0;
        Ok((least > -0.999).then_some(least.min(0.999)))
    }

    /// The alarm of a probation: a test that errs in at most one of `rule.alarm` probations, each for contract and
    /// harm.
    ///
    /// # Errors
    /// [`BankError::Number`] for a claim or changes out of bounds.
    pub fn probation(&self) -> Result<Option<Alarm>, BankError> {
        if let Some(promise) = self.promise()? {
            let mut process = EProcess::new(Side::Less, promise)?;
            for outcome in &self.outcomes {
                process.observe(worth(*outcome))?;
                if process.e() >= self.rule.alarm {
                    return Ok(Some(Alarm::Contract));
                }
            }
        }
        let mut process = EProcess::new(Side::Less, 0.0)?;
        for change in &self.changes {
            process.observe(*change)?;
            if process.e() >= self.rule.alarm {
                return Ok(Some(Alarm::Harm));
            }
        }
        Ok(None)
    }

    /// Whether a probation has seen enough.
    pub(crate) fn is_long(&self) -> bool {
        let (uses, changes) = (self.outcomes.len() as u64, self.changes.len() as u64);
        uses >= self.rule.uses && changes >= self.rule.least.max(1)
    }

    /// Whether the probation is over and was passed.
    pub(crate) fn passes_probation(&self) -> Result<bool, BankError> {
        let (episodes, cap) = (self.episodes as f64, within("rule.cap", self.rule.cap, 0.0, 1.0)?);
        // Each episode is drawn by itself: four standard deviations above the cap are no luck.
        let most = cap * episodes + 4.0 * (cap * (1.0 - cap) * episodes).sqrt();
        Ok(self.is_long() && self.offered as f64 <= most && self.probation()?.is_none())
    }

    /// The alarm of an active skill: whenever in its life its contract stops holding, or it begins to harm.
    ///
    /// # Errors
    /// As [`Monitor::probation`].
    pub fn watch(&self) -> Result<Option<Alarm>, BankError> {
        if let Some(promise) = self.promise()? {
            let mut detector = Detector::new(Side::Less, promise)?;
            for outcome in &self.outcomes {
                detector.observe(worth(*outcome))?;
                if detector.value() >= self.rule.patience {
                    return Ok(Some(Alarm::Contract));
                }
            }
        }
        let mut detector = Detector::new(Side::Less, 0.0)?;
        for change in &self.changes {
            detector.observe(*change)?;
            if detector.value() >= self.rule.patience {
                return Ok(Some(Alarm::Harm));
            }
        }
        Ok(None)
    }
}

const fn worth(outcome: Outcome) -> f64 {
    match outcome {
        Outcome::Effect => 1.0,
        Outcome::NoEffect | Outcome::Abort => -1.0,
    }
}
