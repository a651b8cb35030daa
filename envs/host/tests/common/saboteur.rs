//! Two seats at once; crimes by plan, drawn at the reset so that each lane of a run commits its own.

use super::spec;
use rl_gym::{BitsMut, Dtype, Env, EpisodeSeed, Fault, Flags, Outcome, Pcg64, Space, Spec};

/// What goes wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Crime {
    /// `step` returns a fault.
    StepErr,
    /// `step` panics after it moved.
    StepPanic,
    /// `observe` panics.
    ObservePanic,
    /// `ranks` panics when the episode is over.
    RanksPanic,
    /// `reset` returns a fault.
    ResetErr,
    /// `reset` panics after it wrote flags.
    ResetPanic,
}

impl Crime {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::StepErr,
        Self::StepPanic,
        Self::ObservePanic,
        Self::RanksPanic,
        Self::ResetErr,
        Self::ResetPanic,
    ];
}

/// An honest random walk that commits a crime in one of `one_in` episodes, if it is a criminal at all.
pub struct Saboteur {
    spec: Spec,
    rng: Pcg64,
    one_in: u32,
    planned: Option<(Crime, u32)>,
    clock: u32,
    length: u32,
    at: [i32; 2],
}

impl Saboteur {
    /// A saboteur of one in `one_in` episodes; 0 never.
    pub fn new(one_in: u32) -> Self {
        let obs = Space::boxed(Dtype::I32, &[3], -1e6, 1e6);
        Self {
            spec: spec("saboteur", 2, obs, 3, true, Some(20)),
            rng: Pcg64::seed(0),
            one_in,
            planned: None,
            clock: 0,
            length: 0,
            at: [0; 2],
        }
    }

    fn commits(&self, crime: Crime) -> bool {
        self.planned.is_some_and(|(c, when)| c == crime && self.clock >= when)
    }
}

impl Env for Saboteur {
    type Obs = i32;
    type Act = u32;

    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn reset(&mut self, seed: EpisodeSeed, mut out: Outcome<'_>) -> Result<(), Fault> {
        seed.apply(&mut self.rng);
        self.clock = 0;
        self.length = 2 + self.rng.below(9);
        self.at = [self.rng.below(5) as i32, self.rng.below(5) as i32];
        let (crime, when) = (Crime::ALL[self.rng.below(6) as usize], 1 + self.rng.below(4));
        let criminal = self.one_in > 0 && self.rng.below(self.one_in) == 0;
        self.planned = criminal.then_some((crime, when));
        out.everyone();
        match self.planned {
            Some((Crime::ResetErr, _)) => Err(Fault::new(format!("no board today ({})", self.length))),
            Some((Crime::ResetPanic, _)) => panic!("the board fell over ({})", self.length),
            _ => Ok(()),
        }
    }

    fn step(&mut self, acts: &[u32], mut out: Outcome<'_>) -> Result<(), Fault> {
        self.clock += 1;
        for (seat, at) in self.at.iter_mut().enumerate() {
            *at += acts[seat].min(2) as i32 - 1 + self.rng.below(2) as i32;
            out.reward[seat] = *at as f32 / 8.0;
        }
        out.flags.fill(if self.clock >= self.length {
            Flags::TERMINATED
        } else {
            Flags::ALIVE | Flags::TO_ACT
        });
        if acts[0] > 2 && self.clock < self.length {
            out.refuse(0);
        }
        if self.commits(Crime::StepErr) {
            return Err(Fault::new(format!("no rule for this at {}", self.clock)));
        }
        assert!(!self.commits(Crime::StepPanic), "the rules fell over at {}", self.clock);
        Ok(())
    }

    fn observe(&self, seat: usize, obs: &mut [i32], mut mask: BitsMut<'_>) {
        obs.copy_from_slice(&[self.at[seat], self.at[1 - seat], self.clock as i32]);
        mask.fill(true);
        mask.set((self.clock % 3) as usize, self.clock == 0);
        assert!(!(seat == 1 && self.commits(Crime::ObservePanic)), "seat 1 went blind at {}", self.clock);
    }

    fn ranks(&self, ranks: &mut [u8]) -> bool {
        assert!(!self.commits(Crime::RanksPanic), "nobody counted the points at {}", self.clock);
        ranks[0] = u8::from(self.at[0] < self.at[1]);
        ranks[1] = u8::from(self.at[1] < self.at[0]);
        true
    }
}
