//! The fit behind a table: ratings on a stated scale, and how sure they are.

use super::share::LEVEL;
use crate::{
    error::LeagueError,
    player::{Player, PlayerKind},
};
use agon_ratings::{
    ELO_PER_THETA, Fit, FitOptions, GameResult, Interval, RatingError, Spread, Standing, fit,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Elo that the scale is pinned to.
pub(crate) const ORIGIN: f64 = 1000.0;
/// The player that pins it when it plays along.
const PREFERRED: &str = "random";
/// From so many blocks a player on, the robust covariance is trusted alone.
const BLOCKS_PER_PLAYER: usize = 3;

/// What the Elo scale is pinned to.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Gauge {
    /// `origin` reads 1000. Intervals are relative to `reference`, the strongest anchor: that is where the
    /// question is who is ahead, and a far weaker origin would lend its own uncertainty to every row.
    Anchors {
        /// `random` when it plays along, else the weakest bot.
        origin: String,
        /// The strongest bot.
        reference: String,
    },
    /// The mean of the connected players reads 1000.
    Mean,
    /// There is nothing to rate.
    Nothing,
}

/// What to know about a rating beside its number.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Flag {
    /// Intervals are relative to this player, so it has none of its own.
    Fixed,
    /// Never lost to the main group: only the virtual draws keep the rating finite, so it is a lower bound.
    OnlyWins,
    /// Never won against the main group: only the virtual draws keep the rating finite, an upper bound.
    OnlyLosses,
    /// No chain of games leads to the main group: no rating.
    Apart,
    /// No rated game: no rating.
    NoGames,
}

impl Flag {
    /// What it means, for readers.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Fixed => "intervals are relative to this player",
            Self::OnlyWins => "never lost to the main group: the rating is a lower bound",
            Self::OnlyLosses => "never won against the main group: the rating is an upper bound",
            Self::Apart => "never met the main group: not comparable",
            Self::NoGames => "no rated game",
        }
    }
}

/// A fit with its gauge.
pub(crate) struct Rating {
    pub(crate) fit: Fit,
    pub(crate) gauge: Gauge,
    origin: Option<usize>,
    reference: Option<usize>,
    /// Where players stand without the prior; `None` where flags are not asked for.
    bare: Option<Vec<Standing>>,
    /// Virtual draws of the prior, all pairs together.
    pub(crate) virtual_draws: f64,
    trusted: bool,
}

/// Half of the virtual draws that each pair that met gets, and how many pairs did.
///
/// A pair gets one draw as long as that makes no more than one a player; beyond it all pairs share one draw for every
/// two players. So the pull on a player does not grow with the number of its opponents: with one draw a pair, a bot
/// that hardly ever wins would be lifted the more, the more champions a run has.
fn prior(games: &[GameResult]) -> (f64, usize) {
    let mut pairs: BTreeSet<(usize, usize)> = BTreeSet::new();
    let mut players: BTreeSet<usize> = BTreeSet::new();
    for seats in games.iter().map(|g| &g.seats) {
        players.extend(seats);
        for (i, &a) in seats.iter().enumerate() {
            pairs.extend(seats[..i].iter().filter(|b| **b != a).map(|&b| (a.min(b), a.max(b))));
        }
    }
    let most = players.len() as f64 / (2.0 * pairs.len().max(1) as f64);
    (FitOptions::default().prior_half_games * most.min(1.0), pairs.len())
}

impl Rating {
    /// Rates `players` (numbered by position) by `games`; `None` when there is none.
    pub(crate) fn new(players: &[(i64, Player)], games: &[GameResult]) -> Result<Option<Self>, LeagueError> {
        let Some(plain) = Self::plain(players, games)? else { return Ok(None) };
        // Without virtual draws the same games tell whose rating would be infinite.
        let options = FitOptions { prior_half_games: 0.0, ..FitOptions::default() };
        let bare = fit(players.len(), games, &options).map_err(failed)?.standing;
        Ok(Some(Self { bare: Some(bare), ..plain }))
    }

    /// The same ratings at half the work, without flags for those that are bounds.
    pub(crate) fn plain(
        players: &[(i64, Player)],
        games: &[GameResult],
    ) -> Result<Option<Self>, LeagueError> {
        let (half_games, pairs) = prior(games);
        let options = FitOptions { prior_half_games: half_games, ..FitOptions::default() };
        let rating = Self::with(players, games, &options)?;
        Ok(rating.map(|r| Self { virtual_draws: 2.0 * half_games * pairs as f64, ..r }))
    }

    /// Ratings without virtual draws: nothing pulls far players together, and whoever never won or never lost is
    /// not comparable.
    pub(crate) fn unpulled(
        players: &[(i64, Player)],
        games: &[GameResult],
    ) -> Result<Option<Self>, LeagueError> {
        Self::with(players, games, &FitOptions { prior_half_games: 0.0, ..FitOptions::default() })
    }

    fn with(
        players: &[(i64, Player)],
        games: &[GameResult],
        options: &FitOptions,
    ) -> Result<Option<Self>, LeagueError> {
        if games.is_empty() {
            return Ok(None);
        }
        let all = fit(players.len(), games, options).map_err(failed)?;
        let bots = || {
            let finite = |(i, (_, p)): &(usize, &(i64, Player))| {
                p.kind == PlayerKind::Bot && all.standing[*i] == Standing::Finite
            };
            players.iter().enumerate().filter(finite)
        };
        let weaker = |i: usize, j: usize| all.theta[i].total_cmp(&all.theta[j]);
        let origin = bots()
            .min_by(|(i, (_, a)), (j, (_, b))| {
                (a.name != PREFERRED).cmp(&(b.name != PREFERRED)).then(weaker(*i, *j))
            })
            .map(|(i, _)| i);
        let reference = bots().max_by(|(i, _), (j, _)| weaker(*i, *j)).map(|(i, _)| i);
        let name = |i: usize| players[i].1.name.clone();
        let gauge = origin
            .zip(reference)
            .map_or(Gauge::Mean, |(o, r)| Gauge::Anchors { origin: name(o), reference: name(r) });
        let rated = all.games.iter().filter(|g| **g > 0).count();
        let trusted = all.blocks >= BLOCKS_PER_PLAYER * rated;
        Ok(Some(Self { fit: all, gauge, origin, reference, bare: None, virtual_draws: 0.0, trusted }))
    }

    /// Whether intervals are the cluster-robust ones; else each is the wider of those and the model's own, as those of
    /// players that never won or never lost always are.
    pub(crate) const fn is_robust(&self) -> bool {
        self.trusted
    }

    /// The strongest bot, and its Elo above that of the origin.
    pub(crate) fn reference(&self) -> Option<(usize, f64)> {
        let (reference, origin) = self.reference.zip(self.origin)?;
        Some((reference, self.fit.difference_with(reference, origin, LEVEL, Spread::Fisher)?.estimate))
    }

    /// Elo with its interval relative to the gauge; `None` for players apart.
    pub(crate) fn elo(&self, player: usize) -> Option<Interval> {
        if self.fit.standing[player] != Standing::Finite {
            return None;
        }
        let of = |spread| match self.reference {
            Some(reference) => self.fit.difference_with(player, reference, LEVEL, spread),
            None => self.fit.interval_with(player, LEVEL, spread),
        };
        let i = self.widest(&[player, self.reference.unwrap_or(player)], of)?;
        let shift = ORIGIN + self.reference().map_or(0.0, |(_, base)| base);
        Some(Interval {
            low: i.low + shift,
            estimate: i.estimate + shift,
            high: i.high + shift,
            level: i.level,
        })
    }

    /// Elo of `a` above `b` with its interval, and its standard error in Elo; `None` where they are not comparable.
    pub(crate) fn gap(&self, a: usize, b: usize) -> Option<(Interval, f64)> {
        if self.fit.scale[a] != self.fit.scale[b] {
            return None;
        }
        let of = |spread| {
            let covariance = |a, b| self.fit.covariance(a, b, spread);
            let variance = covariance(a, a)? + covariance(b, b)? - 2.0 * covariance(a, b)?;
            Some((self.fit.difference_with(a, b, LEVEL, spread)?, ELO_PER_THETA * variance.max(0.0).sqrt()))
        };
        let robust = of(Spread::Robust);
        if self.trusts(&[a, b]) && robust.is_some() {
            return robust;
        }
        robust.into_iter().chain(of(Spread::Fisher)).max_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// Probability that `a` is stronger than `b`; `None` where they are not comparable.
    pub(crate) fn los(&self, a: usize, b: usize) -> Option<f64> {
        let of = |spread| self.fit.los_with(a, b, spread);
        let robust = of(Spread::Robust);
        if self.trusts(&[a, b]) && robust.is_some() {
            return robust;
        }
        let certainty = |p: &f64| (p - 0.5).abs();
        robust.into_iter().chain(of(Spread::Fisher)).min_by(|a, b| certainty(a).total_cmp(&certainty(b)))
    }

    /// Share of points that `a` is expected to take from `b`; `None` where they are not comparable.
    pub(crate) fn expected(&self, a: usize, b: usize) -> Option<f64> {
        let comparable = self.fit.scale[a] == self.fit.scale[b];
        comparable.then(|| 1.0 / (1.0 + (self.fit.theta[b] - self.fit.theta[a]).exp()))
    }

    /// What to know about the rating of a player.
    pub(crate) fn flags(&self, player: usize) -> Vec<Flag> {
        let mut flags = Vec::new();
        if self.reference == Some(player) {
            flags.push(Flag::Fixed);
        }
        let bare = self.bare.as_ref().map(|bare| bare[player]);
        match (self.fit.standing[player], bare) {
            (Standing::NoGames, _) => flags.push(Flag::NoGames),
            (Standing::Apart, _) => flags.push(Flag::Apart),
            (_, Some(Standing::Above)) => flags.push(Flag::OnlyWins),
            (_, Some(Standing::Below)) => flags.push(Flag::OnlyLosses),
            _ => {}
        }
        flags
    }

    /// Whether the robust spread of these players is believed. Where a player never won or never lost, its games are all
    /// alike and show no variance: the model's own spread is then the honest one.
    fn trusts(&self, players: &[usize]) -> bool {
        let is_bound = |p: &usize| {
            let bare = self.bare.as_ref().map(|bare| bare[*p]);
            matches!(bare, Some(Standing::Above | Standing::Below))
        };
        self.trusted && !players.iter().any(is_bound)
    }

    fn widest(&self, players: &[usize], of: impl Fn(Spread) -> Option<Interval>) -> Option<Interval> {
        let robust = of(Spread::Robust);
        if self.trusts(players) && robust.is_some() {
            return robust;
        }
        let width = |i: &Interval| i.high - i.low;
        robust.into_iter().chain(of(Spread::Fisher)).max_by(|a, b| width(a).total_cmp(&width(b)))
    }
}

fn failed(e: RatingError) -> LeagueError {
    LeagueError::Ratings(e.to_string())
}
