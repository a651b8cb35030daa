//! Skills that are one become one: the weaker goes.

use super::{
    Upkeep, UpkeepConfig,
    watch::{Probe, Probes},
};
use crate::PracticeError;
use agon_skill::{Contract, Kind, Seed, Seeds, Train};
use agon_skill_agent::{MakePolicy, PlayConfig, Task, arm, play_watched};
use agon_skill_bank::{Bank, State};
use agon_skill_distill::{agreement, effect_jaccard, first_actions, should_merge};
use serde::Serialize;
use std::sync::atomic::Ordering;

/// Stream of train seeds that probes are taken from.
const STREAM: u32 = 6000;

/// A skill that was taken out, since another one does the same.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Merged {
    /// Its name.
    pub name: String,
    /// Its content hash.
    pub hash: String,
    /// Where it stood.
    pub from: State,
    /// Name of the other.
    pub into: String,
    /// Content hash of the other.
    pub into_hash: String,
    /// How alike their effects are, 0 to 1; `None` where neither promises anything.
    pub effect: Option<f64>,
    /// Share of the shared probes on which they act alike.
    pub agreement: f64,
    /// Probes on which both act.
    pub shared: usize,
}

/// A skill as it is compared. The order of a list of them is from the strongest to the weakest.
struct Compared {
    name: String,
    hash: String,
    state: State,
    contract: Contract,
    acts: Vec<Option<u32>>,
    is_out: bool,
}

/// Takes out the weaker of every two skills that do the same.
pub(super) fn merge(
    bank: &mut Bank,
    task: &Task,
    base: &MakePolicy,
    config: &UpkeepConfig,
    play: &PlayConfig,
    told: &mut Upkeep,
) -> Result<(), PracticeError> {
    let order = strongest_first(bank);
    if order.len() < 2 {
        return Ok(());
    }
    let probes = probes(task, base, config, play)?;
    // Other probes would have been taken, and might have said something else.
    if play.stop.load(Ordering::Relaxed) {
        return Ok(());
    }
    let mut skills = Vec::with_capacity(order.len());
    for hash in order {
        let prepared = bank.prepared(&hash)?;
        let entry = bank.entry(&hash)?;
        skills.push(Compared {
            name: entry.name.clone(),
            state: entry.state,
            contract: prepared.skill().contract.clone(),
            acts: first_actions(&prepared, &probes),
            is_out: false,
            hash,
        });
    }
    (told.probes, told.compared) = (probes.len(), skills.len());
    for i in 0..skills.len() {
        for j in i + 1..skills.len() {
            if skills[i].is_out || skills[j].is_out {
                continue;
            }
            if let Some(merged) = same(&skills[i], &skills[j], config) {
                bank.dismiss(&merged.hash, &reason(&merged))?;
                skills[j].is_out = true;
                told.merged.push(merged);
            }
        }
    }
    Ok(())
}

/// Skills that act and are in use or on the way there: the later in life first, then the greater lower limit of gain,
/// then the earlier to come.
fn strongest_first(bank: &Bank) -> Vec<String> {
    let mut found = Vec::new();
    for (rank, state) in
        [State::Active, State::Provisional, State::Shadow, State::Candidate].into_iter().enumerate()
    {
        for entry in bank.at(state) {
            let acts = |kind| matches!(kind, Kind::Option | Kind::Policy);
            if entry.skill.as_ref().is_some_and(|skill| acts(skill.kind)) {
                let gain = entry.gain.map_or(f64::NEG_INFINITY, |gain| gain.low);
                found.push((rank, gain, entry.came_after, entry.hash.clone()));
            }
        }
    }
    found.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)).then(a.2.cmp(&b.2)));
    found.into_iter().map(|f| f.3).collect()
}

/// Decisions of the base policy, evenly over its episodes.
fn probes(
    task: &Task,
    base: &MakePolicy,
    config: &UpkeepConfig,
    play: &PlayConfig,
) -> Result<Vec<Probe>, PracticeError> {
    let seeds: Vec<Seed<Train>> = Seeds::new(config.root, STREAM).range(0, config.probe_episodes).collect();
    let each = config.most_probes / config.probe_episodes.max(1) as usize;
    let watch = |_| Probes::new(each);
    let played = play_watched(task, &arm(base.clone()), &seeds, play, watch)?;
    let all: Vec<Probe> = played.into_iter().flat_map(|(_, watch)| watch.kept).collect();
    let step = all.len().div_ceil(config.most_probes.max(1)).max(1);
    Ok(all.into_iter().step_by(step).collect())
}

/// Whether the weaker does what the stronger does, with the figures.
fn same(stronger: &Compared, weaker: &Compared, config: &UpkeepConfig) -> Option<Merged> {
    let (a, b) = (&stronger.acts, &weaker.acts);
    let shared = a.iter().zip(b).filter(|(a, b)| a.is_some() && b.is_some()).count();
    let of = |acts: &[Option<u32>]| acts.iter().flatten().count();
    // Nothing must be lost, and nothing is said on few probes.
    let is_covered = shared as f64 >= config.covered * of(b) as f64;
    if shared < config.shared.max(1) || !is_covered {
        return None;
    }
    let promises_nothing = stronger.contract.effect.is_empty() && weaker.contract.effect.is_empty();
    let effect = (!promises_nothing).then(|| effect_jaccard(&stronger.contract, &weaker.contract));
    // What promises nothing is told apart by where it begins in place of what it brings about.
    let begins_alike = shared as f64 >= config.covered * of(a) as f64;
    let alike = agreement(a, b);
    let is_same = should_merge(effect.unwrap_or(1.0), alike) && (effect.is_some() || begins_alike);
    let merged = |agreement| Merged {
        name: weaker.name.clone(),
        hash: weaker.hash.clone(),
        from: weaker.state,
        into: stronger.name.clone(),
        into_hash: stronger.hash.clone(),
        effect,
        agreement,
        shared,
    };
    alike.filter(|_| is_same).map(merged)
}

fn reason(m: &Merged) -> String {
    let effect = m.effect.map_or_else(
        || "neither promises an effect".into(),
        |x| format!("effects alike to {x:.2} (from 0.85 they are one)"),
    );
    format!(
        "it does what {} ({}) does: {effect}, actions alike on {:.3} of {} shared probes (from 0.9)",
        m.into, m.into_hash, m.agreement, m.shared
    )
}
