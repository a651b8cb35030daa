//! What can be said of a rival, by its place after the viewer; place 0 stands for nobody, of whom all is 0.

use super::goal::Deal;
use super::row::{Row, holds};
use super::tile::is_leader;
use crate::observe::at;

words! {
    points 0..=40 "visible points", |row, k| row.n(at::points + k);
    points_to_win 0..=20 "visible points that it lacks to win", |row, k| (row.n(at::target_points) - row.n(at::points + k)).max(0.0);
    is_leader 0..=1 "no other rival has more visible points", |row, k| holds(is_leader(row, k));
    hand_size 0..=95 "resource cards in hand", |row, k| row.n(at::hand_size + k);
    cards 0..=25 "unplayed development cards", |row, k| row.n(at::dev_count + k);
    knights 0..=14 "knights played", |row, k| row.n(at::dev_played + 4 * k);
    road_length 0..=15 "its longest road", |row, k| row.n(at::road_length + k);
    has_longest_road 0..=1 "it holds the longest road card", |row, k| row.n(at::longest_road + k);
    has_largest_army 0..=1 "it holds the largest army card", |row, k| row.n(at::largest_army + k);
    income 0..=180 "its pips", |row, k| row.pips_of(k);
    deal_gives 0..=4 "cards that the deal with it takes from the viewer: the offer asked about, accepted or countered; 0 for none", |row, k| Deal::with(row, k).map_or(0.0, |deal| deal.gives());
    deal_gets 0..=4 "cards that the viewer gets by it", |row, k| Deal::with(row, k).map_or(0.0, |deal| deal.gets());
    deal_gain -4..=4 "by how many cards that brings the viewer's nearest purchase nearer", |row, k| Deal::with(row, k).map_or(0.0, |deal| deal.gain(row));
}

/// Reads a word of the rival at place `k`.
pub(super) fn read(row: &Row<'_>, k: usize, feature: usize) -> f32 {
    if row.rivals().contains(&k) { READ[feature](row, k) } else { 0.0 }
}
