//! Plays matches: every lane of every worker holds one, and each player decides for all its lanes in one call.
//!
//! A result depends on its match only, never on lanes, workers or the order in which games end.

mod again;
mod end;
mod worker;

pub use again::{Rerun, Verified, verify};

use crate::{
    error::LeagueError,
    matches::{Match, Outcome},
    player::Maker,
};
use agon_host::HostEnv;
use rl_gym::{Autoreset, BatchConfig, BatchEnv, Game, OnIllegal, Options, Spec, VecEnv};
use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};
use worker::Worker;

/// How matches are played. None of it changes a result.
#[derive(Clone, Debug)]
pub struct RunnerConfig {
    /// Worker threads, at least 1.
    pub workers: usize,
    /// Games in flight on each worker.
    pub lanes: usize,
    /// Whether the environments live in Bevy worlds (the default) or in a plain loop.
    pub hosted: bool,
    /// Set to let the games in flight end and begin no more.
    pub stop: Arc<AtomicBool>,
}

impl Default for RunnerConfig {
    fn default() -> Self {
        let workers = std::thread::available_parallelism().map_or(1, usize::from);
        Self { workers, lanes: 64, hosted: true, stop: Arc::default() }
    }
}

/// Worker batches of one configured game, kept warm between calls.
pub struct Runner {
    game: Game,
    options: Options,
    spec: Spec,
    batches: Vec<Box<dyn BatchEnv>>,
    stop: Arc<AtomicBool>,
}

impl Runner {
    /// A runner for `game` under `options`.
    ///
    /// # Errors
    /// What the game says about its options, and games whose end says nothing about their seats.
    pub fn new(game: &Game, options: &Options, config: &RunnerConfig) -> Result<Self, LeagueError> {
        let factory = &game.factory(options.clone());
        let batch = BatchConfig {
            lanes: config.lanes.max(1),
            autoreset: Autoreset::Disabled,
            on_illegal: OnIllegal::Forfeit,
            ..BatchConfig::default()
        };
        let make = || -> Result<Box<dyn BatchEnv>, LeagueError> {
            Ok(if config.hosted {
                Box::new(HostEnv::new(factory, batch)?)
            } else {
                Box::new(VecEnv::new(factory, batch)?)
            })
        };
        let batches = (0..config.workers.max(1)).map(|_| make()).collect::<Result<Vec<_>, _>>()?;
        let spec = batches[0].spec().clone();
        if spec.placing == rl_gym::Placing::None {
            let what = format!(
                "{} places no seats at its end, so its players cannot be rated against each other",
                spec.id()
            );
            return Err(LeagueError::Request { what });
        }
        Ok(Self { game: game.clone(), options: options.clone(), spec, batches, stop: config.stop.clone() })
    }

    /// What the environments are.
    pub const fn spec(&self) -> &Spec {
        &self.spec
    }

    /// Whether the caller asked to stop.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Plays `matches` and hands every outcome to `done` as it comes. `makers` knows every seated player.
    ///
    /// # Errors
    /// What `done` says; games in flight are then dropped.
    pub fn play(
        &mut self,
        matches: &[Match],
        makers: &BTreeMap<i64, Maker>,
        mut done: impl FnMut(Outcome) -> Result<(), LeagueError>,
    ) -> Result<(), LeagueError> {
        let next = AtomicUsize::new(0);
        let failed = AtomicBool::new(false);
        let (sender, outcomes) = crossbeam_channel::bounded::<Outcome>(1024);
        let queue = Queue { matches, next: &next, stop: &self.stop, failed: &failed };
        let (game, options) = (&self.game, &self.options);
        std::thread::scope(|scope| {
            for batch in &mut self.batches {
                let (sender, queue) = (sender.clone(), &queue);
                scope.spawn(move || Worker::new(game, options, &mut **batch, makers).run(queue, &sender));
            }
            drop(sender);
            let mut result = Ok(());
            // Keep receiving after an error, so that no worker waits on a full channel.
            for outcome in outcomes {
                if result.is_ok() {
                    result = done(outcome);
                    failed.store(result.is_err(), Ordering::Relaxed);
                }
            }
            result
        })
    }
}

struct Queue<'a> {
    matches: &'a [Match],
    next: &'a AtomicUsize,
    stop: &'a AtomicBool,
    failed: &'a AtomicBool,
}

impl<'a> Queue<'a> {
    fn take(&self) -> Option<&'a Match> {
        if self.stop.load(Ordering::Relaxed) || self.failed.load(Ordering::Relaxed) {
            return None;
        }
        self.matches.get(self.next.fetch_add(1, Ordering::Relaxed))
    }
}
