//! Drift: do ratings move over time though the players do not?

use nalgebra::{DMatrix, DVector};
use serde::{Deserialize, Serialize};
use statrs::distribution::{ChiSquared, ContinuousCDF};

use crate::{
    ELO_PER_THETA, Fit, FitOptions, GameResult, Interval, Level, RatingError, Spread, Standing, fit,
};

/// From so many blocks a player on, the spread between blocks is trusted; else the model's own is taken.
const BLOCKS_PER_PLAYER: usize = 3;

/// Several independent estimates of one number, and whether they can be the same.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Homogeneity {
    /// Mean weighted by the inverse variances.
    pub pooled: f64,
    /// Its standard error if all estimate the same.
    pub standard_error: f64,
    /// Cochran's Q: the sum of squared distances from the mean, each in its own standard errors.
    pub chi_square: f64,
    /// Estimates less one; 0 leaves nothing to test.
    pub degrees_of_freedom: usize,
    /// Probability of a `chi_square` this large if all estimate the same; 1 with nothing to test.
    pub p_value: f64,
}

/// Tests whether `estimates`, each with its standard error, can be of one number.
/// # Errors
/// [`RatingError::NotFinite`] for an estimate and [`RatingError::StandardError`] for an error that cannot be;
/// [`RatingError::NoGames`] without estimates.
/// # Source
/// W. G. Cochran, "The combination of estimates from different experiments" (1954).
pub fn homogeneity(estimates: &[(f64, f64)]) -> Result<Homogeneity, RatingError> {
    for &(estimate, error) in estimates {
        if !estimate.is_finite() {
            return Err(RatingError::NotFinite { name: "estimate", value: estimate });
        }
        if !(error.is_finite() && error > 0.0) {
            return Err(RatingError::StandardError { value: error });
        }
    }
    let weight = |error: f64| 1.0 / (error * error);
    let total: f64 = estimates.iter().map(|e| weight(e.1)).sum();
    if total == 0.0 {
        return Err(RatingError::NoGames);
    }
    let pooled = estimates.iter().map(|e| weight(e.1) * e.0).sum::<f64>() / total;
    let chi_square = estimates.iter().map(|e| ((e.0 - pooled) / e.1).powi(2)).sum();
    let degrees_of_freedom = estimates.len() - 1;
    Ok(Homogeneity {
        pooled,
        standard_error: total.sqrt().recip(),
        chi_square,
        degrees_of_freedom,
        p_value: survival(chi_square, degrees_of_freedom),
    })
}

/// One player in one period.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Shift {
    /// Player index.
    pub player: usize,
    /// Period index.
    pub period: usize,
    /// Elo of the player less that of the reference by the games of this period alone, with its interval.
    pub elo: Interval,
    /// How much that is above the same difference by all other periods; the interval is that of this distance.
    pub shift: Interval,
    /// The shift in standard errors.
    pub sigma: f64,
}

/// Whether ratings hold over the periods.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Drift {
    /// Every player that was tested in every period in which it was, by player, then period.
    pub shifts: Vec<Shift>,
    /// Joint test that all differences are the same in all periods.
    pub chi_square: f64,
    /// Differences seen less differences fitted; 0 leaves nothing to test.
    pub degrees_of_freedom: usize,
    /// Probability of a `chi_square` this large if no rating moves; 1 with nothing to test.
    pub p_value: f64,
}

/// Fits each period on its own and compares the players' Elo relative to `reference` between periods.
///
/// A player is tested where it sat in `least_blocks` blocks of two periods or more; all others only take part in
/// the fits. These have no virtual draws: a prior pulls a period of few games more than one of many, which would
/// look like drift. Periods share no block, so their estimates are independent. What is found besides chance can
/// also be a circle (early and late opponents differ), see [`cycle_alarm`](crate::cycle_alarm).
/// # Errors
/// [`RatingError`] for malformed games.
/// # Source
/// The joint test is Cochran's Q for vectors: a Wald test of equality with the covariance between players.
pub fn drift(
    players: usize,
    periods: &[&[GameResult]],
    reference: usize,
    least_blocks: usize,
    level: Level,
) -> Result<Drift, RatingError> {
    let options = FitOptions { prior_half_games: 0.0, ..FitOptions::default() };
    let mut views = Vec::new();
    for (at, games) in periods.iter().enumerate().filter(|(_, games)| !games.is_empty()) {
        views.push(Period::new(at, fit(players, games, &options)?, games, reference, least_blocks));
    }
    let seen = |player: usize| views.iter().filter(|v| v.tested[player]).count();
    let tested: Vec<usize> = (0..players).filter(|p| *p != reference && seen(*p) > 1).collect();
    let mut shifts = Vec::new();
    for &player in &tested {
        let of: Vec<(usize, f64, f64)> = views
            .iter()
            .filter(|v| v.tested[player])
            .map(|v| (v.at, v.gap(player), v.covariance(player, player).sqrt()))
            .collect();
        for &(period, gap, error) in &of {
            let others: Vec<(f64, f64)> = of.iter().filter(|o| o.0 != period).map(|o| (o.1, o.2)).collect();
            let others = homogeneity(&others)?;
            let distance = gap - others.pooled;
            let spread = error.hypot(others.standard_error);
            let around = |x: f64, error: f64| {
                Interval::around(x * ELO_PER_THETA, level.z() * error * ELO_PER_THETA, level)
            };
            let (elo, shift) = (around(gap, error), around(distance, spread));
            shifts.push(Shift { player, period, elo, shift, sigma: distance / spread });
        }
    }
    let (chi_square, degrees_of_freedom) = joint(&views, &tested);
    Ok(Drift { shifts, chi_square, degrees_of_freedom, p_value: survival(chi_square, degrees_of_freedom) })
}

/// One period's fit, seen from the reference.
struct Period {
    /// Its number among all periods.
    at: usize,
    fit: Fit,
    reference: usize,
    spread: Spread,
    /// Whether each player has enough blocks here and a finite difference to the reference.
    tested: Vec<bool>,
}

impl Period {
    fn new(at: usize, fit: Fit, games: &[GameResult], reference: usize, least_blocks: usize) -> Self {
        let rated = fit.games.iter().filter(|g| **g > 0).count();
        let is_trusted = fit.robust.is_some() && fit.blocks >= BLOCKS_PER_PLAYER * rated;
        let mut blocks: Vec<(usize, u64)> =
            games.iter().flat_map(|g| g.seats.iter().map(|p| (*p, g.block))).collect();
        blocks.sort_unstable();
        blocks.dedup();
        let mut count = vec![0; fit.theta.len()];
        blocks.iter().for_each(|(p, _)| count[*p] += 1);
        let has_scale = fit.standing[reference] != Standing::NoGames && fit.converged;
        let spread = if is_trusted { Spread::Robust } else { Spread::Fisher };
        let mut period = Self { at, fit, reference, spread, tested: Vec::new() };
        let is_tested = |p: usize| {
            has_scale
                && p != reference
                && count[p] >= least_blocks
                && period.fit.scale[p] == period.fit.scale[reference]
                && period.covariance(p, p) > 0.0
        };
        period.tested = (0..count.len()).map(is_tested).collect();
        period
    }

    /// Strength of a player above the reference, natural log.
    fn gap(&self, player: usize) -> f64 {
        self.fit.theta[player] - self.fit.theta[self.reference]
    }

    /// Covariance of the gaps of two players.
    fn covariance(&self, a: usize, b: usize) -> f64 {
        let of = |a, b| self.fit.covariance(a, b, self.spread).unwrap_or(0.0);
        of(a, b) - of(a, self.reference) - of(self.reference, b) + of(self.reference, self.reference)
    }
}

/// Sum over periods of the squared distance from the generalised mean, and its degrees of freedom.
fn joint(periods: &[Period], tested: &[usize]) -> (f64, usize) {
    let n = tested.len();
    let mut weight = DMatrix::<f64>::zeros(n, n);
    let mut weighted = DVector::<f64>::zeros(n);
    let (mut own, mut seen) = (0.0, 0);
    for period in periods {
        let here: Vec<usize> = (0..n).filter(|i| period.tested[tested[*i]]).collect();
        let covariance = DMatrix::from_fn(here.len(), here.len(), |i, j| {
            period.covariance(tested[here[i]], tested[here[j]])
        });
        // A covariance without an inverse says nothing: the period is left out.
        let Some(inverse) = covariance.cholesky().map(|c| c.inverse()) else { continue };
        let gaps = DVector::from_fn(here.len(), |i, _| period.gap(tested[here[i]]));
        let pulled = &inverse * &gaps;
        own += gaps.dot(&pulled);
        seen += here.len();
        for (i, &at) in here.iter().enumerate() {
            weighted[at] += pulled[i];
            for (j, &to) in here.iter().enumerate() {
                weight[(at, to)] += inverse[(i, j)];
            }
        }
    }
    let Some(solver) = weight.cholesky() else { return (0.0, 0) };
    let common = solver.solve(&weighted);
    ((own - weighted.dot(&common)).max(0.0), seen.saturating_sub(n))
}

fn survival(chi_square: f64, degrees_of_freedom: usize) -> f64 {
    ChiSquared::new(degrees_of_freedom as f64).map_or(1.0, |chi| chi.sf(chi_square))
}
