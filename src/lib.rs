//! Agon: games in which agents get better by playing each other.
//!
//! This crate is the facade and the command line. [`Cli`] runs the commands over a registry of games; somebody
//! else's binary adds its own game in one line and gets all of them:
//!
//! ```no_run
//! # fn run(my_game: rl_gym::Game) -> std::process::ExitCode {
//! agon::Cli::new().bundled_games().game(my_game).run()
//! # }
//! ```

pub mod cli;
mod games;

pub use agon_classic as classic;
pub use agon_host as host;
pub use agon_league as league;
pub use agon_policy as policy;
pub use agon_ratings as ratings;
pub use agon_search as search;
pub use agon_settlers as settlers;
pub use cli::Cli;
pub use games::bundled;
pub use rl_gym as gym;
