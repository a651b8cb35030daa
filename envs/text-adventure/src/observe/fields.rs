//! The one table of an observation row: the spec, the writer, the bots' reader and the pages come from it.

use crate::{action::Dir, world::MAX_SEATS};
use rl_gym::{Dtype, Field, Space};

/// Rows of the entity table: what is seen beyond that is left out.
pub const ENTITY_ROWS: usize = 64;
/// Actions of one list at most; a longer list is a fault of the environment that names the mend.
pub const ACTIONS: usize = 512;
/// Word ids of names and texts are 1 to this; 0 is no word.
pub const WORDS: usize = 255;

/// Who may see a part.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sight {
    /// Public: the same for every seat that stands where the viewer stands.
    Place,
    /// The viewer alone.
    Viewer,
}

impl Sight {
    /// In the words of the pages.
    pub const fn words(self) -> &'static str {
        ["whoever is there", "the viewer only"][self as usize]
    }
}

/// One named part of a row of bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    /// Name, unique in the row.
    pub name: &'static str,
    /// Shape, row-major; `[]` is one number.
    pub shape: &'static [usize],
    /// Greatest value of an element; the least is 0.
    pub high: u8,
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
}

macro_rules! parts {
    ($($key:ident $shape:expr, $high:literal, $sight:ident, $meaning:literal;)*) => {
        #[expect(non_camel_case_types, reason = "each variant bears the name of its part")]
        enum Index { $($key),* }

        /// Every part in row order.
        pub const PARTS: &[Part] = &[
            $(Part {
                name: stringify!($key),
                shape: &$shape,
                high: $high,
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
    seat [MAX_SEATS], 1, Viewer, "one-hot: the viewer's seat";
    seated [MAX_SEATS], 1, Place, "1 for each seat of this game";
    mode [3], 1, Place, "one-hot: rival, solo, coop";
    turn [], 255, Place, "turns passed, at most 255";
    turns_left [], 255, Place, "turns until the cap, at most 255";
    score [], 255, Viewer, "the viewer's points (those of the team together), rivals: banked private value; 0 to 255";
    max_score [], 255, Place, "points that can be had; 0 between rivals";
    first [], 1, Viewer, "whether the viewer's command is carried out first this round";
    lit [], 1, Place, "whether there is light";
    load [], 255, Viewer, "size of what the viewer carries, worn things aside";
    strength [], 255, Viewer, "size that it can carry";
    rooms_known [], 255, Viewer, "rooms that the viewer has seen";
    treasures [], 255, Place, "treasures of this game";
    exits [Dir::COUNT, 3], 255, Viewer, "by direction: 0 no exit, 1 open, 2 a closed door; room id + 1 behind it once walked through; row + 1 of the door";
    heard [Dir::COUNT], 1, Place, "by direction: somebody walked in the room there since the last command";
    deal [3], 64, Viewer, "the offer that waits for the viewer: row + 1 of who offers, what is given, what is wanted";
    outcome [6], 1, Viewer, "one-hot: the last command was carried out, without effect, refused, not understood, asks which, taken first by another";
    entities [ENTITY_ROWS, COLUMNS.len()], 255, Viewer, "a row for each thing in sight: 0 the room, 1 oneself, then by id; columns below";
    actions [ACTIONS, 3], 255, Viewer, "the list of actions that work now, a row each: verb + 1, first and second object; zero past its end and while another seat is asked";
    place_words [WORDS + 1], 255, Viewer, "by word id: how often it occurs in names of what is in sight";
    news_words [WORDS + 1], 255, Viewer, "by word id: how often it occurs in what happened in sight since the last command";
    advice [2], 255, Viewer, "with advice=on the index + 1 of the planner's next action, low byte and high byte; else 0";
    goal_words [WORDS + 1], 255, Viewer, "by word id: how often it occurs in the objective, which says as much as `hints` has it say";
}

/// A column of the entity table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Column {
    /// Name, unique in the table.
    pub name: &'static str,
    /// What it means.
    pub meaning: &'static str,
}

macro_rules! columns {
    ($($key:ident $meaning:literal;)*) => {
        #[expect(non_camel_case_types, reason = "each variant bears the name of its column")]
        enum ColumnIndex { $($key),* }

        /// Columns of the entity table, in order.
        pub const COLUMNS: &[Column] = &[$(Column { name: stringify!($key), meaning: $meaning }),*];

        /// Number of each column.
        #[expect(non_upper_case_globals, reason = "each constant bears the name of its column")]
        pub mod col {
            $(
                #[doc = $meaning]
                pub const $key: usize = super::ColumnIndex::$key as usize;
            )*
        }
    };
}

columns! {
    id "entity id + 1, the same for the whole game; 0 marks an empty row";
    kind "1 room, 2 thing, 3 door, 4 person, 5 another seat, 6 oneself";
    noun "word id of the noun";
    adjective "word id of the last adjective, 0 without";
    holder "row + 1 of what it lies in, on or with; 0 when that is not in the table";
    place "0 in the room, 1 inside, 2 on top, 3 in the viewer's hands, 4 in somebody else's";
    reach "whether it can be touched";
    portable "whether it can be carried";
    container "whether it holds things inside";
    supporter "whether it holds things on top";
    openable "whether it opens and closes";
    lockable "whether it has a lock";
    wearable "whether it can be worn";
    readable "whether something is written on it";
    edible "1 for eating, 2 for drinking";
    lamp "whether it gives light while on";
    switch "whether it is lit or switched";
    sharp "whether it cuts";
    heat "1 fries, 2 roasts, 3 grills";
    cookable "whether it can be cooked";
    cuttable "whether it can be cut";
    part "whether it goes together with another part";
    machine "1 to push, 2 to pull, 4 to turn, added up";
    open "whether it is open";
    locked "whether it is locked";
    on "whether it is lit or runs";
    worn "whether it is worn";
    broken "whether it is broken";
    cut "1 sliced, 2 diced, 3 chopped";
    cooked "1 fried, 2 roasted, 3 grilled, 4 burned";
    following "whether it goes where a seat goes";
    size "how much strength it takes";
    value "public value";
    worth "rivals: private value to the viewer once banked; 0 for what is no treasure";
    vault "1 the viewer's vault, 2 another seat's";
    moved "whether the viewer has taken it before";
    asked "1 its noun occurs in the objective, 2 its whole name does";
}

/// Code of an object in the action table: 0 for none, row + 1 of an entity, this + a direction.
pub const DIR_CODE: u8 = ENTITY_ROWS as u8 + 1;
/// Code of an object in the action table: this + a topic.
pub const TOPIC_CODE: u8 = 128;
/// Code of an object in the action table that the entity table has no row for.
pub const NO_ROW: u8 = 255;

/// The observation space of every text adventure.
pub fn space() -> Space {
    let field = |p: &Part| Field::new(p.name, p.shape, 0.0, f64::from(p.high), p.meaning);
    Space::Fields { dtype: Dtype::U8, fields: PARTS.iter().map(field).collect() }
}

/// The tables as Markdown, as the README holds them.
pub fn observation_markdown() -> String {
    let mut out =
        String::from("| at | name | shape | range | seen by | meaning |\n|---|---|---|---|---|---|\n");
    for (i, p) in PARTS.iter().enumerate() {
        let (at, seen) = (offset(i), p.sight.words());
        out +=
            &format!("| {at} | `{}` | {:?} | 0..={} | {seen} | {} |\n", p.name, p.shape, p.high, p.meaning);
    }
    out += "\nColumns of `entities`:\n\n| column | name | meaning |\n|---|---|---|\n";
    for (i, c) in COLUMNS.iter().enumerate() {
        out += &format!("| {i} | `{}` | {} |\n", c.name, c.meaning);
    }
    out
}

const _: () = assert!(at::seat == 0 && (DIR_CODE as usize + Dir::COUNT) < TOPIC_CODE as usize);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_the_space_follows_the_table() {
        let space = space();
        assert_eq!((space.len(), space.row_bytes()), (OBS_LEN, OBS_LEN));
        for (i, p) in PARTS.iter().enumerate() {
            assert!(PARTS[..i].iter().all(|q| q.name != p.name), "{} is there twice", p.name);
        }
        for (i, c) in COLUMNS.iter().enumerate() {
            assert!(COLUMNS[..i].iter().all(|d| d.name != c.name), "{} is there twice", c.name);
        }
        let offsets = space.offsets();
        for (name, at) in [("exits", at::exits), ("actions", at::actions), ("goal_words", at::goal_words)] {
            assert!(offsets.iter().any(|(start, f)| *start == at && f.name == name), "{name}");
        }
    }
}
