//! Other numbers for the same code, by successive halving: many variants on few seeds, then half of them on twice as
//! many, until one is left.

use crate::{
    Candidate, DistillError,
    ir::{Ir, Number},
};
use agon_skill::{Proposer, Skill};
use rl_gym::{Pcg64, Vocabulary};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Settings of [`tune`].
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Ladder {
    /// Seed of the variants.
    pub seed: u64,
    /// Variants at the start, the skill as it is among them.
    pub variants: usize,
    /// Budget of each at the start; it doubles whenever half of them are gone.
    pub budget: u32,
    /// Chance of each number to be varied.
    pub chance: f64,
}

impl Default for Ladder {
    fn default() -> Self {
        Self { seed: 0, variants: 16, budget: 8, chance: 0.5 }
    }
}

/// What tuning gave.
#[derive(Clone, PartialEq, Debug)]
pub struct Tuned {
    /// The winner: a new version, or the skill as it was.
    pub candidate: Candidate,
    /// Whether it is a new version.
    pub is_new: bool,
    /// Its score in the last round, and that of the skill as it was on the same budget.
    pub scores: (f64, f64),
    /// Budget that was spent in all.
    pub spent: u64,
}

/// Varies the numbers of `candidate` (weights, bounds, times). `evaluate` scores a skill with a budget, say the number
/// of train seeds that it is played on; the same budget must mean the same seeds, so that variants are compared on
/// equal terms. Scores that are no numbers count as the worst.
///
/// The skill as it was is kept to the end, and wins ties.
///
/// # Errors
/// When a variant's code does not work.
pub fn tune(
    candidate: &Candidate,
    words: &Arc<dyn Vocabulary>,
    ladder: &Ladder,
    mut evaluate: impl FnMut(&Skill, u32) -> f64,
) -> Result<Tuned, DistillError> {
    let mut rng = Pcg64::seed(ladder.seed);
    let bytes = serde_json::to_vec(ladder).unwrap_or_default();
    let miner = blake3::hash(&bytes).to_hex()[..16].to_owned();
    let mut field: Vec<Candidate> = Vec::new();
    let mut seen = vec![key_of(&candidate.ir)];
    for _ in 1..ladder.variants {
        let ir = vary(&candidate.ir, ladder.chance, &mut rng);
        let key = key_of(&ir);
        if !seen.contains(&key) {
            seen.push(key);
            field.push(candidate.revised(ir, Proposer::Tuned, &miner, words)?);
        }
    }
    let (mut budget, mut spent) = (ladder.budget.max(1), 0);
    let mut score = |skill: &Skill, budget: u32| {
        spent += u64::from(budget);
        let score = evaluate(skill, budget);
        if score.is_nan() { f64::NEG_INFINITY } else { score }
    };
    let mut own = score(&candidate.skill, budget);
    let mut best = f64::NEG_INFINITY;
    while !field.is_empty() {
        let mut scored: Vec<(f64, usize)> =
            field.iter().enumerate().map(|(i, c)| (score(&c.skill, budget), i)).collect();
        scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        best = scored[0].0;
        if field.len() == 1 {
            break;
        }
        let mut stay: Vec<usize> = scored[..field.len().div_ceil(2)].iter().map(|s| s.1).collect();
        stay.sort_unstable();
        field = stay.into_iter().map(|i| field[i].clone()).collect();
        budget = budget.saturating_mul(2);
        own = score(&candidate.skill, budget);
    }
    let winner = field.pop().filter(|_| best > own);
    let is_new = winner.is_some();
    let scores = (best.max(own), own);
    Ok(Tuned { candidate: winner.unwrap_or_else(|| candidate.clone()), is_new, scores, spent })
}

/// The same code with some other numbers.
fn vary(ir: &Ir, chance: f64, rng: &mut Pcg64) -> Ir {
    let mut ir = ir.clone();
    ir.each_number(&mut |what, x| {
        if rng.unit() >= chance {
            return;
        }
        let bump = rng.normal();
        *x = match what {
            // Mostly a factor around 1; now and then the other sign, or none of it.
            Number::Weight => match rng.below(8) {
                0 => -*x,
                1 => 0.0,
                _ => crate::shape::two_digits(f64::from(*x) * bump.exp2()),
            },
            Number::Bound => {
                let moved = f64::from(*x) + bump * f64::max(1.0, 0.3 * f64::from(x.abs()));
                if x.fract() == 0.0 { moved.round() as f32 } else { crate::shape::two_digits(moved) }
            }
            Number::Times => (f64::from(*x) * (0.7 * bump).exp2()).round().clamp(1.0, 256.0) as f32,
        };
    });
    ir
}

/// Code as text, to know variants that are the same.
fn key_of(ir: &Ir) -> String {
    serde_json::to_string(ir).unwrap_or_default()
}
