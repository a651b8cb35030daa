//! Files that are whole or not there, and one writer at a time.

use crate::BankError;
use std::{
    fs::{self, File, TryLockError},
    io::{self, Write},
    path::{Path, PathBuf},
};

/// An error about a file.
pub(super) fn file(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> BankError {
    let path = path.into();
    move |source| BankError::File { path, source }
}

/// A file that is not what it should be.
pub(super) fn form(path: impl Into<PathBuf>, what: impl ToString, mend: &str) -> BankError {
    BankError::Form { path: path.into(), what: what.to_string(), mend: mend.into() }
}

/// Writes a file in one step: a reader, or a crash, sees the old one or the new one.
pub(super) fn write(path: &Path, bytes: &[u8]) -> Result<(), BankError> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(file(folder))?;
    }
    let mut fresh = path.as_os_str().to_owned();
    fresh.push(".new");
    let fresh = PathBuf::from(fresh);
    let mut out = File::create(&fresh).map_err(file(&fresh))?;
    out.write_all(bytes).and_then(|()| out.sync_all()).map_err(file(&fresh))?;
    fs::rename(&fresh, path).map_err(file(path))?;
    // The name too is on the disk before the log speaks of it, where folders can be synced at all.
    if let Some(Ok(folder)) = path.parent().map(File::open) {
        let _ = folder.sync_all();
    }
    Ok(())
}

/// Writes a value as readable JSON in one step.
pub(super) fn write_json(path: &Path, value: &impl serde::Serialize) -> Result<(), BankError> {
    let mut text = serde_json::to_vec_pretty(value).map_err(|e| form(path, e, "report this"))?;
    text.push(b'\n');
    write(path, &text)
}

/// Reads a value.
pub(super) fn read_json<T: serde::de::DeserializeOwned>(path: &Path, mend: &str) -> Result<T, BankError> {
    let text = fs::read(path).map_err(file(path))?;
    serde_json::from_slice(&text).map_err(|e| form(path, e, mend))
}

/// Makes this process the only one in a folder until the file is dropped.
pub(super) fn lock(folder: &Path) -> Result<File, BankError> {
    let path = folder.join("lock");
    let held = File::options().create(true).truncate(false).write(true).open(&path).map_err(file(&path))?;
    match held.try_lock() {
        Ok(()) => Ok(held),
        Err(TryLockError::WouldBlock) => Err(BankError::Locked { path }),
        Err(TryLockError::Error(error)) => Err(file(path)(error)),
    }
}
