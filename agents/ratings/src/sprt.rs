//! Is A better than B? A sequential test that stops as early as the evidence allows.
//!
//! One observation is a block: the mean score of A over all games of one seed (both seatings of a mirrored pair,
//! all rotations of a table). Games of a block may depend on each other in any way; blocks are independent. The
//! variance is taken between blocks, so correlated games neither inflate nor waste evidence, whatever the seats
//! and whatever the scores that a block can have (pentanomial for pairs of duels with draws).
//!
//! ```
//! use agon_ratings::{Sprt, Verdict};
//!
//! // Is A stronger by 50 Elo rather than not at all? A takes 12 points of every 16.
//! let test = Sprt::elo(0.0, 50.0, 0.05, 0.05)?;
//! let blocks: Vec<f64> = [1.0, 0.5, 1.0, 0.5].repeat(16);
//! let seen = test.report(&blocks)?;
//! assert_eq!(seen.verdict, Verdict::AcceptH1);
//! assert_eq!(test.report(&blocks[..4])?.verdict, Verdict::Continue);
//! # Ok::<(), agon_ratings::RatingError>(())
//! ```

use crate::{Interval, Level, RatingError, elo::expected_score, interval::clustered_proportion};
use serde::{Deserialize, Serialize};

/// Blocks below which nothing is decided: a variance of fewer says too little.
pub const MIN_BLOCKS: usize = 8;

/// What the blocks so far say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The score is at least `score1` rather than at most `score0`.
    AcceptH1,
    /// The score is at most `score0` rather than at least `score1`.
    AcceptH0,
    /// Neither yet: play on.
    Continue,
}

/// The test: two hypotheses about the mean score of a block, and how often each may be rejected wrongly.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sprt {
    score0: f64,
    score1: f64,
    lower: f64,
    upper: f64,
}

/// The state of a test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SprtReport {
    /// What may be concluded.
    pub verdict: Verdict,
    /// Log-likelihood ratio of H1 to H0; 0 without blocks.
    pub llr: f64,
    /// Blocks seen.
    pub blocks: usize,
    /// Mean score with a 95 % interval between blocks; `None` below 2 blocks. It does not know of the early stop,
    /// which favours extreme estimates a little: the verdict is what the error rates are promised for.
    pub score: Option<Interval>,
}

impl Sprt {
    /// A test of mean block score at most `score0` (H0) against at least `score1` (H1).
    ///
    /// `alpha` is the greatest probability of accepting H1 where H0 holds, `beta` that of accepting H0 where H1
    /// holds. In between either may come out. Simulated errors keep to this for hypotheses around 1/2; at 0.75 and
    /// 0.85, on blocks of one game and a look after every block, 6 % instead of 5 % were seen.
    /// # Errors
    /// [`RatingError::Hypotheses`] unless 0 < score0 < score1 < 1; [`RatingError::ErrorRate`] for an `alpha` or
    /// `beta` outside (0, 0.5).
    /// # Source
    /// Wald 1945 for the bounds log(beta / (1 - alpha)) and log((1 - beta) / alpha).
    pub fn new(score0: f64, score1: f64, alpha: f64, beta: f64) -> Result<Self, RatingError> {
        if !(score0 > 0.0 && score0 < score1 && score1 < 1.0) {
            return Err(RatingError::Hypotheses { score0, score1 });
        }
        for (name, value) in [("alpha", alpha), ("beta", beta)] {
            if !(value > 0.0 && value < 0.5) {
                return Err(RatingError::ErrorRate { name, value });
            }
        }
        Ok(Self { score0, score1, lower: (beta / (1.0 - alpha)).ln(), upper: ((1.0 - beta) / alpha).ln() })
    }

    /// [`Sprt::new`] for strengths in Elo points and a score of 1/2 between equals.
    /// # Errors
    /// As [`Sprt::new`], and [`RatingError::NotFinite`].
    pub fn elo(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Self, RatingError> {
        for (name, value) in [("elo0", elo0), ("elo1", elo1)] {
            if !value.is_finite() {
                return Err(RatingError::NotFinite { name, value });
            }
        }
        Self::new(expected_score(elo0, 0.0), expected_score(elo1, 0.0), alpha, beta)
    }

    /// The mean block scores of H0 and H1.
    pub const fn scores(&self) -> (f64, f64) {
        (self.score0, self.score1)
    }

    /// The log-likelihood ratios at which H0 and H1 are accepted: -2.944 and 2.944 at 5 %.
    pub const fn bounds(&self) -> (f64, f64) {
        (self.lower, self.upper)
    }

    /// What `blocks`, one mean score from 0 to 1 each, say. The order of blocks does not matter.
    ///
    /// Test again after as many new blocks as you like; the fewer, the earlier it stops. The number of blocks may
    /// not depend on their scores in another way.
    /// # Errors
    /// [`RatingError::Probability`] for a score outside [0, 1].
    pub fn report(&self, blocks: &[f64]) -> Result<SprtReport, RatingError> {
        if let Some(&value) = blocks.iter().find(|x| !(0.0..=1.0).contains(*x)) {
            return Err(RatingError::Probability { name: "block score", value });
        }
        // Sums of sorted scores have the same bits in any order.
        let mut sorted = blocks.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        let values: Vec<(u64, f64)> = (0..).zip(sorted).collect();
        let sums = values.iter().fold(Sums::default(), |sums, (_, x)| sums.and(*x));
        let score = (blocks.len() > 1).then(|| clustered_proportion(&values, Level::P95)).transpose()?;
        let llr = self.llr(&sums);
        Ok(SprtReport { verdict: self.verdict(&sums, llr), llr, blocks: blocks.len(), score })
    }

    /// N (s1 - s0)(2 s - s0 - s1) / (2 var): the generalised log-likelihood ratio for a mean of unknown variance.
    ///
    /// Mean and variance include `upper / 2` virtual blocks of score 0 and as many of score 1. Without them, a run
    /// of equal blocks would have no variance and decide at once. With them, n blocks of score 1/2 give
    /// -2 n (n + b) d^2 / b for a difference of hypotheses d (H0: 1/2) and a bound b, so H0 is reached after
    /// about b / (1.41 d) of them; under H1 with rare wins (probability 2 d, the rest draws) that happens with
    /// probability e^(-1.41 b), which is below beta = e^-b.
    fn llr(&self, sums: &Sums) -> f64 {
        if sums.n == 0.0 {
            return 0.0;
        }
        let unseen = 0.5 * self.upper.max(-self.lower);
        let n = sums.n + 2.0 * unseen;
        let mean = (sums.total + unseen) / n;
        let variance = ((sums.squares + unseen) / n - mean * mean).max(f64::MIN_POSITIVE);
        let gap = self.score1 - self.score0;
        sums.n * gap * (2.0 * mean - self.score0 - self.score1) / (2.0 * variance)
    }

    fn verdict(&self, sums: &Sums, llr: f64) -> Verdict {
        if sums.n < MIN_BLOCKS as f64 {
            Verdict::Continue
        } else if llr >= self.upper {
            Verdict::AcceptH1
        } else if llr <= self.lower {
            Verdict::AcceptH0
        } else {
            Verdict::Continue
        }
    }
}

/// Power sums of block scores.
#[derive(Clone, Copy, Default)]
struct Sums {
    n: f64,
    total: f64,
    squares: f64,
}

impl Sums {
    fn and(self, x: f64) -> Self {
        Self { n: self.n + 1.0, total: self.total + x, squares: self.squares + x * x }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// SplitMix64 (Steele, Lea, Flood 2014): enough for a simulation.
    struct Dice(u64);

    impl Dice {
        fn unit(&mut self) -> f64 {
            self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = self.0;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
        }

        /// A game with expected score `s` in which draws happen with probability `draws`.
        fn game(&mut self, s: f64, draws: f64) -> f64 {
            let u = self.unit();
            let win = s - 0.5 * draws;
            if u < win {
                1.0
            } else if u < win + draws {
                0.5
            } else {
                0.0
            }
        }
    }

    /// How often each verdict came out of `runs` tests, and blocks needed on average.
    struct Rates {
        h1: f64,
        h0: f64,
        blocks: f64,
    }

    const RUNS: usize = 2000;

    fn simulate(test: &Sprt, seed: u64, every: usize, mut block: impl FnMut(&mut Dice) -> f64) -> Rates {
        let mut dice = Dice(seed);
        let (mut h1, mut h0, mut blocks) = (0.0, 0.0, 0.0);
        for _ in 0..RUNS {
            let mut sums = Sums::default();
            loop {
                (0..every).for_each(|_| sums = sums.and(block(&mut dice)));
                let verdict = test.verdict(&sums, test.llr(&sums));
                h1 += f64::from(verdict == Verdict::AcceptH1);
                h0 += f64::from(verdict == Verdict::AcceptH0);
                if verdict != Verdict::Continue {
                    break;
                }
            }
            blocks += sums.n;
        }
        let runs = RUNS as f64;
        Rates { h1: h1 / runs, h0: h0 / runs, blocks: blocks / runs }
    }

    /// Three standard deviations of a rate of `p` over [`RUNS`].
    fn noise(p: f64) -> f64 {
        3.0 * (p * (1.0 - p) / RUNS as f64).sqrt()
    }

    /// Errors of a test whose blocks come from `block(dice, score)`, at both hypotheses.
    fn check(what: &str, test: &Sprt, alpha: f64, beta: f64, block: impl Fn(&mut Dice, f64) -> f64) {
        check_every(&[1, 16], what, test, alpha, beta, block);
    }

    #[expect(clippy::print_stdout, reason = "the figures of the README, with --nocapture")]
    fn check_every(
        looks: &[usize],
        what: &str,
        test: &Sprt,
        alpha: f64,
        beta: f64,
        block: impl Fn(&mut Dice, f64) -> f64,
    ) {
        for &every in looks {
            let null = simulate(test, 1, every, |d| block(d, test.score0));
            let other = simulate(test, 2, every, |d| block(d, test.score1));
            println!(
                "{what}, every {every}: false H1 {:.4} of {alpha}, false H0 {:.4} of {beta}, blocks {:.0} and {:.0}",
                null.h1, other.h0, null.blocks, other.blocks
            );
            assert!(null.h1 <= alpha + noise(alpha), "{what}: H1 accepted {} of {alpha}", null.h1);
            assert!(other.h0 <= beta + noise(beta), "{what}: H0 accepted {} of {beta}", other.h0);
        }
    }

    fn elo(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Sprt {
        Sprt::elo(elo0, elo1, alpha, beta).expect("sound")
    }

    fn pair(dice: &mut Dice, s: f64, draws: f64) -> f64 {
        0.5 * (dice.game(s, draws) + dice.game(s, draws))
    }

    #[test]
    fn bounds_are_those_of_wald() {
        // log(0.05/0.95) and log(0.95/0.05); log(0.1/0.99) and log(0.9/0.01).
        let near = |seen: (f64, f64), low: f64, high: f64| {
            assert!((seen.0 - low).abs() < 1e-3 && (seen.1 - high).abs() < 1e-3, "{seen:?}");
        };
        near(elo(0.0, 20.0, 0.05, 0.05).bounds(), -2.944, 2.944);
        near(elo(0.0, 20.0, 0.01, 0.1).bounds(), -2.293, 4.500);
    }

    #[test]
    fn errors_stay_below_alpha_and_beta() {
        for (elo1, draws) in [(40.0, 0.0), (40.0, 0.6), (100.0, 0.3), (200.0, 0.0)] {
            let test = elo(0.0, elo1, 0.05, 0.05);
            check(&format!("{elo1} Elo, draws {draws}"), &test, 0.05, 0.05, |d, s| pair(d, s, draws));
        }
        check("two error rates", &elo(-30.0, 30.0, 0.01, 0.1), 0.01, 0.1, |d, s| pair(d, s, 0.2));
        check("single games", &elo(0.0, 100.0, 0.05, 0.05), 0.05, 0.05, |d, s| d.game(s, 0.0));
        // Far from one half scores are skewed; looking after every block then errs in 6 %, every 16th in less than 5.
        let far = Sprt::new(0.75, 0.85, 0.05, 0.05).expect("sound");
        check_every(&[16], "far from a half", &far, 0.05, 0.05, |d, s| d.game(s, 0.0));
    }

    #[test]
    fn draws_with_rare_wins_do_not_look_like_certainty() {
        // The worst case for a variance from the data: nothing but draws for a long while, then a win.
        for elo1 in [20.0, 60.0] {
            let test = elo(0.0, elo1, 0.05, 0.05);
            check("rare wins", &test, 0.05, 0.05, |d, s| if d.unit() < 2.0 * (s - 0.5) { 1.0 } else { 0.5 });
        }
        // Nothing but draws ends as H0: n (n + b) > b^2 / (2 d^2) with b = 2.944, d = 0.02875 at 0 to 20 Elo.
        let test = elo(0.0, 20.0, 0.05, 0.05);
        let verdict = |n: usize| test.report(&vec![0.5; n]).expect("scores").verdict;
        assert_eq!((verdict(70), verdict(71)), (Verdict::Continue, Verdict::AcceptH0));
    }

    #[test]
    fn correlated_pairs_do_not_inflate_the_errors_and_would_by_single_games() {
        // The second game of a block repeats the first in four of five blocks.
        let block = |d: &mut Dice, s: f64| {
            let first = d.game(s, 0.2);
            (first, if d.unit() < 0.8 { first } else { d.game(s, 0.2) })
        };
        let test = elo(0.0, 60.0, 0.05, 0.05);
        check("correlated", &test, 0.05, 0.05, |d, s| {
            let (a, b) = block(d, s);
            0.5 * (a + b)
        });
        // The same games one by one: what a trinomial test does.
        let mut rest = None;
        let naive = simulate(&test, 1, 2, |d| {
            rest.take().unwrap_or_else(|| {
                let (a, b) = block(d, test.score0);
                rest = Some(b);
                a
            })
        });
        assert!(naive.h1 > 0.05 + 2.0 * noise(0.05), "single games: H1 accepted {}", naive.h1);
    }

    #[test]
    fn mirrored_pairs_that_cancel_luck_stop_earlier() {
        // The seed decides most games by seat, so a pair is near one half whoever is stronger.
        let luck = |d: &mut Dice, s: f64| {
            if d.unit() < 0.7 { 0.5 } else { pair(d, 0.5 + (s - 0.5) / 0.3, 0.0) }
        };
        let test = elo(0.0, 40.0, 0.05, 0.05);
        check("cancelled luck", &test, 0.05, 0.05, luck);
        let cancelled = simulate(&test, 3, 4, |d| luck(d, test.score1)).blocks;
        let plain = simulate(&test, 3, 4, |d| pair(d, test.score1, 0.0)).blocks;
        assert!(cancelled < 0.6 * plain, "{cancelled} blocks against {plain}");
    }

    #[test]
    fn stopping_times_are_those_of_wald() {
        // E[blocks] = E[llr at the stop] / (d^2 / (2 var)); at 5 % and H1 the former is 0.9 x 2.944.
        let test = elo(0.0, 60.0, 0.05, 0.05);
        let (score0, score1) = test.scores();
        let gap = score1 - score0;
        let middle = simulate(&test, 4, 1, |d| pair(d, 0.5 * (score0 + score1), 0.0)).blocks;
        for score in [score0, score1] {
            let variance = score * (1.0 - score) / 2.0;
            let wald = 0.9 * test.upper * 2.0 * variance / (gap * gap);
            let seen = simulate(&test, 5, 1, |d| pair(d, score, 0.0)).blocks;
            // The bound is overshot by part of a block, and the virtual blocks cost a few.
            assert!((0.9..1.25).contains(&(seen / wald)), "{seen} blocks, Wald says {wald}");
            assert!(middle > 1.3 * seen, "{middle} between the hypotheses, {seen} at one");
        }
        // A much stronger player is recognised at once, and so is a much weaker one.
        assert!(simulate(&test, 6, 1, |d| pair(d, 0.9, 0.0)).blocks < 20.0);
        assert!(simulate(&test, 6, 1, |d| pair(d, 0.1, 0.0)).blocks < 20.0);
    }

    #[test]
    fn nothing_is_decided_on_few_blocks_and_no_blocks_say_nothing() {
        let test = elo(0.0, 200.0, 0.05, 0.05);
        let empty = test.report(&[]).expect("empty");
        assert_eq!((empty.verdict, empty.llr, empty.score), (Verdict::Continue, 0.0, None));
        assert_eq!(test.report(&[1.0]).expect("one").score, None);
        for n in 0..MIN_BLOCKS {
            assert_eq!(test.report(&vec![1.0; n]).expect("wins").verdict, Verdict::Continue, "{n}");
        }
        let wins = test.report(&[1.0; 64]).expect("wins");
        assert_eq!(wins.verdict, Verdict::AcceptH1);
        assert!(wins.llr.is_finite() && wins.score.is_some_and(|s| s.low > 0.9), "{wins:?}");
    }

    #[test]
    fn the_order_of_blocks_changes_no_bit() {
        let test = elo(0.0, 20.0, 0.05, 0.05);
        let mut dice = Dice(9);
        let mut blocks: Vec<f64> = (0..500).map(|_| dice.unit()).collect();
        let once = test.report(&blocks).expect("scores");
        blocks.reverse();
        blocks.rotate_left(123);
        assert_eq!(once, test.report(&blocks).expect("scores"));
    }

    #[test]
    fn bad_input_says_what_is_wrong() {
        let text = |e: Result<Sprt, RatingError>| e.expect_err("refused").to_string();
        assert_eq!(
            text(Sprt::new(0.5, 0.5, 0.05, 0.05)),
            "hypotheses: score0 is 0.5 and score1 is 0.5. Give 0 < score0 < score1 < 1, in Elo elo0 < elo1"
        );
        assert_eq!(
            text(Sprt::new(0.5, 0.6, 0.05, 0.5)),
            "beta is 0.5. Give an error rate above 0 and below 0.5, for example 0.05"
        );
        assert_eq!(text(Sprt::elo(f64::NAN, 5.0, 0.05, 0.05)), "elo0 is NaN. Give a finite number");
        let error = elo(0.0, 20.0, 0.05, 0.05).report(&[0.5, 1.5]).expect_err("refused").to_string();
        assert_eq!(error, "block score is 1.5. Give a probability from 0 to 1");
    }
}
