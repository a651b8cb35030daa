//! Nanoseconds of CPU time that a word for skills takes, over rows of random play, one thread.
//!
//! `cargo bench -p agon-text-adventure --bench words [-- SECONDS]`; SECONDS is the time of each line, 0.5 unless given.
#![allow(clippy::print_stdout, reason = "a program for people")]

use agon_text_adventure::{SkillWords, TextAdventure, config, options};
use cpu_time::ProcessTime;
use rl_gym::{
    BitsMut, Env, EpisodeSeed, Flags, Options, Outcome, Pcg64, Vocabulary,
    vocabulary::{Fact, Term},
};
use std::{hint::black_box, time::Duration};

/// A row, its number of listed actions and their terms.
struct Case {
    row: Vec<u8>,
    terms: Vec<Term>,
}

fn main() {
    let seconds = std::env::args().skip(1).find_map(|a| a.parse().ok()).unwrap_or(0.5);
    let budget = Duration::from_secs_f64(seconds);
    for given in [&[("mode", "solo"), ("level", "12")][..], &[("mode", "solo"), ("level", "30")], &[]] {
        let cases = cases(given, 200);
        let listed: usize = cases.iter().map(|c| c.terms.len()).sum();
        println!(
            "{given:?}: {} rows, {:.1} listed actions each",
            cases.len(),
            listed as f64 / cases.len() as f64
        );
        report(&cases, budget);
    }
}

fn report(cases: &[Case], budget: Duration) {
    let words = SkillWords::LISTED;
    let facts = words.facts();
    let each = budget / facts.len() as u32;
    let of = |i: usize| time(each, || for_rows(cases, |row| words.fact(row, i)));
    table("fact", facts, &(0..facts.len()).map(of).collect::<Vec<_>>());
    let mut values = vec![0.0; facts.len()];
    let all = time(budget, || {
        cases.iter().for_each(|c| words.read(&c.row, black_box(&mut values)));
        cases.len()
    });
    println!("  all {} facts at once: {all:.0} ns", facts.len());
    let term = time(budget, || {
        for case in cases {
            (0..case.terms.len() as u32).for_each(|a| _ = black_box(words.term(&case.row, a)));
        }
        cases.iter().map(|c| c.terms.len()).sum()
    });
    println!("  term: {term:.1} ns");
    for (kind, k) in words.kinds().iter().enumerate() {
        let args: Vec<(&[u8], u16)> = cases
            .iter()
            .flat_map(|c| c.terms.iter().map(move |t| (&c.row[..], *t)))
            .flat_map(|(row, t)| {
                let kinds = words.verbs()[usize::from(t.verb)].args;
                kinds.iter().zip(t.args).filter(move |(k, _)| **k == kind).map(move |(_, arg)| (row, arg))
            })
            .collect();
        if args.is_empty() {
            continue;
        }
        let of = |i: usize| {
            time(budget / k.features.len() as u32, || {
                args.iter().for_each(|(row, arg)| _ = black_box(words.feature(row, kind, *arg, i)));
                args.len()
            })
        };
        table(k.name, k.features, &(0..k.features.len()).map(of).collect::<Vec<_>>());
    }
}

fn for_rows(cases: &[Case], read: impl Fn(&[u8]) -> f32) -> usize {
    cases.iter().for_each(|c| _ = black_box(read(&c.row)));
    cases.len()
}

/// Nanoseconds of CPU time of one of the readings of which `work` does some and says how many.
fn time(budget: Duration, mut work: impl FnMut() -> usize) -> f64 {
    let start = ProcessTime::now();
    let mut count = 0;
    while start.elapsed() < budget {
        count += work();
    }
    start.elapsed().as_secs_f64() * 1e9 / count as f64
}

fn table(what: &str, facts: &[Fact], ns: &[f64]) {
    let mean = ns.iter().sum::<f64>() / ns.len() as f64;
    let mut slowest: Vec<usize> = (0..ns.len()).collect();
    slowest.sort_by(|a, b| ns[*b].total_cmp(&ns[*a]));
    let worst: Vec<String> =
        slowest.iter().take(5).map(|i| format!("{} {:.0}", facts[*i].name, ns[*i])).collect();
    println!("  {what}: {} words, {mean:.1} ns on average, slowest {}", facts.len(), worst.join(", "));
}

/// Rows of random play.
fn cases(given: &[(&str, &str)], count: usize) -> Vec<Case> {
    let given = given.iter().copied().chain([("games", "16")]);
    let options = Options::resolve("text-adventure", &options(), given).expect("valid options");
    let mut env = TextAdventure::new(&config(&options).expect("they go together")).expect("games");
    let spec = env.spec().clone();
    let (mut reward, mut flags) = (vec![0.0; spec.seats], vec![Flags::empty(); spec.seats]);
    let mut metrics = vec![0.0; spec.metrics.len()];
    let mut acts = vec![0; spec.seats];
    let (mut rng, mut episode) = (Pcg64::seed(1), 0);
    let mut cases = Vec::new();
    while cases.len() < count {
        flags.fill(Flags::empty());
        let out = Outcome { reward: &mut reward, flags: &mut flags, metrics: &mut metrics };
        let Some(seat) = env.state().asked().filter(|_| episode > 0) else {
            env.reset(EpisodeSeed::tree(1, 0, episode), out).expect("a game");
            episode += 1;
            continue;
        };
        acts[seat] = rng.below(env.actions().len() as u32);
        env.step(&acts, out).expect("a step");
        let Some(seat) = env.state().asked() else { continue };
        let mut row = vec![0; spec.obs.row_bytes()];
        let mut mask = vec![0; rl_gym::words_for(spec.mask_bits())];
        env.observe(seat, &mut row, BitsMut::new(&mut mask, spec.mask_bits()));
        let terms = (0..).map_while(|a| SkillWords::LISTED.term(&row, a)).collect();
        cases.push(Case { row, terms });
    }
    cases
}
