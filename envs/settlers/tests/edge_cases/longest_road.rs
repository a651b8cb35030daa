//! Longest road, cases 1 to 17. The coast runs 24, 25, .., 39, 41, 42, 40, 44, 43, 47, 45, 46, 48, .., 53.

use crate::{SETTLE, act, acts, can, length, table};
use agon_settlers::testing::Position;
use agon_settlers::{Board, Config, DevCard, Seat, State};

/// Seat 1 may settle on node 27 over its road from node 8; the caller adds the roads to be cut there.
fn cutter(position: Position) -> Position {
    position.roads(1, &[8, 27]).hand(1, SETTLE).turn(1).rolled()
}

fn cut(state: &mut State) {
    act(state, "build settlement 27");
}

fn coast(from: u8, to: u8) -> Vec<u8> {
    (from..=to).collect()
}

#[test]
fn case_01_one_blocked_end_counts() {
    let state = table().roads(0, &coast(24, 29)).settlement(1, 29).road_card().build();
    assert_eq!(length(&state, 0), 5);
    assert_eq!(state.road_holder(), Some(0));
}

#[test]
fn case_02_both_ends_blocked_count() {
    let state = table().roads(0, &coast(24, 29)).settlement(1, 24).settlement(2, 29).road_card().build();
    assert_eq!(length(&state, 0), 5);
    assert_eq!(state.road_holder(), Some(0));
}

#[test]
fn case_03_a_ring_through_a_blocked_node_counts_whole() {
    let ring = [0, 1, 2, 3, 4, 5, 0];
    let position = table().roads(0, &ring).roads(1, &[19, 20, 0]).road_card();
    let mut state = position.hand(1, SETTLE).turn(1).rolled().build();
    act(&mut state, "build settlement 0");
    assert_eq!(length(&state, 0), 6, "start and end at the blocked node");
    assert_eq!(state.road_holder(), Some(0));
}

#[test]
fn case_04_a_cut_below_five_lays_the_card_aside() {
    let mut state = cutter(table().roads(0, &coast(24, 30)).settlement(0, 30).road_card()).build();
    assert_eq!((state.road_holder(), state.public_points(0)), (Some(0), 3));
    cut(&mut state);
    assert_eq!(length(&state, 0), 3);
    assert_eq!((state.road_holder(), state.public_points(0)), (None, 1));
}

#[test]
fn case_05_a_cut_holder_that_ties_keeps_the_card() {
    let position = table().roads(0, &coast(24, 32)).roads(2, &coast(45, 46)).roads(2, &[46, 48, 49, 50, 51]);
    let mut state = cutter(position.road_card()).build();
    assert_eq!((length(&state, 0), length(&state, 2)), (8, 5));
    cut(&mut state);
    assert_eq!((length(&state, 0), length(&state, 2)), (5, 5));
    assert_eq!(state.road_holder(), Some(0));
}

/// Seat 0 holds the card with seven, seats 2 and 3 have five; after the cut seat 0 has four.
fn two_behind() -> Position {
    table().roads(0, &coast(24, 31)).roads(2, &[46, 48, 49, 50, 51, 52]).roads(3, &coast(33, 38)).road_card()
}

#[test]
fn case_06_two_others_that_tie_above_the_cut_holder_get_nothing() {
    let mut state = cutter(two_behind()).build();
    assert_eq!(state.road_holder(), Some(0));
    cut(&mut state);
    assert_eq!([0, 2, 3].map(|s| length(&state, s)), [4, 5, 5]);
    assert_eq!(state.road_holder(), None);
    assert_eq!([0, 2, 3].map(|s| state.public_points(s)), [0, 0, 0]);
}

#[test]
fn case_07_a_single_longer_seat_gains_the_card_of_a_cut_holder() {
    let position =
        table().roads(0, &coast(24, 31)).roads(2, &[46, 48, 49, 50, 51, 52]).roads(3, &coast(33, 37));
    let mut state = cutter(position.road_card()).build();
    cut(&mut state);
    assert_eq!([0, 2, 3].map(|s| length(&state, s)), [4, 5, 4]);
    assert_eq!((state.road_holder(), state.public_points(2)), (Some(2), 2));
}

#[test]
fn case_08_a_card_laid_aside_goes_to_the_next_single_longest() {
    let mut state = cutter(two_behind().hand(2, [1, 1, 0, 0, 0]).robber(0)).build();
    cut(&mut state);
    act(&mut state, "end turn");
    crate::roll(&mut state, 1, 1);
    assert_eq!(state.road_holder(), None);
    act(&mut state, "build road 45-46");
    assert_eq!((length(&state, 2), state.road_holder()), (6, Some(2)));
}

#[test]
fn case_09_a_cut_of_another_seat_changes_nothing_for_the_holder() {
    let position = table().roads(2, &[46, 48, 49, 50, 51, 52]).road_card().roads(0, &coast(24, 29));
    let mut state = cutter(position.road_card()).build();
    assert_eq!((state.road_holder(), length(&state, 0)), (Some(2), 5));
    cut(&mut state);
    assert_eq!((state.road_holder(), length(&state, 0), state.public_points(2)), (Some(2), 3, 2));
}

#[test]
fn case_10_an_own_settlement_never_cuts() {
    let mut state = table().roads(0, &coast(24, 29)).road_card().hand(0, SETTLE).rolled().build();
    act(&mut state, "build settlement 27");
    assert_eq!((length(&state, 0), state.road_holder(), state.public_points(0)), (5, Some(0), 3));
}

#[test]
fn case_11_one_road_joins_two_networks() {
    let position = table().roads(0, &[24, 25, 26]).roads(0, &[27, 28, 29]).hand(0, SETTLE).rolled();
    let mut state = position.build();
    assert_eq!(length(&state, 0), 2);
    act(&mut state, "build road 26-27");
    assert_eq!((length(&state, 0), state.road_holder()), (5, Some(0)));
}

#[test]
fn case_12_a_trail_may_pass_a_node_twice_but_no_edge() {
    let ring_and_spur = table().roads(0, &[20, 0, 1, 2, 3, 4, 5, 0]).build();
    assert_eq!(length(&ring_and_spur, 0), 7, "node 0 is passed twice");
    let star = table().roads(0, &[1, 0, 5]).roads(0, &[0, 20]).build();
    assert_eq!(length(&star, 0), 2, "the third arm would need an edge twice");
}

#[test]
fn case_13_all_fifteen_roads_in_a_row() {
    let state = table().roads(0, &coast(24, 39)).road_card().build();
    assert_eq!((length(&state, 0), state.seat(0).roads_left), (15, 0));
}

#[test]
fn case_14_a_city_changes_nothing() {
    let position = table().roads(0, &coast(24, 29)).settlement(0, 27).roads(1, &coast(31, 35)).road_card();
    let mut state = position.hand(0, [0, 0, 0, 2, 3]).rolled().build();
    act(&mut state, "build city 27");
    assert_eq!((length(&state, 0), length(&state, 1), state.road_holder()), (5, 4, Some(0)));
}

#[test]
fn case_15_no_road_past_a_later_settlement_free_roads_included() {
    let position = table().roads(0, &[24, 25, 26]).settlement(1, 26).dev(0, DevCard::RoadBuilding, 1);
    let mut state = position.hand(0, SETTLE).rolled().build();
    assert!(can(&state, "build road 24-53") && !can(&state, "build road 26-27"));
    act(&mut state, "play road building");
    assert!(can(&state, "build road 24-53") && !can(&state, "build road 26-27"));
}

#[test]
fn case_16_the_third_edge_of_a_cut_node_is_closed() {
    let state = table().roads(0, &[26, 27, 28]).settlement(1, 27).hand(0, SETTLE).rolled().build();
    assert!(!can(&state, "build road 8-27"));
    assert!(can(&state, "build road 25-26") && can(&state, "build road 28-29"));
    let from_behind = table().roads(0, &[26, 27, 28]).roads(0, &[8, 9]).settlement(1, 27);
    let state = from_behind.hand(0, SETTLE).rolled().build();
    assert!(can(&state, "build road 8-27"), "an own road at its other end opens it");
}

#[test]
fn case_17_lengths_are_right_straight_after_the_setup() {
    let config = Config { seats: 2, ..Config::default() };
    let mut state = State::on_board(&config, Board::beginner(), rl_gym::Pcg64::seed(0)).unwrap();
    acts(&mut state, &["build settlement 0", "build road 0-1", "build settlement 30", "build road 30-31"]);
    assert_eq!([0, 1].map(|s: Seat| length(&state, s)), [1, 1]);
    acts(&mut state, &["build settlement 33", "build road 33-34", "build settlement 2", "build road 1-2"]);
    assert_eq!([0, 1].map(|s: Seat| length(&state, s)), [2, 1]);
}
