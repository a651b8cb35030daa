//! `agon skills distill`: from play to drafts in a bank.

use super::{
    args::DistillArgs,
    place,
    setup::{is_stopped, play_config, say_stopped},
    source::Source,
    table::{Table, count, signed},
};
use crate::cli::{CliError, Ending, args::Loudness, output};
use agon_skill_distill::{Candidate, PickConfig, PolicyConfig, Proposers, Summary};
use agon_skill_practice::propose;
use rl_gym::Registry;
use serde::Serialize;
use std::path::{Path, PathBuf};

#[derive(Serialize)]
struct Doc {
    bank: PathBuf,
    game: String,
    rollouts: RolloutsDoc,
    mined: Summary,
    proposed: Vec<ProposedDoc>,
    /// Candidates that the bank had already.
    known: usize,
    interrupted: bool,
}

#[derive(Serialize)]
struct RolloutsDoc {
    players: Vec<String>,
    /// Seats in episodes.
    traces: usize,
    decisions: usize,
    /// Matches that could not be used, of a run.
    left_out: usize,
}

#[derive(Serialize)]
struct ProposedDoc {
    name: String,
    hash: String,
    kind: String,
    proposer: String,
    doc: String,
    is_new: bool,
    instances: usize,
    episodes: usize,
    seeds: usize,
    gain_bits: f64,
    uplift: Option<f64>,
    p: Option<f64>,
    q: Option<f64>,
    rate: f32,
}

pub(super) fn run(games: &Registry, args: &DistillArgs, loudness: Loudness) -> Result<Ending, CliError> {
    let play = play_config(args.work.workers);
    let source = Source::of(games, args, &play, loudness)?;
    let interrupted = is_stopped(&play.stop);
    if source.rollouts.is_empty() {
        let why = if interrupted { "stopped before anything was played" } else { "there is nothing to mine" };
        return Err(CliError::Request(format!("{why}: nothing was written")));
    }
    let proposers = proposers(args, &source);
    let mined = agon_skill_distill::propose(&source.rollouts, &proposers)?;
    let mut bank = place::open_or_create(&source.folder, &source.game, &source.options)?;
    if !source.folder.join("task.json").exists() {
        source.setup.write(&source.folder)?;
    }
    let lesson = propose(&mut bank, &mined.candidates)?;
    let doc = Doc {
        bank: source.folder,
        game: source.game.id(),
        rollouts: RolloutsDoc {
            players: source.rollouts.players(),
            traces: source.rollouts.len(),
            decisions: source.rollouts.decisions(),
            left_out: source.left_out,
        },
        mined: mined.summary,
        proposed: mined.candidates.iter().map(|c| proposed(c, &lesson.proposed)).collect(),
        known: lesson.known,
        interrupted,
    };
    if args.json {
        output::json(&doc)?;
    } else {
        output::result(&text(&doc))?;
        if loudness != Loudness::Quiet {
            output::note(&format!(
                "the gates decide about them: agon skills gate {} --base PLAYER",
                doc.bank.display()
            ));
        }
    }
    if interrupted {
        say_stopped("what was played till then was mined, and is in the bank");
        return Ok(Ending::Interrupted);
    }
    Ok(Ending::Done)
}

/// The miner, and lists where they are asked for: one for each of several teachers, whose ways differ, else one for all.
fn proposers(args: &DistillArgs, source: &Source) -> Proposers {
    let mut whose = vec![None];
    let teachers = source.rollouts.players();
    if !place::is_run(Path::new(&args.source)) && teachers.len() > 1 {
        whose = teachers.into_iter().map(Some).collect();
    }
    if !args.lists {
        whose.clear();
    }
    Proposers {
        picks: whose.iter().map(|p| PickConfig { player: p.clone(), ..PickConfig::default() }).collect(),
        policies: whose
            .iter()
            .map(|p| PolicyConfig { player: p.clone(), ..PolicyConfig::default() })
            .collect(),
        ..Proposers::default()
    }
}

fn proposed(c: &Candidate, new: &[String]) -> ProposedDoc {
    let link = c.evidence.link;
    ProposedDoc {
        name: c.skill.name.clone(),
        hash: c.skill.hash.clone(),
        kind: super::told::word(&c.skill.kind),
        proposer: super::told::word(&c.skill.provenance.proposer),
        doc: c.skill.doc.clone(),
        is_new: new.contains(&c.skill.hash),
        instances: c.evidence.instances,
        episodes: c.evidence.episodes,
        seeds: c.evidence.seeds,
        gain_bits: c.evidence.gain_bits,
        uplift: link.map(|l| l.uplift),
        p: link.map(|l| l.p),
        q: link.map(|l| l.q),
        rate: c.skill.contract.rate,
    }
}

fn text(doc: &Doc) -> String {
    let r = &doc.rollouts;
    let mut out = super::table::wrap(
        &format!(
            "{}: {} of {} from {}",
            doc.game,
            count(r.decisions, "decision"),
            count(r.traces, "played seat"),
            r.players.join(", ")
        ),
        "",
    );
    if r.left_out > 0 {
        out += &format!("{} could not be used (cut, forfeited or damaged)\n", count(r.left_out, "match"));
    }
    let mut table = Table::new(&["skill", ">seen", ">uplift", ">p", ">q", ">bits", ">rate"]);
    for p in &doc.proposed {
        let number = |x: Option<f64>| x.map_or_else(|| "-".into(), |x| format!("{x:.3}"));
        table.row(
            [
                format!("{}{}", p.name, if p.is_new { "" } else { " (known)" }),
                format!("{}/{}", p.instances, p.episodes),
                p.uplift.map_or_else(|| "-".into(), signed),
                number(p.p),
                number(p.q),
                format!("{:.0}", p.gain_bits),
                format!("{:.2}", p.rate),
            ],
            &p.doc,
        );
    }
    if table.is_empty() {
        out += "no pattern became a skill: play more episodes, or choose stronger teachers\n";
    } else {
        out += &table.text();
        out += "seen: instances/episodes; uplift: gain over like states, with its chance p without any link and its\n\
                share q of false findings; bits: what naming it saves; rate: promised, a lower limit\n";
    }
    let m = &doc.mined;
    let new = doc.proposed.iter().filter(|p| p.is_new).count();
    out += &super::table::wrap(
        &format!(
            "{} of {} kept of {} (surely rewarded: {}); dropped: {} without a contract or with too many holes, \
             {} that changed nothing; {} new in {}, {} known",
            count(doc.proposed.len(), "skill"),
            count(m.kept, "pattern"),
            m.patterns,
            m.rewarded,
            m.without_contract,
            count(m.dropped, "decision"),
            new,
            doc.bank.display(),
            doc.known
        ),
        "",
    );
    out
}
