//! How a strong player chooses among actions of one verb: a few weights, at most one question before them.

use super::{free_contract, hash_of, singles};
use crate::{
    Candidate, Config, DistillError, Rollouts,
    contract::{self, Line, wilson_low},
    emit::{Draft, Evidence, sources},
    ir::Ir,
    mine::spread,
    rollouts::{Corpus, Place},
    shape::{self, Fit, Sets},
};
use agon_skill::Proposer;
use rl_gym::vocabulary::MAX_ARGS;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// A rate below this says that the precondition does not tell when the verb can be used.
const CLEAR: f32 = 0.6;

/// Settings of [`pick_rules`].
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PickConfig {
    /// Whose decisions are looked at; everybody's where none is named.
    pub player: Option<String>,
    /// Verbs that are looked at; all where none is named.
    pub verbs: Vec<String>,
    /// Decisions with a choice that a verb needs.
    pub min_decisions: usize,
    /// By how much weights must beat a blind pick, as a share of decisions.
    pub min_gain: f64,
    /// Nats a decision that a question before the weights must explain.
    pub min_split: f64,
}

impl Default for PickConfig {
    fn default() -> Self {
        Self { player: None, verbs: Vec::new(), min_decisions: 30, min_gain: 0.1, min_split: 0.05 }
    }
}

/// For every verb with enough choice: the weights under which what was chosen is likely, as a skill that acts once.
///
/// # Errors
/// When there is nothing to learn from, or code that was made does not work.
pub fn pick_rules(
    rollouts: &Rollouts,
    picks: &PickConfig,
    config: &Config,
) -> Result<Vec<Candidate>, DistillError> {
    picks_apart(rollouts, picks, config, &mut BTreeSet::new())
}

/// [`pick_rules`] with names apart from `taken`.
pub(super) fn picks_apart(
    rollouts: &Rollouts,
    picks: &PickConfig,
    config: &Config,
    taken: &mut BTreeSet<String>,
) -> Result<Vec<Candidate>, DistillError> {
    let corpus = Corpus::new(rollouts, |name| picks.player.as_deref().is_none_or(|p| p == name))?;
    let mut candidates = Vec::new();
    for (verb, what) in rollouts.words().verbs().iter().enumerate() {
        if picks.verbs.is_empty() || picks.verbs.iter().any(|v| v == what.name) {
            let places: Vec<Place> = corpus
                .places()
                .filter(|at| corpus.chosen(*at).is_some_and(|c| usize::from(c.term.verb) == verb))
                .collect();
            let mut best = draft(&corpus, verb as u16, &places, picks, config);
            // A verb of several situations, told apart by a predicate: described for the commonest one.
            let is_vague = best.as_ref().is_some_and(|d| d.contract.rate < CLEAR);
            if let Some(line) = is_vague.then(|| contract::focus(&corpus, &places)).flatten() {
                let holds = |at: &Place| corpus.facts(*at).is_some_and(|f| line.holds(f, f));
                let places: Vec<Place> = places.into_iter().filter(holds).collect();
                let focused = draft(&corpus, verb as u16, &places, picks, config);
                best = focused
                    .filter(|f| best.as_ref().is_none_or(|b| f.contract.rate > b.contract.rate))
                    .or(best);
            }
            if let Some(draft) = best {
                candidates.push(draft.emit(rollouts, taken)?);
            }
        }
    }
    Ok(candidates)
}

fn draft(
    corpus: &Corpus<'_>,
    verb: u16,
    places: &[Place],
    picks: &PickConfig,
    config: &Config,
) -> Option<Draft> {
    let choice: Vec<(Place, [Option<u16>; MAX_ARGS])> = places
        .iter()
        .filter(|at| corpus.choices(**at).iter().filter(|c| c.term.verb == verb).count() > 1)
        .map(|at| (*at, [None; MAX_ARGS]))
        .collect();
    if choice.len() < picks.min_decisions {
        return None;
    }
    let sets = Sets::new(corpus, verb, &choice);
    let whole = shape::fit(&sets, &[], false);
    let words = corpus.rollouts.words();
    let act = |fit: &Fit| Ir::Act { pick: fit.selector(&sets, &**words), keep: Vec::new() };
    let (ir, fits) = match split(corpus, &sets, &whole, picks) {
        Some((line, yes, no)) => {
            let when = vec![line.literal(corpus)];
            let ir = Ir::If { when, then: Box::new(act(&yes)), otherwise: Box::new(act(&no)) };
            (ir, vec![yes, no])
        }
        None => (act(&whole), vec![whole]),
    };
    let all: usize = fits.iter().map(|f| f.decisions).sum();
    let mean = |of: fn(&Fit) -> f64| {
        fits.iter().map(|f| of(f) * f.decisions as f64).sum::<f64>() / all.max(1) as f64
    };
    if mean(|f| f.accuracy) < mean(|f| f.blind) + picks.min_gain {
        return None;
    }
    let instances = singles(places);
    let mined = contract::mine(corpus, &instances, config);
    let (successes, uses, lift) = mined.as_ref().map_or((0, 0, 0.0), |m| (m.successes, m.uses, m.lift));
    let mut contract = mined.map_or_else(|| free_contract(corpus, places, config), |m| m.contract);
    let rehearsal = shape::rehearse(corpus, &ir, &[], &contract);
    contract.rate = wilson_low(rehearsal.good, rehearsal.good + rehearsal.bad);
    let (episodes, seeds) = spread(corpus, &instances);
    let evidence = Evidence {
        instances: instances.len(),
        episodes,
        seeds,
        gain_bits: fits.iter().map(|f| f.nats.max(0.0)).sum::<f64>() / std::f64::consts::LN_2,
        link: None,
        successes,
        uses,
        lift,
        imitated: (mean(|f| f.accuracy) * instances.len() as f64).round() as usize,
        rehearsed_good: rehearsal.good,
        rehearsed_bad: rehearsal.bad,
        accuracy: fits.iter().map(|f| f.accuracy).collect(),
        blind: fits.iter().map(|f| f.blind).collect(),
        sources: sources(corpus, &instances),
    };
    let miner = hash_of(picks, config);
    Some(Draft {
        ir,
        params: Vec::new(),
        contract,
        evidence,
        proposer: Proposer::Tree,
        miner,
        parents: Vec::new(),
    })
}

/// The question whose two answers choose by different weights, with both fits; `None` where one list of weights does.
fn split(corpus: &Corpus<'_>, sets: &Sets, whole: &Fit, picks: &PickConfig) -> Option<(Line, Fit, Fit)> {
    let mut best: Option<(f64, Line, Fit, Fit)> = None;
    for (fact, what) in corpus.told() {
        let mut values: Vec<f32> = sets.sets.iter().filter_map(|s| Some(corpus.facts(s.at)?[fact])).collect();
        values.sort_by(f32::total_cmp);
        let (Some(first), Some(last)) = (values.first(), values.last()) else { continue };
        if first == last {
            continue;
        }
        let at_least = if what.is_predicate() { 1.0 } else { values[values.len() / 2] };
        let line = Line::at_least(fact, at_least);
        let holds = |at: Place| corpus.facts(at).is_some_and(|f| line.holds(f, f));
        let (yes, no) = (sets.only(|s| holds(s.at)), sets.only(|s| !holds(s.at)));
        if yes.sets.len().min(no.sets.len()) < picks.min_decisions {
            continue;
        }
        let (yes, no) = (shape::fit(&yes, &[], false), shape::fit(&no, &[], false));
        let price = (sets.sets.len() as f64).ln() + (corpus.width() as f64).ln();
        let gain = yes.nats + no.nats - whole.nats - price;
        if gain > picks.min_split * sets.sets.len() as f64
            && best.as_ref().is_none_or(|(most, ..)| gain > *most)
        {
            best = Some((gain, line, yes, no));
        }
    }
    best.map(|(_, line, yes, no)| (line, yes, no))
}
