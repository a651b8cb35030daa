//! Folds over whole runs.

use crate::{
    checks::{check_everything, flat, near},
    made::{Run, champion, game},
    quartet::quartet,
};
use agon_league::{
    EXAM_GENERATION, LeagueError, Match, MatchKind, Outcome, Store,
    report::{self, Report, Verdict},
};
use rl_gym::Game;

#[test]
fn an_empty_run_reports_what_there_is() {
    let (_dir, store) = Run::new(0).store();
    let r = Report::of_run(&store, &quartet()).expect("report");
    assert_eq!(r.best, None);
    assert_eq!(r.progress.generations, 0);
    assert!(r.verdict.contains("nothing to judge"), "{}", r.verdict);
    check_everything(&r);
    assert_eq!(report::best_champion(&store, &quartet()).expect("best"), None);
}

#[test]
fn a_run_with_one_champion_and_no_exam() {
    let mut run = Run::new(1);
    run.exams.clear();
    let (_dir, store) = run.store();
    let r = Report::of_run(&store, &quartet()).expect("report");
    assert_eq!(r.best_name.as_deref(), Some("champion-0"));
    assert_eq!(r.curve.len(), 1);
    assert!(r.verdict.contains("no exam has been played yet"), "{}", r.verdict);
    check_everything(&r);
}

#[test]
fn the_best_champion_has_the_greatest_lower_limit_and_exams_do_not_count() {
    let (_dir, store) = Run::new(17).store();
    let r = Report::of_run(&store, &quartet()).expect("report");
    let best = report::best_champion(&store, &quartet()).expect("best");
    assert_eq!(best, r.best);
    let low = |id: i64| r.standings.row(id).and_then(|row| row.elo).map(|e| e.low);
    assert!(r.curve.iter().all(|p| low(p.id) <= low(best.expect("champions"))));

    let mut more = Run::new(17);
    more.exams = vec![(17, 0, 0.0), (17, 1, 0.0), (17, 2, 0.0)];
    let (_dir, other) = more.store();
    let s = Report::of_run(&other, &quartet()).expect("report");
    assert_eq!(s.standings, r.standings);
    assert_ne!(s.exams, r.exams);
}

#[test]
fn without_ladder_games_the_newest_champion_is_the_best() {
    let mut run = Run::new(9);
    run.ladder_tables = 0;
    let (_dir, store) = run.store();
    let best = report::best_champion(&store, &quartet()).expect("best").expect("champions");
    let newest =
        store.events().expect("events").iter().rev().find_map(|e| e.player.filter(|_| e.what == "snapshot"));
    assert_eq!(Some(best), newest);
    check_everything(&Report::of_run(&store, &quartet()).expect("report"));
}

#[test]
fn games_of_an_unfinished_generation_are_left_out() {
    let (_dir, mut store) = Run::new(5).store();
    let before = Report::of_run(&store, &quartet()).expect("report");
    let newcomer = store.add_player(&champion("champion-5", 5)).expect("player");
    let game =
        Match { kind: MatchKind::Ladder, generation: 5, ..game(1, &[newcomer, 1, 2, 3], &[0, 1, 1, 1]).game };
    let open =
        Outcome { game: Match { id: 5 << 32, ..game }, ..self::game(1, &[newcomer, 1, 2, 3], &[0, 1, 1, 1]) };
    store.transaction(|s| s.add_matches(&[open])).expect("stored");
    let after = Report::of_run(&store, &quartet()).expect("report");
    assert_eq!(after.progress.pending, 1);
    assert_eq!(after.standings, before.standings);
    let text = flat(&report::terminal(&after));
    assert!(text.contains("1 of an unfinished generation left out"), "{text}");
}

#[test]
fn every_verdict_of_an_exam() {
    // Shares of wins of the champion against three copies: clearly above, about at, clearly below a quarter.
    let mut run = Run::new(5);
    run.exams = vec![(5, 0, 0.60), (5, 1, 0.25), (5, 2, 0.05)];
    let (_dir, store) = run.store();
    let r = Report::of_run(&store, &quartet()).expect("report");
    let verdicts: Vec<_> = r.exams.iter().map(|e| e.verdict.expect("played")).collect();
    assert_eq!(verdicts, [Verdict::AbovePar, Verdict::Unclear, Verdict::BelowPar]);
    for (exam, share) in r.exams.iter().zip([0.60, 0.25, 0.05]) {
        let rate = exam.win_rate.expect("played");
        near(rate.interval.estimate, share);
        assert_eq!(
            (exam.games, exam.wins, exam.losses),
            (400, (400.0 * share) as u64, 400 - (400.0 * share) as u64)
        );
        let (clustered, wilson) = (exam.clustered.expect("blocks"), exam.wilson.expect("games"));
        let width = (rate.interval.high - rate.interval.low).max(0.0);
        near(width, (clustered.high - clustered.low).max(wilson.high - wilson.low));
    }
    for words in ["above par", "not distinguishable from par", "below par"] {
        assert!(report::terminal(&r).contains(words), "{words}");
    }
    for words in ["is better than random", "is worse than veteran", "shows no difference from greedy"] {
        assert!(r.verdict.contains(words), "{}", r.verdict);
    }
    check_everything(&r);
}

#[test]
fn only_the_newest_exam_of_an_anchor_is_shown() {
    let mut run = Run::new(9);
    run.exams = vec![(4, 0, 0.9), (9, 0, 0.3)];
    let (_dir, store) = run.store();
    let r = Report::of_run(&store, &quartet()).expect("report");
    assert_eq!(r.exams.len(), 1);
    assert_eq!(r.exams[0].after_generations, 9);
    near(r.exams[0].win_rate.expect("played").interval.estimate, 0.3);
    assert_eq!(r.progress.exam, 800);
}

#[test]
fn another_game_is_refused() {
    let (_dir, store) = Run::new(1).store();
    let other = Game { name: "quintet", ..quartet() };
    let failed = Report::of_run(&store, &other).expect_err("refused");
    assert!(
        matches!(&failed, LeagueError::OtherSettings { theirs, .. } if theirs == "quartet-v3"),
        "{failed}"
    );
}

#[test]
fn the_same_store_gives_the_same_bytes_and_json_reads_back() {
    let (_dir, store) = Run::new(9).store();
    let (a, b) = (Report::of_run(&store, &quartet()), Report::of_run(&store, &quartet()));
    let (a, b) = (a.expect("report"), b.expect("report"));
    let json = report::json(&a).expect("json");
    assert_eq!(json, report::json(&b).expect("json"));
    assert_eq!(serde_json::from_str::<Report>(&json).expect("reads back"), b);
    assert_eq!(report::html(&a).expect("html"), report::html(&b).expect("html"));
}

#[test]
fn the_rating_curve_rises_with_the_true_strength_and_training_is_summed_up() {
    let (_dir, store) = Run::new(17).store();
    let r = Report::of_run(&store, &quartet()).expect("report");
    assert_eq!(r.curve.iter().map(|p| p.generation).collect::<Vec<_>>(), [0, 3, 7, 11, 15]);
    let elo: Vec<f64> = r.curve.iter().map(|p| p.elo.expect("rated").estimate).collect();
    assert!(elo[4] > elo[0] + 100.0, "{elo:?}");
    assert_eq!(r.generations.len(), 17);
    assert_eq!(
        r.progress.train,
        r.generations.iter().map(|g| g.summary.games as u64).sum::<u64>() - r.progress.ladder
    );
    // Every training game seats one candidate against three others, so meetings add up to between 1 and 3 a game.
    let meetings: u64 = r.opponents.iter().map(|o| o.games).sum();
    assert!((r.progress.train..=3 * r.progress.train).contains(&meetings), "{meetings}");
    let speed = &r.throughput[0];
    assert_eq!((speed.workers, speed.stretches), (2, 17));
    assert!(speed.games_per_s_interval.expect("many stretches").contains(speed.games_per_s));
}

/// A report on a run that is being trained is one state: what is written meanwhile is not seen, and even a store
/// opened to write takes games of players that came after the players were read for pending ones.
#[test]
fn a_live_run_is_reported_as_one_state() {
    let (dir, mut writer) = Run::new(9).store();
    let reader = Store::open_read(&dir.path().join("run")).expect("opened");
    let before = Report::of_run(&reader, &quartet()).expect("report");
    let newcomer = writer.add_player(&champion("champion-9", 9)).expect("player");
    let played = |id: i64, kind, generation| {
        let mut o = game(id, &[newcomer, 1, 1, 1], &[0, 1, 1, 1]);
        (o.game.kind, o.game.generation) = (kind, generation);
        o
    };
    let games = [
        played(9 << 32, MatchKind::Train, 9),
        played((9 << 32) + 1, MatchKind::Ladder, 9),
        played(i64::from(EXAM_GENERATION + 10) << 32, MatchKind::Exam, EXAM_GENERATION + 10),
    ];
    writer.transaction(|s| s.add_matches(&games)).expect("stored");
    assert_eq!(Report::of_run(&reader, &quartet()).expect("report"), before);
    // Seats of players that the table does not have yet.
    let later = [MatchKind::Exam, MatchKind::Ladder, MatchKind::Train].map(|kind| {
        let mut o = played(i64::MAX - kind as i64, kind, 8);
        o.game.seats[0] = newcomer + 1;
        o
    });
    writer.transaction(|s| s.add_matches(&later)).expect("stored");
    let after = Report::of_run(&writer, &quartet()).expect("report");
    assert_eq!((after.progress.pending, after.progress.exam), (5, before.progress.exam + 1));
    assert_eq!(after.standings, before.standings);
}
