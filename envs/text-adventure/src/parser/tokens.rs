//! From typed text to tokens: case, accents and punctuation fall away, words become ids.

use crate::{
    grammar::{Grammar, NO_WORD, Role, Word},
    lexicon::{FNV_START, Words, hash_byte},
};

/// Bytes of one line of commands at most.
pub const MAX_TEXT: usize = 256;
/// Words and marks of one line at most.
pub const MAX_TOKENS: usize = 64;

/// What kind of token it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mark {
    Word,
    Comma,
    Stop,
}

/// A word or mark of a command.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) hash: u64,
    /// Roles of its word, a bit each: they are asked for again and again.
    roles: u32,
    /// Its id among the words of the grammar.
    pub(crate) gram: u16,
    /// Its id among the words of the story.
    pub(crate) word: u16,
    start: u16,
    end: u16,
    pub(crate) mark: Mark,
}

const NOTHING: Token =
    Token { hash: 0, roles: 0, gram: NO_WORD, word: NO_WORD, start: 0, end: 0, mark: Mark::Stop };

impl Token {
    /// The word of this hash.
    #[inline]
    fn of(hash: u64, words: &Words) -> Self {
        let grammar = Grammar::get();
        let gram = grammar.find(hash);
        let roles = grammar.roles(gram);
        Self { hash, roles, gram, word: words.find(hash), mark: Mark::Word, ..NOTHING }
    }

    /// The word of the grammar that it is.
    #[inline]
    pub(crate) fn grammar(&self) -> Option<&'static Word> {
        Grammar::get().get_word(self.gram)
    }

    /// Whether its word has a role.
    #[inline]
    pub(crate) const fn is(&self, role: Role) -> bool {
        self.roles >> role as u32 & 1 == 1
    }

    /// Whether it separates the items of a list.
    pub(crate) fn joins(&self) -> bool {
        self.mark == Mark::Comma || self.is(Role::And)
    }

    /// Whether it ends a clause.
    pub(crate) fn stops(&self) -> bool {
        self.mark == Mark::Stop || self.is(Role::Then)
    }
}

/// The tokens of one line, without allocation.
#[derive(Clone, Debug)]
pub(crate) struct Tokens {
    text: [u8; MAX_TEXT],
    used: usize,
    list: [Token; MAX_TOKENS],
    len: usize,
}

impl Default for Tokens {
    fn default() -> Self {
        Self { text: [0; MAX_TEXT], used: 0, list: [NOTHING; MAX_TOKENS], len: 0 }
    }
}

/// The line is longer than [`MAX_TEXT`] bytes or [`MAX_TOKENS`] words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TooLong;

impl Tokens {
    /// Replaces the tokens by those of `text`.
    pub(crate) fn read(&mut self, words: &Words, text: &str) -> Result<(), TooLong> {
        (self.used, self.len) = (0, 0);
        if text.len() > MAX_TEXT {
            return Err(TooLong);
        }
        let (mut start, mut hash) = (0, FNV_START);
        let mut at = 0;
        while let Some(&byte) = text.as_bytes().get(at) {
            at += 1;
            // Nearly all of a line is plain letters, which need no decoding.
            let folded = match byte {
                b'a'..=b'z' | b'0'..=b'9' => {
                    self.letter(byte)?;
                    hash = hash_byte(hash, byte);
                    continue;
                }
                0..=0x7F => fold(char::from(byte)),
                _ => {
                    let c = text[at - 1..].chars().next().unwrap_or(' ');
                    at += c.len_utf8() - 1;
                    fold(c)
                }
            };
            let mark = match folded {
                Fold::Char(c) => {
                    let mut bytes = [0; 4];
                    for &byte in c.encode_utf8(&mut bytes).as_bytes() {
                        self.letter(byte)?;
                        hash = hash_byte(hash, byte);
                    }
                    continue;
                }
                Fold::Nothing => continue,
                Fold::Gap => None,
                Fold::Comma => Some(Mark::Comma),
                Fold::Stop => Some(Mark::Stop),
            };
            self.end_word(words, &mut start, &mut hash)?;
            if let Some(mark) = mark {
                self.push(Token { mark, ..NOTHING })?;
            }
        }
        self.end_word(words, &mut start, &mut hash)
    }

    /// Adds a letter to the word that is being read.
    #[inline]
    fn letter(&mut self, byte: u8) -> Result<(), TooLong> {
        *self.text.get_mut(self.used).ok_or(TooLong)? = byte;
        self.used += 1;
        Ok(())
    }

    /// Ends the word that began at `start` of the plain text, if it has any letters.
    #[inline]
    fn end_word(&mut self, words: &Words, start: &mut usize, hash: &mut u64) -> Result<(), TooLong> {
        if self.used > *start {
            let (from, to) = (*start as u16, self.used as u16);
            self.push(Token { start: from, end: to, ..Token::of(*hash, words) })?;
            (*start, *hash) = (self.used, FNV_START);
        }
        Ok(())
    }

    fn push(&mut self, token: Token) -> Result<(), TooLong> {
        *self.list.get_mut(self.len).ok_or(TooLong)? = token;
        self.len += 1;
        Ok(())
    }

    /// All tokens in order.
    #[inline]
    pub(crate) fn list(&self) -> &[Token] {
        &self.list[..self.len]
    }

    /// How token `at` is written, in its plain form.
    pub(crate) fn text(&self, at: usize) -> &str {
        let token = &self.list[at];
        std::str::from_utf8(&self.text[usize::from(token.start)..usize::from(token.end)]).unwrap_or("")
    }

    /// Makes token `at` mean another word.
    pub(crate) fn correct(&mut self, at: usize, words: &Words, text: &str) {
        let hash = crate::lexicon::hash_word(text);
        let token = &mut self.list[at];
        *token = Token { start: token.start, end: token.end, ..Token::of(hash, words) };
    }
}

enum Fold {
    /// A letter or digit of a word.
    Char(char),
    /// Falls away within a word.
    Nothing,
    /// Ends a word.
    Gap,
    Comma,
    Stop,
}

/// Plain form of a character. Common accents fall away, so that names can be typed on any keyboard.
#[inline]
fn fold(c: char) -> Fold {
    match c {
        'a'..='z' | '0'..='9' => Fold::Char(c),
        'A'..='Z' => Fold::Char(c.to_ascii_lowercase()),
        ',' => Fold::Comma,
        '.' | ';' => Fold::Stop,
        '\'' | '\u{2019}' => Fold::Nothing,
        c if c.is_ascii() => Fold::Gap,
        c => fold_wide(c),
    }
}

fn fold_wide(c: char) -> Fold {
    match c.to_lowercase().next().unwrap_or(c) {
        'à'..='å' => Fold::Char('a'),
        'ç' => Fold::Char('c'),
        'è'..='ë' => Fold::Char('e'),
        'ì'..='ï' => Fold::Char('i'),
        'ñ' => Fold::Char('n'),
        'ò'..='ö' | 'ø' => Fold::Char('o'),
        'ù'..='ü' => Fold::Char('u'),
        'ý' | 'ÿ' => Fold::Char('y'),
        c if c.is_alphanumeric() => Fold::Char(c),
        _ => Fold::Gap,
    }
}

/// Calls `each` with every word of a phrase of a story in plain form, and its hash. Articles are no words of names.
pub(crate) fn each_word(phrase: &str, mut each: impl FnMut(&str, u64)) {
    let mut word = String::new();
    for c in phrase.chars().map(Some).chain([None]) {
        match c.map_or(Fold::Gap, fold) {
            Fold::Char(c) => word.push(c),
            Fold::Nothing => {}
            _ if word.is_empty() => {}
            _ => {
                let hash = crate::lexicon::hash_word(&word);
                let grammar = Grammar::get();
                if !grammar.get_word(grammar.find(hash)).is_some_and(|w| w.is(Role::Article)) {
                    each(&word, hash);
                }
                word.clear();
            }
        }
    }
}

/// Appends a phrase as it is typed: no marks, small letters.
pub(crate) fn push_plain(phrase: &str, out: &mut String) {
    // Most names are typed as they are written.
    if phrase.bytes().all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9')) {
        return out.push_str(phrase);
    }
    let mut has_gap = false;
    let begin = out.len();
    for c in phrase.chars() {
        match fold(c) {
            Fold::Char(c) => {
                if has_gap && out.len() > begin {
                    out.push(' ');
                }
                out.push(c);
                has_gap = false;
            }
            Fold::Nothing => {}
            _ => has_gap = true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::story::Story;
    use std::sync::Arc;

    fn plain(text: &str) -> String {
        let mut tokens = Tokens::default();
        tokens.read(&Words::new(Arc::new(Story::new(""))), text).expect("short");
        let shown = (0..tokens.list().len()).map(|at| match tokens.list()[at].mark {
            Mark::Word => tokens.text(at).to_owned(),
            Mark::Comma => ",".into(),
            Mark::Stop => ".".into(),
        });
        shown.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn case_accents_and_punctuation_fall_away() {
        for (text, want) in [
            ("TAKE the Lamp!", "take the lamp"),
            ("  look\tat \"cook's\" café-table?", "look at cooks cafe table"),
            ("get a, b.go n;z", "get a , b . go n . z"),
            ("", ""),
            ("дверь ÜBER", "дверь uber"),
            ("...", ". . ."),
        ] {
            assert_eq!(plain(text), want);
        }
    }

    #[test]
    fn long_lines_are_refused() {
        let words = Words::new(Arc::new(Story::new("")));
        let mut tokens = Tokens::default();
        assert!(tokens.read(&words, &"x".repeat(MAX_TEXT)).is_ok());
        assert_eq!(tokens.read(&words, &"x".repeat(MAX_TEXT + 1)), Err(TooLong));
        assert_eq!(tokens.read(&words, &"x ".repeat(MAX_TOKENS + 1)), Err(TooLong));
    }
}
