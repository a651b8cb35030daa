//! What is printed: hostile names, width, length, options.

use crate::{
    checks::{check_everything, columns, flat},
    made::{Run, bots, simulate},
    quartet::{SEATS, quartet},
};
use agon_league::report::{self, Report, Standings};
use rl_gym::{OptionDef, Placing};

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
