//! One player against three copies of another at settlers, seats rotated on every seed.
//!
//! `cargo run --release -p agon-search --example duel -- search-fast greedy 100 9000000`
//! (players, seeds: four games each, first seed). Prints wins with a 95 % Wilson interval and the CPU time.
#![allow(clippy::print_stdout, reason = "a program for people")]

mod common;

use agon_settlers::game;
use common::{Arena, Cost, make};
use rl_gym::Policy;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (hero, rest) = (&args[0], &args[1]);
    let seeds: u64 = args[2].parse().expect("a number of seeds");
    let first: u64 = args.get(3).map_or(1, |n| n.parse().expect("a seed"));
    let game = game();
    let options = game.defaults();
    let spec = (game.make)(&options).expect("an environment").spec().clone();
    let mut arena = Arena::new(&game, options);
    let mut hero_player = make(hero, &spec);
    let mut others: Vec<_> = (0..3).map(|_| make(rest, &spec)).collect();
    let (mut wins, mut games, mut cost) = (0.0, 0.0, [Cost::default(); 2]);
    for seed in first..first + seeds {
        for place in 0..4 {
            let mut seated: Vec<&mut dyn Policy> =
                others.iter_mut().map(|p| &mut **p as &mut dyn Policy).collect();
            seated.insert(place, &mut *hero_player);
            let (ranks, costs) = arena.play(&mut seated, seed, |_| ());
            let firsts = ranks.iter().filter(|&&r| r == 0).count() as f64;
            wins += if ranks[place] == 0 { 1.0 / firsts } else { 0.0 };
            games += 1.0;
            for (seat, c) in costs.iter().enumerate() {
                let sum = &mut cost[usize::from(seat != place)];
                sum.decisions += c.decisions;
                sum.seconds += c.seconds;
                sum.most = sum.most.max(c.most);
            }
        }
    }
    let (low, high) = wilson(wins, games);
    let ms = |c: Cost| 1e3 * c.seconds / c.decisions.max(1) as f64;
    println!(
        "{hero} against 3 {rest}: {wins:.1} of {games} = {:.1} % [{:.1}, {:.1}]; ms a decision {:.3} (most {:.1}) against {:.3} (most {:.1}); {:.0} decisions a game",
        100.0 * wins / games,
        100.0 * low,
        100.0 * high,
        ms(cost[0]),
        1e3 * cost[0].most,
        ms(cost[1]),
        1e3 * cost[1].most,
        cost[0].decisions as f64 / games,
    );
}

/// 95 % interval of a share.
fn wilson(wins: f64, games: f64) -> (f64, f64) {
    let (z, p) = (1.959_964, wins / games);
    let middle = p + z * z / (2.0 * games);
    let half = z * (p * (1.0 - p) / games + z * z / (4.0 * games * games)).sqrt();
    let scale = 1.0 + z * z / games;
    ((middle - half) / scale, (middle + half) / scale)
}
