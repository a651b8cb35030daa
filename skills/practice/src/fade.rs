//! Taking skills away: an agent that learns plays with them less and less, and what remains is measured.

use crate::{Comparison, PracticeError, chain::names, compare, compare::mean_score, with_skills};
use agon_skill::{Report, Seed, Seeds, Skill, Train};
use agon_skill_agent::{Arm, MakePolicy, PlayConfig, Task, TrialError, UserConfig, play};
use rl_gym::{Genome, Pcg64};
use serde::Serialize;
use std::sync::Arc;

/// How skills are taken away.
#[derive(Clone, PartialEq, Debug)]
pub struct FadeConfig {
    /// Share of chances at which skills are offered, stage by stage. The last one should be 0.
    pub shares: Vec<f64>,
    /// Generations of the learner in a stage.
    pub generations: u32,
    /// Learners of a generation; the better quarter makes the next.
    pub population: u32,
    /// Train episodes that a learner is judged by.
    pub episodes: u32,
    /// Seeds of the report.
    pub report: u32,
    /// Root of all seeds.
    pub root: u64,
}

impl Default for FadeConfig {
    /// Five stages from always to never.
    fn default() -> Self {
        Self {
            shares: vec![1.0, 0.75, 0.5, 0.25, 0.0],
            generations: 4,
            population: 16,
            episodes: 40,
            report: 400,
            root: 1,
        }
    }
}

/// A stage.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct FadeStage {
    /// Share of chances at which skills were offered.
    pub share: f64,
    /// Mean score of the learner with them, on train seeds.
    pub score: f64,
    /// By skill: mean score with it minus without it, for this learner on train seeds.
    pub helpful: Vec<(String, f64)>,
    /// Skills that helped no more and were left out from here on.
    pub dropped: Vec<String>,
}

/// What fading gave.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Fade {
    /// The stages.
    pub stages: Vec<FadeStage>,
    /// What skills give the learner at its start: without, with.
    pub start: Comparison,
    /// What remains: a learner that was trained as long and never had skills, against the one that had them; both without.
    pub residue: Comparison,
    /// What the learner still loses by going without: with all skills again against without.
    pub still_needed: Comparison,
    /// Numbers of the learner that had skills, in the order of the game's genes.
    pub genes: Vec<f32>,
}

/// The learner: numbers of a genome, drawn around a mean.
struct Search {
    mean: Vec<f64>,
    spread: Vec<f64>,
    rng: Pcg64,
}

impl Search {
    fn new(genome: &Genome, root: u64) -> Self {
        let middle = |g: &rl_gym::Gene| f64::from(0.0_f32.clamp(g.low, g.high));
        Self {
            mean: genome.genes.iter().map(middle).collect(),
            spread: genome.genes.iter().map(|g| f64::from(g.high - g.low) / 6.0).collect(),
            rng: Pcg64::seed(root),
        }
    }

    fn genes(&self) -> Vec<f32> {
        self.mean.iter().map(|x| *x as f32).collect()
    }

    /// One generation of the cross-entropy method: the better quarter becomes the next mean and spread.
    fn generation(
        &mut self,
        genome: &Genome,
        population: u32,
        mut judge: impl FnMut(&[f32]) -> Result<f64, PracticeError>,
    ) -> Result<(), PracticeError> {
        let mut tried = Vec::new();
        for _ in 0..population.max(4) {
            let drawn: Vec<f64> = (0..self.mean.len())
                .map(|i| {
                    let (low, high) = (f64::from(genome.genes[i].low), f64::from(genome.genes[i].high));
                    (self.mean[i] + self.spread[i] * self.rng.normal()).clamp(low, high)
                })
                .collect();
            let genes: Vec<f32> = drawn.iter().map(|x| *x as f32).collect();
            tried.push((judge(&genes)?, drawn));
        }
        tried.sort_by(|a, b| b.0.total_cmp(&a.0));
        tried.truncate((tried.len() / 4).max(2));
        let count = tried.len() as f64;
        for i in 0..self.mean.len() {
            let mean = tried.iter().map(|(_, x)| x[i]).sum::<f64>() / count;
            let variance = tried.iter().map(|(_, x)| (x[i] - mean).powi(2)).sum::<f64>() / count;
            self.mean[i] = mean;
            // Half of the old spread is kept, so that a few equal winners do not end the search.
            self.spread[i] = 0.5 * self.spread[i] + 0.5 * variance.sqrt();
        }
        Ok(())
    }
}

/// Trains the game's parametric player with `skills` at hand, less and less often, and one without for as long.
///
/// # Errors
/// A game without a parametric player; what the game says about its options; a skill that does not fit.
pub fn fade(
    task: &Task,
    skills: &[Skill],
    config: &FadeConfig,
    play_config: &PlayConfig,
) -> Result<Fade, PracticeError> {
    let genome = task.game.genome.ok_or_else(|| {
        PracticeError::Request(format!("{} has no parametric player, so nothing that learns", task.game.id()))
    })?;
    let learner = |genes: &[f32], skills: &[Skill], share: f64| -> Result<Arm, TrialError> {
        let (make, genes) = (genome.make, genes.to_vec());
        let base: MakePolicy = Arc::new(move |spec| make(spec, &genes));
        with_skills(task, &base, skills, &UserConfig { share, ..UserConfig::default() })
    };
    let report: Vec<Seed<Report>> = Seeds::new(config.root, 0).range(0, config.report).collect();
    let mut search = Search::new(&genome, config.root);
    let mut control = Search::new(&genome, config.root);
    let first = search.genes();
    let start = compare(
        task,
        &learner(&first, &[], 0.0)?,
        &learner(&first, skills, 1.0)?,
        &names(skills),
        &report,
        play_config,
    )?;
    let mut at_hand = skills.to_vec();
    let mut stages = Vec::new();
    for (number, share) in config.shares.iter().enumerate() {
        let seeds = |generation: u32| -> Vec<Seed<Train>> {
            Seeds::new(config.root, 1000 + number as u32)
                .range(generation * config.episodes, config.episodes)
                .collect()
        };
        for generation in 0..config.generations {
            let seeds = seeds(generation);
            let judge = |skills: &[Skill], share: f64, genes: &[f32]| -> Result<f64, PracticeError> {
                Ok(mean_score(&play(task, &learner(genes, skills, share)?, &seeds, play_config)?))
            };
            search.generation(&genome, config.population, |genes| judge(&at_hand, *share, genes))?;
            control.generation(&genome, config.population, |genes| judge(&[], 0.0, genes))?;
        }
        let seeds = seeds(config.generations);
        let genes = search.genes();
        let with = mean_score(&play(task, &learner(&genes, &at_hand, 1.0)?, &seeds, play_config)?);
        let mut helpful = Vec::new();
        for skill in &at_hand {
            let others: Vec<Skill> = at_hand.iter().filter(|s| s.hash != skill.hash).cloned().collect();
            let without = mean_score(&play(task, &learner(&genes, &others, 1.0)?, &seeds, play_config)?);
            helpful.push((skill.hash.clone(), with - without));
        }
        let useless: Vec<String> =
            helpful.iter().filter(|(_, h)| *h <= 0.0).map(|(hash, _)| hash.clone()).collect();
        let name = |hash: &String| {
            at_hand.iter().find(|s| s.hash == *hash).map_or_else(String::new, |s| s.name.clone())
        };
        stages.push(FadeStage {
            share: *share,
            score: mean_score(&play(task, &learner(&genes, &at_hand, *share)?, &seeds, play_config)?),
            helpful: helpful.iter().map(|(hash, h)| (name(hash), *h)).collect(),
            dropped: useless.iter().map(name).collect(),
        });
        at_hand.retain(|s| !useless.contains(&s.hash));
    }
    let (genes, without) = (search.genes(), control.genes());
    let alone = |genes: &[f32]| learner(genes, &[], 0.0);
    let residue = compare(task, &alone(&without)?, &alone(&genes)?, &[], &report, play_config)?;
    let still_needed =
        compare(task, &alone(&genes)?, &learner(&genes, skills, 1.0)?, &names(skills), &report, play_config)?;
    Ok(Fade { stages, start, residue, still_needed, genes })
}
