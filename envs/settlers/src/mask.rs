//! The set of legal actions as a fixed bit set.

use crate::action::{ACTIONS, ActionId};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Words of a [`LegalMask`].
pub const MASK_WORDS: usize = ACTIONS.div_ceil(64);

/// One bit an action index; bits from [`ACTIONS`] on are zero.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct LegalMask {
    words: [u64; MASK_WORDS],
}

impl LegalMask {
    /// Nothing is legal.
    pub const EMPTY: Self = Self { words: [0; MASK_WORDS] };

    /// Whether `action` is in the set; false for indices outside the table.
    #[inline]
    pub const fn contains(&self, action: ActionId) -> bool {
        let i = action.0 as usize;
        i < ACTIONS && self.words[i / 64] >> (i % 64) & 1 == 1
    }

    /// How many actions are in the set.
    #[inline]
    pub fn count(&self) -> u32 {
        self.words.iter().map(|w| w.count_ones()).sum()
    }

    /// Whether the set is empty.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&w| w == 0)
    }

    /// The words, least index in the least bit of the first.
    #[inline]
    pub const fn words(&self) -> &[u64; MASK_WORDS] {
        &self.words
    }

    /// The action at position `n` in ascending order, or `None` when there are not so many.
    #[inline]
    pub fn nth(&self, n: u32) -> Option<ActionId> {
        let mut left = n;
        for (i, &word) in self.words.iter().enumerate() {
            let here = word.count_ones();
            if left < here {
                return Some(ActionId((i * 64) as u16 + select(word, left) as u16));
            }
            left -= here;
        }
        None
    }

    /// The only action, when there is exactly one.
    #[inline]
    pub fn only(&self) -> Option<ActionId> {
        if self.count() == 1 { self.nth(0) } else { None }
    }

    /// All actions in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = ActionId> + use<> {
        let mut words = self.words;
        let mut i = 0;
        std::iter::from_fn(move || {
            while i < MASK_WORDS && words[i] == 0 {
                i += 1;
            }
            let word = words.get_mut(i)?;
            let bit = word.trailing_zeros();
            *word &= *word - 1;
            Some(ActionId((i * 64) as u16 + bit as u16))
        })
    }

    /// Adds one action.
    #[inline]
    pub fn insert(&mut self, action: ActionId) {
        self.words[usize::from(action.0) / 64] |= 1 << (action.0 % 64);
    }

    /// Adds `bits` shifted so that bit 0 is action `AT`.
    #[inline]
    pub(crate) fn put<const AT: u16>(&mut self, bits: u64) {
        let (word, shift) = (AT as usize / 64, AT % 64);
        self.words[word] |= bits << shift;
        if shift > 0 && word + 1 < MASK_WORDS {
            self.words[word + 1] |= bits >> (64 - shift);
        }
    }

    /// Adds `bits` of more than one word.
    #[inline]
    pub(crate) fn put_wide<const AT: u16, const NEXT: u16>(&mut self, bits: u128) {
        const { assert!(NEXT == AT + 64) };
        self.put::<AT>(bits as u64);
        self.put::<NEXT>((bits >> 64) as u64);
    }

    /// Adds action `AT` when `condition` holds.
    #[inline]
    pub(crate) fn put_if<const AT: u16>(&mut self, condition: bool) {
        self.words[AT as usize / 64] |= u64::from(condition) << (AT % 64);
    }
}

/// Position of the set bit number `n` of `word`.
#[inline]
fn select(word: u64, n: u32) -> u32 {
    let (mut word, mut n, mut base) = (word, n, 0);
    for half in [32, 16, 8] {
        let low = (word & ((1u64 << half) - 1)).count_ones();
        if n >= low {
            n -= low;
            word >>= half;
            base += half;
        }
    }
    for _ in 0..n {
        word &= word - 1;
    }
    base + word.trailing_zeros()
}

impl fmt::Debug for LegalMask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(|a| a.0)).finish()
    }
}

impl FromIterator<ActionId> for LegalMask {
    fn from_iter<I: IntoIterator<Item = ActionId>>(actions: I) -> Self {
        let mut mask = Self::EMPTY;
        actions.into_iter().for_each(|a| mask.insert(a));
        mask
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_and_iteration_agree() {
        let mut rng = rl_gym::Pcg64::seed(2);
        for _ in 0..500 {
            let share = 1 + rng.below(20);
            let chosen: Vec<ActionId> =
                (0..ACTIONS as u16).filter(|_| rng.below(20) < share).map(ActionId).collect();
            let mask: LegalMask = chosen.iter().copied().collect();
            assert_eq!(mask.iter().collect::<Vec<_>>(), chosen);
            assert_eq!(mask.count() as usize, chosen.len());
            for (n, &a) in chosen.iter().enumerate() {
                assert_eq!(mask.nth(n as u32), Some(a));
                assert!(mask.contains(a));
            }
            assert_eq!(mask.nth(mask.count()), None);
            assert_eq!(mask.only().is_some(), chosen.len() == 1);
        }
        assert!(!LegalMask::EMPTY.contains(ActionId(u16::MAX)));
    }
}
