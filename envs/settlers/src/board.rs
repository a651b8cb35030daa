//! The laid board: terrain, tokens, harbours, and the ways to lay it.

use crate::counts::Resource;
use crate::digest::digest_of;
use crate::options::{BoardSize, Config, Layout};
use crate::topology::{
    MINI_EDGE_SET, MINI_NODES, MINI_TILES, NODES, PORT_NODES, PORTS, TILE_NEAR, TILES, TileId,
};
use rl_gym::Pcg64;
use serde::{Deserialize, Serialize};

/// What a harbour trades.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Port {
    /// No harbour at this site (small board).
    None,
    /// Three of anything for one.
    Any,
    /// Two of this resource for one.
    Of(Resource),
}

/// One laid board; plain data, part of the state and never changed by play.
///
/// `tiles`, `numbers` and `ports` are the truth, the other fields are tables derived from them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Board {
    size: BoardSize,
    tiles: [Option<Resource>; TILES],
    numbers: [u8; TILES],
    ports: [Port; PORTS],
    by_number: [u32; 13],
    port_nodes: [u64; 6],
    digest: u64,
}

/// Tokens A..R of the official spiral.
const TOKENS: [u8; 18] = [5, 2, 6, 3, 8, 10, 9, 12, 11, 4, 8, 10, 9, 4, 5, 6, 3, 11];
/// Tokens of the small board: one each of the better numbers, so that every tile pays often.
const MINI_TOKENS: [u8; 6] = [4, 5, 6, 8, 9, 10];
const W: Option<Resource> = Some(Resource::Wood);
const B: Option<Resource> = Some(Resource::Brick);
const S: Option<Resource> = Some(Resource::Sheep);
const G: Option<Resource> = Some(Resource::Wheat);
const O: Option<Resource> = Some(Resource::Ore);
/// Terrain of the base game: 4 wood, 3 brick, 4 sheep, 4 wheat, 3 ore, desert.
const TERRAIN: [Option<Resource>; TILES] = [W, W, W, W, B, B, B, S, S, S, S, G, G, G, G, O, O, O, None];
/// Terrain of the small board: desert in the middle of the bag, wheat twice.
const MINI_TERRAIN: [Option<Resource>; MINI_TILES] = [W, B, S, G, G, O, None];
const HARBOURS: [Port; PORTS] = [
    Port::Any,
    Port::Any,
    Port::Any,
    Port::Any,
    Port::Of(Resource::Wood),
    Port::Of(Resource::Brick),
    Port::Of(Resource::Sheep),
    Port::Of(Resource::Wheat),
    Port::Of(Resource::Ore),
];

impl Board {
    /// Lays a board as `config` says; only the shuffled layouts draw from `rng`.
    pub fn new(config: &Config, rng: &mut Pcg64) -> Self {
        match (config.board, config.layout) {
            (BoardSize::Full, Layout::Beginner) => Self::beginner(),
            (BoardSize::Full, layout) => Self::shuffled(layout, rng),
            (BoardSize::Mini, layout) => Self::mini(layout, rng),
        }
    }

    /// A fixed beginner board: the official counts of terrain, tokens and harbours, no two of 6 and 8 side by
    /// side. That it is the printed one is not verified.
    ///
    /// Rows from the north-west, and harbours clockwise from the north-west corner: any, wheat, ore, any,
    /// sheep, any, any, brick, wood.
    pub fn beginner() -> Self {
        const ROWS: [(TileId, Option<Resource>, u8); TILES] = [
            (15, O, 10),
            (16, S, 2),
            (17, W, 9),
            (14, G, 12),
            (5, B, 6),
            (6, S, 4),
            (18, B, 10),
            (13, G, 9),
            (4, W, 11),
            (0, None, 0),
            (1, W, 3),
            (7, O, 8),
            (12, W, 8),
            (3, O, 3),
            (2, G, 4),
            (8, S, 5),
            (11, B, 5),
            (10, G, 6),
            (9, S, 11),
        ];
        let (mut tiles, mut numbers) = ([None; TILES], [0; TILES]);
        for (t, resource, number) in ROWS {
            tiles[usize::from(t)] = resource;
            numbers[usize::from(t)] = number;
        }
        let of = Port::Of;
        let ports = [
            Port::Any,
            of(Resource::Sheep),
            Port::Any,
            Port::Any,
            of(Resource::Brick),
            of(Resource::Wood),
            Port::Any,
            of(Resource::Wheat),
            of(Resource::Ore),
        ];
        Self::from_parts(BoardSize::Full, tiles, numbers, ports)
    }

    /// A board from its parts (traces, hand-made positions). The number of a desert tile is ignored.
    pub fn from_parts(
        size: BoardSize,
        tiles: [Option<Resource>; TILES],
        numbers: [u8; TILES],
        ports: [Port; PORTS],
    ) -> Self {
        let mut board =
            Self { size, tiles, numbers, ports, by_number: [0; 13], port_nodes: [0; 6], digest: 0 };
        for t in 0..TILES {
            let live = t < board.tile_count() && tiles[t].is_some() && (2..=12).contains(&numbers[t]);
            if live {
                board.by_number[usize::from(numbers[t])] |= 1 << t;
            } else {
                board.numbers[t] = 0;
            }
        }
        for (port, nodes) in ports.iter().zip(PORT_NODES) {
            let slot = match port {
                Port::None => continue,
                Port::Of(r) => r.index(),
                Port::Any => 5,
            };
            nodes.iter().for_each(|n| board.port_nodes[slot] |= 1 << n);
        }
        board.digest = digest_of(&(board.size, board.tiles, board.numbers, board.ports));
        board
    }

    fn shuffled(layout: Layout, rng: &mut Pcg64) -> Self {
        let (mut tiles, mut ports) = (TERRAIN, HARBOURS);
        rng.shuffle(&mut tiles);
        rng.shuffle(&mut ports);
        let order = if layout == Layout::Spiral { spiral(rng) } else { std::array::from_fn(|t| t as u8) };
        let mut tokens = TOKENS;
        loop {
            if layout == Layout::Random {
                rng.shuffle(&mut tokens);
            }
            let numbers = deal(&order, &tiles, &tokens);
            if layout == Layout::Spiral || !reds_touch(&numbers) {
                return Self::from_parts(BoardSize::Full, tiles, numbers, ports);
            }
        }
    }

    /// Seven tiles. Beginner: fixed, 6 and 8 apart. Spiral: terrain and tokens shuffled. Random: the same, and
    /// 6 and 8 do not touch.
    fn mini(layout: Layout, rng: &mut Pcg64) -> Self {
        let mut tiles = [None; TILES];
        tiles[..MINI_TILES].copy_from_slice(&[None, W, G, B, O, S, G]);
        let mut tokens = [6, 5, 9, 8, 4, 10];
        let order: [u8; MINI_TILES] = std::array::from_fn(|t| t as u8);
        if layout != Layout::Beginner {
            tiles[..MINI_TILES].copy_from_slice(&MINI_TERRAIN);
            rng.shuffle(&mut tiles[..MINI_TILES]);
            tokens = MINI_TOKENS;
            rng.shuffle(&mut tokens);
            while layout == Layout::Random && reds_touch(&deal(&order, &tiles, &tokens)) {
                rng.shuffle(&mut tokens);
            }
        }
        let numbers = deal(&order, &tiles, &tokens);
        Self::from_parts(BoardSize::Mini, tiles, numbers, [Port::None; PORTS])
    }

    /// Full or small.
    #[inline]
    pub const fn size(&self) -> BoardSize {
        self.size
    }

    /// Tiles in play: 19 or 7.
    #[inline]
    pub const fn tile_count(&self) -> usize {
        match self.size {
            BoardSize::Full => TILES,
            BoardSize::Mini => MINI_TILES,
        }
    }

    /// Tiles in play as a bit set.
    #[inline]
    pub const fn tile_set(&self) -> u32 {
        (1 << self.tile_count()) - 1
    }

    /// Nodes in play as a bit set.
    #[inline]
    pub const fn node_set(&self) -> u64 {
        match self.size {
            BoardSize::Full => (1 << NODES) - 1,
            BoardSize::Mini => (1 << MINI_NODES) - 1,
        }
    }

    /// Edges in play as a bit set.
    #[inline]
    pub const fn edge_set(&self) -> u128 {
        match self.size {
            BoardSize::Full => (1 << crate::topology::EDGES) - 1,
            BoardSize::Mini => MINI_EDGE_SET,
        }
    }

    /// What tile `tile` produces; `None` is desert (or not in play).
    #[inline]
    pub const fn resource(&self, tile: TileId) -> Option<Resource> {
        self.tiles[tile as usize]
    }

    /// Token on tile `tile`, 0 on desert.
    #[inline]
    pub const fn number(&self, tile: TileId) -> u8 {
        self.numbers[tile as usize]
    }

    /// Harbours by site, in the order of [`PORT_NODES`].
    #[inline]
    pub const fn ports(&self) -> &[Port; PORTS] {
        &self.ports
    }

    /// Tiles that a roll of `sum` (2..=12) makes produce, as a bit set.
    #[inline]
    pub const fn tiles_with_number(&self, sum: u8) -> u32 {
        self.by_number[sum as usize]
    }

    /// Nodes of 2:1 harbours by resource index, then (index 5) of the 3:1 harbours.
    #[inline]
    pub const fn port_nodes(&self) -> &[u64; 6] {
        &self.port_nodes
    }

    /// Harbours at a node: bit `r` for 2:1 of resource `r`, bit 5 for 3:1.
    #[inline]
    pub fn ports_at(&self, node: u8) -> u8 {
        (0..6).map(|k| ((self.port_nodes[k] >> node & 1) as u8) << k).sum()
    }

    /// Digest of the parts, computed once.
    #[inline]
    pub(crate) const fn digest(&self) -> u64 {
        self.digest
    }

    /// The first desert tile: where the robber starts (tile 0 when a hand-made board has none).
    pub fn desert(&self) -> TileId {
        (0..self.tile_count()).find(|&t| self.tiles[t].is_none()).unwrap_or(0) as TileId
    }
}

/// Lays tokens along `order`, skipping the desert.
fn deal(order: &[u8], tiles: &[Option<Resource>; TILES], tokens: &[u8]) -> [u8; TILES] {
    let mut numbers = [0; TILES];
    let producing = order.iter().filter(|&&t| tiles[usize::from(t)].is_some());
    producing.zip(tokens).for_each(|(&t, &n)| numbers[usize::from(t)] = n);
    numbers
}

/// The official spiral: outer ring, inner ring, centre, from one of six corners in one of two directions.
fn spiral(rng: &mut Pcg64) -> [u8; TILES] {
    let corner = rng.below(6);
    let clockwise = rng.below(2) == 1;
    let walk = |first: u32, size: u32, start: u32, i: u32| {
        let step = if clockwise { i } else { size - i };
        (first + (start + step) % size) as u8
    };
    let mut order = [0; TILES];
    (0..12).for_each(|i| order[i as usize] = walk(7, 12, 2 * corner, i));
    (0..6).for_each(|i| order[12 + i as usize] = walk(1, 6, corner, i));
    order
}

fn reds_touch(numbers: &[u8; TILES]) -> bool {
    let red = (0..TILES).filter(|&t| matches!(numbers[t], 6 | 8)).fold(0u32, |m, t| m | 1 << t);
    (0..TILES).any(|t| red >> t & 1 == 1 && TILE_NEAR[t] & red != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted<T: Clone>(items: &[T], key: impl Fn(&T) -> i32) -> Vec<i32> {
        let mut out: Vec<i32> = items.iter().map(key).collect();
        out.sort_unstable();
        out
    }

    fn terrain_key(r: &Option<Resource>) -> i32 {
        r.map_or(-1, |r| r as i32)
    }

    #[test]
    fn every_layout_uses_the_box_contents() {
        let mut rng = Pcg64::seed(3);
        for layout in [Layout::Beginner, Layout::Spiral, Layout::Random] {
            for _ in 0..50 {
                let board = Board::new(&Config { layout, ..Config::default() }, &mut rng);
                assert_eq!(sorted(&board.tiles, terrain_key), sorted(&TERRAIN, terrain_key), "{layout:?}");
                let mut tokens = TOKENS.to_vec();
                tokens.push(0);
                assert_eq!(sorted(&board.numbers, |&n| n.into()), sorted(&tokens, |&n| n.into()));
                let three = board.ports.iter().filter(|p| **p == Port::Any).count();
                assert_eq!(three, 4);
                for r in Resource::ALL {
                    assert_eq!(board.port_nodes[r.index()].count_ones(), 2, "{layout:?}");
                }
                assert_eq!(board.port_nodes[5].count_ones(), 8);
                assert!(layout == Layout::Beginner || !reds_touch(&board.numbers), "{layout:?} reds touch");
                assert_eq!(board.number(board.desert()), 0);
            }
        }
    }

    #[test]
    fn the_spiral_starts_at_every_corner_in_both_directions() {
        let mut rng = Pcg64::seed(4);
        let mut seen = std::collections::HashSet::new();
        for _ in 0..400 {
            let order = spiral(&mut rng);
            assert_eq!(sorted(&order, |&t| t.into()), (0..19).collect::<Vec<_>>());
            for pair in order.windows(2) {
                let near = TILE_NEAR[usize::from(pair[0])] >> pair[1] & 1 == 1;
                assert!(near, "{order:?}: the walk jumps from {} to {}", pair[0], pair[1]);
            }
            seen.insert((order[0], order[1]));
        }
        assert_eq!(seen.len(), 12);
    }

    #[test]
    fn the_beginner_board_has_the_official_counts_and_keeps_reds_apart() {
        let board = Board::beginner();
        assert!(!reds_touch(&board.numbers));
        // Wood, brick, sheep, wheat, ore, desert.
        let kinds = [W, B, S, G, O, None].map(|kind| board.tiles.iter().filter(|t| **t == kind).count());
        assert_eq!(kinds, [4, 3, 4, 4, 3, 1]);
        // 2 and 12 once, 7 never, the desert's 0 once, all others twice.
        let tokens = std::array::from_fn(|n| board.numbers.iter().filter(|&&x| usize::from(x) == n).count());
        assert_eq!(tokens, [1, 0, 1, 2, 2, 2, 2, 0, 2, 2, 2, 2, 1]);
        let of = |port| board.ports.iter().filter(|p| **p == port).count();
        assert_eq!((of(Port::Any), of(Port::None)), (4, 0));
        assert_eq!(Resource::ALL.map(|r| of(Port::Of(r))), [1; 5]);
        assert_eq!(board.desert(), 0);
        assert_eq!(board.resource(15), Some(Resource::Ore));
        assert_eq!(board.number(15), 10);
        assert_eq!(board.ports_at(45), 1 << 5);
        assert_eq!(board.ports_at(52), 1 << Resource::Ore.index());
    }

    #[test]
    fn the_small_board_has_seven_tiles_and_no_harbours() {
        let mut rng = Pcg64::seed(5);
        for layout in [Layout::Beginner, Layout::Spiral, Layout::Random] {
            let config = Config { layout, board: BoardSize::Mini, ..Config::default() };
            let board = Board::new(&config, &mut rng);
            assert_eq!(board.node_set().count_ones(), 24);
            assert_eq!(board.edge_set().count_ones(), 30);
            assert_eq!(board.port_nodes, [0; 6]);
            assert_eq!(sorted(&board.numbers[..7], |&n| n.into()), [0, 4, 5, 6, 8, 9, 10]);
            assert_eq!((2..=12).map(|n| board.tiles_with_number(n).count_ones()).sum::<u32>(), 6);
            assert!(layout == Layout::Spiral || !reds_touch(&board.numbers));
        }
    }
}
