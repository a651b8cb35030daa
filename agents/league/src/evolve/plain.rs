//! A plain evolution strategy over the unit box: what remains of a distribution without its shape.
//!
//! # Source
//! H.-G. Beyer and H.-P. Schwefel, "Evolution strategies: a comprehensive introduction" (2002): the
//! (mu/mu, lambda) strategy with self-adaptation of one step size, mu = lambda / 4, tau = 1 / sqrt(2 n).

use super::{FIRST_SIGMA, LEAST_SIGMA, best_first, inside, settle, uniform};
use rl_gym::Pcg64;
use serde::{Deserialize, Serialize};

/// Greatest step size, that of the CMA too.
const MOST_SIGMA: f64 = 0.5;

/// Children are drawn around the mean of the best quarter, each with a step size of its own; the next step size is
/// the geometric mean of those that the best quarter had.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Plain {
    /// Generations told so far.
    pub generation: u32,
    /// Centre, in the unit box.
    pub mean: Vec<f64>,
    /// Running mean of the centres, as of the CMA: champions are frozen from it.
    pub steady: Vec<f64>,
    /// Step size, in box widths.
    pub sigma: f64,
    /// Step sizes of the candidates that were asked for and not told yet; a stored state has none.
    #[serde(skip)]
    asked: Vec<f64>,
    population: usize,
}

impl Plain {
    /// A search over `dimensions` numbers with `population` candidates a generation.
    pub fn new(dimensions: usize, population: usize) -> Self {
        let (mean, steady) = (vec![0.5; dimensions], vec![0.5; dimensions]);
        Self { generation: 0, mean, steady, sigma: FIRST_SIGMA, asked: Vec::new(), population }
    }

    /// The candidates of this generation, each inside the unit box.
    pub fn ask(&mut self, rng: &mut Pcg64) -> Vec<Vec<f64>> {
        let n = self.mean.len();
        if self.generation == 0 {
            return uniform(self.population, n, rng);
        }
        let tau = 1.0 / (2.0 * n as f64).sqrt();
        self.asked.clear();
        (0..self.population)
            .map(|_| {
                let sigma = (self.sigma * (tau * rng.normal()).exp()).clamp(LEAST_SIGMA, MOST_SIGMA);
                self.asked.push(sigma);
                self.mean.iter().map(|m| inside(m + sigma * rng.normal())).collect()
            })
            .collect()
    }

    /// Learns from the fitness (greater is better) of the candidates that [`Plain::ask`] gave.
    pub fn tell(&mut self, candidates: &[Vec<f64>], fitness: &[f64]) {
        let parents = (candidates.len() / 4).max(1);
        let best = &best_first(fitness)[..parents];
        let share = 1.0 / parents as f64;
        self.mean.fill(0.0);
        for &i in best {
            self.mean.iter_mut().zip(&candidates[i]).for_each(|(m, x)| *m += share * x);
        }
        self.generation += 1;
        settle(&mut self.steady, &self.mean, self.generation);
        if !self.asked.is_empty() {
            self.sigma = best.iter().map(|i| share * self.asked[*i].ln()).sum::<f64>().exp();
            self.asked.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_step_size_shrinks_near_the_bottom_and_grows_far_from_it() {
        let after = |score: fn(&[f64]) -> f64| {
            let mut search = Plain::new(4, 32);
            search.sigma = 0.12;
            for g in 0..30 {
                let points = search.ask(&mut Pcg64::seed(g));
                let fitness: Vec<f64> = points.iter().map(|p| score(p)).collect();
                search.tell(&points, &fitness);
            }
            search.sigma
        };
        let bowl = after(|p| -p.iter().map(|x| (x - 0.5).powi(2)).sum::<f64>());
        assert!(bowl < 0.07, "{bowl}");
        // Who is far from the middle wins: large steps are rewarded.
        let spread = after(|p| p.iter().map(|x| (x - 0.5).powi(2)).sum::<f64>());
        assert!(spread > 0.2, "{spread}");
    }
}
