//! The small language between a mined pattern and its printed code. It is what tuning varies and what is kept as
//! `ir.json` beside a skill.

use agon_skill::Literal;
use serde::{Deserialize, Serialize};

/// What a value of a feature must be.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Range {
    /// A predicate that holds, or does not.
    Is(bool),
    /// At least so much.
    AtLeast(f32),
    /// At most so much.
    AtMost(f32),
    /// Between two bounds, both allowed.
    Between(f32, f32),
}

impl Range {
    /// Whether a value fits, as the runtime sees it.
    pub fn holds(self, value: f32) -> bool {
        match self {
            Self::Is(true) => value >= 0.5,
            Self::Is(false) => value <= 0.49,
            Self::AtLeast(low) => value >= low,
            Self::AtMost(high) => value <= high,
            Self::Between(low, high) => low <= value && value <= high,
        }
    }
}

/// What an argument of an action must be.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Bound {
    /// Anything.
    #[default]
    Any,
    /// This one.
    Constant(u16),
    /// What an earlier action took: the name of a variable that it set.
    Same(String),
    /// The value of a parameter.
    Param(String),
}

/// A weighted feature.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Weight {
    /// Feature, as `ctx.pick` names it.
    pub of: String,
    /// What each unit of it is worth.
    pub weight: f32,
}

/// The legal action of a verb whose arguments fit and whose weighted sum is greatest.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Selector {
    /// Verb.
    pub verb: String,
    /// What its arguments are bound to; missing ones are free.
    #[serde(default)]
    pub args: Vec<Bound>,
    /// Conditions on features.
    #[serde(default)]
    pub want: Vec<(String, Range)>,
    /// Weights.
    #[serde(default)]
    pub weigh: Vec<Weight>,
}

impl Selector {
    /// Any action of a verb.
    pub fn of(verb: &str) -> Self {
        Self { verb: verb.into(), args: Vec::new(), want: Vec::new(), weigh: Vec::new() }
    }

    /// Whether it takes the first action of the verb, whatever it is.
    pub fn is_plain(&self) -> bool {
        self.want.is_empty() && self.weigh.is_empty() && self.args.iter().all(|a| *a == Bound::Any)
    }
}

/// When a repetition ends before its bound.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Until {
    /// Not: the effect of the contract ends the use, or the bound the loop.
    Effect,
    /// As soon as this can be done.
    Can(Selector),
    /// As soon as this holds.
    Holds(Literal),
}

/// One rule of a decision list.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Rule {
    /// What must hold, all of it.
    #[serde(default)]
    pub when: Vec<Literal>,
    /// What is done then, if it can be.
    pub pick: Selector,
}

/// A piece of a skill's code.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ir {
    /// One after the other.
    Seq(Vec<Ir>),
    /// Does one thing, or ends where it cannot be done. Arguments can be kept under names for later.
    Act {
        /// What.
        pick: Selector,
        /// Which arguments (from 0) are kept, and under which names.
        #[serde(default)]
        keep: Vec<(usize, String)>,
    },
    /// Again and again.
    Repeat {
        /// What.
        body: Box<Ir>,
        /// Until when.
        until: Until,
        /// Times at most.
        most: u32,
    },
    /// One thing or the other.
    If {
        /// What must hold for the first.
        when: Vec<Literal>,
        /// The first.
        then: Box<Ir>,
        /// The other.
        otherwise: Box<Ir>,
    },
    /// The first rule that fits, or the end where none does.
    Choose(Vec<Rule>),
}

impl Ir {
    /// Every selector, in order of appearance.
    pub fn selectors(&self) -> Vec<&Selector> {
        match self {
            Self::Seq(parts) => parts.iter().flat_map(Self::selectors).collect(),
            Self::Act { pick, .. } => vec![pick],
            Self::Repeat { body, .. } => body.selectors(),
            Self::If { then, otherwise, .. } => [then.selectors(), otherwise.selectors()].concat(),
            Self::Choose(rules) => rules.iter().map(|r| &r.pick).collect(),
        }
    }

    /// Decisions that a use takes at most.
    pub fn longest(&self) -> u32 {
        match self {
            Self::Seq(parts) => parts.iter().map(Self::longest).fold(0, u32::saturating_add),
            Self::Act { .. } | Self::Choose(_) => 1,
            Self::Repeat { body, most, .. } => body.longest().saturating_mul(*most),
            Self::If { then, otherwise, .. } => then.longest().max(otherwise.longest()),
        }
    }

    /// Calls `each` with every number that can be varied: its name and its place. Bounds of repetitions are passed as
    /// numbers too, and come back as whole ones from 1.
    pub fn each_number(&mut self, each: &mut dyn FnMut(Number, &mut f32)) {
        match self {
            Self::Seq(parts) => parts.iter_mut().for_each(|p| p.each_number(each)),
            Self::Act { pick, .. } => selector_numbers(pick, each),
            Self::Repeat { body, until, most } => {
                body.each_number(each);
                match until {
                    // The condition stands for the next action, whose own selector is varied: they stay as they are.
                    Until::Can(_) | Until::Effect => {}
                    Until::Holds(literal) => literal_number(literal, each),
                }
                let mut times = *most as f32;
                each(Number::Times, &mut times);
                *most = times.round().clamp(1.0, 1_000.0) as u32;
            }
            Self::If { when, then, otherwise } => {
                when.iter_mut().for_each(|l| literal_number(l, each));
                then.each_number(each);
                otherwise.each_number(each);
            }
            Self::Choose(rules) => {
                for rule in rules {
                    rule.when.iter_mut().for_each(|l| literal_number(l, each));
                    selector_numbers(&mut rule.pick, each);
                }
            }
        }
    }
}

/// What a number of a skill is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Number {
    /// A weight of a selector.
    Weight,
    /// A bound of a selector or of a condition.
    Bound,
    /// Times that something is repeated.
    Times,
}

fn selector_numbers(pick: &mut Selector, each: &mut dyn FnMut(Number, &mut f32)) {
    for (_, range) in &mut pick.want {
        match range {
            Range::Is(_) => {}
            Range::AtLeast(x) | Range::AtMost(x) => each(Number::Bound, x),
            Range::Between(low, high) => {
                each(Number::Bound, low);
                each(Number::Bound, high);
            }
        }
    }
    pick.weigh.iter_mut().for_each(|w| each(Number::Weight, &mut w.weight));
}

fn literal_number(literal: &mut Literal, each: &mut dyn FnMut(Number, &mut f32)) {
    if let agon_skill::Operand::Number(x) = &mut literal.to {
        each(Number::Bound, x);
    }
}
