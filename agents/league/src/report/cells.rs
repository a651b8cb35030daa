//! Coloured cells of the page.

use super::{
    pairs::Pair,
    share::Share,
    standings::Standings,
    svg::share_words,
    text::{clean, count, pct},
};
use agon_ratings::Interval;
use serde::Serialize;

/// Deepest colour of a cell: the text stays readable on it.
pub(super) const DEEPEST: f64 = 0.5;

/// A cell with a figure, its limits and a colour: `up` above the middle, `down` below it.
#[derive(Serialize)]
pub(super) struct Cell {
    text: String,
    limits: String,
    title: String,
    class: &'static str,
    depth: String,
    /// Whether the interval leaves the middle out.
    sure: bool,
}

#[derive(Serialize)]
pub(super) struct HeatRow {
    name: String,
    cells: Vec<Cell>,
}

/// The row of a player in the table of pairs.
pub(super) fn heat(s: &Standings, row: usize, shown: &[usize]) -> HeatRow {
    let cell = |&column: &usize| match s.pair(row, column) {
        Some(pair) => pair_cell(s, &pair),
        None => empty(if row == column { "the same player" } else { "never met" }),
    };
    HeatRow { name: clean(&s.rows[row].name), cells: shown.iter().map(cell).collect() }
}

fn pair_cell(s: &Standings, pair: &Pair) -> Cell {
    let names = format!("{} against {}", clean(&s.rows[pair.a].name), clean(&s.rows[pair.b].name));
    let expected = pair.expected.map_or(String::new(), |p| format!("; expected {} %", pct(p)));
    let games = count(pair.games, "game");
    match &pair.score {
        None => empty(&format!("{names}: {games}, none won by either{expected}")),
        Some(score) => {
            let title = format!("{names}: {}{expected}; {games} together", share_words(&score.interval));
            coloured(&score.interval, 0.5, title, String::new())
        }
    }
}

/// The win share in a seat.
pub(super) fn seat_cell(share: Option<&Share>, par: f64) -> Cell {
    share.map_or_else(
        || empty("not played"),
        |s| {
            let limits = format!("{} to {}", pct(s.interval.low), pct(s.interval.high));
            let title = format!("{}; {:.0} games", share_words(&s.interval), s.of);
            coloured(&s.interval, par, title, limits)
        },
    )
}

/// A cell whose colour says how far it is from `middle`.
fn coloured(i: &Interval, middle: f64, title: String, limits: String) -> Cell {
    let off = (i.estimate - middle) / if i.estimate > middle { 1.0 - middle } else { middle };
    let text = if limits.is_empty() { format!("{:.0}", 100.0 * i.estimate) } else { pct(i.estimate) };
    let class = if off >= 0.0 { "up" } else { "down" };
    Cell {
        text,
        limits,
        title,
        class,
        depth: format!("{:.2}", DEEPEST * off.abs().min(1.0)),
        sure: !i.contains(middle),
    }
}

fn empty(title: &str) -> Cell {
    Cell {
        text: "·".into(),
        limits: String::new(),
        title: title.into(),
        class: "none",
        depth: "0".into(),
        sure: false,
    }
}
