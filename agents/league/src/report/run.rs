//! The fold over a whole run.

use super::{
    exam::{Exam, Exams},
    fold::{Fold, check_shape},
    share::{Share, Tally},
    speed::{Throughput, throughput},
    standings::Standings,
    verdict::verdict,
};
use crate::{
    error::LeagueError,
    matches::{MatchKind, Outcome, Status},
    player::{Player, PlayerKind},
    schedule::tables_for,
    store::Store,
    train::{Summary, TrainConfig},
};
use agon_ratings::{GameResult, Interval};
use rl_gym::{Game, OptionValue, Options, Placing};
use serde::{Deserialize, Serialize};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

/// Everything that can be said about a run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Report {
    /// What the run is.
    pub run: Identity,
    /// The outcome in one or two plain sentences.
    pub verdict: String,
    /// Id of the best champion; see [`super::best_champion`].
    pub best: Option<i64>,
    /// Name of it.
    pub best_name: Option<String>,
    /// How far it has come.
    pub progress: RunProgress,
    /// Anchors and champions by the ladder games of finished generations; no training or exam games.
    pub standings: Standings,
    /// The champions in order of their birth, rated by the same fit.
    pub curve: Vec<CurvePoint>,
    /// The newest exam against each anchor.
    pub exams: Vec<Exam>,
    /// The finished generations.
    pub generations: Vec<GenerationRow>,
    /// Whom candidates met in training.
    pub opponents: Vec<Opponent>,
    /// Speed, by number of workers; clock times.
    pub throughput: Vec<Throughput>,
}

/// What the run is: under these values it can be repeated.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Identity {
    /// Game id, `name-vN`.
    pub game: String,
    /// One line about the game.
    pub summary: String,
    /// Options of the game.
    pub options: Options,
    /// Names of those that differ from the game's defaults.
    pub options_set: Vec<String>,
    /// Root seed.
    pub seed: u64,
    /// Fingerprint of the rules as played.
    pub rules: String,
    /// The build that began it.
    pub made_by: String,
    /// All settings.
    pub config: TrainConfig,
}

/// How far a run has come, in games by kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct RunProgress {
    /// Finished generations.
    pub generations: u32,
    /// Champions frozen in them.
    pub champions: u64,
    /// All stored games.
    pub games: u64,
    /// Training games of finished generations.
    pub train: u64,
    /// Ladder games of finished generations.
    pub ladder: u64,
    /// Exam games, older exams included.
    pub exam: u64,
    /// Games of the generation in progress, or of players added while the store was read; not part of any figure.
    pub pending: u64,
    /// Forfeited training games.
    pub train_forfeits: u64,
    /// Void training games.
    pub train_void: u64,
    /// Training games cut by a limit.
    pub train_truncated: u64,
}

/// A champion on the rating curve.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CurvePoint {
    /// Generation of its birth.
    pub generation: u32,
    /// Player id.
    pub id: i64,
    /// Name.
    pub name: String,
    /// Elo with its 95 % interval; `None` when it is not comparable.
    pub elo: Option<Interval>,
}

/// A finished generation.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GenerationRow {
    /// The figures stored when it ended.
    pub summary: Summary,
    /// Win rate of all its candidates in training, recomputed from the games. It depends on the opponents
    /// that matchmaking drew.
    pub win_rate: Option<Share>,
}

/// An anchor or champion as training opponent.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Opponent {
    /// Player id.
    pub id: i64,
    /// Name.
    pub name: String,
    /// Training games in which it sat.
    pub games: u64,
    /// Win rate of the candidates in those games.
    pub candidates: Option<Share>,
}

impl Report {
    /// Folds the store of a run. Open it with [`Store::open_read`] while a training goes on: that is one state,
    /// whatever is written meanwhile.
    ///
    /// # Errors
    /// When the store cannot be read, belongs to another game, or holds games of the wrong form.
    pub fn of_run(store: &Store, game: &Game) -> Result<Self, LeagueError> {
        let gathered = Gathered::new(store, game)?;
        let standings = gathered.standings()?;
        let best = gathered.best(&standings);
        let best_name = best.and_then(|id| gathered.players.get(&id)).map(|p| p.name.clone());
        let curve = gathered.curve(&standings);
        let config = gathered.config.clone();
        let planned = tables_for(config.exam_games, gathered.seats) * gathered.seats;
        let exams = gathered.exams.latest(&gathered.players, planned as u64, gathered.seats);
        Ok(Self {
            verdict: verdict(&exams, best_name.as_deref(), gathered.seats),
            run: Identity {
                game: config.game.clone(),
                summary: game.summary.into(),
                options: config.options.clone(),
                options_set: set_apart(&config.options, &game.defaults()),
                seed: config.seed,
                rules: store.meta("rules")?,
                made_by: store.meta("made_by")?,
                config,
            },
            best,
            best_name,
            progress: gathered.progress,
            standings,
            curve,
            exams,
            generations: gathered.generations(),
            opponents: gathered.opponents(),
            throughput: throughput(&store.timings()?),
        })
    }
}

/// One pass over a store.
pub(crate) struct Gathered {
    config: TrainConfig,
    seats: usize,
    placing: Placing,
    players: BTreeMap<i64, Player>,
    /// Greatest id among them: a greater one was added after they were read.
    newest: i64,
    /// Champions of finished generations, oldest first.
    champions: Vec<i64>,
    /// The same, to look them up.
    frozen: BTreeSet<i64>,
    summaries: Vec<(u32, Summary)>,
    /// Anchors and champions: the players of the ladder.
    ladder_players: Vec<(i64, Player)>,
    ladder: Fold,
    exams: Exams,
    training: Training,
    progress: RunProgress,
}

/// Sums over training games.
#[derive(Default)]
struct Training {
    by_generation: BTreeMap<u32, Tally>,
    by_opponent: BTreeMap<i64, (u64, Tally)>,
}

impl Gathered {
    pub(crate) fn new(store: &Store, game: &Game) -> Result<Self, LeagueError> {
        let config: TrainConfig = store.meta("config")?;
        let (seats, placing) = table_of(&config, game, store.path())?;
        // A finished generation has all its rows. What comes later is read last, and games of players that were not
        // there yet count as pending.
        let summaries: Vec<(u32, Summary)> = store.summaries()?;
        let finished: BTreeSet<u32> = summaries.iter().map(|(g, _)| *g).collect();
        let mut champions: Vec<i64> = Vec::new();
        let events = store.events()?;
        let players: BTreeMap<i64, Player> = store.players()?.into_iter().collect();
        for event in events.iter().filter(|e| e.what == "snapshot" && finished.contains(&e.generation)) {
            champions.extend(event.player.filter(|id| players.contains_key(id) && !champions.contains(id)));
        }
        let is_anchor = |p: &Player| p.kind == PlayerKind::Bot;
        let anchors = players.iter().filter(|(_, p)| is_anchor(p)).map(|(id, _)| *id);
        let ladder_players: Vec<(i64, Player)> =
            anchors.chain(champions.iter().copied()).map(|id| (id, players[&id].clone())).collect();
        let mut gathered = Self {
            ladder: Fold::new(&ladder_players, placing, seats),
            progress: RunProgress {
                generations: finished.len() as u32,
                champions: champions.len() as u64,
                ..RunProgress::default()
            },
            exams: Exams::default(),
            training: Training::default(),
            config,
            seats,
            placing,
            newest: players.last_key_value().map_or(i64::MIN, |(id, _)| *id),
            players,
            frozen: champions.iter().copied().collect(),
            champions,
            summaries,
            ladder_players,
        };
        let mut result = Ok(());
        store.each_match(|o| {
            if result.is_ok() {
                result = gathered.add(&o, &finished);
            }
        })?;
        result.map(|()| gathered)
    }

    fn add(&mut self, o: &Outcome, finished: &BTreeSet<u32>) -> Result<(), LeagueError> {
        self.progress.games += 1;
        let is_unfinished = o.game.kind != MatchKind::Exam && !finished.contains(&o.game.generation);
        if is_unfinished || o.game.seats.iter().any(|id| *id > self.newest && !self.players.contains_key(id))
        {
            self.progress.pending += 1;
            return Ok(());
        }
        if o.game.kind == MatchKind::Exam {
            self.progress.exam += 1;
            return self.exams.add(o, &self.players, self.seats);
        }
        if o.game.kind == MatchKind::Ladder {
            self.progress.ladder += 1;
            return self.ladder.add(o);
        }
        self.train(o)
    }

    fn train(&mut self, o: &Outcome) -> Result<(), LeagueError> {
        check_shape(o, self.seats)?;
        self.progress.train += 1;
        match o.status {
            Status::Won => {}
            Status::Forfeit => self.progress.train_forfeits += 1,
            Status::Truncated => self.progress.train_truncated += 1,
            Status::Void => {
                self.progress.train_void += 1;
                return Ok(());
            }
        }
        // Champions of earlier generations are opponents; all other genomes are candidates, also such that stayed
        // in the population from one generation to the next.
        let is_candidate = |id: &i64| {
            let is_evolved = |p: &Player| matches!(p.kind, PlayerKind::Evolved { .. });
            self.players.get(id).is_some_and(is_evolved) && !self.frozen.contains(id)
        };
        let seats = &o.game.seats;
        let (candidates, others): (Vec<usize>, Vec<usize>) =
            (0..seats.len()).partition(|s| is_candidate(&seats[*s]));
        let own = self.training.by_generation.entry(o.game.generation).or_default();
        candidates.iter().for_each(|s| own.push(o.game.block, 1.0, o.win_share(*s)));
        for (at, seat) in others.iter().enumerate() {
            if others[..at].iter().any(|s| seats[*s] == seats[*seat]) {
                continue;
            }
            let (games, tally) = self.training.by_opponent.entry(seats[*seat]).or_default();
            *games += 1;
            candidates.iter().for_each(|s| tally.push(o.game.block, 1.0, o.win_share(*s)));
        }
        Ok(())
    }

    /// The players of the ladder and their rated games.
    pub(crate) fn ladder(&self) -> (&[(i64, Player)], &[GameResult]) {
        (&self.ladder_players, &self.ladder.results)
    }

    pub(crate) fn standings(&self) -> Result<Standings, LeagueError> {
        Standings::of_fold(&self.ladder_players, &self.ladder, self.placing, self.seats)
    }

    /// The champion with the greatest lower limit, the newest among equals and when there is none.
    pub(crate) fn best(&self, standings: &Standings) -> Option<i64> {
        let low = |id: i64| standings.row(id).and_then(|r| r.elo).map_or(f64::NEG_INFINITY, |e| e.low);
        // The last of equal ones is the newest.
        self.champions.iter().copied().max_by(|a, b| low(*a).total_cmp(&low(*b)))
    }

    fn curve(&self, standings: &Standings) -> Vec<CurvePoint> {
        let point = |id: &i64| {
            let row = standings.row(*id)?;
            Some(CurvePoint { generation: row.generation?, id: *id, name: row.name.clone(), elo: row.elo })
        };
        self.champions.iter().filter_map(point).collect()
    }

    fn generations(&self) -> Vec<GenerationRow> {
        let row = |(generation, summary): &(u32, Summary)| GenerationRow {
            summary: summary.clone(),
            win_rate: self.training.by_generation.get(generation).and_then(Tally::share),
        };
        self.summaries.iter().map(row).collect()
    }

    fn opponents(&self) -> Vec<Opponent> {
        let name = |id: &i64| self.players.get(id).map_or_else(|| format!("player {id}"), |p| p.name.clone());
        let row = |(id, (games, tally)): (&i64, &(u64, Tally))| Opponent {
            id: *id,
            name: name(id),
            games: *games,
            candidates: tally.share(),
        };
        self.training.by_opponent.iter().map(row).collect()
    }
}

/// The options whose values are not the defaults.
fn set_apart(options: &Options, defaults: &Options) -> Vec<String> {
    let default = |name: &str| defaults.iter().find(|(n, _)| *n == name).map(|(_, value)| value);
    let is_set = |(name, value): &(&str, &OptionValue)| default(name) != Some(*value);
    options.iter().filter(is_set).map(|(name, _)| name.to_owned()).collect()
}

/// Seats and placing of the run's game.
fn table_of(config: &TrainConfig, game: &Game, store: &Path) -> Result<(usize, Placing), LeagueError> {
    if config.game != game.id() {
        return Err(LeagueError::OtherSettings {
            run: store.parent().unwrap_or(store).into(),
            what: "game".into(),
            theirs: config.game.clone(),
            ours: game.id(),
        });
    }
    let options = config.options.recheck(game.name, &game.options)?;
    let env = (game.make)(&options)?;
    Ok((env.spec().seats, env.spec().placing))
}
