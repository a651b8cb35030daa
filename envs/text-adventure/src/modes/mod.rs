//! What several seats play for.

mod theft;
mod treasure;
mod world;

pub(crate) use theft::allow_theft;
pub use treasure::Stakes;
pub(crate) use world::rival_world;
