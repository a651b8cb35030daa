//! `agon skills upkeep`: skills that are one become one, broken contracts are told anew, as drafts.

use super::{
    args::UpkeepArgs,
    place,
    progress::Shown,
    setup::{Setup, is_stopped, play_config, say_stopped},
    table::{Table, count, wrap},
    told,
};
use crate::cli::{CliError, Ending, args::Loudness, output};
use agon_skill::Literal;
use agon_skill_bank::State;
use agon_skill_practice::{Mended, Merged, Tried, Upkeep, UpkeepConfig, upkeep};
use rl_gym::Registry;
use serde::Serialize;
use std::path::PathBuf;

#[derive(Serialize)]
struct Doc {
    bank: PathBuf,
    game: String,
    base: String,
    opponents: Vec<String>,
    /// Decisions on which skills were compared.
    probes: usize,
    /// Skills that were compared.
    compared: usize,
    merged: Vec<Merged>,
    tried: Vec<Tried>,
    refined: Vec<MendedDoc>,
    split: Vec<MendedDoc>,
    interrupted: bool,
}

/// A new draft, with what changed as text.
#[derive(Serialize)]
struct MendedDoc {
    name: String,
    hash: String,
    parent: String,
    parent_hash: String,
    dropped: Vec<String>,
    added: Option<String>,
    uses: usize,
    successes: usize,
    rate: f32,
}

impl From<Mended> for MendedDoc {
    fn from(m: Mended) -> Self {
        let text = |l: &Literal| told::literal(l);
        Self {
            name: m.name,
            hash: m.hash,
            parent: m.parent,
            parent_hash: m.parent_hash,
            dropped: m.dropped.iter().map(text).collect(),
            added: m.added.as_ref().map(text),
            uses: m.uses,
            successes: m.successes,
            rate: m.rate,
        }
    }
}

pub(super) fn run(games: &Registry, args: &UpkeepArgs, loudness: Loudness) -> Result<Ending, CliError> {
    let (mut bank, game) = place::open(games, &args.bank)?;
    let play = play_config(args.work.workers);
    let resolved = Setup::read(bank.folder(), game)?.with(&args.task, args.base.as_deref()).resolve(game)?;
    let config = UpkeepConfig { root: args.work.seed, episodes: args.episodes, ..UpkeepConfig::default() };
    let shown = Shown::new(loudness, "upkeep", 0, &play);
    let done = upkeep(&mut bank, &resolved.task, &resolved.make, &config, &play)?;
    drop(shown);
    let Upkeep { probes, compared, merged, tried, refined, split } = done;
    let doc = Doc {
        bank: bank.folder().into(),
        game: game.id(),
        base: resolved.base.clone(),
        opponents: resolved.setup.opponents.clone(),
        probes,
        compared,
        merged,
        tried,
        refined: refined.into_iter().map(MendedDoc::from).collect(),
        split: split.into_iter().map(MendedDoc::from).collect(),
        interrupted: is_stopped(&play.stop),
    };
    if args.json {
        output::json(&doc)?;
    } else {
        output::result(&text(&doc, &resolved.against()))?;
        if !(doc.refined.is_empty() && doc.split.is_empty()) && loudness != Loudness::Quiet {
            let bank = doc.bank.display();
            output::note(&format!("the gates decide about the drafts: agon skills gate {bank}"));
        }
    }
    if doc.interrupted {
        say_stopped("what was done till then stands; the same command goes on");
        return Ok(Ending::Interrupted);
    }
    Ok(Ending::Done)
}

fn text(doc: &Doc, against: &str) -> String {
    let mut out = wrap(&format!("{} with {} {against}, train seeds", doc.game, doc.base), "");
    let mut table = Table::new(&["skill", "was", "is", ">uses", ">kept", ">rate"]);
    for m in &doc.merged {
        let effect = m.effect.map_or_else(String::new, |x| format!("effects alike to {x:.2}, "));
        let is = if m.from == State::Active { State::Retired } else { State::Rejected };
        let none = || "-".to_owned();
        table.row(
            [m.name.clone(), m.from.to_string(), is.to_string(), none(), none(), none()],
            &format!(
                "does what {} does: {effect}actions alike on {:.1} % of {}",
                m.into,
                100.0 * m.agreement,
                count(m.shared, "shared probe")
            ),
        );
    }
    for t in &doc.tried {
        let (uses, kept) = (t.uses.to_string(), t.successes.to_string());
        let state = t.state.to_string();
        let anew = doc.refined.iter().chain(&doc.split).filter(|m| m.parent_hash == t.hash).count();
        table.row(
            [t.name.clone(), state.clone(), state, uses, kept, format!("{:.2}", t.claimed)],
            &match anew {
                0 => "broke its contract; no lesser promise and no narrower start holds".into(),
                n => format!("broke its contract; told anew in {}", count(n, "draft")),
            },
        );
        for m in doc.refined.iter().chain(&doc.split).filter(|m| m.parent_hash == t.hash) {
            let cells = [
                m.name.clone(),
                "-".into(),
                State::Draft.to_string(),
                m.uses.to_string(),
                m.successes.to_string(),
                format!("{:.2}", m.rate),
            ];
            table.row(cells, &changes(m));
        }
    }
    if table.is_empty() {
        out += "nothing to do: no two skills are one, and none broke its contract of late\n";
    } else {
        out += &table.text();
        out += "uses: on train seeds; kept: uses that kept the contract; rate: claimed, for drafts a lower limit\n";
    }
    out += &format!(
        "{} compared on {}: {} merged; {} played again: {} refined, {} split off\n",
        count(doc.compared, "skill"),
        count(doc.probes, "probe"),
        doc.merged.len(),
        doc.tried.len(),
        doc.refined.len(),
        doc.split.len()
    );
    out
}

/// What a draft promises otherwise than the skill that it was.
fn changes(m: &MendedDoc) -> String {
    let mut changes: Vec<String> = m.added.iter().map(|l| format!("begins where {l}")).collect();
    if !m.dropped.is_empty() {
        changes.push(format!("promises no more: {}", m.dropped.join(", ")));
    }
    if changes.is_empty() { "claims less".into() } else { changes.join("; ") }
}
