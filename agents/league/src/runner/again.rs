//! Plays stored matches again and compares what comes of them with what is stored.

use crate::{
    error::LeagueError,
    matches::{Outcome, Status},
    store::{Kept, Store},
};
use rl_gym::{
    Autoreset, BatchConfig, BatchEnv, Flags, Game, LaneReset, Moves, OnIllegal, Options, RecordConfig,
    Recorder, Replay, VecEnv,
};
use std::fmt::Debug;

/// Steps between two state hashes of a replay that is made from moves.
const HASH_EVERY: u32 = 64;

/// Plays matches of one configured game again.
pub struct Rerun {
    game: Game,
    options: Options,
    batch: VecEnv,
    ranks: Vec<u8>,
    points: Vec<f32>,
}

impl Rerun {
    /// For matches of `game` under `options`.
    ///
    /// # Errors
    /// What the game says about its options.
    pub fn new(game: &Game, options: &Options) -> Result<Self, LeagueError> {
        // As the runner plays: see `Runner::new`.
        let config = BatchConfig {
            autoreset: Autoreset::Disabled,
            on_illegal: OnIllegal::Forfeit,
            ..BatchConfig::lanes(1)
        };
        let batch = VecEnv::new(&game.factory(options.clone()), config)?;
        let seats = batch.spec().seats;
        let (ranks, points) = (Vec::with_capacity(seats), vec![0.0; seats]);
        Ok(Self { game: game.clone(), options: options.clone(), batch, ranks, points })
    }

    /// Plays a match again from what is kept of it, and compares steps, the last state, places and points with the
    /// stored outcome.
    ///
    /// # Errors
    /// When the kept bytes are damaged, or something differs.
    pub fn check(&mut self, outcome: &Outcome, kept: &Kept) -> Result<(), LeagueError> {
        match kept {
            Kept::Moves(bytes) => self.walk(outcome, bytes, None).map(drop),
            Kept::Whole(bytes) => self.whole(outcome, bytes).map(drop),
        }
    }

    /// A whole replay of a match, made by playing it again, which is checked as in [`Rerun::check`]. `seats` says who
    /// sits where.
    ///
    /// # Errors
    /// As [`Rerun::check`].
    pub fn replay(
        &mut self,
        outcome: &Outcome,
        kept: &Kept,
        seats: Vec<String>,
    ) -> Result<Replay, LeagueError> {
        match kept {
            Kept::Moves(bytes) => {
                self.walk(outcome, bytes, Some(seats))?.ok_or_else(|| LeagueError::Internal {
                    what: format!("match {} was played again without a recorder", outcome.game.id),
                })
            }
            Kept::Whole(bytes) => {
                let mut replay = self.whole(outcome, bytes)?;
                replay.seats = seats;
                Ok(replay)
            }
        }
    }

    fn whole(&self, outcome: &Outcome, bytes: &[u8]) -> Result<Replay, LeagueError> {
        let replay = Replay::load(bytes)?;
        let id = outcome.game.id;
        if let Some(found) = replay.verify(&self.game)?.divergence {
            return Err(LeagueError::Differs {
                id,
                field: "the game",
                ours: found.ours,
                theirs: found.theirs,
            });
        }
        same(id, "the number of steps", &replay.steps(), &outcome.steps)?;
        Ok(replay)
    }

    /// Plays moves again, with a recorder beside where `labels` are given for one.
    fn walk(
        &mut self,
        outcome: &Outcome,
        bytes: &[u8],
        labels: Option<Vec<String>>,
    ) -> Result<Option<Replay>, LeagueError> {
        let (id, seed) = (outcome.game.id, outcome.game.seed.episode());
        let what = format!("match {id}");
        let moves = Moves::load(bytes, &what, &self.game.id(), seed)?;
        same(id, "the number of steps", &moves.steps(), &outcome.steps)?;
        self.batch.reset_lanes(&[LaneReset { lane: 0, seed: Some(seed) }]);
        let mut recorder = match labels {
            None => None,
            Some(seats) => {
                let (on_illegal, every) = (OnIllegal::Forfeit, HASH_EVERY);
                let config = RecordConfig { on_illegal, every, ..RecordConfig::new(seats, seed) };
                Some(Recorder::begin(&self.game, &self.options, config, &mut self.batch, 0)?)
            }
        };
        let mut reader = moves.reader(&what, 0, &self.batch);
        while reader.act(&mut self.batch)? {
            if let Some(recorder) = &mut recorder {
                recorder.before_step(&mut self.batch);
            }
            self.batch.step();
            if let Some(recorder) = &mut recorder {
                recorder.after_step(&mut self.batch)?;
            }
        }
        reader.check_end(&mut self.batch)?;
        self.check_end(outcome)?;
        Ok(recorder.map(|recorder| recorder.finish(&mut self.batch)))
    }

    /// Compares the end of the game in the batch with the stored outcome.
    fn check_end(&mut self, outcome: &Outcome) -> Result<(), LeagueError> {
        let id = outcome.game.id;
        let view = self.batch.view();
        let seats = view.shape().seats;
        let mut flags = Flags::empty();
        (0..seats).for_each(|seat| flags |= view.flags(seat));
        self.ranks.clear();
        self.ranks.extend(view.finals().map(|(end, _)| end.rank));
        let over = !flags.contains(Flags::ALIVE);
        match outcome.status {
            Status::Won => {
                same(id, "the end by the rules", &flags.contains(Flags::TERMINATED), &true)?;
                same(id, "the order of the places", &self.ranks, &outcome.ranks)?;
            }
            Status::Truncated => same(id, "the end", &over, &true)?,
            // An illegal action ended it, which the environment repeats, or its player gave up, which it does not know.
            Status::Forfeit if over => same(id, "the order of the places", &self.ranks, &outcome.ranks)?,
            Status::Forfeit | Status::Void => return Ok(()),
        }
        if outcome.status == Status::Forfeit || outcome.points.is_empty() {
            return Ok(());
        }
        self.points.fill(0.0);
        self.batch.env(0).points(&mut self.points);
        same(id, "the list of points", &self.points, &outcome.points)
    }
}

/// What came of playing matches again.
#[derive(Debug, Default)]
pub struct Verified {
    /// Matches that went as stored.
    pub equal: u64,
    /// Matches of which nothing was kept.
    pub unkept: u64,
    /// Numbers of those that are damaged or went another way, with the error, by number.
    pub failed: Vec<(i64, LeagueError)>,
}

/// Plays the matches of a run that `wanted` accepts again, on `workers` threads.
///
/// # Errors
/// When the store cannot be read or the game cannot be made. A match that differs is part of the answer.
pub fn verify(
    store: &Store,
    game: &Game,
    options: &Options,
    workers: usize,
    mut wanted: impl FnMut(&Outcome) -> bool,
) -> Result<Verified, LeagueError> {
    let reruns = (0..workers.max(1)).map(|_| Rerun::new(game, options)).collect::<Result<Vec<_>, _>>()?;
    let (sender, matches) = crossbeam_channel::bounded::<(Outcome, Kept)>(256);
    // Few differ, so this one need not be bounded, and the reader below never waits for itself.
    let (told, answers) = crossbeam_channel::unbounded();
    let mut verified = Verified::default();
    let (mut begun, mut unreadable) = (0, None);
    std::thread::scope(|scope| {
        for mut rerun in reruns {
            let (matches, told) = (matches.clone(), told.clone());
            scope.spawn(move || {
                for (outcome, kept) in matches {
                    if let Err(error) = rerun.check(&outcome, &kept) {
                        _ = told.send((outcome.game.id, error));
                    }
                }
            });
        }
        drop((matches, told));
        store.each_match(|outcome| {
            if unreadable.is_some() || !wanted(&outcome) {
                return;
            }
            match store.kept(outcome.game.id) {
                Ok(Some(kept)) => {
                    begun += 1;
                    _ = sender.send((outcome, kept));
                }
                Ok(None) => verified.unkept += 1,
                Err(error) => unreadable = Some(error),
            }
        })?;
        drop(sender);
        verified.failed.extend(answers);
        Ok::<_, LeagueError>(())
    })?;
    if let Some(error) = unreadable {
        return Err(error);
    }
    verified.failed.sort_by_key(|(id, _)| *id);
    verified.equal = begun - verified.failed.len() as u64;
    Ok(verified)
}

fn same<T: PartialEq + Debug>(id: i64, field: &'static str, ours: &T, theirs: &T) -> Result<(), LeagueError> {
    if ours == theirs {
        return Ok(());
    }
    Err(LeagueError::Differs { id, field, ours: format!("{ours:?}"), theirs: format!("{theirs:?}") })
}
