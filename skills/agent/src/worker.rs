//! One worker: its lanes, the policies at them, and what becomes of their episodes.

use crate::{Arm, Episode, Learner, Status, Task, Trail, Watch, score::score};
use agon_skill::{Purpose, Seed};
use rl_gym::{
    BatchEnv, Decisions, Fault, Final, Flags, LaneReset, Options, Pcg64, Policy, Simulator, Space, VecEnv,
    discrete, guarded,
};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The episodes to play.
pub(crate) struct Queue<'a, P> {
    pub(crate) seeds: &'a [Seed<P>],
    pub(crate) next: &'a AtomicUsize,
    pub(crate) stop: &'a AtomicBool,
}

impl<P: Purpose> Queue<'_, P> {
    fn take(&self) -> Option<(usize, Seed<P>)> {
        if self.stop.load(Ordering::Relaxed) {
            return None;
        }
        let at = self.next.fetch_add(1, Ordering::Relaxed);
        self.seeds.get(at).map(|seed| (at, *seed))
    }
}

/// An episode in flight.
struct Flight<W> {
    at: usize,
    number: u32,
    seat: usize,
    decisions: u32,
    steps: u32,
    watch: W,
}

/// Stands in for a policy that cannot be made.
struct Unmade(Fault);

impl Policy for Unmade {
    fn act(&mut self, _: &mut Decisions<'_>) -> Result<(), Fault> {
        Err(self.0.clone())
    }
}

impl Learner for Unmade {
    fn end(&mut self, _: usize, _: Option<&[u8]>) -> Trail {
        Trail::default()
    }
}

pub(crate) struct Worker<'a> {
    task: &'a Task,
    options: &'a Options,
    batch: &'a mut VecEnv,
    seats: usize,
    learner: Box<dyn Learner>,
    opponents: Vec<Box<dyn Policy>>,
    rngs: Vec<Pcg64>,
    given_up: Vec<(u32, Fault)>,
    /// Rows to ask: of the learner, then of each opponent.
    asked: Vec<Vec<u32>>,
    simulator: Option<Simulator>,
    has_actions: bool,
}

impl<'a> Worker<'a> {
    pub(crate) fn new(task: &'a Task, options: &'a Options, arm: &Arm, batch: &'a mut VecEnv) -> Self {
        let (spec, shape) = (batch.spec().clone(), batch.shape());
        let learner = guarded("making the learner", || arm(&spec))
            .unwrap_or_else(|fault| Box::new(Unmade(fault)) as Box<dyn Learner>);
        let opponents: Vec<Box<dyn Policy>> = task
            .opponents
            .iter()
            .map(|make| {
                guarded("making an opponent", || make(&spec)).unwrap_or_else(|fault| Box::new(Unmade(fault)))
            })
            .collect();
        Self {
            task,
            options,
            seats: shape.seats,
            rngs: vec![Pcg64::default(); shape.rows()],
            given_up: Vec::new(),
            asked: vec![Vec::new(); 1 + opponents.len()],
            learner,
            opponents,
            simulator: None,
            has_actions: matches!(spec.action, Space::Discrete { .. }),
            batch,
        }
    }

    pub(crate) fn run<P: Purpose, W: Watch>(
        &mut self,
        queue: &Queue<'_, P>,
        watch: &(impl Fn(Seed<P>) -> W + Sync),
        done: &mut impl FnMut(usize, Episode, W),
    ) {
        let lanes = self.batch.shape().lanes;
        let mut flights: Vec<Option<Flight<W>>> = (0..lanes).map(|_| None).collect();
        loop {
            self.fill(&mut flights, queue, watch, done);
            if flights.iter().all(Option::is_none) {
                return;
            }
            self.decide(&mut flights);
            self.forfeit(&mut flights, done);
            self.batch.step();
            self.collect(&mut flights, done);
        }
    }

    /// Begins the next episodes on free lanes.
    fn fill<P: Purpose, W: Watch>(
        &mut self,
        flights: &mut [Option<Flight<W>>],
        queue: &Queue<'_, P>,
        watch: &impl Fn(Seed<P>) -> W,
        done: &mut impl FnMut(usize, Episode, W),
    ) {
        loop {
            let mut resets = Vec::new();
            for (lane, flight) in flights.iter_mut().enumerate().filter(|(_, f)| f.is_none()) {
                let Some((at, seed)) = queue.take() else { break };
                let seat = seed.number() as usize % self.seats;
                *flight = Some(Flight {
                    at,
                    number: seed.number(),
                    seat,
                    decisions: 0,
                    steps: 0,
                    watch: watch(seed),
                });
                resets.push(LaneReset { lane: lane as u32, seed: Some(seed.episode()) });
                for s in 0..self.seats {
                    let row = lane * self.seats + s;
                    self.rngs[row] = seed.rng(s as u32);
                    let who = self.who(s, seat);
                    let begun = match who {
                        0 => guarded("the learner", || self.learner.begin(row, s)),
                        n => guarded("an opponent", || self.opponents[n - 1].begin(row, s)),
                    };
                    self.given_up.extend(begun.err().map(|fault| (row as u32, fault)));
                }
            }
            if resets.is_empty() {
                return;
            }
            self.batch.reset_lanes(&resets);
            if !self.void_broken(flights, done) {
                return;
            }
        }
    }

    /// Who plays seat `s`: 0 the learner, else 1 + the number of the opponent.
    fn who(&self, s: usize, learner: usize) -> usize {
        if s == learner {
            return 0;
        }
        // Counted from the learner's seat, so that each seat meets the same neighbours.
        let after = (s + self.seats - learner) % self.seats;
        1 + (after - 1) % self.opponents.len().max(1)
    }

    fn decide<W: Watch>(&mut self, flights: &mut [Option<Flight<W>>]) {
        let view = self.batch.view();
        for (lane, flight) in flights.iter_mut().enumerate() {
            let Some(flight) = flight else { continue };
            for s in 0..self.seats {
                let row = lane * self.seats + s;
                let is_lost = self.given_up.iter().any(|(r, _)| *r as usize == row);
                if view.flags(row).contains(Flags::TO_ACT) && !is_lost {
                    let who = self.who(s, flight.seat);
                    self.asked[who].push(row as u32);
                    flight.decisions += u32::from(who == 0);
                }
            }
        }
        for who in 0..self.asked.len() {
            let rows = std::mem::take(&mut self.asked[who]);
            if !rows.is_empty() {
                self.ask(who, &rows);
            }
            if who == 0 && self.has_actions {
                self.show(flights, &rows);
            }
            self.asked[who] = rows;
            self.asked[who].clear();
        }
    }

    fn ask(&mut self, who: usize, rows: &[u32]) {
        let policy: &mut dyn Policy = match who {
            0 => &mut *self.learner,
            n => &mut *self.opponents[n - 1],
        };
        let name = if who == 0 { "the learner" } else { "an opponent" };
        if policy.wants_simulator() {
            let (game, options) = (&self.task.game, self.options);
            let simulator = self.simulator.get_or_insert_with(|| Simulator::new(game, options));
            for row in rows {
                let asked = simulator.ask(policy, *row, self.batch, &mut self.rngs, &mut self.given_up);
                self.given_up.extend(asked.err().map(|fault| (*row, fault)));
            }
            return;
        }
        let (view, actions) = self.batch.parts();
        let mut ask = Decisions::new(view, actions, rows, &mut self.rngs, &mut self.given_up);
        if let Err(fault) = guarded(name, || policy.act(&mut ask)).flatten() {
            self.given_up.extend(rows.iter().map(|row| (*row, fault.clone())));
        }
    }

    /// Shows the learner's decisions to those who look on.
    fn show<W: Watch>(&mut self, flights: &mut [Option<Flight<W>>], rows: &[u32]) {
        let (view, mut actions) = self.batch.parts();
        for row in rows {
            if self.given_up.iter().any(|(r, _)| r == row) {
                continue;
            }
            let row = *row as usize;
            if let Some(flight) = &mut flights[row / self.seats] {
                let action = discrete(actions.row_mut(row));
                flight.watch.decision(view.obs(row), view.mask(row), action);
            }
        }
    }

    /// Ends the episodes in which somebody gave up.
    fn forfeit<W: Watch>(
        &mut self,
        flights: &mut [Option<Flight<W>>],
        done: &mut impl FnMut(usize, Episode, W),
    ) {
        let mut given_up = std::mem::take(&mut self.given_up);
        given_up.sort_by_key(|(row, _)| *row);
        for (row, fault) in &given_up {
            let (lane, seat) = (*row as usize / self.seats, *row as usize % self.seats);
            let Some(flight) = flights[lane].take() else { continue };
            let status = if seat == flight.seat {
                Status::Lost(format!("gave up: {fault}"))
            } else {
                Status::Void(format!("seat {seat} gave up: {fault}"))
            };
            self.finish(lane, flight, (0.0, false), status, None, done);
        }
        given_up.clear();
        self.given_up = given_up;
    }

    /// Voids the episodes whose environment failed; whether there were any.
    fn void_broken<W: Watch>(
        &mut self,
        flights: &mut [Option<Flight<W>>],
        done: &mut impl FnMut(usize, Episode, W),
    ) -> bool {
        let broken: Vec<(usize, String)> =
            self.batch.view().faults().map(|f| (f.lane as usize, f.to_string())).collect();
        for (lane, why) in &broken {
            if let Some(flight) = flights[*lane].take() {
                self.given_up.retain(|(row, _)| *row as usize / self.seats != *lane);
                self.finish(*lane, flight, (0.0, false), Status::Void(why.clone()), None, done);
            }
        }
        !broken.is_empty()
    }

    fn collect<W: Watch>(
        &mut self,
        flights: &mut [Option<Flight<W>>],
        done: &mut impl FnMut(usize, Episode, W),
    ) {
        let view = self.batch.view();
        for (lane, flight) in flights.iter_mut().enumerate() {
            if let Some(flight) = flight {
                flight.steps += 1;
                flight.watch.reward(view.reward(lane * self.seats + flight.seat));
            }
        }
        self.void_broken(flights, done);
        let mut ended: Vec<(usize, Vec<Final>)> = Vec::new();
        let mut last: Vec<Vec<u8>> = Vec::new();
        for (entry, obs) in self.batch.view().finals() {
            let lane = entry.lane as usize;
            if ended.last().is_none_or(|(l, _)| *l != lane) {
                ended.push((lane, Vec::new()));
                last.push(Vec::new());
            }
            if let (Some((_, finals)), Some(last)) = (ended.last_mut(), last.last_mut()) {
                finals.push(*entry);
                if flights[lane].as_ref().is_some_and(|f| f.seat == entry.seat as usize) {
                    obs.clone_into(last);
                }
            }
        }
        for ((lane, finals), obs) in ended.into_iter().zip(last) {
            let Some(flight) = flights[lane].take() else { continue };
            let (score, status) = self.judge(lane, flight.seat, &finals);
            self.finish(lane, flight, score, status, Some(&obs), done);
        }
    }

    /// Score, whether it is a win, and whether it counts.
    fn judge(&mut self, lane: usize, seat: usize, finals: &[Final]) -> ((f64, bool), Status) {
        if let Some(guilty) = finals.iter().find(|f| f.flags.contains(Flags::ILLEGAL)) {
            let what = format!("seat {} chose an illegal action", guilty.seat);
            let is_own = guilty.seat as usize == seat;
            return ((0.0, false), if is_own { Status::Lost(what) } else { Status::Void(what) });
        }
        let ranks: Vec<u8> = finals.iter().map(|f| f.rank).collect();
        let cut = finals.iter().any(|f| f.flags.contains(Flags::TRUNCATED));
        let score = score(&self.task.measure, self.batch, lane, seat, &ranks, cut);
        match score {
            Ok(score) => (score, Status::Ended),
            Err(why) => ((0.0, false), Status::Void(why)),
        }
    }

    fn finish<W: Watch>(
        &mut self,
        lane: usize,
        flight: Flight<W>,
        (score, is_won): (f64, bool),
        status: Status,
        obs: Option<&[u8]>,
        done: &mut impl FnMut(usize, Episode, W),
    ) {
        let Flight { at, number, seat, decisions, steps, mut watch } = flight;
        let row = lane * self.seats + seat;
        let Trail { uses, choices } =
            guarded("the learner", || self.learner.end(row, obs)).unwrap_or_default();
        let episode = Episode { number, seat, score, is_won, decisions, steps, status, uses, choices };
        watch.end(obs, &episode);
        done(at, episode, watch);
    }
}
