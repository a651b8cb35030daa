//! The same observation as tables of tiles, harbours, nodes, edges and seats, for graph networks.
//!
//! The relational form is a permutation of the flat row: nothing is added, left out or scaled. It is a function of
//! the row and not another kind of environment, because players, recorded games and ratings all read the flat row:
//! with one observation space they stay interchangeable, and a learner that wants tables makes them where it
//! needs them, from any row of any batch. [`GATHER`] is the permutation itself, to be uploaded once where a whole
//! batch is permuted on another device.
//!
//! How the rows of the tables hang together is constant: [`graph`](super::graph).
//!
//! ```
//! use agon_settlers::{game, observe::{OBS_LEN, Relational, Table, graph}};
//! use rl_gym::{BatchConfig, BatchEnv, VecEnv};
//!
//! let mut env = VecEnv::new(&game().factory(game().defaults()), BatchConfig::lanes(2)).unwrap();
//! env.reset(7);
//! let row = env.parts().0.obs(0); // lane 0, seat 0
//!
//! // Views without a copy: 54 nodes of 8 columns.
//! let nodes = Relational::of(row).table(Table::Node);
//! assert_eq!((nodes.rows(), nodes.width()), (54, 8));
//! assert!(nodes.row(20).all(|x| x == 0), "nobody has built yet");
//! for &tile in graph::NODE_TILES[20].iter().filter(|&&t| t != graph::NONE) {
//!     let terrain: Vec<u8> = Relational::of(row).table(Table::Tile).row(tile.into()).take(6).collect();
//!     assert_eq!(terrain.iter().sum::<u8>(), 1);
//! }
//!
//! // All tables behind each other, each row-major: [19, 9], [9, 6], [54, 8], [72, 4], [4, 35], [1, 65].
//! let mut dense = [0; OBS_LEN];
//! Relational::of(row).write_into(&mut dense);
//! assert!(nodes.iter().eq(dense[Table::Node.span()].iter().copied()));
//! ```

use super::table::{OBS_LEN, PARTS, Part, Table, offset};
use rl_gym::{Dtype, Field, Space};
use std::ops::Range;

/// Where each element of the dense form stands in the flat row: `dense[i] = row[GATHER[i]]`. A permutation.
pub static GATHER: [u16; OBS_LEN] = gather();

const fn gather() -> [u16; OBS_LEN] {
    let mut out = [0; OBS_LEN];
    let mut p = 0;
    while p < PARTS.len() {
        let (part, table) = (&PARTS[p], PARTS[p].table);
        let (first, start) = (first_column(p), table.start());
        let mut row = 0;
        while row < table.rows() {
            let mut column = 0;
            while column < part.width() {
                let dense = start + row * table.width() + first + column;
                out[dense] = (offset(p) + part.element(row, column)) as u16;
                column += 1;
            }
            row += 1;
        }
        p += 1;
    }
    out
}

/// Columns of the same table that parts before number `index` take.
const fn first_column(index: usize) -> usize {
    let (mut width, mut i) = (0, 0);
    while i < index {
        if PARTS[i].table as usize == PARTS[index].table as usize {
            width += PARTS[i].width();
        }
        i += 1;
    }
    width
}

/// A column of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Column {
    /// The part from which it comes: name, unit, bound, who may see it.
    pub part: &'static Part,
    /// Its number among the columns of this part.
    pub number: usize,
}

impl Column {
    /// `part` or `part: label`, unique in the observation.
    pub fn name(&self) -> String {
        match self.part.labels.get(self.number) {
            Some(label) => format!("{}: {label}", self.part.name),
            None => self.part.name.to_owned(),
        }
    }
}

impl Table {
    /// Number of columns.
    pub const fn width(self) -> usize {
        let (mut width, mut i) = (0, 0);
        while i < PARTS.len() {
            if PARTS[i].table as usize == self as usize {
                width += PARTS[i].width();
            }
            i += 1;
        }
        width
    }

    /// Its columns in order: the parts in row order, each with its labels.
    pub fn columns(self) -> impl Iterator<Item = Column> {
        let parts = PARTS.iter().filter(move |p| p.table == self);
        parts.flat_map(|part| (0..part.width()).map(move |number| Column { part, number }))
    }

    const fn start(self) -> usize {
        let (mut start, mut i) = (0, 0);
        while i < self as usize {
            start += Self::ALL[i].rows() * Self::ALL[i].width();
            i += 1;
        }
        start
    }

    /// Its elements in the dense form, row-major.
    pub const fn span(self) -> Range<usize> {
        self.start()..self.start() + self.rows() * self.width()
    }
}

/// A flat row read as tables.
#[derive(Clone, Copy, Debug)]
pub struct Relational<'a> {
    row: &'a [u8; OBS_LEN],
}

impl<'a> Relational<'a> {
    /// The tables of a row that [`super::write`] wrote.
    ///
    /// # Panics
    /// When `row` is not [`OBS_LEN`] long.
    pub fn of(row: &'a [u8]) -> Self {
        let wrong = || panic!("an observation row has {OBS_LEN} elements, this one {}", row.len());
        Self { row: row.try_into().unwrap_or_else(|_| wrong()) }
    }

    /// One table, without a copy.
    pub const fn table(self, table: Table) -> TableView<'a> {
        TableView { row: self.row, table, width: table.width(), start: table.start() }
    }

    /// Writes all tables behind each other in the order of [`Table::ALL`], each row-major at its
    /// [`Table::span`]. Allocates nothing.
    ///
    /// # Panics
    /// When `dense` is not [`OBS_LEN`] long.
    pub fn write_into(self, dense: &mut [u8]) {
        assert_eq!(dense.len(), OBS_LEN, "the tables have {OBS_LEN} elements");
        for (out, &from) in dense.iter_mut().zip(&GATHER) {
            *out = self.row[usize::from(from)];
        }
    }
}

/// One table of a flat row, read in place.
#[derive(Clone, Copy, Debug)]
pub struct TableView<'a> {
    row: &'a [u8; OBS_LEN],
    table: Table,
    width: usize,
    start: usize,
}

impl<'a> TableView<'a> {
    /// Number of rows.
    pub const fn rows(self) -> usize {
        self.table.rows()
    }

    /// Number of columns.
    pub const fn width(self) -> usize {
        self.width
    }

    /// One element.
    ///
    /// # Panics
    /// When row or column is outside the table.
    pub fn get(self, row: usize, column: usize) -> u8 {
        let (rows, width) = (self.rows(), self.width);
        assert!(row < rows && column < width, "({row}, {column}) is outside the table of {rows} x {width}");
        self.row[usize::from(GATHER[self.start + row * width + column])]
    }

    /// The columns of one row.
    ///
    /// # Panics
    /// When the row is outside the table.
    pub fn row(self, row: usize) -> impl ExactSizeIterator<Item = u8> + use<'a> {
        assert!(row < self.rows(), "row {row} is outside the table of {} rows", self.rows());
        let start = self.start + row * self.width;
        let source = self.row;
        GATHER[start..start + self.width].iter().map(move |&from| source[usize::from(from)])
    }

    /// All elements, row-major.
    pub fn iter(self) -> impl ExactSizeIterator<Item = u8> + use<'a> {
        let source = self.row;
        GATHER[self.table.span()].iter().map(move |&from| source[usize::from(from)])
    }
}

/// The dense form as a space: a field a table, its bound the greatest of its columns (each column's own is
/// [`Part::high`]).
pub fn space() -> Space {
    let field = |table: Table| {
        let high = table.columns().map(|c| c.part.high).max().unwrap_or(0);
        let meaning = format!("a row a {}; see the columns", table.name());
        Field::new(table.name(), &[table.rows(), table.width()], 0.0, f64::from(high), &meaning)
    };
    Space::Fields { dtype: Dtype::U8, fields: Table::ALL.map(field).to_vec() }
}

/// The tables as Markdown, as `docs/observation.md` holds them.
pub fn markdown() -> String {
    let mut out = String::new();
    for table in Table::ALL {
        let span = table.span();
        out += &format!(
            "### {}: [{}, {}], elements {}..{} of the dense form\n\n",
            table.name(),
            table.rows(),
            table.width(),
            span.start,
            span.end
        );
        out += "| columns | name | unit | range | seen by | meaning |\n|---|---|---|---|---|---|\n";
        let mut first = 0;
        for p in PARTS.iter().filter(|p| p.table == table) {
            let columns = match p.width() {
                1 => first.to_string(),
                width => format!("{first}..{}", first + width),
            };
            let (seen, text) = (p.sight.words(), p.text());
            out += &format!("| {columns} | `{}` | {} | 0..={} | {seen} | {text} |\n", p.name, p.unit, p.high);
            first += p.width();
        }
        out += "\n";
    }
    out
}
