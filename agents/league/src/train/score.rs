//! What games say about candidates and ratings.

use crate::{
    matches::{Outcome, Status},
    matchmaking::Elo,
};
use rl_gym::Placing;
use std::collections::BTreeMap;

/// Weight of the point margin beside the share of wins in a candidate's fitness. A close loss then counts for more
/// than a hopeless one, which tells candidates apart in fewer games; ratings know wins alone.
const MARGIN_WEIGHT: f64 = 1.0;

/// What a candidate won: means over its games.
#[derive(Clone, Copy, Default)]
pub(super) struct Score {
    pub(super) wins: f64,
    margin: f64,
}

impl Score {
    /// What the search is told.
    pub(super) const fn fitness(&self) -> f64 {
        self.wins + MARGIN_WEIGHT * self.margin
    }
}

/// What each candidate won in the games that count; nothing for one without any.
pub(super) fn scores(candidates: &[i64], outcomes: &[Outcome]) -> Vec<Score> {
    let mut won: BTreeMap<i64, (Score, u32)> = BTreeMap::new();
    for o in outcomes.iter().filter(|o| o.status != Status::Void) {
        for (seat, player) in o.game.seats.iter().enumerate() {
            let (sum, games) = won.entry(*player).or_default();
            sum.wins += o.win_share(seat);
            sum.margin += o.margin(seat);
            *games += 1;
        }
    }
    let mean = |id: &i64| {
        let (sum, games) = won.get(id).copied().unwrap_or_default();
        let games = f64::from(games.max(1));
        Score { wins: sum.wins / games, margin: sum.margin / games }
    };
    candidates.iter().map(mean).collect()
}

/// Moves the ratings by the games that count.
pub(super) fn rate(elo: &mut Elo, outcomes: &[Outcome], placing: agon_ratings::Placing) {
    for o in outcomes.iter().filter(|o| o.status != Status::Void) {
        elo.update(&o.game.seats, &o.ranks, placing);
    }
}

/// Mean of numbers, of which there must be some.
pub(super) fn mean(numbers: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = numbers.len() as f64;
    numbers.sum::<f64>() / count
}

/// The placing rule of a game, as the ratings crate names it.
pub(crate) const fn placing(placing: Placing) -> agon_ratings::Placing {
    match placing {
        Placing::Full => agon_ratings::Placing::Full,
        Placing::WinnerOnly | Placing::None => agon_ratings::Placing::WinnerOnly,
    }
}
