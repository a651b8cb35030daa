//! What happens to a bank, and what follows from it.

use crate::{
    evidence::{Monitor, MonitorRule, Outcome, Source},
    lifecycle::{MOVES, State},
    stats::Interval,
};
use agon_skill::{Skill, Stats};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// How a skill came into a bank.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Arrival {
    /// Somebody proposed it.
    Proposed,
    /// It is another skill of this bank in newer words.
    Renewed {
        /// Content hash of the other.
        parent: String,
    },
    /// From another bank.
    Imported {
        /// Where it stood there.
        state: State,
        /// Hashes of the evidence that came along.
        evidence: Vec<String>,
    },
}

/// One move of one skill.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// Content hash of the skill.
    pub skill: String,
    /// From where.
    pub from: State,
    /// To where.
    pub to: State,
    /// Hashes of the evidence.
    pub evidence: Vec<String>,
    /// The gain that the evidence measured, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gain: Option<Interval>,
}

/// Uses of a skill.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Uses {
    /// The context that they happened in.
    pub context: String,
    /// Where they can be seen again; empty for uses outside trials.
    #[serde(default, skip_serializing_if = "Source::is_empty")]
    pub source: Source,
    /// Episodes.
    pub episodes: u64,
    /// Those of them in which it might be used.
    pub offered: u64,
    /// How each use ended, in order.
    #[serde(with = "crate::evidence::signs")]
    pub outcomes: Vec<Outcome>,
    /// Score with it minus score without, one an episode that was played both ways, in order.
    pub changes: Vec<f64>,
}

/// One line of the log.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Event {
    /// The bank is for this game and these words, from now on.
    Speaks {
        /// Game id.
        game: String,
        /// Version of the words.
        vocabulary: u32,
    },
    /// A skill came.
    Arrived {
        /// Its name.
        name: String,
        /// Its version.
        version: u32,
        /// Its content hash.
        skill: String,
        /// Where it stands.
        state: State,
        /// How it came.
        how: Arrival,
    },
    /// Skills moved, all at once.
    Moved(Vec<Step>),
    /// A skill was used.
    Used {
        /// Content hash.
        skill: String,
        /// The uses.
        uses: Uses,
    },
    /// A round of candidates began.
    Round(u64),
    /// A snapshot was written.
    Snapshot {
        /// Its number.
        number: u64,
        /// Hash of its file.
        hash: String,
    },
    /// The bank went back to a snapshot; the moves follow.
    WentBack {
        /// The snapshot.
        snapshot: u64,
        /// Why.
        reason: String,
    },
}

/// A skill of a bank with what is known about it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Entry {
    /// Name.
    pub name: String,
    /// Version.
    pub version: u32,
    /// Content hash.
    pub hash: String,
    /// Where it stands.
    pub state: State,
    /// How it came.
    pub how: Arrival,
    /// Skills that came before it.
    pub came_after: usize,
    /// The skill; `None` when its folder cannot be read, see [`Bank::notices`](super::Bank::notices).
    pub skill: Option<Skill>,
    /// Its moves, in order.
    pub history: Vec<Step>,
    /// Hashes of all evidence about it, in order.
    pub evidence: Vec<String>,
    /// Figures by context; `gate` holds the gain that admitted it.
    pub stats: BTreeMap<String, Stats>,
    /// The gain that admitted it.
    pub gain: Option<Interval>,
    /// Uses since it was made active, or provisional.
    pub monitor: Monitor,
    /// The round in which it was used last, or became active.
    pub round: u64,
}

/// What a log says.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Facts {
    pub(super) game: String,
    pub(super) vocabulary: u32,
    pub(super) entries: BTreeMap<String, Entry>,
    pub(super) round: u64,
    pub(super) snapshots: BTreeMap<u64, String>,
}

impl Facts {
    /// One more event, or what is wrong with it; nothing has changed then.
    pub(super) fn take(&mut self, event: &Event) -> Result<(), String> {
        self.check(event)?;
        self.apply(event);
        Ok(())
    }

    /// Whether an event can follow.
    pub(super) fn check(&self, event: &Event) -> Result<(), String> {
        match event {
            Event::Arrived { name, version, skill, state, how } => {
                if *state != State::Draft && (*state != State::Suspended || *how == Arrival::Proposed) {
                    return Err(format!("skill {name} version {version} cannot come as {state}"));
                }
                let twin = |e: &Entry| e.name == *name && e.version == *version;
                if self.entries.contains_key(skill) || self.entries.values().any(twin) {
                    return Err(format!("skill {name} version {version} is there already"));
                }
            }
            Event::Moved(steps) => {
                let skills: BTreeSet<&str> = steps.iter().map(|step| step.skill.as_str()).collect();
                if skills.len() < steps.len() {
                    return Err("a skill moves twice at once".into());
                }
                steps.iter().try_for_each(|step| self.check_step(step))?;
            }
            Event::Used { skill, .. } if !self.entries.contains_key(skill) => return Err(unknown(skill)),
            Event::WentBack { snapshot, .. } if !self.snapshots.contains_key(snapshot) => {
                return Err(format!("there was no snapshot {snapshot}"));
            }
            _ => {}
        }
        Ok(())
    }

    fn check_step(&self, step: &Step) -> Result<(), String> {
        let entry = self.entries.get(&step.skill).ok_or_else(|| unknown(&step.skill))?;
        if entry.state != step.from {
            return Err(format!("skill {} moves from {}, it is {}", step.skill, step.from, entry.state));
        }
        if step.evidence.is_empty() || !MOVES.iter().any(|rule| (rule.from, rule.to) == (step.from, step.to))
        {
            return Err(format!("skill {} cannot move from {} to {} so", step.skill, step.from, step.to));
        }
        Ok(())
    }

    /// What follows from an event that was checked.
    pub(super) fn apply(&mut self, event: &Event) {
        let round = self.round;
        match event {
            Event::Speaks { game, vocabulary } => (self.game, self.vocabulary) = (game.clone(), *vocabulary),
            Event::Arrived { name, version, skill, state, how } => {
                let evidence = match how {
                    Arrival::Imported { evidence, .. } => evidence.clone(),
                    _ => Vec::new(),
                };
                let entry = Entry {
                    name: name.clone(),
                    version: *version,
                    hash: skill.clone(),
                    state: *state,
                    how: how.clone(),
                    came_after: self.entries.len(),
                    skill: None,
                    history: Vec::new(),
                    evidence,
                    stats: BTreeMap::new(),
                    gain: None,
                    monitor: Monitor::new(0.0, MonitorRule::default()),
                    round,
                };
                self.entries.insert(skill.clone(), entry);
            }
            Event::Moved(steps) => {
                for step in steps {
                    if let Some(entry) = self.entries.get_mut(&step.skill) {
                        entry.step(step, round);
                    }
                }
            }
            Event::Used { skill, uses } => {
                if let Some(entry) = self.entries.get_mut(skill) {
                    entry.used(uses, round);
                }
            }
            Event::Round(number) => self.round = *number,
            Event::Snapshot { number, hash } => {
                self.snapshots.insert(*number, hash.clone());
            }
            Event::WentBack { .. } => {}
        }
    }
}

impl Entry {
    fn step(&mut self, step: &Step, round: u64) {
        self.state = step.to;
        self.history.push(step.clone());
        let fresh: Vec<String> =
            step.evidence.iter().filter(|hash| !self.evidence.contains(hash)).cloned().collect();
        self.evidence.extend(fresh);
        if let Some(gain) = step.gain {
            self.gain = Some(gain);
            let stats = self.stats.entry("gate".into()).or_default();
            stats.uplift = gain.estimate;
            stats.uplift_margin = 0.5 * (gain.high - gain.low);
        }
        if matches!(step.to, State::Provisional | State::Active) {
            // What was watched before belongs to another stage.
            self.monitor = Monitor::new(self.monitor.claim, self.monitor.rule);
            self.round = round;
        }
    }

    fn used(&mut self, uses: &Uses, round: u64) {
        let stats = self.stats.entry(uses.context.clone()).or_default();
        let count = |what: Outcome| uses.outcomes.iter().filter(|o| **o == what).count() as u64;
        stats.uses += uses.outcomes.len() as u64;
        stats.successes += count(Outcome::Effect);
        stats.aborts += count(Outcome::Abort);
        if !uses.source.is_empty() {
            self.monitor.sources.push(uses.source.clone());
        }
        self.monitor.episodes += uses.episodes;
        self.monitor.offered += uses.offered;
        self.monitor.outcomes.extend_from_slice(&uses.outcomes);
        self.monitor.changes.extend_from_slice(&uses.changes);
        if !uses.outcomes.is_empty() {
            self.round = round;
        }
    }

    /// All its uses, of every context.
    pub fn uses(&self) -> u64 {
        self.stats.values().map(|s| s.uses).sum()
    }
}

fn unknown(skill: &str) -> String {
    format!("there is no skill {skill}")
}
