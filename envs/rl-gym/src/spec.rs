//! What a game is, as data: every list, check, page and buffer is made from this.

use crate::space::Space;
use serde::{Deserialize, Serialize};

/// Who moves when.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Dynamics {
    /// One seat.
    SingleAgent,
    /// One seat at a time.
    TurnBased,
    /// Every living seat in each step.
    Simultaneous,
    /// Sometimes one, sometimes several.
    Mixed,
}

/// What a seat may know.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Information {
    /// Every seat sees everything.
    Perfect,
    /// Something is hidden from some seat.
    Imperfect,
}

/// Where luck comes in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Luck {
    /// None after the reset.
    Deterministic,
    /// Drawn inside a step and not offered as outcomes.
    Sampled,
    /// Offered as outcomes with probabilities by [`crate::Chance`].
    Explicit,
}

/// How the rewards of all seats relate.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Utility {
    /// They sum to zero in every step.
    ZeroSum,
    /// Every seat gets the same.
    Cooperative,
    /// No fixed relation.
    GeneralSum,
}

/// What a finished game says about its seats. Ratings are made from this, never from rewards.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Placing {
    /// Nothing: one seat, or a task without rivals.
    None,
    /// Who won; the others are not ordered among themselves.
    WinnerOnly,
    /// A full ranking with ties.
    Full,
}

/// The description of one configured environment. Depends on the options (seats, board size), never on the seed.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Spec {
    /// Registry name, lower case.
    pub game: String,
    /// Rules version. A behaviour change raises it, a speed-up does not.
    pub version: u32,
    /// Number of seats, 1 to 64.
    pub seats: usize,
    /// One seat's observation row.
    pub obs: Space,
    /// One seat's action row.
    pub action: Space,
    /// Whether mask rows are written. Their length is `action.mask_bits()`.
    pub masked: bool,
    /// Who moves when.
    pub dynamics: Dynamics,
    /// What a seat may know.
    pub information: Information,
    /// Where luck comes in.
    pub luck: Luck,
    /// How rewards relate.
    pub utility: Utility,
    /// What the end says about the seats.
    pub placing: Placing,
    /// Least and greatest reward of one step.
    pub reward: (f32, f32),
    /// Names of the metric columns, one value an environment.
    pub metrics: Vec<String>,
    /// Steps after which the batch cuts the episode (`TRUNCATED`); `None`: the rules end it.
    pub max_steps: Option<u32>,
}

impl Spec {
    /// `name-vN`.
    pub fn id(&self) -> String {
        format!("{}-v{}", self.game, self.version)
    }

    /// Mask bits of one row; 0 without masks.
    pub fn mask_bits(&self) -> usize {
        if self.masked { self.action.mask_bits() } else { 0 }
    }

    /// Whether two specs share rows and actions, so that a policy of one can sit at the other.
    pub fn same_interface(&self, other: &Self) -> bool {
        self.game == other.game
            && self.version == other.version
            && self.seats == other.seats
            && self.obs == other.obs
            && self.action == other.action
            && self.masked == other.masked
    }
}
