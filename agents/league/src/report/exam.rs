//! Exams: the best champion on one seat against copies of an anchor, on fresh seeds.

use super::{
    fold::check_shape,
    share::{Mean, Share, Tally},
};
use crate::{
    error::LeagueError,
    matches::{Outcome, Status},
    player::{Player, PlayerKind},
    schedule::EXAM_GENERATION,
};
use agon_ratings::Interval;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What an exam says.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The whole interval lies above par.
    AbovePar,
    /// The interval holds par.
    Unclear,
    /// The whole interval lies below par.
    BelowPar,
}

impl Verdict {
    /// The verdict on a win rate.
    pub fn of(interval: &Interval, par: f64) -> Self {
        if interval.low > par {
            Self::AbovePar
        } else if interval.high < par {
            Self::BelowPar
        } else {
            Self::Unclear
        }
    }

    /// In words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::AbovePar => "above par",
            Self::Unclear => "not distinguishable from par",
            Self::BelowPar => "below par",
        }
    }
}

/// The newest exam against one anchor.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Exam {
    /// Finished generations when it was taken.
    pub after_generations: u32,
    /// Name of the examined champion.
    pub player: String,
    /// Name of the anchor; all other seats are copies of it.
    pub opponent: String,
    /// Games played, void ones included.
    pub games: u64,
    /// Games that the run's settings ask for.
    pub planned: u64,
    /// Games that the champion won alone.
    pub wins: u64,
    /// Games in which it shared the first place.
    pub draws: u64,
    /// Games in which it did not come first.
    pub losses: u64,
    /// Games ended by a seat that gave up or acted illegally; taken as recorded.
    pub forfeits: u64,
    /// Failed games; not counted in the win rate.
    pub void: u64,
    /// Games cut by a limit; a draw of all seats.
    pub truncated: u64,
    /// Win rate with the wider of the two intervals, a shared first place counting 1 / winners.
    pub win_rate: Option<Share>,
    /// The interval between blocks; `None` with fewer than two.
    pub clustered: Option<Interval>,
    /// The interval that takes every game on its own.
    pub wilson: Option<Interval>,
    /// Win rate among equals.
    pub par: f64,
    /// The verdict by the wider interval; `None` without a rated game.
    pub verdict: Option<Verdict>,
    /// Win rate in each seat.
    pub by_seat: Vec<Option<Share>>,
    /// Mean points of the champion in the game's own count; `None` where none are counted.
    pub points: Option<Mean>,
}

/// Who sat an exam, against whom, when.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Sitting {
    generation: u32,
    player: i64,
}

/// Collects exam games.
#[derive(Default)]
pub(crate) struct Exams {
    by_anchor: BTreeMap<i64, BTreeMap<Sitting, Record>>,
}

#[derive(Default)]
struct Record {
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    forfeits: u64,
    void: u64,
    truncated: u64,
    last_match: i64,
    all: Tally,
    by_seat: Vec<Tally>,
    points: Tally,
}

impl Exams {
    /// Adds one exam game.
    pub(crate) fn add(
        &mut self,
        o: &Outcome,
        players: &BTreeMap<i64, Player>,
        seats: usize,
    ) -> Result<(), LeagueError> {
        check_shape(o, seats)?;
        let (seat, anchor) = roles(o, players)?;
        let sitting = Sitting { generation: o.game.generation, player: o.game.seats[seat] };
        let record = self.by_anchor.entry(anchor).or_default().entry(sitting).or_default();
        record.by_seat.resize(seats, Tally::default());
        record.games += 1;
        record.last_match = record.last_match.max(o.game.id);
        match o.status {
            Status::Won => {}
            Status::Forfeit => record.forfeits += 1,
            Status::Truncated => record.truncated += 1,
            Status::Void => {
                record.void += 1;
                return Ok(());
            }
        }
        let share = o.win_share(seat);
        record.wins += u64::from(share == 1.0);
        record.draws += u64::from(share > 0.0 && share < 1.0);
        record.losses += u64::from(share == 0.0);
        record.all.push(o.game.block, 1.0, share);
        record.by_seat[seat].push(o.game.block, 1.0, share);
        if let Some(points) = o.points.get(seat) {
            record.points.push(o.game.block, 1.0, f64::from(*points));
        }
        Ok(())
    }

    /// The newest exam of each anchor, in the order of the anchors.
    pub(crate) fn latest(&self, players: &BTreeMap<i64, Player>, planned: u64, seats: usize) -> Vec<Exam> {
        let name = |id: &i64| players.get(id).map_or_else(|| id.to_string(), |p| p.name.clone());
        let newest = |sittings: &BTreeMap<Sitting, Record>| {
            let (sitting, record) = sittings.iter().max_by_key(|(s, r)| (s.generation, r.last_match))?;
            Some((*sitting, exam(record, 1.0 / seats as f64)))
        };
        self.by_anchor
            .iter()
            .filter_map(|(anchor, sittings)| {
                let (sitting, exam) = newest(sittings)?;
                Some(Exam {
                    after_generations: sitting.generation.saturating_sub(EXAM_GENERATION),
                    player: name(&sitting.player),
                    opponent: name(anchor),
                    planned,
                    ..exam
                })
            })
            .collect()
    }
}

fn exam(record: &Record, par: f64) -> Exam {
    let limits = record.all.limits();
    let win_rate = record.all.share();
    Exam {
        after_generations: 0,
        player: String::new(),
        opponent: String::new(),
        games: record.games,
        planned: 0,
        wins: record.wins,
        draws: record.draws,
        losses: record.losses,
        forfeits: record.forfeits,
        void: record.void,
        truncated: record.truncated,
        win_rate,
        clustered: limits.as_ref().and_then(|l| l.clustered),
        wilson: limits.as_ref().map(|l| l.wilson),
        par,
        verdict: win_rate.map(|w| Verdict::of(&w.interval, par)),
        by_seat: record.by_seat.iter().map(Tally::share).collect(),
        points: record.points.mean(),
    }
}

/// The seat of the examined champion and the anchor on all other seats.
fn roles(o: &Outcome, players: &BTreeMap<i64, Player>) -> Result<(usize, i64), LeagueError> {
    let is_evolved = |id: &i64| players.get(id).is_some_and(|p| p.kind != PlayerKind::Bot);
    let mut evolved = o.game.seats.iter().enumerate().filter(|(_, id)| is_evolved(id)).map(|(seat, _)| seat);
    let mut others = o.game.seats.iter().filter(|id| !is_evolved(id));
    match (evolved.next(), evolved.next(), others.next()) {
        (Some(seat), None, Some(anchor)) if others.all(|other| other == anchor) => Ok((seat, *anchor)),
        _ => {
            let what =
                format!("exam match {} does not seat one champion against copies of one anchor", o.game.id);
            Err(LeagueError::Ratings(what))
        }
    }
}
