//! Borrowed bit rows: action masks, one bit an action, lowest action in the lowest bit.

/// Words that hold `bits` bits.
pub const fn words_for(bits: usize) -> usize {
    bits.div_ceil(64)
}

/// A row of bits to read. Bits past `len` are zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bits<'a> {
    words: &'a [u64],
    len: usize,
}

impl<'a> Bits<'a> {
    /// A view of the first `len` bits of `words`.
    pub const fn new(words: &'a [u64], len: usize) -> Self {
        debug_assert!(words.len() == words_for(len));
        Self { words, len }
    }

    /// Number of bits; 0 for a game without masks.
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether the row has no bits at all (the game has no masks).
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Bit `i`; false past the end.
    #[inline]
    pub fn get(&self, i: usize) -> bool {
        i < self.len && self.words[i / 64] >> (i % 64) & 1 == 1
    }

    /// How many bits are set.
    #[inline]
    pub fn count(&self) -> usize {
        self.words.iter().map(|w| w.count_ones() as usize).sum()
    }

    /// The set bits in ascending order.
    pub fn ones(&self) -> impl Iterator<Item = usize> + use<'a> {
        let words = self.words;
        words.iter().enumerate().flat_map(|(i, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                (rest != 0).then(|| {
                    let bit = rest.trailing_zeros() as usize;
                    rest &= rest - 1;
                    i * 64 + bit
                })
            })
        })
    }

    /// The set bit number `k`, counted from the lowest.
    pub fn nth(&self, mut k: usize) -> Option<usize> {
        for (i, &word) in self.words.iter().enumerate() {
            let here = word.count_ones() as usize;
            if k < here {
                let mut rest = word;
                for _ in 0..k {
                    rest &= rest - 1;
                }
                return Some(i * 64 + rest.trailing_zeros() as usize);
            }
            k -= here;
        }
        None
    }

    /// The words behind the row.
    pub const fn words(&self) -> &'a [u64] {
        self.words
    }
}

/// A row of bits to write.
#[derive(PartialEq, Eq, Debug)]
pub struct BitsMut<'a> {
    words: &'a mut [u64],
    len: usize,
}

impl<'a> BitsMut<'a> {
    /// A view of the first `len` bits of `words`.
    pub const fn new(words: &'a mut [u64], len: usize) -> Self {
        debug_assert!(words.len() == words_for(len));
        Self { words, len }
    }

    /// Number of bits; 0 for a game without masks.
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether the row has no bits at all.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Sets bit `i` to `value`; a bit past the end is ignored.
    #[inline]
    pub fn set(&mut self, i: usize, value: bool) {
        if i < self.len {
            let word = &mut self.words[i / 64];
            *word = (*word & !(1 << (i % 64))) | (u64::from(value) << (i % 64));
        }
    }

    /// Sets every bit to `value`, keeping the bits past the end zero.
    #[inline]
    pub fn fill(&mut self, value: bool) {
        self.words.fill(if value { u64::MAX } else { 0 });
        let tail = self.len % 64;
        if value && tail != 0 {
            self.words[self.len / 64] = (1 << tail) - 1;
        }
    }

    /// Copies whole words from `source`, which has the same layout.
    #[inline]
    pub fn copy_from(&mut self, source: &[u64]) {
        self.words.copy_from_slice(&source[..self.words.len()]);
    }

    /// The row, to read.
    pub const fn as_bits(&self) -> Bits<'_> {
        Bits { words: self.words, len: self.len }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filling_keeps_the_tail_zero_and_ones_come_in_order() {
        let mut words = [0u64; 2];
        let mut row = BitsMut::new(&mut words, 70);
        row.fill(true);
        assert_eq!(row.as_bits().count(), 70);
        row.fill(false);
        for i in [69, 0, 64, 5] {
            row.set(i, true);
        }
        row.set(70, true);
        let bits = row.as_bits();
        assert_eq!(bits.ones().collect::<Vec<_>>(), [0, 5, 64, 69]);
        assert_eq!(
            (0..5).map(|k| bits.nth(k)).collect::<Vec<_>>(),
            [Some(0), Some(5), Some(64), Some(69), None]
        );
        assert!(bits.get(64) && !bits.get(1) && !bits.get(1000));
        assert_eq!(words[1] >> 6, 0);
    }
}
