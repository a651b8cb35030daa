//! Skills come, move on evidence, and are used.

use super::{Arrival, Bank, Event, Step, Uses, files};
use crate::{
    BankError,
    evidence::{Alarm, Evidence, Figures, Gate, Monitor, Retirement, Source},
    lifecycle::{State, next},
    stats::Interval,
};
use agon_skill::Skill;
use std::collections::BTreeSet;

/// What became of a proposed skill.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Proposal {
    /// It is new; its content hash.
    New(String),
    /// The bank had it already, under this content hash.
    Known(String),
}

impl Proposal {
    /// The content hash.
    pub fn hash(&self) -> &str {
        match self {
            Self::New(hash) | Self::Known(hash) => hash,
        }
    }
}

impl Bank {
    /// Takes a skill as a draft, with the intermediate form that its code was printed from, if any. Its version
    /// becomes the next of its name.
    ///
    /// # Errors
    /// When its name cannot name a folder, or a file cannot be written.
    pub fn propose(&mut self, skill: Skill, ir: Option<&str>) -> Result<Proposal, BankError> {
        self.arrive(skill, ir, State::Draft, Arrival::Proposed, &[])
    }

    /// Takes a skill that comes in some way.
    pub(super) fn arrive(
        &mut self,
        mut skill: Skill,
        ir: Option<&str>,
        state: State,
        how: Arrival,
        evidence: &[Evidence],
    ) -> Result<Proposal, BankError> {
        let hash = skill.content_hash();
        if self.facts.entries.contains_key(&hash) {
            return Ok(Proposal::Known(hash));
        }
        let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        if skill.name.is_empty() || skill.name.len() > 64 || !skill.name.chars().all(is_name) {
            return Err(BankError::Skill(agon_skill::SkillError::Words {
                skill: skill.name.clone(),
                field: "name".into(),
                what: format!("\"{}\"", skill.name),
                mend: "use up to 64 small letters, digits and _".into(),
            }));
        }
        let newest = self.entries().filter(|e| e.name == skill.name).map(|e| e.version).max();
        skill.version = newest.map_or(1, |version| version + 1);
        skill.hash.clone_from(&hash);
        // What is known about it elsewhere was not measured here.
        skill.stats.clear();
        let place = super::place(&self.folder, &skill.name, skill.version);
        agon_skill::save(&place, &skill)?;
        if let Some(ir) = ir {
            files::write(&place.join("ir.json"), ir.as_bytes())?;
        }
        for piece in evidence {
            files::write_json(&place.join("evidence").join(format!("{}.json", piece.hash())), piece)?;
        }
        let (name, version) = (skill.name.clone(), skill.version);
        self.tell(&Event::Arrived { name, version, skill: hash.clone(), state, how })?;
        if let Some(entry) = self.facts.entries.get_mut(&hash) {
            entry.monitor.claim = f64::from(skill.contract.rate);
            entry.skill = Some(skill);
        }
        Ok(Proposal::New(hash))
    }

    /// Moves a skill to where its evidence leads. This is the only way to a new state.
    ///
    /// # Errors
    /// When the evidence leads nowhere from where it stands; when it was shown before and the skill was suspended
    /// since; when a file cannot be written. Nothing has moved then.
    pub fn present(&mut self, hash: &str, evidence: &[Evidence]) -> Result<State, BankError> {
        Ok(self.present_all(&[(hash.to_owned(), evidence.to_vec())])?[0])
    }

    /// Moves several skills at once, in one line of the log: all or none.
    ///
    /// # Errors
    /// As [`Bank::present`].
    pub fn present_all(&mut self, moves: &[(String, Vec<Evidence>)]) -> Result<Vec<State>, BankError> {
        let mut steps = Vec::new();
        for (hash, evidence) in moves {
            steps.push(self.plan(hash, evidence)?);
        }
        for (hash, evidence) in moves {
            let folder = self.place(self.entry(hash)?).join("evidence");
            for piece in evidence {
                files::write_json(&folder.join(format!("{}.json", piece.hash())), piece)?;
            }
        }
        let states: Vec<State> = steps.iter().map(|step| step.to).collect();
        self.tell(&Event::Moved(steps))?;
        self.replace_parents()?;
        Ok(states)
    }

    pub(super) fn plan(&self, hash: &str, evidence: &[Evidence]) -> Result<Step, BankError> {
        let entry = self.entry(hash)?;
        let known: BTreeSet<&str> = entry.evidence.iter().map(String::as_str).collect();
        let hashes: Vec<String> = evidence.iter().map(Evidence::hash).collect();
        // What is drawn from fresh seeds never comes out the same twice; the other gates do.
        let drawn = |piece: &Evidence| matches!(piece.gate(), Gate::Contract | Gate::Uplift);
        if let Some((piece, _)) =
            evidence.iter().zip(&hashes).find(|(piece, hash)| drawn(piece) && known.contains(hash.as_str()))
        {
            return Err(BankError::Evidence {
                gate: piece.gate().to_string(),
                skill: hash.into(),
                what: "it was presented before".into(),
                mend: "run the gate again, on fresh seeds".into(),
            });
        }
        for piece in evidence {
            self.check_snapshot_of(hash, piece)?;
        }
        let to = next(entry.state, hash, evidence)?;
        let gain = evidence.iter().find_map(|piece| match piece.figures() {
            Figures::Uplift(pairs) => Some(pairs.gain()),
            _ => None,
        });
        let gain: Option<Interval> = gain.transpose()?;
        Ok(Step { skill: hash.into(), from: entry.state, to, evidence: hashes, gain })
    }

    /// Skills in newer words that have become active take the place of their parents.
    pub(super) fn replace_parents(&mut self) -> Result<(), BankError> {
        let mut moves = Vec::new();
        for heir in self.entries().filter(|e| e.state == State::Active) {
            let Arrival::Renewed { parent } = &heir.how else { continue };
            if self.entry(parent)?.state == State::Suspended {
                let figures = Figures::Retirement(Retirement::Replaced { by: heir.hash.clone() });
                moves.push((parent.clone(), vec![Evidence::new(parent, Source::default(), figures)?]));
            }
        }
        if !moves.is_empty() {
            self.present_all(&moves)?;
        }
        Ok(())
    }

    /// Writes down uses of an active (or provisional) skill. When an active one's contract has stopped holding, or it
    /// harms, it is suspended with the evidence, and the alarm is told.
    ///
    /// # Errors
    /// When there is no such skill, it is not in use, changes are outside -1..=1, or a file cannot be written.
    pub fn record(&mut self, hash: &str, uses: Uses) -> Result<Option<Alarm>, BankError> {
        let entry = self.entry(hash)?;
        if !matches!(entry.state, State::Active | State::Provisional) {
            return Err(BankError::Move {
                skill: hash.into(),
                state: entry.state.to_string(),
                evidence: "uses".into(),
                mend: "only active and provisional skills are used".into(),
            });
        }
        for change in &uses.changes {
            crate::stats::within("change", *change, -1.0, 1.0)?;
        }
        self.tell(&Event::Used { skill: hash.into(), uses })?;
        let entry = self.entry(hash)?;
        if entry.state != State::Active {
            return Ok(None);
        }
        let monitor = Monitor { rule: self.rule, ..entry.monitor.clone() };
        let alarm = monitor.watch()?;
        if alarm.is_some() {
            let figures = Figures::Watch(monitor);
            let evidence = Evidence::new(hash, Source::default(), figures)?;
            self.present(hash, &[evidence])?;
        }
        Ok(alarm)
    }

    /// Begins a round of candidates and tells its number.
    ///
    /// # Errors
    /// When the log cannot be written.
    pub fn begin_round(&mut self) -> Result<u64, BankError> {
        self.tell(&Event::Round(self.facts.round + 1))?;
        Ok(self.facts.round)
    }

    /// Makes every decision of the bank again from its evidence, and tells what does not come out as it stands.
    pub fn audit(&self) -> Vec<String> {
        let mut wrong = Vec::new();
        for entry in self.entries() {
            let all = match self.evidence(&entry.hash) {
                Ok(all) => all,
                Err(error) => {
                    wrong.push(error.to_string());
                    continue;
                }
            };
            for step in &entry.history {
                let given: Vec<Evidence> =
                    all.iter().filter(|piece| step.evidence.contains(&piece.hash())).cloned().collect();
                match next(step.from, &entry.hash, &given) {
                    Ok(to) if to == step.to => {}
                    Ok(to) => wrong.push(format!(
                        "{} version {} went to {}, its evidence leads to {to}",
                        entry.name, entry.version, step.to
                    )),
                    Err(error) => wrong.push(error.to_string()),
                }
            }
        }
        wrong
    }

    /// Takes a skill out of the bank because somebody says so.
    ///
    /// # Errors
    /// When there is no such skill, it is out already, or no reason is given.
    pub fn dismiss(&mut self, hash: &str, reason: &str) -> Result<State, BankError> {
        let figures = Figures::Order { reason: reason.into() };
        let evidence = Evidence::new(hash, Source::default(), figures)?;
        self.present(hash, &[evidence])
    }
}
