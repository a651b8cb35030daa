//! What holds in every state under every option, recounted from the public facts and the fixed geometry.

use agon_settlers::topology::{
    EDGE_NODES, EDGES, NODE_EDGE_SET, NODE_NEAR, NODES, PORT_NODES, PORTS, TILE_NODES,
};
use agon_settlers::{BANK_EACH, DECK, GameOutcome, Phase, Port, Seat, State};

/// The first law that `state` breaks, in words.
pub(crate) fn broken(state: &State) -> Option<String> {
    let laws = [cards, board, seats, awards, ending];
    laws.iter().find_map(|law| law(state)).map(|what| {
        format!("{what}; phase {:?}, step {}, options {:?}", state.phase(), state.steps(), state.config())
    })
}

fn says(broken: bool, what: impl FnOnce() -> String) -> Option<String> {
    broken.then(what)
}

/// 19 cards of each resource and the whole development deck are somewhere; the cards bought this turn are held.
fn cards(state: &State) -> Option<String> {
    let n = state.num_seats() as Seat;
    for r in 0..5 {
        let resources: u8 = (0..n).map(|s| state.seat(s).hand.get(r)).sum::<u8>() + state.bank().get(r);
        if resources != BANK_EACH {
            return Some(format!("{resources} cards of resource {r}, not {BANK_EACH}"));
        }
        let played = |s: Seat| state.seat(s).played.get(r).copied().unwrap_or(0);
        let developments: u8 =
            (0..n).map(|s| state.seat(s).dev.get(r) + played(s)).sum::<u8>() + state.deck().get(r);
        if developments != DECK.get(r) {
            return Some(format!("{developments} development cards of kind {r}, not {}", DECK.get(r)));
        }
    }
    says(!state.seat(state.turn_seat()).dev.covers(state.bought()), || "bought cards are not held".into())
}

/// Nobody shares a place, buildings keep their distance, and the sets over all seats are unions.
fn board(state: &State) -> Option<String> {
    let (mut buildings, mut roads) = (0u64, 0u128);
    for s in 0..state.num_seats() as Seat {
        let own = state.seat(s);
        let twice = own.settlements & own.cities | buildings & own.buildings();
        if twice != 0 || roads & own.roads != 0 {
            return Some(format!("seat {s} stands where something stood: nodes {twice:#x}"));
        }
        buildings |= own.buildings();
        roads |= own.roads;
    }
    let (all_nodes, all_edges) = (state.board().node_set(), state.board().edge_set());
    if buildings & !all_nodes != 0 || roads & !all_edges != 0 {
        return Some("a piece beside the board".into());
    }
    if (buildings, roads) != (state.occupied(), state.roads()) {
        return Some("the sets over all seats are not the unions of the seats".into());
    }
    let mut free = all_nodes;
    for n in (0..NODES).filter(|n| buildings >> n & 1 == 1) {
        if NODE_NEAR[n] & buildings != 0 {
            return Some(format!("node {n} has a neighbour"));
        }
        free &= !(NODE_NEAR[n] | 1 << n);
    }
    says(free != state.settleable(), || format!("settleable {:#x}, not {free:#x}", state.settleable()))
}

/// Pieces, points and everything that each seat keeps, derived from where its pieces stand.
fn seats(state: &State) -> Option<String> {
    (0..state.num_seats() as Seat).find_map(|s| {
        let own = state.seat(s);
        let (settlements, cities) = (own.settlements.count_ones() as u8, own.cities.count_ones() as u8);
        let mut touched = 0u64;
        for e in (0..EDGES).filter(|e| own.roads >> e & 1 == 1) {
            touched |= 1 << EDGE_NODES[e][0] | 1 << EDGE_NODES[e][1];
        }
        let loose = (0..NODES).any(|n| {
            let settled = own.buildings() >> n & 1 == 1;
            let just_placed = state.phase() == Phase::SetupRoad && usize::from(state.last_node()) == n;
            settled && !just_placed && NODE_EDGE_SET[n] & own.roads == 0
        });
        let tiles = TILE_NODES.iter().enumerate().take(state.board().tile_count()).fold(0u32, |set, (t, nodes)| {
            set | u32::from(nodes.iter().any(|n| own.buildings() >> n & 1 == 1)) << t
        });
        let ports = (0..PORTS).filter(|&p| PORT_NODES[p].iter().any(|n| own.buildings() >> n & 1 == 1)).fold(
            0u8,
            |set, p| match state.board().ports()[p] {
                Port::None => set,
                Port::Of(r) => set | 1 << r.index(),
                Port::Any => set | 1 << 5,
            },
        );
        let cards = 2 * u8::from(state.road_holder() == Some(s)) + 2 * u8::from(state.army_holder() == Some(s));
        let visible = settlements + 2 * cities + cards;
        let seen = [own.settlements_left, own.cities_left, own.roads_left, own.points, state.true_points(s), own.ports];
        let due = [5 - settlements, 4 - cities, 15 - own.roads.count_ones() as u8, visible, visible + own.dev.get(4), ports];
        if seen != due {
            return Some(format!("seat {s} has (settlements, cities and roads left, points, true points, harbours) {seen:?}, not {due:?}"));
        }
        if (own.road_nodes, own.tiles) != (touched, tiles) {
            return Some(format!("seat {s} keeps other nodes or tiles than its pieces touch"));
        }
        says(loose, || format!("a building of seat {s} has no road"))
    })
}

/// Least lengths and numbers of knights, and that nobody surpasses a holder.
fn awards(state: &State) -> Option<String> {
    let seats = || 0..state.num_seats() as Seat;
    let length = |s: Seat| state.seat(s).road_length;
    let knights = |s: Seat| state.seat(s).played[0];
    if let Some(h) =
        state.army_holder().filter(|&h| knights(h) < 3 || seats().any(|s| knights(s) > knights(h)))
    {
        return Some(format!("seat {h} holds the army card with {} knights", knights(h)));
    }
    let nobody = state.army_holder().is_none() && seats().any(|s| knights(s) >= 3);
    if nobody {
        return Some("three knights and no holder of the army card".into());
    }
    // The recorded engine gives the road card away by another rule.
    if state.config().compat.lr_holder_after_cut || state.config().compat.lr_blocked_end_uncounted {
        return None;
    }
    if let Some(h) = state.road_holder().filter(|&h| length(h) < 5 || seats().any(|s| length(s) > length(h)))
    {
        return Some(format!("seat {h} holds the road card with length {}", length(h)));
    }
    let best = seats().map(length).max().unwrap_or(0);
    let alone = seats().filter(|&s| length(s) == best).count() == 1;
    says(state.road_holder().is_none() && best >= 5 && alone, || {
        format!("nobody holds the road card of length {best}")
    })
}

/// The game is over exactly when it says so, by a winner with the points or by a limit of turns.
fn ending(state: &State) -> Option<String> {
    let config = state.config();
    let quiet = state.legal().is_empty() && state.actor().is_none();
    match state.outcome() {
        None => {
            let stuck = state.pending().is_none() && (state.legal().is_empty() || state.actor().is_none());
            let goal = config.victory_points;
            let late = state.pending().is_none() && state.true_points(state.turn_seat()) >= goal;
            says(stuck, || "nobody can move and the game is not over".into())
                .or_else(|| says(late, || "the seat on turn has the points and the game goes on".into()))
                .or_else(|| {
                    says(state.phase() == Phase::Over, || "the phase is Over without an outcome".into())
                })
        }
        Some(outcome) => {
            let due = match outcome {
                GameOutcome::Winner(w) => {
                    state.true_points(w) >= config.victory_points
                        && (w == state.turn_seat() || config.compat.win_any_time)
                }
                GameOutcome::Truncated => {
                    let setup = 2 * u32::from(config.seats) - 2;
                    config.turn_cap > 0 && state.turns() >= config.turn_cap
                        || config.compat.turn_limit_1000 && state.turns() + setup >= 1000
                }
            };
            says(!due, || format!("the game ended as {outcome:?}")).or_else(|| {
                says(!quiet || state.phase() != Phase::Over, || "moves are left after the end".into())
            })
        }
    }
}
