//! One environment under guard: every call is caught, every row is the checker's own.

use crate::{
    bits::{Bits, BitsMut, words_for},
    env::{AnyState, DynEnv, Outcome},
    error::{Fault, GymError},
    flags::Flags,
    rng::Pcg64,
    seed::EpisodeSeed,
    sharded::{Factory, panic_text},
    space::Space,
    spec::Spec,
};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A call that did not come back as it should.
pub(super) enum Trouble {
    Panic(String),
    Fault(String),
}

impl From<Fault> for Trouble {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault.to_string())
    }
}

impl From<GymError> for Trouble {
    fn from(error: GymError) -> Self {
        Self::Fault(error.to_string())
    }
}

/// Runs `work`; a panic becomes trouble.
pub(super) fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, Trouble> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| Trouble::Panic(panic_text(&*payload).to_owned()))
}

/// What can be seen of a state, as hashes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Print {
    /// Observations of all seats, masks of seats to act, flags, rewards, metrics.
    pub(super) visible: u64,
    /// State hash.
    pub(super) hash: Option<u64>,
    /// Chance outcomes drawn and ranks.
    pub(super) rest: u64,
}

impl Print {
    /// Whether both are prints of one state, however it was reached.
    pub(super) fn same_state(&self, other: &Self) -> bool {
        (self.visible, self.hash) == (other.visible, other.hash)
    }
}

/// The signals of a state: what an environment writes in a reset or step.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Signals {
    pub(super) reward: Vec<f32>,
    pub(super) flags: Vec<Flags>,
    pub(super) metrics: Vec<f32>,
}

pub(super) struct Stage {
    env: Box<dyn DynEnv>,
    pub(super) signals: Signals,
    /// Rows in words, so that they are aligned for every element type.
    obs: Vec<u64>,
    acts: Vec<u64>,
    mask: Vec<u64>,
    obs_bytes: usize,
    act_bytes: usize,
    mask_bits: usize,
    pub(super) calls: u64,
}

pub(super) fn first_word(hasher: &blake3::Hasher) -> u64 {
    let mut first = [0; 8];
    first.copy_from_slice(&hasher.finalize().as_bytes()[..8]);
    u64::from_le_bytes(first)
}

impl Stage {
    pub(super) fn new(factory: &Factory, spec: &Spec) -> Result<Self, Trouble> {
        let env = guarded(|| factory())??;
        let seats = spec.seats;
        let (obs_bytes, act_bytes, mask_bits) =
            (spec.obs.row_bytes(), spec.action.row_bytes(), spec.mask_bits());
        Ok(Self {
            env,
            signals: Signals {
                reward: vec![0.0; seats],
                flags: vec![Flags::empty(); seats],
                metrics: vec![0.0; spec.metrics.len()],
            },
            obs: vec![0; obs_bytes.div_ceil(8)],
            acts: vec![0; (seats * act_bytes).div_ceil(8)],
            mask: vec![0; words_for(mask_bits)],
            obs_bytes,
            act_bytes,
            mask_bits,
            calls: 0,
        })
    }

    pub(super) fn seats(&self) -> usize {
        self.signals.flags.len()
    }

    pub(super) fn has(&self, seat: usize, flag: Flags) -> bool {
        self.signals.flags[seat].contains(flag)
    }

    pub(super) fn acting(&self) -> Vec<usize> {
        (0..self.seats()).filter(|&seat| self.has(seat, Flags::TO_ACT)).collect()
    }

    pub(super) fn is_over(&self) -> bool {
        (0..self.seats()).all(|seat| !self.has(seat, Flags::ALIVE))
    }

    fn clear(&mut self) {
        self.signals.reward.fill(0.0);
        self.signals.flags.fill(Flags::empty());
    }

    /// Calls `work` with the environment and the signals to write.
    pub(super) fn call<T>(
        &mut self,
        work: impl FnOnce(&mut dyn DynEnv, Outcome<'_>) -> Result<T, Fault>,
    ) -> Result<T, Trouble> {
        self.calls += 1;
        self.clear();
        let Signals { reward, flags, metrics } = &mut self.signals;
        let env = &mut *self.env;
        Ok(guarded(|| work(env, Outcome { reward, flags, metrics }))??)
    }

    pub(super) fn reset(&mut self, seed: EpisodeSeed) -> Result<(), Trouble> {
        self.signals.metrics.fill(0.0);
        self.call(|env, out| env.reset(seed, out))
    }

    pub(super) fn step(&mut self, acts: &[u8]) -> Result<(), Trouble> {
        let mut rows = std::mem::take(&mut self.acts);
        bytemuck::cast_slice_mut::<u64, u8>(&mut rows)[..acts.len()].copy_from_slice(acts);
        let result =
            self.call(|env, out| env.step(&bytemuck::cast_slice::<u64, u8>(&rows)[..acts.len()], out));
        self.acts = rows;
        result
    }

    /// Reads something off the environment.
    pub(super) fn ask<T>(&mut self, work: impl FnOnce(&mut dyn DynEnv) -> T) -> Result<T, Trouble> {
        let env = &mut *self.env;
        guarded(|| work(env))
    }

    /// A seat's rows, written over rows that held `poison` (mask bits: its lowest bit).
    pub(super) fn look(&mut self, seat: usize, poison: u8) -> Result<(Vec<u8>, Vec<u64>), Trouble> {
        let (env, obs, mask) = (&self.env, &mut self.obs, &mut self.mask);
        let obs: &mut [u8] = bytemuck::cast_slice_mut(obs);
        let obs = &mut obs[..self.obs_bytes];
        obs.fill(poison);
        BitsMut::new(mask, self.mask_bits).fill(poison & 1 == 1);
        let bits = self.mask_bits;
        guarded(|| env.observe(seat, obs, BitsMut::new(mask, bits)))?;
        Ok((obs.to_vec(), mask.clone()))
    }

    pub(super) fn state_hash(&mut self) -> Result<Option<u64>, Trouble> {
        self.ask(|env| env.state_hash())
    }

    /// Ranks written over bytes that held `poison`.
    pub(super) fn ranks(&mut self, poison: u8) -> Result<Option<Vec<u8>>, Trouble> {
        let mut ranks = vec![poison; self.seats()];
        Ok(self.ask(|env| env.ranks(&mut ranks))?.then_some(ranks))
    }

    pub(super) fn drawn(&mut self) -> Result<Vec<u32>, Trouble> {
        self.ask(|env| env.as_chance().map_or_else(Vec::new, |chance| chance.drawn().to_vec()))
    }

    pub(super) fn visible(&mut self) -> Result<u64, Trouble> {
        let mut hasher = blake3::Hasher::new();
        for seat in 0..self.seats() {
            let (obs, mask) = self.look(seat, 0)?;
            hasher.update(&obs);
            if self.has(seat, Flags::TO_ACT) {
                hasher.update(bytemuck::cast_slice(&mask));
            }
            hasher.update(&[self.signals.flags[seat].bits()]);
        }
        hasher.update(bytemuck::cast_slice(&self.signals.reward));
        hasher.update(bytemuck::cast_slice(&self.signals.metrics));
        Ok(first_word(&hasher))
    }

    pub(super) fn print(&mut self) -> Result<Print, Trouble> {
        let mut hasher = blake3::Hasher::new();
        hasher.update(bytemuck::cast_slice(&self.drawn()?));
        hasher.update(&self.ranks(0)?.unwrap_or_default());
        Ok(Print { visible: self.visible()?, hash: self.state_hash()?, rest: first_word(&hasher) })
    }

    /// A saved state with its signals; `None` where states cannot be saved.
    pub(super) fn save(&mut self) -> Result<Option<(AnyState, Signals)>, Trouble> {
        let state = self.ask(|env| env.as_snapshot().map(|ability| ability.save_any()))?;
        Ok(state.map(|state| (state, self.signals.clone())))
    }

    pub(super) fn load(&mut self, (state, signals): &(AnyState, Signals)) -> Result<(), Trouble> {
        self.ask(|env| env.as_snapshot().map_or(Ok(()), |ability| ability.load_any(state)))??;
        self.signals = signals.clone();
        Ok(())
    }

    /// Action rows: a legal draw for seats to act, garbage elsewhere.
    pub(super) fn draw_actions(&mut self, action: &Space, rng: &mut Pcg64) -> Result<Vec<u8>, Trouble> {
        let row = self.act_bytes;
        let mut acts = vec![0u8; self.seats() * row];
        for seat in 0..self.seats() {
            let out = &mut acts[seat * row..(seat + 1) * row];
            if self.has(seat, Flags::TO_ACT) {
                let (_, mask) = self.look(seat, 0)?;
                action.sample(Bits::new(&mask, self.mask_bits), rng, out);
            } else {
                out.iter_mut().for_each(|byte| *byte = rng.next_u32() as u8);
            }
        }
        Ok(acts)
    }

    pub(super) const fn act_bytes(&self) -> usize {
        self.act_bytes
    }

    pub(super) const fn mask_bits(&self) -> usize {
        self.mask_bits
    }
}
