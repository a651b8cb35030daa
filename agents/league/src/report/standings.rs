//! The leaderboard: who stands where, how sure that is, and what it rests on.

use super::{
    drift::{Drift, drift},
    fold::Fold,
    pairs::{Alarm, Pair, alarm, pairs},
    rating::{Flag, Gauge, Rating},
    share::{Mean, Share},
};
use crate::{
    error::LeagueError,
    matches::Outcome,
    player::{Player, PlayerKind},
};
use agon_ratings::Interval;
use serde::{Deserialize, Serialize};

/// From this likelihood of superiority on, one player counts as better than another.
const SUPERIOR: f64 = 0.975;
/// Most different notes that are kept.
const MOST_NOTES: usize = 6;

/// A leaderboard with everything it rests on.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Standings {
    /// Seats of a game.
    pub seats: usize,
    /// Win rate among equals: 1 / seats.
    pub par: f64,
    /// What the game's end says about the seats.
    pub placing: rl_gym::Placing,
    /// What Elo 1000 is.
    pub gauge: Gauge,
    /// Facts about the fit; `None` when there was nothing to fit.
    pub fit: Option<FitFacts>,
    /// The players, strongest first, those without a rating last.
    pub rows: Vec<Row>,
    /// Pairs that met, by row numbers; see [`Standings::pair`].
    pub pairs: Vec<Pair>,
    /// Whether ratings explain the results; `None` when there was nothing to fit.
    pub alarm: Option<Alarm>,
    /// Whether ratings hold over the generations; `None` for games of fewer than three of them.
    #[serde(default)]
    pub drift: Option<Drift>,
    /// What became of the games.
    pub counts: Counts,
}

/// One player of the leaderboard.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Row {
    /// Player id.
    pub id: i64,
    /// Name.
    pub name: String,
    /// `bot` or `evolved`.
    pub kind: String,
    /// Generation of its birth, for evolved ones.
    pub generation: Option<u32>,
    /// Hash that identifies how it plays.
    pub hash: String,
    /// Best and worst place it may hold: a player is above another from a likelihood of superiority of
    /// 97.5 % on. `None` without a rating.
    pub rank: Option<(usize, usize)>,
    /// Elo with its 95 % interval relative to the gauge; `None` when it is not comparable.
    pub elo: Option<Interval>,
    /// Rated games.
    pub games: u64,
    /// Seats played in them: a game in which it holds two seats counts twice.
    pub played: u64,
    /// Seats that won alone.
    pub wins: u64,
    /// Seats that shared the first place.
    pub draws: u64,
    /// Seats that did not come first.
    pub losses: u64,
    /// Win rate with its interval, a shared first place counting 1 / winners. It depends on the opposition.
    pub win_rate: Option<Share>,
    /// Win rate in each seat.
    pub by_seat: Vec<Option<Share>>,
    /// Mean points in the game's own count (victory points) of each seat played; `None` where none are counted.
    pub points: Option<Mean>,
    /// Likelihood of superiority over the next row.
    pub los_next: Option<f64>,
    /// What to know about the rating.
    pub flags: Vec<Flag>,
}

/// Facts about the fit.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct FitFacts {
    /// Blocks of games that share a seed.
    pub blocks: usize,
    /// Virtual draws of the prior over all pairs: one for every two players, and at most one a pair.
    pub virtual_draws: f64,
    /// Newton iterations.
    pub iterations: usize,
    /// Whether it reached its tolerance.
    pub converged: bool,
    /// Whether intervals are cluster-robust; else, with few blocks, the wider of those and the model's own.
    pub robust: bool,
}

/// What became of the games.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Counts {
    /// All games.
    pub games: u64,
    /// Those that are rated: all but void ones.
    pub rated: u64,
    /// Ended by a seat that gave up or acted illegally.
    pub forfeits: u64,
    /// Failed; not rated.
    pub void: u64,
    /// Cut by a limit; a draw of all seats.
    pub truncated: u64,
    /// The most frequent reasons.
    pub notes: Vec<Note>,
}

/// A reason with its number of games.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Note {
    /// `forfeit`, `void`, or another status.
    pub status: String,
    /// The reason as recorded.
    pub text: String,
    /// Games.
    pub games: u64,
}

impl Standings {
    /// Folds `outcomes` of games of `seats` seats into a leaderboard of `players`.
    ///
    /// Void games are counted, never rated; forfeits and truncated games are rated as recorded. The same outcomes
    /// in the same order give the same bytes.
    ///
    /// # Errors
    /// When a game seats somebody else, has the wrong form, or the fit refuses it.
    pub fn new<'a>(
        players: &[(i64, Player)],
        outcomes: impl IntoIterator<Item = &'a Outcome>,
        placing: rl_gym::Placing,
        seats: usize,
    ) -> Result<Self, LeagueError> {
        let mut fold = Fold::new(players, placing, seats);
        outcomes.into_iter().try_for_each(|o| fold.add(o))?;
        Self::of_fold(players, &fold, placing, seats)
    }

    pub(crate) fn of_fold(
        players: &[(i64, Player)],
        fold: &Fold,
        placing: rl_gym::Placing,
        seats: usize,
    ) -> Result<Self, LeagueError> {
        let rating = Rating::new(players, &fold.results)?;
        let rating = rating.as_ref();
        let elo: Vec<Option<Interval>> = (0..players.len()).map(|i| rating.and_then(|r| r.elo(i))).collect();
        let mut order: Vec<usize> = (0..players.len()).collect();
        let strength = |i: usize| elo[i].map_or(f64::NEG_INFINITY, |e| e.estimate);
        order.sort_by(|&i, &j| strength(j).total_cmp(&strength(i)).then(i.cmp(&j)));
        let mut row_of = vec![0; players.len()];
        order.iter().enumerate().for_each(|(row, &i)| row_of[i] = row);

        let los = |a: usize, b: usize| rating.filter(|_| elo[a].is_some() && elo[b].is_some())?.los(a, b);
        let rows = order.iter().enumerate().map(|(row, &i)| {
            let surely = |a: usize, b: usize| a != b && los(a, b).is_some_and(|p| p >= SUPERIOR);
            let above = (0..players.len()).filter(|&j| surely(j, i)).count();
            let below = (0..players.len()).filter(|&j| surely(i, j)).count();
            let rated = elo.iter().flatten().count();
            let record = &fold.records[i];
            let (id, player) = &players[i];
            Row {
                id: *id,
                name: player.name.clone(),
                kind: player.kind.word().into(),
                generation: match player.kind {
                    PlayerKind::Bot | PlayerKind::Program => None,
                    PlayerKind::Evolved { generation, .. } => Some(generation),
                },
                hash: player.hash.clone(),
                rank: elo[i].map(|_| (1 + above, rated - below)),
                elo: elo[i],
                games: record.games,
                played: record.wins + record.draws + record.losses,
                wins: record.wins,
                draws: record.draws,
                losses: record.losses,
                win_rate: record.all.share(),
                by_seat: record.by_seat.iter().map(super::share::Tally::share).collect(),
                points: record.points.mean(),
                los_next: order.get(row + 1).and_then(|&next| los(i, next)),
                flags: rating.map_or_else(|| vec![Flag::NoGames], |r| r.flags(i)),
            }
        });
        Ok(Self {
            seats,
            par: 1.0 / seats.max(1) as f64,
            placing,
            gauge: rating.map_or(Gauge::Nothing, |r| r.gauge.clone()),
            fit: rating.map(|r| FitFacts {
                blocks: r.fit.blocks,
                virtual_draws: r.virtual_draws,
                iterations: r.fit.iterations,
                converged: r.fit.converged,
                robust: r.is_robust(),
            }),
            rows: rows.collect(),
            pairs: pairs(fold, rating, &row_of),
            alarm: rating.map(|r| alarm(fold, r, players)).transpose()?,
            drift: rating.map(|r| drift(fold, r, players)).transpose()?.flatten(),
            counts: counts(fold),
        })
    }

    /// What the player of row `a` did against that of row `b`; `None` when they never met.
    pub fn pair(&self, a: usize, b: usize) -> Option<Pair> {
        let (low, high) = (a.min(b), a.max(b));
        let at = self.pairs.binary_search_by_key(&(low, high), |p| (p.a, p.b)).ok()?;
        let pair = &self.pairs[at];
        Some(if a <= b { pair.clone() } else { pair.swapped() })
    }

    /// The row of a player.
    pub fn row(&self, id: i64) -> Option<&Row> {
        self.rows.iter().find(|r| r.id == id)
    }
}

fn counts(fold: &Fold) -> Counts {
    let mut notes: Vec<Note> = fold
        .notes
        .iter()
        .map(|((status, text), games)| Note { status: (*status).into(), text: text.clone(), games: *games })
        .collect();
    // Stable: equal counts stay in the order of their texts.
    notes.sort_by_key(|n| std::cmp::Reverse(n.games));
    notes.truncate(MOST_NOTES);
    Counts {
        games: fold.games,
        rated: fold.games - fold.void,
        forfeits: fold.forfeits,
        void: fold.void,
        truncated: fold.truncated,
        notes,
    }
}
