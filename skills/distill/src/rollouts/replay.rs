//! Rollouts from stored replays.

use super::{Rollouts, TraceId};
use crate::DistillError;
use agon_skill::{Purpose, Train};
use rl_gym::{Flags, Game, OptionKind, Replay};
use std::ops::ControlFlow;

impl Rollouts {
    /// Takes in every seat of a replay; gives its traces. The score of a seat is its share of the others that it
    /// left behind (ties as halves), or, alone, the sum of its rewards, cut to 0 to 1.
    ///
    /// A replay of a training run is of a train seed by nature: the league draws its seeds from paths that no gate and
    /// no report shares.
    ///
    /// # Errors
    /// When the replay is of another game, or of a fold of games that is not for training, or cannot be played, did not end, or holds no discrete actions.
    pub fn replay(
        &mut self,
        game: &Game,
        replay: &Replay,
        episode: u64,
    ) -> Result<Vec<TraceId>, DistillError> {
        let before = self.traces.len();
        let taken = self.play(game, replay, episode);
        if taken.is_err() {
            self.traces.truncate(before);
        }
        taken
    }

    fn play(&mut self, game: &Game, replay: &Replay, episode: u64) -> Result<Vec<TraceId>, DistillError> {
        if game.id() != self.game {
            return Err(DistillError::OtherGame { ours: self.game.clone(), theirs: game.id() });
        }
        if let Some(fold) = other_fold(game, replay) {
            return Err(DistillError::OtherFold { fold });
        }
        let (seed, hash) = (replay.seed.to_string(), hash(replay)?);
        let traces: Vec<TraceId> = replay
            .seats
            .iter()
            .enumerate()
            .map(|(seat, player)| self.open(episode, &seed, &hash, seat, player))
            .collect();
        // What each seat saw when it was last asked.
        let mut asked: Vec<Option<(Vec<u8>, Vec<u64>)>> = vec![None; traces.len()];
        let mut returns = vec![0.0_f64; traces.len()];
        let mut last = vec![Vec::new(); traces.len()];
        let mut fault = None;
        replay.play(game, |moment| {
            let acts: Vec<Option<u32>> = (0..traces.len())
                .map(|seat| {
                    let row = moment.acts.chunks(moment.acts.len() / traces.len().max(1)).nth(seat)?;
                    let acted = moment.acted.get(seat).copied().unwrap_or_default();
                    acted.then(|| row.try_into().ok().map(u32::from_ne_bytes)).flatten()
                })
                .collect();
            let view = moment.view();
            for (seat, id) in traces.iter().enumerate() {
                if let (Some(action), Some((obs, mask))) = (acts[seat], asked[seat].take()) {
                    let mask = rl_gym::Bits::new(&mask, view.mask(seat).len());
                    match self.decision(*id, &obs, mask, action) {
                        // A forfeit teaches nothing that one would want to do again.
                        Ok(()) | Err(DistillError::Illegal { .. }) => {}
                        Err(error) => {
                            fault = Some(error);
                            return ControlFlow::Break(());
                        }
                    }
                }
                let reward = view.reward(seat);
                returns[seat] += f64::from(reward);
                if let Err(error) = self.reward(*id, reward) {
                    fault = Some(error);
                    return ControlFlow::Break(());
                }
                if view.flags(seat).contains(Flags::TO_ACT) {
                    asked[seat] = Some((view.obs(seat).to_vec(), view.mask(seat).words().to_vec()));
                }
                last[seat] = view.obs(seat).to_vec();
            }
            ControlFlow::Continue(())
        })?;
        if let Some(fault) = fault {
            return Err(fault);
        }
        if replay.ranks.is_empty() {
            let mend = "take in whole episodes";
            return Err(DistillError::Empty { what: format!("the replay of {seed} did not end"), mend });
        }
        for (seat, id) in traces.iter().enumerate() {
            self.end(*id, Some(&last[seat]), score(&replay.ranks, &returns, seat))?;
        }
        Ok(traces)
    }
}

/// The fold of a replay, where its game comes in folds and it is not that of training.
fn other_fold(game: &Game, replay: &Replay) -> Option<String> {
    let is_fold =
        |kind: &OptionKind| matches!(kind, OptionKind::Choice(words) if words.contains(&Train::FOLD));
    if !game.options.iter().any(|o| o.name == "fold" && is_fold(&o.kind)) {
        return None;
    }
    let fold = replay.options.iter().find(|(name, _)| *name == "fold")?.1.to_string();
    (fold != Train::FOLD).then_some(fold)
}

fn hash(replay: &Replay) -> Result<String, DistillError> {
    Ok(blake3::hash(&replay.save()?).to_hex()[..16].to_owned())
}

/// The share of the others that a seat left behind, ties as halves; alone, its return.
fn score(ranks: &[u8], returns: &[f64], seat: usize) -> f64 {
    if ranks.len() < 2 {
        return returns.get(seat).copied().unwrap_or_default().clamp(0.0, 1.0);
    }
    let mine = ranks[seat];
    let beaten = ranks.iter().filter(|r| **r > mine).count() as f64;
    let tied = ranks.iter().filter(|r| **r == mine).count() as f64 - 1.0;
    (beaten + tied / 2.0) / (ranks.len() - 1) as f64
}
