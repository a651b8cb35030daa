//! Rollouts of whoever plays, on train seeds.

use crate::PracticeError;
use agon_skill::{Seed, Train};
use agon_skill_agent::{Arm, Episode, PlayConfig, Status, Task, Watch, play_watched};
use agon_skill_distill::{DistillError, Rollouts, TraceId};
use rl_gym::Bits;

/// Writes one episode down.
struct Scribe {
    rollouts: Rollouts,
    trace: TraceId,
    error: Option<DistillError>,
}

impl Scribe {
    fn note(&mut self, result: Result<(), DistillError>) {
        if let (None, Err(error)) = (&self.error, result) {
            self.error = Some(error);
        }
    }
}

impl Watch for Scribe {
    fn decision(&mut self, obs: &[u8], mask: Bits<'_>, action: u32) {
        let result = match self.rollouts.decision(self.trace, obs, mask, action) {
            // A forfeit teaches nothing that one would want to do again.
            Err(DistillError::Illegal { .. }) => Ok(()),
            result => result,
        };
        self.note(result);
    }

    fn reward(&mut self, reward: f32) {
        let result = self.rollouts.reward(self.trace, reward);
        self.note(result);
    }

    fn end(&mut self, obs: Option<&[u8]>, episode: &Episode) {
        if episode.status == Status::Ended {
            let result = self.rollouts.end(self.trace, obs, episode.score);
            self.note(result);
        }
    }
}

/// Plays `task` as `arm` from `seeds` and gives what was decided, and the episodes. `player` is the name in the rollouts;
/// episodes are numbered by their seeds.
///
/// # Errors
/// What the game says about its options, or values of its words that are no numbers.
pub fn collect(
    task: &Task,
    arm: &Arm,
    player: &str,
    seeds: &[Seed<Train>],
    config: &PlayConfig,
) -> Result<(Rollouts, Vec<Episode>), PracticeError> {
    let (id, words) = (task.game.id(), task.words()?);
    let played = play_watched(task, arm, seeds, config, |seed| {
        let mut rollouts = Rollouts::in_words(&id, words.clone());
        let trace = rollouts.begin(seed.number().into(), seed, 0, player);
        Scribe { rollouts, trace, error: None }
    })?;
    let mut all = Rollouts::in_words(&id, words.clone());
    let mut episodes = Vec::with_capacity(played.len());
    for (episode, scribe) in played {
        if let Some(error) = scribe.error {
            return Err(error.into());
        }
        if episode.status == Status::Ended {
            all.absorb(scribe.rollouts)?;
        }
        episodes.push(episode);
    }
    Ok((all, episodes))
}
