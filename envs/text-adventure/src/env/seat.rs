//! What is remembered of one seat.

use super::state::Verdict;
use crate::{
    action::{Action, Dir, Verb},
    set::{Ent, Set},
};

/// Rooms of which walked exits are remembered.
pub(crate) const MAX_ROOMS: usize = 64;

/// What is remembered of one seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SeatState {
    /// Its command of this round, once given.
    pub(crate) pending: Option<Action>,
    pub(crate) verdict: Verdict,
    /// Exits that it walked through, a bit a direction, by room.
    pub(crate) walked: [u16; MAX_ROOMS],
    /// What it took or stole, at any time.
    pub(crate) taken: Set,
    /// Directions in which it heard steps since its last command.
    pub(crate) heard: u16,
    /// First note of the log that it was not told yet.
    pub(crate) from: u8,
    /// Commands in a row that were not understood, in this round.
    pub(crate) babble: u8,
}

impl SeatState {
    /// Remembers what a command did that was carried out in `room`: the exit that it walked through, what it took.
    pub(crate) fn remember(&mut self, room: Ent, action: Action) {
        match (action.verb, Dir::of_slot(action.a)) {
            (Verb::Go, Some(dir)) => {
                if let Some(walked) = self.walked.get_mut(usize::from(room)) {
                    *walked |= 1 << dir as u16;
                }
            }
            (Verb::Take | Verb::Steal, _) => self.taken.insert(action.a),
            _ => {}
        }
    }
}

impl SeatState {
    pub(crate) const NEW: Self = Self {
        pending: None,
        verdict: Verdict::Nothing,
        walked: [0; MAX_ROOMS],
        taken: Set::EMPTY,
        heard: 0,
        from: 0,
        babble: 0,
    };
}
