//! `agon skills show`: everything about one skill.

use super::{
    args::ShowArgs,
    list::SkillDoc,
    place,
    table::{gain, wrap},
    told,
};
use crate::cli::{CliError, Ending, output};
use agon_skill::Skill;
use agon_skill_bank::{
    Bank, Gate,
    bank::{Arrival, Entry},
};
use rl_gym::Registry;
use serde::Serialize;
use std::{fs, path::PathBuf};

#[derive(Serialize)]
struct Doc {
    #[serde(flatten)]
    line: SkillDoc,
    folder: PathBuf,
    how_to: Vec<String>,
    tags: Vec<String>,
    contract: Vec<(&'static str, String)>,
    lineage: Vec<String>,
    pieces: Vec<PieceDoc>,
    log: Vec<LineDoc>,
    code: String,
    /// The record as it is in skill.json.
    record: Option<Skill>,
}

/// A piece of evidence.
#[derive(Serialize)]
pub(super) struct PieceDoc {
    pub(super) gate: Gate,
    pub(super) passed: bool,
    pub(super) says: String,
    pub(super) seeds: String,
}

/// A line of the log that speaks of a skill.
#[derive(Serialize)]
pub(super) struct LineDoc {
    pub(super) line: u64,
    pub(super) what: String,
}

pub(super) fn pieces(bank: &Bank, entry: &Entry) -> Result<Vec<PieceDoc>, CliError> {
    let piece = |p: &agon_skill_bank::Evidence| PieceDoc {
        gate: p.gate(),
        passed: p.passed(),
        says: told::evidence(p),
        seeds: p.source().seeds.clone(),
    };
    Ok(bank.evidence(&entry.hash)?.iter().map(piece).collect())
}

/// Where a skill comes from.
pub(super) fn lineage(bank: &Bank, entry: &Entry) -> Vec<String> {
    let name = |hash: &String| {
        bank.entry(hash).map_or_else(
            |_| format!("{hash} (of another bank)"),
            |e| format!("{}@{} ({hash}, {})", e.name, e.version, e.state),
        )
    };
    let mut out = vec![match &entry.how {
        Arrival::Proposed => "proposed here".to_owned(),
        Arrival::Renewed { parent } => format!("in newer words of {}", name(parent)),
        Arrival::Imported { state, evidence } => {
            format!("imported; it was {state} there, {} pieces of evidence came along", evidence.len())
        }
    }];
    let Some(skill) = &entry.skill else { return out };
    let from = &skill.provenance;
    out.push(format!("proposer: {}", told::word(&from.proposer)));
    if !from.parents.is_empty() {
        out.push(format!("made of {}", from.parents.iter().map(name).collect::<Vec<_>>().join(", ")));
    }
    if !from.replays.is_empty() {
        let some: Vec<&str> = from.replays.iter().take(4).map(String::as_str).collect();
        let more = if from.replays.len() > some.len() { ", ..." } else { "" };
        out.push(format!("seen in {} episodes: {}{more}", from.replays.len(), some.join(", ")));
    }
    if !from.miner.is_empty() {
        out.push(format!("settings of the miner: {}", from.miner));
    }
    let children: Vec<String> = bank
        .entries()
        .filter(|e| e.skill.as_ref().is_some_and(|s| s.provenance.parents.contains(&entry.hash)))
        .map(|e| format!("{}@{} ({})", e.name, e.version, e.state))
        .collect();
    if !children.is_empty() {
        out.push(format!("made from it: {}", children.join(", ")));
    }
    out
}

/// What the log, which was checked when the bank was opened, says about a skill.
pub(super) fn log(bank: &Bank, hash: &str) -> Vec<LineDoc> {
    let text = fs::read_to_string(bank.folder().join("log.jsonl")).unwrap_or_default();
    let mut lines = Vec::new();
    for (line, text) in (1..).zip(text.lines()) {
        let Ok(value) = serde_json::from_str::<serde_json::Value>(text) else { continue };
        let event = &value["event"];
        let is_it = |value: &serde_json::Value| value["skill"] == hash;
        let word = |value: &serde_json::Value| value.as_str().unwrap_or("?").to_owned();
        if is_it(&event["arrived"]) {
            lines.push(LineDoc { line, what: format!("arrived as {}", word(&event["arrived"]["state"])) });
        }
        for step in event["moved"].as_array().into_iter().flatten().filter(|step| is_it(step)) {
            let pieces = step["evidence"].as_array().map_or(0, Vec::len);
            let (from, to) = (word(&step["from"]), word(&step["to"]));
            lines.push(LineDoc { line, what: format!("{from} to {to} on {pieces} pieces of evidence") });
        }
        if is_it(&event["used"]) {
            let uses = &event["used"]["uses"];
            let outcomes = word(&uses["outcomes"]);
            let done = outcomes.matches('+').count();
            let what = format!("{}: {} uses, effect in {done}", word(&uses["context"]), outcomes.len());
            // One line for a stretch of uses: a probation writes hundreds.
            match lines.last_mut() {
                Some(last) if last.what.contains(" uses, effect in ") && event["used"].is_object() => {
                    *last =
                        LineDoc { line: last.line, what: merged(&last.what, outcomes.len(), done, &what) };
                }
                _ => lines.push(LineDoc { line, what }),
            }
        }
    }
    lines
}

/// Uses told before with those of one more line.
fn merged(before: &str, uses: usize, done: usize, fresh: &str) -> String {
    let numbers: Vec<usize> =
        before.split(|c: char| !c.is_ascii_digit()).filter_map(|n| n.parse().ok()).collect();
    let (context, of) =
        (before.split(':').next().unwrap_or_default(), fresh.split(':').next().unwrap_or_default());
    match numbers[..] {
        [.., u, d] if context == of => format!("{context}: {} uses, effect in {}", u + uses, d + done),
        _ => fresh.to_owned(),
    }
}

pub(super) fn run(games: &Registry, args: &ShowArgs) -> Result<Ending, CliError> {
    let (bank, _) = place::open(games, &args.bank)?;
    let entry = bank.find(&args.id)?;
    let skill = entry.skill.clone();
    let doc = Doc {
        line: SkillDoc::of(entry),
        folder: bank.place(entry),
        how_to: skill.as_ref().map_or_else(Vec::new, |s| s.how_to.clone()),
        tags: skill.as_ref().map_or_else(Vec::new, |s| s.tags.clone()),
        contract: skill.as_ref().map_or_else(Vec::new, told::contract),
        lineage: lineage(&bank, entry),
        pieces: pieces(&bank, entry)?,
        log: log(&bank, &entry.hash),
        code: skill.as_ref().map_or_else(String::new, |s| s.code.clone()),
        record: skill,
    };
    if args.json {
        output::json(&doc)?;
    } else {
        output::result(&text(&doc, entry))?;
    }
    Ok(Ending::Done)
}

fn text(doc: &Doc, entry: &Entry) -> String {
    let mut out = format!("{}@{}  {}  {}\n", entry.name, entry.version, entry.hash, entry.state);
    out += &wrap(&doc.line.doc, "");
    out += &format!("{}\n", doc.folder.display());
    let mut part = |title: &str, lines: &[String]| {
        if !lines.is_empty() {
            out += &format!("\n{title}\n");
            lines.iter().for_each(|line| out += &wrap(line, "  "));
        }
    };
    let contract: Vec<String> = doc.contract.iter().map(|(name, what)| format!("{name}: {what}")).collect();
    part("CONTRACT", &contract);
    let mut evidence: Vec<String> = doc
        .pieces
        .iter()
        .map(|p| {
            let seeds = if p.seeds.is_empty() { String::new() } else { format!(" [{}]", p.seeds) };
            format!("{} {}: {}{seeds}", if p.passed { "passed" } else { "FAILED" }, p.gate, p.says)
        })
        .collect();
    if let Some(g) = entry.gain {
        evidence.push(format!("gain that admitted it: {}", gain(g.estimate, g.low, g.high)));
    }
    part("EVIDENCE", &evidence);
    part("LINEAGE", &doc.lineage);
    part("LOG", &doc.log.iter().map(|l| format!("line {}: {}", l.line, l.what)).collect::<Vec<_>>());
    if !doc.code.is_empty() {
        out += "\nCODE\n";
        out += &doc.code;
    }
    out
}
