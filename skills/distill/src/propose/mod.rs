//! Proposals that no pattern gives: decision lists fitted to a strong player, and the same skill with other numbers.

mod picks;
mod policy;
mod same;
mod tune;

pub use picks::{PickConfig, pick_rules};
pub use policy::{PolicyConfig, policy};
pub use tune::{Ladder, Tuned, tune};

use crate::{Config, DistillError, Distilled, Rollouts, contract, distill::distil_apart, mine, rollouts};
use std::collections::BTreeSet;

/// What is proposed besides what is mined.
#[derive(Clone, PartialEq, Debug, Default, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Proposers {
    /// Settings of the miner.
    pub miner: Config,
    /// Weights for single verbs.
    pub picks: Vec<PickConfig>,
    /// Whole lists of rules.
    pub policies: Vec<PolicyConfig>,
}

/// Everything that the proposers give, under names of their own: what was mined first, then lists, then weights. What
/// says the same as something before it is left out.
///
/// # Errors
/// When there is nothing to learn from, or code that was made does not work.
pub fn propose(rollouts: &Rollouts, proposers: &Proposers) -> Result<Distilled, DistillError> {
    let mut taken = BTreeSet::new();
    let Distilled { candidates: mined, summary } = distil_apart(rollouts, &proposers.miner, &mut taken)?;
    let mut candidates = Vec::new();
    same::keep(&mut candidates, mined, &mut taken);
    for settings in &proposers.policies {
        let list = policy::policy_apart(rollouts, settings, &proposers.miner, &mut taken)?;
        same::keep(&mut candidates, list, &mut taken);
    }
    for settings in &proposers.picks {
        let picks = picks::picks_apart(rollouts, settings, &proposers.miner, &mut taken)?;
        same::keep(&mut candidates, picks, &mut taken);
    }
    Ok(Distilled { candidates, summary })
}

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

/// A contract that promises nothing, for starts like these. It has no deadline: the runtime takes one as a promise, and
/// a use that only returns after it as broken.
fn free_contract(
    corpus: &rollouts::Corpus<'_>,
    starts: &[rollouts::Place],
    config: &Config,
) -> agon_skill::Contract {
    let facts: Vec<&[f32]> = starts.iter().filter_map(|at| corpus.facts(*at)).collect();
    let pre = contract::preconditions(corpus, &facts, &[], config);
    let pre = pre.iter().map(|l| l.literal(corpus)).collect();
    agon_skill::Contract { pre, rate: 1.0, ..agon_skill::Contract::default() }
}
