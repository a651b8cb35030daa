//! What a strong player does when: an ordered list of rules over abstract actions, as a skill that acts for a while.

use super::{free_contract, hash_of};
use crate::{
    Candidate, Config, DistillError, Rollouts,
    contract::Line,
    emit::{Draft, Evidence, sources},
    ir::{Ir, Rule, Until},
    mine::{Class, Classes, Pattern},
    rollouts::{Corpus, Place},
    shape::{self, Fit, Sets},
};
use agon_skill::Proposer;
use rl_gym::vocabulary::MAX_ARGS;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

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
    /// What a decision in which a rule is wrong costs, where one in which it is right is worth 1.
    pub cost: f64,
    /// Share of decisions that a rule must gain, right ones less the cost of wrong ones.
    pub min_gain: f64,
}

impl Default for PolicyConfig {
    fn default() -> Self {
        Self { player: None, rules: 10, decisions: 16, cost: 1.0, min_gain: 0.004 }
    }
}

/// A decision: what could be done and what was, in classes.
struct Case<'a> {
    at: Place,
    facts: &'a [f32],
    open: BTreeSet<Class>,
    chosen: Class,
}

/// A decision list in the manner of the player, most telling rules first: of each the class that it stands for, what
/// must hold, and how the action is picked. `None` where no rule is right often enough.
///
/// # Errors
/// When there is nothing to learn from, or code that was made does not work.
pub fn policy(
    rollouts: &Rollouts,
    settings: &PolicyConfig,
    config: &Config,
) -> Result<Option<Candidate>, DistillError> {
    let corpus = Corpus::new(rollouts, |name| settings.player.as_deref().is_none_or(|p| p == name))?;
    let classes = Classes::learn(&corpus, false);
    let cases: Vec<Case<'_>> = corpus.sample().into_iter().filter_map(|at| case(&corpus, &classes, at)).collect();
    let (mut rules, mut fits) = (Vec::new(), Vec::new());
    let mut left: Vec<&Case<'_>> = cases.iter().collect();
    while rules.len() < settings.rules && !left.is_empty() {
        let Some((class, line)) = best_rule(&corpus, &left, cases.len(), settings) else { break };
        let fires = |c: &Case<'_>| c.open.contains(&class) && line.is_none_or(|l| l.holds(c.facts, c.facts));
        let places: Vec<(Place, [Option<u16>; MAX_ARGS])> = left
            .iter()
            .filter(|c| fires(c) && c.chosen == class)
            .map(|c| (c.at, [None; MAX_ARGS]))
            .collect();
        left.retain(|c| !fires(c));
        let sets = Sets::new(&corpus, classes.tests(class).0, &places);
        let fit = shape::fit(&sets, &shape::class_ranges(&classes, class, &sets), false);
        let pick = fit.selector(&sets, &**rollouts.words());
        rules.push(Rule { when: line.map(|l| l.literal(&corpus)).into_iter().collect(), pick });
        fits.push(fit);
    }
    if rules.is_empty() {
        return Ok(None);
    }
    let draft = draft(&corpus, rules, &fits, &cases, settings, config);
    Ok(Some(draft.emit(rollouts, &mut BTreeSet::new())?))
}

fn case<'a>(corpus: &Corpus<'a>, classes: &Classes, at: Place) -> Option<Case<'a>> {
    let chosen = classes.class(corpus, corpus.chosen(at)?, None);
    let open = corpus.choices(at).iter().map(|c| classes.class(corpus, c, None)).collect();
    Some(Case { at, facts: corpus.facts(at)?, open, chosen })
}

/// The class, and what must hold, with the greatest gain among the decisions that no earlier rule decides.
fn best_rule(
    corpus: &Corpus<'_>,
    left: &[&Case<'_>],
    all: usize,
    settings: &PolicyConfig,
) -> Option<(Class, Option<Line>)> {
    let classes: BTreeSet<Class> = left.iter().map(|c| c.chosen).collect();
    let lines = lines(corpus, left);
    let mut best: Option<(f64, (Class, Option<Line>))> = None;
    let mut offer = |gain: f64, rule: (Class, Option<Line>)| {
        if best.is_none_or(|(most, _)| gain > most + 1e-9) {
            best = Some((gain, rule));
        }
    };
    for class in classes {
        let open: Vec<&&Case<'_>> = left.iter().filter(|c| c.open.contains(&class)).collect();
        let worth = |c: &Case<'_>| if c.chosen == class { 1.0 } else { -settings.cost };
        let plain: f64 = open.iter().map(|c| worth(c)).sum();
        offer(plain, (class, None));
        for line in &lines {
            let gain: f64 = open.iter().filter(|c| line.holds(c.facts, c.facts)).map(|c| worth(c)).sum();
            // A condition must be worth its words.
            offer(gain - settings.min_gain * all as f64, (class, Some(*line)));
        }
    }
    best.filter(|(gain, _)| *gain >= settings.min_gain * all as f64).map(|(_, rule)| rule)
}

/// Conditions that rules may have: every predicate both ways, every number at its quartiles.
fn lines(corpus: &Corpus<'_>, left: &[&Case<'_>]) -> Vec<Line> {
    let mut lines = Vec::new();
    for (fact, what) in corpus.fact_list().iter().enumerate().filter(|(f, _)| !corpus.clocks[*f]) {
        if what.is_predicate() {
            lines.extend([Line::at_least(fact, 1.0), Line::at_most(fact, 0.0)]);
            continue;
        }
        let mut values: Vec<f32> = left.iter().map(|c| c.facts[fact]).collect();
        values.sort_by(f32::total_cmp);
        let mut cuts: Vec<f32> = (1..4).map(|q| values[values.len() * q / 4]).collect();
        cuts.dedup();
        lines.extend(cuts.iter().flat_map(|x| [Line::at_least(fact, *x), Line::at_most(fact, *x)]));
    }
    lines
}

fn draft(
    corpus: &Corpus<'_>,
    rules: Vec<Rule>,
    fits: &[Fit],
    cases: &[Case<'_>],
    settings: &PolicyConfig,
    config: &Config,
) -> Draft {
    let places: Vec<Place> = cases.iter().map(|c| c.at).collect();
    let picks: Vec<Option<shape::Pick>> = rules.iter().map(|r| shape::Pick::new(corpus, &r.pick)).collect();
    let agrees = |c: &Case<'_>| {
        let holds = |r: &Rule| {
            r.when.iter().all(|l| {
                let value = rl_gym::vocabulary::fact(corpus.fact_list(), &l.fact).map(|f| c.facts[f]);
                let agon_skill::Operand::Number(to) = l.to else { return false };
                value.is_some_and(|v| l.holds(v, to))
            })
        };
        let free = [None; MAX_ARGS];
        let first = rules.iter().zip(&picks).find_map(|(rule, pick)| {
            let pick = pick.as_ref()?;
            (holds(rule) && pick.pick(corpus, c.at, &free).is_some()).then_some(pick)
        });
        first.is_some_and(|pick| pick.agrees(corpus, c.at, &free))
    };
    let imitated = cases.iter().filter(|c| agrees(c)).count();
    let pattern =
        Pattern { classes: Vec::new(), is_loop: false, gain: 0.0, instances: super::singles(&places) };
    let (episodes, seeds) = pattern.spread(corpus);
    let evidence = Evidence {
        instances: cases.len(),
        episodes,
        seeds,
        imitated,
        accuracy: fits.iter().map(|f| f.accuracy).collect(),
        blind: fits.iter().map(|f| f.blind).collect(),
        sources: sources(corpus, &pattern.instances),
        ..Evidence::default()
    };
    let ir = Ir::Repeat { body: Box::new(Ir::Choose(rules)), until: Until::Effect, most: settings.decisions };
    Draft {
        ir,
        params: Vec::new(),
        contract: free_contract(corpus, &places, settings.decisions, config),
        evidence,
        proposer: Proposer::Tree,
        miner: hash_of(settings, config),
        parents: Vec::new(),
    }
}
