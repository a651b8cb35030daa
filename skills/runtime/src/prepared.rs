//! A skill that was checked against its game's words: names are indices, contracts can be asked.

use agon_skill::{Kind, Literal, Operand, Skill, SkillError};
use rl_gym::vocabulary::{Vocabulary, fact};
use std::{fmt, sync::Arc};

/// Values of all facts of an observation.
pub type Values = Vec<f32>;

/// A checked skill with its game's words.
#[derive(Clone)]
pub struct Prepared {
    skill: Arc<Skill>,
    /// Name and code of the tools that it calls.
    tools: Vec<(String, Arc<Skill>)>,
    words: Arc<dyn Vocabulary>,
    pre: Vec<Line>,
    effect: Vec<Line>,
    invariant: Vec<Line>,
}

impl fmt::Debug for Prepared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Prepared({} v{})", self.skill.name, self.skill.version)
    }
}

/// A literal whose names are resolved.
#[derive(Clone, Debug)]
struct Line {
    fact: usize,
    literal: Literal,
    to: To,
}

#[derive(Clone, Copy, Debug)]
enum To {
    Number(f32),
    Param(usize),
    Change(f32),
}

impl Line {
    fn holds(&self, now: &impl Fn(usize) -> f32, start: &impl Fn(usize) -> f32, args: &[f32]) -> bool {
        let to = match self.to {
            To::Number(x) => x,
            To::Param(i) => args.get(i).copied().unwrap_or_default(),
            To::Change(plus) => start(self.fact) + plus,
        };
        self.literal.holds(now(self.fact), to)
    }
}

impl Prepared {
    /// `skill` for `game`, in whose `words` it is written; it calls no tools.
    ///
    /// # Errors
    /// What of the skill does not fit the game.
    pub fn new(skill: Skill, game: &str, words: Arc<dyn Vocabulary>) -> Result<Self, SkillError> {
        Self::with_tools(skill, game, words, |_| None)
    }

    /// `skill` for `game`, in whose `words` it is written, with its tools by their hashes.
    ///
    /// # Errors
    /// What of the skill or of a tool does not fit the game, and tools that are not there.
    pub fn with_tools(
        skill: Skill,
        game: &str,
        words: Arc<dyn Vocabulary>,
        find: impl Fn(&str) -> Option<Arc<Skill>>,
    ) -> Result<Self, SkillError> {
        skill.check(game, &*words)?;
        let tool = |(name, hash): (&String, &String)| {
            let wrong = |why| SkillError::Tool {
                skill: skill.name.clone(),
                name: name.clone(),
                hash: hash.clone(),
                why,
            };
            let tool = find(hash).ok_or_else(|| wrong("is missing"))?;
            tool.check(game, &*words)?;
            if tool.kind != Kind::Tool {
                return Err(wrong("is a skill of another kind"));
            }
            if !tool.tools.is_empty() {
                return Err(wrong("calls tools itself, which none may"));
            }
            Ok((name.clone(), tool))
        };
        let tools = skill.tools.iter().map(tool).collect::<Result<_, _>>()?;
        let lines = |literals: &[Literal]| -> Vec<Line> {
            literals
                .iter()
                .filter_map(|literal| {
                    let to = match &literal.to {
                        Operand::Number(x) => To::Number(*x),
                        Operand::Param(name) => To::Param(skill.params.iter().position(|p| p.name == *name)?),
                        Operand::Change { start_plus } => To::Change(*start_plus),
                    };
                    Some(Line { fact: fact(words.facts(), &literal.fact)?, literal: literal.clone(), to })
                })
                .collect()
        };
        let contract = &skill.contract;
        let (pre, effect, invariant) =
            (lines(&contract.pre), lines(&contract.effect), lines(&contract.invariant));
        Ok(Self { skill: Arc::new(skill), tools, words, pre, effect, invariant })
    }

    /// The skill.
    pub fn skill(&self) -> &Skill {
        &self.skill
    }

    /// Name and record of the tools that it calls.
    pub fn tools(&self) -> impl Iterator<Item = (&str, &Skill)> {
        self.tools.iter().map(|(name, tool)| (name.as_str(), &**tool))
    }

    /// The game's words.
    pub fn words(&self) -> &Arc<dyn Vocabulary> {
        &self.words
    }

    /// The values of its parameters when none are given.
    pub fn defaults(&self) -> Vec<f32> {
        self.skill.params.iter().map(|p| p.default).collect()
    }

    /// Whether it may begin where the facts are `now`; only those that it names are asked for.
    pub fn applies(&self, now: impl Fn(usize) -> f32, args: &[f32]) -> bool {
        self.pre.iter().all(|line| line.holds(&now, &now, args))
    }

    /// Whether what it promises has come about: `start` are the facts with which it began. A skill that promises
    /// nothing has done so at once.
    pub fn is_done(&self, now: impl Fn(usize) -> f32, start: impl Fn(usize) -> f32, args: &[f32]) -> bool {
        self.effect.iter().all(|line| line.holds(&now, &start, args))
    }

    /// Whether there is nothing to do: what it promises holds already where the facts are `now`.
    pub fn is_pointless(&self, now: impl Fn(usize) -> f32, args: &[f32]) -> bool {
        let lies_ahead = |line: &Line| match line.to {
            To::Change(plus) => !line.literal.holds(0.0, plus),
            _ => !line.holds(&now, &now, args),
        };
        self.has_effect() && !self.effect.iter().any(lies_ahead)
    }

    /// Whether it promises anything.
    pub const fn has_effect(&self) -> bool {
        !self.effect.is_empty()
    }

    /// The invariant that does not hold any more.
    pub fn breaks(
        &self,
        now: impl Fn(usize) -> f32,
        start: impl Fn(usize) -> f32,
        args: &[f32],
    ) -> Option<&Literal> {
        self.invariant.iter().find(|line| !line.holds(&now, &start, args)).map(|line| &line.literal)
    }
}
