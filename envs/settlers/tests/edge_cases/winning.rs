//! The end of the game, cases 18 to 22.

use crate::{SETTLE, act, acts, can, force, roll, table};
use agon_settlers::testing::Position;
use agon_settlers::{Config, DevCard, GameOutcome, Outcome, Phase, Seat};

/// Four cities of `seat`: eight points.
fn eight_points(position: Position, seat: Seat) -> Position {
    [10, 12, 14, 17].into_iter().fold(position, |p, node| p.city(seat, node))
}

#[test]
fn case_18_points_gained_out_of_turn_win_at_the_start_of_the_own_turn() {
    let position = eight_points(table(), 2)
        .roads(0, &[24, 25, 26, 27, 28, 29])
        .road_card()
        .roads(2, &[46, 48, 49, 50, 51, 52])
        .roads(1, &[8, 27]);
    let mut state = position.hand(1, SETTLE).turn(1).rolled().build();
    act(&mut state, "build settlement 27");
    assert_eq!((state.road_holder(), state.public_points(2)), (Some(2), 10));
    assert_eq!(state.outcome(), None, "it is seat 1's turn");
    act(&mut state, "end turn");
    assert_eq!(state.outcome(), Some(GameOutcome::Winner(2)));
    assert!(state.actor().is_none() && state.legal().is_empty());
}

#[test]
fn case_19_a_knight_before_the_roll_wins() {
    let mut state = eight_points(table(), 0).knights(0, 2).dev(0, DevCard::Knight, 1).build();
    assert_eq!(state.phase(), Phase::BeforeRoll);
    act(&mut state, "play knight");
    assert_eq!(state.outcome(), Some(GameOutcome::Winner(0)));
}

#[test]
fn case_20_a_point_card_bought_as_the_tenth_point_wins_at_once() {
    let position = eight_points(table(), 0).settlement(0, 44).hand(0, [0, 0, 1, 1, 1]).rolled();
    let mut state = position.build();
    force(&mut state, "buy development card", Outcome::Drawn(DevCard::VictoryPoint));
    assert_eq!((state.public_points(0), state.true_points(0)), (9, 10));
    assert_eq!(state.outcome(), Some(GameOutcome::Winner(0)));
}

#[test]
fn case_21_of_two_seats_with_ten_the_one_on_turn_wins() {
    let position = eight_points(table(), 3).dev(3, DevCard::VictoryPoint, 2);
    let position = [24, 26, 28, 30].into_iter().fold(position, |p, n| p.city(0, n)).settlement(0, 45);
    let mut state = position.roads(0, &[50, 51]).hand(0, SETTLE).rolled().build();
    assert_eq!((state.true_points(0), state.true_points(3), state.outcome()), (9, 10, None));
    act(&mut state, "build settlement 51");
    assert_eq!(state.outcome(), Some(GameOutcome::Winner(0)));
}

#[test]
fn case_22_the_first_free_road_that_wins_ends_the_game() {
    let position = eight_points(table(), 0).roads(0, &[24, 25, 26, 27, 28]).dev(0, DevCard::RoadBuilding, 1);
    let mut state = position.build();
    act(&mut state, "play road building");
    assert!(can(&state, "build road 28-29"));
    act(&mut state, "build road 28-29");
    assert_eq!(state.outcome(), Some(GameOutcome::Winner(0)));
    assert_eq!(state.free_roads(), 1, "the second road is never placed");
    assert!(state.step(crate::id("build road 29-30")).is_err());
}

#[test]
fn a_win_at_the_start_of_a_turn_comes_before_the_turn_cap() {
    let config = Config { turn_cap: 1, ..Config::default() };
    let position =
        |points| eight_points(crate::table_with(config), 1).dev(1, DevCard::VictoryPoint, points).rolled();
    let mut state = position(2).build();
    act(&mut state, "end turn");
    assert_eq!(state.outcome(), Some(GameOutcome::Winner(1)));
    let mut state = position(1).build();
    act(&mut state, "end turn");
    assert_eq!(state.outcome(), Some(GameOutcome::Truncated));
    assert!(state.actor().is_none() && state.legal().is_empty());
}

#[test]
fn nobody_wins_between_the_goal_and_the_own_turn() {
    let mut state = eight_points(table(), 1).dev(1, DevCard::VictoryPoint, 2).robber(0).build();
    roll(&mut state, 1, 1);
    assert_eq!(state.outcome(), None);
    acts(&mut state, &["end turn"]);
    assert_eq!(state.outcome(), Some(GameOutcome::Winner(1)));
}
