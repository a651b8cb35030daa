//! Speed of the games of a run.

use super::share::rate;
use crate::store::Timing;
use agon_ratings::Interval;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Speed with one number of workers.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Throughput {
    /// Worker threads.
    pub workers: i64,
    /// Stretches of play that were timed.
    pub stretches: usize,
    /// Wall time, s.
    pub wall_s: f64,
    /// Games in that time.
    pub games: i64,
    /// Env steps in that time.
    pub steps: i64,
    /// Games a second.
    pub games_per_s: f64,
    /// 95 % interval of it, from the spread between stretches; `None` for a single one.
    pub games_per_s_interval: Option<Interval>,
    /// Env steps a second.
    pub steps_per_s: f64,
    /// 95 % interval of it.
    pub steps_per_s_interval: Option<Interval>,
}

/// Speed by number of workers; stretches without games are left out.
pub(super) fn throughput(timings: &[Timing]) -> Vec<Throughput> {
    let workers: BTreeSet<i64> = timings.iter().map(|t| t.workers).collect();
    let row = |workers: i64| {
        let own: Vec<&Timing> = timings.iter().filter(|t| t.workers == workers && t.games > 0).collect();
        let seconds = |t: &Timing| t.wall_ms as f64 / 1000.0;
        let per = |what: fn(&Timing) -> i64| {
            rate(&own.iter().map(|t| (what(t) as f64, seconds(t))).collect::<Vec<_>>())
        };
        let (games_per_s, games_per_s_interval) = per(|t| t.games)?;
        let (steps_per_s, steps_per_s_interval) = per(|t| t.steps)?;
        Some(Throughput {
            workers,
            stretches: own.len(),
            wall_s: own.iter().map(|t| seconds(t)).sum(),
            games: own.iter().map(|t| t.games).sum(),
            steps: own.iter().map(|t| t.steps).sum(),
            games_per_s,
            games_per_s_interval,
            steps_per_s,
            steps_per_s_interval,
        })
    };
    workers.into_iter().filter_map(row).collect()
}
