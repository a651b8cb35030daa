//! Mistyped words: the one word nearby that would make sense here.

use super::ErrorKind;
use crate::{
    grammar::{Grammar, Leads, Word},
    lexicon::Words,
    scope::Scope,
};

/// Letters of the longest word that is compared.
const MAX_LETTERS: usize = 24;

/// Whether two words are at most `most` slips apart: a letter more, a letter less, another letter, two neighbours
/// swapped (Damerau and Levenshtein's distance, in the form that changes no letter twice).
pub(crate) fn is_near(a: &str, b: &str, most: usize) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len().abs_diff(b.len()) > most || a.len() > MAX_LETTERS || b.len() > MAX_LETTERS {
        return false;
    }
    let mut rows = [[0_u8; MAX_LETTERS + 1]; 3];
    for (j, cell) in rows[0].iter_mut().enumerate() {
        *cell = j as u8;
    }
    for i in 1..=a.len() {
        let (now, before, earlier) = (i % 3, (i + 2) % 3, (i + 1) % 3);
        rows[now][0] = i as u8;
        for j in 1..=b.len() {
            let differs = u8::from(a[i - 1] != b[j - 1]);
            let mut cost = (rows[before][j] + 1).min(rows[now][j - 1] + 1).min(rows[before][j - 1] + differs);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                cost = cost.min(rows[earlier][j - 2] + 1);
            }
            rows[now][j] = cost;
        }
    }
    usize::from(rows[a.len() % 3][b.len()]) <= most
}

/// Whether a word begins something done in the game. What is done to the game (undo, quit) must be typed as it is.
fn begins_an_act(word: &Word) -> bool {
    let is_act = |line: &u16| matches!(Grammar::get().lines[usize::from(*line)].leads, Leads::Act(_));
    word.dir.is_some() || word.lines.iter().any(is_act)
}

/// The only word near `typed` that could stand there: a verb, or a word of what is in sight. Words of what is not seen
/// are never told.
pub(crate) fn suggestion<'a>(
    words: &'a Words,
    scope: &Scope,
    kind: ErrorKind,
    typed: &str,
) -> Option<&'a str> {
    let letters = typed.chars().count();
    if letters < 3 {
        return None;
    }
    let most = if letters >= 7 { 2 } else { 1 };
    let is_verb = kind == ErrorKind::UnknownVerb;
    let of_grammar = Grammar::get()
        .words
        .iter()
        .filter(|w| if is_verb { begins_an_act(w) } else { w.is_inner })
        .map(|w| w.text.as_str());
    let of_story = words
        .all()
        .iter()
        .filter(|w| !is_verb && !((w.any | w.plural) & scope.seen).is_empty())
        .map(|w| w.text.as_str());
    // The nearest wins; of two that are equally near neither is told.
    for distance in 1..=most {
        let mut near = of_grammar.clone().chain(of_story.clone()).filter(|w| is_near(typed, w, distance));
        if let Some(word) = near.next() {
            return near.all(|other| other == word).then_some(word);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_counted() {
        for (a, b, most, want) in [
            ("lamp", "lamp", 0, true),
            ("lmap", "lamp", 1, true),
            ("lam", "lamp", 1, true),
            ("lampp", "lamp", 1, true),
            ("lomp", "lamp", 1, true),
            ("lmop", "lamp", 1, false),
            ("lantren", "lantern", 1, true),
            ("latnrn", "lantern", 2, true),
            ("", "lamp", 2, false),
            ("x", "lamp", 2, false),
        ] {
            assert_eq!(is_near(a, b, most), want, "{a} {b}");
            assert_eq!(is_near(b, a, most), want, "{b} {a}");
        }
    }
}
