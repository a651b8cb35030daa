//! What a run tells while it goes on.

use crate::matches::{MatchKind, Outcome};
use serde::{Deserialize, Serialize};

/// What the caller is told while a run goes on.
pub trait Progress {
    /// A stretch of `games` games begins.
    fn begin(&mut self, generation: u32, what: MatchKind, games: usize);
    /// A game has ended.
    fn game(&mut self, outcome: &Outcome);
    /// A generation is in the store.
    fn generation(&mut self, summary: &Summary);
    /// A champion was frozen; these are the ladder's ratings now, the same that a report gives. With more than
    /// 200 champions not every one is told, since rating them all takes longer the more there are.
    fn champion(&mut self, standing: &Standing);
}

/// The newest champion beside the strongest anchor, both from the batch fit over all ladder games.
#[derive(Clone, PartialEq, Debug)]
pub struct Standing {
    /// Name of the champion.
    pub champion: String,
    /// Its Elo with its interval relative to the anchor.
    pub elo: agon_ratings::Interval,
    /// Name of the strongest anchor.
    pub anchor: String,
    /// The anchor's Elo.
    pub anchor_elo: f64,
}

/// Figures of a finished generation.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Summary {
    /// Its number, from 0.
    pub generation: u32,
    /// Games played in it.
    pub games: usize,
    /// Share of wins of all candidates.
    pub mean_wins: f64,
    /// Share of wins of the best candidate.
    pub best_wins: f64,
    /// Step size of the search.
    pub sigma: f64,
    /// Forfeited and void games.
    pub broken: usize,
}
