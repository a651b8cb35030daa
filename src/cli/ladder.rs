//! `agon ladder`.

use crate::cli::{
    CliError, Ending,
    args::{LadderArgs, Loudness},
    output, players,
    progress::Shown,
};
use agon_league::{play_ladder, report};
use rl_gym::Registry;

pub(crate) fn run(games: &Registry, args: &LadderArgs, loudness: Loudness) -> Result<Ending, CliError> {
    let game = games.find(&args.game.game)?;
    let options = game.resolve(args.game.option.iter().map(|(k, v)| (k.as_str(), v.as_str())))?;
    let spec = (game.make)(&options)?.spec().clone();
    let seated = args
        .agents
        .iter()
        .map(|a| players::resolve_timed(game, &options, a.trim(), args.time_limit.0))
        .collect::<Result<Vec<_>, _>>()?;
    for (i, (player, _)) in seated.iter().enumerate() {
        if seated[..i].iter().any(|(p, _)| p.hash == player.hash) {
            return Err(CliError::Request(format!(
                "player \"{}\" is named twice: name every player once",
                player.name
            )));
        }
    }
    let runner =
        players::runner(&args.play, "\nstopping: games in flight are finished (again to stop at once)");
    let mut shown = Shown::games(loudness);
    let ladder = play_ladder(game, &options, seated, args.seed, args.games as usize, &runner, &mut shown)?;
    shown.finish();
    let named: Vec<_> = ladder.players.iter().cloned().enumerate().map(|(i, p)| (i as i64, p)).collect();
    let standings = report::Standings::new(&named, &ladder.outcomes, spec.placing, spec.seats)?;
    if args.json {
        output::json(&standings)?;
    } else {
        output::result(&report::standings_text(&standings))?;
    }
    if ladder.stopped {
        output::note(&format!(
            "interrupted: the table is over the {} games that were finished, of at least {} asked for",
            ladder.outcomes.len(),
            args.games
        ));
    }
    Ok(if ladder.stopped { Ending::Interrupted } else { Ending::Done })
}
