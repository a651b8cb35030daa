//! Folding, bounds, and giving up.

use super::*;
use crate::{Board, Config, testing::Position};

/// Three seats with large hands, known to all.
fn rich() -> (State, Belief) {
    let config = Config { seats: 4, ..Config::default() };
    let state = Position::new(&config, Board::beginner())
        .hand(1, [3, 3, 3, 3, 3])
        .hand(2, [4, 3, 3, 2, 3])
        .hand(3, [3, 3, 2, 4, 4])
        .build();
    let mut belief = Belief::new();
    let known = World { hands: hands(&state), chance: 1.0, up_to: 1.0 };
    let lists = std::array::from_fn(|_| Some(vec![known]));
    belief.restart(Base::Worlds(Arc::new(lists)), hands(&state));
    (state, belief)
}

/// `thief` steals what `victim` has most of.
fn steal(state: &mut State, belief: &mut Belief, filter: &mut Filter, thief: Seat, victim: Seat) {
    state.turn = thief;
    let hand = state.seats[usize::from(victim)].hand;
    let card = Resource::ALL.into_iter().max_by_key(|r| hand.get(r.index())).expect("five");
    Position::move_cards(state, victim, thief, Counts::one(card.index()).array());
    belief.stolen(state, victim, card, filter);
}

#[test]
fn folding_the_steals_changes_no_list() {
    let (mut state, mut belief) = rich();
    let mut filter = Filter::default();
    for (thief, victim) in [(1, 2), (2, 3), (0, 1), (3, 1)] {
        steal(&mut state, &mut belief, &mut filter, thief, victim);
        let lists = |belief: &Belief, filter: &mut Filter| -> Vec<Vec<World>> {
            (0..4).map(|v| belief.worlds(&state, v, filter).expect("counted").to_vec()).collect()
        };
        let before = lists(&belief, &mut filter);
        belief.fold(4, &mut filter);
        assert!(belief.steals.is_empty());
        for (a, b) in before.iter().flatten().zip(lists(&belief, &mut filter).iter().flatten()) {
            assert_eq!(a.hands, b.hands);
            assert!((a.chance - b.chance).abs() < 1e-12);
        }
        assert!(before[0].len() > 4 && before[2].len() < before[0].len(), "{before:?}");
    }
    // Lists of other seats hold what they saw: a redraw keeps none of them.
    assert!(belief.redraw(&mut state, 0, &mut filter, 0.5));
    assert!((1..4).all(|v| belief.worlds(&state, v, &mut filter).is_none()));
}

/// A full list is folded by the next steal, and nothing is lost.
#[test]
fn the_list_of_steals_does_not_grow_for_ever() {
    let (mut state, mut belief) = rich();
    let mut filter = Filter::default();
    for i in 0..2 * MOST_STEALS + 3 {
        // The viewer takes part, so that hands stay known.
        let (thief, victim) = if i % 2 == 0 { (0, 1) } else { (1, 0) };
        steal(&mut state, &mut belief, &mut filter, thief, victim);
    }
    assert_eq!(belief.steals.len(), 3);
    let worlds = belief.worlds(&state, 0, &mut filter).expect("counted");
    assert_eq!(worlds.len(), 1);
    assert_eq!(worlds[0].hands, hands(&state));
}

/// With too many deals the count is given up, as for a position of unknown past.
#[test]
fn too_many_deals_are_not_counted() {
    let (mut state, mut belief) = rich();
    let mut filter = Filter::default();
    let (mut most, mut steals) = (0, 0);
    while let Some(worlds) = belief.worlds(&state, 0, &mut filter) {
        most = most.max(worlds.len());
        let (thief, victim) = [(1, 2), (2, 3), (3, 1)][steals % 3];
        steal(&mut state, &mut belief, &mut filter, thief, victim);
        steals += 1;
        assert!(steals < 40, "{most} deals");
    }
    assert!(most > 1000 && most <= filter::MOST_WORLDS, "{most}");
    assert!(!belief.redraw(&mut state, 0, &mut filter, 0.5));
    assert_eq!(belief.base, Base::Unknown);
}
