//! The log: JSON lines, each with a hash over itself and over the one before, so that no line can be changed, taken
//! out or put in unseen. Only its end may be missing, after a crash.

use crate::{
    BankError,
    bank::{event::Event, files::file},
};
use serde::{Deserialize, Serialize};
use std::{
    fs::{self, File},
    io::Write,
    path::{Path, PathBuf},
};

/// What stands before the hash of a line.
const SEAL: &str = ",\"hash\":\"";
/// What the first line follows.
const ROOT: &str = "agon-bank/1";

/// An open log.
#[derive(Debug)]
pub(super) struct Log {
    path: PathBuf,
    file: File,
    /// Bytes that are whole lines.
    length: u64,
    hashes: Vec<String>,
}

/// What was read from a log.
#[derive(Debug)]
pub(super) struct Read {
    pub(super) log: Log,
    /// The events in order; line `i + 1` holds event `i`.
    pub(super) events: Vec<Event>,
    /// What was mended.
    pub(super) repaired: Option<String>,
}

#[derive(Serialize)]
struct Out<'a> {
    n: u64,
    prev: &'a str,
    event: &'a Event,
}

#[derive(Deserialize)]
struct Line {
    n: u64,
    prev: String,
    event: Event,
}

impl Log {
    /// Opens the log at `path`, which is made if need be, and checks all of it. A last line that a crash has torn is
    /// dropped from the file.
    pub(super) fn open(path: &Path) -> Result<Read, BankError> {
        let text = if path.exists() { fs::read(path).map_err(file(path))? } else { Vec::new() };
        let whole = text.iter().rposition(|b| *b == b'\n').map_or(0, |at| at + 1);
        let out = File::options().create(true).append(true).open(path).map_err(file(path))?;
        let mut log = Self { path: path.into(), file: out, length: whole as u64, hashes: Vec::new() };
        let mut events = Vec::new();
        // Without its end, the last piece is empty.
        for line in text[..whole].split(|b| *b == b'\n').take_while(|line| !line.is_empty()) {
            events.push(log.take(line)?);
        }
        let lines: usize = text[..whole].iter().filter(|b| **b == b'\n').count();
        if lines != events.len() {
            return Err(log.wrong("an empty line".into()));
        }
        let mut repaired = None;
        if whole < text.len() {
            log.file.set_len(log.length).and_then(|()| log.file.sync_data()).map_err(file(path))?;
            repaired = Some(format!(
                "{}, line {}: {} bytes without an end, as a crash leaves them, were dropped: what they told did not happen",
                path.display(),
                events.len() + 1,
                text.len() - whole
            ));
        }
        Ok(Read { log, events, repaired })
    }

    /// Checks the next line and reads it.
    fn take(&mut self, line: &[u8]) -> Result<Event, BankError> {
        let text = std::str::from_utf8(line).map_err(|e| self.wrong(format!("no text: {e}")))?;
        let (body, rest) = text.rsplit_once(SEAL).ok_or_else(|| self.wrong("it has no hash".into()))?;
        let stated = rest.strip_suffix("\"}").ok_or_else(|| self.wrong("it has no end".into()))?;
        let found = seal(body);
        if stated != found {
            return Err(self.wrong(format!("its hash is {found}, it says {stated}")));
        }
        let line: Line = serde_json::from_str(&format!("{body}}}")).map_err(|e| self.wrong(e.to_string()))?;
        if line.prev != self.head() {
            return Err(self.wrong(format!("it follows {}, the line before is {}", line.prev, self.head())));
        }
        if line.n != self.count() + 1 {
            return Err(self.wrong(format!("it is number {}", line.n)));
        }
        self.hashes.push(found);
        Ok(line.event)
    }

    fn wrong(&self, what: String) -> BankError {
        self.wrong_at(self.count() + 1, what)
    }

    /// What is wrong with a line.
    pub(super) fn wrong_at(&self, line: u64, what: String) -> BankError {
        BankError::Log { path: self.path.clone(), line, what }
    }

    /// Adds an event. It is on the disk when this returns; after an error the log is as before.
    pub(super) fn append(&mut self, event: &Event) -> Result<(), BankError> {
        let out = Out { n: self.count() + 1, prev: self.head(), event };
        let mut body = serde_json::to_string(&out).map_err(|e| self.wrong(e.to_string()))?;
        body.pop();
        let hash = seal(&body);
        let line = format!("{body}{SEAL}{hash}\"}}\n");
        if let Err(error) = self.file.write_all(line.as_bytes()).and_then(|()| self.file.sync_data()) {
            // Half a line must not stand before the next. Should this fail too, opening drops it.
            let _ = self.file.set_len(self.length);
            return Err(file(&self.path)(error));
        }
        self.length += line.len() as u64;
        self.hashes.push(hash);
        Ok(())
    }

    /// Lines.
    pub(super) fn count(&self) -> u64 {
        self.hashes.len() as u64
    }

    /// Hash of the last line.
    pub(super) fn head(&self) -> &str {
        self.hashes.last().map_or(ROOT, String::as_str)
    }

    /// Hash of a line, from 1.
    pub(super) fn hash_of(&self, line: u64) -> Option<&str> {
        let place = usize::try_from(line).ok()?.checked_sub(1)?;
        self.hashes.get(place).map(String::as_str)
    }
}

/// Hash of a line up to its hash: 32 hex digits.
fn seal(body: &str) -> String {
    blake3::hash(body.as_bytes()).to_hex()[..32].to_owned()
}
