//! Covariance matrix adaptation over the unit box.
//!
//! # Source
//! N. Hansen, "The CMA Evolution Strategy: A Tutorial" (2016), default parameters of its table 1, with
//! positive weights only. Points outside the box are moved to its edge before they are played.

use super::{FIRST_SIGMA, LEAST_SIGMA, best_first, inside, settle, uniform};
use nalgebra::{DMatrix, DVector, SymmetricEigen};
use rl_gym::Pcg64;
use serde::{Deserialize, Serialize};

/// The state of the search: everything that the next generation follows from, exact under JSON.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Cma {
    /// Generations told so far.
    pub generation: u32,
    /// Centre of the distribution, in the unit box.
    pub mean: Vec<f64>,
    /// Running mean of the centres: under noise each single one is off by luck. Champions are frozen from it.
    pub steady: Vec<f64>,
    /// Step size, in box widths.
    pub sigma: f64,
    /// Symmetric, by columns; its lower triangle is stored.
    #[serde(with = "triangle")]
    covariance: Vec<f64>,
    path_c: Vec<f64>,
    path_s: Vec<f64>,
    population: usize,
}

impl Cma {
    /// A search over `dimensions` numbers with `population` candidates a generation. The first generation is
    /// uniform over the box.
    pub fn new(dimensions: usize, population: usize) -> Self {
        let mut covariance = vec![0.0; dimensions * dimensions];
        covariance.iter_mut().step_by(dimensions + 1).for_each(|x| *x = 1.0);
        Self {
            generation: 0,
            mean: vec![0.5; dimensions],
            steady: vec![0.5; dimensions],
            sigma: FIRST_SIGMA,
            covariance,
            path_c: vec![0.0; dimensions],
            path_s: vec![0.0; dimensions],
            population,
        }
    }

    /// The candidates of this generation, each inside the unit box.
    pub fn ask(&self, rng: &mut Pcg64) -> Vec<Vec<f64>> {
        let n = self.mean.len();
        if self.generation == 0 {
            return uniform(self.population, n, rng);
        }
        let eigen = self.eigen();
        let scale = eigen.eigenvalues.map(|v| v.max(1e-20).sqrt());
        (0..self.population)
            .map(|_| {
                let z = DVector::from_fn(n, |i, _| rng.normal() * scale[i]);
                let y = &eigen.eigenvectors * z;
                (0..n).map(|i| inside(self.mean[i] + self.sigma * y[i])).collect()
            })
            .collect()
    }

    /// Learns from the fitness (greater is better) of the candidates that [`Cma::ask`] gave.
    ///
    /// # Panics
    /// When the counts differ, which is a bug of the caller.
    pub fn tell(&mut self, candidates: &[Vec<f64>], fitness: &[f64]) {
        assert_eq!(candidates.len(), fitness.len(), "one fitness a candidate");
        let n = self.mean.len();
        let dim = n as f64;
        let order = best_first(fitness);
        let parents = candidates.len() / 2;
        let raw: Vec<f64> = (0..parents)
            .map(|i| ((candidates.len() as f64 + 1.0) / 2.0).ln() - (i as f64 + 1.0).ln())
            .collect();
        let total: f64 = raw.iter().sum();
        let weights: Vec<f64> = raw.iter().map(|w| w / total).collect();
        let mu = 1.0 / weights.iter().map(|w| w * w).sum::<f64>();

        let old = DVector::from_column_slice(&self.mean);
        let mut new = DVector::zeros(n);
        for (w, &i) in weights.iter().zip(&order) {
            new += DVector::from_column_slice(&candidates[i]) * *w;
        }
        self.generation += 1;
        self.mean = new.as_slice().to_vec();
        settle(&mut self.steady, &self.mean, self.generation);
        if self.generation == 1 {
            // The uniform generation only chose a centre.
            return;
        }

        let cs = (mu + 2.0) / (dim + mu + 5.0);
        let cc = (4.0 + mu / dim) / (dim + 4.0 + 2.0 * mu / dim);
        let c1 = 2.0 / ((dim + 1.3).powi(2) + mu);
        let cmu = (1.0 - c1).min(2.0 * (mu - 2.0 + 1.0 / mu) / ((dim + 2.0).powi(2) + mu));
        let damp = 1.0 + 2.0 * (((mu - 1.0) / (dim + 1.0)).sqrt() - 1.0).max(0.0) + cs;
        let chi = dim.sqrt() * (1.0 - 1.0 / (4.0 * dim) + 1.0 / (21.0 * dim * dim));

        let step = (&new - &old) / self.sigma;
        let eigen = self.eigen();
        let inverse = eigen.eigenvalues.map(|v| 1.0 / v.max(1e-20).sqrt());
        let mut white = eigen.eigenvectors.transpose() * &step;
        white.component_mul_assign(&inverse);
        let white = &eigen.eigenvectors * white;
        let ps =
            DVector::from_column_slice(&self.path_s) * (1.0 - cs) + white * (cs * (2.0 - cs) * mu).sqrt();
        let decay = 1.0 - (1.0 - cs).powi(2 * self.generation as i32);
        let calm = ps.norm() / decay.sqrt() < (1.4 + 2.0 / (dim + 1.0)) * chi;
        let push = if calm { (cc * (2.0 - cc) * mu).sqrt() } else { 0.0 };
        let pc = DVector::from_column_slice(&self.path_c) * (1.0 - cc) + &step * push;

        let lost = if calm { 0.0 } else { c1 * cc * (2.0 - cc) };
        let mut c = DMatrix::from_column_slice(n, n, &self.covariance) * (1.0 - c1 - cmu + lost);
        c += &pc * pc.transpose() * c1;
        for (w, &i) in weights.iter().zip(&order) {
            let y = (DVector::from_column_slice(&candidates[i]) - &old) / self.sigma;
            c += &y * y.transpose() * (cmu * w);
        }
        // Rounding must not make the matrix asymmetric.
        let c = (&c + c.transpose()) * 0.5;
        self.sigma = (self.sigma * ((cs / damp) * (ps.norm() / chi - 1.0)).exp()).clamp(LEAST_SIGMA, 0.5);
        self.covariance = c.as_slice().to_vec();
        self.path_s = ps.as_slice().to_vec();
        self.path_c = pc.as_slice().to_vec();
    }

    /// Numbers that the search is over.
    pub fn dimensions(&self) -> usize {
        self.mean.len()
    }

    fn eigen(&self) -> SymmetricEigen<f64, nalgebra::Dyn> {
        let n = self.mean.len();
        SymmetricEigen::new(DMatrix::from_column_slice(n, n, &self.covariance))
    }
}

/// A symmetric matrix as its lower triangle, row by row.
mod triangle {
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(matrix: &[f64], to: S) -> Result<S::Ok, S::Error> {
        let n = matrix.len().isqrt();
        let lower: Vec<f64> = (0..n).flat_map(|row| &matrix[row * n..=row * n + row]).copied().collect();
        lower.serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<f64>, D::Error> {
        let lower = Vec::<f64>::deserialize(from)?;
        // n (n + 1) / 2 numbers.
        let n = (2 * lower.len()).isqrt();
        if n * (n + 1) / 2 != lower.len() {
            return Err(D::Error::custom(format!("{} numbers are no triangle", lower.len())));
        }
        let mut matrix = vec![0.0; n * n];
        let mut numbers = lower.into_iter();
        for row in 0..n {
            for (column, number) in (0..=row).zip(&mut numbers) {
                matrix[row * n + column] = number;
                matrix[column * n + row] = number;
            }
        }
        Ok(matrix)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn minimise(dimensions: usize, generations: u32, score: impl Fn(&[f64]) -> f64) -> f64 {
        let mut search = Cma::new(dimensions, 16);
        for g in 0..generations {
            let mut rng = Pcg64::seed(u64::from(g));
            let points = search.ask(&mut rng);
            let fitness: Vec<f64> = points.iter().map(|p| -score(p)).collect();
            search.tell(&points, &fitness);
        }
        score(&search.mean)
    }

    #[test]
    fn it_finds_the_bottom_of_a_bent_valley() {
        // An ill-scaled ellipsoid with its bottom off centre: plain hill climbing with one step size stalls here.
        let valley = |p: &[f64]| {
            p.iter().enumerate().map(|(i, x)| 10f64.powi(i as i32 % 4) * (x - 0.3).powi(2)).sum::<f64>()
        };
        // The bottom itself is out of reach of the least step size; the start lies at 133.
        let found = minimise(12, 150, valley);
        assert!(found < 0.3, "{found}");
    }

    #[test]
    fn a_state_goes_on_exactly_after_json() {
        let mut search = Cma::new(5, 8);
        let mut rng = Pcg64::seed(3);
        for _ in 0..4 {
            let points = search.ask(&mut rng);
            let fitness: Vec<f64> = points.iter().map(|p| p[0] - p[1]).collect();
            search.tell(&points, &fitness);
        }
        let json = serde_json::to_value(&search).expect("json");
        assert_eq!(json["covariance"].as_array().map(Vec::len), Some(15), "the lower triangle of 5 x 5");
        let back: Cma = serde_json::from_str(&json.to_string()).expect("back");
        assert_eq!(back, search);
        assert_eq!(back.ask(&mut Pcg64::seed(9)), search.ask(&mut Pcg64::seed(9)));
    }

    #[test]
    fn the_first_generation_is_uniform_and_all_points_are_inside() {
        let mut search = Cma::new(3, 400);
        let points = search.ask(&mut Pcg64::seed(1));
        let mean = points.iter().map(|p| p[0]).sum::<f64>() / 400.0;
        assert!((mean - 0.5).abs() < 0.06, "{mean}");
        search.tell(&points, &points.iter().map(|p| p[0]).collect::<Vec<_>>());
        assert!(search.mean[0] > 0.7, "{}", search.mean[0]);
        assert!(search.ask(&mut Pcg64::seed(2)).iter().flatten().all(|x| (0.0..=1.0).contains(x)));
    }
}
