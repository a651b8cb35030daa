//! The batch: shards of lanes, stepped on the calling thread or by a pool of worker threads.

use crate::{
    arena::{Arena, Shape},
    batch::{Actions, Batch, BatchConfig, BatchEnv, LaneReset},
    env::DynEnv,
    error::{Fault, GymError},
    lane::Lane,
    spec::Spec,
};
use crossbeam_channel::{Receiver, Sender, bounded};
use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::Arc,
    thread::JoinHandle,
};

/// Makes one more environment of a batch.
pub type Factory = Arc<dyn Fn() -> Result<Box<dyn DynEnv>, GymError> + Send + Sync>;

/// A group of lanes that one thread steps: plain environments ([`Plain`]) or a Bevy world.
pub trait Shard: Send + Sized + 'static {
    /// Makes the lanes `first..first + lanes` of a batch.
    ///
    /// # Errors
    /// What the factory says.
    fn build(factory: &Factory, config: BatchConfig, first: usize, lanes: usize) -> Result<Self, GymError>;

    /// Steps every lane with the arena's actions.
    fn step(&mut self, arena: &mut Arena);

    /// Starts every lane anew under `root`.
    fn restart(&mut self, root: u64, arena: &mut Arena);

    /// Resets some lanes; the numbers are local to the shard.
    fn reset_lanes(&mut self, lanes: &[LaneReset], arena: &mut Arena);

    /// One environment, by local number.
    fn env(&mut self, lane: usize) -> &mut dyn DynEnv;
}

/// Environments in a plain vector: the bare loop that every host is compared with.
pub struct Plain {
    lanes: Vec<(Lane, Box<dyn DynEnv>)>,
}

impl Shard for Plain {
    fn build(factory: &Factory, config: BatchConfig, first: usize, lanes: usize) -> Result<Self, GymError> {
        let lanes = (0..lanes)
            .map(|local| {
                let env = factory()?;
                Ok((Lane::new((first + local) as u32, local, &*env, config), env))
            })
            .collect::<Result<_, GymError>>()?;
        Ok(Self { lanes })
    }

    fn step(&mut self, arena: &mut Arena) {
        arena.begin_step();
        each_guarded(
            &mut self.lanes,
            arena,
            |(lane, env), arena| lane.advance(&mut **env, arena),
            |(lane, _), what, arena| lane.panicked(what, arena),
        );
    }

    fn restart(&mut self, root: u64, arena: &mut Arena) {
        arena.begin_step();
        each_guarded(
            &mut self.lanes,
            arena,
            |(lane, env), arena| lane.restart(root, &mut **env, arena),
            |(lane, _), what, arena| lane.panicked(what, arena),
        );
    }

    fn reset_lanes(&mut self, lanes: &[LaneReset], arena: &mut Arena) {
        arena.begin_step();
        for reset in lanes {
            let slot = &mut self.lanes[reset.lane as usize];
            each_guarded(
                std::slice::from_mut(slot),
                arena,
                |(lane, env), arena| match reset.seed {
                    Some(seed) => lane.reset_to(seed, &mut **env, arena),
                    None => lane.reset_next(&mut **env, arena),
                },
                |(lane, _), what, arena| lane.panicked(what, arena),
            );
        }
    }

    fn env(&mut self, lane: usize) -> &mut dyn DynEnv {
        &mut *self.lanes[lane].1
    }
}

/// Calls `work` for each item in order. A panic is handed to `rescue` with its text and the loop goes on
/// behind the item that panicked, so that one broken lane costs the others nothing.
pub fn each_guarded<T>(
    items: &mut [T],
    arena: &mut Arena,
    mut work: impl FnMut(&mut T, &mut Arena),
    mut rescue: impl FnMut(&mut T, &str, &mut Arena),
) {
    let mut next = 0;
    while next < items.len() {
        let run = catch_unwind(AssertUnwindSafe(|| {
            for item in &mut items[next..] {
                next += 1;
                work(item, arena);
            }
        }));
        if let Err(payload) = run {
            rescue(&mut items[next - 1], panic_text(&*payload), arena);
        }
    }
}

/// What `work` gives, its panic as a fault of `who`: foreign code never ends a run.
///
/// # Errors
/// The panic.
pub fn guarded<T>(who: &str, work: impl FnOnce() -> T) -> Result<T, Fault> {
    catch_unwind(AssertUnwindSafe(work))
        .map_err(|panic| Fault::new(format!("{who} panicked: {}", panic_text(&*panic))))
}

/// The text of a caught panic.
pub fn panic_text(payload: &(dyn Any + Send)) -> &str {
    payload
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| payload.downcast_ref::<&str>().copied())
        .unwrap_or("a panic without text")
}

enum Order {
    Step,
    Restart(u64),
    Reset(Vec<LaneReset>),
}

struct Job<S> {
    index: usize,
    shard: S,
    arena: Arena,
    order: Order,
    /// A panic outside of any lane (of a system that watches a world), on its way to the caller.
    panic: Option<Box<dyn Any + Send>>,
}

fn perform<S: Shard>(shard: &mut S, arena: &mut Arena, order: &Order) {
    match order {
        Order::Step => shard.step(arena),
        Order::Restart(root) => shard.restart(*root, arena),
        Order::Reset(lanes) => shard.reset_lanes(lanes, arena),
    }
    // In lane order whatever stage or reset met them in, so that neither the kind of shard nor the number of
    // workers shows. Stable: two faults of one lane keep their order. Free without faults.
    arena.faults.sort_by_key(|fault| fault.lane);
}

/// Shards travel to the workers and back over channels, so that no memory is shared and no lock is held.
struct Pool<S> {
    jobs: Option<Sender<Job<S>>>,
    done: Receiver<Job<S>>,
    threads: Vec<JoinHandle<()>>,
}

impl<S: Shard> Pool<S> {
    fn new(workers: usize) -> Result<Self, GymError> {
        let (jobs, inbox) = bounded::<Job<S>>(workers);
        let (outbox, done) = bounded::<Job<S>>(workers);
        let threads = (0..workers)
            .map(|i| {
                let (inbox, outbox) = (inbox.clone(), outbox.clone());
                std::thread::Builder::new().name(format!("batch-{i}")).spawn(move || {
                    while let Ok(mut job) = inbox.recv() {
                        let work = || perform(&mut job.shard, &mut job.arena, &job.order);
                        job.panic = catch_unwind(AssertUnwindSafe(work)).err();
                        if outbox.send(job).is_err() {
                            return;
                        }
                    }
                })
            })
            .collect::<Result<_, _>>()
            .map_err(|e| Fault::new(format!("no thread for a batch worker ({e}): ask for fewer workers")))?;
        Ok(Self { jobs: Some(jobs), done, threads })
    }
}

impl<S> Drop for Pool<S> {
    fn drop(&mut self) {
        self.jobs = None;
        for thread in self.threads.drain(..) {
            // A worker holds no result that is not handed over, so a failed join loses nothing.
            _ = thread.join();
        }
    }
}

/// A batch over shards of kind `S`, on the calling thread or on a worker pool. Both give the same bytes.
pub struct Sharded<S: Shard> {
    spec: Spec,
    shape: Shape,
    config: BatchConfig,
    per_shard: usize,
    arenas: Vec<Arena>,
    shards: Vec<Option<S>>,
    actions: Vec<u64>,
    pool: Option<Pool<S>>,
}

/// Plain environments stepped by the calling thread or by workers: the default batch.
pub type VecEnv = Sharded<Plain>;

impl<S: Shard> Sharded<S> {
    /// A batch of environments made by `factory`; call [`BatchEnv::reset`] before the first step.
    ///
    /// # Errors
    /// What the factory says, and a batch without lanes.
    pub fn new(factory: &Factory, config: BatchConfig) -> Result<Self, GymError> {
        if config.lanes == 0 {
            return Err(Fault::new("a batch of 0 lanes has nothing to step: ask for at least 1").into());
        }
        let spec = factory()?.spec().clone();
        let workers = config.workers.clamp(1, config.lanes);
        let per_shard = config.lanes.div_ceil(workers);
        let starts: Vec<usize> = (0..config.lanes).step_by(per_shard).collect();
        let size = |first: usize| per_shard.min(config.lanes - first);
        let shards = starts
            .iter()
            .map(|&first| S::build(factory, config, first, size(first)).map(Some))
            .collect::<Result<Vec<_>, _>>()?;
        let arenas = starts.iter().map(|&first| Arena::new(Shape::new(&spec, size(first)))).collect();
        let shape = Shape::new(&spec, config.lanes);
        let pool = (shards.len() > 1).then(|| Pool::new(shards.len())).transpose()?;
        let actions = vec![0; (shape.rows() * shape.act_bytes).div_ceil(8)];
        Ok(Self { spec, shape, config, per_shard, arenas, shards, actions, pool })
    }

    /// The choices this batch was made with.
    pub const fn config(&self) -> &BatchConfig {
        &self.config
    }

    /// The shards in lane order: how a host attaches what watches them. All are at home between two calls.
    pub fn shards_mut(&mut self) -> impl Iterator<Item = &mut S> {
        self.shards.iter_mut().flatten()
    }

    fn send_actions(&mut self) {
        let bytes: &[u8] = bytemuck::cast_slice(&self.actions);
        let mut rest = bytes;
        for arena in &mut self.arenas {
            let acts = arena.acts_mut();
            let (mine, others) = rest.split_at(acts.len());
            acts.copy_from_slice(mine);
            rest = others;
        }
    }

    fn run(&mut self, mut order: impl FnMut(usize) -> Option<Order>) {
        let Some(pool) = &self.pool else {
            if let (Some(shard), Some(order)) = (&mut self.shards[0], order(0)) {
                perform(shard, &mut self.arenas[0], &order);
            }
            return;
        };
        let mut sent = 0;
        for index in 0..self.shards.len() {
            let Some(order) = order(index) else {
                self.arenas[index].begin_step();
                continue;
            };
            let (Some(shard), Some(jobs)) = (self.shards[index].take(), &pool.jobs) else { continue };
            let arena = std::mem::replace(&mut self.arenas[index], Arena::hollow());
            // The workers live as long as the pool.
            if jobs.send(Job { index, shard, arena, order, panic: None }).is_ok() {
                sent += 1;
            }
        }
        let mut panic = None;
        for job in pool.done.iter().take(sent) {
            self.arenas[job.index] = job.arena;
            self.shards[job.index] = Some(job.shard);
            panic = panic.or(job.panic);
        }
        if let Some(panic) = panic {
            resume_unwind(panic);
        }
    }
}

impl<S: Shard> BatchEnv for Sharded<S> {
    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn shape(&self) -> Shape {
        self.shape
    }

    fn reset(&mut self, root: u64) -> Batch<'_> {
        self.run(|_| Some(Order::Restart(root)));
        self.view()
    }

    fn reset_lanes(&mut self, lanes: &[LaneReset]) -> Batch<'_> {
        let per_shard = self.per_shard;
        if let Some(bad) = lanes.iter().find(|l| l.lane as usize >= self.shape.lanes) {
            panic!("lane {} does not exist: the batch has {} lanes", bad.lane, self.shape.lanes);
        }
        self.run(|index| {
            let local: Vec<LaneReset> = lanes
                .iter()
                .filter(|l| l.lane as usize / per_shard == index)
                .map(|l| LaneReset { lane: (l.lane as usize % per_shard) as u32, seed: l.seed })
                .collect();
            (!local.is_empty()).then_some(Order::Reset(local))
        });
        self.view()
    }

    fn step(&mut self) -> Batch<'_> {
        self.send_actions();
        self.run(|_| Some(Order::Step));
        self.view()
    }

    fn parts(&mut self) -> (Batch<'_>, Actions<'_>) {
        let used = self.shape.rows() * self.shape.act_bytes;
        let batch = Batch::new(&self.spec, self.shape, &self.arenas, self.per_shard);
        let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut self.actions);
        (batch, Actions::new(&mut bytes[..used], self.shape.act_bytes))
    }

    fn view(&self) -> Batch<'_> {
        Batch::new(&self.spec, self.shape, &self.arenas, self.per_shard)
    }

    fn env(&mut self, lane: usize) -> &mut dyn DynEnv {
        match &mut self.shards[lane / self.per_shard] {
            Some(shard) => shard.env(lane % self.per_shard),
            None => unreachable!("every shard is home between two calls"),
        }
    }
}
