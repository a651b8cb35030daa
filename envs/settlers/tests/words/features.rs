//! Features against the board and the state.

use super::facts::{income, pips, rivals, ways};
use super::{feature, is_one, positions, value};
use agon_settlers::topology::{EDGE_NODES, NODE_NEAR, NODE_TILES, edge_between};
use agon_settlers::{Port, Resource, State, longest};
use std::collections::BTreeSet;

/// Neighbours of a node on the board.
fn near(state: &State, node: u8) -> impl Iterator<Item = u8> {
    let set = NODE_NEAR[usize::from(node)] & state.board().node_set();
    (0..54).filter(move |n| set >> n & 1 == 1)
}

fn edge(a: u8, b: u8) -> u8 {
    edge_between(a, b).expect("neighbours")
}

/// Nodes one edge from `from`, over free edges (and own roads of `own` where given), not through foreign buildings.
fn walk(state: &State, from: &BTreeSet<u8>, seat: u8, own_too: bool) -> BTreeSet<u8> {
    let mut out = BTreeSet::new();
    for &node in from {
        if state.building_at(node).is_some_and(|(s, _)| s != seat) {
            continue;
        }
        for far in near(state, node) {
            let at = edge(node, far);
            let on_board = state.board().edge_set() >> at & 1 == 1;
            let owner = state.road_at(at);
            if on_board && (owner.is_none() || own_too && owner == Some(seat)) {
                out.insert(far);
            }
        }
    }
    out
}

fn is_open(state: &State, node: u8) -> bool {
    state.settleable() >> node & 1 == 1
}

fn worth(state: &State, seat: u8, node: u8) -> f32 {
    let (pips, own) = (pips(state, node), income(state, seat));
    let fresh = (0..5).filter(|&r| pips[r] > 0 && own[r] == 0).count();
    let harbour = state.board().ports_at(node) != 0;
    f32::from(pips.iter().sum::<u8>()) + 1.5 * fresh as f32 + is_one(harbour)
}

fn best(state: &State, seat: u8, nodes: impl IntoIterator<Item = u8>) -> f32 {
    nodes.into_iter().filter(|n| is_open(state, *n)).map(|n| worth(state, seat, n)).fold(0.0, f32::max)
}

/// Every so many positions; the rest would say the same.
fn sometimes(every: u32, mut each: impl FnMut(&State, u8, &[u8])) {
    let mut count = 0;
    positions(1, |state, row| {
        count += 1;
        if count % every == 0 {
            each(state, state.actor().expect("somebody decides"), row);
        }
    });
}

#[test]
fn nodes_are_as_on_the_board() {
    let mut cuts = 0.0;
    sometimes(41, |state, seat, row| {
        let own_income = income(state, seat);
        let own = state.seat(seat);
        let own_nodes = |set: u64| (0..54u8).filter(move |n| set >> n & 1 == 1);
        assert_eq!(value(row, "best_spot"), best(state, seat, own_nodes(own.road_nodes)));
        let one = walk(state, &own_nodes(own.road_nodes | own.buildings()).collect(), seat, false);
        assert_eq!(value(row, "best_spot_one"), best(state, seat, own_nodes(own.road_nodes).chain(one)));
        let upgrades = own_nodes(own.settlements).map(|n| pips(state, n).iter().sum::<u8>());
        assert_eq!(value(row, "best_city"), f32::from(upgrades.max().unwrap_or(0)));
        let network: BTreeSet<u8> =
            (0..54).filter(|n| (own.road_nodes | own.buildings()) >> n & 1 == 1).collect();
        for node in (0..54).filter(|n| state.board().node_set() >> n & 1 == 1) {
            let is = |name: &str, x: f32| {
                let seen = feature(row, "node", node, name);
                assert!((seen - x).abs() < 1e-4, "{name} of node {node} is {seen}, not {x}, in {state:?}");
            };
            let pips = pips(state, node);
            is("pips", pips.iter().sum::<u8>().into());
            Resource::ALL.into_iter().for_each(|r| is(r.name(), pips[r.index()].into()));
            is("resources", pips.iter().filter(|p| **p > 0).count() as f32);
            let fresh: Vec<usize> = (0..5).filter(|&r| pips[r] > 0 && own_income[r] == 0).collect();
            is("new_resources", fresh.len() as f32);
            is("new_pips", fresh.iter().map(|r| f32::from(pips[*r])).sum());
            is("worth", worth(state, seat, node));
            let root = |p: u8| f32::from(p).sqrt();
            is("evenness_gain", (0..5).map(|r| root(own_income[r] + pips[r]) - root(own_income[r])).sum());
            let ports = state.board().ports_at(node);
            is("harbour", is_one(ports != 0));
            is("harbour_any", is_one(ports >> 5 & 1 == 1));
            let two = (0..5).find(|r| ports >> r & 1 == 1);
            is("harbour_pips", two.map_or(0.0, |r| (own_income[r] + pips[r]).into()));
            is("is_open", is_one(is_open(state, node)));
            let mut reached = BTreeSet::from([node]);
            let mut distance = 0;
            while distance < 4 && reached.is_disjoint(&network) {
                let further = walk(state, &reached, seat, false);
                reached.extend(further);
                distance += 1;
            }
            is("distance", distance as f32);
            let mut two = walk(state, &walk(state, &BTreeSet::from([node]), seat, true), seat, true);
            two.remove(&node);
            is("next_spots", two.iter().filter(|n| is_open(state, **n)).count() as f32);
            is("next_worth", best(state, seat, two));
            let roads =
                |s: u8| near(state, node).filter(|n| state.road_at(edge(node, *n)) == Some(s)).count();
            is("rivals_near", rivals(state, seat).filter(|s| roads(*s) > 0).count() as f32);
            let cut = rivals(state, seat).filter(|s| roads(*s) > 1).count() as f32;
            is("cuts", cut);
            cuts += cut;
            let is_robbed = NODE_TILES[usize::from(node)] >> state.robber() & 1 == 1;
            is("robbed_pips", f32::from(ways(state.board().number(state.robber()))) * is_one(is_robbed));
        }
    });
    assert!(cuts > 10.0);
}

#[test]
fn edges_lead_where_the_board_says() {
    let mut gains = 0.0;
    sometimes(41, |state, seat, row| {
        let own = state.seat(seat);
        let network = own.road_nodes | own.buildings();
        let foreign = state.occupied() & !own.buildings();
        for e in (0..72).filter(|e| state.board().edge_set() >> e & 1 == 1) {
            let is = |name: &str, x: f32| {
                assert_eq!(feature(row, "edge", e, name), x, "{name} of edge {e} in {state:?}");
            };
            let outside = |n: &u8| network >> n & 1 == 0;
            let ends: BTreeSet<u8> = EDGE_NODES[usize::from(e)].into_iter().filter(outside).collect();
            let mut one = walk(state, &ends, seat, false);
            one.retain(|n| outside(n) && !EDGE_NODES[usize::from(e)].contains(n));
            let mut two = walk(state, &one, seat, false);
            two.retain(outside);
            is("fresh_ends", ends.len() as f32);
            is("ways_on", one.len() as f32);
            is("spot", best(state, seat, ends.clone()));
            is("next_spot", best(state, seat, one.clone()));
            is("far_spot", best(state, seat, two.clone()));
            let all: BTreeSet<u8> = ends.iter().chain(&one).chain(&two).copied().collect();
            is("spots", all.iter().filter(|n| is_open(state, **n)).count() as f32);
            let grown = longest(own.roads | 1 << e, foreign);
            is("road_gain", f32::from(grown) - f32::from(own.road_length));
            gains += f32::from(grown) - f32::from(own.road_length);
            let touches = |s: &u8| {
                let at = |n: &u8| near(state, *n).any(|far| state.road_at(edge(*n, far)) == Some(*s));
                ends.iter().any(at)
            };
            is("rivals_at_end", rivals(state, seat).filter(touches).count() as f32);
            is("end_built", is_one(ends.iter().any(|n| foreign >> n & 1 == 1)));
            let harbour = |n: &u8| is_open(state, *n) && state.board().ports_at(*n) != 0;
            is("to_harbour", is_one(ends.iter().chain(&one).any(harbour)));
            let sum = |n: &u8| pips(state, *n).iter().sum::<u8>();
            is("end_pips", ends.iter().map(sum).max().unwrap_or(0).into());
        }
    });
    assert!(gains > 100.0);
}

#[test]
fn tiles_resources_and_rivals_are_those_of_the_state() {
    sometimes(17, |state, seat, row| {
        let board = state.board();
        let most = rivals(state, seat).map(|s| state.public_points(s)).max().unwrap_or(0);
        let target = f32::from(state.config().victory_points);
        let mut on_board = [0.0; 5];
        for t in 0..board.tile_count() as u8 {
            let is = |name: &str, x: f32| {
                let seen = feature(row, "tile", t, name);
                assert!((seen - x).abs() < 1e-4, "{name} of tile {t} is {seen}, not {x}, in {state:?}");
            };
            let pips = f32::from(ways(board.number(t)));
            let cards = |s: u8| {
                let nodes = (0..54).filter(|n| NODE_TILES[usize::from(*n)] >> t & 1 == 1);
                let units = nodes.filter_map(|n| state.building_at(n)).filter(|(owner, _)| *owner == s);
                units.map(|(_, is_city)| if is_city { 2.0 } else { 1.0 }).sum::<f32>()
            };
            is("pips", pips);
            is("number", board.number(t).into());
            is("desert", is_one(board.resource(t).is_none()));
            for r in Resource::ALL {
                is(r.name(), is_one(board.resource(t) == Some(r)));
                on_board[r.index()] += pips * is_one(board.resource(t) == Some(r));
            }
            is("has_robber", is_one(state.robber() == t));
            is("own_cards", cards(seat));
            is("own_block", cards(seat) * pips);
            is("rival_cards", rivals(state, seat).map(cards).sum());
            is("rival_block", pips * rivals(state, seat).map(cards).sum::<f32>());
            let leaders = rivals(state, seat).filter(|s| state.public_points(*s) == most);
            is("leader_block", pips * leaders.map(cards).sum::<f32>());
            let weighed = |s: u8| cards(s) * f32::from(state.public_points(s)) / target;
            is("points_block", pips * rivals(state, seat).map(weighed).sum::<f32>());
            let hands: Vec<u8> = rivals(state, seat)
                .filter(|s| cards(*s) > 0.0)
                .map(|s| state.seat(s).hand.total())
                .filter(|hand| *hand > 0)
                .collect();
            let open = (0..54).filter(|n| NODE_TILES[usize::from(*n)] >> t & 1 == 1 && is_open(state, *n));
            is("open_spots", open.count() as f32);
            let goal = super::moves::goal(row);
            is("goal_cards", board.resource(t).map_or(0.0, |r| goal[r.index()].into()));
            is("victims", hands.len() as f32);
            is("victim_hand", hands.into_iter().max().unwrap_or(0).into());
        }
        let own = state.seat(seat);
        let mean = on_board.iter().sum::<f32>() / 5.0;
        for r in Resource::ALL {
            let i = r.index();
            let is = |name: &str, x: f32| {
                let seen = feature(row, "resource", i as u8, name);
                assert!((seen - x).abs() < 1e-4, "{name} of {} is {seen}, not {x}", r.name());
            };
            is("own", own.hand.get(i).into());
            is("bank", state.bank().get(i).into());
            is("rivals", rivals(state, seat).map(|s| f32::from(state.seat(s).hand.get(i))).sum());
            is("rate", own.rate(r).into());
            is("income", income(state, seat)[i].into());
            let goal = super::moves::goal(row)[i];
            is("needed", goal.saturating_sub(own.hand.get(i)).into());
            is("spare", own.hand.get(i).saturating_sub(goal).into());
            is("spare_trades", (own.hand.get(i).saturating_sub(goal) / own.rate(r)).into());
            is("board_pips", on_board[i]);
            is("scarcity", (mean / on_board[i]).clamp(0.5, 2.0));
            is(
                "needed_city",
                [0.0, 0.0, 0.0, 2.0 - f32::from(own.hand.get(3)), 3.0 - f32::from(own.hand.get(4))][i]
                    .max(0.0),
            );
        }
        for k in 0..4u8 {
            let other = (seat + k) % state.num_seats() as u8;
            let is_there = k > 0 && usize::from(k) < state.num_seats();
            let is = |name: &str, x: f32| {
                let x = if is_there { x } else { 0.0 };
                assert_eq!(feature(row, "rival", k, name), x, "{name} of rival {k} in {state:?}");
            };
            is("points", state.public_points(other).into());
            is("is_leader", is_one(state.public_points(other) == most));
            is("hand_size", state.seat(other).hand.total().into());
            is("cards", state.seat(other).dev.total().into());
            is("knights", state.seat(other).played[0].into());
            is("road_length", state.seat(other).road_length.into());
            is("has_longest_road", is_one(state.road_holder() == Some(other)));
            is("has_largest_army", is_one(state.army_holder() == Some(other)));
            is("income", income(state, other).iter().sum::<u8>().into());
        }
        assert!(board.ports().iter().all(|p| *p != Port::None) || state.is_mini());
    });
}
