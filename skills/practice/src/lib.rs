//! Learns with skills: what agents play becomes rollouts, rollouts become candidates, candidates go through the gates of a
//! bank, and banks are compared on seeds that nothing was chosen by.
//!
//! [`lesson`] is one turn of that; [`chain`] repeats it along a sequence of tasks; [`explore`] fills a bank by play before
//! any task is given; [`fade`] takes skills away again and measures what remains; [`upkeep`] makes one skill of two that do the
//! same, and tells contracts anew that were broken.

mod chain;
mod collect;
mod compare;
mod error;
mod explore;
mod fade;
mod learn;
mod lesson;
mod mean;
mod tuning;
mod upkeep;

pub use chain::{Chain, ChainBlock, ChainConfig, chain, with_skills};
pub use collect::collect;
pub use compare::{Comparison, SkillUses, compare};
pub use error::PracticeError;
pub use explore::{ExploreConfig, Explored, Goal, PlayReport, explore, play_report};
pub use fade::{Fade, FadeConfig, FadeStage, fade};
pub use learn::{LearnConfig, chosen, learn};
pub use lesson::{Lesson, LessonConfig, decide, everybody, lesson, propose};
pub use mean::{Mean, mean};
pub use tuning::tune_skill;
pub use upkeep::{Mended, Merged, Tried, Upkeep, UpkeepConfig, upkeep};
