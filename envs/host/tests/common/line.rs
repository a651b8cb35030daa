//! Two seats in turns with masks: take one of the cells that are left until a seat holds three neighbours.

use super::spec;
use rl_gym::{BitsMut, Dtype, Env, EpisodeSeed, Fault, Flags, Outcome, Pcg64, Space, Spec};

const CELLS: u32 = 12;

/// A row of cells, one of which luck gives to seat 0 before the start; luck also says who begins.
pub struct Line {
    spec: Spec,
    rng: Pcg64,
    held: [u16; 2],
    turn: usize,
    winner: Option<usize>,
}

impl Line {
    /// An empty row.
    pub fn new() -> Self {
        let obs = Space::boxed(Dtype::U8, &[CELLS as usize], 0.0, 2.0);
        Self {
            spec: spec("line", 2, obs, CELLS, true, None),
            rng: Pcg64::seed(0),
            held: [0; 2],
            turn: 0,
            winner: None,
        }
    }

    fn free(&self, cell: u32) -> bool {
        cell < CELLS && (self.held[0] | self.held[1]) >> cell & 1 == 0
    }

    fn is_full(&self) -> bool {
        self.held[0] | self.held[1] == (1 << CELLS) - 1
    }

    fn wins(&self, seat: usize) -> bool {
        let h = u32::from(self.held[seat]);
        h & (h << 1) & (h << 2) != 0
    }
}

impl Env for Line {
    type Obs = u8;
    type Act = u32;

    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn reset(&mut self, seed: EpisodeSeed, mut out: Outcome<'_>) -> Result<(), Fault> {
        seed.apply(&mut self.rng);
        self.held = [0; 2];
        self.winner = None;
        self.held[0] |= 1 << self.rng.below(CELLS);
        self.turn = self.rng.below(2) as usize;
        out.turn(self.turn);
        Ok(())
    }

    fn step(&mut self, acts: &[u32], mut out: Outcome<'_>) -> Result<(), Fault> {
        let seat = self.turn;
        if !self.free(acts[seat]) {
            out.turn(seat);
            out.refuse(seat);
            return Ok(());
        }
        self.held[seat] |= 1 << acts[seat];
        out.metrics[0] += 1.0;
        if self.wins(seat) {
            self.winner = Some(seat);
            out.reward[seat] = 1.0;
            out.reward[1 - seat] = -1.0;
            out.terminate();
        } else if self.is_full() {
            out.flags.fill(Flags::TERMINATED);
        } else {
            self.turn = 1 - seat;
            out.turn(self.turn);
        }
        Ok(())
    }

    fn observe(&self, seat: usize, obs: &mut [u8], mut mask: BitsMut<'_>) {
        for (cell, out) in obs.iter_mut().enumerate() {
            *out = (self.held[seat] >> cell & 1) as u8 + 2 * (self.held[1 - seat] >> cell & 1) as u8;
        }
        for cell in 0..CELLS {
            mask.set(cell as usize, self.free(cell));
        }
    }

    fn ranks(&self, ranks: &mut [u8]) -> bool {
        for (seat, rank) in ranks.iter_mut().enumerate() {
            *rank = u8::from(self.winner.is_some_and(|w| w != seat));
        }
        true
    }
}
