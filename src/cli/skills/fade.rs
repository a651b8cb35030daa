//! `agon skills fade`: skills are taken away from a player that learns, and what remains is measured.

use super::{
    args::FadeArgs,
    progress::Shown,
    setup::{is_stopped, play_config},
    table::{Table, gain, signed},
    using::bank_of,
};
use crate::cli::{CliError, Ending, args::Loudness, output};
use agon_skill_practice::{Comparison, Fade, FadeConfig, fade};
use rl_gym::Registry;
use serde::Serialize;

#[derive(Serialize)]
struct Doc {
    game: String,
    seed: u64,
    #[serde(flatten)]
    fade: Fade,
}

pub(super) fn run(games: &Registry, args: &FadeArgs, loudness: Loudness) -> Result<Ending, CliError> {
    let config = FadeConfig {
        shares: shares(&args.shares)?,
        generations: args.generations,
        population: args.population,
        episodes: args.judged,
        report: args.episodes,
        root: args.work.seed,
    };
    let play = play_config(args.work.workers);
    let (skills, setup, game) = bank_of(games, &args.bank, &args.skill)?;
    // The learner is the game's parametric player; the other seats are the base player's where nobody is named.
    let setup = setup.with(&args.task, None);
    let lead = setup.base.clone().unwrap_or_else(|| "random".into());
    let (task, _) = setup.task(&game, &lead)?;
    let judged =
        2 * u64::from(config.population.max(4)) * u64::from(config.generations) + skills.len() as u64 + 3;
    let total =
        config.shares.len() as u64 * judged * u64::from(config.episodes) + 6 * u64::from(config.report);
    let shown = Shown::new(loudness, "fading", total, &play);
    let faded = fade(&task, &skills, &config, &play)?;
    drop(shown);
    if is_stopped(&play.stop) {
        return Err(CliError::Request("stopped: a fading that is not finished says nothing".into()));
    }
    let doc = Doc { game: game.id(), seed: args.work.seed, fade: faded };
    if args.json {
        output::json(&doc)?;
    } else {
        output::result(&text(&doc))?;
    }
    Ok(Ending::Done)
}

fn shares(shares: &[f64]) -> Result<Vec<f64>, CliError> {
    match shares.iter().find(|share| !(0.0..=1.0).contains(*share)) {
        Some(bad) => {
            Err(CliError::Request(format!("--shares has {bad}: write shares from 0 to 1, such as 1,0.5,0")))
        }
        None => Ok(shares.to_vec()),
    }
}

fn text(doc: &Doc) -> String {
    let f = &doc.fade;
    let mut table = Table::new(&[">stage", ">share", ">score"]);
    for (number, stage) in f.stages.iter().enumerate() {
        let mut helpful: Vec<String> =
            stage.helpful.iter().map(|(name, by)| format!("{name} {}", signed(*by))).collect();
        if !stage.dropped.is_empty() {
            helpful.push(format!("dropped: {}", stage.dropped.join(", ")));
        }
        table.row(
            [(number + 1).to_string(), format!("{:.2}", stage.share), format!("{:.3}", stage.score)],
            &format!("score with minus without: {}", helpful.join("; ")),
        );
    }
    let mut out = format!("{}, seed {}, train seeds\n{}", doc.game, doc.seed, table.text());
    let mut line = |what: &str, c: &Comparison| {
        out += &format!(
            "{what:<58}{:.3} to {:.3}, gain {}\n",
            c.score[0],
            c.score[1],
            gain(c.gain.mean, c.gain.low, c.gain.high)
        );
    };
    line("at the start: without skills to with them", &f.start);
    line("residue: never had skills to had them, both without", &f.residue);
    line("still needed: without them now to with them", &f.still_needed);
    out
}
