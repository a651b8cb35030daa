//! Testing by betting: the mean of numbers in -1..=1 against a bound, at any time.

use crate::{BankError, stats::within};
use serde::{Deserialize, Serialize};

/// What is to be shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// That the mean is greater than the null's.
    Greater,
    /// That it is less.
    Less,
}

/// Shares of the largest bet that cannot ruin, played side by side with equal capital. The best fixed bet is
/// mean / variance, so they cover what shows within 5,000 pairs; a mixture loses at most the logarithm of 8 to the
/// best of them, and less because neighbours win too.
const SHARES: [f64; 8] = [0.03, 0.06, 0.1, 0.16, 0.25, 0.4, 0.6, 0.85];

/// Logarithm of the mean of the eight capitals.
fn mixture(logs: &[f64; 8]) -> f64 {
    let top = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if top.is_infinite() {
        return top;
    }
    top + (logs.iter().map(|log| (log - top).exp()).sum::<f64>() / 8.0).ln()
}

/// The hypothesis that is bet against.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
struct Null {
    side: Side,
    mean: f64,
}

impl Null {
    fn new(side: Side, mean: f64) -> Result<Self, BankError> {
        // At -1 or 1 itself no bet is safe.
        Ok(Self { side, mean: within("mean of the null", mean, -0.999, 0.999)? })
    }

    /// What a number is worth to the gambler who stakes all: from -1, on average at most 0 under the null.
    fn gain(self, x: f64) -> f64 {
        match self.side {
            Side::Greater => (x - self.mean) / (1.0 + self.mean),
            Side::Less => (self.mean - x) / (1.0 - self.mean),
        }
    }
}

/// The capital of a gambler against one hypothesis about the mean: a supermartingale where the hypothesis holds, so
/// that its value at any stopping time is an e-value. It depends on the numbers seen, not on their order.
///
/// The hypothesis may be about the mean given all that was seen before, so the numbers need not be alike.
/// # Source
/// Waudby-Smith and Ramdas 2024, "Estimating means of bounded random variables by betting": a mixture of fixed bets.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct EProcess {
    null: Null,
    logs: [f64; 8],
    n: u64,
}

impl EProcess {
    /// Against "the mean is at most (`Greater`) or at least (`Less`) `null`".
    ///
    /// # Errors
    /// [`BankError::Number`] unless `null` lies in -0.999..=0.999.
    pub fn new(side: Side, null: f64) -> Result<Self, BankError> {
        Ok(Self { null: Null::new(side, null)?, logs: [0.0; 8], n: 0 })
    }

    /// One more number in -1..=1.
    ///
    /// # Errors
    /// [`BankError::Number`] for any other; nothing has changed then.
    pub fn observe(&mut self, x: f64) -> Result<(), BankError> {
        let gain = self.null.gain(within("difference", x, -1.0, 1.0)?);
        // Most pairs of games differ in nothing.
        if gain != 0.0 {
            for (log, share) in self.logs.iter_mut().zip(SHARES) {
                *log += (share * gain).ln_1p();
            }
        }
        self.n += 1;
        Ok(())
    }

    /// Natural logarithm of the capital; 0 at the start.
    pub fn log_e(&self) -> f64 {
        mixture(&self.logs)
    }

    /// The capital: an e-value. Finite: at most the greatest number there is.
    pub fn e(&self) -> f64 {
        self.log_e().exp().min(f64::MAX)
    }

    /// Numbers seen.
    pub const fn seen(&self) -> u64 {
        self.n
    }
}

/// Tells when a mean has left its bound, at whatever time: capitals that begin anew at every number, added up. While
/// the hypothesis holds, the mean time until the sum exceeds `c` is at least `c`.
///
/// An [`EProcess`] would have lost most of its capital in a long good time, and would see a change late.
/// # Source
/// Shin, Ramdas and Rinaldo 2023, "E-detectors": the Shiryaev-Roberts form.
#[derive(Clone, PartialEq, Debug)]
pub struct Detector {
    null: Null,
    logs: [f64; 8],
}

impl Detector {
    /// Against "the mean is at most (`Greater`) or at least (`Less`) `null`".
    ///
    /// # Errors
    /// As [`EProcess::new`].
    pub fn new(side: Side, null: f64) -> Result<Self, BankError> {
        Ok(Self { null: Null::new(side, null)?, logs: [f64::NEG_INFINITY; 8] })
    }

    /// One more number in -1..=1.
    ///
    /// # Errors
    /// As [`EProcess::observe`].
    pub fn observe(&mut self, x: f64) -> Result<(), BankError> {
        let gain = self.null.gain(within("difference", x, -1.0, 1.0)?);
        for (log, share) in self.logs.iter_mut().zip(SHARES) {
            // ln(1 + e^log), without overflow.
            let joined = log.max(0.0) + (-log.abs()).exp().ln_1p();
            *log = joined + (share * gain).ln_1p();
        }
        Ok(())
    }

    /// The sum of the capitals; 0 at the start.
    pub fn value(&self) -> f64 {
        mixture(&self.logs).exp().min(f64::MAX)
    }
}

/// Logarithm of the capital of [`EProcess`] on `numbers` (in -1..=1) against "the mean is at most `null`", without
/// keeping a process: for bounds, which ask it of many nulls.
pub(super) fn log_capital(numbers: &[f64], null: f64) -> f64 {
    let worst = (1.0 + null).max(f64::MIN_POSITIVE);
    let mut logs = [0.0; 8];
    // Products of 16 factors instead of 16 logarithms; none is below 0.15.
    for few in numbers.chunks(16) {
        for (log, share) in logs.iter_mut().zip(SHARES) {
            *log += few.iter().map(|x| 1.0 + share * (x - null) / worst).product::<f64>().ln();
        }
    }
    mixture(&logs)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn capital(side: Side, null: f64, numbers: &[f64]) -> EProcess {
        let mut process = EProcess::new(side, null).expect("null");
        numbers.iter().for_each(|x| process.observe(*x).expect("number"));
        process
    }

    #[test]
    fn the_capital_is_the_mean_of_products() {
        let numbers = [1.0, -1.0, 0.5, 0.0, 1.0];
        // Against "at most 0.2": the largest safe bet is 1 / 1.2.
        let by_hand: f64 = SHARES
            .iter()
            .map(|s| numbers.iter().map(|x| 1.0 + s / 1.2 * (x - 0.2)).product::<f64>())
            .sum::<f64>()
            / 8.0;
        let process = capital(Side::Greater, 0.2, &numbers);
        assert!((process.e() - by_hand).abs() < 1e-12 && process.seen() == 5);
        assert!((log_capital(&numbers, 0.2) - by_hand.ln()).abs() < 1e-12);
        // The other side is the mirror image.
        let mirrored = capital(Side::Less, -0.2, &numbers.map(|x| -x));
        assert!((mirrored.e() - by_hand).abs() < 1e-12);
    }

    #[test]
    fn no_bet_gains_at_the_null() {
        // Every distribution on two points with mean `null`: the mean of the next capital is the present one.
        for null in [-0.9, -0.05, 0.0, 0.3, 0.9] {
            for (low, high) in [(-1.0, 1.0), (-1.0, null + 0.01), (null - 0.05, 1.0)] {
                let p = (null - low) / (high - low);
                for side in [Side::Greater, Side::Less] {
                    let mean =
                        p * capital(side, null, &[high]).e() + (1.0 - p) * capital(side, null, &[low]).e();
                    assert!((mean - 1.0).abs() < 1e-12, "{side:?} {null} {low} {high}: {mean}");
                }
            }
        }
    }

    #[test]
    fn the_detector_adds_up_capitals_that_begin_at_every_number() {
        let numbers = [0.4, -1.0, 1.0, 0.0];
        let mut detector = Detector::new(Side::Less, 0.5).expect("null");
        assert_eq!(detector.value(), 0.0);
        numbers.iter().for_each(|x| detector.observe(*x).expect("number"));
        let sum: f64 = (0..4).map(|from| capital(Side::Less, 0.5, &numbers[from..]).e()).sum();
        assert!((detector.value() - sum).abs() < 1e-12, "{} {sum}", detector.value());
    }

    #[test]
    fn wrong_numbers_are_refused_and_change_nothing() {
        assert_eq!(
            EProcess::new(Side::Less, 1.0).expect_err("null").to_string(),
            "mean of the null is 1: give a number from -0.999 to 0.999"
        );
        let mut process = capital(Side::Greater, 0.0, &[0.5]);
        let before = process.clone();
        for x in [1.01, -2.0, f64::NAN, f64::INFINITY] {
            assert!(process.observe(x).is_err());
        }
        assert_eq!(process, before);
        // Ten thousand wins overflow nothing.
        let many = capital(Side::Greater, -0.5, &vec![1.0; 10_000]);
        assert_eq!(many.e(), f64::MAX);
        assert!(many.log_e() > 10_000.0 * 0.9);
    }
}
