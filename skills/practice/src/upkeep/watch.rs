//! Who looks on: decisions to compare skills on, and facts at both ends of each use.

use agon_skill_agent::{Ended, Episode, Watch};
use rl_gym::{Bits, Vocabulary};
use std::sync::Arc;

/// What was seen (observation row), what was legal (words of the mask, bits of it).
pub(super) type Probe = (Vec<u8>, Vec<u64>, usize);

/// Keeps decisions of an episode, evenly apart: all of a short one, and of a long one from `most` to twice as many.
pub(super) struct Probes {
    pub(super) most: usize,
    apart: usize,
    decision: usize,
    pub(super) kept: Vec<Probe>,
}

impl Probes {
    pub(super) fn new(most: usize) -> Self {
        Self { most: most.max(1), apart: 1, decision: 0, kept: Vec::new() }
    }
}

impl Watch for Probes {
    fn decision(&mut self, obs: &[u8], mask: Bits<'_>, _: u32) {
        if self.decision.is_multiple_of(self.apart) {
            if self.kept.len() >= 2 * self.most {
                // It is longer than was thought: every other one goes.
                let mut at = 0;
                self.kept.retain(|_| {
                    at += 1;
                    at % 2 == 1
                });
                self.apart *= 2;
            }
            self.kept.push((obs.to_vec(), mask.words().to_vec(), mask.len()));
        }
        self.decision += 1;
    }

    fn reward(&mut self, _: f32) {}

    fn end(&mut self, _: Option<&[u8]>, _: &Episode) {}
}

/// One use of a skill: the facts with which it began and ended, and whether it ended well.
#[derive(Clone, Debug)]
pub(super) struct Use {
    pub(super) start: Vec<f32>,
    pub(super) end: Vec<f32>,
    pub(super) is_done: bool,
}

/// Tells the uses of an episode with the facts at both ends.
pub(super) struct Uses {
    words: Arc<dyn Vocabulary>,
    /// Facts at each decision.
    seen: Vec<Vec<f32>>,
    pub(super) uses: Vec<Use>,
}

impl Uses {
    pub(super) fn new(words: Arc<dyn Vocabulary>) -> Self {
        Self { words, seen: Vec::new(), uses: Vec::new() }
    }

    fn look(&mut self, obs: &[u8]) {
        let mut facts = vec![0.0; self.words.facts().len()];
        self.words.read(obs, &mut facts);
        self.seen.push(facts);
    }
}

impl Watch for Uses {
    fn decision(&mut self, obs: &[u8], _: Bits<'_>, _: u32) {
        self.look(obs);
    }

    fn reward(&mut self, _: f32) {}

    fn end(&mut self, obs: Option<&[u8]>, episode: &Episode) {
        if let Some(obs) = obs {
            self.look(obs);
        }
        for told in &episode.uses {
            // A use ends where somebody else decides again, or with the episode.
            let ends = (told.at + told.decisions) as usize;
            let (start, end) = (self.seen.get(told.at as usize), self.seen.get(ends));
            if let (Some(start), Some(end)) = (start, end) {
                let is_done = told.ended == Ended::Done;
                self.uses.push(Use { start: start.clone(), end: end.clone(), is_done });
            }
        }
        self.seen = Vec::new();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_episodes_are_kept_whole_and_long_ones_evenly() {
        let kept = |decisions: u8| {
            let mut probes = Probes::new(4);
            for i in 0..decisions {
                probes.decision(&[i], Bits::new(&[1], 1), 0);
            }
            probes.kept.iter().map(|p| p.0[0]).collect::<Vec<u8>>()
        };
        assert_eq!(kept(5), [0, 1, 2, 3, 4]);
        assert_eq!(kept(8), [0, 1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(kept(11), [0, 2, 4, 6, 8, 10]);
        assert_eq!(kept(33), [0, 8, 16, 24, 32]);
        assert!((4..=8).contains(&kept(255).len()));
    }
}
