//! The gates: what is played, and what follows from it.
//!
//! Each gate asks [`Trials`] to play and gives [`Evidence`](crate::Evidence). The trials say nothing about
//! decisions, and the gates nothing about games, so the gates are tested on simulated trials. They take seeds for
//! gates alone, by type.

mod checks;
mod later;
mod played;
mod round;
mod uplift;

pub use checks::{contract_gate, replay_gate, static_gate};
pub use later::{probation, reevaluate, regression_gate, shadow_gate};
pub use played::Played;
pub use round::{Account, run_round};
pub use uplift::uplift_gates;

use crate::{
    BankError,
    bank::{PruneRule, Uses},
    evidence::{MonitorRule, Outcome, RegressionRule, ReplayRun, ShadowRule, Source},
    stats::Plan,
};
use agon_skill::{Gate, Seed, Seeds, Skill};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Seeds of gates, with numbers from `first`, as many as `count`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SeedRange {
    /// The stream.
    pub seeds: Seeds<Gate>,
    /// Number of the first.
    pub first: u32,
    /// How many.
    pub count: u32,
}

impl SeedRange {
    /// The seeds in order.
    pub fn iter(self) -> impl Iterator<Item = Seed<Gate>> {
        self.seeds.range(self.first, self.count)
    }
}

impl fmt::Display for SeedRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.seeds.get(self.first), self.first + self.count)
    }
}

/// An episode played twice from one seed: with the skills before, and with the skills after.
#[derive(Clone, PartialEq, Debug)]
pub struct Pair {
    /// Score before, 0 to 1.
    pub before: f64,
    /// Score after, 0 to 1.
    pub after: f64,
    /// Family of scenarios that the seed belongs to.
    pub family: String,
}

impl Pair {
    /// What the skills after gained: -1 to 1.
    pub fn change(&self) -> f64 {
        self.after - self.before
    }
}

/// Uses of a skill on probation or in play.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Tried {
    /// Episodes.
    pub episodes: u64,
    /// Those of them in which it might be used.
    pub offered: u64,
    /// How its uses ended.
    pub outcomes: Vec<Outcome>,
    /// Score with it minus score without, of the offered episodes in which it was used.
    pub changes: Vec<f64>,
}

impl Tried {
    /// As it stands in a log.
    fn written(self, context: &str, source: Source) -> Uses {
        let Self { episodes, offered, outcomes, changes } = self;
        Uses { context: context.into(), source, episodes, offered, outcomes, changes }
    }
}

/// Plays. What it gives depends on its arguments alone: the same skills and seeds, the same results.
pub trait Trials {
    /// Hash of whatever else the results depend on: game and options, base policy, opponents, how skills are chosen.
    fn config(&self) -> String;

    /// Runs `skill` twice from each of the starts that it was found at; `tools` holds what it calls.
    ///
    /// # Errors
    /// [`BankError::Trial`] when it cannot be played.
    fn replays(&mut self, skill: &Skill, tools: &[Skill]) -> Result<Vec<ReplayRun>, BankError>;

    /// Lets the base policy play from each seed until the precondition of `skill` holds, then the skill once:
    /// whether its effect came about. Seeds at which it never holds give nothing.
    ///
    /// # Errors
    /// As [`Trials::replays`].
    fn uses(&mut self, skill: &Skill, tools: &[Skill], seeds: SeedRange) -> Result<Vec<bool>, BankError>;

    /// Plays each seed with the skills `before` and with the skills `after`, everything else alike. Seeds at which
    /// either cannot be played through are left out.
    ///
    /// # Errors
    /// As [`Trials::replays`].
    fn pairs(&mut self, before: &[Skill], after: &[Skill], seeds: SeedRange) -> Result<Vec<Pair>, BankError>;

    /// Share of opponents beaten (0 to 1) by the agent with the skills `after` among those with the skills
    /// `before`, minus what one with the skills `before` beats there: -1 to 1, one number a seed. Nothing for
    /// games without opponents.
    ///
    /// # Errors
    /// As [`Trials::replays`].
    fn duels(&mut self, before: &[Skill], after: &[Skill], seeds: SeedRange) -> Result<Vec<f64>, BankError>;

    /// Plays each seed with the skills of `bank`. Where `skill` would begin first, it is tried apart: whether its
    /// effect came about with it, and whether without it.
    ///
    /// # Errors
    /// As [`Trials::replays`].
    fn shadow(
        &mut self,
        skill: &Skill,
        bank: &[Skill],
        seeds: SeedRange,
    ) -> Result<Vec<(bool, bool)>, BankError>;

    /// Plays a share of the seeds, drawn by the seed: with `skill`, and without it.
    ///
    /// # Errors
    /// As [`Trials::replays`].
    fn probation(
        &mut self,
        skill: &Skill,
        bank: &[Skill],
        share: f64,
        seeds: SeedRange,
    ) -> Result<Tried, BankError>;
}

/// The numbers of all gates.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// G2: uses, 40 to 200.
    pub uses: u32,
    /// G2: least lower limit of the rate.
    pub least_rate: f64,
    /// G2: how far the lower limit may be below the claim.
    pub rate_slack: f64,
    /// G3.
    pub plan: Plan,
    /// G4: share of the accepted that may be wrong, on average.
    pub fdr: f64,
    /// G5.
    pub regression: RegressionRule,
    /// G5: seeds of the suite. Without any change, the margin of 0.01 takes about 600.
    pub suite: u32,
    /// G6.
    pub shadow: ShadowRule,
    /// G7, and active skills.
    pub monitor: MonitorRule,
    /// Seeds on which a round watches each active skill.
    pub watch: u32,
    /// Retirement.
    pub prune: PruneRule,
    /// Seeds that G2, G6 and G7 play at most to find their chances.
    pub seeds: u32,
    /// Seeds that are played before the numbers are looked at.
    pub block: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            uses: 200,
            least_rate: 0.6,
            rate_slack: 0.1,
            plan: Plan::default(),
            fdr: 0.1,
            regression: RegressionRule::default(),
            suite: 1000,
            shadow: ShadowRule::default(),
            monitor: MonitorRule::default(),
            watch: 100,
            prune: PruneRule::default(),
            seeds: 4000,
            block: 50,
        }
    }
}

/// The blocks of a stream up to `most` seeds.
fn blocks(seeds: Seeds<Gate>, block: u32, most: u32) -> impl Iterator<Item = SeedRange> {
    let block = block.max(1);
    (0..most.div_ceil(block)).map(move |i| {
        let first = i * block;
        SeedRange { seeds, first, count: block.min(most - first) }
    })
}

/// Where figures come from that were played on the first `count` seeds.
fn source(trials: &dyn Trials, seeds: Seeds<Gate>, count: u32) -> Source {
    Source { seeds: SeedRange { seeds, first: 0, count }.to_string(), config: trials.config() }
}
