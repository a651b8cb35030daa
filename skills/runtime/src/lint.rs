//! What can be seen wrong in a skill's code without running it.

use crate::{host, sandbox::REMOVED};

/// Something wrong in a skill's code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// Line, from 1.
    pub line: usize,
    /// What, and the mend.
    pub what: String,
}

/// What may stand behind `in`: these give their items in an order that is the same in every run.
const ORDERED: &[&str] = &["pairs", "ipairs", "sorted", "string", "utf8"];
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Token<'a> {
    Word(&'a str),
    Sign(char),
    Text,
}

/// Everything wrong in `code`. An empty list does not mean that it works.
pub fn lint(code: &str) -> Vec<Finding> {
    let tokens = tokens(code);
    let mut found = Vec::new();
    let mut report = |line: usize, what: String| found.push(Finding { line, what });
    let word = |i: usize| match tokens.get(i) {
        Some((Token::Word(word), _)) => Some(*word),
        _ => None,
    };
    let sign = |i: usize, c: char| matches!(tokens.get(i), Some((Token::Sign(s), _)) if *s == c);
    for (i, (token, line)) in tokens.iter().enumerate() {
        let Token::Word(name) = *token else { continue };
        let is_field = i > 0 && (sign(i - 1, '.') || sign(i - 1, ':'));
        // `{os = 1}` names a field, not a global.
        let is_key = sign(i + 1, '=')
            && !sign(i + 2, '=')
            && (sign(i.wrapping_sub(1), '{') || sign(i.wrapping_sub(1), ','));
        if REMOVED.contains(&name) && !is_field && !is_key {
            report(*line, format!("`{name}` does not exist here: leave it out"));
        }
        if name == "math" && sign(i + 1, '.') && matches!(word(i + 2), Some("random" | "randomseed")) {
            report(*line, "math.random does not exist here: use ctx.random(n)".into());
        }
        if name == "in" && !word(i + 1).is_some_and(|w| ORDERED.contains(&w)) {
            report(*line, "a loop over a table has no fixed order: use ipairs, pairs or sorted".into());
        }
        if name == "ctx"
            && !is_field
            && sign(i + 1, '.')
            && !word(i + 2).is_some_and(|w| host::CTX.contains(&w))
        {
            let what = word(i + 2).unwrap_or("?");
            report(*line, format!("ctx.{what} does not exist: there are {}", host::CTX.join(", ")));
        }
        if name == "while" && matches!(word(i + 1), Some("true")) && !has_exit(&tokens[i..]) {
            report(*line, "an endless loop without yield, break or return: bound it".into());
        }
    }
    if !tokens.iter().any(|(t, _)| matches!(t, Token::Word("run"))) {
        report(1, "there is no `run`: return a table with a function `run(ctx, args)`".into());
    }
    found
}

fn has_exit(tokens: &[(Token<'_>, usize)]) -> bool {
    tokens.iter().any(|(t, _)| matches!(t, Token::Word("yield" | "break" | "return")))
}

/// Words and signs with their lines; comments are gone, texts are only known to be there.
fn tokens(code: &str) -> Vec<(Token<'_>, usize)> {
    let bytes = code.as_bytes();
    let mut out = Vec::new();
    let (mut at, mut line) = (0, 1);
    while at < bytes.len() {
        let from = at;
        let byte = bytes[at];
        if byte == b'-' && bytes.get(at + 1) == Some(&b'-') {
            at = match long_end(bytes, at + 2) {
                Some(end) => end,
                None => bytes[at..].iter().position(|b| *b == b'\n').map_or(bytes.len(), |n| at + n),
            };
        } else if matches!(byte, b'"' | b'\'' | b'`') {
            at = short_end(bytes, at);
            out.push((Token::Text, line));
        } else if let Some(end) = long_end(bytes, at) {
            at = end;
            out.push((Token::Text, line));
        } else if byte.is_ascii_alphanumeric() || byte == b'_' {
            while at < bytes.len() && (bytes[at].is_ascii_alphanumeric() || bytes[at] == b'_') {
                at += 1;
            }
            out.push((Token::Word(&code[from..at]), line));
        } else {
            at += 1;
            if byte.is_ascii() && !byte.is_ascii_whitespace() {
                out.push((Token::Sign(byte as char), line));
            }
        }
        line += bytes[from..at].iter().filter(|b| **b == b'\n').count();
    }
    out
}

/// The end of a text in quotes that begins at `at`.
fn short_end(bytes: &[u8], at: usize) -> usize {
    let mut i = at + 1;
    while i < bytes.len() && bytes[i] != bytes[at] && bytes[i] != b'\n' {
        i += if bytes[i] == b'\\' { 2 } else { 1 };
    }
    (i + 1).min(bytes.len())
}

/// The end of a text in long brackets that begins at `at`, if one does.
fn long_end(bytes: &[u8], at: usize) -> Option<usize> {
    let rest = bytes.get(at..)?;
    let level = rest.strip_prefix(b"[")?.iter().take_while(|b| **b == b'=').count();
    if rest.get(level + 1) != Some(&b'[') {
        return None;
    }
    let close: Vec<u8> = [b"]".as_slice(), &vec![b'='; level], b"]"].concat();
    let body = &bytes[at + level + 2..];
    let end = body.windows(close.len()).position(|w| w == close);
    Some(end.map_or(bytes.len(), |n| at + level + 2 + n + close.len()))
}
