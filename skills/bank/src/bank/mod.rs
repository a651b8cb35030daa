//! A bank on the disk.
//!
//! `bank.json` says what it is for, `skills/<name>/v<N>/` holds the skills with their evidence, `log.jsonl`
//! everything that happened, `snapshots/` what was active at some moments. The log is the truth; where a skill
//! stands follows from it alone.

mod event;
mod files;
mod log;
mod look;
mod moves;
mod package;
mod prune;
mod snapshot;
mod version;

pub use event::{Arrival, Entry, Event, Step, Uses};
pub use moves::Proposal;
pub use package::Imported;
pub use prune::{PruneRule, PruneWhy};
pub use snapshot::{Member, Snapshot};

use crate::{BankError, evidence::MonitorRule};
use event::Facts;
use log::Log;
use rl_gym::Vocabulary;
use serde::{Deserialize, Serialize};
use std::{
    collections::BTreeSet,
    fmt, fs,
    fs::File,
    path::{Path, PathBuf},
    sync::Arc,
};

/// The format of a bank's folder.
pub const FORMAT: &str = "agon-bank/1";
const HEAD: &str = "bank.json";
const LOG: &str = "log.jsonl";

/// `bank.json`: what a folder is, for people and for programs that do not read the log.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    format: String,
    game: String,
    vocabulary: u32,
}

/// A bank that this process alone has open.
pub struct Bank {
    folder: PathBuf,
    words: Arc<dyn Vocabulary>,
    facts: Facts,
    rule: MonitorRule,
    log: Log,
    notices: Vec<String>,
    /// Held, so that nobody else opens the folder.
    _lock: File,
}

impl fmt::Debug for Bank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Bank({}, {} skills)", self.folder.display(), self.facts.entries.len())
    }
}

impl Bank {
    /// A new bank for `game` in `folder`, which is made if need be.
    ///
    /// # Errors
    /// When there is a bank already, or the folder cannot be written.
    pub fn create(folder: &Path, game: &str, words: Arc<dyn Vocabulary>) -> Result<Self, BankError> {
        fs::create_dir_all(folder).map_err(files::file(folder))?;
        let lock = files::lock(folder)?;
        let head = folder.join(HEAD);
        if head.exists() || folder.join(LOG).exists() {
            return Err(files::form(head, "there is a bank already", "open it, or choose another folder"));
        }
        let log = Log::open(&folder.join(LOG))?.log;
        let facts = Facts::default();
        let rule = MonitorRule::default();
        let mut bank =
            Self { folder: folder.into(), words, facts, rule, log, notices: Vec::new(), _lock: lock };
        bank.speak(game)?;
        Ok(bank)
    }

    /// Opens the bank in `folder` for `game` as it is now. When the game or its words are newer than the bank's,
    /// active skills are suspended and offered again in the new words; see [`Bank::notices`].
    ///
    /// # Errors
    /// When there is no bank, it is of another game, another process has it open, or its log was changed. Broken
    /// skill folders are no error: they are told in [`Bank::notices`] and left out.
    pub fn open(folder: &Path, game: &str, words: Arc<dyn Vocabulary>) -> Result<Self, BankError> {
        let head_path = folder.join(HEAD);
        if !head_path.exists() && !folder.join(LOG).exists() {
            return Err(files::form(head_path, "there is no bank", "create one, or give its folder"));
        }
        let lock = files::lock(folder)?;
        let read = Log::open(&folder.join(LOG))?;
        let mut facts = Facts::default();
        for (line, event) in (1..).zip(&read.events) {
            facts.take(event).map_err(|what| read.log.wrong_at(line, what))?;
        }
        let mut bank = Self {
            folder: folder.into(),
            words,
            facts,
            rule: MonitorRule::default(),
            log: read.log,
            notices: read.repaired.into_iter().collect(),
            _lock: lock,
        };
        bank.check_head(&head_path)?;
        bank.check_snapshots()?;
        bank.load_skills();
        bank.adapt(game)?;
        Ok(bank)
    }

    fn check_head(&mut self, path: &Path) -> Result<(), BankError> {
        let stated =
            Head { format: FORMAT.into(), game: self.facts.game.clone(), vocabulary: self.facts.vocabulary };
        match files::read_json::<Head>(path, "") {
            Ok(head) if head == stated => return Ok(()),
            Ok(head) if head.format != FORMAT => {
                let what = format!("the format is \"{}\"", head.format);
                return Err(files::form(path, what, "this program reads agon-bank/1"));
            }
            Ok(_) => self.notices.push(format!("{}: written anew from the log", path.display())),
            Err(error) => self.notices.push(format!("{error}; written anew from the log")),
        }
        if self.facts.game.is_empty() {
            // A crash before the first line.
            return Ok(());
        }
        files::write_json(path, &stated)
    }

    /// Reads the folders of all skills, and tells which of them are broken or belong to nobody.
    fn load_skills(&mut self) {
        let mut known = BTreeSet::new();
        let folder = self.folder.clone();
        for entry in self.facts.entries.values_mut() {
            let place = place(&folder, &entry.name, entry.version);
            match agon_skill::load(&place) {
                Ok(skill) if skill.hash == entry.hash => {
                    entry.monitor.claim = f64::from(skill.contract.rate);
                    entry.skill = Some(skill);
                }
                Ok(skill) => self.notices.push(format!(
                    "{}: it hashes to {}, the log says {}: it was edited; left out, propose it as a new version",
                    place.display(),
                    skill.hash,
                    entry.hash
                )),
                Err(error) => self.notices.push(format!("{error}; left out")),
            }
            known.insert(place);
        }
        let missing: Vec<String> = self
            .entries()
            .flat_map(|e| e.skill.iter().flat_map(|skill| &skill.tools).map(move |tool| (e, tool)))
            .filter(|(_, (_, hash))| self.tool(hash).is_none())
            .map(|(e, (tool, hash))| {
                let (name, version) = (&e.name, e.version);
                format!(
                    "{name} version {version} calls the tool {tool} ({hash}), which is not here: left out"
                )
            })
            .collect();
        self.notices.extend(missing);
        let versions = |path: PathBuf| fs::read_dir(path).into_iter().flatten().flatten().map(|e| e.path());
        let mut strays: Vec<PathBuf> =
            versions(folder.join("skills")).flat_map(versions).filter(|path| !known.contains(path)).collect();
        strays.sort();
        for path in strays {
            self.notices
                .push(format!("{}: the log does not know it: propose it, or delete it", path.display()));
        }
    }

    /// Adds an event to the log and to what follows from it.
    fn tell(&mut self, event: &Event) -> Result<(), BankError> {
        let line = self.log.count() + 1;
        self.facts.check(event).map_err(|what| self.log.wrong_at(line, what))?;
        self.log.append(event)?;
        self.facts.apply(event);
        Ok(())
    }

    /// What was found and mended, or left out, when it was opened.
    pub fn notices(&self) -> &[String] {
        &self.notices
    }

    /// Its folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Id of its game.
    pub fn game(&self) -> &str {
        &self.facts.game
    }

    /// The game's words.
    pub const fn words(&self) -> &Arc<dyn Vocabulary> {
        &self.words
    }

    /// The rounds of candidates so far.
    pub const fn round(&self) -> u64 {
        self.facts.round
    }

    /// Lines of its log.
    pub fn events(&self) -> u64 {
        self.log.count()
    }

    /// When the uses of its skills give alarm. The same as long as the bank is open.
    pub const fn set_monitor_rule(&mut self, rule: MonitorRule) {
        self.rule = rule;
    }

    /// Where a skill lives.
    pub fn place(&self, entry: &Entry) -> PathBuf {
        place(&self.folder, &entry.name, entry.version)
    }
}

fn place(folder: &Path, name: &str, version: u32) -> PathBuf {
    folder.join("skills").join(name).join(format!("v{version}"))
}
