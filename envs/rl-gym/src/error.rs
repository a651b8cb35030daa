//! Errors that say what was wrong, the value seen and the mend.

use std::fmt;

/// Why a game, version, option, policy or file was refused. The text is made from the fields.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GymError {
    /// No game of that name.
    #[error("unknown game \"{asked}\"{}; known games: {}", nearest(.asked, .known), .known.join(", "))]
    UnknownGame {
        /// The name as typed.
        asked: String,
        /// Every registered name.
        known: Vec<String>,
    },
    /// The game exists, that version does not.
    #[error(
        "game \"{game}\" has no version {asked}; this build has v{current} (write \"{game}\" or \"{game}-v{current}\")"
    )]
    UnknownVersion {
        /// The game.
        game: String,
        /// The version asked for.
        asked: u32,
        /// The version in this build.
        current: u32,
    },
    /// No option of that name.
    #[error("game \"{game}\" has no option \"{option}\"{}; options: {}", nearest(.option, .known), .known.join(", "))]
    UnknownOption {
        /// The game.
        game: String,
        /// The option as typed.
        option: String,
        /// Every option of the game.
        known: Vec<String>,
    },
    /// An option value outside its declared kind or range.
    #[error("option {option}={value} of game \"{game}\" is not valid: expected {expected}")]
    OptionValue {
        /// The game.
        game: String,
        /// The option.
        option: String,
        /// The value as typed.
        value: String,
        /// The declared kind and range, in words.
        expected: String,
    },
    /// No player of that name.
    #[error("unknown player \"{asked}\" for game \"{game}\"{}; known players: {}", nearest(.asked, .known), .known.join(", "))]
    UnknownPolicy {
        /// The game.
        game: String,
        /// The name as typed.
        asked: String,
        /// Every player of the game.
        known: Vec<String>,
    },
    /// A replay or snapshot of other rules.
    #[error(
        "{what} was made with {game} v{theirs}, this build has v{ours}: its actions may mean something else now; use a build with v{theirs}"
    )]
    OtherRules {
        /// What was read.
        what: String,
        /// The game.
        game: String,
        /// Version in the file.
        theirs: u32,
        /// Version in this build.
        ours: u32,
    },
    /// A file that is not what it should be.
    #[error("{what} cannot be read: {why}")]
    Corrupt {
        /// What was read.
        what: String,
        /// What is wrong with it and what to do.
        why: String,
    },
    /// The environment itself failed.
    #[error(transparent)]
    Fault(#[from] Fault),
}

fn nearest(asked: &str, known: &[String]) -> String {
    suggest(asked, known).map_or_else(String::new, |name| format!("; nearest: \"{name}\""))
}

/// The known name most like `asked`, when one is near enough to be a slip of the fingers.
pub fn suggest<'a>(asked: &str, known: &'a [String]) -> Option<&'a String> {
    known
        .iter()
        .map(|name| (strsim::jaro_winkler(&asked.to_lowercase(), name), name))
        .filter(|(score, _)| *score >= 0.75)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| name)
}

/// An environment's own failure in `reset` or `step`: its episode is void, its lane is reset, the others go on.
///
/// One pointer wide, so that the happy path of a step costs nothing.
#[derive(Clone, PartialEq, Eq)]
#[expect(clippy::box_collection, reason = "a thin pointer: Result<(), Fault> fits a register")]
pub struct Fault(Box<String>);

impl Fault {
    /// A fault with a text that says what was wrong, the value seen and the mend.
    pub fn new(text: impl Into<String>) -> Self {
        Self(Box::new(text.into()))
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Fault({:?})", self.0)
    }
}

impl std::error::Error for Fault {}
