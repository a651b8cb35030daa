//! Placing pieces, in the setup and later.

use crate::counts::Counts;
use crate::state::{CITY_COST, Phase, ROAD_COST, SETTLEMENT_COST, State};
use crate::topology::{
    EDGE_NODES, EdgeId, NO_LINK, NODE_EDGE_SET, NODE_LINKS, NODE_NEAR, NODE_TILES, NodeId, Seat,
};

impl State {
    /// Moves `cost` from the actor to the bank.
    #[inline]
    pub(super) fn pay(&mut self, cost: Counts) {
        let hand = &mut self.seats[usize::from(self.actor)].hand;
        *hand = hand.minus(cost);
        self.bank = self.bank.plus(cost);
    }

    pub(super) fn settlement(&mut self, node: NodeId) {
        let seat = self.actor;
        self.place_settlement(seat, node);
        if self.phase == Phase::SetupSettlement {
            self.last_node = node;
            self.phase = Phase::SetupRoad;
            if self.placed >= self.config.seats {
                self.pay_setup(seat, node);
            }
        } else {
            self.pay(SETTLEMENT_COST);
            self.settle_roads_after_building(seat, node);
        }
    }

    /// The second settlement pays one card for each producing tile around it.
    fn pay_setup(&mut self, seat: Seat, node: NodeId) {
        let mut tiles = NODE_TILES[usize::from(node)] & self.board.tile_set();
        while tiles != 0 {
            if let Some(r) = self.board.resource(tiles.trailing_zeros() as u8) {
                let card = Counts::one(r.index());
                self.seats[usize::from(seat)].hand = self.seats[usize::from(seat)].hand.plus(card);
                self.bank = self.bank.minus(card);
            }
            tiles &= tiles - 1;
        }
    }

    /// Puts a settlement on the board: pieces, points and caches, opponents' caches included.
    pub(crate) fn place_settlement(&mut self, seat: Seat, node: NodeId) {
        let bit = 1u64 << node;
        let n = usize::from(node);
        let edges = NODE_EDGE_SET[n] & self.board.edge_set() & !self.roads;
        let ports = self.board.ports_at(node);
        let tiles = NODE_TILES[n] & self.board.tile_set();
        let own = &mut self.seats[usize::from(seat)];
        own.settlements |= bit;
        own.settlements_left -= 1;
        own.points += 1;
        own.tiles |= tiles;
        own.ports |= ports;
        own.reach |= bit;
        own.joined |= bit;
        own.open_roads |= edges;
        self.occupied |= bit;
        self.settleable &= !(bit | NODE_NEAR[n]);
        for other in (0..self.num_seats()).filter(|&o| o != usize::from(seat)) {
            if self.seats[other].road_nodes & bit != 0 {
                self.cut_off(other, node);
            }
        }
    }

    /// Takes from `other` the roads that would go on through `node`, where an opponent has just built.
    fn cut_off(&mut self, other: usize, node: NodeId) {
        if self.config.compat.road_through_blocked_end {
            return;
        }
        let seat = &mut self.seats[other];
        seat.reach &= !(1 << node);
        for (edge, far) in NODE_LINKS[usize::from(node)] {
            if edge != NO_LINK && seat.reach >> far & 1 == 0 {
                seat.open_roads &= !(1 << edge);
            }
        }
    }

    pub(super) fn city(&mut self, node: NodeId) {
        self.pay(CITY_COST);
        let seat = self.actor;
        self.place_city(seat, node);
    }

    /// Turns a settlement into a city.
    pub(crate) fn place_city(&mut self, seat: Seat, node: NodeId) {
        let own = &mut self.seats[usize::from(seat)];
        own.settlements &= !(1 << node);
        own.cities |= 1 << node;
        own.settlements_left += 1;
        own.cities_left -= 1;
        own.points += 1;
    }

    pub(super) fn road(&mut self, edge: EdgeId) {
        let seat = self.actor;
        self.place_road(seat, edge);
        match self.phase {
            Phase::SetupRoad => self.next_setup(),
            Phase::FreeRoads => {
                self.free_roads -= 1;
                let own = &self.seats[usize::from(seat)];
                if self.free_roads == 0 || own.roads_left == 0 || own.open_roads == 0 {
                    self.free_roads = 0;
                    self.resume_turn();
                }
            }
            _ => self.pay(ROAD_COST),
        }
        self.settle_roads_after_road(seat, edge);
    }

    /// Puts a road on the board: pieces and caches, not its length.
    pub(crate) fn place_road(&mut self, seat: Seat, edge: EdgeId) {
        let bit = 1u128 << edge;
        self.roads |= bit;
        for s in &mut self.seats {
            s.open_roads &= !bit;
        }
        let foreign = self.blocked(seat);
        let free = self.board.edge_set() & !self.roads;
        let own = &mut self.seats[usize::from(seat)];
        own.roads |= bit;
        own.roads_left -= 1;
        for node in EDGE_NODES[usize::from(edge)] {
            own.road_nodes |= 1 << node;
            if foreign >> node & 1 == 0 {
                own.reach |= 1 << node;
                own.joined |= 1 << node;
                own.open_roads |= NODE_EDGE_SET[usize::from(node)] & free;
            }
        }
    }

    /// Nodes with buildings of others than `seat`.
    #[inline]
    pub(crate) fn blocked(&self, seat: Seat) -> u64 {
        self.occupied & !self.seats[usize::from(seat)].buildings()
    }

    /// The snake: 0, 1, .., n-1, n-1, .., 0; then seat 0 begins.
    ///
    /// Seven settlements can block all 24 nodes of the small board (four each), so that the last of four seats may
    /// find no place. The setup is over then: a place once blocked stays blocked.
    fn next_setup(&mut self) {
        self.placed = if self.settleable == 0 { 2 * self.config.seats } else { self.placed + 1 };
        let (n, k) = (self.config.seats, self.placed);
        if k == 2 * n {
            self.turn = 0;
            self.phase = Phase::BeforeRoll;
        } else {
            self.turn = if k < n { k } else { 2 * n - 1 - k };
            self.phase = Phase::SetupSettlement;
        }
        self.actor = self.turn;
    }
}
