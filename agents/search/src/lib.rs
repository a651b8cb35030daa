//! Players that search: expectimax, plans and Monte Carlo tree search for every game that can be saved
//! ([`rl_gym::Snapshot`]), redrawn ([`rl_gym::Resample`], where something is hidden) and judged
//! ([`rl_gym::Heuristic`]), with explicit luck ([`rl_gym::Chance`]) where there is some.
//!
//! A search never meets a real state: its caller lends it a simulator whose hidden facts are redrawn already
//! (see [`rl_gym::Ask::simulator`]). No clock: budgets count work, so equal seeds give equal play.
//!
//! ```
//! use agon_search::{Breadth, Expectimax, Searcher};
//! use rl_gym::Policy;
//!
//! let breadth = Breadth { work: 10_000, deals: 1, depth: 9, width: 9, inner_width: 9, ahead: 0 };
//! let player = Searcher::new(Expectimax::new(breadth));
//! assert!(player.wants_simulator());
//! ```

mod bots;
mod expectimax;
mod mcts;
mod plans;
mod player;
mod playout;
mod table;

pub use bots::{SEARCH, SEARCH_FAST, bots};
pub use expectimax::{Breadth, Expectimax};
pub use mcts::{Mcts, Rounds};
pub use plans::{Plans, Scope};
pub use player::Searcher;
pub use table::Table;

use rl_gym::{Bits, Fault, Pcg64};

/// A way to decide by playing ahead on a [`Table`].
pub trait Search: Send {
    /// The action of `seat`, which is to act in the state on the table; an empty `mask` means that the game has
    /// none.
    ///
    /// # Errors
    /// What the simulator says, and games without what search needs.
    fn decide(
        &mut self,
        table: &mut Table<'_>,
        seat: usize,
        mask: Bits<'_>,
        rng: &mut Pcg64,
    ) -> Result<u32, Fault>;
}
