//! Options with a declared schema: resolved and checked once, before anything runs.

use crate::error::GymError;
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, fmt};

/// A value of an option.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum OptionValue {
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A number.
    Float(f64),
    /// A word.
    Text(String),
}

impl fmt::Display for OptionValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(x) => x.fmt(f),
            Self::Int(x) => x.fmt(f),
            Self::Float(x) => x.fmt(f),
            Self::Text(x) => x.fmt(f),
        }
    }
}

/// Kind and range of an option.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum OptionKind {
    /// `true` or `false`.
    Bool,
    /// A whole number in an inclusive range.
    Int {
        /// Least value.
        min: i64,
        /// Greatest value.
        max: i64,
    },
    /// A number in an inclusive range.
    Float {
        /// Least value.
        min: f64,
        /// Greatest value.
        max: f64,
    },
    /// One of a closed list of words.
    Choice(Vec<&'static str>),
}

impl fmt::Display for OptionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool => f.write_str("true or false"),
            Self::Int { min, max } => write!(f, "a whole number from {min} to {max}"),
            Self::Float { min, max } => write!(f, "a number from {min} to {max}"),
            Self::Choice(words) => write!(f, "one of {}", words.join(", ")),
        }
    }
}

/// The declaration of one option.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct OptionDef {
    /// Name, `snake_case`.
    pub name: &'static str,
    /// Kind and range.
    pub kind: OptionKind,
    /// Value when it is not given.
    pub default: OptionValue,
    /// What it does, one line.
    pub help: &'static str,
}

impl OptionDef {
    /// A switch.
    pub const fn flag(name: &'static str, default: bool, help: &'static str) -> Self {
        Self { name, kind: OptionKind::Bool, default: OptionValue::Bool(default), help }
    }

    /// A whole number.
    pub const fn int(name: &'static str, default: i64, min: i64, max: i64, help: &'static str) -> Self {
        Self { name, kind: OptionKind::Int { min, max }, default: OptionValue::Int(default), help }
    }

    /// A number.
    pub const fn float(name: &'static str, default: f64, min: f64, max: f64, help: &'static str) -> Self {
        Self { name, kind: OptionKind::Float { min, max }, default: OptionValue::Float(default), help }
    }

    /// A closed choice; the first word is the default.
    pub fn choice(name: &'static str, words: &[&'static str], help: &'static str) -> Self {
        let default = OptionValue::Text(words.first().copied().unwrap_or_default().into());
        Self { name, kind: OptionKind::Choice(words.to_vec()), default, help }
    }

    fn parse(&self, text: &str) -> Option<OptionValue> {
        match &self.kind {
            OptionKind::Bool => match text {
                "true" | "on" | "yes" | "1" => Some(OptionValue::Bool(true)),
                "false" | "off" | "no" | "0" => Some(OptionValue::Bool(false)),
                _ => None,
            },
            OptionKind::Int { min, max } => {
                text.parse().ok().filter(|x| (min..=max).contains(&x)).map(OptionValue::Int)
            }
            OptionKind::Float { min, max } => {
                text.parse().ok().filter(|x| (min..=max).contains(&x)).map(OptionValue::Float)
            }
            OptionKind::Choice(words) => words.contains(&text).then(|| OptionValue::Text(text.into())),
        }
    }
}

/// A complete, checked set of option values of one game.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Options(BTreeMap<String, OptionValue>);

impl Options {
    /// Every option of `schema`, taken from `given` (`name`, `value`) where it is there and from the default elsewhere.
    ///
    /// # Errors
    /// [`GymError::UnknownOption`] and [`GymError::OptionValue`], with the nearest name and the range.
    pub fn resolve<'a>(
        game: &str,
        schema: &[OptionDef],
        given: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, GymError> {
        let mut values: BTreeMap<String, OptionValue> =
            schema.iter().map(|d| (d.name.to_owned(), d.default.clone())).collect();
        for (name, text) in given {
            let Some(def) = schema.iter().find(|d| d.name == name) else {
                let known = schema.iter().map(|d| d.name.to_owned()).collect();
                return Err(GymError::UnknownOption { game: game.into(), option: name.into(), known });
            };
            let value = def.parse(text).ok_or_else(|| GymError::OptionValue {
                game: game.into(),
                option: name.into(),
                value: text.into(),
                expected: def.kind.to_string(),
            })?;
            values.insert(name.into(), value);
        }
        Ok(Self(values))
    }

    /// Checks values that were stored (a replay, a run) against today's schema.
    ///
    /// # Errors
    /// As [`Options::resolve`].
    pub fn recheck(&self, game: &str, schema: &[OptionDef]) -> Result<Self, GymError> {
        let texts: Vec<(String, String)> = self.0.iter().map(|(k, v)| (k.clone(), v.to_string())).collect();
        Self::resolve(game, schema, texts.iter().map(|(k, v)| (k.as_str(), v.as_str())))
    }

    /// A switch; false when there is none of that name (a schema slip, found by the tests of the game).
    pub fn flag(&self, name: &str) -> bool {
        debug_assert!(self.0.contains_key(name), "option {name} is not in the schema");
        matches!(self.0.get(name), Some(OptionValue::Bool(true)))
    }

    /// A whole number; 0 when there is none of that name.
    pub fn int(&self, name: &str) -> i64 {
        debug_assert!(self.0.contains_key(name), "option {name} is not in the schema");
        match self.0.get(name) {
            Some(OptionValue::Int(x)) => *x,
            _ => 0,
        }
    }

    /// A number; 0 when there is none of that name.
    pub fn float(&self, name: &str) -> f64 {
        debug_assert!(self.0.contains_key(name), "option {name} is not in the schema");
        match self.0.get(name) {
            Some(OptionValue::Float(x)) => *x,
            Some(OptionValue::Int(x)) => *x as f64,
            _ => 0.0,
        }
    }

    /// A word; empty when there is none of that name.
    pub fn text(&self, name: &str) -> &str {
        debug_assert!(self.0.contains_key(name), "option {name} is not in the schema");
        match self.0.get(name) {
            Some(OptionValue::Text(x)) => x,
            _ => "",
        }
    }

    /// All values by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &OptionValue)> {
        self.0.iter().map(|(k, v)| (k.as_str(), v))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schema() -> Vec<OptionDef> {
        vec![
            OptionDef::int("seats", 4, 2, 4, "players"),
            OptionDef::flag("trade", true, "player trade"),
            OptionDef::choice("layout", &["spiral", "beginner"], "board"),
        ]
    }

    fn error(given: (&str, &str)) -> String {
        Options::resolve("settlers", &schema(), [given]).expect_err("refused").to_string()
    }

    #[test]
    fn defaults_fill_in_and_bad_values_name_the_mend() {
        let options =
            Options::resolve("settlers", &schema(), [("seats", "3"), ("trade", "off")]).expect("valid");
        assert_eq!(
            (options.int("seats"), options.flag("trade"), options.text("layout")),
            (3, false, "spiral")
        );
        assert_eq!(
            error(("seat", "3")),
            "game \"settlers\" has no option \"seat\"; nearest: \"seats\"; options: seats, trade, layout"
        );
        assert_eq!(
            error(("seats", "7")),
            "option seats=7 of game \"settlers\" is not valid: expected a whole number from 2 to 4"
        );
        assert_eq!(
            error(("layout", "round")),
            "option layout=round of game \"settlers\" is not valid: expected one of spiral, beginner"
        );
    }

    #[test]
    fn stored_values_pass_the_schema_again() {
        let options = Options::resolve("settlers", &schema(), [("layout", "beginner")]).expect("valid");
        let json = serde_json::to_string(&options).expect("json");
        let back: Options = serde_json::from_str(&json).expect("back");
        assert_eq!(back.recheck("settlers", &schema()).expect("valid"), options);
    }
}
