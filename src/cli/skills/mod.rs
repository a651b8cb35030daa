//! `agon skills`: skills mined from play, let through gates, kept in a bank, used by players.

pub(crate) mod args;
mod chain;
mod distill;
mod fade;
mod gate;
mod list;
mod overhead;
mod page;
mod place;
mod player;
mod playing;
mod progress;
mod setup;
mod share;
mod show;
mod source;
mod table;
mod told;
mod transfer;
mod tune;
mod upkeep;
mod using;
mod verify;

pub(crate) use page::section_of_run;
pub(crate) use player::resolve as resolve_with_bank;

use crate::cli::{CliError, Ending, args::Loudness};
use args::SkillsCommand;
use rl_gym::Registry;

pub(crate) fn run(games: &Registry, command: &SkillsCommand, loudness: Loudness) -> Result<Ending, CliError> {
    match command {
        SkillsCommand::Distill(a) => distill::run(games, a, loudness),
        SkillsCommand::Add(a) => share::add(games, a),
        SkillsCommand::Gate(a) => gate::run(games, a, loudness),
        SkillsCommand::Upkeep(a) => upkeep::run(games, a, loudness),
        SkillsCommand::Tune(a) => tune::run(games, a, loudness),
        SkillsCommand::List(a) => list::run(games, a),
        SkillsCommand::Show(a) => show::run(games, a),
        SkillsCommand::Verify(a) => verify::run(games, a),
        SkillsCommand::Use(a) => using::run(games, a, loudness),
        SkillsCommand::Play(a) => playing::run(games, a, loudness),
        SkillsCommand::Chain(a) => chain::run(games, a, loudness),
        SkillsCommand::Fade(a) => fade::run(games, a, loudness),
        SkillsCommand::Export(a) => share::export(games, a),
        SkillsCommand::Import(a) => share::import(games, a),
        SkillsCommand::Transfer(a) => transfer::run(games, a, loudness),
        SkillsCommand::Retire(a) => share::retire(games, a),
        SkillsCommand::Snapshots(a) => list::snapshots(games, a, loudness),
        SkillsCommand::Rollback(a) => share::rollback(games, a),
        SkillsCommand::Report(a) => page::run(games, a),
    }
}
