//! The one table of an observation: the spec, the writer, the bots' reader, the relational form and the pages come
//! from it.

use crate::topology::{EDGES, MAX_SEATS, NODES, PORTS, TILES};
use rl_gym::{Dtype, Field, Space};

/// What the rows of a table of the relational form stand for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Table {
    /// A row a tile, by tile id.
    Tile,
    /// A row a harbour site, by its number.
    Harbour,
    /// A row a node, by node id.
    Node,
    /// A row an edge, by edge id.
    Edge,
    /// A row a seat: 0 the viewer, 1 the next in turn order.
    Seat,
    /// One row about the whole game.
    Global,
}

impl Table {
    /// All tables, in the order of the dense form.
    pub const ALL: [Self; 6] = [Self::Tile, Self::Harbour, Self::Node, Self::Edge, Self::Seat, Self::Global];

    /// Lower-case name.
    pub const fn name(self) -> &'static str {
        ["tile", "harbour", "node", "edge", "seat", "global"][self as usize]
    }

    /// Number of rows.
    pub const fn rows(self) -> usize {
        [TILES, PORTS, NODES, EDGES, MAX_SEATS, 1][self as usize]
    }
}

/// Who may see a part.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sight {
    /// Every seat sees the same (rotated to itself).
    Everyone,
    /// The viewer alone; what others hold of it is hidden.
    Viewer,
}

impl Sight {
    /// In the words of the pages.
    pub const fn words(self) -> &'static str {
        ["every seat", "the viewer only"][self as usize]
    }
}

/// One named part of a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    /// Name, unique in the row.
    pub name: &'static str,
    /// Table of the relational form to which it belongs.
    pub table: Table,
    /// Shape, row-major; `[]` is one number. One axis is that of the table's rows (none for
    /// [`Table::Global`]): the first one of its length.
    pub shape: &'static [usize],
    /// What the elements of one row of the table stand for, in order; empty where there is but one.
    pub labels: &'static [&'static str],
    /// Greatest value of an element; the least is 0.
    pub high: u8,
    /// Unit of the values; `flag` is 0 or 1.
    pub unit: &'static str,
    /// Who may see it.
    pub sight: Sight,
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

    /// Columns that the part takes in its table.
    pub const fn width(&self) -> usize {
        self.size() / self.table.rows()
    }

    /// Place of an element within the part, from its row and column (below [`Part::width`]) in the table.
    pub const fn element(&self, row: usize, column: usize) -> usize {
        let rows = self.table.rows();
        // With the rows along the first axis the columns of a row lie side by side, else a column's rows do.
        if self.shape.is_empty() || rows == 1 || self.shape[0] == rows {
            row * self.width() + column
        } else {
            column * rows + row
        }
    }

    /// The meaning with the labels.
    pub fn text(&self) -> String {
        match self.labels {
            [] => self.meaning.to_owned(),
            labels => format!("{}: {}", self.meaning, labels.join(", ")),
        }
    }
}

const RESOURCES: &[&str] = &["wood", "brick", "sheep", "wheat", "ore"];
const TERRAIN: &[&str] = &["wood", "brick", "sheep", "wheat", "ore", "desert"];
const RATES: &[&str] = &["2:1 wood", "2:1 brick", "2:1 sheep", "2:1 wheat", "2:1 ore", "3:1"];
const CARDS: &[&str] = &["knight", "year of plenty", "monopoly", "road building", "victory point"];
const PLAYED: &[&str] = &["knight", "year of plenty", "monopoly", "road building"];
const SEATS: &[&str] = &["viewer", "+1", "+2", "+3"];
const PHASES: &[&str] = &[
    "setup settlement",
    "setup road",
    "before roll",
    "main",
    "free roads",
    "discard",
    "move robber",
    "draft",
    "answer",
    "counter draft",
    "confirm",
    "over",
];
const ONE: &[&str] = &[];

macro_rules! parts {
    ($($key:ident $table:ident $shape:expr, $labels:ident, $high:literal $unit:literal, $sight:ident, $meaning:literal;)*) => {
        #[expect(non_camel_case_types, reason = "each variant bears the name of its part")]
        enum Index { $($key),* }

        /// Every part in row order.
        pub const PARTS: &[Part] = &[
            $(Part {
                name: stringify!($key),
                table: Table::$table,
                shape: &$shape,
                labels: $labels,
                high: $high,
                unit: $unit,
                sight: Sight::$sight,
                meaning: $meaning,
            }),*
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

/// First element of part number `index`.
pub(super) const fn offset(index: usize) -> usize {
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
    tile_terrain Tile [TILES, 6], TERRAIN, 1 "flag", Everyone, "one-hot by tile, zero when not on this board";
    tile_number Tile [TILES], ONE, 12 "sum of two dice", Everyone, "number token by tile, 0 on desert";
    tile_pips Tile [TILES], ONE, 5 "of 36", Everyone, "ways of two dice (of 36) that roll the tile's number";
    port_kind Harbour [PORTS, 6], RATES, 1 "flag", Everyone, "one-hot by harbour site, zero on the small board";
    tile_robber Tile [TILES], ONE, 1 "flag", Everyone, "one-hot, where the robber stands";
    settlements Node [MAX_SEATS, NODES], SEATS, 1 "flag", Everyone, "settlements by seat and node";
    cities Node [MAX_SEATS, NODES], SEATS, 1 "flag", Everyone, "cities by seat and node";
    roads Edge [MAX_SEATS, EDGES], SEATS, 1 "flag", Everyone, "roads by seat and edge";
    hand Global [5], RESOURCES, 19 "cards", Viewer, "the viewer's resource cards";
    dev_cards Global [5], CARDS, 14 "cards", Viewer, "the viewer's unplayed development cards";
    dev_bought Global [5], CARDS, 14 "cards", Viewer, "of these, bought this turn and so not playable";
    own_points Global [], ONE, 40 "points", Viewer, "the viewer's points, victory point cards included";
    seated Seat [MAX_SEATS], ONE, 1 "flag", Everyone, "1 for each seat of this game";
    hand_size Seat [MAX_SEATS], ONE, 95 "cards", Everyone, "resource cards by seat";
    dev_count Seat [MAX_SEATS], ONE, 25 "cards", Everyone, "unplayed development cards by seat";
    dev_played Seat [MAX_SEATS, 4], PLAYED, 14 "cards", Everyone, "development cards played by seat";
    points Seat [MAX_SEATS], ONE, 40 "points", Everyone, "visible points by seat";
    roads_left Seat [MAX_SEATS], ONE, 15 "pieces", Everyone, "road pieces left by seat";
    settlements_left Seat [MAX_SEATS], ONE, 5 "pieces", Everyone, "settlement pieces left by seat";
    cities_left Seat [MAX_SEATS], ONE, 4 "pieces", Everyone, "city pieces left by seat";
    road_length Seat [MAX_SEATS], ONE, 15 "roads", Everyone, "length of the longest road by seat";
    longest_road Seat [MAX_SEATS], ONE, 1 "flag", Everyone, "one-hot, holder of the longest road card";
    largest_army Seat [MAX_SEATS], ONE, 1 "flag", Everyone, "one-hot, holder of the largest army card";
    ports Seat [MAX_SEATS, 6], RATES, 1 "flag", Everyone, "harbours in use by seat";
    discards_left Seat [MAX_SEATS], ONE, 47 "cards", Everyone, "cards that a seat still has to discard";
    bank Global [5], RESOURCES, 19 "cards", Everyone, "resource cards in the bank";
    deck Global [], ONE, 25 "cards", Everyone, "development cards left to buy";
    phase Global [12], PHASES, 1 "flag", Everyone, "one-hot";
    turn_seat Seat [MAX_SEATS], ONE, 1 "flag", Everyone, "one-hot, whose turn it is";
    actor Seat [MAX_SEATS], ONE, 1 "flag", Everyone, "one-hot, who decides; zero while chance is pending or the game is over";
    rolled Global [], ONE, 1 "flag", Everyone, "whether the seat on turn has rolled";
    card_played Global [], ONE, 1 "flag", Everyone, "whether the seat on turn has played a development card";
    last_roll Global [], ONE, 12 "sum of two dice", Everyone, "the last dice, 0 before the first roll";
    free_roads Global [], ONE, 2 "pieces", Everyone, "free roads still to place";
    setup_placed Global [], ONE, 8 "pieces", Everyone, "settlements with their road placed in the setup";
    rounds Global [], ONE, 255 "rounds", Everyone, "completed turns divided by the number of seats, at most 255";
    target_points Global [], ONE, 20 "points", Everyone, "points that win";
    discard_limit Global [], ONE, 95 "cards", Everyone, "most cards a hand may hold when a seven falls";
    offers_made Global [], ONE, 20 "offers", Everyone, "trade offers that the seat on turn has started this turn";
    offers_left Global [], ONE, 20 "offers", Everyone, "trade offers that it may still start";
    draft_give Global [5], RESOURCES, 4 "cards", Viewer, "the viewer's own draft, cards to give";
    draft_want Global [5], RESOURCES, 4 "cards", Viewer, "the viewer's own draft, cards wanted";
    counter_used Global [], ONE, 1 "flag", Viewer, "whether the viewer, asked now, has used its counter draft";
    offer_give Global [5], RESOURCES, 4 "cards", Everyone, "the offer on the table, cards that the seat on turn gives";
    offer_want Global [5], RESOURCES, 4 "cards", Everyone, "the offer on the table, cards that it wants";
    accepted Seat [MAX_SEATS], ONE, 1 "flag", Everyone, "seats that accepted the offer";
    countered Seat [MAX_SEATS], ONE, 1 "flag", Everyone, "seats that sent a counter offer";
    counter_give Seat [MAX_SEATS, 5], RESOURCES, 4 "cards", Everyone, "counter offers, cards that the countering seat gives";
    counter_want Seat [MAX_SEATS, 5], RESOURCES, 4 "cards", Everyone, "counter offers, cards that it wants";
}

/// The observation space of every settlers environment.
pub fn space() -> Space {
    let field =
        |p: &Part| Field::new(p.name, p.shape, 0.0, f64::from(p.high), &format!("{} [{}]", p.text(), p.unit));
    Space::Fields { dtype: Dtype::U8, fields: PARTS.iter().map(field).collect() }
}

/// The table as Markdown, as `docs/observation.md` holds it.
pub fn markdown() -> String {
    let mut out = String::from(
        "| at | name | shape | unit | range | seen by | meaning |\n|---|---|---|---|---|---|---|\n",
    );
    for (i, p) in PARTS.iter().enumerate() {
        let (at, shape, seen) = (offset(i), p.shape, p.sight.words());
        out += &format!(
            "| {at} | `{}` | {shape:?} | {} | 0..={} | {seen} | {} |\n",
            p.name,
            p.unit,
            p.high,
            p.text()
        );
    }
    out
}

const _: () = assert!(at::tile_terrain == 0);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counts::{DevCard, Resource};

    #[test]
    fn labels_are_those_of_the_rules_and_name_each_column() {
        assert_eq!(RESOURCES, Resource::ALL.map(Resource::name));
        assert_eq!((&TERRAIN[..5], PLAYED), (RESOURCES, &CARDS[..4]));
        assert_eq!(CARDS, DevCard::ALL.map(DevCard::name));
        for p in PARTS {
            let axis = p.shape.iter().filter(|&&n| n == p.table.rows()).count();
            assert!(p.table == Table::Global || axis > 0, "{} has no axis of its table", p.name);
            assert_eq!(p.labels.len(), if p.width() == 1 { 0 } else { p.width() }, "{}", p.name);
            assert_eq!(p.high == 1, p.unit == "flag", "{}", p.name);
        }
    }
}
