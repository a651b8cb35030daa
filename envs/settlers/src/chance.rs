//! Chance made explicit: what is pending, what may come out, and with which probability.

use crate::counts::{DevCard, Resource};
use crate::topology::Seat;
use serde::{Deserialize, Serialize};

/// What nature has to decide before play goes on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Pending {
    /// Two dice.
    Roll,
    /// The development card just bought.
    DevDraw,
    /// The card stolen from this seat.
    Steal {
        /// Whose hand is drawn from.
        victim: Seat,
    },
}

/// What nature decided.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub enum Outcome {
    /// Nothing was left to chance.
    #[default]
    Certain,
    /// The dice.
    Dice(u8, u8),
    /// The card drawn (hidden from the other seats).
    Drawn(DevCard),
    /// The card stolen (hidden from the seats that take no part).
    Stolen(Resource),
    /// Something that the seat for which the state was redrawn may not know; only in logs, never possible.
    Hidden,
}

/// The possible outcomes of a pending chance event with their probabilities; they sum to 1.
///
/// Dice are listed by sum (2..=12, eleven entries, one pair of faces standing for all), because play depends
/// on nothing else.
#[derive(Clone, Copy, Debug)]
pub struct Outcomes {
    items: [(Outcome, f64); 11],
    len: u8,
}

impl Outcomes {
    pub(crate) const NONE: Self = Self { items: [(Outcome::Certain, 0.0); 11], len: 0 };

    pub(crate) fn push(&mut self, outcome: Outcome, probability: f64) {
        self.items[usize::from(self.len)] = (outcome, probability);
        self.len += 1;
    }

    /// Outcome and probability of each possibility, in ascending order of sum or kind.
    pub fn as_slice(&self) -> &[(Outcome, f64)] {
        &self.items[..usize::from(self.len)]
    }
}

/// A forced outcome that cannot happen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("outcome {outcome:?} is impossible while {pending:?} is pending; see State::outcomes")]
pub struct ImpossibleOutcome {
    /// What was forced.
    pub outcome: Outcome,
    /// What is pending, if anything.
    pub pending: Option<Pending>,
}
