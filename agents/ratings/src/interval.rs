//! Intervals and tests for proportions and means, also from games that are correlated in blocks.

use serde::{Deserialize, Serialize};
use statrs::distribution::{Binomial, ContinuousCDF, Discrete, DiscreteCDF, Normal, StudentsT};
use statrs::function::beta::beta_reg;

use crate::RatingError;

/// A two-sided confidence level strictly between 0 and 1.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Level(f64);

impl Level {
    /// 95 %, z = 1.96.
    pub const P95: Self = Self(0.95);
    /// 99 %, z = 2.58.
    pub const P99: Self = Self(0.99);

    /// A level such as 0.95.
    /// # Errors
    /// [`RatingError::Level`] outside the open interval (0, 1).
    pub fn new(level: f64) -> Result<Self, RatingError> {
        if level > 0.0 && level < 1.0 { Ok(Self(level)) } else { Err(RatingError::Level { level }) }
    }

    /// The level as a share, for example 0.95.
    pub fn get(self) -> f64 {
        self.0
    }

    /// Two-sided normal quantile: 1.959964 at 95 %.
    pub fn z(self) -> f64 {
        Normal::standard().inverse_cdf(0.5 + 0.5 * self.0)
    }

    /// Two-sided Student quantile with `freedom` > 0 degrees of freedom: 12.706 at 95 % and 1.
    ///
    /// From 200 degrees on by the expansion around the normal quantile (error below 1e-9 at 95 %), where
    /// the library's search stops early.
    /// # Source
    /// Abramowitz and Stegun 26.7.5.
    pub fn t(self, freedom: f64) -> f64 {
        if freedom >= 200.0 {
            return student_expansion(self.z(), freedom);
        }
        let student = StudentsT::new(0.0, 1.0, freedom);
        student.map_or(f64::INFINITY, |student| student.inverse_cdf(0.5 + 0.5 * self.0))
    }
}

impl TryFrom<f64> for Level {
    type Error = RatingError;

    fn try_from(level: f64) -> Result<Self, RatingError> {
        Self::new(level)
    }
}

impl From<Level> for f64 {
    fn from(level: Level) -> f64 {
        level.0
    }
}

/// An estimate with its two-sided confidence limits, all in the estimate's unit.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// Lower limit.
    pub low: f64,
    /// Point estimate.
    pub estimate: f64,
    /// Upper limit.
    pub high: f64,
    /// Confidence level.
    pub level: Level,
}

impl Interval {
    pub(crate) fn around(estimate: f64, reach: f64, level: Level) -> Self {
        Self { low: estimate - reach, estimate, high: estimate + reach, level }
    }

    /// Whether `value` lies between the limits, limits included.
    pub fn contains(&self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }
}

/// Which deviations from the null hypothesis count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Alternative {
    /// The true probability is larger ("significantly above par").
    Greater,
    /// The true probability is smaller.
    Less,
    /// It differs; outcomes no more probable than the one seen are added up, as R's `binom.test` does.
    TwoSided,
}

/// Wilson score interval of a proportion; draws may count as half a success.
/// # Errors
/// [`RatingError::Trials`] unless 0 <= successes <= trials and trials > 0.
/// # Source
/// Wilson 1927, without continuity correction.
pub fn wilson(successes: f64, trials: f64, level: Level) -> Result<Interval, RatingError> {
    check_trials(successes, trials)?;
    Ok(score_interval(successes / trials, trials, level.z(), level))
}

/// Exact (Clopper-Pearson) interval of a proportion; never narrower than its level.
/// # Errors
/// [`RatingError::Trials`] unless successes <= trials and trials > 0.
/// # Source
/// Clopper and Pearson 1934: quantiles of Beta(k, n - k + 1) and Beta(k + 1, n - k).
pub fn clopper_pearson(successes: u64, trials: u64, level: Level) -> Result<Interval, RatingError> {
    check_trials(successes as f64, trials as f64)?;
    let (k, n, tail) = (successes as f64, trials as f64, 0.5 - 0.5 * level.0);
    let low = if successes == 0 { 0.0 } else { beta_quantile(k, n - k + 1.0, tail) };
    let high = if successes == trials { 1.0 } else { beta_quantile(k + 1.0, n - k, 1.0 - tail) };
    Ok(Interval { low, estimate: k / n, high, level })
}

/// Exact binomial test: the p-value of `successes` in `trials` when the true probability is `null`.
///
/// Games must be independent; use [`clustered_proportion`] when seeds are shared.
/// # Errors
/// [`RatingError::Trials`] as for [`clopper_pearson`], [`RatingError::Probability`] for `null` outside [0, 1].
pub fn binomial_test(
    successes: u64,
    trials: u64,
    null: f64,
    alternative: Alternative,
) -> Result<f64, RatingError> {
    check_trials(successes as f64, trials as f64)?;
    let binomial =
        Binomial::new(null, trials).map_err(|_| RatingError::Probability { name: "null", value: null })?;
    let at_least = |k: u64| if k == 0 { 1.0 } else { binomial.sf(k - 1) };
    Ok(match alternative {
        Alternative::Greater => at_least(successes),
        Alternative::Less => binomial.cdf(successes),
        Alternative::TwoSided => {
            // R's tolerance: outcomes equally probable but for rounding belong to the tail.
            let limit = binomial.pmf(successes) * (1.0 + 1e-7);
            let tail: f64 = (0..=trials).map(|k| binomial.pmf(k)).filter(|&p| p <= limit).sum();
            tail.min(1.0)
        }
    })
}

/// Interval of the mean of `(block, value)` pairs whose blocks are independent but whose values within
/// a block are not: cluster-robust standard error, Student's t with blocks - 1 degrees of freedom.
///
/// Order does not matter. The variance of the mean is B/(B-1) x sum over blocks of (sum of deviations)^2 / N^2.
/// # Errors
/// [`RatingError::NoGames`], [`RatingError::NotFinite`], and [`RatingError::Blocks`] for a single block.
pub fn clustered_mean(values: &[(u64, f64)], level: Level) -> Result<Interval, RatingError> {
    let spread = cluster_spread(values)?;
    Ok(Interval::around(spread.mean, level.t(spread.blocks - 1.0) * spread.error, level))
}

/// Interval of a proportion (scores from 0 to 1, draws in between) from correlated games; it stays
/// within [0, 1].
///
/// The Wilson interval at the effective number of games p(1-p)/SE^2, SE cluster-robust, with Student's
/// t for z. When the blocks show no spread at all, the number of blocks stands in for it.
/// # Errors
/// As [`clustered_mean`], and [`RatingError::Probability`] for a value outside [0, 1].
/// # Source
/// The effective sample size of Korn and Graubard 1998, here in a score interval.
pub fn clustered_proportion(values: &[(u64, f64)], level: Level) -> Result<Interval, RatingError> {
    if let Some(&(_, value)) =
        values.iter().find(|(_, value)| value.is_finite() && !(0.0..=1.0).contains(value))
    {
        return Err(RatingError::Probability { name: "value", value });
    }
    let spread = cluster_spread(values)?;
    let variance = spread.error * spread.error;
    let binomial = spread.mean * (1.0 - spread.mean);
    let effective = if variance > 1e-18 { binomial / variance } else { spread.blocks };
    Ok(score_interval(spread.mean, effective, level.t(spread.blocks - 1.0), level))
}

fn student_expansion(z: f64, freedom: f64) -> f64 {
    let (z2, n) = (z * z, 1.0 / freedom);
    let first = (z2 + 1.0) / 4.0;
    let second = ((5.0 * z2 + 16.0) * z2 + 3.0) / 96.0;
    let third = (((3.0 * z2 + 19.0) * z2 + 17.0) * z2 - 15.0) / 384.0;
    z * (1.0 + n * (first + n * (second + n * third)))
}

struct ClusterSpread {
    mean: f64,
    error: f64,
    blocks: f64,
}

fn cluster_spread(values: &[(u64, f64)]) -> Result<ClusterSpread, RatingError> {
    if values.is_empty() {
        return Err(RatingError::NoGames);
    }
    if let Some(&(_, value)) = values.iter().find(|(_, value)| !value.is_finite()) {
        return Err(RatingError::NotFinite { name: "value", value });
    }
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let count = sorted.len() as f64;
    let mean = sorted.iter().map(|(_, value)| value).sum::<f64>() / count;
    let deviation = |block: &[(u64, f64)]| block.iter().map(|(_, value)| value - mean).sum::<f64>().powi(2);
    let deviations: Vec<f64> = sorted.chunk_by(|a, b| a.0 == b.0).map(deviation).collect();
    let blocks = deviations.len() as f64;
    if deviations.len() < 2 {
        return Err(RatingError::Blocks { blocks: deviations.len() });
    }
    let variance = blocks / (blocks - 1.0) * deviations.iter().sum::<f64>() / (count * count);
    Ok(ClusterSpread { mean, error: variance.sqrt(), blocks })
}

fn score_interval(p: f64, n: f64, z: f64, level: Level) -> Interval {
    let z2_n = z * z / n;
    let centre = (p + 0.5 * z2_n) / (1.0 + z2_n);
    let reach = z / (1.0 + z2_n) * (p * (1.0 - p) / n + 0.25 * z2_n / n).sqrt();
    // Rounding must not push the limits past the estimate or out of [0, 1].
    let low = if p == 0.0 { 0.0 } else { (centre - reach).clamp(0.0, p) };
    let high = if p == 1.0 { 1.0 } else { (centre + reach).clamp(p, 1.0) };
    Interval { low, estimate: p, high, level }
}

fn check_trials(successes: f64, trials: f64) -> Result<(), RatingError> {
    let fits = trials > 0.0 && trials.is_finite() && (0.0..=trials).contains(&successes);
    if fits { Ok(()) } else { Err(RatingError::Trials { successes, trials }) }
}

/// Quantile of Beta(a, b) by bisection on the distribution function, exact to the last bits.
fn beta_quantile(a: f64, b: f64, probability: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..80 {
        let middle = 0.5 * (low + high);
        if beta_reg(a, b, middle) < probability { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(seen: f64, expected: f64, tolerance: f64) {
        assert!((seen - expected).abs() <= tolerance, "seen {seen}, expected {expected} within {tolerance}");
    }

    #[test]
    fn quantiles_match_the_tables() {
        near(Level::P95.z(), 1.959963984540054, 1e-9);
        near(Level::P99.z(), 2.5758293035489004, 1e-9);
        near(Level::P95.t(1.0), 12.706204736432095, 1e-6);
        near(Level::P95.t(10.0), 2.2281388519649385, 1e-7);
        near(Level::P95.t(39.0), 2.0226909200367604, 1e-7);
        near(Level::P95.t(100.0), 1.983971518449634, 1e-7);
        near(Level::P95.t(1e5), 1.95998771, 1e-8);
        // The two branches meet.
        near(Level::P95.t(199.999), student_expansion(Level::P95.z(), 199.999), 1e-6);
    }

    #[test]
    fn wilson_solves_its_own_equation() {
        // Limits p of Wilson satisfy |k/n - p| = z sqrt(p(1-p)/n); 81 of 263 is Newcombe's 1998 example,
        // printed there as 0.2553 to 0.3662.
        let interval = wilson(81.0, 263.0, Level::P95).unwrap();
        near(interval.low, 0.2553, 5e-5);
        near(interval.high, 0.3662, 5e-5);
        for limit in [interval.low, interval.high] {
            let reach = Level::P95.z() * (limit * (1.0 - limit) / 263.0).sqrt();
            near((interval.estimate - limit).abs(), reach, 1e-12);
        }
        let none = wilson(0.0, 10.0, Level::P95).unwrap();
        near(none.low, 0.0, 0.0);
        let z2 = Level::P95.z().powi(2);
        near(none.high, z2 / (10.0 + z2), 1e-12);
    }

    #[test]
    fn clopper_pearson_limits_have_exactly_their_tail_probability() {
        // Newcombe 1998 prints 0.2527 to 0.3676 for 81 of 263. No success in n: high = 1 - 0.025^(1/n).
        let interval = clopper_pearson(81, 263, Level::P95).unwrap();
        near(interval.low, 0.2527, 5e-5);
        near(interval.high, 0.3676, 5e-5);
        near(binomial_test(81, 263, interval.low, Alternative::Greater).unwrap(), 0.025, 1e-10);
        near(binomial_test(81, 263, interval.high, Alternative::Less).unwrap(), 0.025, 1e-10);
        near(clopper_pearson(0, 10, Level::P95).unwrap().high, 1.0 - 0.025f64.powf(0.1), 1e-10);
        near(clopper_pearson(10, 10, Level::P95).unwrap().low, 0.025f64.powf(0.1), 1e-10);
    }

    #[test]
    fn binomial_tests_match_hand_sums() {
        // n = 10, p = 1/2: P(>= 8) = (45 + 10 + 1)/1024 = 56/1024; two-sided twice that.
        near(binomial_test(8, 10, 0.5, Alternative::Greater).unwrap(), 56.0 / 1024.0, 1e-12);
        near(binomial_test(2, 10, 0.5, Alternative::Less).unwrap(), 56.0 / 1024.0, 1e-12);
        near(binomial_test(8, 10, 0.5, Alternative::TwoSided).unwrap(), 112.0 / 1024.0, 1e-12);
        // n = 3, p = 1/4: P(X = 0..3) = 27, 27, 9, 1 of 64. Two of three: two-sided 10/64 as well.
        near(binomial_test(2, 3, 0.25, Alternative::Greater).unwrap(), 10.0 / 64.0, 1e-12);
        near(binomial_test(2, 3, 0.25, Alternative::TwoSided).unwrap(), 10.0 / 64.0, 1e-12);
        near(binomial_test(0, 3, 0.25, Alternative::TwoSided).unwrap(), 1.0, 1e-12);
        assert_eq!(binomial_test(0, 3, 0.25, Alternative::Greater).unwrap(), 1.0);
    }

    #[test]
    fn games_copied_within_their_block_do_not_narrow_the_interval() {
        let once: Vec<(u64, f64)> = (0..40).map(|block| (block, f64::from(block % 4 == 0))).collect();
        let copied: Vec<_> = once.iter().flat_map(|&game| [game; 5]).collect();
        let (a, b) = (
            clustered_proportion(&once, Level::P95).unwrap(),
            clustered_proportion(&copied, Level::P95).unwrap(),
        );
        near(a.estimate, 0.25, 0.0);
        near(a.low, b.low, 1e-12);
        near(a.high, b.high, 1e-12);
        // Independent games: effective number 40 x 39/40 = 39, so Wilson with t(39) at n = 39.
        near(a.high, score_interval(0.25, 39.0, Level::P95.t(39.0), Level::P95).high, 1e-12);
    }

    #[test]
    fn seat_swapped_pairs_narrow_the_interval() {
        // The seat decides most games: pairs score 1 + 0, three pairs of 20 are swept.
        let pairs = (0..20).flat_map(|b| [(b, 1.0), (b, f64::from(b < 3))]).collect::<Vec<_>>();
        let alone: Vec<_> = pairs.iter().enumerate().map(|(i, game)| (i as u64, game.1)).collect();
        let width = |games: &[_]| {
            let interval = clustered_mean(games, Level::P95).unwrap();
            interval.high - interval.low
        };
        assert!(width(&pairs) < 0.6 * width(&alone));
    }

    #[test]
    fn blocks_without_any_spread_count_once_each() {
        let games: Vec<_> = (0..10).flat_map(|block| [(block, 1.0); 7]).collect();
        let interval = clustered_proportion(&games, Level::P95).unwrap();
        assert_eq!(interval, score_interval(1.0, 10.0, Level::P95.t(9.0), Level::P95));
        let mean = clustered_mean(&games, Level::P95).unwrap();
        assert_eq!((mean.low, mean.high), (1.0, 1.0));
    }
}
