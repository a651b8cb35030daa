//! The two named search players.

use crate::{Breadth, Expectimax, Plans, Scope, Searcher};
use rl_gym::Bot;

/// What `search-fast` looks at: about 2 ms a decision at settlers.
pub const SEARCH_FAST: Breadth =
    Breadth { work: 2_000, deals: 4, depth: 3, width: 40, inner_width: 6, ahead: 0 };

/// What `search` looks at: about 50 ms a decision at settlers.
pub const SEARCH: Scope = Scope {
    work: 200_000,
    deals: 128,
    again: 192,
    finalists: 4,
    depth: 3,
    width: 64,
    inner_width: 12,
    ahead: 0,
};

/// The search players, weaker first, for a registry to append to a game's own.
///
/// Frozen like anchors, but not marked as such: anchors join every training pool, and one search player would
/// take longer over a game than all others over a generation.
pub fn bots() -> Vec<Bot> {
    vec![
        Bot {
            name: "search-fast",
            version: 1,
            summary: "expectimax on redrawn states, 4 deals and 2000 steps a decision",
            anchor: false,
            make: |_| Box::new(Searcher::new(Expectimax::new(SEARCH_FAST))),
        },
        Bot {
            name: "search",
            version: 1,
            summary: "plans of up to three decisions on 128 redrawn states, 200000 steps a decision",
            anchor: false,
            make: |_| Box::new(Searcher::new(Plans::new(SEARCH))),
        },
    ]
}
