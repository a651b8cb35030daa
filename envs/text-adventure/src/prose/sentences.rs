//! Every sentence, read from data once.

use super::{line::Line, template::Template};
use crate::{action::Verb, parser::ErrorKind, rules::Refusal};
use serde::Deserialize;
use std::{collections::BTreeMap, sync::LazyLock};

/// All sentences.
#[derive(Debug)]
pub(crate) struct Prose {
    pub(crate) raw: Raw,
    did: Vec<[Template; 2]>,
    refused: Vec<Template>,
    errors: Vec<Template>,
    lines: Vec<Template>,
    doing: Vec<Template>,
    states: Vec<String>,
    sounds: [Sound; 128],
}

/// How words with one first letter sound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sound {
    /// All as with a vowel.
    Open,
    /// All as without.
    Closed,
    /// Some so, some so: one looks at more than the letter.
    Mixed,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Raw {
    pub(crate) the: String,
    pub(crate) a: String,
    pub(crate) an: String,
    pub(crate) some: String,
    pub(crate) vowels: String,
    pub(crate) an_words: Vec<String>,
    pub(crate) a_words: Vec<String>,
    pub(crate) plurals: Vec<(String, String)>,
    pub(crate) numbers: Vec<String>,
    pub(crate) comma: String,
    pub(crate) and: String,
    pub(crate) or: String,
    pub(crate) it: (String, String, String, String),
    pub(crate) they: (String, String, String, String),
    pub(crate) is: (String, String),
    pub(crate) has: (String, String),
    pub(crate) s: (String, String),
    pub(crate) es: (String, String),
    pub(crate) does: (String, String),
    pub(crate) s_n: (String, String),
    pub(crate) you: String,
    did: BTreeMap<String, (String, String)>,
    refused: BTreeMap<String, String>,
    errors: BTreeMap<String, String>,
    lines: BTreeMap<String, String>,
    states: BTreeMap<String, String>,
    doing: BTreeMap<String, String>,
}

impl Raw {
    /// Whether a word begins with the sound of a vowel.
    fn sounds_open(&self, word: &str) -> bool {
        let begins = |list: &[String]| {
            list.iter().any(|w| word.get(..w.len()).is_some_and(|start| start.eq_ignore_ascii_case(w)))
        };
        let vowel = word.chars().next().is_some_and(|c| self.vowels.contains(c.to_ascii_lowercase()));
        begins(&self.an_words) || (vowel && !begins(&self.a_words))
    }

    /// How the words sound that begin with an ASCII letter: mixed when a word of the exceptions begins with it.
    fn sound(&self, letter: u8) -> Sound {
        let is_first = |w: &String| w.bytes().next().is_none_or(|b| b.eq_ignore_ascii_case(&letter));
        match () {
            () if self.an_words.iter().chain(&self.a_words).any(is_first) => Sound::Mixed,
            () if self.vowels.contains(char::from(letter).to_ascii_lowercase()) => Sound::Open,
            () => Sound::Closed,
        }
    }
}

static PROSE: LazyLock<Prose> = LazyLock::new(|| {
    let source = include_str!("../../../../assets/text/prose.ron");
    Prose::read(source).unwrap_or_else(|why| panic!("assets/text/prose.ron: {why}"))
});

impl Prose {
    /// The sentences that are compiled in.
    pub(crate) fn get() -> &'static Self {
        &PROSE
    }

    /// Reads a file of sentences: every verb, refusal, fault and line must have its own, and no other may be there.
    pub(crate) fn read(source: &str) -> Result<Self, String> {
        let raw: Raw = ron::from_str(source).map_err(|e| e.to_string())?;
        let texts = |what: &str, map: &BTreeMap<String, String>, names: Vec<&'static str>| {
            if let Some(extra) = map.keys().find(|k| !names.contains(&k.as_str())) {
                return Err(format!("{what}: nothing is called \"{extra}\""));
            }
            let text =
                |name: &&str| map.get(*name).ok_or_else(|| format!("{what}: no sentence for \"{name}\""));
            names.iter().map(|name| text(name).and_then(|t| Template::read(t))).collect::<Result<Vec<_>, _>>()
        };
        let verbs: Vec<&str> = Verb::ALL.iter().map(|v| v.name()).collect();
        let half = |i: usize| {
            let pick = |(k, v): (&String, &(String, String))| {
                (k.clone(), if i == 0 { v.0.clone() } else { v.1.clone() })
            };
            texts("did", &raw.did.iter().map(pick).collect(), verbs.clone())
        };
        let did = half(0)?.into_iter().zip(half(1)?).map(|(mine, theirs)| [mine, theirs]).collect();
        let doing = Verb::ALL.iter().map(|v| raw.doing.get(v.name()).map_or("", String::as_str));
        let cut_or_cooked = crate::effect::CUT.iter().chain(&crate::effect::COOKED);
        let states =
            crate::entity::Bit::ALL.iter().map(|b| raw.states.get(b.name()).cloned().unwrap_or_default());
        for bit in cut_or_cooked {
            if !raw.states.contains_key(bit.name()) {
                return Err(format!("states: no word for \"{}\"", bit.name()));
            }
        }
        let sounds = std::array::from_fn(|letter| raw.sound(letter as u8));
        Ok(Self {
            did,
            refused: texts("refused", &raw.refused, Refusal::ALL.iter().map(|r| r.name()).collect())?,
            errors: texts("errors", &raw.errors, ErrorKind::ALL.iter().map(|e| e.name()).collect())?,
            lines: texts("lines", &raw.lines, Line::ALL.iter().map(|l| l.name()).collect())?,
            doing: doing.map(Template::read).collect::<Result<_, _>>()?,
            states: states.collect(),
            sounds,
            raw,
        })
    }

    /// Whether a word begins with the sound of a vowel.
    pub(crate) fn sounds_open(&self, word: &str) -> bool {
        let sound = word.bytes().next().and_then(|b| self.sounds.get(usize::from(b)));
        match sound.unwrap_or(&Sound::Mixed) {
            Sound::Open => true,
            Sound::Closed => false,
            Sound::Mixed => self.raw.sounds_open(word),
        }
    }

    pub(crate) fn line(&self, line: Line) -> &Template {
        &self.lines[line as usize]
    }

    pub(crate) fn did(&self, verb: Verb, is_mine: bool) -> &Template {
        &self.did[verb as usize][usize::from(!is_mine)]
    }

    pub(crate) fn doing(&self, verb: Verb) -> &Template {
        let doing = &self.doing[verb as usize];
        if doing.is_empty() { &self.did[verb as usize][0] } else { doing }
    }

    pub(crate) fn refused(&self, why: Refusal) -> &Template {
        &self.refused[why as usize]
    }

    pub(crate) fn error(&self, kind: ErrorKind) -> &Template {
        &self.errors[kind as usize]
    }

    pub(crate) fn state(&self, bit: crate::entity::Bit) -> &str {
        &self.states[bit as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_or_superfluous_sentence_is_named() {
        let whole = include_str!("../../../../assets/text/prose.ron");
        assert!(Prose::read(whole).is_ok());
        for (gone, what) in [
            ("        \"take\": (", "did: no sentence for \"take\""),
            ("        \"no_exit\":", "refused: no sentence for \"no_exit\""),
            ("        \"not_animate\":", "errors: no sentence for \"not_animate\""),
            ("        \"exits\":", "lines: no sentence for \"exits\""),
            ("        \"fried\":", "states: no word for \"fried\""),
        ] {
            let left: String =
                whole.lines().filter(|l| !l.starts_with(gone)).flat_map(|l| [l, "\n"]).collect();
            assert_eq!(Prose::read(&left).expect_err(gone), what);
        }
        let more = whole.replace("    lines: {", "    lines: { \"nonsense\": \"\",");
        assert_eq!(Prose::read(&more).expect_err("more"), "lines: nothing is called \"nonsense\"");
        let slot = whole.replace("You let a while go by.", "You let a {whil} go by.");
        assert_eq!(
            Prose::read(&slot).expect_err("slot"),
            "unknown slot {whil} in \"You let a {whil} go by.\""
        );
    }
}
