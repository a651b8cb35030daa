//! What a game crate hands over, and the registry that finds it by name.

use crate::{
    env::DynEnv,
    error::GymError,
    options::{OptionDef, Options},
    policy::Policy,
    sharded::Factory,
    spec::Spec,
    vocabulary::Vocabulary,
};
use std::{fmt, io::BufRead, sync::Arc};

/// A named player that a game brings along.
#[derive(Clone, Copy)]
pub struct Bot {
    /// Name, lower case, unique in its game.
    pub name: &'static str,
    /// Version of its behaviour. A frozen bot never changes it; another behaviour gets another name.
    pub version: u32,
    /// How it plays, one line.
    pub summary: &'static str,
    /// Whether it is an anchor of the ladder: frozen for ever.
    pub anchor: bool,
    /// Makes one for environments of this spec.
    pub make: fn(&Spec) -> Box<dyn Policy>,
}

/// One evolvable number of a parametric player.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Gene {
    /// Name, `snake_case`.
    pub name: &'static str,
    /// Least value.
    pub low: f32,
    /// Greatest value.
    pub high: f32,
    /// What it weighs, with its unit.
    pub meaning: &'static str,
}

/// A parametric player that evolution can train: numbers in, policy out.
#[derive(Clone, Copy)]
pub struct Genome {
    /// The numbers, in order.
    pub genes: &'static [Gene],
    /// Version of what the numbers mean.
    pub version: u32,
    /// The player with these numbers; one value a gene, each clamped to its range.
    pub make: fn(&Spec, &[f32]) -> Box<dyn Policy>,
}

/// What replaying a recorded game of another implementation gave.
#[derive(Clone, PartialEq, Debug)]
pub struct TraceReport {
    /// Steps compared.
    pub steps: usize,
    /// Rules under which it was replayed, in words.
    pub rules: String,
}

/// Replays one recorded game (file name, its lines) and compares every step; the error names file, step,
/// field, ours and theirs.
pub type TraceCheck = fn(&str, &mut dyn BufRead) -> Result<TraceReport, String>;

/// Makes the words for skills in environments of a spec.
pub type MakeVocabulary = fn(&Spec) -> Arc<dyn Vocabulary>;

/// Everything that is a game's own: rules, options, bots, trainable player. One value, handed over once.
#[derive(Clone)]
pub struct Game {
    /// Registry name, lower case.
    pub name: &'static str,
    /// Rules version.
    pub version: u32,
    /// One line about it.
    pub summary: &'static str,
    /// Declared options.
    pub options: Vec<OptionDef>,
    /// Makes an environment of checked options.
    pub make: fn(&Options) -> Result<Box<dyn DynEnv>, GymError>,
    /// Players that it brings along, weakest first.
    pub bots: Vec<Bot>,
    /// A player that evolution can train.
    pub genome: Option<Genome>,
    /// Replayer for recorded games of other implementations.
    pub traces: Option<TraceCheck>,
    /// The words for skills in environments of a spec.
    pub vocabulary: Option<MakeVocabulary>,
}

impl fmt::Debug for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Game({})", self.id())
    }
}

impl Game {
    /// `name-vN`.
    pub fn id(&self) -> String {
        format!("{}-v{}", self.name, self.version)
    }

    /// Checked options from `name=value` pairs.
    ///
    /// # Errors
    /// See [`Options::resolve`].
    pub fn resolve<'a>(
        &self,
        given: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Options, GymError> {
        Options::resolve(self.name, &self.options, given)
    }

    /// Options as declared.
    pub fn defaults(&self) -> Options {
        // Nothing is given, so nothing can be refused.
        self.resolve([]).unwrap_or_default()
    }

    /// A factory of environments with these options.
    pub fn factory(&self, options: Options) -> Factory {
        let make = self.make;
        Arc::new(move || make(&options))
    }
}

/// All games of a program, by name.
#[derive(Clone, Debug, Default)]
pub struct Registry {
    games: Vec<Game>,
}

impl Registry {
    /// An empty registry.
    pub const fn new() -> Self {
        Self { games: Vec::new() }
    }

    /// Adds a game; one of the same name is replaced.
    #[must_use]
    pub fn with(mut self, game: Game) -> Self {
        self.games.retain(|g| g.name != game.name);
        self.games.push(game);
        self
    }

    /// All games in the order of registration.
    pub fn games(&self) -> &[Game] {
        &self.games
    }

    /// The game called `name` or `name-vN`.
    ///
    /// # Errors
    /// [`GymError::UnknownGame`] with the nearest name, [`GymError::UnknownVersion`] for another version.
    pub fn find(&self, id: &str) -> Result<&Game, GymError> {
        let (name, version) = split_version(id);
        let unknown = || GymError::UnknownGame {
            asked: id.into(),
            known: self.games.iter().map(|g| g.name.to_owned()).collect(),
        };
        let game = self.games.iter().find(|g| g.name == name).ok_or_else(unknown)?;
        match version {
            Some(asked) if asked != game.version => {
                Err(GymError::UnknownVersion { game: game.name.into(), asked, current: game.version })
            }
            _ => Ok(game),
        }
    }
}

fn split_version(id: &str) -> (&str, Option<u32>) {
    if let Some((name, digits)) = id.rsplit_once("-v")
        && let Ok(version) = digits.parse()
    {
        return (name, Some(version));
    }
    (id, None)
}
