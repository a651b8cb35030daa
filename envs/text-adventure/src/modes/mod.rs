//! What several seats play for.

mod theft;
mod treasure;

pub(crate) use theft::allow_theft;
pub use treasure::Stakes;
