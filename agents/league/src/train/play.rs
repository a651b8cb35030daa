//! Playing what is not stored yet: the store, the runner and the makers of everybody who may be seated.

use super::Progress;
use crate::{
    error::LeagueError,
    matches::{Match, MatchKind, Outcome},
    player::{Maker, Player},
    runner::Runner,
    store::{Store, Timing},
};
use cpu_time::ProcessTime;
use rl_gym::Game;
use std::{
    collections::{BTreeMap, BTreeSet},
    time::Instant,
};

/// Finished games wait at most so long for the store.
const SAVE_EVERY_MS: u128 = 500;

/// Where matches are played and kept.
pub(super) struct Hall {
    pub(super) store: Store,
    pub(super) runner: Runner,
    pub(super) workers: usize,
    makers: BTreeMap<i64, Maker>,
}

impl Hall {
    pub(super) fn new(store: Store, runner: Runner, workers: usize) -> Self {
        Self { store, runner, workers: workers.max(1), makers: BTreeMap::new() }
    }

    /// Stores players that this build can play and makes them ready to be seated. Returns their ids; those that are
    /// stored already keep theirs.
    pub(super) fn enter(&mut self, players: &[Player], game: &Game) -> Result<Vec<i64>, LeagueError> {
        let ids = self
            .store
            .transaction(|s| players.iter().map(|p| s.add_player(p)).collect::<Result<Vec<_>, _>>())?;
        ids.iter().zip(players).try_for_each(|(id, player)| self.ready(*id, player, game))?;
        Ok(ids)
    }

    /// Makes a stored player ready to be seated.
    pub(super) fn ready(&mut self, id: i64, player: &Player, game: &Game) -> Result<(), LeagueError> {
        let maker = Maker::of(player, game).ok_or_else(|| LeagueError::Request {
            what: format!(
                "the run seats {} v{}, which this build cannot play: continue it with the build that made it",
                player.name, player.version
            ),
        })?;
        self.makers.insert(id, maker);
        Ok(())
    }

    /// Forgets how to make everybody but these.
    pub(super) fn keep(&mut self, players: &BTreeSet<i64>) {
        self.makers.retain(|id, _| players.contains(id));
    }

    /// Plays what is not in the store yet, storing as games end, and returns all outcomes by id; `None` when
    /// it was stopped before the end.
    pub(super) fn play(
        &mut self,
        kind: MatchKind,
        matches: &[Match],
        progress: &mut dyn Progress,
    ) -> Result<Option<Vec<Outcome>>, LeagueError> {
        let Some(generation) = matches.first().map(|m| m.generation) else { return Ok(Some(Vec::new())) };
        let (begun, cpu) = (Instant::now(), ProcessTime::now());
        let mut known: Vec<Outcome> = self.store.matches_of(generation)?;
        let wanted: BTreeSet<i64> = matches.iter().map(|m| m.id).collect();
        known.retain(|o| wanted.contains(&o.game.id));
        let have: BTreeSet<i64> = known.iter().map(|o| o.game.id).collect();
        let open: Vec<Match> = matches.iter().filter(|m| !have.contains(&m.id)).cloned().collect();
        progress.begin(generation, kind, open.len());

        let mut fresh = Fresh { kept: Vec::with_capacity(open.len()), waiting: Vec::new() };
        let mut steps = 0;
        let mut saved = Instant::now();
        let store = &mut self.store;
        self.runner.play(&open, &self.makers, |outcome| {
            progress.game(&outcome);
            steps += i64::from(outcome.steps);
            fresh.waiting.push(outcome);
            if saved.elapsed().as_millis() >= SAVE_EVERY_MS {
                store.transaction(|s| s.add_matches(&fresh.waiting))?;
                fresh.saved();
                saved = Instant::now();
            }
            Ok(())
        })?;
        let timing = Timing {
            generation,
            wall_ms: begun.elapsed().as_millis() as i64,
            cpu_ms: cpu.elapsed().as_millis() as i64,
            games: (fresh.kept.len() + fresh.waiting.len()) as i64,
            steps,
            workers: self.workers as i64,
        };
        store.transaction(|s| {
            s.add_matches(&fresh.waiting)?;
            s.add_timing(&timing)
        })?;
        fresh.saved();
        let complete = fresh.kept.len() == open.len();
        known.append(&mut fresh.kept);
        known.sort_by_key(|o| o.game.id);
        Ok(complete.then_some(known))
    }
}

/// Games that ended in this stretch of play.
struct Fresh {
    /// In the store, without their replays.
    kept: Vec<Outcome>,
    /// Not yet.
    waiting: Vec<Outcome>,
}

impl Fresh {
    fn saved(&mut self) {
        self.kept.extend(self.waiting.drain(..).map(|o| Outcome { replay_bytes: None, ..o }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matches::{MatchSeed, Status};

    /// Symptom: the replays of a whole exam stayed in memory until its end.
    #[test]
    fn saved_games_hold_no_replay() {
        let seed = MatchSeed { root: 1, generation: 0, table: 1 };
        let (kind, seats) = (MatchKind::Exam, vec![1, 2]);
        let game = Match { id: 1, kind, generation: 0, block: 1, seed, seats, record: true };
        let ended = Outcome {
            game,
            ranks: vec![0, 1],
            points: Vec::new(),
            status: Status::Won,
            steps: 1,
            decisions: 1,
            note: None,
            replay: Some("hash".into()),
            replay_bytes: Some(vec![0; 1000]),
        };
        let mut fresh = Fresh { kept: Vec::new(), waiting: vec![ended.clone()] };
        fresh.saved();
        assert!(fresh.waiting.is_empty());
        assert_eq!(fresh.kept, [Outcome { replay_bytes: None, ..ended }]);
    }
}
