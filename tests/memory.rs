//! A long training needs hardly more memory than a short one. Long, so it runs when asked for:
//!
//!     AGON_GENERATIONS=2400 cargo test --release --test memory -- --ignored --nocapture
#![allow(clippy::print_stdout, reason = "figures for whoever asked for them")]
#![cfg(target_os = "linux")]

mod common;

use common::{agon, train};
use std::{
    fs,
    io::{BufRead, BufReader},
    process::Stdio,
};

/// Growth that is allowed, KiB a generation.
const MOST: f64 = 10.0;

/// Memory that a process holds, KiB.
fn resident(pid: u32) -> Option<f64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

fn mean(of: &[f64]) -> f64 {
    of.iter().sum::<f64>() / of.len() as f64
}

#[test]
#[ignore = "half a minute or more: see the head of this file"]
fn a_long_training_keeps_to_its_memory() {
    let generations: usize =
        std::env::var("AGON_GENERATIONS").ok().and_then(|n| n.parse().ok()).unwrap_or(2400);
    let folder = tempfile::tempdir().expect("folder");
    let budget = format!("{generations}gen");
    let args: Vec<&str> =
        train("run", &budget, &["-v", "--workers", "2"]).into_iter().filter(|a| *a != "-q").collect();
    let mut child =
        agon(folder.path(), &args).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("started");
    // A line a generation: after each, a look at the process.
    let lines = BufReader::new(child.stderr.take().expect("piped")).lines();
    let mut samples = Vec::new();
    for line in lines {
        if line.expect("a line").starts_with("generation") {
            samples.extend(resident(child.id()));
        }
    }
    assert!(child.wait().expect("ended").success());
    assert!(samples.len() * 10 >= generations * 9, "{} looks at {generations} generations", samples.len());
    let quarters: Vec<f64> = samples.chunks(samples.len().div_ceil(4)).map(mean).collect();
    let most = samples.iter().copied().fold(0.0, f64::max);
    println!(
        "{} generations: resident memory {:.0}, {:.0}, {:.0}, {:.0} KiB in the quarters of the run, {most:.0} at most",
        samples.len(),
        quarters[0],
        quarters[1],
        quarters[2],
        quarters[3]
    );
    // The second quarter has caches filled. Results of ladder games stay in memory for the fit at each champion; champions
    // grow with the logarithm of a run. Measured: 6 KiB a generation from the second quarter to the last of 2,400.
    let each = (quarters[3] - quarters[1]) / (samples.len() as f64 / 2.0);
    assert!(each <= MOST, "{each:.1} KiB more a generation, at most {MOST} are allowed: {quarters:?} KiB");
}
