//! The one table of an observation row: the spec, the writer, the bots' reader and the page come from it.

use crate::topology::{EDGES, MAX_SEATS, NODES, PORTS, TILES};
use rl_gym::{Dtype, Field, Space};

/// One named part of a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    /// Name, unique in the row.
    pub name: &'static str,
    /// Shape, row-major; `[]` is one number.
    pub shape: &'static [usize],
    /// Greatest value of an element; the least is 0.
    pub high: u8,
    /// What it means.
    pub meaning: &'static str,
}

impl Part {
    /// Number of elements.
    pub const fn size(&self) -> usize {
        let (mut size, mut i) = (1, 0);
        while i < self.shape.len() {
            size *= self.shape[i];
            i += 1;
        }
        size
    }
}

macro_rules! parts {
    ($($key:ident $shape:expr, $high:expr, $meaning:expr;)*) => {
        #[expect(non_camel_case_types, reason = "each variant bears the name of its part")]
        enum Index { $($key),* }

        /// Every part in row order.
        pub const PARTS: &[Part] = &[
            $(Part { name: stringify!($key), shape: &$shape, high: $high, meaning: $meaning }),*
        ];

        /// First element of each part.
        #[expect(non_upper_case_globals, reason = "each constant bears the name of its part")]
        pub mod at {
            $(
                #[doc = $meaning]
                pub const $key: usize = super::offset(super::Index::$key as usize);
            )*
        }
    };
}

const fn offset(index: usize) -> usize {
    let (mut at, mut i) = (0, 0);
    while i < index {
        at += PARTS[i].size();
        i += 1;
    }
    at
}

/// Elements (and bytes) of a row.
pub const OBS_LEN: usize = offset(PARTS.len());

parts! {
    tile_terrain [TILES, 6], 1, "one-hot by tile: wood, brick, sheep, wheat, ore, desert; zero when not on this board";
    tile_number [TILES], 12, "number token by tile, 0 on desert";
    tile_pips [TILES], 5, "ways of two dice (of 36) that roll the tile's number";
    port_kind [PORTS, 6], 1, "one-hot by harbour site: 2:1 wood, brick, sheep, wheat, ore, then 3:1";
    tile_robber [TILES], 1, "one-hot: where the robber stands";
    settlements [MAX_SEATS, NODES], 1, "settlements by seat and node";
    cities [MAX_SEATS, NODES], 1, "cities by seat and node";
    roads [MAX_SEATS, EDGES], 1, "roads by seat and edge";
    hand [5], 19, "the viewer's resource cards: wood, brick, sheep, wheat, ore";
    dev_cards [5], 14, "the viewer's unplayed development cards: knight, year of plenty, monopoly, road building, victory point";
    dev_bought [5], 14, "of these, bought this turn and so not playable";
    own_points [], 40, "the viewer's points, victory point cards included";
    seated [MAX_SEATS], 1, "1 for each seat of this game";
    hand_size [MAX_SEATS], 95, "resource cards by seat";
    dev_count [MAX_SEATS], 25, "unplayed development cards by seat";
    dev_played [MAX_SEATS, 4], 14, "development cards played by seat: knight, year of plenty, monopoly, road building";
    points [MAX_SEATS], 40, "visible points by seat";
    roads_left [MAX_SEATS], 15, "road pieces left by seat";
    settlements_left [MAX_SEATS], 5, "settlement pieces left by seat";
    cities_left [MAX_SEATS], 4, "city pieces left by seat";
    road_length [MAX_SEATS], 15, "length of the longest road by seat";
    longest_road [MAX_SEATS], 1, "one-hot: holder of the longest road card";
    largest_army [MAX_SEATS], 1, "one-hot: holder of the largest army card";
    ports [MAX_SEATS, 6], 1, "harbours in use by seat: 2:1 wood, brick, sheep, wheat, ore, then 3:1";
    discards_left [MAX_SEATS], 47, "cards that a seat still has to discard";
    bank [5], 19, "resource cards in the bank";
    deck [], 25, "development cards left to buy";
    phase [12], 1, "one-hot: setup settlement, setup road, before roll, main, free roads, discard, move robber, draft, answer, counter draft, confirm, over";
    turn_seat [MAX_SEATS], 1, "one-hot: whose turn it is";
    actor [MAX_SEATS], 1, "one-hot: who decides; zero while chance is pending or the game is over";
    rolled [], 1, "whether the seat on turn has rolled";
    card_played [], 1, "whether the seat on turn has played a development card";
    last_roll [], 12, "sum of the last dice, 0 before the first roll";
    free_roads [], 2, "free roads still to place";
    setup_placed [], 8, "settlements with their road placed in the setup";
    rounds [], 255, "completed turns divided by the number of seats, at most 255";
    target_points [], 20, "points that win";
    discard_limit [], 95, "most cards a hand may hold when a seven falls";
    offers_made [], 20, "trade offers that the seat on turn has started this turn";
    offers_left [], 20, "trade offers that it may still start";
    draft_give [5], 4, "the viewer's own draft: cards to give";
    draft_want [5], 4, "the viewer's own draft: cards wanted";
    counter_used [], 1, "whether the viewer, asked now, has used its counter draft";
    offer_give [5], 4, "the offer on the table: cards that the seat on turn gives";
    offer_want [5], 4, "the offer on the table: cards that it wants";
    accepted [MAX_SEATS], 1, "seats that accepted the offer";
    countered [MAX_SEATS], 1, "seats that sent a counter offer";
    counter_give [MAX_SEATS, 5], 4, "counter offers: cards that the countering seat gives";
    counter_want [MAX_SEATS, 5], 4, "counter offers: cards that it wants";
}

/// The observation space of every settlers environment.
pub fn space() -> Space {
    let field = |p: &Part| Field::new(p.name, p.shape, 0.0, f64::from(p.high), p.meaning);
    Space::Fields { dtype: Dtype::U8, fields: PARTS.iter().map(field).collect() }
}

/// The table as Markdown, as the README holds it.
pub fn markdown() -> String {
    let mut out = String::from("| at | name | shape | range | meaning |\n|---|---|---|---|---|\n");
    for (i, p) in PARTS.iter().enumerate() {
        out +=
            &format!("| {} | `{}` | {:?} | 0..={} | {} |\n", offset(i), p.name, p.shape, p.high, p.meaning);
    }
    out
}

const _: () = assert!(at::tile_terrain == 0);
