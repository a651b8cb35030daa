//! What holds for every rendering of every report.

use agon_league::report::{self, Report};
use std::collections::BTreeMap;

/// Columns of a line in a terminal, wide letters of the tests counted twice.
pub(crate) fn columns(line: &str) -> usize {
    line.chars().map(|c| if ('\u{2e80}'..='\u{a4cf}').contains(&c) { 2 } else { 1 }).sum()
}

pub(crate) fn check_everything(r: &Report) {
    let text = report::terminal(r);
    for line in text.lines() {
        assert!(columns(line) <= 100, "{} columns: {line}\n{text}", columns(line));
        assert_eq!(line, line.trim_end());
    }
    assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
    let json = report::json(r).expect("json");
    assert_eq!(&serde_json::from_str::<Report>(&json).expect("reads back"), r);
    let csv = report::csv(r).expect("csv");
    assert_eq!(csv::Reader::from_reader(csv.as_bytes()).records().count(), r.standings.rows.len());
    let html = report::html(r).expect("html");
    assert!(!html.contains("NaN") && !html.contains("http"), "page");
    balanced(&html);
}

/// Every opened element is closed, in order.
pub(crate) fn balanced(html: &str) {
    const VOID: [&str; 3] = ["meta", "!doctype", "br"];
    let mut open: Vec<String> = Vec::new();
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for tag in html.split('<').skip(1) {
        let (tag, _) = tag.split_once('>').expect("every < opens a tag");
        assert_eq!(tag.matches('"').count() % 2, 0, "quotes in <{tag}>");
        let name = tag.trim_start_matches('/').split([' ', '/', '\n']).next().expect("a name").to_lowercase();
        if tag.starts_with('/') {
            assert_eq!(open.pop().as_deref(), Some(name.as_str()), "closing </{name}>");
        } else if !tag.ends_with('/') && !VOID.contains(&name.as_str()) {
            *seen.entry(name.clone()).or_default() += 1;
            open.push(name);
        }
    }
    assert!(open.is_empty(), "left open: {open:?}");
    for name in ["title", "h1", "style", "body", "html"] {
        assert!(seen.contains_key(name), "no <{name}>");
    }
    assert!(seen.get("svg").copied().unwrap_or(0) < seen["title"], "every picture has a title");
}

/// The text without its line breaks.
pub(crate) fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

pub(crate) fn near(seen: f64, expected: f64) {
    assert!((seen - expected).abs() < 1e-9, "seen {seen}, expected {expected}");
}
