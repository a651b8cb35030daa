//! A toy game's words and skills in them.

#![allow(dead_code, unreachable_pub, reason = "each test uses a part of it")]

use agon_skill::{
    Budget, Compare, Contract, Kind as SkillKind, Literal, Operand, Proposer, Provenance, Skill,
};
use agon_skill_runtime::{Decision, Machine, Prepared};
use rl_gym::{
    Bits, Pcg64,
    vocabulary::{Fact, Kind, Term, Verb, Vocabulary},
};
use std::sync::Arc;

/// Observation: gold, key, door, place. Actions 0-3 take an item, 4-7 go a way, 8 waits.
pub struct Toy;

const FACTS: &[Fact] = &[
    Fact::number("gold", 0.0, 255.0, "coins"),
    Fact::holds("has_key", "whether the key is held"),
    Fact::holds("door_open", "whether the door is open"),
    Fact::number("place", 0.0, 255.0, "where one is"),
];
const VERBS: &[Verb] =
    &[Verb { name: "take", args: &[0] }, Verb { name: "go", args: &[1] }, Verb { name: "wait", args: &[] }];
const KINDS: &[Kind] = &[
    Kind {
        name: "item",
        features: &[Fact::number("worth", 0.0, 9.0, "value of the item"), Fact::holds("is_key", "key")],
    },
    Kind { name: "way", features: &[Fact::number("steps", 0.0, 9.0, "how far it leads")] },
];

impl Vocabulary for Toy {
    fn version(&self) -> u32 {
        3
    }
    fn facts(&self) -> &'static [Fact] {
        FACTS
    }
    fn fact(&self, obs: &[u8], fact: usize) -> f32 {
        f32::from(obs[fact])
    }
    fn verbs(&self) -> &'static [Verb] {
        VERBS
    }
    fn kinds(&self) -> &'static [Kind] {
        KINDS
    }
    fn term(&self, _: &[u8], action: u32) -> Option<Term> {
        let (verb, arg) = match action {
            0..=3 => (0, action),
            4..=7 => (1, action - 4),
            8 => (2, 0),
            _ => return None,
        };
        Some(Term { verb, args: [arg as u16, 0, 0] })
    }
    fn feature(&self, obs: &[u8], kind: usize, arg: u16, feature: usize) -> f32 {
        match (kind, feature) {
            (0, 0) => [2.0, 5.0, 5.0, 1.0][usize::from(arg)],
            (0, _) => f32::from(u8::from(arg == 3)),
            _ => f32::from(obs[3]) + f32::from(arg),
        }
    }
}

/// A skill with this code and a contract that promises nothing.
pub fn skill(code: &str) -> Skill {
    Skill {
        format: agon_skill::FORMAT.into(),
        name: "toy".into(),
        version: 1,
        game: "toy-v1".into(),
        vocabulary: 3,
        kind: SkillKind::Option,
        doc: "a toy".into(),
        how_to: Vec::new(),
        tags: Vec::new(),
        params: Vec::new(),
        tools: Default::default(),
        contract: Contract::default(),
        budget: Budget::default(),
        provenance: Provenance {
            proposer: Proposer::Human,
            parents: vec![],
            replays: vec![],
            miner: String::new(),
        },
        stats: Default::default(),
        hash: String::new(),
        code: code.into(),
    }
}

/// A literal.
pub fn literal(fact: &str, is: Compare, to: Operand) -> Literal {
    Literal { fact: fact.into(), is, to }
}

/// A machine for a skill of the toy game.
pub fn machine(skill: Skill) -> Machine {
    Machine::new(Arc::new(Prepared::new(skill, "toy-v1", Arc::new(Toy)).expect("fits")))
}

/// The body of a `run` function.
pub fn body(lines: &str) -> String {
    format!("return {{ run = function(ctx, args)\n{lines}\nend }}")
}

/// The answer at one decision where everything is legal.
pub fn decide(machine: &mut Machine, obs: [u8; 4]) -> Decision {
    decide_in(machine, obs, 0x1ff)
}

/// The answer at one decision with this mask.
pub fn decide_in(machine: &mut Machine, obs: [u8; 4], mask: u64) -> Decision {
    machine.decide(&obs, Bits::new(&[mask], 9))
}

/// The first answer of a fresh use of this body.
pub fn first(lines: &str) -> Decision {
    let mut machine = machine(skill(&body(lines)));
    match machine.begin(&[], Pcg64::seed(1)) {
        Ok(()) => decide(&mut machine, [7, 0, 0, 2]),
        Err(abort) => Decision::Aborted(abort),
    }
}
