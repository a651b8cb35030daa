//! What an episode is worth to its learner.

use crate::Measure;
use rl_gym::{Batch, BatchEnv, Spec, VecEnv, guarded};

/// A seat's score and whether it won. A game that was cut has no places: all share the first.
pub(crate) fn score(
    measure: &Measure,
    batch: &mut VecEnv,
    lane: usize,
    seat: usize,
    ranks: &[u8],
    cut: bool,
) -> Result<(f64, bool), String> {
    let seats = ranks.len();
    let placed = ranks.get(seat).copied().unwrap_or(u8::MAX);
    let is_placed = placed != u8::MAX && !cut;
    let firsts = ranks.iter().filter(|r| **r == 0).count().max(1);
    let win = match (is_placed, placed) {
        (true, 0) => 1.0 / firsts as f64,
        (true, _) => 0.0,
        (false, _) => 1.0 / seats.max(1) as f64,
    };
    let is_won = is_placed && placed == 0 && firsts < seats;
    match measure {
        Measure::Win => Ok((win, is_won)),
        Measure::Place if !is_placed => Ok((0.5, false)),
        Measure::Place => {
            let behind = ranks.iter().filter(|r| **r > placed).count() as f64;
            let beside = ranks.iter().filter(|r| **r == placed).count() as f64 - 1.0;
            Ok(((behind + beside / 2.0) / (seats.max(2) - 1) as f64, is_won))
        }
        Measure::Points { full } => {
            let mut points = vec![f32::NAN; seats];
            guarded("the environment", || batch.env(lane).points(&mut points)).map_err(|f| f.to_string())?;
            let share = f64::from(points[seat] / full);
            if share.is_nan() {
                return Err("the game counts no points: choose another measure".into());
            }
            Ok((share.clamp(0.0, 1.0), is_won))
        }
        Measure::Metric(name) => {
            let at = column(batch.spec(), name)?;
            let value = f64::from(metric(&batch.view(), lane, at));
            if value.is_nan() {
                return Err(format!("the metric {name} is no number"));
            }
            Ok((value.clamp(0.0, 1.0), is_won || (!is_placed && value >= 1.0)))
        }
    }
}

fn column(spec: &Spec, name: &str) -> Result<usize, String> {
    spec.metrics
        .iter()
        .position(|m| m == name)
        .ok_or_else(|| format!("{} has no metric \"{name}\": it has {}", spec.id(), spec.metrics.join(", ")))
}

fn metric(view: &Batch<'_>, lane: usize, at: usize) -> f32 {
    view.metrics(lane)[at]
}
