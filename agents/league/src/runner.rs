//! Plays matches: every lane of every worker holds one, and each player decides for all its lanes in one call.
//!
//! A result depends on its match only, never on lanes, workers or the order in which games end.

use crate::{
    error::LeagueError,
    matches::{Match, Outcome, Status},
    player::Maker,
    simulator::Simulator,
};
use agon_host::HostEnv;
use crossbeam_channel::Sender;
use rl_gym::{
    Autoreset, BatchConfig, BatchEnv, Decisions, DynEnv, Fault, Flags, Game, LaneReset, OnIllegal, Options,
    Pcg64, Policy, RecordConfig, Recorder, Spec, VecEnv, panic_text,
};
use std::{
    collections::BTreeMap,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};

/// Steps between two state hashes of a replay.
const HASH_EVERY: u32 = 256;

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

/// A policy of this worker and the rows it must answer in this step.
struct Slot {
    policy: Box<dyn Policy>,
    rows: Vec<u32>,
}

/// Stands in for a player that cannot be made: it loses its games, and the others play on.
struct Unmade(Fault);

impl Policy for Unmade {
    fn act(&mut self, _: &mut Decisions<'_>) -> Result<(), Fault> {
        Err(self.0.clone())
    }
}

/// What `work` gives, its panic as a fault of `who`: foreign code never ends the run.
pub(crate) fn guarded<T>(who: &str, work: impl FnOnce() -> T) -> Result<T, Fault> {
    catch_unwind(AssertUnwindSafe(work))
        .map_err(|panic| Fault::new(format!("{who} panicked: {}", panic_text(&*panic))))
}

/// Why places say nothing about who won; ratings know players by their places alone.
fn misplaced(ranks: &[u8]) -> Option<String> {
    if ranks.contains(&u8::MAX) {
        return Some("the game ended without placing its seats".into());
    }
    (!ranks.contains(&0)).then(|| format!("the game ended with nobody in first place: {ranks:?}"))
}

/// The end of a game on its way to becoming an [`Outcome`].
struct End {
    ranks: Vec<u8>,
    points: Vec<f32>,
    status: Status,
    note: Option<String>,
}

impl End {
    /// Asks the environment for its points; one that panics at it voids the game.
    fn count_points(&mut self, env: &dyn DynEnv) {
        let mut points = vec![0.0; self.ranks.len()];
        match guarded("the environment", || env.points(&mut points)) {
            Ok(true) => self.points = points,
            Ok(false) => {}
            Err(fault) => {
                self.ranks.fill(0);
                self.status = Status::Void;
                self.note = Some(fault.to_string());
            }
        }
    }
}

struct Worker<'a> {
    game: &'a Game,
    options: &'a Options,
    batch: &'a mut dyn BatchEnv,
    makers: &'a BTreeMap<i64, Maker>,
    seats: usize,
    games: Vec<Option<&'a Match>>,
    recorders: Vec<Option<Recorder>>,
    decisions: Vec<u32>,
    steps: Vec<u32>,
    slots: Vec<Slot>,
    slot_of_player: BTreeMap<i64, usize>,
    slot_of_row: Vec<usize>,
    rngs: Vec<Pcg64>,
    given_up: Vec<(u32, Fault)>,
    resets: Vec<LaneReset>,
    /// Made when the first player asks for one.
    simulator: Option<Simulator>,
}

impl<'a> Worker<'a> {
    fn new(
        game: &'a Game,
        options: &'a Options,
        batch: &'a mut dyn BatchEnv,
        makers: &'a BTreeMap<i64, Maker>,
    ) -> Self {
        let shape = batch.shape();
        Self {
            game,
            options,
            batch,
            makers,
            seats: shape.seats,
            games: vec![None; shape.lanes],
            recorders: (0..shape.lanes).map(|_| None).collect(),
            decisions: vec![0; shape.lanes],
            steps: vec![0; shape.lanes],
            slots: Vec::new(),
            slot_of_player: BTreeMap::new(),
            slot_of_row: vec![0; shape.rows()],
            rngs: vec![Pcg64::default(); shape.rows()],
            given_up: Vec::new(),
            resets: Vec::new(),
            simulator: None,
        }
    }

    fn run(&mut self, queue: &Queue<'a>, outcomes: &Sender<Outcome>) {
        loop {
            self.fill(queue, outcomes);
            if self.games.iter().all(Option::is_none) {
                return;
            }
            self.decide();
            self.forfeit(outcomes);
            self.recorders.iter_mut().flatten().for_each(|r| r.before_step(self.batch));
            self.batch.step();
            self.note_step();
            self.collect(outcomes);
        }
    }

    /// Seats the next matches on free lanes.
    fn fill(&mut self, queue: &Queue<'a>, outcomes: &Sender<Outcome>) {
        loop {
            self.resets.clear();
            for lane in 0..self.games.len() {
                if self.games[lane].is_some() {
                    continue;
                }
                let Some(game) = queue.take() else { break };
                self.seat(lane, game);
            }
            if self.resets.is_empty() {
                return;
            }
            let batch = self.batch.reset_lanes(&self.resets);
            // A reset that failed voids its match; its lane takes the next one.
            let broken: Vec<(usize, String)> =
                batch.faults().map(|f| (f.lane as usize, f.to_string())).collect();
            self.begin_recording();
            if broken.is_empty() {
                return;
            }
            for (lane, why) in broken {
                self.void(lane, why, outcomes);
            }
        }
    }

    /// A game that cannot be recorded is played all the same: replays are kept beside the results.
    fn begin_recording(&mut self) {
        for reset in &self.resets {
            let lane = reset.lane as usize;
            let Some(game) = self.games[lane].filter(|g| g.record) else { continue };
            let seats = game.seats.iter().map(ToString::to_string).collect();
            let config = RecordConfig {
                on_illegal: OnIllegal::Forfeit,
                every: HASH_EVERY,
                ..RecordConfig::new(seats, game.seed.episode())
            };
            let begun = guarded("the environment", || {
                Recorder::begin(self.game, self.options, config, self.batch, lane).ok()
            });
            self.recorders[lane] = begun.ok().flatten();
        }
    }

    fn note_step(&mut self) {
        for recorder in &mut self.recorders {
            let Some(open) = recorder else { continue };
            let noted = guarded("the environment", || open.after_step(self.batch).is_ok());
            if noted != Ok(true) {
                *recorder = None;
            }
        }
    }

    fn seat(&mut self, lane: usize, game: &'a Match) {
        self.games[lane] = Some(game);
        self.decisions[lane] = 0;
        self.steps[lane] = 0;
        self.resets.push(LaneReset { lane: lane as u32, seed: Some(game.seed.episode()) });
        for (seat, player) in game.seats.iter().enumerate() {
            let row = lane * self.seats + seat;
            let slot = self.slot(*player);
            self.slot_of_row[row] = slot;
            self.rngs[row] = game.seed.seat(seat);
            let policy = &mut self.slots[slot].policy;
            if let Err(fault) = guarded("the player", || policy.begin(row, seat)) {
                self.given_up.push((row as u32, fault));
            }
        }
    }

    fn slot(&mut self, player: i64) -> usize {
        if let Some(slot) = self.slot_of_player.get(&player) {
            return *slot;
        }
        let (maker, spec) = (&self.makers[&player], self.batch.spec());
        let policy = guarded("making the player", || maker.make(spec))
            .unwrap_or_else(|fault| Box::new(Unmade(fault)) as Box<dyn Policy>);
        self.slots.push(Slot { policy, rows: Vec::new() });
        self.slot_of_player.insert(player, self.slots.len() - 1);
        self.slots.len() - 1
    }

    fn decide(&mut self) {
        let view = self.batch.view();
        for (lane, game) in self.games.iter().enumerate() {
            if game.is_none() {
                continue;
            }
            for row in lane * self.seats..(lane + 1) * self.seats {
                let is_lost = self.given_up.iter().any(|(r, _)| *r as usize == row);
                if view.flags(row).contains(Flags::TO_ACT) && !is_lost {
                    self.slots[self.slot_of_row[row]].rows.push(row as u32);
                    self.decisions[lane] += 1;
                }
            }
        }
        for slot in &mut self.slots {
            if slot.rows.is_empty() {
                continue;
            }
            if slot.policy.wants_simulator() {
                let simulator = self.simulator.get_or_insert_with(|| Simulator::new(self.game, self.options));
                for row in slot.rows.drain(..) {
                    let (rngs, given_up) = (&mut self.rngs, &mut self.given_up);
                    let asked = simulator.ask(&mut *slot.policy, row, self.batch, rngs, given_up);
                    self.given_up.extend(asked.err().map(|fault| (row, fault)));
                }
                continue;
            }
            let (view, actions) = self.batch.parts();
            let mut ask = Decisions::new(view, actions, &slot.rows, &mut self.rngs, &mut self.given_up);
            if let Err(fault) = guarded("the player", || slot.policy.act(&mut ask)).flatten() {
                self.given_up.extend(slot.rows.iter().map(|row| (*row, fault.clone())));
            }
            slot.rows.clear();
        }
    }

    /// Ends the games of rows that their players gave up: those seats are last, the others share the first place.
    fn forfeit(&mut self, outcomes: &Sender<Outcome>) {
        let mut given_up = std::mem::take(&mut self.given_up);
        given_up.sort_by_key(|(row, _)| *row);
        let seats = self.seats;
        for group in given_up.chunk_by(|a, b| a.0 as usize / seats == b.0 as usize / seats) {
            let lane = group[0].0 as usize / seats;
            let Some(game) = self.games[lane].take() else { continue };
            let mut ranks = vec![0; seats];
            for (row, _) in group {
                ranks[*row as usize % seats] = 1;
            }
            let note = Some(format!("seat {} gave up: {}", group[0].0 as usize % seats, group[0].1));
            self.send(lane, game, ranks, Status::Forfeit, note, outcomes);
        }
        given_up.clear();
        self.given_up = given_up;
    }

    fn void(&mut self, lane: usize, why: String, outcomes: &Sender<Outcome>) {
        if let Some(game) = self.games[lane].take() {
            // Its seats may have given up at the same time: the lane's next game has nothing to do with it.
            let seats = self.seats;
            self.given_up.retain(|(row, _)| *row as usize / seats != lane);
            self.send(lane, game, vec![0; self.seats], Status::Void, Some(why), outcomes);
        }
    }

    fn collect(&mut self, outcomes: &Sender<Outcome>) {
        for (steps, game) in self.steps.iter_mut().zip(&self.games) {
            *steps += u32::from(game.is_some());
        }
        let view = self.batch.view();
        let mut broken: Vec<(usize, String)> = Vec::new();
        for fault in view.faults() {
            broken.push((fault.lane as usize, fault.to_string()));
        }
        let mut ended: Vec<(usize, Vec<u8>, Flags)> = Vec::new();
        for (entry, _) in view.finals() {
            if entry.seat == 0 {
                ended.push((entry.lane as usize, Vec::with_capacity(self.seats), Flags::empty()));
            }
            if let Some((_, ranks, flags)) = ended.last_mut() {
                ranks.push(entry.rank);
                *flags |= entry.flags;
            }
        }
        for (lane, why) in broken {
            self.void(lane, why, outcomes);
        }
        for (lane, mut ranks, flags) in ended {
            let Some(game) = self.games[lane].take() else { continue };
            let (status, note) = if flags.contains(Flags::ILLEGAL) {
                let seat = ranks.iter().position(|r| *r > 0).unwrap_or(0);
                (Status::Forfeit, Some(format!("seat {seat} chose an illegal action")))
            } else if flags.contains(Flags::TERMINATED) {
                match misplaced(&ranks) {
                    None => (Status::Won, None),
                    Some(why) => {
                        ranks.fill(0);
                        (Status::Void, Some(why))
                    }
                }
            } else {
                ranks.fill(0);
                (Status::Truncated, None)
            };
            self.send(lane, game, ranks, status, note, outcomes);
        }
    }

    fn send(
        &mut self,
        lane: usize,
        game: &Match,
        ranks: Vec<u8>,
        status: Status,
        note: Option<String>,
        outcomes: &Sender<Outcome>,
    ) {
        let mut end = End { ranks, points: Vec::new(), status, note };
        if matches!(status, Status::Won | Status::Truncated) {
            end.count_points(self.batch.env(lane));
        }
        let End { ranks, points, status, note } = end;
        let replay_bytes = self.recorders[lane].take().and_then(|recorder| {
            guarded("the environment", || recorder.finish(self.batch).save().ok()).ok().flatten()
        });
        let outcome = Outcome {
            game: game.clone(),
            ranks,
            points,
            status,
            steps: self.steps[lane],
            decisions: self.decisions[lane],
            note,
            replay: replay_bytes.as_ref().map(|b| blake3::hash(b).to_hex()[..16].to_owned()),
            replay_bytes,
        };
        // A closed channel means that the caller has failed already and shows its own error.
        _ = outcomes.send(outcome);
    }
}
