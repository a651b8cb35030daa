//! Words and numbers as readers see them.

use super::share::{Mean, Share};
use agon_ratings::Interval;

/// Stands for a figure that does not exist.
pub(crate) const NONE: &str = "-";

/// A name without anything that could steer a terminal or turn the text around.
pub(crate) fn clean(text: &str) -> String {
    let steers = |c: char| {
        c.is_control()
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
    };
    text.chars().map(|c| if steers(c) { '\u{fffd}' } else { c }).collect()
}

/// Columns that a text takes in a terminal; East Asian letters and most pictograms take two.
pub(crate) fn columns(text: &str) -> usize {
    text.chars().map(breadth).sum()
}

/// Columns of one letter.
pub(crate) fn breadth(c: char) -> usize {
    let is_wide = matches!(u32::from(c),
        0x1100..=0x115f | 0x2e80..=0xa4cf | 0xac00..=0xd7a3 | 0xf900..=0xfaff | 0xfe30..=0xfe6f
        | 0xff00..=0xff60 | 0xffe0..=0xffe6 | 0x1f000..=0x1faff | 0x20000..=0x3fffd);
    if is_wide { 2 } else { 1 }
}

/// [`clean`] and at most `width` columns.
pub(crate) fn short(text: &str, width: usize) -> String {
    cut(&clean(text), width)
}

/// The beginning of `text` that fits into `width` columns, with a mark where something is missing.
pub(crate) fn cut(text: &str, width: usize) -> String {
    if columns(text) <= width {
        return text.into();
    }
    let mut left = width.saturating_sub(1);
    let fits = |c: &char| {
        let fits = breadth(*c) <= left;
        left -= if fits { breadth(*c) } else { 0 };
        fits
    };
    text.chars().take_while(fits).chain(['…']).collect()
}

/// `52.4`, a share in percent.
pub(crate) fn pct(share: f64) -> String {
    format!("{:.1}", 100.0 * share)
}

/// `48.9 to 56.0 %`.
pub(crate) fn range_pct(i: &Interval) -> String {
    format!("{} to {} %", pct(i.low), pct(i.high))
}

/// `52.4 (48.9-56.0)`, percent.
pub(crate) fn share(share: Option<&Share>) -> String {
    let Some(Share { interval: i, .. }) = share else { return NONE.into() };
    format!("{} ({}-{})", pct(i.estimate), pct(i.low), pct(i.high))
}

/// `7.42 (7.10-7.74)`, a mean of points.
pub(crate) fn mean(mean: Option<&Mean>) -> String {
    let Some(Mean { mean, interval, .. }) = mean else { return NONE.into() };
    let limits = interval.map_or(String::new(), |i| format!(" ({}-{})", decimals(i.low), decimals(i.high)));
    format!("{}{limits}", decimals(*mean))
}

/// A mean of points: three digits.
pub(crate) fn decimals(x: f64) -> String {
    match x.abs() {
        ..10.0 => format!("{x:.2}"),
        ..100.0 => format!("{x:.1}"),
        _ => whole(x),
    }
}

/// A whole number, with a proper minus sign left to the reader's font and no negative zero.
pub(crate) fn whole(x: f64) -> String {
    let x = x.round();
    format!("{:.0}", if x == 0.0 { 0.0 } else { x })
}

/// `1650..1720`.
pub(crate) fn limits(i: &Interval) -> String {
    format!("{}..{}", whole(i.low), whole(i.high))
}

/// A probability in percent that never claims certainty.
pub(crate) fn los(p: Option<f64>) -> String {
    match p {
        None => NONE.into(),
        Some(p) if p > 0.999 => ">99.9".into(),
        Some(p) if p < 0.001 => "<0.1".into(),
        Some(p) => pct(p),
    }
}

/// `3` or `2-5`.
pub(crate) fn rank(rank: Option<(usize, usize)>) -> String {
    match rank {
        None => NONE.into(),
        Some((a, b)) if a == b => a.to_string(),
        Some((a, b)) => format!("{a}-{b}"),
    }
}

/// `1 game`, `2 games`.
pub(crate) fn count(n: u64, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{} {what}s", grouped(n)) }
}

/// `12,345`.
pub(crate) fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

/// One bar a value, the lowest to the highest.
pub(crate) fn sparkline(values: &[f64]) -> String {
    const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let bar =
        |x: &f64| if high > low { BARS[((x - low) / (high - low) * 7.0).round() as usize] } else { BARS[3] };
    values.iter().map(bar).collect()
}

/// A small p-value is a bound.
pub(crate) fn p_value(p: f64) -> String {
    if p < 0.001 { "p < 0.001".into() } else { format!("p = {p:.3}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_steer_a_terminal() {
        assert_eq!(clean("a\u{1b}[31mred\n\u{202e}x"), "a\u{fffd}[31mred\u{fffd}\u{fffd}x");
        assert_eq!(short("champion-100000", 9), "champion…");
        // Wide letters count twice.
        assert_eq!([columns("ab"), columns("勝者"), columns("🎲")], [2, 4, 2]);
        assert_eq!(
            [short("勝者勝者", 8), short("勝者勝者", 7), short("勝者勝者", 6)],
            ["勝者勝者", "勝者勝…", "勝者…"]
        );
    }

    #[test]
    fn numbers_read_well() {
        assert_eq!([grouped(7), grouped(1234), grouped(1_234_567)], ["7", "1,234", "1,234,567"]);
        assert_eq!([los(Some(0.99999)), los(Some(0.5)), los(None)], [">99.9", "50.0", "-"]);
        assert_eq!(whole(-0.3), "0");
        assert_eq!([decimals(7.4), decimals(12.34), decimals(-1234.2)], ["7.40", "12.3", "-1234"]);
        assert_eq!(sparkline(&[1.0, 2.0, 8.0]), "▁▂█");
        assert_eq!(sparkline(&[5.0, 5.0]), "▄▄");
    }
}
