//! Sentences of quests: data of `assets/text/quests.ron`, with slots.

use super::theme::ThemeError;
use rl_gym::Pcg64;
use std::{collections::BTreeMap, sync::LazyLock};

/// Sentences by key, each with some variants.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Lines(BTreeMap<String, Vec<String>>);

static LINES: LazyLock<Result<Lines, ThemeError>> =
    LazyLock::new(|| parse("quests.ron", include_str!("../../../../assets/text/quests.ron")));

/// The sentences.
pub(super) fn lines() -> Result<&'static Lines, &'static ThemeError> {
    LINES.as_ref()
}

fn parse(file: &str, text: &str) -> Result<Lines, ThemeError> {
    let bad = |key: String, what: String| ThemeError { file: file.into(), key, what };
    let map: BTreeMap<String, Vec<String>> = ron::from_str(text).map_err(|e| {
        bad(format!("line {}, column {}", e.span.start.line, e.span.start.col), e.code.to_string())
    })?;
    let mut keys: Vec<String> = OTHER.iter().map(|k| (*k).to_owned()).collect();
    for quest in super::knobs::Quest::ALL {
        keys.extend(["goal", "riddle", "last", "done"].map(|part| format!("{}.{part}", quest.name())));
    }
    for key in &keys {
        if map.get(key).is_none_or(Vec::is_empty) {
            return Err(bad(key.clone(), "is missing; add one variant at least".into()));
        }
    }
    match map.keys().find(|k| !keys.contains(k)) {
        Some(key) => Err(bad(key.clone(), "is no sentence that anything says; take it out".into())),
        None => Ok(Lines(map)),
    }
}

/// Keys beside those of the quests.
const OTHER: &[&str] = &[
    "yourself",
    "victory",
    "no_lock",
    "keep_lamp",
    "greeting",
    "seen",
    "deliver.topic",
    "deliver.wish",
    "trade.topic",
    "trade.offer",
    "trade.not_that",
    "escort.topic",
    "escort.come",
    "cook.page",
    "cook.raw",
    "cook.as",
    "spoil",
    "obey.page",
    "obey.reset",
    "return.page",
    "return.took",
    "begun",
    "steps",
    "partners",
    "team",
    "rivals",
    "vaults",
    "rival_text",
    "vault_text",
    "rival.goal",
    "banked",
    "one_each",
    "kept_out",
    "no_bargain",
];

impl Lines {
    /// All variants of the sentence of `key`, in order.
    pub(super) fn all(&self, key: &str) -> &[String] {
        self.0.get(key).map_or(&[][..], Vec::as_slice)
    }

    /// A variant of the sentence of `key`.
    pub(super) fn pick(&self, rng: &mut Pcg64, key: &str) -> &str {
        let variants = self.0.get(key).map_or(&[][..], Vec::as_slice);
        debug_assert!(!variants.is_empty(), "no sentence \"{key}\"");
        variants.get(rng.below(variants.len().max(1) as u32) as usize).map_or("", String::as_str)
    }
}

/// `the small brass key`.
pub(super) fn the(phrase: &str) -> String {
    format!("the {phrase}")
}

/// `text` with a capital at its beginning.
pub(super) fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |c| c.to_uppercase().chain(chars).collect())
}

/// `text` with its slots `{name}` filled; a capital name gets a capital value.
pub(super) fn fill(text: &str, slots: &[(&str, &str)]) -> String {
    let mut out = String::with_capacity(text.len() + 32);
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        let (name, after) = after.split_once('}').unwrap_or((after, ""));
        match slots.iter().find(|s| s.0.eq_ignore_ascii_case(name)) {
            Some((_, value)) if name.starts_with(char::is_uppercase) => out.push_str(&capital(value)),
            Some((_, value)) => out.push_str(value),
            None => debug_assert!(false, "no value for {{{name}}} in \"{text}\""),
        }
        rest = after;
    }
    out.push_str(rest);
    out
}
