//! Two ways to play, on the same seeds.

use crate::{Mean, PracticeError, mean};
use agon_skill::{Purpose, Seed};
use agon_skill_agent::{Arm, Ended, Episode, PlayConfig, Status, Task, play};
use serde::Serialize;

/// How often a skill was used, and how that ended.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct SkillUses {
    /// Name of the skill.
    pub name: String,
    /// Its hash.
    pub hash: String,
    /// Uses.
    pub uses: u64,
    /// Uses in which what it promises came about.
    pub done: u64,
    /// Uses that the end of the episode cut off.
    pub cut: u64,
    /// Uses that were broken off.
    pub aborted: u64,
    /// Episodes with a use.
    pub episodes: u64,
    /// Decisions that it made.
    pub decisions: u64,
}

/// What one way to play gains over another.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Comparison {
    /// Seeds that both were played through on.
    pub pairs: usize,
    /// Seeds left out since the environment or another seat failed.
    pub void: usize,
    /// Mean score, before and after.
    pub score: [f64; 2],
    /// Mean score difference.
    pub gain: Mean,
    /// Episodes won, before and after.
    pub won: [usize; 2],
    /// Mean own decisions of won episodes, before and after.
    pub decisions_won: [Mean; 2],
    /// Difference of own decisions where both won (below 0: fewer).
    pub decisions_both_won: Mean,
    /// Difference of own decisions of all episodes.
    pub decisions: Mean,
    /// The skills of the second way.
    pub uses: Vec<SkillUses>,
    /// Its own decisions, all together.
    pub all_decisions: u64,
}

/// Plays every seed as `before` and as `after`. `skills` are names and hashes of the kit of `after`, in its order.
///
/// # Errors
/// What the game says about its options.
pub fn compare<P: Purpose>(
    task: &Task,
    before: &Arm,
    after: &Arm,
    skills: &[(String, String)],
    seeds: &[Seed<P>],
    config: &PlayConfig,
) -> Result<Comparison, PracticeError> {
    let (before, after) = (play(task, before, seeds, config)?, play(task, after, seeds, config)?);
    Ok(Comparison::of(&before, &after, skills))
}

/// Mean score of episodes; 0 of none.
pub(crate) fn mean_score(episodes: &[Episode]) -> f64 {
    episodes.iter().map(|e| e.score).sum::<f64>() / episodes.len().max(1) as f64
}

impl Comparison {
    /// The comparison of two lists of episodes, matched by the numbers of their seeds.
    pub fn of(before: &[Episode], after: &[Episode], skills: &[(String, String)]) -> Self {
        let (pairs, void) = matched(before, after);
        let of =
            |value: &dyn Fn(&(&Episode, &Episode)) -> f64| -> Vec<f64> { pairs.iter().map(value).collect() };
        let decisions = |e: &Episode| f64::from(e.decisions);
        let won = |pick: &dyn Fn(&(&Episode, &Episode)) -> bool| pairs.iter().filter(|p| pick(p)).count();
        let both: Vec<f64> = pairs
            .iter()
            .filter(|(a, b)| a.is_won && b.is_won)
            .map(|(a, b)| decisions(b) - decisions(a))
            .collect();
        let of_won = |all: &[&Episode]| {
            mean(&all.iter().filter(|e| e.is_won).map(|e| decisions(e)).collect::<Vec<f64>>())
        };
        let (old, new): (Vec<&Episode>, Vec<&Episode>) = pairs.iter().copied().unzip();
        Self {
            pairs: pairs.len(),
            void,
            score: [mean(&of(&|p| p.0.score)).mean, mean(&of(&|p| p.1.score)).mean],
            gain: mean(&of(&|p| p.1.score - p.0.score)),
            won: [won(&|p| p.0.is_won), won(&|p| p.1.is_won)],
            decisions_won: [of_won(&old), of_won(&new)],
            decisions_both_won: mean(&both),
            decisions: mean(&of(&|p| decisions(p.1) - decisions(p.0))),
            uses: count_uses(&pairs, skills),
            all_decisions: pairs.iter().map(|p| u64::from(p.1.decisions)).sum(),
        }
    }
}

/// Episodes of the same seeds that count on both sides, in the order of the seeds, and how many pairs do not.
pub(crate) fn matched<'a>(
    before: &'a [Episode],
    after: &'a [Episode],
) -> (Vec<(&'a Episode, &'a Episode)>, usize) {
    let counts = |e: &Episode| !matches!(e.status, Status::Void(_));
    let mut pairs: Vec<(&Episode, &Episode)> = Vec::new();
    let mut void = 0;
    for a in before {
        // Both come in the order of the seeds, and a stop may have left some out.
        if let Ok(at) = after.binary_search_by_key(&a.number, |e| e.number) {
            let pair = (a, &after[at]);
            if counts(pair.0) && counts(pair.1) { pairs.push(pair) } else { void += 1 }
        }
    }
    (pairs, void)
}

fn count_uses(pairs: &[(&Episode, &Episode)], skills: &[(String, String)]) -> Vec<SkillUses> {
    let mut counts: Vec<SkillUses> = skills
        .iter()
        .map(|(name, hash)| SkillUses { name: name.clone(), hash: hash.clone(), ..SkillUses::default() })
        .collect();
    for (_, episode) in pairs {
        let mut seen = vec![false; counts.len()];
        for used in &episode.uses {
            let Some(count) = counts.get_mut(used.skill) else { continue };
            if matches!(used.ended, Ended::Passed { .. }) {
                continue;
            }
            count.uses += 1;
            count.decisions += u64::from(used.decisions);
            count.episodes += u64::from(!std::mem::replace(&mut seen[used.skill], true));
            match used.ended {
                Ended::Done => count.done += 1,
                Ended::Cut => count.cut += 1,
                Ended::Aborted(_) => count.aborted += 1,
                Ended::Passed { .. } => {}
            }
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Symptom: the decisions of a chain were compared place by place, also across episodes that a stop left out or
    /// that were void. Property: only episodes of one seed that count are a pair.
    #[test]
    fn pairs_are_of_one_seed_and_count() {
        let episode = |number: u32, decisions: u32, status: Status| Episode {
            number,
            seat: 0,
            score: 0.0,
            is_won: false,
            decisions,
            steps: decisions,
            status,
            uses: Vec::new(),
            choices: Vec::new(),
        };
        let before: Vec<Episode> = [0, 1, 2, 3].map(|n| episode(n, 10 * n, Status::Ended)).into();
        let after = [
            episode(1, 11, Status::Ended),
            episode(2, 0, Status::Void("it failed".into())),
            episode(3, 33, Status::Lost("gave up".into())),
        ];
        let (pairs, void) = matched(&before, &after);
        let differences: Vec<u32> = pairs.iter().map(|(a, b)| b.decisions - a.decisions).collect();
        assert_eq!((differences, void), (vec![1, 3], 1));
    }
}
