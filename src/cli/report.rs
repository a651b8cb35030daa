//! `agon report`.

use crate::cli::{CliError, Ending, args::ReportArgs, output, skills};
use agon_league::{Store, TrainConfig, report};
use rl_gym::Registry;

pub(crate) fn run(games: &Registry, args: &ReportArgs) -> Result<Ending, CliError> {
    let store = Store::open_read(&args.run)?;
    let config: TrainConfig = store.meta("config")?;
    let game = games.find(&config.game)?;
    let report = report::Report::of_run(&store, game)?;
    if let Some(file) = &args.html {
        let skills = skills::section_of_run(games, &args.run)?;
        let sections: Vec<_> = skills.into_iter().collect();
        output::file(file, report::html_with(&report, &sections)?.as_bytes())?;
    }
    if let Some(file) = &args.csv {
        output::file(file, report::csv(&report)?.as_bytes())?;
    }
    if args.json {
        output::json(&report)?;
    } else if args.html.is_none() && args.csv.is_none() {
        output::result(&report::terminal(&report))?;
    }
    Ok(Ending::Done)
}
