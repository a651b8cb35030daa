//! Kept games: the commands so far, and the hash of where they lead. Small, readable, and checked on the way back.

use crate::cli::{CliError, text::Chosen};
use serde::{Deserialize, Serialize};
use std::{
    fs,
    path::{Path, PathBuf},
};

const FORMAT: &str = "agon-save/1";

/// A kept game.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Kept {
    format: String,
    /// Which story, as it was chosen.
    source: String,
    /// Every line that was typed.
    pub(super) lines: Vec<String>,
    /// Hash of the state that they lead to, in hex.
    hash: String,
}

impl Kept {
    /// Hash of the state that the lines lead to; one that cannot be read equals none.
    pub(super) fn hash(&self) -> u64 {
        u64::from_str_radix(&self.hash, 16).unwrap_or_default()
    }
}

/// The file of a kept game.
pub(super) fn path(name: &str) -> Result<PathBuf, CliError> {
    let is_plain = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    if name.is_empty() || !name.chars().all(is_plain) {
        let what = format!(
            "\"{name}\" cannot be the name of a kept game: use letters, digits, - and _, as in: save one"
        );
        return Err(CliError::Request(what));
    }
    Ok(PathBuf::from(format!("{name}.save.json")))
}

/// Writes a kept game; an older one of this name is replaced in one step.
pub(super) fn save(path: &Path, chosen: &Chosen, lines: &[String], hash: u64) -> Result<(), CliError> {
    let kept = Kept {
        format: FORMAT.into(),
        source: chosen.source.clone(),
        lines: lines.to_vec(),
        hash: format!("{hash:016x}"),
    };
    let text = serde_json::to_string_pretty(&kept).map_err(std::io::Error::from)?;
    let fresh = path.with_extension("new");
    let file = |e: std::io::Error| CliError::File { path: path.into(), why: e.to_string() };
    fs::write(&fresh, text).map_err(file)?;
    fs::rename(&fresh, path).map_err(file)
}

/// Reads a kept game of the story that is played.
pub(super) fn load(path: &Path, chosen: &Chosen) -> Result<Kept, CliError> {
    let wrong = |why: String| CliError::File { path: path.into(), why };
    let text = fs::read_to_string(path).map_err(|e| wrong(e.to_string()))?;
    let kept: Kept = serde_json::from_str(&text).map_err(|e| wrong(format!("it is no kept game: {e}")))?;
    if kept.format != FORMAT {
        return Err(wrong(format!("its format is {}, this program reads {FORMAT}", kept.format)));
    }
    if kept.source != chosen.source {
        return Err(wrong(format!("it is of {}, and {} is played here", kept.source, chosen.source)));
    }
    Ok(kept)
}
