//! Five small counters in one word: hands, costs, the bank, the development deck.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A resource, in the index order used everywhere (traces, actions, observations).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[repr(u8)]
pub enum Resource {
    /// From forest.
    Wood,
    /// From hills.
    Brick,
    /// From pasture.
    Sheep,
    /// From fields.
    Wheat,
    /// From mountains.
    Ore,
}

impl Resource {
    /// All five in index order.
    pub const ALL: [Self; 5] = [Self::Wood, Self::Brick, Self::Sheep, Self::Wheat, Self::Ore];

    /// The resource with index `0..5`.
    ///
    /// # Panics
    /// When `index` is 5 or more; [`Resource::ALL`]`.get()` is the fallible form.
    #[inline]
    pub const fn from_index(index: usize) -> Self {
        Self::ALL[index]
    }

    /// Index `0..5`.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Lower-case English word, as used in action names.
    pub const fn name(self) -> &'static str {
        ["wood", "brick", "sheep", "wheat", "ore"][self as usize]
    }
}

/// A development card, in the index order used everywhere.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[repr(u8)]
pub enum DevCard {
    /// Move the robber and steal; counts for the army.
    Knight,
    /// Two cards from the bank.
    YearOfPlenty,
    /// All cards of one resource from everyone.
    Monopoly,
    /// Two free roads.
    RoadBuilding,
    /// One point, never played and never shown before the end.
    VictoryPoint,
}

impl DevCard {
    /// All five in index order.
    pub const ALL: [Self; 5] =
        [Self::Knight, Self::YearOfPlenty, Self::Monopoly, Self::RoadBuilding, Self::VictoryPoint];

    /// Index `0..5`.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Lower-case English words.
    pub const fn name(self) -> &'static str {
        ["knight", "year of plenty", "monopoly", "road building", "victory point"][self as usize]
    }
}

const LOW: u64 = 0x01_01_01_01_01;
const HIGH: u64 = LOW << 7;
/// Moves bit `8 * i` to bit `32 + i` for `i` in `0..5`; the other products never meet (8a - 7b is unique).
const GATHER: u64 = (1 << 32) | (1 << 25) | (1 << 18) | (1 << 11) | (1 << 4);

/// Five counts of `0..=127` each, one byte a kind: index by [`Resource`] or [`DevCard`].
///
/// Adds, subtracts and compares all five at once. Serialised as an array of five.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(into = "[u8; 5]", from = "[u8; 5]")]
pub struct Counts(u64);

impl Counts {
    /// Five zeros.
    pub const ZERO: Self = Self(0);

    /// From five counts below 128.
    #[inline]
    pub const fn new(c: [u8; 5]) -> Self {
        Self(u64::from_le_bytes([c[0], c[1], c[2], c[3], c[4], 0, 0, 0]))
    }

    /// One of kind `index`.
    #[inline]
    pub const fn one(index: usize) -> Self {
        Self(1 << (8 * index))
    }

    /// The same count of each kind.
    #[inline]
    pub const fn splat(count: u8) -> Self {
        Self(LOW * count as u64)
    }

    /// The five counts.
    #[inline]
    pub const fn array(self) -> [u8; 5] {
        let b = self.0.to_le_bytes();
        [b[0], b[1], b[2], b[3], b[4]]
    }

    /// Count of kind `index`.
    #[inline]
    pub const fn get(self, index: usize) -> u8 {
        (self.0 >> (8 * index)) as u8
    }

    /// Sum of all five.
    #[inline]
    pub const fn total(self) -> u8 {
        (self.0.wrapping_mul(LOW) >> 32) as u8
    }

    /// Whether all five are zero.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether each count is at least that of `other`.
    #[inline]
    pub const fn covers(self, other: Self) -> bool {
        ((self.0 | HIGH) - other.0) & HIGH == HIGH
    }

    /// Bit `i` is set where count `i` is at least `k`.
    #[inline]
    pub const fn at_least(self, k: u8) -> u32 {
        self.exceeds_or_equals(Self::splat(k))
    }

    /// Bit `i` is set where count `i` is at least that of `other`.
    #[inline]
    pub const fn exceeds_or_equals(self, other: Self) -> u32 {
        let y = (((self.0 | HIGH) - other.0) & HIGH) >> 7;
        ((y.wrapping_mul(GATHER) >> 32) & 31) as u32
    }

    /// `self` plus `other`.
    #[inline]
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }

    /// `self` less `other`, which it must cover.
    #[inline]
    #[must_use]
    pub const fn minus(self, other: Self) -> Self {
        debug_assert!(self.covers(other), "a count would go below zero");
        Self(self.0 - other.0)
    }

    /// The packed word, for digests.
    #[inline]
    pub(crate) const fn bits(self) -> u64 {
        self.0
    }

    /// `count` of kind `index`, nothing else.
    #[inline]
    pub const fn of(index: usize, count: u8) -> Self {
        Self((count as u64) << (8 * index))
    }

    /// The kind of the card at position `at` when the cards lie sorted by kind (`at` below the total).
    #[inline]
    pub const fn kind_at(self, at: u8) -> usize {
        let (mut left, mut kind) = (at, 0);
        while kind < 4 && left >= self.get(kind) {
            left -= self.get(kind);
            kind += 1;
        }
        kind
    }
}

impl From<[u8; 5]> for Counts {
    fn from(c: [u8; 5]) -> Self {
        Self::new(c.map(|x| x & 127))
    }
}

impl From<Counts> for [u8; 5] {
    fn from(c: Counts) -> Self {
        c.array()
    }
}

impl fmt::Debug for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.array().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_arithmetic_equals_plain_arithmetic() {
        let mut rng = rl_gym::Pcg64::seed(1);
        for _ in 0..20_000 {
            let a: [u8; 5] = std::array::from_fn(|_| rng.below(20) as u8);
            let b: [u8; 5] = std::array::from_fn(|_| rng.below(20) as u8);
            let (x, y) = (Counts::new(a), Counts::new(b));
            let k = rng.below(6) as u8;
            assert_eq!(x.array(), a);
            assert_eq!(x.total(), a.iter().sum::<u8>());
            assert_eq!(x.covers(y), (0..5).all(|i| a[i] >= b[i]), "{a:?} {b:?}");
            assert_eq!(x.at_least(k), (0..5).map(|i| u32::from(a[i] >= k) << i).sum::<u32>());
            assert_eq!(x.exceeds_or_equals(y), (0..5).map(|i| u32::from(a[i] >= b[i]) << i).sum::<u32>());
            assert_eq!(x.plus(y).array(), std::array::from_fn(|i| a[i] + b[i]));
            assert_eq!(x.plus(y).minus(y), x);
            if x.total() > 0 {
                let sorted: Vec<usize> = (0..5).flat_map(|i| std::iter::repeat_n(i, a[i].into())).collect();
                let at = rng.below(x.total().into()) as u8;
                assert_eq!(x.kind_at(at), sorted[usize::from(at)]);
            }
        }
    }
}
