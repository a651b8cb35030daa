//! From rollouts to candidates: clean, cut, mine, link, shape, contract, print.

use crate::{
    Config, DistillError, Rollouts,
    contract::{self, Mined},
    emit::{Candidate, Draft, Evidence, Link, sources},
    ir::Selector,
    link::{self, Buckets, Gain},
    mine::{self, Classes, Pattern},
    rollouts::Corpus,
    segment,
    shape::{self, Rehearsal, Shaped},
    variants,
};
use agon_skill::Proposer;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// What the miner saw, in figures.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Summary {
    /// Traces that had ended.
    pub traces: usize,
    /// Decisions that were looked at.
    pub decisions: usize,
    /// Decisions left out because they changed nothing.
    pub dropped: usize,
    /// Facts that only tell that time passes; no contract names one.
    pub clocks: Vec<String>,
    /// Segments.
    pub segments: usize,
    /// Patterns with enough support.
    pub patterns: usize,
    /// Patterns that go with reward at the rate of false findings of the settings.
    pub rewarded: usize,
    /// P values of all patterns: near uniform where nothing goes with reward.
    pub p_values: Vec<f64>,
    /// Patterns that were kept.
    pub kept: usize,
    /// Those of them that became no skill: too many holes, or nothing that they bring about.
    pub without_contract: usize,
}

/// Proposed skills and what they were found in.
#[derive(Clone, PartialEq, Debug)]
pub struct Distilled {
    /// Proposals, those with the surest link to reward first.
    pub candidates: Vec<Candidate>,
    /// Figures.
    pub summary: Summary,
}

/// Mines skills from all ended traces of `rollouts`.
///
/// # Errors
/// When there is nothing to mine, or code that was made does not work.
pub fn distill(rollouts: &Rollouts, config: &Config) -> Result<Distilled, DistillError> {
    distil_apart(rollouts, config, &mut BTreeSet::new())
}

/// [`distill`] with names apart from `taken`.
pub(crate) fn distil_apart(
    rollouts: &Rollouts,
    config: &Config,
    taken: &mut BTreeSet<String>,
) -> Result<Distilled, DistillError> {
    let corpus = Corpus::new(rollouts, |_| true)?;
    let segments = segment::segments(&corpus, config);
    let classes = Classes::learn(&corpus, true);
    let patterns = mine::patterns(&corpus, &classes, &segments, config);
    let buckets = Buckets::new(&corpus);
    let gains: Vec<Gain> = patterns
        .iter()
        .zip(0..)
        .map(|(pattern, number)| link::gain(&corpus, &buckets, pattern, number, config))
        .collect();
    let links = links(&gains, config);
    let kept = kept(&links, config);
    let mut summary = Summary {
        traces: corpus.runs(),
        decisions: corpus.decisions(),
        dropped: corpus.dropped,
        clocks: clocks(&corpus),
        segments: segments.len(),
        patterns: patterns.len(),
        rewarded: links.iter().filter(|l| l.pays).count(),
        p_values: gains.iter().map(|g| g.p).collect(),
        kept: kept.len(),
        without_contract: 0,
    };
    let mut found: Vec<Find> = Vec::new();
    for i in kept {
        let before = found.len();
        // Of two alike the first stays: the shorter one.
        for pattern in shape::trimmed(&patterns[i]).iter().chain([&patterns[i]]) {
            found.extend(find(&corpus, &classes, i, pattern, config));
        }
        summary.without_contract += usize::from(found.len() == before);
    }
    let mut telling: Vec<Find> = (0..found.len())
        .filter(|f| !(0..found.len()).any(|g| g != *f && dominates(&found, g, *f)))
        .map(|f| found[f].clone())
        .collect();
    let joined = variants::join_all(&corpus, &telling, config.min_rate);
    telling.extend(joined);
    let mut candidates = Vec::new();
    for find in telling.iter().take(config.max_skills) {
        let draft = draft(&corpus, &patterns[find.pattern], links[find.pattern], find, config);
        candidates.push(draft.emit(rollouts, taken)?);
    }
    Ok(Distilled { candidates, summary })
}

/// A pattern that became code.
#[derive(Clone, Debug)]
pub(crate) struct Find {
    pattern: usize,
    pub(crate) shaped: Shaped,
    pub(crate) mined: Mined,
    pub(crate) rehearsal: Rehearsal,
}

/// Whether skill `g` does what skill `f` does, wherever `f` can, with nothing more and as surely.
fn dominates(found: &[Find], g: usize, f: usize) -> bool {
    let (a, b) = (&found[g], &found[f]);
    let facts = |m: &Mined| m.contract.effect.iter().map(|l| l.fact.clone()).collect::<BTreeSet<String>>();
    let (less, more) = (a.shaped.ir.selectors(), b.shaped.ir.selectors());
    let verbs = |s: &[&Selector]| s.iter().map(|s| s.verb.clone()).collect::<Vec<String>>();
    let (less, more) = (verbs(&less), verbs(&more));
    let is_part = more.windows(less.len()).any(|w| w == less.as_slice());
    let is_as_good = a.mined.contract.rate >= b.mined.contract.rate - 0.02;
    // Of two alike the surer one stays, else the first.
    let is_better = (a.mined.contract.rate, f) > (b.mined.contract.rate, g) || less.len() < more.len();
    let applies = a.mined.contract.pre.iter().all(|l| b.mined.contract.pre.contains(l));
    is_part && is_as_good && is_better && applies && facts(&a.mined) == facts(&b.mined)
}

fn clocks(corpus: &Corpus<'_>) -> Vec<String> {
    let facts = corpus.fact_list().iter().zip(&corpus.clocks);
    facts.filter(|(_, clock)| **clock).map(|(fact, _)| fact.name.to_owned()).collect()
}

fn links(gains: &[Gain], config: &Config) -> Vec<Link> {
    let p: Vec<f64> = gains.iter().map(|g| g.p).collect();
    let q = link::q_values(&p);
    let link =
        |(g, q): (&Gain, f64)| Link { uplift: g.uplift, p: g.p, q, pays: q <= config.fdr && g.uplift > 0.0 };
    gains.iter().zip(q).map(link).collect()
}

/// Patterns that pay, or are among those that gain most, surest first.
fn kept(links: &[Link], config: &Config) -> Vec<usize> {
    let mut order: Vec<usize> =
        (0..links.len()).filter(|i| links[*i].uplift > 0.0 && links[*i].p <= config.max_p).collect();
    order.sort_by(|a, b| links[*b].uplift.total_cmp(&links[*a].uplift).then(a.cmp(b)));
    let top = (config.top_share * links.len() as f64).ceil() as usize;
    let mut kept: Vec<usize> = order
        .iter()
        .enumerate()
        .filter(|(rank, i)| *rank < top || links[**i].pays)
        .map(|(_, i)| *i)
        .collect();
    kept.sort_by(|a, b| {
        let key = |i: usize| (!links[i].pays, links[i].p);
        let ((a_no, a_p), (b_no, b_p)) = (key(*a), key(*b));
        a_no.cmp(&b_no).then(a_p.total_cmp(&b_p)).then(links[*b].uplift.total_cmp(&links[*a].uplift))
    });
    kept
}

/// Code and contract of a pattern; `None` where nothing comes about, or where the code would not bring it about.
fn find(
    corpus: &Corpus<'_>,
    classes: &Classes,
    number: usize,
    pattern: &Pattern,
    config: &Config,
) -> Option<Find> {
    let mined = contract::mine(corpus, &pattern.instances, config)?;
    let shaped = shape::shape(corpus, classes, pattern, config)?;
    let mut find = Find { pattern: number, shaped, mined, rehearsal: Rehearsal::default() };
    find.rehearse(corpus);
    (find.mined.contract.rate >= config.min_rate).then_some(find)
}

fn draft(corpus: &Corpus<'_>, pattern: &Pattern, link: Link, found: &Find, config: &Config) -> Draft {
    let Find { shaped, mined, rehearsal, .. } = found;
    let (episodes, seeds) = mine::spread(corpus, &shaped.instances);
    let evidence = Evidence {
        instances: shaped.instances.len(),
        episodes,
        seeds,
        gain_bits: pattern.gain,
        link: Some(link),
        successes: mined.successes,
        uses: mined.uses,
        lift: mined.lift,
        imitated: shaped.imitated.iter().filter(|x| **x).count(),
        rehearsed_good: rehearsal.good,
        rehearsed_bad: rehearsal.bad,
        accuracy: shaped.fits.iter().map(|f| f.accuracy).collect(),
        blind: shaped.fits.iter().map(|f| f.blind).collect(),
        sources: sources(corpus, &shaped.instances),
    };
    Draft {
        ir: shaped.ir.clone(),
        params: shaped.params.clone(),
        contract: mined.contract.clone(),
        evidence,
        proposer: Proposer::Mined,
        miner: config.hash(),
        parents: Vec::new(),
    }
}
