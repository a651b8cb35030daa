//! The statistics of the gates against theory and simulation.

#![allow(clippy::print_stdout, reason = "the figures of the docs, with --nocapture")]

use agon_skill_bank::stats::{
    Detector, EProcess, Paired, Plan, Side, Stop, e_bh, interval, lower_bound, upper_bound,
};
use proptest::prelude::*;
use rl_gym::Pcg64;

/// Draws of paired differences; the argument is the difference before.
type Draw = fn(&mut Pcg64, f64) -> f64;

/// Wins and losses that differ in a fifth of the pairs, by this many points of a hundred on average.
fn discordant(rng: &mut Pcg64, points: f64) -> f64 {
    let u = rng.unit();
    let gain = 0.1 + 0.005 * points;
    if u < gain { 1.0 } else { -f64::from(u < 0.2) }
}

/// Distributions with mean 0, given all before.
const NULLS: [(&str, Draw); 6] = [
    ("a copy of the base", |_, _| 0.0),
    ("20 % discordant", |rng, _| discordant(rng, 0.0)),
    ("often a little, rarely back", |rng, _| if rng.unit() < 0.9 { 0.1 } else { -0.9 }),
    ("rarely much, often back", |rng, _| if rng.unit() < 0.1 { 0.9 } else { -0.1 }),
    ("uniform", |rng, _| rng.uniform(-1.0, 1.0)),
    ("wilder after a gain", |rng, last| {
        let reach = if last > 0.0 { 1.0 } else { 0.1 };
        if rng.below(2) == 0 { reach } else { -reach }
    }),
];

/// Shares of tests that ended in each way, and pairs on average.
struct Ends {
    gain: f64,
    futile: f64,
    pairs: f64,
}

fn ends(plan: Plan, runs: u32, seed: u64, mut draw: impl FnMut(&mut Pcg64, f64) -> f64) -> Ends {
    let mut rng = Pcg64::seed(seed);
    let mut ends = Ends { gain: 0.0, futile: 0.0, pairs: 0.0 };
    let one = 1.0 / f64::from(runs);
    for _ in 0..runs {
        let mut test = Paired::new(plan).expect("plan");
        let mut last = 0.0;
        let stop = loop {
            last = draw(&mut rng, last);
            test.observe(last).expect("difference");
            if let Some(stop) = test.stop() {
                break stop;
            }
        };
        match stop {
            Stop::Gain => ends.gain += one,
            Stop::Futile => ends.futile += one,
            Stop::Cap => {}
        }
        ends.pairs += test.pairs() as f64 * one;
    }
    ends
}

fn false_accepts(runs: u32) {
    for (i, (name, draw)) in (0..).zip(NULLS) {
        let seen = ends(Plan::default(), runs, 40 + i, draw);
        println!(
            "{name}: false gains {:.4}, given up {:.4}, {:.0} pairs",
            seen.gain, seen.futile, seen.pairs
        );
        let noise = 3.0 * (0.05 * 0.95 / f64::from(runs)).sqrt();
        assert!(seen.gain <= 0.05 + noise, "{name}: {}", seen.gain);
    }
}

#[test]
fn a_gain_is_seen_where_there_is_none_in_at_most_5_of_100_tests() {
    false_accepts(20_000 / NULLS.len() as u32);
}

#[test]
#[ignore = "a minute: cargo test -p agon-skill-bank --test stats -- --ignored false_accepts --nocapture"]
fn false_accepts_of_many_tests() {
    false_accepts(100_000);
}

#[test]
fn a_bound_of_harm_is_refused_wrongly_in_at_most_5_of_100_tests() {
    // Means at the bound itself: the hardest case of "not worse than 5 points" and of "a rate of at least 0.7".
    let cases: [(&str, Side, f64, Draw); 3] = [
        ("not worse by 5 points", Side::Greater, -0.05, |rng, _| discordant(rng, -5.0)),
        ("a rate of 0.7", Side::Less, 0.4, |rng, _| if rng.unit() < 0.7 { 1.0 } else { -1.0 }),
        ("a rate of 0.9", Side::Less, 0.8, |rng, _| if rng.unit() < 0.9 { 1.0 } else { -1.0 }),
    ];
    const RUNS: u32 = 2000;
    for (i, (name, side, null, draw)) in (0..).zip(cases) {
        let mut rng = Pcg64::seed(60 + i);
        let mut refused = 0;
        for _ in 0..RUNS {
            let mut process = EProcess::new(side, null).expect("null");
            refused += u32::from((0..300).any(|_| {
                process.observe(draw(&mut rng, 0.0)).expect("difference");
                process.e() >= 20.0
            }));
        }
        let share = f64::from(refused) / f64::from(RUNS);
        println!("{name}: refused wrongly {share:.4}");
        assert!(share <= 0.05 + 3.0 * (0.05 * 0.95 / f64::from(RUNS)).sqrt(), "{name}: {share}");
        assert!(share > 0.002, "{name}: a test that never errs has no power");
    }
}

#[test]
fn ten_points_are_found_and_harm_is_never_taken_for_gain() {
    let better = ends(Plan::default(), 300, 1, |rng, _| discordant(rng, 10.0));
    assert!(better.gain > 0.95 && better.pairs < 260.0, "{} in {} pairs", better.gain, better.pairs);
    let worse = ends(Plan::default(), 300, 2, |rng, _| discordant(rng, -5.0));
    assert!(worse.gain < 0.01 && worse.pairs < 450.0, "{} in {} pairs", worse.gain, worse.pairs);
    // A copy of the base is given up long before the cap.
    let copy = ends(Plan::default(), 1, 3, |_, _| 0.0);
    assert!(copy.futile > 0.99 && copy.pairs < 150.0, "{} pairs", copy.pairs);
}

#[test]
#[ignore = "half a minute: cargo test -p agon-skill-bank --test stats -- --ignored power_table --nocapture"]
fn power_table() {
    println!("points  discordant  gain  given up  pairs");
    for discordant in [0.1, 0.2, 0.4] {
        for points in [0.0, 2.0, 5.0, 10.0, -5.0] {
            let gain = 0.5 * (discordant + 0.01 * points);
            let seen = ends(Plan::default(), 2000, 9, |rng, _| {
                let u = rng.unit();
                if u < gain { 1.0 } else { -f64::from(u < discordant) }
            });
            println!(
                "{points:+6}  {discordant:10}  {:.3}  {:8.3}  {:.0}",
                seen.gain, seen.futile, seen.pairs
            );
            assert!(points > 0.0 || seen.gain < 0.06);
            assert!(points < 10.0 || seen.gain > 0.8);
        }
    }
}

#[test]
fn limits_hold_the_truth_when_the_test_stops_as_it_likes() {
    const RUNS: u32 = 250;
    for points in [0.0, 8.0] {
        let mut rng = Pcg64::seed(80);
        let (mut outside, mut width) = (0, 0.0);
        for _ in 0..RUNS {
            let mut test = Paired::new(Plan { cap: 300, ..Plan::default() }).expect("plan");
            let mut seen = Vec::new();
            while test.stop().is_none() {
                seen.push(discordant(&mut rng, points));
                test.observe(seen[seen.len() - 1]).expect("difference");
            }
            let limits = interval(&seen, 0.95).expect("differences");
            let truth = 0.01 * points;
            outside += u32::from(truth < limits.low || limits.high < truth);
            width += (limits.high - limits.low) / f64::from(RUNS);
            // What the test shows and what its limit says is one thing.
            let low = lower_bound(&seen, 1.0 / 20.0).expect("differences");
            assert_eq!(test.e() >= 20.0, low > 0.0, "e {}, low {low}", test.e());
        }
        let share = f64::from(outside) / f64::from(RUNS);
        println!("{points} points: truth outside in {share:.3} of the tests, width {width:.3}");
        assert!(share <= 0.05 + 3.0 * (0.05 * 0.95 / f64::from(RUNS)).sqrt(), "{share}");
    }
}

#[test]
fn limits_shrink_as_those_of_the_normal_law_do() {
    // Twice 1.96 sd / sqrt(n) would be the width of a normal interval for one look at the end.
    let mut rng = Pcg64::seed(81);
    for n in [200_usize, 800] {
        let seen: Vec<f64> = (0..n).map(|_| discordant(&mut rng, 0.0)).collect();
        let width = upper_bound(&seen, 0.025).expect("seen") - lower_bound(&seen, 0.025).expect("seen");
        let normal = 2.0 * 1.96 * (0.2 / n as f64).sqrt();
        assert!((1.0..2.0).contains(&(width / normal)), "{n}: {width} against {normal}");
    }
}

#[test]
fn the_detector_cries_wolf_seldom_and_sees_a_broken_promise_soon() {
    // Promise 0.8, so the bound is 0.7 of successes; a threshold of 500.
    let run = |rng: &mut Pcg64, before: f64, after: f64, change: u32, most: u32| {
        let mut detector = Detector::new(Side::Less, 2.0 * 0.7 - 1.0).expect("null");
        (0..most)
            .find(|i| {
                let rate = if *i < change { before } else { after };
                detector.observe(if rng.unit() < rate { 1.0 } else { -1.0 }).expect("use");
                detector.value() >= 500.0
            })
            .unwrap_or(most)
    };
    let mut rng = Pcg64::seed(90);
    let mean = |rng: &mut Pcg64, runs: u32, before, after, change, most| {
        (0..runs).map(|_| f64::from(run(rng, before, after, change, most))).sum::<f64>() / f64::from(runs)
    };
    let wolf = mean(&mut rng, 200, 0.7, 0.7, 0, 20_000);
    assert!(wolf > 500.0, "a false alarm every {wolf} uses at the bound itself");
    let kept = mean(&mut rng, 60, 0.8, 0.8, 0, 4000);
    assert!(kept > 3000.0, "a false alarm every {kept} uses where the promise holds");
    let delay = mean(&mut rng, 200, 0.85, 0.4, 500, 5000) - 500.0;
    println!("false alarm every {wolf:.0} uses at the bound; 0.4 seen after {delay:.0} uses");
    assert!((10.0..60.0).contains(&delay), "{delay} uses after the change");
}

/// The definition: the greatest set whose every member is at least K / (size x fdr).
fn by_definition(e: &[f64], fdr: f64) -> Vec<usize> {
    let sets =
        (0_u32..1 << e.len()).map(|set| (0..e.len()).filter(|i| set >> i & 1 == 1).collect::<Vec<_>>());
    sets.filter(|set| set.iter().all(|&i| e[i] * set.len() as f64 * fdr >= e.len() as f64))
        .max_by_key(Vec::len)
        .unwrap_or_default()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn the_accepted_set_is_the_one_of_the_definition(
        logs in proptest::collection::vec(-2.0..6.0_f64, 0..9),
        fdr in 0.02..0.5_f64,
    ) {
        let e: Vec<f64> = logs.iter().map(|x| x.exp()).collect();
        prop_assert_eq!(e_bh(&e, fdr).expect("e-values"), by_definition(&e, fdr));
    }
}

#[test]
fn false_discoveries_stay_below_the_rate_under_dependence() {
    // Twenty hypotheses, the first fifteen true. E-values of a normal shift by 2: exp(2 z - 2).
    type Noise = fn(&mut Pcg64, f64, usize) -> f64;
    let normal = |rng: &mut Pcg64| {
        (-2.0 * (1.0 - rng.unit()).ln()).sqrt() * (std::f64::consts::TAU * rng.unit()).cos()
    };
    let cases: [(&str, Noise); 3] = [
        ("independent", |rng, _, _| {
            (-2.0 * (1.0 - rng.unit()).ln()).sqrt() * (std::f64::consts::TAU * rng.unit()).cos()
        }),
        ("all the same", |_, shared, _| shared),
        ("opposed", |_, shared, i| if i.is_multiple_of(2) { shared } else { -shared }),
    ];
    const RUNS: u32 = 20_000;
    for (i, (name, noise)) in (0..).zip(cases) {
        let mut rng = Pcg64::seed(70 + i);
        let (mut fdr, mut found) = (0.0, 0.0);
        for _ in 0..RUNS {
            let shared = normal(&mut rng);
            let e: Vec<f64> = (0..20)
                .map(|i| {
                    let z = noise(&mut rng, shared, i) + if i < 15 { 0.0 } else { 3.5 };
                    (2.0 * z - 2.0).exp()
                })
                .collect();
            let refused = e_bh(&e, 0.1).expect("e-values");
            let wrong = refused.iter().filter(|&&i| i < 15).count() as f64;
            fdr += wrong / (refused.len().max(1) as f64) / f64::from(RUNS);
            found += (refused.len() as f64 - wrong) / 5.0 / f64::from(RUNS);
        }
        println!("{name}: false discoveries {fdr:.4}, found {found:.3}");
        assert!(fdr <= 0.1 * 0.75 + 0.01, "{name}: {fdr}");
        assert!(found > 0.3, "{name}: {found}");
    }
}
