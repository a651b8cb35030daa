//! Are anchors equally far apart in every run? Compares the ladders of several runs of one game.
//!
//!     cargo run --release --example anchors -- runs/settlers-1 runs/settlers-2
//!
//! Bots are the same in all runs, while candidates and champions differ. A distance that differs by more than chance
//! says that ratings depend on who else is on the ladder.
#![allow(clippy::print_stdout, reason = "a program for people")]

use agon::{
    league::{Store, TrainConfig, report},
    ratings::Interval,
};
use clap::Parser;
use std::{error::Error, path::PathBuf};

/// Which runs.
#[derive(Parser)]
struct Args {
    /// Folders of runs, two or more.
    #[arg(required = true, num_args = 2..)]
    runs: Vec<PathBuf>,
    /// Also every run's own figures.
    #[arg(long)]
    each: bool,
}

fn main() -> Result<(), Box<dyn Error>> {
    let args = Args::parse();
    let games = agon::bundled();
    let mut gaps = Vec::new();
    for run in &args.runs {
        let store = Store::open_read(run)?;
        let config: TrainConfig = store.meta("config")?;
        gaps.push(report::anchor_gaps(&store, games.find(&config.game)?)?);
    }
    let across = report::anchors_across(&gaps)?;
    let text = |i: &Interval| format!("{:.0} ({:.0} to {:.0})", i.estimate, i.low, i.high);
    println!(
        "| Elo of | above | runs | pooled | least | greatest | chi-square | p | p, all pairs | between runs, sd |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    for x in &across {
        let by_size = |i: &&(usize, Interval), j: &&(usize, Interval)| i.1.estimate.total_cmp(&j.1.estimate);
        let end = |run: Option<&(usize, Interval)>| run.map_or_else(String::new, |r| text(&r.1));
        println!(
            "| {} | {} | {} | {} | {} | {} | {:.1} of {} | {:.3} | {:.3} | {:.1} |",
            x.a,
            x.b,
            x.runs.len(),
            text(&x.pooled),
            end(x.runs.iter().min_by(by_size)),
            end(x.runs.iter().max_by(by_size)),
            x.test.chi_square,
            x.test.degrees_of_freedom,
            x.test.p_value,
            x.p_adjusted,
            x.between
        );
    }
    if args.each {
        for x in &across {
            println!("\n{} above {}", x.a, x.b);
            x.runs.iter().for_each(|(run, elo)| println!("  {}: {}", args.runs[*run].display(), text(elo)));
        }
    }
    Ok(())
}
