//! The training run: candidates are drawn, play, and move the distribution they came from.

mod config;
mod draws;
mod play;
mod progress;
mod score;

pub use config::{Budget, TrainConfig};
pub use progress::{Progress, Standing, Summary};

use crate::{
    error::LeagueError,
    evolve::{Search, to_genes},
    matches::{MatchKind, Status},
    matchmaking::{Elo, START},
    player::{Player, PlayerKind},
    report::Live,
    runner::{Runner, RunnerConfig},
    schedule::EXAM_GENERATION,
    store::{Event, Store},
};
use draws::Draws;
use play::Hall;
use rl_gym::{Game, Genome, Options};
pub(crate) use score::placing;
use score::{Score, mean, rate, scores};
use serde::{Deserialize, Serialize};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    time::Instant,
};

/// How a session ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// The budget is used up and the exam, if there is one, is played.
    Done,
    /// The caller asked to stop; the finished games are stored.
    Stopped,
}

/// A run that is open for training.
pub struct Training {
    game: Game,
    genome: Genome,
    config: TrainConfig,
    hall: Hall,
    anchors: Vec<i64>,
    /// Ladder of the finished generations.
    ladder: Live,
    next: u32,
    state: State,
}

/// State with which the next generation begins. Only a finished generation replaces it, in the store and here.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct State {
    search: Search,
    elo: Vec<(i64, f64)>,
    champions: Vec<i64>,
    /// Rating of the distribution itself, where newcomers start.
    own_elo: f64,
    games: u64,
}

impl State {
    fn first(genome: &Genome, config: &TrainConfig) -> Self {
        let search = Search::new(config.search, genome.genes.len(), config.population);
        Self { search, elo: Vec::new(), champions: Vec::new(), own_elo: START, games: 0 }
    }
}

/// What a run needs of its game.
struct Ground {
    genome: Genome,
    runner: Runner,
    workers: usize,
    rules: String,
}

impl Ground {
    fn new(game: &Game, options: &Options, config: &RunnerConfig) -> Result<Self, LeagueError> {
        let genome = game.genome.ok_or_else(|| LeagueError::Request {
            what: format!(
                "{} has no trainable player: `agon games` lists the games that have one",
                game.id()
            ),
        })?;
        let runner = Runner::new(game, options, config)?;
        let seats = runner.spec().seats;
        if !(2..=agon_ratings::MAX_SEATS).contains(&seats) {
            let what = format!(
                "{} seats {seats}: players are rated against each other at 2 to {} seats",
                game.id(),
                agon_ratings::MAX_SEATS
            );
            return Err(LeagueError::Request { what });
        }
        Ok(Self { genome, runner, workers: config.workers, rules: crate::rules::fingerprint(game, options)? })
    }
}

/// A generation that was played to its end.
struct Finished {
    state: State,
    elo: Elo,
    candidates: Vec<i64>,
    champion: Option<i64>,
    summary: Summary,
}

impl Training {
    /// Begins a run in the folder `run`.
    ///
    /// # Errors
    /// When the game cannot be trained, or the folder holds a run or cannot be written.
    pub fn create(
        run: &Path,
        game: &Game,
        config: TrainConfig,
        runner: &RunnerConfig,
    ) -> Result<Self, LeagueError> {
        config.check()?;
        let ground = Ground::new(game, &config.options, runner)?;
        let store = Store::create(run, |s| {
            s.set_meta("config", &config)?;
            s.set_meta("rules", &ground.rules)?;
            s.set_meta("made_by", &MADE_BY)?;
            agon_policy::Players::of(game)
                .anchors()
                .try_for_each(|b| s.add_player(&Player::bot(game, b)).map(drop))
        })?;
        Self::on(ground, game, config, store)
    }

    /// Continues the run in the folder `run`; `expect` are settings that were given explicitly, by name as typed
    /// (`seed`, `population`, `exam_games`, options of the game), and must agree.
    ///
    /// # Errors
    /// When there is no sound run, it is of another game or other rules, or a setting differs.
    pub fn resume(
        run: &Path,
        game: &Game,
        expect: &[(&str, String)],
        runner: &RunnerConfig,
    ) -> Result<Self, LeagueError> {
        let mut store = Store::open(run)?;
        store.lock()?;
        let config: TrainConfig = store.meta("config")?;
        if config.game != game.id() {
            let (run, what) = (run.into(), "game".into());
            return Err(LeagueError::OtherSettings { run, what, theirs: config.game, ours: game.id() });
        }
        config.agree(run, game, expect)?;
        let config = TrainConfig { options: config.options.recheck(game.name, &game.options)?, ..config };
        let ground = Ground::new(game, &config.options, runner)?;
        let theirs: String = store.meta("rules")?;
        if theirs != ground.rules {
            let (run, made_by, ours) = (run.into(), store.meta("made_by")?, ground.rules);
            return Err(LeagueError::OtherRules { run, made_by, theirs, ours });
        }
        Self::on(ground, game, config, store)
    }

    /// Takes up the run behind `store` where it stands.
    fn on(ground: Ground, game: &Game, config: TrainConfig, store: Store) -> Result<Self, LeagueError> {
        let Ground { genome, runner, workers, .. } = ground;
        let (next, state) = match store.last_generation::<State>()? {
            Some((generation, state)) => (generation + 1, state),
            None => (0, State::first(&genome, &config)),
        };
        let mut hall = Hall::new(store, runner, workers);
        let champions: BTreeSet<i64> = state.champions.iter().copied().collect();
        let (mut anchors, mut frozen) = (Vec::new(), BTreeMap::new());
        for (id, player) in hall.store.players()? {
            let is_anchor = player.kind == PlayerKind::Bot;
            // Retired candidates never play again.
            if is_anchor || champions.contains(&id) {
                hall.ready(id, &player, game)?;
            }
            if is_anchor {
                anchors.push((id, player));
            } else if champions.contains(&id) {
                frozen.insert(id, player);
            }
        }
        let spec = hall.runner.spec();
        let mut ladder = Live::new(anchors.clone(), spec.placing, spec.seats);
        for event in hall.store.events()?.iter().filter(|e| e.what == "snapshot") {
            if let Some((id, player)) = event.player.and_then(|id| frozen.remove_entry(&id)) {
                ladder.enter(id, player);
            }
            let games = hall.store.matches_of(event.generation)?;
            games.iter().filter(|o| o.game.kind == MatchKind::Ladder).try_for_each(|o| ladder.add(o))?;
        }
        let anchors = anchors.into_iter().map(|(id, _)| id).collect();
        Ok(Self { game: game.clone(), genome, config, hall, anchors, ladder, next, state })
    }

    /// Settings of the run.
    pub const fn config(&self) -> &TrainConfig {
        &self.config
    }

    /// The store behind the run.
    pub const fn store(&self) -> &Store {
        &self.hall.store
    }

    /// Generations that are finished.
    pub const fn generations(&self) -> u32 {
        self.next
    }

    /// Games of finished generations.
    pub const fn games(&self) -> u64 {
        self.state.games
    }

    /// Trains until the budget is used up or the caller stops it, then plays the exam. After a stop it can be called
    /// again and goes on.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn run(&mut self, budget: Budget, progress: &mut dyn Progress) -> Result<Ended, LeagueError> {
        let begun = Instant::now();
        loop {
            let spent = match budget {
                Budget::Generations(n) => self.next >= n,
                Budget::Seconds(s) => self.next > 0 && begun.elapsed().as_secs_f64() >= s,
                Budget::Games(n) => self.state.games >= n,
            };
            // Numbers from here on belong to exams.
            if spent || self.next + 1 == EXAM_GENERATION {
                break;
            }
            if !self.generation(progress)? {
                return Ok(Ended::Stopped);
            }
        }
        Ok(if self.exam(progress)? { Ended::Done } else { Ended::Stopped })
    }

    /// Plays one generation; false when it was stopped before its end, which leaves the state as it was.
    fn generation(&mut self, progress: &mut dyn Progress) -> Result<bool, LeagueError> {
        let mut state = self.state.clone();
        let points = state.search.ask(&mut self.draws().rng(1));
        let mut elo = Elo::from_pairs(&state.elo, self.anchors.first().copied());
        let candidates = self.enter_candidates(&points, &mut elo)?;
        let mut schedule = self.draws().training(&candidates, state.own_elo, &elo);
        let matches = schedule.take_matches();
        let Some(mut outcomes) = self.hall.play(MatchKind::Train, &matches, progress)? else {
            return Ok(false);
        };
        let placing = placing(self.hall.runner.spec().placing);
        rate(&mut elo, &outcomes, placing);
        let scores = scores(&candidates, &outcomes);
        state.search.tell(&points, &scores.iter().map(Score::fitness).collect::<Vec<_>>());
        let own_elo = |elo: &Elo| mean(candidates.iter().map(|id| elo.rating(*id)));

        let mut champion = None;
        let trained = outcomes.len();
        if self.config.is_champion_due(self.next) {
            let own = own_elo(&elo);
            let (id, player) = self.enter_champion(&state.search.steady(), own, &mut elo)?;
            let matches = self.draws().ladder(id, &elo, schedule);
            let Some(ladder) = self.hall.play(MatchKind::Ladder, &matches, progress)? else {
                return Ok(false);
            };
            rate(&mut elo, &ladder, placing);
            outcomes.extend(ladder);
            state.champions.push(id);
            champion = Some((id, player));
        }
        // Last, as ladder games may move the scale.
        state.own_elo = own_elo(&elo);
        state.games += outcomes.len() as u64;
        let summary = Summary {
            generation: self.next,
            games: outcomes.len(),
            mean_wins: mean(scores.iter().map(|s| s.wins)),
            best_wins: scores.iter().map(|s| s.wins).fold(0.0, f64::max),
            sigma: state.search.sigma(),
            broken: outcomes.iter().filter(|o| matches!(o.status, Status::Void | Status::Forfeit)).count(),
        };
        let id = champion.as_ref().map(|(id, _)| *id);
        progress.generation(&self.finish(Finished { state, elo, candidates, champion: id, summary })?);
        if let Some((id, player)) = champion {
            self.ladder.enter(id, player);
            outcomes[trained..].iter().try_for_each(|o| self.ladder.add(o))?;
            if let Some(standing) = self.ladder.standing(id)? {
                progress.champion(&standing);
            }
        }
        Ok(true)
    }

    /// What the tables of the coming generation are drawn from.
    fn draws(&self) -> Draws<'_> {
        Draws {
            config: &self.config,
            generation: self.next,
            seats: self.hall.runner.spec().seats,
            anchors: &self.anchors,
            champions: &self.state.champions,
        }
    }

    /// A genome of the coming generation, a child of the newest champion.
    fn player(&self, name: String, point: &[f64]) -> Player {
        let genes = to_genes(point, self.genome.genes);
        let parent = self.state.champions.last().copied();
        Player::evolved(&self.game, &self.genome, name, genes, self.next, parent)
    }

    fn enter_candidates(&mut self, points: &[Vec<f64>], elo: &mut Elo) -> Result<Vec<i64>, LeagueError> {
        let next = self.next;
        let players: Vec<Player> =
            points.iter().enumerate().map(|(i, p)| self.player(format!("g{next}-{i}"), p)).collect();
        let ids = self.hall.enter(&players, &self.game)?;
        ids.iter().for_each(|id| elo.enter(*id, self.state.own_elo));
        Ok(ids)
    }

    /// Freezes the centre of the distribution as a champion.
    fn enter_champion(
        &mut self,
        centre: &[f64],
        rating: f64,
        elo: &mut Elo,
    ) -> Result<(i64, Player), LeagueError> {
        let player = self.player(format!("champion-{}", self.next), centre);
        let ids = self.hall.enter(std::slice::from_ref(&player), &self.game)?;
        elo.enter(ids[0], rating);
        Ok((ids[0], player))
    }

    /// Stores a generation and goes on to the next.
    fn finish(&mut self, finished: Finished) -> Result<Summary, LeagueError> {
        let Finished { mut state, elo, candidates, champion, summary } = finished;
        let kept: BTreeSet<i64> = self.anchors.iter().chain(&state.champions).copied().collect();
        state.elo = elo.pairs().filter(|(id, _)| kept.contains(id)).collect();
        let generation = self.next;
        let event = |what: &str, player, detail| Event {
            generation,
            what: what.into(),
            player: Some(player),
            detail,
        };
        self.hall.store.transaction(|s| {
            for (i, id) in candidates.into_iter().enumerate() {
                if self.state.search.is_new(i) {
                    s.add_event(&event("birth", id, "{}".into()))?;
                }
                if state.search.is_new(i) {
                    s.add_event(&event("retirement", id, format!("{{\"elo\":{:.1}}}", elo.rating(id))))?;
                }
            }
            if let Some(id) = champion {
                s.add_event(&event("snapshot", id, format!("{{\"sigma\":{}}}", state.search.sigma())))?;
            }
            s.finish_generation(generation, &state, &summary)
        })?;
        self.hall.keep(&kept);
        self.state = state;
        self.next += 1;
        Ok(summary)
    }

    /// The best champion, one seat, against copies of each anchor on fresh seeds. Played once for a given length
    /// of the run; false when it was stopped before its end.
    fn exam(&mut self, progress: &mut dyn Progress) -> Result<bool, LeagueError> {
        if self.config.exam_games == 0 {
            return Ok(true);
        }
        let Some(best) = crate::report::best_champion(self.store(), &self.game)? else { return Ok(true) };
        let matches = self.draws().exam(best);
        Ok(self.hall.play(MatchKind::Exam, &matches, progress)?.is_some())
    }
}

const MADE_BY: &str = concat!("agon ", env!("CARGO_PKG_VERSION"));
