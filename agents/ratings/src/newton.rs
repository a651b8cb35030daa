//! Newton's method with line search for concave log-likelihoods whose flat directions are known.

use nalgebra::{Cholesky, DMatrix, DVector, Dyn, SymmetricEigen};

/// Iterations before giving up; well-posed fits need fewer than 10.
const MAX_ITERATIONS: usize = 200;
/// Longest move of one parameter in one iteration, natural-log units; keeps far starts from overshooting.
const MAX_STEP: f64 = 4.0;
/// The last step is at most this long, so that its error (the square of it) is below rounding.
const STEP_TOLERANCE: f64 = 1e-9;
/// Directions with less than this share of the largest information count as not identified.
const RANK_TOLERANCE: f64 = 1e-11;

/// Information below this is rounding: a single even duel carries 0.25.
const ROUNDING_INFORMATION: f64 = 1e-12;

/// Gradient and information (negative Hessian) at a point.
pub(crate) struct Derivatives {
    pub(crate) gradient: DVector<f64>,
    pub(crate) information: DMatrix<f64>,
}

/// Where the search ended.
pub(crate) struct Maximum {
    pub(crate) at: DVector<f64>,
    pub(crate) iterations: usize,
    pub(crate) converged: bool,
}

/// Climbs from `start`. Each entry of `gauge` lists parameters that may all be shifted together
/// without any effect; the sum over such a group stays at its start value.
pub(crate) fn maximise(
    start: DVector<f64>,
    gauge: &[Vec<usize>],
    value: impl Fn(&DVector<f64>) -> f64,
    derivatives: impl Fn(&DVector<f64>) -> Derivatives,
) -> Maximum {
    let mut at = start;
    let mut height = value(&at);
    for iterations in 1..=MAX_ITERATIONS {
        let local = derivatives(&at);
        let mut step = Factor::new(local.information, gauge).solve(&local.gradient);
        let longest = step.amax();
        if longest <= STEP_TOLERANCE {
            return Maximum { at: at + step, iterations, converged: true };
        }
        if longest > MAX_STEP {
            step *= MAX_STEP / longest;
        }
        match line_search(&at, height, &step, local.gradient.dot(&step), &value) {
            Some((next, next_height)) => (at, height) = (next, next_height),
            None => return Maximum { at, iterations, converged: false },
        }
    }
    Maximum { at, iterations: MAX_ITERATIONS, converged: false }
}

/// Halves the step until the value rises enough (Armijo), allowing for rounding of the value.
fn line_search(
    at: &DVector<f64>,
    height: f64,
    step: &DVector<f64>,
    slope: f64,
    value: &impl Fn(&DVector<f64>) -> f64,
) -> Option<(DVector<f64>, f64)> {
    let rounding = 1e-12 * (1.0 + height.abs());
    let mut share = 1.0;
    for _ in 0..50 {
        let next = at + step * share;
        let next_height = value(&next);
        if next_height >= height + 1e-4 * share * slope - rounding {
            return Some((next, next_height));
        }
        share *= 0.5;
    }
    None
}

/// An information matrix ready to be solved or inverted in its gauge.
pub(crate) struct Factor {
    kind: FactorKind,
    /// Per gauge group: what was added along its unit direction.
    added: Vec<f64>,
}

enum FactorKind {
    Full(Cholesky<f64, Dyn>),
    /// Pseudo-inverse and the number of directions left out.
    Deficient(DMatrix<f64>, usize),
}

impl Factor {
    /// Fills each flat gauge direction with its group's mean information, then factorises.
    /// Directions that the data do not identify beyond that are left out (pseudo-inverse).
    pub(crate) fn new(mut information: DMatrix<f64>, gauge: &[Vec<usize>]) -> Self {
        let added: Vec<f64> = gauge.iter().map(|group| fill(&mut information, group)).collect();
        let scale = information.diagonal().amax().max(f64::MIN_POSITIVE);
        let kind = match Cholesky::new(information.clone()) {
            Some(factor) if factor.l_dirty().diagonal().iter().all(|d| d * d > RANK_TOLERANCE * scale) => {
                FactorKind::Full(factor)
            }
            _ => pseudo_inverse(information),
        };
        Self { kind, added }
    }

    /// Solves for a right-hand side that is orthogonal to the gauge directions.
    pub(crate) fn solve(&self, rhs: &DVector<f64>) -> DVector<f64> {
        match &self.kind {
            FactorKind::Full(factor) => factor.solve(rhs),
            FactorKind::Deficient(inverse, _) => inverse * rhs,
        }
    }

    /// The covariance in the gauge (pseudo-inverse of the information), symmetric to the bit.
    pub(crate) fn covariance(&self, gauge: &[Vec<usize>]) -> DMatrix<f64> {
        let mut inverse = match &self.kind {
            FactorKind::Full(factor) => factor.inverse(),
            FactorKind::Deficient(inverse, _) => inverse.clone(),
        };
        for (group, added) in gauge.iter().zip(&self.added) {
            add_block(&mut inverse, group, -1.0 / (added * group.len() as f64));
        }
        symmetrise(&mut inverse);
        inverse
    }

    /// Directions, beyond the gauge, about which the data say nothing.
    pub(crate) fn deficiency(&self) -> usize {
        match self.kind {
            FactorKind::Full(_) => 0,
            FactorKind::Deficient(_, missing) => missing,
        }
    }
}

/// Copies the mean of both halves to both halves.
pub(crate) fn symmetrise(matrix: &mut DMatrix<f64>) {
    for i in 0..matrix.nrows() {
        for j in 0..i {
            let mean = 0.5 * (matrix[(i, j)] + matrix[(j, i)]);
            matrix[(i, j)] = mean;
            matrix[(j, i)] = mean;
        }
    }
}

fn fill(information: &mut DMatrix<f64>, group: &[usize]) -> f64 {
    let mean = group.iter().map(|&i| information[(i, i)]).sum::<f64>() / group.len() as f64;
    let added = if mean > ROUNDING_INFORMATION { mean } else { 1.0 };
    add_block(information, group, added / group.len() as f64);
    added
}

fn add_block(matrix: &mut DMatrix<f64>, group: &[usize], amount: f64) {
    for &i in group {
        for &j in group {
            matrix[(i, j)] += amount;
        }
    }
}

fn pseudo_inverse(information: DMatrix<f64>) -> FactorKind {
    let size = information.nrows();
    let eigen = SymmetricEigen::new(information);
    let floor = RANK_TOLERANCE * eigen.eigenvalues.amax();
    let mut inverse = DMatrix::zeros(size, size);
    let mut missing = 0;
    for (value, vector) in eigen.eigenvalues.iter().zip(eigen.eigenvectors.column_iter()) {
        if *value > floor {
            inverse.ger(1.0 / value, &vector, &vector, 1.0);
        } else {
            missing += 1;
        }
    }
    FactorKind::Deficient(inverse, missing)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flat_gauge_direction_gives_the_moore_penrose_inverse() {
        // Two players, information 3 on their difference: variance of each is 1/12, covariance -1/12.
        let laplacian = DMatrix::from_row_slice(2, 2, &[3.0, -3.0, -3.0, 3.0]);
        let gauge = [vec![0, 1]];
        let covariance = Factor::new(laplacian, &gauge).covariance(&gauge);
        assert!((covariance[(0, 0)] - 1.0 / 12.0).abs() < 1e-15);
        assert!((covariance[(0, 1)] + 1.0 / 12.0).abs() < 1e-15);
    }

    #[test]
    fn rounding_in_a_gauge_direction_is_not_information() {
        // Regression: a player with self-play only leaves 1e-17 on the diagonal, which was taken for
        // its group's information and then counted as an unidentified direction.
        let information = DMatrix::from_row_slice(2, 2, &[3.0, 0.0, 0.0, 1e-17]);
        let factor = Factor::new(information, &[vec![1]]);
        assert_eq!(factor.deficiency(), 0);
        assert!(factor.covariance(&[vec![1]])[(1, 1)].abs() < 1e-15);
    }

    #[test]
    fn an_unidentified_direction_is_counted_and_left_out() {
        let information = DMatrix::from_row_slice(2, 2, &[2.0, 0.0, 0.0, 0.0]);
        let factor = Factor::new(information, &[]);
        assert_eq!(factor.deficiency(), 1);
        assert_eq!(factor.covariance(&[])[(0, 0)], 0.5);
        assert_eq!(factor.covariance(&[])[(1, 1)], 0.0);
    }
}
