//! Runs skills.
//!
//! A [`Machine`] holds one skill in its own Luau virtual machine: no files, clock, network or foreign data, a budget
//! of safepoints that `pcall` cannot swallow, a memory cap, its own random numbers. The skill is a coroutine: it
//! yields an action index and is resumed at its seat's next decision, so what it does is a replay like any other.
//!
//! Safepoints (calls, loop ends, returns, steps of pattern matching) depend on the bytecode alone. Wall time is never
//! read, and no native code is generated: the same skill, observations and seed give the same actions everywhere.

mod host;
mod lint;
mod machine;
mod meter;
mod prepared;
mod sandbox;
mod select;
mod view;
mod work;

pub use lint::{Finding, lint};
pub use machine::{Abort, Decision, Machine};
pub use prepared::{Prepared, Values};
