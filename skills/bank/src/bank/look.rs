//! What is in a bank.

use super::{Bank, Entry, files};
use crate::{BankError, evidence::Evidence, lifecycle::State};
use agon_skill::{Kind, Skill};
use agon_skill_runtime::Prepared;
use std::{collections::BTreeSet, sync::Arc};

impl Bank {
    /// All skills, by content hash.
    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.facts.entries.values()
    }

    /// Those that stand at `state` and can run: with readable folders, with their tools, in the bank's words.
    pub fn at(&self, state: State) -> impl Iterator<Item = &Entry> {
        self.entries().filter(move |entry| entry.state == state && self.is_ready(entry))
    }

    pub(super) fn is_ready(&self, entry: &Entry) -> bool {
        entry.skill.as_ref().is_some_and(|skill| {
            (&skill.game, skill.vocabulary) == (&self.facts.game, self.facts.vocabulary)
                && skill.tools.values().all(|hash| self.tool(hash).is_some())
        })
    }

    /// Whether a round of gates would try nothing: no drafts, and nothing on its way from candidate to active.
    /// Tools rest as candidates.
    pub fn is_at_rest(&self) -> bool {
        let acts = |entry: &Entry| entry.skill.as_ref().is_some_and(|skill| skill.kind != Kind::Tool);
        let open = [State::Candidate, State::Shadow, State::Provisional, State::Suspended];
        self.at(State::Draft).next().is_none() && !open.iter().any(|state| self.at(*state).any(acts))
    }

    /// The skill with this content hash.
    ///
    /// # Errors
    /// [`BankError::Unknown`] when there is none.
    pub fn entry(&self, hash: &str) -> Result<&Entry, BankError> {
        self.facts.entries.get(hash).ok_or_else(|| self.unknown(hash))
    }

    /// The skill that a person means: a content hash or its beginning, a name (the newest version), or
    /// `name@version`.
    ///
    /// # Errors
    /// [`BankError::Unknown`] when there is none, or several hashes begin so.
    pub fn find(&self, text: &str) -> Result<&Entry, BankError> {
        let (name, version) = match text.split_once('@') {
            Some((name, version)) => (name, version.trim_start_matches('v').parse::<u32>().ok()),
            None => (text, None),
        };
        let named = |e: &&Entry| e.name == name && version.is_none_or(|v| e.version == v);
        if let Some(entry) = self.entries().filter(named).max_by_key(|e| e.version) {
            return Ok(entry);
        }
        let mut begins = self.entries().filter(|e| !text.is_empty() && e.hash.starts_with(text));
        match (begins.next(), begins.next()) {
            (Some(entry), None) => Ok(entry),
            _ => Err(self.unknown(text)),
        }
    }

    fn unknown(&self, skill: &str) -> BankError {
        let names: BTreeSet<&str> = self.entries().map(|e| e.name.as_str()).collect();
        let names: Vec<&str> = names.into_iter().collect();
        let mend = match rl_gym::suggest(skill, &names.iter().map(|n| (*n).to_owned()).collect::<Vec<_>>()) {
            Some(nearest) => format!("did you mean {nearest}?"),
            None if names.is_empty() => "it is empty".into(),
            None => format!("it has {}", names.join(", ")),
        };
        BankError::Unknown { skill: skill.into(), mend }
    }

    /// A skill with its tools, ready to run.
    ///
    /// # Errors
    /// When there is none, its folder is broken, a tool is missing, or it is written in other words than the bank's.
    pub fn prepared(&self, hash: &str) -> Result<Arc<Prepared>, BankError> {
        let skill = self.skill(hash)?.clone();
        let tool = |hash: &str| self.tool(hash).cloned().map(Arc::new);
        Ok(Arc::new(Prepared::with_tools(skill, &self.facts.game, self.words.clone(), tool)?))
    }

    /// A skill of the bank.
    ///
    /// # Errors
    /// When there is none, or its folder is broken.
    pub fn skill(&self, hash: &str) -> Result<&Skill, BankError> {
        self.entry(hash)?.skill.as_ref().ok_or_else(|| BankError::Unknown {
            skill: hash.into(),
            mend: "its folder is broken, see the notices".into(),
        })
    }

    /// A tool by content hash. Tools never act, so they have no gates of their own but G0: they are good or bad
    /// with the skills that call them.
    pub fn tool(&self, hash: &str) -> Option<&Skill> {
        let entry = self.facts.entries.get(hash).filter(|e| e.state != State::Rejected)?;
        entry.skill.as_ref().filter(|skill| skill.kind == Kind::Tool)
    }

    /// The skills that stand at `state`, and the tools that they call. An eager agent takes the first that applies, so those
    /// whose gain is surest (greatest lower limit) come first; of equals the one of the lower content hash.
    pub fn skills_at(&self, state: State) -> Vec<Skill> {
        let mut entries: Vec<_> = self.at(state).collect();
        let sure = |e: &Entry| e.gain.map_or(f64::NEG_INFINITY, |gain| gain.low);
        entries.sort_by(|a, b| sure(b).total_cmp(&sure(a)));
        self.with_tools(entries.into_iter().filter_map(|e| e.skill.clone()).collect())
    }

    /// `skills`, and after them the tools that they call and that are not among them.
    pub fn with_tools(&self, mut skills: Vec<Skill>) -> Vec<Skill> {
        let needed: BTreeSet<String> = skills.iter().flat_map(|s| s.tools.values().cloned()).collect();
        for hash in needed {
            if skills.iter().all(|s| s.hash != hash) {
                skills.extend(self.tool(&hash).cloned());
            }
        }
        skills
    }

    /// All evidence about a skill, in order, read from its folder.
    ///
    /// # Errors
    /// When there is no such skill, or a file is missing or was changed.
    pub fn evidence(&self, hash: &str) -> Result<Vec<Evidence>, BankError> {
        let entry = self.entry(hash)?;
        let folder = self.place(entry).join("evidence");
        entry
            .evidence
            .iter()
            .map(|hash| {
                let path = folder.join(format!("{hash}.json"));
                let piece: Evidence = files::read_json(&path, "take it from a copy, or run the gate again")?;
                let found = piece.hash();
                if found == *hash {
                    return Ok(piece);
                }
                let what = format!("its contents hash to {found}");
                Err(files::form(path, what, "it was changed; take it from a copy, or run the gate again"))
            })
            .collect()
    }
}
