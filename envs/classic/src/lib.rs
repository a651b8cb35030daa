//! Four small games that prove the step API: CartPole, tic-tac-toe, Kuhn poker, rock-paper-scissors.
//!
//! One of each kind: a single agent with real-valued physics, turns with masks, hidden cards with explicit
//! chance, and simultaneous moves. Each is one file and one [`rl_gym::Game`] value. `README.md` beside this
//! crate is the fact sheet of all four.
//!
//! ```
//! use rl_gym::{BatchConfig, BatchEnv, VecEnv};
//!
//! let game = agon_classic::cartpole();
//! let options = game.resolve([("max_steps", "200")])?;
//! let mut batch = VecEnv::new(&game.factory(options), BatchConfig::lanes(4))?;
//! batch.reset(7);
//! batch.parts().1.as_slice_mut::<u32>().fill(1);
//! assert_eq!(batch.step().reward(3), 1.0);
//! # Ok::<(), rl_gym::GymError>(())
//! ```

mod cartpole;
mod common;
mod kuhn;
mod rps;
mod tic_tac_toe;

pub use cartpole::{CartPole, cartpole};
pub use kuhn::{Kuhn, equilibrium_bet, kuhn_poker};
pub use rps::{RockPaperScissors, rock_paper_scissors};
pub use tic_tac_toe::{TicTacToe, tic_tac_toe};

use rl_gym::Game;

/// All games of this crate.
pub fn games() -> Vec<Game> {
    vec![cartpole(), tic_tac_toe(), kuhn_poker(), rock_paper_scissors()]
}
