//! Stores to look at.

use super::matches;
use agon_league::{Outcome, Status, Store};
use std::path::Path;

pub(crate) fn outcomes(range: std::ops::Range<usize>) -> Vec<Outcome> {
    let played = |game| Outcome {
        game,
        ranks: vec![0, 1, 1],
        points: Vec::new(),
        status: Status::Won,
        steps: 1,
        decisions: 3,
        note: None,
        replay: None,
        replay_bytes: None,
    };
    matches(range.end as u32, [1, 2, 3])[range].iter().cloned().map(played).collect()
}

pub(crate) fn count(store: &Store) -> usize {
    let mut count = 0;
    store.each_match(|_| count += 1).expect("matches");
    count
}

/// A store with one match, closed.
pub(crate) fn made(run: &Path) {
    let mut store = Store::create(run, |s| s.set_meta("config", &1)).expect("made");
    store.transaction(|s| s.add_matches(&outcomes(0..1))).expect("stored");
}
