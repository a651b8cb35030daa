//! Many candidates at once.

use crate::{BankError, stats::within};

/// Which of the hypotheses are refused, by number and ascending, so that among them at most the share `fdr` is
/// refused wrongly on average, however the e-values depend on each other.
///
/// They are the greatest k of K such that each is at least K / (k fdr).
/// # Errors
/// [`BankError::Number`] for an `fdr` that is no share, or an e-value that is negative or no number.
/// # Source
/// Wang and Ramdas 2022, "False discovery rate control with e-values".
pub fn e_bh(e_values: &[f64], fdr: f64) -> Result<Vec<usize>, BankError> {
    within("fdr", fdr, 1e-9, 1.0)?;
    for e in e_values {
        within("e-value", *e, 0.0, f64::INFINITY)?;
    }
    let mut order: Vec<usize> = (0..e_values.len()).collect();
    order.sort_by(|&a, &b| e_values[b].total_cmp(&e_values[a]).then(a.cmp(&b)));
    let all = e_values.len() as f64;
    let count = (1..=order.len()).rev().find(|&k| e_values[order[k - 1]] * k as f64 * fdr >= all);
    order.truncate(count.unwrap_or(0));
    order.sort_unstable();
    Ok(order)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_candidate_needs_one_over_the_rate_and_many_share_it() {
        let accepted = |e: &[f64]| e_bh(e, 0.1).expect("e-values");
        assert!(accepted(&[9.9]).is_empty());
        assert_eq!(accepted(&[10.0]), [0]);
        // One of five alone needs 50, two need 25 each; e-values equal are treated equal.
        assert!(accepted(&[1.0, 49.0, 0.0, 2.0, 0.5]).is_empty());
        assert_eq!(accepted(&[1.0, 26.0, 0.0, 25.0, 0.5]), [1, 3]);
        assert_eq!(accepted(&[10.0; 7]), [0, 1, 2, 3, 4, 5, 6]);
        assert!(accepted(&[]).is_empty());
        assert!(e_bh(&[-1.0], 0.1).is_err() && e_bh(&[f64::NAN], 0.1).is_err() && e_bh(&[1.0], 0.0).is_err());
    }
}
