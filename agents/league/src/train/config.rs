//! Settings of a run: what they are, which are allowed, whether a resumed run agrees with those typed.

use crate::{error::LeagueError, evolve::SearchKind, matchmaking::Pairing};
use rl_gym::{Game, Options};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Everything that decides the course of a run. Stored with it; a resumed run goes on with it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TrainConfig {
    /// Game id, `name-vN`.
    pub game: String,
    /// Options of the game.
    pub options: Options,
    /// Root seed.
    pub seed: u64,
    /// Candidates a generation.
    pub population: usize,
    /// Tables against drawn opponents that every candidate plays in a generation, each in all seat rotations.
    pub tables: usize,
    /// Rounds in which the whole population sits down at full tables among itself, in all seat rotations.
    pub rounds: usize,
    /// A champion is frozen every so many generations; see [`TrainConfig::is_champion_due`] for long runs.
    pub snapshot_every: u32,
    /// Ladder tables that a new champion plays among champions and anchors.
    pub ladder_tables: usize,
    /// Newest champions in the pool of opponents; with 0 the anchors alone are met.
    pub pool: usize,
    /// Games against each anchor in the closing exam; 0 for no exam.
    pub exam_games: usize,
    /// How the opponents of training tables are drawn from the pool.
    #[serde(default)]
    pub pairing: Pairing,
    /// How candidates follow from those before them.
    #[serde(default)]
    pub search: SearchKind,
}

impl TrainConfig {
    /// Defaults that take two to three minutes on two cores for Settlers.
    pub fn new(game: &Game, options: Options, seed: u64) -> Self {
        Self {
            game: game.id(),
            options,
            seed,
            population: 32,
            tables: 3,
            rounds: 16,
            snapshot_every: 8,
            ladder_tables: 60,
            pool: 6,
            exam_games: 1600,
            pairing: Pairing::default(),
            search: SearchKind::default(),
        }
    }

    /// Whether generation `number` (from 0) ends with a new champion: the first, then every so many as set, until a
    /// hundred spacings have passed; from there on the spacing doubles whenever the run has doubled. Champions, their
    /// ladder games, the memory and the fits over them then grow with the logarithm of a long run, and what is added
    /// late is as far apart, as a share of the run, as it was early.
    pub const fn is_champion_due(&self, number: u32) -> bool {
        is_due(number, self.snapshot_every)
    }

    /// # Errors
    /// When a setting is out of its range.
    pub(super) fn check(&self) -> Result<(), LeagueError> {
        let range = |name: &str, value: usize, low: usize, high: usize| {
            if (low..=high).contains(&value) {
                return Ok(());
            }
            Err(LeagueError::Request { what: format!("{name} = {value} is not from {low} to {high}") })
        };
        range("population", self.population, 4, 1000)?;
        range("tables", self.tables, 1, 10_000)?;
        range("rounds", self.rounds, 0, 10_000)?;
        range("snapshot every", self.snapshot_every as usize, 1, 1_000_000)?;
        range("ladder tables", self.ladder_tables, 1, 100_000)?;
        range("exam games", self.exam_games, 0, 1_000_000)
    }

    /// Whether the settings `typed` are those of this run. Values are compared, not their spelling.
    ///
    /// # Errors
    /// [`LeagueError::OtherSettings`] for one that differs, and for names and values that no run can have.
    pub(super) fn agree(&self, run: &Path, game: &Game, typed: &[(&str, String)]) -> Result<(), LeagueError> {
        for (name, text) in typed {
            let (theirs, ours) = match (*name, self.number(name)) {
                ("pairing", _) => (self.pairing.to_string(), text.parse::<Pairing>()?.to_string()),
                ("search", _) => (self.search.to_string(), text.parse::<SearchKind>()?.to_string()),
                (_, Some(theirs)) => {
                    let ours: u64 = text.parse().map_err(|_| LeagueError::Request {
                        what: format!("{name} = {text} is not a whole number from 0"),
                    })?;
                    (theirs.to_string(), ours.to_string())
                }
                (_, None) => {
                    let ours = game.resolve([(*name, text.as_str())])?;
                    (option(&self.options, name), option(&ours, name))
                }
            };
            if theirs != ours {
                let (run, what) = (run.into(), (*name).into());
                return Err(LeagueError::OtherSettings { run, what, theirs, ours });
            }
        }
        Ok(())
    }

    /// A setting that is no option of the game, by its name on the command line.
    fn number(&self, name: &str) -> Option<u64> {
        Some(match name {
            "seed" => self.seed,
            "population" => self.population as u64,
            "tables" => self.tables as u64,
            "rounds" => self.rounds as u64,
            "snapshot_every" => self.snapshot_every.into(),
            "ladder_tables" => self.ladder_tables as u64,
            "pool" => self.pool as u64,
            "exam_games" => self.exam_games as u64,
            _ => return None,
        })
    }
}

/// See [`TrainConfig::is_champion_due`].
const fn is_due(number: u32, every: u32) -> bool {
    let (done, every) = (number as u64 + 1, every as u64);
    let doublings = match (done / (every * DENSE)).checked_ilog2() {
        Some(log) => log + 1,
        None => 0,
    };
    number == 0 || done.is_multiple_of(every << doublings)
}

/// Spacings after which champions become rarer.
const DENSE: u64 = 100;

/// The value of an option as text; one that a run of an older build lacks reads as nothing.
fn option(options: &Options, name: &str) -> String {
    options.iter().find(|(n, _)| *n == name).map_or_else(String::new, |(_, value)| value.to_string())
}

/// When a run ends. Generations are always finished, so a run of N generations is the same run however long it took.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Budget {
    /// So many generations in all.
    Generations(u32),
    /// Begin no generation after so many seconds of this session.
    Seconds(f64),
    /// Begin no generation after so many games of the run.
    Games(u64),
}

#[cfg(test)]
mod tests {
    use super::is_due;

    #[test]
    fn champions_become_rarer_as_a_run_grows() {
        let count = |until: u32| (0..until).filter(|g| is_due(*g, 8)).count();
        // As set for 800 generations, besides the first of all; then half a hundred more for each doubling.
        assert_eq!([1, 8, 80, 800].map(count), [1, 2, 11, 101]);
        assert_eq!([1600, 3200, 6400].map(count), [151, 201, 251]);
        assert!(count(200_000) < 510, "{}", count(200_000));
    }
}
