//! Skills of play are tried on fresh seeds, and narrowed where they fail.

use super::{ExploreConfig, Goal};
use crate::{PracticeError, with_skills};
use agon_skill::{Compare, Literal, Operand, Seed, Seeds, Train};
use agon_skill_agent::{Context, Ended, MakePolicy, PlayConfig, Task, UserConfig, play};
use agon_skill_bank::stats::wilson;
use agon_skill_distill::{Candidate, with_contract};
use rl_gym::Vocabulary;

/// Where skills are tried.
pub(super) struct Trial<'a> {
    pub(super) task: &'a Task,
    pub(super) base: &'a MakePolicy,
    pub(super) words: &'a dyn Vocabulary,
    /// Stream of train seeds that nothing else plays.
    pub(super) stream: u32,
    pub(super) config: &'a ExploreConfig,
    pub(super) play_config: &'a PlayConfig,
}

impl Trial<'_> {
    /// Tries a skill on fresh train seeds, and narrower versions of it where it fails; gives the one that holds what it
    /// promises, and the number of episodes played.
    pub(super) fn verify(
        &self,
        mut candidate: Candidate,
        told: &mut Goal,
    ) -> Result<(Option<Candidate>, u64), PracticeError> {
        let config = self.config;
        let mut episodes = 0;
        for repair in 0..=config.repairs {
            let user = UserConfig { contexts: true, ..UserConfig::default() };
            let player = with_skills(self.task, self.base, std::slice::from_ref(&candidate.skill), &user)?;
            let seeds: Vec<Seed<Train>> =
                Seeds::new(config.root, self.stream).range(repair * config.verify, config.verify).collect();
            let played = play(self.task, &player, &seeds, self.play_config)?;
            episodes += played.len() as u64;
            let uses: Vec<(Context, bool)> =
                played.iter().flat_map(|e| &e.uses).map(|u| (u.context, u.ended == Ended::Done)).collect();
            let done = uses.iter().filter(|(_, done)| *done).count() as u64;
            told.verified.push((candidate.skill.name.clone(), done, uses.len() as u64));
            if uses.is_empty() {
                return Ok((None, episodes));
            }
            let rate = wilson(done, uses.len() as u64, 0.95)?;
            if rate.low >= config.least_rate && uses.len() >= 20 {
                candidate.skill.contract.rate = rate.low as f32;
                candidate.skill.hash = candidate.skill.content_hash();
                return Ok((Some(candidate), episodes));
            }
            let Some((fact, holds)) = diagnose(&uses) else { return Ok((None, episodes)) };
            let fact = Context::predicates(self.words.facts())[fact];
            narrow(&mut candidate, self.words, fact, holds);
        }
        Ok((None, episodes))
    }
}

/// The predicate that tells uses that worked from those that did not best, and whether it holds where they worked.
fn diagnose(uses: &[(Context, bool)]) -> Option<(usize, bool)> {
    let entropy = |yes: f64, all: f64| {
        let p = yes / all;
        if all <= 0.0 || p <= 0.0 || p >= 1.0 { 0.0 } else { -p * p.log2() - (1.0 - p) * (1.0 - p).log2() }
    };
    let (all, done) = (uses.len() as f64, uses.iter().filter(|(_, done)| *done).count() as f64);
    let mut best: Option<(f64, usize, bool)> = None;
    for bit in 0..128 {
        let held = uses.iter().filter(|(c, _)| c.holds(bit)).count() as f64;
        let held_done = uses.iter().filter(|(c, done)| c.holds(bit) && *done).count() as f64;
        let (other, other_done) = (all - held, done - held_done);
        // Both sides must be seen often enough to say something.
        if held < 5.0 || other < 5.0 {
            continue;
        }
        let rest = (held * entropy(held_done, held) + other * entropy(other_done, other)) / all;
        let gain = entropy(done, all) - rest;
        if gain > 0.02 && best.is_none_or(|(most, ..)| gain > most) {
            best = Some((gain, bit, held_done / held > other_done / other));
        }
    }
    best.map(|(_, bit, holds)| (bit, holds))
}

/// Adds a predicate to the precondition.
fn narrow(candidate: &mut Candidate, words: &dyn Vocabulary, fact: usize, holds: bool) {
    let (is, to) = if holds { (Compare::AtLeast, 1.0) } else { (Compare::AtMost, 0.0) };
    let fact = words.facts()[fact].name.into();
    let mut contract = candidate.skill.contract.clone();
    contract.pre.push(Literal { fact, is, to: Operand::Number(to) });
    candidate.skill = with_contract(&candidate.skill, Some(&candidate.ir), contract, words);
}
