//! `PLAYER+BANK`: a player with the active skills of a bank.

use super::place;
use crate::cli::{CliError, players};
use agon_league::{Maker, Player, PlayerKind};
use agon_skill_agent::{Kit, SkillUser, UserConfig};
use rl_gym::{Game, Options, Policy};
use std::{path::Path, sync::Arc};

/// Where the name of a player ends and the path of its bank begins: at the first `+` behind which there is something, else
/// at the first one.
fn split(text: &str) -> Option<(&str, &str)> {
    let cuts: Vec<usize> = text.match_indices('+').map(|(at, _)| at).collect();
    let at = cuts.iter().find(|at| Path::new(&text[**at + 1..]).exists()).or(cuts.first())?;
    Some((&text[..*at], &text[at + 1..]))
}

/// The player that `text` names, if it names one with a bank.
pub(crate) fn resolve(
    game: &Game,
    options: &Options,
    text: &str,
) -> Option<Result<(Player, Maker), CliError>> {
    let (base, bank) = split(text)?;
    Some(with_bank(game, options, base.trim(), bank.trim(), text))
}

fn with_bank(
    game: &Game,
    options: &Options,
    base: &str,
    bank: &str,
    text: &str,
) -> Result<(Player, Maker), CliError> {
    let (player, maker) = players::resolve(game, options, base)?;
    let skills = place::active(Path::new(bank), game)?;
    let env = (game.make)(options)?;
    let kit = Kit::new(game, env.spec(), skills)?;
    let config = UserConfig::default();
    // Equal hashes play equally: the base player, the skills in their order with the tools that they call, how they are
    // chosen.
    let mut parts = vec![player.hash, format!("{config:?}")];
    for prepared in kit.skills() {
        parts.push(prepared.skill().content_hash());
        parts.extend(prepared.tools().map(|(name, tool)| format!("{name} {}", tool.content_hash())));
    }
    let hash = blake3::hash(parts.join("\n").as_bytes()).to_hex()[..16].to_owned();
    let made = move |spec: &rl_gym::Spec| -> Box<dyn Policy> {
        Box::new(SkillUser::new(maker.make(spec), kit.clone(), config.clone()))
    };
    // Like a program, it is nothing that a training run could make again from its store.
    let player = Player { hash, name: text.to_owned(), version: 1, kind: PlayerKind::Program };
    Ok((player, Maker::Made(Arc::new(made))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bank_begins_behind_the_first_plus_that_leads_somewhere() {
        assert_eq!(split("greedy"), None);
        assert_eq!(split("greedy+nowhere"), Some(("greedy", "nowhere")));
        assert_eq!(split("runs/a+b:best+src"), Some(("runs/a+b:best", "src")));
    }
}
