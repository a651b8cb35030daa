//! Facts against the state.

use super::{is_one, positions, value};
use agon_settlers::topology::{NODE_NEAR, NODE_TILES};
use agon_settlers::{
    CITY_COST, Counts, DEV_COST, DevCard, Phase, ROAD_COST, Resource, SETTLEMENT_COST, State, at,
};

/// Ways of two dice, of 36, that make a sum.
pub(super) fn ways(sum: u8) -> u8 {
    (1..=6).flat_map(|a| (1..=6).map(move |b| a + b)).filter(|s| *s == sum).count() as u8
}

/// Pips of each resource at a node of the true board.
pub(super) fn pips(state: &State, node: u8) -> [u8; 5] {
    let mut out = [0; 5];
    for t in (0..state.board().tile_count()).filter(|t| NODE_TILES[usize::from(node)] >> t & 1 == 1) {
        if let Some(r) = state.board().resource(t as u8) {
            out[r.index()] += ways(state.board().number(t as u8));
        }
    }
    out
}

/// Pips of a seat by resource.
pub(super) fn income(state: &State, seat: u8) -> [u8; 5] {
    let mut out = [0; 5];
    for node in 0..54 {
        let Some((_, is_city)) = state.building_at(node).filter(|(s, _)| *s == seat) else { continue };
        let each = pips(state, node);
        (0..5).for_each(|r| out[r] += each[r] * if is_city { 2 } else { 1 });
    }
    out
}

pub(super) fn rivals(state: &State, seat: u8) -> impl Iterator<Item = u8> {
    (0..state.num_seats() as u8).filter(move |s| *s != seat)
}

fn any_legal(state: &State, from: u16, to: u16) -> bool {
    state.legal().iter().any(|a| (from..to).contains(&a.0))
}

fn lacking(hand: Counts, cost: Counts) -> f32 {
    (0..5).map(|r| f32::from(cost.get(r)) - f32::from(hand.get(r))).filter(|x| *x > 0.0).sum()
}

#[test]
fn hand_points_pieces_and_cards_are_those_of_the_state() {
    positions(2, |state, row| {
        let seat = state.actor().expect("somebody decides");
        let own = state.seat(seat);
        let most = |f: &dyn Fn(u8) -> u8| rivals(state, seat).map(f).max().unwrap_or(0);
        let mut pairs: Vec<(String, f32)> = Vec::new();
        let mut say = |name: &str, x: f32| pairs.push((name.to_owned(), x));
        for r in Resource::ALL {
            let i = r.index();
            say(&format!("own_{}", r.name()), own.hand.get(i).into());
            say(&format!("harbour_{}", r.name()), is_one(own.ports >> i & 1 == 1));
            say(&format!("bank_{}", r.name()), state.bank().get(i).into());
            let held = rivals(state, seat).map(|s| state.seat(s).hand.get(i)).sum::<u8>();
            say(&format!("rivals_{}", r.name()), held.into());
            say(&format!("income_{}", r.name()), income(state, seat)[i].into());
        }
        say("hand_size", own.hand.total().into());
        say("income", income(state, seat).iter().sum::<u8>().into());
        say("rival_income", most(&|s| income(state, s).iter().sum()).into());
        say("best_rate", Resource::ALL.map(|r| own.rate(r)).into_iter().min().unwrap_or(4).into());
        say("own_points", state.true_points(seat).into());
        say("rival_points", most(&|s| state.public_points(s)).into());
        let left = f32::from(state.config().victory_points) - f32::from(state.true_points(seat));
        say("points_to_win", left.max(0.0));
        say("settlements_built", own.settlements.count_ones() as f32);
        say("cities_built", own.cities.count_ones() as f32);
        say("roads_built", f32::from(15 - own.roads_left));
        say("settlements_left", own.settlements_left.into());
        say("open_spots", (own.road_nodes & state.settleable()).count_ones() as f32);
        say("road_length", own.road_length.into());
        say("rival_road_length", most(&|s| state.seat(s).road_length).into());
        say("has_longest_road", is_one(state.road_holder() == Some(seat)));
        say("knights_played", own.played[0].into());
        say("rival_knights", most(&|s| state.seat(s).played[0]).into());
        say("has_largest_army", is_one(state.army_holder() == Some(seat)));
        say("knights_held", own.dev.get(DevCard::Knight.index()).into());
        say("point_cards_held", own.dev.get(DevCard::VictoryPoint.index()).into());
        say("deck", state.deck().total().into());
        say("missing_road", lacking(own.hand, ROAD_COST));
        say("missing_settlement", lacking(own.hand, SETTLEMENT_COST));
        say("missing_city", lacking(own.hand, CITY_COST));
        say("missing_card", lacking(own.hand, DEV_COST));
        say("rival_hand", most(&|s| state.seat(s).hand.total()).into());
        say("num_seats", state.num_seats() as f32);
        say("own_turn", is_one(state.turn_seat() == seat));
        say("discards_left", state.discards()[usize::from(seat)].into());
        let robber = state.robber();
        let units = (0..54).filter(|n| NODE_TILES[usize::from(*n)] >> robber & 1 == 1);
        let units = units.filter_map(|n| state.building_at(n)).filter(|(s, _)| *s == seat);
        let units: u8 = units.map(|(_, is_city)| if is_city { 2 } else { 1 }).sum();
        say("robbed_pips", (ways(state.board().number(robber)) * units).into());
        for (name, x) in pairs {
            assert_eq!(value(row, &name), x, "{name} in {state:?}");
        }
    });
}

#[test]
fn predicates_of_phases_and_purchases_are_the_legal_actions() {
    let phases = [
        (Phase::SetupSettlement, "setup_settlement"),
        (Phase::SetupRoad, "setup_road"),
        (Phase::BeforeRoll, "before_roll"),
        (Phase::Main, "main_phase"),
        (Phase::FreeRoads, "placing_free_roads"),
        (Phase::Discard, "discarding"),
        (Phase::MoveRobber, "moving_robber"),
        (Phase::Draft, "drafting_offer"),
        (Phase::Answer, "answering_offer"),
        (Phase::CounterDraft, "drafting_counter"),
        (Phase::Confirm, "confirming_trade"),
    ];
    let mut seen = [0; 11];
    let mut held = [[0; 2]; 6];
    positions(3, |state, row| {
        for (i, (phase, name)) in phases.iter().enumerate() {
            assert_eq!(value(row, name), is_one(state.phase() == *phase), "{name}");
            seen[i] += u32::from(state.phase() == *phase);
        }
        let is_main = state.phase() == Phase::Main;
        let checks = [
            ("can_build_road", at::ROAD, at::ROLL, is_main),
            ("can_build_settlement", at::SETTLEMENT, at::CITY, is_main),
            ("can_build_city", at::CITY, at::ROAD, is_main),
            ("can_buy_card", at::BUY_DEV, at::KNIGHT, is_main),
            ("can_bank_trade", at::BANK, at::OFFER_GIVE, is_main && bank_has_all(state)),
            ("knight_playable", at::KNIGHT, at::ROAD_BUILDING, is_main || state.phase() == Phase::BeforeRoll),
        ];
        for (i, (name, from, to, is_time)) in checks.into_iter().enumerate() {
            if is_time {
                let is_legal = any_legal(state, from, to);
                assert_eq!(value(row, name), is_one(is_legal), "{name} in {state:?}");
                held[i][usize::from(is_legal)] += 1;
            }
        }
    });
    assert!(seen.iter().all(|n| *n > 20), "phases seen: {seen:?}");
    assert!(held.iter().flatten().all(|n| *n > 20), "cases seen: {held:?}");
}

/// Otherwise what a seat could pay for may not be there.
fn bank_has_all(state: &State) -> bool {
    state.bank().at_least(1) == 31
}

#[test]
fn the_nearest_purchase_and_what_the_bank_does_for_it() {
    let mut seen = [0; 4];
    positions(2, |state, row| {
        let own = state.seat(state.actor().expect("somebody decides"));
        let can_settle = own.road_nodes & state.settleable() != 0;
        let mut open = Vec::new();
        if can_settle && own.settlements_left > 0 {
            open.push((lacking(own.hand, SETTLEMENT_COST), 0, SETTLEMENT_COST));
        }
        if own.settlements != 0 && own.cities_left > 0 {
            open.push((lacking(own.hand, CITY_COST), 1, CITY_COST));
        }
        if !can_settle && own.roads_left > 0 {
            open.push((lacking(own.hand, ROAD_COST), 2, ROAD_COST));
        }
        open.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let (missing, which, cost) =
            open.first().copied().unwrap_or((lacking(own.hand, DEV_COST), 3, DEV_COST));
        seen[which] += 1;
        assert_eq!(value(row, "missing_goal"), missing);
        for (i, name) in ["goal_is_settlement", "goal_is_city", "goal_is_road"].into_iter().enumerate() {
            assert_eq!(value(row, name), is_one(i == which), "{name}");
        }
        let trades = Resource::ALL
            .map(|r| own.hand.get(r.index()).saturating_sub(cost.get(r.index())) / own.rate(r))
            .iter()
            .sum::<u8>();
        assert_eq!(value(row, "goal_by_bank"), is_one(missing > 0.0 && f32::from(trades) >= missing));
    });
    assert!(seen[..3].iter().all(|n| *n > 100), "{seen:?}");
}

#[test]
fn spots_one_road_away_are_those_of_a_walk() {
    let mut some = 0;
    positions(1, |state, row| {
        let seat = state.actor().expect("somebody decides");
        let own = state.seat(seat);
        let mut nodes = own.road_nodes;
        let foreign = state.occupied() & !own.buildings();
        for node in (0..54u8).filter(|n| ((own.road_nodes | own.buildings()) & !foreign) >> n & 1 == 1) {
            for far in (0..54u8).filter(|f| NODE_NEAR[usize::from(node)] >> f & 1 == 1) {
                let edge = agon_settlers::topology::edge_between(node, far).expect("neighbours");
                if state.board().edge_set() >> edge & 1 == 1 && state.road_at(edge).is_none() {
                    nodes |= 1 << far;
                }
            }
        }
        let open = nodes & state.settleable();
        assert_eq!(value(row, "open_spots_one"), open.count_ones() as f32);
        some += open.count_ones();
    });
    assert!(some > 1000);
}
