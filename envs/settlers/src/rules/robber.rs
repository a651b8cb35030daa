//! Moving the robber and stealing.

use crate::chance::Pending;
use crate::counts::{Counts, Resource};
use crate::state::State;
use crate::topology::{Seat, TileId};

/// Visible points from which the friendly robber may touch a seat.
const FRIENDLY_FROM: u8 = 3;

impl State {
    pub(super) fn move_robber(&mut self, tile: TileId, victim: u8) {
        self.robber = tile;
        if victim == 0 {
            self.resume_turn();
        } else {
            self.pending = Some(Pending::Steal { victim: self.seat_at(self.turn, victim) });
        }
    }

    pub(super) fn stolen(&mut self, victim: Seat, resource: Resource) {
        let card = Counts::one(resource.index());
        let hand = &mut self.seats[usize::from(victim)].hand;
        *hand = hand.minus(card);
        let own = &mut self.seats[usize::from(self.turn)].hand;
        *own = own.plus(card);
        self.resume_turn();
    }

    /// The seat `offset` places after `seat`.
    #[inline]
    pub(super) fn seat_at(&self, seat: Seat, offset: u8) -> Seat {
        (seat + offset) % self.config.seats
    }

    /// Tiles the robber may move to.
    pub(super) fn robber_tiles(&self) -> u32 {
        let all = self.board.tile_set() & !(1 << self.robber);
        if !self.config.friendly_robber {
            return all;
        }
        let mut friendly = all;
        for s in (0..self.num_seats()).filter(|&s| s != usize::from(self.turn)) {
            if self.seats[s].points < FRIENDLY_FROM {
                friendly &= !self.seats[s].tiles;
            }
        }
        if friendly == 0 { all } else { friendly }
    }
}
