//! The changing part of a game: plain data of about a kilobyte, copied without allocation, hashed as it changes.

use crate::{
    entity::Bit,
    set::{Ent, MAX_ENTITIES, NONE, Set},
};
use bytemuck::{Pod, Zeroable};

/// Seats of one world at most.
pub const MAX_SEATS: usize = 4;
/// Flags of a story at most.
pub const MAX_FLAGS: usize = 64;
/// Counters of a story at most.
pub const MAX_COUNTERS: usize = 16;
/// Rules of a story at most.
pub const MAX_RULES: usize = 128;

/// An offer that waits for a seat's answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct Deal {
    /// The figure of the seat that offers; [`NONE`] without an offer.
    pub from: Ent,
    /// What it gives.
    pub give: Ent,
    /// What it wants.
    pub want: Ent,
}

/// No offer.
pub const NO_DEAL: Deal = Deal { from: NONE, give: NONE, want: NONE };

/// How a game stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum End {
    /// It goes on.
    Open = 0,
    /// Won (by the team, or by whoever has the higher score).
    Won = 1,
    /// Lost.
    Lost = 2,
}

/// Everything that changes in a game.
///
/// Change it through its methods: they keep the hash. What seats have seen and the turn are outside the hash of
/// [`World::hash`], because two states that differ in them alone go on alike; [`World::full_hash`] has everything.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct World {
    parent: [Ent; 256],
    bits: [Set; Bit::COUNT],
    known: [Set; MAX_SEATS],
    flags: u64,
    fired: [u64; MAX_RULES / 64],
    learned: u64,
    seed: u64,
    hash: u64,
    counters: [i16; MAX_COUNTERS],
    scores: [i16; MAX_SEATS],
    turn: u16,
    end: u8,
    /// Keeps the bytes in front of the offers whole: plain data has no gaps.
    unused: u8,
    deals: [Deal; MAX_SEATS],
}

/// Kinds of facts, for the hash.
#[derive(Clone, Copy)]
enum Fact {
    Parent = 1,
    Bit,
    Flag,
    Fired,
    Learned,
    Counter,
    Score,
    End,
    Deal,
}

/// SplitMix64's finalizer (Steele, Lea and Flood 2014): every bit of the result depends on every bit of `x`.
pub(crate) const fn mix(x: u64) -> u64 {
    let x = (x ^ x >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let x = (x ^ x >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ x >> 31
}

/// The share of one fact in the hash.
#[inline]
const fn share(fact: Fact, at: u64, value: u64) -> u64 {
    mix((fact as u64) << 56 ^ at << 32 ^ value ^ 0x9E37_79B9_7F4A_7C15)
}

impl Default for World {
    fn default() -> Self {
        Self {
            parent: [NONE; 256],
            bits: [Set::EMPTY; Bit::COUNT],
            known: [Set::EMPTY; MAX_SEATS],
            flags: 0,
            fired: [0; 2],
            learned: 0,
            seed: 0,
            hash: 0,
            counters: [0; MAX_COUNTERS],
            scores: [0; MAX_SEATS],
            turn: 0,
            end: 0,
            unused: 0,
            deals: [NO_DEAL; MAX_SEATS],
        }
    }
}

impl World {
    /// Where `e` is: in a room, container or somebody's hands, on a supporter; [`NONE`] out of play.
    #[inline]
    pub const fn parent(&self, e: Ent) -> Ent {
        self.parent[e as usize]
    }

    /// Entities of which `bit` is true.
    #[inline]
    pub const fn set(&self, bit: Bit) -> &Set {
        &self.bits[bit as usize]
    }

    /// Whether `bit` is true of `e`.
    #[inline]
    pub const fn is(&self, e: Ent, bit: Bit) -> bool {
        self.bits[bit as usize].has(e)
    }

    /// What a seat has ever seen: rooms that it entered, things that it met.
    #[inline]
    pub const fn known(&self, seat: usize) -> &Set {
        &self.known[seat]
    }

    /// Whether a flag of the story is raised.
    #[inline]
    pub const fn flag(&self, flag: u8) -> bool {
        self.flags >> flag & 1 == 1
    }

    /// A counter of the story.
    #[inline]
    pub const fn counter(&self, counter: u8) -> i16 {
        self.counters[counter as usize]
    }

    /// Whether a rule that fires once has fired.
    #[inline]
    pub const fn has_fired(&self, rule: u8) -> bool {
        self.fired[(rule >> 6) as usize] >> (rule & 63) & 1 == 1
    }

    /// Whether a topic was spoken of.
    #[inline]
    pub const fn has_learned(&self, topic: u8) -> bool {
        self.learned >> topic & 1 == 1
    }

    /// Points of a seat.
    #[inline]
    pub const fn score(&self, seat: usize) -> i16 {
        self.scores[seat]
    }

    /// Points of the seat whose figure `e` is; 0 for anybody else.
    pub fn score_of(&self, story: &crate::story::Story, e: Ent) -> i16 {
        story.seat_of(e).map_or(0, |seat| self.score(seat))
    }

    /// Turns (rounds of all seats) that have passed.
    #[inline]
    pub const fn turn(&self) -> u16 {
        self.turn
    }

    /// How the game stands.
    #[inline]
    pub const fn end(&self) -> End {
        match self.end {
            0 => End::Open,
            1 => End::Won,
            _ => End::Lost,
        }
    }

    /// The offer that waits for a seat's answer.
    #[inline]
    pub const fn deal(&self, seat: usize) -> Deal {
        self.deals[seat]
    }

    /// The game's seed.
    pub const fn seed(&self) -> u64 {
        self.seed
    }

    /// Sets the seed from which chance in the game comes.
    pub const fn set_seed(&mut self, seed: u64) {
        self.seed = seed;
    }

    /// Hash of everything that decides how the game may go on, but for turn and seed: equal for equal situations.
    #[inline]
    pub const fn hash(&self) -> u64 {
        self.hash
    }

    /// Hash of the whole state.
    pub fn full_hash(&self) -> u64 {
        let known = self.known.iter().flat_map(Set::words).fold(self.seed, |h, w| mix(h ^ w).rotate_left(7));
        mix(known ^ self.hash ^ u64::from(self.turn) << 48)
    }

    /// The hash, made anew from everything. It always equals [`World::hash`].
    pub fn recomputed_hash(&self) -> u64 {
        let mut fresh = Self::default();
        (0..MAX_ENTITIES as Ent).for_each(|e| fresh.place(e, self.parent(e)));
        for &bit in Bit::ALL {
            self.set(bit).iter().for_each(|e| fresh.put(e, bit, true));
        }
        (0..MAX_FLAGS as u8).for_each(|f| fresh.raise(f, self.flag(f)));
        (0..MAX_RULES as u8).filter(|r| self.has_fired(*r)).for_each(|r| fresh.fire(r));
        (0..64).filter(|t| self.has_learned(*t)).for_each(|t| fresh.learn(t));
        (0..MAX_COUNTERS as u8).for_each(|c| fresh.count(c, self.counter(c)));
        for seat in 0..MAX_SEATS {
            fresh.award(seat, self.score(seat));
            fresh.propose(seat, self.deal(seat));
        }
        fresh.finish(self.end());
        fresh.hash
    }

    #[inline]
    const fn swap(&mut self, fact: Fact, at: u64, old: u64, new: u64) {
        self.hash ^= share(fact, at, old) ^ share(fact, at, new);
    }

    /// Puts `e` into, onto or with `place`. The caller has checked that `place` does not lie within `e`.
    #[inline]
    pub const fn place(&mut self, e: Ent, place: Ent) {
        let old = self.parent[e as usize];
        self.swap(Fact::Parent, e as u64, old as u64, place as u64);
        self.parent[e as usize] = place;
    }

    /// Makes `bit` true or false of `e`.
    #[inline]
    pub const fn put(&mut self, e: Ent, bit: Bit, value: bool) {
        if self.is(e, bit) != value {
            self.hash ^= share(Fact::Bit, bit as u64, e as u64);
            self.bits[bit as usize].put(e, value);
        }
    }

    /// Raises or lowers a flag.
    pub const fn raise(&mut self, flag: u8, value: bool) {
        if self.flag(flag) != value {
            self.hash ^= share(Fact::Flag, flag as u64, 1);
            self.flags ^= 1 << flag;
        }
    }

    /// Sets a counter.
    #[inline]
    pub const fn count(&mut self, counter: u8, value: i16) {
        let old = self.counters[counter as usize];
        self.swap(Fact::Counter, counter as u64, old as u16 as u64, value as u16 as u64);
        self.counters[counter as usize] = value;
    }

    /// Marks a rule as fired.
    pub const fn fire(&mut self, rule: u8) {
        if !self.has_fired(rule) {
            self.hash ^= share(Fact::Fired, rule as u64, 1);
            self.fired[(rule >> 6) as usize] |= 1 << (rule & 63);
        }
    }

    /// Marks a topic as spoken of.
    pub const fn learn(&mut self, topic: u8) {
        if !self.has_learned(topic) {
            self.hash ^= share(Fact::Learned, topic as u64, 1);
            self.learned |= 1 << topic;
        }
    }

    /// Gives points to a seat, or takes some.
    pub const fn award(&mut self, seat: usize, points: i16) {
        let old = self.scores[seat];
        let new = old.saturating_add(points);
        self.swap(Fact::Score, seat as u64, old as u16 as u64, new as u16 as u64);
        self.scores[seat] = new;
    }

    /// Replaces the offer that waits for a seat.
    pub const fn propose(&mut self, seat: usize, deal: Deal) {
        let old = self.deals[seat];
        self.swap(Fact::Deal, seat as u64, old.code(), deal.code());
        self.deals[seat] = deal;
    }

    /// Ends the game. An end is final.
    pub const fn finish(&mut self, end: End) {
        if self.end == 0 {
            self.swap(Fact::End, 0, 0, end as u64);
            self.end = end as u8;
        }
    }

    /// A seat has seen these.
    #[inline]
    pub fn see(&mut self, seat: usize, seen: Set) {
        self.known[seat] |= seen;
    }

    /// One turn has passed.
    #[inline]
    pub const fn pass_turn(&mut self) {
        self.turn = self.turn.saturating_add(1);
    }

    /// Whether `e` lies in `place` at any depth.
    pub fn is_within(&self, e: Ent, place: Ent) -> bool {
        let mut at = self.parent(e);
        for _ in 0..MAX_DEPTH {
            if at == place {
                return true;
            }
            if at == NONE {
                return false;
            }
            at = self.parent(at);
        }
        false
    }

    /// The room (or other outermost place) that `e` is in; `e` itself when it is in nothing.
    #[inline]
    pub fn outermost(&self, e: Ent) -> Ent {
        let mut at = e;
        while self.parent(at) != NONE {
            at = self.parent(at);
        }
        at
    }

    /// How many things lie directly in, on or with `place`.
    #[inline]
    pub fn children(&self, place: Ent) -> usize {
        self.count_inside(place, MAX_ENTITIES)
    }

    /// How many of the entities below `len` lie directly in, on or with `place`: as [`World::inside`] finds them, the
    /// eight marks of each step added byte by byte and then across.
    #[inline]
    pub(crate) fn count_inside(&self, place: Ent, len: usize) -> usize {
        let (chunks, _) = self.parent.as_chunks::<8>();
        let count =
            |sum: u64, chunk: &[u8; 8]| sum + zeros(u64::from_le_bytes(*chunk) ^ (u64::from(place) * EACH));
        // At most 240 in all, so that no sum leaves its byte.
        let sum = chunks.iter().take(len.min(MAX_ENTITIES).div_ceil(8)).fold(0, count);
        (sum.wrapping_mul(EACH) >> 56) as usize
    }

    /// Three sets of the entities below `64 * N` in one pass: what lies in `room`, what lies with `me`, and what lies in
    /// something that is no room. Rooms are entities below `rooms`.
    #[inline]
    pub(crate) fn placed<const N: usize>(&self, rooms: u8, room: Ent, me: Ent) -> [[u64; N]; 3] {
        // A byte is at least `rooms` when its own high bit is set or its low bits carry into it. With more than 128
        // rooms everything counts as nested, which only costs time.
        let carry = EACH * u64::from(128u8.saturating_sub(rooms));
        let all = if rooms > 128 { !LOW } else { 0 };
        let (of_room, of_me) = (EACH * u64::from(room), EACH * u64::from(me));
        let mut words = [[0; N]; 3];
        let (chunks, _) = self.parent.as_chunks::<8>();
        let (chunks, _) = chunks.as_chunks::<8>();
        for (i, eight) in chunks.iter().enumerate().take(N) {
            let (mut here, mut held, mut nested) = (0, 0, 0);
            for (at, chunk) in eight.iter().enumerate() {
                let x = u64::from_le_bytes(*chunk);
                let inside = ((((x & LOW) + carry) | x | all) & !LOW) >> 7;
                here |= gather(zeros(x ^ of_room)) << (at * 8);
                held |= gather(zeros(x ^ of_me)) << (at * 8);
                nested |= gather(inside & !zeros(x ^ u64::MAX)) << (at * 8);
            }
            (words[0][i], words[1][i], words[2][i]) = (here, held, nested);
        }
        words
    }

    /// What lies directly in, on or with `place`, among the entities below `len`: eight parents at a time.
    #[inline]
    pub fn inside(&self, place: Ent, len: usize) -> Set {
        let mut words = [0; 4];
        let (chunks, _) = self.parent.as_chunks::<8>();
        for (i, chunk) in chunks.iter().enumerate().take(len.div_ceil(8)) {
            let marks = zeros(u64::from_le_bytes(*chunk) ^ (u64::from(place) * EACH));
            words[i / 8] |= gather(marks) << (i % 8 * 8);
        }
        Set::of_words(words)
    }
}

/// All bits of each byte but the high one.
const LOW: u64 = 0x7F7F_7F7F_7F7F_7F7F;
/// The low bit of each byte.
const EACH: u64 = 0x0101_0101_0101_0101;

/// The low bit of each byte that is zero: the carry-free test of Warren, "Hacker's Delight", 6-1.
#[inline]
const fn zeros(x: u64) -> u64 {
    !(((x & LOW) + LOW) | x | LOW) >> 7
}

/// The low bits of the eight bytes, side by side.
#[inline]
const fn gather(marks: u64) -> u64 {
    marks.wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// Things lie in each other at most so deep.
pub const MAX_DEPTH: usize = 8;

impl Deal {
    const fn code(self) -> u64 {
        (self.from as u64) << 16 | (self.give as u64) << 8 | self.want as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_follows_every_change_and_forgets_the_way() {
        let mut world = World::default();
        let start = world.hash();
        world.place(5, 1);
        world.put(5, Bit::Open, true);
        world.raise(3, true);
        world.count(2, -4);
        world.award(1, 7);
        world.fire(99);
        world.learn(63);
        world.propose(0, Deal { from: 1, give: 2, want: 3 });
        assert_eq!(world.hash(), world.recomputed_hash());
        assert_ne!(world.hash(), start);
        let before = world.hash();
        world.place(5, 2);
        world.put(5, Bit::Open, false);
        world.place(5, 1);
        world.put(5, Bit::Open, true);
        assert_eq!(world.hash(), before);
        world.finish(End::Won);
        world.finish(End::Lost);
        assert_eq!((world.end(), world.hash()), (End::Won, world.recomputed_hash()));
    }

    #[test]
    fn what_lies_inside_is_found_eight_at_a_time() {
        let mut world = World::default();
        let mut x = 1u64;
        for e in 0..MAX_ENTITIES as Ent {
            x = mix(x);
            world.place(e, [0, 1, 2, 3, 4, 5, 200, NONE][(x % 8) as usize]);
        }
        for place in (0..8).chain([NONE]) {
            let slow: Set = (0..MAX_ENTITIES as Ent).filter(|e| world.parent(*e) == place).collect();
            assert_eq!(world.inside(place, MAX_ENTITIES), slow);
            assert_eq!(world.children(place), slow.len());
        }
        for rooms in [1, 3, 7, 127, 128, 200] {
            let [here, held, nested] = world.placed::<4>(rooms, 2, 5).map(Set::of_words);
            let is_nested = |e: &Ent| world.parent(*e) >= rooms && world.parent(*e) != NONE;
            let slow: Set = (0..MAX_ENTITIES as Ent).filter(is_nested).collect();
            assert_eq!((here, held), (world.inside(2, MAX_ENTITIES), world.inside(5, MAX_ENTITIES)));
            assert!(if rooms > 128 { (slow - nested).is_empty() } else { nested == slow }, "{rooms}");
        }
    }

    #[test]
    fn it_is_about_a_kilobyte() {
        assert!(size_of::<World>() <= 1024, "{}", size_of::<World>());
    }
}
