//! A warm step allocates nothing, on the calling thread and on the workers.

mod common;

use agon_counting_allocator::{Counting, count_this_thread, on_counted_threads};
use agon_host::{HostArena, HostEnv, HostSystems};
use bevy_ecs::{schedule::IntoScheduleConfigs, system::Res};
use common::{CartPole, Crowd, Line, factory};
use rl_gym::{Batch, BatchConfig, BatchEnv, BitsMut, Env, EpisodeSeed, Factory, Fault, Outcome, Spec};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// An environment that has the thread that steps it counted.
struct Counted<E: Env> {
    inner: E,
    leaks: bool,
}

impl<E: Env> Env for Counted<E> {
    type Obs = E::Obs;
    type Act = E::Act;

    fn spec(&self) -> &Spec {
        self.inner.spec()
    }

    fn reset(&mut self, seed: EpisodeSeed, out: Outcome<'_>) -> Result<(), Fault> {
        self.inner.reset(seed, out)
    }

    fn step(&mut self, acts: &[E::Act], out: Outcome<'_>) -> Result<(), Fault> {
        count_this_thread();
        if self.leaks {
            std::hint::black_box(Box::new(1u8));
        }
        self.inner.step(acts, out)
    }

    fn observe(&self, seat: usize, obs: &mut [E::Obs], mask: BitsMut<'_>) {
        self.inner.observe(seat, obs, mask);
    }

    fn ranks(&self, ranks: &mut [u8]) -> bool {
        self.inner.ranks(ranks)
    }
}

fn look(arena: Res<HostArena>) {
    assert!(arena.shape().lanes > 0);
}

/// A legal action, not the same in all rows.
fn choose(view: &Batch<'_>, row: usize) -> u32 {
    let mask = view.mask(row);
    if mask.is_empty() {
        return row as u32 % 2;
    }
    mask.nth(row % 3).or(mask.nth(0)).unwrap_or(0) as u32
}

/// Windows of 400 steps behind a warm-up: the allocations in each, and the ends of episodes in all.
fn measure(factory: &Factory, workers: usize, watched: bool) -> ([u64; 8], usize) {
    let mut batch =
        HostEnv::new(factory, BatchConfig { workers, ..BatchConfig::lanes(16) }).expect("a batch");
    for shard in batch.shards_mut().filter(|_| watched) {
        shard.add_systems(look.after(HostSystems::Reset)).expect("ordered");
    }
    batch.reset(2);
    let mut ends = 0;
    let mut play = |steps| {
        let before = on_counted_threads();
        for _ in 0..steps {
            let (view, mut actions) = batch.parts();
            for row in 0..view.shape().rows() {
                actions.set(row, choose(&view, row));
            }
            ends += batch.step().finals().count();
        }
        on_counted_threads() - before
    };
    play(200);
    let windows = std::array::from_fn(|_| play(400));
    (windows, ends)
}

#[test]
fn a_warm_step_allocates_nothing() {
    count_this_thread();
    let games: [(&str, Factory); 3] = [
        ("cart", factory(|| Counted { inner: CartPole::new(), leaks: false })),
        ("line", factory(|| Counted { inner: Line::new(), leaks: false })),
        ("crowd", factory(|| Counted { inner: Crowd::new(), leaks: false })),
    ];
    for (name, game) in &games {
        for watched in [false, true] {
            let (allocations, ends) = measure(game, 1, watched);
            assert!(ends > 100, "{name}: {ends} ends");
            assert_eq!(allocations, [0; 8], "{name}, watched {watched}");
        }
        for (workers, watched) in [(2, false), (4, true)] {
            let (allocations, ends) = measure(game, workers, watched);
            assert!(ends > 100, "{name}: {ends} ends");
            // The pool's channel makes one context for a thread when it first has to wait, and its queue of
            // waiting threads grows once: when that is, the operating system decides. A step itself is free.
            let few = allocations.iter().sum::<u64>() <= 4 * (workers as u64 + 1);
            assert!(few && allocations.contains(&0), "{name}, {workers} workers: {allocations:?}");
        }
    }
    // The counter sees workers too: one allocation a lane and step.
    let leaky = factory(|| Counted { inner: CartPole::new(), leaks: true });
    for workers in [1, 2] {
        let (allocations, _) = measure(&leaky, workers, false);
        assert!(allocations.iter().all(|n| (6400..6420).contains(n)), "{workers} workers: {allocations:?}");
    }
}
