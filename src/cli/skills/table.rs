//! Tables and numbers for a terminal of 100 columns.

use agon_skill_practice::Mean;

/// Columns of what is printed for people.
pub(super) const WIDTH: usize = 100;
/// Least columns of the last column, whatever stands before it.
const LEAST_LAST: usize = 24;

/// A table whose last column is text that wraps. Titles that begin with `>` are of columns aligned to the right.
pub(super) struct Table {
    heads: Vec<(String, bool)>,
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(super) fn new(heads: &[&str]) -> Self {
        let head = |h: &&str| (h.trim_start_matches('>').to_owned(), h.starts_with('>'));
        Self { heads: heads.iter().map(head).collect(), rows: Vec::new() }
    }

    pub(super) fn row<const N: usize>(&mut self, cells: [String; N]) {
        self.rows.push(cells.into());
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The table as text.
    pub(super) fn text(&self) -> String {
        let columns = |text: &str| text.chars().count();
        let last = self.heads.len() - 1;
        let mut widths: Vec<usize> = (0..=last)
            .map(|i| {
                let cells = self.rows.iter().map(|row| columns(&row[i]));
                cells.chain([columns(&self.heads[i].0)]).max().unwrap_or_default()
            })
            .collect();
        let gaps = 2 * last;
        // The first column holds names: it is the one that is cut.
        let fixed: usize = widths[1..last].iter().sum::<usize>() + gaps;
        widths[0] = widths[0].min(WIDTH.saturating_sub(fixed + LEAST_LAST).max(8));
        let room = WIDTH.saturating_sub(fixed + widths[0]).max(LEAST_LAST);
        let mut out = String::new();
        let heads: Vec<String> = self.heads.iter().map(|h| h.0.clone()).collect();
        for row in std::iter::once(&heads).chain(&self.rows) {
            let lines = textwrap::wrap(&row[last], textwrap::Options::new(room).break_words(true));
            for i in 0..lines.len().max(1) {
                let mut line = String::new();
                for (column, cell) in row[..last].iter().enumerate() {
                    let cell = if i == 0 { short(cell, widths[column]) } else { String::new() };
                    let pad = " ".repeat(widths[column].saturating_sub(columns(&cell)));
                    line += &if self.heads[column].1 { pad + &cell } else { cell + &pad };
                    line += "  ";
                }
                line += lines.get(i).map_or("", |text| text);
                out += line.trim_end();
                out.push('\n');
            }
        }
        out
    }
}

/// At most so many columns; the middle of a longer text gives way, since names differ at their ends.
pub(super) fn short(text: &str, width: usize) -> String {
    let letters: Vec<char> = text.chars().collect();
    if letters.len() <= width {
        return text.to_owned();
    }
    let (head, tail) = (width.div_ceil(2).saturating_sub(1), width / 2);
    letters[..head].iter().chain(&['…']).chain(&letters[letters.len() - tail..]).collect()
}

/// Text in lines of at most 100 columns, each after `indent`.
pub(super) fn wrap(text: &str, indent: &str) -> String {
    let options = textwrap::Options::new(WIDTH).initial_indent(indent).subsequent_indent(indent);
    textwrap::fill(text, options) + "\n"
}

/// A difference with its sign and three decimals.
pub(super) fn signed(x: f64) -> String {
    if x.is_finite() { format!("{x:+.3}") } else { "?".into() }
}

/// A difference with its limits.
pub(super) fn gain(estimate: f64, low: f64, high: f64) -> String {
    format!("{} ({} to {})", signed(estimate), signed(low), signed(high))
}

/// A mean with its limits; `-` of nothing.
pub(super) fn mean(m: &Mean, digits: usize) -> String {
    let number = |x: f64| if x.is_finite() { format!("{x:.digits$}") } else { "?".into() };
    match m.count {
        0 => "-".into(),
        _ => format!("{} ({} to {})", number(m.mean), number(m.low), number(m.high)),
    }
}

/// A share in percent.
pub(super) fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// `1 skill`, `2 skills`.
pub(super) fn count(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_wrap_and_names_give_way_in_the_middle() {
        let mut table = Table::new(&["name", ">n", "what"]);
        table.row(["a".repeat(90) + "_2", "7".into(), "word ".repeat(40)]);
        table.row(["b".into(), "12".into(), String::new()]);
        let text = table.text();
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
        assert!(text.contains("…") && text.contains("a_2   7  word"), "{text}");
        assert!(text.lines().last().is_some_and(|line| line.starts_with("b ") && line.ends_with(" 12")), "{text}");
    }
}
