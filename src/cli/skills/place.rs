//! Banks as typed: a folder, a run (then RUN/skills), or an exported file.

use crate::cli::{CliError, output};
use agon_league::STORE_FILE;
use agon_skill::Skill;
use agon_skill_bank::{
    Bank, BankError, State,
    bank::{Arrival, Entry},
};
use rl_gym::{Game, Options, Registry, Vocabulary};
use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

/// The bank's folder in the folder of a run.
pub(super) const IN_RUN: &str = "skills";
/// How often, and how long between, a bank that another process has open is tried again.
const PATIENCE: (u32, Duration) = (20, Duration::from_millis(100));

/// Where banks go that no run belongs to.
const BANKS: &str = "banks";

/// A bank's usual place: `banks/GAME` and what it is for.
pub(super) fn usual(game: &Game, what: &str) -> PathBuf {
    Path::new(BANKS).join(format!("{}{what}", game.name))
}

/// A game by name that has words for skills.
pub(super) fn find_game<'a>(games: &'a Registry, name: &str) -> Result<&'a Game, CliError> {
    let game = games.find(name)?;
    if game.vocabulary.is_some() {
        return Ok(game);
    }
    let with: Vec<&str> = games.games().iter().filter(|g| g.vocabulary.is_some()).map(|g| g.name).collect();
    Err(CliError::Request(format!(
        "{} has no words for skills: choose one that has ({}), or give its crate a vocabulary",
        game.id(),
        with.join(", ")
    )))
}

/// Whether there is a bank in this folder itself.
pub(super) fn is_bank(folder: &Path) -> bool {
    folder.join("bank.json").exists() || folder.join("log.jsonl").exists()
}

/// Whether this is the folder of a run.
pub(super) fn is_run(folder: &Path) -> bool {
    folder.join(STORE_FILE).exists()
}

/// The folder that a bank lives in.
pub(super) fn folder(path: &Path) -> PathBuf {
    if !is_bank(path) && is_run(path) { path.join(IN_RUN) } else { path.to_owned() }
}

/// The words of a game under these options.
pub(super) fn words(game: &Game, options: &Options) -> Result<Arc<dyn Vocabulary>, CliError> {
    let make = game.vocabulary.ok_or_else(|| without_words(game))?;
    let env = (game.make)(options)?;
    Ok(make(env.spec()))
}

fn without_words(game: &Game) -> CliError {
    CliError::Request(format!("{} has no words for skills: give its crate a vocabulary", game.id()))
}

/// The game of the bank in `folder`, as this build has it.
pub(super) fn game_of<'a>(games: &'a Registry, folder: &Path) -> Result<&'a Game, CliError> {
    let id = stated_game(folder).ok_or_else(|| {
        let what = if is_bank(folder) {
            "neither bank.json nor the log says which game the bank is for: take them from a copy".to_owned()
        } else if folder.exists() {
            "holds no bank: `agon skills distill` makes one".to_owned()
        } else {
            let near = nearby(folder);
            format!("is not there{near}: `agon skills distill` makes a bank")
        };
        CliError::File { path: folder.into(), why: what }
    })?;
    // Of whatever version: the bank itself adapts to a newer one and refuses an older one.
    let name = id.rsplit_once("-v").map_or(id.as_str(), |(name, _)| name);
    Ok(games.find(name)?)
}

/// What the files of a bank say about its game.
fn stated_game(folder: &Path) -> Option<String> {
    let value = |text: &str| serde_json::from_str::<serde_json::Value>(text).ok();
    let head = fs::read_to_string(folder.join("bank.json")).ok().and_then(|text| value(&text));
    if let Some(game) = head.as_ref().and_then(|head| head["game"].as_str()) {
        return Some(game.to_owned());
    }
    let log = fs::read_to_string(folder.join("log.jsonl")).ok()?;
    let first = value(log.lines().next()?)?;
    first["event"]["speaks"]["game"].as_str().map(str::to_owned)
}

/// Banks beside one that is not there.
fn nearby(folder: &Path) -> String {
    let parent = folder.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut names: Vec<String> = fs::read_dir(parent)
        .into_iter()
        .flatten()
        .flatten()
        .filter(|e| is_bank(&e.path()) || is_bank(&e.path().join(IN_RUN)))
        .map(|e| e.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    if names.is_empty() { String::new() } else { format!(" (banks nearby: {})", names.join(", ")) }
}

/// Opens the bank at `path`, and says what was found and mended.
pub(super) fn open<'a>(games: &'a Registry, path: &Path) -> Result<(Bank, &'a Game), CliError> {
    let folder = folder(path);
    let game = game_of(games, &folder)?;
    let bank = open_patiently(&folder, game)?;
    bank.notices().iter().for_each(|notice| output::note(&format!("note: {notice}")));
    Ok((bank, game))
}

/// Opens the bank in `folder`, or makes one for `game`.
pub(super) fn open_or_create(folder: &Path, game: &Game, options: &Options) -> Result<Bank, CliError> {
    if !is_bank(folder) {
        return Ok(Bank::create(folder, &game.id(), words(game, options)?)?);
    }
    let bank = open_patiently(folder, game)?;
    bank.notices().iter().for_each(|notice| output::note(&format!("note: {notice}")));
    Ok(bank)
}

/// Another process may have it open for a moment.
fn open_patiently(folder: &Path, game: &Game) -> Result<Bank, CliError> {
    let words = words(game, &game.defaults())?;
    for _ in 0..PATIENCE.0 {
        match Bank::open(folder, &game.id(), words.clone()) {
            Err(BankError::Locked { .. }) => std::thread::sleep(PATIENCE.1),
            opened => return Ok(opened?),
        }
    }
    Ok(Bank::open(folder, &game.id(), words)?)
}

/// Whether this is an exported bank.
pub(super) fn is_file(path: &Path) -> bool {
    path.is_file()
}

/// A bank made of an exported file, in a folder that goes away with it. Skills that were active there are told so by
/// [`was_active`].
pub(super) struct Unpacked {
    pub(super) bank: Bank,
    _folder: tempfile::TempDir,
}

/// Unpacks an exported file for `game`.
pub(super) fn unpack(path: &Path, game: &Game) -> Result<Unpacked, CliError> {
    let folder = tempfile::tempdir().map_err(|e| CliError::File {
        path: std::env::temp_dir(),
        why: format!("no folder can be made here ({e}): set TMPDIR to a folder of yours"),
    })?;
    let mut bank = Bank::create(folder.path(), &game.id(), words(game, &game.defaults())?)?;
    let imported = bank.import(path, true)?;
    for (name, why) in &imported.refused {
        output::note(&format!("note: {}: {name} is left out: {why}", path.display()));
    }
    Ok(Unpacked { bank, _folder: folder })
}

/// Whether a skill was active where it came from.
pub(super) fn was_active(entry: &Entry) -> bool {
    matches!(entry.how, Arrival::Imported { state: State::Active, .. })
}

/// The active skills at `path` with the tools that they call: of a folder, a run, or an exported file. None is an error.
pub(super) fn active(path: &Path, game: &Game) -> Result<Vec<Skill>, CliError> {
    let skills = if is_file(path) {
        let unpacked = unpack(path, game)?;
        let bank = &unpacked.bank;
        bank.with_tools(bank.entries().filter(|e| was_active(e)).filter_map(|e| e.skill.clone()).collect())
    } else {
        let folder = folder(path);
        if !is_bank(&folder) {
            let why = format!("holds no bank{}: `agon skills distill` makes one", nearby(&folder));
            return Err(CliError::File { path: folder, why });
        }
        open_patiently(&folder, game)?.skills_at(State::Active)
    };
    if skills.is_empty() {
        return Err(CliError::File {
            path: path.into(),
            why: "holds no active skill: let them through the gates with `agon skills gate`".into(),
        });
    }
    Ok(skills)
}
