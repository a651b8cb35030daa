//! Steps a CPU second on generated games of about eleven rooms and forty objects, one thread.
//!
//! `cargo bench -p agon-text-adventure --bench step [-- SECONDS]`. A step is one uniform choice among the listed actions
//! (its draw included) and the next list; what is told of it is data or words, as the line says.
#![allow(clippy::print_stdout, reason = "a program for people")]

use agon_text_adventure::{
    Action, Config, End, Log, Scope, Story, TextAdventure, Words, World, config,
    generate::{Knobs, generate},
    options,
    parser::{Session, Settings},
    prose,
    rules::{admissible, apply, end_turn},
};
use cpu_time::ProcessTime;
use rl_gym::{BatchConfig, BatchEnv, Env, EpisodeSeed, Flags, Options, Outcome, Pcg64, VecEnv};
use std::{hint::black_box, sync::Arc, time::Duration};

fn main() {
    let seconds = std::env::args().skip(1).find_map(|a| a.parse().ok()).unwrap_or(1.0);
    let budget = Duration::from_secs_f64(seconds);
    let stories = stories();
    let things: usize = stories.iter().map(|s| s.len() - usize::from(s.rooms)).sum();
    println!(
        "{} games, {:.1} rooms and {:.1} other entities each on average; state {} bytes",
        stories.len(),
        stories.iter().map(|s| f64::from(s.rooms)).sum::<f64>() / stories.len() as f64,
        things as f64 / stories.len() as f64,
        size_of::<World>()
    );
    ids(&stories, budget, Told::Data);
    ids(&stories, budget, Told::Words);
    ids(&stories, budget, Told::Commands);
    ids(&stories, budget, Told::Full);
    texts(&stories, budget, false);
    texts(&stories, budget, true);
    resets(budget);
    for given in [&[("mode", "solo"), ("level", "12"), ("games", "16")][..], &[("games", "16")]] {
        bare(given, budget, 1);
        bare(given, budget, 256);
        batch(given, budget, 256);
    }
}

/// Games with a bit of everything.
fn stories() -> Vec<Arc<Story>> {
    let knobs =
        Knobs { rooms: 11, loops: 20, doors: 30, gates: 1, distractors: 12, people: 1, ..Knobs::default() };
    (0..8).map(|seed| generate(&knobs, 100 + seed).expect("a game").story).collect()
}

#[derive(Clone, Copy, PartialEq)]
enum Told {
    /// Notes alone.
    Data,
    /// What happened in words.
    Words,
    /// Also every command that works.
    Commands,
    /// Also the room and the inventory.
    Full,
}

fn report(what: &str, count: u64, start: ProcessTime, more: &str) {
    let s = start.elapsed().as_secs_f64();
    println!("{what}: {:.3} M/s ({:.0} ns){more}", count as f64 / s / 1e6, s * 1e9 / count as f64);
}

/// Index in; notes and next list out, and words as asked.
fn ids(stories: &[Arc<Story>], budget: Duration, told: Told) {
    let mut rng = Pcg64::seed(1);
    let (mut list, mut log, mut text) =
        (Vec::with_capacity(512), Log::default(), String::with_capacity(1 << 14));
    let (mut count, mut listed, mut bytes) = (0u64, 0u64, 0u64);
    let start = ProcessTime::now();
    while start.elapsed() < budget {
        for story in stories {
            let mut world = story.start;
            let me = story.seats[0];
            let mut scope = Scope::of(story, &world, me);
            admissible(story, &world, &scope, &mut list);
            for _ in 0..200 {
                let action: Action = list[rng.below(list.len() as u32) as usize];
                log.clear();
                apply(story, &mut world, &scope, action, &mut log).expect("listed");
                end_turn(story, &mut world, &mut log);
                scope = Scope::of(story, &world, me);
                world.see(0, scope.noticed());
                admissible(story, &world, &scope, &mut list);
                if told != Told::Data {
                    text.clear();
                    prose::narrate(
                        story,
                        &world,
                        &scope,
                        log.notes(),
                        prose::Style { brief: true },
                        &mut text,
                    );
                    if matches!(told, Told::Commands | Told::Full) {
                        for action in &list {
                            prose::command_text(story, *action, &mut text);
                            text.push('\n');
                        }
                    }
                    if told == Told::Full {
                        prose::room(story, &world, &scope, &mut text);
                        prose::inventory(story, &world, &scope, &mut text);
                    }
                    bytes += text.len() as u64;
                    black_box(&text);
                }
                black_box(&list);
                count += 1;
                listed += list.len() as u64;
                if world.end() != End::Open {
                    break;
                }
            }
        }
    }
    let what = match told {
        Told::Data => "index in, notes and listed actions out",
        Told::Words => "  and feedback in words",
        Told::Commands => "  and every command that works in words",
        Told::Full => "  and room and inventory in words",
    };
    let more = format!(", {:.1} listed, {} bytes of text", listed as f64 / count as f64, bytes / count);
    report(what, count, start, &more);
}

/// A line in, parsed by a session; feedback and next list out.
fn texts(stories: &[Arc<Story>], budget: Duration, with_commands: bool) {
    let words: Vec<Words> = stories.iter().map(|s| Words::new(s.clone())).collect();
    let settings = Settings { verbose: false, undo_depth: 0, ..Settings::default() };
    let mut session = Session::new(0, settings);
    let mut rng = Pcg64::seed(1);
    let (mut list, mut line) = (Vec::with_capacity(512), String::new());
    let mut text = String::with_capacity(1 << 14);
    let mut count = 0u64;
    let start = ProcessTime::now();
    while start.elapsed() < budget {
        for words in &words {
            let story = words.story();
            let mut world = story.start;
            session.reset();
            for _ in 0..200 {
                let scope = session.scope(words, &world);
                admissible(story, &world, &scope, &mut list);
                if list.is_empty() {
                    break;
                }
                if with_commands {
                    for action in &list {
                        prose::command_text(story, *action, &mut text);
                        text.push('\n');
                    }
                    black_box(&text);
                }
                line.clear();
                prose::command_text(story, list[rng.below(list.len() as u32) as usize], &mut line);
                text.clear();
                black_box(session.command(words, &mut world, &line, &mut text));
                black_box(&text);
                count += 1;
            }
        }
    }
    let what = if with_commands {
        "  and every command that works in words"
    } else {
        "line in, feedback and listed actions out"
    };
    report(what, count, start, " (the line's own writing included)");
}

fn typed(given: &[(&str, &str)]) -> Config {
    let options =
        Options::resolve("text-adventure", &options(), given.iter().copied()).expect("valid options");
    config(&options).expect("they go together")
}

/// Starting an episode of a game that is known.
fn resets(budget: Duration) {
    let mut env = TextAdventure::new(&typed(&[("mode", "solo"), ("games", "16")])).expect("games");
    let (mut reward, mut flags, mut metrics) = ([0.0], [Flags::empty()], vec![0.0; env.spec().metrics.len()]);
    let mut reset = |n: u32| {
        let out = Outcome { reward: &mut reward, flags: &mut flags, metrics: &mut metrics };
        env.reset(EpisodeSeed::tree(1, 0, n), out).expect("a game");
    };
    (0..1000).for_each(&mut reset);
    let (mut count, start) = (0, ProcessTime::now());
    while start.elapsed() < budget {
        (0..1000).for_each(|n| reset(count + n));
        count += 1000;
    }
    report("reset, game known, first list included", count.into(), start, "");
}

/// Environments in a plain loop: index in, row and mask out.
fn bare(given: &[(&str, &str)], budget: Duration, lanes: usize) {
    let config = typed(given);
    let mut envs: Vec<_> = (0..lanes).map(|_| TextAdventure::new(&config).expect("games")).collect();
    let spec = envs[0].spec().clone();
    let (seats, bits) = (spec.seats, spec.mask_bits());
    let mut reward = vec![0.0; seats];
    let mut flags = vec![vec![Flags::empty(); seats]; lanes];
    let mut metrics = vec![0.0; spec.metrics.len()];
    let mut rows = vec![(vec![0; spec.obs.row_bytes()], vec![0; rl_gym::words_for(bits)]); lanes * seats];
    let mut rng = Pcg64::seed(1);
    let mut acts = vec![0; seats];
    let mut count = 0u64;
    let mut episode = 0;
    let start = ProcessTime::now();
    while start.elapsed() < budget {
        for _ in 0..64 {
            for (lane, env) in envs.iter_mut().enumerate() {
                let flags = &mut flags[lane];
                match env.state().asked() {
                    Some(seat) if episode >= lanes => {
                        acts[seat] = rng.below(env.actions().len() as u32);
                        reward.fill(0.0);
                        flags.fill(Flags::empty());
                        let out = Outcome { reward: &mut reward, flags, metrics: &mut metrics };
                        env.step(&acts, out).expect("a step");
                        count += 1;
                    }
                    _ => {
                        let out = Outcome { reward: &mut reward, flags, metrics: &mut metrics };
                        env.reset(EpisodeSeed::tree(1, lane as u32, episode as u32), out).expect("a game");
                        episode += 1;
                    }
                }
                if let Some(seat) = env.state().asked() {
                    let (obs, mask) = &mut rows[lane * seats + seat];
                    env.observe(seat, obs, rl_gym::BitsMut::new(mask, bits));
                }
            }
        }
    }
    black_box(&rows);
    report(&format!("{lanes} environments {given:?} in a loop, rows and masks"), count, start, "");
}

/// Random play through a batch.
fn batch(given: &[(&str, &str)], budget: Duration, lanes: usize) {
    let game = agon_text_adventure::game();
    let options = game.resolve(given.iter().copied()).expect("valid options");
    let mut env = VecEnv::new(&game.factory(options), BatchConfig::lanes(lanes)).expect("a batch");
    env.reset(1);
    let seats = env.spec().seats;
    let mut rng = Pcg64::seed(1);
    let mut count = 0u64;
    let start = ProcessTime::now();
    while start.elapsed() < budget {
        let (view, mut actions) = env.parts();
        for row in 0..lanes * seats {
            if view.flags(row).contains(Flags::TO_ACT) {
                let mask = view.mask(row);
                let k = rng.below(mask.count() as u32) as usize;
                actions.set(row, mask.nth(k).unwrap_or(0) as u32);
            }
        }
        env.step();
        count += lanes as u64;
    }
    report(&format!("batch of {lanes} lanes {given:?}"), count, start, "");
}
