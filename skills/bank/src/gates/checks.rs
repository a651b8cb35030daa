//! G0 to G2: is it a skill, does it do the same twice, does it keep its contract.

use super::{Settings, Trials, blocks, source};
use crate::{
    Bank, BankError, Evidence,
    evidence::{Contract, Figures, Replay, Source, Static},
};
use agon_skill::{Gate, Kind, Seeds, Skill};
use agon_skill_runtime::{Machine, Prepared, lint};
use rl_gym::Pcg64;
use std::sync::Arc;

/// G0: it is written in the bank's words, its budget is there, nothing forbidden is seen in it, and its code loads.
///
/// # Errors
/// Never for what is wrong with the skill: that is in the evidence.
pub fn static_gate(bank: &Bank, skill: &Skill) -> Result<Evidence, BankError> {
    let mut findings: Vec<String> = Vec::new();
    // A tool is a table of functions: it has no `run`.
    let is_tool = skill.kind == Kind::Tool;
    for finding in lint(&skill.code) {
        if !(is_tool && finding.what.contains("there is no `run`")) {
            findings.push(format!("line {}: {}", finding.line, finding.what));
        }
    }
    let tool = |hash: &str| bank.tool(hash).cloned().map(Arc::new);
    match Prepared::with_tools(skill.clone(), bank.game(), bank.words().clone(), tool) {
        Err(error) => findings.push(error.to_string()),
        Ok(_) if is_tool => {}
        Ok(prepared) => {
            let args = prepared.defaults();
            if let Err(abort) = Machine::new(Arc::new(prepared)).begin(&args, Pcg64::seed(0)) {
                findings.push(abort.to_string());
            }
        }
    }
    Evidence::new(&skill.content_hash(), Source::default(), Figures::Static(Static { findings }))
}

/// G1: two runs from each of the starts that it was found at act alike, and its effect comes about as claimed.
///
/// # Errors
/// When it cannot be played.
pub fn replay_gate(trials: &mut dyn Trials, skill: &Skill, tools: &[Skill]) -> Result<Evidence, BankError> {
    let runs = trials.replays(skill, tools)?;
    let figures = Figures::Replay(Replay { runs, claim: claim(skill) });
    let source = Source { seeds: "train".into(), config: trials.config() };
    Evidence::new(&skill.hash, source, figures)
}

/// G2: on fresh seeds, started where its precondition holds, its effect comes about at a rate whose lower limit is
/// high enough. It ends early only when it can no more be passed.
///
/// # Errors
/// When it cannot be played.
pub fn contract_gate(
    trials: &mut dyn Trials,
    skill: &Skill,
    tools: &[Skill],
    seeds: Seeds<Gate>,
    settings: &Settings,
) -> Result<Evidence, BankError> {
    let mut figures = Contract {
        successes: 0,
        uses: 0,
        planned: u64::from(settings.uses).max(Contract::FEWEST),
        claim: claim(skill),
        least: settings.least_rate,
        slack: settings.rate_slack,
    };
    let mut played = 0;
    let mut is_lost = false;
    for range in blocks(seeds, settings.block, settings.seeds) {
        let left = (figures.planned - figures.uses) as usize;
        for is_done in trials.uses(skill, tools, range)?.into_iter().take(left) {
            figures.uses += 1;
            figures.successes += u64::from(is_done);
        }
        played = range.first + range.count;
        is_lost = !figures.would_pass(figures.successes + figures.planned - figures.uses)?;
        if is_lost || figures.uses == figures.planned {
            break;
        }
    }
    // How many uses all seeds gave does not depend on how they ended, so they are as good as planned.
    if !is_lost && figures.uses >= Contract::FEWEST {
        figures.planned = figures.uses;
    }
    Evidence::new(&skill.hash, source(trials, seeds, played), Figures::Contract(figures))
}

/// The rate of success that a skill claims.
pub(super) fn claim(skill: &Skill) -> f64 {
    f64::from(skill.contract.rate)
}
