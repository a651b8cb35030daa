//! `agon skills use`: a player with a bank against the same player without it, on report seeds.

use super::{
    args::{ChooserArg, CompareArgs, UseArgs, WorkArgs},
    overhead::{Overhead, measure},
    place,
    progress::Shown,
    setup::{Resolved, Setup, is_stopped, play_config, say_stopped},
    table::{Table, count, gain, mean, wrap},
};
use crate::cli::{CliError, Ending, args::Loudness, output};
use agon_skill::{Report, Seed, Seeds, Skill};
use agon_skill_agent::{Arm, Chooser, Horizon, Kit, PlayConfig, SkillUser, UserConfig, arm};
use agon_skill_practice::{Comparison, LearnConfig, compare, learn};
use rl_gym::{Game, Registry};
use serde::Serialize;
use std::{collections::BTreeSet, path::Path, sync::Arc};

/// How often a bandit learns from what it played.
const LESSONS: u32 = 8;

#[derive(Serialize)]
pub(super) struct Doc {
    game: String,
    base: String,
    opponents: Vec<String>,
    measure: String,
    chooser: String,
    /// Train episodes that the chooser learned from.
    learned: u32,
    comparison: Comparison,
    overhead: Overhead,
    /// Whether the program was built without optimisation, so that its figures of time say little.
    debug_build: bool,
    interrupted: bool,
}

pub(super) fn run(games: &Registry, args: &UseArgs, loudness: Loudness) -> Result<Ending, CliError> {
    let play = play_config(args.work.workers);
    let (skills, setup, game) = bank_of(games, &args.bank, &args.skill)?;
    let resolved = setup.with(&args.task, args.base.as_deref()).resolve(&game)?;
    let doc = comparison(&resolved, &skills, &args.compare, &args.work, &play, loudness)?;
    if args.json {
        output::json(&doc)?;
    } else {
        output::result(&text(&doc, &resolved))?;
    }
    Ok(ending(&doc))
}

pub(super) fn ending(doc: &Doc) -> Ending {
    if doc.interrupted {
        say_stopped("the comparison is over the pairs that were finished");
        return Ending::Interrupted;
    }
    Ending::Done
}

/// The skills to use, with the settings of their bank.
pub(super) fn bank_of(
    games: &Registry,
    path: &Path,
    chosen: &[String],
) -> Result<(Vec<Skill>, Setup, Game), CliError> {
    if place::is_file(path) {
        return of_file(games, path, chosen);
    }
    let (bank, game) = place::open(games, path)?;
    let setup = Setup::read(bank.folder(), game)?;
    if chosen.is_empty() {
        drop(bank);
        return Ok((place::active(path, game)?, setup, game.clone()));
    }
    Ok((picked(&bank, chosen)?, setup, game.clone()))
}

/// A file does not tell its game before it is unpacked, so each game with words is tried; the right one takes it.
fn of_file(games: &Registry, path: &Path, chosen: &[String]) -> Result<(Vec<Skill>, Setup, Game), CliError> {
    let mut last = None;
    for game in games.games().iter().filter(|game| game.vocabulary.is_some()) {
        match place::unpack(path, game) {
            Ok(unpacked) => {
                let skills = if chosen.is_empty() {
                    place::active(path, game)?
                } else {
                    picked(&unpacked.bank, chosen)?
                };
                return Ok((skills, Setup::new(game), game.clone()));
            }
            Err(error) => last = Some(error),
        }
    }
    Err(last.unwrap_or_else(|| CliError::Request("no game of this program has words for skills".into())))
}

fn picked(bank: &agon_skill_bank::Bank, chosen: &[String]) -> Result<Vec<Skill>, CliError> {
    let mut skills: Vec<Skill> = Vec::new();
    for id in chosen {
        let hash = bank.find(id)?.hash.clone();
        let skill = bank.skill(&hash)?.clone();
        if skills.iter().all(|s| s.hash != skill.hash) {
            skills.push(skill);
        }
    }
    Ok(bank.with_tools(skills))
}

/// Plays both ways.
pub(super) fn comparison(
    resolved: &Resolved,
    skills: &[Skill],
    args: &CompareArgs,
    work: &WorkArgs,
    play_config: &PlayConfig,
    loudness: Loudness,
) -> Result<Doc, CliError> {
    let task = &resolved.task;
    let kit = Kit::new(&task.game, &task.spec()?, skills.iter().cloned())?;
    let learn_each = if args.chooser == ChooserArg::Bandit { args.learn.div_ceil(LESSONS) } else { 0 };
    let shown = Shown::new(
        loudness,
        "with the bank and without",
        2 * u64::from(args.episodes) + u64::from(LESSONS * learn_each),
        play_config,
    );
    let (chooser, learned) = match args.chooser {
        ChooserArg::Eager => (Chooser::Eager, 0),
        ChooserArg::Search => (Chooser::Search(Horizon::default()), 0),
        ChooserArg::Bandit => {
            let lessons = LearnConfig { rounds: LESSONS, episodes: learn_each, root: work.seed };
            let known = learn(task, &resolved.make, skills, lessons, play_config)?;
            (Chooser::Bandit(Arc::new(known)), LESSONS * learn_each)
        }
    };
    let (before, after) = (arm(resolved.make.clone()), user(resolved, &kit, chooser, &args.goal));
    let seeds: Vec<Seed<Report>> = Seeds::new(work.seed, 0).range(0, args.episodes).collect();
    let names: Vec<(String, String)> =
        kit.skills().iter().map(|s| (s.skill().name.clone(), s.skill().hash.clone())).collect();
    let comparison = compare(task, &before, &after, &names, &seeds, play_config)?;
    drop(shown);
    let interrupted = is_stopped(&play_config.stop);
    if interrupted && comparison.pairs == 0 {
        return Err(CliError::Request("stopped before a pair was finished".into()));
    }
    let overhead = if interrupted {
        Overhead::default()
    } else {
        // The chooser does not matter to what a skill costs, and searching would take long.
        measure(task, &user(resolved, &kit, Chooser::Eager, ""), &kit, &seeds, play_config)?
    };
    Ok(Doc {
        game: task.game.id(),
        base: resolved.base.clone(),
        opponents: resolved.setup.opponents.clone(),
        measure: task.measure.to_string(),
        chooser: format!("{:?}", args.chooser).to_lowercase(),
        learned,
        comparison,
        overhead,
        debug_build: cfg!(debug_assertions),
        interrupted,
    })
}

/// The base player with the skills of a kit.
fn user(resolved: &Resolved, kit: &Kit, chooser: Chooser, goal: &str) -> Arm {
    let (make, kit) = (resolved.make.clone(), kit.clone());
    let config = UserConfig { chooser, goal: goal.into(), ..UserConfig::default() };
    Arc::new(move |spec| Box::new(SkillUser::new(make(spec), kit.clone(), config.clone())))
}

pub(super) fn text(doc: &Doc, resolved: &Resolved) -> String {
    let c = &doc.comparison;
    let names: BTreeSet<&str> = c.uses.iter().map(|u| u.name.as_str()).collect();
    let mut out = wrap(
        &format!(
            "{}: {} with {} of the bank and without, {}, measure {}, chooser {}, {} on report seeds",
            doc.game,
            doc.base,
            count(names.len(), "skill"),
            resolved.against(),
            doc.measure,
            doc.chooser,
            count(c.pairs, "pair")
        ),
        "",
    );
    let mut line = |name: &str, text: String| out += &format!("{name:<28}{text}\n");
    line("score", format!("{:.3} to {:.3}", c.score[0], c.score[1]));
    line("gain (95 % interval)", gain(c.gain.mean, c.gain.low, c.gain.high));
    line("episodes won", format!("{} to {}", c.won[0], c.won[1]));
    line(
        "decisions of won episodes",
        format!("{} to {}", mean(&c.decisions_won[0], 1), mean(&c.decisions_won[1], 1)),
    );
    line("decisions where both won", mean(&c.decisions_both_won, 2));
    if c.void > 0 {
        line("left out", format!("{}: the environment or another seat failed", count(c.void, "pair")));
    }
    let mut table = Table::new(&["skill", ">uses", ">effect", ">cut", ">aborted", ">episodes", ">decisions"]);
    for u in &c.uses {
        table.row(
            [
                u.name.clone(),
                u.uses.to_string(),
                u.done.to_string(),
                u.cut.to_string(),
                u.aborted.to_string(),
                u.episodes.to_string(),
                u.decisions.to_string(),
            ],
            "",
        );
    }
    out += &table.text();
    let o = &doc.overhead;
    let us = |x: Option<f64>| x.map_or_else(|| "-".into(), |x| format!("{x:.2}"));
    let build =
        if doc.debug_build { " (a debug build: several times slower than a release build)" } else { "" };
    out += &wrap(
        &format!(
            "CPU time: {} microseconds a decision of a running skill (over {}), {} to look at all preconditions{build}",
            us(o.running_us),
            count(o.decisions as usize, "decision"),
            us(o.looking_us)
        ),
        "",
    );
    out
}
