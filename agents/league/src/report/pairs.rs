//! Pairs of players: what was seen, what the ratings expect, and whether one number a player is enough.

use super::{fold::Fold, rating::Rating, share::Share};
use crate::{error::LeagueError, player::Player};
use agon_ratings::{Level, cycle_alarm};
use serde::{Deserialize, Serialize};

/// Chance of a false alarm by any pair at all, and by the sum over all pairs.
const FALSE_ALARM: f64 = 0.01;
/// Least deviation, in standard deviations, that flags a pair.
const LEAST_SIGMA: f64 = 3.0;
/// Most flagged pairs that are kept.
const MOST_FLAGGED: usize = 20;

/// Two players that met.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Pair {
    /// Row of the first player; always the lower one.
    pub a: usize,
    /// Row of the second player.
    pub b: usize,
    /// Games in which both sat.
    pub games: u64,
    /// Share of their encounters that the first took. Where only the winner counts, the encounters are the
    /// games that one of the two won; `None` when there was none.
    pub score: Option<Share>,
    /// The share that the ratings expect; `None` where they are not comparable.
    pub expected: Option<f64>,
}

impl Pair {
    /// The pair seen from the second player.
    #[must_use]
    pub fn swapped(&self) -> Self {
        let mut pair = self.clone();
        std::mem::swap(&mut pair.a, &mut pair.b);
        pair.expected = self.expected.map(|p| 1.0 - p);
        if let Some(score) = &mut pair.score {
            let i = &mut score.interval;
            (i.low, i.estimate, i.high) = (1.0 - i.high, 1.0 - i.estimate, 1.0 - i.low);
        }
        pair
    }
}

/// Whether some results are in a circle, so that ratings cannot explain them.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Alarm {
    /// Whether it rings: some pair is flagged, or all pairs together deviate at p < 0.01.
    pub rings: bool,
    /// Share of the variation of pair scores that the ratings explain; noise lowers it.
    pub explained: f64,
    /// Chi-square of all pairs.
    pub chi_square: f64,
    /// Its degrees of freedom.
    pub degrees_of_freedom: usize,
    /// Probability of so much deviation if one number a player were enough.
    pub p_value: f64,
    /// Deviation that flags a pair: at least 3, more among many pairs.
    pub threshold_sigma: f64,
    /// Pairs beyond it.
    pub flagged: Vec<OddPair>,
}

/// A pair that the ratings do not explain.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct OddPair {
    /// Name of the player that did better than its rating says.
    pub better: String,
    /// Name of the other.
    pub worse: String,
    /// Encounters.
    pub of: f64,
    /// Share that the first took.
    pub seen: f64,
    /// Share that the ratings expect.
    pub expected: f64,
    /// The deviation in standard deviations.
    pub sigma: f64,
}

/// All pairs that met, by rows: `row_of` tells the row of each player index.
pub(crate) fn pairs(fold: &Fold, rating: Option<&Rating>, row_of: &[usize]) -> Vec<Pair> {
    let mut pairs: Vec<Pair> = fold
        .meetings
        .iter()
        .map(|(&(a, b), meeting)| {
            let pair = Pair {
                a: row_of[a],
                b: row_of[b],
                games: meeting.games,
                score: meeting.points.share(),
                expected: rating.and_then(|r| r.expected(a, b)),
            };
            if pair.a < pair.b { pair } else { pair.swapped() }
        })
        .collect();
    pairs.sort_by_key(|p| (p.a, p.b));
    pairs
}

/// The alarm over all games of the fit.
pub(crate) fn alarm(fold: &Fold, rating: &Rating, players: &[(i64, Player)]) -> Result<Alarm, LeagueError> {
    let failed = |e: agon_ratings::RatingError| LeagueError::Ratings(e.to_string());
    let tested = fold.meetings.len().max(1) as f64;
    let threshold = Level::new(1.0 - FALSE_ALARM / tested).map_err(failed)?.z().max(LEAST_SIGMA);
    let found = cycle_alarm(&rating.fit, &fold.results, threshold).map_err(failed)?;
    let odd = |pair: &agon_ratings::PairResidual| {
        let name = |i: usize| players[i].1.name.clone();
        let (seen, expected) = (pair.observed / pair.games, pair.expected / pair.games);
        if pair.sigma >= 0.0 {
            let (better, worse) = (name(pair.a), name(pair.b));
            OddPair { better, worse, of: pair.games, seen, expected, sigma: pair.sigma }
        } else {
            let (better, worse) = (name(pair.b), name(pair.a));
            OddPair {
                better,
                worse,
                of: pair.games,
                seen: 1.0 - seen,
                expected: 1.0 - expected,
                sigma: -pair.sigma,
            }
        }
    };
    Ok(Alarm {
        rings: !found.flagged.is_empty() || (found.degrees_of_freedom > 0 && found.p_value < FALSE_ALARM),
        explained: found.explained,
        chi_square: found.chi_square,
        degrees_of_freedom: found.degrees_of_freedom,
        p_value: found.p_value,
        threshold_sigma: threshold,
        flagged: found.flagged.iter().take(MOST_FLAGGED).map(odd).collect(),
    })
}
