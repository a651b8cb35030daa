//! `agon report`.

use crate::cli::{CliError, Ending, args::ReportArgs, output};
use agon_league::{Store, TrainConfig, report};
use rl_gym::Registry;
use std::path::Path;

pub(crate) fn run(games: &Registry, args: &ReportArgs) -> Result<Ending, CliError> {
    let store = Store::open_read(&args.run)?;
    let config: TrainConfig = store.meta("config")?;
    let game = games.find(&config.game)?;
    let report = report::Report::of_run(&store, game)?;
    if let Some(file) = &args.html {
        write(file, &report::html(&report)?)?;
    }
    if let Some(file) = &args.csv {
        write(file, &report::csv(&report)?)?;
    }
    if args.json {
        output::json(&report)?;
    } else if args.html.is_none() && args.csv.is_none() {
        output::result(&report::terminal(&report))?;
    }
    Ok(Ending::Done)
}

fn write(file: &Path, text: &str) -> Result<(), CliError> {
    std::fs::write(file, text).map_err(|e| CliError::File {
        path: file.into(),
        why: match e.kind() {
            std::io::ErrorKind::NotFound | std::io::ErrorKind::PermissionDenied => {
                format!("cannot be written ({e}): name a file in a folder that exists and is yours")
            }
            _ => format!("cannot be written ({e})"),
        },
    })?;
    output::note(&format!("wrote {}", file.display()));
    Ok(())
}
