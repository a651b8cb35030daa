//! What can be said of an edge. Its fresh ends are those that the own network does not touch yet.

use super::node::roads_at;
use super::row::{Row, each, holds};
use crate::longest_road::longest_through;
use crate::observe::at;
use crate::rules::LEAST_ROAD;
use crate::topology::EDGE_NODES;

words! {
    spot 0..=21 "worth of an open node at a fresh end, 0 for none", |row, e| row.best(row.open(fresh(row, e)));
    next_spot 0..=21 "greatest worth of an open node one road past a fresh end", |row, e| row.best(row.open(ahead(row, e)));
    far_spot 0..=21 "the same two roads past it", |row, e| row.best(row.open(row.step(ahead(row, e)) & !row.network()));
    spots 0..=14 "open nodes at a fresh end or up to two roads past it", spots;
    ways_on 0..=4 "free edges that go on from fresh ends", |row, e| ahead(row, e).count_ones() as f32;
    fresh_ends 0..=2 "ends that the own network does not touch yet", |row, e| fresh(row, e).count_ones() as f32;
    road_gain 0..=15 "by how much the own longest road would grow", |row, e| (length(row, e) - row.n(at::road_length)).max(0.0);
    takes_longest_road 0..=1 "it would bring the longest road card", takes_longest_road;
    rivals_at_end 0..=3 "rivals whose roads touch a fresh end", rivals_at_end;
    end_built 0..=1 "a rival's building stands at a fresh end: the road ends there", |row, e| holds(fresh(row, e) & row.foreign() != 0);
    to_harbour 0..=1 "an open harbour node at a fresh end or one road past it", to_harbour;
    end_pips 0..=15 "most pips of a fresh end", end_pips;
}

fn fresh(row: &Row<'_>, edge: usize) -> u64 {
    let [a, b] = EDGE_NODES[edge];
    (1 << a | 1 << b) & !row.network()
}

/// Nodes one free edge past the fresh ends.
fn ahead(row: &Row<'_>, edge: usize) -> u64 {
    let [a, b] = EDGE_NODES[edge];
    row.step(fresh(row, edge)) & !(row.network() | 1 << a | 1 << b)
}

fn spots(row: &Row<'_>, edge: usize) -> f32 {
    let one = ahead(row, edge);
    let two = row.step(one) & !row.network();
    row.open(fresh(row, edge) | one | two).count_ones() as f32
}

/// The longest own trail through the edge.
fn length(row: &Row<'_>, edge: usize) -> f32 {
    longest_through(row.roads() | 1 << edge, row.foreign(), edge as u8).into()
}

fn takes_longest_road(row: &Row<'_>, edge: usize) -> f32 {
    if row.get(at::longest_road) == 1 {
        return 0.0;
    }
    let least = (row.rival_max(at::road_length).saturating_add(1)).max(LEAST_ROAD);
    holds(length(row, edge) >= least.into())
}

fn rivals_at_end(row: &Row<'_>, edge: usize) -> f32 {
    let ends = fresh(row, edge);
    let near = |k: &usize| {
        let mut roads = 0;
        each(ends, |n| roads += roads_at(row, *k, n));
        roads > 0
    };
    row.rivals().filter(near).count() as f32
}

fn to_harbour(row: &Row<'_>, edge: usize) -> f32 {
    let mut found = false;
    each(row.open(fresh(row, edge) | ahead(row, edge)), |n| found |= row.harbour(n).is_some());
    holds(found)
}

fn end_pips(row: &Row<'_>, edge: usize) -> f32 {
    let mut most = 0;
    each(fresh(row, edge), |n| most = most.max(row.pips(n).total()));
    most.into()
}
