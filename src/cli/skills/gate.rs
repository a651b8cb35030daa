//! `agon skills gate`: rounds of the gates over played trials.

use super::{
    args::{GateArgs, GatesArgs, TaskArgs, WorkArgs},
    place,
    progress::Shown,
    setup::{Resolved, Setup, is_stopped, play_config, say_stopped},
    table::{Table, count, gain, wrap},
    told,
};
use crate::cli::{CliError, Ending, args::Loudness, output};
use agon_skill::Seeds;
use agon_skill_agent::{PlayConfig, UserConfig};
use agon_skill_bank::{
    Bank, State,
    gates::{Account, Played, Settings, run_round},
    stats::Interval,
};
use rl_gym::{Game, Registry};
use serde::Serialize;
use std::path::PathBuf;

/// Train seeds from which the first gate runs a skill twice.
const STARTS: u32 = 200;

#[derive(Serialize)]
pub(super) struct Doc {
    bank: PathBuf,
    game: String,
    base: String,
    opponents: Vec<String>,
    measure: String,
    pub(super) rounds: Vec<RoundDoc>,
    /// Skills by state, when the rounds had ended.
    states: Vec<(String, usize)>,
    interrupted: bool,
}

#[derive(Serialize)]
pub(super) struct RoundDoc {
    round: u64,
    moved: Vec<MovedDoc>,
    snapshot: Option<u64>,
}

#[derive(Serialize)]
struct MovedDoc {
    name: String,
    hash: String,
    from: State,
    to: State,
    e_value: Option<f64>,
    gain: Option<Interval>,
    reason: String,
}

pub(super) fn run(games: &Registry, args: &GateArgs, loudness: Loudness) -> Result<Ending, CliError> {
    let (mut bank, game) = place::open(games, &args.bank)?;
    let play = play_config(args.work.workers);
    let resolved = prepare(&bank, game, &args.gates, &args.task)?;
    let doc = rounds(&mut bank, &resolved, &args.gates, &args.work, &play, loudness)?;
    if args.json {
        output::json(&doc)?;
    } else {
        output::result(&text(&doc, &resolved))?;
    }
    Ok(ending(&doc))
}

pub(super) fn ending(doc: &Doc) -> Ending {
    if doc.interrupted {
        say_stopped("the rounds that were finished stand; the same command goes on");
        return Ending::Interrupted;
    }
    Ending::Done
}

/// What is played, kept in the bank from now on.
pub(super) fn prepare(
    bank: &Bank,
    game: &Game,
    gates: &GatesArgs,
    task: &TaskArgs,
) -> Result<Resolved, CliError> {
    let setup = Setup::read(bank.folder(), game)?.with(task, gates.base.as_deref());
    let resolved = setup.resolve(game)?;
    resolved.setup.write(bank.folder())?;
    Ok(resolved)
}

/// Trials of a bank's skills.
pub(super) fn trials(resolved: &Resolved, seed: u64, play: &PlayConfig) -> Result<Played, CliError> {
    let (make, task) = (resolved.make.clone(), resolved.task.clone());
    let starts = (Seeds::new(seed, 1), STARTS);
    Ok(Played::new(&resolved.identity, vec![task], make, UserConfig::default(), play.clone(), starts)?)
}

/// Plays rounds until every skill has come to rest.
pub(super) fn rounds(
    bank: &mut Bank,
    resolved: &Resolved,
    gates: &GatesArgs,
    work: &WorkArgs,
    play: &PlayConfig,
    loudness: Loudness,
) -> Result<Doc, CliError> {
    let settings = settings(gates);
    let mut trials = trials(resolved, work.seed, play)?;
    let shown = Shown::new(loudness, "trials", 0, play);
    let mut rounds = Vec::new();
    let mut interrupted = false;
    let mut idle = 0;
    while rounds.len() < gates.rounds as usize && !bank.is_at_rest() && idle < 2 {
        match run_round(bank, &mut trials, work.seed, &settings) {
            Ok(account) => {
                let doc = round(bank, &account)?;
                idle = if doc.moved.is_empty() { idle + 1 } else { 0 };
                shown.say(&format!("round {}: {}", doc.round, summary(&doc)));
                rounds.push(doc);
            }
            // A stop ends the trial in the middle; what was decided before stands.
            Err(_) if is_stopped(&play.stop) => {
                interrupted = true;
                break;
            }
            Err(error) => return Err(error.into()),
        }
    }
    drop(shown);
    let states =
        State::ALL.iter().map(|s| (s.word().to_owned(), bank.entries().filter(|e| e.state == *s).count()));
    Ok(Doc {
        bank: bank.folder().into(),
        game: bank.game().into(),
        base: resolved.base.clone(),
        opponents: resolved.setup.opponents.clone(),
        measure: resolved.task.measure.to_string(),
        rounds,
        states: states.filter(|(_, n)| *n > 0).collect(),
        interrupted,
    })
}

pub(super) fn settings(args: &GatesArgs) -> Settings {
    let mut settings = Settings::default();
    settings.plan.cap = args.pairs;
    settings.suite = args.suite;
    settings.monitor.uses = args.uses;
    settings
}

fn round(bank: &Bank, account: &Account) -> Result<RoundDoc, CliError> {
    let mut moved = Vec::new();
    let retired = account.retired.iter().map(|(hash, _)| (hash, State::Active, State::Retired));
    let all = account.moved.iter().map(|(hash, from, to)| (hash, *from, *to));
    for (hash, from, to) in all.chain(retired) {
        let pieces = bank.evidence(hash)?;
        let is_tried = matches!(from, State::Candidate | State::Suspended);
        let uplift = told::uplift(&pieces).filter(|_| is_tried);
        let reason = told::decisive(bank.entry(hash)?, &pieces).map_or_else(String::new, ToString::to_string);
        moved.push(MovedDoc {
            name: bank.entry(hash)?.name.clone(),
            hash: hash.clone(),
            from,
            to,
            e_value: uplift.map(|(e, _)| e),
            gain: uplift.map(|(_, gain)| gain),
            reason,
        });
    }
    Ok(RoundDoc { round: account.round, moved, snapshot: account.snapshot })
}

fn summary(doc: &RoundDoc) -> String {
    let mut counts: Vec<(State, usize)> = Vec::new();
    for moved in &doc.moved {
        match counts.iter_mut().find(|(state, _)| *state == moved.to) {
            Some((_, n)) => *n += 1,
            None => counts.push((moved.to, 1)),
        }
    }
    if counts.is_empty() {
        return "nothing moved".into();
    }
    counts.iter().map(|(state, n)| format!("{n} to {state}")).collect::<Vec<_>>().join(", ")
}

pub(super) fn text(doc: &Doc, resolved: &Resolved) -> String {
    let mut out = wrap(
        &format!(
            "{} with {} {}, measure {}, gate seeds",
            doc.game,
            doc.base,
            resolved.against(),
            doc.measure
        ),
        "",
    );
    let mut table = Table::new(&["skill", "from", "to", ">e-value", ">gain (95 % interval)"]);
    let all: Vec<&MovedDoc> = doc.rounds.iter().flat_map(|round| &round.moved).collect();
    for (i, last) in
        all.iter().enumerate().filter(|(i, m)| all[i + 1..].iter().all(|later| later.hash != m.hash))
    {
        // One row a skill: from where it began to where it is now, with what decided last.
        let own = || all[..=i].iter().filter(|m| m.hash == last.hash);
        let tried = own().rfind(|m| m.e_value.is_some());
        let cells = [
            last.name.clone(),
            own().next().map_or_else(String::new, |m| m.from.to_string()),
            last.to.to_string(),
            tried.and_then(|m| m.e_value).map_or_else(|| "-".into(), told::e_value),
            tried.and_then(|m| m.gain).map_or_else(|| "-".into(), |g| gain(g.estimate, g.low, g.high)),
        ];
        table.row(cells, &last.reason);
    }
    if table.is_empty() {
        out += "nothing moved: `agon skills list` shows where the skills stand\n";
    } else {
        out += &table.text();
    }
    let states: Vec<String> = doc.states.iter().map(|(state, n)| format!("{n} {state}")).collect();
    out += &format!("after {}: {}\n", count(doc.rounds.len(), "round"), states.join(", "));
    out
}
