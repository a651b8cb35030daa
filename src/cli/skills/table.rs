//! Tables and numbers for a terminal of 100 columns.

use agon_skill_practice::Mean;

/// Columns of what is printed for people.
pub(super) const WIDTH: usize = 100;

/// A table with a text under each row. Titles that begin with `>` are of columns aligned to the right.
pub(super) struct Table {
    heads: Vec<(String, bool)>,
    rows: Vec<(Vec<String>, String)>,
}

impl Table {
    pub(super) fn new(heads: &[&str]) -> Self {
        let head = |h: &&str| (h.trim_start_matches('>').to_owned(), h.starts_with('>'));
        Self { heads: heads.iter().map(head).collect(), rows: Vec::new() }
    }

    /// A row, and what is said about it beneath, if anything.
    pub(super) fn row<const N: usize>(&mut self, cells: [String; N], beneath: &str) {
        self.rows.push((cells.into(), beneath.to_owned()));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The table as text.
    pub(super) fn text(&self) -> String {
        let columns = |text: &str| text.chars().count();
        let mut widths: Vec<usize> = (0..self.heads.len())
            .map(|i| {
                let cells = self.rows.iter().map(|(row, _)| columns(&row[i]));
                cells.chain([columns(&self.heads[i].0)]).max().unwrap_or_default()
            })
            .collect();
        // The first column holds names: it is the one that is cut.
        let others: usize = widths[1..].iter().map(|width| width + 2).sum();
        widths[0] = widths[0].min(WIDTH.saturating_sub(others).max(8));
        let heads: Vec<String> = self.heads.iter().map(|h| h.0.clone()).collect();
        let mut out = String::new();
        for (row, beneath) in
            std::iter::once((&heads, "")).chain(self.rows.iter().map(|(r, b)| (r, b.as_str())))
        {
            let mut line = String::new();
            for (i, cell) in row.iter().enumerate() {
                let cell = short(cell, widths[i]);
                let pad = " ".repeat(widths[i].saturating_sub(columns(&cell)));
                line += &if self.heads[i].1 { pad + &cell } else { cell + &pad };
                line += "  ";
            }
            out += line.trim_end();
            out.push('\n');
            if !beneath.is_empty() {
                out += &wrap(beneath, "    ");
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
        let mut table = Table::new(&["name", ">n", "state"]);
        table.row(["a".repeat(120) + "_2", "7".into(), "active".into()], &"word ".repeat(40));
        table.row(["b".into(), "12".into(), "draft".into()], "");
        let text = table.text();
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
        assert!(text.contains("aa…aa") && text.contains("a_2   7  active"), "{text}");
        assert!(text.contains("\n    word word"), "{text}");
        assert!(
            text.lines().last().is_some_and(|line| line.starts_with("b ") && line.ends_with("12  draft")),
            "{text}"
        );
    }
}
