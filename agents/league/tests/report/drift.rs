//! Drift: told where a player changes during the run, and not where nobody does.

use crate::{
    checks::{check_everything, flat, near},
    made::{Run, bots, game, ranks, winner},
    quartet::{SEATS, quartet},
};
use agon_league::{
    Outcome,
    report::{self, Report, Standings},
};
use rl_gym::{Pcg64, Placing};

const PLAYERS: usize = 5;
const STRENGTHS: [f64; PLAYERS] = [0.0, 0.8, 1.3, 1.8, 2.3];

/// Ladder games over `generations`, 60 tables of four different players each; `change` is added to the strength of
/// player 2 in the last third.
fn ladder(generations: u32, change: f64, seed: u64) -> Vec<Outcome> {
    let mut rng = Pcg64::seed(seed);
    let mut games = Vec::new();
    for generation in 0..generations {
        let mut strengths = STRENGTHS;
        if 3 * generation >= 2 * generations {
            strengths[2] += change;
        }
        for table in 0..60 {
            let mut seats: Vec<i64> = (0..PLAYERS as i64).collect();
            rng.shuffle(&mut seats);
            seats.truncate(SEATS);
            for _ in 0..SEATS {
                seats.rotate_left(1);
                let theta: Vec<f64> = seats.iter().map(|p| strengths[*p as usize]).collect();
                let mut o = game(games.len() as i64, &seats, &ranks(winner(&theta, &mut rng)));
                (o.game.generation, o.game.block) = (generation, (i64::from(generation) << 32) + table);
                games.push(o);
            }
        }
    }
    games
}

fn standings(games: &[Outcome]) -> Standings {
    let players = bots(&["random", "b", "c", "d", "e"]);
    Standings::new(&players, games, Placing::WinnerOnly, SEATS).expect("sound")
}

#[test]
fn a_change_rings_and_is_told_by_name() {
    let s = standings(&ladder(6, 1.2, 5));
    let drift = s.drift.as_ref().expect("six generations");
    assert!(drift.rings && drift.flagged > 0 && drift.p_value < 0.01, "{drift:?}");
    assert_eq!(drift.reference, "e");
    assert_eq!(
        drift.periods.iter().map(|p| (p.from, p.to, p.games)).collect::<Vec<_>>(),
        [(0, 1, 480), (2, 3, 480), (4, 5, 480)]
    );
    let moved = drift.rows.iter().find(|r| r.name == "c").expect("tested");
    let last = moved.periods[2].expect("tested");
    // 1.2 in natural logarithms are 208 Elo.
    assert!(last.flagged && last.shift.contains(208.5), "{last:?}");
    let text = flat(&report::standings_text(&s));
    assert!(text.contains("DRIFT: ratings move over the run though the players do not change"), "{text}");
    assert!(text.contains("c reads") && text.contains("in generations 4-5"), "{text}");
}

#[test]
fn no_change_rings_as_rarely_as_it_says() {
    let mut rings = 0;
    for seed in 0..40 {
        let s = standings(&ladder(6, 0.0, 100 + seed));
        let drift = s.drift.as_ref().expect("six generations");
        assert_eq!((drift.rows.len(), drift.degrees_of_freedom), (4, 8));
        rings += usize::from(drift.rings);
        // The scale of the periods is that of the leaderboard.
        for row in &drift.rows {
            let whole = row.whole.expect("rated").estimate;
            let mean = row.periods.iter().flatten().map(|s| s.elo.estimate).sum::<f64>() / 3.0;
            assert!((mean - whole).abs() < 30.0, "{row:?}");
        }
    }
    // Two tests at 1 % each: 0.8 expected at most.
    assert!(rings <= 3, "{rings} of 40");
}

#[test]
fn what_was_played_at_once_has_no_periods() {
    assert_eq!(standings(&ladder(2, 0.0, 1)).drift, None);
    let still = standings(&ladder(3, 0.0, 1)).drift.expect("three generations");
    assert_eq!(still.periods.len(), 3);
}

#[test]
fn every_form_of_the_report_tells_it() {
    let mut run = Run::new(24);
    run.ladder_tables = 60;
    let (_dir, store) = run.store();
    let r = Report::of_run(&store, &quartet()).expect("report");
    check_everything(&r);
    let drift = r.standings.drift.as_ref().expect("seven champions");
    assert!(!drift.rings && drift.rows.iter().any(|row| row.name == "greedy"), "{drift:?}");
    let text = flat(&report::terminal(&r));
    assert!(text.contains("No drift found: ratings hold over the run (relative to veteran, in"), "{text}");
    let page = report::html(&r).expect("page");
    assert!(page.contains("Do ratings hold?") && page.contains("Ratings by period"));
    assert!(report::json(&r).expect("json").contains("\"drift\""));
    // A report of an older build has no such field.
    let mut older = serde_json::to_value(&r).expect("json");
    older["standings"].as_object_mut().expect("an object").remove("drift");
    let older: Report = serde_json::from_value(older).expect("reads back");
    assert_eq!(older.standings.drift, None);
    near(older.standings.par, r.standings.par);
}
