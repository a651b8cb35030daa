//! What a skill promises: when it may be used, what it brings about, what it leaves alone, what it may spend.

use serde::{Deserialize, Serialize};

/// How a fact is compared.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Compare {
    /// At least.
    #[serde(rename = ">=")]
    AtLeast,
    /// At most.
    #[serde(rename = "<=")]
    AtMost,
    /// Equal, to half a unit.
    #[serde(rename = "==")]
    Equal,
}

/// What a fact is compared with.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Operand {
    /// A number.
    Number(f32),
    /// The value of a parameter, by name.
    Param(String),
    /// The value of the same fact when the skill began, and so much more (or less).
    Change {
        /// How much more than at the start.
        start_plus: f32,
    },
}

/// One thing that must hold of an observation.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Literal {
    /// Name of a fact of the game's vocabulary.
    pub fact: String,
    /// How it is compared.
    pub is: Compare,
    /// With what.
    pub to: Operand,
}

impl Literal {
    /// Whether it holds of `value`, with `to` resolved.
    pub fn holds(&self, value: f32, to: f32) -> bool {
        match self.is {
            Compare::AtLeast => value >= to,
            Compare::AtMost => value <= to,
            Compare::Equal => (value - to).abs() < 0.5,
        }
    }

    /// Whether `wide` holds wherever this does, as far as numbers tell.
    pub fn implies(&self, wide: &Self) -> bool {
        let (Operand::Number(a), Operand::Number(b)) = (&self.to, &wide.to) else { return self == wide };
        self.fact == wide.fact
            && match (self.is, wide.is) {
                (Compare::AtLeast, Compare::AtLeast) => a >= b,
                (Compare::AtMost, Compare::AtMost) => a <= b,
                (Compare::Equal, Compare::Equal) => a == b,
                // Equal is to half a unit.
                (Compare::Equal, Compare::AtLeast) => a - 0.5 >= *b,
                (Compare::Equal, Compare::AtMost) => a + 0.5 <= *b,
                _ => false,
            }
    }
}

/// What a skill promises.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Contract {
    /// What holds when it begins, all of it.
    pub pre: Vec<Literal>,
    /// What holds when it has ended well, all of it.
    pub effect: Vec<Literal>,
    /// What holds at every step in between.
    pub invariant: Vec<Literal>,
    /// Own decisions within which the effect comes about.
    pub within: u32,
    /// Share of uses in which it does, as claimed when it was admitted.
    pub rate: f32,
}

/// What a skill may spend.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Budget {
    /// Own decisions in one use.
    pub decisions: u32,
    /// Safepoints (calls, loop ends, returns) in one decision.
    pub step_safepoints: u64,
    /// Safepoints in one use.
    pub call_safepoints: u64,
    /// Bytes of memory that one use may take. Nothing is collected while it lasts, so garbage counts.
    pub memory: usize,
}

impl Budget {
    /// What a skill may ask for at most: a skill writes its own budget, and may come from anywhere.
    pub const MOST: Self = Self {
        decisions: 100_000,
        step_safepoints: 1_000_000,
        call_safepoints: 100_000_000,
        memory: 64 << 20,
    };
}

impl Default for Budget {
    /// 50,000 safepoints a decision take about two milliseconds.
    fn default() -> Self {
        Self { decisions: 32, step_safepoints: 50_000, call_safepoints: 2_000_000, memory: 8 << 20 }
    }
}
