//! The settings of the miner. Their hash is part of what a skill says about where it comes from.

use serde::{Deserialize, Serialize};

/// Settings of [`crate::distill`]. The defaults are those that its tests prove.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// Seed of permutations.
    pub seed: u64,
    /// Boundaries nearer than this many decisions are one.
    pub merge_radius: usize,
    /// Cost of a segment whose kind of change is rare.
    pub new_skill: f64,
    /// Cost of a boundary inside a segment.
    pub inconsistent: f64,
    /// Decisions of a segment at least.
    pub min_length: usize,
    /// Instances of a pattern at least.
    pub min_instances: usize,
    /// Episodes that it occurs in at least.
    pub min_episodes: usize,
    /// Seeds that it occurs on at least.
    pub min_seeds: usize,
    /// Patterns of one round at most.
    pub max_patterns: usize,
    /// Elements of one pattern at most; a run of the same action is one element.
    pub max_elements: usize,
    /// Different arguments of one pattern at most.
    pub max_holes: usize,
    /// Permutations of one test at most.
    pub permutations: u32,
    /// Share of false findings among those that are said to pay.
    pub fdr: f64,
    /// Share of the patterns with the greatest gain that are kept although their test is not sure.
    pub top_share: f64,
    /// P value from which a pattern is not kept, whatever it gains.
    pub max_p: f64,
    /// Share of instances that a literal of the effect holds in at least.
    pub effect_share: f64,
    /// Share of good starts that a literal of the precondition holds in at least.
    pub pre_share: f64,
    /// Share of all states that a literal of the precondition excludes at least.
    pub informative: f64,
    /// Rate that a skill must reach where recorded play goes along with it (Wilson's lower bound).
    pub min_rate: f32,
    /// Skills of one round at most.
    pub max_skills: usize,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            seed: 0,
            merge_radius: 3,
            new_skill: 2.0,
            inconsistent: 0.3,
            min_length: 2,
            min_instances: 5,
            min_episodes: 3,
            min_seeds: 2,
            max_patterns: 200,
            max_elements: 6,
            max_holes: 4,
            permutations: 999,
            fdr: 0.1,
            top_share: 0.2,
            max_p: 0.25,
            effect_share: 0.8,
            pre_share: 0.95,
            informative: 0.2,
            min_rate: 0.3,
            max_skills: 40,
        }
    }
}

impl Config {
    /// Sixteen hex digits over every setting.
    pub fn hash(&self) -> String {
        let bytes = serde_json::to_vec(self).unwrap_or_default();
        blake3::hash(&bytes).to_hex()[..16].to_owned()
    }
}
