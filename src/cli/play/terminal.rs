//! The terminal: wrapped prose, a status line, line editing with history and completion. Through a pipe the same
//! texts without any of it.

use crate::cli::CliError;
use rustyline::{
    Config, Context, Editor, Helper,
    completion::{Completer, Pair},
    error::ReadlineError,
    highlight::Highlighter,
    hint::Hinter,
    history::MemHistory,
    validate::Validator,
};
use std::io::{IsTerminal, Write};

/// Most columns of prose: longer lines are hard to read.
const MOST_COLUMNS: usize = 84;

/// What came in.
pub(super) enum Read {
    Line(String),
    Interrupted,
    Ended,
}

/// Where the player sits.
pub(super) struct Terminal {
    editor: Option<Editor<Known, MemHistory>>,
    is_quiet: bool,
    has_colour: bool,
}

impl Terminal {
    pub(super) fn new(is_quiet: bool) -> Result<Self, CliError> {
        let is_person = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
        let editor = is_person.then(|| {
            let config = Config::builder().auto_add_history(true).build();
            Editor::with_history(config, MemHistory::new())
        });
        let editor = editor.transpose().map_err(|e| CliError::Request(format!("the terminal: {e}")))?;
        // https://no-color.org
        let has_colour = is_person && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty());
        Ok(Self { editor, is_quiet, has_colour })
    }

    fn columns(&self) -> usize {
        if self.editor.is_some() { textwrap::termwidth().clamp(20, MOST_COLUMNS) } else { MOST_COLUMNS }
    }

    fn write(text: &str) -> Result<(), CliError> {
        let mut out = std::io::stdout().lock();
        out.write_all(text.as_bytes())?;
        Ok(out.flush()?)
    }

    pub(super) fn title(&self, title: &str) -> Result<(), CliError> {
        let (on, off) = if self.has_colour { ("\x1b[1m", "\x1b[0m") } else { ("", "") };
        Self::write(&format!("{on}{title}{off}\n\n"))
    }

    /// Says something, wrapped; lines that are longer than a terminal without being prose (maps) stay as they are.
    pub(super) fn say(&self, text: &str) -> Result<(), CliError> {
        let columns = self.columns();
        let mut out = String::new();
        for line in text.trim_end().lines() {
            let is_drawing = line.starts_with(' ') || line.contains("[") || line.contains("   ");
            if is_drawing {
                out.push_str(line);
            } else {
                out.push_str(&textwrap::fill(line, columns));
            }
            out.push('\n');
        }
        Self::write(&out)
    }

    /// Where one is and how far: people see it as a bar above the prompt.
    pub(super) fn status(&self, (left, right): &(String, String)) -> Result<(), CliError> {
        if self.editor.is_none() || self.is_quiet {
            return Ok(());
        }
        let columns = self.columns();
        let gap = columns.saturating_sub(left.chars().count() + right.chars().count() + 2).max(1);
        let bar = format!(" {left}{}{right} ", " ".repeat(gap));
        let (on, off) = if self.has_colour { ("\x1b[7m", "\x1b[0m") } else { ("", "") };
        Self::write(&format!("\n{on}{bar}{off}\n"))
    }

    /// The next line. `words` are offered for completion.
    pub(super) fn read(&mut self, words: impl FnOnce() -> Vec<String>) -> Result<Read, CliError> {
        let Some(editor) = &mut self.editor else {
            let mut line = String::new();
            let read = std::io::stdin()
                .read_line(&mut line)
                .map_err(|e| CliError::Request(format!("standard input: {e}")))?;
            if read == 0 {
                return Ok(Read::Ended);
            }
            let line = line.trim().to_owned();
            if !self.is_quiet {
                Self::write(&format!("\n> {line}\n"))?;
            }
            return Ok(Read::Line(line));
        };
        editor.set_helper(Some(Known { words: words() }));
        match editor.readline("> ") {
            Ok(line) => Ok(Read::Line(line)),
            Err(ReadlineError::Interrupted) => Ok(Read::Interrupted),
            Err(ReadlineError::Eof) => Ok(Read::Ended),
            Err(e) => Err(CliError::Request(format!("the terminal: {e}"))),
        }
    }
}

/// Completes words that the player has met.
struct Known {
    words: Vec<String>,
}

impl Completer for Known {
    type Candidate = Pair;

    fn complete(&self, line: &str, pos: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<Pair>)> {
        let start = line[..pos].rfind(' ').map_or(0, |at| at + 1);
        let begun = line[start..pos].to_lowercase();
        if begun.is_empty() {
            return Ok((start, Vec::new()));
        }
        let fits = self.words.iter().filter(|w| w.starts_with(&begun));
        Ok((start, fits.map(|w| Pair { display: w.clone(), replacement: format!("{w} ") }).collect()))
    }
}

impl Hinter for Known {
    type Hint = String;
}
impl Highlighter for Known {}
impl Validator for Known {}
impl Helper for Known {}
