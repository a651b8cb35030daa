//! Speed of the batch fit: 200 players, 100,000 four-seat games. Run with `cargo bench -p agon-ratings`.
#![allow(clippy::print_stdout, reason = "a benchmark reports on its terminal")]

use std::time::Instant;

use agon_ratings::{FitOptions, GameResult, Placing, fit};

const PLAYERS: usize = 200;
const GAMES: u64 = 100_000;

/// SplitMix64 to the unit interval (Steele, Lea and Flood 2014).
fn unit(state: &mut u64) -> f64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
}

/// Luce games of four random players, four games to a block; strengths spread over 4 natural-log units.
fn games(placing: Placing) -> Vec<GameResult> {
    let mut state = 1;
    let mut game = |index: u64| {
        let seats: Vec<usize> = (0..4).map(|_| (unit(&mut state) * PLAYERS as f64) as usize).collect();
        let rate = |player: usize| (4.0 * player as f64 / PLAYERS as f64).exp();
        let arrivals: Vec<f64> = seats.iter().map(|&p| -(1.0 - unit(&mut state)).ln() / rate(p)).collect();
        let ranks = arrivals.iter().map(|a| arrivals.iter().filter(|b| *b < a).count() as u8).collect();
        GameResult::new(seats, ranks, index / 4, placing)
    };
    (0..GAMES).map(&mut game).collect()
}

/// The slowest kind of game: eight seats, all tied, every place counting (255 subsets each).
fn drawn_games() -> Vec<GameResult> {
    let mut state = 2;
    let mut seats = || (0..8).map(|_| (unit(&mut state) * PLAYERS as f64) as usize).collect();
    (0..GAMES / 10).map(|index| GameResult::new(seats(), vec![0; 8], index, Placing::Full)).collect()
}

fn report(name: &str, games: &[GameResult], options: &FitOptions) {
    let once = |_| {
        let start = Instant::now();
        let table = fit(PLAYERS, games, options).expect("well-formed games");
        assert!(table.converged);
        (start.elapsed().as_secs_f64(), table.iterations)
    };
    let runs: Vec<(f64, usize)> = (0..5).map(once).collect();
    let best = runs.iter().map(|run| run.0).fold(f64::INFINITY, f64::min);
    let worst = runs.iter().map(|run| run.0).fold(0.0, f64::max);
    println!(
        "{PLAYERS} players, {} games, {name}: {best:.3} to {worst:.3} s, {} iterations",
        games.len(),
        runs[0].1
    );
}

fn main() {
    for placing in [Placing::WinnerOnly, Placing::Full] {
        let games = games(placing);
        for seat_terms in [false, true] {
            let options = FitOptions { seat_terms, ..FitOptions::default() };
            report(&format!("4 seats, {placing:?}, seat terms {seat_terms}"), &games, &options);
        }
    }
    report("8 seats all tied, Full", &drawn_games(), &FitOptions::default());
}
