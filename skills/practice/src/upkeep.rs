//! Upkeep of a bank: skills that are one become one, skills that broke their contracts are told anew, as drafts.
//!
//! Everything is played on train seeds. The gates decide about the drafts as about any other.

mod mend;
mod merge;
mod watch;

pub use mend::{Mended, Tried};
pub use merge::Merged;

use crate::PracticeError;
use agon_skill_agent::{MakePolicy, PlayConfig, Task};
use agon_skill_bank::Bank;
use serde::Serialize;
use std::sync::atomic::Ordering;

/// How a bank is kept up.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct UpkeepConfig {
    /// Root of the seeds.
    pub root: u64,
    /// Train episodes of the base policy from which skills are compared.
    pub probe_episodes: u32,
    /// Decisions of these episodes that are probes, at most.
    pub most_probes: usize,
    /// Probes on which two skills must both act to be compared.
    pub shared: usize,
    /// Share of the probes of the skill that goes on which the one that stays must act too.
    pub covered: f64,
    /// Train episodes that a skill which broke its contract is played in: the first half says how to tell the contract
    /// anew, the other half how well that holds.
    pub episodes: u32,
    /// Only skills are played that came, or were used last, at most so many rounds ago.
    pub rounds: u64,
    /// Skills that are played at most, the newest of them.
    pub most_skills: usize,
    /// Uses that a new contract must be measured by.
    pub least_uses: usize,
    /// Least lower limit (Wilson, 95 %) of the share of uses that keep it.
    pub least_rate: f64,
}

impl Default for UpkeepConfig {
    fn default() -> Self {
        Self {
            root: 1,
            probe_episodes: 100,
            most_probes: 2000,
            shared: 20,
            covered: 0.9,
            episodes: 400,
            rounds: 10,
            most_skills: 20,
            least_uses: 20,
            least_rate: 0.6,
        }
    }
}

/// What upkeep did.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Upkeep {
    /// Decisions on which skills were compared.
    pub probes: usize,
    /// Skills that were compared.
    pub compared: usize,
    /// Skills that were taken out, since another one does the same.
    pub merged: Vec<Merged>,
    /// Skills that broke their contracts and were played again.
    pub tried: Vec<Tried>,
    /// New drafts that promise less.
    pub refined: Vec<Mended>,
    /// New drafts that begin more seldom.
    pub split: Vec<Mended>,
}

/// Keeps up `bank`, whose skills are added to `base` in `task`: of skills that do the same the weaker goes, and skills
/// that were refused by the gate of their contract (or of its replay), or suspended by the watch, are proposed with less
/// to promise and with narrower starts, where that holds. What is known of a skill's parameters are their defaults.
///
/// A stop of `play` ends it early; what was done before stands and is told.
///
/// # Errors
/// When something cannot be played, evidence was changed, or the bank cannot be written.
pub fn upkeep(
    bank: &mut Bank,
    task: &Task,
    base: &MakePolicy,
    config: &UpkeepConfig,
    play: &PlayConfig,
) -> Result<Upkeep, PracticeError> {
    let mut told = Upkeep::default();
    merge::merge(bank, task, base, config, play, &mut told)?;
    for hash in mend::broken(bank, config)? {
        if play.stop.load(Ordering::Relaxed) {
            break;
        }
        mend::mend(bank, &hash, (task, base), config, play, &mut told)?;
    }
    Ok(told)
}
