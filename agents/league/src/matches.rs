//! Matches: who sits where on which seed, and what came of it.

use rl_gym::{EpisodeSeed, Pcg64, SeedSequence};
use std::{fmt, str::FromStr};

/// Why a match was played.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum MatchKind {
    /// A candidate of a generation against drawn opponents.
    Train,
    /// Champions and anchors among themselves, for the ladder.
    Ladder,
    /// The best member against three copies of one anchor.
    Exam,
}

impl MatchKind {
    /// The word in the store.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Train => "train",
            Self::Ladder => "ladder",
            Self::Exam => "exam",
        }
    }

    /// The kind that `word` names.
    pub fn parse(word: &str) -> Option<Self> {
        [Self::Train, Self::Ladder, Self::Exam].into_iter().find(|k| k.word() == word)
    }
}

/// How a match ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Status {
    /// By the rules.
    Won,
    /// Cut by the turn or step limit: a draw.
    Truncated,
    /// A seat gave up or acted illegally: it is last, the others share the first place.
    Forfeit,
    /// The environment failed or placed nobody: nobody is rated.
    Void,
}

impl Status {
    /// The word in the store.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Won => "won",
            Self::Truncated => "truncated",
            Self::Forfeit => "forfeit",
            Self::Void => "void",
        }
    }

    /// The status that `word` names.
    pub fn parse(word: &str) -> Option<Self> {
        [Self::Won, Self::Truncated, Self::Forfeit, Self::Void].into_iter().find(|s| s.word() == word)
    }
}

/// The seed of a match as a path: root, generation, table. The environment and each seat get streams below it,
/// so rotated games of one table share board, dice and seat streams.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MatchSeed {
    /// Root seed of the run.
    pub root: u64,
    /// Generation.
    pub generation: u32,
    /// Table within the generation.
    pub table: u32,
}

impl MatchSeed {
    const fn path(&self) -> SeedSequence {
        SeedSequence::new(self.root).child(self.generation).child(self.table)
    }

    /// Seed of the environment.
    pub const fn episode(&self) -> EpisodeSeed {
        EpisodeSeed::Fresh(self.path().child(0))
    }

    /// Generator of a seat's player.
    pub fn seat(&self, seat: usize) -> Pcg64 {
        self.path().child(seat as u32 + 1).rng()
    }

    /// Generator of the order in which the table sits down: the last stream, which no seat reaches.
    pub fn order(&self) -> Pcg64 {
        self.path().child(u32::MAX).rng()
    }
}

impl fmt::Display for MatchSeed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.root, self.generation, self.table)
    }
}

impl FromStr for MatchSeed {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut parts = text.splitn(3, '/');
        let mut part = || parts.next().unwrap_or("");
        Ok(Self { root: part().parse()?, generation: part().parse()?, table: part().parse()? })
    }
}

/// A match to play. Everything that happens in it follows from these fields.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Match {
    /// Number within the run, increasing.
    pub id: i64,
    /// Why it is played.
    pub kind: MatchKind,
    /// Generation it belongs to.
    pub generation: u32,
    /// Games of one block share a seed: intervals treat them as one sample.
    pub block: i64,
    /// Seed.
    pub seed: MatchSeed,
    /// Player id of every seat.
    pub seats: Vec<i64>,
    /// Whether its moves are kept, so that it can be played again.
    pub record: bool,
}

/// A match that was played.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome {
    /// The match.
    pub game: Match,
    /// Place of every seat, 0 best, equal numbers tied.
    pub ranks: Vec<u8>,
    /// Points of every seat in the game's own count; empty where it counts none or the game was broken off.
    pub points: Vec<f32>,
    /// How it ended.
    pub status: Status,
    /// Env steps.
    pub steps: u32,
    /// Decisions of players (agent steps).
    pub decisions: u32,
    /// What went wrong, for forfeits and void games.
    pub note: Option<String>,
    /// Hash of its whole replay, in stores of version 1, which kept such of some matches.
    pub replay: Option<String>,
    /// Its moves ([`rl_gym::Moves`]), until they are stored.
    pub replay_bytes: Option<Vec<u8>>,
}

impl Outcome {
    /// The share of the win of a seat: 1 for a sole winner, 1/k for k tied winners, 0 elsewhere.
    pub fn win_share(&self, seat: usize) -> f64 {
        let winners = self.ranks.iter().filter(|r| **r == 0).count();
        if self.ranks[seat] == 0 { 1.0 / winners as f64 } else { 0.0 }
    }

    /// How far a seat is ahead of the mean of the others, as a share of the most points: -1 to 1; 0 where
    /// no points are counted.
    pub fn margin(&self, seat: usize) -> f64 {
        let most = self.points.iter().copied().fold(0.0, f32::max);
        if most <= 0.0 || self.points.len() < 2 {
            return 0.0;
        }
        let total: f32 = self.points.iter().sum();
        let others = (total - self.points[seat]) / (self.points.len() - 1) as f32;
        f64::from((self.points[seat] - others) / most)
    }
}

/// Seats `players` at one table in every rotation: as many matches as seats, on one seed.
pub fn rotations(players: &[i64]) -> impl Iterator<Item = Vec<i64>> + '_ {
    let n = players.len();
    (0..n).map(move |r| (0..n).map(|seat| players[(seat + r) % n]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_player_sits_everywhere_once() {
        let games: Vec<Vec<i64>> = rotations(&[7, 8, 9]).collect();
        assert_eq!(games, [[7, 8, 9], [8, 9, 7], [9, 7, 8]]);
    }

    #[test]
    fn seeds_survive_the_store() {
        let seed = MatchSeed { root: u64::MAX, generation: 12, table: 34 };
        assert_eq!(seed.to_string().parse(), Ok(seed));
        assert!("1/2".parse::<MatchSeed>().is_err());
        assert_ne!(seed.seat(0), seed.seat(1));
    }
}
