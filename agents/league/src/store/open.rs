//! Making, opening and holding the store's file.

use super::{SCHEMA, STORE_FILE, STORE_VERSION, Store, failed, is_no_space};
use crate::error::LeagueError;
use rusqlite::{Connection, ErrorCode, OpenFlags};
use std::path::{Path, PathBuf};

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
        for leftover in leftovers(&path) {
            if leftover.exists() {
                std::fs::remove_file(leftover).map_err(folder)?;
            }
        }
        let filled = Self::fill(&draft, fill).and_then(|()| std::fs::rename(&draft, &path).map_err(folder));
        if let Err(error) = filled {
            // Half a store is of no use to anybody, and takes space where that may be what is missing.
            leftovers(&path).for_each(|file| _ = std::fs::remove_file(file));
            return Err(error);
        }
        Ok(Self { lock: Some(lock), ..Self::open(run)? })
    }

    /// Makes a store under the name `draft`.
    fn fill(draft: &Path, fill: impl FnOnce(&Self) -> Result<(), LeagueError>) -> Result<(), LeagueError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
        let mut store = Self::open_to_write(draft, flags)?;
        store.transaction(|s| {
            s.sql(|db| db.execute_batch(&format!("{SCHEMA} PRAGMA user_version = {STORE_VERSION};")))?;
            fill(s)
        })?;
        // Closing the only connection writes the log back into the file. A close that cannot do that says nothing.
        store.sql(|db| db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())))?;
        store.db.close().map_err(|(_, e)| failed(draft, &e))
    }

    /// Opens the store of a run, to write on. All its pages are checked, which takes a pass over the file; whoever
    /// only reads is served faster by [`Store::open_read`].
    ///
    /// # Errors
    /// When there is no run, the file is no store, cannot be written, or a newer version made it.
    pub fn open(run: &Path) -> Result<Self, LeagueError> {
        let path = file_of(run)?;
        let mut store = Self::open_to_write(&path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        store.know_version()?;
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
            // A full disk takes no file beside it either.
            Err(e) if is_refusal(&e) || is_no_space(&e) => Self::open_still(path, &e),
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

    const fn at(db: Connection, path: PathBuf) -> Self {
        Self { db, path, version: STORE_VERSION, has_whole: false, lock: None }
    }

    fn to_read(db: Connection, path: PathBuf) -> Result<Self, LeagueError> {
        let mut store = Self::at(db, path);
        store.know_version()?;
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
            Ok(db) => Ok(Self::at(db, path.into())),
            Err(e) if is_refusal(&e) => Err(LeagueError::Folder { path: path.into(), why: e.to_string() }),
            Err(e) if is_no_space(&e) => Err(failed(path, &e)),
            Err(e) => Err(LeagueError::BrokenStore { path: path.into(), why: e.to_string() }),
        }
    }

    /// Learns the version of the file, which must be a store that this build knows.
    fn know_version(&mut self) -> Result<(), LeagueError> {
        let number = |query| {
            let found = self.db.query_row(query, [], |r| r.get::<_, i64>(0));
            found.map_err(|e| self.broken(e.to_string()))
        };
        let version = number("PRAGMA user_version")?;
        let whole = number("SELECT count(*) FROM sqlite_schema WHERE name = 'replays'")?;
        (self.version, self.has_whole) = (version, whole > 0);
        match self.version {
            ..=0 => Err(self.broken("it holds no run".into())),
            1..=STORE_VERSION => Ok(()),
            theirs => Err(LeagueError::NewerStore { path: self.path.clone(), theirs, ours: STORE_VERSION }),
        }
    }

    /// Holds the run for this process until the store is closed, so that two never train one run; a store of an older
    /// version is brought up to this one. Does nothing when this store holds it already.
    ///
    /// # Errors
    /// When another process holds it, or the older store cannot be written.
    pub fn lock(&mut self) -> Result<(), LeagueError> {
        if self.lock.is_none() {
            self.lock = Some(RunLock::take(&lock_file(&self.path))?);
        }
        if self.version < STORE_VERSION {
            self.transaction(|s| s.sql(|db| db.execute_batch(UPGRADE)))?;
            self.know_version()?;
        }
        Ok(())
    }
}

/// From version 1 to 2.
const UPGRADE: &str = "CREATE TABLE moves (match INTEGER PRIMARY KEY, bytes BLOB NOT NULL) STRICT;
    PRAGMA user_version = 2;";
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

/// Files of a store that a kill left in the making.
fn leftovers(store: &Path) -> impl Iterator<Item = PathBuf> {
    ["new", "new-wal", "new-shm"].into_iter().map(|e| store.with_extension(e))
}

fn lock_file(store: &Path) -> PathBuf {
    store.with_extension("lock")
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
pub(super) struct RunLock {
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
