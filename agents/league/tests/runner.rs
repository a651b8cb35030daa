//! Matches: the same results on any number of threads and lanes, and nobody's failure stops the others.

mod common;

use agon_league::{Maker, Outcome, Player, Runner, Status};
use common::{SEATS, game, matches, options, runner};
use std::collections::BTreeMap;

fn makers() -> BTreeMap<i64, Maker> {
    let game = game();
    game.bots
        .iter()
        .enumerate()
        .map(|(i, bot)| (i as i64, Maker::of(&Player::bot(&game, bot), &game).expect("known")))
        .collect()
}

fn play(
    seats: [i64; SEATS],
    tables: u32,
    given: &[(&str, &str)],
    config: (usize, usize, bool),
) -> Vec<Outcome> {
    let mut runner =
        Runner::new(&game(), &options(given), &runner(config.0, config.1, config.2)).expect("runner");
    let mut outcomes = Vec::new();
    let done = |o| {
        outcomes.push(o);
        Ok(())
    };
    runner.play(&matches(tables, seats), &makers(), done).expect("played");
    outcomes.sort_by_key(|o| o.game.id);
    outcomes
}

#[test]
fn results_depend_on_the_matches_alone() {
    let base = play([0, 1, 0], 200, &[], (1, 1, false));
    assert_eq!(base.len(), 200);
    for config in [(1, 7, false), (2, 64, true), (3, 16, true), (4, 300, false)] {
        assert_eq!(play([0, 1, 0], 200, &[], config), base, "{config:?}");
    }
    let wins = base.iter().filter(|o| o.ranks == [1, 0, 1]).count();
    assert!(wins > 100, "the higher bidder wins mostly: {wins}");
}

#[test]
fn players_that_fail_forfeit_and_the_others_play_on() {
    for (bad, why) in [
        (2, "the player panicked: no idea what to bid"),
        (3, "too rich for me"),
        (4, "illegal"),
        (5, "making the player panicked: out of memory"),
        (6, "the player panicked: not on this chair"),
    ] {
        let outcomes = play([0, bad, 1], 40, &[], (2, 8, true));
        assert_eq!(outcomes.len(), 40);
        for o in outcomes {
            assert_eq!((o.status, o.ranks.as_slice()), (Status::Forfeit, &[0, 1, 0][..]), "{:?}", o.note);
            assert!(o.note.as_deref().is_some_and(|n| n.contains(why)), "{:?}", o.note);
        }
    }
}

#[test]
fn games_whose_environment_fails_are_void_and_the_rest_is_unharmed() {
    let sound = play([0, 1, 1], 100, &[], (1, 8, true));
    let some = play([0, 1, 1], 100, &[("faulty", "0.3")], (2, 8, true));
    let void = some.iter().filter(|o| o.status == Status::Void).count();
    assert!((10..60).contains(&void), "{void}");
    for (a, b) in sound.iter().zip(&some).filter(|(_, b)| b.status != Status::Void) {
        // Replays hold the options, which differ.
        assert_eq!((&a.game, &a.ranks, a.status, a.steps), (&b.game, &b.ranks, b.status, b.steps));
    }
    assert!(some.iter().filter(|o| o.status == Status::Void).all(|o| {
        o.note.as_deref().is_some_and(|n| n.contains("the hammer broke") && n.contains("seed 5/0/"))
    }));
}

/// A policy that cannot begin on one row forfeits that row alone: on its other rows it plays like its equal.
#[test]
fn a_panic_at_the_beginning_costs_one_row() {
    let shy = play([6, 0, 1], 60, &[], (1, 8, true));
    let low = play([0, 0, 1], 60, &[], (1, 8, true));
    let told = |o: &Outcome| (o.ranks.clone(), o.status, o.decisions, o.note.clone());
    assert_eq!(shy.iter().map(told).collect::<Vec<_>>(), low.iter().map(told).collect::<Vec<_>>());
    // Rows whose games are void at the same time leave nothing behind for the next game of their lane.
    let both = play([0, 6, 1], 60, &[("faulty", "0.5")], (1, 3, false));
    assert!(both.iter().all(|o| o.status == Status::Forfeit && o.ranks == [0, 1, 0]));
}

/// Ends that say nothing about who won are no results, and an environment that panics at them ends no run.
#[test]
fn ends_without_places_are_void() {
    for (end, why) in [
        ("unplaced", "the game ended without placing its seats"),
        ("headless", "the game ended with nobody in first place: [1, 1, 1]"),
        ("panics-at-ranks", "the list is lost"),
        ("panics-at-points", "the environment panicked: the purse is lost"),
    ] {
        for hosted in [false, true] {
            let outcomes = play([0, 1, 1], 20, &[("end", end)], (2, 8, hosted));
            assert_eq!(outcomes.len(), 20, "{end}");
            for o in outcomes {
                assert_eq!((o.status, o.ranks.as_slice()), (Status::Void, &[0, 0, 0][..]), "{end}");
                assert!(o.points.is_empty() && o.note.as_deref().is_some_and(|n| n.contains(why)), "{o:?}");
            }
        }
    }
}

#[test]
fn an_error_of_the_receiver_ends_the_play() {
    let mut runner = Runner::new(&game(), &options(&[]), &runner(2, 4, true)).expect("runner");
    let mut seen = 0;
    let error = runner
        .play(&matches(5000, [0, 1, 1]), &makers(), |_| {
            seen += 1;
            Err(agon_league::LeagueError::Request { what: "disk full".into() })
        })
        .expect_err("stops");
    assert_eq!((error.to_string().as_str(), seen), ("disk full", 1));
}
