//! `agon skills add | export | import | retire | rollback`.

use super::{
    args::{AddArgs, ExportArgs, ImportArgs, RetireArgs, RollbackArgs},
    list::states,
    place,
    table::{Table, count},
};
use crate::cli::{CliError, Ending, output};
use agon_skill::{Proposer, Skill};
use agon_skill_bank::{
    Bank, State,
    bank::{Imported, Proposal},
};
use rl_gym::{Game, Registry};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// A skill that somebody wrote or edited: what it is hashed to does not matter, and its evidence is gone.
pub(super) fn add(games: &Registry, args: &AddArgs) -> Result<Ending, CliError> {
    let read = |name: &str| {
        let path = args.folder.join(name);
        std::fs::read_to_string(&path).map_err(|e| CliError::File {
            path,
            why: format!("cannot be read ({e}): name a folder with skill.json and main.luau"),
        })
    };
    let (record, code) = (read("skill.json")?, read("main.luau")?);
    let mut skill: Skill = serde_json::from_str(&record).map_err(|e| CliError::File {
        path: args.folder.join("skill.json"),
        why: format!("{e}: compare it with the skill.json of a skill that `agon skills show` shows"),
    })?;
    skill.code = code;
    let found = skill.content_hash();
    if !skill.hash.is_empty() && skill.hash != found {
        skill.provenance.proposer = Proposer::Human;
        skill.provenance.parents = vec![skill.hash.clone()];
    }
    skill.hash = found;
    let folder = place::folder(&args.bank);
    let game =
        if place::is_bank(&folder) { place::game_of(games, &folder)? } else { games.find(&skill.game)? };
    skill.check(&game.id(), &*place::words(game, &game.defaults())?)?;
    let mut bank = place::open_or_create(&folder, game, &game.defaults())?;
    let proposal = bank.propose(skill, None)?;
    let entry = bank.entry(proposal.hash())?;
    let how = match &proposal {
        Proposal::New(_) => "new, a",
        Proposal::Known(_) => "here already, a",
    };
    output::result(&format!("{}@{} ({}): {how} {}", entry.name, entry.version, entry.hash, entry.state))?;
    Ok(Ending::Done)
}

pub(super) fn export(games: &Registry, args: &ExportArgs) -> Result<Ending, CliError> {
    let states = states(&args.state)?;
    let (bank, _) = place::open(games, &args.bank)?;
    let wanted = |state: &State| bank.entries().any(|e| e.state == *state && e.skill.is_some());
    if !states.iter().any(wanted) {
        return Err(CliError::Request(format!(
            "{} holds no skill that is {}: name other states with --state, `agon skills list` shows them",
            bank.folder().display(),
            args.state.join(" or ")
        )));
    }
    let number = bank.export(&args.file, &states)?;
    output::note(&format!("wrote {} to {}", count(number, "skill"), args.file.display()));
    Ok(Ending::Done)
}

/// What an import gave.
#[derive(Serialize)]
pub(super) struct ImportDoc {
    bank: PathBuf,
    game: String,
    added: Vec<AddedDoc>,
    /// Names of those that were there already.
    already: Vec<String>,
    refused: Vec<RefusedDoc>,
}

#[derive(Serialize)]
struct AddedDoc {
    name: String,
    version: u32,
    hash: String,
    state: State,
}

#[derive(Serialize)]
struct RefusedDoc {
    name: String,
    reason: String,
}

impl ImportDoc {
    pub(super) fn of(bank: &Bank, imported: &Imported) -> Result<Self, CliError> {
        let added = |(hash, state): &(String, State)| {
            let entry = bank.entry(hash)?;
            Ok(AddedDoc {
                name: entry.name.clone(),
                version: entry.version,
                hash: hash.clone(),
                state: *state,
            })
        };
        let refused =
            |(name, reason): &(String, String)| RefusedDoc { name: name.clone(), reason: reason.clone() };
        Ok(Self {
            bank: bank.folder().into(),
            game: bank.game().into(),
            added: imported.added.iter().map(added).collect::<Result<_, CliError>>()?,
            already: imported.known.clone(),
            refused: imported.refused.iter().map(refused).collect(),
        })
    }

    pub(super) fn text(&self) -> String {
        let mut table = Table::new(&["skill", "hash", "state"]);
        for a in &self.added {
            let name = format!("{}@{}", a.name, a.version);
            table.row([name, a.hash.clone(), a.state.to_string()], "");
        }
        for name in &self.already {
            table.row([name.clone(), "-".into(), "was here already".into()], "");
        }
        for r in &self.refused {
            table.row([r.name.clone(), "-".into(), "refused".into()], &r.reason);
        }
        let head = format!("{} new in {}\n", count(self.added.len(), "skill"), self.bank.display());
        head + &if table.is_empty() { String::new() } else { table.text() }
    }
}

pub(super) fn import(games: &Registry, args: &ImportArgs) -> Result<Ending, CliError> {
    let doc = import_into(games, &args.file, &args.bank)?.1;
    if args.json {
        output::json(&doc)?;
    } else {
        output::result(&doc.text())?;
    }
    Ok(Ending::Done)
}

/// Imports a file into a bank, which is made for the file's game if need be.
pub(super) fn import_into<'a>(
    games: &'a Registry,
    file: &Path,
    bank: &Path,
) -> Result<((Bank, &'a Game), ImportDoc), CliError> {
    if !place::is_file(file) {
        let why = "there is no such file: name one that `agon skills export` wrote".into();
        return Err(CliError::File { path: file.into(), why });
    }
    let folder = place::folder(bank);
    let game =
        if place::is_bank(&folder) { place::game_of(games, &folder)? } else { game_of_file(games, file)? };
    let mut bank = place::open_or_create(&folder, game, &game.defaults())?;
    // Evidence of another bank can be made up: what comes takes all gates here.
    let imported = bank.import(file, false)?;
    let doc = ImportDoc::of(&bank, &imported)?;
    Ok(((bank, game), doc))
}

/// The game that an exported file is for.
pub(super) fn game_of_file<'a>(games: &'a Registry, file: &Path) -> Result<&'a Game, CliError> {
    let mut last = None;
    for game in games.games().iter().filter(|game| game.vocabulary.is_some()) {
        match place::unpack(file, game) {
            Ok(_) => return Ok(game),
            Err(error) => last = Some(error),
        }
    }
    Err(last.unwrap_or_else(|| CliError::Request("no game of this program has words for skills".into())))
}

pub(super) fn retire(games: &Registry, args: &RetireArgs) -> Result<Ending, CliError> {
    let (mut bank, _) = place::open(games, &args.bank)?;
    let entry = bank.find(&args.id)?;
    let (name, version, hash, from) = (entry.name.clone(), entry.version, entry.hash.clone(), entry.state);
    let to = bank.dismiss(&hash, &args.reason)?;
    if from == State::Active {
        bank.snapshot(&format!("{name} retired: {}", args.reason))?;
    }
    output::result(&format!("{name}@{version}: {from} to {to}"))?;
    Ok(Ending::Done)
}

pub(super) fn rollback(games: &Registry, args: &RollbackArgs) -> Result<Ending, CliError> {
    let (mut bank, _) = place::open(games, &args.bank)?;
    let known: Vec<String> = bank.snapshots().map(|n| n.to_string()).collect();
    if !bank.snapshots().any(|n| n == args.number) {
        let there =
            if known.is_empty() { "it has none".into() } else { format!("it has {}", known.join(", ")) };
        return Err(CliError::Request(format!(
            "{} has no snapshot {}: {there}; `agon skills snapshots` lists them",
            bank.folder().display(),
            args.number
        )));
    }
    let told = bank.go_back(args.number, &args.reason)?;
    let mut text = String::new();
    told.iter().for_each(|line| text += &format!("{line}\n"));
    let active: Vec<String> = bank.at(State::Active).map(|e| format!("{}@{}", e.name, e.version)).collect();
    let what = if active.is_empty() { "nothing".into() } else { active.join(", ") };
    text += &super::table::wrap(&format!("back at snapshot {}: active is {what}", args.number), "");
    output::result(&text)?;
    Ok(Ending::Done)
}
