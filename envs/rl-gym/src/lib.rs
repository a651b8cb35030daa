//! One step API for games with any number of seats: environments, batches, seeds, replays, checks.

pub mod rng;
pub mod seed;

pub use rng::Pcg64;
pub use seed::{EpisodeSeed, SeedSequence};
