//! Skills that broke their contracts are told anew: with less to promise, or with narrower starts.

use super::{
    Upkeep, UpkeepConfig,
    watch::{Use, Uses},
};
use crate::{PracticeError, with_skills};
use agon_skill::{Compare, Contract, Kind, Literal, Operand, Proposer, Seed, Seeds, Skill, Train};
use agon_skill_agent::{MakePolicy, PlayConfig, Task, UserConfig, play_watched};
use agon_skill_bank::{
    Bank, State,
    bank::{Entry, Proposal},
    evidence::Figures,
    stats::wilson,
};
use agon_skill_distill::{Ir, refine, split, with_contract};
use agon_skill_runtime::Prepared;
use rl_gym::vocabulary::{Fact, fact};
use serde::Serialize;
use std::{
    collections::BTreeSet,
    sync::{Arc, atomic::Ordering},
};

/// Stream of train seeds that broken skills are played on.
const STREAM: u32 = 6001;
/// Letters of a name at most.
const LONGEST: usize = 64;

/// A skill that broke its contract and was played again.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Tried {
    /// Its name.
    pub name: String,
    /// Its content hash.
    pub hash: String,
    /// Where it stands.
    pub state: State,
    /// Its uses.
    pub uses: usize,
    /// Those of them that kept its contract.
    pub successes: usize,
    /// The rate that it claims.
    pub claimed: f32,
}

/// A new draft: a skill under another contract.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Mended {
    /// Its name.
    pub name: String,
    /// Its content hash.
    pub hash: String,
    /// Name of the skill that it was.
    pub parent: String,
    /// Content hash of that skill.
    pub parent_hash: String,
    /// What it does not promise (or keep) any more.
    pub dropped: Vec<Literal>,
    /// What must hold besides for it to begin.
    pub added: Option<Literal>,
    /// Uses that the new contract was measured by, none of which it was found with.
    pub uses: usize,
    /// Those of them that kept it.
    pub successes: usize,
    /// The rate that it claims now: the lower limit of what was measured.
    pub rate: f32,
}

/// Content hashes of the skills to play again, those that came first first: they broke their contracts of late, and no
/// child tells theirs anew.
pub(super) fn broken(bank: &Bank, config: &UpkeepConfig) -> Result<Vec<String>, PracticeError> {
    let children = bank.entries().filter_map(|e| e.skill.as_ref());
    let tuned = children.filter(|s| s.provenance.proposer == Proposer::Tuned);
    let has_child: BTreeSet<&String> = tuned.flat_map(|s| &s.provenance.parents).collect();
    let mut found = Vec::new();
    for entry in [State::Suspended, State::Retired, State::Rejected].iter().flat_map(|s| bank.at(*s)) {
        let acts = |skill: &Skill| matches!(skill.kind, Kind::Option | Kind::Policy);
        let is_late = bank.round().saturating_sub(entry.round) <= config.rounds;
        if is_late
            && entry.skill.as_ref().is_some_and(acts)
            && !has_child.contains(&entry.hash)
            && has_broken(bank, entry)?
        {
            found.push((entry.came_after, entry.hash.clone()));
        }
    }
    found.sort();
    let first = found.len().saturating_sub(config.most_skills);
    Ok(found.split_off(first).into_iter().map(|f| f.1).collect())
}

/// Whether its last move was for a broken contract. Code that does not do the same twice cannot be mended so.
fn has_broken(bank: &Bank, entry: &Entry) -> Result<bool, PracticeError> {
    let Some(step) = entry.history.last() else { return Ok(false) };
    let pieces = bank.evidence(&entry.hash)?;
    let broke = |figures: &Figures| match figures {
        Figures::Replay(replay) => {
            !replay.runs.is_empty() && replay.runs.iter().all(|run| run.first == run.second)
        }
        Figures::Contract(_) | Figures::Watch(_) => true,
        _ => false,
    };
    Ok(pieces.iter().any(|p| !p.passed() && step.evidence.contains(&p.hash()) && broke(p.figures())))
}

/// Plays a skill again, and proposes it under contracts that its uses bear out.
pub(super) fn mend(
    bank: &mut Bank,
    hash: &str,
    (task, base): (&Task, &MakePolicy),
    config: &UpkeepConfig,
    play: &PlayConfig,
    told: &mut Upkeep,
) -> Result<(), PracticeError> {
    let kit = bank.with_tools(vec![bank.skill(hash)?.clone()]);
    let seeds: Vec<Seed<Train>> = Seeds::new(config.root, STREAM).range(0, config.episodes).collect();
    let player = with_skills(task, base, &kit, &UserConfig::default())?;
    let words = bank.words().clone();
    let played = play_watched(task, &player, &seeds, play, |_| Uses::new(words.clone()))?;
    if play.stop.load(Ordering::Relaxed) {
        return Ok(());
    }
    let mut found: Vec<Use> = Vec::new();
    let mut judge: Vec<Use> = Vec::new();
    let half = played.len() / 2;
    for (i, (_, watch)) in played.into_iter().enumerate() {
        if i < half { &mut found } else { &mut judge }.extend(watch.uses);
    }
    let entry = bank.entry(hash)?;
    let skill = &kit[0];
    told.tried.push(Tried {
        name: entry.name.clone(),
        hash: entry.hash.clone(),
        state: entry.state,
        uses: found.len() + judge.len(),
        successes: found.iter().chain(&judge).filter(|u| u.is_done).count(),
        claimed: skill.contract.rate,
    });
    let ir = std::fs::read_to_string(bank.place(entry).join("ir.json")).ok();
    let parts = Parts { bank, kit: &kit, config };
    let refined = parts.refined(&found, &judge)?;
    let narrowed = parts.narrowed(&found, &judge, refined.is_some())?;
    if let Some(draft) = refined {
        told.refined.extend(arrive(bank, skill, ir.as_deref(), draft, "refined")?);
    }
    for draft in narrowed {
        let suffix = draft.added.as_ref().map(|l| suffix(l, bank.words().facts())).unwrap_or_default();
        told.split.extend(arrive(bank, skill, ir.as_deref(), draft, &suffix)?);
    }
    Ok(())
}

/// A contract that holds.
struct Draft {
    contract: Contract,
    dropped: Vec<Literal>,
    added: Option<Literal>,
    uses: usize,
    successes: usize,
}

/// A skill, first of its kit with its tools, and what is asked of its new contracts.
struct Parts<'a> {
    bank: &'a Bank,
    kit: &'a [Skill],
    config: &'a UpkeepConfig,
}

impl Parts<'_> {
    fn contract(&self) -> &Contract {
        &self.kit[0].contract
    }

    /// The contract without what fails, or with a lesser claim, if that holds and is something else.
    fn refined(&self, found: &[Use], judge: &[Use]) -> Result<Option<Draft>, PracticeError> {
        let contract = self.lesser(found);
        let dropped = dropped(self.contract(), &contract);
        let draft = self.measured(contract, judge, None)?;
        Ok(draft.filter(|d| !dropped.is_empty() || d.contract.rate < self.contract().rate))
    }

    /// The contract without the literals that fail.
    fn lesser(&self, found: &[Use]) -> Contract {
        let skill = &self.kit[0];
        let args: Vec<(String, f32)> = skill.params.iter().map(|p| (p.name.clone(), p.default)).collect();
        let ends: Vec<(Vec<f32>, Vec<f32>)> =
            found.iter().map(|u| (u.start.clone(), u.end.clone())).collect();
        refine(&skill.contract, &ends, self.bank.words().facts(), &args)
    }

    /// The contract with narrower starts, for each part of the starts in which it holds. Where its promise cannot be
    /// kept from any, and no lesser one holds from all, the lesser one is tried.
    fn narrowed(&self, found: &[Use], judge: &[Use], is_refined: bool) -> Result<Vec<Draft>, PracticeError> {
        let own = self.parts_of(self.contract(), found, judge)?;
        let lesser = self.lesser(found);
        if !own.is_empty() || is_refined || dropped(self.contract(), &lesser).is_empty() {
            return Ok(own);
        }
        self.parts_of(&lesser, found, judge)
    }

    fn parts_of(
        &self,
        contract: &Contract,
        found: &[Use],
        judge: &[Use],
    ) -> Result<Vec<Draft>, PracticeError> {
        // Nothing is learned about more or less of a label.
        let facts = self.bank.words().facts();
        let told: Vec<usize> = (0..facts.len()).filter(|f| !facts[*f].is_label).collect();
        let told_facts: Vec<Fact> = told.iter().map(|f| facts[*f]).collect();
        let prepared = self.prepared(contract)?;
        let starts: Vec<(Vec<f32>, bool)> = outcomes(&prepared, found)
            .map(|(u, is_done)| (told.iter().map(|f| u.start[*f]).collect(), is_done))
            .collect();
        let mut parts = Vec::new();
        for literal in split(&starts, &told_facts) {
            let mut narrower = contract.clone();
            narrower.pre.retain(|wide| !literal.implies(wide));
            narrower.pre.push(literal.clone());
            parts.extend(self.measured(narrower, judge, Some(literal))?);
        }
        Ok(parts)
    }

    fn prepared(&self, contract: &Contract) -> Result<Prepared, PracticeError> {
        let skill = Skill { contract: contract.clone(), ..self.kit[0].clone() };
        let tool = |hash: &str| self.bank.tool(hash).cloned().map(Arc::new);
        Ok(Prepared::with_tools(skill, self.bank.game(), self.bank.words().clone(), tool)?)
    }

    /// The contract with the rate that uses bear out, if they are enough and it is.
    fn measured(
        &self,
        mut contract: Contract,
        judge: &[Use],
        added: Option<Literal>,
    ) -> Result<Option<Draft>, PracticeError> {
        let prepared = self.prepared(&contract)?;
        let ended: Vec<bool> = outcomes(&prepared, judge).map(|(_, is_done)| is_done).collect();
        let (uses, successes) = (ended.len(), ended.iter().filter(|done| **done).count());
        if uses < self.config.least_uses.max(1) {
            return Ok(None);
        }
        let low = wilson(successes as u64, uses as u64, 0.95)?.low;
        if low < self.config.least_rate {
            return Ok(None);
        }
        // Two digits, rounded down: more would say what was not measured.
        contract.rate = ((low * 100.0).floor() / 100.0) as f32;
        let dropped = dropped(self.contract(), &contract);
        Ok(Some(Draft { contract, dropped, added, uses, successes }))
    }
}

/// The uses that a contract is about, and whether they kept it. A use of a wider promise may have gone on after the
/// lesser one held, and is judged by how it ended.
fn outcomes<'a>(prepared: &'a Prepared, uses: &'a [Use]) -> impl Iterator<Item = (&'a Use, bool)> + 'a {
    let args = prepared.defaults();
    uses.iter().filter_map(move |used| {
        let (start, end) = (|f: usize| used.start[f], |f: usize| used.end[f]);
        let begins = prepared.applies(start, &args) && !prepared.is_pointless(start, &args);
        let is_kept = if prepared.has_effect() { prepared.is_done(end, start, &args) } else { used.is_done };
        begins.then_some((used, is_kept))
    })
}

/// Literals of effect and invariant that are gone.
fn dropped(old: &Contract, new: &Contract) -> Vec<Literal> {
    let gone = |old: &[Literal], new: &[Literal]| -> Vec<Literal> {
        old.iter().filter(|l| !new.contains(l)).cloned().collect()
    };
    [gone(&old.effect, &new.effect), gone(&old.invariant, &new.invariant)].concat()
}

/// Proposes a skill under another contract; nothing where the bank knows it.
fn arrive(
    bank: &mut Bank,
    skill: &Skill,
    ir: Option<&str>,
    draft: Draft,
    suffix: &str,
) -> Result<Option<Mended>, PracticeError> {
    let form: Option<Ir> = ir.and_then(|text| serde_json::from_str(text).ok());
    let mut child = with_contract(skill, form.as_ref(), draft.contract, &**bank.words());
    child.name = free_name(bank, &skill.name, suffix);
    let (name, rate) = (child.name.clone(), child.contract.rate);
    let Proposal::New(hash) = bank.propose(child, ir)? else { return Ok(None) };
    Ok(Some(Mended {
        name,
        hash,
        parent: skill.name.clone(),
        parent_hash: skill.hash.clone(),
        dropped: draft.dropped,
        added: draft.added,
        uses: draft.uses,
        successes: draft.successes,
        rate,
    }))
}

/// What tells a part from the whole, as the end of a name.
fn suffix(literal: &Literal, facts: &[Fact]) -> String {
    let is_predicate = fact(facts, &literal.fact).is_some_and(|f| facts[f].is_predicate());
    let bare = literal.fact.strip_prefix("is_").or_else(|| literal.fact.strip_prefix("has_"));
    let bare = bare.unwrap_or(&literal.fact);
    match (literal.is, &literal.to) {
        (Compare::AtLeast, _) if is_predicate => format!("if_{bare}"),
        (Compare::AtMost, _) if is_predicate => format!("unless_{bare}"),
        (Compare::AtMost, Operand::Number(_)) => format!("at_low_{bare}"),
        _ => format!("at_high_{bare}"),
    }
}

/// A name that no skill of the bank has.
fn free_name(bank: &Bank, stem: &str, suffix: &str) -> String {
    // One that was refined before is refined again under the same stem.
    let stem = stem.split("_refined").next().unwrap_or(stem);
    let cut = |text: &str, most: usize| text.chars().take(most).collect::<String>();
    let suffix = cut(suffix, LONGEST / 2);
    let mut number = 1;
    loop {
        let end = if number == 1 { format!("_{suffix}") } else { format!("_{suffix}_{number}") };
        let name = cut(stem, LONGEST - end.len()) + &end;
        if bank.entries().all(|e| e.name != name) {
            return name;
        }
        number += 1;
    }
}
