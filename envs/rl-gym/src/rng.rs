//! PCG64 with NumPy's streams: the one generator of rules, policies and spaces.

use crate::seed::SeedSequence;
use serde::{Deserialize, Serialize};

const MULTIPLIER: u128 = 0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645;

/// PCG XSL-RR 128/64 with the 32-bit half buffer of NumPy, so that mixed draws are equal to NumPy's too.
///
/// Plain data of 48 bytes: a state that holds one can be copied, saved and compared.
/// # Source
/// M. E. O'Neill, "PCG: A Family of Simple Fast Space-Efficient Statistically Good Algorithms for Random
/// Number Generation" (2014). Lemire, "Fast Random Integer Generation in an Interval" (2019). Checked bit
/// for bit against recorded NumPy output in `tests/numpy.rs`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Pcg64 {
    state: u128,
    increment: u128,
    half: Option<u32>,
}

impl Default for Pcg64 {
    fn default() -> Self {
        Self::seed(0)
    }
}

impl Pcg64 {
    /// The generator of NumPy's `default_rng(seed)`.
    pub fn seed(seed: u64) -> Self {
        SeedSequence::new(seed).rng()
    }

    /// From an initial state and a stream number, as `pcg_setseq_128_srandom` of the PCG library.
    pub const fn from_parts(state: u128, stream: u128) -> Self {
        let increment = (stream << 1) | 1;
        let state = increment.wrapping_add(state).wrapping_mul(MULTIPLIER).wrapping_add(increment);
        Self { state, increment, half: None }
    }

    /// The 128-bit state and increment, as NumPy prints them.
    pub const fn state(&self) -> (u128, u128) {
        (self.state, self.increment)
    }

    /// 64 uniform bits.
    #[inline]
    pub const fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_mul(MULTIPLIER).wrapping_add(self.increment);
        let folded = ((self.state >> 64) as u64) ^ (self.state as u64);
        folded.rotate_right((self.state >> 122) as u32)
    }

    /// 32 uniform bits: the low half of a fresh word, then its high half.
    #[inline]
    pub const fn next_u32(&mut self) -> u32 {
        match self.half.take() {
            Some(high) => high,
            None => {
                let word = self.next_u64();
                self.half = Some((word >> 32) as u32);
                word as u32
            }
        }
    }

    /// Uniform in `[0, 1)` with 53 bits (NumPy's `random()`).
    #[inline]
    pub const fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 * (1.0 / 9_007_199_254_740_992.0)
    }

    /// Uniform in `[0, 1)` with 24 bits (NumPy's `random(dtype=float32)`).
    #[inline]
    pub const fn unit_f32(&mut self) -> f32 {
        (self.next_u32() >> 8) as f32 * (1.0 / 16_777_216.0)
    }

    /// Uniform in `[low, high)` (NumPy's `uniform`).
    #[inline]
    pub const fn uniform(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// Uniform in `0..n`, unbiased (NumPy's `integers(0, n)` for `n` up to 2^32 - 1).
    ///
    /// # Panics
    /// In debug builds when `n` is 0.
    #[inline]
    pub const fn below(&mut self, n: u32) -> u32 {
        debug_assert!(n > 0, "below(0) has no answer");
        if n <= 1 {
            return 0;
        }
        let mut product = self.next_u32() as u64 * n as u64;
        if (product as u32) < n {
            let threshold = n.wrapping_neg() % n;
            while (product as u32) < threshold {
                product = self.next_u32() as u64 * n as u64;
            }
        }
        (product >> 32) as u32
    }

    /// Uniform in `0..n` for 64-bit ranges, unbiased (NumPy's `integers(0, n)` for any `n > 0`).
    pub const fn below_u64(&mut self, n: u64) -> u64 {
        if n <= u32::MAX as u64 {
            return self.below(n as u32) as u64;
        }
        if n == 1 << 32 {
            return self.next_u32() as u64;
        }
        let mut product = self.next_u64() as u128 * n as u128;
        if (product as u64) < n {
            let threshold = n.wrapping_neg() % n;
            while (product as u64) < threshold {
                product = self.next_u64() as u128 * n as u128;
            }
        }
        (product >> 64) as u64
    }

    /// Shuffles in place (NumPy's `shuffle` and `permutation`, which draw by masked rejection).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            let mask = u32::MAX >> (i as u32).leading_zeros();
            let j = loop {
                let draw = (self.next_u32() & mask) as usize;
                if draw <= i {
                    break draw;
                }
            };
            items.swap(i, j);
        }
    }

    /// An index drawn with the given probabilities: the first whose cumulative sum exceeds one `unit()` draw,
    /// as NumPy's `choice(p=..)` and Gymnasium's tabular tasks do. The sum is normalised first.
    ///
    /// # Panics
    /// In debug builds when the weights are empty or their sum is not positive.
    pub fn weighted(&mut self, weights: &[f64]) -> usize {
        let total: f64 = weights.iter().sum();
        debug_assert!(total > 0.0, "weights {weights:?} have no positive sum");
        let draw = self.unit();
        let mut sum = 0.0;
        for (i, w) in weights.iter().enumerate() {
            sum += w;
            if sum / total > draw {
                return i;
            }
        }
        weights.len() - 1
    }

    /// One standard normal draw (Marsaglia's polar method; deterministic, but not NumPy's ziggurat stream).
    pub fn normal(&mut self) -> f64 {
        loop {
            let (x, y) = (self.uniform(-1.0, 1.0), self.uniform(-1.0, 1.0));
            let r2 = x * x + y * y;
            if r2 > 0.0 && r2 < 1.0 {
                return x * (-2.0 * r2.ln() / r2).sqrt();
            }
        }
    }
}
