//! Steps per second of processor time on one core. Run: `cargo bench -p agon-classic --bench cartpole [words]`.
//!
//! CartPole and tic-tac-toe through `Box<dyn DynEnv>` in a `VecEnv` (SameStep, random actions made
//! beforehand), beside a plain loop over the same environments without rl-gym's bookkeeping; then saving
//! and loading a CartPole. Rounds are interleaved, so that a busy neighbour hits every row alike; the
//! median of five is printed.
#![allow(clippy::print_stdout, reason = "a benchmark prints its table")]

use cpu_time::ThreadTime;
use rl_gym::{
    AnyState, BatchConfig, BatchEnv, Bits, DynEnv, Env, EpisodeSeed, Flags, Game, Outcome, Pcg64, VecEnv,
};
use std::hint::black_box;

const ROUNDS: usize = 5;
/// Env steps of a round.
const STEPS: usize = 2_000_000;
/// Rows of actions made beforehand; steps cycle through them.
const TAPE: usize = 1 << 20;

struct Row {
    name: String,
    run: Box<dyn FnMut() -> f64>,
    rates: Vec<f64>,
}

fn row(name: String, run: impl FnMut() -> f64 + 'static) -> Row {
    Row { name, run: Box::new(run), rates: Vec::new() }
}

/// Calls `work` and gives operations per second of this thread's processor time.
fn rate(operations: usize, work: impl FnOnce()) -> f64 {
    let start = ThreadTime::now();
    work();
    operations as f64 / start.elapsed().as_secs_f64()
}

fn tape(n: u32) -> Vec<u32> {
    let mut rng = Pcg64::seed(1);
    (0..TAPE).map(|_| rng.below(n)).collect()
}

fn batch(game: &Game, lanes: usize) -> VecEnv {
    let mut batch = VecEnv::new(&game.factory(game.defaults()), BatchConfig::lanes(lanes)).expect("a batch");
    batch.reset(1);
    batch
}

fn hosted_cartpole(lanes: usize) -> Row {
    let mut batch = batch(&agon_classic::cartpole(), lanes);
    let tape = tape(2);
    row(format!("cartpole, VecEnv, {lanes} lanes"), move || {
        rate(STEPS / lanes * lanes, || {
            let mut at = 0;
            for _ in 0..STEPS / lanes {
                batch.parts().1.as_slice_mut::<u32>().copy_from_slice(&tape[at..at + lanes]);
                black_box(batch.step().reward(0));
                at = if at + 2 * lanes <= TAPE { at + lanes } else { 0 };
            }
        })
    })
}

/// The same physics and the same boxed environments, rows of a plain vector, nothing else.
fn plain_cartpole(lanes: usize) -> Row {
    let game = agon_classic::cartpole();
    let mut envs: Vec<Box<dyn DynEnv>> =
        (0..lanes).map(|_| (game.make)(&game.defaults()).expect("cartpole")).collect();
    let mut obs = vec![0.0f32; lanes * 4];
    let mut reward = vec![0.0f32; lanes];
    let mut flags = vec![Flags::empty(); lanes];
    let tape = tape(2);
    for (i, env) in envs.iter_mut().enumerate() {
        let out = Outcome { reward: &mut reward[i..=i], flags: &mut flags[i..=i], metrics: &mut [] };
        env.reset(EpisodeSeed::tree(1, i as u32, 0), out).expect("reset");
    }
    let mut episode = 0;
    row(format!("cartpole, plain loop, {lanes} lanes"), move || {
        rate(STEPS / lanes * lanes, || {
            let mut at = 0;
            for _ in 0..STEPS / lanes {
                let acts: &[u8] = as_bytes(&tape[at..at + lanes]);
                for (i, env) in envs.iter_mut().enumerate() {
                    let out =
                        Outcome { reward: &mut reward[i..=i], flags: &mut flags[i..=i], metrics: &mut [] };
                    env.step(&acts[4 * i..4 * i + 4], out).expect("step");
                    if !flags[i].contains(Flags::ALIVE) {
                        episode += 1;
                        let seed = EpisodeSeed::tree(1, i as u32, episode);
                        let out = Outcome {
                            reward: &mut reward[i..=i],
                            flags: &mut flags[i..=i],
                            metrics: &mut [],
                        };
                        env.reset(seed, out).expect("reset");
                    }
                    let mask = rl_gym::BitsMut::new(&mut [], 0);
                    env.observe(0, as_bytes_mut(&mut obs[4 * i..4 * i + 4]), mask);
                }
                black_box(&obs);
                at = if at + 2 * lanes <= TAPE { at + lanes } else { 0 };
            }
        })
    })
}

fn hosted_tic_tac_toe(lanes: usize) -> Row {
    let mut batch = batch(&agon_classic::tic_tac_toe(), lanes);
    let draws = tape(1 << 16);
    row(format!("tic-tac-toe, VecEnv, masked random, {lanes} lanes"), move || {
        rate(STEPS / lanes * lanes, || {
            let mut at = 0;
            for _ in 0..STEPS / lanes {
                let (view, mut actions) = batch.parts();
                for lane in 0..lanes {
                    let seat = usize::from(!view.flags(2 * lane).contains(Flags::TO_ACT));
                    let row = 2 * lane + seat;
                    actions.set(row, nth_legal(view.mask(row), draws[at]));
                    at = (at + 1) % TAPE;
                }
                black_box(batch.step().reward(0));
            }
        })
    })
}

/// A legal action by a draw of 16 bits.
fn nth_legal(mask: Bits<'_>, draw: u32) -> u32 {
    let k = (draw as usize * mask.count()) >> 16;
    mask.nth(k).unwrap_or(0) as u32
}

fn snapshot_cartpole() -> Row {
    let game = agon_classic::cartpole();
    let mut env = agon_classic::CartPole::new(&game.defaults());
    let out = Outcome { reward: &mut [0.0], flags: &mut [Flags::empty()], metrics: &mut [] };
    Env::reset(&mut env, EpisodeSeed::plain(1), out).expect("reset");
    row("cartpole, save_any_into + load_any".into(), move || {
        let ability = Env::as_snapshot(&mut env).expect("cartpole saves");
        let mut state: AnyState = ability.save_any();
        rate(STEPS, || {
            for _ in 0..STEPS {
                black_box(&mut *ability).save_any_into(&mut state);
                ability.load_any(black_box(&state)).expect("its own state");
            }
        })
    })
}

fn as_bytes(actions: &[u32]) -> &[u8] {
    bytemuck::cast_slice(actions)
}

fn as_bytes_mut(obs: &mut [f32]) -> &mut [u8] {
    bytemuck::cast_slice_mut(obs)
}

fn main() {
    let mut rows: Vec<Row> = Vec::new();
    for lanes in [1, 64, 1024, 16_384] {
        rows.push(plain_cartpole(lanes));
        rows.push(hosted_cartpole(lanes));
    }
    rows.extend([64, 1024].map(hosted_tic_tac_toe));
    rows.push(snapshot_cartpole());
    // Cargo passes `--bench`; any other word keeps the rows whose name contains it.
    let words: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    rows.retain(|row| words.iter().all(|word| row.name.contains(word.as_str())));
    for _ in 0..ROUNDS {
        for row in &mut rows {
            let rate = (row.run)();
            row.rates.push(rate);
        }
    }
    println!("{:<50} {:>10} {:>10}", "one core, median of 5", "M/s", "ns each");
    for row in &mut rows {
        row.rates.sort_by(f64::total_cmp);
        let rate = row.rates[ROUNDS / 2];
        println!("{:<50} {:>10.1} {:>10.1}", row.name, rate / 1e6, 1e9 / rate);
    }
}
