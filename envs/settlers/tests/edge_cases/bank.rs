//! Production and the bank, cases 23 to 30. Tile 17 is wood 9 (node 51 touches nothing else); tiles 15 (ore,
//! node 45) and 18 (brick, node 53) have the 10s; tile 13 is wheat 9 (node 41).

use crate::{acts, can, count, hand, legal, roll, table};
use agon_settlers::{Board, BoardSize, Config, DevCard, Port, Resource, State};

#[test]
fn case_23_a_single_due_seat_gets_the_rest() {
    let mut state = table().city(0, 51).drain_bank(3, [1, 19, 19, 19, 19]).build();
    roll(&mut state, 4, 5);
    assert_eq!((hand(&state, 0), state.bank().get(0)), ([1, 0, 0, 0, 0], 0));
    let mut state = table().city(0, 51).drain_bank(3, [0, 19, 19, 19, 19]).build();
    roll(&mut state, 4, 5);
    assert_eq!(hand(&state, 0), [0; 5]);
}

#[test]
fn case_24_two_due_and_short_nobody_gets_any() {
    let mut state = table().city(0, 51).settlement(1, 49).drain_bank(3, [2, 19, 19, 19, 19]).build();
    roll(&mut state, 4, 5);
    assert_eq!((count(&state, 0, Resource::Wood), count(&state, 1, Resource::Wood)), (0, 0));
    assert_eq!(state.bank().get(0), 2);
    let mut state = table().city(0, 51).settlement(1, 49).drain_bank(3, [3, 19, 19, 19, 19]).build();
    roll(&mut state, 4, 5);
    assert_eq!(
        (count(&state, 0, Resource::Wood), count(&state, 1, Resource::Wood)),
        (2, 1),
        "three is enough"
    );
}

#[test]
fn case_25_city_and_settlement_on_two_tiles_of_one_number() {
    let mut state = table().city(0, 53).settlement(0, 45).build();
    roll(&mut state, 5, 5);
    assert_eq!(hand(&state, 0), [0, 2, 0, 0, 1]);
    // Two tiles of one number *and* resource: a city on one, a settlement on the other, the bank short.
    let mut tiles = [None; 19];
    let mut numbers = [0; 19];
    for t in [17, 13] {
        (tiles[t], numbers[t]) = (Some(Resource::Wood), 9);
    }
    let board = Board::from_parts(BoardSize::Full, tiles, numbers, [Port::None; 9]);
    let position = agon_settlers::testing::Position::new(&Config::default(), board);
    let mut state = position.city(0, 51).settlement(0, 41).drain_bank(3, [2, 19, 19, 19, 19]).build();
    roll(&mut state, 4, 5);
    assert_eq!(hand(&state, 0), [2, 0, 0, 0, 0], "one seat is due, over two tiles");
}

#[test]
fn case_26_a_short_resource_does_not_hold_up_another() {
    let position = table().settlement(0, 53).settlement(1, 24).settlement(0, 45);
    let mut state = position.drain_bank(3, [19, 1, 19, 19, 19]).build();
    roll(&mut state, 5, 5);
    assert_eq!((hand(&state, 0), hand(&state, 1)), ([0, 0, 0, 0, 1], [0; 5]));
}

#[test]
fn case_27_trades_and_discards_refill_the_bank_before_the_next_roll() {
    let position = table().city(1, 51).hand(0, [4, 0, 0, 0, 0]).drain_bank(3, [0, 19, 19, 19, 19]).robber(0);
    let mut state = position.rolled().build();
    acts(&mut state, &["bank 4 wood for ore", "end turn"]);
    roll(&mut state, 4, 5);
    assert_eq!(count(&state, 1, Resource::Wood), 2);

    let position = table().city(1, 51).drain_bank(0, [0, 19, 19, 19, 19]).robber(0);
    let mut state = position.build();
    roll(&mut state, 3, 4);
    acts(&mut state, &["discard wood"; 9]);
    acts(&mut state, &["move robber 5", "end turn"]);
    roll(&mut state, 4, 5);
    assert_eq!(count(&state, 1, Resource::Wood), 2);
}

#[test]
fn case_28_monopoly_on_what_nobody_holds() {
    let position = table().hand(0, [1, 0, 0, 0, 0]).hand(1, [3, 0, 0, 0, 0]).dev(0, DevCard::Monopoly, 1);
    let mut state = position.build();
    acts(&mut state, &["play monopoly ore"]);
    assert_eq!((hand(&state, 0), hand(&state, 1)), ([1, 0, 0, 0, 0], [3, 0, 0, 0, 0]));
    assert_eq!(state.seat(0).played[2], 1);
}

#[test]
fn case_29_year_of_plenty_with_an_almost_empty_bank() {
    let plenty = |bank: [u8; 5]| {
        let state = table().drain_bank(3, bank).dev(0, DevCard::YearOfPlenty, 1).build();
        legal(&state, "play year of plenty")
    };
    assert_eq!(plenty([0; 5]), Vec::<String>::new());
    assert_eq!(plenty([0, 0, 1, 0, 0]), ["play year of plenty sheep"]);
    assert_eq!(plenty([0, 0, 2, 0, 0]), ["play year of plenty sheep+sheep"]);
    assert_eq!(plenty([0, 0, 1, 0, 1]), ["play year of plenty sheep+ore"]);
    assert_eq!(plenty([19; 5]).len(), 15);
    let mut state = table().drain_bank(3, [0, 0, 1, 0, 0]).dev(0, DevCard::YearOfPlenty, 1).build();
    acts(&mut state, &["play year of plenty sheep"]);
    assert_eq!((hand(&state, 0), state.bank().total()), ([0, 0, 1, 0, 0], 0));
}

#[test]
fn case_30_the_second_settlement_pays_per_tile() {
    let pays = |board: Board, node: u8| {
        let config = Config { seats: 2, ..Config::default() };
        let mut state = State::on_board(&config, board, rl_gym::Pcg64::seed(0)).unwrap();
        acts(
            &mut state,
            &["build settlement 45", "build road 45-46", "build settlement 48", "build road 48-49"],
        );
        assert_eq!((hand(&state, 0), hand(&state, 1)), ([0; 5], [0; 5]), "the first settlement pays nothing");
        assert!(can(&state, &format!("build settlement {node}")));
        acts(&mut state, &[&format!("build settlement {node}")]);
        assert_eq!(state.bank().total() + state.seat(1).hand.total(), 95);
        hand(&state, 1)
    };
    // Node 0 touches the desert (0), brick (5) and sheep (6); node 25 touches ore (7) alone.
    assert_eq!(pays(Board::beginner(), 0), [0, 1, 1, 0, 0]);
    assert_eq!(pays(Board::beginner(), 25), [0, 0, 0, 0, 1]);
    let all_wood = Board::from_parts(BoardSize::Full, [Some(Resource::Wood); 19], [9; 19], [Port::None; 9]);
    assert_eq!(pays(all_wood, 0), [3, 0, 0, 0, 0]);
}
