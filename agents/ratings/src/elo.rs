//! Online Elo: cheap, always current, dependent on the order of games. For matchmaking; leaderboards
//! use [`fit()`](crate::fit()).
//!
//! ```
//! use agon_ratings::elo::{expected_score, update_duel};
//!
//! assert_eq!(expected_score(1500.0, 1500.0), 0.5);
//! let (winner, loser) = update_duel(1500.0, 1500.0, 1.0, 32.0);
//! assert_eq!((winner, loser), (1516.0, 1484.0));
//! ```

use crate::game::{check_players, check_shape};
use crate::{Placing, RatingError};

/// Expected score of a player rated `a` against one rated `b` (Elo points): 1 / (1 + 10^((b - a) / 400)).
///
/// 0.5 for equals, 10/11 for 400 points more; draws count as half a win.
/// # Source
/// Elo 1978, logistic form.
pub fn expected_score(a: f64, b: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf((b - a) / 400.0))
}

/// Ratings after one duel in which `a` scored `score_a` (1 win, 0.5 draw, 0 loss), factor `k` in Elo points.
///
/// What one side wins the other loses.
pub fn update_duel(a: f64, b: f64, score_a: f64, k: f64) -> (f64, f64) {
    let gain = k * (score_a - expected_score(a, b));
    (a + gain, b - gain)
}

/// Updates `ratings` (Elo points, by player) in place with one game of 2 to 8 seats.
///
/// Every pair of seats counts as a duel at the ratings before the game, with `k` divided by the number
/// of seats less one, so a two-seat game is classic Elo and a seat moves by at most `k`. With
/// [`Placing::WinnerOnly`], pairs in which neither seat is among rank 0 are left out. A player in
/// several seats gets the sum of their moves; two seats of one player do not play each other. The sum
/// of all ratings stays.
/// # Errors
/// [`RatingError`] for a malformed game (reported as game 0) or a `k` that is not finite; nothing is
/// changed then.
pub fn update_game(
    ratings: &mut [f64],
    seats: &[usize],
    ranks: &[u8],
    placing: Placing,
    k: f64,
) -> Result<(), RatingError> {
    check_shape(0, seats.len(), ranks)?;
    check_players(0, seats, ratings.len())?;
    if !k.is_finite() {
        return Err(RatingError::NotFinite { name: "k", value: k });
    }
    let before: Vec<f64> = seats.iter().map(|&player| ratings[player]).collect();
    let k_pair = k / (seats.len() - 1) as f64;
    for (i, j) in (0..seats.len()).flat_map(|i| (i + 1..seats.len()).map(move |j| (i, j))) {
        let uninformative = placing == Placing::WinnerOnly && ranks[i] > 0 && ranks[j] > 0;
        if uninformative || seats[i] == seats[j] {
            continue;
        }
        let score = match ranks[i].cmp(&ranks[j]) {
            std::cmp::Ordering::Less => 1.0,
            std::cmp::Ordering::Equal => 0.5,
            std::cmp::Ordering::Greater => 0.0,
        };
        let gain = k_pair * (score - expected_score(before[i], before[j]));
        ratings[seats[i]] += gain;
        ratings[seats[j]] -= gain;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_equal_seats_share_k_by_place() {
        // Place p of 4 equals beats 3-p others: k/3 x (wins - 1.5) = +16, +5.33, -5.33, -16 at k = 32.
        let mut ratings = [1500.0; 4];
        update_game(&mut ratings, &[2, 0, 1, 3], &[0, 1, 2, 3], Placing::Full, 32.0).unwrap();
        let expected = [1500.0 + 16.0 / 3.0, 1500.0 - 16.0 / 3.0, 1516.0, 1484.0];
        for (seen, expected) in ratings.iter().zip(expected) {
            assert!((seen - expected).abs() < 1e-9, "{ratings:?}");
        }
    }

    #[test]
    fn winner_only_leaves_the_losers_order_out() {
        let play = |ranks: [u8; 3]| {
            let mut ratings = [1500.0, 1500.0, 1600.0];
            update_game(&mut ratings, &[0, 1, 2], &ranks, Placing::WinnerOnly, 32.0).unwrap();
            ratings
        };
        assert_eq!(play([0, 1, 2]), play([0, 2, 1]));
        assert!(play([0, 1, 2])[2] < 1600.0);
    }

    #[test]
    fn self_play_moves_nothing_between_own_seats() {
        let mut ratings = [1500.0, 1500.0];
        update_game(&mut ratings, &[0, 0], &[0, 1], Placing::Full, 32.0).unwrap();
        assert_eq!(ratings, [1500.0, 1500.0]);
        update_game(&mut ratings, &[0, 0, 1], &[0, 2, 1], Placing::Full, 32.0).unwrap();
        assert_eq!(ratings, [1500.0, 1500.0]);
    }
}
