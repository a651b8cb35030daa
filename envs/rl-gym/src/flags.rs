//! What one row of a batch means.

use bytemuck::{Pod, Zeroable};

bitflags::bitflags! {
    /// The state of one seat after a step, one byte.
    #[repr(transparent)]
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
    pub struct Flags: u8 {
        /// The seat still plays after this step. An episode is over when no seat is alive.
        const ALIVE = 1;
        /// The next step reads this seat's action.
        const TO_ACT = 2;
        /// The rules ended this seat's episode in this step: its value is final, do not bootstrap.
        const TERMINATED = 4;
        /// A limit from outside cut this seat's episode in this step: bootstrap from the final observation.
        const TRUNCATED = 8;
        /// The observation begins an episode. Without `TERMINATED` or `TRUNCATED` the action sent was
        /// ignored and the reward is 0: drop the transition.
        const FIRST = 16;
        /// The action sent was outside the space or the mask. Nothing moved; the seat is asked again
        /// (or has lost, where the batch forfeits illegal actions).
        const ILLEGAL = 32;
    }
}

impl Flags {
    /// Both ways in which an episode ends.
    pub const ENDED: Self = Self::TERMINATED.union(Self::TRUNCATED);

    /// Rows that a batch writes by default: seats about to act, and seats that just ended.
    pub const WRITTEN: Self = Self::TO_ACT.union(Self::ENDED);
}

/// Marker for values that may sit in batch rows: plain bytes, any pattern valid.
pub trait Row: Pod + Zeroable + Send + Sync {}
impl<T: Pod + Send + Sync> Row for T {}
