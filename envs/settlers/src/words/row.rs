//! An observation row, read piece by piece; what several words share is worked out once at most.

use crate::counts::Counts;
use crate::observe::{OBS_LEN, at, bits_of, graph::NODE_HARBOUR};
use crate::topology::{
    EDGE_NODES, EDGES, MAX_SEATS, MINI_EDGE_SET, MINI_NODES, MINI_TILES, NODE_LINKS, NODE_NEAR, NODE_TILES,
    NODES, TILE_NODE_SET, TILES,
};
use std::cell::OnceCell;

/// What stands for a row of another length.
static BLANK: [u8; OBS_LEN] = [0; OBS_LEN];

/// A row. Seats are places: 0 the viewer, 1 the next in turn order.
pub(super) struct Row<'a> {
    obs: &'a [u8; OBS_LEN],
    own: OnceCell<u64>,
    roads: OnceCell<u128>,
    road_nodes: OnceCell<u64>,
    occupied: OnceCell<u64>,
    free: OnceCell<u128>,
    income: OnceCell<Counts>,
    goal: OnceCell<Counts>,
    /// By place: nodes of settlements and of cities.
    buildings: [OnceCell<(u64, u64)>; MAX_SEATS],
}

impl<'a> Row<'a> {
    pub(super) fn of(obs: &'a [u8]) -> Self {
        Self {
            obs: obs.try_into().unwrap_or(&BLANK),
            own: OnceCell::new(),
            roads: OnceCell::new(),
            road_nodes: OnceCell::new(),
            occupied: OnceCell::new(),
            free: OnceCell::new(),
            income: OnceCell::new(),
            goal: OnceCell::new(),
            buildings: [const { OnceCell::new() }; MAX_SEATS],
        }
    }

    /// One element.
    pub(super) fn get(&self, at: usize) -> u8 {
        self.obs[at]
    }

    /// One element as the value of a fact.
    pub(super) fn n(&self, at: usize) -> f32 {
        self.obs[at].into()
    }

    /// Five elements.
    pub(super) fn five(&self, at: usize) -> [u8; 5] {
        std::array::from_fn(|i| self.obs[at + i])
    }

    /// Cards in the viewer's hand.
    pub(super) fn hand(&self) -> [u8; 5] {
        self.five(at::hand)
    }

    pub(super) fn is_phase(&self, phase: crate::Phase) -> bool {
        self.obs[at::phase + phase as usize] == 1
    }

    /// Number of seats.
    pub(super) fn seats(&self) -> usize {
        (0..MAX_SEATS).filter(|k| self.obs[at::seated + k] == 1).count()
    }

    /// Places of the other seats.
    pub(super) fn rivals(&self) -> std::ops::Range<usize> {
        1..self.seats().max(1)
    }

    /// The greatest value that a rival has in a field by seat.
    pub(super) fn rival_max(&self, at: usize) -> u8 {
        self.rivals().map(|k| self.obs[at + k]).max().unwrap_or(0)
    }

    fn plane(&self, at: usize, len: usize) -> u128 {
        bits_of(&self.obs[at..at + len])
    }

    /// Nodes of own settlements.
    pub(super) fn settlements(&self) -> u64 {
        self.plane(at::settlements, NODES) as u64
    }

    /// Nodes of own cities.
    pub(super) fn cities(&self) -> u64 {
        self.plane(at::cities, NODES) as u64
    }

    /// Nodes of own buildings.
    pub(super) fn own(&self) -> u64 {
        *self.own.get_or_init(|| self.settlements() | self.cities())
    }

    /// Edges of own roads.
    pub(super) fn roads(&self) -> u128 {
        *self.roads.get_or_init(|| self.plane(at::roads, EDGES))
    }

    /// Nodes touched by own roads.
    pub(super) fn road_nodes(&self) -> u64 {
        *self.road_nodes.get_or_init(|| {
            let (mut left, mut nodes) = (self.roads(), 0);
            while left != 0 {
                let [a, b] = EDGE_NODES[left.trailing_zeros() as usize];
                nodes |= 1 << a | 1 << b;
                left &= left - 1;
            }
            nodes
        })
    }

    /// Nodes of the own network: roads and buildings.
    pub(super) fn network(&self) -> u64 {
        self.road_nodes() | self.own()
    }

    /// Nodes of all buildings.
    pub(super) fn occupied(&self) -> u64 {
        *self.occupied.get_or_init(|| {
            let mut any = [0; NODES];
            for k in 0..MAX_SEATS {
                for plane in [at::settlements + k * NODES, at::cities + k * NODES] {
                    let plane = &self.obs[plane..plane + NODES];
                    any.iter_mut().zip(plane).for_each(|(a, x)| *a |= x);
                }
            }
            bits_of(&any) as u64
        })
    }

    /// Nodes of the others' buildings.
    pub(super) fn foreign(&self) -> u64 {
        self.occupied() & !self.own()
    }

    /// Edges of the board without a road.
    pub(super) fn free_edges(&self) -> u128 {
        *self.free.get_or_init(|| {
            let mut any = [0; EDGES];
            for k in 0..MAX_SEATS {
                let plane = &self.obs[at::roads + k * EDGES..][..EDGES];
                any.iter_mut().zip(plane).for_each(|(a, x)| *a |= x);
            }
            let board = if self.is_mini() { MINI_EDGE_SET } else { (1 << EDGES) - 1 };
            board & !bits_of(&any)
        })
    }

    fn is_mini(&self) -> bool {
        self.kind(MINI_TILES).is_none()
    }

    /// Nodes of the board that keep the distance rule, out of `nodes`.
    pub(super) fn open(&self, nodes: u64) -> u64 {
        let board = if self.is_mini() { (1 << MINI_NODES) - 1 } else { (1 << NODES) - 1 };
        let occupied = self.occupied();
        let mut open = 0;
        each(nodes & board, |n| {
            open |= u64::from((NODE_NEAR[n] | 1 << n) & occupied == 0) << n;
        });
        open
    }

    /// Nodes one free edge away from `nodes`; roads do not go on through a foreign building.
    pub(super) fn step(&self, nodes: u64) -> u64 {
        self.step_over(nodes, self.free_edges())
    }

    /// The same over other edges.
    pub(super) fn step_over(&self, nodes: u64, edges: u128) -> u64 {
        let mut reach = 0;
        each(nodes & !self.foreign(), |n| {
            for (edge, far) in NODE_LINKS[n] {
                // A missing link has number 255: no edge, so that its far end does not matter.
                let is_there = edges >> (edge & 127) & 1 == 1;
                reach |= u64::from(is_there) << (far & 63);
            }
        });
        reach
    }

    /// Open nodes that own roads touch: a settlement may be built there.
    pub(super) fn spots(&self) -> u64 {
        self.open(self.road_nodes())
    }

    /// Open nodes that at most one more road makes own.
    pub(super) fn spots_one(&self) -> u64 {
        let network = self.network();
        self.open(self.road_nodes() | self.step(network))
    }

    /// Resource of a tile, 5 for desert; `None` off the board.
    pub(super) fn kind(&self, tile: usize) -> Option<usize> {
        let mut word = [0; 8];
        word.copy_from_slice(&self.obs[at::tile_terrain + 6 * tile..][..8]);
        // Six bytes are the tile's, one of them 1.
        let terrain = u64::from_le_bytes(word) & 0xffff_ffff_ffff;
        (terrain != 0).then_some(terrain.trailing_zeros() as usize / 8)
    }

    /// Pips of each resource on the board.
    pub(super) fn board_pips(&self) -> [f32; 5] {
        let mut pips = [0.0; 5];
        for tile in 0..TILES {
            if let Some(sum) = self.kind(tile).and_then(|kind| pips.get_mut(kind)) {
                *sum += self.n(at::tile_pips + tile);
            }
        }
        pips
    }

    /// Pips of each resource at a node.
    pub(super) fn pips(&self, node: usize) -> Counts {
        let (mut tiles, mut pips) = (NODE_TILES[node], Counts::ZERO);
        while tiles != 0 {
            let tile = tiles.trailing_zeros() as usize;
            tiles &= tiles - 1;
            match self.kind(tile) {
                Some(kind) if kind < 5 => pips = pips.plus(Counts::of(kind, self.obs[at::tile_pips + tile])),
                _ => {}
            }
        }
        pips
    }

    /// Own pips of each resource, a city counted twice, the robber left out.
    pub(super) fn income(&self) -> Counts {
        *self.income.get_or_init(|| {
            let mut pips = Counts::ZERO;
            each(self.own(), |n| pips = pips.plus(self.pips(n)));
            each(self.cities(), |n| pips = pips.plus(self.pips(n)));
            pips
        })
    }

    /// Cards that seat `k` gets when the tile is rolled.
    pub(super) fn cards_of(&self, k: usize, tile: usize) -> u8 {
        let (settlements, cities) = *self.buildings[k].get_or_init(|| {
            let plane = |at: usize| self.plane(at + k * NODES, NODES) as u64;
            (plane(at::settlements), plane(at::cities))
        });
        let around = TILE_NODE_SET[tile];
        ((settlements & around).count_ones() + 2 * (cities & around).count_ones()) as u8
    }

    /// All pips of seat `k`; the desert has none.
    pub(super) fn pips_of(&self, k: usize) -> f32 {
        let mut pips = 0.0;
        for (plane, cards) in [(at::settlements, 1.0), (at::cities, 2.0)] {
            each(self.plane(plane + k * NODES, NODES) as u64, |n| {
                each(NODE_TILES[n].into(), |t| pips += cards * self.n(at::tile_pips + t));
            });
        }
        pips
    }

    /// Where the robber stands.
    pub(super) fn robber(&self) -> usize {
        let tiles = &self.obs[at::tile_robber..at::tile_robber + TILES];
        tiles.iter().position(|&x| x == 1).unwrap_or(0)
    }

    /// What the harbour of a node is for: a resource, or 5 for any.
    pub(super) fn harbour(&self, node: usize) -> Option<usize> {
        let [site] = NODE_HARBOUR[node];
        let kinds = self.obs.get(at::port_kind + 6 * usize::from(site)..at::tile_robber)?;
        kinds.iter().take(6).position(|&x| x == 1)
    }

    /// Cards that the bank takes for one, by the viewer's best harbour.
    pub(super) fn rate(&self, resource: usize) -> u8 {
        match (self.obs[at::ports + resource], self.obs[at::ports + 5]) {
            (1, _) => 2,
            (_, 1) => 3,
            _ => 4,
        }
    }

    /// Cards of a resource that the others hold between them, as the bank tells.
    pub(super) fn held_by_rivals(&self, resource: usize) -> f32 {
        let known = self.obs[at::bank + resource].saturating_add(self.obs[at::hand + resource]);
        crate::state::BANK_EACH.saturating_sub(known).into()
    }

    /// What an open node is worth: pips, 1.5 for each resource that the viewer lacks, 1 for a harbour.
    pub(super) fn worth(&self, node: usize) -> f32 {
        let pips = self.pips(node);
        let fresh = pips.at_least(1) & !self.income().at_least(1);
        f32::from(pips.total()) + 1.5 * fresh.count_ones() as f32 + holds(self.harbour(node).is_some())
    }

    /// The greatest worth among `nodes`, 0 for none.
    pub(super) fn best(&self, nodes: u64) -> f32 {
        let mut best = 0.0f32;
        each(nodes, |n| best = best.max(self.worth(n)));
        best
    }

    /// The purchase that is nearest, see [`super::goal`].
    pub(super) fn goal(&self) -> Counts {
        *self.goal.get_or_init(|| super::goal::nearest(self))
    }
}

/// Calls `then` with every set bit in ascending order.
pub(super) fn each(mut bits: u64, mut then: impl FnMut(usize)) {
    while bits != 0 {
        then(bits.trailing_zeros() as usize);
        bits &= bits - 1;
    }
}

/// A predicate as a number.
pub(super) fn holds(yes: bool) -> f32 {
    if yes { 1.0 } else { 0.0 }
}
