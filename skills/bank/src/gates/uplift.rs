//! G3 and G4: do agents gain by a candidate, and which of a round are believed.

use super::{Settings, Trials, blocks, source};
use crate::{
    BankError, Evidence,
    evidence::{Figures, Multiple, Source, Uplift},
    stats::{Paired, e_bh},
};
use agon_skill::{Gate, Seeds, Skill};

/// One candidate's test.
struct Test {
    paired: Paired,
    differences: Vec<f64>,
    played: u32,
    is_over: bool,
}

/// G3 and G4 for all `candidates` of a round: evidence of the pairs and of the comparison, in their order. Each is
/// tried alone, before all skills of `bank`; `tools` of each go with it.
///
/// All play the same seeds, block by block and in step, so that no test looks at the seeds before another has
/// played them. A test is over when its candidate is accepted by e-BH among the e-values so far (accepted it
/// stays: the others can only come to it), when it is given up, or at the cap. The more candidates, the longer the
/// good ones play.
///
/// # Errors
/// When it cannot be played.
pub fn uplift_gates(
    trials: &mut dyn Trials,
    bank: &[Skill],
    candidates: &[(Skill, Vec<Skill>)],
    seeds: Seeds<Gate>,
    settings: &Settings,
) -> Result<Vec<(Evidence, Evidence)>, BankError> {
    let plan = settings.plan;
    let new =
        || Paired::new(plan).map(|paired| Test { paired, differences: vec![], played: 0, is_over: false });
    let mut tests = candidates.iter().map(|_| new()).collect::<Result<Vec<_>, _>>()?;
    // Seeds may be left out, so the cap is on pairs and twice as much on seeds.
    for range in blocks(seeds, settings.block, plan.cap.saturating_mul(2)) {
        if tests.iter().all(|test| test.is_over) {
            break;
        }
        for (test, (skill, tools)) in tests.iter_mut().zip(candidates).filter(|(test, _)| !test.is_over) {
            for pair in trials.pairs(bank, &joined(skill, tools, bank), range)? {
                if test.paired.is_open() {
                    test.paired.observe(pair.change())?;
                    test.differences.push(pair.change());
                }
            }
            test.played = range.first + range.count;
        }
        // Those below the line of G3 may still fall, so no acceptance may lean on them.
        let shown = |test: &Test| if test.paired.e() >= plan.accept { test.paired.e() } else { 0.0 };
        let accepted = e_bh(&tests.iter().map(shown).collect::<Vec<f64>>(), settings.fdr)?;
        for (i, test) in tests.iter_mut().enumerate() {
            test.is_over = test.is_over || accepted.contains(&i) || !test.paired.is_open();
        }
    }
    let mut pairs = Vec::new();
    for (test, (skill, _)) in tests.iter().zip(candidates) {
        let figures = Figures::Uplift(Uplift { plan, differences: test.differences.clone() });
        pairs.push(Evidence::new(&skill.hash, source(trials, seeds, test.played), figures)?);
    }
    let e_values =
        tests.iter().zip(candidates).map(|(test, (skill, _))| (skill.hash.clone(), test.paired.e()));
    let round = Multiple { e_values: e_values.collect(), fdr: settings.fdr, least: plan.accept };
    let mut out = Vec::new();
    for (pair, (skill, _)) in pairs.into_iter().zip(candidates) {
        let round = Figures::Multiple(round.clone());
        let source = Source { config: trials.config(), ..Source::default() };
        out.push((pair, Evidence::new(&skill.hash, source, round)?));
    }
    Ok(out)
}

/// A skill before all skills of a bank, so that it is the one that is used where several apply.
pub(super) fn joined(skill: &Skill, tools: &[Skill], bank: &[Skill]) -> Vec<Skill> {
    let mut all = vec![skill.clone()];
    for other in tools.iter().chain(bank) {
        if all.iter().all(|s| s.hash != other.hash) {
            all.push(other.clone());
        }
    }
    all
}
