//! Standard output holds results and nothing else; everything for people on the way goes to standard error.

use crate::cli::CliError;
use serde::Serialize;
use std::io::Write;

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

/// Says something on standard error. A closed standard error is no reason to fail.
pub(crate) fn note(text: &str) {
    _ = writeln!(std::io::stderr(), "{text}");
}
