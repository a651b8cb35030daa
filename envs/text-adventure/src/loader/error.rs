//! What is wrong with a story file, with file, line and key.

use miette::{Diagnostic, NamedSource, SourceSpan};

/// What is wrong with a story file. Rendered with miette it shows the place in the file.
#[derive(Debug, thiserror::Error, Diagnostic)]
#[error("{file}:{line}: {what}")]
#[diagnostic(code(story))]
pub struct StoryError {
    /// Name of the file.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// What is wrong, with key and value.
    pub what: String,
    /// What to do about it.
    #[help]
    pub mend: Option<String>,
    #[source_code]
    source_code: NamedSource<String>,
    #[label("here")]
    span: SourceSpan,
}

/// The text of a story file and where things are in it.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    pub(super) file: &'a str,
    pub(super) text: &'a str,
}

impl Source<'_> {
    /// An error at a byte offset.
    pub(super) fn at(
        &self,
        offset: usize,
        len: usize,
        what: String,
        mend: Option<String>,
    ) -> Box<StoryError> {
        let offset = offset.min(self.text.len());
        let line = 1 + self.text.as_bytes()[..offset].iter().filter(|b| **b == b'\n').count();
        Box::new(StoryError {
            file: self.file.into(),
            line,
            what,
            mend,
            source_code: NamedSource::new(self.file, self.text.to_owned()),
            span: (offset, len).into(),
        })
    }

    /// An error about `value`, which stands behind the keys of `path`.
    pub(super) fn about(
        &self,
        path: &[&str],
        value: &str,
        what: String,
        mend: Option<String>,
    ) -> Box<StoryError> {
        let mut at = 0;
        for key in path {
            at = self.find(at, key).map_or(at, |(found, len)| found + len);
        }
        let (offset, len) = self.find(at, value).unwrap_or((at, 1));
        let path = path.join(".");
        self.at(offset, len, if path.is_empty() { what } else { format!("{path}: {what}") }, mend)
    }

    /// Where `word` stands in quotes or as a field name behind `from`.
    fn find(&self, from: usize, word: &str) -> Option<(usize, usize)> {
        let rest = self.text.get(from..)?;
        let forms = [format!("\"{word}\""), format!("{word}:")];
        let found = forms.iter().filter_map(|f| rest.find(f.as_str()).map(|at| (from + at, f.len())));
        found.min().or_else(|| rest.find(word).map(|at| (from + at, word.len())))
    }
}

/// `known` with the one most like `word` first among them, as advice.
pub(super) fn advice<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let known: Vec<&str> = known.into_iter().collect();
    let near = known.iter().map(|k| (strsim::jaro_winkler(word, k), *k)).filter(|(like, _)| *like > 0.75);
    match near.max_by(|x, y| x.0.total_cmp(&y.0)) {
        Some((_, nearest)) => format!("did you mean \"{nearest}\"?"),
        None => format!("known are {}", known.join(", ")),
    }
}
