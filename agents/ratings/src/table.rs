//! The fitted table and the questions it answers.

use nalgebra::DMatrix;
use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, Normal};

use crate::{Interval, Level, Standing};

/// Elo points per natural-log unit of strength, 400 / ln 10: ten-to-one odds are 400 Elo.
pub const ELO_PER_THETA: f64 = 400.0 / std::f64::consts::LN_10;

/// A fitted table. Vectors are indexed by player unless they say otherwise.
#[derive(Debug, Clone)]
pub struct Fit {
    /// Strength, natural log, in the gauge of the player's own scale: always finite, but comparable only
    /// between players with equal `scale`. Anchored scales keep the anchors' gauge, others sum to zero.
    pub theta: Vec<f64>,
    /// Advantage per seat index, natural log, sum zero; empty when not fitted.
    pub seat_terms: Vec<f64>,
    /// Where each player stands with respect to the reference scale: that of the anchors, else that of
    /// the Elo origin, else the largest (ties: most games, then lowest player).
    pub standing: Vec<Standing>,
    /// Group of players with finite differences; infinite or undefined between groups.
    pub scale: Vec<usize>,
    /// Group of players connected by games at all (anchors count as connected).
    pub component: Vec<usize>,
    /// Games each player took part in, self-play counted once.
    pub games: Vec<u64>,
    /// Number of distinct blocks.
    pub blocks: usize,
    /// Log-likelihood of the real games at the estimate.
    pub log_likelihood: f64,
    /// Newton iterations used.
    pub iterations: usize,
    /// Whether the search reached its tolerance with bounded seat terms.
    pub converged: bool,
    /// Directions that the games do not identify beyond the gauge, for example a player who always sits
    /// in the same seat while seat terms are fitted. The estimate takes the smallest step along them
    /// and their variance is left out, so intervals are too narrow when this is not 0.
    pub unidentified: usize,
    /// The reference scale.
    pub(crate) reference: usize,
    /// Added to every Elo; NaN when the Elo origin is not on the reference scale.
    pub(crate) elo_offset: f64,
    /// Row of each player in the covariances; `None` for anchored ones.
    pub(crate) free: Vec<Option<usize>>,
    /// Covariance of the free players, then of the seat terms.
    pub(crate) fisher: DMatrix<f64>,
    pub(crate) robust: Option<DMatrix<f64>>,
}

/// Which covariance an interval uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Spread {
    /// Sandwich over blocks: right even when games of a block are correlated and when draws make half
    /// wins vary less than the model says. Needs clearly more blocks than players to be trusted.
    Robust,
    /// Inverse information of the model: every game independent, draws as half wins.
    Fisher,
}

impl Fit {
    /// Elo of a player on the reference scale; `None` for the others, and for everyone when the Elo
    /// origin itself is not on it.
    pub fn elo(&self, player: usize) -> Option<f64> {
        let comparable = self.scale[player] == self.reference && !self.elo_offset.is_nan();
        comparable.then(|| self.theta[player] * ELO_PER_THETA + self.elo_offset)
    }

    /// The covariance used by default: robust when there are two blocks or more, else Fisher.
    pub fn default_spread(&self) -> Spread {
        if self.robust.is_some() { Spread::Robust } else { Spread::Fisher }
    }

    /// Covariance of two players' theta (squared natural-log units), in the gauge of the fit; zero for
    /// anchored players. `None` when the robust one is asked for but there is a single block.
    pub fn covariance(&self, a: usize, b: usize, spread: Spread) -> Option<f64> {
        let matrix = match spread {
            Spread::Fisher => &self.fisher,
            Spread::Robust => self.robust.as_ref()?,
        };
        Some(self.free[a].zip(self.free[b]).map_or(0.0, |index| matrix[index]))
    }

    /// Standard error of a player's theta, natural log, in the gauge of the fit.
    pub fn standard_error(&self, player: usize, spread: Spread) -> Option<f64> {
        self.covariance(player, player, spread).map(|variance| variance.max(0.0).sqrt())
    }

    /// Standard error of a seat term, natural log; `None` when seat terms were not fitted.
    pub fn seat_standard_error(&self, seat: usize, spread: Spread) -> Option<f64> {
        let matrix = match spread {
            Spread::Fisher => &self.fisher,
            Spread::Robust => self.robust.as_ref()?,
        };
        let index = matrix.nrows() - self.seat_terms.len() + seat;
        (seat < self.seat_terms.len()).then(|| matrix[(index, index)].max(0.0).sqrt())
    }

    /// Interval of a player's Elo with the default spread: relative to the anchors when there are any,
    /// else to the mean of the scale. `None` where [`Fit::elo`] is.
    pub fn interval(&self, player: usize, level: Level) -> Option<Interval> {
        self.interval_with(player, level, self.default_spread())
    }

    /// [`Fit::interval`] with a named spread. Robust intervals use Student's t with blocks - 1 degrees
    /// of freedom, Fisher ones the normal.
    pub fn interval_with(&self, player: usize, level: Level, spread: Spread) -> Option<Interval> {
        let reach = self.quantile(level, spread) * self.standard_error(player, spread)? * ELO_PER_THETA;
        Some(Interval::around(self.elo(player)?, reach, level))
    }

    /// Interval of Elo(a) - Elo(b) from the full covariance, with the default spread. `None` when the
    /// two are not on one scale.
    pub fn difference(&self, a: usize, b: usize, level: Level) -> Option<Interval> {
        self.difference_with(a, b, level, self.default_spread())
    }

    /// [`Fit::difference`] with a named spread.
    pub fn difference_with(&self, a: usize, b: usize, level: Level, spread: Spread) -> Option<Interval> {
        let gap = (self.theta[a] - self.theta[b]) * ELO_PER_THETA;
        let reach = self.quantile(level, spread) * self.difference_error(a, b, spread)? * ELO_PER_THETA;
        Some(Interval::around(gap, reach, level))
    }

    /// Likelihood of superiority: the probability that a is stronger than b, with the default spread.
    /// `None` when the two are not on one scale.
    pub fn los(&self, a: usize, b: usize) -> Option<f64> {
        self.los_with(a, b, self.default_spread())
    }

    /// [`Fit::los`] with a named spread: Phi((theta_a - theta_b) / sqrt(Vaa + Vbb - 2 Vab)); two anchored
    /// players give 0, 0.5 or 1.
    pub fn los_with(&self, a: usize, b: usize, spread: Spread) -> Option<f64> {
        let error = self.difference_error(a, b, spread)?;
        let gap = self.theta[a] - self.theta[b];
        if gap == 0.0 {
            return Some(0.5);
        }
        Some(Normal::standard().cdf(gap / error))
    }

    /// Probability of first place per seat when `seats` play one game, by Luce's rule with the seat terms.
    /// `None` when the players are not on one scale or there are more seats than fitted terms.
    pub fn first_place_shares(&self, seats: &[usize]) -> Option<Vec<f64>> {
        let first = *seats.first()?;
        let comparable = seats.iter().all(|&player| self.scale[player] == self.scale[first]);
        if !comparable || (!self.seat_terms.is_empty() && seats.len() > self.seat_terms.len()) {
            return None;
        }
        let x = |(seat, &player): (usize, &usize)| self.theta[player] + self.seat_term(seat);
        let x: Vec<f64> = seats.iter().enumerate().map(x).collect();
        let top = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let total: f64 = x.iter().map(|x| (x - top).exp()).sum();
        Some(x.iter().map(|x| (x - top).exp() / total).collect())
    }

    /// The fitted advantage of a seat, 0 when seat terms were not fitted.
    pub(crate) fn seat_term(&self, seat: usize) -> f64 {
        self.seat_terms.get(seat).copied().unwrap_or(0.0)
    }

    /// Fitted directions: free parameters less gauge and unidentified ones, on all scales.
    pub(crate) fn fitted_strengths(&self) -> usize {
        let free = self.free.iter().flatten().count();
        let anchored_scale = (self.free.iter().any(Option::is_none)).then_some(self.reference);
        let mut scales: Vec<usize> =
            self.scale.iter().copied().filter(|&s| Some(s) != anchored_scale).collect();
        scales.sort_unstable();
        scales.dedup();
        free - scales.len()
    }

    fn quantile(&self, level: Level, spread: Spread) -> f64 {
        match spread {
            Spread::Fisher => level.z(),
            Spread::Robust => level.t(self.blocks.saturating_sub(1).max(1) as f64),
        }
    }

    fn difference_error(&self, a: usize, b: usize, spread: Spread) -> Option<f64> {
        if self.scale[a] != self.scale[b] {
            return None;
        }
        let (aa, bb) = (self.covariance(a, a, spread)?, self.covariance(b, b, spread)?);
        let variance = aa + bb - 2.0 * self.covariance(a, b, spread)?;
        Some(variance.max(0.0).sqrt())
    }
}
