//! How fast commands are read, in CPU time: `cargo test --release -p agon-text-adventure --test parser_speed --
//! --ignored --nocapture`.
#![allow(clippy::print_stdout, reason = "a measurement for people")]

mod common;
mod parser_world;

use agon_text_adventure::{
    Action, Log, Scope, Story, What, Words,
    parser::{Session, Settings, parse_action},
    prose,
    rules::{self, admissible},
};
use cpu_time::ProcessTime;
use rl_gym::Pcg64;
use std::{hint::black_box, sync::Arc, time::Duration};

fn rate(count: usize, time: Duration) -> f64 {
    count as f64 / time.as_secs_f64() / 1e6
}

fn measure(name: &str, story: Story, steps: usize) -> f64 {
    let words = Words::new(Arc::new(story));
    let story = words.story();
    let mut rng = Pcg64::seed(7);
    // A long random game as text, made before the clock runs.
    let (mut world, mut listed, mut log) = (story.start, Vec::new(), Log::default());
    let mut lines: Vec<(String, Action)> = Vec::new();
    let mut worlds = Vec::new();
    for turn in 0..steps {
        let scope = Scope::of(story, &world, story.seats[0]);
        admissible(story, &world, &scope, &mut listed);
        if listed.is_empty() || turn % 50 == 0 {
            world = story.start;
            lines.push(("restart".into(), Action::bare(agon_text_adventure::Verb::Wait)));
            worlds.push(world);
            continue;
        }
        let action = listed[rng.below(listed.len() as u32) as usize];
        let mut text = String::new();
        prose::command_text(story, action, &mut text);
        lines.push((text, action));
        worlds.push(world);
        rules::apply(story, &mut world, &scope, action, &mut log).expect("listed");
        rules::end_turn(story, &mut world, &mut log);
        log.clear();
    }
    // Reading alone, with the surroundings at hand.
    let scopes: Vec<_> = worlds.iter().map(|w| Scope::of(story, w, story.seats[0])).collect();
    let begin = ProcessTime::now();
    for ((text, _), (world, scope)) in lines.iter().zip(worlds.iter().zip(&scopes)) {
        let _ = black_box(parse_action(&words, world, scope, text));
    }
    let read = rate(lines.len(), begin.elapsed());
    // Text in; feedback and admissible actions out: a whole step.
    let mut out = String::with_capacity(4096);
    let begin = ProcessTime::now();
    let mut world = story.start;
    for (text, _) in &lines {
        let scope = Scope::of(story, &world, story.seats[0]);
        match parse_action(&words, &world, &scope, text) {
            Ok(action) => {
                log.clear();
                let _ = rules::apply(story, &mut world, &scope, action, &mut log);
                rules::end_turn(story, &mut world, &mut log);
                let scope = Scope::of(story, &world, story.seats[0]);
                out.clear();
                prose::narrate(story, &world, &scope, log.notes(), prose::Style::default(), &mut out);
                admissible(story, &world, &scope, &mut listed);
                black_box((&out, &listed));
            }
            Err(_) => world = story.start,
        }
    }
    let step = rate(lines.len(), begin.elapsed());
    // Its parts, to see where the time goes.
    let begin = ProcessTime::now();
    for w in &worlds {
        black_box(Scope::of(story, w, story.seats[0]));
    }
    let scope_rate = rate(lines.len(), begin.elapsed());
    let begin = ProcessTime::now();
    for (w, scope) in worlds.iter().zip(&scopes) {
        admissible(story, w, scope, &mut listed);
        black_box(&listed);
    }
    let list_rate = rate(lines.len(), begin.elapsed());
    let begin = ProcessTime::now();
    for ((_, action), (w, scope)) in lines.iter().zip(worlds.iter().zip(&scopes)) {
        let mut w = *w;
        log.clear();
        let _ = black_box(rules::apply(story, &mut w, scope, *action, &mut log));
        rules::end_turn(story, &mut w, &mut log);
        black_box(&w);
    }
    let apply_rate = rate(lines.len(), begin.elapsed());
    let begin = ProcessTime::now();
    for ((_, action), (w, scope)) in lines.iter().zip(worlds.iter().zip(&scopes)) {
        let note = agon_text_adventure::Note { who: scope.me, room: scope.room, what: What::Did(*action) };
        out.clear();
        prose::narrate(story, w, scope, std::slice::from_ref(&note), prose::Style::default(), &mut out);
        black_box(&out);
    }
    let tell_rate = rate(lines.len(), begin.elapsed());
    println!(
        "{name}: scope {scope_rate:.2}, list {list_rate:.2}, apply {apply_rate:.2}, tell {tell_rate:.2} M/s"
    );
    // The same through a session with its memory and its undo.
    let mut session = Session::new(0, Settings::default());
    let begin = ProcessTime::now();
    for (text, _) in &lines {
        out.clear();
        if text == "restart" {
            world = story.start;
        }
        session.command(&words, &mut world, text, &mut out);
        let scope = Scope::of(story, &world, story.seats[0]);
        admissible(story, &world, &scope, &mut listed);
        black_box((&out, &listed));
    }
    let session = rate(lines.len(), begin.elapsed());
    println!("{name}: read {read:.2} M/s, text step {step:.2} M/s, session {session:.2} M/s");
    step
}

#[test]
#[ignore = "a measurement: cargo test --release -p agon-text-adventure --test parser_speed -- --ignored --nocapture"]
fn text_steps() {
    let small = measure("cellar", common::cellar().0, 100_000);
    let large = measure("fair", parser_world::fair(), 100_000);
    // Far below the goal of 1 M/s, since machines are shared; it shows what broke, not what drifted.
    assert!(small > 0.2 && large > 0.1, "{small:.2} {large:.2}");
}
