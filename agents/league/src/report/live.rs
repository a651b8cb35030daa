//! The ladder of a run that goes on: the results that its fit needs are kept, so that nothing is read again.

use super::{fold::check_shape, rating::Rating};
use crate::{
    error::LeagueError,
    matches::{Outcome, Status},
    player::{Player, PlayerKind},
    train::{Standing, placing},
};
use agon_ratings::{GameResult, Interval};
use std::collections::BTreeMap;

/// Anchors and champions with the results of their ladder games; the same players and games in the same order as
/// those of a [`super::Report`], so that both tell the same ratings.
pub(crate) struct Live {
    players: Vec<(i64, Player)>,
    index: BTreeMap<i64, usize>,
    results: Vec<GameResult>,
    placing: agon_ratings::Placing,
    seats: usize,
}

impl Live {
    /// A ladder of the anchors alone.
    pub(crate) fn new(anchors: Vec<(i64, Player)>, rule: rl_gym::Placing, seats: usize) -> Self {
        let index = anchors.iter().enumerate().map(|(i, (id, _))| (*id, i)).collect();
        let placing = placing(rule);
        Self { players: anchors, index, results: Vec::new(), placing, seats }
    }

    /// Adds a champion; one that is there already stays as it is.
    pub(crate) fn enter(&mut self, id: i64, player: Player) {
        if !self.index.contains_key(&id) {
            self.index.insert(id, self.players.len());
            self.players.push((id, player));
        }
    }

    /// Adds a finished ladder game; void ones are not rated.
    ///
    /// # Errors
    /// When it has the wrong form or seats somebody else.
    pub(crate) fn add(&mut self, o: &Outcome) -> Result<(), LeagueError> {
        check_shape(o, self.seats)?;
        let seats = o.game.seats.iter().map(|id| self.index.get(id).copied()).collect::<Option<Vec<_>>>();
        let seats = seats.ok_or_else(|| {
            let what = format!("ladder match {} seats somebody who is not on the ladder", o.game.id);
            LeagueError::Ratings(what)
        })?;
        if o.status != Status::Void {
            self.results.push(GameResult::new(seats, o.ranks.clone(), o.game.block as u64, self.placing));
        }
        Ok(())
    }

    /// The champion `id` beside the strongest anchor; `None` where they cannot be compared.
    ///
    /// # Errors
    /// When the fit refuses the games.
    pub(crate) fn standing(&self, id: i64) -> Result<Option<Standing>, LeagueError> {
        let Some(rating) = Rating::plain(&self.players, &self.results)? else { return Ok(None) };
        let name = |i: usize| self.players[i].1.name.clone();
        let champion = self.index.get(&id).and_then(|i| Some((*i, rating.elo(*i)?)));
        let anchors = (0..self.players.len()).filter(|i| self.players[*i].1.kind == PlayerKind::Bot);
        // Of equals the first, as in the leaderboard.
        let stronger = |best: Option<(usize, Interval)>, i: usize| match (best, rating.elo(i)) {
            (Some((_, e)), Some(elo)) if elo.estimate > e.estimate => Some((i, elo)),
            (None, Some(elo)) => Some((i, elo)),
            _ => best,
        };
        let anchor = anchors.fold(None, stronger);
        Ok(champion.zip(anchor).map(|((champion, elo), (anchor, anchor_elo))| Standing {
            champion: name(champion),
            elo,
            anchor: name(anchor),
            anchor_elo: anchor_elo.estimate,
        }))
    }
}
