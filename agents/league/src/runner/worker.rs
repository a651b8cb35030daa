//! One worker: its lanes, the players at them, and what becomes of their games.

use super::{
    Queue,
    end::{End, misplaced},
};
use crate::{
    matches::{Match, Outcome, Status},
    player::Maker,
};
use crossbeam_channel::Sender;
use rl_gym::{
    BatchEnv, Decisions, Fault, Flags, Game, LaneReset, MoveRecorder, Options, Pcg64, Policy, Simulator,
    guarded,
};
use std::collections::BTreeMap;

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

/// Plays the matches of a queue on the lanes of one batch.
pub(super) struct Worker<'a> {
    game: &'a Game,
    options: &'a Options,
    /// `name-vN`.
    id: String,
    batch: &'a mut dyn BatchEnv,
    makers: &'a BTreeMap<i64, Maker>,
    seats: usize,
    games: Vec<Option<&'a Match>>,
    /// One a lane, reused by its games.
    recorders: Vec<MoveRecorder>,
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
    pub(super) fn new(
        game: &'a Game,
        options: &'a Options,
        batch: &'a mut dyn BatchEnv,
        makers: &'a BTreeMap<i64, Maker>,
    ) -> Self {
        let shape = batch.shape();
        let recorder = || MoveRecorder::new(&batch.spec().action);
        let recorders = (0..shape.lanes).map(|_| recorder()).collect();
        Self {
            game,
            options,
            id: game.id(),
            batch,
            makers,
            seats: shape.seats,
            games: vec![None; shape.lanes],
            recorders,
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

    pub(super) fn run(&mut self, queue: &Queue<'a>, outcomes: &Sender<Outcome>) {
        loop {
            self.fill(queue, outcomes);
            if self.games.iter().all(Option::is_none) {
                return;
            }
            self.decide();
            self.forfeit(outcomes);
            self.record();
            self.batch.step();
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
            if broken.is_empty() {
                return;
            }
            for (lane, why) in broken {
                self.void(lane, why, outcomes);
            }
        }
    }

    /// Notes the chosen actions of the games whose moves are kept.
    fn record(&mut self) {
        let (view, mut actions) = self.batch.parts();
        for (lane, recorder) in self.recorders.iter_mut().enumerate() {
            if self.games[lane].is_some_and(|game| game.record) {
                recorder.before_step(lane, &view, &mut actions);
            }
        }
    }

    fn seat(&mut self, lane: usize, game: &'a Match) {
        self.games[lane] = Some(game);
        self.recorders[lane].begin(&self.batch.spec().action);
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
        let replay_bytes = game.record.then(|| {
            // What an environment that failed says about its state may differ every time.
            let sound = status != Status::Void;
            let state = sound.then(|| guarded("the environment", || self.batch.env(lane).state_hash()));
            let state = state.and_then(Result::ok).flatten();
            self.recorders[lane].finish(&self.id, game.seed.episode(), state)
        });
        let outcome = Outcome {
            game: game.clone(),
            ranks,
            points,
            status,
            steps: self.steps[lane],
            decisions: self.decisions[lane],
            note,
            replay: None,
            replay_bytes,
        };
        // A closed channel means that the caller has failed already and shows its own error.
        _ = outcomes.send(outcome);
    }
}
