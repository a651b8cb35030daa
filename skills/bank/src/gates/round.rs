//! A round: every skill of a bank goes as far as its evidence carries it.

use super::{
    SeedRange, Settings, Trials, checks::claim, contract_gate, probation, regression_gate, replay_gate,
    shadow_gate, static_gate, uplift::joined, uplift_gates,
};
use crate::{
    Bank, BankError, Evidence, State,
    bank::PruneWhy,
    evidence::{Figures, Source},
};
use agon_skill::{Gate, Kind, Seeds, Skill};
use serde::Serialize;
use std::collections::BTreeMap;

/// Streams of seeds: 0 is the suite of G5, the same in every round; each round has 16 of its own.
const SUITE: u32 = 0;
const PER_ROUND: u32 = 16;

/// What a round did.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Account {
    /// Its number.
    pub round: u64,
    /// Skills that moved, by content hash, in order: from where to where.
    pub moved: Vec<(String, State, State)>,
    /// Skills that were retired, and why.
    pub retired: Vec<PruneWhy>,
    /// The snapshot at its end, if what is active has changed.
    pub snapshot: Option<u64>,
}

/// One round: drafts are looked at, candidates and suspended skills tried, shadows and active skills watched,
/// provisional ones used, needless ones retired. Seeds under `root` that no round before it has played, but for
/// the suite of G5.
///
/// Each skill goes one stage a round, so that what it does in the next is measured with the bank as it is then.
/// # Errors
/// When something cannot be played or written. What was decided before stands; the next round goes on from there.
pub fn run_round(
    bank: &mut Bank,
    trials: &mut dyn Trials,
    root: u64,
    settings: &Settings,
) -> Result<Account, BankError> {
    bank.set_monitor_rule(settings.monitor);
    let active_before = hashes(bank, State::Active);
    let round = bank.begin_round()?;
    let mut account = Account { round, ..Account::default() };
    let base = u32::try_from(round).unwrap_or(u32::MAX / PER_ROUND).saturating_mul(PER_ROUND);
    let stream = |gate: u32| Seeds::<Gate>::new(root, base.saturating_add(gate));
    // From the end of the life to its beginning: nothing moves twice.
    let suspended = hashes(bank, State::Suspended);
    account.watch(bank, trials, stream(10), settings)?;
    for hash in hashes(bank, State::Provisional) {
        if let Some(evidence) = probation(bank, trials, &hash, stream(7), settings)? {
            account.present(bank, &hash, &[evidence])?;
        }
    }
    for hash in hashes(bank, State::Shadow) {
        let (skill, kit) = (bank.skill(&hash)?.clone(), bank.skills_at(State::Active));
        let kit = bank.with_tools([vec![skill.clone()], kit].concat());
        let predicted = measured_rate(bank, &hash)?;
        let evidence = shadow_gate(trials, (&skill, predicted), &kit[1..], stream(6), settings)?;
        account.present(bank, &hash, &[evidence])?;
    }
    account.again(bank, trials, suspended, [stream(8), stream(9)], settings)?;
    account.admit(bank, trials, [stream(2), stream(3), Seeds::new(root, SUITE)], settings)?;
    for hash in hashes(bank, State::Draft) {
        let evidence = static_gate(bank, bank.skill(&hash)?)?;
        account.present(bank, &hash, &[evidence])?;
    }
    account.retired = bank.prune(settings.prune)?;
    if hashes(bank, State::Active) != active_before {
        account.snapshot = Some(bank.snapshot(&format!("round {round}"))?);
    }
    Ok(account)
}

/// Content hashes of the skills at a state. Tools rest as candidates.
fn hashes(bank: &Bank, state: State) -> Vec<String> {
    let acts = |skill: &Skill| state == State::Draft || skill.kind != Kind::Tool;
    bank.at(state).filter(|e| e.skill.as_ref().is_some_and(acts)).map(|e| e.hash.clone()).collect()
}

/// Probability of a skill's effect as G2 measured it last.
fn measured_rate(bank: &Bank, hash: &str) -> Result<f64, BankError> {
    let claim = claim(bank.skill(hash)?);
    for piece in bank.evidence(hash)?.iter().rev() {
        if let Figures::Contract(figures) = piece.figures() {
            return Ok(figures.rate()?.estimate);
        }
    }
    Ok(claim)
}

impl Account {
    fn present(&mut self, bank: &mut Bank, hash: &str, evidence: &[Evidence]) -> Result<State, BankError> {
        let from = bank.entry(hash)?.state;
        let to = bank.present(hash, evidence)?;
        self.moved.push((hash.into(), from, to));
        Ok(to)
    }

    /// Uses every active skill, plays the same without it, and writes down what came of it.
    fn watch(
        &mut self,
        bank: &mut Bank,
        trials: &mut dyn Trials,
        seeds: Seeds<Gate>,
        settings: &Settings,
    ) -> Result<(), BankError> {
        let range = SeedRange { seeds, first: 0, count: settings.watch };
        for hash in hashes(bank, State::Active) {
            let skill = bank.skill(&hash)?.clone();
            let mut rest = bank.skills_at(State::Active);
            rest.retain(|other| other.hash != hash);
            let tried = trials.probation(&skill, &rest, 1.0, range)?;
            let source = Source { seeds: range.to_string(), config: trials.config() };
            if bank.record(&hash, tried.written("watch", source))?.is_some() {
                self.moved.push((hash, State::Active, State::Suspended));
            }
        }
        Ok(())
    }

    /// G1 and G2 of one skill; `None` when it failed and has moved.
    fn checks(
        &mut self,
        bank: &mut Bank,
        trials: &mut dyn Trials,
        hash: &str,
        seeds: Seeds<Gate>,
        settings: &Settings,
    ) -> Result<Option<Vec<Evidence>>, BankError> {
        let kit = bank.with_tools(vec![bank.skill(hash)?.clone()]);
        let (skill, tools) = (&kit[0], &kit[1..]);
        let replay = replay_gate(trials, skill, tools)?;
        if !replay.passed() {
            self.present(bank, hash, &[replay])?;
            return Ok(None);
        }
        let contract = contract_gate(trials, skill, tools, seeds, settings)?;
        let is_kept = contract.passed();
        let evidence = vec![replay, contract];
        if !is_kept {
            self.present(bank, hash, &evidence)?;
            return Ok(None);
        }
        Ok(Some(evidence))
    }

    /// Skills that pass G1 and G2, with the evidence, and evidence of their pairs.
    fn tried(
        &mut self,
        bank: &mut Bank,
        trials: &mut dyn Trials,
        skills: Vec<String>,
        seeds: [Seeds<Gate>; 2],
        settings: &Settings,
    ) -> Result<Vec<Tested>, BankError> {
        let mut kits = Vec::new();
        let mut checked = BTreeMap::new();
        for hash in skills {
            if let Some(evidence) = self.checks(bank, trials, &hash, seeds[0], settings)? {
                let mut kit = bank.with_tools(vec![bank.skill(&hash)?.clone()]);
                kits.push((kit.remove(0), kit));
                checked.insert(hash, evidence);
            }
        }
        let active = bank.skills_at(State::Active);
        let pairs = uplift_gates(trials, &active, &kits, seeds[1], settings)?;
        let tested = kits.into_iter().zip(pairs).map(|((skill, tools), (pairs, round))| {
            let checks = checked.remove(&skill.hash).unwrap_or_default();
            Tested { skill, tools, checks, pairs, round }
        });
        Ok(tested.collect())
    }

    /// Suspended skills through G1 to G3.
    fn again(
        &mut self,
        bank: &mut Bank,
        trials: &mut dyn Trials,
        skills: Vec<String>,
        seeds: [Seeds<Gate>; 2],
        settings: &Settings,
    ) -> Result<(), BankError> {
        for mut tested in self.tried(bank, trials, skills, seeds, settings)? {
            tested.checks.push(tested.pairs);
            self.present(bank, &tested.skill.hash, &tested.checks)?;
        }
        Ok(())
    }

    /// Candidates through G1 to G5. G5 takes them one after the other, the greatest e-value first, each with those
    /// that were admitted before it.
    fn admit(
        &mut self,
        bank: &mut Bank,
        trials: &mut dyn Trials,
        seeds: [Seeds<Gate>; 3],
        settings: &Settings,
    ) -> Result<(), BankError> {
        let [uses, pairs, suite] = seeds;
        let mut tested = self.tried(bank, trials, hashes(bank, State::Candidate), [uses, pairs], settings)?;
        tested.sort_by(|a, b| b.e().total_cmp(&a.e()).then_with(|| a.skill.hash.cmp(&b.skill.hash)));
        let mut before = bank.skills_at(State::Active);
        for Tested { skill, tools, checks: mut evidence, pairs, round } in tested {
            let is_accepted = pairs.passed() && round.passed();
            evidence.extend([pairs, round]);
            if is_accepted {
                let after = joined(&skill, &tools, &before);
                let regression = regression_gate(trials, &skill.hash, &before, &after, suite, settings)?;
                if regression.passed() {
                    before = after;
                }
                evidence.push(regression);
            }
            self.present(bank, &skill.hash, &evidence)?;
        }
        Ok(())
    }
}

/// A skill with its evidence so far.
struct Tested {
    skill: Skill,
    tools: Vec<Skill>,
    checks: Vec<Evidence>,
    pairs: Evidence,
    round: Evidence,
}

impl Tested {
    fn e(&self) -> f64 {
        match self.pairs.figures() {
            Figures::Uplift(pairs) => pairs.e().unwrap_or_default(),
            _ => 0.0,
        }
    }
}
