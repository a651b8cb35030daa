//! Random legal play on one thread: decisions and games a CPU second.
//!
//! `cargo bench -p agon-settlers [-- SECONDS]`. A decision is one uniform choice from the mask, the step with
//! its dice, and the new mask. Copying, hashing and starting a game are measured apart.
#![allow(clippy::print_stdout)]

use agon_settlers::{Config, State};
use cpu_time::ProcessTime;
use rl_gym::{Pcg64, SeedSequence};
use std::hint::black_box;
use std::time::Duration;

fn main() {
    let seconds = std::env::args().skip(1).find_map(|a| a.parse().ok()).unwrap_or(2.0);
    let budget = Duration::from_secs_f64(seconds);
    println!("agon-settlers, one thread, CPU time; state {} bytes", size_of::<State>());
    let base = Config { turn_cap: 1000, ..Config::default() };
    let no_trade = Config { player_trade: false, ..base };
    for (name, config) in [
        ("4 seats, no player trade", no_trade),
        ("4 seats, player trade", base),
        ("4 seats, no player trade, forced decisions taken", Config { auto_advance: true, ..no_trade }),
        ("2 seats, no player trade", Config { seats: 2, ..no_trade }),
    ] {
        play(name, &config, budget);
    }
    parts(&no_trade);
}

fn play(name: &str, config: &Config, budget: Duration) {
    let mut policy = Pcg64::seed(1);
    let (mut decisions, mut calls, mut games, mut options) = (0u64, 0u64, 0u64, 0u64);
    let start = ProcessTime::now();
    while start.elapsed() < budget {
        for _ in 0..8 {
            let mut game = State::new(config, SeedSequence::new(games)).expect("a valid configuration");
            while game.outcome().is_none() {
                let count = game.legal().count();
                let action = game.legal().nth(policy.below(count)).expect("a legal action");
                game.step(action).expect("legal");
                calls += 1;
                options += u64::from(count);
            }
            decisions += u64::from(game.steps());
            games += 1;
        }
    }
    let s = start.elapsed().as_secs_f64();
    println!(
        "{name}: {:.2} M decisions/s ({:.2} M choices/s), {:.0} games/s, {:.0} decisions a game, {:.2} legal",
        decisions as f64 / s / 1e6,
        calls as f64 / s / 1e6,
        games as f64 / s,
        decisions as f64 / games as f64,
        options as f64 / calls as f64,
    );
}

/// Nanoseconds of copying, hashing and starting.
fn parts(config: &Config) {
    let mut game = State::new(config, SeedSequence::new(5)).expect("a valid configuration");
    let mut policy = Pcg64::seed(2);
    for _ in 0..400 {
        if let Some(action) = game.legal().nth(policy.below(game.legal().count().max(1))) {
            game.step(action).expect("legal");
        }
    }
    let time = |name: &str, n: u32, run: &mut dyn FnMut(u32)| {
        let start = ProcessTime::now();
        (0..n).for_each(run);
        println!("{name}: {:.0} ns", start.elapsed().as_secs_f64() * 1e9 / f64::from(n));
    };
    let mut slots = [game; 16];
    time("copy", 4_000_000, &mut |i| slots[i as usize % 16] = *black_box(&game));
    black_box(&slots);
    time("hash", 400_000, &mut |_| {
        black_box(black_box(&game).hash());
    });
    time("new game", 200_000, &mut |i| {
        black_box(State::new(black_box(config), SeedSequence::new(i.into())).expect("valid"));
    });
}
