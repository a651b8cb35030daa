//! The run store: one SQLite file a run, in which everything that happened is a row.
//!
//! Ratings, tables and pages are folds over it, so whatever is shown can be recomputed. Writes are
//! transactions under a write-ahead log: what was acknowledged survives a kill at any moment. Times of the
//! clock live in one table (`timing`) of their own, so that the rest of two equal runs is equal.

mod matches;
mod open;

pub use matches::{Kept, KeptSize};

use crate::{
    error::LeagueError,
    player::{Player, PlayerKind},
};
use open::RunLock;
use rusqlite::{Connection, ErrorCode, OptionalExtension, ffi, params};
use serde::{Serialize, de::DeserializeOwned};
use std::path::{Path, PathBuf};

/// Version of the tables. A store of a newer one is refused, one of an older one is read, and brought up to this
/// one before it is written. Version 1 kept whole replays of some matches; since 2 the moves of all are kept.
pub const STORE_VERSION: i64 = 2;
/// File name of the store within its run folder.
pub const STORE_FILE: &str = "run.sqlite";

const SCHEMA: &str = "
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE players (
    id INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE, name TEXT NOT NULL,
    kind TEXT NOT NULL, version INTEGER NOT NULL, generation INTEGER, parent INTEGER, genes BLOB
) STRICT;
CREATE TABLE events (
    seq INTEGER PRIMARY KEY, generation INTEGER NOT NULL, what TEXT NOT NULL,
    player INTEGER, detail TEXT NOT NULL
) STRICT;
CREATE TABLE matches (
    id INTEGER PRIMARY KEY, kind TEXT NOT NULL, generation INTEGER NOT NULL, block INTEGER NOT NULL,
    seed TEXT NOT NULL, seats TEXT NOT NULL, ranks TEXT NOT NULL, points TEXT NOT NULL, status TEXT NOT NULL,
    steps INTEGER NOT NULL, decisions INTEGER NOT NULL, note TEXT
) STRICT;
CREATE TABLE moves (match INTEGER PRIMARY KEY, bytes BLOB NOT NULL) STRICT;
CREATE INDEX matches_by_generation ON matches (generation, kind);
CREATE TABLE generations (generation INTEGER PRIMARY KEY, summary TEXT NOT NULL) STRICT;
CREATE TABLE state (
    one INTEGER PRIMARY KEY CHECK (one = 1), generation INTEGER NOT NULL, state TEXT NOT NULL
) STRICT;
CREATE TABLE timing (
    seq INTEGER PRIMARY KEY, generation INTEGER NOT NULL, wall_ms INTEGER NOT NULL, cpu_ms INTEGER NOT NULL,
    games INTEGER NOT NULL, steps INTEGER NOT NULL, workers INTEGER NOT NULL
) STRICT;
";

/// One entry of the run's history: a birth, a snapshot, a retirement.
#[derive(Clone, PartialEq, Debug)]
pub struct Event {
    /// Generation in which it happened.
    pub generation: u32,
    /// `birth`, `snapshot`, `retirement`.
    pub what: String,
    /// The player concerned.
    pub player: Option<i64>,
    /// Figures that explain it, as JSON.
    pub detail: String,
}

/// Clock figures of a stretch of play.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Timing {
    /// Generation played.
    pub generation: u32,
    /// Wall time, ms.
    pub wall_ms: i64,
    /// CPU time of the process, ms.
    pub cpu_ms: i64,
    /// Games finished.
    pub games: i64,
    /// Env steps of those games.
    pub steps: i64,
    /// Worker threads.
    pub workers: i64,
}

/// An open run store.
pub struct Store {
    db: Connection,
    path: PathBuf,
    /// Version of the tables in the file.
    version: i64,
    /// Whether there are whole replays too: a store that began in version 1.
    has_whole: bool,
    /// Held while this process trains the run.
    lock: Option<RunLock>,
}

impl Store {
    fn broken(&self, why: String) -> LeagueError {
        LeagueError::BrokenStore { path: self.path.clone(), why }
    }

    fn sql<T>(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, LeagueError> {
        work(&self.db).map_err(|e| failed(&self.path, &e))
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Runs `work` in one transaction: all of it is kept, or nothing.
    ///
    /// # Errors
    /// What `work` or the commit says.
    pub fn transaction<T>(
        &mut self,
        work: impl FnOnce(&Self) -> Result<T, LeagueError>,
    ) -> Result<T, LeagueError> {
        self.sql(|db| db.execute_batch("BEGIN IMMEDIATE"))?;
        let done = work(self).and_then(|value| self.sql(|db| db.execute_batch("COMMIT")).map(|()| value));
        if done.is_err() {
            // The first error is the one to show.
            _ = self.db.execute_batch("ROLLBACK");
        }
        done
    }

    /// Stores a fact about the run as JSON.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn set_meta<T: Serialize>(&self, key: &str, value: &T) -> Result<(), LeagueError> {
        let json = json(value)?;
        self.sql(|db| {
            db.execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?1, ?2)", params![key, json])
        })?;
        Ok(())
    }

    /// A fact about the run.
    ///
    /// # Errors
    /// When it is missing or not what it should be.
    pub fn meta<T: DeserializeOwned>(&self, key: &str) -> Result<T, LeagueError> {
        let found: Option<String> = self.sql(|db| {
            db.query_row("SELECT value FROM meta WHERE key = ?1", [key], |r| r.get(0)).optional()
        })?;
        let text = found.ok_or_else(|| self.broken(format!("its table meta has no \"{key}\"")))?;
        serde_json::from_str(&text).map_err(|e| self.broken(format!("meta \"{key}\" is not valid: {e}")))
    }

    /// Adds a player, or finds the equal one that is there. Returns its id.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn add_player(&self, player: &Player) -> Result<i64, LeagueError> {
        let (generation, parent, genes) = match &player.kind {
            PlayerKind::Bot | PlayerKind::Program => (None, None, None),
            PlayerKind::Evolved { generation, parent, genes } => {
                (Some(*generation), *parent, Some(bytemuck::cast_slice::<f32, u8>(genes).to_vec()))
            }
        };
        let kind = player.kind.word();
        self.sql(|db| {
            db.execute(
                "INSERT OR IGNORE INTO players (hash, name, kind, version, generation, parent, genes)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                params![player.hash, player.name, kind, player.version, generation, parent, genes],
            )?;
            db.query_row("SELECT id FROM players WHERE hash = ?1", [&player.hash], |r| r.get(0))
        })
    }

    /// All players with their ids, in order of arrival.
    ///
    /// # Errors
    /// When a row is not what it should be.
    pub fn players(&self) -> Result<Vec<(i64, Player)>, LeagueError> {
        self.sql(|db| {
            db.prepare(
                "SELECT id, hash, name, kind, version, generation, parent, genes FROM players ORDER BY id",
            )?
            .query_map([], |r| {
                let kind: String = r.get(3)?;
                let kind = if kind == "evolved" {
                    let bytes: Vec<u8> = r.get(7)?;
                    let genes = bytes.chunks_exact(4).map(bytemuck::pod_read_unaligned).collect();
                    PlayerKind::Evolved { generation: r.get(5)?, parent: r.get(6)?, genes }
                } else {
                    PlayerKind::Bot
                };
                let player = Player { hash: r.get(1)?, name: r.get(2)?, version: r.get(4)?, kind };
                Ok((r.get(0)?, player))
            })?
            .collect()
        })
    }

    /// Adds an entry to the history.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn add_event(&self, event: &Event) -> Result<(), LeagueError> {
        self.sql(|db| {
            db.execute(
                "INSERT INTO events (generation, what, player, detail) VALUES (?1, ?2, ?3, ?4)",
                params![event.generation, event.what, event.player, event.detail],
            )
        })?;
        Ok(())
    }

    /// The history, oldest first.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn events(&self) -> Result<Vec<Event>, LeagueError> {
        self.sql(|db| {
            db.prepare("SELECT generation, what, player, detail FROM events ORDER BY seq")?
                .query_map([], |r| {
                    Ok(Event { generation: r.get(0)?, what: r.get(1)?, player: r.get(2)?, detail: r.get(3)? })
                })?
                .collect()
        })
    }

    /// Records a finished generation and the state with which the next one begins; only the newest state is kept.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish_generation<S: Serialize, T: Serialize>(
        &self,
        generation: u32,
        state: &S,
        summary: &T,
    ) -> Result<(), LeagueError> {
        let (state, summary) = (json(state)?, json(summary)?);
        self.sql(|db| {
            db.execute(
                "INSERT OR REPLACE INTO generations (generation, summary) VALUES (?1, ?2)",
                params![generation, summary],
            )?;
            db.execute(
                "INSERT OR REPLACE INTO state (one, generation, state) VALUES (1, ?1, ?2)",
                params![generation, state],
            )?;
            Ok(())
        })
    }

    /// The newest finished generation with its state; `None` before the first.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn last_generation<S: DeserializeOwned>(&self) -> Result<Option<(u32, S)>, LeagueError> {
        let row: Option<(u32, String)> = self.sql(|db| {
            db.query_row("SELECT generation, state FROM state", [], |r| Ok((r.get(0)?, r.get(1)?))).optional()
        })?;
        row.map(|(generation, text)| {
            serde_json::from_str(&text)
                .map(|state| (generation, state))
                .map_err(|e| self.broken(format!("the state of generation {generation} is not valid: {e}")))
        })
        .transpose()
    }

    /// Summaries of all finished generations, oldest first.
    ///
    /// # Errors
    /// When one is not what it should be.
    pub fn summaries<T: DeserializeOwned>(&self) -> Result<Vec<(u32, T)>, LeagueError> {
        let rows: Vec<(u32, String)> = self.sql(|db| {
            db.prepare("SELECT generation, summary FROM generations ORDER BY generation")?
                .query_map([], |r| Ok((r.get(0)?, r.get(1)?)))?
                .collect()
        })?;
        rows.into_iter()
            .map(|(g, text)| {
                serde_json::from_str(&text)
                    .map(|s| (g, s))
                    .map_err(|e| self.broken(format!("the summary of generation {g} is not valid: {e}")))
            })
            .collect()
    }

    /// Adds clock figures.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn add_timing(&self, t: &Timing) -> Result<(), LeagueError> {
        self.sql(|db| {
            db.execute(
                "INSERT INTO timing (generation, wall_ms, cpu_ms, games, steps, workers)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                params![t.generation, t.wall_ms, t.cpu_ms, t.games, t.steps, t.workers],
            )
        })?;
        Ok(())
    }

    /// All clock figures, oldest first.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn timings(&self) -> Result<Vec<Timing>, LeagueError> {
        self.sql(|db| {
            db.prepare("SELECT generation, wall_ms, cpu_ms, games, steps, workers FROM timing ORDER BY seq")?
                .query_map([], |r| {
                    Ok(Timing {
                        generation: r.get(0)?,
                        wall_ms: r.get(1)?,
                        cpu_ms: r.get(2)?,
                        games: r.get(3)?,
                        steps: r.get(4)?,
                        workers: r.get(5)?,
                    })
                })?
                .collect()
        })
    }
}

/// An error of a statement. What a disk says that takes no more comes with its own mend.
fn failed(path: &Path, error: &rusqlite::Error) -> LeagueError {
    let (path, why) = (path.into(), error.to_string());
    if is_no_space(error) { LeagueError::NoSpace { path, why } } else { LeagueError::Store { path, why } }
}

/// Whether the system takes no more bytes: no space, a quota, a limit on the size of files.
fn is_no_space(error: &rusqlite::Error) -> bool {
    const WRITES: [i32; 6] = [
        ffi::SQLITE_IOERR_WRITE,
        ffi::SQLITE_IOERR_FSYNC,
        ffi::SQLITE_IOERR_TRUNCATE,
        ffi::SQLITE_IOERR_SHMOPEN,
        ffi::SQLITE_IOERR_SHMSIZE,
        ffi::SQLITE_IOERR_SHMMAP,
    ];
    let told = error.sqlite_error();
    told.is_some_and(|e| e.code == ErrorCode::DiskFull || WRITES.contains(&e.extended_code))
}

fn json<T: Serialize>(value: &T) -> Result<String, LeagueError> {
    serde_json::to_string(value)
        .map_err(|e| LeagueError::Internal { what: format!("a value cannot be JSON: {e}") })
}
