//! Speed of the words for skills in positions of games of the greedy player: each fact alone, all at once, terms, and
//! each feature of arguments of legal actions. CPU time of the process, one thread.
//!
//! `cargo bench -p agon-settlers --bench words [-- all]`; `all` prints a line for every word.
#![allow(clippy::print_stdout, reason = "a program for people")]

use agon_settlers::words::Words;
use agon_settlers::{ACTIONS, ActionId, Config, State, bots, observe};
use cpu_time::ProcessTime;
use rl_gym::vocabulary::{Term, Vocabulary};
use rl_gym::{Bits, Pcg64, SeedSequence};
use std::hint::black_box;

/// A position: its row, legal actions and their terms.
struct Position {
    row: Vec<u8>,
    actions: Vec<u32>,
    terms: Vec<Term>,
}

fn main() {
    let all = std::env::args().any(|a| a == "all");
    let positions = positions();
    let (facts, kinds) = (Words.facts(), Words.kinds());
    println!("{} positions | ns each, mean | dearest\n---|---|---", positions.len());
    let each: Vec<(String, f64)> = facts
        .iter()
        .enumerate()
        .map(|(i, f)| (f.name.to_owned(), time(&positions, |p| once(Words.fact(&p.row, i)))))
        .collect();
    report("fact", each, all);
    let mut values = vec![0.0; facts.len()];
    let read = time(&positions, |p| {
        Words.read(&p.row, &mut values);
        once(values[0])
    });
    println!("all {} facts at once | {read:.0} |", facts.len());
    let term = |p: &Position| {
        p.actions.iter().map(|a| usize::from(black_box(Words.term(&p.row, *a)).is_some())).sum()
    };
    println!("term | {:.1} |", time(&positions, term));
    for (k, kind) in kinds.iter().enumerate() {
        let each = kind.features.iter().enumerate().map(|(i, f)| {
            let ask = |p: &Position| {
                let mut asked = 0;
                for term in &p.terms {
                    for (of, arg) in Words.verbs()[usize::from(term.verb)].args.iter().zip(term.args) {
                        if *of == k {
                            black_box(Words.feature(&p.row, k, arg, i));
                            asked += 1;
                        }
                    }
                }
                asked
            };
            (f.name.to_owned(), time(&positions, ask))
        });
        report(&format!("feature of a {}", kind.name), each.collect(), all);
    }
}

fn report(what: &str, mut each: Vec<(String, f64)>, all: bool) {
    let mean = each.iter().map(|(_, ns)| ns).sum::<f64>() / each.len() as f64;
    each.sort_by(|a, b| b.1.total_cmp(&a.1));
    let shown = each.iter().take(if all { each.len() } else { 3 });
    let shown: Vec<String> = shown.map(|(name, ns)| format!("{name} {ns:.0}")).collect();
    println!("{what} | {mean:.1} | {}", shown.join(", "));
}

/// One piece of work, whose result is used.
fn once(value: f32) -> usize {
    black_box(value);
    1
}

/// Nanoseconds a piece of work, of which `work` says how much it did.
fn time(positions: &[Position], mut work: impl FnMut(&Position) -> usize) -> f64 {
    let (mut count, start) = (0, ProcessTime::now());
    while start.elapsed().as_millis() < 15 {
        count += positions.iter().map(&mut work).sum::<usize>();
    }
    start.elapsed().as_secs_f64() * 1e9 / count.max(1) as f64
}

fn positions() -> Vec<Position> {
    let player = bots::Player::new(&bots::GREEDY);
    let mut out = Vec::new();
    for seed in 0..8 {
        let mut state = State::new(&Config::default(), SeedSequence::new(seed)).expect("valid options");
        let mut rng = Pcg64::seed(seed);
        while let Some(seat) = state.actor() {
            let mut row = vec![0; observe::OBS_LEN];
            observe::write(&state, seat, &mut row);
            let actions: Vec<u32> = state.legal().iter().map(|a| a.0.into()).collect();
            let action = player.decide(&row, Bits::new(state.legal().words(), ACTIONS), &mut rng);
            if actions.len() > 1 {
                let terms = actions.iter().filter_map(|a| Words.term(&row, *a)).collect();
                out.push(Position { row, actions, terms });
            }
            state.step(ActionId(action as u16)).expect("legal");
        }
    }
    out
}
