//! A range coder: choices in about as many bits as they are surprising, without whole bits for each.
//!
//! A choice takes a share of the present interval as large as its weight; the bytes name a point in the last one.
//! # Source
//! G. N. N. Martin, "Range encoding: an algorithm for removing redundancy from a digitised message", 1979.

/// The interval is widened by a byte below this width, so totals below it leave no share empty.
const NARROW: u32 = 1 << 24;

/// Writes choices.
#[derive(Debug)]
pub(super) struct Encoder {
    low: u32,
    width: u32,
    bytes: Vec<u8>,
}

impl Encoder {
    pub(super) const fn new() -> Self {
        Self { low: 0, width: u32::MAX, bytes: Vec::new() }
    }

    /// Notes the choice that lies at `start..start + weight` of `total`. `weight` is above 0, `total` at most 2^24.
    #[inline]
    pub(super) fn note(&mut self, start: u32, weight: u32, total: u32) {
        debug_assert!(weight > 0 && start + weight <= total && total <= NARROW, "{start} {weight} {total}");
        let unit = self.width / total;
        self.add(unit * start);
        self.width = unit * weight;
        while self.width < NARROW {
            self.bytes.push((self.low >> 24) as u8);
            self.low <<= 8;
            self.width <<= 8;
        }
    }

    #[inline]
    fn add(&mut self, offset: u32) {
        let (low, carry) = self.low.overflowing_add(offset);
        self.low = low;
        if carry {
            for byte in self.bytes.iter_mut().rev() {
                *byte = byte.wrapping_add(1);
                if *byte != 0 {
                    break;
                }
            }
        }
    }

    /// Begins anew, in the memory of what was written before.
    pub(super) fn begin(&mut self) {
        (self.low, self.width) = (0, u32::MAX);
        self.bytes.clear();
    }

    /// The bytes: as few as name a point of the interval when zeros are read after them.
    pub(super) fn finish(&mut self) -> &[u8] {
        for kept in 0..=4 {
            let rest = u32::MAX.unbounded_shr(8 * kept);
            // The last point of the interval without its low bytes, when that still lies in it.
            let top = u64::from(self.low) + u64::from(self.width) - 1;
            let point = top & !u64::from(rest);
            if point >= u64::from(self.low) {
                self.add((point - u64::from(self.low)) as u32);
                let named = self.low.to_be_bytes();
                self.bytes.extend_from_slice(&named[..kept as usize]);
                break;
            }
        }
        while self.bytes.last() == Some(&0) {
            self.bytes.pop();
        }
        &self.bytes
    }
}

/// Reads choices. Bytes that no encoder wrote give some choices, never a panic.
#[derive(Debug)]
pub(super) struct Decoder<'a> {
    code: u32,
    width: u32,
    rest: &'a [u8],
}

impl<'a> Decoder<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        let mut decoder = Self { code: 0, width: u32::MAX, rest: bytes };
        (0..4).for_each(|_| decoder.shift());
        decoder
    }

    fn shift(&mut self) {
        let byte = self.rest.split_off_first().copied().unwrap_or(0);
        self.code = self.code << 8 | u32::from(byte);
    }

    /// Where in `0..total` the next choice lies; [`Decoder::take`] must follow with the share around it.
    pub(super) fn peek(&self, total: u32) -> u32 {
        (self.code / (self.width / total)).min(total - 1)
    }

    /// Goes on behind the choice at `start..start + weight` of `total`.
    pub(super) fn take(&mut self, start: u32, weight: u32, total: u32) {
        let unit = self.width / total;
        self.code -= unit * start;
        self.width = unit * weight;
        while self.width < NARROW {
            self.shift();
            self.width <<= 8;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Pcg64;

    /// Random choices under random weights: (start, weight, total).
    fn choices(rng: &mut Pcg64, count: usize) -> Vec<(u32, u32, u32)> {
        let choice = |rng: &mut Pcg64| {
            let bits = rng.below(25);
            let total = 1 + rng.below(1 << bits);
            let start = rng.below(total);
            (start, 1 + rng.below(total - start), total)
        };
        (0..count).map(|_| choice(rng)).collect()
    }

    #[test]
    fn choices_come_back_in_as_many_bits_as_they_are_worth() {
        let mut rng = Pcg64::seed(3);
        for count in (0..40).chain([3000]) {
            for _ in 0..20 {
                let all = choices(&mut rng, count);
                let mut encoder = Encoder::new();
                all.iter().for_each(|(start, weight, total)| encoder.note(*start, *weight, *total));
                let bytes = encoder.finish();
                let bits: f64 = all
                    .iter()
                    .map(|(_, weight, total)| (f64::from(*total) / f64::from(*weight)).log2())
                    .sum();
                // Shares are rounded down to whole units of the interval: at most 2^-7 of a total of 2^17 or less.
                assert!((bytes.len() as f64) < bits * 1.02 / 8.0 + 2.0, "{} for {bits} bits", bytes.len());
                let mut decoder = Decoder::new(bytes);
                for (start, weight, total) in all {
                    let at = decoder.peek(total);
                    assert!((start..start + weight).contains(&at), "{at} in {start}+{weight} of {total}");
                    decoder.take(start, weight, total);
                }
            }
        }
    }

    /// An interval that straddles a multiple of 2^32 carries into bytes that are written already.
    #[test]
    fn carries_run_through_bytes_that_are_full() {
        for length in 1..200 {
            // The last share every time: the low end creeps towards the top and ends in 0xff bytes.
            let mut encoder = Encoder::new();
            (0..length).for_each(|_| encoder.note(65_534, 1, 65_535));
            encoder.note(1, 1, 2);
            let bytes = encoder.finish();
            let mut decoder = Decoder::new(bytes);
            for _ in 0..length {
                assert_eq!(decoder.peek(65_535), 65_534);
                decoder.take(65_534, 1, 65_535);
            }
            assert_eq!(decoder.peek(2), 1);
        }
    }

    #[test]
    fn foreign_bytes_are_read_without_a_panic() {
        let mut rng = Pcg64::seed(5);
        for _ in 0..300 {
            let bytes: Vec<u8> = (0..rng.below(30)).map(|_| rng.next_u32() as u8).collect();
            let mut decoder = Decoder::new(&bytes);
            for (_, _, total) in choices(&mut rng, 100) {
                let at = decoder.peek(total);
                assert!(at < total);
                decoder.take(at, 1, total);
            }
        }
    }
}
