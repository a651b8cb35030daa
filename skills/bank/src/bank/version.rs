//! The game, or the words that skills are written in, have changed.

use super::{Arrival, Bank, Event, FORMAT, HEAD, Head, files};
use crate::{
    BankError,
    evidence::{Evidence, Figures, Source},
    lifecycle::{MOVES, State},
};
use std::collections::BTreeSet;

impl Bank {
    /// Says what the bank is for, in the log and in `bank.json`.
    pub(super) fn speak(&mut self, game: &str) -> Result<(), BankError> {
        let vocabulary = self.words.version();
        self.tell(&Event::Speaks { game: game.into(), vocabulary })?;
        let head = Head { format: FORMAT.into(), game: game.into(), vocabulary };
        files::write_json(&self.folder.join(HEAD), &head)
    }

    /// Brings the bank to `game` and its words as they are now. Skills that were active are suspended, and offered in
    /// the new words as suspended versions that need G1 to G3; those on their way begin anew as drafts.
    pub(super) fn adapt(&mut self, game: &str) -> Result<(), BankError> {
        if self.facts.game.is_empty() {
            // The crash came before the first line.
            return self.speak(game);
        }
        let (old, new) =
            ((self.facts.game.clone(), self.facts.vocabulary), (game.to_owned(), self.words.version()));
        let head = self.folder.join(HEAD);
        if base(&old.0) != base(&new.0) {
            let what = format!("the bank is for {}, not for {}", old.0, new.0);
            return Err(files::form(head, what, "open it with its own game"));
        }
        if (number(&new.0), new.1) < (number(&old.0), old.1) {
            let what = format!(
                "the bank is for {} in words {}, this program has {} in {}",
                old.0, old.1, new.0, new.1
            );
            return Err(files::form(head, what, "use the program that wrote it, or a newer one"));
        }
        if old != new {
            let to = format!("{} {}", new.0, new.1);
            let mut moves = Vec::new();
            for entry in self.entries().filter(|e| can_age(e.state)) {
                let figures = Figures::Version { from: format!("{} {}", old.0, old.1), to: to.clone() };
                moves.push((
                    entry.hash.clone(),
                    vec![Evidence::new(&entry.hash, Source::default(), figures)?],
                ));
            }
            if !moves.is_empty() {
                self.present_all(&moves)?;
            }
            self.speak(game)?;
            self.notices.push(format!(
                "the bank was for {} in words {}, it is for {to} now: {} skills need their gates again",
                old.0,
                old.1,
                moves.len()
            ));
        }
        self.renew()?;
        self.replace_parents()
    }

    /// Offers in the new words what a change of words has put out of use. A crash in between is made good by the next
    /// opening.
    fn renew(&mut self) -> Result<(), BankError> {
        let has_heir: BTreeSet<String> = self
            .entries()
            .filter_map(|e| match &e.how {
                Arrival::Renewed { parent } => Some(parent.clone()),
                _ => None,
            })
            .collect();
        let (game, vocabulary) = (self.facts.game.clone(), self.facts.vocabulary);
        let old: Vec<_> = self
            .entries()
            .filter(|e| matches!(e.state, State::Suspended | State::Rejected) && !has_heir.contains(&e.hash))
            .filter_map(|e| Some((e.hash.clone(), e.state, e.skill.clone()?)))
            .filter(|(_, _, skill)| (&skill.game, skill.vocabulary) != (&game, vocabulary))
            .collect();
        for (parent, state, mut skill) in old {
            // A skill that failed a gate does not come again in other words.
            if !self.evidence_of_age(&parent)? {
                continue;
            }
            skill.game.clone_from(&game);
            skill.vocabulary = vocabulary;
            skill.provenance.parents = vec![parent.clone()];
            if let Err(error) = skill.check(&game, &*self.words) {
                self.notices.push(format!("{error}; it stays out of use"));
                continue;
            }
            let state = if state == State::Suspended { State::Suspended } else { State::Draft };
            self.arrive(skill, None, state, Arrival::Renewed { parent }, &[])?;
        }
        Ok(())
    }

    /// Whether the last thing shown about a skill is that its words have changed.
    fn evidence_of_age(&self, hash: &str) -> Result<bool, BankError> {
        let Some(last) = self.entry(hash)?.evidence.last().cloned() else { return Ok(false) };
        let path = self.place(self.entry(hash)?).join("evidence").join(format!("{last}.json"));
        let read = files::read_json::<Evidence>(&path, "");
        Ok(read.is_ok_and(|piece| matches!(piece.figures(), Figures::Version { .. })))
    }
}

/// Whether new words put a skill out of use.
fn can_age(state: State) -> bool {
    MOVES.iter().any(|rule| rule.from == state && rule.gates == [crate::Gate::Version])
}

/// `name` of `name-vN`.
fn base(game: &str) -> &str {
    game.rsplit_once("-v").map_or(game, |(base, _)| base)
}

/// `N` of `name-vN`.
fn number(game: &str) -> u32 {
    game.rsplit_once("-v").and_then(|(_, number)| number.parse().ok()).unwrap_or_default()
}
