//! The drift alarm against simulated leagues: silent where nobody changes, loud where somebody does.

use agon_ratings::{Drift, GameResult, Level, Placing, RatingError, drift, homogeneity};

const SEATS: usize = 4;
const PERIODS: usize = 3;

/// SplitMix64 (Steele, Lea, Flood 2014).
struct Rng(u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    /// An index with a probability in proportion to its weight.
    fn weighted(&mut self, weights: &[f64]) -> usize {
        let mut at = self.unit() * weights.iter().sum::<f64>();
        let mut index = 0;
        while index + 1 < weights.len() && at >= weights[index] {
            at -= weights[index];
            index += 1;
        }
        index
    }
}

/// Three anchors (0 to 2) and two champions a period, who join when it begins and stay. `theta` is the strength of a
/// player in a period; a table of four is played in all rotations, `luck` of its seats in common.
fn league(seed: u64, tables: usize, luck: f64, theta: impl Fn(usize, usize) -> f64) -> Vec<Vec<GameResult>> {
    let mut rng = Rng(seed);
    let mut block = 0;
    (0..PERIODS)
        .map(|period| {
            let mut games = Vec::new();
            for table in 0..tables {
                block += 1;
                let newest = 3 + 2 * (period + 1);
                let mut players = vec![newest - 1 - table % 2, table / 2 % 3];
                players.extend((0..2).map(|_| rng.below(newest)));
                // Rotations share their seed: some seats are lucky in all of them.
                let gift: Vec<f64> = (0..SEATS).map(|_| luck * (rng.unit() - 0.5)).collect();
                for turn in 0..SEATS {
                    let seats: Vec<usize> = (0..SEATS).map(|s| players[(s + turn) % SEATS]).collect();
                    let weight: Vec<f64> =
                        seats.iter().zip(&gift).map(|(p, g)| (theta(*p, period) + g).exp()).collect();
                    let winner = rng.weighted(&weight);
                    let ranks = (0..SEATS).map(|s| u8::from(s != winner)).collect();
                    games.push(GameResult::new(seats, ranks, block, Placing::WinnerOnly));
                }
            }
            games
        })
        .collect()
}

fn of(periods: &[Vec<GameResult>]) -> Drift {
    let views: Vec<&[GameResult]> = periods.iter().map(Vec::as_slice).collect();
    drift(3 + 2 * PERIODS, &views, 2, 30, Level::P95).expect("sound")
}

/// Anchors 0, 1.4, 2; champions get stronger.
fn constant(player: usize, _: usize) -> f64 {
    [0.0, 1.4, 2.0, 1.0, 1.3, 1.6, 1.9, 2.1, 2.3][player]
}

#[test]
fn where_nobody_changes_the_test_is_wrong_as_often_as_it_says() {
    let (mut at5, mut at1, mut outside, mut shifts) = (0, 0, 0, 0);
    const RUNS: u64 = 300;
    for seed in 0..RUNS {
        let found = of(&league(seed, 200, 1.0, constant));
        // 0 and 1 in three periods; 3 and 4 in three, 5 and 6 in two; 7 and 8 in one, where nothing is compared.
        assert!(found.degrees_of_freedom >= 6, "{found:?}");
        at5 += usize::from(found.p_value < 0.05);
        at1 += usize::from(found.p_value < 0.01);
        shifts += found.shifts.len();
        outside += found.shifts.iter().filter(|s| !s.shift.contains(0.0)).count();
    }
    // Expected 15 and 3 of 300; standard deviations 3.8 and 1.7.
    assert!((4..=29).contains(&at5), "{at5} of {RUNS} below 0.05");
    assert!(at1 <= 9, "{at1} of {RUNS} below 0.01");
    let share = outside as f64 / shifts as f64;
    assert!((0.03..0.07).contains(&share), "{share} of the 95 % intervals leave 0 out");
}

/// Many players in a period and few blocks for each: 36 champions, 12 a period, of 60 tables each.
fn crowd(seed: u64) -> Drift {
    const EACH: usize = 12;
    let mut rng = Rng(seed);
    let (mut block, mut periods) = (0, Vec::new());
    let theta = |player: usize| if player < 3 { constant(player, 0) } else { 1.0 + player as f64 / 30.0 };
    for period in 0..PERIODS {
        let mut games = Vec::new();
        for table in 0..60 * EACH {
            block += 1;
            let newest = 3 + EACH * period + table / 60;
            let mut players = vec![newest, table % 3];
            players.extend((0..2).map(|_| rng.below(newest)));
            for turn in 0..SEATS {
                let seats: Vec<usize> = (0..SEATS).map(|s| players[(s + turn) % SEATS]).collect();
                let weight: Vec<f64> = seats.iter().map(|p| theta(*p).exp()).collect();
                let winner = rng.weighted(&weight);
                let ranks = (0..SEATS).map(|s| u8::from(s != winner)).collect();
                games.push(GameResult::new(seats, ranks, block, Placing::WinnerOnly));
            }
        }
        periods.push(games);
    }
    let views: Vec<&[GameResult]> = periods.iter().map(Vec::as_slice).collect();
    drift(3 + PERIODS * EACH, &views, 2, 30, Level::P95).expect("sound")
}

#[test]
fn many_players_ring_no_more_often() {
    let (mut sum, mut freedom, mut at5) = (0.0, 0, 0);
    const RUNS: usize = 40;
    for seed in 0..RUNS as u64 {
        let found = crowd(1000 + seed);
        sum += found.chi_square;
        freedom += found.degrees_of_freedom;
        at5 += usize::from(found.p_value < 0.05);
    }
    // A chi-square has the mean of its degrees of freedom, n in all with a variance of 2 n.
    let off = (sum - freedom as f64) / (2.0 * freedom as f64).sqrt();
    assert!(off.abs() < 4.0, "{sum} where {freedom} are expected: {off} standard deviations");
    assert!(at5 <= 7, "{at5} of {RUNS} below 0.05");
}

#[test]
fn a_player_that_changes_is_found_and_named() {
    // Anchor 1 loses 1.2 of strength (208 Elo) in the last period.
    let mut found = 0;
    for seed in 0..40 {
        let planted = of(&league(seed, 200, 1.0, |player, period| {
            constant(player, period) - if player == 1 && period == 2 { 1.2 } else { 0.0 }
        }));
        let largest =
            planted.shifts.iter().max_by(|a, b| a.sigma.abs().total_cmp(&b.sigma.abs())).expect("shifts");
        found += usize::from(
            planted.p_value < 0.01 && largest.player == 1 && largest.period == 2 && largest.sigma < -3.0,
        );
    }
    assert!(found >= 36, "{found} of 40");
}

#[test]
fn a_shift_is_the_distance_between_periods_in_elo() {
    // Two players, even in the first period, 3 to 1 in the second: 190.85 Elo, by 400 log10 3.
    let game = |won: bool, block: u64| {
        GameResult::new(vec![0, 1], if won { vec![0, 1] } else { vec![1, 0] }, block, Placing::Full)
    };
    let first: Vec<_> = (0..400).map(|i| game(i % 2 == 0, i)).collect();
    let second: Vec<_> = (0..400).map(|i| game(i % 4 != 0, 1000 + i)).collect();
    let found = drift(2, &[&first, &[], &second], 1, 30, Level::P95).expect("sound");
    let [early, late] = &found.shifts[..] else { panic!("{found:?}") };
    assert_eq!([early.period, late.period], [0, 2]);
    assert!(early.elo.estimate.abs() < 1e-6 && (late.elo.estimate - 190.85).abs() < 0.01, "{found:?}");
    assert!((late.shift.estimate - 190.85).abs() < 0.01 && late.sigma == -early.sigma);
    // With one number and two periods the joint test is the square of that distance.
    assert_eq!(found.degrees_of_freedom, 1);
    assert!((found.chi_square - late.sigma * late.sigma).abs() < 1e-6, "{found:?}");
}

#[test]
fn what_cannot_be_compared_is_left_out() {
    let game = |a: usize, b: usize, won: bool, block: u64| {
        GameResult::new(vec![a, b], if won { vec![0, 1] } else { vec![1, 0] }, block, Placing::Full)
    };
    let even = |a, b, from: u64, count: u64| (0..count).map(move |i| game(a, b, i % 2 == 0, from + i));
    // Player 0 always wins in the second period, player 2 has few blocks there, player 3 sits in one period.
    let first: Vec<_> = even(0, 1, 0, 100).chain(even(2, 1, 200, 100)).chain(even(3, 1, 400, 100)).collect();
    let second: Vec<_> = (0..100).map(|i| game(0, 1, true, 1000 + i)).chain(even(2, 1, 1200, 10)).collect();
    let found = drift(4, &[&first, &second], 1, 30, Level::P95).expect("sound");
    assert_eq!((found.shifts.len(), found.degrees_of_freedom, found.p_value), (0, 0, 1.0));
    let none = drift(4, &[], 1, 30, Level::P95).expect("nothing");
    assert_eq!((none.shifts.len(), none.p_value), (0, 1.0));
}

#[test]
fn estimates_agree_or_not() {
    // By hand: weights 1, 1, 1/4; mean (1 + 3 + 1) / 2.25 = 2.2222; Q = 1.4938 + 0.6049 + 0.7901.
    let found = homogeneity(&[(1.0, 1.0), (3.0, 1.0), (4.0, 2.0)]).expect("sound");
    assert!((found.pooled - 20.0 / 9.0).abs() < 1e-12 && (found.chi_square - 2.888_889).abs() < 1e-6);
    assert_eq!(found.degrees_of_freedom, 2);
    // With two degrees of freedom the survival function is exp(-Q / 2).
    assert!((found.p_value - (-found.chi_square / 2.0).exp()).abs() < 1e-9);
    assert!((found.standard_error - 1.0 / 2.25f64.sqrt()).abs() < 1e-12);
    assert_eq!(homogeneity(&[(7.0, 2.0)]).expect("one").p_value, 1.0);
    assert_eq!(homogeneity(&[]), Err(RatingError::NoGames));
    assert_eq!(homogeneity(&[(1.0, 0.0)]), Err(RatingError::StandardError { value: 0.0 }));
    let text = homogeneity(&[(1.0, -1.0)]).expect_err("refused").to_string();
    assert_eq!(text, "standard error is -1. Give a finite number above 0");
    assert!(homogeneity(&[(f64::NAN, 1.0)]).is_err());
}
