//! Plays many random games through the public rules and says whether anything gave way.
//!
//! `cargo run --release -p agon-settlers --example soak -- 10000000 2` plays ten million games on two threads.
//! Every game is checked at its end and goes into one digest, which does not depend on the number of threads. A
//! game that breaks a law is named with its number and ends the run with status 1.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for people")]

#[path = "../tests/fuzz/invariants.rs"]
mod invariants;

use agon_settlers::{Config, GameOutcome, Layout, State};
use cpu_time::{ProcessTime, ThreadTime};
use rl_gym::SeedSequence;
use std::time::Instant;

/// Root of all seeds: game `i` is played with `ROOT / i / 0`, by choices from `ROOT / i / 1`.
const ROOT: u64 = 2026;

fn main() {
    let mut args = std::env::args().skip(1).map(|a| a.parse().expect("numbers: GAMES [THREADS]"));
    let games: u64 = args.next().unwrap_or(10_000_000);
    let threads: u64 = args.next().unwrap_or(1).clamp(1, 256);
    // Touch everything once before the memory is looked at.
    play(0, 1, games.min(2000), false);
    let before = resident_bytes();
    let (wall, cpu) = (Instant::now(), ProcessTime::now());
    let total = std::thread::scope(|scope| {
        let workers: Vec<_> =
            (0..threads).map(|t| scope.spawn(move || play(t, threads, games, t == 0))).collect();
        workers
            .into_iter()
            .map(|w| w.join().expect("a law is broken; see above"))
            .fold(Total::default(), Total::plus)
    });
    let cpu_s = cpu.elapsed().as_secs_f64();
    println!(
        "games      {} ({} won, {} truncated)",
        total.games,
        total.games - total.truncated,
        total.truncated
    );
    println!("wins       {:?} by seat", total.wins);
    println!(
        "decisions  {} ({:.0} a game, {} in the longest)",
        total.decisions,
        total.decisions as f64 / total.games as f64,
        total.longest
    );
    println!("digest     {:016x}", total.digest);
    println!("time       {:.0} s, {cpu_s:.0} s CPU on {threads} threads", wall.elapsed().as_secs_f64());
    println!(
        "speed      {:.0} games and {:.2} M decisions a CPU second",
        total.games as f64 / cpu_s,
        total.decisions as f64 / cpu_s / 1e6
    );
    if let (Some(before), Some(after)) = (before, resident_bytes()) {
        println!("resident   {} KiB at the start, {} KiB at the end", before / 1024, after / 1024);
    }
}

/// Sums over games; adding is commutative, so neither order nor thread matters.
#[derive(Default)]
struct Total {
    games: u64,
    truncated: u64,
    wins: [u64; 4],
    decisions: u64,
    longest: u32,
    digest: u64,
}

impl Total {
    fn add(&mut self, number: u64, end: &State) {
        self.games += 1;
        match end.outcome() {
            Some(GameOutcome::Winner(seat)) => self.wins[usize::from(seat)] += 1,
            _ => self.truncated += 1,
        }
        self.decisions += u64::from(end.steps());
        self.longest = self.longest.max(end.steps());
        // The number keeps two swapped games from cancelling out.
        self.digest = self.digest.wrapping_add(
            (end.hash() ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_mul(0xd6e8_feb8_6659_fd93),
        );
    }

    fn plus(mut self, other: Self) -> Self {
        self.games += other.games;
        self.truncated += other.truncated;
        (0..4).for_each(|s| self.wins[s] += other.wins[s]);
        self.decisions += other.decisions;
        self.longest = self.longest.max(other.longest);
        self.digest = self.digest.wrapping_add(other.digest);
        self
    }
}

/// The options in turn: seats, layouts, the friendly robber; player trade (four times as many decisions) in one
/// game of sixteen.
fn options(number: u64) -> Config {
    Config {
        seats: 2 + (number % 3) as u8,
        layout: [Layout::Spiral, Layout::Random, Layout::Beginner][(number / 3 % 3) as usize],
        friendly_robber: number / 9 % 2 == 1,
        player_trade: number.is_multiple_of(16),
        ..Config::default()
    }
}

/// Plays the games `first`, `first + stride`, .. below `end`.
fn play(first: u64, stride: u64, end: u64, speaks: bool) -> Total {
    let mut total = Total::default();
    let start = ThreadTime::now();
    let mut percent = 0;
    for number in (first..end).step_by(stride as usize) {
        let seed = SeedSequence::new(ROOT).child((number >> 32) as u32).child(number as u32);
        let mut choices = seed.child(1).rng();
        let mut game = State::new(&options(number), seed.child(0)).expect("valid options");
        while game.outcome().is_none() {
            let action = game.legal().nth(choices.below(game.legal().count())).expect("a legal action");
            game.step(action).expect("a legal action");
        }
        if let Some(law) = invariants::broken(&game) {
            eprintln!("game {number}: {law}");
            std::process::exit(1);
        }
        total.add(number, &game);
        let done = 100 * (number + 1) / end;
        if speaks && done > percent {
            percent = done;
            let speed = total.games as f64 / start.elapsed().as_secs_f64();
            eprintln!("{done} % of {end} games, {speed:.0} games a CPU second on this thread");
        }
    }
    total
}

/// Resident memory of this process in bytes, where `/proc/self/statm` tells it (pages of 4 KiB).
fn resident_bytes() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    text.split_whitespace().nth(1)?.parse::<u64>().ok().map(|pages| pages * 4096)
}
