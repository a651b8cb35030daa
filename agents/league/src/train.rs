//! The training run: candidates are drawn, play, and move the distribution they came from.

use crate::{
    error::LeagueError,
    evolve::{Cma, to_genes},
    matches::{Match, MatchKind, Outcome, Status},
    matchmaking::{Elo, START, draw},
    player::{Maker, Player, PlayerKind},
    runner::{Runner, RunnerConfig},
    schedule::{Schedule, tables_for},
    store::{Event, RunLock, Store, Timing},
};
use rl_gym::{Game, Genome, OptionValue, Options, Placing, SeedSequence};
use serde::{Deserialize, Serialize};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    time::Instant,
};

/// Everything that decides the course of a run. Stored with it; a resumed run goes on with it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TrainConfig {
    /// Game id, `name-vN`.
    pub game: String,
    /// Options of the game.
    pub options: Options,
    /// Root seed.
    pub seed: u64,
    /// Candidates a generation.
    pub population: usize,
    /// Tables against drawn opponents that every candidate plays in a generation, each in all seat rotations.
    pub tables: usize,
    /// Rounds in which the whole population sits down at full tables among itself, in all seat rotations.
    pub rounds: usize,
    /// A champion is frozen every so many generations.
    pub snapshot_every: u32,
    /// Ladder tables that a new champion plays among champions and anchors.
    pub ladder_tables: usize,
    /// Newest champions in the pool of opponents.
    pub pool: usize,
    /// Games against each anchor in the closing exam.
    pub exam_games: usize,
}

impl TrainConfig {
    /// Defaults that take two to three minutes on two cores for Settlers.
    pub fn new(game: &Game, options: Options, seed: u64) -> Self {
        Self {
            game: game.id(),
            options,
            seed,
            population: 32,
            tables: 3,
            rounds: 16,
            snapshot_every: 8,
            ladder_tables: 60,
            pool: 6,
            exam_games: 1600,
        }
    }
}

/// When a run ends. Generations are always finished, so a run of N generations is the same run however long it took.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Budget {
    /// So many generations in all.
    Generations(u32),
    /// Begin no generation after so many seconds of this session.
    Seconds(f64),
    /// Begin no generation after so many games of the run.
    Games(u64),
}

/// What the caller is told while a run goes on.
pub trait Progress {
    /// A stretch of `games` games begins.
    fn begin(&mut self, generation: u32, what: MatchKind, games: usize);
    /// A game has ended.
    fn game(&mut self, outcome: &Outcome);
    /// A generation is in the store.
    fn generation(&mut self, summary: &Summary);
    /// A champion was frozen; these are the ladder's ratings now.
    fn champion(&mut self, standing: &Standing);
}

/// The newest champion beside the strongest anchor, both from the batch fit over all ladder games.
#[derive(Clone, PartialEq, Debug)]
pub struct Standing {
    /// Name of the champion.
    pub champion: String,
    /// Its Elo with its interval relative to the anchor.
    pub elo: agon_ratings::Interval,
    /// Name of the strongest anchor.
    pub anchor: String,
    /// The anchor's Elo.
    pub anchor_elo: f64,
}

/// Figures of a finished generation.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Summary {
    /// Its number, from 0.
    pub generation: u32,
    /// Games played in it.
    pub games: usize,
    /// Share of wins of all candidates.
    pub mean_wins: f64,
    /// Share of wins of the best candidate.
    pub best_wins: f64,
    /// Step size of the search.
    pub sigma: f64,
    /// Forfeited and void games.
    pub broken: usize,
}

/// State with which the next generation begins.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct State {
    search: Cma,
    elo: Vec<(i64, f64)>,
    champions: Vec<i64>,
    /// Rating of the distribution itself, where newcomers start.
    own_elo: f64,
    games: u64,
}

/// How a session ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// The budget is used up and the exam is played.
    Done,
    /// The caller asked to stop; the finished games are stored.
    Stopped,
}

/// A run that is open for training.
pub struct Training {
    game: Game,
    genome: Genome,
    config: TrainConfig,
    store: Store,
    _lock: RunLock,
    runner: Runner,
    workers: usize,
    makers: BTreeMap<i64, Maker>,
    anchors: Vec<i64>,
    next: u32,
    state: State,
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
        let genome = trainable(game)?;
        check(&config)?;
        let batch = Runner::new(game, &config.options, runner)?;
        let rules = crate::rules::fingerprint(game, &config.options)?;
        let store = Store::create(run, |s| {
            s.set_meta("config", &config)?;
            s.set_meta("rules", &rules)?;
            s.set_meta("made_by", &concat!("agon ", env!("CARGO_PKG_VERSION")))?;
            agon_policy::Players::of(game)
                .anchors()
                .try_for_each(|b| s.add_player(&Player::bot(game, b)).map(drop))
        })?;
        let lock = store.lock()?;
        let state = State {
            search: Cma::new(genome.genes.len(), config.population),
            elo: Vec::new(),
            champions: Vec::new(),
            own_elo: START,
            games: 0,
        };
        Self::assemble(game, genome, config, store, lock, batch, runner.workers, 0, state)
    }

    /// Continues the run in the folder `run`; `expect` are settings that were given explicitly and must agree.
    ///
    /// # Errors
    /// When there is no sound run, it is of another game or other rules, or a setting differs.
    pub fn resume(
        run: &Path,
        game: &Game,
        expect: &[(&str, String)],
        runner: &RunnerConfig,
    ) -> Result<Self, LeagueError> {
        let genome = trainable(game)?;
        let store = Store::open(run)?;
        let lock = store.lock()?;
        let config: TrainConfig = store.meta("config")?;
        let other = |what: &str, theirs: String, ours: String| LeagueError::OtherSettings {
            run: run.into(),
            what: what.into(),
            theirs,
            ours,
        };
        if config.game != game.id() {
            return Err(other("game", config.game, game.id()));
        }
        for (what, ours) in expect {
            let theirs = setting(&config, what);
            if theirs.as_ref().is_some_and(|t| t != ours) {
                return Err(other(what, theirs.unwrap_or_default(), ours.clone()));
            }
        }
        let config = TrainConfig { options: config.options.recheck(game.name, &game.options)?, ..config };
        let rules: String = store.meta("rules")?;
        let ours = crate::rules::fingerprint(game, &config.options)?;
        if rules != ours {
            return Err(other("rules of hash", rules, ours));
        }
        let batch = Runner::new(game, &config.options, runner)?;
        let (next, state) = match store.last_generation::<State>()? {
            Some((generation, state)) => (generation + 1, state),
            None => {
                let search = Cma::new(genome.genes.len(), config.population);
                (0, State { search, elo: Vec::new(), champions: Vec::new(), own_elo: START, games: 0 })
            }
        };
        Self::assemble(game, genome, config, store, lock, batch, runner.workers, next, state)
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "the two constructors above share this, nobody else calls it"
    )]
    fn assemble(
        game: &Game,
        genome: Genome,
        config: TrainConfig,
        store: Store,
        lock: RunLock,
        runner: Runner,
        workers: usize,
        next: u32,
        state: State,
    ) -> Result<Self, LeagueError> {
        let mut makers = BTreeMap::new();
        let mut anchors = Vec::new();
        for (id, player) in store.players()? {
            let Some(maker) = Maker::of(&player, game) else {
                let what = format!(
                    "the run seats {} v{}, which this build cannot play",
                    player.name, player.version
                );
                return Err(LeagueError::Request { what });
            };
            if player.kind == PlayerKind::Bot {
                anchors.push(id);
            }
            makers.insert(id, maker);
        }
        let workers = workers.max(1);
        let (game, genome) = (game.clone(), genome);
        Ok(Self { game, genome, config, store, _lock: lock, runner, workers, makers, anchors, next, state })
    }

    /// Settings of the run.
    pub const fn config(&self) -> &TrainConfig {
        &self.config
    }

    /// The store behind the run.
    pub const fn store(&self) -> &Store {
        &self.store
    }

    /// Generations that are finished.
    pub const fn generations(&self) -> u32 {
        self.next
    }

    /// Games of finished generations.
    pub const fn games(&self) -> u64 {
        self.state.games
    }

    /// Trains until the budget is used up or the caller stops it, then plays the exam.
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
            if spent {
                break;
            }
            if !self.generation(progress)? {
                return Ok(Ended::Stopped);
            }
        }
        Ok(if self.exam(progress)? { Ended::Done } else { Ended::Stopped })
    }

    /// Plays one generation; false when it was stopped before its end.
    fn generation(&mut self, progress: &mut dyn Progress) -> Result<bool, LeagueError> {
        let seeds = SeedSequence::new(self.config.seed).child(self.next);
        let points = self.state.search.ask(&mut seeds.child(0).child(1).rng());
        let parent = self.state.champions.last().copied();
        let mut elo = Elo::from_pairs(&self.state.elo);
        let candidates = self.enter_candidates(&points, parent, &mut elo)?;
        let mut schedule = self.draw_matches(&candidates, &elo, seeds);
        let matches = schedule.take_matches();
        let Some(outcomes) = self.play(MatchKind::Train, matches, progress)? else { return Ok(false) };

        let placing = placing(self.runner.spec().placing);
        let mut won: BTreeMap<i64, (f64, f64, u32)> = BTreeMap::new();
        for o in outcomes.iter().filter(|o| o.status != Status::Void) {
            elo.update(&o.game.seats, &o.ranks, placing);
            for (seat, player) in o.game.seats.iter().enumerate() {
                let entry = won.entry(*player).or_default();
                entry.0 += o.win_share(seat);
                entry.1 += o.margin(seat);
                entry.2 += 1;
            }
        }
        let mean = |of: fn(&(f64, f64, u32)) -> f64| -> Vec<f64> {
            candidates.iter().map(|id| won.get(id).map_or(0.0, |w| of(w) / f64::from(w.2.max(1)))).collect()
        };
        let wins = mean(|w| w.0);
        self.state.search.tell(&points, &mean(|w| w.0 + MARGIN_WEIGHT * w.1));
        let own: f64 = candidates.iter().map(|id| elo.rating(*id)).sum::<f64>() / candidates.len() as f64;
        self.state.own_elo = own;

        let mut games = outcomes.len();
        let mut broken =
            outcomes.iter().filter(|o| matches!(o.status, Status::Void | Status::Forfeit)).count();
        let frozen = (self.next + 1).is_multiple_of(self.config.snapshot_every) || self.next == 0;
        if frozen {
            let champion = self.snapshot(parent, &mut elo)?;
            let ladder = self.draw_ladder(champion, &elo, seeds, schedule);
            let Some(outcomes) = self.play(MatchKind::Ladder, ladder, progress)? else { return Ok(false) };
            for o in outcomes.iter().filter(|o| o.status != Status::Void) {
                elo.update(&o.game.seats, &o.ranks, placing);
            }
            games += outcomes.len();
            broken += outcomes.iter().filter(|o| matches!(o.status, Status::Void | Status::Forfeit)).count();
            self.state.champions.push(champion);
        }
        self.state.games += games as u64;
        let summary = Summary {
            generation: self.next,
            games,
            mean_wins: wins.iter().sum::<f64>() / wins.len() as f64,
            best_wins: wins.iter().copied().fold(0.0, f64::max),
            sigma: self.state.search.sigma,
            broken,
        };
        self.finish(&candidates, &elo, &summary)?;
        progress.generation(&summary);
        if frozen && let Some(standing) = self.standing()? {
            progress.champion(&standing);
        }
        Ok(true)
    }

    fn enter_candidates(
        &mut self,
        points: &[Vec<f64>],
        parent: Option<i64>,
        elo: &mut Elo,
    ) -> Result<Vec<i64>, LeagueError> {
        let (next, own) = (self.next, self.state.own_elo);
        let players: Vec<Player> = points
            .iter()
            .enumerate()
            .map(|(i, p)| {
                let genes = to_genes(p, self.genome.genes);
                Player::evolved(&self.game, &self.genome, format!("g{next}-{i}"), genes, next, parent)
            })
            .collect();
        let ids = self
            .store
            .transaction(|s| players.iter().map(|p| s.add_player(p)).collect::<Result<Vec<_>, _>>())?;
        for (id, player) in ids.iter().zip(&players) {
            elo.enter(*id, own);
            if let Some(maker) = Maker::of(player, &self.game) {
                self.makers.insert(*id, maker);
            }
        }
        Ok(ids)
    }

    /// Two kinds of tables. Among itself the population is compared four candidates a game; against opponents drawn
    /// by Elo around it, every candidate meets the same opponents on the same seeds, so that progress within the
    /// population is progress outside it too.
    fn draw_matches(&self, candidates: &[i64], elo: &Elo, seeds: SeedSequence) -> Schedule {
        let mut rng = seeds.child(0).child(2).rng();
        let mut pool = self.anchors.clone();
        pool.extend(self.state.champions.iter().rev().take(self.config.pool));
        let mut schedule = Schedule::new(self.config.seed, self.next);
        let mut order: Vec<i64> = candidates.to_vec();
        for _ in 0..self.config.rounds {
            rng.shuffle(&mut order);
            for group in order.chunks(self.runner.spec().seats) {
                schedule.next_table();
                let mut table = group.to_vec();
                let missing = self.runner.spec().seats - table.len();
                table.extend(draw(self.state.own_elo, &pool, elo, missing, &mut rng));
                schedule.add(MatchKind::Train, &table);
            }
        }
        for _ in 0..self.config.tables {
            schedule.next_table();
            let others = draw(self.state.own_elo, &pool, elo, self.runner.spec().seats - 1, &mut rng);
            for candidate in candidates {
                let table: Vec<i64> = std::iter::once(*candidate).chain(others.iter().copied()).collect();
                schedule.add(MatchKind::Train, &table);
            }
        }
        schedule
    }

    /// Freezes the centre of the distribution as a champion.
    fn snapshot(&mut self, parent: Option<i64>, elo: &mut Elo) -> Result<i64, LeagueError> {
        let genes = to_genes(&self.state.search.steady, self.genome.genes);
        let name = format!("champion-{}", self.next);
        let player = Player::evolved(&self.game, &self.genome, name, genes, self.next, parent);
        let id = self.store.add_player(&player)?;
        if let Some(maker) = Maker::of(&player, &self.game) {
            self.makers.insert(id, maker);
        }
        elo.enter(id, self.state.own_elo);
        Ok(id)
    }

    /// The new champion among anchors and earlier champions. One opponent a table is drawn from all champions,
    /// old ones included, so that progress in a circle shows on the ladder.
    fn draw_ladder(&self, champion: i64, elo: &Elo, seeds: SeedSequence, training: Schedule) -> Vec<Match> {
        let mut rng = seeds.child(0).child(3).rng();
        let mut schedule = training;
        let all: Vec<i64> = self.anchors.iter().chain(&self.state.champions).copied().collect();
        for table in 0..self.config.ladder_tables {
            schedule.next_table();
            let mut players = vec![champion, self.anchors[table % self.anchors.len()]];
            while players.len() < self.runner.spec().seats {
                if players.len() == 2 {
                    players.push(all[rng.below(all.len() as u32) as usize]);
                } else {
                    players.extend(draw(elo.rating(champion), &all, elo, 1, &mut rng));
                }
            }
            players.truncate(self.runner.spec().seats);
            schedule.add(MatchKind::Ladder, &players);
        }
        schedule.take_matches()
    }

    fn finish(&mut self, candidates: &[i64], elo: &Elo, summary: &Summary) -> Result<(), LeagueError> {
        let kept: BTreeSet<i64> = self.anchors.iter().chain(&self.state.champions).copied().collect();
        self.state.elo = elo.pairs().filter(|(id, _)| kept.contains(id)).collect();
        let (next, state) = (self.next, &self.state);
        let newest = state.champions.last().copied();
        self.store.transaction(|s| {
            for id in candidates {
                let detail = format!("{{\"elo\":{:.1}}}", elo.rating(*id));
                s.add_event(&Event {
                    generation: next,
                    what: "birth".into(),
                    player: Some(*id),
                    detail: "{}".into(),
                })?;
                s.add_event(&Event {
                    generation: next,
                    what: "retirement".into(),
                    player: Some(*id),
                    detail,
                })?;
            }
            if (next + 1).is_multiple_of(self.config.snapshot_every) || next == 0 {
                let detail = format!("{{\"sigma\":{}}}", state.search.sigma);
                s.add_event(&Event { generation: next, what: "snapshot".into(), player: newest, detail })?;
            }
            s.finish_generation(next, state, summary)
        })?;
        for id in candidates {
            if !kept.contains(id) {
                self.makers.remove(id);
            }
        }
        self.next += 1;
        Ok(())
    }

    fn standing(&self) -> Result<Option<Standing>, LeagueError> {
        let report = crate::report::Report::of_run(&self.store, &self.game)?;
        let rows = &report.standings.rows;
        let champion = rows.iter().find(|r| Some(r.id) == self.state.champions.last().copied());
        let anchor = rows.iter().find(|r| self.anchors.contains(&r.id));
        let rated = champion.and_then(|c| Some((c, c.elo?))).zip(anchor.and_then(|a| Some((a, a.elo?))));
        Ok(rated.map(|((champion, elo), (anchor, anchor_elo))| Standing {
            champion: champion.name.clone(),
            elo,
            anchor: anchor.name.clone(),
            anchor_elo: anchor_elo.estimate,
        }))
    }

    /// The best champion, one seat, against copies of each anchor on fresh seeds. Played once for a given length
    /// of the run; false when it was stopped before its end.
    fn exam(&mut self, progress: &mut dyn Progress) -> Result<bool, LeagueError> {
        let Some(best) = crate::report::best_champion(&self.store, &self.game)? else { return Ok(true) };
        let seats = self.runner.spec().seats;
        let mut schedule = Schedule::new(self.config.seed, EXAM_GENERATION + self.next);
        for anchor in &self.anchors {
            for _ in 0..tables_for(self.config.exam_games, seats) {
                schedule.next_table();
                let mut table = vec![*anchor; seats];
                table[0] = best;
                schedule.add(MatchKind::Exam, &table);
            }
        }
        Ok(self.play(MatchKind::Exam, schedule.take_matches(), progress)?.is_some())
    }

    /// Plays what is not in the store yet, storing as games end, and returns all outcomes by id; `None` when
    /// it was stopped before the end.
    fn play(
        &mut self,
        kind: MatchKind,
        matches: Vec<Match>,
        progress: &mut dyn Progress,
    ) -> Result<Option<Vec<Outcome>>, LeagueError> {
        let Some(generation) = matches.first().map(|m| m.generation) else { return Ok(Some(Vec::new())) };
        let begun = Instant::now();
        let mut known: Vec<Outcome> = self.store.matches_of(generation)?;
        let wanted: BTreeSet<i64> = matches.iter().map(|m| m.id).collect();
        known.retain(|o| wanted.contains(&o.game.id));
        let have: BTreeSet<i64> = known.iter().map(|o| o.game.id).collect();
        let open: Vec<Match> = matches.iter().filter(|m| !have.contains(&m.id)).cloned().collect();
        progress.begin(generation, kind, open.len());

        let (mut fresh, mut waiting) = (Vec::with_capacity(open.len()), Vec::new());
        let mut steps = 0;
        let mut saved = Instant::now();
        let store = &mut self.store;
        self.runner.play(&open, &self.makers, |outcome| {
            progress.game(&outcome);
            steps += i64::from(outcome.steps);
            waiting.push(outcome);
            if saved.elapsed().as_millis() >= SAVE_EVERY_MS {
                store.transaction(|s| s.add_matches(&waiting))?;
                fresh.append(&mut waiting);
                saved = Instant::now();
            }
            Ok(())
        })?;
        let timing = Timing {
            generation,
            wall_ms: begun.elapsed().as_millis() as i64,
            cpu_ms: 0,
            games: (fresh.len() + waiting.len()) as i64,
            steps,
            workers: self.workers as i64,
        };
        store.transaction(|s| {
            s.add_matches(&waiting)?;
            s.add_timing(&timing)
        })?;
        fresh.append(&mut waiting);
        let complete = fresh.len() == open.len();
        known.append(&mut fresh);
        known.sort_by_key(|o| o.game.id);
        Ok(complete.then_some(known))
    }
}

/// Weight of the point margin beside the share of wins in a candidate's fitness. A close loss then counts for more
/// than a hopeless one, which tells candidates apart in fewer games; ratings know wins alone.
const MARGIN_WEIGHT: f64 = 1.0;
/// Finished games wait at most so long for the store.
const SAVE_EVERY_MS: u128 = 500;
/// Exams are kept apart from generations by their number.
pub const EXAM_GENERATION: u32 = 1 << 24;

/// The placing rule of a game, as the ratings crate names it.
pub(crate) const fn placing(placing: Placing) -> agon_ratings::Placing {
    match placing {
        Placing::Full => agon_ratings::Placing::Full,
        Placing::WinnerOnly | Placing::None => agon_ratings::Placing::WinnerOnly,
    }
}

fn trainable(game: &Game) -> Result<Genome, LeagueError> {
    game.genome.ok_or_else(|| LeagueError::Request {
        what: format!("{} has no trainable player: `agon games` lists the games that have one", game.id()),
    })
}

fn check(config: &TrainConfig) -> Result<(), LeagueError> {
    let range = |name: &str, value: usize, low: usize, high: usize| {
        if (low..=high).contains(&value) {
            return Ok(());
        }
        Err(LeagueError::Request { what: format!("{name} = {value} is not from {low} to {high}") })
    };
    range("population", config.population, 4, 1000)?;
    range("tables", config.tables, 1, 10_000)?;
    range("rounds", config.rounds, 0, 10_000)?;
    range("exam games", config.exam_games, 0, 1_000_000)
}

/// A setting as text, to compare with what was given on resuming.
fn setting(config: &TrainConfig, what: &str) -> Option<String> {
    match what {
        "seed" => Some(config.seed.to_string()),
        "population" => Some(config.population.to_string()),
        "tables" => Some(config.tables.to_string()),
        "rounds" => Some(config.rounds.to_string()),
        option => {
            config.options.iter().find(|(name, _)| *name == option).map(|(_, v)| OptionValue::to_string(v))
        }
    }
}
