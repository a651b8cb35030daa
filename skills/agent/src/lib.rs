//! Plays with skills.
//!
//! A [`SkillUser`] is a [`rl_gym::Policy`] over a base policy: where a skill of its [`Kit`] applies it may let the
//! skill decide, and where none does, or one is broken off, the base policy decides as it always would. [`play`]
//! plays episodes of a [`Task`] on matched seeds, so that two [`Arm`]s that differ in one skill can be compared.
//!
//! Nothing here learns while it plays: what an episode gives depends on its seed and its arm alone.

mod context;
mod experience;
mod kit;
mod lookahead;
mod play;
mod retrieval;
mod score;
mod task;
mod trail;
mod user;
mod worker;

pub use context::Context;
pub use experience::Experience;
pub use kit::Kit;
pub use lookahead::Horizon;
pub use play::{Episode, PlayConfig, Status, Unwatched, Watch, play, play_watched};
pub use retrieval::Index;
pub use task::{Arm, MakePolicy, Measure, Task, TrialError, arm};
pub use trail::{Choice, Ended, Learner, Plain, Trail, Use};
pub use user::{Chooser, SHOWN, SkillUser, UserConfig};
