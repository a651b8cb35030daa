//! Means with intervals, for numbers without bounds.

use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, StudentsT};

/// A mean with its 95 % limits.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Mean {
    /// How many numbers.
    pub count: usize,
    /// Their mean; 0 of none.
    pub mean: f64,
    /// Lower limit.
    pub low: f64,
    /// Upper limit.
    pub high: f64,
}

/// The mean of independent numbers with Student's 95 % interval; the limits of fewer than two are infinite.
pub fn mean(numbers: &[f64]) -> Mean {
    let count = numbers.len();
    let mean = if count == 0 { 0.0 } else { numbers.iter().sum::<f64>() / count as f64 };
    let open = Mean { count, mean, low: f64::NEG_INFINITY, high: f64::INFINITY };
    if count < 2 {
        return open;
    }
    let variance = numbers.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (count - 1) as f64;
    let Ok(t) = StudentsT::new(0.0, 1.0, (count - 1) as f64) else { return open };
    let half = t.inverse_cdf(0.975) * (variance / count as f64).sqrt();
    Mean { low: mean - half, high: mean + half, ..open }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_is_students() {
        // R: t.test(c(1, 2, 3, 4, 6)): mean 3.2, 0.8116 to 5.5884.
        let m = mean(&[1.0, 2.0, 3.0, 4.0, 6.0]);
        assert!(
            (m.mean - 3.2).abs() < 1e-12 && (m.low - 0.8116).abs() < 1e-3 && (m.high - 5.5884).abs() < 1e-3,
            "{m:?}"
        );
        assert_eq!(mean(&[5.0]).low, f64::NEG_INFINITY);
        assert_eq!(mean(&[]).count, 0);
    }
}
