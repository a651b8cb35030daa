//! Digests of states: over the facts, not over caches that follow from them.

use crate::options::Config;
use crate::state::{Phase, State};
use std::hash::{Hash, Hasher};

impl State {
    /// Digest of everything that decides how the game goes on, generator and counters included.
    ///
    /// For replay checks: equal states have equal digests. Caches, log and legal set follow from the rest (or
    /// from the past alone) and are left out. Same on every 64-bit little-endian platform within a version.
    pub fn hash(&self) -> u64 {
        let mut mixer = self.mixed();
        Hash::hash(&self.rng, &mut mixer);
        mixer.mix(u64::from(self.steps) | u64::from(self.turns) << 32);
        mixer.mix(u64::from(self.dice[0]) | u64::from(self.dice[1]) << 8);
        mixer.finish()
    }

    /// Digest of the position alone: no generator, no counters of steps and turns, no dice; for transposition
    /// tables.
    pub fn position_hash(&self) -> u64 {
        self.mixed().finish()
    }

    fn mixed(&self) -> Mixer {
        let mut m = Mixer(self.board.digest());
        let history = self.config.compat.lr_blocked_end_uncounted;
        for seat in &self.seats[..self.num_seats()] {
            m.wide(seat.roads);
            m.mix(seat.settlements);
            m.mix(seat.cities);
            m.mix(seat.reach);
            m.mix(if history { seat.joined } else { 0 });
            let [a, b, c, d] = seat.played;
            let small = u32::from_le_bytes([a, b, c, d]);
            m.mix(u64::from(small) | u64::from(seat.road_length) << 32);
            m.mix(seat.hand.bits());
            m.mix(seat.dev.bits());
        }
        m.mix(self.bank.bits());
        m.mix(self.deck.bits());
        m.mix(self.bought.bits());
        let holder = |h: Option<u8>| h.map_or(7, u64::from);
        let flags = u64::from(self.rolled) | u64::from(self.card_played) << 1;
        m.mix(
            flags
                | (self.phase as u64) << 8
                | u64::from(self.turn) << 16
                | u64::from(self.actor) << 24
                | u64::from(self.robber) << 32
                | holder(self.road_holder) << 40
                | holder(self.army_holder) << 48,
        );
        let [a, b, c, d] = self.discards;
        let counts = [self.free_roads, self.offers_made, self.placed, self.last_node, a, b, c, d];
        m.mix(u64::from_le_bytes(counts));
        if matches!(self.phase, Phase::Draft | Phase::Answer | Phase::CounterDraft | Phase::Confirm) {
            Hash::hash(&self.trade, &mut m);
        }
        Hash::hash(&(self.pending, self.outcome), &mut m);
        options(&self.config, &mut m);
        m
    }
}

/// Options that matter for how the game goes on (the board has its own digest).
fn options(config: &Config, m: &mut Mixer) {
    let flag = |on: bool, at: u32| u64::from(on) << at;
    let c = &config.compat;
    let flags = [
        config.friendly_robber,
        config.player_trade,
        config.counter_offers,
        config.auto_advance,
        c.discard_one_by_one,
        c.best_rate_only,
        c.offers_not_listed,
        c.lr_len_setup_stale,
        c.lr_blocked_end_uncounted,
        c.lr_holder_after_cut,
        c.road_through_blocked_end,
        c.bank_all_or_nothing,
        c.yop_single,
        c.win_any_time,
        c.proposer_answers,
        c.turn_limit_1000,
    ];
    let bits = flags.iter().zip(0..).fold(0, |bits, (&on, at)| bits | flag(on, at));
    let small = [config.seats, config.victory_points, config.discard_limit, config.max_offers];
    m.mix(bits | u64::from(u32::from_le_bytes(small)) << 32);
    m.mix(config.turn_cap.into());
}

/// Digest of any plain value.
pub(crate) fn digest_of(value: &impl Hash) -> u64 {
    let mut mixer = Mixer(0);
    value.hash(&mut mixer);
    mixer.finish()
}

/// A small multiply-rotate hasher: no seed, so digests are stable across runs.
struct Mixer(u64);

impl Mixer {
    #[inline]
    fn mix(&mut self, word: u64) {
        let x = (self.0 ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = (x ^ (x >> 32)).rotate_left(23);
    }

    #[inline]
    fn wide(&mut self, word: u128) {
        self.mix(word as u64);
        self.mix((word >> 64) as u64);
    }
}

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        let x = self.0.wrapping_mul(0xd6e8_feb8_6659_fd93);
        x ^ (x >> 32)
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.mix(u64::from_le_bytes(word));
        }
    }

    fn write_u8(&mut self, x: u8) {
        self.mix(x.into());
    }

    fn write_u32(&mut self, x: u32) {
        self.mix(x.into());
    }

    fn write_u64(&mut self, x: u64) {
        self.mix(x);
    }

    fn write_u128(&mut self, x: u128) {
        self.wide(x);
    }

    fn write_usize(&mut self, x: usize) {
        self.mix(x as u64);
    }
}
