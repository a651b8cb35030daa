//! Milliseconds of the distiller per 1,000 episodes, on the processor's clock of the process:
//! `cargo run --release -p agon-skill-distill --example speed`.

#![allow(clippy::print_stdout, reason = "it is a program")]

#[path = "../tests/table/mod.rs"]
mod table;

use agon_skill_distill::{Config, PickConfig, PolicyConfig, Rollouts, distill, pick_rules, policy};
use cpu_time::ProcessTime;
use table::Table;

fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let start = ProcessTime::now();
    let done = work();
    (done, start.elapsed().as_secs_f64() * 1_000.0)
}

fn main() {
    let settlers = Table::new(agon_settlers::game(), &[], &["greedy"]);
    for (what, table, episodes) in [
        ("text adventure, level 8, planner", Table::solo("8", "planner"), 1_000),
        ("text adventure, level 15, explorer", Table::solo("15", "explorer"), 1_000),
        ("settlers, four greedy players", settlers, 50),
    ] {
        let (rollouts, played) = timed(|| table.rollouts(1, episodes));
        row(what, &rollouts, episodes, played);
    }
}

fn row(what: &str, rollouts: &Rollouts, episodes: u32, played: f64) {
    let config = Config::default();
    let (mined, mining) = timed(|| distill(rollouts, &config).expect("it can be mined"));
    let (picks, picking) =
        timed(|| pick_rules(rollouts, &PickConfig::default(), &config).expect("it can be fitted"));
    let (_, listing) =
        timed(|| policy(rollouts, &PolicyConfig::default(), &config).expect("it can be fitted"));
    let per = 1_000.0 / f64::from(episodes);
    println!(
        "{what}: {episodes} episodes, {} decisions, {} bytes of them, {} different rows of features",
        rollouts.decisions(),
        rollouts.bytes(),
        rollouts.feature_rows()
    );
    println!("  played and taken in {played:.0} ms ({:.0} a 1,000 episodes)", played * per);
    println!(
        "  mined {mining:.0} ms ({:.0}): {} patterns, {} skills",
        mining * per,
        mined.summary.patterns,
        mined.candidates.len()
    );
    println!(
        "  weights {picking:.0} ms ({:.0}): {} skills; list of rules {listing:.0} ms ({:.0})",
        picking * per,
        picks.len(),
        listing * per
    );
}
