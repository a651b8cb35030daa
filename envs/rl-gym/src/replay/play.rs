//! Playing a replay again: for exporters and viewers, and to prove that it is still the same game.

use super::{Replay, pack::Unpack};
use crate::{
    batch::{Autoreset, Batch, BatchConfig, BatchEnv, LaneReset},
    env::{DynEnv, Rows},
    error::GymError,
    flags::Flags,
    game::Game,
    seed::EpisodeSeed,
    sharded::VecEnv,
};
use std::{fmt, ops::ControlFlow};

/// One state of a replay and what led to it.
pub struct Moment<'a> {
    /// 0 is the start, `n` the state after step `n`.
    pub step: u32,
    /// Seats whose action was read in this step; none at the start.
    pub acted: &'a [bool],
    /// The action rows of all seats; rows of seats that did not act are zero.
    pub acts: &'a [u8],
    /// Nature's moves in this step as recorded; empty when none are offered.
    pub chance: &'a [u32],
    batch: &'a mut VecEnv,
}

impl Moment<'_> {
    /// The rows of all seats.
    pub fn view(&self) -> Batch<'_> {
        self.batch.view()
    }

    /// The environment in this state.
    pub fn env(&mut self) -> &mut dyn DynEnv {
        self.batch.env(0)
    }

    fn is_over(&self) -> bool {
        let view = self.view();
        (0..view.shape().seats).all(|seat| !view.flags(seat).contains(Flags::ALIVE))
    }
}

/// The first place where a replay and this build disagree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Divergence {
    /// Step up to which everything agreed.
    pub agreed: u32,
    /// First step known to differ.
    pub step: u32,
    /// What differs.
    pub field: String,
    /// What this build gives.
    pub ours: String,
    /// What the replay holds.
    pub theirs: String,
}

impl fmt::Display for Divergence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { agreed, step, field, ours, theirs } = self;
        write!(f, "step {step}: {field} is {ours}, the replay has {theirs} (equal up to step {agreed})")
    }
}

/// What playing a replay again gave.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VerifyReport {
    /// Steps played.
    pub steps: u32,
    /// State hashes compared.
    pub checkpoints: u32,
    /// The first difference, if any.
    pub divergence: Option<Divergence>,
}

impl fmt::Display for VerifyReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.divergence {
            None => write!(f, "{} steps equal, {} state hashes compared", self.steps, self.checkpoints),
            Some(divergence) => divergence.fmt(f),
        }
    }
}

impl Replay {
    fn corrupt(&self, why: impl Into<String>) -> GymError {
        GymError::Corrupt { what: format!("the replay of {} v{}", self.game, self.version), why: why.into() }
    }

    fn stage(&self, game: &Game) -> Result<VecEnv, GymError> {
        if self.game != game.name {
            return Err(self.corrupt(format!("it is not one of {}; play it with its own game", game.name)));
        }
        if self.version != game.version {
            return Err(GymError::OtherRules {
                what: "the replay".into(),
                game: self.game.clone(),
                theirs: self.version,
                ours: game.version,
            });
        }
        let options = self.options.recheck(game.name, &game.options)?;
        let config = BatchConfig {
            autoreset: Autoreset::Disabled,
            rows: Rows::All,
            on_illegal: self.on_illegal,
            ..BatchConfig::lanes(1)
        };
        let batch = VecEnv::new(&game.factory(options), config)?;
        let seats = batch.spec().seats;
        if self.seats.len() != seats {
            return Err(self.corrupt(format!("it has {} seats, the game has {seats}", self.seats.len())));
        }
        Ok(batch)
    }

    /// Plays the episode again and shows every state, the start included, until the end or until `visit`
    /// breaks. Rows of all seats are written.
    ///
    /// # Errors
    /// [`GymError::OtherRules`] for another rules version, an option error, [`GymError::Corrupt`] when
    /// actions are missing.
    pub fn play(
        &self,
        game: &Game,
        visit: impl FnMut(&mut Moment<'_>) -> ControlFlow<()>,
    ) -> Result<(), GymError> {
        match self.walk(game, visit)? {
            Some(step) => Err(self.corrupt(format!(
                "it has {} steps, but the game is over after {step}: verify it to see where it differs",
                self.steps
            ))),
            None => Ok(()),
        }
    }

    /// Plays; gives the step after which the game was over although the replay goes on.
    fn walk(
        &self,
        game: &Game,
        mut visit: impl FnMut(&mut Moment<'_>) -> ControlFlow<()>,
    ) -> Result<Option<u32>, GymError> {
        let mut batch = self.stage(game)?;
        let (seats, row) = (batch.shape().seats, batch.shape().act_bytes);
        let action = batch.spec().action.clone();
        let (mut stream, mut dice) = (Unpack(&self.acts), Unpack(self.chance.as_deref().unwrap_or_default()));
        let (mut acted, mut acts, mut chance) = (vec![false; seats], vec![0; seats * row], Vec::<u32>::new());
        for step in 0..=self.steps {
            if step == 0 {
                batch.reset_lanes(&[LaneReset { lane: 0, seed: Some(EpisodeSeed::Fresh(self.seed)) }]);
            } else {
                acts.fill(0);
                for (seat, acted) in acted.iter_mut().enumerate() {
                    *acted = batch.view().flags(seat).contains(Flags::TO_ACT);
                    if *acted {
                        stream
                            .action(&action, &mut acts[seat * row..(seat + 1) * row])
                            .ok_or_else(|| self.corrupt(format!("its actions end at step {step}")))?;
                    }
                }
                let mut actions = batch.parts().1;
                (0..seats).for_each(|seat| {
                    actions.row_mut(seat).copy_from_slice(&acts[seat * row..(seat + 1) * row]);
                });
                batch.step();
            }
            if self.chance.is_some() {
                dice.list(&mut chance)
                    .ok_or_else(|| self.corrupt(format!("its chance outcomes end at step {step}")))?;
            }
            let mut moment = Moment { step, acted: &acted, acts: &acts, chance: &chance, batch: &mut batch };
            let over = moment.is_over();
            if visit(&mut moment).is_break() {
                return Ok(None);
            }
            if over && step < self.steps {
                return Ok(Some(step));
            }
        }
        if !stream.0.is_empty() || !dice.0.is_empty() {
            let left = stream.0.len() + dice.0.len();
            return Err(self.corrupt(format!("{left} bytes of actions are left after step {}", self.steps)));
        }
        Ok(None)
    }

    /// Plays the episode again and compares nature's moves at every step, all state hashes and the ranks.
    ///
    /// # Errors
    /// As [`Replay::play`]. A difference is no error but part of the report.
    pub fn verify(&self, game: &Game) -> Result<VerifyReport, GymError> {
        let mut comparison = Comparison { replay: self, agreed: 0, checkpoints: 0, steps: 0, found: None };
        let early = self.walk(game, |moment| match comparison.compare(moment) {
            Some(found) => {
                comparison.found = Some(found);
                ControlFlow::Break(())
            }
            None => ControlFlow::Continue(()),
        })?;
        let Comparison { agreed, checkpoints, steps, mut found, .. } = comparison;
        if let Some(step) = early {
            let theirs = format!("going on for {} steps", self.steps);
            found = Some(Divergence { agreed, step, field: "the game".into(), ours: "over".into(), theirs });
        }
        Ok(VerifyReport { steps, checkpoints, divergence: found })
    }
}

/// State of a verification.
struct Comparison<'a> {
    replay: &'a Replay,
    agreed: u32,
    checkpoints: u32,
    steps: u32,
    found: Option<Divergence>,
}

impl Comparison<'_> {
    fn differs(&self, field: &str, ours: String, theirs: String) -> Option<Divergence> {
        Some(Divergence { agreed: self.agreed, step: self.steps, field: field.into(), ours, theirs })
    }

    fn compare(&mut self, moment: &mut Moment<'_>) -> Option<Divergence> {
        self.steps = moment.step;
        if let (Some(_), Some(chance)) = (&self.replay.chance, moment.env().as_chance()) {
            let ours = chance.drawn().to_vec();
            if ours != moment.chance {
                return self.differs("chance outcomes", format!("{ours:?}"), format!("{:?}", moment.chance));
            }
        }
        let stored = self.replay.hash_at(moment.step);
        if let (Some(theirs), Some(ours)) = (stored, moment.env().state_hash()) {
            self.checkpoints += 1;
            if ours != theirs {
                return self.differs("state hash", format!("{ours:016x}"), format!("{theirs:016x}"));
            }
            self.agreed = moment.step;
        }
        if moment.step == self.replay.steps {
            let ours: Vec<u8> = moment.view().finals().map(|(end, _)| end.rank).collect();
            if ours != self.replay.ranks {
                return self.differs("ranks", format!("{ours:?}"), format!("{:?}", self.replay.ranks));
            }
        }
        None
    }
}
