//! A literal with indices instead of names.

use crate::rollouts::Corpus;
use agon_skill::{Compare, Literal, Operand};

/// A literal with indices.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Line {
    pub(crate) fact: usize,
    pub(crate) is: Compare,
    pub(crate) to: To,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum To {
    Number(f32),
    Change(f32),
}

impl Line {
    pub(crate) fn at_least(fact: usize, x: f32) -> Self {
        Self { fact, is: Compare::AtLeast, to: To::Number(x) }
    }

    pub(crate) fn at_most(fact: usize, x: f32) -> Self {
        Self { fact, is: Compare::AtMost, to: To::Number(x) }
    }

    pub(crate) fn holds(self, start: &[f32], now: &[f32]) -> bool {
        let to = match self.to {
            To::Number(x) => x,
            To::Change(plus) => start[self.fact] + plus,
        };
        match self.is {
            Compare::AtLeast => now[self.fact] >= to,
            Compare::AtMost => now[self.fact] <= to,
            Compare::Equal => (now[self.fact] - to).abs() < 0.5,
        }
    }

    /// The literal that says that an effect is not there yet: a skill whose effect holds already has nothing to do.
    pub(crate) fn not_yet(self) -> Option<Self> {
        match (self.is, self.to) {
            (Compare::AtLeast, To::Number(x)) => Some(Self::at_most(self.fact, x - 1.0)),
            (Compare::AtMost, To::Number(x)) => Some(Self::at_least(self.fact, x + 1.0)),
            _ => None,
        }
    }

    pub(crate) fn literal(self, corpus: &Corpus<'_>) -> Literal {
        let to = match self.to {
            To::Number(x) => Operand::Number(x),
            To::Change(start_plus) => Operand::Change { start_plus },
        };
        Literal { fact: corpus.fact_list()[self.fact].name.into(), is: self.is, to }
    }
}
