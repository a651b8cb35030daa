//! `agon skills transfer`: one bank's skills for another player.

use super::{
    args::TransferArgs,
    gate, place,
    setup::{is_stopped, play_config},
    share::{self, ImportDoc},
    using,
};
use crate::cli::{CliError, Ending, args::Loudness, output};
use agon_skill_bank::State;
use rl_gym::Registry;
use serde::Serialize;

#[derive(Serialize)]
struct Doc {
    imported: ImportDoc,
    gates: gate::Doc,
    /// Nothing, where no skill became active.
    #[serde(rename = "use")]
    used: Option<using::Doc>,
}

pub(super) fn run(games: &Registry, args: &TransferArgs, loudness: Loudness) -> Result<Ending, CliError> {
    let play = play_config(args.work.workers);
    let scratch = tempfile::tempdir().map_err(|e| CliError::File {
        path: std::env::temp_dir(),
        why: format!("no folder can be made here ({e}): set TMPDIR to a folder of yours"),
    })?;
    let file = if place::is_file(&args.from) {
        args.from.clone()
    } else {
        let (from, game) = place::open(games, &args.from)?;
        if from.at(State::Active).next().is_none() {
            // Says that there is none, and how there may be.
            drop(from);
            place::active(&args.from, game)?;
            return Ok(Ending::Done);
        }
        let file = scratch.path().join("from.agonbank");
        from.export(&file, &[State::Active])?;
        file
    };
    let ((mut bank, game), imported) = share::import_into(games, &file, &args.bank)?;
    let resolved = gate::prepare(&bank, game, &args.gates, &args.task)?;
    let gates = gate::rounds(&mut bank, &resolved, &args.gates, &args.work, &play, loudness)?;
    let active = bank.skills_at(State::Active);
    drop(bank);
    let used = if active.is_empty() || is_stopped(&play.stop) {
        None
    } else {
        Some(using::comparison(&resolved, &active, &args.compare, &args.work, &play, loudness)?)
    };
    let doc = Doc { imported, gates, used };
    if args.json {
        output::json(&doc)?;
    } else {
        let mut text = doc.imported.text();
        text += "\n";
        text += &gate::text(&doc.gates, &resolved);
        text += "\n";
        match &doc.used {
            Some(used) => text += &using::text(used, &resolved),
            None => text += "no skill became active, so there is nothing to compare\n",
        }
        output::result(&text)?;
    }
    let ended = gate::ending(&doc.gates);
    Ok(match doc.used.as_ref().map(using::ending) {
        Some(ending) if matches!(ended, Ending::Done) => ending,
        _ => ended,
    })
}
