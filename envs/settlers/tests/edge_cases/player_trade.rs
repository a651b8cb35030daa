//! Trade, cases 48 to 55.

use crate::{act, acts, can, hand, id, legal, roll, table, table_with};
use agon_settlers::testing::Position;
use agon_settlers::{Compat, Config, Counts, DevCard, Offer, OfferError, Phase, Seat, State};

/// Seat 0 has two wood and an ore, seat 1 a sheep, seat 2 two sheep and a wheat, seat 3 nothing.
fn market() -> Position {
    table().hand(0, [2, 0, 0, 0, 1]).hand(1, [0, 0, 1, 0, 0]).hand(2, [0, 0, 2, 1, 0]).rolled()
}

/// Seat 0 offers one wood for one sheep.
fn offered() -> State {
    let mut state = market().build();
    acts(&mut state, &["offer give wood", "offer want sheep", "offer send"]);
    state
}

#[test]
fn case_48_nobody_offers_what_it_does_not_hold() {
    let mut state = market().build();
    assert_eq!(legal(&state, "offer"), ["offer give wood", "offer give ore"]);
    acts(&mut state, &["offer give wood", "offer give wood"]);
    let shown = legal(&state, "offer");
    assert_eq!(shown, ["offer give ore", "offer want sheep", "offer want wheat", "offer drop"]);
    act(&mut state, "offer give ore");
    assert_eq!(legal(&state, "offer give"), Vec::<String>::new());
    let mut state = market().build();
    let offer = Offer { give: Counts::new([0, 1, 0, 0, 0]), want: Counts::new([0, 0, 1, 0, 0]) };
    assert_eq!(state.propose(offer), Err(OfferError::NotHeld(offer.give)));
    let gift = Offer { give: Counts::new([1, 0, 0, 0, 0]), want: Counts::ZERO };
    assert_eq!(state.propose(gift), Err(OfferError::Shape(gift)));
    let same = Offer { give: Counts::new([1, 0, 0, 0, 0]), want: Counts::new([1, 0, 1, 0, 0]) };
    assert_eq!(state.propose(same), Err(OfferError::Shape(same)));
}

#[test]
fn case_49_the_proposer_is_never_asked() {
    for turn in 0..4u8 {
        let position = (0..4).fold(table(), |p, s| p.hand(s, [1, 0, 1, 0, 0]));
        let mut state = position.turn(turn).rolled().build();
        acts(&mut state, &["offer give wood", "offer want sheep", "offer send"]);
        let mut asked = Vec::new();
        while state.phase() == Phase::Answer {
            asked.extend(state.actor());
            act(&mut state, "reject");
        }
        let others: Vec<Seat> = (1..4).map(|k| (turn + k) % 4).collect();
        assert_eq!(asked, others, "in turn order");
    }
    let compat = Compat { proposer_answers: true, ..Compat::NONE };
    let position =
        table_with(Config { compat, ..Config::default() }).hand(1, [1, 0, 0, 0, 0]).hand(2, [0, 0, 1, 0, 0]);
    let mut state = position.turn(1).rolled().build();
    acts(&mut state, &["offer give wood", "offer want sheep", "offer send"]);
    assert_eq!(state.actor(), Some(0), "switch 12 asks from seat 0");
    act(&mut state, "reject");
    assert_eq!(state.actor(), Some(1), "and the proposer");
}

#[test]
fn case_50_the_acceptor_holds_the_cards_at_answer_and_at_confirm_time() {
    let mut state = offered();
    assert!(can(&state, "accept"));
    acts(&mut state, &["accept", "accept"]);
    assert_eq!(state.actor(), Some(3));
    assert!(!can(&state, "accept") && !can(&state, "counter"), "seat 3 holds nothing");
    act(&mut state, "reject");
    assert_eq!(legal(&state, ""), ["confirm +1", "confirm +2", "cancel trade"]);
    let mut moved = state;
    Position::move_cards(&mut moved, 1, 3, [0, 0, 1, 0, 0]);
    assert_eq!(legal(&moved, ""), ["confirm +2", "cancel trade"]);
    act(&mut state, "confirm +2");
    assert_eq!((hand(&state, 0), hand(&state, 2)), ([1, 0, 1, 0, 1], [1, 0, 1, 1, 0]));
    assert_eq!((state.phase(), state.actor()), (Phase::Main, Some(0)));
}

#[test]
fn case_51_nobody_accepts() {
    let mut state = offered();
    let before = [0, 1, 2, 3].map(|s| hand(&state, s));
    acts(&mut state, &["reject", "reject", "reject"]);
    assert_eq!((state.phase(), state.actor()), (Phase::Main, Some(0)));
    assert_eq!([0, 1, 2, 3].map(|s| hand(&state, s)), before);
    assert_eq!(*state.trade(), Default::default());
    let mut state = offered();
    acts(&mut state, &["accept", "reject", "reject", "cancel trade"]);
    assert_eq!(
        (state.phase(), hand(&state, 0)),
        (Phase::Main, [2, 0, 0, 0, 1]),
        "the proposer may decline too"
    );
}

#[test]
fn case_52_no_trade_before_the_roll_or_during_discard_robber_and_free_roads() {
    let rich = || table().hand(0, [4, 4, 1, 0, 0]).hand(1, [1; 5]).settlement(0, 45);
    let none = |state: &State| {
        assert_eq!(legal(state, "offer"), Vec::<String>::new(), "{:?}", state.phase());
        assert_eq!(legal(state, "bank"), Vec::<String>::new(), "{:?}", state.phase());
    };
    let mut state = rich().build();
    none(&state);
    roll(&mut state, 3, 4);
    assert_eq!(state.phase(), Phase::Discard);
    none(&state);
    acts(&mut state, &["discard wood"; 4]);
    none(&state);
    act(&mut state, "move robber 5");
    assert!(!legal(&state, "offer").is_empty() && !legal(&state, "bank").is_empty());
    let mut state = rich().dev(0, DevCard::RoadBuilding, 1).rolled().build();
    act(&mut state, "play road building");
    none(&state);
}

#[test]
fn case_53_a_harbour_built_this_turn_works_at_once() {
    // Harbour site 6 (nodes 45, 47) is a 3:1 on the first board.
    let mut state = table().roads(0, &[46, 45]).hand(0, [1, 1, 4, 1, 0]).rolled().build();
    assert!(!can(&state, "bank 3 sheep for ore"));
    act(&mut state, "build settlement 45");
    assert!(can(&state, "bank 3 sheep for ore"));
    act(&mut state, "bank 3 sheep for ore");
    assert_eq!(hand(&state, 0), [0, 0, 0, 0, 1]);
}

#[test]
fn case_54_owner_of_a_three_and_a_two_harbour() {
    // 3:1 at node 45, ore 2:1 at node 52.
    let ports =
        |compat| table_with(Config { compat, ..Config::default() }).settlement(0, 45).settlement(0, 52);
    let state = ports(Compat::NONE).hand(0, [3, 0, 0, 0, 4]).rolled().build();
    let names = |state: &State| {
        legal(state, "bank").iter().map(|n| n[..n.find(" for").unwrap()].into()).collect::<Vec<String>>()
    };
    let mut all = names(&state);
    all.dedup();
    assert_eq!(all, ["bank 4 ore", "bank 3 wood", "bank 3 ore", "bank 2 ore"], "worse rates stay legal");
    assert_eq!(names(&state).len(), 16);
    let compat = Compat { best_rate_only: true, ..Compat::NONE };
    let mut best = names(&ports(compat).hand(0, [3, 0, 0, 0, 4]).rolled().build());
    best.dedup();
    assert_eq!(best, ["bank 3 wood", "bank 2 ore"]);
    assert_eq!(agon_settlers::Resource::ALL.map(|r| state.seat(0).rate(r)), [3, 3, 3, 3, 2]);
}

#[test]
fn case_55_offers_a_turn_are_bounded() {
    let mut state = market().build();
    for made in 0..3 {
        assert_eq!(state.offers_made(), made);
        acts(&mut state, &["offer give wood", "offer drop"]);
    }
    assert_eq!(legal(&state, "offer"), Vec::<String>::new(), "a dropped draft counts too");
    let error = state.step(id("offer give wood")).unwrap_err().to_string();
    assert!(error.contains("the limit of offers is reached"), "{error}");
    act(&mut state, "end turn");
    roll(&mut state, 1, 1);
    assert_eq!((state.offers_made(), legal(&state, "offer").len()), (0, 1), "the next turn counts anew");
    let off = table_with(Config { player_trade: false, ..Config::default() });
    assert_eq!(legal(&off.hand(0, [1; 5]).hand(1, [1; 5]).rolled().build(), "offer"), Vec::<String>::new());
}

#[test]
fn a_counter_offer_is_made_once_and_confirmed_like_an_acceptance() {
    let mut state = offered();
    assert_eq!(legal(&state, ""), ["accept", "reject", "counter"]);
    act(&mut state, "counter");
    assert_eq!((state.phase(), state.actor()), (Phase::CounterDraft, Some(1)));
    act(&mut state, "offer drop");
    assert_eq!(legal(&state, ""), ["accept", "reject"], "the one counter is used up");
    act(&mut state, "reject");
    acts(&mut state, &["counter", "offer give sheep", "offer want ore", "offer send"]);
    assert_eq!(state.actor(), Some(3));
    act(&mut state, "reject");
    assert_eq!(legal(&state, ""), ["confirm +2", "cancel trade"]);
    let mut poor = state;
    Position::move_cards(&mut poor, 0, 3, [0, 0, 0, 0, 1]);
    assert_eq!(legal(&poor, ""), ["cancel trade"], "the proposer must hold what the counter wants");
    act(&mut state, "confirm +2");
    assert_eq!((hand(&state, 0), hand(&state, 2)), ([2, 0, 1, 0, 0], [0, 0, 1, 1, 1]));
}

#[test]
fn every_offer_has_one_path() {
    let mut state = table().hand(0, [2, 1, 0, 0, 1]).hand(1, [1, 0, 3, 2, 0]).rolled().build();
    acts(&mut state, &["offer give brick"]);
    assert!(!can(&state, "offer give wood"), "gives ascend");
    act(&mut state, "offer want wheat");
    assert!(!can(&state, "offer want sheep") && !can(&state, "offer want wood"), "wants ascend");
    assert!(!can(&state, "offer give ore"), "gives come first");
    act(&mut state, "offer want wheat");
    assert_eq!(legal(&state, "offer"), ["offer send", "offer drop"], "others hold two wheat between them");
}
