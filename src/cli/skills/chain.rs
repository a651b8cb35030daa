//! `agon skills chain`: a sequence of tasks with a bank that grows, and the same tasks without it.

use super::{
    args::ChainArgs,
    gate, place,
    progress::Shown,
    setup::{is_stopped, play_config, say_stopped},
    table::{Table, gain, mean},
};
use crate::cli::{CliError, Ending, args::Loudness, output};
use agon_skill_practice::{Chain, ChainConfig, LessonConfig, chain};
use rl_gym::Registry;
use serde::Serialize;
use std::path::PathBuf;

#[derive(Serialize)]
struct Doc {
    bank: PathBuf,
    game: String,
    base: String,
    seed: u64,
    #[serde(flatten)]
    chain: Chain,
}

pub(super) fn run(games: &Registry, args: &ChainArgs, loudness: Loudness) -> Result<Ending, CliError> {
    let game = place::find_game(games, &args.game)?;
    let folder = args.bank.as_ref().map_or_else(|| place::usual(game, "-chain"), |bank| place::folder(bank));
    let play = play_config(args.work.workers);
    let mut bank = place::open_or_create(&folder, game, &game.defaults())?;
    let resolved = gate::prepare(&bank, game, &args.gates, &args.task)?;
    let mut trials = gate::trials(&resolved, args.work.seed, &play)?;
    let lesson = LessonConfig {
        gates: gate::settings(&args.gates),
        root: args.work.seed,
        rounds: args.gates.rounds,
        ..LessonConfig::default()
    };
    let config = ChainConfig { blocks: args.blocks, tasks: args.tasks, number: args.number, lesson };
    let shown = Shown::new(loudness, "chain", 0, &play);
    let played =
        chain(&resolved.task, &resolved.make, &mut bank, &mut trials, &config, &play, |number, block| {
            shown.say(&format!(
                "block {}: {} active, gain {}",
                number + 1,
                super::table::count(block.skills, "skill"),
                gain(block.against.gain.mean, block.against.gain.low, block.against.gain.high)
            ));
        });
    drop(shown);
    if is_stopped(&play.stop) {
        say_stopped("what the bank had learned stays in it; a chain that is not finished says nothing more");
        return Ok(Ending::Interrupted);
    }
    let doc = Doc {
        bank: folder,
        game: game.id(),
        base: resolved.base.clone(),
        seed: args.work.seed,
        chain: played?,
    };
    if args.json {
        output::json(&doc)?;
    } else {
        output::result(&text(&doc, &resolved.against()))?;
    }
    Ok(Ending::Done)
}

fn text(doc: &Doc, against: &str) -> String {
    let mut table =
        Table::new(&[">block", ">skills", ">score without", ">with", ">gain (95 % interval)", ">decisions"]);
    for (number, block) in doc.chain.blocks.iter().enumerate() {
        let c = &block.against;
        let cells = [
            (number + 1).to_string(),
            block.skills.to_string(),
            format!("{:.3}", c.score[0]),
            format!("{:.3}", c.score[1]),
            gain(c.gain.mean, c.gain.low, c.gain.high),
            mean(&c.decisions, 2),
        ];
        table.row(cells, "");
    }
    let mut out = super::table::wrap(
        &format!("{} with {} {against}, seed {}, bank {}", doc.game, doc.base, doc.seed, doc.bank.display()),
        "",
    );
    out += &table.text();
    out += &super::table::wrap(
        &format!(
            "after the first block: {} decisions a task with the bank minus without",
            mean(&doc.chain.decisions, 2)
        ),
        "",
    );
    out
}
