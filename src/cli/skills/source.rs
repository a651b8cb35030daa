//! Where skills are mined from: teachers at play, or the stored matches of a run.

use super::{
    args::DistillArgs,
    place,
    progress::Shown,
    setup::{Setup, is_stopped, player},
};
use crate::cli::{CliError, args::Loudness};
use agon_league::{Kept, MatchKind, Outcome, Rerun, Status, Store, TrainConfig};
use agon_policy::Players;
use agon_skill::{Seed, Seeds, Train};
use agon_skill_agent::{PlayConfig, arm};
use agon_skill_distill::Rollouts;
use agon_skill_practice::collect;
use rl_gym::{Game, Options, Registry, suggest};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

/// What is mined, and where it goes.
pub(super) struct Source {
    pub(super) game: Game,
    pub(super) setup: Setup,
    pub(super) options: Options,
    pub(super) folder: PathBuf,
    pub(super) rollouts: Rollouts,
    /// Matches that could not be used, of a run.
    pub(super) left_out: usize,
}

impl Source {
    /// The source that was typed: the folder of a run, or a game.
    pub(super) fn of(
        games: &Registry,
        args: &DistillArgs,
        play: &PlayConfig,
        loudness: Loudness,
    ) -> Result<Self, CliError> {
        let run = Path::new(&args.source);
        if place::is_run(run) {
            of_run(games, run, args, play, loudness)
        } else {
            of_game(games, args, play, loudness)
        }
    }
}

/// Teachers at play, on train seeds.
fn of_game(
    games: &Registry,
    args: &DistillArgs,
    play: &PlayConfig,
    loudness: Loudness,
) -> Result<Source, CliError> {
    let path = Path::new(&args.source);
    let is_path = path.exists() || args.source.contains(std::path::MAIN_SEPARATOR);
    let game = match games.find(&args.source) {
        Ok(game) => game.clone(),
        Err(_) if is_path => {
            let why = "holds no run to mine: name the folder of a run, or a game".into();
            return Err(CliError::File { path: path.into(), why });
        }
        Err(error) => return Err(error.into()),
    };
    place::find_game(games, game.name)?;
    let folder = args.bank.clone().unwrap_or_else(|| place::usual(&game, ""));
    let setup = Setup::read(&folder, &game)?.with(&args.task, None);
    let mut taught = setup.clone();
    taught.options.extend(args.teach.iter().cloned());
    let (options, teach_options) = (setup.options(&game)?, taught.options(&game)?);
    let names = match &args.from[..] {
        [] => vec![strongest(&game, &options)?],
        named => named.iter().map(|name| name.trim().to_owned()).collect(),
    };
    let mut teachers = Vec::new();
    for name in &names {
        let (_, make) = player(&game, &teach_options, name)?;
        // Two of a kind often draw, and where all games end alike there is nothing to learn from; more of a kind do not.
        let seats = (game.make)(&teach_options)?.spec().seats;
        let lead = if seats == 2 { "random" } else { name.as_str() };
        teachers.push((name, make, taught.task(&game, lead)?.0));
    }
    let shown = Shown::new(loudness, "teachers", u64::from(args.episodes) * names.len() as u64, play);
    let mut rollouts = Rollouts::in_words(&game.id(), place::words(&game, &options)?);
    for (turn, (name, make, task)) in (0..).zip(&teachers) {
        let seeds: Vec<Seed<Train>> =
            Seeds::new(args.work.seed, 0).range(turn * args.episodes, args.episodes).collect();
        let (played, episodes) = collect(task, &arm(make.clone()), name, &seeds, play)?;
        if !episodes.is_empty() {
            let score = episodes.iter().map(|e| e.score).sum::<f64>() / episodes.len() as f64;
            shown.say(&format!("{name}: mean score {score:.3} over {} episodes", episodes.len()));
        }
        rollouts.absorb(played)?;
    }
    drop(shown);
    Ok(Source { game, setup, options, folder, rollouts, left_out: 0 })
}

/// The strongest of the game's players that does not search: searching takes long, and there are hundreds of episodes.
fn strongest(game: &Game, options: &Options) -> Result<String, CliError> {
    let env = (game.make)(options)?;
    let players = Players::of(game);
    let quick = players.iter().filter(|bot| !(bot.make)(env.spec()).wants_simulator());
    // `random` is a player of every game.
    Ok(quick.last().map_or_else(|| "random".into(), |bot| bot.name.to_owned()))
}

/// Stored matches of a run. They are of train seeds by nature; those of exams are a test of their own and stay out.
fn of_run(
    games: &Registry,
    run: &Path,
    args: &DistillArgs,
    play: &PlayConfig,
    loudness: Loudness,
) -> Result<Source, CliError> {
    let given = (!args.task.option.is_empty() || !args.teach.is_empty()).then_some("options");
    if let Some(what) = given.or_else(|| (!args.task.opponents.is_empty()).then_some("--opponents")) {
        return Err(CliError::Request(format!(
            "{what} are those of the run's matches: leave them out, or name a game to play in place of the run"
        )));
    }
    let store = Store::open_read(run)?;
    let config: TrainConfig = store.meta("config")?;
    let game = games.find(&config.game)?.clone();
    let options = config.options.recheck(game.name, &game.options)?;
    let names: BTreeMap<i64, String> = store.players()?.into_iter().map(|(id, p)| (id, p.name)).collect();
    let wanted = wanted(&names, args, run)?;
    let mut matches: Vec<Outcome> = Vec::new();
    store.each_match(|outcome| {
        let is_whole = matches!(outcome.status, Status::Won | Status::Truncated);
        let is_wanted = wanted.is_empty() || outcome.game.seats.iter().any(|id| wanted.contains(id));
        if is_whole && is_wanted && outcome.game.kind != MatchKind::Exam {
            matches.push(outcome);
        }
    })?;
    let skipped = matches.len().saturating_sub(args.matches as usize);
    let words = place::words(&game, &options)?;
    let mut rollouts = Rollouts::in_words(&game.id(), words);
    let mut rerun = Rerun::new(&game, &options)?;
    let mut left_out = 0;
    let shown = Shown::new(loudness, "stored matches", (matches.len() - skipped) as u64, play);
    for outcome in &matches[skipped..] {
        if is_stopped(&play.stop) {
            break;
        }
        play.ended.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let kept: Option<Kept> = store.kept(outcome.game.id)?;
        let label = |id: &i64| names.get(id).cloned().unwrap_or_else(|| format!("player {id}"));
        let seats = outcome.game.seats.iter().map(label).collect();
        let replay = kept.map(|kept| rerun.replay(outcome, &kept, seats));
        let taken = match replay {
            Some(Ok(replay)) => rollouts.replay(&game, &replay, outcome.game.id as u64).map(drop),
            Some(Err(error)) => {
                shown.say(&format!("note: match {} is left out: {error}", outcome.game.id));
                left_out += 1;
                continue;
            }
            None => {
                left_out += 1;
                continue;
            }
        };
        taken?;
    }
    drop(shown);
    let folder = args.bank.clone().unwrap_or_else(|| run.join(place::IN_RUN));
    let mut setup = Setup::read(&folder, &game)?;
    setup.options = options.iter().map(|(name, value)| (name.to_owned(), value.to_string())).collect();
    Ok(Source { game, setup, options, folder, rollouts, left_out })
}

/// Numbers of the players whose matches are wanted.
fn wanted(names: &BTreeMap<i64, String>, args: &DistillArgs, run: &Path) -> Result<Vec<i64>, CliError> {
    let mut wanted = Vec::new();
    for name in args.from.iter().map(|name| name.trim()) {
        let of: Vec<i64> = names.iter().filter(|(_, n)| *n == name).map(|(id, _)| *id).collect();
        if of.is_empty() {
            let all: Vec<String> = names.values().cloned().collect();
            let near = suggest(name, &all).map_or_else(String::new, |n| format!("; nearest: \"{n}\""));
            return Err(CliError::Request(format!(
                "no player \"{name}\" in this run{near}; `agon report {}` names anchors and champions",
                run.display()
            )));
        }
        wanted.extend(of);
    }
    Ok(wanted)
}
