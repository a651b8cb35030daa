//! What is played: a configured game, the seat that learns, who sits at the others, and what counts.

use crate::{Learner, Plain};
use agon_skill::{Purpose, SkillError};
use rl_gym::{Game, GymError, OptionKind, Options, Placing, Policy, Spec, Vocabulary};
use std::{fmt, sync::Arc};

/// What goes wrong with trials.
#[derive(Debug, thiserror::Error)]
pub enum TrialError {
    /// The game refuses.
    #[error(transparent)]
    Gym(#[from] GymError),
    /// A skill does not fit.
    #[error(transparent)]
    Skill(#[from] SkillError),
    /// What is asked for cannot be done.
    #[error("{0}")]
    Request(String),
}

/// Makes a policy for environments of a spec, on any thread.
pub type MakePolicy = Arc<dyn Fn(&Spec) -> Box<dyn Policy> + Send + Sync>;
/// One way to play the learner's seat.
pub type Arm = Arc<dyn Fn(&Spec) -> Box<dyn Learner> + Send + Sync>;

/// The arm of a policy that uses no skills.
pub fn arm(make: MakePolicy) -> Arm {
    Arc::new(move |spec| Box::new(Plain(make(spec))))
}

/// How an episode is scored, from 0 to 1.
#[derive(Clone, PartialEq, Debug)]
pub enum Measure {
    /// 1 for the first place, shared by those who share it.
    Win,
    /// 1 for the first place, 0 for the last, in equal steps.
    Place,
    /// The seat's points as a share of so many.
    Points {
        /// Points that count as 1.
        full: f32,
    },
    /// A metric column of the game, cut to 0 to 1.
    Metric(String),
}

impl Measure {
    /// What is usual: wins where a game places its seats, else its first metric that ends in `score_share`.
    pub fn usual(spec: &Spec) -> Self {
        match spec.metrics.iter().find(|m| m.ends_with("score_share")) {
            Some(metric) if spec.placing == Placing::None => Self::Metric(metric.clone()),
            _ => Self::Win,
        }
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Win => f.write_str("win"),
            Self::Place => f.write_str("place"),
            Self::Points { full } => write!(f, "points/{full}"),
            Self::Metric(name) => f.write_str(name),
        }
    }
}

/// A task: a configured game in which one seat learns.
#[derive(Clone)]
pub struct Task {
    /// The game.
    pub game: Game,
    /// Its options.
    pub options: Options,
    /// Who sits at the other seats, in turn.
    pub opponents: Vec<MakePolicy>,
    /// What counts.
    pub measure: Measure,
    /// Name of the family of scenarios that it belongs to.
    pub family: String,
}

impl fmt::Debug for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Task({}, {})", self.game.id(), self.family)
    }
}

impl Task {
    /// A task in `game` with these options, scored as usual; the other seats are for `opponents` to take.
    ///
    /// # Errors
    /// What the game says about its options; too few opponents; a game without words for skills.
    pub fn new(game: &Game, options: Options, opponents: Vec<MakePolicy>) -> Result<Self, TrialError> {
        let spec = (game.make)(&options)?.spec().clone();
        if game.vocabulary.is_none() {
            return Err(TrialError::Request(format!(
                "{} has no words for skills: its crate must hand over a vocabulary",
                game.id()
            )));
        }
        if spec.seats > 1 && opponents.is_empty() {
            return Err(TrialError::Request(format!(
                "{} has {} seats: name who sits at the others",
                game.id(),
                spec.seats
            )));
        }
        let measure = Measure::usual(&spec);
        Ok(Self { game: game.clone(), options, opponents, measure, family: "default".into() })
    }

    /// The spec of its environments.
    ///
    /// # Errors
    /// What the game says about its options.
    pub fn spec(&self) -> Result<Spec, TrialError> {
        Ok((self.game.make)(&self.options)?.spec().clone())
    }

    /// The words that skills for it are written in.
    ///
    /// # Errors
    /// What the game says about its options; a game without words.
    pub fn words(&self) -> Result<Arc<dyn Vocabulary>, TrialError> {
        let spec = self.spec()?;
        let make = self
            .game
            .vocabulary
            .ok_or_else(|| TrialError::Request(format!("{} has no words for skills", self.game.id())))?;
        Ok(make(&spec))
    }

    /// Its options for episodes of a purpose: a game that comes in folds (an option `fold` that knows `train`, `dev`
    /// and `test`) plays the fold of that purpose.
    pub fn options_for<P: Purpose>(&self) -> Options {
        let folds = self.game.options.iter().any(|o| {
            o.name == "fold" && matches!(&o.kind, OptionKind::Choice(words) if words.contains(&P::FOLD))
        });
        if !folds {
            return self.options.clone();
        }
        let text: Vec<(String, String)> =
            self.options.iter().map(|(name, value)| (name.to_owned(), value.to_string())).collect();
        let given = text.iter().map(|(n, v)| (n.as_str(), if n == "fold" { P::FOLD } else { v.as_str() }));
        // The fold is one that the option declares, and the rest was accepted before.
        self.game.resolve(given).unwrap_or_else(|_| self.options.clone())
    }
}
