//! Piece limits and the setup, cases 56 to 60.

use crate::{act, acts, can, id, legal, table};
use agon_settlers::{Board, Config, Phase, Seat, State};
use rl_gym::Pcg64;

#[test]
fn case_56_five_settlements_are_out_and_a_city_frees_one() {
    let position =
        [24, 26, 28, 30, 32].into_iter().fold(table(), |p, n| p.settlement(0, n)).roads(0, &[45, 46]);
    let mut state = position.hand(0, [1, 1, 1, 3, 3]).rolled().build();
    assert_eq!((state.seat(0).settlements_left, legal(&state, "build settlement").len()), (0, 0));
    let error = state.step(id("build settlement 45")).unwrap_err().to_string();
    assert!(error.contains("no such piece is left"), "{error}");
    act(&mut state, "build city 24");
    assert_eq!(state.seat(0).settlements_left, 1);
    act(&mut state, "build settlement 45");
    assert_eq!(state.public_points(0), 7);
}

#[test]
fn case_57_four_cities_are_out() {
    let position = [24, 26, 28, 30].into_iter().fold(table(), |p, n| p.city(0, n)).settlement(0, 32);
    let mut state = position.hand(0, [0, 0, 0, 4, 6]).rolled().build();
    assert_eq!(legal(&state, "build city"), Vec::<String>::new());
    let error = state.step(id("build city 32")).unwrap_err().to_string();
    assert!(error.contains("no such piece is left"), "{error}");
}

#[test]
fn case_58_fifteen_roads_are_out() {
    let coast: Vec<u8> = (24..=39).collect();
    let mut state = table().roads(0, &coast).hand(0, [2, 2, 0, 0, 0]).rolled().build();
    assert_eq!(legal(&state, "build road"), Vec::<String>::new());
    let error = state.step(id("build road 39-41")).unwrap_err().to_string();
    assert!(error.contains("no such piece is left"), "{error}");
}

#[test]
fn case_59_the_setup_road_touches_the_settlement_just_placed() {
    let mut state = State::on_board(&Config::default(), Board::beginner(), Pcg64::seed(0)).unwrap();
    acts(&mut state, &["build settlement 0"]);
    assert_eq!(legal(&state, ""), ["build road 0-1", "build road 0-5", "build road 0-20"]);
    acts(&mut state, &["build road 0-1", "build settlement 30"]);
    assert_eq!(legal(&state, ""), ["build road 29-30", "build road 30-31"], "two on the coast");
    act(&mut state, "build road 30-31");
    acts(&mut state, &["build settlement 45", "build road 45-46", "build settlement 36", "build road 35-36"]);
    acts(&mut state, &["build settlement 51"]);
    assert_eq!(legal(&state, ""), ["build road 50-51", "build road 51-52"], "the second one, not the first");
}

#[test]
fn case_60_the_snake_for_two_three_and_four_seats() {
    let snakes: [&[Seat]; 3] = [&[0, 1, 1, 0], &[0, 1, 2, 2, 1, 0], &[0, 1, 2, 3, 3, 2, 1, 0]];
    for (seats, snake) in (2u8..=4).zip(snakes) {
        let config = Config { seats, ..Config::default() };
        let mut state = State::on_board(&config, Board::beginner(), Pcg64::seed(0)).unwrap();
        let mut order = Vec::new();
        while state.phase() == Phase::SetupSettlement {
            order.extend(state.actor());
            let first = state.legal().nth(0).unwrap();
            state.step(first).unwrap();
            assert_eq!((state.phase(), state.actor()), (Phase::SetupRoad, order.last().copied()));
            let road = state.legal().nth(0).unwrap();
            state.step(road).unwrap();
        }
        assert_eq!(order, snake);
        assert_eq!((state.phase(), state.actor(), state.turns()), (Phase::BeforeRoll, Some(0), 0));
        assert!(can(&state, "roll dice"));
    }
}
