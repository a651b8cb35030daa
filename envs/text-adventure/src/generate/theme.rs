//! Themes: the words that generated games are made of. Data of `assets/text/themes`, compiled in.

use super::knobs::ThemeName;
use serde::Deserialize;
use std::{collections::BTreeMap, sync::LazyLock};

/// Everything that games of one theme are made of.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Theme {
    /// Titles of games.
    pub titles: Vec<String>,
    /// How a game begins, one sentence or two.
    pub intros: Vec<String>,
    /// Kinds of rooms.
    pub rooms: Vec<RoomKind>,
    /// Adjectives of rooms, for a second one of a kind.
    pub room_adjectives: Vec<String>,
    /// Sentences that may end the description of any room.
    pub details: Vec<String>,
    /// Furniture by name.
    pub hosts: BTreeMap<String, Host>,
    /// Adjectives by material; those under `any` go with every noun.
    pub adjectives: BTreeMap<String, Vec<String>>,
    /// Things to carry, good for nothing in particular.
    pub things: Vec<Noun>,
    /// Things worth a quest.
    pub treasures: Vec<Noun>,
    /// Keys.
    pub keys: Vec<Noun>,
    /// Doors.
    pub doors: Vec<Noun>,
    /// Lamps.
    pub lamps: Vec<Noun>,
    /// Knives.
    pub blades: Vec<Noun>,
    /// Appliances that cook, with what they make of food: `fried`, `roasted` or `grilled`.
    pub stoves: Vec<(Noun, String)>,
    /// Ingredients.
    pub foods: Vec<Noun>,
    /// What ingredients become.
    pub dishes: Vec<Noun>,
    /// Books that recipes stand in.
    pub cookbooks: Vec<Noun>,
    /// What notes are written on.
    pub notes: Vec<Noun>,
    /// Maps.
    pub maps: Vec<Noun>,
    /// Things that are pushed, pulled or turned.
    pub machines: Vec<Machine>,
    /// What is put together from parts.
    pub assemblies: Vec<Assembly>,
    /// People.
    pub people: Vec<Person>,
    /// Adjectives of people, for a second one of a kind.
    pub person_adjectives: Vec<String>,
    /// What traders deal in, dearest first.
    pub goods: Vec<Noun>,
    /// Where things belong, for a quest to put them away: container or supporter.
    pub homes: Vec<String>,
}

/// A word with what is said of it.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Noun {
    /// The noun.
    pub name: String,
    /// Its material: which adjectives go with it.
    #[serde(default)]
    pub of: String,
    /// What one sees on examining it; `{the}` and `{The}` stand for its whole name with an article.
    pub text: String,
    /// What it is called by somebody who does not name it: `something that opens a door`.
    #[serde(default)]
    pub hint: String,
    /// Spoken of as "some".
    #[serde(default)]
    pub mass: bool,
    /// Spoken of as "they".
    #[serde(default)]
    pub plural: bool,
}

/// A kind of room.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoomKind {
    /// Its name.
    pub name: String,
    /// How often it is chosen.
    #[serde(default = "one")]
    pub weight: u32,
    /// Kinds beside which it likes to be: three times as often.
    #[serde(default)]
    pub near: Vec<String>,
    /// Descriptions, one of which is taken.
    pub texts: Vec<String>,
    /// Furniture that belongs there.
    #[serde(default)]
    pub hosts: Vec<String>,
}

const fn one() -> u32 {
    1
}

/// What a piece of furniture does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
pub enum HostKind {
    /// Things lie on it.
    Top,
    /// Things lie in it; it opens and closes.
    Box,
    /// Things hide in or behind it.
    Nook,
}

/// A piece of furniture.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Host {
    /// What it does.
    pub kind: HostKind,
    /// What one sees on examining it.
    pub text: String,
    /// Spoken of as "they" or "some".
    #[serde(default)]
    pub plural: bool,
    /// Spoken of as "some".
    #[serde(default)]
    pub mass: bool,
}

/// Something that is worked.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Machine {
    /// What it is called.
    pub noun: Noun,
    /// How it is worked: `push`, `pull` or `turn`.
    pub verb: String,
}

/// Something that is put together.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Assembly {
    /// What it becomes.
    pub makes: Noun,
    /// Its parts, at least two, in the order in which they go together.
    pub parts: Vec<Noun>,
}

/// A kind of person.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Person {
    /// What they are called: a trade (`cook`) or a name.
    pub name: String,
    /// `he`, `she` or `they`.
    #[serde(default)]
    pub sex: String,
    /// What one sees on looking at them.
    pub text: String,
    /// Kind, greedy, curious, timid, loyal: 0 to 100.
    pub persona: [u8; 5],
    /// What they say of anything.
    pub lines: Vec<String>,
}

/// The files, in the order of [`ThemeName::ALL`].
const FILES: [(&str, &str); ThemeName::COUNT] = [
    ("house.ron", include_str!("../../../../assets/text/themes/house.ron")),
    ("castle.ron", include_str!("../../../../assets/text/themes/castle.ron")),
    ("station.ron", include_str!("../../../../assets/text/themes/station.ron")),
    ("ship.ron", include_str!("../../../../assets/text/themes/ship.ron")),
    ("market.ron", include_str!("../../../../assets/text/themes/market.ron")),
    ("forest.ron", include_str!("../../../../assets/text/themes/forest.ron")),
];

static THEMES: LazyLock<Vec<Result<Theme, ThemeError>>> =
    LazyLock::new(|| FILES.iter().map(|(file, text)| parse(file, text)).collect());

/// A theme file that does not fit.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("theme {file}: {key}: {what}")]
pub struct ThemeError {
    /// The file.
    pub file: String,
    /// Where in it: line and column, or the key.
    pub key: String,
    /// What is wrong, and how to mend it.
    pub what: String,
}

/// The theme of a name.
///
/// # Errors
/// When its file does not fit, which a test makes sure of.
pub fn theme(name: ThemeName) -> Result<&'static Theme, &'static ThemeError> {
    THEMES[name as usize].as_ref()
}

/// Reads a theme; `file` is its name for errors.
///
/// # Errors
/// Names the file and the key.
pub fn parse(file: &str, text: &str) -> Result<Theme, ThemeError> {
    let bad = |key: String, what: String| ThemeError { file: file.into(), key, what };
    let options = ron::Options::default().with_default_extension(ron::extensions::Extensions::IMPLICIT_SOME);
    let theme: Theme = options.from_str(text).map_err(|e| {
        bad(format!("line {}, column {}", e.span.start.line, e.span.start.col), e.code.to_string())
    })?;
    theme.check().map_err(|(key, what)| bad(key, what))?;
    Ok(theme)
}

impl Theme {
    /// Whether everything that it names is there, and enough of it.
    fn check(&self) -> Result<(), (String, String)> {
        let need = |key: &str, have: usize, least: usize| match have < least {
            true => Err((
                key.to_owned(),
                format!("has {have} entries, but {least} are needed at least; add some"),
            )),
            false => Ok(()),
        };
        need("rooms", self.rooms.len(), 8)?;
        need("room_adjectives", self.room_adjectives.len(), 12)?;
        need("titles", self.titles.len(), 1)?;
        need("intros", self.intros.len(), 1)?;
        need("details", self.details.len(), 3)?;
        need("adjectives.any", self.adjectives.get("any").map_or(0, Vec::len), 12)?;
        let lists = [
            ("things", &self.things, 8),
            ("treasures", &self.treasures, 6),
            ("keys", &self.keys, 2),
            ("doors", &self.doors, 2),
            ("lamps", &self.lamps, 2),
            ("blades", &self.blades, 2),
            ("foods", &self.foods, 8),
            ("dishes", &self.dishes, 3),
            ("cookbooks", &self.cookbooks, 2),
            ("notes", &self.notes, 2),
            ("maps", &self.maps, 2),
            ("goods", &self.goods, 4),
        ];
        for (key, list, least) in lists {
            need(key, list.len(), least)?;
        }
        need("machines", self.machines.len(), 3)?;
        need("assemblies", self.assemblies.len(), 3)?;
        need("people", self.people.len(), 4)?;
        need("homes", self.homes.len(), 2)?;
        need("stoves", self.stoves.len(), 2)?;
        let nouns = lists.iter().flat_map(|(key, list, _)| list.iter().map(move |n| (*key, n)));
        let machines = self.machines.iter().map(|m| ("machines", &m.noun));
        let parts = self.assemblies.iter().flat_map(|a| a.parts.iter().chain([&a.makes]));
        let stoves = self.stoves.iter().map(|s| ("stoves", &s.0));
        for (key, noun) in nouns.chain(machines).chain(parts.map(|n| ("assemblies", n))).chain(stoves) {
            if !noun.of.is_empty() && !self.adjectives.contains_key(&noun.of) {
                return Err((
                    format!("{key}.{}.of", noun.name),
                    format!("\"{}\" is no material of `adjectives`", noun.of),
                ));
            }
        }
        for room in &self.rooms {
            need(&format!("rooms.{}.texts", room.name), room.texts.len(), 1)?;
            if let Some(host) = room.hosts.iter().find(|h| !self.hosts.contains_key(*h)) {
                return Err((format!("rooms.{}.hosts", room.name), format!("\"{host}\" is not in `hosts`")));
            }
            if let Some(near) = room.near.iter().find(|n| !self.rooms.iter().any(|r| r.name == **n)) {
                return Err((format!("rooms.{}.near", room.name), format!("\"{near}\" is no kind of room")));
            }
        }
        for home in &self.homes {
            match self.hosts.get(home) {
                Some(h) if h.kind != HostKind::Nook => {}
                _ => return Err(("homes".into(), format!("\"{home}\" is no host of kind Top or Box"))),
            }
        }
        for (noun, heat) in &self.stoves {
            if !["fried", "roasted", "grilled"].contains(&heat.as_str()) {
                let what = format!("\"{heat}\" is no way of cooking; write fried, roasted or grilled");
                return Err((format!("stoves.{}", noun.name), what));
            }
        }
        for machine in &self.machines {
            if !["push", "pull", "turn"].contains(&machine.verb.as_str()) {
                let what = format!("\"{}\" is no way to work it; write push, pull or turn", machine.verb);
                return Err((format!("machines.{}", machine.noun.name), what));
            }
        }
        for assembly in &self.assemblies {
            need(&format!("assemblies.{}.parts", assembly.makes.name), assembly.parts.len(), 2)?;
        }
        for person in &self.people {
            need(&format!("people.{}.lines", person.name), person.lines.len(), 1)?;
        }
        Ok(())
    }
}

impl Theme {
    /// What somebody calls a thing of this noun who does not name it.
    pub(super) fn hint(&self, noun: &str) -> Option<&str> {
        let lists = [
            &self.things,
            &self.treasures,
            &self.keys,
            &self.lamps,
            &self.blades,
            &self.foods,
            &self.dishes,
            &self.cookbooks,
            &self.notes,
            &self.maps,
            &self.goods,
        ];
        let made = self.assemblies.iter().flat_map(|a| a.parts.iter().chain([&a.makes]));
        let mut all = lists.into_iter().flatten().chain(made);
        all.find(|n| n.name == noun && !n.hint.is_empty()).map(|n| n.hint.as_str())
    }
}
