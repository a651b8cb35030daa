//! One record of evidence.

use crate::{
    BankError,
    evidence::{Contract, Monitor, Multiple, Regression, Replay, Retirement, Shadow, Static, Uplift},
};
use serde::{Deserialize, Serialize};
use std::fmt;

/// What a record is about: the gates G0 to G7, and what else moves a skill.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Gate {
    /// G0: it compiles, and nothing forbidden is seen in it.
    Static,
    /// G1: it does the same twice, and brings about its effect where it was found.
    Replay,
    /// G2: it keeps its contract on fresh seeds.
    Contract,
    /// G3: an agent with it scores more than without it.
    Uplift,
    /// G4: so it does among all candidates of its round.
    Multiple,
    /// G5: the bank with it is nowhere worse than before.
    Regression,
    /// G6: what it would do is what it says.
    Shadow,
    /// G7: it did no harm in its first uses.
    Probation,
    /// Its uses since it is active.
    Watch,
    /// The game or its words have changed.
    Version,
    /// There is no more need of it.
    Retirement,
    /// The bank goes back to a snapshot without it.
    Rollback,
    /// The bank goes back to a snapshot with it.
    Restore,
    /// Somebody wants it out of the bank.
    Order,
}

impl Gate {
    /// Its word, as in the files.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Static => "static",
            Self::Replay => "replay",
            Self::Contract => "contract",
            Self::Uplift => "uplift",
            Self::Multiple => "multiple",
            Self::Regression => "regression",
            Self::Shadow => "shadow",
            Self::Probation => "probation",
            Self::Watch => "watch",
            Self::Version => "version",
            Self::Retirement => "retirement",
            Self::Rollback => "rollback",
            Self::Restore => "restore",
            Self::Order => "order",
        }
    }
}

impl fmt::Display for Gate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// The numbers of a gate, with the rule that was applied.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "gate", rename_all = "snake_case", deny_unknown_fields)]
pub enum Figures {
    /// G0.
    Static(Static),
    /// G1.
    Replay(Replay),
    /// G2.
    Contract(Contract),
    /// G3.
    Uplift(Uplift),
    /// G4.
    Multiple(Multiple),
    /// G5.
    Regression(Regression),
    /// G6.
    Shadow(Shadow),
    /// G7.
    Probation(Monitor),
    /// Uses since it is active.
    Watch(Monitor),
    /// The game or its words have changed.
    Version {
        /// What the skill is written for, as `game vocabulary`.
        from: String,
        /// What the bank is for now.
        to: String,
    },
    /// There is no more need of it.
    Retirement(Retirement),
    /// The bank goes back to a snapshot without it.
    Rollback {
        /// The snapshot.
        snapshot: u64,
        /// Why.
        reason: String,
    },
    /// The bank goes back to a snapshot with it.
    Restore {
        /// The snapshot.
        snapshot: u64,
        /// Why.
        reason: String,
    },
    /// Somebody wants it out of the bank.
    Order {
        /// Why.
        reason: String,
    },
}

impl Figures {
    /// The gate that they belong to.
    pub const fn gate(&self) -> Gate {
        match self {
            Self::Static(_) => Gate::Static,
            Self::Replay(_) => Gate::Replay,
            Self::Contract(_) => Gate::Contract,
            Self::Uplift(_) => Gate::Uplift,
            Self::Multiple(_) => Gate::Multiple,
            Self::Regression(_) => Gate::Regression,
            Self::Shadow(_) => Gate::Shadow,
            Self::Probation(_) => Gate::Probation,
            Self::Watch(_) => Gate::Watch,
            Self::Version { .. } => Gate::Version,
            Self::Retirement(_) => Gate::Retirement,
            Self::Rollback { .. } => Gate::Rollback,
            Self::Restore { .. } => Gate::Restore,
            Self::Order { .. } => Gate::Order,
        }
    }

    /// The decision that follows: whether a gate is passed; whether a watched skill may go on; whether the reason of
    /// a move holds.
    ///
    /// # Errors
    /// [`BankError::Number`] for figures that no gate can have measured.
    pub fn passes(&self, skill: &str) -> Result<bool, BankError> {
        match self {
            Self::Static(x) => Ok(x.passes()),
            Self::Replay(x) => x.passes(),
            Self::Contract(x) => x.passes(),
            Self::Uplift(x) => x.passes(),
            Self::Multiple(x) => x.passes(skill),
            Self::Regression(x) => x.passes(),
            Self::Shadow(x) => x.passes(),
            Self::Probation(x) => x.passes_probation(),
            Self::Watch(x) => Ok(x.watch()?.is_none()),
            Self::Retirement(x) => Ok(x.holds()),
            Self::Version { from, to } => Ok(from != to),
            Self::Rollback { reason, .. } | Self::Restore { reason, .. } | Self::Order { reason } => {
                Ok(!reason.trim().is_empty())
            }
        }
    }
}

/// Where figures come from, so that they can be measured again.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Source {
    /// The seeds, as text; empty where nothing was played.
    pub seeds: String,
    /// Hash of the agent, its opponents and the game's options; empty where nothing was played.
    pub config: String,
}

impl Source {
    /// Whether it says nothing.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// The figures of one gate about one skill, and the decision. Every number that it needs is there.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Evidence {
    /// Content hash of the skill.
    skill: String,
    /// Where the figures come from.
    source: Source,
    /// Whether it passes; made again from the figures whenever it matters.
    passed: bool,
    /// The figures.
    figures: Figures,
}

impl Evidence {
    /// What `figures` say about the skill with this content hash.
    ///
    /// # Errors
    /// [`BankError::Number`] for figures that no gate can have measured.
    pub fn new(skill: &str, source: Source, figures: Figures) -> Result<Self, BankError> {
        let passed = figures.passes(skill)?;
        Ok(Self { skill: skill.into(), source, passed, figures })
    }

    /// Content hash of the skill that it is about.
    pub fn skill(&self) -> &str {
        &self.skill
    }

    /// The gate.
    pub const fn gate(&self) -> Gate {
        self.figures.gate()
    }

    /// Where the figures come from.
    pub const fn source(&self) -> &Source {
        &self.source
    }

    /// The figures.
    pub const fn figures(&self) -> &Figures {
        &self.figures
    }

    /// The decision as stated; see [`Evidence::verify`].
    pub const fn passed(&self) -> bool {
        self.passed
    }

    /// Makes the decision again from the figures.
    ///
    /// # Errors
    /// [`BankError::Evidence`] when it is not the stated one.
    pub fn verify(&self) -> Result<bool, BankError> {
        let found = self.figures.passes(&self.skill)?;
        if found == self.passed {
            return Ok(found);
        }
        Err(BankError::Evidence {
            gate: self.gate().to_string(),
            skill: self.skill.clone(),
            what: format!("it says passed = {}, its figures say {found}", self.passed),
            mend: "it was changed; run the gate again".into(),
        })
    }

    /// Its content hash: sixteen hex digits.
    pub fn hash(&self) -> String {
        let bytes = serde_json::to_vec(self).unwrap_or_default();
        blake3::hash(&bytes).to_hex()[..16].to_owned()
    }
}
