//! The nearest purchase, and what deals would do to it.

use super::row::Row;
use crate::Phase;
use crate::counts::Counts;
use crate::observe::at;
use crate::state::{CITY_COST, DEV_COST, ROAD_COST, SETTLEMENT_COST};

/// Cards of `cost` that a hand lacks.
pub(super) fn missing(hand: [u8; 5], cost: Counts) -> f32 {
    let lacking = hand.iter().zip(cost.array()).map(|(has, needs)| needs.saturating_sub(*has));
    lacking.map(f32::from).sum()
}

/// The cost of the purchase for which the fewest cards are missing, of equals the first of: settlement (with a piece
/// and a node for it), city (with a piece and a settlement), road (with a piece, while no node can be settled); a
/// development card where none of these is open.
pub(super) fn nearest(row: &Row<'_>) -> Counts {
    let can_settle = row.spots() != 0;
    let open = [
        (can_settle && row.get(at::settlements_left) > 0, SETTLEMENT_COST),
        (row.settlements() != 0 && row.get(at::cities_left) > 0, CITY_COST),
        (!can_settle && row.get(at::roads_left) > 0, ROAD_COST),
    ];
    let hand = row.hand();
    let mut best: Option<(f32, Counts)> = None;
    for (_, cost) in open.into_iter().filter(|(is_open, _)| *is_open) {
        let lacking = missing(hand, cost);
        if best.is_none_or(|(least, _)| lacking < least) {
            best = Some((lacking, cost));
        }
    }
    best.map_or(DEV_COST, |(_, cost)| cost)
}

/// Cards of a resource that the nearest purchase does not need.
pub(super) fn spare(row: &Row<'_>, resource: usize) -> u8 {
    row.get(at::hand + resource).saturating_sub(row.goal().get(resource))
}

/// Bank trades of a resource that leave what the nearest purchase needs.
pub(super) fn spare_trades(row: &Row<'_>, resource: usize) -> u8 {
    spare(row, resource) / row.rate(resource)
}

/// A deal from the viewer's side.
pub(super) struct Deal {
    pub(super) give: [u8; 5],
    pub(super) get: [u8; 5],
}

impl Deal {
    /// What lies on the table between the viewer and the seat at place `k`: the offer of the seat on turn when the
    /// viewer is asked, the offer or the counter offer to be confirmed when the viewer made it.
    pub(super) fn with(row: &Row<'_>, k: usize) -> Option<Self> {
        let is_own = row.get(at::turn_seat) == 1;
        if !is_own {
            let is_asked = row.is_phase(Phase::Answer) && row.get(at::turn_seat + k) == 1;
            let (give, get) = (row.five(at::offer_want), row.five(at::offer_give));
            return is_asked.then_some(Self { give, get });
        }
        if row.get(at::countered + k) == 1 {
            let (give, get) = (row.five(at::counter_want + 5 * k), row.five(at::counter_give + 5 * k));
            return Some(Self { give, get });
        }
        let is_agreed = row.get(at::accepted + k) == 1;
        is_agreed.then(|| Self { give: row.five(at::offer_give), get: row.five(at::offer_want) })
    }

    /// By how many cards it brings the nearest purchase nearer; below 0 it takes away what that needs.
    pub(super) fn gain(&self, row: &Row<'_>) -> f32 {
        let (hand, goal) = (row.hand(), row.goal());
        let after = std::array::from_fn(|r| hand[r].saturating_sub(self.give[r]).saturating_add(self.get[r]));
        missing(hand, goal) - missing(after, goal)
    }

    /// Cards given.
    pub(super) fn gives(&self) -> f32 {
        self.give.iter().map(|n| f32::from(*n)).sum()
    }

    /// Cards got.
    pub(super) fn gets(&self) -> f32 {
        self.get.iter().map(|n| f32::from(*n)).sum()
    }
}

/// The place of the seat on turn, 0 for the viewer.
pub(super) fn on_turn(row: &Row<'_>) -> usize {
    (0..crate::topology::MAX_SEATS).find(|k| row.get(at::turn_seat + k) == 1).unwrap_or(0)
}
