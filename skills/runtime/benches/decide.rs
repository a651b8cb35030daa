//! What a running skill costs: nanoseconds of CPU time a decision, one thread, on the toy game of the tests with a row
//! and a list of legal actions as large as said.
//!
//! `cargo bench -p agon-skill-runtime --bench decide [-- SECONDS]`
#![allow(clippy::print_stdout, reason = "a program for people")]

#[path = "../tests/common/mod.rs"]
mod common;

use agon_skill_runtime::{Decision, Machine};
use cpu_time::ProcessTime;
use rl_gym::{Bits, Pcg64};
use std::{hint::black_box, time::Duration};

const SKILLS: &[(&str, &str)] = &[
    ("yields a number", "while true do coroutine.yield(8) end"),
    ("one fact", "while ctx.fact('gold') < 300 do coroutine.yield(8) end"),
    ("find", "while true do coroutine.yield(ctx.find('go')) end"),
    ("best", "while true do coroutine.yield(ctx.best('take', 'worth')) end"),
    (
        "pick, tables",
        "while true do coroutine.yield(ctx.pick('take', { is_key = false }, { worth = 1, is_key = -2 })) end",
    ),
    ("pick, texts", "while true do coroutine.yield(ctx.pick('take', 'not is_key', 'worth - 2 is_key')) end"),
    (
        "a list of rules",
        "while true do
            local a
            if ctx.has('door_open') then a = ctx.pick('go', nil, { steps = 1 }) end
            if not a and ctx.has('has_key') then a = ctx.pick('take', { worth = { 3 } }) end
            coroutine.yield(a or ctx.best('take', 'worth'))
        end",
    ),
];

fn main() {
    let seconds = std::env::args().skip(1).find_map(|a| a.parse().ok()).unwrap_or(0.5);
    for row in [4, 4752] {
        for (name, body) in SKILLS {
            let mut skill = common::skill(&common::body(body));
            skill.budget.decisions = 1000;
            let mut machine = common::machine(skill);
            println!(
                "{name:<16} row of {row:>4} bytes {:>7.0} ns a decision",
                decide(&mut machine, row, seconds)
            );
        }
    }
    let mut machine = common::machine(common::skill(&common::body("coroutine.yield(8)")));
    let (uses, spent) = repeat(seconds, || {
        machine.begin(&[], Pcg64::seed(1)).expect("loads");
        black_box(machine.decide(&[7, 0, 0, 2], Bits::new(&[0x1ff], 9)));
    });
    println!("{:<16} {:>7.0} ns a use of one decision", "begin and end", spent / uses);
}

fn decide(machine: &mut Machine, row: usize, seconds: f64) -> f64 {
    let mut obs = vec![0; row];
    obs[..4].copy_from_slice(&[7, 1, 0, 2]);
    let (decisions, spent) = repeat(seconds, || {
        if !machine.is_running() {
            machine.begin(&[], Pcg64::seed(1)).expect("loads");
        }
        match machine.decide(&obs, Bits::new(&[0x1ff], 9)) {
            Decision::Act(action) => _ = black_box(action),
            // One in a thousand: its time is over, and the next use begins.
            Decision::Done => {}
            other @ Decision::Aborted(_) => panic!("{other:?}"),
        }
    });
    spent / decisions
}

/// How often `work` was done and the nanoseconds that it took.
fn repeat(seconds: f64, mut work: impl FnMut()) -> (f64, f64) {
    let (start, budget) = (ProcessTime::now(), Duration::from_secs_f64(seconds));
    let mut count = 0.0;
    loop {
        for _ in 0..1000 {
            work();
        }
        count += 1000.0;
        let spent = start.elapsed();
        if spent >= budget {
            return (count, spent.as_nanos() as f64);
        }
    }
}
