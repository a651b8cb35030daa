//! Fits the value function of settlers: plays games, notes every seat's inputs at the start of turns, and finds
//! the weights under which the softmax over the seats best foretells the winner.
//!
//! `cargo run --release -p agon-search --example fit -- 4000 greedy > envs/settlers/src/heuristic/weights.rs`
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for people")]

mod common;

use agon_settlers::{
    Saved, game,
    heuristic::{INPUTS, inputs, lead},
};
use common::{Arena, make};
use rl_gym::{Pcg64, Policy};

/// Positions kept of each game: one in this many.
const KEEP: u32 = 3;
/// Shrinks weights, so that inputs that say the same share the work.
const RIDGE: f32 = 2e-5;

struct Sample {
    x: [[f32; INPUTS]; 4],
    winner: usize,
}

fn main() {
    let mut args = std::env::args().skip(1);
    let games: u64 = args.next().map_or(2000, |n| n.parse().expect("a number of games"));
    let player = args.next().unwrap_or_else(|| "greedy".into());
    let seed: u64 = args.next().map_or(1_000_000, |n| n.parse().expect("a seed"));
    let mut samples = record(games, &player, seed);
    let held_out = samples.split_off(samples.len() * 9 / 10);
    eprintln!("{} positions to fit, {} held out", samples.len(), held_out.len());
    let weights = fit(&samples, &held_out);
    print(&weights, games, &player, seed);
}

fn record(games: u64, player: &str, seed: u64) -> Vec<Sample> {
    let game = game();
    let options = game.defaults();
    let mut arena = Arena::new(&game, options.clone());
    let spec = (game.make)(&options).expect("an environment").spec().clone();
    let mut players: Vec<Box<dyn Policy>> = (0..4).map(|_| make(player, &spec)).collect();
    let mut rng = Pcg64::seed(seed);
    let mut samples = Vec::new();
    for i in 0..games {
        let first = samples.len();
        let mut stage = 0;
        let mut state: rl_gym::AnyState = Box::new(());
        let mut seated: Vec<&mut dyn Policy> =
            players.iter_mut().map(|p| &mut **p as &mut dyn Policy).collect();
        let (ranks, _) = arena.play(&mut seated, seed + i, |env| {
            let now = env.as_heuristic().map_or(0, |h| h.stage());
            if now == stage || rng.below(KEEP) > 0 && now > 1 {
                stage = now;
                return;
            }
            stage = now;
            env.as_snapshot().expect("snapshots").save_any_into(&mut state);
            let state = state.downcast_ref::<Saved>().expect("a table of settlers").state();
            let mut x = [[0.0; INPUTS]; 4];
            (0..4).for_each(|s| inputs(state, s as u8, lead(state), &mut x[s]));
            samples.push(Sample { x, winner: usize::MAX });
        });
        match ranks.iter().position(|&r| r == 0) {
            Some(winner) if ranks.iter().filter(|&&r| r == 0).count() == 1 => {
                samples[first..].iter_mut().for_each(|s| s.winner = winner);
            }
            _ => samples.truncate(first),
        }
    }
    samples
}

fn shares(w: &[f32; INPUTS], x: &[[f32; INPUTS]; 4]) -> [f32; 4] {
    let scores = x.map(|x| w.iter().zip(x).map(|(w, x)| w * x).sum::<f32>());
    let most = scores.iter().fold(f32::NEG_INFINITY, |a, &b| a.max(b));
    let shares = scores.map(|s| (s - most).exp());
    let sum: f32 = shares.iter().sum();
    shares.map(|s| s / sum)
}

fn loss(w: &[f32; INPUTS], samples: &[Sample]) -> f64 {
    samples.iter().map(|s| -f64::from(shares(w, &s.x)[s.winner].max(1e-9)).ln()).sum::<f64>()
        / samples.len() as f64
}

/// Adam on batches of 256, the step size falling to zero.
fn fit(samples: &[Sample], held_out: &[Sample]) -> [f32; INPUTS] {
    const EPOCHS: usize = 12;
    const BATCH: usize = 256;
    let mut order: Vec<usize> = (0..samples.len()).collect();
    let mut rng = Pcg64::seed(7);
    let (mut w, mut m, mut v) = ([0.0f32; INPUTS], [0.0f32; INPUTS], [0.0f32; INPUTS]);
    let steps = (EPOCHS * samples.len() / BATCH).max(1);
    let mut t = 0;
    for epoch in 0..EPOCHS {
        rng.shuffle(&mut order);
        for batch in order.chunks_exact(BATCH) {
            let mut g = w.map(|w| RIDGE * w);
            for &i in batch {
                let s = &samples[i];
                let p = shares(&w, &s.x);
                for (seat, (p, x)) in p.iter().zip(&s.x).enumerate() {
                    let error = (p - f32::from(u8::from(seat == s.winner))) / BATCH as f32;
                    g.iter_mut().zip(x).for_each(|(g, x)| *g += error * x);
                }
            }
            t += 1;
            let rate = 0.03 * (1.0 - t as f32 / (steps + 1) as f32);
            let fix = |b: f32| 1.0 - b.powi(t);
            for i in 0..INPUTS {
                m[i] = 0.9 * m[i] + 0.1 * g[i];
                v[i] = 0.999 * v[i] + 0.001 * g[i] * g[i];
                w[i] -= rate * (m[i] / fix(0.9)) / ((v[i] / fix(0.999)).sqrt() + 1e-8);
            }
        }
        eprintln!("epoch {epoch}: loss {:.4}, held out {:.4}", loss(&w, samples), loss(&w, held_out));
    }
    w
}

fn print(w: &[f32; INPUTS], games: u64, player: &str, seed: u64) {
    println!("//! Weights of the value function. Written by the example `fit` of `agon-search`:");
    println!("//! `fit {games} {player} {seed}`.\n");
    println!("use super::INPUTS;\n");
    println!("/// One weight an input, in the order of [`super::inputs`].");
    println!("#[rustfmt::skip]");
    println!("pub(super) static WEIGHTS: [f32; INPUTS] = [");
    for row in w.chunks(10) {
        let row: Vec<String> = row.iter().map(|w| format!("{w:.3}")).collect();
        println!("    {},", row.join(", "));
    }
    println!("];");
}
