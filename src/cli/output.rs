//! Standard output holds results and nothing else; everything for people on the way goes to standard error.

use crate::cli::CliError;
use serde::Serialize;
use std::{
    fs,
    io::{self, ErrorKind, Write},
    path::Path,
};

/// Prints a result.
pub(crate) fn result(text: &str) -> Result<(), CliError> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())?;
    if !text.ends_with('\n') {
        out.write_all(b"\n")?;
    }
    Ok(out.flush()?)
}

/// Prints one JSON document.
pub(crate) fn json<T: Serialize>(value: &T) -> Result<(), CliError> {
    let text = serde_json::to_string_pretty(value).map_err(std::io::Error::from)?;
    result(&text)
}

/// Writes a file and says so. The file is whole or as it was before: it is written beside and put in place at the end,
/// but where something that is no plain file (a device, a link) stands in its place.
pub(crate) fn file(path: &Path, bytes: &[u8]) -> Result<(), CliError> {
    let plain = fs::symlink_metadata(path).map_or(true, |m| m.is_file());
    let written = match path.file_name() {
        Some(name) if plain => {
            let mut part = name.to_owned();
            part.push(".part");
            let part = path.with_file_name(part);
            put(&part, bytes)
                .and_then(|()| fs::rename(&part, path))
                .inspect_err(|_| _ = fs::remove_file(&part))
        }
        _ => put(path, bytes),
    };
    written.map_err(|e| CliError::File { path: path.into(), why: refused(&e) })?;
    note(&format!("wrote {}", path.display()));
    Ok(())
}

fn put(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = fs::File::create(path)?;
    file.write_all(bytes)?;
    // A full disk may tell only now.
    if file.metadata()?.is_file() { file.sync_all() } else { Ok(()) }
}

/// Why a file is not written, with the mend.
fn refused(error: &io::Error) -> String {
    let mend = match error.kind() {
        ErrorKind::NotFound | ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
            ": name a file in a folder that exists and is yours"
        }
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => {
            ": free space there or name a file elsewhere; nothing was left behind"
        }
        _ => "",
    };
    format!("cannot be written ({error}){mend}")
}

/// Says something on standard error. A closed standard error is no reason to fail.
pub(crate) fn note(text: &str) {
    _ = writeln!(std::io::stderr(), "{text}");
}
