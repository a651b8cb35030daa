//! What was active at some moments, and going back to it.

use super::{Bank, Entry, Event, FORMAT, files};
use crate::{
    BankError,
    evidence::{Evidence, Figures, Source},
    lifecycle::State,
};
use agon_skill::Stats;
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, path::PathBuf};

/// A skill of a snapshot.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Member {
    /// Name.
    pub name: String,
    /// Version.
    pub version: u32,
    /// Content hash.
    pub hash: String,
    /// What was known about it then.
    pub stats: BTreeMap<String, Stats>,
}

/// What was active at one moment.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Snapshot {
    /// [`FORMAT`].
    pub format: String,
    /// Its number, from 1.
    pub number: u64,
    /// Id of the game.
    pub game: String,
    /// Version of the words.
    pub vocabulary: u32,
    /// Lines of the log then.
    pub events: u64,
    /// Hash of the last of them.
    pub head: String,
    /// Why it was taken.
    pub note: String,
    /// The active skills, by content hash.
    pub active: Vec<Member>,
}

impl Bank {
    /// Writes down what is active now; `skill.json` of those skills gets what is known about them. Tells the number.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn snapshot(&mut self, note: &str) -> Result<u64, BankError> {
        let number = self.facts.snapshots.keys().max().map_or(1, |last| last + 1);
        let active: Vec<Member> = self
            .at(State::Active)
            .map(|e| Member {
                name: e.name.clone(),
                version: e.version,
                hash: e.hash.clone(),
                stats: e.stats.clone(),
            })
            .collect();
        for member in &active {
            let Some(entry) = self.facts.entries.get_mut(&member.hash) else { continue };
            let place = super::place(&self.folder, &entry.name, entry.version);
            if let Some(skill) = &mut entry.skill {
                skill.stats.clone_from(&entry.stats);
                agon_skill::save(&place, skill)?;
            }
        }
        let snapshot = Snapshot {
            format: FORMAT.into(),
            number,
            game: self.facts.game.clone(),
            vocabulary: self.facts.vocabulary,
            events: self.log.count(),
            head: self.log.head().into(),
            note: note.into(),
            active,
        };
        files::write_json(&self.snapshot_path(number), &snapshot)?;
        self.tell(&Event::Snapshot { number, hash: hash_of(&snapshot) })?;
        Ok(number)
    }

    fn snapshot_path(&self, number: u64) -> PathBuf {
        self.folder.join("snapshots").join(format!("{number}.json"))
    }

    /// Numbers of the snapshots.
    pub fn snapshots(&self) -> impl Iterator<Item = u64> + '_ {
        self.facts.snapshots.keys().copied()
    }

    /// A snapshot, checked against the log.
    ///
    /// # Errors
    /// When there is none, or it was changed.
    pub fn read_snapshot(&self, number: u64) -> Result<Snapshot, BankError> {
        let path = self.snapshot_path(number);
        let Some(stated) = self.facts.snapshots.get(&number) else {
            let what = format!("there is no snapshot {number}");
            let last = self.facts.snapshots.keys().max().copied().unwrap_or_default();
            return Err(files::form(path, what, &format!("there are {last}")));
        };
        let mend = "it was changed; take it from a copy, or use another snapshot";
        let snapshot: Snapshot = files::read_json(&path, mend)?;
        let found = hash_of(&snapshot);
        if found != *stated {
            return Err(files::form(path, format!("it hashes to {found}, the log says {stated}"), mend));
        }
        Ok(snapshot)
    }

    /// The newest snapshot knows how long the log was: a log that was cut before is found out. One that the log does
    /// not know is of a crash, or of a log that was cut.
    pub(super) fn check_snapshots(&mut self) -> Result<(), BankError> {
        let next = self.facts.snapshots.keys().max().map_or(1, |last| last + 1);
        let path = self.snapshot_path(next);
        if let Ok(later) = files::read_json::<Snapshot>(&path, "") {
            let has = self.log.hash_of(later.events) == Some(&later.head);
            if !has {
                let what = format!("{} says that line {} followed", path.display(), later.events);
                return Err(self.log.wrong_at(self.log.count() + 1, what));
            }
            self.notices
                .push(format!("{}: a crash came before it counted; it will be written anew", path.display()));
        }
        let numbers: Vec<u64> = self.snapshots().collect();
        for number in numbers {
            if let Err(error) = self.read_snapshot(number) {
                self.notices.push(format!("{error}; the bank cannot go back to it"));
            }
        }
        Ok(())
    }

    /// Makes active what was active at a snapshot, and nothing else. Skills that were suspended since (even if
    /// they were retired then), or that cannot run, stay out and are told. Nothing is rewritten: going back is an
    /// event, and one can go forth again.
    ///
    /// # Errors
    /// When there is no such snapshot, it is of other words, no reason is given, or a file cannot be written.
    pub fn go_back(&mut self, number: u64, reason: &str) -> Result<Vec<String>, BankError> {
        let snapshot = self.read_snapshot(number)?;
        let words = (self.facts.game.as_str(), self.facts.vocabulary);
        if (snapshot.game.as_str(), snapshot.vocabulary) != words {
            let what = format!("it is for {} in words {}", snapshot.game, snapshot.vocabulary);
            let mend = format!("the bank is for {} in words {}: use a later snapshot", words.0, words.1);
            return Err(files::form(self.snapshot_path(number), what, &mend));
        }
        let then: Vec<&str> = snapshot.active.iter().map(|m| m.hash.as_str()).collect();
        let (mut moves, mut told) = (Vec::new(), Vec::new());
        for entry in self.entries() {
            let was = then.contains(&entry.hash.as_str());
            let reason = reason.to_owned();
            let figures = match entry.state {
                State::Active if !was => Figures::Rollback { snapshot: number, reason },
                State::RolledBack | State::Retired
                    if was && was_left_active(entry) && self.is_ready(entry) =>
                {
                    Figures::Restore { snapshot: number, reason }
                }
                State::Active => continue,
                _ if was => {
                    told.push(format!("{} version {} stays {}", entry.name, entry.version, entry.state));
                    continue;
                }
                _ => continue,
            };
            moves.push((entry.hash.clone(), vec![Evidence::new(&entry.hash, Source::default(), figures)?]));
        }
        // A refused move leaves no trace.
        for (hash, evidence) in &moves {
            self.plan(hash, evidence)?;
        }
        self.tell(&Event::WentBack { snapshot: number, reason: reason.into() })?;
        if !moves.is_empty() {
            self.present_all(&moves)?;
        }
        Ok(told)
    }

    /// Evidence that speaks of a snapshot must agree with it.
    pub(super) fn check_snapshot_of(&self, hash: &str, piece: &Evidence) -> Result<(), BankError> {
        let (number, must) = match piece.figures() {
            Figures::Rollback { snapshot, .. } => (*snapshot, false),
            Figures::Restore { snapshot, .. } => (*snapshot, true),
            _ => return Ok(()),
        };
        let wrong = |what: String, mend: &str| {
            let (gate, skill) = (piece.gate().to_string(), hash.to_owned());
            Err(BankError::Evidence { gate, skill, what, mend: mend.into() })
        };
        let snapshot = self.read_snapshot(number)?;
        if snapshot.active.iter().any(|member| member.hash == hash) != must {
            let what = format!("snapshot {number} does {}hold it", if must { "not " } else { "" });
            return wrong(what, "use another snapshot");
        }
        if must && !was_left_active(self.entry(hash)?) {
            return wrong("it was suspended since".into(), "propose it again in a new version");
        }
        Ok(())
    }
}

/// Whether a skill that is out of use was active until then: nothing has been held against it.
fn was_left_active(entry: &Entry) -> bool {
    entry.history.last().is_some_and(|step| step.from == State::Active)
}

fn hash_of(snapshot: &Snapshot) -> String {
    let bytes = serde_json::to_vec(snapshot).unwrap_or_default();
    blake3::hash(&bytes).to_hex()[..16].to_owned()
}
