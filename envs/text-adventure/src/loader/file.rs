//! What a story file may say: plain data, as it is written.

use super::ordered::Ordered;
use serde::Deserialize;

/// A story file.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StoryFile {
    pub(super) title: String,
    #[serde(default)]
    pub(super) intro: String,
    pub(super) objective: String,
    pub(super) cap: u16,
    pub(super) max_score: i16,
    /// Who can be played, by key of an actor; the first is the usual choice.
    pub(super) players: Vec<String>,
    #[serde(default)]
    pub(super) flags: Vec<String>,
    #[serde(default)]
    pub(super) counters: Ordered<i16>,
    pub(super) rooms: Ordered<RoomFile>,
    #[serde(default)]
    pub(super) doors: Ordered<ThingFile>,
    #[serde(default)]
    pub(super) things: Ordered<ThingFile>,
    pub(super) actors: Ordered<ActorFile>,
    #[serde(default)]
    pub(super) recipes: Vec<RecipeFile>,
    #[serde(default)]
    pub(super) rules: Vec<RuleFile>,
    /// Commands that win, by player.
    #[serde(default)]
    pub(super) solutions: Ordered<Vec<String>>,
}

#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RoomFile {
    pub(super) name: String,
    pub(super) text: String,
    #[serde(default)]
    pub(super) dark: bool,
    #[serde(default)]
    pub(super) exits: Ordered<ExitFile>,
}

#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ExitFile {
    pub(super) to: String,
    #[serde(default)]
    pub(super) door: Option<String>,
}

#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ThingFile {
    pub(super) name: String,
    #[serde(default)]
    pub(super) synonyms: Vec<String>,
    #[serde(default)]
    pub(super) is: Vec<String>,
    /// Bits that are true at the start.
    #[serde(default)]
    pub(super) starts: Vec<String>,
    /// Where it is; out of play without.
    #[serde(default)]
    pub(super) at: Option<String>,
    #[serde(default)]
    pub(super) text: String,
    #[serde(default)]
    pub(super) writing: String,
    #[serde(default)]
    pub(super) first: String,
    #[serde(default)]
    pub(super) key: Option<String>,
    #[serde(default)]
    pub(super) capacity: Option<u8>,
    #[serde(default)]
    pub(super) size: Option<u8>,
    #[serde(default)]
    pub(super) value: u8,
    /// The counter of turns that it burns.
    #[serde(default)]
    pub(super) fuel: Option<String>,
    /// What an appliance makes of food.
    #[serde(default)]
    pub(super) heat: Option<String>,
}

#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ActorFile {
    pub(super) name: String,
    #[serde(default)]
    pub(super) synonyms: Vec<String>,
    #[serde(default)]
    pub(super) is: Vec<String>,
    #[serde(default)]
    pub(super) starts: Vec<String>,
    #[serde(default)]
    pub(super) at: Option<String>,
    #[serde(default)]
    pub(super) text: String,
    #[serde(default)]
    pub(super) first: String,
    #[serde(default)]
    pub(super) capacity: Option<u8>,
    #[serde(default)]
    pub(super) wants: Vec<String>,
    #[serde(default)]
    pub(super) sells: Vec<String>,
    #[serde(default)]
    pub(super) persona: PersonaFile,
    #[serde(default)]
    pub(super) patrol: Vec<String>,
    #[serde(default)]
    pub(super) pace: u8,
    #[serde(default)]
    pub(super) topics: Ordered<TopicFile>,
}

#[derive(Clone, Copy, PartialEq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct PersonaFile {
    pub(super) kind: u8,
    pub(super) greedy: u8,
    pub(super) curious: u8,
    pub(super) timid: u8,
    pub(super) loyal: u8,
}

#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TopicFile {
    pub(super) say: String,
    /// Further words for it beside the key.
    #[serde(default)]
    pub(super) words: Vec<String>,
    /// Whether the player tells it, instead of asking.
    #[serde(default)]
    pub(super) told: bool,
    #[serde(default)]
    pub(super) when: Vec<CondFile>,
    #[serde(default, rename = "do")]
    pub(super) effects: Vec<EffectFile>,
}

#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RecipeFile {
    pub(super) a: String,
    pub(super) b: String,
    pub(super) makes: String,
    /// How `a` must have been cut or cooked.
    #[serde(default)]
    pub(super) a_is: Option<String>,
    #[serde(default)]
    pub(super) b_is: Option<String>,
}

#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PatternFile {
    pub(super) verb: String,
    /// An entity, or a direction.
    #[serde(default)]
    pub(super) a: Option<String>,
    #[serde(default)]
    pub(super) b: Option<String>,
}

#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RuleFile {
    #[serde(default)]
    pub(super) after: Option<PatternFile>,
    #[serde(default)]
    pub(super) forbid: Option<PatternFile>,
    #[serde(default)]
    pub(super) each_turn: bool,
    #[serde(default)]
    pub(super) when: Vec<CondFile>,
    /// Whether it can fire more than once.
    #[serde(default)]
    pub(super) repeat: bool,
    #[serde(default)]
    pub(super) say: Option<String>,
    #[serde(default, rename = "do")]
    pub(super) effects: Vec<EffectFile>,
}

/// A condition. Names are keys of rooms, things, doors and actors, or `me`, `here`, `a`, `b`, `nowhere`.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub(super) enum CondFile {
    Held(String),
    Here(String),
    At(String, String),
    Within(String, String),
    Is(String, String),
    Has(String, String),
    Flag(String),
    AtLeast(String, i16),
    /// `actor.topic`.
    Learned(String),
    Visible(String),
    Reachable(String),
    Lit,
    Same(String, String),
    Turn(u16),
    Score(i16),
    Not(Box<CondFile>),
}

/// An effect.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub(super) enum EffectFile {
    Move(String, String),
    Vanish(String),
    Replace(String, String),
    Set(String, String),
    Clear(String, String),
    Reveal(String),
    Raise(String),
    Lower(String),
    Count(String, i16),
    Add(String, i16),
    Score(i16),
    Win,
    Lose,
}
