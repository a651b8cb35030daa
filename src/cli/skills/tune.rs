//! `agon skills tune`: other numbers for a skill.

use super::{
    args::TuneArgs,
    place,
    progress::Shown,
    setup::{Setup, is_stopped, play_config, say_stopped},
    table::wrap,
};
use crate::cli::{CliError, Ending, args::Loudness, output};
use agon_skill_distill::Ladder;
use agon_skill_practice::{propose, tune_skill};
use rl_gym::Registry;
use serde::Serialize;
use std::path::PathBuf;

#[derive(Serialize)]
struct Doc {
    bank: PathBuf,
    game: String,
    base: String,
    /// The skill as it was.
    name: String,
    hash: String,
    /// Mean score on the train seeds of the last round: of the skill as it was, of the winner.
    score: [f64; 2],
    /// Episodes played.
    episodes: u64,
    /// The winner, where it is another one and new to the bank.
    draft: Option<String>,
}

pub(super) fn run(games: &Registry, args: &TuneArgs, loudness: Loudness) -> Result<Ending, CliError> {
    let (mut bank, game) = place::open(games, &args.bank)?;
    let play = play_config(args.work.workers);
    let resolved = Setup::read(bank.folder(), game)?.with(&args.task, args.base.as_deref()).resolve(game)?;
    let hash = bank.find(&args.id)?.hash.clone();
    let ladder = Ladder {
        seed: args.work.seed,
        variants: args.variants as usize,
        budget: args.budget,
        ..Ladder::default()
    };
    let shown = Shown::new(loudness, "variants", 0, &play);
    let tuned = tune_skill(&bank, &hash, &resolved.task, &resolved.make, &ladder, args.work.seed, &play)?;
    drop(shown);
    if is_stopped(&play.stop) {
        say_stopped("nothing was written");
        return Ok(Ending::Interrupted);
    }
    let name = bank.skill(&hash)?.name.clone();
    let proposed = if tuned.is_new {
        propose(&mut bank, std::slice::from_ref(&tuned.candidate))?.proposed
    } else {
        Vec::new()
    };
    let doc = Doc {
        bank: bank.folder().into(),
        game: game.id(),
        base: resolved.base.clone(),
        name,
        hash,
        score: [tuned.scores.1, tuned.scores.0],
        episodes: tuned.spent,
        draft: proposed.into_iter().next(),
    };
    if args.json {
        output::json(&doc)?;
        return Ok(Ending::Done);
    }
    let what = match &doc.draft {
        Some(draft) => {
            let code = &bank.skill(draft)?.code;
            format!("{draft} is a draft now, the gates decide about it:\n{code}")
        }
        None => "no other numbers were better".into(),
    };
    let head = format!(
        "{} with {} {}: score {:.3} as it was, {:.3} at best, on train seeds, in {} episodes",
        doc.name,
        doc.base,
        resolved.against(),
        doc.score[0],
        doc.score[1],
        doc.episodes
    );
    output::result(&format!("{}{what}", wrap(&head, "")))?;
    Ok(Ending::Done)
}
