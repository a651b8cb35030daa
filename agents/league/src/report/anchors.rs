//! Anchors across runs: the same bots play in all of them, so the distance between two must be the same in all.

use super::{rating::Rating, run::Gathered, share::LEVEL};
use crate::{error::LeagueError, player::PlayerKind, store::Store};
use agon_ratings::{Homogeneity, Interval, homogeneity};
use rl_gym::Game;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How far one anchor is above another on the ladder of one run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Gap {
    /// Name of the first anchor.
    pub a: String,
    /// Name of the second anchor.
    pub b: String,
    /// Elo of the first less that of the second, with its 95 % interval.
    pub elo: Interval,
    /// Standard error, Elo.
    pub standard_error: f64,
}

/// One pair of anchors over several runs.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Across {
    /// Name of the first anchor.
    pub a: String,
    /// Name of the second anchor.
    pub b: String,
    /// Number of each run that rates the pair, in the order given, with its difference.
    pub runs: Vec<(usize, Interval)>,
    /// Mean of the runs weighted by their precision, with its 95 % interval if they agree.
    pub pooled: Interval,
    /// Whether they agree.
    pub test: Homogeneity,
    /// Probability of so much disagreement by chance in any of the pairs that were compared (Bonferroni).
    pub p_adjusted: f64,
    /// Standard deviation between runs beyond chance, Elo: that of DerSimonian and Laird (1986), 0 when chance
    /// explains all.
    pub between: f64,
}

/// The distances between the anchors of a run, by its ladder games: each pair of anchors that is rated, the one that
/// entered first as `b`.
///
/// The fit has no virtual draws, other than the leaderboard's: those lift a bot that hardly ever wins, and distances of
/// runs of different lengths should not depend on them at all. A pair of which one never won is left out.
///
/// # Errors
/// When the store cannot be read, or belongs to another game.
pub fn anchor_gaps(store: &Store, game: &Game) -> Result<Vec<Gap>, LeagueError> {
    let gathered = Gathered::new(store, game)?;
    let (players, games) = gathered.ladder();
    let Some(rating) = Rating::unpulled(players, games)? else { return Ok(Vec::new()) };
    let anchors: Vec<usize> = (0..players.len()).filter(|i| players[*i].1.kind == PlayerKind::Bot).collect();
    let name = |i: usize| players[i].1.name.clone();
    let pairs =
        anchors.iter().enumerate().flat_map(|(at, b)| anchors[at + 1..].iter().map(move |a| (*a, *b)));
    let gap = |(a, b): (usize, usize)| {
        let (elo, standard_error) = rating.gap(a, b)?;
        Some(Gap { a: name(a), b: name(b), elo, standard_error })
    };
    Ok(pairs.filter_map(gap).collect())
}

/// Compares the distances that several runs give, pair by pair, in the order of their first appearance. Pairs that
/// fewer than two runs rate are left out.
///
/// # Errors
/// When a standard error is no number above 0.
pub fn anchors_across(runs: &[Vec<Gap>]) -> Result<Vec<Across>, LeagueError> {
    let failed = |e: agon_ratings::RatingError| LeagueError::Ratings(e.to_string());
    let mut order: Vec<(&str, &str)> = Vec::new();
    let mut of: BTreeMap<(&str, &str), Vec<(usize, &Gap)>> = BTreeMap::new();
    for (run, gap) in runs.iter().enumerate().flat_map(|(run, gaps)| gaps.iter().map(move |g| (run, g))) {
        let pair = (gap.a.as_str(), gap.b.as_str());
        let seen = of.entry(pair).or_default();
        if seen.is_empty() {
            order.push(pair);
        }
        seen.push((run, gap));
    }
    order.retain(|pair| of[pair].len() > 1);
    let compared = order.len() as f64;
    let across = |pair: &(&str, &str)| {
        let seen = &of[pair];
        let estimates: Vec<(f64, f64)> =
            seen.iter().map(|(_, g)| (g.elo.estimate, g.standard_error)).collect();
        let test = homogeneity(&estimates).map_err(failed)?;
        let reach = LEVEL.z() * test.standard_error;
        let (low, estimate, high) = (test.pooled - reach, test.pooled, test.pooled + reach);
        Ok(Across {
            a: pair.0.into(),
            b: pair.1.into(),
            runs: seen.iter().map(|(run, g)| (*run, g.elo)).collect(),
            pooled: Interval { low, estimate, high, level: LEVEL },
            test,
            p_adjusted: (test.p_value * compared).min(1.0),
            between: between(&estimates, &test),
        })
    };
    order.iter().map(across).collect()
}

/// Moment estimate of the standard deviation between estimates beyond their own errors.
fn between(estimates: &[(f64, f64)], test: &Homogeneity) -> f64 {
    let weights = || estimates.iter().map(|e| 1.0 / (e.1 * e.1));
    let total: f64 = weights().sum();
    let scale = total - weights().map(|w| w * w).sum::<f64>() / total;
    ((test.chi_square - test.degrees_of_freedom as f64) / scale).max(0.0).sqrt()
}
