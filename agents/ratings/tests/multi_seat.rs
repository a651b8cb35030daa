//! Games of many seats, ties, self-play, seat terms, anchors and infinite estimates, against closed
//! forms and against a naive likelihood that enumerates the orders of every tie.

use agon_ratings::{
    Anchor, EloOrigin, Fit, FitOptions, GameResult, Level, Placing, Spread, Standing, cycle_alarm, fit,
};

const NO_PRIOR: FitOptions =
    FitOptions { anchors: Vec::new(), elo_origin: None, prior_half_games: 0.0, seat_terms: false };

fn near(what: &str, seen: f64, expected: f64, tolerance: f64) {
    assert!(
        (seen - expected).abs() <= tolerance,
        "{what}: seen {seen}, expected {expected} within {tolerance}"
    );
}

/// `count` games with the same seats and ranks, every one in a block of its own.
fn games(seats: &[usize], ranks: &[u8], placing: Placing, count: u64) -> Vec<GameResult> {
    (0..count).map(|block| GameResult::new(seats.to_vec(), ranks.to_vec(), block, placing)).collect()
}

fn wins(winner: usize, loser: usize, count: u64) -> Vec<GameResult> {
    games(&[winner, loser], &[0, 1], Placing::Full, count)
}

/// All orders of `items`.
fn orders(items: &[usize]) -> Vec<Vec<usize>> {
    if items.is_empty() {
        return vec![vec![]];
    }
    let rest = |i: usize| items.iter().copied().enumerate().filter(move |&(j, _)| j != i).map(|(_, x)| x);
    let from = |i: usize| {
        let tails = orders(&rest(i).collect::<Vec<_>>());
        tails.into_iter().map(move |tail| [vec![items[i]], tail].concat())
    };
    (0..items.len()).flat_map(from).collect()
}

/// Log-likelihood of one game by enumeration of the orders that agree with its ranks.
fn naive(game: &GameResult, theta: &[f64], seat_terms: &[f64]) -> f64 {
    let seats: Vec<usize> = (0..game.seats.len()).collect();
    let e = |s: &usize| (theta[game.seats[*s]] + seat_terms.get(*s).copied().unwrap_or(0.0)).exp();
    if game.placing == Placing::WinnerOnly {
        let total: f64 = seats.iter().map(e).sum();
        let winners: Vec<usize> = seats.into_iter().filter(|&s| game.ranks[s] == 0).collect();
        return winners.iter().map(|s| (e(s) / total).ln()).sum::<f64>() / winners.len() as f64;
    }
    let sorted = |order: &Vec<usize>| order.windows(2).all(|w| game.ranks[w[0]] <= game.ranks[w[1]]);
    let all: Vec<Vec<usize>> = orders(&seats).into_iter().filter(sorted).collect();
    let stage = |rest: &[usize]| (e(&rest[0]) / rest.iter().map(e).sum::<f64>()).ln();
    let one = |order: &Vec<usize>| (0..order.len()).map(|i| stage(&order[i..])).sum::<f64>();
    all.iter().map(one).sum::<f64>() / all.len() as f64
}

fn mixed_games() -> Vec<GameResult> {
    let list: [(&[usize], &[u8], Placing); 14] = [
        (&[0, 1, 2, 3], &[0, 1, 2, 3], Placing::Full),
        (&[3, 2, 1, 0], &[0, 0, 1, 2], Placing::Full),
        (&[1, 0, 3, 2], &[2, 1, 1, 0], Placing::Full),
        (&[2, 3, 0, 1], &[0, 0, 0, 0], Placing::Full),
        (&[4, 0, 1, 2, 3], &[0, 1, 1, 1, 1], Placing::Full),
        (&[0, 1, 2, 3, 4], &[1, 1, 0, 3, 1], Placing::Full),
        (&[4, 3, 2], &[1, 0, 0], Placing::WinnerOnly),
        (&[0, 4, 2, 1], &[0, 1, 2, 2], Placing::WinnerOnly),
        (&[1, 4, 2, 0], &[0, 1, 1, 2], Placing::WinnerOnly),
        (&[3, 3, 0, 1], &[1, 0, 2, 3], Placing::Full),
        (&[2, 0, 0, 2], &[0, 0, 0, 1], Placing::WinnerOnly),
        (&[1, 1, 1, 4], &[0, 0, 1, 1], Placing::Full),
        (&[3, 1], &[0, 0], Placing::Full),
        (&[2, 2], &[1, 0], Placing::Full),
    ];
    let blocks = 0..;
    let game = |(block, (seats, ranks, placing)): (u64, (&[usize], &[u8], Placing))| {
        GameResult::new(seats.to_vec(), ranks.to_vec(), block / 2, placing)
    };
    blocks.zip(list).map(game).collect()
}

#[test]
fn the_fit_is_the_maximum_of_the_enumerated_likelihood_and_its_covariance_the_inverse_curvature() {
    let games = mixed_games();
    let table = fit(5, &games, &FitOptions { seat_terms: true, ..NO_PRIOR }).unwrap();
    assert!(table.converged && table.unidentified == 0, "{table:?}");
    assert!(table.standing.iter().all(|&standing| standing == Standing::Finite));
    let value = |at: &[f64]| -> f64 { games.iter().map(|game| naive(game, &at[..5], &at[5..])).sum() };
    let best = [table.theta.clone(), table.seat_terms.clone()].concat();
    near("log-likelihood", table.log_likelihood, value(&best), 1e-10);
    near("gauge", table.theta.iter().sum(), 0.0, 1e-12);
    near("seat gauge", table.seat_terms.iter().sum(), 0.0, 1e-12);
    let n = best.len();
    let h = 1e-3;
    let moved = |i: usize, a: f64, j: usize, b: f64| {
        let mut at = best.clone();
        at[i] += a * h;
        at[j] += b * h;
        value(&at)
    };
    let mut curvature = vec![vec![0.0; n]; n];
    for (i, row) in curvature.iter_mut().enumerate() {
        near("slope", (moved(i, 1.0, i, 0.0) - moved(i, -1.0, i, 0.0)) / (2.0 * h), 0.0, 1e-6);
        for (j, entry) in row.iter_mut().enumerate() {
            let corners = [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)];
            let sum: f64 = corners.iter().map(|&(a, b)| a * b * moved(i, a, j, b)).sum();
            *entry = -sum / (4.0 * h * h);
        }
    }
    for i in 0..5 {
        let variance = table.covariance(i, i, Spread::Fisher).unwrap();
        near("variance", variance, pseudo_variance(&curvature, i, 5), 2e-4 * variance);
    }
}

/// Variance of parameter i under sum-zero gauges of the first `players` and of the rest, by Gauss-Jordan
/// on the curvature with both flat directions filled (independent of the library's algebra).
fn pseudo_variance(curvature: &[Vec<f64>], i: usize, players: usize) -> f64 {
    let n = curvature.len();
    let group = |a: usize| a < players;
    let mut m: Vec<Vec<f64>> = (0..n)
        .map(|a| {
            let filled = (0..n).map(|b| curvature[a][b] + f64::from(group(a) == group(b)));
            filled.chain((0..n).map(|b| f64::from(a == b))).collect()
        })
        .collect();
    for a in 0..n {
        let pivot = m[a][a];
        m[a].iter_mut().for_each(|x| *x /= pivot);
        for b in (0..n).filter(|&b| b != a) {
            let factor = m[b][a];
            let row = m[a].clone();
            m[b].iter_mut().zip(row).for_each(|(x, y)| *x -= factor * y);
        }
    }
    // Filling with 1 per entry has eigenvalue `players` on the unit direction; take its share off.
    m[i][n + i] - 1.0 / (players * players) as f64
}

#[test]
fn three_own_seats_are_three_chances() {
    // Player 0 holds three seats, player 1 one: P(0) = 3a/(3a+b). 36 wins to 12 is exactly par: equal.
    let tables = |wins: u64| {
        let mut list = games(&[0, 1, 0, 0], &[0, 1, 1, 1], Placing::WinnerOnly, wins);
        list.extend(games(&[0, 1, 0, 0], &[1, 0, 1, 1], Placing::WinnerOnly, 48 - wins));
        let table = fit(2, &list, &NO_PRIOR).unwrap();
        table.theta[0] - table.theta[1]
    };
    near("par", tables(36), 0.0, 1e-12);
    near("40 of 48", tables(40), (40.0f64 / (3.0 * 8.0)).ln(), 1e-12);
}

#[test]
fn self_play_measures_seats_and_nothing_else() {
    // First seat wins 30 of 40 against itself: seat gap ln 3, variance of the gap 1/(40 x 3/16).
    let mut list = games(&[0, 0], &[0, 1], Placing::Full, 30);
    list.extend(games(&[0, 0], &[1, 0], Placing::Full, 10));
    let table = fit(1, &list, &FitOptions { seat_terms: true, ..NO_PRIOR }).unwrap();
    near("gap", table.seat_terms[0] - table.seat_terms[1], 3f64.ln(), 1e-12);
    let se = table.seat_standard_error(0, Spread::Fisher).unwrap();
    near("se", se, 0.5 * (16.0f64 / 120.0).sqrt(), 1e-12);
    assert_eq!(table.standing, [Standing::Finite]);
    assert_eq!(table.games, [40]);
    let shares = table.first_place_shares(&[0, 0]).unwrap();
    near("share", shares[0], 0.75, 1e-12);
}

#[test]
fn a_truncated_game_is_a_draw_for_everyone() {
    for placing in [Placing::WinnerOnly, Placing::Full] {
        let table = fit(4, &games(&[0, 1, 2, 3], &[0; 4], placing, 10), &NO_PRIOR).unwrap();
        table.theta.iter().for_each(|&theta| near("theta", theta, 0.0, 1e-12));
        assert!(table.standing.iter().all(|&standing| standing == Standing::Finite));
    }
}

#[test]
fn perfect_scores_are_reported_and_leave_the_rest_as_it_was() {
    // 1 and 2 trade 6:3; 0 beats both, both beat 3; 4 and 5 play apart; 6 does not play.
    let inner = [wins(1, 2, 6), wins(2, 1, 3)].concat();
    let list = [
        inner.clone(),
        wins(0, 1, 4),
        wins(0, 2, 4),
        wins(1, 3, 2),
        wins(2, 3, 2),
        wins(4, 5, 1),
        wins(5, 4, 1),
    ];
    let games = [list.concat(), games(&[3, 1, 0], &[1, 1, 0], Placing::WinnerOnly, 5)].concat();
    let table = fit(7, &games, &NO_PRIOR).unwrap();
    use Standing::*;
    assert_eq!(table.standing, [Above, Finite, Finite, Below, Apart, Apart, NoGames]);
    assert_eq!(table.component, [0, 0, 0, 0, 1, 1, 2]);
    assert_eq!(table.scale, [0, 1, 1, 2, 3, 3, 4]);
    assert!(table.converged && table.unidentified == 0);
    // Extended maximum: games across scales say nothing about differences within one.
    near("inner", table.theta[1] - table.theta[2], 2f64.ln(), 1e-12);
    near(
        "se",
        table.difference_with(1, 2, Level::P95, Spread::Fisher).unwrap().high,
        (2f64.ln() + Level::P95.z() * (9.0 / 18.0f64).sqrt()) * agon_ratings::ELO_PER_THETA,
        1e-9,
    );
    assert_eq!((table.elo(0), table.los(0, 1), table.interval(6, Level::P95)), (None, None, None));
    assert!(table.difference(0, 1, Level::P95).is_none() && table.first_place_shares(&[0, 1]).is_none());
    near("apart", table.los(4, 5).unwrap(), 0.5, 1e-9);

    let with_prior = fit(7, &games, &FitOptions::default()).unwrap();
    assert_eq!(with_prior.standing[..4], [Finite; 4]);
    assert_eq!(with_prior.standing[4..], [Apart, Apart, NoGames]);
    let elo: Vec<f64> = (0..4).map(|player| with_prior.elo(player).unwrap()).collect();
    assert!(elo[0] > elo[1] && elo[1] > elo[2] && elo[2] > elo[3], "{elo:?}");
}

#[test]
fn anchors_stay_put_and_intervals_are_relative_to_them() {
    // Player 2 scores 15 of 20 against a player at 0 and 5 of 20 against one at ln 9: by symmetry ln 3.
    let list = [wins(2, 0, 15), wins(0, 2, 5), wins(2, 1, 5), wins(1, 2, 15)].concat();
    let anchors = vec![Anchor { player: 0, theta: 0.0 }, Anchor { player: 1, theta: 9f64.ln() }];
    let options = FitOptions { anchors, elo_origin: Some(EloOrigin { player: 0, elo: 1000.0 }), ..NO_PRIOR };
    let table = fit(3, &list, &options).unwrap();
    assert_eq!(table.theta[..2], [0.0, 9f64.ln()]);
    near("theta", table.theta[2], 3f64.ln(), 1e-12);
    near("elo", table.elo(2).unwrap(), 1000.0 + 400.0 * 3f64.log10(), 1e-9);
    near("elo of the other anchor", table.elo(1).unwrap(), 1000.0 + 400.0 * 9f64.log10(), 1e-9);
    near(
        "se",
        table.standard_error(2, Spread::Fisher).unwrap(),
        (1.0f64 / (40.0 * 0.75 * 0.25)).sqrt(),
        1e-12,
    );
    let anchor = table.interval(1, Level::P95).unwrap();
    assert_eq!((anchor.low, anchor.high), (anchor.estimate, anchor.estimate));
    assert_eq!((table.los(0, 1), table.los(1, 0)), (Some(0.0), Some(1.0)));
    assert_eq!(Anchor::from_elo(1, 400.0).theta, 400.0 / agon_ratings::ELO_PER_THETA);
    // An anchor without games still ties its scale; a far one does not upset the search.
    let far = vec![Anchor { player: 3, theta: 40.0 }, Anchor { player: 0, theta: 0.0 }];
    let table = fit(4, &list, &FitOptions { anchors: far, ..NO_PRIOR }).unwrap();
    assert!(table.converged);
    let ratio = |a: usize, b: usize| table.theta[a] - table.theta[b];
    near("free chain", ratio(2, 0), 3f64.ln(), 1e-9);
    near("free chain", ratio(1, 2), 3f64.ln(), 1e-9);
}

#[test]
fn the_robust_spread_of_independent_duels_is_the_binomial_one_with_n_less_one() {
    // Score 30 of 40 against an anchor at 0, p = 3/4: the sandwich is 1/(n p q), times B/(B-1) with
    // B = n and (N-1)/(N-1): 1/(39 x 3/16). The interval reaches t(39) = 2.02269 of its root.
    let list = [wins(1, 0, 30), wins(0, 1, 10)].concat();
    let list: Vec<_> = (0..).zip(list).map(|(block, game)| GameResult { block, ..game }).collect();
    let table =
        fit(2, &list, &FitOptions { anchors: vec![Anchor { player: 0, theta: 0.0 }], ..NO_PRIOR }).unwrap();
    let se = (16.0f64 / (39.0 * 3.0)).sqrt();
    near("se", table.standard_error(1, Spread::Robust).unwrap(), se, 1e-12);
    let interval = table.interval(1, Level::P95).unwrap();
    near("elo", interval.estimate, 400.0 * 3f64.log10(), 1e-9);
    near("reach", interval.high - interval.estimate, 2.022_690_920 * se * agon_ratings::ELO_PER_THETA, 1e-5);
    // One block for all of them: no spread to be seen, Fisher takes over.
    let list: Vec<_> = list.into_iter().map(|game| GameResult { block: 9, ..game }).collect();
    let table = fit(2, &list, &NO_PRIOR).unwrap();
    assert_eq!((table.blocks, table.default_spread()), (1, Spread::Fisher));
    assert_eq!(table.covariance(0, 0, Spread::Robust), None);
    assert_eq!(table.interval(1, Level::P95), table.interval_with(1, Level::P95, Spread::Fisher));
}

#[test]
fn a_seat_that_never_changes_hands_is_reported() {
    let list = [wins(0, 1, 3), games(&[0, 1], &[1, 0], Placing::Full, 2)].concat();
    let table = fit(2, &list, &FitOptions { seat_terms: true, ..NO_PRIOR }).unwrap();
    assert_eq!(table.unidentified, 1);
    // Smallest step: the gap ln(3/2) is shared evenly between the players and the seats.
    near("players", table.theta[0] - table.theta[1], 0.5 * 1.5f64.ln(), 1e-9);
    near("seats", table.seat_terms[0] - table.seat_terms[1], 0.5 * 1.5f64.ln(), 1e-9);
}

#[test]
fn a_seat_that_always_wins_is_reported() {
    let list = [wins(0, 1, 5), wins(1, 0, 5)].concat();
    let table = fit(2, &list, &FitOptions { seat_terms: true, ..NO_PRIOR }).unwrap();
    assert!(!table.converged);
    let table = fit(2, &list, &FitOptions { seat_terms: true, ..FitOptions::default() }).unwrap();
    assert!(table.converged);
    // 10.5 to 0.5 once the seats' virtual draw is added.
    near("seats", table.seat_terms[0] - table.seat_terms[1], 21f64.ln(), 1e-9);
}

/// SplitMix64, the test's own seeded stream (Steele, Lea and Flood 2014).
struct Stream(u64);

impl Stream {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Ranks of one Luce game.
    fn luce(&mut self, x: &[f64]) -> Vec<u8> {
        // Exponential races: the first arrival with rate e^x wins.
        let arrivals: Vec<f64> = x.iter().map(|x| -(1.0 - self.unit()).ln() / x.exp()).collect();
        arrivals.iter().map(|a| arrivals.iter().filter(|b| *b < a).count() as u8).collect()
    }
}

/// Tournament of four players in rotating seats; every outcome is copied `copies` times in its block.
fn tournament(stream: &mut Stream, blocks: u64, copies: usize, placing: Placing) -> Vec<GameResult> {
    let (theta, seat) = ([0.6, 0.2, -0.2, -0.6], [0.3, 0.1, -0.1, -0.3]);
    let block = |block: u64| {
        let seats: Vec<usize> = (0..4).map(|s| (s + block as usize) % 4).collect();
        let x: Vec<f64> = seats.iter().zip(seat).map(|(&player, seat)| theta[player] + seat).collect();
        let ranks = stream.luce(&x);
        vec![GameResult::new(seats, ranks, block, placing); copies]
    };
    (0..blocks).flat_map(block).collect()
}

/// Share of 400 tournaments whose 95 % interval of player 0's theta covers the truth, per spread.
fn coverage(copies: usize, placing: Placing) -> (f64, f64) {
    let mut stream = Stream(20_240_607);
    let mut hits = [0.0; 2];
    for _ in 0..400 {
        let list = tournament(&mut stream, 150, copies, placing);
        let table = fit(4, &list, &FitOptions { seat_terms: true, ..NO_PRIOR }).unwrap();
        for (hit, spread) in hits.iter_mut().zip([Spread::Robust, Spread::Fisher]) {
            let interval = table.interval_with(0, Level::P95, spread).unwrap();
            *hit += f64::from(u8::from(interval.contains(0.6 * agon_ratings::ELO_PER_THETA))) / 400.0;
        }
    }
    (hits[0], hits[1])
}

#[test]
fn robust_intervals_cover_at_their_level_even_when_games_of_a_block_are_copies() {
    // Standard error of a coverage near 95 % from 400 tournaments: 1.1 %.
    for placing in [Placing::WinnerOnly, Placing::Full] {
        let (robust, fisher) = coverage(1, placing);
        near("independent, robust", robust, 0.95, 0.035);
        near("independent, Fisher", fisher, 0.95, 0.035);
        let (robust, fisher) = coverage(4, placing);
        near("copies, robust", robust, 0.95, 0.035);
        // Half as wide as they should be: 2 Phi(0.98) - 1 = 67 %.
        near("copies, Fisher", fisher, 0.67, 0.07);
    }
}

#[test]
fn seat_terms_are_recovered() {
    let list = tournament(&mut Stream(7), 4000, 1, Placing::Full);
    let table: Fit = fit(4, &list, &FitOptions { seat_terms: true, ..NO_PRIOR }).unwrap();
    for (seat, truth) in [0.3, 0.1, -0.1, -0.3].into_iter().enumerate() {
        near(
            "seat",
            table.seat_terms[seat],
            truth,
            4.0 * table.seat_standard_error(seat, Spread::Robust).unwrap(),
        );
    }
    // A consistent world raises no alarm: pair sigmas are standard normal, six of them.
    let alarm = cycle_alarm(&table, &list, 3.5).unwrap();
    assert!(alarm.flagged.is_empty() && alarm.p_value > 0.01 && alarm.explained > 0.95, "{alarm:?}");
    assert_eq!(alarm.degrees_of_freedom, 3);
}

#[test]
fn rock_paper_scissors_raises_the_alarm() {
    // 70:30 around the circle: no strength differs, every pair is (70 - 50)/5 = 4 sigma off.
    let pair = |a, b| [wins(a, b, 70), wins(b, a, 30)].concat();
    let list = [pair(0, 1), pair(1, 2), pair(2, 0)].concat();
    let list: Vec<_> = (0..).zip(list).map(|(block, game)| GameResult { block, ..game }).collect();
    let table = fit(3, &list, &FitOptions::default()).unwrap();
    let alarm = cycle_alarm(&table, &list, 3.0).unwrap();
    near("explained", alarm.explained, 0.0, 1e-9);
    assert_eq!((alarm.flagged.len(), alarm.degrees_of_freedom), (3, 1));
    for pair in &alarm.flagged {
        let sign = if (pair.a, pair.b) == (0, 2) { -1.0 } else { 1.0 };
        near("sigma", pair.sigma, sign * 4.0, 1e-6);
        near("expected", pair.expected, 50.0, 1e-6);
        near("observed", pair.observed, 50.0 + sign * 20.0, 0.0);
        near("games", pair.games, 100.0, 0.0);
    }
    near("chi square", alarm.chi_square, 48.0, 1e-6);
    assert!(alarm.p_value < 1e-6);
}

#[test]
fn copies_within_a_block_do_not_raise_the_alarm() {
    // The same ten independent outcomes per pair, every one copied 40 times: 7 of 10 is no cycle.
    let pair = |a, b, from: u64| {
        let games = (0..10).map(move |i| (from + i, if i < 7 { [0, 1] } else { [1, 0] }));
        games.flat_map(move |(block, ranks)| {
            vec![GameResult::new(vec![a, b], ranks.to_vec(), block, Placing::Full); 40]
        })
    };
    let list: Vec<_> = pair(0, 1, 0).chain(pair(1, 2, 10)).chain(pair(2, 0, 20)).collect();
    let table = fit(3, &list, &FitOptions::default()).unwrap();
    let alarm = cycle_alarm(&table, &list, 3.0).unwrap();
    assert!(alarm.flagged.is_empty(), "{alarm:?}");
}
