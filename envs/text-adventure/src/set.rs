//! Sets of entities: 256 bits, so that the rules ask about every entity at once.

use bytemuck::{Pod, Zeroable};
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not, Sub};

/// Index of an entity (room, thing, door, actor) in its story: `0..MAX_ENTITIES`.
pub type Ent = u8;

/// No entity: the parent of what is out of play, the slot of a verb that takes none.
pub const NONE: Ent = u8::MAX;

/// Entities of one story at most, so that [`NONE`] and the directions of the action triple stay free.
pub const MAX_ENTITIES: usize = 240;

/// A set of entities.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug, Pod, Zeroable)]
#[repr(transparent)]
pub struct Set([u64; 4]);

impl Set {
    /// Nothing.
    pub const EMPTY: Self = Self([0; 4]);

    /// The set of one entity.
    #[inline]
    pub const fn one(e: Ent) -> Self {
        let mut words = [0; 4];
        words[(e >> 6) as usize] = 1 << (e & 63);
        Self(words)
    }

    /// The set with these four words, entity 0 in the lowest bit of the first.
    #[inline]
    pub const fn of_words(words: [u64; 4]) -> Self {
        Self(words)
    }

    /// Entities `0..n`.
    pub const fn below(n: usize) -> Self {
        let mut words = [0; 4];
        let mut i = 0;
        while i < 4 && i * 64 < n {
            words[i] = if n >= (i + 1) * 64 { u64::MAX } else { (1 << (n % 64)) - 1 };
            i += 1;
        }
        Self(words)
    }

    /// Whether `e` is in it.
    #[inline]
    pub const fn has(&self, e: Ent) -> bool {
        self.0[(e >> 6) as usize] >> (e & 63) & 1 == 1
    }

    /// Adds `e`.
    #[inline]
    pub const fn insert(&mut self, e: Ent) {
        self.0[(e >> 6) as usize] |= 1 << (e & 63);
    }

    /// Takes `e` out.
    #[inline]
    pub const fn remove(&mut self, e: Ent) {
        self.0[(e >> 6) as usize] &= !(1 << (e & 63));
    }

    /// Adds or takes out `e`.
    #[inline]
    pub const fn put(&mut self, e: Ent, is_in: bool) {
        if is_in { self.insert(e) } else { self.remove(e) }
    }

    /// Whether it has no member.
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.0[0] | self.0[1] | self.0[2] | self.0[3] == 0
    }

    /// Number of members.
    #[inline]
    pub const fn len(&self) -> usize {
        (self.0[0].count_ones() + self.0[1].count_ones() + self.0[2].count_ones() + self.0[3].count_ones())
            as usize
    }

    /// The lowest member.
    #[inline]
    pub fn first(&self) -> Option<Ent> {
        self.iter().next()
    }

    /// The only member; `None` when there are none or several.
    pub fn only(&self) -> Option<Ent> {
        (self.len() == 1).then(|| self.first()).flatten()
    }

    /// Members in ascending order.
    #[inline]
    pub const fn iter(&self) -> Iter {
        Iter { words: self.0, at: 0 }
    }

    /// The four words, entity 0 in the lowest bit of the first.
    pub const fn words(&self) -> &[u64; 4] {
        &self.0
    }
}

/// Members of a [`Set`] in ascending order.
#[derive(Clone, Debug)]
pub struct Iter {
    words: [u64; 4],
    at: usize,
}

impl Iterator for Iter {
    type Item = Ent;

    #[inline]
    fn next(&mut self) -> Option<Ent> {
        while self.at < 4 {
            let word = self.words[self.at];
            if word != 0 {
                self.words[self.at] = word & (word - 1);
                return Some((self.at as u8) << 6 | word.trailing_zeros() as u8);
            }
            self.at += 1;
        }
        None
    }
}

impl IntoIterator for Set {
    type Item = Ent;
    type IntoIter = Iter;

    #[inline]
    fn into_iter(self) -> Iter {
        self.iter()
    }
}

impl FromIterator<Ent> for Set {
    fn from_iter<I: IntoIterator<Item = Ent>>(entities: I) -> Self {
        let mut set = Self::EMPTY;
        entities.into_iter().for_each(|e| set.insert(e));
        set
    }
}

macro_rules! word_wise {
    ($($trait:ident $method:ident $op:tt;)*) => {$(
        impl $trait for Set {
            type Output = Self;

            #[inline]
            fn $method(self, other: Self) -> Self {
                Self(std::array::from_fn(|i| self.0[i] $op other.0[i]))
            }
        }
    )*};
}

word_wise! {
    BitAnd bitand &;
    BitOr bitor |;
}

impl Sub for Set {
    type Output = Self;

    /// Members of `self` that are not in `other`.
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] & !other.0[i]))
    }
}

impl Not for Set {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        Self(self.0.map(|w| !w))
    }
}

impl BitAndAssign for Set {
    #[inline]
    fn bitand_assign(&mut self, other: Self) {
        *self = *self & other;
    }
}

impl BitOrAssign for Set {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_come_back_in_order() {
        let members = [0, 1, 63, 64, 127, 128, 200, 239];
        let set: Set = members.into_iter().collect();
        assert_eq!(set.iter().collect::<Vec<_>>(), members);
        assert_eq!((set.len(), set.first(), set.only()), (8, Some(0), None));
        assert_eq!(Set::one(77).only(), Some(77));
        assert_eq!((set - Set::below(64)).iter().collect::<Vec<_>>(), [64, 127, 128, 200, 239]);
        assert!(Set::below(0).is_empty() && Set::below(130).len() == 130 && Set::below(256).len() == 256);
        assert_eq!((!set & set), Set::EMPTY);
    }
}
