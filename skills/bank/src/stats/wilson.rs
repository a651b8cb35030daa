//! The share of successes.

use crate::{BankError, stats::Interval, stats::within};
use statrs::distribution::{ContinuousCDF, Normal};

/// Wilson's interval of a share, at a two-sided `level` such as 0.95. For a number of trials that was fixed before.
///
/// # Errors
/// [`BankError::Number`] without trials, with more successes than trials, or for a level outside (0, 1).
/// # Source
/// Wilson 1927, without continuity correction.
pub fn wilson(successes: u64, trials: u64, level: f64) -> Result<Interval, BankError> {
    let n = within("trials", trials as f64, 1.0, f64::MAX)?;
    let share = within("successes", successes as f64, 0.0, n)? / n;
    let z = Normal::standard().inverse_cdf(0.5 + 0.5 * within("level", level, 0.001, 0.999_999)?);
    let (middle, shrink) = (share + z * z / (2.0 * n), 1.0 + z * z / n);
    let reach = z * (share * (1.0 - share) / n + z * z / (4.0 * n * n)).sqrt();
    let limit = |x: f64| (x / shrink).clamp(0.0, 1.0);
    Ok(Interval { low: limit(middle - reach), estimate: share, high: limit(middle + reach) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use statrs::distribution::{Binomial, Discrete};

    #[test]
    fn limits_solve_the_score_equation() {
        // A limit p is where (share - p)^2 = z^2 p (1 - p) / n.
        let z = 1.959_963_984_540_054_f64;
        for (k, n) in [(0, 10), (7, 10), (31, 40), (40, 40), (120, 200)] {
            let seen = wilson(k, n, 0.95).expect("trials");
            for p in [seen.low, seen.high] {
                let gap = (seen.estimate - p).powi(2) - z * z * p * (1.0 - p) / n as f64;
                assert!(gap.abs() < 1e-9, "{k} of {n}: {seen:?}");
            }
        }
        assert!(wilson(0, 0, 0.95).is_err() && wilson(3, 2, 0.95).is_err() && wilson(1, 2, 1.0).is_err());
    }

    #[test]
    fn it_covers_as_often_as_it_says_for_the_numbers_of_the_gates() {
        // Exact: sum over all outcomes of their probability where the interval holds the truth. Wilson's covers its
        // level on average over p, not for every p.
        for n in [40_u64, 100, 200] {
            let (mut sum, mut count) = (0.0, 0.0);
            for p in (50..=95).map(|p| f64::from(p) / 100.0) {
                let binomial = Binomial::new(p, n).expect("binomial");
                let covers = |k: &u64| {
                    let seen = wilson(*k, n, 0.95).expect("trials");
                    seen.low <= p && p <= seen.high
                };
                let cover: f64 = (0..=n).filter(covers).map(|k| binomial.pmf(k)).sum();
                assert!(cover > 0.89, "{n} {p}: {cover}");
                (sum, count) = (sum + cover, count + 1.0);
            }
            assert!((sum / count - 0.95_f64).abs() < 0.01, "{n}: {}", sum / count);
        }
    }
}
