//! Matchmaking: who is drawn as opponent, by Elo or evenly, with every member of the pool always possible.

use crate::error::LeagueError;
use rl_gym::Pcg64;
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, fmt, str::FromStr};

/// Width of the preference, in expected score (Jaderberg et al. 2019 use 1/6 for capture the flag).
const WIDTH: f64 = 1.0 / 6.0;
/// Least weight of any member, so that no opponent is ever forgotten.
const FLOOR: f64 = 0.02;
/// Most Elo points that one game can move a seat.
const K: f64 = 16.0;
/// Where a newcomer without a parent starts, and the rating at which the first anchor of a run is pinned.
pub const START: f64 = 1000.0;

/// How opponents are drawn from a pool.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pairing {
    /// Those of about one's own strength more often. The default.
    #[default]
    Elo,
    /// All of the pool equally often.
    Uniform,
}

impl Pairing {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Elo, Self::Uniform];

    /// The word in settings.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Elo => "elo",
            Self::Uniform => "uniform",
        }
    }

    /// Draws `count` opponents for a player of rating `own` from `pool`, with replacement.
    pub fn draw(self, own: f64, pool: &[i64], elo: &Elo, count: usize, rng: &mut Pcg64) -> Vec<i64> {
        match self {
            Self::Elo => draw(own, pool, elo, count, rng),
            Self::Uniform => (0..count).map(|_| pool[rng.below(pool.len() as u32) as usize]).collect(),
        }
    }
}

impl fmt::Display for Pairing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl FromStr for Pairing {
    type Err = LeagueError;

    fn from_str(text: &str) -> Result<Self, LeagueError> {
        let known = Self::ALL.map(Self::word);
        Self::ALL.into_iter().find(|pairing| pairing.word() == text).ok_or_else(|| LeagueError::Request {
            what: format!("pairing = {text} is none of {}", known.join(", ")),
        })
    }
}

/// Online Elo ratings, for matchmaking only: the leaderboard is a batch fit over the same matches.
///
/// One player may be pinned at [`START`]: when it wins or loses, the whole scale moves in its place. Differences, on
/// which alone matchmaking depends, are those of plain Elo; without a pin only sums would be kept, and as newcomers
/// enter and leave the scale would drift over a long run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Elo {
    ratings: BTreeMap<i64, f64>,
    pinned: Option<i64>,
}

impl Elo {
    /// Ratings as stored, with the player that stays at [`START`].
    pub fn from_pairs(pairs: &[(i64, f64)], pinned: Option<i64>) -> Self {
        let mut ratings: BTreeMap<i64, f64> = pairs.iter().copied().collect();
        ratings.extend(pinned.filter(|p| !pairs.iter().any(|(q, _)| q == p)).map(|p| (p, START)));
        Self { ratings, pinned }
    }

    /// All ratings by player.
    pub fn pairs(&self) -> impl Iterator<Item = (i64, f64)> + '_ {
        self.ratings.iter().map(|(id, rating)| (*id, *rating))
    }

    /// The rating of a player; [`START`] for one that never played.
    pub fn rating(&self, player: i64) -> f64 {
        self.ratings.get(&player).copied().unwrap_or(START)
    }

    /// Sets a newcomer's rating.
    pub fn enter(&mut self, player: i64, rating: f64) {
        self.ratings.entry(player).or_insert(rating);
    }

    /// Moves the ratings of all seats by the result of one game: every pair counts, `K` is shared among them.
    pub fn update(&mut self, seats: &[i64], ranks: &[u8], placing: agon_ratings::Placing) {
        let mut players: Vec<i64> = seats.to_vec();
        players.sort_unstable();
        players.dedup();
        let local: Vec<usize> = seats.iter().map(|p| players.partition_point(|q| q < p)).collect();
        let mut ratings: Vec<f64> = players.iter().map(|p| self.rating(*p)).collect();
        let moved = agon_ratings::elo::update_game(&mut ratings, &local, ranks, placing, K);
        debug_assert!(moved.is_ok(), "ranks {ranks:?} of seats {seats:?}: {moved:?}");
        self.ratings.extend(players.into_iter().zip(ratings));
        let off = self.pinned.map_or(0.0, |p| self.rating(p) - START);
        if off != 0.0 {
            self.ratings.values_mut().for_each(|rating| *rating -= off);
            self.ratings.extend(self.pinned.map(|p| (p, START)));
        }
    }
}

/// Draws `count` opponents for a player of rating `own` from `pool`, with replacement, each with weight
/// exp(-(E - 1/2)^2 / (2 s^2)) of its expected score E against it.
pub fn draw(own: f64, pool: &[i64], elo: &Elo, count: usize, rng: &mut Pcg64) -> Vec<i64> {
    let weights: Vec<f64> = pool
        .iter()
        .map(|p| {
            let off = agon_ratings::elo::expected_score(own, elo.rating(*p)) - 0.5;
            (-(off * off) / (2.0 * WIDTH * WIDTH)).exp().max(FLOOR)
        })
        .collect();
    (0..count).map(|_| pool[rng.weighted(&weights)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_ratings::Placing;

    #[test]
    fn near_ratings_meet_more_often_and_none_is_forgotten() {
        let mut elo = Elo::default();
        for (player, rating) in [(1, 1000.0), (2, 1400.0), (3, 2400.0)] {
            elo.enter(player, rating);
        }
        let drawn = draw(1380.0, &[1, 2, 3], &elo, 4000, &mut Pcg64::seed(5));
        let share = |p: i64| drawn.iter().filter(|x| **x == p).count() as f64 / 4000.0;
        assert!(share(2) > 0.85, "{}", share(2));
        assert!(share(1) > 0.01 && share(3) > 0.01, "{} {}", share(1), share(3));
    }

    #[test]
    fn uniform_pairing_knows_no_ratings() {
        let mut elo = Elo::default();
        for (player, rating) in [(1, 1000.0), (2, 1400.0), (3, 2400.0)] {
            elo.enter(player, rating);
        }
        let drawn = Pairing::Uniform.draw(1380.0, &[1, 2, 3], &elo, 3000, &mut Pcg64::seed(5));
        for player in 1..=3 {
            // 1000 each, standard deviation 26.
            let count = drawn.iter().filter(|x| **x == player).count();
            assert!((870..1130).contains(&count), "{player}: {count}");
        }
        let by_elo = |rng: &mut Pcg64| Pairing::Elo.draw(1380.0, &[1, 2, 3], &elo, 30, rng);
        assert_eq!(by_elo(&mut Pcg64::seed(5)), draw(1380.0, &[1, 2, 3], &elo, 30, &mut Pcg64::seed(5)));
    }

    #[test]
    fn words_name_their_pairing() {
        for pairing in Pairing::ALL {
            assert_eq!(pairing.word().parse::<Pairing>().expect("known"), pairing);
            assert_eq!(serde_json::to_value(pairing).expect("json"), pairing.word());
        }
        let error = "luck".parse::<Pairing>().expect_err("unknown").to_string();
        assert!(error.ends_with("pairing = luck is none of elo, uniform"), "{error}");
    }

    #[test]
    fn a_win_moves_points_from_the_others_to_the_winner() {
        let mut elo = Elo::default();
        elo.update(&[1, 2, 3, 4], &[0, 1, 1, 1], Placing::WinnerOnly);
        assert!(elo.rating(1) > START);
        let sum: f64 = (1..=4).map(|p| elo.rating(p)).sum();
        assert!((sum - 4.0 * START).abs() < 1e-9);
        // A player on two seats gains and loses against itself: only the others matter.
        let mut twice = Elo::default();
        twice.update(&[1, 1], &[0, 1], Placing::WinnerOnly);
        assert!((twice.rating(1) - START).abs() < 1e-9);
    }

    #[test]
    fn a_pinned_player_holds_the_scale() {
        // 64 wins in 100 are 100 points: 400 log10(64 / 36). Generations of newcomers enter where the last one
        // left, each gaining on the anchor as if it were new.
        let mut elo = Elo::from_pairs(&[], Some(0));
        let mut rng = Pcg64::seed(2);
        let mut own = START;
        let mut sum = 0.0;
        for newcomer in 1..=400 {
            elo.enter(newcomer, own);
            for _ in 0..50 {
                let lost = u8::from(rng.unit() >= 0.64);
                elo.update(&[newcomer, 0], &[lost, 1 - lost], Placing::WinnerOnly);
            }
            own = elo.rating(newcomer);
            sum += own;
            assert_eq!(elo.rating(0), START);
        }
        assert!((sum / 400.0 - START - 100.0).abs() < 15.0, "{}", sum / 400.0);
    }
}
