//! Plays with skills.
//!
//! A [`SkillUser`] is a [`rl_gym::Policy`] over a base policy: where a skill of its [`Kit`] applies it may let the
//! skill decide, and where none does, or one is broken off, the base policy decides as it always would. [`play`]
//! plays episodes of a [`Task`] on matched seeds, so that two [`Arm`]s that differ in one skill can be compared.
//!
//! Nothing here learns while it plays: what an episode gives depends on its seed and its arm alone.

mod kit;
mod play;
mod task;
mod user;
mod worker;

pub use kit::Kit;
pub use play::{Episode, PlayConfig, Status, Unwatched, Watch, play, play_watched};
pub use task::{Arm, MakePolicy, Measure, Task, TrialError, arm};
pub use user::{Ended, Learner, Plain, SkillUser, Use, UserConfig};
