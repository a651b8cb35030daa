//! Players as typed: `greedy`, `runs/settlers-1:best`, `runs/settlers-1:champion-39`, `greedy+banks/settlers`.

use crate::cli::{CliError, output, skills};
use agon_league::{Maker, Player, PlayerKind, RunnerConfig, Store, TrainConfig, report};
use agon_policy::{
    Players,
    stdio::{Program, Protocol},
};
use rl_gym::{Game, Options};
use std::{path::Path, sync::Arc, sync::atomic::AtomicBool, time::Duration};

/// What begins the name of a player that is a program.
const PROGRAM: &str = "cmd:";

/// The player that `text` names, with its maker; a program among them has `limit` for a decision.
pub(crate) fn resolve_timed(
    game: &Game,
    options: &Options,
    text: &str,
    limit: Duration,
) -> Result<(Player, Maker), CliError> {
    let Some(command) = text.strip_prefix(PROGRAM) else { return resolve(game, options, text) };
    let protocol = Protocol::of(&*(game.make)(options)?).map_err(rl_gym::GymError::from)?;
    let program =
        Program::new(protocol, command).map_err(|e| CliError::Request(format!("player \"{text}\": {e}")))?;
    let program = program.with_limit(limit);
    Ok((Player::program(game, text.to_owned()), Maker::Made(Arc::new(move |_| program.policy()))))
}

/// The player that `text` names, with its maker.
pub(crate) fn resolve(game: &Game, options: &Options, text: &str) -> Result<(Player, Maker), CliError> {
    if let Some(resolved) = skills::resolve_with_bank(game, options, text) {
        return resolved;
    }
    let Some((run, name)) = text.rsplit_once(':') else {
        let players = Players::of(game);
        let bot = players.find(text)?;
        return Ok((Player::bot(game, bot), Maker::Bot(bot.make)));
    };
    let store = Store::open_read(Path::new(run))?;
    let config: TrainConfig = store.meta("config")?;
    if config.game != game.id() {
        return Err(CliError::Request(format!("run {run} is one of {}, not of {}", config.game, game.id())));
    }
    let differing: Vec<String> = options
        .iter()
        .filter(|(name, value)| config.options.iter().any(|(n, v)| n == *name && v != *value))
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    if !differing.is_empty() {
        let here = differing.join(" ");
        output::note(&format!(
            "note: {text} was trained under other options than those of this ladder ({here})"
        ));
    }
    let players = store.players()?;
    let found = if name == "best" {
        let best = report::best_champion(&store, game)?;
        players.into_iter().find(|(id, _)| Some(*id) == best)
    } else {
        players.into_iter().find(|(_, p)| p.name == name && p.kind != PlayerKind::Bot)
    };
    let Some((_, player)) = found else {
        let why = format!(
            "run {run} has no player \"{name}\": write {run}:best or one of the names in `agon report {run}`"
        );
        return Err(CliError::Request(why));
    };
    let maker = Maker::of(&player, game).ok_or_else(|| {
        CliError::Request(format!(
            "player \"{name}\" of {run} belongs to another game or version than {}",
            game.id()
        ))
    })?;
    let label = Player { name: format!("{run}:{}", player.name), ..player };
    Ok((label, maker))
}

/// Runner settings as typed, with the stop flag wired to Ctrl-C, which then says `stopping`.
pub(crate) fn runner(args: &crate::cli::args::PlayArgs, stopping: &'static str) -> RunnerConfig {
    let stop = stop_flag(stopping);
    let mut config =
        RunnerConfig { lanes: args.lanes.into(), hosted: !args.bare, stop, ..RunnerConfig::default() };
    if let Some(workers) = args.workers {
        config.workers = workers.into();
    }
    config
}

/// A flag that the first Ctrl-C sets; the second one ends the process.
pub(crate) fn stop_flag(stopping: &'static str) -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let set = flag.clone();
    // Without a handler Ctrl-C simply ends the process, which loses nothing that was acknowledged.
    _ = ctrlc::set_handler(move || {
        if set.swap(true, std::sync::atomic::Ordering::Relaxed) {
            std::process::exit(crate::cli::INTERRUPTED.into());
        }
        output::note(stopping);
    });
    flag
}
