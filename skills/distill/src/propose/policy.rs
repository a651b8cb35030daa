//! What a strong player does when: an ordered list of rules over abstract actions, as a skill that acts for a while.
//!
//! The order comes from Luce's model of choice: the class that is chosen more often where both could be stands before
//! the other. Then the list is improved step by step, by a condition, a change of places or one rule less, as long as it
//! agrees with more decisions.

mod search;

use super::{free_contract, hash_of};
use crate::{
    Candidate, Config, DistillError, Rollouts,
    contract::Line,
    emit::{Draft, Evidence, sources},
    ir::{Ir, Rule, Until},
    mine::{Class, Classes, spread},
    rollouts::{Corpus, Place},
    shape::{self, Fit, Pick, Sets},
};
use agon_skill::Proposer;
use rl_gym::vocabulary::MAX_ARGS;
use search::{Case, ListRule, Search};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Settings of [`policy`].
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PolicyConfig {
    /// Whose decisions are looked at; everybody's where none is named.
    pub player: Option<String>,
    /// Rules at most.
    pub rules: usize,
    /// Decisions that one use takes.
    pub decisions: u32,
    /// Share of decisions that a condition must win over, and that a class must be chosen in to get a rule.
    pub min_gain: f64,
    /// What a decision in which the list differs from the player costs, where one in which it agrees is worth 1. At 0 the
    /// list decides wherever it can; at 1 it leaves to others what it would more often get wrong than right.
    pub cost: f64,
}

impl Default for PolicyConfig {
    fn default() -> Self {
        Self { player: None, rules: 10, decisions: 16, min_gain: 0.01, cost: 0.0 }
    }
}

/// A decision list in the manner of the player: of each rule the class that it stands for, what must hold, and how the
/// action is picked. `None` where fewer than ten decisions could be told.
///
/// # Errors
/// When there is nothing to learn from, or code that was made does not work.
pub fn policy(
    rollouts: &Rollouts,
    settings: &PolicyConfig,
    config: &Config,
) -> Result<Option<Candidate>, DistillError> {
    policy_apart(rollouts, settings, config, &mut BTreeSet::new())
}

/// [`policy`] with a name apart from `taken`.
pub(super) fn policy_apart(
    rollouts: &Rollouts,
    settings: &PolicyConfig,
    config: &Config,
    taken: &mut BTreeSet<String>,
) -> Result<Option<Candidate>, DistillError> {
    let corpus = Corpus::new(rollouts, |name| settings.player.as_deref().is_none_or(|p| p == name))?;
    let classes = Classes::learn(&corpus, false);
    let (known, places, cases) = cases(&corpus, &classes, settings);
    if cases.len() < 10 {
        return Ok(None);
    }
    let lines = lines(&corpus, &places);
    let fitted: Vec<(Sets, Fit)> = known
        .iter()
        .map(|class| {
            let is_chosen =
                |at: &&Place| corpus.chosen(**at).is_some_and(|c| classes.class(&corpus, c, None) == *class);
            let sets: Vec<(Place, [Option<u16>; MAX_ARGS])> =
                places.iter().filter(is_chosen).map(|at| (*at, [None; MAX_ARGS])).collect();
            let sets = Sets::new(&corpus, classes.tests(*class).0, &sets);
            let fit = shape::fit(&sets, &shape::class_ranges(&classes, *class, &sets), false);
            (sets, fit)
        })
        .collect();
    let search = Search {
        cases: &cases,
        accuracy: fitted.iter().map(|f| f.1.accuracy).collect(),
        lines: &lines,
        cost: settings.cost,
        min_gain: settings.min_gain,
    };
    let (mut list, mut fits) = (Vec::new(), Vec::new());
    for ListRule { class, line } in search.list(settings.rules) {
        let (sets, fit) = &fitted[class];
        let when = line.map(|l| lines[l].0.literal(&corpus)).into_iter().collect();
        list.push(Rule { when, pick: fit.selector(sets, &**rollouts.words()) });
        fits.push(fit.clone());
    }
    if list.is_empty() {
        return Ok(None);
    }
    let draft = draft(&corpus, list, &fits, &places, settings, config);
    Ok(Some(draft.emit(rollouts, taken)?))
}

/// The classes that are chosen often enough, and the decisions between them.
fn cases(
    corpus: &Corpus<'_>,
    classes: &Classes,
    settings: &PolicyConfig,
) -> (Vec<Class>, Vec<Place>, Vec<Case>) {
    let states: Vec<(Place, Class)> = corpus
        .sample()
        .into_iter()
        .filter_map(|at| Some((at, classes.class(corpus, corpus.chosen(at)?, None))))
        .collect();
    let mut counts: BTreeMap<Class, usize> = BTreeMap::new();
    states.iter().for_each(|(_, class)| *counts.entry(*class).or_default() += 1);
    let least = (settings.min_gain / 2.0 * states.len() as f64).max(3.0);
    let mut often: Vec<(usize, Class)> =
        counts.iter().filter(|(_, n)| **n as f64 >= least).map(|(class, n)| (*n, *class)).collect();
    often.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    let known: Vec<Class> = often.iter().take(search::MAX_CLASSES).map(|(_, class)| *class).collect();
    let (mut places, mut cases) = (Vec::new(), Vec::new());
    for (at, class) in states {
        let Some(chosen) = known.iter().position(|k| *k == class) else { continue };
        let mut open = 0_u64;
        for choice in corpus.choices(at) {
            let class = classes.class(corpus, choice, None);
            if let Some(i) = known.iter().position(|k| *k == class) {
                open |= 1 << i;
            }
        }
        places.push(at);
        cases.push(Case { open, chosen });
    }
    (known, places, cases)
}

/// Conditions that rules may have, and where they hold: every predicate both ways, every number at its quartiles.
fn lines(corpus: &Corpus<'_>, places: &[Place]) -> Vec<(Line, Vec<bool>)> {
    let facts: Vec<&[f32]> = places.iter().filter_map(|at| corpus.facts(*at)).collect();
    let mut lines = Vec::new();
    for (fact, what) in corpus.told() {
        if what.is_predicate() {
            lines.extend([Line::at_least(fact, 1.0), Line::at_most(fact, 0.0)]);
            continue;
        }
        let mut values: Vec<f32> = facts.iter().map(|f| f[fact]).collect();
        values.sort_by(f32::total_cmp);
        let mut cuts: Vec<f32> = (1..4).map(|q| values[values.len() * q / 4]).collect();
        cuts.dedup();
        lines.extend(cuts.iter().flat_map(|x| [Line::at_least(fact, *x), Line::at_most(fact, *x)]));
    }
    lines.into_iter().map(|line| (line, facts.iter().map(|f| line.holds(f, f)).collect())).collect()
}

fn draft(
    corpus: &Corpus<'_>,
    rules: Vec<Rule>,
    fits: &[Fit],
    places: &[Place],
    settings: &PolicyConfig,
    config: &Config,
) -> Draft {
    let picks: Vec<(&Rule, Option<Pick>)> = rules.iter().map(|r| (r, Pick::new(corpus, &r.pick))).collect();
    let free = [None; MAX_ARGS];
    let agrees = |at: &&Place| {
        let first = picks.iter().find_map(|(rule, pick)| {
            let pick = pick.as_ref()?;
            (shape::holds(corpus, &rule.when, **at) && pick.pick(corpus, **at, &free).is_some())
                .then_some(pick)
        });
        first.is_some_and(|pick| pick.agrees(corpus, **at, &free))
    };
    let imitated = places.iter().filter(agrees).count();
    let instances = super::singles(places);
    let (episodes, seeds) = spread(corpus, &instances);
    let evidence = Evidence {
        instances: places.len(),
        episodes,
        seeds,
        imitated,
        accuracy: fits.iter().map(|f| f.accuracy).collect(),
        blind: fits.iter().map(|f| f.blind).collect(),
        sources: sources(corpus, &instances),
        ..Evidence::default()
    };
    let ir = Ir::Repeat { body: Box::new(Ir::Choose(rules)), until: Until::Effect, most: settings.decisions };
    Draft {
        ir,
        params: Vec::new(),
        contract: free_contract(corpus, places, config),
        evidence,
        proposer: Proposer::Tree,
        miner: hash_of(settings, config),
        parents: Vec::new(),
    }
}
