//! The record of one skill.

use crate::{Budget, Contract, Literal, Operand, SkillError};
use rl_gym::{
    suggest,
    vocabulary::{Vocabulary, fact},
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The format of this record.
pub const FORMAT: &str = "skill/1";
/// Parameters of one skill at most.
pub const MAX_PARAMS: usize = 4;
/// Bytes of code of one skill at most.
pub(crate) const MAX_CODE: usize = 256 << 10;

/// What a skill is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Acts for several decisions: a coroutine that yields actions.
    Option,
    /// An observation in, an action out: a function that is called anew at each decision.
    Policy,
    /// An observation in, a number out (the score from 0 to 1 that its seat may expect), for search.
    Value,
    /// Functions that other skills call. It never acts by itself.
    Tool,
}

/// What a parameter may be.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum ParamKind {
    /// A number within bounds.
    Number {
        /// Least value.
        low: f32,
        /// Greatest value.
        high: f32,
    },
    /// An argument of a kind of the vocabulary.
    Arg(String),
}

/// One parameter.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Param {
    /// Name.
    pub name: String,
    /// What it may be.
    pub kind: ParamKind,
    /// Value when none is given.
    pub default: f32,
    /// What it is, one line.
    #[serde(default)]
    pub doc: String,
}

/// Who proposed a skill.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Proposer {
    /// Mined from rollouts.
    Mined,
    /// A decision list fitted to an agent.
    Tree,
    /// Another skill with other numbers.
    Tuned,
    /// A language model.
    Llm,
    /// A person.
    Human,
    /// Another bank.
    Transfer,
}

/// Where a skill comes from.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Provenance {
    /// Who proposed it.
    pub proposer: Proposer,
    /// Hashes of the skills that it was made from.
    #[serde(default)]
    pub parents: Vec<String>,
    /// Hashes of the replays that it was mined from.
    #[serde(default)]
    pub replays: Vec<String>,
    /// Hash of the miner's settings.
    #[serde(default)]
    pub miner: String,
}

/// What is known about a skill in one context.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Stats {
    /// Uses.
    pub uses: u64,
    /// Uses in which the effect came about.
    pub successes: u64,
    /// Uses that were broken off.
    pub aborts: u64,
    /// Mean gain of score by having it, where measured.
    pub uplift: f64,
    /// Half the width of the 95 % interval of that gain.
    pub uplift_margin: f64,
}

/// One skill.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Skill {
    /// [`FORMAT`].
    pub format: String,
    /// Name, `snake_case`, unique in its bank.
    pub name: String,
    /// Version, from 1.
    pub version: u32,
    /// Game id, `name-vN`.
    pub game: String,
    /// Version of the vocabulary that it is written in.
    pub vocabulary: u32,
    /// What it is for.
    pub kind: Kind,
    /// One line: what it does.
    pub doc: String,
    /// Up to eight lines: how to use it.
    #[serde(default)]
    pub how_to: Vec<String>,
    /// Words to find it by.
    #[serde(default)]
    pub tags: Vec<String>,
    /// Its parameters.
    #[serde(default)]
    pub params: Vec<Param>,
    /// The tools that its code calls: the name it calls each by, and the tool's hash.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub tools: BTreeMap<String, String>,
    /// What it promises.
    pub contract: Contract,
    /// What it may spend.
    #[serde(default)]
    pub budget: Budget,
    /// Where it comes from.
    pub provenance: Provenance,
    /// What is known about it, by context.
    #[serde(default)]
    pub stats: BTreeMap<String, Stats>,
    /// Hash of what it does; empty until it is saved.
    #[serde(default)]
    pub hash: String,
    /// The Luau module.
    #[serde(skip)]
    pub code: String,
}

/// The words that a skill is checked against.
pub type Words<'a> = &'a dyn Vocabulary;

impl Skill {
    /// Hash of what it does: code, kind, game, vocabulary, parameters, tools, contract and budget. Sixteen hex digits.
    pub fn content_hash(&self) -> String {
        let what = (
            (&self.format, self.kind, &self.game, self.vocabulary),
            (&self.params, &self.tools, &self.contract, self.budget, &self.code),
        );
        let bytes = serde_json::to_vec(&what).unwrap_or_default();
        blake3::hash(&bytes).to_hex()[..16].to_owned()
    }

    /// Whether it fits a game: its version, every fact, every parameter.
    ///
    /// # Errors
    /// The first field that does not, with the value seen and the mend.
    pub fn check(&self, game: &str, words: Words<'_>) -> Result<(), SkillError> {
        let wrong = |field: &str, what: String, mend: String| {
            Err(SkillError::Words { skill: self.name.clone(), field: field.into(), what, mend })
        };
        if self.format != FORMAT {
            return wrong("format", format!("\"{}\"", self.format), format!("this program reads {FORMAT}"));
        }
        let is_name = |name: &str| {
            !name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
        };
        if !is_name(&self.name) || self.name.len() > 64 {
            let mend = "use up to 64 small letters, digits and _".into();
            return wrong("name", format!("\"{}\"", self.name), mend);
        }
        if self.game != game {
            return wrong(
                "game",
                format!("it is for {}", self.game),
                format!("run it in {game} skills only"),
            );
        }
        if self.vocabulary != words.version() {
            let what = format!("version {} of the words", self.vocabulary);
            return wrong(
                "vocabulary",
                what,
                format!("{game} speaks version {}: gate it again", words.version()),
            );
        }
        if self.params.len() > MAX_PARAMS {
            return wrong(
                "params",
                format!("{} parameters", self.params.len()),
                format!("at most {MAX_PARAMS}"),
            );
        }
        for (i, param) in self.params.iter().enumerate() {
            self.check_param(i, param, words)?;
        }
        let contract = &self.contract;
        if contract.within == 0 && !contract.effect.is_empty() {
            let mend = "say within how many decisions the effect comes about".into();
            return wrong("contract.within", "0".into(), mend);
        }
        if !(0.0..=1.0).contains(&contract.rate) {
            return wrong("contract.rate", contract.rate.to_string(), "a share from 0 to 1".into());
        }
        let budget = self.budget;
        if budget.decisions == 0
            || budget.step_safepoints == 0
            || budget.call_safepoints == 0
            || budget.memory < 65_536
        {
            let mend = "every part above 0, memory at least 65536 bytes".into();
            return wrong("budget", format!("{budget:?}"), mend);
        }
        let most = Budget::MOST;
        if budget.decisions > most.decisions
            || budget.step_safepoints > most.step_safepoints
            || budget.call_safepoints > most.call_safepoints
            || budget.memory > most.memory
        {
            return wrong("budget", format!("{budget:?}"), format!("at most {most:?}"));
        }
        if self.code.len() > MAX_CODE {
            return wrong("code", format!("{} bytes", self.code.len()), format!("at most {MAX_CODE}"));
        }
        for (part, literals) in
            [("pre", &contract.pre), ("effect", &contract.effect), ("invariant", &contract.invariant)]
        {
            for literal in literals {
                self.check_literal(part, literal, words)?;
            }
        }
        Ok(())
    }

    fn check_param(&self, index: usize, param: &Param, words: Words<'_>) -> Result<(), SkillError> {
        let wrong = |what: String, mend: String| {
            let field = format!("params.{}", param.name);
            Err(SkillError::Words { skill: self.name.clone(), field, what, mend })
        };
        if self.params[..index].iter().any(|p| p.name == param.name) {
            return wrong("it occurs twice".into(), "give each parameter its own name".into());
        }
        if !param.default.is_finite() {
            return wrong(format!("the default {} is no number", param.default), "use a finite one".into());
        }
        match &param.kind {
            ParamKind::Number { low, high } if !(low <= &param.default && &param.default <= high) => wrong(
                format!("the default {} is outside {low} to {high}", param.default),
                "choose one within the bounds".into(),
            ),
            ParamKind::Arg(kind) if !words.kinds().iter().any(|k| k.name == kind) => {
                let known = words.kinds().iter().map(|k| k.name);
                wrong(format!("\"{kind}\" is no kind of argument"), advice(kind, known))
            }
            _ => Ok(()),
        }
    }

    fn check_literal(&self, part: &str, literal: &Literal, words: Words<'_>) -> Result<(), SkillError> {
        let wrong = |what: String, mend: String| {
            let field = format!("contract.{part}.{}", literal.fact);
            Err(SkillError::Words { skill: self.name.clone(), field, what, mend })
        };
        if fact(words.facts(), &literal.fact).is_none() {
            let known = words.facts().iter().map(|f| f.name);
            return wrong(
                format!("\"{}\" is no fact of {}", literal.fact, self.game),
                advice(&literal.fact, known),
            );
        }
        match &literal.to {
            Operand::Param(name) if !self.params.iter().any(|p| p.name == *name) => {
                let known: Vec<&str> = self.params.iter().map(|p| p.name.as_str()).collect();
                wrong(format!("\"{name}\" is no parameter"), format!("its parameters are {known:?}"))
            }
            Operand::Number(x) if !x.is_finite() => {
                wrong(format!("{x} is no number"), "use a finite one".into())
            }
            Operand::Change { start_plus } if !start_plus.is_finite() => {
                wrong(format!("{start_plus} is no number"), "use a finite one".into())
            }
            Operand::Change { .. } if part == "pre" => {
                wrong("a precondition cannot speak of the start".into(), "compare with a number".into())
            }
            _ => Ok(()),
        }
    }
}

/// The nearest known word, or all of them.
fn advice<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> String {
    let known: Vec<String> = known.map(str::to_owned).collect();
    match suggest(word, &known) {
        Some(nearest) => format!("did you mean \"{nearest}\"?"),
        None => format!("known are {}", known.join(", ")),
    }
}
