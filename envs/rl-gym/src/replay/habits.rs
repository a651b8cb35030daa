//! How surprising a choice is: what a seat may choose, weighted by what was chosen so far in the episode.

use super::range::{Decoder, Encoder};
use crate::bits::Bits;

/// Weight of an action that was not chosen yet.
const FIRST: u8 = 3;
/// What a choice adds to the weight of its action.
const STEP: u8 = 2;
/// All weights are halved when one is above this, so that old habits fade and each fits into a byte: recorders of
/// many lanes take turns, and the fewer cache lines one needs, the less it costs.
const MOST: u8 = u8::MAX - STEP;
/// Larger choices are made of parts.
const WIDEST: u32 = 1 << 16;

/// Weights of actions, learned alike by writer and reader. Scratch: an episode begins with none.
#[derive(Debug, Default)]
pub(super) struct Habits {
    weights: Vec<u8>,
}

impl Habits {
    /// Forgets everything about `actions` actions.
    pub(super) fn begin(&mut self, actions: usize) {
        self.weights.clear();
        self.weights.resize(actions, FIRST);
    }

    fn learn(&mut self, action: usize) {
        self.weights[action] += STEP;
        if self.weights[action] > MOST {
            self.weights.iter_mut().for_each(|w| *w = w.div_ceil(2));
        }
    }

    /// Writes `action`, one of those whose bit is set in `mask`; false, with nothing written, for any other.
    #[inline]
    pub(super) fn write(&mut self, mask: Bits<'_>, action: usize, to: &mut Encoder) -> bool {
        let (mut below, mut total) = (0, 0);
        for (i, &word) in mask.words().iter().enumerate() {
            let mut rest = word;
            while rest != 0 {
                let each = i * 64 + rest.trailing_zeros() as usize;
                let weight = u32::from(self.weights[each]);
                below += if each < action { weight } else { 0 };
                total += weight;
                rest &= rest - 1;
            }
        }
        if !mask.get(action) {
            return false;
        }
        let weight = u32::from(self.weights[action]);
        // Nothing is said or learned where nothing could be chosen.
        if weight < total {
            to.note(below, weight, total);
            self.learn(action);
        }
        true
    }

    /// Reads one of the actions whose bit is set in `mask`; `None` where none is.
    pub(super) fn read(&mut self, mask: Bits<'_>, from: &mut Decoder<'_>) -> Option<usize> {
        let weight = |action: usize| u32::from(self.weights[action]);
        let total: u32 = mask.ones().map(weight).sum();
        let only = mask.nth(0)?;
        if weight(only) == total {
            return Some(only);
        }
        let at = from.peek(total);
        let mut below = 0;
        let action = mask.ones().find(|action| {
            let found = at < below + weight(*action);
            below += if found { 0 } else { weight(*action) };
            found
        })?;
        from.take(below, weight(action), total);
        self.learn(action);
        Some(action)
    }
}

/// Writes a number below `n`, all equally likely.
pub(super) fn write_even(value: u32, n: u32, to: &mut Encoder) {
    if n > WIDEST {
        to.note(value / WIDEST, 1, n.div_ceil(WIDEST));
        to.note(value % WIDEST, 1, WIDEST);
    } else if n > 1 {
        to.note(value, 1, n);
    }
}

/// Reads what [`write_even`] wrote.
pub(super) fn read_even(n: u32, from: &mut Decoder<'_>) -> u32 {
    let mut part = |total: u32| {
        let at = from.peek(total);
        from.take(at, 1, total);
        at
    };
    if n > WIDEST {
        let high = part(n.div_ceil(WIDEST));
        high * WIDEST + part(WIDEST)
    } else if n > 1 {
        part(n)
    } else {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Pcg64;

    #[test]
    fn choices_come_back_and_habits_are_cheap() {
        let mut rng = Pcg64::seed(1);
        let (mut encoder, mut habits) = (Encoder::new(), Habits::default());
        habits.begin(130);
        let mut written = Vec::new();
        for i in 0..40_000 {
            // Masks of three words with one to eight bits; bit 129 is chosen whenever it may be.
            let mut mask = [0u64; 3];
            for _ in 0..=rng.below(8) {
                let bit = rng.below(130) as usize;
                mask[bit / 64] |= 1 << (bit % 64);
            }
            mask[2] |= u64::from(i % 2 == 0) << 1;
            let bits = Bits::new(&mask, 130);
            let action = if i % 2 == 0 {
                129
            } else {
                bits.nth(rng.below(bits.count() as u32) as usize).expect("a bit")
            };
            assert!(habits.write(bits, action, &mut encoder));
            written.push((mask, action));
        }
        let even: f64 = written
            .iter()
            .map(|(mask, _)| f64::from(mask.iter().map(|w| w.count_ones()).sum::<u32>()).log2())
            .sum();
        let bytes = encoder.finish();
        assert!((bytes.len() as f64) < 0.75 * even / 8.0, "{} of {}", bytes.len(), even / 8.0);
        let mut decoder = Decoder::new(bytes);
        habits.begin(130);
        for (mask, action) in written {
            assert_eq!(habits.read(Bits::new(&mask, 130), &mut decoder), Some(action));
        }
    }

    #[test]
    fn illegal_choices_are_not_written_and_forced_ones_cost_nothing() {
        let (mut encoder, mut habits) = (Encoder::new(), Habits::default());
        habits.begin(10);
        let mask = [0b1000u64];
        assert!(!habits.write(Bits::new(&mask, 10), 2, &mut encoder));
        assert!(!habits.write(Bits::new(&mask, 10), 700, &mut encoder));
        (0..1000).for_each(|_| assert!(habits.write(Bits::new(&mask, 10), 3, &mut encoder)));
        assert!(encoder.finish().is_empty());
        assert_eq!(habits.read(Bits::new(&[0], 10), &mut Decoder::new(&[])), None);
    }

    #[test]
    fn even_numbers_of_any_width_come_back() {
        let widths = [1, 2, 255, 256, 65_535, 65_536, 65_537, 100_000, 1 << 31, u32::MAX];
        let mut encoder = Encoder::new();
        widths.iter().for_each(|n| [0, n / 2, n - 1].iter().for_each(|v| write_even(*v, *n, &mut encoder)));
        let bytes = encoder.finish();
        let mut decoder = Decoder::new(bytes);
        for n in widths {
            assert_eq!([0, n / 2, n - 1].map(|_| read_even(n, &mut decoder)), [0, n / 2, n - 1]);
        }
    }
}
