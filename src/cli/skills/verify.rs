//! `agon skills verify`: is a bank what it says it is?

use super::{
    args::VerifyArgs,
    gate::trials,
    place,
    setup::{Setup, is_stopped, play_config, say_stopped},
    table::{count, wrap},
};
use crate::cli::{CliError, Ending, output};
use agon_skill::Kind;
use agon_skill_bank::{
    Bank, BankError, Evidence, State,
    bank::Entry,
    evidence::{Figures, Static},
    gates::{Played, replay_gate, static_gate},
};
use rl_gym::{Game, Registry};
use serde::Serialize;

#[derive(Serialize)]
struct Doc {
    bank: std::path::PathBuf,
    sound: bool,
    /// What was looked at.
    skills: usize,
    evidence: usize,
    log_lines: u64,
    snapshots: usize,
    /// Starts that were played twice.
    replays: usize,
    findings: Vec<String>,
    notes: Vec<String>,
}

pub(super) fn run(games: &Registry, args: &VerifyArgs) -> Result<Ending, CliError> {
    let folder = place::folder(&args.bank);
    let game = place::game_of(games, &folder)?;
    let mut doc = Doc {
        bank: folder.clone(),
        sound: true,
        skills: 0,
        evidence: 0,
        log_lines: 0,
        snapshots: 0,
        replays: 0,
        findings: Vec::new(),
        notes: Vec::new(),
    };
    let play = play_config(args.work.workers);
    match place::open(games, &args.bank) {
        // A log that was changed is what this command looks for, not a reason to look no further.
        Err(CliError::Bank(error @ BankError::Log { .. })) => doc.findings.push(error.to_string()),
        Err(error) => return Err(error),
        Ok((bank, _)) => {
            let wanted = match &args.id {
                Some(id) => vec![bank.find(id)?],
                None => bank.entries().collect(),
            };
            let is_whole = args.id.is_none();
            let mut trials = replayer(&bank, game, args, &mut doc, &play)?;
            for entry in wanted {
                if is_stopped(&play.stop) {
                    break;
                }
                doc.skill(&bank, entry, trials.as_mut(), is_whole)?;
            }
            doc.log_lines = bank.events();
            if args.id.is_none() {
                doc.findings.extend(bank.audit());
            }
            for number in bank.snapshots() {
                doc.snapshots += 1;
                if let Err(error) = bank.read_snapshot(number) {
                    doc.findings.push(error.to_string());
                }
            }
        }
    }
    doc.sound = doc.findings.is_empty();
    if args.json {
        output::json(&doc)?;
    } else {
        output::result(&doc.text())?;
    }
    if is_stopped(&play.stop) {
        say_stopped("the rest was not looked at");
        return Ok(Ending::Interrupted);
    }
    Ok(if doc.sound { Ending::Done } else { Ending::Unsound })
}

/// Trials for the replays, where the bank says who plays.
fn replayer(
    bank: &Bank,
    game: &Game,
    args: &VerifyArgs,
    doc: &mut Doc,
    play: &agon_skill_agent::PlayConfig,
) -> Result<Option<Played>, CliError> {
    let setup = Setup::read(bank.folder(), game)?;
    if setup.base.is_none() {
        doc.notes.push("no replays: the gates have not said yet which player the skills are for".into());
        return Ok(None);
    }
    match setup.resolve(game) {
        Ok(resolved) => Ok(Some(trials(&resolved, args.work.seed, play)?)),
        Err(error) => {
            doc.notes.push(format!("no replays: {error}"));
            Ok(None)
        }
    }
}

impl Doc {
    fn skill(
        &mut self,
        bank: &Bank,
        entry: &Entry,
        trials: Option<&mut Played>,
        is_whole: bool,
    ) -> Result<(), CliError> {
        self.skills += 1;
        let who = format!("{}@{}", entry.name, entry.version);
        let Some(skill) = &entry.skill else {
            let why = agon_skill::load(&bank.place(entry)).err().map_or_else(
                || "its contents are not those that the log speaks of".into(),
                |error| error.to_string(),
            );
            self.findings.push(format!("{who}: {why}"));
            return Ok(());
        };
        match bank.evidence(&entry.hash) {
            // The audit of the whole bank says it.
            Err(_) if is_whole => {}
            Err(error) => self.findings.push(format!("{who}: {error}")),
            Ok(pieces) => {
                self.evidence += pieces.len();
                self.findings.extend(
                    pieces
                        .iter()
                        .filter(|_| !is_whole)
                        .filter_map(|p| p.verify().err())
                        .map(|error| format!("{who}: {error}")),
                );
                self.code(bank, entry, &pieces)?;
            }
        }
        let acts = matches!(skill.kind, Kind::Option | Kind::Policy);
        let is_out = matches!(entry.state, State::Draft | State::Rejected | State::Retired);
        if let Some(trials) = trials.filter(|_| acts && !is_out) {
            let kit = bank.with_tools(vec![skill.clone()]);
            match replay_gate(trials, &kit[0], &kit[1..]) {
                Err(error) => self.findings.push(format!("{who}: {error}")),
                Ok(piece) => {
                    if let Figures::Replay(replay) = piece.figures() {
                        self.replays += replay.runs.len();
                        let other = replay.runs.iter().filter(|run| run.first != run.second).count();
                        if other > 0 {
                            let of = replay.runs.len();
                            self.findings.push(format!(
                                "{who}: {other} of {of} starts do not play alike twice: it, its game or the base \
                                 player is not deterministic"
                            ));
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Lint and load. A skill that was rejected for its code may have any.
    fn code(&mut self, bank: &Bank, entry: &Entry, pieces: &[Evidence]) -> Result<(), CliError> {
        let Some(skill) = &entry.skill else { return Ok(()) };
        let is_known = pieces
            .iter()
            .any(|p| matches!(p.figures(), Figures::Static(Static { findings }) if !findings.is_empty()));
        let is_old = skill.vocabulary != bank.words().version() || skill.game != bank.game();
        if is_known || is_old {
            return Ok(());
        }
        if let Figures::Static(Static { findings }) = static_gate(bank, skill)?.figures() {
            let who = format!("{}@{}", entry.name, entry.version);
            self.findings.extend(findings.iter().map(|finding| format!("{who}: {finding}")));
        }
        Ok(())
    }

    fn text(&self) -> String {
        let mut out = String::new();
        self.findings.iter().for_each(|finding| out += &wrap(&format!("FAIL {finding}"), ""));
        self.notes.iter().for_each(|note| out += &wrap(&format!("note {note}"), ""));
        out += &wrap(
            &format!(
                "{}: {}, {} of evidence decided again, {} of the log, {}, {} played twice: {}",
                self.bank.display(),
                count(self.skills, "skill"),
                count(self.evidence, "piece"),
                count(self.log_lines as usize, "line"),
                count(self.snapshots, "snapshot"),
                count(self.replays, "start"),
                if self.sound { "sound".to_owned() } else { count(self.findings.len(), "finding") }
            ),
            "",
        );
        out
    }
}
