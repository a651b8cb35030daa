//! Bounds for a mean that hold at every moment, and what they say in Elo.

use crate::{
    BankError,
    stats::{betting::log_capital, within},
};
use serde::{Deserialize, Serialize};

/// An estimate with its limits.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Interval {
    /// Lower limit.
    pub low: f64,
    /// The estimate. After a test that stopped because it won, it is a little too good; the limits are not.
    pub estimate: f64,
    /// Upper limit.
    pub high: f64,
}

/// The greatest `m` such that "the mean is at most `m`" is refused at level `alpha` by the bets of
/// [`EProcess`](super::EProcess); -1 when none is. It is below the true mean at every moment at once with probability
/// `1 - alpha`, so that one may stop whenever one likes. No shape of the distribution is assumed.
///
/// # Errors
/// [`BankError::Number`] for numbers outside -1..=1 or an `alpha` that is no share.
pub fn lower_bound(numbers: &[f64], alpha: f64) -> Result<f64, BankError> {
    let threshold = -within("alpha", alpha, 1e-12, 0.999)?.ln();
    for x in numbers {
        within("difference", *x, -1.0, 1.0)?;
    }
    // The capital falls as the null rises: halve where it crosses the threshold.
    let (mut refused, mut open) = (-1.0, 1.0);
    for _ in 0..48 {
        let middle = 0.5 * (refused + open);
        if log_capital(numbers, middle) >= threshold {
            refused = middle;
        } else {
            open = middle;
        }
    }
    Ok(refused)
}

/// The mirror image of [`lower_bound`].
///
/// # Errors
/// As there.
pub fn upper_bound(numbers: &[f64], alpha: f64) -> Result<f64, BankError> {
    let mirrored: Vec<f64> = numbers.iter().map(|x| -x).collect();
    Ok(-lower_bound(&mirrored, alpha)?)
}

/// Mean with limits that hold together with probability `level` at every moment (each with half of the rest).
///
/// # Errors
/// As [`lower_bound`].
pub fn interval(numbers: &[f64], level: f64) -> Result<Interval, BankError> {
    let alpha = 0.5 * (1.0 - within("level", level, 0.001, 1.0 - 1e-11)?);
    let estimate = if numbers.is_empty() { 0.0 } else { numbers.iter().sum::<f64>() / numbers.len() as f64 };
    Ok(Interval { low: lower_bound(numbers, alpha)?, estimate, high: upper_bound(numbers, alpha)? })
}

/// Elo difference that belongs to a mean of (score - opponent's score), in -1..=1: 400 log10((1 + d) / (1 - d)).
/// Beyond 0.999999 it stays at 2,520.
pub fn elo(difference: f64) -> f64 {
    let d = difference.clamp(-0.999_999, 0.999_999);
    400.0 * ((1.0 + d) / (1.0 - d)).log10()
}

/// Elo difference with limits from paired games: the score of one (0 to 1, a draw is one half) against the other,
/// minus the score of the other against its own like at the same seed and seat, which is one half on average.
/// Pairs take out the luck of the seed.
///
/// # Errors
/// As [`interval`].
pub fn paired_elo(differences: &[f64], level: f64) -> Result<Interval, BankError> {
    let Interval { low, estimate, high } = interval(differences, level)?;
    // A score of 1/2 + d is d - (-d) against the opponent.
    Ok(Interval { low: elo(2.0 * low), estimate: elo(2.0 * estimate), high: elo(2.0 * high) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::{EProcess, Side};

    #[test]
    fn a_bound_is_where_the_test_begins_to_refuse() {
        let numbers: Vec<f64> = (0..200).map(|i| [0.0, 1.0, 0.0, -0.5, 0.25][i % 5]).collect();
        let low = lower_bound(&numbers, 0.05).expect("numbers");
        let e = |null: f64| {
            let mut process = EProcess::new(Side::Greater, null).expect("null");
            numbers.iter().for_each(|x| process.observe(*x).expect("number"));
            process.e()
        };
        assert!(e(low - 1e-6) >= 20.0 && e(low + 1e-6) < 20.0, "{low}");
        let both = interval(&numbers, 0.95).expect("numbers");
        assert!(both.low < low && low < 0.15 && (both.estimate - 0.15).abs() < 1e-12 && both.high > 0.15);
    }

    #[test]
    fn ends_are_sound() {
        let none = interval(&[], 0.95).expect("empty");
        assert_eq!((none.low, none.estimate), (-1.0, 0.0));
        assert!((none.high - 1.0).abs() < 1e-12);
        let lost = interval(&[-1.0; 50], 0.95).expect("losses");
        assert_eq!(lost.low, -1.0);
        assert!(lost.high < -0.7, "{lost:?}");
        let won = interval(&[1.0; 50], 0.95).expect("wins");
        assert!(won.low > 0.7 && won.high > 0.999_999, "{won:?}");
        assert!(interval(&[0.0, 1.5], 0.95).is_err() && interval(&[0.0], 1.0).is_err());
    }

    #[test]
    fn elo_is_that_of_the_logistic_curve() {
        // 10 / 11 of the points are 400 Elo; 0.6 are 70.44.
        assert!((elo(9.0 / 11.0) - 400.0).abs() < 1e-9 && (elo(0.2) - 70.4365).abs() < 1e-3);
        assert_eq!(elo(0.0), 0.0);
        assert!(elo(1.0).is_finite() && elo(-1.0) == -elo(1.0));
        let alike = paired_elo(&[0.0; 400], 0.95).expect("pairs");
        assert!(alike.low > -15.0 && alike.high < 15.0 && alike.estimate == 0.0, "{alike:?}");
        // Won where the like of the other drew: a score of 1, far above.
        let better = paired_elo(&[0.5; 400], 0.95).expect("pairs");
        assert!(better.low > 600.0 && better.estimate > 2500.0, "{better:?}");
    }
}
