//! What can be said of a tile. "Cards" are those that its buildings get when it is rolled: 1 a settlement, 2 a city.

use super::row::{Row, each, holds};
use crate::counts::Counts;
use crate::observe::at;
use crate::topology::{NODES, TILE_NODE_SET};

words! {
    pips 0..=5 "ways of two dice, of 36, that roll it", |row, t| row.n(at::tile_pips + t);
    number 0..=12 "its number token, 0 for none", |row, t| row.n(at::tile_number + t);
    wood 0..=1 "forest", |row, t| holds(row.kind(t) == Some(0));
    brick 0..=1 "hills", |row, t| holds(row.kind(t) == Some(1));
    sheep 0..=1 "pasture", |row, t| holds(row.kind(t) == Some(2));
    wheat 0..=1 "fields", |row, t| holds(row.kind(t) == Some(3));
    ore 0..=1 "mountains", |row, t| holds(row.kind(t) == Some(4));
    desert 0..=1 "desert", |row, t| holds(row.kind(t) == Some(5));
    has_robber 0..=1 "the robber stands on it", |row, t| row.n(at::tile_robber + t);
    own_cards 0..=6 "cards of the viewer", |row, t| row.cards_of(0, t).into();
    rival_cards 0..=6 "cards of all rivals", |row, t| sum(row, t, |_| 1.0);
    own_block 0..=30 "own cards times pips", |row, t| row.n(at::tile_pips + t) * f32::from(row.cards_of(0, t));
    rival_block 0..=30 "cards of all rivals times pips", |row, t| row.n(at::tile_pips + t) * sum(row, t, |_| 1.0);
    leader_block 0..=30 "cards of the foremost rivals times pips", |row, t| row.n(at::tile_pips + t) * sum(row, t, |k| holds(is_leader(row, k)));
    points_block 0..=60 "cards of each rival times its visible points over the target (2 at most), times pips", points_block;
    victims 0..=3 "rivals with a building on it and cards in hand", |row, t| victims(row, t).count() as f32;
    victim_hand 0..=95 "the fullest hand among those", |row, t| victims(row, t).map(|k| row.n(at::hand_size + k)).fold(0.0, f32::max);
    goal_cards 0..=3 "cards of its resource that the viewer's nearest purchase costs", goal_cards;
    open_spots 0..=6 "open nodes around it", |row, t| row.open(TILE_NODE_SET[t]).count_ones() as f32;
    scarce 0..=2 "scarcity of its resource on this board (0.5 to 2), 0 for none", scarce;
}

/// Cards of the rivals, each weighed.
fn sum(row: &Row<'_>, tile: usize, weigh: impl Fn(usize) -> f32) -> f32 {
    let rivals = row.rivals().map(|k| match row.cards_of(k, tile) {
        0 => 0.0,
        cards => f32::from(cards) * weigh(k),
    });
    rivals.sum()
}

/// Whether no other rival has more visible points than seat `k`.
pub(super) fn is_leader(row: &Row<'_>, k: usize) -> bool {
    row.get(at::points + k) == row.rival_max(at::points)
}

fn points_block(row: &Row<'_>, tile: usize) -> f32 {
    let target = row.n(at::target_points).max(1.0);
    row.n(at::tile_pips + tile) * sum(row, tile, |k| (row.n(at::points + k) / target).min(2.0))
}

fn victims(row: &Row<'_>, tile: usize) -> impl Iterator<Item = usize> {
    row.rivals().filter(move |&k| {
        let mut any = 0;
        each(TILE_NODE_SET[tile], |n| {
            any |= row.get(at::settlements + k * NODES + n) | row.get(at::cities + k * NODES + n);
        });
        any == 1 && row.get(at::hand_size + k) > 0
    })
}

fn goal_cards(row: &Row<'_>, tile: usize) -> f32 {
    let goal: Counts = row.goal();
    row.kind(tile).filter(|r| *r < 5).map_or(0.0, |r| goal.get(r).into())
}

fn scarce(row: &Row<'_>, tile: usize) -> f32 {
    let kind = row.kind(tile).filter(|r| *r < 5);
    kind.map_or(0.0, |r| super::node::scarcity(row.board_pips(), r))
}
