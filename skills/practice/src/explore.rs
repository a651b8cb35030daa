//! Play before any task is given: goals are proposed, tried, verified, diagnosed and distilled. No score of the game is read.

mod report;
mod verify;
mod watch;

pub use report::{PlayReport, play_report};

use crate::{PracticeError, with_skills};
use agon_skill::{Compare, Contract, Literal, Operand, Seed, Seeds, Skill, Train};
use agon_skill_agent::{Arm, Context, MakePolicy, PlayConfig, Task, UserConfig, play_watched};
use agon_skill_distill::{
    Candidate, Config, DistillError, PickConfig, Proposers, Rollouts, propose as propose_skills,
    with_contract,
};
use rl_gym::Vocabulary;
use serde::Serialize;
use std::sync::Arc;
use verify::Trial;
use watch::{Aim, Flips, STEP, WAY};

/// How an agent plays around.
#[derive(Clone, PartialEq, Debug)]
pub struct ExploreConfig {
    /// Passes; a later one plays with the skills of the earlier ones, so that it reaches further.
    pub passes: u32,
    /// Train episodes of a pass.
    pub episodes: u32,
    /// Goals of a pass that are to give a skill.
    pub goals: usize,
    /// Share of episodes in which a goal comes about by itself: below is out of reach, ...
    pub hard: f64,
    /// ... and above is no challenge.
    pub easy: f64,
    /// Train episodes in which a skill is verified.
    pub verify: u32,
    /// Least lower limit (Wilson, 95 %) of the share of uses that bring the goal about.
    pub least_rate: f64,
    /// Narrower preconditions that are tried on a skill that fails.
    pub repairs: u32,
    /// Skills of one goal.
    pub per_goal: usize,
    /// Whether goals are proposed, verified and diagnosed as said. Otherwise as many are drawn at random, and what is mined
    /// is kept as it is: the control.
    pub is_directed: bool,
    /// Root of the seeds.
    pub root: u64,
    /// The miner.
    pub miner: Config,
}

impl Default for ExploreConfig {
    fn default() -> Self {
        Self {
            passes: 3,
            episodes: 300,
            goals: 8,
            hard: 0.03,
            easy: 0.98,
            verify: 150,
            least_rate: 0.6,
            repairs: 2,
            per_goal: 2,
            is_directed: true,
            root: 1,
            miner: Config::default(),
        }
    }
}

/// A goal of play, and what came of it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Goal {
    /// Pass in which it was tried, from 0.
    pub pass: u32,
    /// The predicate that is to come about.
    pub fact: String,
    /// Share of episodes in which it did by itself.
    pub rate: f64,
    /// Skills that were mined for it.
    pub mined: usize,
    /// What verifying them gave, repaired ones included: name, successes, uses.
    pub verified: Vec<(String, u64, u64)>,
    /// Names of those that were kept.
    pub kept: Vec<String>,
}

/// What play gave.
#[derive(Clone, PartialEq, Debug)]
pub struct Explored {
    /// Its goals.
    pub goals: Vec<Goal>,
    /// The skills, in the order in which they were found.
    pub skills: Vec<Candidate>,
    /// Episodes played.
    pub episodes: u64,
}

/// Lets `base` play `task` without regard to its score and gives the skills that it finds.
///
/// # Errors
/// What the game says about its options, and words that are no numbers.
pub fn explore(
    task: &Task,
    base: &MakePolicy,
    config: &ExploreConfig,
    play_config: &PlayConfig,
) -> Result<Explored, PracticeError> {
    let words = task.words()?;
    let predicates = Arc::new(Context::predicates(words.facts()));
    let mut found = Explored { goals: Vec::new(), skills: Vec::new(), episodes: 0 };
    let mut tried: Vec<usize> = Vec::new();
    for pass in 0..config.passes {
        let skills: Vec<Skill> = found.skills.iter().map(|c| c.skill.clone()).collect();
        // Half of the chances are left to chance, so that new things happen.
        let player = with_skills(task, base, &skills, &UserConfig { share: 0.5, ..UserConfig::default() })?;
        let seeds: Vec<Seed<Train>> =
            Seeds::new(config.root, 4000 + pass).range(0, config.episodes).collect();
        let watched = play_watched(task, &player, &seeds, play_config, |_| Flips {
            words: words.clone(),
            predicates: predicates.clone(),
            held: None,
            came: vec![false; predicates.len()],
        })?;
        found.episodes += watched.len() as u64;
        let rates: Vec<f64> = (0..predicates.len())
            .map(|i| watched.iter().filter(|(_, w)| w.came[i]).count() as f64 / watched.len().max(1) as f64)
            .collect();
        let mut reached = 0;
        for goal in propose(&rates, &tried, config, pass) {
            if reached >= config.goals {
                break;
            }
            tried.push(goal);
            let fact = predicates[goal];
            let rollouts = aim(task, &player, fact, &seeds, play_config)?;
            let mined = mine(&rollouts, words.facts()[fact].name, &*words, config)?;
            let mut told = Goal {
                pass,
                fact: words.facts()[fact].name.into(),
                rate: rates[goal],
                mined: mined.len(),
                verified: Vec::new(),
                kept: Vec::new(),
            };
            for candidate in mined {
                let kept = if config.is_directed {
                    let stream = 5000 + (found.goals.len() * 64 + told.verified.len()) as u32;
                    let trial = Trial { task, base, words: &*words, stream, config, play_config };
                    let (kept, played) = trial.verify(candidate, &mut told)?;
                    found.episodes += played;
                    kept
                } else {
                    Some(candidate)
                };
                let Some(candidate) = kept else { continue };
                let is_new = found.skills.iter().all(|c| c.skill.hash != candidate.skill.hash);
                if is_new && told.kept.len() < config.per_goal {
                    let candidate = apart(candidate, &found.skills);
                    told.kept.push(candidate.skill.name.clone());
                    found.skills.push(candidate);
                }
            }
            reached += usize::from(!told.kept.is_empty());
            found.goals.push(told);
        }
    }
    Ok(found)
}

/// The skill under a name that none of `others` has.
fn apart(mut candidate: Candidate, others: &[Candidate]) -> Candidate {
    let stem: String = candidate.skill.name.chars().take(60).collect();
    let mut number = 1;
    while others.iter().any(|c| c.skill.name == candidate.skill.name) {
        number += 1;
        candidate.skill.name = format!("{stem}_{number}");
    }
    candidate
}

/// Goals of a pass, as numbers of predicates: neither trivial nor impossible, the rarest first.
fn propose(rates: &[f64], tried: &[usize], config: &ExploreConfig, pass: u32) -> Vec<usize> {
    let mut open: Vec<usize> = (0..rates.len()).filter(|i| !tried.contains(i)).collect();
    if config.is_directed {
        open.retain(|i| (config.hard..=config.easy).contains(&rates[*i]));
        open.sort_by(|a, b| rates[*a].total_cmp(&rates[*b]).then(a.cmp(b)));
    } else {
        // What never happens cannot be mined, so it would not even be a control.
        open.retain(|i| rates[*i] > 0.0);
        Seeds::<Train>::new(config.root, 4500).get(pass).rng(0).shuffle(&mut open);
    }
    open
}

/// Rollouts in which the coming about of a predicate is the only reward.
fn aim(
    task: &Task,
    player: &Arm,
    fact: usize,
    seeds: &[Seed<Train>],
    play_config: &PlayConfig,
) -> Result<Rollouts, PracticeError> {
    let (id, words) = (task.game.id(), task.words()?);
    let played = play_watched(task, player, seeds, play_config, |seed| {
        let mut rollouts = Rollouts::in_words(&id, words.clone());
        let trace = rollouts.begin(seed.number().into(), seed, 0, WAY);
        Aim { rollouts, trace, fact, held: None, seed, last: None, is_over: false, error: None }
    })?;
    let mut all = Rollouts::in_words(&id, words.clone());
    for (_, aim) in played {
        if let Some(error) = aim.error {
            return Err(error.into());
        }
        if aim.is_over {
            all.absorb(aim.rollouts)?;
        }
    }
    Ok(all)
}

/// Skills mined for the goal that are tried.
const MOST_TRIED: usize = 6;

/// Skills that may bring the goal about.
fn mine(
    rollouts: &Rollouts,
    goal: &str,
    words: &dyn Vocabulary,
    config: &ExploreConfig,
) -> Result<Vec<Candidate>, PracticeError> {
    // The last steps of all ways that led there, and what is common to longer ways.
    let picks = PickConfig { player: Some(STEP.into()), min_decisions: 10, ..PickConfig::default() };
    let proposers = Proposers { miner: config.miner.clone(), picks: vec![picks], policies: Vec::new() };
    let mut mined = match propose_skills(rollouts, &proposers) {
        Ok(mined) => mined.candidates,
        Err(DistillError::Empty { .. }) => Vec::new(),
        Err(error) => return Err(error.into()),
    };
    // Short ways first; of equals, those whose choices say most.
    let telling = |c: &Candidate| {
        let gain = |(own, blind): (&f64, &f64)| own - blind;
        c.evidence.accuracy.iter().zip(&c.evidence.blind).map(gain).fold(0.0, f64::max)
    };
    mined.sort_by(|a, b| {
        let length = |c: &Candidate| c.ir.selectors().len();
        length(a).cmp(&length(b)).then(telling(b).total_cmp(&telling(a)))
    });
    mined.truncate(MOST_TRIED);
    Ok(mined.into_iter().map(|c| aimed(c, goal, words)).collect())
}

/// The skill with the goal as its promise: what it was found for, whether it holds is for the verification to say.
fn aimed(candidate: Candidate, goal: &str, words: &dyn Vocabulary) -> Candidate {
    let Candidate { skill: mined, ir, evidence } = candidate;
    let reached = Literal { fact: goal.into(), is: Compare::AtLeast, to: Operand::Number(1.0) };
    let within = mined.contract.within.max(1);
    let contract = Contract { effect: vec![reached], within, ..mined.contract.clone() };
    let mut skill = with_contract(&mined, Some(&ir), contract, words);
    // No bank knows the skill that it was before.
    skill.provenance = mined.provenance;
    let stem = mined.name.split("_for_").next().unwrap_or_default();
    let name = format!("{stem}_for_{goal}");
    skill.name = if name.len() <= 64 { name } else { stem.chars().take(64).collect() };
    Candidate { skill, ir, evidence }
}
