//! Lines and tables of a terminal, at most [`WIDTH`] columns.

use super::text::{breadth, columns, cut};
use std::fmt::Write;

/// Most columns of a line.
pub(crate) const WIDTH: usize = 100;
/// Columns that a table too wide leaves of a name before columns give way, and after.
const LEAST_NAME: [usize; 2] = [14, 8];

/// One line, cut at [`WIDTH`].
pub(super) fn line(out: &mut String, text: &str) {
    out.push_str(&cut(text.trim_end(), WIDTH));
    out.push('\n');
}

/// Breaks at blanks, every line after `indent`.
pub(super) fn wrap(out: &mut String, indent: &str, text: &str) {
    let room = WIDTH - indent.len();
    let mut current = String::new();
    let mut flush = |current: &mut String| {
        line(out, &format!("{indent}{current}"));
        current.clear();
    };
    for word in text.split(' ').filter(|w| !w.is_empty()) {
        let used = columns(&current);
        if used > 0 && used + 1 + columns(word) > room {
            flush(&mut current);
        }
        if !current.is_empty() {
            current.push(' ');
        }
        let mut letters = word.chars().peekable();
        while letters.peek().is_some() {
            if columns(&current) + letters.peek().map_or(0, |c| breadth(*c)) > room {
                flush(&mut current);
            }
            current.extend(letters.next());
        }
    }
    if !current.is_empty() {
        flush(&mut current);
    }
}

/// Cells that are aligned when all are known, in at most [`WIDTH`] columns.
pub(super) struct Table {
    heads: Vec<Head>,
    pub(super) rows: Vec<Vec<String>>,
    /// Columns that give way when the table is too wide, the first one first.
    droppable: Vec<usize>,
}

/// A column.
struct Head {
    title: String,
    /// Aligned to the right.
    right: bool,
    /// May be shortened.
    name: bool,
    dropped: bool,
}

impl Table {
    /// Heads begin with `<` or `>`, the alignment of their column.
    pub(super) fn new(heads: &[&str]) -> Self {
        let head = |h: &&str| Head {
            title: h[1..].to_owned(),
            right: h.starts_with('>'),
            name: false,
            dropped: false,
        };
        Self { heads: heads.iter().map(head).collect(), rows: Vec::new(), droppable: Vec::new() }
    }

    /// The columns that hold names.
    pub(super) fn names(mut self, columns: &[usize]) -> Self {
        columns.iter().for_each(|c| self.heads[*c].name = true);
        self
    }

    /// The columns that may be left out.
    pub(super) fn droppable(mut self, columns: &[usize]) -> Self {
        self.droppable = columns.to_vec();
        self
    }

    /// Leaves a column out.
    pub(super) fn drop_column(&mut self, column: usize) {
        self.heads[column].dropped = true;
    }

    /// Adds a row, a cell for every head.
    pub(super) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// Width of every column, 0 for dropped ones.
    fn widths(&self) -> Vec<usize> {
        let width = |(column, head): (usize, &Head)| {
            let cells = self.rows.iter().map(|r| columns(&r[column]));
            if head.dropped { 0 } else { cells.chain([columns(&head.title)]).max().unwrap_or(0) }
        };
        self.heads.iter().enumerate().map(width).collect()
    }

    /// Shortens long names, then drops columns, then shortens names further, until the table fits.
    fn fit(&mut self) -> Vec<usize> {
        let [soft, hard] = LEAST_NAME;
        let mut widths = self.shortened(soft);
        for column in std::mem::take(&mut self.droppable) {
            if total(&widths) > WIDTH {
                self.heads[column].dropped = true;
                widths = self.shortened(soft);
            }
        }
        if total(&widths) > WIDTH { self.shortened(hard) } else { widths }
    }

    /// Widths with names shortened, the longest first, to no less than `least`, as far as it takes to fit.
    fn shortened(&self, least: usize) -> Vec<usize> {
        let mut widths = self.widths();
        while total(&widths) > WIDTH {
            let names = (0..widths.len()).filter(|c| self.heads[*c].name);
            match names.max_by_key(|c| widths[*c]).filter(|c| widths[*c] > least) {
                Some(name) => widths[name] -= 1,
                None => break,
            }
        }
        widths
    }

    /// Writes heads and rows.
    pub(super) fn write(&mut self, out: &mut String) {
        let widths = self.fit();
        let heads = self.heads.iter().map(|h| &h.title).collect::<Vec<_>>();
        let rows = self.rows.iter().map(|r| r.iter().collect::<Vec<_>>());
        for cells in std::iter::once(heads).chain(rows) {
            let mut text = String::new();
            for ((cell, width), head) in cells.iter().zip(&widths).zip(&self.heads).filter(|x| !x.1.dropped) {
                let cell = cut(cell, *width);
                let pad = width.saturating_sub(columns(&cell));
                let (before, after) = if head.right { (pad, 0) } else { (0, pad) };
                // Writing to a string cannot fail.
                _ = write!(text, "  {:before$}{cell}{:after$}", "", "");
            }
            line(out, &text);
        }
    }
}

/// Columns of a line with cells of these widths.
fn total(widths: &[usize]) -> usize {
    widths.iter().filter(|w| **w > 0).map(|w| w + 2).sum()
}
