//! What can be said of a resource.

use super::goal::{spare, spare_trades};
use super::node::scarcity;
use super::row::Row;
use crate::counts::Counts;
use crate::observe::at;
use crate::state::{CITY_COST, DEV_COST, ROAD_COST, SETTLEMENT_COST};

words! {
    own 0..=19 "own cards of it", |row, r| row.n(at::hand + r);
    needed 0..=3 "own cards of it missing for the nearest purchase", |row, r| lacking(row, row.goal(), r);
    spare 0..=19 "own cards of it that the nearest purchase does not need", |row, r| spare(row, r).into();
    spare_trades 0..=9 "bank trades of it that leave what the nearest purchase needs", |row, r| spare_trades(row, r).into();
    needed_road 0..=1 "own cards of it missing for a road", |row, r| lacking(row, ROAD_COST, r);
    needed_settlement 0..=1 "own cards of it missing for a settlement", |row, r| lacking(row, SETTLEMENT_COST, r);
    needed_city 0..=3 "own cards of it missing for a city", |row, r| lacking(row, CITY_COST, r);
    needed_card 0..=1 "own cards of it missing for a development card", |row, r| lacking(row, DEV_COST, r);
    income 0..=120 "own pips of it", |row, r| row.income().get(r).into();
    bank 0..=19 "cards of it in the bank", |row, r| row.n(at::bank + r);
    rivals 0..=19 "cards of it that the rivals hold between them", |row, r| row.held_by_rivals(r);
    rate 2..=4 "cards of it that the bank takes for one", |row, r| row.rate(r).into();
    board_pips 0..=20 "pips of it on the board", |row, r| row.board_pips()[r];
    scarcity 0.5..=2 "mean pips of a resource on the board over its own, 0.5 to 2", |row, r| scarcity(row.board_pips(), r);
    wanted 0..=4 "cards of it that the seat on turn wants in its offer", |row, r| row.n(at::offer_want + r);
    drafted 0..=4 "cards of it in the own draft, on either side", |row, r| row.n(at::draft_give + r) + row.n(at::draft_want + r);
}

fn lacking(row: &Row<'_>, cost: Counts, resource: usize) -> f32 {
    cost.get(resource).saturating_sub(row.get(at::hand + resource)).into()
}
