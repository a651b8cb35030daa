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
use std::path::PathBuf;

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
    history: Vec<String>,
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

pub(super) fn pieces(bank: &Bank, entry: &Entry) -> Result<Vec<PieceDoc>, CliError> {
    let piece = |p: &agon_skill_bank::Evidence| PieceDoc {
        gate: p.gate(),
        passed: p.passed(),
        says: told::figures(p),
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

/// What happened to a skill, in order.
pub(super) fn history(bank: &Bank, entry: &Entry) -> Result<Vec<String>, CliError> {
    let pieces = bank.evidence(&entry.hash)?;
    let mut lines = Vec::new();
    for step in &entry.history {
        let gates: Vec<&str> = pieces
            .iter()
            .filter(|piece| step.evidence.contains(&piece.hash()))
            .map(|piece| piece.gate().word())
            .collect();
        lines.push(format!("{} to {} on {}", step.from, step.to, gates.join(", ")));
    }
    for (context, stats) in entry.stats.iter().filter(|(_, stats)| stats.uses > 0) {
        lines.push(format!(
            "used in {context}: {} times, effect in {}, broken off in {}",
            stats.uses, stats.successes, stats.aborts
        ));
    }
    Ok(lines)
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
        history: history(&bank, entry)?,
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
    part("HISTORY", &doc.history);
    if !doc.code.is_empty() {
        out += "\nCODE\n";
        out += &doc.code;
    }
    out
}
