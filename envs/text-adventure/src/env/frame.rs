//! The lines around the prose of a game, as data.

use serde::Deserialize;
use std::sync::LazyLock;

/// One line each; `{0}`, `{1}` and so on are filled in.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(super) struct Frame {
    pub(super) objective: String,
    pub(super) score: String,
    pub(super) banked: String,
    pub(super) worth: String,
    pub(super) heard: String,
    pub(super) too_late: String,
    pub(super) offered: String,
    pub(super) says: String,
    pub(super) said: String,
    pub(super) nobody: String,
    pub(super) no_chat: String,
    pub(super) once: String,
    pub(super) no_meta: String,
    pub(super) one_command: String,
}

static FRAME: LazyLock<Frame> = LazyLock::new(|| {
    let text = include_str!("../../../../assets/text/frame.ron");
    ron::from_str(text).unwrap_or_else(|e| unreachable!("assets/text/frame.ron is tested: {e}"))
});

/// The lines.
pub(super) fn frame() -> &'static Frame {
    &FRAME
}

/// Appends `line` with its slots filled in.
pub(super) fn fill(line: &str, slots: &[&str], out: &mut String) {
    let mut rest = line;
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        let Some((number, after)) = after.split_once('}') else {
            return out.push_str(after);
        };
        out.push_str(number.parse::<usize>().ok().and_then(|i| slots.get(i)).copied().unwrap_or_default());
        rest = after;
    }
    out.push_str(rest);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_read_and_slots_are_filled() {
        let mut out = String::new();
        fill(&frame().score, &["1", "3", "9", "40"], &mut out);
        assert_eq!(out, "Score 1 of 3. Turn 9 of 40.");
        let mut out = String::new();
        fill("{1} then {0}, {7}.", &["a", "b"], &mut out);
        assert_eq!(out, "b then a, .");
    }
}
