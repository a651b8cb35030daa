//! Drift: whether ratings hold over a run, though anchors and frozen champions do not change.

use super::{
    fold::Fold,
    rating::{ORIGIN, Rating},
    share::LEVEL,
    text::{clean, count, grouped, p_value, whole},
};
use crate::{
    error::LeagueError,
    player::{Player, PlayerKind},
};
use agon_ratings::{GameResult, Interval, Level};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Periods that a run is cut into.
const PERIODS: usize = 3;
/// Least blocks of games of a player in a period.
const LEAST_BLOCKS: usize = 30;
/// Chance of a false alarm by any shift at all, and by all of them together.
const FALSE_ALARM: f64 = 0.01;

/// Whether ratings hold over the periods of a run: players do not change, so differences between them must not.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Drift {
    /// The periods, each with about as many champions.
    pub periods: Vec<Period>,
    /// The player that all shifts are relative to.
    pub reference: String,
    /// Whether it rings: some shift is beyond the threshold, or all together deviate at p < 0.01.
    pub rings: bool,
    /// Chi-square of all tested players in all periods.
    pub chi_square: f64,
    /// Its degrees of freedom.
    pub degrees_of_freedom: usize,
    /// Probability of so much deviation if no rating moves.
    pub p_value: f64,
    /// Shift that is beyond chance, in standard errors; the more of them are tested, the greater.
    pub threshold_sigma: f64,
    /// Shifts beyond it.
    pub flagged: usize,
    /// The tested players: anchors and champions with enough games in two periods.
    pub rows: Vec<DriftRow>,
}

/// A period of a run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Period {
    /// Generation of its first ladder games.
    pub from: u32,
    /// Generation of its last ladder games.
    pub to: u32,
    /// Rated ladder games.
    pub games: usize,
}

/// One player over the periods.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct DriftRow {
    /// Name.
    pub name: String,
    /// Generation of its birth; `None` for anchors.
    pub generation: Option<u32>,
    /// Elo by the whole run, as on the leaderboard.
    pub whole: Option<Interval>,
    /// Elo by the games of each period alone; `None` where it sat too rarely.
    pub periods: Vec<Option<Shift>>,
}

/// One player in one period.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Shift {
    /// Elo by the games of this period, on the scale of the leaderboard.
    pub elo: Interval,
    /// How far that is above the Elo by the other periods.
    pub shift: Interval,
    /// The shift in standard errors.
    pub sigma: f64,
    /// Whether it is beyond the threshold.
    pub flagged: bool,
}

/// Cuts the games of a fold into periods and compares them; `None` with fewer than three generations of ladder
/// games, or without a bot to compare with.
pub(crate) fn drift(
    fold: &Fold,
    rating: &Rating,
    players: &[(i64, Player)],
) -> Result<Option<Drift>, LeagueError> {
    let Some((reference, base)) = rating.reference() else { return Ok(None) };
    let cuts = cut(&fold.generations);
    if cuts.len() < PERIODS {
        return Ok(None);
    }
    let failed = |e: agon_ratings::RatingError| LeagueError::Ratings(e.to_string());
    let games: Vec<&[GameResult]> = cuts.iter().map(|r| &fold.results[r.clone()]).collect();
    let found = agon_ratings::drift(players.len(), &games, reference, LEAST_BLOCKS, LEVEL).map_err(failed)?;
    let tested = found.shifts.len().max(1) as f64;
    let threshold = Level::new(1.0 - FALSE_ALARM / tested).map_err(failed)?.z();
    let on_board = |i: Interval| Interval {
        low: i.low + ORIGIN + base,
        estimate: i.estimate + ORIGIN + base,
        high: i.high + ORIGIN + base,
        level: i.level,
    };
    let rows: Vec<DriftRow> = found
        .shifts
        .chunk_by(|a, b| a.player == b.player)
        .map(|own| {
            let player = own[0].player;
            let mut periods = vec![None; PERIODS];
            for s in own {
                let flagged = s.sigma.abs() > threshold;
                periods[s.period] =
                    Some(Shift { elo: on_board(s.elo), shift: s.shift, sigma: s.sigma, flagged });
            }
            let (_, Player { name, kind, .. }) = &players[player];
            DriftRow { name: name.clone(), generation: born(kind), whole: rating.elo(player), periods }
        })
        .collect();
    let flagged = rows.iter().flat_map(|r| r.periods.iter().flatten()).filter(|s| s.flagged).count();
    let period = |r: &Range<usize>| Period {
        from: fold.generations[r.start],
        to: fold.generations[r.end - 1],
        games: r.len(),
    };
    Ok(Some(Drift {
        periods: cuts.iter().map(period).collect(),
        reference: players[reference].1.name.clone(),
        rings: flagged > 0 || (found.degrees_of_freedom > 0 && found.p_value < FALSE_ALARM),
        chi_square: found.chi_square,
        degrees_of_freedom: found.degrees_of_freedom,
        p_value: found.p_value,
        threshold_sigma: threshold,
        flagged,
        rows,
    }))
}

const fn born(kind: &PlayerKind) -> Option<u32> {
    match kind {
        PlayerKind::Evolved { generation, .. } => Some(*generation),
        PlayerKind::Bot | PlayerKind::Program => None,
    }
}

/// Games of equal numbers of generations, in [`PERIODS`] stretches; fewer where there are fewer generations.
fn cut(generations: &[u32]) -> Vec<Range<usize>> {
    let stretches: Vec<Range<usize>> = generations
        .chunk_by(|a, b| a == b)
        .scan(0, |from, g| {
            let stretch = *from..*from + g.len();
            *from = stretch.end;
            Some(stretch)
        })
        .collect();
    let n = stretches.len();
    let bounds = (0..PERIODS).map(|p| p * n / PERIODS..(p + 1) * n / PERIODS).filter(|r| !r.is_empty());
    bounds.map(|r| stretches[r.start].start..stretches[r.end - 1].end).collect()
}

/// What the alarm says, in words.
pub(crate) fn drift_words(d: &Drift) -> String {
    let shifts: usize = d.rows.iter().map(|r| r.periods.iter().flatten().count()).sum();
    if shifts == 0 {
        return "Drift was not tested: nobody has enough ladder games in two thirds of the run.".into();
    }
    let verdict = if d.rings {
        "DRIFT: ratings move over the run though the players do not change"
    } else {
        "No drift found: ratings hold over the run"
    };
    let p = &d.periods;
    format!(
        "{verdict} (relative to {}, in generations {}-{}, {}-{} and {}-{}: {}, {} degrees of freedom; {} of {} \
         beyond {:.1} sigma).",
        clean(&d.reference),
        p[0].from,
        p[0].to,
        p[1].from,
        p[1].to,
        p[2].from,
        p[2].to,
        p_value(d.p_value),
        d.degrees_of_freedom,
        grouped(d.flagged as u64),
        count(shifts as u64, "shift"),
        d.threshold_sigma,
    )
}

/// The shifts beyond the threshold in words, the largest first.
pub(crate) fn shift_words(d: &Drift) -> Vec<String> {
    let mut beyond: Vec<(&DriftRow, usize, &Shift)> = d
        .rows
        .iter()
        .flat_map(|r| r.periods.iter().enumerate().filter_map(move |(at, s)| Some((r, at, s.as_ref()?))))
        .filter(|(_, _, s)| s.flagged)
        .collect();
    beyond.sort_by(|a, b| b.2.sigma.abs().total_cmp(&a.2.sigma.abs()));
    let words = |(row, at, s): (&DriftRow, usize, &Shift)| {
        let period = &d.periods[at];
        format!(
            "{} reads {} in generations {}-{}, {} {} than in the others ({} to {}; {:.1} sigma)",
            clean(&row.name),
            whole(s.elo.estimate),
            period.from,
            period.to,
            whole(s.shift.estimate.abs()),
            if s.sigma > 0.0 { "more" } else { "less" },
            whole(s.shift.low),
            whole(s.shift.high),
            s.sigma.abs()
        )
    };
    beyond.into_iter().map(words).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn periods_hold_equal_numbers_of_generations_and_all_games() {
        let cuts =
            |generations: &[u32]| cut(generations).into_iter().map(|r| (r.start, r.end)).collect::<Vec<_>>();
        assert_eq!(cuts(&[0, 0, 7, 7, 7, 15]), [(0, 2), (2, 5), (5, 6)]);
        assert_eq!(cuts(&[0, 1, 2, 3, 4, 5, 6]), [(0, 2), (2, 4), (4, 7)]);
        assert_eq!(cuts(&[0, 0, 7]).len(), 2);
        assert_eq!(cuts(&[]).len(), 0);
    }
}
