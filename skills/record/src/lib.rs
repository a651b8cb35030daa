//! Skill records, format `skill/1`: a Luau module with a contract, parameters, provenance, statistics and a hash.
//!
//! A skill is a folder that a person can open, edit and compare: `skill.json`, `main.luau`, and what proves it in
//! `evidence/`. The hash covers what the skill does (code, contract, parameters, budget), not what is known about it.
//! Nothing here runs a skill; see the runtime for that.

mod contract;
mod error;
mod folder;
pub mod seeds;
mod skill;

pub use contract::{Budget, Compare, Contract, Literal, Operand};
pub use error::SkillError;
pub use folder::{load, save};
pub use seeds::{Gate, Purpose, Report, Seed, Seeds, Train};
pub use skill::{FORMAT, Kind, MAX_PARAMS, Param, ParamKind, Proposer, Provenance, Skill, Stats, Words};
