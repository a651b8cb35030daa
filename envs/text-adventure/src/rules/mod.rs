//! The rules. One closed table says of every verb what it takes, what must hold (and what is answered when it does
//! not) and what it does; checking, the admissible list, parser ranking and planner all read it.

mod admissible;
mod apply;
mod check;
mod noise;
mod refusal;
mod sieve;
mod table;
mod turn;

pub use admissible::admissible;
pub use apply::apply;
pub(crate) use apply::perform;
pub use check::{check, forbidding};
pub use refusal::{Refusal, Weight};
pub use table::{Entry, Need, Pair, TABLE, What, entry};
pub use turn::end_turn;
