//! Development cards, cases 41 to 47.

use crate::{act, acts, can, force, legal, roll, table};
use agon_settlers::{DevCard, GameOutcome, Outcome, Phase};

#[test]
fn case_41_one_owned_and_one_bought_makes_one_playable() {
    let mut state = table().dev(0, DevCard::Monopoly, 1).hand(0, [0, 0, 1, 1, 1]).rolled().build();
    force(&mut state, "buy development card", Outcome::Drawn(DevCard::Monopoly));
    assert_eq!(state.seat(0).dev.get(DevCard::Monopoly.index()), 2);
    act(&mut state, "play monopoly ore");
    assert_eq!(legal(&state, "play"), Vec::<String>::new());
}

#[test]
fn case_42_a_card_bought_this_turn_waits() {
    let mut state = table().hand(0, [0, 0, 2, 2, 2]).rolled().build();
    force(&mut state, "buy development card", Outcome::Drawn(DevCard::Knight));
    force(&mut state, "buy development card", Outcome::Drawn(DevCard::Knight));
    assert_eq!(legal(&state, "play"), Vec::<String>::new());
    let error = state.step(crate::id("play knight")).unwrap_err().to_string();
    assert!(error.contains("no such development card, or only one bought this turn"), "{error}");
    for _ in 0..4 {
        act(&mut state, "end turn");
        if state.turn_seat() != 0 {
            roll(&mut state, 1, 1);
        }
    }
    assert!(can(&state, "play knight"), "a round later it may be played");
}

#[test]
fn case_43_one_card_a_turn_before_or_after_the_roll() {
    let mut state = table().dev(0, DevCard::Monopoly, 2).dev(0, DevCard::Knight, 1).robber(0).build();
    act(&mut state, "play monopoly ore");
    roll(&mut state, 1, 1);
    assert_eq!(legal(&state, "play"), Vec::<String>::new());
    let error = state.step(crate::id("play knight")).unwrap_err().to_string();
    assert!(error.contains("a development card was played this turn"), "{error}");
}

#[test]
fn case_44_an_empty_deck_sells_nothing() {
    let mut state = table().deck(3, [0, 0, 0, 0, 1]).hand(0, [0, 0, 2, 2, 2]).rolled().build();
    assert!(can(&state, "buy development card"));
    act(&mut state, "buy development card");
    assert_eq!((state.deck().total(), state.seat(0).dev.get(4)), (0, 1));
    assert!(!can(&state, "buy development card"));
}

#[test]
fn case_45_road_building_with_one_piece_one_place_and_none() {
    let coast: Vec<u8> = (24..=38).collect();
    // One piece: fourteen roads are out.
    let mut state = table().roads(0, &coast).dev(0, DevCard::RoadBuilding, 1).build();
    assert_eq!(state.seat(0).roads_left, 1);
    act(&mut state, "play road building");
    assert_eq!(state.free_roads(), 1, "no more than the pieces left");
    act(&mut state, "build road 24-53");
    assert_eq!((state.phase(), state.free_roads(), state.seat(0).roads_left), (Phase::BeforeRoll, 0, 0));
    // One place: from node 25 only 25-26 is free, and node 26 is an opponent's.
    let corner =
        || table().settlement(0, 25).roads(1, &[24, 25]).settlement(1, 26).dev(0, DevCard::RoadBuilding, 1);
    let mut state = corner().build();
    act(&mut state, "play road building");
    assert_eq!(legal(&state, ""), ["build road 25-26"]);
    act(&mut state, "build road 25-26");
    assert_eq!((state.phase(), state.free_roads(), state.seat(0).roads_left), (Phase::BeforeRoll, 0, 14));
    // No place, no piece: the card stays in the hand.
    let state = corner().roads(1, &[25, 26]).build();
    assert!(!can(&state, "play road building"));
    let all: Vec<u8> = (24..=39).collect();
    let mut state = table().roads(0, &all).dev(0, DevCard::RoadBuilding, 1).build();
    assert!(!can(&state, "play road building"));
    let error = state.step(crate::id("play road building")).unwrap_err().to_string();
    assert!(error.contains("no such piece is left"), "{error}");
}

#[test]
fn case_46_the_army_counts_before_the_robber_moves() {
    let cities = [10, 12, 14, 17].into_iter().fold(table(), |p, n| p.city(0, n));
    let mut state = cities.knights(0, 2).dev(0, DevCard::Knight, 1).rolled().build();
    let robber = state.robber();
    act(&mut state, "play knight");
    assert_eq!(state.outcome(), Some(GameOutcome::Winner(0)));
    assert_eq!((state.army_holder(), state.robber()), (Some(0), robber));
}

#[test]
fn case_47_the_second_knight_waits_for_the_next_turn() {
    let config = agon_settlers::Config { seats: 2, ..Default::default() };
    let mut state = crate::table_with(config).dev(0, DevCard::Knight, 2).robber(0).build();
    acts(&mut state, &["play knight", "move robber 5"]);
    assert!(!can(&state, "play knight"));
    roll(&mut state, 1, 1);
    assert!(!can(&state, "play knight"));
    act(&mut state, "end turn");
    roll(&mut state, 1, 1);
    act(&mut state, "end turn");
    assert!(can(&state, "play knight"));
}

#[test]
fn the_army_card_moves_only_to_more_knights() {
    let mut state = table().knights(1, 3).knights(0, 2).dev(0, DevCard::Knight, 2).robber(0).build();
    assert_eq!((state.army_holder(), state.public_points(1)), (Some(1), 2));
    acts(&mut state, &["play knight", "move robber 5"]);
    assert_eq!(state.army_holder(), Some(1), "three against three");
    let mut state = table().knights(1, 3).knights(0, 3).dev(0, DevCard::Knight, 1).robber(0).build();
    acts(&mut state, &["play knight", "move robber 5"]);
    assert_eq!([0, 1].map(|s| state.public_points(s)), [2, 0], "four against three");
}
