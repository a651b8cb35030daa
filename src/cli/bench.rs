//! `agon bench`: random legal play, in env steps and agent steps per CPU second of one thread.

use crate::cli::{
    CliError, Ending,
    args::{BenchArgs, Loudness},
    output,
};
use agon_host::HostEnv;
use cpu_time::ThreadTime;
use rl_gym::{BatchConfig, BatchEnv, Factory, Flags, Pcg64, Registry, Rows, VecEnv};
use serde::Serialize;
use std::fmt::Write;

/// Rounds of each row; rows take turns, so that a slow spell of the machine hits all alike.
const ROUNDS: usize = 5;

/// One measured row.
#[derive(Serialize)]
struct Row {
    host: &'static str,
    rows: &'static str,
    lanes: usize,
    /// Env steps per CPU second, median of the rounds: environment, mask, observation, reset and random choice.
    env_steps_per_s: f64,
    /// Decisions of seats per CPU second.
    agent_steps_per_s: f64,
    /// Finished episodes per CPU second.
    episodes_per_s: f64,
    /// Speed beside the bare row of the same lanes.
    of_bare: f64,
}

#[derive(Serialize)]
struct Doc {
    game: String,
    profile: &'static str,
    threads: usize,
    rounds: usize,
    rows: Vec<Row>,
}

struct Subject {
    host: &'static str,
    rows: &'static str,
    lanes: usize,
    batch: Box<dyn BatchEnv>,
    rng: Pcg64,
    /// Env steps, agent steps and episodes per second of each round.
    samples: Vec<[f64; 3]>,
}

pub(crate) fn run(games: &Registry, args: &BenchArgs, loudness: Loudness) -> Result<Ending, CliError> {
    let game = games.find(&args.game.game)?;
    let options = game.resolve(args.game.option.iter().map(|(k, v)| (k.as_str(), v.as_str())))?;
    if !(args.seconds > 0.0 && args.seconds <= 3600.0) {
        return Err(CliError::Request(format!("--seconds {} is not above 0 and up to 3600", args.seconds)));
    }
    if cfg!(debug_assertions) && loudness != Loudness::Quiet {
        output::note("this is a debug build: figures mean nothing, use `cargo run --release -- bench ...`");
    }
    let factory = game.factory(options);
    let mut subjects = Vec::new();
    for lanes in &args.lanes {
        for (host, rows) in [("bare", Rows::Acting), ("bevy", Rows::Acting), ("bare", Rows::All)] {
            subjects.push(subject(&factory, host, rows, *lanes as usize, args.seed)?);
        }
    }
    for _ in 0..ROUNDS {
        for subject in &mut subjects {
            subject.round(args.seconds / ROUNDS as f64);
        }
    }
    let mut rows: Vec<Row> = subjects.iter().map(Subject::row).collect();
    for i in 0..rows.len() {
        let bare =
            rows.iter().find(|r| r.lanes == rows[i].lanes && r.host == "bare").map(|r| r.env_steps_per_s);
        rows[i].of_bare = rows[i].env_steps_per_s / bare.unwrap_or(f64::NAN);
    }
    let profile = if cfg!(debug_assertions) { "debug" } else { "release" };
    let doc = Doc { game: game.id(), profile, threads: 1, rounds: ROUNDS, rows };
    if args.json {
        output::json(&doc)?
    } else {
        output::result(&table(&doc))?
    }
    Ok(Ending::Done)
}

fn subject(
    factory: &Factory,
    host: &'static str,
    rows: Rows,
    lanes: usize,
    seed: u64,
) -> Result<Subject, CliError> {
    let config = BatchConfig { rows, ..BatchConfig::lanes(lanes) };
    let mut batch: Box<dyn BatchEnv> = if host == "bevy" {
        Box::new(HostEnv::new(factory, config)?)
    } else {
        Box::new(VecEnv::new(factory, config)?)
    };
    batch.reset(seed);
    let rows = if rows == Rows::All { "all" } else { "acting" };
    Ok(Subject { host, rows, lanes, batch, rng: Pcg64::seed(seed), samples: Vec::new() })
}

impl Subject {
    fn round(&mut self, seconds: f64) {
        let (mut steps, mut decisions, mut episodes) = (0u64, 0u64, 0u64);
        let action = self.batch.spec().action.clone();
        let seats = self.batch.shape().seats as u64;
        let begun = ThreadTime::now();
        let mut spent = 0.0;
        while spent < seconds {
            // The clock costs more than a step of a small game: look at it once in a while.
            for _ in 0..(2048 / self.lanes).max(1) {
                let (view, mut actions) = self.batch.parts();
                for row in 0..view.shape().rows() {
                    if view.flags(row).contains(Flags::TO_ACT) {
                        action.sample(view.mask(row), &mut self.rng, actions.row_mut(row));
                        decisions += 1;
                    }
                }
                episodes += self.batch.step().finals().count() as u64;
                steps += self.lanes as u64;
            }
            spent = begun.elapsed().as_secs_f64();
        }
        let rate = |n: u64| n as f64 / spent;
        self.samples.push([rate(steps), rate(decisions), rate(episodes) / seats as f64]);
    }

    fn row(&self) -> Row {
        let median = |i: usize| {
            let mut values: Vec<f64> = self.samples.iter().map(|s| s[i]).collect();
            values.sort_by(f64::total_cmp);
            values[values.len() / 2]
        };
        Row {
            host: self.host,
            rows: self.rows,
            lanes: self.lanes,
            env_steps_per_s: median(0),
            agent_steps_per_s: median(1),
            episodes_per_s: median(2),
            of_bare: f64::NAN,
        }
    }
}

fn table(doc: &Doc) -> String {
    let mut text = format!(
        "{}: random legal play, {} build, {} thread, per CPU second, median of {} rounds\n\n",
        doc.game, doc.profile, doc.threads, doc.rounds
    );
    // Writing to a String cannot fail.
    _ = writeln!(
        text,
        "{:<6} {:<7} {:>7} {:>14} {:>14} {:>12} {:>8}",
        "host", "rows", "lanes", "env steps/s", "agent steps/s", "episodes/s", "of bare"
    );
    for r in &doc.rows {
        _ = writeln!(
            text,
            "{:<6} {:<7} {:>7} {:>14} {:>14} {:>12} {:>7.0}%",
            r.host,
            r.rows,
            r.lanes,
            grouped(r.env_steps_per_s),
            grouped(r.agent_steps_per_s),
            grouped(r.episodes_per_s),
            100.0 * r.of_bare
        );
    }
    text
}

/// A whole number with thousands set apart.
fn grouped(x: f64) -> String {
    let digits = format!("{x:.0}");
    let mut text = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(c);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!([grouped(7.4), grouped(1234.0), grouped(1_234_567.0)], ["7", "1,234", "1,234,567"]);
    }
}
