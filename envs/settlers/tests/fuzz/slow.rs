//! The rules once more, slowly and from the public facts alone: no cache, no bit trick of the crate.

use agon_settlers::topology::{NODES, TILE_NODES};
use agon_settlers::{Action, Board, Phase, Port, Resource, Seat, State};
use std::collections::{BTreeMap, BTreeSet};

/// Neighbours of every node on the board in play, read off the tiles.
fn neighbours(board: &Board) -> BTreeMap<u8, BTreeSet<u8>> {
    let mut near: BTreeMap<u8, BTreeSet<u8>> = BTreeMap::new();
    for nodes in &TILE_NODES[..board.tile_count()] {
        for c in 0..6 {
            let (a, b) = (nodes[c], nodes[(c + 1) % 6]);
            near.entry(a).or_default().insert(b);
            near.entry(b).or_default().insert(a);
        }
    }
    near
}

/// What the tests need to know of a position.
pub(crate) struct Facts<'a> {
    pub(crate) state: &'a State,
    near: BTreeMap<u8, BTreeSet<u8>>,
    /// Node pair (low first) to owner.
    roads: BTreeMap<(u8, u8), Seat>,
    /// Node to owner and points.
    pub(crate) buildings: BTreeMap<u8, (Seat, u8)>,
}

fn pair(a: u8, b: u8) -> (u8, u8) {
    (a.min(b), a.max(b))
}

fn road(a: u8, b: u8) -> Action {
    Action::parse(&format!("build road {a}-{b}")).expect("an edge")
}

impl<'a> Facts<'a> {
    pub(crate) fn new(state: &'a State) -> Self {
        let near = neighbours(state.board());
        let mut roads = BTreeMap::new();
        for (&a, ends) in &near {
            for &b in ends.iter().filter(|&&b| b > a) {
                let Action::Road(edge) = road(a, b) else { unreachable!("a road") };
                roads.extend(state.road_at(edge).map(|owner| ((a, b), owner)));
            }
        }
        let buildings = (0..NODES as u8)
            .filter_map(|n| state.building_at(n).map(|(owner, city)| (n, (owner, 1 + u8::from(city)))))
            .collect();
        Self { state, near, roads, buildings }
    }

    pub(crate) fn road_count(&self, seat: Seat) -> usize {
        self.roads.values().filter(|&&s| s == seat).count()
    }

    fn hand(&self, seat: Seat) -> [u8; 5] {
        self.state.seat(seat).hand.array()
    }

    /// Longest trail by trying every start and every way.
    pub(crate) fn longest_road(&self, seat: Seat) -> u8 {
        let own: BTreeSet<(u8, u8)> =
            self.roads.iter().filter(|(_, s)| **s == seat).map(|(e, _)| *e).collect();
        let starts: BTreeSet<u8> = own.iter().flat_map(|&(a, b)| [a, b]).collect();
        starts.iter().map(|&n| self.walk(seat, n, &mut own.clone(), true)).max().unwrap_or(0)
    }

    fn walk(&self, seat: Seat, node: u8, left: &mut BTreeSet<(u8, u8)>, is_start: bool) -> u8 {
        if !is_start && self.buildings.get(&node).is_some_and(|b| b.0 != seat) {
            return 0;
        }
        let mut best = 0;
        for &far in &self.near[&node] {
            if left.remove(&pair(node, far)) {
                best = best.max(1 + self.walk(seat, far, left, false));
                left.insert(pair(node, far));
            }
        }
        best
    }

    fn may_settle(&self, node: u8) -> bool {
        !self.buildings.contains_key(&node)
            && !self.near[&node].iter().any(|n| self.buildings.contains_key(n))
    }

    fn touches_road(&self, seat: Seat, node: u8) -> bool {
        self.near[&node].iter().any(|&far| self.roads.get(&pair(node, far)) == Some(&seat))
    }

    fn road_places(&self, seat: Seat) -> Vec<Action> {
        let leads = |node: u8| match self.buildings.get(&node) {
            Some(b) => b.0 == seat,
            None => self.touches_road(seat, node),
        };
        let mut out = Vec::new();
        for (&a, ends) in &self.near {
            for &b in ends.iter().filter(|&&b| b > a) {
                if !self.roads.contains_key(&(a, b)) && (leads(a) || leads(b)) {
                    out.push(road(a, b));
                }
            }
        }
        out
    }

    fn rates(&self, seat: Seat, give: usize) -> Vec<u8> {
        let mut out = vec![4];
        for (site, port) in self.state.board().ports().iter().enumerate() {
            let nodes = agon_settlers::topology::PORT_NODES[site];
            if nodes.iter().any(|n| self.buildings.get(n).is_some_and(|b| b.0 == seat)) {
                match port {
                    Port::Any => out.push(3),
                    Port::Of(r) if r.index() == give => out.push(2),
                    _ => {}
                }
            }
        }
        out.sort_unstable();
        out.dedup();
        out
    }

    /// The legal set by the rulebook (no compat switch).
    pub(crate) fn legal(&self) -> BTreeSet<u16> {
        let state = self.state;
        let Some(seat) = state.actor() else { return BTreeSet::new() };
        let actions = match state.phase() {
            Phase::Over => vec![],
            Phase::SetupSettlement => {
                self.near.keys().filter(|&&n| self.may_settle(n)).map(|&n| Action::Settlement(n)).collect()
            }
            Phase::SetupRoad => {
                let n = state.last_node();
                let free = self.near[&n].iter().filter(|&&far| !self.roads.contains_key(&pair(n, far)));
                free.map(|&far| road(n, far)).collect()
            }
            Phase::BeforeRoll => {
                let mut out = self.cards(seat);
                out.push(Action::Roll);
                out
            }
            Phase::Main => self.main(seat),
            Phase::FreeRoads => self.road_places(seat),
            Phase::Discard => {
                let hand = self.hand(seat);
                Resource::ALL.into_iter().filter(|r| hand[r.index()] > 0).map(Action::Discard).collect()
            }
            Phase::MoveRobber => self.robber(seat),
            Phase::Draft | Phase::CounterDraft => self.draft(seat),
            Phase::Answer => self.answers(seat),
            Phase::Confirm => self.confirms(seat),
        };
        actions.into_iter().map(|a| a.id().0).collect()
    }

    fn main(&self, seat: Seat) -> Vec<Action> {
        let (state, hand) = (self.state, self.hand(seat));
        let affords = |cost: [u8; 5]| (0..5).all(|r| hand[r] >= cost[r]);
        let own =
            |points: u8| self.buildings.iter().filter(move |(_, b)| **b == (seat, points)).map(|(n, _)| *n);
        let mut out = self.cards(seat);
        out.push(Action::EndTurn);
        if affords([1, 1, 0, 0, 0]) && self.road_count(seat) < 15 {
            out.extend(self.road_places(seat));
        }
        if affords([1, 1, 1, 1, 0]) && own(1).count() < 5 {
            let places = self.near.keys().filter(|&&n| self.may_settle(n) && self.touches_road(seat, n));
            out.extend(places.map(|&n| Action::Settlement(n)));
        }
        if affords([0, 0, 0, 2, 3]) && own(2).count() < 4 {
            out.extend(own(1).map(Action::City));
        }
        if affords([0, 0, 1, 1, 1]) && state.deck().array().iter().any(|&n| n > 0) {
            out.push(Action::BuyDev);
        }
        let bank = state.bank().array();
        for give in Resource::ALL {
            for rate in self.rates(seat, give.index()) {
                for want in Resource::ALL.into_iter().filter(|&w| w != give && bank[w.index()] > 0) {
                    if hand[give.index()] >= rate {
                        out.push(Action::Bank { rate, give, want });
                    }
                }
            }
        }
        if state.config().player_trade && state.offers_made() < state.config().max_offers {
            out.extend(self.gives(seat, [0; 5]));
        }
        out
    }

    fn cards(&self, seat: Seat) -> Vec<Action> {
        let state = self.state;
        let (dev, bought, bank) =
            (state.seat(seat).dev.array(), state.bought().array(), state.bank().array());
        let owns = |k: usize| !state.has_played_card() && dev[k] > bought[k];
        let mut out = Vec::new();
        if owns(0) {
            out.push(Action::Knight);
        }
        if owns(1) {
            for (i, r) in Resource::ALL.into_iter().enumerate() {
                for s in Resource::ALL.into_iter().skip(i) {
                    let enough = if r == s { bank[i] >= 2 } else { bank[i] >= 1 && bank[s.index()] >= 1 };
                    out.extend(enough.then_some(Action::YearOfPlenty(r, s)));
                }
                if bank.iter().sum::<u8>() == 1 && bank[i] == 1 {
                    out.push(Action::YearOfPlentyOne(r));
                }
            }
        }
        if owns(2) {
            out.extend(Resource::ALL.map(Action::Monopoly));
        }
        if owns(3) && self.road_count(seat) < 15 && !self.road_places(seat).is_empty() {
            out.push(Action::RoadBuilding);
        }
        out
    }

    fn robber(&self, seat: Seat) -> Vec<Action> {
        let state = self.state;
        let owners = |tile: u8| -> BTreeSet<Seat> {
            let nodes = TILE_NODES[usize::from(tile)];
            nodes.iter().filter_map(|n| self.buildings.get(n)).map(|b| b.0).filter(|&s| s != seat).collect()
        };
        let all: Vec<u8> = (0..state.board().tile_count() as u8).filter(|&t| t != state.robber()).collect();
        let mut tiles = all.clone();
        if state.config().friendly_robber {
            tiles.retain(|&t| owners(t).iter().all(|&s| state.public_points(s) >= 3));
            if tiles.is_empty() {
                tiles = all;
            }
        }
        let mut out = Vec::new();
        for tile in tiles {
            let victims: Vec<Seat> =
                owners(tile).into_iter().filter(|&s| self.hand(s).iter().any(|&n| n > 0)).collect();
            if victims.is_empty() {
                out.push(Action::Robber { tile, victim: 0 });
            }
            out.extend(victims.iter().map(|&s| Action::Robber { tile, victim: self.offset(seat, s) }));
        }
        out
    }

    fn offset(&self, from: Seat, to: Seat) -> u8 {
        let n = self.state.config().seats;
        (to + n - from) % n
    }

    /// What the other seats hold between them, counted from their hands.
    fn elsewhere(&self, seat: Seat) -> [u8; 5] {
        let others = (0..self.state.config().seats).filter(|&s| s != seat);
        others.fold([0; 5], |sum, s| std::array::from_fn(|r| sum[r] + self.hand(s)[r]))
    }

    fn gives(&self, seat: Seat, give: [u8; 5]) -> Vec<Action> {
        let (hand, elsewhere) = (self.hand(seat), self.elsewhere(seat));
        let fits = |r: Resource| {
            let k = r.index();
            let wantable = (0..5).any(|w| w != k && give[w] == 0 && elsewhere[w] > 0);
            give[k] < hand[k] && give[k + 1..].iter().all(|&n| n == 0) && wantable
        };
        if give.iter().sum::<u8>() == agon_settlers::MAX_SIDE {
            return vec![];
        }
        Resource::ALL.into_iter().filter(|&r| fits(r)).map(Action::OfferGive).collect()
    }

    fn draft(&self, seat: Seat) -> Vec<Action> {
        let draft = self.state.trade().draft;
        let (give, want) = (draft.give.array(), draft.want.array());
        let (gives, wants) = (give.iter().sum::<u8>(), want.iter().sum::<u8>());
        let elsewhere = self.elsewhere(seat);
        let mut out = vec![Action::OfferDrop];
        if wants == 0 {
            out.extend(self.gives(seat, give));
        } else {
            out.push(Action::OfferSend);
        }
        if gives > 0 && wants < agon_settlers::MAX_SIDE {
            for r in Resource::ALL {
                let k = r.index();
                if give[k] == 0 && want[k] < elsewhere[k] && want[k + 1..].iter().all(|&n| n == 0) {
                    out.push(Action::OfferWant(r));
                }
            }
        }
        out
    }

    fn answers(&self, seat: Seat) -> Vec<Action> {
        let (state, hand) = (self.state, self.hand(seat));
        let want = state.trade().offer.want.array();
        let mut out = vec![Action::Reject];
        if (0..5).all(|r| hand[r] >= want[r]) {
            out.push(Action::Accept);
        }
        let may = state.config().counter_offers && !state.trade().counter_used;
        if may && !self.gives(seat, [0; 5]).is_empty() {
            out.push(Action::Counter);
        }
        out
    }

    fn confirms(&self, seat: Seat) -> Vec<Action> {
        let trade = self.state.trade();
        let mut out = vec![Action::CancelTrade];
        for s in (0..self.state.config().seats).filter(|&s| s != seat) {
            let counter = trade.counters[usize::from(s)];
            let (give, want) = match (trade.accepted >> s & 1, trade.countered >> s & 1) {
                (_, 1) => (counter.want.array(), counter.give.array()),
                (1, _) => (trade.offer.give.array(), trade.offer.want.array()),
                _ => continue,
            };
            if (0..5).all(|r| self.hand(seat)[r] >= give[r] && self.hand(s)[r] >= want[r]) {
                out.push(Action::Confirm(self.offset(seat, s)));
            }
        }
        out
    }
}
