//! The fixed geometry: 19 tiles, 54 nodes, 72 edges, 9 harbour sites, and tables derived from them.
//!
//! Ids come from walking the tiles in the order centre, inner ring, outer ring (each ring counter to the
//! reading direction from the east: E, SE, SW, W, NW, NE) and numbering new corners N, NE, SE, S, SW, NW;
//! a test walks again and compares. The small board is tiles 0..7 and nodes 0..24 of the same numbering, so
//! that ids, action indices and tables are shared.

/// Place in the game, `0..seats`.
pub type Seat = u8;
/// Corner of a tile, `0..54`.
pub type NodeId = u8;
/// Side of a tile, `0..72`, in ascending order of its node pair.
pub type EdgeId = u8;
/// Hex, `0..19`.
pub type TileId = u8;

/// Tiles of the full board.
pub const TILES: usize = 19;
/// Nodes of the full board.
pub const NODES: usize = 54;
/// Edges of the full board.
pub const EDGES: usize = 72;
/// Harbour sites of the full board.
pub const PORTS: usize = 9;
/// Most seats at a table.
pub const MAX_SEATS: usize = 4;

/// Cube coordinates (x + y + z = 0) of each tile; E is (1,-1,0), NE (1,0,-1), NW (0,1,-1).
pub const TILE_XYZ: [[i8; 3]; TILES] = [
    [0, 0, 0],
    [1, -1, 0],
    [0, -1, 1],
    [-1, 0, 1],
    [-1, 1, 0],
    [0, 1, -1],
    [1, 0, -1],
    [2, -2, 0],
    [1, -2, 1],
    [0, -2, 2],
    [-1, -1, 2],
    [-2, 0, 2],
    [-2, 1, 1],
    [-2, 2, 0],
    [-1, 2, -1],
    [0, 2, -2],
    [1, 1, -2],
    [2, 0, -2],
    [2, -1, -1],
];

/// The six nodes of each tile: N, NE, SE, S, SW, NW.
pub const TILE_NODES: [[NodeId; 6]; TILES] = [
    [0, 1, 2, 3, 4, 5],
    [6, 7, 8, 9, 2, 1],
    [2, 9, 10, 11, 12, 3],
    [4, 3, 12, 13, 14, 15],
    [16, 5, 4, 15, 17, 18],
    [19, 20, 0, 5, 16, 21],
    [22, 23, 6, 1, 0, 20],
    [24, 25, 26, 27, 8, 7],
    [8, 27, 28, 29, 10, 9],
    [10, 29, 30, 31, 32, 11],
    [12, 11, 32, 33, 34, 13],
    [14, 13, 34, 35, 36, 37],
    [17, 15, 14, 37, 38, 39],
    [40, 18, 17, 39, 41, 42],
    [43, 21, 16, 18, 40, 44],
    [45, 46, 19, 21, 43, 47],
    [48, 49, 22, 20, 19, 46],
    [50, 51, 52, 23, 22, 49],
    [52, 53, 24, 7, 6, 23],
];

/// The two nodes of each harbour site, clockwise from the east.
pub const PORT_NODES: [[NodeId; 2]; PORTS] =
    [[25, 26], [28, 29], [32, 33], [35, 36], [38, 39], [40, 44], [45, 47], [48, 49], [52, 53]];

/// Node pair of each edge, low node first, ascending.
pub const EDGE_NODES: [[NodeId; 2]; EDGES] = edge_nodes();
/// Nodes of a tile as a bit set.
pub const TILE_NODE_SET: [u64; TILES] = tile_node_sets();
/// Tiles around a node as a bit set (one to three).
pub const NODE_TILES: [u32; NODES] = node_tiles();
/// Edges at a node as a bit set (two or three).
pub const NODE_EDGE_SET: [u128; NODES] = node_edge_sets();
/// Neighbours of a node as a bit set (two or three).
pub const NODE_NEAR: [u64; NODES] = node_near();
/// Edges at a node as `(edge, far node)`, `(255, 255)` where a coast node has only two.
pub const NODE_LINKS: [[(EdgeId, NodeId); 3]; NODES] = node_links();
/// Tiles next to a tile as a bit set (three to six).
pub const TILE_NEAR: [u32; TILES] = tile_near();
/// No edge or node in [`NODE_LINKS`].
pub const NO_LINK: u8 = 255;

/// Tiles of the small board.
pub const MINI_TILES: usize = 7;
/// Nodes of the small board.
pub const MINI_NODES: usize = 24;
/// Edges of the small board as a bit set over the full edge table (30 of them).
pub const MINI_EDGE_SET: u128 = mini_edges();

/// The edge between two nodes, in either order.
pub fn edge_between(a: NodeId, b: NodeId) -> Option<EdgeId> {
    let key = [a.min(b), a.max(b)];
    EDGE_NODES.binary_search(&key).ok().map(|e| e as EdgeId)
}

const fn edge_nodes() -> [[NodeId; 2]; EDGES] {
    let mut near = [[false; NODES]; NODES];
    let mut t = 0;
    while t < TILES {
        let mut c = 0;
        while c < 6 {
            let (a, b) = (TILE_NODES[t][c] as usize, TILE_NODES[t][(c + 1) % 6] as usize);
            if a < b {
                near[a][b] = true;
            } else {
                near[b][a] = true;
            }
            c += 1;
        }
        t += 1;
    }
    let mut out = [[0; 2]; EDGES];
    let mut n = 0;
    let mut a = 0;
    while a < NODES {
        let mut b = a + 1;
        while b < NODES {
            if near[a][b] {
                out[n] = [a as NodeId, b as NodeId];
                n += 1;
            }
            b += 1;
        }
        a += 1;
    }
    assert!(n == EDGES);
    out
}

const fn tile_node_sets() -> [u64; TILES] {
    let mut out = [0; TILES];
    let mut t = 0;
    while t < TILES {
        let mut c = 0;
        while c < 6 {
            out[t] |= 1 << TILE_NODES[t][c];
            c += 1;
        }
        t += 1;
    }
    out
}

const fn node_tiles() -> [u32; NODES] {
    let mut out = [0; NODES];
    let mut t = 0;
    while t < TILES {
        let mut c = 0;
        while c < 6 {
            out[TILE_NODES[t][c] as usize] |= 1 << t;
            c += 1;
        }
        t += 1;
    }
    out
}

const fn node_edge_sets() -> [u128; NODES] {
    let mut out = [0; NODES];
    let mut e = 0;
    while e < EDGES {
        out[EDGE_NODES[e][0] as usize] |= 1 << e;
        out[EDGE_NODES[e][1] as usize] |= 1 << e;
        e += 1;
    }
    out
}

const fn node_near() -> [u64; NODES] {
    let mut out = [0; NODES];
    let mut e = 0;
    while e < EDGES {
        let (a, b) = (EDGE_NODES[e][0] as usize, EDGE_NODES[e][1] as usize);
        out[a] |= 1 << b;
        out[b] |= 1 << a;
        e += 1;
    }
    out
}

const fn node_links() -> [[(EdgeId, NodeId); 3]; NODES] {
    let mut out = [[(NO_LINK, NO_LINK); 3]; NODES];
    let mut used = [0; NODES];
    let mut e = 0;
    while e < EDGES {
        let (a, b) = (EDGE_NODES[e][0], EDGE_NODES[e][1]);
        out[a as usize][used[a as usize]] = (e as EdgeId, b);
        out[b as usize][used[b as usize]] = (e as EdgeId, a);
        used[a as usize] += 1;
        used[b as usize] += 1;
        e += 1;
    }
    out
}

const fn tile_near() -> [u32; TILES] {
    let mut out = [0; TILES];
    let mut a = 0;
    while a < TILES {
        let mut b = 0;
        while b < TILES {
            if a != b && (TILE_NODE_SET[a] & TILE_NODE_SET[b]).count_ones() == 2 {
                out[a] |= 1 << b;
            }
            b += 1;
        }
        a += 1;
    }
    out
}

const fn mini_edges() -> u128 {
    let mut out = 0;
    let mut t = 0;
    while t < MINI_TILES {
        let mut c = 0;
        while c < 6 {
            let (a, b) = (TILE_NODES[t][c], TILE_NODES[t][(c + 1) % 6]);
            out |= NODE_EDGE_SET[a as usize] & NODE_EDGE_SET[b as usize];
            c += 1;
        }
        t += 1;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// Corner of a pointy-top hex in a lattice of twelfths, so that equal corners get equal pairs.
    fn corner(xyz: [i8; 3], c: usize) -> (i32, i32) {
        let (x, z) = (i32::from(xyz[0]), i32::from(xyz[2]));
        // E is two half-widths; a row down is one half-width left and three quarter-heights.
        let (cx, cy) = (2 * x + z, 3 * z);
        let (dx, dy) = [(0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1)][c];
        (cx + dx, cy + dy)
    }

    #[test]
    fn node_ids_follow_the_walk_over_the_tiles() {
        let mut ids = BTreeMap::new();
        for (t, nodes) in TILE_NODES.iter().enumerate() {
            for (c, &node) in nodes.iter().enumerate() {
                let next = ids.len() as NodeId;
                let id = *ids.entry(corner(TILE_XYZ[t], c)).or_insert(next);
                assert_eq!(id, node, "tile {t} corner {c}");
            }
        }
        assert_eq!(ids.len(), NODES);
    }

    #[test]
    fn degrees_and_sizes_are_those_of_the_board() {
        // Handshake: 72 edges give 144 ends; 18 coast nodes have two edges, 36 have three.
        let degree = |n: usize| NODE_EDGE_SET[n].count_ones();
        assert_eq!((0..NODES).filter(|&n| degree(n) == 2).count(), 18);
        assert_eq!((0..NODES).filter(|&n| degree(n) == 3).count(), 36);
        assert_eq!(MINI_EDGE_SET.count_ones(), 30);
        assert_eq!(TILE_NEAR.map(u32::count_ones).iter().sum::<u32>(), 2 * 42); // 42 inner sides
        for n in 0..NODES {
            assert_eq!(NODE_NEAR[n].count_ones(), degree(n));
            for &(e, far) in NODE_LINKS[n].iter().filter(|l| l.0 != NO_LINK) {
                assert_eq!(edge_between(far, n as NodeId), Some(e));
            }
        }
        assert_eq!(edge_between(0, 53), None);
    }

    #[test]
    fn harbours_lie_on_coast_edges() {
        for [a, b] in PORT_NODES {
            assert!(edge_between(a, b).is_some());
            let shared = NODE_TILES[usize::from(a)] & NODE_TILES[usize::from(b)];
            assert_eq!(shared.count_ones(), 1, "a harbour has land on one side");
        }
    }
}
