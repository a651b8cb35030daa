//! What is known about the worth of skills where: a contextual bandit over the skills that apply and the base policy.

use crate::{Choice, Context, Episode, Status};
use rl_gym::Pcg64;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Contexts that are kept of one arm; a new one beyond joins the nearest.
const MOST: usize = 64;
/// By how much an episode in a context counts for each predicate in which it differs.
const FADE: f64 = 0.5;
/// Virtual episodes that every arm begins with, half of them won.
const PRIOR: f64 = 2.0;

/// Episodes in which an arm was chosen in a context.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
struct Tally {
    context: Context,
    episodes: f64,
    score: f64,
}

/// What episodes gave in which a skill, or the base policy, was chosen, by context.
///
/// It is frozen while episodes are played: they choose by samples of what is known (Thompson sampling), one sample an
/// episode and arm, so that an episode holds on to what it tries. [`Experience::learn`] takes in what they gave.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Experience {
    /// By hash of the skill; the base policy has none.
    arms: BTreeMap<String, Vec<Tally>>,
}

impl Experience {
    /// Takes in played episodes, in their order: each choice counts once an episode, arm and context, with the score that
    /// the episode ended with. `hash` gives the hash of a skill by its number.
    pub fn learn(&mut self, episodes: &[Episode], hash: impl Fn(usize) -> String) {
        for episode in episodes.iter().filter(|e| !matches!(e.status, Status::Void(_))) {
            let mut seen: Vec<(Option<usize>, Context)> = Vec::new();
            for Choice { arm, context, .. } in &episode.choices {
                if seen.contains(&(*arm, *context)) {
                    continue;
                }
                seen.push((*arm, *context));
                let tallies = self.arms.entry(arm.map_or_else(String::new, &hash)).or_default();
                let nearest = (0..tallies.len()).min_by_key(|i| (tallies[*i].context.distance(*context), *i));
                let at = match nearest {
                    Some(at) if tallies[at].context == *context || tallies.len() >= MOST => at,
                    _ => {
                        tallies.push(Tally { context: *context, ..Tally::default() });
                        tallies.len() - 1
                    }
                };
                tallies[at].episodes += 1.0;
                tallies[at].score += episode.score;
            }
        }
    }

    /// Weighted episodes and their score of an arm around a context.
    fn around(&self, hash: &str, context: Context) -> (f64, f64) {
        let tallies = self.arms.get(hash).map_or(&[][..], Vec::as_slice);
        tallies.iter().fold((0.0, 0.0), |(episodes, score), t| {
            let weight = FADE.powi(t.context.distance(context) as i32);
            (episodes + weight * t.episodes, score + weight * t.score)
        })
    }

    /// The mean score that an arm is known for around a context (one half where nothing is known), and how many episodes
    /// speak for it.
    pub fn mean(&self, hash: &str, context: Context) -> (f64, f64) {
        let (episodes, score) = self.around(hash, context);
        ((score + PRIOR / 2.0) / (episodes + PRIOR), episodes)
    }

    /// A draw of what an arm may be worth around a context: the more is known, the nearer to its mean.
    pub fn sample(&self, hash: &str, context: Context, rng: &mut Pcg64) -> f64 {
        let (episodes, score) = self.around(hash, context);
        beta(score + PRIOR / 2.0, (episodes - score).max(0.0) + PRIOR / 2.0, rng)
    }
}

/// A draw from a beta distribution with shapes of at least 1.
fn beta(a: f64, b: f64, rng: &mut Pcg64) -> f64 {
    let (x, y) = (gamma(a, rng), gamma(b, rng));
    if x + y > 0.0 { x / (x + y) } else { 0.5 }
}

/// A draw from a gamma distribution with a shape of at least 1.
///
/// # Source
/// G. Marsaglia and W. W. Tsang, "A simple method for generating gamma variables" (2000).
fn gamma(shape: f64, rng: &mut Pcg64) -> f64 {
    let d = shape.max(1.0) - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let x = rng.normal();
        let v = (1.0 + c * x).powi(3);
        if v > 0.0 && (1.0 - rng.unit()).ln() < 0.5 * x * x + d - d * v + d * v.ln() {
            return d * v;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(arm: Option<usize>, context: u128, score: f64) -> Episode {
        Episode {
            number: 0,
            seat: 0,
            score,
            is_won: false,
            decisions: 1,
            steps: 1,
            status: Status::Ended,
            uses: Vec::new(),
            choices: vec![Choice { at: 0, context: Context(context), arm }],
        }
    }

    #[test]
    fn a_beta_draw_has_the_mean_and_spread_of_its_distribution() {
        let mut rng = Pcg64::seed(3);
        for (a, b) in [(1.0, 1.0), (3.0, 7.0), (40.0, 2.0)] {
            let draws: Vec<f64> = (0..20_000).map(|_| beta(a, b, &mut rng)).collect();
            let mean = draws.iter().sum::<f64>() / draws.len() as f64;
            let spread = draws.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / draws.len() as f64;
            let expected = a * b / ((a + b) * (a + b) * (a + b + 1.0));
            assert!((mean - a / (a + b)).abs() < 0.01, "{mean}");
            assert!((spread / expected - 1.0).abs() < 0.06, "{spread} {expected}");
        }
    }

    #[test]
    fn what_is_learned_in_a_context_counts_there_most() {
        let mut known = Experience::default();
        for _ in 0..30 {
            known.learn(&[played(Some(0), 0b00, 1.0), played(Some(0), 0b11, 0.0)], |i| i.to_string());
        }
        let mean = |context| known.mean("0", Context(context)).0;
        assert!(mean(0b00) > 0.75 && mean(0b11) < 0.25, "{} {}", mean(0b00), mean(0b11));
        assert!((mean(0b01) - 0.5).abs() < 0.01);
        assert_eq!(known.mean("1", Context(0)), (0.5, 0.0), "nothing is known of another");
        let text = serde_json::to_string(&known).expect("text");
        assert_eq!(serde_json::from_str::<Experience>(&text).expect("reads"), known);
    }

    #[test]
    fn a_lost_episode_counts_and_a_void_one_does_not() {
        let mut known = Experience::default();
        let of = |status| Episode { status, ..played(Some(0), 0, 0.0) };
        known.learn(&[of(Status::Void("no".into())), of(Status::Lost("gave up".into()))], |i| i.to_string());
        assert_eq!(known.mean("0", Context(0)), (1.0 / 3.0, 1.0));
    }

    #[test]
    fn contexts_are_bounded() {
        let mut known = Experience::default();
        let episodes: Vec<Episode> = (0..500).map(|c| played(None, c, 0.5)).collect();
        known.learn(&episodes, |_| unreachable!());
        assert_eq!(known.arms[""].len(), MOST);
        assert_eq!(known.arms[""].iter().map(|t| t.episodes).sum::<f64>(), 500.0);
    }
}
