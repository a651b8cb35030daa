//! Skills as they leave: code, contract, intermediate form, evidence; checked before anybody else sees them.

mod names;
mod print;
mod revise;

pub(crate) use print::local_name;
pub use print::print;
pub use revise::with_contract;

use crate::{DistillError, Rollouts, ir::Ir};
use agon_skill::{Budget, Contract, FORMAT, Kind, Param, Proposer, Provenance, Skill};
use agon_skill_runtime::{Machine, Prepared, lint};
use rl_gym::{Pcg64, vocabulary::Vocabulary};
use serde::{Deserialize, Serialize};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// Sources that are told of one skill at most.
const MAX_SOURCES: usize = 32;

/// Where an instance stands in the rollouts.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Source {
    /// Number of the episode.
    pub episode: u64,
    /// Hash of the replay, or the seed.
    pub replay: String,
    /// Seat.
    pub seat: usize,
    /// Decisions `from..to` of the seat, counted without those that changed nothing.
    pub from: usize,
    /// One past the last of them.
    pub to: usize,
}

/// How a pattern goes with reward.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Link {
    /// Mean gain over like states, in units of return.
    pub uplift: f64,
    /// Chance of as much without any link.
    pub p: f64,
    /// Share of false findings if all with at most this are believed.
    pub q: f64,
    /// Whether it is said to pay: `q` is at most the rate of the settings.
    pub pays: bool,
}

/// What a proposed skill rests on.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Evidence {
    /// Places where it was done.
    pub instances: usize,
    /// Episodes with one.
    pub episodes: usize,
    /// Seeds with one.
    pub seeds: usize,
    /// Bits that naming the pattern saves.
    pub gain_bits: f64,
    /// How it goes with reward, where that was tested.
    pub link: Option<Link>,
    /// Instances in which the effect came about, of `uses` whose end was seen.
    pub successes: usize,
    /// See `successes`.
    pub uses: usize,
    /// How much likelier the effect is than elsewhere.
    pub lift: f64,
    /// Instances in which the code would have done just what was done.
    pub imitated: usize,
    /// Uses that recorded play went along with to their end: those in which the effect came about.
    pub rehearsed_good: usize,
    /// Those in which it did not.
    pub rehearsed_bad: usize,
    /// For each selector: share of decisions in which it picks what was chosen.
    pub accuracy: Vec<f64>,
    /// The same for a blind pick.
    pub blind: Vec<f64>,
    /// Some of the places.
    pub sources: Vec<Source>,
}

/// A proposed skill.
#[derive(Clone, PartialEq, Debug)]
pub struct Candidate {
    /// The record, with its code.
    pub skill: Skill,
    /// What the code was printed from.
    pub ir: Ir,
    /// What it rests on.
    pub evidence: Evidence,
}

/// The parts of a candidate before it has a name.
pub(crate) struct Draft {
    pub(crate) ir: Ir,
    pub(crate) params: Vec<Param>,
    pub(crate) contract: Contract,
    pub(crate) evidence: Evidence,
    pub(crate) proposer: Proposer,
    pub(crate) miner: String,
    pub(crate) parents: Vec<String>,
}

impl Draft {
    /// The skill in the words of `rollouts`, named apart from `taken`.
    ///
    /// # Errors
    /// When its code or contract does not work.
    pub(crate) fn emit(
        self,
        rollouts: &Rollouts,
        taken: &mut BTreeSet<String>,
    ) -> Result<Candidate, DistillError> {
        let words = rollouts.words();
        let base = names::name(&self.ir, &self.contract.effect);
        let mut name = base.clone();
        let mut number = 2;
        while !taken.insert(name.clone()) {
            name = format!("{base}_{number}");
            number += 1;
        }
        let doc = names::sentence(&self.ir, &**words);
        let how_to = how_to(&self.contract, &self.evidence, &**words);
        let budget = budget(&self.ir, &self.contract);
        let replays: BTreeSet<&String> = self.evidence.sources.iter().map(|s| &s.replay).collect();
        let mut skill = Skill {
            format: FORMAT.into(),
            name,
            version: 1,
            game: rollouts.game().into(),
            vocabulary: words.version(),
            kind: Kind::Option,
            code: String::new(),
            tags: tags(&self.ir, &self.contract),
            doc,
            how_to,
            params: self.params,
            tools: BTreeMap::new(),
            contract: self.contract,
            budget,
            provenance: Provenance {
                proposer: self.proposer,
                parents: self.parents,
                replays: replays.into_iter().cloned().collect(),
                miner: self.miner,
            },
            stats: BTreeMap::new(),
            hash: String::new(),
        };
        skill.code = print(&self.ir, &head(&skill), &**words);
        skill.hash = skill.content_hash();
        check(&skill, words)?;
        Ok(Candidate { skill, ir: self.ir, evidence: self.evidence })
    }
}

impl Candidate {
    /// The next version with other code (and, where that bounds it, contract), printed and checked.
    ///
    /// # Errors
    /// When the code does not work.
    pub(crate) fn revised(
        &self,
        ir: Ir,
        proposer: Proposer,
        miner: &str,
        words: &Arc<dyn Vocabulary>,
    ) -> Result<Self, DistillError> {
        let mut skill = self.skill.clone();
        skill.version += 1;
        skill.doc = names::sentence(&ir, &**words);
        skill.provenance.proposer = proposer;
        skill.provenance.parents = vec![self.skill.content_hash()];
        skill.provenance.miner = miner.into();
        skill.stats.clear();
        skill.budget = budget(&ir, &skill.contract);
        skill.code = print(&ir, &head(&skill), &**words);
        skill.hash = skill.content_hash();
        check(&skill, words)?;
        Ok(Self { skill, ir, evidence: self.evidence.clone() })
    }
}

/// Decisions that a use may take: its deadline, or, where it promises nothing, what its code takes and one more, in which
/// it returns.
fn budget(ir: &Ir, contract: &Contract) -> Budget {
    let decisions = if contract.within > 0 { contract.within } else { ir.longest().saturating_add(1) };
    Budget { decisions, ..Budget::default() }
}

/// The comment above the code.
fn head(skill: &Skill) -> Vec<String> {
    let mut head = vec![skill.doc.clone()];
    head.extend(skill.how_to.iter().cloned());
    head
}

fn how_to(contract: &Contract, evidence: &Evidence, words: &dyn Vocabulary) -> Vec<String> {
    let mut lines = promises(contract, words);
    lines.push(format!(
        "Seen {} times in {} episodes on {} seeds.",
        evidence.instances, evidence.episodes, evidence.seeds
    ));
    lines
}

/// How lines begin that say what a contract says.
const PROMISES: [&str; 3] = ["Use it when: ", "Brings about: ", "Ends where this breaks: "];

/// A contract in words.
fn promises(contract: &Contract, words: &dyn Vocabulary) -> Vec<String> {
    let list = |literals: &[agon_skill::Literal]| {
        literals.iter().map(|l| names::plainly(l, words)).collect::<Vec<_>>().join(", ")
    };
    let [pre, effect, invariant] = PROMISES;
    let mut lines = Vec::new();
    if !contract.pre.is_empty() {
        lines.push(format!("{pre}{}.", list(&contract.pre)));
    }
    if !contract.effect.is_empty() {
        let plural = if contract.within == 1 { "" } else { "s" };
        lines.push(format!(
            "{effect}{}, within {} decision{plural}.",
            list(&contract.effect),
            contract.within
        ));
    }
    if !contract.invariant.is_empty() {
        lines.push(format!("{invariant}{}.", list(&contract.invariant)));
    }
    lines
}

fn tags(ir: &Ir, contract: &Contract) -> Vec<String> {
    let verbs = ir.selectors().into_iter().map(|s| s.verb.clone());
    let wants = ir.selectors().into_iter().flat_map(|s| s.want.iter().map(|(name, _)| name.clone()));
    let effects = contract.effect.iter().map(|l| l.fact.clone());
    let tags: BTreeSet<String> = verbs.chain(wants).chain(effects).collect();
    tags.into_iter().collect()
}

/// Whether a skill passes the lint, fits its game and loads.
///
/// # Errors
/// What does not.
pub(crate) fn check(skill: &Skill, words: &Arc<dyn Vocabulary>) -> Result<(), DistillError> {
    let wrong = |why: String| DistillError::Emit { skill: skill.name.clone(), why };
    if let Some(finding) = lint(&skill.code).first() {
        return Err(wrong(format!("line {}: {}", finding.line, finding.what)));
    }
    let prepared = Arc::new(Prepared::new(skill.clone(), &skill.game, words.clone())?);
    let args = prepared.defaults();
    Machine::new(prepared).begin(&args, Pcg64::seed(0)).map_err(|abort| wrong(abort.to_string()))
}

/// The places of some instances, evenly spread.
pub(crate) fn sources(
    corpus: &crate::rollouts::Corpus<'_>,
    instances: &[crate::mine::Instance],
) -> Vec<Source> {
    let every = instances.len().div_ceil(MAX_SOURCES).max(1);
    let source = |i: &crate::mine::Instance| {
        let trace = corpus.trace(i.run);
        let (from, to) = (i.from().step, i.to().step);
        Source { episode: trace.episode, replay: trace.source.clone(), seat: trace.seat, from, to }
    };
    instances.iter().step_by(every).map(source).collect()
}
