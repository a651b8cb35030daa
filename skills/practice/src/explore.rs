//! Play before any task is given: goals are proposed, tried, verified, diagnosed and distilled. No score of the game is read.

use crate::{
    Comparison, LearnConfig, PracticeError, chain::names, compare, learn, learn::chosen, with_skills,
};
use agon_skill::{Compare, Literal, Operand, Proposer, Report, Seed, Seeds, Skill, Train};
use agon_skill_agent::{
    Arm, Context, Ended, Episode, MakePolicy, PlayConfig, Status, Task, UserConfig, Watch, arm, play,
    play_watched,
};
use agon_skill_bank::stats::wilson;
use agon_skill_distill::{Candidate, Config, DistillError, Rollouts, TraceId, distill, print};
use rl_gym::{Bits, Vocabulary};
use serde::Serialize;
use std::sync::Arc;

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

/// Notes which predicates came about that did not hold before.
struct Flips {
    words: Arc<dyn Vocabulary>,
    predicates: Arc<Vec<usize>>,
    held: Option<Vec<bool>>,
    came: Vec<bool>,
}

impl Flips {
    fn look(&mut self, obs: &[u8]) {
        let now: Vec<bool> = self.predicates.iter().map(|f| self.words.fact(obs, *f) >= 0.5).collect();
        if let Some(held) = &self.held {
            for (came, (now, held)) in self.came.iter_mut().zip(now.iter().zip(held)) {
                *came |= *now && !held;
            }
        }
        self.held = Some(now);
    }
}

impl Watch for Flips {
    fn decision(&mut self, obs: &[u8], _: Bits<'_>, _: u32) {
        self.look(obs);
    }

    fn reward(&mut self, _: f32) {}

    fn end(&mut self, obs: Option<&[u8]>, _: &Episode) {
        if let Some(obs) = obs {
            self.look(obs);
        }
    }
}

/// Writes an episode down until a predicate comes about, which is its only reward.
struct Aim {
    rollouts: Rollouts,
    trace: TraceId,
    fact: usize,
    held: Option<bool>,
    is_over: bool,
    error: Option<DistillError>,
}

impl Aim {
    fn note<T>(&mut self, result: Result<T, DistillError>) {
        if let (None, Err(error)) = (&self.error, result) {
            self.error = Some(error);
        }
    }

    /// Whether the predicate came about with this observation.
    fn has_come(&mut self, obs: &[u8]) -> bool {
        let now = self.rollouts.words().fact(obs, self.fact) >= 0.5;
        self.held.replace(now).is_some_and(|held| now && !held)
    }

    fn close(&mut self, obs: Option<&[u8]>, has_come: bool) {
        self.is_over = true;
        if has_come {
            let paid = self.rollouts.reward(self.trace, 1.0);
            self.note(paid);
        }
        let ended = self.rollouts.end(self.trace, obs, f64::from(u8::from(has_come)));
        self.note(ended);
    }
}

impl Watch for Aim {
    fn decision(&mut self, obs: &[u8], mask: Bits<'_>, action: u32) {
        if self.is_over {
            return;
        }
        if self.has_come(obs) {
            return self.close(Some(obs), true);
        }
        match self.rollouts.decision(self.trace, obs, mask, action) {
            Err(DistillError::Illegal { .. }) => {}
            result => self.note(result),
        }
    }

    fn reward(&mut self, _: f32) {}

    fn end(&mut self, obs: Option<&[u8]>, episode: &Episode) {
        if !self.is_over && episode.status == Status::Ended {
            let has_come = obs.is_some_and(|obs| self.has_come(obs));
            self.close(obs, has_come);
        }
    }
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
            let mined = mine(&rollouts, words.facts()[fact].name, config)?;
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
                    let test = (found.goals.len() * 64 + told.verified.len()) as u32;
                    verify(
                        task,
                        base,
                        candidate,
                        test,
                        &*words,
                        config,
                        play_config,
                        &mut told,
                        &mut found.episodes,
                    )?
                } else {
                    Some(candidate)
                };
                let Some(candidate) = kept else { continue };
                let is_new = found.skills.iter().all(|c| c.skill.hash != candidate.skill.hash);
                if is_new && told.kept.len() < config.per_goal {
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
        let trace = rollouts.begin(seed.number().into(), seed, 0, "play");
        Aim { rollouts, trace, fact, held: None, is_over: false, error: None }
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

/// Skills whose effect is the goal.
fn mine(rollouts: &Rollouts, goal: &str, config: &ExploreConfig) -> Result<Vec<Candidate>, PracticeError> {
    let mined = match distill(rollouts, &config.miner) {
        Ok(mined) => mined.candidates,
        Err(DistillError::Empty { .. }) => Vec::new(),
        Err(error) => return Err(error.into()),
    };
    let reaches = |l: &Literal| {
        let up = match (&l.to, l.is) {
            (Operand::Number(x), Compare::AtLeast | Compare::Equal) => *x >= 0.5,
            (Operand::Change { start_plus }, Compare::AtLeast) => *start_plus >= 0.5,
            _ => false,
        };
        up && l.fact == goal
    };
    Ok(mined.into_iter().filter(|c| c.skill.contract.effect.iter().any(reaches)).take(4).collect())
}

/// Tries a skill on fresh train seeds, and narrower versions of it where it fails; gives the one that holds what it promises.
#[expect(clippy::too_many_arguments, reason = "one call, all of it needed")]
fn verify(
    task: &Task,
    base: &MakePolicy,
    mut candidate: Candidate,
    test: u32,
    words: &dyn Vocabulary,
    config: &ExploreConfig,
    play_config: &PlayConfig,
    told: &mut Goal,
    episodes: &mut u64,
) -> Result<Option<Candidate>, PracticeError> {
    for repair in 0..=config.repairs {
        let user = UserConfig { contexts: true, ..UserConfig::default() };
        let player = with_skills(task, base, std::slice::from_ref(&candidate.skill), &user)?;
        let seeds: Vec<Seed<Train>> =
            Seeds::new(config.root, 5000 + test).range(repair * config.verify, config.verify).collect();
        let played = play(task, &player, &seeds, play_config)?;
        *episodes += played.len() as u64;
        let uses: Vec<(Context, bool)> =
            played.iter().flat_map(|e| &e.uses).map(|u| (u.context, u.ended == Ended::Done)).collect();
        let done = uses.iter().filter(|(_, done)| *done).count() as u64;
        told.verified.push((candidate.skill.name.clone(), done, uses.len() as u64));
        let rate = wilson(done, uses.len() as u64, 0.95)?;
        if rate.low >= config.least_rate && uses.len() >= 20 {
            candidate.skill.contract.rate = rate.low as f32;
            candidate.skill.hash = candidate.skill.content_hash();
            return Ok(Some(candidate));
        }
        let Some((fact, holds)) = diagnose(&uses) else { return Ok(None) };
        let fact = Context::predicates(words.facts())[fact];
        narrow(&mut candidate, words, fact, holds);
    }
    Ok(None)
}

/// The predicate that tells uses that worked from those that did not best, and whether it holds where they worked.
fn diagnose(uses: &[(Context, bool)]) -> Option<(usize, bool)> {
    let entropy = |yes: f64, all: f64| {
        let p = yes / all;
        if all <= 0.0 || p <= 0.0 || p >= 1.0 { 0.0 } else { -p * p.log2() - (1.0 - p) * (1.0 - p).log2() }
    };
    let (all, done) = (uses.len() as f64, uses.iter().filter(|(_, done)| *done).count() as f64);
    let mut best: Option<(f64, usize, bool)> = None;
    for bit in 0..128 {
        let held = uses.iter().filter(|(c, _)| c.holds(bit)).count() as f64;
        let held_done = uses.iter().filter(|(c, done)| c.holds(bit) && *done).count() as f64;
        let (other, other_done) = (all - held, done - held_done);
        // Both sides must be seen often enough to say something.
        if held < 5.0 || other < 5.0 {
            continue;
        }
        let rest = (held * entropy(held_done, held) + other * entropy(other_done, other)) / all;
        let gain = entropy(done, all) - rest;
        if gain > 0.02 && best.is_none_or(|(most, ..)| gain > most) {
            best = Some((gain, bit, held_done / held > other_done / other));
        }
    }
    best.map(|(_, bit, holds)| (bit, holds))
}

/// Adds a predicate to the precondition.
fn narrow(candidate: &mut Candidate, words: &dyn Vocabulary, fact: usize, holds: bool) {
    let name = words.facts()[fact].name;
    let skill = &mut candidate.skill;
    let (is, to) = if holds { (Compare::AtLeast, 1.0) } else { (Compare::AtMost, 0.0) };
    skill.contract.pre.push(Literal { fact: name.into(), is, to: Operand::Number(to) });
    let said = if holds { name.to_owned() } else { format!("not {name}") };
    match skill.how_to.iter_mut().find(|line| line.starts_with("Use it when: ")) {
        Some(line) => *line = format!("{}, {said}.", line.trim_end_matches('.')),
        None => skill.how_to.insert(0, format!("Use it when: {said}.")),
    }
    skill.provenance.parents = vec![skill.hash.clone()];
    skill.provenance.proposer = Proposer::Tuned;
    let head: Vec<String> = std::iter::once(skill.doc.clone()).chain(skill.how_to.iter().cloned()).collect();
    skill.code = print(&candidate.ir, &head, words);
    skill.hash = skill.content_hash();
}

/// The skills of play against none, and against those of undirected play, once a task is given.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PlayReport {
    /// Without skills, against the skills of play.
    pub none: Comparison,
    /// With the skills of undirected play, against those of play.
    pub random: Comparison,
}

/// Compares the frozen skills of play with no skills and with those of undirected play (`control`) on report seeds. Each
/// side learns on as many train episodes of the task where to trust its skills.
///
/// # Errors
/// As [`explore`].
pub fn play_report(
    task: &Task,
    base: &MakePolicy,
    [skills, control]: [&[Skill]; 2],
    learning: LearnConfig,
    report: u32,
    play_config: &PlayConfig,
) -> Result<PlayReport, PracticeError> {
    let seeds: Vec<Seed<Report>> = Seeds::new(learning.root, 1).range(0, report).collect();
    let taught = |skills: &[Skill]| -> Result<Arm, PracticeError> {
        let known = learn(task, base, skills, learning, play_config)?;
        Ok(with_skills(task, base, skills, &chosen(&known))?)
    };
    let player = taught(skills)?;
    let none = compare(task, &arm(base.clone()), &player, &names(skills), &seeds, play_config)?;
    let random = compare(task, &taught(control)?, &player, &names(skills), &seeds, play_config)?;
    Ok(PlayReport { none, random })
}
