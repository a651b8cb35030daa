//! What can be wrong with rollouts and with what is made of them.

use agon_skill::SkillError;
use rl_gym::GymError;

/// What is wrong, with the value seen and the mend.
#[derive(Debug, thiserror::Error)]
pub enum DistillError {
    /// A game without words.
    #[error("{game} has no vocabulary: skills can be mined only where a game brings one")]
    NoWords {
        /// The game.
        game: String,
    },
    /// A trace that is not open.
    #[error("trace {trace} is not open: begin it, and end it once")]
    Closed {
        /// Its number.
        trace: usize,
    },
    /// A number that is none, or is out of its range.
    #[error("{what} is {value}: {mend}")]
    Number {
        /// Which number.
        what: String,
        /// The value seen.
        value: f64,
        /// What to do.
        mend: &'static str,
    },
    /// An action that was not legal.
    #[error("action {action} of decision {decision} is not legal there: give the mask of the same decision")]
    Illegal {
        /// The action.
        action: u32,
        /// Decision of its trace, from 0.
        decision: usize,
    },
    /// Nothing to learn from.
    #[error("{what}: {mend}")]
    Empty {
        /// What is missing.
        what: String,
        /// What to do.
        mend: &'static str,
    },
    /// Rollouts of different games.
    #[error("rollouts of {theirs} do not go with those of {ours}: keep games apart")]
    OtherGame {
        /// The game of these.
        ours: String,
        /// The game of those.
        theirs: String,
    },
    /// A replay of a fold that is not for training.
    #[error(
        "the replay is of the fold \"{fold}\", which is kept for gates and reports: skills are mined from the fold \
         \"{}\"", <agon_skill::Train as agon_skill::Purpose>::FOLD
    )]
    OtherFold {
        /// The fold.
        fold: String,
    },
    /// Code that was made here and does not work: a fault of this crate.
    #[error("skill {skill} does not leave: {why}")]
    Emit {
        /// Its name.
        skill: String,
        /// Why.
        why: String,
    },
    /// A contract that does not fit its game.
    #[error(transparent)]
    Skill(#[from] SkillError),
    /// A replay that cannot be played.
    #[error(transparent)]
    Gym(#[from] GymError),
}
