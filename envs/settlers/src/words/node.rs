//! What can be said of a node.

use super::facts::evenness;
use super::row::{Row, each, holds};
use crate::counts::Counts;
use crate::observe::at;
use crate::topology::{EDGES, NODE_EDGE_SET, NODE_TILES};

words! {
    pips 0..=15 "pips of all its tiles: cards in 36 rolls for a settlement, and a city's gain", |row, n| row.pips(n).total().into();
    wood 0..=15 "wood pips", |row, n| row.pips(n).get(0).into();
    brick 0..=15 "brick pips", |row, n| row.pips(n).get(1).into();
    sheep 0..=15 "sheep pips", |row, n| row.pips(n).get(2).into();
    wheat 0..=15 "wheat pips", |row, n| row.pips(n).get(3).into();
    ore 0..=15 "ore pips", |row, n| row.pips(n).get(4).into();
    resources 0..=3 "different resources", |row, n| row.pips(n).at_least(1).count_ones() as f32;
    new_resources 0..=3 "resources that the viewer does not produce yet", |row, n| fresh(row, n).count_ones() as f32;
    new_pips 0..=15 "pips of those", |row, n| masked(row.pips(n), fresh(row, n));
    scarce_pips 0..=30 "pips, each weighed by the scarcity of its resource on this board (0.5 to 2)", scarce_pips;
    evenness_gain 0..=7 "how much a settlement adds to the fact evenness", |row, n| evenness_gain(row, n);
    worth 0..=21 "pips, 1.5 for each new resource and 1 for a harbour", |row, n| row.worth(n);
    harbour 0..=1 "a harbour", |row, n| holds(row.harbour(n).is_some());
    harbour_any 0..=1 "a 3:1 harbour", |row, n| holds(row.harbour(n) == Some(5));
    harbour_pips 0..=135 "own pips, a settlement here included, of the resource of its 2:1 harbour; 0 without one", harbour_pips;
    is_open 0..=1 "nothing is built on it or next to it", |row, n| holds(row.open(1 << n) != 0);
    next_spots 0..=6 "open nodes two edges away, free or with own roads: they stay open when it is settled", |row, n| next(row, n).count_ones() as f32;
    next_worth 0..=21 "the greatest worth of those, 0 for none", |row, n| row.best(next(row, n));
    distance 0..=4 "free edges between it and the own network; 4 for more than 3, or for no network", distance;
    rivals_near 0..=3 "rivals whose roads touch it", |row, n| rivals(row, n, 1);
    cuts 0..=3 "rivals whose roads run through it: a settlement cuts them", |row, n| rivals(row, n, 2);
    robbed_pips 0..=5 "pips of its tile under the robber", robbed_pips;
}

/// Resources of a node that the viewer lacks, a bit a resource.
fn fresh(row: &Row<'_>, node: usize) -> u32 {
    row.pips(node).at_least(1) & !row.income().at_least(1)
}

/// Sum of the counts in a set.
fn masked(pips: Counts, set: u32) -> f32 {
    (0..5).filter(|r| set >> r & 1 == 1).map(|r| f32::from(pips.get(r))).sum()
}

/// Mean pips of a resource on the board over those of this one, 0.5 to 2.
pub(super) fn scarcity(board: [f32; 5], resource: usize) -> f32 {
    (board.iter().sum::<f32>() / 5.0 / board[resource].max(1.0)).clamp(0.5, 2.0)
}

fn scarce_pips(row: &Row<'_>, node: usize) -> f32 {
    let board = row.board_pips();
    let pips = row.pips(node);
    (0..5).map(|r| f32::from(pips.get(r)) * scarcity(board, r)).sum()
}

fn evenness_gain(row: &Row<'_>, node: usize) -> f32 {
    let income = row.income();
    (evenness(income.plus(row.pips(node))) - evenness(income)).max(0.0)
}

fn harbour_pips(row: &Row<'_>, node: usize) -> f32 {
    match row.harbour(node) {
        Some(r) if r < 5 => f32::from(row.income().get(r)) + f32::from(row.pips(node).get(r)),
        _ => 0.0,
    }
}

/// Open nodes two edges away, over free edges and own roads. They are not neighbours of `node`: the board has no rings
/// of three.
fn next(row: &Row<'_>, node: usize) -> u64 {
    let edges = row.free_edges() | row.roads();
    row.open(row.step_over(row.step_over(1 << node, edges), edges) & !(1 << node))
}

fn distance(row: &Row<'_>, node: usize) -> f32 {
    let network = row.network();
    let mut reached = 1 << node;
    for edges in 0..4 {
        if reached & network != 0 {
            return edges as f32;
        }
        reached |= row.step(reached);
    }
    4.0
}

/// Rivals with `least` roads at the node.
fn rivals(row: &Row<'_>, node: usize, least: u32) -> f32 {
    let has = |k: &usize| roads_at(row, *k, node) >= least;
    row.rivals().filter(has).count() as f32
}

/// Roads of seat `k` at a node.
pub(super) fn roads_at(row: &Row<'_>, k: usize, node: usize) -> u32 {
    let (mut edges, mut roads) = (NODE_EDGE_SET[node], 0);
    while edges != 0 {
        roads += u32::from(row.get(at::roads + k * EDGES + edges.trailing_zeros() as usize) == 1);
        edges &= edges - 1;
    }
    roads
}

fn robbed_pips(row: &Row<'_>, node: usize) -> f32 {
    let mut pips = 0.0;
    each(NODE_TILES[node].into(), |t| pips += row.n(at::tile_robber + t) * row.n(at::tile_pips + t));
    pips
}
