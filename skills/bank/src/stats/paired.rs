//! A sequential test of paired games: with and without a skill, on the same seeds.

use crate::{
    BankError,
    stats::{EProcess, Side, within},
};
use serde::{Deserialize, Serialize};

/// When a test of pairs ends.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Plan {
    /// The e-value of a gain at which it is shown. 20 is wrong in at most 5 of 100 tests without a gain.
    pub accept: f64,
    /// Pairs at most.
    pub cap: u32,
    /// The least gain of interest, as a share of the score's range. The test is given up when the gain is shown to be
    /// less (e-value `accept`), because it would not end before the cap or would not be worth having.
    pub worth: f64,
}

impl Default for Plan {
    fn default() -> Self {
        Self { accept: 20.0, cap: 1000, worth: 0.04 }
    }
}

/// Why a test of pairs ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stop {
    /// A gain is shown.
    Gain,
    /// It is shown that there is a harm, or a gain that is less than the one of interest.
    Futile,
    /// The cap is reached.
    Cap,
}

/// The test. Ending it early for want of success keeps its promise: the capital at any stopping time is an e-value.
#[derive(Clone, Debug)]
pub struct Paired {
    plan: Plan,
    gain: EProcess,
    short: EProcess,
}

impl Paired {
    /// A test that has seen nothing.
    ///
    /// # Errors
    /// [`BankError::Number`] for a plan without sense.
    pub fn new(plan: Plan) -> Result<Self, BankError> {
        within("plan.accept", plan.accept, 1.0, 1e12)?;
        within("plan.cap", plan.cap.into(), 1.0, 1e9)?;
        within("plan.worth", plan.worth, 0.0, 0.5)?;
        Ok(Self {
            plan,
            gain: EProcess::new(Side::Greater, 0.0)?,
            short: EProcess::new(Side::Less, plan.worth)?,
        })
    }

    /// One pair: score with the skill minus score without, in -1..=1.
    ///
    /// # Errors
    /// [`BankError::Number`] for any other number.
    pub fn observe(&mut self, difference: f64) -> Result<(), BankError> {
        self.gain.observe(difference)?;
        self.short.observe(difference)
    }

    /// Why it has ended, if it has.
    pub fn stop(&self) -> Option<Stop> {
        let accept = self.plan.accept;
        if self.gain.e() >= accept {
            Some(Stop::Gain)
        } else if self.short.e() >= accept {
            Some(Stop::Futile)
        } else if self.pairs() >= u64::from(self.plan.cap) {
            Some(Stop::Cap)
        } else {
            None
        }
    }

    /// Whether more pairs may change its end: it is neither given up nor at the cap. A gain that is shown may grow.
    pub fn is_open(&self) -> bool {
        !matches!(self.stop(), Some(Stop::Futile | Stop::Cap)) && self.pairs() < u64::from(self.plan.cap)
    }

    /// The e-value of a gain.
    pub fn e(&self) -> f64 {
        self.gain.e()
    }

    /// Pairs seen.
    pub const fn pairs(&self) -> u64 {
        self.gain.seen()
    }
}
