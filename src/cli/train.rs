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
    let runner = players::runner(
        &args.play,
        "\nstopping: games in flight are finished and saved (again to stop at once)",
    );
    let folder = folder(game, args)?;
    let mut training = if args.resume {
        Training::resume(&folder, game, &explicit(args), &runner)?
    } else {
        let mut config = TrainConfig::new(game, options, args.seed.unwrap_or(DEFAULT_SEED));
        config.population = args.population.unwrap_or(config.population);
        config.rounds = args.rounds.unwrap_or(config.rounds);
        config.tables = args.tables.unwrap_or(config.tables);
        config.exam_games = args.exam_games.unwrap_or(config.exam_games);
        config.pool = args.pool.unwrap_or(config.pool);
        config.pairing = args.pairing.unwrap_or(config.pairing);
        config.search = args.search.unwrap_or(config.search);
        // A refused training leaves no empty folder behind.
        Training::create(&folder, game, config, &runner).inspect_err(|_| _ = std::fs::remove_dir(&folder))?
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
        let again = format!(
            "agon train {} --resume --run '{}' --budget {}",
            game.name,
            folder.display(),
            args.budget
        );
        output::note(&format!("stopped; everything finished is saved. Continue with:\n    {again}"));
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
    list.extend(args.exam_games.map(|x| ("exam_games", x.to_string())));
    list.extend(args.tables.map(|x| ("tables", x.to_string())));
    list.extend(args.pool.map(|x| ("pool", x.to_string())));
    list.extend(args.pairing.map(|x| ("pairing", x.to_string())));
    list.extend(args.search.map(|x| ("search", x.to_string())));
    list
}

/// The run's folder: the given one, the newest to resume, or a new one that nobody else can have taken.
fn folder(game: &Game, args: &TrainArgs) -> Result<PathBuf, CliError> {
    if let Some(run) = &args.run {
        return Ok(run.clone());
    }
    let numbered = |n: u32| Path::new(RUNS).join(format!("{}-{n}", game.name));
    if args.resume {
        let taken = (1..).take_while(|n| numbered(*n).exists()).collect::<Vec<u32>>();
        let runs = taken.into_iter().rev().map(numbered);
        return runs.filter(|run| run.join(STORE_FILE).exists()).max_by_key(|run| changed(run)).ok_or_else(
            || {
                CliError::Request(format!(
                    "no run of {} in {RUNS}/ to resume: name one with --run DIR",
                    game.name
                ))
            },
        );
    }
    let failed = |path: &Path, e: std::io::Error| CliError::File {
        path: path.into(),
        why: format!("cannot be made ({e}): name a folder of yours with --run DIR"),
    };
    std::fs::create_dir_all(RUNS).map_err(|e| failed(Path::new(RUNS), e))?;
    for n in 1.. {
        let run = numbered(n);
        // Making the folder is what takes the number: two trainings begun together get two of them.
        match std::fs::create_dir(&run) {
            Ok(()) => return Ok(run),
            Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(e) => return Err(failed(&run, e)),
        }
    }
    unreachable!("the numbers do not end")
}

fn changed(run: &Path) -> Option<std::time::SystemTime> {
    std::fs::metadata(run.join(STORE_FILE)).and_then(|m| m.modified()).ok()
}
