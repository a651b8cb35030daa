//! Stories from files: RON as people write it, compiled into a [`Story`], with errors that show the place.

mod build;
mod error;
mod file;
mod lint;
mod ordered;
mod vocabulary;

pub use error::StoryError;
pub use lint::{Finding, Severity, lint};

use crate::story::Story;
use error::Source;
use file::StoryFile;
use ron::extensions::Extensions;
use std::sync::Arc;

/// A story from a file, with what the file says about itself.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The story.
    pub story: Arc<Story>,
    /// Who could be played, by key; the first is the usual choice.
    pub players: Vec<String>,
    /// Who is played.
    pub player: String,
    /// Commands that win for this player, as the author knows them; empty when the file has none.
    pub solution: Vec<String>,
}

/// Compiles the story file `text`, called `file` in errors. `player` chooses whom to play, by key.
///
/// # Errors
/// What is wrong with the file, where, and what would mend it.
pub fn load(file: &str, text: &str, player: Option<&str>) -> Result<Loaded, Box<StoryError>> {
    let source = Source { file, text };
    let ron = ron::Options::default()
        .with_default_extension(Extensions::IMPLICIT_SOME | Extensions::UNWRAP_VARIANT_NEWTYPES);
    let story: StoryFile = ron.from_str(text).map_err(|e| {
        let offset = offset_of(text, e.span.start.line, e.span.start.col);
        source.at(offset, 1, e.code.to_string(), None)
    })?;
    build::build(source, &story, player)
}

/// Byte offset of a line and a column, both from 1.
fn offset_of(text: &str, line: usize, column: usize) -> usize {
    let start: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let row = text[start..].split('\n').next().unwrap_or_default();
    start + row.char_indices().nth(column.saturating_sub(1)).map_or(row.len(), |(at, _)| at)
}

/// A story file that is compiled in.
#[derive(Clone, Copy, Debug)]
pub struct Bundled {
    /// Name, as options say it.
    pub name: &'static str,
    /// File name, as errors say it.
    pub file: &'static str,
    /// The file.
    pub text: &'static str,
}

macro_rules! bundled {
    ($($name:literal),* $(,)?) => {
        /// The stories that come along.
        pub const STORIES: &[Bundled] = &[$(Bundled {
            name: $name,
            file: concat!("assets/text/stories/", $name, ".ron"),
            text: include_str!(concat!("../../../../assets/text/stories/", $name, ".ron")),
        }),*];
    };
}

bundled!("salt_cellar", "lighthouse", "orchard", "galley", "founders_supper");
