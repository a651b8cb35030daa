//! Cyclicity alarm: when rock beats paper beats scissors, one number per player is not enough.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use statrs::distribution::{ChiSquared, ContinuousCDF};

use crate::game::check_games;
use crate::{Fit, GameResult, Placing, RatingError};

/// Blocks from which the spread between blocks is trusted beside the binomial one.
const MIN_BLOCKS: f64 = 8.0;

/// One pair of players, the first against the second.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct PairResidual {
    /// The lower player index.
    pub a: usize,
    /// The higher player index.
    pub b: usize,
    /// Encounters: games in which one was placed against the other; tied winners of a winner-only game
    /// count in part.
    pub games: f64,
    /// Points of `a` seen: win 1, tie 0.5.
    pub observed: f64,
    /// Points of `a` that the fit expects.
    pub expected: f64,
    /// (observed - expected) / standard deviation.
    pub sigma: f64,
}

/// What the fit leaves unexplained, pair by pair.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CycleAlarm {
    /// Share of the variation of pair scores around one half that the strengths explain: 1 is all, 0 is
    /// none (a pure cycle), below 0 is worse than calling everyone equal. Sampling noise lowers it, so
    /// read it together with `p_value`. 1 when every pair is even.
    pub explained: f64,
    /// Sum of squared `sigma` over all pairs.
    pub chi_square: f64,
    /// Pairs less fitted strengths; 0 leaves nothing to test.
    pub degrees_of_freedom: usize,
    /// Probability of a `chi_square` this large if one number per player were enough; 1 with nothing to
    /// test. With half-win draws it errs on the quiet side.
    pub p_value: f64,
    /// Pairs whose |sigma| exceeds the threshold, the largest first.
    pub flagged: Vec<PairResidual>,
}

/// Compares every pair's score with the fit and lists the pairs beyond `threshold_sigma` (usually 3).
///
/// Under Luce's rule the better placed of two seats is Bradley-Terry distributed whoever else plays, so
/// multi-seat games split into pairs: every pair of a [`Placing::Full`] game, and winner against each
/// other seat of a [`Placing::WinnerOnly`] game, k tied winners with weight 1/k each. Seat terms are
/// taken into account, self-play and pairs on different scales are left out. The variance is the
/// binomial one, or the one between blocks where that is larger and 8 blocks or more show it.
/// # Errors
/// [`RatingError`] for malformed games, for a player that `fit` does not have, and for a threshold that
/// is not finite.
pub fn cycle_alarm(fit: &Fit, games: &[GameResult], threshold_sigma: f64) -> Result<CycleAlarm, RatingError> {
    check_games(fit.theta.len(), games)?;
    if !threshold_sigma.is_finite() {
        return Err(RatingError::NotFinite { name: "threshold_sigma", value: threshold_sigma });
    }
    let pairs: Vec<PairResidual> = tally(fit, games).into_iter().map(|(pair, t)| t.residual(pair)).collect();
    let chi_square = pairs.iter().map(|pair| pair.sigma * pair.sigma).sum();
    let degrees_of_freedom = pairs.len().saturating_sub(fit.fitted_strengths());
    let around = |centre: fn(&PairResidual) -> f64| -> f64 {
        pairs.iter().map(|pair| (pair.observed - centre(pair)).powi(2) / pair.games).sum()
    };
    let (unexplained, variation) = (around(|pair| pair.expected), around(|pair| 0.5 * pair.games));
    let mut flagged: Vec<_> =
        pairs.iter().copied().filter(|pair| pair.sigma.abs() > threshold_sigma).collect();
    flagged.sort_by(|x, y| y.sigma.abs().total_cmp(&x.sigma.abs()).then((x.a, x.b).cmp(&(y.a, y.b))));
    Ok(CycleAlarm {
        explained: if variation > 0.0 { 1.0 - unexplained / variation } else { 1.0 },
        chi_square,
        degrees_of_freedom,
        p_value: ChiSquared::new(degrees_of_freedom as f64).map_or(1.0, |chi| chi.sf(chi_square)),
        flagged,
    })
}

/// One encounter of a pair inside one game.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
struct Encounter {
    block: u64,
    weight: f64,
    points: f64,
    probability: f64,
}

#[derive(Default)]
struct Tally {
    encounters: Vec<Encounter>,
}

impl Tally {
    fn residual(mut self, (a, b): (usize, usize)) -> PairResidual {
        self.encounters.sort_by(|x, y| {
            let key = |e: &Encounter| [e.weight, e.points, e.probability];
            x.block
                .cmp(&y.block)
                .then_with(|| key(x).partial_cmp(&key(y)).unwrap_or(std::cmp::Ordering::Equal))
        });
        let sum = |value: fn(&Encounter) -> f64| self.encounters.iter().map(value).sum::<f64>();
        let games = sum(|e| e.weight);
        let observed = sum(|e| e.points);
        let expected = sum(|e| e.weight * e.probability);
        let binomial = sum(|e| e.weight * e.probability * (1.0 - e.probability));
        let variance = binomial.max(self.between_blocks()).max(f64::MIN_POSITIVE);
        let sigma = (observed - expected) / variance.sqrt();
        PairResidual { a, b, games, observed, expected, sigma }
    }

    /// Variance of the total residual as the blocks show it; 0 where there are too few.
    fn between_blocks(&self) -> f64 {
        let residual =
            |block: &[Encounter]| block.iter().map(|e| e.points - e.weight * e.probability).sum::<f64>();
        let residuals: Vec<f64> = self.encounters.chunk_by(|x, y| x.block == y.block).map(residual).collect();
        let blocks = residuals.len() as f64;
        if blocks < MIN_BLOCKS {
            return 0.0;
        }
        let mean = residuals.iter().sum::<f64>() / blocks;
        blocks / (blocks - 1.0) * residuals.iter().map(|r| (r - mean).powi(2)).sum::<f64>()
    }
}

fn tally(fit: &Fit, games: &[GameResult]) -> BTreeMap<(usize, usize), Tally> {
    let mut pairs: BTreeMap<(usize, usize), Tally> = BTreeMap::new();
    for game in games {
        let winners = game.ranks.iter().filter(|&&rank| rank == 0).count() as f64;
        for (i, j) in (0..game.seats.len()).flat_map(|i| (0..game.seats.len()).map(move |j| (i, j))) {
            let (a, b) = (game.seats[i], game.seats[j]);
            if a >= b || fit.scale[a] != fit.scale[b] {
                continue;
            }
            if let Some((weight, points)) = points(game, i, j, winners) {
                let gap = fit.theta[a] + fit.seat_term(i) - fit.theta[b] - fit.seat_term(j);
                let probability = 1.0 / (1.0 + (-gap).exp());
                let encounter = Encounter { block: game.block, weight, points, probability };
                pairs.entry((a, b)).or_default().encounters.push(encounter);
            }
        }
    }
    pairs
}

/// Weight of the encounter of seats i and j and the points of i; `None` when the game does not tell.
fn points(game: &GameResult, i: usize, j: usize, winners: f64) -> Option<(f64, f64)> {
    let (mine, theirs) = (game.informative_rank(i), game.informative_rank(j));
    match (game.placing, mine.cmp(&theirs)) {
        (Placing::WinnerOnly, std::cmp::Ordering::Equal) if mine > 0 => None,
        (Placing::WinnerOnly, std::cmp::Ordering::Equal) => Some((2.0 / winners, 1.0 / winners)),
        (Placing::WinnerOnly, std::cmp::Ordering::Less) => Some((1.0 / winners, 1.0 / winners)),
        (Placing::WinnerOnly, std::cmp::Ordering::Greater) => Some((1.0 / winners, 0.0)),
        (Placing::Full, std::cmp::Ordering::Less) => Some((1.0, 1.0)),
        (Placing::Full, std::cmp::Ordering::Equal) => Some((1.0, 0.5)),
        (Placing::Full, std::cmp::Ordering::Greater) => Some((1.0, 0.0)),
    }
}
