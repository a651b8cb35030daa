//! Hosted against bare: env steps a CPU second, interleaved rounds, median ratio.
//!
//! `cargo bench -p agon-host --bench host` (about a minute); any argument that is a number sets the
//! milliseconds of a measurement.

#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

#[path = "../tests/common/mod.rs"]
mod common;

use agon_host::{HostArena, HostEnv, HostSystems};
use bevy_ecs::{schedule::IntoScheduleConfigs, system::Res};
use common::{CartPole, Line, factory};
use cpu_time::ThreadTime;
use rl_gym::{BatchConfig, BatchEnv, Factory, VecEnv};
use std::time::{Duration, Instant};

const ROUNDS: usize = 7;

/// Steps a CPU second of the calling thread, environments times calls, choice of actions included.
fn rate(batch: &mut dyn BatchEnv, time: Duration) -> f64 {
    let lanes = batch.shape().lanes;
    let block = (65_536 / lanes).max(4);
    let start = ThreadTime::now();
    let mut calls = 0;
    while start.elapsed() < time {
        for _ in 0..block {
            choose(batch);
            batch.step();
        }
        calls += block;
    }
    (calls * lanes) as f64 / start.elapsed().as_secs_f64()
}

/// The cheapest policies under which episodes go on for a while: the cart is pushed left and right in turn,
/// the line takes the lowest legal cell.
fn choose(batch: &mut dyn BatchEnv) {
    let (view, mut actions) = batch.parts();
    if view.shape().mask_bits == 0 {
        actions.as_slice_mut::<u32>().iter_mut().for_each(|a| *a ^= 1);
        return;
    }
    for row in 0..view.shape().rows() {
        actions.set(row, view.mask(row).words()[0].trailing_zeros());
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn watch(_arena: Res<HostArena>) {}

fn compare(name: &str, factory: &Factory, lanes: usize, time: Duration) -> Result<(), rl_gym::GymError> {
    let config = BatchConfig::lanes(lanes);
    let mut bare = VecEnv::new(factory, config)?;
    let mut hosted = HostEnv::new(factory, config)?;
    let mut staged = HostEnv::new(factory, config)?;
    for shard in staged.shards_mut() {
        shard.add_systems(watch.after(HostSystems::Reset))?;
    }
    let contenders: [&mut dyn BatchEnv; 3] = [&mut bare, &mut hosted, &mut staged];
    let mut rates = [const { Vec::new() }; 3];
    let mut contenders = contenders.map(|batch| {
        batch.reset(1);
        rate(batch, time / 4);
        batch
    });
    for _ in 0..ROUNDS {
        for (batch, rates) in contenders.iter_mut().zip(&mut rates) {
            rates.push(rate(*batch, time));
        }
    }
    let ratio = |i: usize| median(rates[i].iter().zip(&rates[0]).map(|(a, b)| a / b).collect());
    let (one, five) = (ratio(1), ratio(2));
    let millions = rates.clone().map(|r| median(r) / 1e6);
    println!(
        "{name:<9} {lanes:>6} lanes: bare {:>6.2} M/s, headless {:>6.2} M/s ({one:.3}), staged {:>6.2} M/s ({five:.3})",
        millions[0], millions[1], millions[2]
    );
    Ok(())
}

/// Wall time, since workers burn CPU side by side. Bare and hosted, one worker and two, in turn.
fn workers(factory: &Factory, time: Duration) -> Result<(), rl_gym::GymError> {
    let config = |workers| BatchConfig { workers, ..BatchConfig::lanes(1024) };
    let mut batches: [Box<dyn BatchEnv>; 4] = [
        Box::new(VecEnv::new(factory, config(1))?),
        Box::new(VecEnv::new(factory, config(2))?),
        Box::new(HostEnv::new(factory, config(1))?),
        Box::new(HostEnv::new(factory, config(2))?),
    ];
    batches.iter_mut().for_each(|b| _ = b.reset(1));
    let mut rates = [const { Vec::new() }; 4];
    for _ in 0..ROUNDS {
        for (batch, rates) in batches.iter_mut().zip(&mut rates) {
            let (start, mut calls) = (Instant::now(), 0);
            while start.elapsed() < time {
                choose(&mut **batch);
                batch.step();
                calls += 1;
            }
            rates.push(f64::from(calls * 1024) / start.elapsed().as_secs_f64());
        }
    }
    let [bare_1, bare_2, hosted_1, hosted_2] = rates.map(|r| median(r) / 1e6);
    println!("cart-pole 1024 lanes, env steps per wall second, load {}:", load());
    println!("  bare     1 worker {bare_1:>6.2} M/s, 2 workers {bare_2:>6.2} M/s (x{:.2})", bare_2 / bare_1);
    println!(
        "  headless 1 worker {hosted_1:>6.2} M/s, 2 workers {hosted_2:>6.2} M/s (x{:.2})",
        hosted_2 / hosted_1
    );
    Ok(())
}

fn load() -> String {
    std::fs::read_to_string("/proc/loadavg").map_or_else(|_| "unknown".into(), |s| s.trim().to_owned())
}

fn main() -> Result<(), rl_gym::GymError> {
    let ms = std::env::args().filter_map(|a| a.parse().ok()).next().unwrap_or(200);
    let time = Duration::from_millis(ms);
    println!(
        "env steps per CPU second, medians of {ROUNDS} interleaved rounds of {ms} ms, profile {}, 1 thread, load {}",
        if cfg!(debug_assertions) { "dev" } else { "release" },
        load()
    );
    for lanes in [1, 64, 1024, 16_384] {
        compare("cart-pole", &factory(CartPole::new), lanes, time)?;
    }
    for lanes in [1, 64, 1024, 16_384] {
        compare("line", &factory(Line::new), lanes, time)?;
    }
    workers(&factory(CartPole::new), time)
}
