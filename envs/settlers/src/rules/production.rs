//! The roll: production, and the discards of a seven.

use crate::counts::{Counts, Resource};
use crate::state::{Phase, State};
use crate::topology::TILE_NODE_SET;

impl State {
    pub(super) fn rolled(&mut self, a: u8, b: u8) {
        self.rolled = true;
        self.dice = [a, b];
        if a + b == 7 {
            self.seven();
        } else {
            self.produce(a + b);
            self.phase = Phase::Main;
        }
    }

    /// Pays every building on the tiles with this number, the robber's tile left out.
    fn produce(&mut self, sum: u8) {
        let mut tiles = self.board.tiles_with_number(sum) & !(1 << self.robber);
        let mut due = [Counts::ZERO; 4];
        let mut any = 0;
        while tiles != 0 {
            let tile = tiles.trailing_zeros();
            tiles &= tiles - 1;
            let nodes = TILE_NODE_SET[tile as usize];
            let Some(r) = self.board.resource(tile as u8) else { continue };
            if self.occupied & nodes == 0 {
                continue;
            }
            for (own, seat) in due.iter_mut().zip(&self.seats) {
                if seat.tiles >> tile & 1 == 1 {
                    let cards =
                        (seat.settlements & nodes).count_ones() + 2 * (seat.cities & nodes).count_ones();
                    *own = own.plus(Counts::of(r.index(), cards as u8));
                    any |= 1u32 << r.index();
                }
            }
        }
        if any == 0 {
            return;
        }
        let mut sum = due[0].plus(due[1]).plus(due[2]).plus(due[3]);
        if !self.bank.covers(sum) {
            for r in Resource::ALL {
                self.ration(&mut due, r.index());
            }
            sum = due[0].plus(due[1]).plus(due[2]).plus(due[3]);
        }
        for (own, seat) in due.iter().zip(&mut self.seats) {
            seat.hand = seat.hand.plus(*own);
        }
        self.bank = self.bank.minus(sum);
    }

    /// A resource the bank cannot pay in full: a single due seat gets the rest, of several nobody gets any.
    fn ration(&self, due: &mut [Counts; 4], r: usize) {
        let total: u8 = due.iter().map(|d| d.get(r)).sum();
        let left = self.bank.get(r);
        if total <= left {
            return;
        }
        let alone = due.iter().filter(|d| d.get(r) > 0).count() == 1;
        let rest = if alone && !self.config.compat.bank_all_or_nothing { left } else { 0 };
        for own in due.iter_mut().filter(|d| d.get(r) > 0) {
            *own = own.minus(Counts::of(r, own.get(r) - rest));
        }
    }

    /// Fixes how many cards each seat over the limit gives away.
    fn seven(&mut self) {
        for s in 0..self.num_seats() {
            let cards = self.seats[s].hand.total();
            self.discards[s] = if cards > self.config.discard_limit { cards / 2 } else { 0 };
        }
        self.next_discarder();
    }

    /// The next seat with cards to discard in turn order from the roller, else the robber.
    fn next_discarder(&mut self) {
        let n = self.config.seats;
        let first = if self.config.compat.discard_one_by_one { 0 } else { self.turn };
        let next = (0..n).map(|k| (first + k) % n).find(|&s| self.discards[usize::from(s)] > 0);
        (self.actor, self.phase) = match next {
            Some(seat) => (seat, Phase::Discard),
            None => (self.turn, Phase::MoveRobber),
        };
    }

    pub(super) fn discard(&mut self, r: Resource) {
        self.pay(Counts::one(r.index()));
        self.discards[usize::from(self.actor)] -= 1;
        if self.discards[usize::from(self.actor)] == 0 {
            self.next_discarder();
        }
    }
}
