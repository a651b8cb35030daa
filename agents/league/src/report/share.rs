//! Shares of wins with intervals that hold although games of a block share their seed.

use agon_ratings::{Interval, Level, interval::wilson};
use serde::{Deserialize, Serialize};

/// The level of every interval in a report.
pub(crate) const LEVEL: Level = Level::P95;
/// Below this the blocks count as showing no spread at all.
const NO_SPREAD: f64 = 1e-18;

/// Which interval was the wider one and is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// Wilson's at the number of games that the spread between blocks allows for.
    Clustered,
    /// Wilson's, every game on its own.
    Wilson,
}

/// A share (of wins, of points) with its 95 % interval.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Share {
    /// What it is a share of: seats played, encounters. Tied winners can make it fractional.
    pub of: f64,
    /// Share with its limits, from 0 to 1: the wider of the clustered and the Wilson interval.
    pub interval: Interval,
    /// Which of the two that is.
    pub method: Method,
}

/// A mean (of points a game) with its 95 % interval.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Mean {
    /// Seats played that count points.
    pub of: u64,
    /// The mean.
    pub mean: f64,
    /// Cluster-robust interval with Student's t; `None` with a single block of games.
    pub interval: Option<Interval>,
}

/// Results summed up by block.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    blocks: Vec<Sum>,
}

#[derive(Clone, Copy, Debug)]
struct Sum {
    block: i64,
    weight: f64,
    points: f64,
}

/// Both intervals of a tally.
pub(crate) struct Limits {
    pub(crate) weight: f64,
    pub(crate) wilson: Interval,
    /// `None` with a single block.
    pub(crate) clustered: Option<Interval>,
}

impl Tally {
    /// Adds a result worth `points` out of `weight`.
    pub(crate) fn push(&mut self, block: i64, weight: f64, points: f64) {
        match self.blocks.last_mut() {
            Some(last) if last.block == block => {
                last.weight += weight;
                last.points += points;
            }
            _ => self.blocks.push(Sum { block, weight, points }),
        }
    }

    /// The share with the wider interval; `None` without results.
    pub(crate) fn share(&self) -> Option<Share> {
        let limits = self.limits()?;
        let width = |i: &Interval| i.high - i.low;
        let (interval, method) = match limits.clustered {
            Some(i) if width(&i) > width(&limits.wilson) => (i, Method::Clustered),
            _ => (limits.wilson, Method::Wilson),
        };
        Some(Share { of: limits.weight, interval, method })
    }

    /// The mean of results of weight 1 with its interval; `None` without results.
    pub(crate) fn mean(&self) -> Option<Mean> {
        let groups = self.groups();
        let of: f64 = groups.iter().map(|g| g.0).sum();
        if of <= 0.0 {
            return None;
        }
        let mean = groups.iter().map(|g| g.1).sum::<f64>() / of;
        let blocks = groups.len() as f64;
        let interval = (groups.len() > 1).then(|| {
            let spread: f64 = groups.iter().map(|(w, p)| (p - mean * w).powi(2)).sum();
            let reach = LEVEL.t(blocks - 1.0) * (blocks / (blocks - 1.0) * spread).sqrt() / of;
            Interval { low: mean - reach, estimate: mean, high: mean + reach, level: LEVEL }
        });
        Some(Mean { of: of as u64, mean, interval })
    }

    /// Weight and points of each block.
    fn groups(&self) -> Vec<(f64, f64)> {
        let mut sums = self.blocks.clone();
        sums.sort_by_key(|s| s.block);
        sums.chunk_by(|a, b| a.block == b.block)
            .map(|g| g.iter().fold((0.0, 0.0), |(w, p), s| (w + s.weight, p + s.points)))
            .collect()
    }

    /// Both intervals; `None` without results.
    ///
    /// The clustered one is Wilson's at n = p(1-p)/SE^2, with SE^2 of the ratio of points to weight between
    /// blocks and Student's t: as the score interval depends on z^2/n only, t is put in by scaling n.
    pub(crate) fn limits(&self) -> Option<Limits> {
        let groups = self.groups();
        let weight: f64 = groups.iter().map(|g| g.0).sum();
        if weight <= 0.0 {
            return None;
        }
        let share = (groups.iter().map(|g| g.1).sum::<f64>() / weight).clamp(0.0, 1.0);
        let score = |n: f64| wilson((share * n).min(n), n, LEVEL).ok();
        let blocks = groups.len() as f64;
        let clustered = (groups.len() > 1)
            .then(|| {
                let spread: f64 = groups.iter().map(|(w, p)| (p - share * w).powi(2)).sum();
                let variance = blocks / (blocks - 1.0) * spread / (weight * weight);
                let n = if variance > NO_SPREAD { share * (1.0 - share) / variance } else { blocks };
                score(n * (LEVEL.z() / LEVEL.t(blocks - 1.0)).powi(2))
            })
            .flatten();
        Some(Limits { weight, wilson: score(weight)?, clustered })
    }
}

/// Ratio of two sums over stretches (games over seconds) with its interval between stretches; without limits
/// for a single stretch.
pub(crate) fn rate(stretches: &[(f64, f64)]) -> Option<(f64, Option<Interval>)> {
    let below: f64 = stretches.iter().map(|s| s.1).sum();
    if below <= 0.0 {
        return None;
    }
    let rate = stretches.iter().map(|s| s.0).sum::<f64>() / below;
    let n = stretches.len() as f64;
    let interval = (stretches.len() > 1).then(|| {
        let spread: f64 = stretches.iter().map(|(a, b)| (a - rate * b).powi(2)).sum();
        let reach = LEVEL.t(n - 1.0) * (n / (n - 1.0) * spread).sqrt() / below;
        Interval { low: (rate - reach).max(0.0), estimate: rate, high: rate + reach, level: LEVEL }
    });
    Some((rate, interval))
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_ratings::interval::{clustered_mean, clustered_proportion};

    fn near(a: f64, b: f64) {
        assert!((a - b).abs() < 1e-9, "{a} against {b}");
    }

    #[test]
    fn whole_games_give_the_intervals_of_the_ratings_crate() {
        let values: Vec<(u64, f64)> = (0..60).map(|g| (g / 4, f64::from(u32::from(g * g % 7 < 3)))).collect();
        let mut tally = Tally::default();
        values.iter().for_each(|(block, x)| tally.push(*block as i64, 1.0, *x));
        let limits = tally.limits().expect("results");
        let theirs = clustered_proportion(&values, LEVEL).expect("sound");
        let ours = limits.clustered.expect("15 blocks");
        near(ours.low, theirs.low);
        near(ours.high, theirs.high);
        let sum: f64 = values.iter().map(|v| v.1).sum();
        assert_eq!(limits.wilson, wilson(sum, 60.0, LEVEL).expect("sound"));
    }

    #[test]
    fn a_mean_is_that_of_the_ratings_crate() {
        let values: Vec<(u64, f64)> = (0..60).map(|g| (g / 4, (g * g % 11) as f64)).collect();
        let mut tally = Tally::default();
        values.iter().for_each(|(block, x)| tally.push(*block as i64, 1.0, *x));
        let (ours, theirs) = (tally.mean().expect("results"), clustered_mean(&values, LEVEL).expect("sound"));
        assert_eq!(ours.of, 60);
        near(ours.mean, theirs.estimate);
        let interval = ours.interval.expect("15 blocks");
        near(interval.low, theirs.low);
        near(interval.high, theirs.high);
        // One block tells nothing of the spread between blocks.
        let mut one = Tally::default();
        [7.0, 10.0].iter().for_each(|x| one.push(3, 1.0, *x));
        assert_eq!(one.mean(), Some(Mean { of: 2, mean: 8.5, interval: None }));
        assert_eq!(Tally::default().mean(), None);
    }

    #[test]
    fn the_wider_interval_is_shown() {
        // All four games of a block agree: the clustered interval is about twice as wide.
        let mut same = Tally::default();
        (0..40).for_each(|g| same.push(g / 4, 1.0, ((g / 4) % 2) as f64));
        assert_eq!(same.share().expect("results").method, Method::Clustered);
        // Every block holds two wins of four: the blocks vary less than chance, and Wilson stays.
        let mut even = Tally::default();
        (0..400).for_each(|g| even.push(g / 4, 1.0, (g % 2) as f64));
        let share = even.share().expect("results");
        near(share.interval.estimate, 0.5);
        assert!(share.interval.high - share.interval.low > 0.097, "{share:?}");
        assert!(Tally::default().share().is_none());
    }

    #[test]
    fn a_rate_is_the_ratio_of_sums() {
        let (games_a_second, interval) =
            rate(&[(100.0, 1.0), (300.0, 2.0), (200.0, 2.0)]).expect("time passed");
        near(games_a_second, 120.0);
        assert!(interval.expect("three stretches").contains(120.0));
        assert_eq!(rate(&[(5.0, 2.0)]), Some((2.5, None)));
        assert_eq!(rate(&[(5.0, 0.0)]), None);
    }
}
