//! Symmetries that must hold for any results.

use agon_ratings::{Anchor, Fit, FitOptions, GameResult, Placing, Spread, cycle_alarm, fit};
use proptest::prelude::*;

const PLAYERS: usize = 5;

fn games() -> impl Strategy<Value = Vec<GameResult>> {
    let game = (2usize..=5).prop_flat_map(|seats| {
        let ranks = proptest::collection::vec(0u8..4, seats);
        (proptest::collection::vec(0..PLAYERS, seats), ranks, 0u64..12, any::<bool>())
    });
    let game = game.prop_map(|(seats, ranks, block, winner_only)| {
        let best = ranks.iter().copied().min().unwrap_or(0);
        let ranks = ranks.into_iter().map(|rank| rank - best).collect();
        GameResult::new(seats, ranks, block, if winner_only { Placing::WinnerOnly } else { Placing::Full })
    });
    proptest::collection::vec(game, 6..40)
}

fn options(seat_terms: bool) -> FitOptions {
    FitOptions { seat_terms, ..FitOptions::default() }
}

fn rate(games: &[GameResult], options: &FitOptions) -> Fit {
    fit(PLAYERS, games, options).unwrap()
}

fn covariances(table: &Fit, spread: Spread) -> Vec<f64> {
    let pair = |i| (0..PLAYERS).map(move |j| (i, j));
    (0..PLAYERS).flat_map(pair).map(|(i, j)| table.covariance(i, j, spread).unwrap_or(0.0)).collect()
}

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|value| value.to_bits()).collect()
}

fn near(a: &[f64], b: &[f64], tolerance: f64) -> Result<(), TestCaseError> {
    prop_assert_eq!(a.len(), b.len());
    for (a, b) in a.iter().zip(b) {
        prop_assert!((a - b).abs() <= tolerance * (1.0 + b.abs()), "{} and {}", a, b);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_order_of_games_changes_no_bit(games in games(), seed in any::<u64>(), seats in any::<bool>()) {
        let mut shuffled = games.clone();
        shuffled.sort_by_key(|game| (game.seats.iter().sum::<usize>() as u64 + 1).wrapping_mul(seed | 1) ^ game.block);
        let (a, b) = (rate(&games, &options(seats)), rate(&shuffled, &options(seats)));
        prop_assert_eq!(bits(&a.theta), bits(&b.theta));
        prop_assert_eq!(bits(&a.seat_terms), bits(&b.seat_terms));
        for spread in [Spread::Fisher, Spread::Robust] {
            prop_assert_eq!(bits(&covariances(&a, spread)), bits(&covariances(&b, spread)));
        }
        prop_assert_eq!(cycle_alarm(&a, &games, 1.0).unwrap(), cycle_alarm(&b, &shuffled, 1.0).unwrap());
    }

    #[test]
    fn without_seat_terms_the_order_of_seats_changes_no_bit(games in games()) {
        let turn = |game: &GameResult| {
            let mut turned = game.clone();
            turned.seats.rotate_left(1);
            turned.ranks.rotate_left(1);
            turned
        };
        let turned: Vec<_> = games.iter().map(turn).collect();
        let (a, b) = (rate(&games, &options(false)), rate(&turned, &options(false)));
        prop_assert_eq!(bits(&a.theta), bits(&b.theta));
    }

    #[test]
    fn permuted_players_get_permuted_answers(games in games(), by in 1usize..PLAYERS, seats in any::<bool>()) {
        let to = |player: usize| (player * 2 + by) % PLAYERS;
        let rename = |game: &GameResult| {
            GameResult { seats: game.seats.iter().map(|&player| to(player)).collect(), ..game.clone() }
        };
        let renamed: Vec<_> = games.iter().map(rename).collect();
        let (a, b) = (rate(&games, &options(seats)), rate(&renamed, &options(seats)));
        prop_assert_eq!(a.unidentified, b.unidentified);
        for i in 0..PLAYERS {
            near(&[a.theta[i]], &[b.theta[to(i)]], 1e-8)?;
            for j in 0..PLAYERS {
                for spread in [Spread::Fisher, Spread::Robust] {
                    let pair = (a.covariance(i, j, spread), b.covariance(to(i), to(j), spread));
                    prop_assert_eq!(pair.0.is_some(), pair.1.is_some());
                    near(&[pair.0.unwrap_or(0.0)], &[pair.1.unwrap_or(0.0)], 1e-7)?;
                }
            }
        }
    }

    #[test]
    fn an_anchor_shifts_its_scale_and_leaves_differences(games in games(), at in -5.0f64..5.0) {
        let free = rate(&games, &options(false));
        let anchored = rate(&games, &FitOptions { anchors: vec![Anchor { player: 0, theta: at }], ..options(false) });
        for i in (0..PLAYERS).filter(|&i| free.scale[i] == free.scale[0]) {
            near(&[anchored.theta[i] - at], &[free.theta[i] - free.theta[0]], 1e-8)?;
            for spread in [Spread::Fisher, Spread::Robust] {
                let (Some(v), Some(w)) = (anchored.covariance(i, i, spread), free.covariance(i, i, spread)) else { continue };
                let (cross, own) = (free.covariance(0, i, spread).unwrap(), free.covariance(0, 0, spread).unwrap());
                near(&[v], &[w + own - 2.0 * cross], 1e-7)?;
            }
        }
    }

    #[test]
    fn games_played_twice_halve_the_variance_and_move_nothing(games in games()) {
        let options = FitOptions { prior_half_games: 0.0, ..options(false) };
        let once = rate(&games, &options);
        prop_assert!(once.converged, "{:?}", once);
        let again = games.iter().map(|game| GameResult { block: game.block + 100, ..game.clone() });
        let twice = rate(&games.iter().cloned().chain(again).collect::<Vec<_>>(), &options);
        near(&twice.theta, &once.theta, 1e-8)?;
        let half = |values: Vec<f64>| values.into_iter().map(|v| 0.5 * v).collect::<Vec<_>>();
        near(&covariances(&twice, Spread::Fisher), &half(covariances(&once, Spread::Fisher)), 1e-8)?;
        // In the same blocks instead, the copies carry no news: the robust spread stays, up to (N-1)/(N-K).
        let same: Vec<_> = games.iter().flat_map(|game| [game.clone(), game.clone()]).collect();
        let same = rate(&same, &options);
        let mut scales = once.scale.clone();
        scales.sort_unstable();
        scales.dedup();
        let factor = |games: usize| {
            let fitted = PLAYERS - scales.len();
            (games as f64 - 1.0) / (games as f64 - fitted as f64).max(1.0)
        };
        let scaled = |table: &Fit, by: f64| covariances(table, Spread::Robust).iter().map(|v| v / by).collect::<Vec<_>>();
        near(&scaled(&same, factor(2 * games.len())), &scaled(&once, factor(games.len())), 1e-7)?;
    }

    #[test]
    fn shares_sum_to_one_and_los_is_complementary(games in games(), a in 0..PLAYERS, b in 0..PLAYERS) {
        let table = rate(&games, &options(false));
        if let Some(shares) = table.first_place_shares(&[a, b, a]) {
            near(&[shares.iter().sum()], &[1.0], 1e-12)?;
        }
        if let (Some(los), Some(back)) = (table.los(a, b), table.los(b, a)) {
            near(&[los + back], &[1.0], 1e-9)?;
        }
    }
}
