//! How tiles, harbours, nodes and edges hang together: constant tables of ids beside the relational observation.
//!
//! All follow from [`crate::topology`], by which the rules play. A row holds the neighbours of one entity in a
//! fixed order; [`NONE`] fills rows that have fewer. The tables are those of the full board. On the small one, tiles
//! 7 to 18, nodes 24 to 53 and the edges outside [`crate::topology::MINI_EDGE_SET`] are not in play: their terrain is
//! zero, as is everything on them.

use super::table::Table;
use crate::topology::{
    EDGES, NODE_EDGE_SET, NODE_LINKS, NODE_NEAR, NODE_TILES as NODE_TILE_SET, NODES, PORTS, TILE_NEAR,
    TILE_NODE_SET, TILES,
};

pub use crate::topology::{EDGE_NODES, NO_LINK as NONE, PORT_NODES as HARBOUR_NODES, TILE_NODES};

/// The six edges of each tile: from corner N to NE, and on clockwise.
pub static TILE_EDGES: [[u8; 6]; TILES] = tile_edges();
/// Tiles that share a side with each tile, ascending.
pub static TILE_TILES: [[u8; 6]; TILES] = tile_tiles();
/// Tiles around each node, ascending.
pub static NODE_TILES: [[u8; 3]; NODES] = node_tiles();
/// Edges at each node, ascending.
pub static NODE_EDGES: [[u8; 3]; NODES] = node_edges();
/// Neighbours of each node, in the order of [`NODE_EDGES`].
pub static NODE_NODES: [[u8; 3]; NODES] = node_nodes();
/// Harbour site of each node.
pub static NODE_HARBOUR: [[u8; 1]; NODES] = node_harbour();
/// Tiles on both sides of each edge, ascending; one at the coast.
pub static EDGE_TILES: [[u8; 2]; EDGES] = edge_tiles();
/// Edges that share a node with each edge: those at its lower node, then those at the other, each ascending.
pub static EDGE_EDGES: [[u8; 4]; EDGES] = edge_edges();

/// One relation between two tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Relation {
    /// Name of its constant.
    pub name: &'static str,
    /// Table whose rows have the neighbours.
    pub from: Table,
    /// Table to which the neighbours belong.
    pub to: Table,
    /// Most neighbours of a row.
    pub degree: usize,
    /// Ids, row-major [`from.rows()`, `degree`], [`NONE`] where a row has fewer.
    pub ids: &'static [u8],
    /// What it relates, and in which order.
    pub meaning: &'static str,
}

impl Relation {
    /// All pairs (row, neighbour), without the padding: an edge list.
    pub fn pairs(&self) -> impl Iterator<Item = (u8, u8)> + use<> {
        let rows = self.ids.chunks_exact(self.degree).zip(0..);
        rows.flat_map(|(ids, from)| ids.iter().filter(|&&to| to != NONE).map(move |&to| (from, to)))
    }
}

/// Every relation.
pub static RELATIONS: [Relation; 11] = {
    const fn relation(
        name: &'static str,
        (from, to): (Table, Table),
        ids: &'static [u8],
        meaning: &'static str,
    ) -> Relation {
        Relation { name, from, to, degree: ids.len() / from.rows(), ids, meaning }
    }
    use Table::{Edge, Harbour, Node, Tile};
    [
        relation("TILE_NODES", (Tile, Node), TILE_NODES.as_flattened(), "corners N, NE, SE, S, SW, NW"),
        relation("TILE_EDGES", (Tile, Edge), TILE_EDGES.as_flattened(), "sides from N to NE, then clockwise"),
        relation("TILE_TILES", (Tile, Tile), TILE_TILES.as_flattened(), "tiles with a common side"),
        relation(
            "HARBOUR_NODES",
            (Harbour, Node),
            HARBOUR_NODES.as_flattened(),
            "nodes that use the harbour",
        ),
        relation("NODE_TILES", (Node, Tile), NODE_TILES.as_flattened(), "tiles around the node"),
        relation("NODE_EDGES", (Node, Edge), NODE_EDGES.as_flattened(), "edges at the node"),
        relation(
            "NODE_NODES",
            (Node, Node),
            NODE_NODES.as_flattened(),
            "far ends of those edges, same order",
        ),
        relation("NODE_HARBOUR", (Node, Harbour), NODE_HARBOUR.as_flattened(), "harbour of the node"),
        relation("EDGE_NODES", (Edge, Node), EDGE_NODES.as_flattened(), "ends, lower first"),
        relation("EDGE_TILES", (Edge, Tile), EDGE_TILES.as_flattened(), "tiles beside the edge"),
        relation("EDGE_EDGES", (Edge, Edge), EDGE_EDGES.as_flattened(), "edges with a common node"),
    ]
};

/// The relations as Markdown, as `docs/observation.md` holds them.
pub fn markdown() -> String {
    let mut out =
        String::from("| constant | from | to | shape | pairs | neighbours |\n|---|---|---|---|---|---|\n");
    for r in &RELATIONS {
        out += &format!(
            "| `{}` | {} | {} | [{}, {}] | {} | {} |\n",
            r.name,
            r.from.name(),
            r.to.name(),
            r.from.rows(),
            r.degree,
            r.pairs().count(),
            r.meaning
        );
    }
    out
}

/// The members of a bit set in ascending order, padded with [`NONE`].
const fn members<const N: usize>(mut set: u128) -> [u8; N] {
    let mut out = [NONE; N];
    let mut n = 0;
    while set != 0 {
        out[n] = set.trailing_zeros() as u8;
        set &= set - 1;
        n += 1;
    }
    out
}

const fn tile_edges() -> [[u8; 6]; TILES] {
    let mut out = [[NONE; 6]; TILES];
    let mut t = 0;
    while t < TILES {
        let mut c = 0;
        while c < 6 {
            let (a, b) = (TILE_NODES[t][c] as usize, TILE_NODES[t][(c + 1) % 6] as usize);
            out[t][c] = (NODE_EDGE_SET[a] & NODE_EDGE_SET[b]).trailing_zeros() as u8;
            c += 1;
        }
        t += 1;
    }
    out
}

const fn tile_tiles() -> [[u8; 6]; TILES] {
    let mut out = [[NONE; 6]; TILES];
    let mut t = 0;
    while t < TILES {
        out[t] = members(TILE_NEAR[t] as u128);
        t += 1;
    }
    out
}

const fn node_tiles() -> [[u8; 3]; NODES] {
    let mut out = [[NONE; 3]; NODES];
    let mut n = 0;
    while n < NODES {
        out[n] = members(NODE_TILE_SET[n] as u128);
        n += 1;
    }
    out
}

const fn node_edges() -> [[u8; 3]; NODES] {
    let mut out = [[NONE; 3]; NODES];
    let mut n = 0;
    while n < NODES {
        out[n] = members(NODE_EDGE_SET[n]);
        n += 1;
    }
    out
}

const fn node_nodes() -> [[u8; 3]; NODES] {
    let mut out = [[NONE; 3]; NODES];
    let mut n = 0;
    while n < NODES {
        assert!(NODE_NEAR[n].count_ones() == NODE_EDGE_SET[n].count_ones());
        let mut k = 0;
        while k < 3 {
            out[n][k] = NODE_LINKS[n][k].1;
            k += 1;
        }
        n += 1;
    }
    out
}

const fn node_harbour() -> [[u8; 1]; NODES] {
    let mut out = [[NONE; 1]; NODES];
    let mut p = 0;
    while p < PORTS {
        out[HARBOUR_NODES[p][0] as usize] = [p as u8];
        out[HARBOUR_NODES[p][1] as usize] = [p as u8];
        p += 1;
    }
    out
}

const fn edge_tiles() -> [[u8; 2]; EDGES] {
    let mut out = [[NONE; 2]; EDGES];
    let mut e = 0;
    while e < EDGES {
        let both = 1u64 << EDGE_NODES[e][0] | 1u64 << EDGE_NODES[e][1];
        let (mut set, mut t) = (0u128, 0);
        while t < TILES {
            if TILE_NODE_SET[t] & both == both {
                set |= 1 << t;
            }
            t += 1;
        }
        out[e] = members(set);
        e += 1;
    }
    out
}

const fn edge_edges() -> [[u8; 4]; EDGES] {
    let mut out = [[NONE; 4]; EDGES];
    let mut e = 0;
    while e < EDGES {
        let (mut end, mut n) = (0, 0);
        while end < 2 {
            let mut set = NODE_EDGE_SET[EDGE_NODES[e][end] as usize] & !(1 << e);
            while set != 0 {
                out[e][n] = set.trailing_zeros() as u8;
                set &= set - 1;
                n += 1;
            }
            end += 1;
        }
        e += 1;
    }
    out
}
