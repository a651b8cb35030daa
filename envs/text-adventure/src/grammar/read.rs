//! Reading a grammar file.

use super::{Grammar, Kind, Leads, Line, Meta, Piece, Role, Word, WordId};
use crate::{
    action::{Dir, Verb},
    entity::{Attr, Bit},
    lexicon::{Table, hash_word},
};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    articles: Vec<String>,
    one: Vec<String>,
    mine: Vec<String>,
    and: Vec<String>,
    all: Vec<String>,
    except: Vec<String>,
    then: Vec<String>,
    of: Vec<String>,
    again: Vec<String>,
    oops: Vec<String>,
    it: Vec<String>,
    them: Vec<String>,
    him: Vec<String>,
    her: Vec<String>,
    me: Vec<String>,
    floor: Vec<String>,
    inside: Vec<String>,
    from: String,
    directions: Vec<(String, Vec<String>)>,
    verbs: Vec<(String, Vec<String>)>,
    meta: Vec<(String, Vec<String>)>,
}

impl Grammar {
    /// Reads a grammar file.
    pub(super) fn read(source: &str) -> Result<Self, String> {
        let raw: Raw = ron::from_str(source).map_err(|e| e.to_string())?;
        let mut grammar = Self {
            words: Vec::new(),
            roles: Vec::new(),
            table: Table::default(),
            lines: Vec::new(),
            choices: Vec::new(),
            open_lines: Vec::new(),
            canonical: vec![<[String; 3]>::default(); Verb::COUNT],
            directions: vec![String::new(); Dir::COUNT],
            from: raw.from.clone(),
        };
        let roles = [
            &raw.articles,
            &raw.one,
            &raw.mine,
            &raw.and,
            &raw.all,
            &raw.except,
            &raw.then,
            &raw.of,
            &raw.again,
            &raw.oops,
            &raw.it,
            &raw.them,
            &raw.him,
            &raw.her,
            &raw.me,
            &raw.floor,
            &raw.inside,
        ];
        for (role, words) in Role::ALL.iter().zip(roles) {
            for word in words {
                let id = grammar.word(word);
                grammar.words[usize::from(id)].roles |= 1 << *role as u32;
            }
        }
        for (name, words) in &raw.directions {
            let dir = Dir::named(name).ok_or_else(|| format!("no direction \"{name}\""))?;
            grammar.directions[dir as usize] = words.first().cloned().unwrap_or_default();
            for word in words {
                let id = grammar.word(word);
                grammar.words[usize::from(id)].dir = Some(dir);
            }
        }
        for (name, lines) in &raw.verbs {
            let verb = Verb::named(name).ok_or_else(|| format!("no verb \"{name}\""))?;
            lines.iter().try_for_each(|line| grammar.line(Leads::Act(verb), line))?;
        }
        for (name, lines) in &raw.meta {
            let meta = Meta::named(name).ok_or_else(|| format!("no command \"{name}\""))?;
            lines.iter().try_for_each(|line| grammar.line(Leads::Meta(meta), line))?;
        }
        for &verb in Verb::ALL {
            let line = grammar.lines.iter().find(|l| l.leads == Leads::Act(verb));
            let line = line.ok_or_else(|| format!("no line leads to \"{}\"", verb.name()))?.clone();
            grammar.canonical[verb as usize] = grammar.canonical_of(&line)?;
        }
        grammar.roles = grammar.words.iter().map(Word::roles).collect();
        Ok(grammar)
    }

    /// The id of a word, added when it is new.
    fn word(&mut self, text: &str) -> WordId {
        let hash = hash_word(text);
        if let Some(id) = self.table.get(hash) {
            debug_assert_eq!(self.text(id), text, "two words of one hash");
            return id;
        }
        let id = self.words.len() as WordId;
        self.words.push(Word { text: text.into(), ..Word::default() });
        self.table.insert(hash, id);
        id
    }

    fn line(&mut self, leads: Leads, text: &str) -> Result<(), String> {
        let mut pieces = Vec::new();
        let mut slots = 0;
        for part in text.split_whitespace() {
            pieces.push(match part.strip_prefix('{').and_then(|p| p.strip_suffix('}')) {
                Some(slot) => slot_piece(slot, &mut slots)
                    .ok_or_else(|| format!("unknown slot \"{part}\" in the line \"{text}\""))?,
                None => {
                    let from = self.choices.len() as u16;
                    for word in part.split('|') {
                        let id = self.word(word);
                        self.words[usize::from(id)].is_inner |= !pieces.is_empty();
                        self.choices.push(id);
                    }
                    Piece::Word(from, self.choices.len() as u16)
                }
            });
        }
        let index = self.lines.len() as u16;
        match pieces.first() {
            Some(&Piece::Word(from, to)) => {
                for choice in from..to {
                    let id = self.choices[usize::from(choice)];
                    self.words[usize::from(id)].lines.push(index);
                }
            }
            Some(_) => self.open_lines.push(index),
            None => return Err(format!("an empty line of {leads:?}")),
        }
        self.lines.push(Line { leads, pieces });
        Ok(())
    }

    fn canonical_of(&self, line: &Line) -> Result<[String; 3], String> {
        let mut parts = <[String; 3]>::default();
        let mut slot = 0;
        for &piece in &line.pieces {
            match piece {
                Piece::Word(from, _) => {
                    if !parts[slot].is_empty() {
                        parts[slot].push(' ');
                    }
                    parts[slot].push_str(self.text(self.choices[usize::from(from)]));
                }
                Piece::Slot(_, is_second) if usize::from(is_second) == slot && slot < 2 => slot += 1,
                _ => {
                    return Err(format!("the first line of {:?} must have its objects in order", line.leads));
                }
            }
        }
        Ok(parts)
    }
}

fn slot_piece(slot: &str, slots: &mut u8) -> Option<Piece> {
    if let Some(dir) = slot.strip_prefix('=') {
        return Dir::named(dir).map(Piece::Toward);
    }
    let (place, name) = match slot.split_once(':') {
        Some(("a", name)) => (false, name),
        Some(("b", name)) => (true, name),
        Some(_) => return None,
        None => (*slots > 0, slot),
    };
    *slots += 1;
    let kind = match name {
        "thing" => Kind::Thing,
        "held" => Kind::Held,
        "multi" => Kind::Multi,
        "multi-held" => Kind::MultiHeld,
        "actor" => Kind::Actor,
        "fryer" => Kind::Cooker(Bit::Fried),
        "roaster" => Kind::Cooker(Bit::Roasted),
        "griller" => Kind::Cooker(Bit::Grilled),
        "door" => Kind::Door,
        "dir" => Kind::Dir,
        "topic" => Kind::Topic,
        "text" => Kind::Text,
        other => Attr::named(other).map(|_| Kind::Thing)?,
    };
    Some(Piece::Slot(kind, place))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_with_a_grammar_is_named() {
        let whole = include_str!("../../../../assets/text/grammar.ron");
        assert!(Grammar::read(whole).is_ok());
        for (old, new, what) in [
            ("(\"wait\", [", "(\"dance\", [", "no verb \"dance\""),
            ("(\"wait\", [", "(\"look\", [", "no line leads to \"wait\""),
            ("(\"score\", [", "(\"scores\", [", "no command \"scores\""),
            ("(\"north\", [", "(\"norht\", [", "no direction \"norht\""),
            (
                "{openable} open",
                "{opable} open",
                "unknown slot \"{opable}\" in the line \"pull|push {opable} open\"",
            ),
            ("\"wait|z", "\"\", \"wait|z", "an empty line of Act(Wait)"),
        ] {
            let broken = whole.replacen(old, new, 1);
            assert_ne!(broken, whole, "{old}");
            assert_eq!(Grammar::read(&broken).expect_err(new), what);
        }
    }

    #[test]
    fn every_verb_has_a_canonical_command_of_its_own() {
        let grammar = Grammar::get();
        let mut all: Vec<String> = Verb::ALL.iter().map(|v| grammar.canonical(*v).join(" ")).collect();
        assert_eq!(grammar.canonical(Verb::Unlock), &["unlock".to_owned(), "with".into(), String::new()]);
        all.sort();
        assert!(all.windows(2).all(|w| w[0] != w[1]), "{all:?}");
    }
}
