//! Plays episodes of a task, each from its own seed, on any number of threads.

use crate::{
    Arm, Choice, Task, TrialError, Use,
    worker::{Queue, Worker},
};
use agon_skill::{Purpose, Seed};
use rl_gym::{Autoreset, BatchConfig, Bits, OnIllegal, VecEnv};
use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicBool, AtomicUsize},
};

/// How episodes are played. None of it changes a result.
#[derive(Clone, Debug)]
pub struct PlayConfig {
    /// Worker threads, at least 1.
    pub workers: usize,
    /// Episodes in flight on each worker.
    pub lanes: usize,
    /// Set to let the episodes in flight end and begin no more.
    pub stop: Arc<AtomicBool>,
    /// Counts the episodes that ended, for whoever shows progress.
    pub ended: Arc<AtomicUsize>,
}

impl Default for PlayConfig {
    fn default() -> Self {
        let workers = std::thread::available_parallelism().map_or(1, usize::from);
        Self { workers, lanes: 16, stop: Arc::default(), ended: Arc::default() }
    }
}

/// Whether an episode counts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Status {
    /// It ended by the rules, or by the cap on its steps.
    Ended,
    /// The learner gave up or chose an illegal action: its score is 0.
    Lost(String),
    /// The environment failed, or another seat gave up: it says nothing about the learner.
    Void(String),
}

/// What came of an episode for its learner.
#[derive(Clone, PartialEq, Debug)]
pub struct Episode {
    /// Number of its seed.
    pub number: u32,
    /// The learner's seat.
    pub seat: usize,
    /// Score by the task's measure, 0 to 1.
    pub score: f64,
    /// Whether the learner won: has the first place (which not all share), or the whole score where nobody is placed.
    pub is_won: bool,
    /// The learner's own decisions.
    pub decisions: u32,
    /// Env steps.
    pub steps: u32,
    /// Whether it counts.
    pub status: Status,
    /// Uses of skills, in the order in which they ended.
    pub uses: Vec<Use>,
    /// Choices between skills and the base policy, where a bandit made them.
    pub choices: Vec<Choice>,
}

/// Looks on at the learner's decisions of one episode.
pub trait Watch: Send {
    /// The learner decided: what it saw, what was legal, what it chose.
    fn decision(&mut self, obs: &[u8], mask: Bits<'_>, action: u32);

    /// The learner was paid.
    fn reward(&mut self, reward: f32);

    /// The episode is over, with the learner's last observation where there is one.
    fn end(&mut self, obs: Option<&[u8]>, episode: &Episode);
}

/// Looks away.
pub struct Unwatched;

impl Watch for Unwatched {
    fn decision(&mut self, _: &[u8], _: Bits<'_>, _: u32) {}
    fn reward(&mut self, _: f32) {}
    fn end(&mut self, _: Option<&[u8]>, _: &Episode) {}
}

/// Plays one episode for each seed, in the fold of their purpose where the game has folds. The learner's seat goes round
/// with the number of the seed. Results come in the order of the seeds; those that a stop left out are missing.
///
/// # Errors
/// What the game says about its options.
pub fn play<P: Purpose>(
    task: &Task,
    arm: &Arm,
    seeds: &[Seed<P>],
    config: &PlayConfig,
) -> Result<Vec<Episode>, TrialError> {
    let played = play_watched(task, arm, seeds, config, |_| Unwatched)?;
    Ok(played.into_iter().map(|(episode, _)| episode).collect())
}

/// [`play`] with somebody who looks on at each episode; `watch` makes one for each seed.
///
/// # Errors
/// What the game says about its options.
pub fn play_watched<P: Purpose, W: Watch>(
    task: &Task,
    arm: &Arm,
    seeds: &[Seed<P>],
    config: &PlayConfig,
    watch: impl Fn(Seed<P>) -> W + Sync,
) -> Result<Vec<(Episode, W)>, TrialError> {
    let factory = task.game.factory(task.options_for::<P>());
    let workers = config.workers.clamp(1, seeds.len().max(1));
    let batch = BatchConfig {
        lanes: config.lanes.clamp(1, seeds.len().div_ceil(workers).max(1)),
        autoreset: Autoreset::Disabled,
        on_illegal: OnIllegal::Forfeit,
        ..BatchConfig::default()
    };
    let batches = (0..workers).map(|_| VecEnv::new(&factory, batch)).collect::<Result<Vec<_>, _>>()?;
    let options = task.options_for::<P>();
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<Option<(Episode, W)>>> = Mutex::new(seeds.iter().map(|_| None).collect());
    std::thread::scope(|scope| {
        for mut batch in batches {
            let queue = Queue { seeds, next: &next, stop: &config.stop };
            let (results, watch, options) = (&results, &watch, &options);
            scope.spawn(move || {
                Worker::new(task, options, arm, &mut batch).run(&queue, watch, &mut |at, episode, watch| {
                    config.ended.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    results.lock().unwrap_or_else(PoisonError::into_inner)[at] = Some((episode, watch));
                });
            });
        }
    });
    Ok(results.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter().flatten().collect())
}
