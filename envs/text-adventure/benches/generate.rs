//! Cost of generated games by level: everything from knobs to the plan typed into the parser. CPU time of the process,
//! one thread.
//!
//! `cargo bench -p agon-text-adventure --bench generate`
#![allow(clippy::print_stdout, reason = "a program for people")]

use agon_text_adventure::{
    generate::{BENCHMARK_SEEDS, LEVELS, benchmark, generate_with, level},
    planner::Planner,
};
use cpu_time::ProcessTime;

fn main() {
    println!(
        "| level | games | plan | choice bits | attempts | ms a game | ms at most |\n|---|---|---|---|---|---|---|"
    );
    let mut planner = Planner::default();
    for n in 1..=LEVELS {
        let (mut plan, mut bits, mut attempts, mut worst) = (0, 0, 0, 0.0f64);
        let start = ProcessTime::now();
        for seed in benchmark(n) {
            let one = ProcessTime::now();
            match generate_with(&mut planner, &level(n), seed) {
                Ok(game) => {
                    plan += game.plan.len();
                    bits += u64::from(game.choice_bits);
                    attempts += u64::from(game.attempts);
                }
                Err(e) => println!("level {n}: {e}"),
            }
            worst = worst.max(one.elapsed().as_secs_f64() * 1e3);
        }
        let games = BENCHMARK_SEEDS as f64;
        let ms = start.elapsed().as_secs_f64() * 1e3 / games;
        println!(
            "| {n} | {BENCHMARK_SEEDS} | {:.1} | {:.1} | {:.1} | {ms:.2} | {worst:.2} |",
            plan as f64 / games,
            bits as f64 / games,
            attempts as f64 / games
        );
    }
}
