//! G5 to G7, and old snapshots again.

use super::{SeedRange, Settings, Trials, blocks, checks::claim, source};
use crate::{
    Bank, BankError, Evidence, State,
    evidence::{Chance, Figures, Regression, Shadow, Source},
    stats::{Interval, interval},
};
use agon_skill::{Gate, Seeds, Skill};
use std::collections::BTreeMap;

/// G5: the bank `after` against the bank `before`, on the suite that these seeds are, family by family, and
/// against each other. All of the suite is played: a test that ended as soon as it passed would end before a
/// family shows its harm.
///
/// # Errors
/// When it cannot be played.
pub fn regression_gate(
    trials: &mut dyn Trials,
    skill: &str,
    before: &[Skill],
    after: &[Skill],
    suite: Seeds<Gate>,
    settings: &Settings,
) -> Result<Evidence, BankError> {
    let mut figures = Regression { families: BTreeMap::new(), duel: Vec::new(), rule: settings.regression };
    let mut played = 0;
    for range in blocks(suite, settings.block, settings.suite.saturating_mul(10)) {
        // Longer than the suite only until each family has its pairs.
        let few = |changes: &Vec<f64>| (changes.len() as u64) < settings.regression.family_pairs;
        if range.first >= settings.suite && !figures.families.values().any(few) {
            break;
        }
        for pair in trials.pairs(before, after, range)? {
            figures.families.entry(pair.family.clone()).or_default().push(pair.change());
        }
        figures.duel.extend(trials.duels(before, after, range)?);
        played = range.first + range.count;
    }
    Evidence::new(skill, source(trials, suite, played), Figures::Regression(figures))
}

/// G6: what it would have done where it would have begun is what `predicted` says, the probability of its effect
/// as G2 measured it (a claim is meant to be on the safe side, and so is no prediction). Fewer chances than the
/// rule wants do not pass.
///
/// # Errors
/// When it cannot be played.
pub fn shadow_gate(
    trials: &mut dyn Trials,
    (skill, predicted): (&Skill, f64),
    bank: &[Skill],
    seeds: Seeds<Gate>,
    settings: &Settings,
) -> Result<Evidence, BankError> {
    let mut chances: Vec<Chance> = Vec::new();
    let mut played = 0;
    for range in blocks(seeds, settings.block, settings.seeds) {
        let tried = trials.shadow(skill, bank, range)?;
        chances.extend(tried.into_iter().map(|(happened, without)| Chance { predicted, happened, without }));
        played = range.first + range.count;
        // Their number alone ends it, not what they say.
        if chances.len() as u64 >= settings.shadow.chances {
            break;
        }
    }
    let figures = Figures::Shadow(Shadow { chances, rule: settings.shadow });
    Evidence::new(&skill.hash, source(trials, seeds, played), figures)
}

/// G7: uses a provisional skill in a share of the episodes, writes the uses down, and gives the evidence when it
/// has used it often enough or an alarm has come. `None` when the seeds gave too few uses: it goes on in the next
/// round.
///
/// # Errors
/// When it cannot be played, or the bank not be written.
pub fn probation(
    bank: &mut Bank,
    trials: &mut dyn Trials,
    hash: &str,
    seeds: Seeds<Gate>,
    settings: &Settings,
) -> Result<Option<Evidence>, BankError> {
    let skill = bank.skill(hash)?.clone();
    let kit = bank.with_tools([vec![skill.clone()], bank.skills_at(State::Active)].concat());
    let rule = settings.monitor;
    for range in blocks(seeds, settings.block, settings.seeds) {
        let tried = trials.probation(&skill, &kit[1..], rule.cap, range)?;
        let source = Source { seeds: range.to_string(), config: trials.config() };
        bank.record(hash, tried.written("probation", source))?;
        let mut monitor = bank.entry(hash)?.monitor.clone();
        (monitor.rule, monitor.claim) = (rule, claim(&skill));
        if monitor.is_long() || monitor.probation()?.is_some() {
            // Where each use can be seen again is among the figures: they may be of several rounds.
            return Ok(Some(Evidence::new(hash, Source::default(), Figures::Probation(monitor))?));
        }
    }
    Ok(None)
}

/// Plays what was active at each snapshot against what is active now, on the same suite: what the bank now gained,
/// with 95 % limits. A snapshot whose upper limit is below 0 was better: [`Bank::go_back`] goes there. Snapshots
/// that cannot be read, or hold skills that cannot, are left out.
///
/// # Errors
/// When it cannot be played.
pub fn reevaluate(
    bank: &Bank,
    trials: &mut dyn Trials,
    suite: SeedRange,
) -> Result<Vec<(u64, Interval)>, BankError> {
    let now = bank.skills_at(State::Active);
    let mut out = Vec::new();
    for number in bank.snapshots() {
        let Ok(snapshot) = bank.read_snapshot(number) else { continue };
        let then: Result<Vec<Skill>, _> =
            snapshot.active.iter().map(|member| bank.skill(&member.hash).cloned()).collect();
        let Ok(then) = then else { continue };
        let then = bank.with_tools(then);
        let changes: Vec<f64> = trials.pairs(&then, &now, suite)?.iter().map(super::Pair::change).collect();
        out.push((number, interval(&changes, 0.95)?));
    }
    Ok(out)
}
