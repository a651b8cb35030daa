//! The report against runs whose truth is known: simulated games of known strengths, and small cases by hand.

use agon_league::{
    EXAM_GENERATION, Event, LeagueError, Match, MatchKind, MatchSeed, Outcome, Player, PlayerKind,
    STORE_FILE, Status, Store, Summary, Timing, TrainConfig, report,
    report::{Flag, Gauge, Report, Standings, Verdict},
};
use rl_gym::{
    BitsMut, Dtype, Dynamics, Env, EpisodeSeed, Fault, Field, Game, Information, Luck, OptionDef, Options,
    Pcg64, Placing, Space, Spec, Utility,
};
use std::collections::BTreeMap;

const SEATS: usize = 4;

// ---- Standings: exact small cases ----

#[test]
fn wins_draws_and_losses_are_counted_by_seat_and_by_hand() {
    // Two-seat games of a and b: a wins twice as seat 0, once as seat 1; one draw; b wins once as seat 0.
    let players = bots(&["a", "b"]);
    let games = [
        game(1, &[0, 1], &[0, 1]),
        game(2, &[0, 1], &[0, 1]),
        game(3, &[1, 0], &[1, 0]),
        game(4, &[0, 1], &[0, 0]),
        game(5, &[1, 0], &[0, 1]),
    ];
    let s = Standings::new(&players, &games, Placing::Full, 2).expect("sound");
    let a = s.row(0).expect("a");
    assert_eq!((a.games, a.played, a.wins, a.draws, a.losses), (5, 5, 3, 1, 1));
    // Win rate (3 + 1/2) / 5; as seat 0: (1 + 1 + 1/2) / 3; as seat 1: 1/2.
    let rate = |share: Option<report::Share>| share.expect("played").interval.estimate;
    near(rate(a.win_rate), 0.7);
    near(rate(a.by_seat[0]), 2.5 / 3.0);
    near(rate(a.by_seat[1]), 0.5);
    near(s.par, 0.5);
    let pair = s.pair(0, 1).expect("they met");
    assert_eq!(pair.games, 5);
    near(rate(pair.score), 0.7);
    near(rate(s.pair(1, 0).expect("they met").score), 0.3);
}

#[test]
fn a_player_on_two_seats_counts_twice_and_shared_wins_in_part() {
    // Four seats, a on two of them. Game 1: one seat of a wins. Game 2: seats of a and b share the win.
    let players = bots(&["a", "b", "c"]);
    let games = [game(1, &[0, 0, 1, 2], &[0, 1, 1, 1]), game(2, &[0, 0, 1, 2], &[0, 1, 0, 1])];
    let s = Standings::new(&players, &games, Placing::WinnerOnly, SEATS).expect("sound");
    let a = s.row(0).expect("a");
    assert_eq!((a.games, a.played, a.wins, a.draws, a.losses), (2, 4, 1, 1, 2));
    near(a.win_rate.expect("played").interval.estimate, 1.5 / 4.0);
    // a against b, from the fit's own definition: game 1: both seats of a meet b: the winner takes 1 of 1, the
    // other seat of a and b both lost and tell nothing. Game 2: the sharing seats count 2/2 with 1/2; the
    // losing seat of a against b, which shared the win: 1/2 with 0. In all 1.5 of 2.5.
    let row = |id: i64| s.rows.iter().position(|r| r.id == id).expect("row");
    let score = s.pair(row(0), row(1)).expect("met").score.expect("encounters");
    near(score.of, 2.5);
    near(score.interval.estimate, 1.5 / 2.5);
}

#[test]
fn void_games_are_counted_but_never_rated_and_forfeits_are_rated_as_recorded() {
    let players = bots(&["a", "b"]);
    let mut games: Vec<Outcome> =
        (0..20).map(|i| game(i, &[0, 1], &[(i % 2) as u8, 1 - (i % 2) as u8])).collect();
    let plain = Standings::new(&players, &games, Placing::Full, 2).expect("sound");
    for i in 0..3 {
        games.push(Outcome {
            status: Status::Void,
            note: Some("the dice fell".into()),
            ..game(50 + i, &[0, 1], &[0, 0])
        });
    }
    let with_void = Standings::new(&players, &games, Placing::Full, 2).expect("sound");
    assert_eq!((with_void.counts.void, with_void.counts.rated, with_void.counts.games), (3, 20, 23));
    assert_eq!(with_void.rows, plain.rows);
    assert_eq!(with_void.counts.notes[0].text, "the dice fell");
    assert_eq!(with_void.counts.notes[0].games, 3);

    for i in 0..4 {
        let note = Some("seat 1 gave up: lost its way".into());
        games.push(Outcome { status: Status::Forfeit, note, ..game(60 + i, &[0, 1], &[0, 1]) });
        games.push(Outcome { status: Status::Truncated, ..game(70 + i, &[0, 1], &[0, 0]) });
    }
    let s = Standings::new(&players, &games, Placing::Full, 2).expect("sound");
    assert_eq!((s.counts.forfeits, s.counts.truncated), (4, 4));
    let a = s.row(0).expect("a");
    assert_eq!((a.wins, a.draws, a.losses), (14, 4, 10));
    assert!(a.elo.expect("rated").estimate > s.row(1).expect("b").elo.expect("rated").estimate);
}

#[test]
fn nothing_to_rate_is_said_not_failed() {
    let players = bots(&["a", "random"]);
    let none = Standings::new(&players, &[], Placing::WinnerOnly, SEATS).expect("empty");
    assert_eq!(none.gauge, Gauge::Nothing);
    assert!(none.rows.iter().all(|r| r.elo.is_none() && r.rank.is_none() && r.flags == [Flag::NoGames]));
    let text = report::standings_text(&none);
    assert!(text.contains("No game to rate yet"), "{text}");
    let void = [Outcome { status: Status::Void, ..game(1, &[0, 1, 1, 0], &[0, 0, 0, 0]) }];
    assert_eq!(
        Standings::new(&players, &void, Placing::WinnerOnly, SEATS).expect("void").gauge,
        Gauge::Nothing
    );
}

#[test]
fn infinite_and_apart_ratings_are_flagged() {
    // a and b share wins; a and b always beat c; d and e only met each other; f never played.
    let players = bots(&["a", "b", "c", "d", "e", "f"]);
    let mut games = Vec::new();
    for i in 0..10 {
        games.push(game(i, &[0, 1], &[(i % 2) as u8, 1 - (i % 2) as u8]));
        games.push(game(100 + i, &[i % 2, 2], &[0, 1]));
        games.push(game(200 + i, &[3, 4], &[(i % 2) as u8, 1 - (i % 2) as u8]));
    }
    let s = Standings::new(&players, &games, Placing::Full, 2).expect("sound");
    let flags = |id: i64| s.row(id).expect("row").flags.clone();
    let Gauge::Anchors { origin, reference } = &s.gauge else { panic!("{:?}", s.gauge) };
    assert_eq!(origin, "c", "the weakest bot pins the scale");
    let strongest = if reference == "a" { 0 } else { 1 };
    assert_eq!(
        flags(strongest),
        [Flag::Fixed],
        "the strongest is what intervals are relative to: {reference}"
    );
    assert_eq!(flags(1 - strongest), []);
    assert_eq!(flags(2), [Flag::OnlyLosses]);
    assert_eq!([flags(3), flags(4)], [[Flag::Apart], [Flag::Apart]]);
    assert_eq!(flags(5), [Flag::NoGames]);
    assert!(s.row(3).expect("row").elo.is_none() && s.row(2).expect("row").elo.is_some());
    let text = report::standings_text(&s);
    for words in [Flag::OnlyLosses, Flag::Apart, Flag::NoGames, Flag::Fixed].map(Flag::words) {
        assert!(flat(&text).contains(words), "{words} missing in {text}");
    }
}

#[test]
fn the_scale_is_pinned_to_random_else_to_the_weakest_anchor_else_to_the_mean() {
    let beats = |winner: i64, loser: i64, wins: i64| {
        (0..40).map(move |i| {
            game(winner * 1000 + loser * 100 + i, &[winner, loser], if i < wins { &[0, 1] } else { &[1, 0] })
        })
    };
    let games: Vec<Outcome> = beats(0, 1, 30).chain(beats(1, 2, 30)).collect();
    let gauge = |players: &[(i64, Player)]| {
        let s = Standings::new(players, &games, Placing::Full, 2).expect("sound");
        let mean = s.rows.iter().map(|r| r.elo.expect("rated").estimate).sum::<f64>() / 3.0;
        (s.gauge.clone(), mean, s)
    };
    let (pinned, _, s) = gauge(&bots(&["x", "random", "z"]));
    let anchors = |o: &str, r: &str| Gauge::Anchors { origin: o.into(), reference: r.into() };
    assert_eq!(pinned, anchors("random", "x"));
    near(s.row(1).expect("random").elo.expect("rated").estimate, 1000.0);
    let strongest = s.row(0).expect("x");
    let elo = strongest.elo.expect("rated");
    assert!(elo.low == elo.estimate && elo.high == elo.estimate && elo.estimate > 1050.0, "{elo:?}");
    assert_eq!(strongest.flags, [Flag::Fixed]);
    assert_eq!(gauge(&bots(&["x", "y", "z"])).0, anchors("z", "x"));
    let evolved: Vec<(i64, Player)> = (0..3).map(|i| (i, champion(&format!("c{i}"), i as u32))).collect();
    let (mean_gauge, mean, _) = gauge(&evolved);
    assert_eq!(mean_gauge, Gauge::Mean);
    near(mean, 1000.0);
}

#[test]
fn games_of_the_wrong_form_are_refused() {
    let players = bots(&["a", "b"]);
    let check = |o: Outcome, expect: &str| {
        let failed = Standings::new(&players, &[o], Placing::Full, 2).expect_err("refused").to_string();
        assert!(failed.contains(expect), "{failed}");
    };
    check(game(7, &[0, 9], &[0, 1]), "match 7 seats player 9");
    check(game(7, &[0, 1], &[0]), "2 seats and 1 ranks");
    check(game(7, &[0, 1, 1], &[0, 1, 1]), "3 seats");
    check(game(7, &[0, 1], &[1, 1]), "the best 1");
}

// ---- Standings: known truth ----

#[test]
fn known_strengths_are_recovered_and_intervals_cover_them() {
    let theta = [0.0, 0.8, 1.3, 1.8, 2.3];
    let players = bots(&["random", "b", "c", "d", "e"]);
    let (mut covered, mut intervals) = (0, 0);
    for seed in 0..20 {
        let games = simulate(&theta, 400, seed);
        let s = Standings::new(&players, &games, Placing::WinnerOnly, SEATS).expect("sound");
        let order: Vec<i64> = s.rows.iter().map(|r| r.id).collect();
        assert_eq!(order, [4, 3, 2, 1, 0], "seed {seed}");
        // Intervals are relative to the strongest bot, whose own number is the base.
        let base = s.row(4).expect("row").elo.expect("rated").estimate;
        for row in s.rows.iter().filter(|r| r.id != 4) {
            let truth = base + (theta[row.id as usize] - theta[4]) * 400.0 / std::f64::consts::LN_10;
            intervals += 1;
            covered += usize::from(row.elo.expect("rated").contains(truth));
        }
        for pair in &s.pairs {
            let (a, b) = (theta[s.rows[pair.a].id as usize], theta[s.rows[pair.b].id as usize]);
            intervals += 1;
            covered += usize::from(pair.score.expect("met").interval.contains(1.0 / (1.0 + (b - a).exp())));
        }
    }
    // 20 x (4 ratings + 10 pairs) = 280 intervals at 95 %: 266 expected. Those of one seed hang together; 252
    // (90 %) are beyond three standard deviations even if only a fifth of them were independent.
    assert!(covered >= 252 && intervals == 280, "{covered} of {intervals}");
}

#[test]
fn equal_players_share_a_rank_range_and_no_cycle_rings() {
    let players = bots(&["random", "b", "c", "d"]);
    let s =
        Standings::new(&players, &simulate(&[0.0; 4], 200, 3), Placing::WinnerOnly, SEATS).expect("sound");
    assert!(
        s.rows.iter().all(|r| r.rank == Some((1, 4))),
        "{:?}",
        s.rows.iter().map(|r| r.rank).collect::<Vec<_>>()
    );
    assert!(!s.alarm.expect("rated").rings);
}

#[test]
fn rock_paper_scissors_rings_the_alarm() {
    let players = bots(&["rock", "paper", "scissors"]);
    let mut games = Vec::new();
    for (winner, loser) in [(1, 0), (2, 1), (0, 2)] {
        for i in 0..100 {
            games.push(game(winner * 1000 + i, &[winner, loser], if i % 10 < 7 { &[0, 1] } else { &[1, 0] }));
        }
    }
    let s = Standings::new(&players, &games, Placing::Full, 2).expect("sound");
    let alarm = s.alarm.as_ref().expect("rated");
    assert!(alarm.rings && alarm.flagged.len() == 3, "{alarm:?}");
    assert!(alarm.flagged.iter().any(|p| p.better == "paper" && p.worse == "rock"));
    assert!(report::standings_text(&s).contains("CYCLES"));
}

// ---- Runs ----

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

#[test]
fn hostile_names_stay_text() {
    let mut run = Run::new(5);
    run.anchors[1] = "<script>alert(1)</script>\u{1b}[31m\u{202e}\"'&".into();
    run.anchors[2] =
        "=HYPERLINK(\"x\"),\n;very-long-name-that-goes-on-and-on-and-on-and-on-and-on-and-on".into();
    let (_dir, store) = run.store();
    let r = Report::of_run(&store, &quartet()).expect("report");
    check_everything(&r);
    let html = report::html(&r).expect("html");
    assert!(!html.contains("<script") && html.contains("&lt;script&gt;"));
    let text = report::terminal(&r);
    assert!(!text.chars().any(|c| c.is_control() && c != '\n'), "{text:?}");
    let csv = report::csv(&r).expect("csv");
    assert!(csv.contains("'=HYPERLINK"), "{csv}");
    assert_eq!(
        csv::Reader::from_reader(csv.as_bytes()).records().filter(Result::is_ok).count(),
        r.standings.rows.len()
    );
}

#[test]
fn the_terminal_text_is_as_it_was() {
    let (_dir, store) = Run::new(9).store();
    let r = Report::of_run(&store, &quartet()).expect("report");
    check_everything(&r);
    insta::assert_snapshot!("terminal", report::terminal(&r));
}

#[test]
fn a_ladder_text_is_as_it_was() {
    let players = bots(&["random", "greedy", "veteran", "newcomer"]);
    let s = Standings::new(&players, &simulate(&[0.0, 0.8, 1.2, 1.3], 100, 11), Placing::WinnerOnly, SEATS);
    insta::assert_snapshot!("ladder", report::standings_text(&s.expect("sound")));
}

/// `REPORT_PAGE=/tmp/report.html cargo test -p agon-league --release --test report -- big --nocapture` writes the
/// page of the run and the seconds that its fold took.
#[test]
fn a_big_run_is_folded() {
    let page = std::env::var_os("REPORT_PAGE");
    let mut run = Run::new(if page.is_some() { 40 } else { 8 });
    run.train_tables = if page.is_some() { 38 } else { 4 };
    run.population = 24;
    run.ladder_tables = 60;
    run.exams = vec![(40, 0, 0.86), (40, 1, 0.47), (40, 2, 0.2675)];
    let (_dir, store) = run.store();
    let begun = std::time::Instant::now();
    let r = Report::of_run(&store, &quartet()).expect("report");
    let seconds = begun.elapsed().as_secs_f64();
    check_everything(&r);
    if let Some(page) = page {
        std::fs::write(&page, report::html(&r).expect("html")).expect("written");
        std::fs::write(std::path::Path::new(&page).with_extension("txt"), report::terminal(&r))
            .expect("written");
        let summary = format!("{} games folded in {seconds:.2} s\n", r.progress.games);
        std::fs::write(std::path::Path::new(&page).with_extension("seconds"), summary).expect("written");
    }
}

// ---- Width and length of the terminal text ----

/// Synthetic standings with many champions, long and wide names, large numbers: never over 100 columns, and a
/// length that does not grow with the run.
#[test]
fn the_terminal_text_keeps_its_width_and_length() {
    for (champions, tables) in [(1, 40), (20, 30), (200, 3)] {
        for (name, points) in
            [("champion", false), ("champion", true), ("a-very-long-name-indeed-of", true), ("勝者", true)]
        {
            let mut run = Run::new(0);
            run.generations = champions;
            (run.every, run.ladder_tables, run.train_tables, run.points) = (1, tables, 1, points);
            run.champion = name.into();
            run.population = 1;
            run.exams = vec![(champions, 0, 0.5), (champions, 2, 0.26)];
            let (_dir, store) = run.store();
            let r = Report::of_run(&store, &quartet()).expect("report");
            assert_eq!(r.curve.len(), champions as usize);
            check_everything(&r);
            let text = report::terminal(&r);
            assert!(text.lines().count() < 80, "{} lines with {champions} champions", text.lines().count());
            let left_out = (champions as usize).saturating_sub(12);
            let words =
                format!("{left_out} more champions left out between the best, the first and the newest");
            assert_eq!(flat(&text).contains(&words), left_out > 0, "{text}");
            assert_eq!(flat(&text).contains("--json, --csv and --html have all"), left_out > 0, "{text}");
            if name == "champion" {
                let best = r.best_name.as_deref().expect("champions");
                for shown in ["champion-0 ", &format!("champion-{} ", champions - 1), &format!("{best} ")] {
                    assert!(text.contains(shown), "{shown} is missing in\n{text}");
                }
            }
            assert!(report::standings_text(&r.standings).lines().all(|l| columns(l) <= 100));
        }
    }
}

/// A ladder as wide as numbers make it: rank ranges, four-digit Elo, millions of seats.
#[test]
fn a_wide_ladder_drops_columns_before_it_breaks_its_lines() {
    let players = bots(&["random", "greedy", "veteran", "newcomer"]);
    let games = simulate(&[0.0, 0.8, 1.2, 1.3], 100, 11);
    let mut s = Standings::new(&players, &games, Placing::WinnerOnly, SEATS).expect("sound");
    for row in &mut s.rows {
        row.name = "a name of forty letters, as names can be".into();
        row.rank = Some((100_000, 169_000));
        (row.played, row.wins, row.draws, row.losses) =
            (12_345_678_901, 2_345_678_901, 5_000_000_000, 5_000_000_000);
    }
    let text = report::standings_text(&s);
    assert!(text.lines().all(|l| columns(l) <= 100), "{text}");
    let head = text.lines().next().expect("heads");
    assert!(head.contains("Win share %") && !head.contains(" L "), "{text}");
}

// ---- Options, points, live runs ----

#[test]
fn only_options_that_differ_from_the_defaults_are_told() {
    let mut game = quartet();
    game.options = vec![
        OptionDef::int("goal", 10, 1, 20, "points to win"),
        OptionDef::flag("trade", true, "trade"),
        OptionDef::choice("board", &["full", "mini"], "which board"),
    ];
    let told = |given: &[(&'static str, &'static str)], expect: &str| {
        let mut run = Run::new(1);
        run.options = game.resolve(given.iter().copied()).expect("valid");
        let (_dir, store) = run.store();
        let r = Report::of_run(&store, &game).expect("report");
        let text = report::terminal(&r);
        assert_eq!(text.lines().nth(1), Some(expect), "{text}");
        check_everything(&r);
        // The page has all of them.
        let page = report::html(&r).expect("page");
        assert!(["option goal", "option trade", "option board"].iter().all(|o| page.contains(o)));
    };
    told(&[], "default options");
    told(&[("goal", "10")], "default options");
    told(&[("goal", "12"), ("trade", "off")], "options goal=12 trade=false; all others default");
}

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

// ---- Checks on every rendering ----

/// Columns of a line in a terminal, wide letters of the tests counted twice.
fn columns(line: &str) -> usize {
    line.chars().map(|c| if ('\u{2e80}'..='\u{a4cf}').contains(&c) { 2 } else { 1 }).sum()
}

fn check_everything(r: &Report) {
    let text = report::terminal(r);
    for line in text.lines() {
        assert!(columns(line) <= 100, "{} columns: {line}\n{text}", columns(line));
        assert_eq!(line, line.trim_end());
    }
    assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
    let json = report::json(r).expect("json");
    assert_eq!(&serde_json::from_str::<Report>(&json).expect("reads back"), r);
    let csv = report::csv(r).expect("csv");
    assert_eq!(csv::Reader::from_reader(csv.as_bytes()).records().count(), r.standings.rows.len());
    let html = report::html(r).expect("html");
    assert!(!html.contains("NaN") && !html.contains("http"), "page");
    balanced(&html);
}

/// Every opened element is closed, in order.
fn balanced(html: &str) {
    const VOID: [&str; 3] = ["meta", "!doctype", "br"];
    let mut open: Vec<String> = Vec::new();
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for tag in html.split('<').skip(1) {
        let (tag, _) = tag.split_once('>').expect("every < opens a tag");
        assert_eq!(tag.matches('"').count() % 2, 0, "quotes in <{tag}>");
        let name = tag.trim_start_matches('/').split([' ', '/', '\n']).next().expect("a name").to_lowercase();
        if tag.starts_with('/') {
            assert_eq!(open.pop().as_deref(), Some(name.as_str()), "closing </{name}>");
        } else if !tag.ends_with('/') && !VOID.contains(&name.as_str()) {
            *seen.entry(name.clone()).or_default() += 1;
            open.push(name);
        }
    }
    assert!(open.is_empty(), "left open: {open:?}");
    for name in ["title", "h1", "style", "body", "html"] {
        assert!(seen.contains_key(name), "no <{name}>");
    }
    assert!(seen.get("svg").copied().unwrap_or(0) < seen["title"], "every picture has a title");
}

/// The text without its line breaks.
fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn near(seen: f64, expected: f64) {
    assert!((seen - expected).abs() < 1e-9, "seen {seen}, expected {expected}");
}

// ---- Synthetic games ----

fn bots(names: &[&str]) -> Vec<(i64, Player)> {
    names.iter().enumerate().map(|(i, name)| (i as i64, bot(name))).collect()
}

fn bot(name: &str) -> Player {
    Player { hash: format!("bot-{name}"), name: name.into(), version: 1, kind: PlayerKind::Bot }
}

fn champion(name: &str, generation: u32) -> Player {
    let kind = PlayerKind::Evolved { generation, parent: None, genes: vec![0.5] };
    Player { hash: format!("hash-{name}"), name: name.into(), version: 1, kind }
}

/// A finished ladder game in a block of its own.
fn game(id: i64, seats: &[i64], ranks: &[u8]) -> Outcome {
    let seed = MatchSeed { root: 1, generation: 0, table: id as u32 };
    let game = Match {
        id,
        kind: MatchKind::Ladder,
        generation: 0,
        block: id,
        seed,
        seats: seats.to_vec(),
        record: false,
    };
    Outcome {
        game,
        ranks: ranks.to_vec(),
        points: Vec::new(),
        status: Status::Won,
        steps: 80,
        decisions: 80,
        note: None,
        replay: None,
        replay_bytes: None,
    }
}

/// The seat that wins by Luce's rule.
fn winner(theta: &[f64], rng: &mut Pcg64) -> usize {
    let weights: Vec<f64> = theta.iter().map(|t| t.exp()).collect();
    rng.weighted(&weights)
}

fn ranks(winner: usize) -> Vec<u8> {
    (0..SEATS).map(|s| u8::from(s != winner)).collect()
}

/// `tables` tables of four different players, each in four rotations.
fn simulate(theta: &[f64], tables: i64, seed: u64) -> Vec<Outcome> {
    let mut rng = Pcg64::seed(seed);
    let mut games = Vec::new();
    for block in 0..tables {
        let mut all: Vec<i64> = (0..theta.len() as i64).collect();
        rng.shuffle(&mut all);
        all.truncate(SEATS);
        for _ in 0..SEATS {
            all.rotate_left(1);
            let strengths: Vec<f64> = all.iter().map(|p| theta[*p as usize]).collect();
            let mut o = game(games.len() as i64, &all, &ranks(winner(&strengths, &mut rng)));
            o.game.block = block;
            games.push(o);
        }
    }
    games
}

/// A synthetic run: strengths rise with the generation.
struct Run {
    generations: u32,
    anchors: [String; 3],
    population: usize,
    train_tables: usize,
    ladder_tables: usize,
    /// After how many generations, against which anchor, with which share of wins.
    exams: Vec<(u32, usize, f64)>,
    /// A champion every so many generations.
    every: u32,
    /// Beginning of their names.
    champion: String,
    /// Whether games end with 10 points for winners and 4 for all others.
    points: bool,
    options: Options,
}

const ANCHOR_THETA: [f64; 3] = [0.0, 1.4, 2.3];
const EXAM_GAMES: usize = 400;

impl Run {
    fn new(generations: u32) -> Self {
        Self {
            generations,
            anchors: ["random", "greedy", "veteran"].map(String::from),
            population: 6,
            train_tables: 3,
            ladder_tables: 40,
            exams: (0..3)
                .map(|a| (generations, a, [0.86, 0.47, 0.2675][a]))
                .filter(|_| generations > 0)
                .collect(),
            every: 4,
            champion: "champion".into(),
            points: false,
            options: Options::default(),
        }
    }

    fn store(&self) -> (tempfile::TempDir, Store) {
        let dir = tempfile::tempdir().expect("folder");
        let mut store = Store::create(&dir.path().join("run"), |_| Ok(())).expect("store");
        assert!(store.path().ends_with(STORE_FILE));
        let options = self.options.clone();
        let config = TrainConfig {
            exam_games: EXAM_GAMES,
            population: self.population,
            ..TrainConfig::new(&quartet(), options, 7)
        };
        store.set_meta("config", &config).expect("meta");
        store.set_meta("rules", &"00c0ffee00c0ffee").expect("meta");
        store.set_meta("made_by", &"agon 0.1.0").expect("meta");
        let anchors: Vec<i64> =
            self.anchors.iter().map(|a| store.add_player(&bot(a)).expect("player")).collect();
        let mut theta: BTreeMap<i64, f64> = anchors.iter().copied().zip(ANCHOR_THETA).collect();
        let mut champions: Vec<i64> = Vec::new();
        let mut rng = Pcg64::seed(42);
        for g in 0..self.generations {
            store
                .transaction(|s| self.generation(s, g, &anchors, &mut champions, &mut theta, &mut rng))
                .expect("stored");
        }
        for (after, anchor, share) in &self.exams {
            let best = *champions.last().expect("an exam needs a champion");
            let mut games = exam(*after, best, anchors[*anchor], *anchor, *share);
            self.count_points(&mut games);
            store.transaction(|s| s.add_matches(&games)).expect("stored");
        }
        (dir, store)
    }

    fn count_points(&self, games: &mut [Outcome]) {
        for o in games.iter_mut().filter(|o| self.points && o.status == Status::Won) {
            o.points = o.ranks.iter().map(|r| if *r == 0 { 10.0 } else { 4.0 }).collect();
        }
    }

    fn generation(
        &self,
        s: &Store,
        g: u32,
        anchors: &[i64],
        champions: &mut Vec<i64>,
        theta: &mut BTreeMap<i64, f64>,
        rng: &mut Pcg64,
    ) -> Result<(), LeagueError> {
        let strength = 2.6 * (1.0 - (-f64::from(g) / 12.0).exp());
        let mut games = Vec::new();
        let mut table = 0;
        let play = |games: &mut Vec<Outcome>,
                    kind,
                    table: i64,
                    group: &[i64],
                    theta: &BTreeMap<i64, f64>,
                    rng: &mut Pcg64| {
            for r in 0..SEATS {
                let seats: Vec<i64> = (0..SEATS).map(|i| group[(i + r) % SEATS]).collect();
                let strengths: Vec<f64> = seats.iter().map(|p| theta[p]).collect();
                let mut o =
                    game((i64::from(g) << 32) + games.len() as i64, &seats, &ranks(winner(&strengths, rng)));
                (o.game.kind, o.game.generation, o.game.block) = (kind, g, (i64::from(g) << 20) + table);
                match rng.below(2000) {
                    0 => {
                        (o.status, o.note) =
                            (Status::Void, Some("lane 3: the bank ran out of a resource".into()))
                    }
                    1 => {
                        (o.status, o.note) = (Status::Forfeit, Some("seat 2 chose an illegal action".into()))
                    }
                    2..6 => (o.status, o.ranks) = (Status::Truncated, vec![0; SEATS]),
                    _ => {}
                }
                games.push(o);
            }
        };
        let candidates: Vec<i64> = (0..self.population)
            .map(|i| {
                let id = s.add_player(&champion(&format!("g{g}-{i}"), g)).expect("player");
                theta.insert(id, strength - 0.4 + 0.3 * rng.normal());
                id
            })
            .collect();
        for _ in 0..self.train_tables {
            table += 1;
            let pool: Vec<i64> = anchors.iter().chain(champions.iter().rev().take(6)).copied().collect();
            let others: Vec<i64> =
                (0..SEATS - 1).map(|_| pool[rng.below(pool.len() as u32) as usize]).collect();
            for c in &candidates {
                let group: Vec<i64> = std::iter::once(*c).chain(others.iter().copied()).collect();
                play(&mut games, MatchKind::Train, table, &group, theta, rng);
            }
        }
        let snapshot = g == 0 || (g + 1).is_multiple_of(self.every);
        if snapshot {
            let id = s.add_player(&champion(&format!("{}-{g}", self.champion), g))?;
            theta.insert(id, strength);
            let all: Vec<i64> = anchors.iter().chain(champions.iter()).copied().collect();
            for t in 0..self.ladder_tables {
                table += 1;
                let mut group = vec![id, anchors[t % anchors.len()]];
                (0..2).for_each(|_| group.push(all[rng.below(all.len() as u32) as usize]));
                play(&mut games, MatchKind::Ladder, table, &group, theta, rng);
            }
            champions.push(id);
            let detail = "{\"sigma\":0.25}".into();
            s.add_event(&Event { generation: g, what: "snapshot".into(), player: Some(id), detail })?;
        }
        self.count_points(&mut games);
        s.add_matches(&games)?;
        let steps = games.iter().map(|o| i64::from(o.steps)).sum();
        let wall_ms = games.len() as i64 * 2 + i64::from(rng.below(40)) + 1;
        s.add_timing(&Timing {
            generation: g,
            wall_ms,
            cpu_ms: 0,
            games: games.len() as i64,
            steps,
            workers: 2,
        })?;
        let broken = games.iter().filter(|o| matches!(o.status, Status::Void | Status::Forfeit)).count();
        let summary = Summary {
            generation: g,
            games: games.len(),
            mean_wins: 0.25,
            best_wins: 0.4,
            sigma: 0.25 * 0.97f64.powi(g as i32),
            broken,
        };
        s.finish_generation(g, &"state", &summary)
    }
}

/// An exam with exactly this share of wins.
fn exam(after: u32, player: i64, anchor: i64, number: usize, share: f64) -> Vec<Outcome> {
    let generation = EXAM_GENERATION + after;
    let won = (share * EXAM_GAMES as f64).round() as usize;
    let first = (i64::from(generation) << 32) + (number * EXAM_GAMES) as i64;
    // Wins are spread over the tables by a step that has no factor in common with their number.
    let is_win = |i: usize| (i * 141) % EXAM_GAMES < won;
    (0..EXAM_GAMES)
        .map(|i| {
            let seat = i % SEATS;
            let mut seats = vec![anchor; SEATS];
            seats[seat] = player;
            let place = if is_win(i) { seat } else { (seat + 1) % SEATS };
            let mut o = game(first + i as i64, &seats, &ranks(place));
            let block = (i64::from(generation) << 20) + (number * EXAM_GAMES + i / SEATS) as i64;
            (o.game.kind, o.game.generation, o.game.block) = (MatchKind::Exam, generation, block);
            o
        })
        .collect()
}

/// A game of four seats that only the winner counts in; it is never played here.
fn quartet() -> Game {
    Game {
        name: "quartet",
        version: 3,
        summary: "four seats, one winner",
        options: Vec::new(),
        make: |_| Ok(Box::new(Quartet(quartet_spec()))),
        bots: Vec::new(),
        genome: None,
        traces: None,
    }
}

struct Quartet(Spec);

fn quartet_spec() -> Spec {
    Spec {
        game: "quartet".into(),
        version: 3,
        seats: SEATS,
        obs: Space::Fields {
            dtype: Dtype::F32,
            fields: vec![Field::new("nothing", &[1], 0.0, 1.0, "nothing")],
        },
        action: Space::Discrete { n: 2 },
        masked: false,
        dynamics: Dynamics::TurnBased,
        information: Information::Perfect,
        luck: Luck::Deterministic,
        utility: Utility::ZeroSum,
        placing: Placing::WinnerOnly,
        reward: (-1.0, 1.0),
        metrics: Vec::new(),
        max_steps: None,
    }
}

impl Env for Quartet {
    type Obs = f32;
    type Act = u32;

    fn spec(&self) -> &Spec {
        &self.0
    }

    fn reset(&mut self, _seed: EpisodeSeed, _out: rl_gym::Outcome<'_>) -> Result<(), Fault> {
        Err(Fault::new("this game is a description only"))
    }

    fn step(&mut self, _acts: &[u32], _out: rl_gym::Outcome<'_>) -> Result<(), Fault> {
        Err(Fault::new("this game is a description only"))
    }

    fn observe(&self, _seat: usize, obs: &mut [f32], _mask: BitsMut<'_>) {
        obs.fill(0.0);
    }
}
