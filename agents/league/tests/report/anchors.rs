//! Anchors across runs: equal distances agree, one that differs is found.

use crate::{
    checks::near,
    made::{ANCHOR_THETA, Run},
    quartet::quartet,
};
use agon_league::report::{Across, Gap, anchor_gaps, anchors_across};
use agon_ratings::{ELO_PER_THETA, Interval, Level};

fn gaps(seed: u64, strengths: [f64; 3]) -> Vec<Gap> {
    let mut run = Run::new(12);
    (run.seed, run.strengths, run.train_tables) = (seed, strengths, 1);
    let (_dir, store) = run.store();
    anchor_gaps(&store, &quartet()).expect("rated")
}

#[test]
fn runs_of_the_same_bots_agree_and_hold_the_truth() {
    let runs: Vec<Vec<Gap>> = (0..6).map(|seed| gaps(seed, ANCHOR_THETA)).collect();
    let across = anchors_across(&runs).expect("sound");
    let pairs: Vec<(&str, &str)> = across.iter().map(|x| (x.a.as_str(), x.b.as_str())).collect();
    assert_eq!(pairs, [("greedy", "random"), ("veteran", "random"), ("veteran", "greedy")]);
    for (pair, (a, b)) in across.iter().zip([(1, 0), (2, 0), (2, 1)]) {
        assert_eq!((pair.runs.len(), pair.test.degrees_of_freedom), (6, 5));
        assert!(pair.p_adjusted > 0.01, "{pair:?}");
        let truth = (ANCHOR_THETA[a] - ANCHOR_THETA[b]) * ELO_PER_THETA;
        assert!((pair.pooled.estimate - truth).abs() < 4.0 * pair.test.standard_error, "{truth}: {pair:?}");
    }
}

/// Symptom: with virtual draws for every pair, a weak bot came the nearer to a strong one the longer a run was.
#[test]
fn long_and_short_runs_of_weak_and_strong_bots_agree() {
    let strengths = [-4.0, 0.0, 1.0];
    let of = |generations: u32| {
        let mut run = Run::new(generations);
        (run.seed, run.strengths, run.train_tables, run.ladder_tables) = (9, strengths, 1, 60);
        let (_dir, store) = run.store();
        anchor_gaps(&store, &quartet()).expect("rated")
    };
    let across = anchors_across(&[of(8), of(80)]).expect("sound");
    assert!(across.iter().all(|x| x.p_adjusted > 0.01), "{across:?}");
    let truth = 5.0 * ELO_PER_THETA;
    let far = across.iter().find(|x| (x.a.as_str(), x.b.as_str()) == ("veteran", "random")).expect("both");
    assert!((far.pooled.estimate - truth).abs() < 4.0 * far.test.standard_error, "{truth}: {far:?}");
}

#[test]
fn a_bot_that_plays_otherwise_in_one_run_is_found() {
    let mut runs: Vec<Vec<Gap>> = (0..5).map(|seed| gaps(seed, ANCHOR_THETA)).collect();
    runs.push(gaps(5, [0.0, 2.4, 2.3]));
    let across = anchors_across(&runs).expect("sound");
    let rings = |x: &Across| x.p_adjusted < 0.01;
    // Greedy is the one that differs.
    assert_eq!(across.iter().map(rings).collect::<Vec<_>>(), [true, false, true], "{across:?}");
    assert!(across[0].between > 20.0, "{:?}", across[0]);
}

#[test]
fn pairs_are_compared_where_two_runs_have_them() {
    let gap = |a: &str, elo: f64| {
        let interval = Interval { low: elo - 19.6, estimate: elo, high: elo + 19.6, level: Level::P95 };
        Gap { a: a.into(), b: "random".into(), elo: interval, standard_error: 10.0 }
    };
    let across = anchors_across(&[vec![gap("x", 100.0), gap("y", 5.0)], vec![], vec![gap("x", 140.0)]])
        .expect("sound");
    let [x] = &across[..] else { panic!("{across:?}") };
    assert_eq!(x.runs.iter().map(|r| r.0).collect::<Vec<_>>(), [0, 2]);
    near(x.pooled.estimate, 120.0);
    // Q = 4 + 4 with one degree of freedom; weights of 1/100: (8 - 1) / (1/50 - 1/100) = 700.
    near(x.test.chi_square, 8.0);
    near(x.between, 700f64.sqrt());
    assert!(anchors_across(&[]).expect("nothing").is_empty());
}
