//! Points and shares as they are told.

use crate::{
    checks::{check_everything, near},
    made::{Run, bots, exam, game, ranks},
    quartet::{SEATS, quartet},
};
use agon_league::{
    Outcome, Status,
    report::{self, Report, Standings},
};
use rl_gym::Placing;

#[test]
fn mean_points_are_told_where_the_game_counts_them() {
    let players = bots(&["a", "b"]);
    let with = |id, seats: &[i64], points: &[f32]| {
        let ranks: Vec<u8> = if points[0] > points[1] { vec![0, 1] } else { vec![1, 0] };
        Outcome { points: points.to_vec(), ..game(id, seats, &ranks) }
    };
    // a: 10, 4 and 7, each in a block of its own; b: 6, 10 and 3; one void and one game without points.
    let games = [
        with(1, &[0, 1], &[10.0, 6.0]),
        with(2, &[1, 0], &[10.0, 4.0]),
        with(3, &[0, 1], &[7.0, 3.0]),
        Outcome { status: Status::Void, ..with(4, &[0, 1], &[1.0, 2.0]) },
        game(5, &[0, 1], &[0, 1]),
    ];
    let s = Standings::new(&players, &games, Placing::Full, 2).expect("sound");
    let a = s.row(0).expect("a").points.expect("counted");
    assert_eq!(a.of, 3);
    near(a.mean, 7.0);
    // Variance between blocks 3/2 x (9 + 9 + 0) / 9 = 3, t(2) = 4.302653: 7 +- 7.452413.
    let interval = a.interval.expect("three blocks");
    assert!(
        (interval.low + 0.452_413).abs() < 1e-4 && (interval.high - 14.452_413).abs() < 1e-4,
        "{interval:?}"
    );
    near(s.row(1).expect("b").points.expect("counted").mean, 19.0 / 3.0);
    let text = report::standings_text(&s);
    assert!(text.contains("Points") && text.contains("7.00 (-0.45-14.5)"), "{text}");
    let none = Standings::new(&players, &[game(1, &[0, 1], &[0, 1])], Placing::Full, 2).expect("sound");
    assert_eq!(none.row(0).expect("a").points, None);
    assert!(!report::standings_text(&none).contains("Points"));
    for broken in [vec![1.0], vec![1.0, f32::NAN]] {
        let o = Outcome { points: broken, ..game(7, &[0, 1], &[0, 1]) };
        let failed = Standings::new(&players, &[o], Placing::Full, 2).expect_err("refused").to_string();
        assert!(failed.contains("match 7 has the points [1.0"), "{failed}");
    }
}

#[test]
fn mean_points_of_a_run_stand_in_every_form() {
    let mut run = Run::new(9);
    run.points = true;
    let (_dir, store) = run.store();
    let r = Report::of_run(&store, &quartet()).expect("report");
    check_everything(&r);
    // Winners have 10 points, all others 4: means follow from outright wins of games that were not cut.
    for exam in &r.exams {
        let points = exam.points.expect("counted");
        near(points.mean, (10 * exam.wins + 4 * exam.losses) as f64 / 400.0);
        assert!(points.interval.expect("blocks").contains(points.mean));
    }
    let (text, page, csv) =
        (report::terminal(&r), report::html(&r).expect("page"), report::csv(&r).expect("csv"));
    assert_eq!(text.lines().filter(|l| l.ends_with("  Points")).count(), 1, "{text}");
    assert!(text.contains("\n  Mean points: 9.16 (8.96-9.36) against random, "), "{text}");
    assert_eq!(page.matches("Mean points").count(), 2);
    assert!(csv.lines().next().expect("heads").contains("points_mean,points_low95,points_high95"));
    let plain = Report::of_run(&Run::new(9).store().1, &quartet()).expect("report");
    assert!(!report::html(&plain).expect("page").contains("Mean points"));
}

#[test]
fn a_verdict_tells_wins_and_draws_beside_the_share() {
    // Eight games, three won and two cut by a limit: the share is (3 + 2/4) / 8 = 43.75 %.
    let mut run = Run::new(1);
    run.exams.clear();
    let (_dir, mut store) = run.store();
    let best = report::best_champion(&store, &quartet()).expect("best").expect("a champion");
    let games: Vec<Outcome> = exam(1, best, 1, 0, 0.0)
        .into_iter()
        .take(8)
        .enumerate()
        .map(|(i, mut o)| {
            let seat = o.game.seats.iter().position(|id| *id == best).expect("seated");
            match i {
                0..3 => o.ranks = ranks(seat),
                3..5 => (o.status, o.ranks) = (Status::Truncated, vec![0; SEATS]),
                _ => {}
            }
            o
        })
        .collect();
    store.transaction(|s| s.add_matches(&games)).expect("stored");
    let r = Report::of_run(&store, &quartet()).expect("report");
    assert!(r.verdict.contains("(3 won and 2 drawn of 8 games; win share 43.8 %, "), "{}", r.verdict);
    assert!(!r.verdict.contains("% of"), "{}", r.verdict);
    check_everything(&r);
}
