//! `agon skills list` and `snapshots`.

use super::{
    args::{ListArgs, SnapshotsArgs},
    place,
    progress::Shown,
    setup::{Setup, play_config},
    table::{Table, count, gain, percent},
    told,
};
use crate::cli::{CliError, Ending, args::Loudness, output};
use agon_skill::Seeds;
use agon_skill_bank::{
    Bank, State,
    bank::Entry,
    gates::{SeedRange, reevaluate},
    stats::Interval,
};
use rl_gym::{Registry, suggest};
use serde::Serialize;
use std::{collections::BTreeMap, path::PathBuf};

#[derive(Serialize)]
struct Doc {
    bank: PathBuf,
    game: String,
    round: u64,
    skills: Vec<SkillDoc>,
}

/// A skill in a line.
#[derive(Serialize)]
pub(super) struct SkillDoc {
    pub(super) name: String,
    version: u32,
    hash: String,
    pub(super) state: State,
    kind: Option<String>,
    pub(super) doc: String,
    /// The gain that admitted it, with its 95 % interval.
    gain: Option<Interval>,
    uses: u64,
    /// Share of the uses in which its effect came about.
    success: Option<f64>,
    evidence: usize,
}

impl SkillDoc {
    pub(super) fn of(entry: &Entry) -> Self {
        let uses = entry.uses();
        let successes: u64 = entry.stats.values().map(|s| s.successes).sum();
        Self {
            name: entry.name.clone(),
            version: entry.version,
            hash: entry.hash.clone(),
            state: entry.state,
            kind: entry.skill.as_ref().map(|s| told::word(&s.kind)),
            doc: entry.skill.as_ref().map_or_else(|| "its folder is broken".into(), |s| s.doc.clone()),
            gain: entry.gain,
            uses,
            success: (uses > 0).then(|| successes as f64 / uses as f64),
            evidence: entry.evidence.len(),
        }
    }
}

/// All skills: active ones first, then by name.
pub(super) fn sorted(bank: &Bank) -> Vec<&Entry> {
    let rank = |state: State| match state {
        State::Active => 0,
        State::Provisional => 1,
        State::Shadow => 2,
        State::Candidate => 3,
        State::Draft => 4,
        State::Suspended => 5,
        State::RolledBack => 6,
        State::Retired => 7,
        State::Rejected => 8,
    };
    let mut entries: Vec<&Entry> = bank.entries().collect();
    entries.sort_by(|a, b| (rank(a.state), &a.name, a.version).cmp(&(rank(b.state), &b.name, b.version)));
    entries
}

/// States as typed.
pub(super) fn states(words: &[String]) -> Result<Vec<State>, CliError> {
    let known: Vec<String> = State::ALL.iter().map(|s| s.word().to_owned()).collect();
    let state = |word: &String| {
        let word = word.trim();
        State::ALL.iter().copied().find(|s| s.word() == word).ok_or_else(|| {
            let near = suggest(word, &known).map_or_else(String::new, |n| format!("; nearest: \"{n}\""));
            CliError::Request(format!("unknown state \"{word}\"{near}; states are {}", known.join(", ")))
        })
    };
    words.iter().map(state).collect()
}

pub(super) fn run(games: &Registry, args: &ListArgs) -> Result<Ending, CliError> {
    let states = states(&args.state)?;
    let (bank, _) = place::open(games, &args.bank)?;
    let wanted = |e: &&Entry| states.is_empty() || states.contains(&e.state);
    let skills = sorted(&bank).into_iter().filter(wanted).map(SkillDoc::of).collect();
    let doc = Doc { bank: bank.folder().into(), game: bank.game().into(), round: bank.round(), skills };
    if args.json {
        output::json(&doc)?;
        return Ok(Ending::Done);
    }
    let mut table = Table::new(&["skill", "state", "kind", ">gain (95 % interval)", ">uses", ">effect"]);
    for s in &doc.skills {
        table.row(
            [
                format!("{}@{}", s.name, s.version),
                s.state.to_string(),
                s.kind.clone().unwrap_or_else(|| "?".into()),
                s.gain.map_or_else(|| "-".into(), |g| gain(g.estimate, g.low, g.high)),
                s.uses.to_string(),
                s.success.map_or_else(|| "-".into(), percent),
            ],
            &s.doc,
        );
    }
    let all = bank.entries().count();
    let head = format!(
        "{} for {}, {} of {all}, round {}\n",
        doc.bank.display(),
        doc.game,
        count(doc.skills.len(), "skill"),
        doc.round
    );
    output::result(&if table.is_empty() { head } else { head + &table.text() })?;
    Ok(Ending::Done)
}

#[derive(Serialize)]
struct SnapshotDoc {
    number: u64,
    note: String,
    /// Name and version of the skills that were active.
    active: Vec<String>,
    /// With `--again`: what the bank of now gains over it, with its 95 % interval.
    gain_since: Option<Interval>,
}

pub(super) fn snapshots(
    games: &Registry,
    args: &SnapshotsArgs,
    loudness: Loudness,
) -> Result<Ending, CliError> {
    let (bank, game) = place::open(games, &args.bank)?;
    let mut gains = BTreeMap::new();
    if let Some(count) = args.again {
        let play = play_config(args.work.workers);
        let resolved = Setup::read(bank.folder(), game)?.resolve(game)?;
        let shown = Shown::new(loudness, "snapshots again", 0, &play);
        let mut trials = super::gate::trials(&resolved, args.work.seed, &play)?;
        // The stream of the frozen suite: the same seeds for every snapshot, now and later.
        let suite = SeedRange { seeds: Seeds::new(args.work.seed, 0), first: 0, count };
        gains.extend(reevaluate(&bank, &mut trials, suite)?);
        drop(shown);
    }
    let mut docs = Vec::new();
    for number in bank.snapshots().collect::<Vec<_>>() {
        match bank.read_snapshot(number) {
            Ok(s) => docs.push(SnapshotDoc {
                number,
                note: s.note,
                active: s.active.iter().map(|m| format!("{}@{}", m.name, m.version)).collect(),
                gain_since: gains.get(&number).copied(),
            }),
            Err(error) => output::note(&format!("note: {error}")),
        }
    }
    if args.json {
        output::json(&docs)?;
        return Ok(Ending::Done);
    }
    let mut table = Table::new(&[">snapshot", "taken"]);
    for s in &docs {
        let active = if s.active.is_empty() { "nothing".into() } else { s.active.join(", ") };
        let gain = s
            .gain_since
            .map_or_else(String::new, |g| format!("; since then {}", gain(g.estimate, g.low, g.high)));
        table.row([s.number.to_string(), s.note.clone()], &format!("active: {active}{gain}"));
    }
    let none = "no snapshot yet: the gates take one whenever what is active has changed".to_owned();
    output::result(&if table.is_empty() { none } else { table.text() })?;
    Ok(Ending::Done)
}
