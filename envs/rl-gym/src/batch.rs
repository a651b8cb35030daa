//! Many environments as one: what learners and match runners see.

use crate::{
    arena::{Arena, Final, LaneFault, Shape},
    bits::Bits,
    env::{DynEnv, Rows},
    flags::Flags,
    seed::EpisodeSeed,
    spec::Spec,
};

/// What happens to a lane whose episode ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Autoreset {
    /// It is reset inside the ending step: its rows show the new episode, its flags hold the end and
    /// `FIRST`, and the true last observation is in [`Batch::finals`].
    #[default]
    SameStep,
    /// The next step ignores its action and resets it (reward 0, `FIRST`).
    NextStep,
    /// It stands still (reward 0, empty flags) until the caller resets it.
    Disabled,
}

/// What an illegal action does to its episode.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OnIllegal {
    /// Nothing moves, `ILLEGAL` is set, the seat is asked again.
    #[default]
    Report,
    /// The episode ends: the offender gets the least reward of the spec and the last place, the others
    /// reward 0 and a shared first place.
    Forfeit,
}

/// How episodes are seeded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Seeding {
    /// Root, lane, episode: no episode depends on another, on thread count or on who ended first.
    #[default]
    Tree,
    /// Lane `i` starts from `root + i` and one generator runs through all its episodes, as in Gymnasium.
    Gymnasium,
}

/// The choices of a batch.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BatchConfig {
    /// Environments.
    pub lanes: usize,
    /// Threads that step them; 0 and 1 step on the calling thread.
    pub workers: usize,
    /// What happens to a lane whose episode ended.
    pub autoreset: Autoreset,
    /// Which rows a step writes.
    pub rows: Rows,
    /// What an illegal action does.
    pub on_illegal: OnIllegal,
    /// How episodes are seeded.
    pub seeding: Seeding,
}

impl BatchConfig {
    /// `lanes` environments on the calling thread, everything else default.
    pub fn lanes(lanes: usize) -> Self {
        Self { lanes, ..Self::default() }
    }
}

/// One lane to reset.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LaneReset {
    /// Lane within the batch.
    pub lane: u32,
    /// Seed of the episode; `None` takes the next one of the lane's own sequence.
    pub seed: Option<EpisodeSeed>,
}

/// Many environments of one spec behind one call. Implemented by [`crate::Sharded`] (calling thread or worker
/// pool) for plain environments and for the Bevy host alike.
pub trait BatchEnv: Send {
    /// What the environments are.
    fn spec(&self) -> &Spec;

    /// Row sizes.
    fn shape(&self) -> Shape;

    /// Starts every lane anew under `root`.
    fn reset(&mut self, root: u64) -> Batch<'_>;

    /// Resets the named lanes; the rows of the others stay as they are.
    ///
    /// # Panics
    /// When a lane does not exist.
    fn reset_lanes(&mut self, lanes: &[LaneReset]) -> Batch<'_>;

    /// Steps every lane with the actions written before.
    fn step(&mut self) -> Batch<'_>;

    /// The rows as the last call left them, and the action rows to fill.
    fn parts(&mut self) -> (Batch<'_>, Actions<'_>);

    /// The rows as the last call left them.
    fn view(&self) -> Batch<'_>;

    /// One environment, for its optional abilities (text, snapshot, ranks).
    ///
    /// # Panics
    /// When the lane does not exist.
    fn env(&mut self, lane: usize) -> &mut dyn DynEnv;
}

/// Borrowed rows of a whole batch. Keeping old rows without a copy does not compile.
#[derive(Clone, Copy)]
pub struct Batch<'a> {
    spec: &'a Spec,
    shape: Shape,
    arenas: &'a [Arena],
    lanes_per_arena: usize,
}

impl<'a> Batch<'a> {
    /// A view of arenas that hold `lanes_per_arena` lanes each (the last may hold fewer).
    pub const fn new(spec: &'a Spec, shape: Shape, arenas: &'a [Arena], lanes_per_arena: usize) -> Self {
        Self { spec, shape, arenas, lanes_per_arena }
    }

    /// What the environments are.
    pub const fn spec(&self) -> &'a Spec {
        self.spec
    }

    /// Row sizes.
    pub const fn shape(&self) -> Shape {
        self.shape
    }

    /// The memory, shard by shard, each with contiguous rows: for bulk readers.
    pub const fn arenas(&self) -> &'a [Arena] {
        self.arenas
    }

    #[inline]
    fn at(&self, row: usize) -> (&'a Arena, usize) {
        if let [only] = self.arenas {
            return (only, row);
        }
        let rows = self.lanes_per_arena * self.shape.seats;
        (&self.arenas[row / rows], row % rows)
    }

    /// Observation row; `row` is lane times seats plus seat.
    #[inline]
    pub fn obs(&self, row: usize) -> &'a [u8] {
        let (arena, row) = self.at(row);
        arena.obs_row(row)
    }

    /// Reward of a row.
    #[inline]
    pub fn reward(&self, row: usize) -> f32 {
        let (arena, row) = self.at(row);
        arena.reward()[row]
    }

    /// Flags of a row.
    #[inline]
    pub fn flags(&self, row: usize) -> Flags {
        let (arena, row) = self.at(row);
        arena.flags()[row]
    }

    /// Mask of a row; empty without masks.
    #[inline]
    pub fn mask(&self, row: usize) -> Bits<'a> {
        let (arena, row) = self.at(row);
        arena.mask_row(row)
    }

    /// Metric values of a lane. Where an ending step resets its lane they are still those of the ended episode.
    pub fn metrics(&self, lane: usize) -> &'a [f32] {
        let (arena, row) = self.at(lane * self.shape.seats);
        let lane = row / self.shape.seats;
        &arena.metrics()[lane * self.shape.metrics..(lane + 1) * self.shape.metrics]
    }

    /// Seats of all episodes that ended in the last step, in lane order, with their true last observation.
    pub fn finals(&self) -> impl Iterator<Item = (&'a Final, &'a [u8])> + use<'a> {
        self.arenas.iter().flat_map(Arena::finals)
    }

    /// Lanes whose environment failed in the last step.
    pub fn faults(&self) -> impl Iterator<Item = &'a LaneFault> + use<'a> {
        self.arenas.iter().flat_map(Arena::faults)
    }

    /// A hash of every byte that a learner can see: two batches that agree on it agree on everything.
    pub fn fingerprint(&self) -> u64 {
        let mut hasher = blake3::Hasher::new();
        // Column by column over all arenas, so that the split into arenas does not matter.
        self.arenas.iter().for_each(|a| _ = hasher.update(a.obs()));
        self.arenas.iter().for_each(|a| _ = hasher.update(bytemuck::cast_slice(a.reward())));
        self.arenas.iter().flat_map(Arena::flags).for_each(|f| _ = hasher.update(&[f.bits()]));
        self.arenas.iter().for_each(|a| _ = hasher.update(bytemuck::cast_slice(a.mask_words())));
        self.arenas.iter().for_each(|a| _ = hasher.update(bytemuck::cast_slice(a.metrics())));
        for (f, obs) in self.finals() {
            hasher.update(bytemuck::cast_slice(&[f.lane, f.seat, f.episode, f.steps]));
            hasher.update(&f.episode_return.to_le_bytes());
            hasher.update(&[f.rank, f.flags.bits()]);
            hasher.update(obs);
        }
        for fault in self.faults() {
            hasher.update(fault.to_string().as_bytes());
        }
        let mut first = [0; 8];
        first.copy_from_slice(&hasher.finalize().as_bytes()[..8]);
        u64::from_le_bytes(first)
    }
}

/// The action rows of a batch, to fill before a step.
pub struct Actions<'a> {
    bytes: &'a mut [u8],
    row: usize,
}

impl<'a> Actions<'a> {
    /// Rows of `row` bytes each.
    pub const fn new(bytes: &'a mut [u8], row: usize) -> Self {
        Self { bytes, row }
    }

    /// One action row.
    #[inline]
    pub fn row_mut(&mut self, row: usize) -> &mut [u8] {
        &mut self.bytes[row * self.row..(row + 1) * self.row]
    }

    /// Sets a discrete action.
    #[inline]
    pub fn set(&mut self, row: usize, action: u32) {
        self.row_mut(row).copy_from_slice(&action.to_ne_bytes());
    }

    /// The same rows for a shorter time, to hand on.
    pub const fn reborrow(&mut self) -> Actions<'_> {
        Actions { bytes: &mut *self.bytes, row: self.row }
    }

    /// All rows, as elements of the action type.
    pub fn as_slice_mut<T: crate::flags::Row>(&mut self) -> &mut [T] {
        bytemuck::cast_slice_mut(self.bytes)
    }
}
