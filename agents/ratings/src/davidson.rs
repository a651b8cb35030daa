//! Davidson's model of duels: draws have a parameter of their own, and so has sitting first.

use nalgebra::{DMatrix, DVector};
use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, Normal};

use crate::game::check_players;
use crate::newton::{Derivatives, Factor, maximise};
use crate::robust::{count_blocks, sandwich};
use crate::scale::Meetings;
use crate::{ELO_PER_THETA, Interval, Level, RatingError, Spread};

/// Strengths further apart than this, or |ln nu| beyond half of it, count as running to infinity.
const MAX_SPREAD: f64 = 20.0;

/// How a duel ended, from the first seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum DuelOutcome {
    /// The first seat won.
    FirstWins,
    /// Neither won.
    Draw,
    /// The second seat won.
    SecondWins,
}

/// A finished two-seat game between different players.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Duel {
    /// Player in the first seat.
    pub first: usize,
    /// Player in the second seat.
    pub second: usize,
    /// How it ended.
    pub outcome: DuelOutcome,
    /// Duels with equal `block` count as correlated.
    pub block: u64,
}

/// How to fit.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct DavidsonOptions {
    /// Whether to fit the first seat's advantage (default `true`).
    pub side: bool,
    /// Virtual decisive wins, without side, for each side of every played pair (default 0.5; 0 = none).
    pub prior_half_games: f64,
}

impl Default for DavidsonOptions {
    fn default() -> Self {
        Self { side: true, prior_half_games: 0.5 }
    }
}

/// A fitted Davidson model.
///
/// Its theta is on the scale of decisive games, so differences and errors are larger than those of
/// [`fit()`](crate::fit()), which counts draws as half wins; do not compare the two number by number.
#[derive(Debug, Clone)]
pub struct Davidson {
    /// Strength per player, natural log, sum zero.
    pub theta: Vec<f64>,
    /// Advantage of the first seat, natural log; 0 when not fitted.
    pub side: f64,
    /// Draw parameter: equals without a side advantage draw with probability nu / (2 + nu). 0 without draws.
    pub nu: f64,
    /// Log-likelihood of the real duels.
    pub log_likelihood: f64,
    /// Newton iterations used.
    pub iterations: usize,
    /// Whether the search reached its tolerance with bounded parameters. Without a prior, a player
    /// who draws with or beats everyone can run to infinity together with nu; this is then `false`.
    pub converged: bool,
    /// Directions that the duels do not identify, for example the side when nobody ever swaps seats.
    pub unidentified: usize,
    /// Number of distinct blocks.
    pub blocks: usize,
    side_index: Option<usize>,
    draw_index: Option<usize>,
    fisher: DMatrix<f64>,
    robust: Option<DMatrix<f64>>,
}

/// Fits strengths, first-seat advantage and draw parameter to duels.
///
/// With a = e^(theta_first + side) and b = e^theta_second, the first wins : second wins : draw odds are
/// a : b : nu sqrt(ab). Parameters are theta (sum zero), side and ln nu; the likelihood is concave.
/// # Errors
/// [`RatingError`] for malformed duels or options, when no duel is decisive, and
/// [`RatingError::NotConnected`] when wins and draws do not connect all players both ways.
/// # Source
/// Davidson 1970; the side term as in Davidson and Beaver 1977.
pub fn davidson(players: usize, duels: &[Duel], options: &DavidsonOptions) -> Result<Davidson, RatingError> {
    check(players, duels, options)?;
    let model = Model::new(players, duels, options);
    let scales = model.scales();
    if scales > 1 {
        return Err(RatingError::NotConnected { scales });
    }
    let gauge = [(0..players).collect::<Vec<_>>()];
    let value = |at: &DVector<f64>| model.rows.iter().map(|row| row.value(at)).sum();
    let derivatives = |at: &DVector<f64>| model.derivatives(at);
    let maximum = maximise(DVector::zeros(model.size), &gauge, value, derivatives);
    let at = &maximum.at;

    let factor = Factor::new(model.derivatives(at).information, &gauge);
    let fisher = factor.covariance(&gauge);
    let fitted = model.size.saturating_sub(1 + factor.deficiency());
    let robust = sandwich(&fisher, fitted, &model.games, |item, total| {
        let row = &model.rows[item / 3];
        let (odds, outcome) = (row.odds(at), item % 3);
        for feature in 0..4 {
            if let Some(index) = row.index[feature] {
                total.add(index, row.features[outcome][feature] - row.mean(&odds, feature));
            }
        }
    });
    let theta = at.as_slice()[..players].to_vec();
    let widest = theta.iter().fold(0.0f64, |widest, t| widest.max(t.abs()));
    let log_nu = model.draw_index.map_or(f64::NEG_INFINITY, |index| at[index]);
    let bounded = widest < MAX_SPREAD && model.draw_index.is_none_or(|_| log_nu.abs() < 0.5 * MAX_SPREAD);
    Ok(Davidson {
        theta,
        side: model.side_index.map_or(0.0, |index| at[index]),
        nu: log_nu.exp(),
        log_likelihood: model.rows[..model.virtual_from].iter().map(|row| row.value(at)).sum(),
        iterations: maximum.iterations,
        converged: maximum.converged && bounded,
        unidentified: factor.deficiency(),
        blocks: count_blocks(&model.games),
        side_index: model.side_index,
        draw_index: model.draw_index,
        fisher,
        robust,
    })
}

impl Davidson {
    /// The covariance used by default: robust when there are two blocks or more, else Fisher.
    pub fn default_spread(&self) -> Spread {
        if self.robust.is_some() { Spread::Robust } else { Spread::Fisher }
    }

    /// Covariance of two players' theta, sum-zero gauge. `None` when robust is asked for with one block.
    pub fn covariance(&self, a: usize, b: usize, spread: Spread) -> Option<f64> {
        Some(self.matrix(spread)?[(a, b)])
    }

    /// Standard error of a player's theta, natural log.
    pub fn standard_error(&self, player: usize, spread: Spread) -> Option<f64> {
        self.error_at(player, spread)
    }

    /// Standard error of the first seat's advantage; `None` when it was not fitted.
    pub fn side_standard_error(&self, spread: Spread) -> Option<f64> {
        self.error_at(self.side_index?, spread)
    }

    /// Standard error of nu (delta method from ln nu); `None` without draws.
    pub fn nu_standard_error(&self, spread: Spread) -> Option<f64> {
        Some(self.nu * self.error_at(self.draw_index?, spread)?)
    }

    /// Interval of Elo(a) - Elo(b) on the decisive-game scale, with the default spread.
    pub fn difference(&self, a: usize, b: usize, level: Level) -> Interval {
        let (quantile, spread) = match self.default_spread() {
            Spread::Robust => (level.t((self.blocks - 1) as f64), Spread::Robust),
            Spread::Fisher => (level.z(), Spread::Fisher),
        };
        let reach = quantile * self.difference_error(a, b, spread).unwrap_or(f64::NAN);
        let gap = self.theta[a] - self.theta[b];
        Interval::around(gap * ELO_PER_THETA, reach * ELO_PER_THETA, level)
    }

    /// Likelihood of superiority of a over b, with the default spread.
    pub fn los(&self, a: usize, b: usize) -> f64 {
        let gap = self.theta[a] - self.theta[b];
        match self.difference_error(a, b, self.default_spread()) {
            Some(error) if gap != 0.0 => Normal::standard().cdf(gap / error),
            _ => 0.5,
        }
    }

    /// Probabilities that `first` wins, that they draw, and that `second` wins.
    pub fn outcome_probabilities(&self, first: usize, second: usize) -> [f64; 3] {
        let half_gap = 0.5 * (self.theta[first] + self.side - self.theta[second]);
        let (win, draw, loss) = (half_gap.exp(), self.nu, (-half_gap).exp());
        [win, draw, loss].map(|odds| odds / (win + draw + loss))
    }

    fn matrix(&self, spread: Spread) -> Option<&DMatrix<f64>> {
        match spread {
            Spread::Fisher => Some(&self.fisher),
            Spread::Robust => self.robust.as_ref(),
        }
    }

    fn error_at(&self, index: usize, spread: Spread) -> Option<f64> {
        Some(self.matrix(spread)?[(index, index)].max(0.0).sqrt())
    }

    fn difference_error(&self, a: usize, b: usize, spread: Spread) -> Option<f64> {
        let v = self.matrix(spread)?;
        Some((v[(a, a)] + v[(b, b)] - 2.0 * v[(a, b)]).max(0.0).sqrt())
    }
}

/// All duels between one first and one second player, or one virtual pair.
struct Row {
    /// Parameters of the features {first, second, side, draw}.
    index: [Option<usize>; 4],
    /// Features per outcome {first wins, draw, second wins}.
    features: [[f64; 4]; 3],
    counts: [f64; 3],
    /// Whether a draw is a possible outcome.
    can_draw: bool,
}

impl Row {
    fn new(index: [Option<usize>; 4], counts: [f64; 3], can_draw: bool) -> Self {
        let features = [[1.0, 0.0, 1.0, 0.0], [0.5, 0.5, 0.5, 1.0], [0.0, 1.0, 0.0, 0.0]];
        Self { index, features, counts, can_draw }
    }

    /// Log-odds of the outcomes up to a common constant.
    fn utilities(&self, at: &DVector<f64>) -> [f64; 3] {
        let parameter = self.index.map(|index| index.map_or(0.0, |index| at[index]));
        let utility = |features: [f64; 4]| features.iter().zip(parameter).map(|(f, p)| f * p).sum();
        let [first, draw, second] = self.features.map(utility);
        [first, if self.can_draw { draw } else { f64::NEG_INFINITY }, second]
    }

    /// Probabilities of the outcomes.
    fn odds(&self, at: &DVector<f64>) -> [f64; 3] {
        let utilities = self.utilities(at);
        let top = utilities.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let e = utilities.map(|u| (u - top).exp());
        e.map(|odds| odds / e.iter().sum::<f64>())
    }

    fn mean(&self, odds: &[f64; 3], feature: usize) -> f64 {
        (0..3).map(|outcome| odds[outcome] * self.features[outcome][feature]).sum()
    }

    fn value(&self, at: &DVector<f64>) -> f64 {
        let utilities = self.utilities(at);
        let top = utilities.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let log_sum = top + utilities.iter().map(|u| (u - top).exp()).sum::<f64>().ln();
        let seen = (0..3).filter(|&outcome| self.counts[outcome] > 0.0);
        seen.map(|outcome| self.counts[outcome] * (utilities[outcome] - log_sum)).sum()
    }
}

struct Model {
    players: usize,
    rows: Vec<Row>,
    virtual_from: usize,
    /// `(block, 3 x row + outcome)` of every duel, sorted.
    games: Vec<(u64, usize)>,
    size: usize,
    side_index: Option<usize>,
    draw_index: Option<usize>,
}

impl Model {
    fn new(players: usize, duels: &[Duel], options: &DavidsonOptions) -> Self {
        let side_index = options.side.then_some(players);
        let has_draws = duels.iter().any(|duel| duel.outcome == DuelOutcome::Draw);
        let draw_index = has_draws.then_some(players + usize::from(options.side));
        let size = players + usize::from(options.side) + usize::from(has_draws);
        let (mut rows, mut games): (Vec<Row>, _) = (Vec::new(), Vec::with_capacity(duels.len()));
        let mut sorted = duels.to_vec();
        sorted.sort_unstable();
        for pairing in sorted.chunk_by(|a, b| (a.first, a.second) == (b.first, b.second)) {
            let index = [Some(pairing[0].first), Some(pairing[0].second), side_index, draw_index];
            let mut row = Row::new(index, [0.0; 3], has_draws);
            for duel in pairing {
                row.counts[duel.outcome as usize] += 1.0;
                games.push((duel.block, 3 * rows.len() + duel.outcome as usize));
            }
            rows.push(row);
        }
        games.sort_unstable();
        let mut model = Self { players, virtual_from: rows.len(), rows, games, size, side_index, draw_index };
        if options.prior_half_games > 0.0 {
            for (i, j) in model.meetings().pairs() {
                let counts = [options.prior_half_games, 0.0, options.prior_half_games];
                model.rows.push(Row::new([Some(i), Some(j), None, None], counts, false));
            }
        }
        model
    }

    fn meetings(&self) -> Meetings {
        let mut meetings = Meetings::new(self.players);
        for row in &self.rows {
            if let [Some(first), Some(second), ..] = row.index {
                meetings.record_met(first, second);
                if row.counts[0] + row.counts[1] > 0.0 {
                    meetings.record_beat(first, second);
                }
                if row.counts[1] + row.counts[2] > 0.0 {
                    meetings.record_beat(second, first);
                }
            }
        }
        meetings
    }

    fn scales(&self) -> usize {
        self.meetings().scales().iter().max().map_or(0, |last| last + 1)
    }

    fn derivatives(&self, at: &DVector<f64>) -> Derivatives {
        let mut gradient = DVector::zeros(self.size);
        let mut information = DMatrix::zeros(self.size, self.size);
        for row in &self.rows {
            let odds = row.odds(at);
            let total: f64 = row.counts.iter().sum();
            let mean: [f64; 4] = std::array::from_fn(|feature| row.mean(&odds, feature));
            for a in 0..4 {
                let Some(index_a) = row.index[a] else { continue };
                let seen: f64 = (0..3).map(|outcome| row.counts[outcome] * row.features[outcome][a]).sum();
                gradient[index_a] += seen - total * mean[a];
                for (b, index_b) in row.index.iter().enumerate() {
                    let Some(index_b) = *index_b else { continue };
                    let products = (0..3).map(|o| odds[o] * row.features[o][a] * row.features[o][b]);
                    information[(index_b, index_a)] += total * (products.sum::<f64>() - mean[a] * mean[b]);
                }
            }
        }
        Derivatives { gradient, information }
    }
}

fn check(players: usize, duels: &[Duel], options: &DavidsonOptions) -> Result<(), RatingError> {
    if duels.is_empty() {
        return Err(RatingError::NoGames);
    }
    for (game, duel) in duels.iter().enumerate() {
        check_players(game, &[duel.first, duel.second], players)?;
        if duel.first == duel.second {
            return Err(RatingError::SelfDuel { game, player: duel.first });
        }
    }
    if !(options.prior_half_games >= 0.0 && options.prior_half_games.is_finite()) {
        return Err(RatingError::Prior { value: options.prior_half_games });
    }
    if duels.iter().all(|duel| duel.outcome == DuelOutcome::Draw) {
        return Err(RatingError::NoDecisiveDuel { draws: duels.len() });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use DuelOutcome::{Draw, FirstWins, SecondWins};

    const PLAIN: DavidsonOptions = DavidsonOptions { side: false, prior_half_games: 0.0 };

    fn duels(first: usize, second: usize, counts: [u64; 3]) -> Vec<Duel> {
        let outcomes = [FirstWins, Draw, SecondWins].into_iter().zip(counts);
        let list = outcomes.flat_map(|(outcome, count)| (0..count).map(move |_| outcome));
        (0..).zip(list).map(|(block, outcome)| Duel { first, second, outcome, block }).collect()
    }

    fn near(seen: f64, expected: f64) {
        assert!((seen - expected).abs() < 1e-9, "seen {seen}, expected {expected}");
    }

    #[test]
    fn two_players_are_fitted_exactly() {
        // Saturated: odds 30 : 10 give ln 3, nu = 20 / sqrt(30 x 10), predicted shares are the seen ones.
        let model = davidson(2, &duels(0, 1, [30, 20, 10]), &PLAIN).unwrap();
        near(model.theta[0] - model.theta[1], 3f64.ln());
        near(model.nu, 20.0 / 300f64.sqrt());
        for (seen, expected) in model.outcome_probabilities(0, 1).into_iter().zip([0.5, 1.0 / 3.0, 1.0 / 6.0])
        {
            near(seen, expected);
        }
        // Only decisive games tell the gap: variance 1/30 + 1/10, Elo reach 1.96 x 400 / ln 10 of it.
        let gap_variance = 4.0 * model.covariance(0, 0, Spread::Fisher).unwrap();
        near(gap_variance, 1.0 / 30.0 + 0.1);
        assert!(model.los(0, 1) > 0.99 && model.difference(0, 1, Level::P95).low > 0.0);
    }

    #[test]
    fn swapped_seats_tell_the_side_from_the_strength() {
        // 40 : 10 and 10 : 40 in swapped seats: equal players, side ln 4. Order of duels is irrelevant.
        let options = DavidsonOptions { side: true, ..PLAIN };
        let mut list = [duels(0, 1, [40, 0, 10]), duels(1, 0, [40, 0, 10])].concat();
        let model = davidson(2, &list, &options).unwrap();
        near(model.theta[0], 0.0);
        near(model.side, 4f64.ln());
        assert_eq!((model.nu, model.nu_standard_error(Spread::Fisher)), (0.0, None));
        list.reverse();
        let turned = davidson(2, &list, &options).unwrap();
        assert_eq!((model.theta, model.side.to_bits()), (turned.theta, turned.side.to_bits()));
    }

    #[test]
    fn a_side_nobody_swapped_is_reported() {
        let options = DavidsonOptions { side: true, ..PLAIN };
        let model = davidson(2, &duels(0, 1, [30, 0, 10]), &options).unwrap();
        assert_eq!(model.unidentified, 1);
        near(model.theta[0] - model.theta[1] + model.side, 3f64.ln());
    }

    #[test]
    fn wins_and_draws_without_a_loss_run_away_unless_there_is_a_prior() {
        let list = duels(0, 1, [10, 5, 0]);
        assert!(!davidson(2, &list, &PLAIN).unwrap().converged);
        let prior = DavidsonOptions { side: false, prior_half_games: 0.5 };
        let model = davidson(2, &list, &prior).unwrap();
        assert!(model.converged && model.theta[0] > 0.5 && model.nu.is_finite());
    }
}
