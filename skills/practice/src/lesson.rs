//! One turn of learning: rollouts, candidates, gates.

use crate::PracticeError;
use agon_skill_bank::{
    Bank,
    gates::{Account, Settings, Trials, run_round},
};
use agon_skill_distill::{Candidate, Config, PickConfig, PolicyConfig, Proposers, Rollouts, Summary};

/// How a lesson goes.
#[derive(Clone, PartialEq, Debug)]
pub struct LessonConfig {
    /// Who proposes skills.
    pub proposers: Proposers,
    /// The gates.
    pub gates: Settings,
    /// Root of the seeds of the gates.
    pub root: u64,
    /// Rounds of the gates at most; a skill needs five from draft to active.
    pub rounds: u32,
}

impl Default for LessonConfig {
    fn default() -> Self {
        Self { proposers: everybody(), gates: Settings::default(), root: 1, rounds: 8 }
    }
}

/// All proposers with their usual settings.
pub fn everybody() -> Proposers {
    Proposers {
        miner: Config::default(),
        picks: vec![PickConfig::default()],
        policies: vec![PolicyConfig::default()],
    }
}

/// What a lesson gave.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Lesson {
    /// What the miner saw.
    pub summary: Summary,
    /// Content hashes of the skills that are new to the bank.
    pub proposed: Vec<String>,
    /// Candidates that the bank knew already.
    pub known: usize,
    /// What the rounds of the gates did.
    pub rounds: Vec<Account>,
}

/// Mines `rollouts`, proposes what is found to `bank`, and lets the gates decide.
///
/// # Errors
/// When there is nothing to mine, something cannot be played, or the bank cannot be written. What was decided before stands.
pub fn lesson(
    bank: &mut Bank,
    rollouts: &Rollouts,
    trials: &mut dyn Trials,
    config: &LessonConfig,
) -> Result<Lesson, PracticeError> {
    let mined = agon_skill_distill::propose(rollouts, &config.proposers)?;
    let mut lesson = propose(bank, &mined.candidates)?;
    lesson.summary = mined.summary;
    lesson.rounds = decide(bank, trials, config.root, &config.gates, config.rounds)?;
    Ok(lesson)
}

/// Puts candidates into a bank as drafts.
///
/// # Errors
/// When the bank cannot be written.
pub fn propose(bank: &mut Bank, candidates: &[Candidate]) -> Result<Lesson, PracticeError> {
    let mut lesson = Lesson::default();
    for candidate in candidates {
        let ir = serde_json::to_string_pretty(&candidate.ir).map_err(|e| {
            PracticeError::Request(format!("{}: its form cannot be written: {e}", candidate.skill.name))
        })?;
        match bank.propose(candidate.skill.clone(), Some(&ir))? {
            agon_skill_bank::bank::Proposal::New(hash) => lesson.proposed.push(hash),
            agon_skill_bank::bank::Proposal::Known(_) => lesson.known += 1,
        }
    }
    Ok(lesson)
}

/// Plays rounds of the gates until every skill has come to rest, at most `most`.
///
/// # Errors
/// When something cannot be played or written.
pub fn decide(
    bank: &mut Bank,
    trials: &mut dyn Trials,
    root: u64,
    gates: &Settings,
    most: u32,
) -> Result<Vec<Account>, PracticeError> {
    let mut rounds = Vec::new();
    while rounds.len() < most as usize && !bank.is_at_rest() {
        rounds.push(run_round(bank, trials, root, gates)?);
    }
    Ok(rounds)
}
