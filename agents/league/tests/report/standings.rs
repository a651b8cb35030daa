//! Leaderboards: small cases by hand, and strengths that are known.

use crate::{
    checks::{flat, near},
    made::{bots, champion, game, simulate},
    quartet::SEATS,
};
use agon_league::{
    Outcome, Player, Status,
    report::{self, Flag, Gauge, Standings},
};
use rl_gym::Placing;

// ---- Exact small cases ----

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
fn a_player_that_never_won_or_never_lost_is_not_told_as_if_it_were_measured() {
    // d beats all, c loses to all, a and b share wins: 200 games each, so the robust spread is trusted for a and b.
    let players = bots(&["a", "b", "c", "d"]);
    let mut games = Vec::new();
    for i in 0..200 {
        games.push(game(i, &[0, 1], &[u8::from(i % 3 == 0), u8::from(i % 3 != 0)]));
        games.push(game(1000 + i, &[i % 2, 2], &[0, 1]));
        games.push(game(2000 + i, &[3, i % 2], &[0, 1]));
    }
    let s = Standings::new(&players, &games, Placing::Full, 2).expect("sound");
    assert_eq!(s.row(2).expect("row").flags, [Flag::OnlyLosses]);
    let width = |id: i64| s.row(id).expect("row").elo.map_or(0.0, |i| i.high - i.low);
    // d is what intervals are relative to; the others are as far from it as its wins leave open. Half a virtual draw
    // against either opponent is worth a standard error of about 1 to 1.4 in theta: 700 to 1,000 Elo of width.
    for id in [0, 1, 2] {
        assert!((500.0..2500.0).contains(&width(id)), "{id}: {}", width(id));
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

// ---- Known truth ----

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
