//! `agon train`.

use crate::cli::{
    CliError, Ending,
    args::{Loudness, TrainArgs},
    output, players,
    progress::Shown,
};
use agon_league::{Ended, STORE_FILE, TrainConfig, Training, report};
use rl_gym::{Game, Registry};
use std::path::{Path, PathBuf};

/// Seed of a run for which none is given: runs are repeatable unless asked otherwise.
const DEFAULT_SEED: u64 = 1;
const RUNS: &str = "runs";

pub(crate) fn run(games: &Registry, args: &TrainArgs, loudness: Loudness) -> Result<Ending, CliError> {
    let game = games.find(&args.game.game)?;
    let given = args.game.option.iter().map(|(k, v)| (k.as_str(), v.as_str()));
    let options = game.resolve(given)?;
    let runner = players::runner(&args.play);
    let folder = folder(game, args)?;
    let mut training = if args.resume {
        Training::resume(&folder, game, &explicit(args), &runner)?
    } else {
        let mut config = TrainConfig::new(game, options, args.seed.unwrap_or(DEFAULT_SEED));
        config.population = args.population.unwrap_or(config.population);
        config.rounds = args.rounds.unwrap_or(config.rounds);
        config.tables = args.tables.unwrap_or(config.tables);
        config.exam_games = args.exam_games.unwrap_or(config.exam_games);
        Training::create(&folder, game, config, &runner)?
    };
    if loudness != Loudness::Quiet {
        let at =
            if args.resume { format!(" from generation {}", training.generations()) } else { String::new() };
        output::note(&format!(
            "training {} in {}{at}: {} candidates a generation, seed {}, {} workers (Ctrl-C saves and stops)",
            game.id(),
            folder.display(),
            training.config().population,
            training.config().seed,
            runner.workers
        ));
    }
    let mut shown = Shown::training(loudness, args.budget.0, training.generations(), training.games());
    let ended = training.run(args.budget.0, &mut shown)?;
    shown.finish();
    if ended == Ended::Stopped {
        let again = format!("agon train {} --resume --run {}", game.name, folder.display());
        output::note(&format!("stopped; everything finished is saved. Continue with `{again}`."));
    }
    let report = report::Report::of_run(training.store(), game)?;
    output::result(&report::terminal(&report))?;
    if loudness != Loudness::Quiet {
        output::note(&format!("page of this run: agon report {} --html report.html", folder.display()));
    }
    Ok(if ended == Ended::Done { Ending::Done } else { Ending::Interrupted })
}

/// Settings that were typed and so must agree with those of a resumed run.
fn explicit(args: &TrainArgs) -> Vec<(&str, String)> {
    let mut list: Vec<(&str, String)> =
        args.game.option.iter().map(|(k, v)| (k.as_str(), v.clone())).collect();
    list.extend(args.seed.map(|x| ("seed", x.to_string())));
    list.extend(args.population.map(|x| ("population", x.to_string())));
    list.extend(args.rounds.map(|x| ("rounds", x.to_string())));
    list.extend(args.tables.map(|x| ("tables", x.to_string())));
    list
}

fn folder(game: &Game, args: &TrainArgs) -> Result<PathBuf, CliError> {
    if let Some(run) = &args.run {
        return Ok(run.clone());
    }
    let numbered = |n: u32| Path::new(RUNS).join(format!("{}-{n}", game.name));
    let first_free = (1..).find(|n| !numbered(*n).exists()).unwrap_or(1);
    if !args.resume {
        return Ok(numbered(first_free));
    }
    (1..first_free).rev().map(numbered).find(|run| run.join(STORE_FILE).exists()).ok_or_else(|| {
        CliError::Request(format!("no run of {} in {RUNS}/ to resume: name one with --run DIR", game.name))
    })
}
