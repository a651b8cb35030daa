//! One pass over outcomes: what each player and each pair did.

use super::share::Tally;
use crate::{
    error::LeagueError,
    matches::{Outcome, Status},
    player::Player,
};
use agon_ratings::{GameResult, Placing};
use std::collections::BTreeMap;

/// What one player did. Seats are counted, so a game in which it holds two seats counts twice.
#[derive(Clone, Default)]
pub(crate) struct Record {
    pub(crate) games: u64,
    pub(crate) wins: u64,
    pub(crate) draws: u64,
    pub(crate) losses: u64,
    pub(crate) all: Tally,
    pub(crate) by_seat: Vec<Tally>,
    /// Points in the game's own count, where it counts them.
    pub(crate) points: Tally,
}

/// What the first player of a pair did against the second.
#[derive(Clone, Default)]
pub(crate) struct Meeting {
    pub(crate) games: u64,
    pub(crate) points: Tally,
}

/// The outcome of the pass.
pub(crate) struct Fold {
    pub(crate) records: Vec<Record>,
    /// By player indices, the lower first.
    pub(crate) meetings: BTreeMap<(usize, usize), Meeting>,
    pub(crate) results: Vec<GameResult>,
    /// Generation of each result.
    pub(crate) generations: Vec<u32>,
    pub(crate) games: u64,
    pub(crate) forfeits: u64,
    pub(crate) void: u64,
    pub(crate) truncated: u64,
    pub(crate) notes: BTreeMap<(&'static str, String), u64>,
    index: BTreeMap<i64, usize>,
    seats: usize,
    placing: Placing,
}

impl Fold {
    pub(crate) fn new(players: &[(i64, Player)], placing: rl_gym::Placing, seats: usize) -> Self {
        let record = Record { by_seat: vec![Tally::default(); seats], ..Record::default() };
        Self {
            records: vec![record; players.len()],
            meetings: BTreeMap::new(),
            results: Vec::new(),
            generations: Vec::new(),
            games: 0,
            forfeits: 0,
            void: 0,
            truncated: 0,
            notes: BTreeMap::new(),
            index: players.iter().enumerate().map(|(i, (id, _))| (*id, i)).collect(),
            seats,
            placing: crate::train::placing(placing),
        }
    }

    /// Adds one game. Void ones are counted and nothing else; all others are taken as recorded.
    pub(crate) fn add(&mut self, o: &Outcome) -> Result<(), LeagueError> {
        check_shape(o, self.seats)?;
        let seats = o.game.seats.iter().map(|id| {
            self.index.get(id).copied().ok_or_else(|| {
                let what = format!("match {} seats player {id}, which is not in the table", o.game.id);
                LeagueError::Ratings(what)
            })
        });
        let seats = seats.collect::<Result<Vec<usize>, _>>()?;
        self.count(o);
        if o.status == Status::Void {
            return Ok(());
        }
        self.record(o, &seats);
        self.meet(o, &seats);
        self.generations.push(o.game.generation);
        self.results.push(GameResult::new(seats, o.ranks.clone(), o.game.block as u64, self.placing));
        Ok(())
    }

    fn count(&mut self, o: &Outcome) {
        self.games += 1;
        match o.status {
            Status::Won => {}
            Status::Truncated => self.truncated += 1,
            Status::Forfeit => self.forfeits += 1,
            Status::Void => self.void += 1,
        }
        if let Some(note) = &o.note {
            *self.notes.entry((o.status.word(), note.clone())).or_default() += 1;
        }
    }

    fn record(&mut self, o: &Outcome, seats: &[usize]) {
        let winners = o.ranks.iter().filter(|r| **r == 0).count();
        for (seat, &player) in seats.iter().enumerate() {
            let record = &mut self.records[player];
            record.games += u64::from(!seats[..seat].contains(&player));
            match (o.ranks[seat], winners) {
                (0, 1) => record.wins += 1,
                (0, _) => record.draws += 1,
                _ => record.losses += 1,
            }
            let share = o.win_share(seat);
            record.all.push(o.game.block, 1.0, share);
            record.by_seat[seat].push(o.game.block, 1.0, share);
            if let Some(points) = o.points.get(seat) {
                record.points.push(o.game.block, 1.0, f64::from(*points));
            }
        }
    }

    fn meet(&mut self, o: &Outcome, seats: &[usize]) {
        let winners = o.ranks.iter().filter(|r| **r == 0).count() as f64;
        let mut met: Vec<(usize, usize)> = Vec::new();
        for (i, j) in (0..seats.len()).flat_map(|i| (0..seats.len()).map(move |j| (i, j))) {
            let pair = (seats[i], seats[j]);
            if pair.0 >= pair.1 {
                continue;
            }
            let meeting = self.meetings.entry(pair).or_default();
            if !met.contains(&pair) {
                met.push(pair);
                meeting.games += 1;
            }
            if let Some((weight, points)) = points(self.placing, o.ranks[i], o.ranks[j], winners) {
                meeting.points.push(o.game.block, weight, points);
            }
        }
    }
}

/// Refuses outcomes that do not have one rank a seat, or points for some seats only, as a store that was edited by
/// hand may hold.
pub(crate) fn check_shape(o: &Outcome, seats: usize) -> Result<(), LeagueError> {
    let (have, ranks) = (o.game.seats.len(), o.ranks.len());
    let best = o.ranks.iter().min();
    if have == seats && ranks == seats && best == Some(&0) {
        if o.points.is_empty() || o.points.len() == seats && o.points.iter().all(|p| p.is_finite()) {
            return Ok(());
        }
        let what = format!(
            "match {} has the points {:?}: none, or one finite number for each of {seats} seats was expected",
            o.game.id, o.points
        );
        return Err(LeagueError::Ratings(what));
    }
    let what = format!(
        "match {} has {have} seats and {ranks} ranks, the best {}: {seats} seats with one rank each, the best 0, \
         were expected",
        o.game.id,
        best.map_or("missing".into(), u8::to_string),
    );
    Err(LeagueError::Ratings(what))
}

/// Weight of the encounter of two seats and the points of the first; `None` when the game does not tell.
///
/// Under Luce's rule the odds between two seats do not depend on the others: games that one of the two won
/// compare them. k tied winners count 1/k each, as in the fit.
fn points(placing: Placing, mine: u8, theirs: u8, winners: f64) -> Option<(f64, f64)> {
    let ahead = |won: bool, tied: bool| if tied { 0.5 } else { f64::from(u8::from(won)) };
    match placing {
        Placing::Full => Some((1.0, ahead(mine < theirs, mine == theirs))),
        Placing::WinnerOnly => match (mine == 0, theirs == 0) {
            (false, false) => None,
            (true, true) => Some((2.0 / winners, 1.0 / winners)),
            (won, _) => Some((1.0 / winners, ahead(won, false) / winners)),
        },
    }
}
