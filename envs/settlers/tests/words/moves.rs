//! Terms against actions, and words about what an action brings against what it brought.

use super::{feature, is_one, positions, value};
use agon_settlers::words::Words;
use agon_settlers::{Action, ActionId, Phase, State};
use rl_gym::vocabulary::{Term, Vocabulary};
use std::collections::BTreeSet;

fn term(row: &[u8], action: ActionId) -> Term {
    Words.term(row, action.0.into()).unwrap_or_else(|| panic!("no term for {:?}", action.action()))
}

/// Verb and arguments in words, as a name of the action table begins.
fn said(state: &State, term: Term) -> String {
    let verb = Words.verbs()[usize::from(term.verb)];
    assert!(term.args[verb.args.len()..].iter().all(|a| *a == 0), "{term:?}");
    let seat = state.actor().expect("somebody decides");
    let args = verb.args.iter().zip(term.args).map(|(kind, arg)| match Words.kinds()[*kind].name {
        "resource" => agon_settlers::Resource::ALL[usize::from(arg)].name().to_owned(),
        "rival" if arg > 0 => format!("seat {}", (u16::from(seat) + arg) % state.num_seats() as u16),
        _ => arg.to_string(),
    });
    std::iter::once(verb.name.to_owned()).chain(args).collect::<Vec<_>>().join(" ")
}

/// The same from the action.
fn expected(state: &State, action: Action) -> String {
    let seat = state.actor().expect("somebody decides");
    let other = |k: u8| format!("seat {}", (seat + k) % state.num_seats() as u8);
    let is_setup = matches!(state.phase(), Phase::SetupSettlement | Phase::SetupRoad);
    let put = if is_setup { "place" } else { "build" };
    match action {
        Action::Settlement(n) => format!("{put}_settlement {n}"),
        Action::City(n) => format!("build_city {n}"),
        Action::Road(e) => format!("{put}_road {e}"),
        Action::Roll => "roll".to_owned(),
        Action::EndTurn => "end_turn".to_owned(),
        Action::BuyDev => "buy_card".to_owned(),
        Action::Knight => "play_knight".to_owned(),
        Action::RoadBuilding => "play_road_building".to_owned(),
        Action::YearOfPlenty(r, s) => format!("play_year_of_plenty {} {}", r.name(), s.name()),
        Action::YearOfPlentyOne(r) => format!("play_year_of_plenty_one {}", r.name()),
        Action::Monopoly(r) => format!("play_monopoly {}", r.name()),
        Action::Robber { tile, victim: 0 } => format!("move_robber {tile} 0"),
        Action::Robber { tile, victim } => format!("move_robber {tile} {}", other(victim)),
        Action::Discard(r) => format!("discard {}", r.name()),
        Action::Bank { rate, give, want } => format!("bank_trade {} {} {rate}", give.name(), want.name()),
        Action::OfferGive(r) => format!("offer_give {}", r.name()),
        Action::OfferWant(r) => format!("offer_want {}", r.name()),
        Action::OfferSend => "send_offer".to_owned(),
        Action::OfferDrop => "drop_offer".to_owned(),
        Action::Accept => format!("accept_offer seat {}", state.turn_seat()),
        Action::Reject => format!("reject_offer seat {}", state.turn_seat()),
        Action::Counter => format!("counter_offer seat {}", state.turn_seat()),
        Action::Confirm(k) => format!("confirm_trade {}", other(k)),
        Action::CancelTrade => "cancel_trade".to_owned(),
    }
}

#[test]
fn every_legal_action_has_a_term_of_its_own_that_says_what_it_does() {
    let mut verbs = BTreeSet::new();
    positions(3, |state, row| {
        let mut terms = BTreeSet::new();
        for id in state.legal().iter() {
            let term = term(row, id);
            assert_eq!(said(state, term), expected(state, id.action().expect("of the table")));
            assert!(terms.insert(term), "{term:?} is there twice");
            verbs.insert(Words.verbs()[usize::from(term.verb)].name);
        }
    });
    // The bank is down to its last card in no such game.
    let missing: Vec<_> = Words.verbs().iter().map(|v| v.name).filter(|v| !verbs.contains(v)).collect();
    assert_eq!(missing, ["play_year_of_plenty_one"]);
}

/// The whole table, whatever the row.
#[test]
fn every_action_of_the_table_has_a_term_of_its_own() {
    let state = State::new(&agon_settlers::Config::default(), rl_gym::SeedSequence::new(1)).expect("valid");
    let mut row = vec![0; agon_settlers::observe::OBS_LEN];
    agon_settlers::observe::write(&state, 0, &mut row);
    let terms: BTreeSet<Term> = (0..agon_settlers::ACTIONS as u16).map(|a| term(&row, ActionId(a))).collect();
    assert_eq!(terms.len(), agon_settlers::ACTIONS);
}

#[test]
fn a_road_brings_what_its_edge_says() {
    let mut took = [0; 2];
    positions(3, |state, row| {
        let seat = state.actor().expect("somebody decides");
        let before = *state.seat(seat);
        let had = state.road_holder() == Some(seat);
        for id in state.legal().iter() {
            let Some(Action::Road(edge)) = id.action() else { continue };
            let mut after = *state;
            after.step(id).expect("legal");
            let gain = after.seat(seat).road_length - before.road_length;
            assert_eq!(feature(row, "edge", edge, "road_gain"), f32::from(gain));
            let takes = !had && after.road_holder() == Some(seat);
            assert_eq!(feature(row, "edge", edge, "takes_longest_road"), is_one(takes), "{state:?}");
            let growth = value(row, "roads_to_longest_road");
            assert!(had || takes == (f32::from(gain) >= growth), "{growth} roads to the card, {gain} gained");
            took[usize::from(takes)] += 1;
        }
    });
    assert!(took.iter().all(|n| *n > 20), "{took:?}");
}

#[test]
fn a_knight_takes_the_army_where_one_is_missing() {
    let mut took = [0; 2];
    positions(3, |state, row| {
        let seat = state.actor().expect("somebody decides");
        if state.legal().contains(Action::Knight.id()) && state.army_holder() != Some(seat) {
            let mut after = *state;
            after.step(Action::Knight.id()).expect("legal");
            let takes = after.army_holder() == Some(seat);
            assert_eq!(value(row, "knights_to_largest_army") == 1.0, takes);
            took[usize::from(takes)] += 1;
        }
    });
    assert!(took.iter().all(|n| *n > 10), "{took:?}");
}

/// Cards of `goal` that a hand lacks.
fn lacking(hand: [u8; 5], goal: [u8; 5]) -> f32 {
    (0..5).map(|r| f32::from(goal[r].saturating_sub(hand[r]))).sum()
}

/// Cost of the nearest purchase, by its facts.
pub(super) fn goal(row: &[u8]) -> [u8; 5] {
    match ["settlement", "city", "road"].map(|name| value(row, &format!("goal_is_{name}"))) {
        [1.0, _, _] => [1, 1, 1, 1, 0],
        [_, 1.0, _] => [0, 0, 0, 2, 3],
        [_, _, 1.0] => [1, 1, 0, 0, 0],
        _ => [0, 0, 1, 1, 1],
    }
}

#[test]
fn a_confirmed_trade_moves_the_cards_that_the_rival_says() {
    let mut seen = [0; 3];
    positions(3, |state, row| {
        let seat = state.actor().expect("somebody decides");
        let goal = goal(row);
        if state.phase() == Phase::Answer {
            let offer = state.trade().offer;
            let proposer = (state.turn_seat() + state.num_seats() as u8 - seat) % state.num_seats() as u8;
            assert_eq!(value(row, "deal_gives"), f32::from(offer.want.total()));
            assert_eq!(value(row, "deal_gets"), f32::from(offer.give.total()));
            let hand = state.seat(seat).hand.array();
            let after: [u8; 5] =
                std::array::from_fn(|r| hand[r].saturating_sub(offer.want.get(r)) + offer.give.get(r));
            assert_eq!(value(row, "deal_gain"), lacking(hand, goal) - lacking(after, goal));
            for name in ["deal_gives", "deal_gets", "deal_gain"] {
                assert_eq!(feature(row, "rival", proposer, name), value(row, name));
            }
            assert_eq!(value(row, "proposer_points"), f32::from(state.public_points(state.turn_seat())));
            seen[0] += 1;
        }
        for id in state.legal().iter() {
            let Some(Action::Confirm(k)) = id.action() else { continue };
            let mut after = *state;
            after.step(id).expect("legal");
            let (gives, gets) = ["deal_gives", "deal_gets"].map(|name| feature(row, "rival", k, name)).into();
            let change = f32::from(after.seat(seat).hand.total()) - f32::from(state.seat(seat).hand.total());
            assert_eq!(gets - gives, change);
            let gain =
                lacking(state.seat(seat).hand.array(), goal) - lacking(after.seat(seat).hand.array(), goal);
            assert_eq!(feature(row, "rival", k, "deal_gain"), gain, "{state:?}");
            seen[1 + usize::from(gain > 0.0)] += 1;
        }
    });
    assert!(seen.iter().all(|n| *n > 20), "{seen:?}");
}
