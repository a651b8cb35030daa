//! Proposals that no pattern gives: decision lists fitted to a strong player, and the same skill with other numbers.

mod picks;
mod policy;
mod tune;

pub use picks::{PickConfig, pick_rules};
pub use policy::{PolicyConfig, policy};
pub use tune::{Ladder, Tuned, tune};

use crate::{Config, contract, mine, rollouts};

/// The settings of a proposer, hashed with those of the miner.
fn hash_of(settings: &impl serde::Serialize, config: &Config) -> String {
    let bytes = serde_json::to_vec(&(settings, config)).unwrap_or_default();
    blake3::hash(&bytes).to_hex()[..16].to_owned()
}

/// Decisions as instances of one decision each.
fn singles(places: &[rollouts::Place]) -> Vec<mine::Instance> {
    let one = |at: &rollouts::Place| mine::Instance {
        run: at.run,
        spans: vec![mine::Span { from: at.step, to: at.step + 1 }],
    };
    places.iter().map(one).collect()
}

/// A contract that promises nothing, for starts like these.
fn free_contract(
    corpus: &rollouts::Corpus<'_>,
    starts: &[rollouts::Place],
    within: u32,
    config: &Config,
) -> agon_skill::Contract {
    let facts: Vec<&[f32]> = starts.iter().filter_map(|at| corpus.facts(*at)).collect();
    let pre = contract::preconditions(corpus, &facts, &[], config);
    let pre = pre.iter().map(|l| l.literal(corpus)).collect();
    agon_skill::Contract { pre, within, rate: 1.0, ..agon_skill::Contract::default() }
}
