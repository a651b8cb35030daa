//! Skills as HTML: a section of a run's report, or a page of a bank.

use super::{
    args::PageArgs,
    list::sorted,
    place,
    setup::Setup,
    show::{self, PieceDoc},
    table::{count, percent, signed},
    told,
};
use crate::cli::{CliError, Ending, output};
use agon_league::report::{self, Section};
use agon_skill_bank::{Bank, State, bank::Entry};
use minijinja::{Environment, value::Serde};
use rl_gym::{Game, Registry};
use serde::Serialize;
use std::path::Path;

const TEMPLATE: &str = include_str!("section.html");

/// What the template shows; all figures are text already.
#[derive(Serialize)]
struct View {
    /// Empty where the page says it above.
    lead: String,
    /// Skills in use or on their way.
    skills: Vec<SkillView>,
    /// Skills that are out of use.
    others: Vec<OtherView>,
    task: String,
}

#[derive(Serialize)]
struct SkillView {
    name: String,
    parts: Vec<String>,
    version: u32,
    hash: String,
    state: State,
    class: &'static str,
    kind: String,
    doc: String,
    gain: String,
    limits: String,
    uses: u64,
    success: String,
    contract: Vec<(&'static str, String)>,
    code: String,
    pieces: Vec<PieceDoc>,
    lineage: Vec<String>,
    history: Vec<String>,
}

#[derive(Serialize)]
struct OtherView {
    parts: Vec<String>,
    version: u32,
    state: State,
    class: &'static str,
    why: String,
    doc: String,
}

const fn class(state: State) -> &'static str {
    match state {
        State::Active => "good",
        State::Rejected | State::Retired | State::Suspended => "bad",
        _ => "open",
    }
}

/// A name in pieces between which a line may break.
fn parts(name: &str) -> Vec<String> {
    name.split_inclusive('_').map(str::to_owned).collect()
}

fn skill(bank: &Bank, entry: &Entry) -> Result<SkillView, CliError> {
    let uses = entry.uses();
    let done: u64 = entry.stats.values().map(|s| s.successes).sum();
    let skill = entry.skill.as_ref();
    Ok(SkillView {
        name: entry.name.clone(),
        parts: parts(&entry.name),
        version: entry.version,
        hash: entry.hash.clone(),
        state: entry.state,
        class: class(entry.state),
        kind: skill.map_or_else(|| "unreadable".into(), |s| told::word(&s.kind)),
        doc: skill.map_or_else(|| "its folder is broken".into(), |s| s.doc.clone()),
        gain: entry.gain.map_or_else(|| "not measured".into(), |g| signed(g.estimate)),
        limits: entry.gain.map_or_else(String::new, |g| format!("{} to {}", signed(g.low), signed(g.high))),
        uses,
        success: if uses > 0 {
            format!("effect in {}", percent(done as f64 / uses as f64))
        } else {
            String::new()
        },
        contract: skill.map_or_else(Vec::new, told::contract),
        code: skill.map_or_else(String::new, |s| s.code.clone()),
        pieces: show::pieces(bank, entry)?,
        lineage: show::lineage(bank, entry),
        history: show::history(bank, entry)?,
    })
}

fn other(bank: &Bank, entry: &Entry) -> Result<OtherView, CliError> {
    let pieces = bank.evidence(&entry.hash)?;
    Ok(OtherView {
        parts: parts(&entry.name),
        version: entry.version,
        state: entry.state,
        class: class(entry.state),
        why: told::decisive(entry, &pieces).map_or_else(String::new, ToString::to_string),
        doc: entry.skill.as_ref().map_or_else(|| "its folder is broken".into(), |s| s.doc.clone()),
    })
}

/// How many are in which state, in a sentence.
fn lead(bank: &Bank) -> String {
    let of = |state: State| bank.entries().filter(|e| e.state == state).count();
    let states: Vec<String> =
        State::ALL.iter().filter(|s| of(**s) > 0).map(|s| format!("{} {s}", of(*s))).collect();
    let all = bank.entries().count();
    match all {
        0 => format!("The bank for {} is empty.", bank.game()),
        _ => format!(
            "{} for {} after {}: {}.",
            count(all, "skill"),
            bank.game(),
            count(bank.round() as usize, "round"),
            states.join(", ")
        ),
    }
}

fn section(bank: &Bank, game: &Game, lead: String) -> Result<Section, CliError> {
    let setup = Setup::read(bank.folder(), game)?;
    let is_out = |state: State| matches!(state, State::Rejected | State::Retired | State::RolledBack);
    let entries = sorted(bank);
    let task = setup.base.as_ref().map_or_else(String::new, |base| {
        let others = if setup.opponents.is_empty() {
            String::new()
        } else {
            format!(" against {}", setup.opponents.join(", "))
        };
        format!("Tried with {base}{others}.")
    });
    let view = View {
        lead,
        skills: entries
            .iter()
            .filter(|e| !is_out(e.state))
            .map(|e| skill(bank, e))
            .collect::<Result<_, _>>()?,
        others: entries
            .iter()
            .filter(|e| is_out(e.state))
            .map(|e| other(bank, e))
            .collect::<Result<_, _>>()?,
        task,
    };
    let failed = |e: minijinja::Error| CliError::Request(format!("the skills cannot be a page: {e:#}"));
    let mut templates = Environment::new();
    // The ending of the name turns escaping on.
    templates.add_template("section.html", TEMPLATE).map_err(failed)?;
    let body = templates.get_template("section.html").and_then(|t| t.render(Serde(&view))).map_err(failed)?;
    Ok(Section { title: "Skills".into(), body })
}

/// The section about the bank of a run, if it has one.
pub(crate) fn section_of_run(games: &Registry, run: &Path) -> Result<Option<Section>, CliError> {
    let folder = run.join(place::IN_RUN);
    if !place::is_bank(&folder) {
        return Ok(None);
    }
    let (bank, game) = place::open(games, &folder)?;
    section(&bank, game, lead(&bank)).map(Some)
}

pub(super) fn run(games: &Registry, args: &PageArgs) -> Result<Ending, CliError> {
    let (bank, game) = place::open(games, &args.bank)?;
    let section = section(&bank, game, String::new())?;
    let fact = |name: &str, value: String| (name.to_owned(), value);
    let facts = [
        fact("Bank", bank.folder().display().to_string()),
        fact("Game", bank.game().to_owned()),
        fact("Version of the words", bank.words().version().to_string()),
        fact("Rounds", bank.round().to_string()),
        fact("Lines of the log", bank.events().to_string()),
        fact("Snapshots", bank.snapshots().count().to_string()),
    ];
    let title = format!("{}: bank of skills", bank.game());
    let page = report::page_of(&title, &lead(&bank), &facts, &[section])?;
    output::file(&args.html, page.as_bytes())?;
    Ok(Ending::Done)
}
