//! The observation row: inside its bounds, blind to what is hidden, and as the table says.

use agon_settlers::observe::{self, OBS_LEN, PARTS, at};
use agon_settlers::{BoardSize, Config, Layout, SettlersEnv, State, write_text};
use rl_gym::{Pcg64, Resample, SeedSequence};

fn tables() -> Vec<Config> {
    let mut out = Vec::new();
    for seats in 2..=4 {
        for layout in [Layout::Beginner, Layout::Spiral, Layout::Random] {
            for board in [BoardSize::Full, BoardSize::Mini] {
                out.push(Config { seats, layout, board, turn_cap: 150, ..Config::default() });
            }
        }
    }
    out.push(Config { discard_limit: 30, max_offers: 20, turn_cap: 200, ..Config::default() });
    out.push(Config { victory_points: 20, turn_cap: 600, ..Config::default() });
    out
}

/// Positions of one random game of each table.
fn positions(every: u32, each: impl FnMut(&State)) {
    games(tables().len() as u64, every, each);
}

/// Positions of `count` random games, the tables in turn.
fn games(count: u64, every: u32, mut each: impl FnMut(&State)) {
    let tables = tables();
    for i in 0..count {
        let config = &tables[i as usize % tables.len()];
        let mut state = State::new(config, SeedSequence::new(i)).expect("valid");
        let mut rng = Pcg64::seed(i);
        while state.outcome().is_none() {
            let k = rng.below(state.legal().count());
            let action = state.legal().nth(k).expect("legal");
            state.step(action).expect("legal");
            if state.steps().is_multiple_of(every) || state.outcome().is_some() {
                each(&state);
            }
        }
    }
}

fn row(state: &State, viewer: usize) -> Vec<u8> {
    let mut row = vec![255; OBS_LEN];
    observe::write(state, viewer as u8, &mut row);
    row
}

#[test]
fn every_element_stays_inside_its_bounds() {
    let space = observe::space();
    positions(3, |state| {
        for seat in 0..state.num_seats() {
            assert_eq!(space.contains(&row(state, seat)), Ok(()), "{state:?}");
        }
    });
}

/// Every single element takes two values at least. The rarest are cities on poor nodes of the coast and the
/// desert on a given tile: 200 games leave six of them out, so there are 600.
#[test]
fn every_element_that_can_move_does() {
    let mut range = vec![(u8::MAX, 0); OBS_LEN];
    games(600, 5, |state| {
        for seat in 0..state.num_seats() {
            for ((low, high), x) in range.iter_mut().zip(row(state, seat)) {
                (*low, *high) = ((*low).min(x), (*high).max(x));
            }
        }
    });
    let still: Vec<String> = PARTS
        .iter()
        .zip(starts())
        .flat_map(|(part, start)| (0..part.size()).map(move |i| (part, i, start + i)))
        .filter(|&(_, _, at)| range[at].0 == range[at].1)
        .map(|(part, i, _)| format!("{}[{i}]", part.name))
        .collect();
    // Every table has two seats.
    assert_eq!(still, ["seated[0]", "seated[1]"]);
}

fn starts() -> Vec<usize> {
    observe::space().offsets().iter().map(|(start, _)| *start).collect()
}

#[test]
fn values_agree_with_the_state() {
    positions(7, |state| {
        let n = state.num_seats();
        for viewer in 0..n {
            let row = row(state, viewer);
            for k in 0..n {
                let s = ((viewer + k) % n) as u8;
                let seat = state.seat(s);
                for node in 0..54 {
                    let bit = |set: u64| (set >> node & 1) as u8;
                    assert_eq!(row[at::settlements + k * 54 + node], bit(seat.settlements));
                    assert_eq!(row[at::cities + k * 54 + node], bit(seat.cities));
                }
                for edge in 0..72 {
                    assert_eq!(row[at::roads + k * 72 + edge], (seat.roads >> edge & 1) as u8);
                }
                assert_eq!(row[at::hand_size + k], seat.hand.total());
                assert_eq!(row[at::points + k], state.public_points(s));
                assert_eq!(row[at::turn_seat + k] == 1, state.turn_seat() == s);
                assert_eq!(row[at::actor + k] == 1, state.actor() == Some(s));
            }
            assert_eq!(row[at::hand..at::hand + 5], state.seat(viewer as u8).hand.array());
            assert_eq!(row[at::bank..at::bank + 5], state.bank().array());
            assert_eq!(row[at::own_points], state.true_points(viewer as u8));
            assert_eq!(row[at::phase + state.phase() as usize], 1);
        }
    });
}

/// Redrawing whatever a seat cannot know moves neither its row, nor its mask, nor its text.
#[test]
fn what_is_hidden_moves_nothing() {
    let mut rng = Pcg64::seed(77);
    let mut changed = 0;
    positions(5, |state| {
        let mut env = SettlersEnv::new(state.config()).expect("valid");
        for viewer in 0..state.num_seats() {
            let before = row(state, viewer);
            let (mut text, mut other) = (String::new(), String::new());
            write_text(state, viewer as u8, &mut text);
            env.set_state(state);
            env.resample(viewer, &mut rng);
            let redrawn = env.state();
            changed += u32::from(redrawn.position_hash() != state.position_hash());
            assert_eq!(row(redrawn, viewer), before);
            if state.actor() == Some(viewer as u8) {
                assert_eq!(redrawn.legal(), state.legal());
            }
            write_text(redrawn, viewer as u8, &mut other);
            assert_eq!(other, text);
        }
    });
    assert!(changed > 1000, "only {changed} redraws changed anything");
}

/// A redrawn position obeys the laws of conservation and can be played on.
#[test]
fn redrawn_positions_are_whole_games() {
    let mut rng = Pcg64::seed(78);
    positions(41, |state| {
        if state.outcome().is_some() {
            return;
        }
        let mut env = SettlersEnv::new(state.config()).expect("valid");
        env.set_state(state);
        let viewer = rng.below(state.num_seats() as u32) as usize;
        env.resample(viewer, &mut rng);
        let mut game = *env.state();
        for r in 0..5 {
            let held: u8 = (0..game.num_seats()).map(|s| game.seat(s as u8).hand.get(r)).sum();
            assert_eq!(held + game.bank().get(r), 19);
            let cards: u8 = (0..game.num_seats())
                .map(|s| {
                    game.seat(s as u8).dev.get(r) + game.seat(s as u8).played.get(r).copied().unwrap_or(0)
                })
                .sum();
            assert_eq!(cards + game.deck().get(r), agon_settlers::DECK.get(r));
        }
        assert!(game.seat(game.turn_seat()).dev.covers(game.bought()));
        let turn = game.turn_seat();
        assert!(game.true_points(turn) < game.config().victory_points);
        for _ in 0..200 {
            if game.outcome().is_some() {
                break;
            }
            let k = rng.below(game.legal().count());
            game.step(game.legal().nth(k).expect("legal")).expect("legal");
        }
    });
}

/// The draw is even: with one card of each of two kinds in two hands, both deals come half of the time.
#[test]
fn redraws_are_even() {
    use agon_settlers::{Board, testing::Position};
    let config = Config { seats: 3, ..Config::default() };
    let state = Position::new(&config, Board::beginner())
        .hand(1, [1, 0, 0, 0, 0])
        .hand(2, [0, 2, 0, 0, 0])
        .dev(1, agon_settlers::DevCard::VictoryPoint, 1)
        .build();
    let mut env = SettlersEnv::new(&config).expect("valid");
    let mut rng = Pcg64::seed(1);
    let (mut wood, mut knights) = (0, 0);
    for _ in 0..6000 {
        env.set_state(&state);
        env.resample(0, &mut rng);
        wood += u32::from(env.state().seat(1).hand.get(0));
        knights += u32::from(env.state().seat(1).dev.get(0));
        assert_eq!(env.state().seat(0), state.seat(0));
    }
    // One of three unseen cards is the wood: 2000, sd 37. 14 of 25 cards are knights: 3360, sd 38.
    assert!((1850..2150).contains(&wood), "{wood}");
    assert!((3200..3520).contains(&knights), "{knights}");
}
