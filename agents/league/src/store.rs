//! The run store: one SQLite file a run, in which everything that happened is a row.
//!
//! Ratings, tables and pages are folds over it, so whatever is shown can be recomputed. Writes are
//! transactions under a write-ahead log: what was acknowledged survives a kill at any moment. Times of the
//! clock live in one table (`timing`) of their own, so that the rest of two equal runs is equal.

use crate::{
    error::LeagueError,
    matches::{Match, MatchKind, MatchSeed, Outcome, Status},
    player::{Player, PlayerKind},
};
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension, params, params_from_iter};
use serde::{Serialize, de::DeserializeOwned};
use std::{
    path::{Path, PathBuf},
    str::FromStr,
};

/// Version of the tables. A store of a newer one is refused.
pub const STORE_VERSION: i64 = 1;
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
    steps INTEGER NOT NULL, decisions INTEGER NOT NULL, note TEXT, replay TEXT
) STRICT;
CREATE INDEX matches_by_generation ON matches (generation, kind);
CREATE TABLE generations (generation INTEGER PRIMARY KEY, summary TEXT NOT NULL) STRICT;
CREATE TABLE state (
    one INTEGER PRIMARY KEY CHECK (one = 1), generation INTEGER NOT NULL, state TEXT NOT NULL
) STRICT;
CREATE TABLE replays (hash TEXT PRIMARY KEY, bytes BLOB NOT NULL) STRICT;
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
    /// Held while this process trains the run.
    lock: Option<RunLock>,
}

impl Store {
    /// Makes the folder and a store in it that `fill` has written into. The store appears under its name when it
    /// is complete: a kill in between leaves no run, never half of one. The run is held for this process until the
    /// store is closed, so of two processes that begin in one folder one wins.
    ///
    /// # Errors
    /// When the folder holds a run already, another process begins one there, it cannot be written, and what `fill`
    /// says.
    pub fn create(
        run: &Path,
        fill: impl FnOnce(&Self) -> Result<(), LeagueError>,
    ) -> Result<Self, LeagueError> {
        let path = run.join(STORE_FILE);
        let vacant = || match path.exists() {
            true => Err(LeagueError::RunExists { run: run.into() }),
            false => Ok(()),
        };
        vacant()?;
        let folder = |e: std::io::Error| LeagueError::Folder { path: run.into(), why: e.to_string() };
        std::fs::create_dir_all(run).map_err(folder)?;
        let lock = RunLock::take(&lock_file(&path))?;
        // Whoever held the lock until now may have made a run.
        vacant()?;
        let draft = path.with_extension("new");
        for leftover in ["new", "new-wal", "new-shm"].map(|e| path.with_extension(e)) {
            if leftover.exists() {
                std::fs::remove_file(leftover).map_err(folder)?;
            }
        }
        let mut store =
            Self::open_to_write(&draft, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE)?;
        store.transaction(|s| {
            s.sql(|db| db.execute_batch(&format!("{SCHEMA} PRAGMA user_version = {STORE_VERSION};")))?;
            fill(s)
        })?;
        // Closing the only connection writes the log back into the file.
        store.db.close().map_err(|(_, e)| LeagueError::Store { path: draft.clone(), why: e.to_string() })?;
        std::fs::rename(&draft, &path).map_err(folder)?;
        Ok(Self { lock: Some(lock), ..Self::open(run)? })
    }

    /// Opens the store of a run, to write on. All its pages are checked, which takes a pass over the file; whoever
    /// only reads is served faster by [`Store::open_read`].
    ///
    /// # Errors
    /// When there is no run, the file is no store, cannot be written, or a newer version made it.
    pub fn open(run: &Path) -> Result<Self, LeagueError> {
        let path = file_of(run)?;
        let store = Self::open_to_write(&path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        store.known_version()?;
        let checked: String = store
            .db
            .query_row("PRAGMA quick_check(1)", [], |r| r.get(0))
            .map_err(|e| store.broken(e.to_string()))?;
        match checked.as_str() {
            "ok" => Ok(store),
            found => Err(store.broken(format!("the check of its pages says {found}"))),
        }
    }

    /// Opens the store of a run to read one state of it: what is written later, by a training that goes on, is not
    /// seen. Nothing is written, so the folder may be read-only.
    ///
    /// # Errors
    /// When there is no run, the file is no store, cannot be read, or a newer version made it.
    pub fn open_read(run: &Path) -> Result<Self, LeagueError> {
        let path = file_of(run)?;
        let plain = Connection::open_with_flags(&path, READ_ONLY);
        match plain.and_then(|db| begin_reading(&db).map(|()| db)) {
            Ok(db) => Self::to_read(db, path),
            Err(e) if is_refusal(&e) => Self::open_still(path, &e),
            Err(e) => Err(LeagueError::BrokenStore { path, why: e.to_string() }),
        }
    }

    /// Opens a store where the database can make no files beside it. Without a log of its own the file is whole.
    fn open_still(path: PathBuf, refusal: &rusqlite::Error) -> Result<Self, LeagueError> {
        let unreadable = |why: String| LeagueError::Unreadable { path: path.clone(), why };
        std::fs::File::open(&path).map_err(|e| unreadable(e.to_string()))?;
        let log = path.with_extension("sqlite-wal");
        if std::fs::metadata(&log).is_ok_and(|m| m.len() > 0) {
            return Err(LeagueError::UnmergedLog { path, log, why: refusal.to_string() });
        }
        let db = Connection::open_with_flags(still_uri(&path), READ_ONLY | OpenFlags::SQLITE_OPEN_URI)
            .and_then(|db| begin_reading(&db).map(|()| db));
        match db {
            Ok(db) => Self::to_read(db, path),
            Err(e) if is_refusal(&e) => Err(unreadable(e.to_string())),
            Err(e) => Err(LeagueError::BrokenStore { path, why: e.to_string() }),
        }
    }

    fn to_read(db: Connection, path: PathBuf) -> Result<Self, LeagueError> {
        let store = Self { db, path, lock: None };
        store.known_version()?;
        Ok(store)
    }

    fn open_to_write(path: &Path, flags: OpenFlags) -> Result<Self, LeagueError> {
        let settled =
            Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX).and_then(|db| {
                db.busy_timeout(PATIENCE)?;
                db.pragma_update(None, "journal_mode", "WAL")?;
                // NORMAL keeps every transaction over a killed process; FULL would only guard against power loss.
                db.pragma_update(None, "synchronous", "NORMAL")?;
                Ok(db)
            });
        match settled {
            Ok(db) => Ok(Self { db, path: path.into(), lock: None }),
            Err(e) if is_refusal(&e) => Err(LeagueError::Folder { path: path.into(), why: e.to_string() }),
            Err(e) => Err(LeagueError::BrokenStore { path: path.into(), why: e.to_string() }),
        }
    }

    /// Checks that the file is a store that this build knows.
    fn known_version(&self) -> Result<(), LeagueError> {
        let version: i64 = self
            .db
            .query_row("PRAGMA user_version", [], |r| r.get(0))
            .map_err(|e| self.broken(e.to_string()))?;
        match version {
            ..=0 => Err(self.broken("it holds no run".into())),
            1..=STORE_VERSION => Ok(()),
            theirs => Err(LeagueError::NewerStore { path: self.path.clone(), theirs, ours: STORE_VERSION }),
        }
    }

    fn broken(&self, why: String) -> LeagueError {
        LeagueError::BrokenStore { path: self.path.clone(), why }
    }

    fn sql<T>(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, LeagueError> {
        work(&self.db).map_err(|e| LeagueError::Store { path: self.path.clone(), why: e.to_string() })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Holds the run for this process until the store is closed, so that two never train one run. Does nothing when
    /// this store holds it already.
    ///
    /// # Errors
    /// When another process holds it.
    pub fn lock(&mut self) -> Result<(), LeagueError> {
        if self.lock.is_none() {
            self.lock = Some(RunLock::take(&lock_file(&self.path))?);
        }
        Ok(())
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

    /// Adds finished matches and their replays. One that is there already stays as it is, so that a repeat counts once.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn add_matches(&self, outcomes: &[Outcome]) -> Result<(), LeagueError> {
        self.sql(|db| {
            let mut insert = db.prepare_cached(
                "INSERT OR IGNORE INTO matches
                 (id, kind, generation, block, seed, seats, ranks, points, status, steps, decisions, note, replay)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
            )?;
            let mut keep = db.prepare_cached("INSERT OR IGNORE INTO replays (hash, bytes) VALUES (?1, ?2)")?;
            for o in outcomes {
                if let (Some(hash), Some(bytes)) = (&o.replay, &o.replay_bytes) {
                    keep.execute(params![hash, bytes])?;
                }
                let m = &o.game;
                insert.execute(params![
                    m.id,
                    m.kind.word(),
                    m.generation,
                    m.block,
                    m.seed.to_string(),
                    join(&m.seats),
                    join(&o.ranks),
                    join(&o.points),
                    o.status.word(),
                    o.steps,
                    o.decisions,
                    o.note,
                    o.replay
                ])?;
            }
            Ok(())
        })
    }

    /// All matches in order of their ids, handed to `each`.
    ///
    /// # Errors
    /// When a row is not what it should be.
    pub fn each_match(&self, mut each: impl FnMut(Outcome)) -> Result<(), LeagueError> {
        self.matches_where(None, &mut each)
    }

    /// The matches of one generation, in order of their ids.
    ///
    /// # Errors
    /// When a row is not what it should be.
    pub fn matches_of(&self, generation: u32) -> Result<Vec<Outcome>, LeagueError> {
        let mut found = Vec::new();
        self.matches_where(Some(generation), &mut |o| found.push(o))?;
        Ok(found)
    }

    fn matches_where(
        &self,
        generation: Option<u32>,
        each: &mut impl FnMut(Outcome),
    ) -> Result<(), LeagueError> {
        let filter = if generation.is_some() { "WHERE generation = ?1" } else { "" };
        let query = format!(
            "SELECT id, kind, generation, block, seed, seats, ranks, points, status, steps, decisions, note, replay
             FROM matches {filter} ORDER BY id"
        );
        let bad = self.sql(|db| {
            let mut select = db.prepare(&query)?;
            let mut rows = select.query(params_from_iter(generation))?;
            while let Some(r) = rows.next()? {
                let text = |i: usize| r.get::<_, String>(i);
                let row = parse_row(&text(1)?, &text(4)?, &text(5)?, &text(6)?, &text(7)?, &text(8)?);
                let Some((kind, seed, seats, ranks, points, status)) = row else {
                    return Ok(Some(r.get::<_, i64>(0)?));
                };
                let replay: Option<String> = r.get(12)?;
                let record = replay.is_some();
                let game = Match {
                    id: r.get(0)?,
                    kind,
                    generation: r.get(2)?,
                    block: r.get(3)?,
                    seed,
                    seats,
                    record,
                };
                each(Outcome {
                    game,
                    ranks,
                    points,
                    status,
                    steps: r.get(9)?,
                    decisions: r.get(10)?,
                    note: r.get(11)?,
                    replay,
                    replay_bytes: None,
                });
            }
            Ok(None)
        })?;
        match bad {
            None => Ok(()),
            Some(id) => Err(self.broken(format!("match {id} has a field of the wrong form"))),
        }
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

    /// A replay by its hash.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn replay(&self, hash: &str) -> Result<Option<Vec<u8>>, LeagueError> {
        self.sql(|db| {
            db.query_row("SELECT bytes FROM replays WHERE hash = ?1", [hash], |r| r.get(0)).optional()
        })
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

/// How long a statement waits for another connection.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(5);
const READ_ONLY: OpenFlags = OpenFlags::SQLITE_OPEN_READ_ONLY.union(OpenFlags::SQLITE_OPEN_NO_MUTEX);

/// Fixes the state that all later reads see.
fn begin_reading(db: &Connection) -> rusqlite::Result<()> {
    db.busy_timeout(PATIENCE)?;
    db.execute_batch("BEGIN; SELECT count(*) FROM sqlite_schema;")
}

/// Whether the system refused a file, as opposed to what is in it.
fn is_refusal(error: &rusqlite::Error) -> bool {
    let code = error.sqlite_error_code();
    matches!(code, Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly | ErrorCode::PermissionDenied))
}

/// The file as an address that promises the database that nobody writes it.
fn still_uri(path: &Path) -> String {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.into());
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"/-_.~".contains(&b);
    let escaped = path.as_os_str().as_encoded_bytes().iter().map(|b| match plain(*b) {
        true => char::from(*b).to_string(),
        false => format!("%{b:02X}"),
    });
    format!("file:{}?immutable=1", escaped.collect::<String>())
}

/// The store's file of a run.
fn file_of(run: &Path) -> Result<PathBuf, LeagueError> {
    let path = run.join(STORE_FILE);
    match path.try_exists() {
        Ok(true) => Ok(path),
        Ok(false) => Err(LeagueError::NoRun { run: run.into(), near: near_runs(run) }),
        Err(e) => Err(LeagueError::Unreadable { path, why: e.to_string() }),
    }
}

fn lock_file(store: &Path) -> PathBuf {
    store.with_extension("lock")
}

type ParsedRow = (MatchKind, MatchSeed, Vec<i64>, Vec<u8>, Vec<f32>, Status);

fn parse_row(
    kind: &str,
    seed: &str,
    seats: &str,
    ranks: &str,
    points: &str,
    status: &str,
) -> Option<ParsedRow> {
    Some((
        MatchKind::parse(kind)?,
        seed.parse().ok()?,
        split(seats)?,
        split(ranks)?,
        split(points)?,
        Status::parse(status)?,
    ))
}

fn split<T: FromStr>(text: &str) -> Option<Vec<T>> {
    if text.is_empty() {
        return Some(Vec::new());
    }
    text.split(',').map(|x| x.parse().ok()).collect()
}

fn join<T: ToString>(items: &[T]) -> String {
    items.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

fn json<T: Serialize>(value: &T) -> Result<String, LeagueError> {
    serde_json::to_string(value)
        .map_err(|e| LeagueError::Internal { what: format!("a value cannot be JSON: {e}") })
}

/// Runs in the same parent folder, for the error message of a missing one.
fn near_runs(run: &Path) -> Vec<String> {
    let parent = match run.parent() {
        Some(p) if p != Path::new("") => p,
        _ => Path::new("."),
    };
    let mut found: Vec<String> = std::fs::read_dir(parent)
        .into_iter()
        .flatten()
        .flatten()
        .filter(|entry| entry.path().join(STORE_FILE).exists())
        .map(|entry| entry.path().display().to_string())
        .collect();
    found.sort();
    found.truncate(8);
    found
}

/// Holds a run for one process. The operating system frees it with the process, however that ends.
#[derive(Debug)]
struct RunLock {
    _file: std::fs::File,
}

impl RunLock {
    fn take(path: &Path) -> Result<Self, LeagueError> {
        let folder = |e: std::io::Error| LeagueError::Folder { path: path.into(), why: e.to_string() };
        let file =
            std::fs::File::options().create(true).truncate(false).write(true).open(path).map_err(folder)?;
        match file.try_lock() {
            Ok(()) => Ok(Self { _file: file }),
            Err(std::fs::TryLockError::WouldBlock) => Err(LeagueError::RunBusy { path: path.into() }),
            Err(std::fs::TryLockError::Error(e)) => Err(folder(e)),
        }
    }
}
