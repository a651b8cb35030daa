//! The memory of a batch: one aligned block a column, rows by lane and seat.

use crate::{
    bits::{Bits, words_for},
    env::{Frame, Outcome},
    error::Fault,
    flags::Flags,
    seed::EpisodeSeed,
    spec::Spec,
};
use bytemuck::{Pod, Zeroable};
use std::ops::Range;

/// Row sizes of a batch, made from a spec.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Environments.
    pub lanes: usize,
    /// Seats of each.
    pub seats: usize,
    /// Bytes of an observation row.
    pub obs_bytes: usize,
    /// Bytes of an action row.
    pub act_bytes: usize,
    /// Bits of a mask row; 0 without masks.
    pub mask_bits: usize,
    /// Metric columns.
    pub metrics: usize,
}

impl Shape {
    /// The shape of `lanes` environments of `spec`.
    pub fn new(spec: &Spec, lanes: usize) -> Self {
        Self {
            lanes,
            seats: spec.seats,
            obs_bytes: spec.obs.row_bytes(),
            act_bytes: spec.action.row_bytes(),
            mask_bits: spec.mask_bits(),
            metrics: spec.metrics.len(),
        }
    }

    /// Rows: lanes times seats.
    pub const fn rows(&self) -> usize {
        self.lanes * self.seats
    }

    /// Words of a mask row.
    pub const fn mask_words(&self) -> usize {
        words_for(self.mask_bits)
    }
}

#[repr(C, align(64))]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Line([u8; 64]);

/// Bytes that begin on a 64-byte boundary.
#[derive(Clone, Default)]
struct Aligned {
    lines: Vec<Line>,
    len: usize,
}

impl Aligned {
    fn zeroed(len: usize) -> Self {
        Self { lines: vec![Line([0; 64]); len.div_ceil(64)], len }
    }

    #[inline]
    fn bytes(&self) -> &[u8] {
        &bytemuck::cast_slice(&self.lines)[..self.len]
    }

    /// Part of the bytes: one bounds check in place of two.
    #[inline]
    fn part_mut(&mut self, range: Range<usize>) -> &mut [u8] {
        &mut bytemuck::cast_slice_mut(&mut self.lines)[range]
    }

    #[inline]
    fn part(&self, range: Range<usize>) -> &[u8] {
        &bytemuck::cast_slice(&self.lines)[range]
    }

    #[inline]
    fn bytes_mut(&mut self) -> &mut [u8] {
        &mut bytemuck::cast_slice_mut(&mut self.lines)[..self.len]
    }
}

/// How a seat's episode ended.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Final {
    /// Lane within the batch.
    pub lane: u32,
    /// Seat.
    pub seat: u32,
    /// Episode number of the lane, from 0.
    pub episode: u32,
    /// Env steps of the episode.
    pub steps: u32,
    /// Sum of the seat's rewards.
    pub episode_return: f64,
    /// Final place, 0 best; `u8::MAX` where the game gives none.
    pub rank: u8,
    /// Flags of the ending step (or of the step in which this seat ended).
    pub flags: Flags,
}

/// A lane whose environment failed. Its episode is void and it was reset.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LaneFault {
    /// Lane within the batch.
    pub lane: u32,
    /// Episode number of the lane.
    pub episode: u32,
    /// Seed of the episode, to repeat it.
    pub seed: EpisodeSeed,
    /// Env steps played.
    pub step: u32,
    /// What the environment said.
    pub fault: Fault,
}

impl std::fmt::Display for LaneFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "lane {} failed at step {} of episode {} (seed {}): {}; the episode is void and the lane was reset",
            self.lane, self.step, self.episode, self.seed, self.fault
        )
    }
}

/// All rows of a shard of a batch. Caller-owned memory: environments only ever borrow a [`Frame`] of it.
#[derive(Clone)]
pub struct Arena {
    shape: Shape,
    obs: Aligned,
    acts: Aligned,
    reward: Vec<f32>,
    flags: Vec<Flags>,
    mask: Vec<u64>,
    metrics: Vec<f32>,
    pub(crate) finals: Vec<Final>,
    final_obs: Vec<u8>,
    pub(crate) faults: Vec<LaneFault>,
}

impl Arena {
    /// Zeroed rows.
    pub fn new(shape: Shape) -> Self {
        let rows = shape.rows();
        Self {
            shape,
            obs: Aligned::zeroed(rows * shape.obs_bytes),
            acts: Aligned::zeroed(rows * shape.act_bytes),
            reward: vec![0.0; rows],
            flags: vec![Flags::empty(); rows],
            mask: vec![0; rows * shape.mask_words()],
            metrics: vec![0.0; shape.lanes * shape.metrics],
            finals: Vec::with_capacity(rows),
            final_obs: Vec::with_capacity(rows * shape.obs_bytes),
            faults: Vec::new(),
        }
    }

    /// An arena of no lanes, to leave behind where one is moved to a worker.
    pub fn hollow() -> Self {
        let shape = Shape { lanes: 0, seats: 1, obs_bytes: 0, act_bytes: 0, mask_bits: 0, metrics: 0 };
        Self::new(shape)
    }

    /// Row sizes.
    pub const fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Forgets the ends and faults of the last step.
    #[inline]
    pub fn begin_step(&mut self) {
        self.finals.clear();
        self.final_obs.clear();
        self.faults.clear();
    }

    /// The action rows of a lane, and the rows that its step writes.
    // Always inline: returned through memory, the slices are written in halves and read back whole, which
    // costs a step of a small game a quarter of its time (the processor cannot forward such stores).
    #[inline(always)]
    pub fn lane(&mut self, lane: usize) -> (&[u8], Frame<'_>) {
        self.rows_of(lane, self.shape.seats)
    }

    /// [`Arena::lane`] for a number of seats that the compiler may know.
    #[inline(always)]
    pub(crate) fn rows_of(&mut self, lane: usize, seats: usize) -> (&[u8], Frame<'_>) {
        let s = &self.shape;
        debug_assert_eq!(s.seats, seats);
        let first = lane * seats;
        let end = first + seats;
        let words = s.mask_words();
        let frame = Frame {
            obs: self.obs.part_mut(first * s.obs_bytes..end * s.obs_bytes),
            mask: &mut self.mask[first * words..end * words],
            mask_bits: s.mask_bits,
            out: Outcome {
                reward: &mut self.reward[first..end],
                flags: &mut self.flags[first..end],
                metrics: &mut self.metrics[lane * s.metrics..(lane + 1) * s.metrics],
            },
        };
        (self.acts.part(first * s.act_bytes..end * s.act_bytes), frame)
    }

    /// Flags of one lane.
    #[inline]
    pub fn lane_flags(&self, lane: usize) -> &[Flags] {
        &self.flags[lane * self.shape.seats..(lane + 1) * self.shape.seats]
    }

    pub(crate) fn push_final(&mut self, local_lane: usize, entry: Final) {
        let row = local_lane * self.shape.seats + entry.seat as usize;
        let bytes = self.shape.obs_bytes;
        self.final_obs.extend_from_slice(&self.obs.bytes()[row * bytes..(row + 1) * bytes]);
        self.finals.push(entry);
    }

    /// All action rows, to fill before a step.
    #[inline]
    pub fn acts_mut(&mut self) -> &mut [u8] {
        self.acts.bytes_mut()
    }

    /// All observation rows.
    pub fn obs(&self) -> &[u8] {
        self.obs.bytes()
    }

    /// One observation row.
    #[inline]
    pub fn obs_row(&self, row: usize) -> &[u8] {
        &self.obs.bytes()[row * self.shape.obs_bytes..(row + 1) * self.shape.obs_bytes]
    }

    /// All rewards.
    pub fn reward(&self) -> &[f32] {
        &self.reward
    }

    /// All flags.
    pub fn flags(&self) -> &[Flags] {
        &self.flags
    }

    /// All mask words.
    pub fn mask_words(&self) -> &[u64] {
        &self.mask
    }

    /// One mask row.
    #[inline]
    pub fn mask_row(&self, row: usize) -> Bits<'_> {
        let words = self.shape.mask_words();
        Bits::new(&self.mask[row * words..(row + 1) * words], self.shape.mask_bits)
    }

    /// Metric columns, lane by lane.
    pub fn metrics(&self) -> &[f32] {
        &self.metrics
    }

    /// Seats of episodes that ended in the last step, with their true last observation.
    pub fn finals(&self) -> impl Iterator<Item = (&Final, &[u8])> {
        let bytes = self.shape.obs_bytes;
        self.finals.iter().enumerate().map(move |(i, f)| (f, &self.final_obs[i * bytes..(i + 1) * bytes]))
    }

    /// Lanes whose environment failed in the last step.
    pub fn faults(&self) -> &[LaneFault] {
        &self.faults
    }
}
