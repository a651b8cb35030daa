//! What a second worker brings: the same settlers games (four `greedy` on Bevy-hosted lanes) with one and two
//! worker threads in turns. Wall time, since waiting is what is measured; needs two free cores to mean anything.
//!
//!     cargo bench --bench workers

use agon::league::{Maker, Match, MatchKind, MatchSeed, Player, Runner, RunnerConfig};
use std::{collections::BTreeMap, io::Write, time::Instant};

const ROUNDS: usize = 5;
const TABLES: u32 = 1500;

fn main() {
    let game = agon::settlers::game();
    let bot = game.bots.iter().find(|b| b.name == "greedy").expect("settlers has greedy");
    let maker = Maker::of(&Player::bot(&game, bot), &game).expect("known");
    let makers = BTreeMap::from([(0, maker)]);
    let mut runners = [1, 2].map(|workers| {
        let config = RunnerConfig { workers, ..RunnerConfig::default() };
        Runner::new(&game, &game.defaults(), &config).expect("runner")
    });
    let mut out = std::io::stdout();
    let mut ratios = Vec::new();
    for round in 0..ROUNDS as u32 {
        let matches: Vec<Match> = (0..TABLES)
            .map(|table| Match {
                id: i64::from(table),
                kind: MatchKind::Ladder,
                generation: 0,
                block: i64::from(table),
                seed: MatchSeed { root: u64::from(round), generation: 0, table },
                seats: vec![0; 4],
                record: false,
            })
            .collect();
        let [one, two] = runners.each_mut().map(|runner| {
            let mut steps = 0u64;
            let begun = Instant::now();
            let done = |o: agon::league::Outcome| {
                steps += u64::from(o.steps);
                Ok(())
            };
            runner.play(&matches, &makers, done).expect("played");
            let s = begun.elapsed().as_secs_f64();
            (f64::from(TABLES) / s, steps as f64 / s)
        });
        ratios.push(two.0 / one.0);
        _ = writeln!(
            out,
            "round {round}: 1 worker {:.0} games/s ({:.2} M env steps/s), 2 workers {:.0} ({:.2} M), ratio {:.2}",
            one.0,
            one.1 / 1e6,
            two.0,
            two.1 / 1e6,
            two.0 / one.0
        );
    }
    ratios.sort_by(f64::total_cmp);
    _ = writeln!(out, "median ratio {:.2} (release, wall time, {TABLES} games a round)", ratios[ROUNDS / 2]);
}
