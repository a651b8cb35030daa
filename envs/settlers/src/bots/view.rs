//! An observation row read back into sets and counts, cheap enough for every decision.

use crate::counts::Counts;
use crate::observe::{at, bits_of};
use crate::topology::{
    EDGE_NODES, EDGES, MAX_SEATS, MINI_EDGE_SET, MINI_NODES, MINI_TILES, NODE_NEAR, NODES, TILE_NODE_SET,
    TILE_NODES, TILES,
};

/// What the viewer (seat 0 here) sees; fixed during one decision.
pub(super) struct View {
    /// Pips of each resource at each node, packed as in [`Counts`].
    pub(super) pips: [Counts; NODES],
    /// Number tokens around each node, a bit a number.
    pub(super) numbers: [u16; NODES],
    /// Neighbours over an edge without a road.
    pub(super) open: [u64; NODES],
    /// How scarce each resource is on this board: mean pips over its pips, 0.5 to 2.
    pub(super) scarcity: [f32; 5],
    /// Pips of each tile.
    pub(super) tile_pips: [u8; TILES],
    /// Resource of each tile, 5 for desert and sea.
    pub(super) tile_kind: [u8; TILES],
    /// Nodes of 2:1 harbours by resource, then of 3:1 harbours.
    pub(super) port_nodes: [u64; 6],
    pub(super) seats: [Seen; MAX_SEATS],
    pub(super) num_seats: usize,
    pub(super) hand: Counts,
    pub(super) dev: Counts,
    pub(super) bank: Counts,
    pub(super) deck: u8,
    pub(super) points: u8,
    pub(super) target: u8,
    pub(super) discard_limit: u8,
    pub(super) robber: usize,
    pub(super) phase: usize,
    pub(super) setup_placed: u8,
    pub(super) offers_made: u8,
    /// Place of the seat on turn.
    pub(super) turn: usize,
    /// All buildings.
    pub(super) occupied: u64,
    /// Nodes that keep the distance rule.
    pub(super) settleable: u64,
    /// Nodes touched by own roads.
    pub(super) road_nodes: u64,
}

/// What everyone sees of one seat.
#[derive(Clone, Copy, Default)]
pub(super) struct Seen {
    pub(super) settlements: u64,
    pub(super) cities: u64,
    pub(super) roads: u128,
    pub(super) hand: u8,
    pub(super) knights: u8,
    pub(super) points: u8,
    pub(super) roads_left: u8,
    pub(super) road_length: u8,
    pub(super) road_card: bool,
    pub(super) army_card: bool,
}

impl Seen {
    /// Pips that the robber on `tile` takes from this seat.
    pub(super) fn blocked(&self, tile: usize, pips: u8) -> f32 {
        let nodes = TILE_NODE_SET[tile];
        let cards = (self.settlements & nodes).count_ones() + 2 * (self.cities & nodes).count_ones();
        (cards * u32::from(pips)) as f32
    }
}

/// The offers of a row: what is being composed, what lies on the table and what others counter.
pub(super) struct Deals {
    pub(super) draft_give: Counts,
    pub(super) draft_want: Counts,
    pub(super) give: Counts,
    pub(super) want: Counts,
}

pub(super) fn counts(row: &[u8], at: usize) -> Counts {
    Counts::new(std::array::from_fn(|i| row[at + i]))
}

impl Deals {
    pub(super) fn read(row: &[u8]) -> Self {
        Self {
            draft_give: counts(row, at::draft_give),
            draft_want: counts(row, at::draft_want),
            give: counts(row, at::offer_give),
            want: counts(row, at::offer_want),
        }
    }
}

/// Position of the one in a one-hot field.
pub(super) fn one_hot(row: &[u8], at: usize, len: usize) -> usize {
    row[at..at + len].iter().position(|&x| x == 1).unwrap_or(0)
}

impl View {
    pub(super) fn read(row: &[u8]) -> Self {
        let mut view = Self {
            pips: [Counts::ZERO; NODES],
            numbers: [0; NODES],
            open: [0; NODES],
            scarcity: [1.0; 5],
            tile_pips: [0; TILES],
            tile_kind: [5; TILES],
            port_nodes: [0; 6],
            seats: [Seen::default(); MAX_SEATS],
            num_seats: 0,
            hand: counts(row, at::hand),
            dev: counts(row, at::dev_cards),
            bank: counts(row, at::bank),
            deck: row[at::deck],
            points: row[at::own_points],
            target: row[at::target_points].max(1),
            discard_limit: row[at::discard_limit],
            robber: one_hot(row, at::tile_robber, TILES),
            phase: one_hot(row, at::phase, 12),
            setup_placed: row[at::setup_placed],
            offers_made: row[at::offers_made],
            turn: one_hot(row, at::turn_seat, MAX_SEATS),
            occupied: 0,
            settleable: 0,
            road_nodes: 0,
        };
        let roads = view.read_seats(row);
        view.read_board(row);
        view.read_network(row, roads);
        view
    }

    /// Reads the seats; returns all roads.
    fn read_seats(&mut self, row: &[u8]) -> u128 {
        let mut roads = 0;
        for k in 0..MAX_SEATS {
            if row[at::seated + k] == 0 {
                break;
            }
            let plane = |at: usize, len: usize| bits_of(&row[at + k * len..at + (k + 1) * len]);
            let seen = Seen {
                settlements: plane(at::settlements, NODES) as u64,
                cities: plane(at::cities, NODES) as u64,
                roads: plane(at::roads, EDGES),
                hand: row[at::hand_size + k],
                knights: row[at::dev_played + 4 * k],
                points: row[at::points + k],
                roads_left: row[at::roads_left + k],
                road_length: row[at::road_length + k],
                road_card: row[at::longest_road + k] == 1,
                army_card: row[at::largest_army + k] == 1,
            };
            self.num_seats = k + 1;
            self.occupied |= seen.settlements | seen.cities;
            roads |= seen.roads;
            self.seats[k] = seen;
        }
        roads
    }

    fn read_board(&mut self, row: &[u8]) {
        let mut sums = [0.0f32; 5];
        for t in 0..TILES {
            let pips = row[at::tile_pips + t];
            if pips == 0 {
                continue;
            }
            let kind = one_hot(row, at::tile_terrain + 6 * t, 6);
            if kind > 4 {
                continue;
            }
            let number = 1 << row[at::tile_number + t];
            (self.tile_pips[t], self.tile_kind[t]) = (pips, kind as u8);
            sums[kind] += f32::from(pips);
            for node in TILE_NODES[t] {
                let node = usize::from(node);
                self.pips[node] = self.pips[node].plus(Counts::of(kind, pips));
                self.numbers[node] |= number;
            }
        }
        let mean = sums.iter().sum::<f32>() / 5.0;
        self.scarcity = sums.map(|sum| (mean / sum.max(1.0)).clamp(0.5, 2.0));
        for (p, nodes) in crate::topology::PORT_NODES.iter().enumerate() {
            let kinds = &row[at::port_kind + 6 * p..][..6];
            if let Some(kind) = kinds.iter().position(|&x| x == 1) {
                nodes.iter().for_each(|&n| self.port_nodes[kind] |= 1 << n);
            }
        }
    }

    fn read_network(&mut self, row: &[u8], roads: u128) {
        let is_mini = row[at::tile_terrain + 6 * MINI_TILES..at::tile_number].iter().all(|&x| x == 0);
        let (nodes, edges) = if is_mini {
            ((1u64 << MINI_NODES) - 1, MINI_EDGE_SET)
        } else {
            ((1 << NODES) - 1, (1 << EDGES) - 1)
        };
        let mut free = edges & !roads;
        while free != 0 {
            let [a, b] = EDGE_NODES[free.trailing_zeros() as usize];
            self.open[usize::from(a)] |= 1 << b;
            self.open[usize::from(b)] |= 1 << a;
            free &= free - 1;
        }
        let mut taken = self.occupied;
        each_bit(self.occupied, |n| taken |= NODE_NEAR[n]);
        self.settleable = nodes & !taken;
        let mut own = self.seats[0].roads;
        while own != 0 {
            let [a, b] = EDGE_NODES[own.trailing_zeros() as usize];
            self.road_nodes |= 1 << a | 1 << b;
            own &= own - 1;
        }
    }

    /// Buildings of the other seats.
    pub(super) fn foreign(&self) -> u64 {
        self.occupied & !(self.seats[0].settlements | self.seats[0].cities)
    }

    /// The other seats.
    pub(super) fn rivals(&self) -> &[Seen] {
        &self.seats[1..self.num_seats]
    }

    /// Cards of each resource in the hands of all others, as the bank tells.
    pub(super) fn held_by_others(&self) -> Counts {
        Counts::splat(crate::state::BANK_EACH).minus(self.bank.plus(self.hand))
    }
}

/// Calls `each` with every set bit in ascending order.
#[inline]
pub(super) fn each_bit(mut bits: u64, mut each: impl FnMut(usize)) {
    while bits != 0 {
        each(bits.trailing_zeros() as usize);
        bits &= bits - 1;
    }
}
