//! Win rate of one player against copies of another, over rotated seats.
//!
//! `cargo run --release -p agon-settlers --example duel -- greedy random 400 trade=off`
//! plays 400 games. A player is `random`, `weighted`, `greedy`, or `greedy+gene=value+gene=value`. Further
//! arguments are options of the game.
#![allow(clippy::print_stdout, reason = "a program for people")]

use agon_settlers::{bots, game};
use rl_gym::{BatchConfig, BatchEnv, Decisions, Flags, Pcg64, Policy, VecEnv};
use std::time::Instant;

struct Random;

impl Policy for Random {
    fn act(&mut self, decisions: &mut Decisions<'_>) -> Result<(), rl_gym::Fault> {
        for i in 0..decisions.len() {
            let mut ask = decisions.ask(i);
            let k = ask.rng.below(ask.mask.count() as u32) as usize;
            let action = ask.mask.nth(k).unwrap_or(0) as u32;
            ask.choose(action);
        }
        Ok(())
    }
}

fn player(text: &str) -> Box<dyn Policy> {
    let mut parts = text.split('+');
    match parts.next() {
        Some("random") => Box::new(Random),
        Some("weighted") => Box::new(bots::Weighted),
        Some("greedy") => {
            let mut values = bots::GREEDY;
            for part in parts {
                let (name, value) = part.split_once('=').expect("gene=value");
                let at = bots::GENES
                    .iter()
                    .position(|g| g.name == name)
                    .unwrap_or_else(|| panic!("no gene {name}"));
                values[at] = value.parse().expect("a number");
            }
            Box::new(bots::Player::new(&values))
        }
        _ => panic!("unknown player {text}"),
    }
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let games: u32 = args.get(2).map_or(400, |a| a.parse().expect("a number of games"));
    let mut players = [player(&args[0]), player(&args[1])];
    let options = args.iter().skip(3).map(|a| a.split_once('=').expect("option=value"));
    let options = game().resolve(options).expect("valid options");
    let lanes = 64;
    let mut env = VecEnv::new(&game().factory(options), BatchConfig::lanes(lanes)).expect("batch");
    let seats = env.spec().seats;
    env.reset(1);
    let mut rngs: Vec<Pcg64> = (0..lanes * seats).map(|r| Pcg64::seed(1000 + r as u64)).collect();
    // The hero of lane l in episode e sits at seat (l + e) % seats; every lane plays the same number of games.
    let per_lane = games.div_ceil(lanes as u32);
    let mut episode = vec![0u32; lanes];
    let (mut wins, mut draws, mut steps, mut played) = (0, 0, 0u64, 0u32);
    let mut spent = [0.0; 2];
    let mut decisions = [0u64; 2];
    let mut given_up = Vec::new();
    while episode.iter().any(|&e| e < per_lane) {
        let mut rows: [Vec<u32>; 2] = [Vec::new(), Vec::new()];
        let (batch, _) = env.parts();
        for row in (0..lanes * seats).filter(|&r| batch.flags(r).contains(Flags::TO_ACT)) {
            let lane = row / seats;
            let hero = (lane + episode[lane] as usize) % seats;
            rows[usize::from(row % seats != hero)].push(row as u32);
        }
        for (i, player) in players.iter_mut().enumerate() {
            let (batch, actions) = env.parts();
            decisions[i] += rows[i].len() as u64;
            let start = Instant::now();
            player
                .act(&mut Decisions::new(batch, actions, &rows[i], &mut rngs, &mut given_up))
                .expect("no fault");
            spent[i] += start.elapsed().as_secs_f64();
        }
        let batch = env.step();
        assert!((0..lanes * seats).all(|r| !batch.flags(r).contains(Flags::ILLEGAL)));
        let finals: Vec<_> = batch.finals().map(|(f, _)| *f).collect();
        for table in finals.chunks(seats) {
            let lane = table[0].lane as usize;
            let hero = (lane + episode[lane] as usize) % seats;
            if episode[lane] < per_lane {
                played += 1;
                steps += u64::from(table[0].steps);
                draws += u32::from(table[0].flags.contains(Flags::TRUNCATED));
                wins += u32::from(table[hero].rank == 0 && !table[0].flags.contains(Flags::TRUNCATED));
            }
            episode[lane] += 1;
        }
    }
    let share = f64::from(wins) / f64::from(played);
    println!(
        "{} vs {}: {wins}/{played} = {:.1} % (+-{:.1}), {draws} cut, {:.0} decisions a game; us a decision: {:.2} and {:.2}",
        args[0],
        args[1],
        100.0 * share,
        196.0 * (share * (1.0 - share) / f64::from(played)).sqrt(),
        steps as f64 / f64::from(played),
        1e6 * spent[0] / decisions[0] as f64,
        1e6 * spent[1] / decisions[1] as f64,
    );
}
