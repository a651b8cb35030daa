//! What can go wrong with a bank.

use agon_skill::SkillError;
use std::path::PathBuf;

/// What is wrong, the value seen, and what mends it.
#[derive(Debug, thiserror::Error)]
pub enum BankError {
    /// A number outside its bounds.
    #[error("{what} is {value}: give a number from {low} to {high}")]
    Number {
        /// Which number.
        what: &'static str,
        /// The value seen.
        value: f64,
        /// Least value.
        low: f64,
        /// Greatest value.
        high: f64,
    },
    /// A file cannot be read or written.
    #[error("{path}: {source}")]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A file is not what it should be.
    #[error("{path}: {what}: {mend}")]
    Form {
        /// The file.
        path: PathBuf,
        /// What is wrong, with the value seen.
        what: String,
        /// What to do.
        mend: String,
    },
    /// A line of the log is not what was written there.
    #[error(
        "{path}, line {line}: {what}: the log was changed; take it from a copy, or export the skills and start a new bank"
    )]
    Log {
        /// The log.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// What is wrong.
        what: String,
    },
    /// Another process has the bank open.
    #[error(
        "{path}: the bank is open in another process: wait until it ends, or work on a copy of the folder"
    )]
    Locked {
        /// The lock file.
        path: PathBuf,
    },
    /// The bank holds no such skill.
    #[error("the bank holds no skill {skill}: {mend}")]
    Unknown {
        /// What was asked for.
        skill: String,
        /// What there is.
        mend: String,
    },
    /// The lifecycle knows no such move.
    #[error("skill {skill} is {state} and cannot move on {evidence}: {mend}")]
    Move {
        /// The skill.
        skill: String,
        /// Its state.
        state: String,
        /// The evidence offered.
        evidence: String,
        /// What to do.
        mend: String,
    },
    /// A piece of evidence that is not what it says.
    #[error("evidence {gate} about {skill}: {what}: {mend}")]
    Evidence {
        /// Its gate.
        gate: String,
        /// The skill that it is about.
        skill: String,
        /// What is wrong.
        what: String,
        /// What to do.
        mend: String,
    },
    /// A skill is not what it should be.
    #[error(transparent)]
    Skill(#[from] SkillError),
    /// A trial could not be played.
    #[error("the trial of {skill} could not be played: {what}")]
    Trial {
        /// The skill, or the bank.
        skill: String,
        /// Why.
        what: String,
    },
}
