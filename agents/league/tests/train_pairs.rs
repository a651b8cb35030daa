//! Paired seeds and seat rotation, wherever games are played: training, ladder, exam, and ladders outside a run.

mod common;

use agon_league::{
    Budget, Maker, MatchKind, Outcome, Player, SearchKind, Store, TrainConfig, Training, play_ladder,
    rotations,
};
use common::{Count, SEATS, config, game, options, runner};
use std::collections::{BTreeMap, BTreeSet};

/// Games come in tables of one a seat: the same seed, the same players, each of them once in every seat. Returns the
/// number of tables.
fn check_tables(games: &[Outcome]) -> usize {
    assert!(games.len().is_multiple_of(SEATS));
    for table in games.chunks(SEATS) {
        let first = &table[0].game;
        let expected: Vec<Vec<i64>> = rotations(&first.seats).collect();
        let seen: Vec<Vec<i64>> = table.iter().map(|o| o.game.seats.clone()).collect();
        assert_eq!(seen, expected, "{:?}", first.kind);
        for seat in 0..SEATS {
            let here: BTreeMap<i64, usize> = counts(table.iter().map(|o| o.game.seats[seat]));
            assert_eq!(here, counts(first.seats.iter().copied()), "seat {seat} of {:?}", first.kind);
        }
        let keys: BTreeSet<String> =
            table.iter().map(|o| format!("{} {}", o.game.seed, o.game.block)).collect();
        assert_eq!(keys.len(), 1, "one seed and one block: {keys:?}");
    }
    games.len() / SEATS
}

fn counts(players: impl Iterator<Item = i64>) -> BTreeMap<i64, usize> {
    let mut counts = BTreeMap::new();
    players.for_each(|p| *counts.entry(p).or_default() += 1);
    counts
}

#[test]
fn every_game_of_a_run_is_one_of_a_full_rotation_on_one_seed() {
    let folder = tempfile::tempdir().expect("folder");
    for search in SearchKind::ALL {
        let run = folder.path().join(search.word());
        let config = TrainConfig { search, ..config(2) };
        let mut training = Training::create(&run, &game(), config, &runner(2, 16, true)).expect("run");
        training.run(Budget::Generations(6), &mut Count::default()).expect("trained");
        drop(training);
        let mut by_kind: BTreeMap<MatchKind, Vec<Outcome>> = BTreeMap::new();
        let store = Store::open(&run).expect("store");
        store.each_match(|o| by_kind.entry(o.game.kind).or_default().push(o)).expect("matches");
        // 6 generations of 3 rounds of 3 tables of 8 candidates, and 4 tables for each of them; ladders of 12 tables
        // after the first and the fourth generation; 60 games against each of three anchors.
        let tables: Vec<usize> =
            [MatchKind::Train, MatchKind::Ladder, MatchKind::Exam].map(|k| check_tables(&by_kind[&k])).into();
        assert_eq!(tables, [6 * (3 * 3 + 4 * 8), 2 * 12, 3 * 20]);
        // Candidates of a generation are compared on the same seeds and opponents: all of them share the seeds of
        // the drawn tables.
        let first: Vec<&Outcome> =
            by_kind[&MatchKind::Train].iter().filter(|o| o.game.generation == 0).collect();
        let mut seeds: BTreeMap<String, BTreeSet<i64>> = BTreeMap::new();
        for o in &first[3 * 3 * SEATS..] {
            seeds.entry(o.game.seed.to_string()).or_default().extend(&o.game.seats);
        }
        assert_eq!(seeds.len(), 4);
        let candidates: BTreeSet<i64> =
            first[..3 * SEATS].iter().flat_map(|o| o.game.seats.clone()).collect();
        assert!(seeds.values().all(|seated| candidates.iter().filter(|c| seated.contains(c)).count() >= 8));
    }
}

#[test]
fn ladders_outside_a_run_rotate_seats_on_one_seed_too() {
    let bots = game();
    let players: Vec<(Player, Maker)> = bots
        .bots
        .iter()
        .take(2)
        .map(|bot| {
            let player = Player::bot(&bots, bot);
            let maker = Maker::of(&player, &bots).expect("known");
            (player, maker)
        })
        .collect();
    let ladder =
        play_ladder(&bots, &options(&[]), players, 7, 60, &runner(2, 8, true), &mut Count::default());
    assert_eq!(check_tables(&ladder.expect("played").outcomes), 20);
}

/// A check that cannot fail would be none: games without their rotations are refused.
#[test]
#[should_panic(expected = "Ladder")]
fn a_table_with_a_seating_twice_is_refused() {
    let mut games = common::store::outcomes(0..SEATS);
    games.iter_mut().for_each(|o| o.game.block = 1);
    check_tables(&games);
}
