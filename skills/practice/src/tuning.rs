//! Other numbers for a skill, tried on train seeds.

use crate::{PracticeError, compare::mean_score, with_skills};
use agon_skill::{Seed, Seeds, Skill, Train};
use agon_skill_agent::{MakePolicy, PlayConfig, Task, UserConfig, play};
use agon_skill_bank::Bank;
use agon_skill_distill::{Candidate, Evidence, Ir, Ladder, Tuned, tune};
use std::fs;

/// Stream of the train seeds that variants are played on.
const STREAM: u32 = 7000;

/// Varies the numbers in the code of a skill of `bank` (weights, bounds, repetitions) by successive halving: many variants on
/// few train seeds, then the better half on twice as many. `ladder.budget` counts seeds. A winner is a new version of the
/// skill, to be proposed like any other; nothing is written here.
///
/// # Errors
/// When there is no such skill, its code was not printed from an intermediate form, or a variant cannot be played.
pub fn tune_skill(
    bank: &Bank,
    hash: &str,
    task: &Task,
    base: &MakePolicy,
    ladder: &Ladder,
    root: u64,
    play_config: &PlayConfig,
) -> Result<Tuned, PracticeError> {
    let skill = bank.skill(hash)?.clone();
    let path = bank.place(bank.entry(hash)?).join("ir.json");
    let wrong = |why: String| PracticeError::Request(format!("{}: {why}", path.display()));
    let text = fs::read_to_string(&path).map_err(|e| {
        wrong(format!(
            "{e}: the numbers of {} cannot be varied, since its code was written by hand; edit it instead",
            skill.name
        ))
    })?;
    let ir: Ir =
        serde_json::from_str(&text).map_err(|e| wrong(format!("no intermediate form of a skill: {e}")))?;
    let candidate = Candidate { skill, ir, evidence: Evidence::default() };
    let mut failed = None;
    let mut score = |skill: &Skill, budget: u32| -> f64 {
        let tried = || -> Result<f64, PracticeError> {
            let player =
                with_skills(task, base, &bank.with_tools(vec![skill.clone()]), &UserConfig::default())?;
            let seeds: Vec<Seed<Train>> = Seeds::new(root, STREAM).range(0, budget).collect();
            let played = play(task, &player, &seeds, play_config)?;
            Ok(mean_score(&played))
        };
        tried().unwrap_or_else(|error| {
            failed.get_or_insert(error);
            f64::NAN
        })
    };
    let tuned = tune(&candidate, bank.words(), ladder, &mut score)?;
    match failed {
        Some(error) => Err(error),
        None => Ok(tuned),
    }
}
