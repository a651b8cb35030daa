//! Speed of the step API: random play through `VecEnv` with masks and observations, the observation row alone and
//! as tables, snapshots, and decisions of the players. CPU time of the process, one thread.
//!
//! `cargo bench -p agon-settlers --bench env [-- WORD]`; only lines of a section whose name begins with WORD
//! (`batch`, `rows`, `snapshots`, `greedy`) are run, for a profiler that shall see nothing else.
#![allow(clippy::print_stdout, reason = "a program for people")]

use agon_settlers::observe::{self, Relational};
use agon_settlers::{ACTIONS, Config, State, bots, game};
use cpu_time::ProcessTime;
use rl_gym::{
    BatchConfig, BatchEnv, Bits, BitsMut, Decisions, EpisodeSeed, Flags, Outcome, Pcg64, Policy,
    SeedSequence, VecEnv,
};

fn main() {
    println!("| what | decisions | CPU s | decisions/s | ns each |\n|---|---|---|---|---|");
    let word = std::env::args().skip(1).find(|a| !a.starts_with('-')).unwrap_or_default();
    let sections: [(&str, fn()); 4] =
        [("batch", batches), ("rows", rows), ("snapshots", snapshots), ("greedy", players)];
    sections.iter().filter(|(name, _)| name.starts_with(&word)).for_each(|(_, run)| run());
}

fn batches() {
    for lanes in [1, 64, 1024] {
        random_play(lanes, &[], "default");
    }
    random_play(64, &[("trade", "off")], "trade=off");
    random_play(64, &[("auto_advance", "on")], "auto_advance=on");
}

fn players() {
    greedy_play(&[], "greedy x4");
    greedy_play(&[("trade", "off")], "greedy x4, trade=off");
}

fn report(what: &str, count: u64, start: ProcessTime) {
    let s = start.elapsed().as_secs_f64();
    println!("| {what} | {count} | {s:.2} | {:.0} | {:.0} |", count as f64 / s, 1e9 * s / count as f64);
}

fn batch(lanes: usize, given: &[(&str, &str)]) -> VecEnv {
    let options = game().resolve(given.iter().copied()).expect("valid options");
    VecEnv::new(&game().factory(options), BatchConfig::lanes(lanes)).expect("a batch")
}

fn random_play(lanes: usize, given: &[(&str, &str)], name: &str) {
    let mut env = batch(lanes, given);
    env.reset(1);
    let seats = env.spec().seats;
    let mut rng = Pcg64::seed(1);
    let steps = 1_000_000 / lanes;
    let start = ProcessTime::now();
    for _ in 0..steps {
        let (batch, mut actions) = env.parts();
        for row in 0..lanes * seats {
            if batch.flags(row).contains(Flags::TO_ACT) {
                let mask = batch.mask(row);
                let k = rng.below(mask.count() as u32) as usize;
                actions.set(row, mask.nth(k).unwrap_or(0) as u32);
            }
        }
        env.step();
    }
    report(&format!("random play, {name}, {lanes} lanes"), (steps * lanes) as u64, start);
}

/// Observation rows of positions of random play.
fn rows() {
    let config = Config { turn_cap: 300, ..Config::default() };
    let mut state = State::new(&config, SeedSequence::new(3)).expect("valid options");
    let mut rng = Pcg64::seed(3);
    let mut states = Vec::new();
    while state.outcome().is_none() {
        let k = rng.below(state.legal().count());
        state.step(state.legal().nth(k).expect("legal")).expect("legal");
        states.push(state);
    }
    let mut row = vec![0; observe::OBS_LEN];
    let start = ProcessTime::now();
    let mut count = 0;
    while count < 2_000_000 {
        for state in &states {
            observe::write(state, (count % 4) as u8, &mut row);
            std::hint::black_box(&row);
            count += 1;
        }
    }
    report(&format!("observation row of {} bytes", row.len()), count, start);
    let (mut dense, mut count) = (vec![0; observe::OBS_LEN], 0);
    let start = ProcessTime::now();
    while count < 2_000_000 {
        Relational::of(std::hint::black_box(&row)).write_into(&mut dense);
        std::hint::black_box(&dense);
        count += 1;
    }
    report("tables of a row", count, start);
    let player = bots::Player::new(&bots::GREEDY);
    let asked: Vec<_> = states.iter().filter(|s| s.actor().is_some()).collect();
    let start = ProcessTime::now();
    for state in &asked {
        observe::write(state, state.actor().unwrap_or(0), &mut row);
        std::hint::black_box(player.decide(&row, Bits::new(state.legal().words(), ACTIONS), &mut rng));
    }
    report("greedy in positions of random play, row included", asked.len() as u64, start);
}

/// Saving and loading behind the object-safe face, as search does it, at moments all over one game.
fn snapshots() {
    let mut env = (game().make)(&game().defaults()).expect("valid options");
    let seats = env.spec().seats;
    let (mut reward, mut flags, mut metrics) = (vec![0.0; seats], vec![Flags::empty(); seats], vec![0.0; 1]);
    let mut mask = vec![0; rl_gym::words_for(ACTIONS)];
    let mut row = vec![0; observe::OBS_LEN];
    let mut rng = Pcg64::seed(4);
    let out = Outcome { reward: &mut reward, flags: &mut flags, metrics: &mut metrics };
    env.reset(EpisodeSeed::plain(4), out).expect("a game");
    let (mut states, mut steps) = (Vec::new(), 0);
    while let Some(seat) = flags.iter().position(|f| f.contains(Flags::TO_ACT)) {
        env.observe(seat, &mut row, BitsMut::new(&mut mask, ACTIONS));
        let legal = Bits::new(&mask, ACTIONS);
        let action = legal.nth(rng.below(legal.count() as u32) as usize).unwrap_or(0) as u32;
        flags.fill(Flags::empty());
        let out = Outcome { reward: &mut reward, flags: &mut flags, metrics: &mut metrics };
        env.step(bytemuck::cast_slice(&vec![action; seats]), out).expect("no fault");
        steps += 1;
        if steps % 32 == 0 {
            states.push(env.as_snapshot().expect("snapshots").save_any());
        }
    }
    let env = env.as_snapshot().expect("snapshots");
    let mut slot = env.save_any();
    let start = ProcessTime::now();
    let mut count = 0;
    while count < 4_000_000 {
        for state in &states {
            env.load_any(std::hint::black_box(state)).expect("a state of this game");
            env.save_any_into(std::hint::black_box(&mut slot));
            count += 1;
        }
    }
    report(&format!("snapshot saved and loaded, {} moments", states.len()), count, start);
}

fn greedy_play(given: &[(&str, &str)], name: &str) {
    let lanes = 64;
    let mut env = batch(lanes, given);
    env.reset(2);
    let seats = env.spec().seats;
    let mut rngs: Vec<Pcg64> = (0..lanes * seats).map(|r| Pcg64::seed(r as u64)).collect();
    let mut player = bots::Player::new(&bots::GREEDY);
    let (mut rows, mut given_up) = (Vec::new(), Vec::new());
    let (mut count, mut games, mut deciding) = (0, 0, 0.0);
    let start = ProcessTime::now();
    while count < 400_000 {
        let (batch, actions) = env.parts();
        rows.clear();
        rows.extend((0..(lanes * seats) as u32).filter(|&r| batch.flags(r as usize).contains(Flags::TO_ACT)));
        let before = ProcessTime::now();
        player
            .act(&mut Decisions::new(batch, actions, &rows, &mut rngs, &mut given_up))
            .expect("the player decides everything");
        deciding += before.elapsed().as_secs_f64();
        count += rows.len() as u64;
        games += env.step().finals().count() / seats;
    }
    report(&format!("{name}, environment included, {games} games"), count, start);
    println!(
        "| {name}, deciding alone | {count} | {deciding:.2} | {:.0} | {:.0} |",
        count as f64 / deciding,
        1e9 * deciding / count as f64
    );
}
