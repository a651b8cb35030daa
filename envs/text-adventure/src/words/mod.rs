//! What skills of this game are written in: facts of a row, verbs with arguments, features of the arguments.
//!
//! Everything is read from the observation row, so that a skill knows what its seat knows. No word is about a single
//! story: things are told apart by what they are, by how they stand, and by whether the objective or the news name them.
//! The tables are the code: `docs/words.md` is made from them.

/// A list of facts beside the functions that read them, from one table.
macro_rules! readings {
    ($facts:ident, $values:ident, $from:ty; $($name:ident $(#$label:ident)? $low:literal $high:literal $meaning:literal $read:expr;)*) => {
        /// Names, bounds and meanings.
        pub(super) static $facts: [rl_gym::vocabulary::Fact; [$($low),*].len()] = [
            $(rl_gym::vocabulary::Fact::number(stringify!($name), $low, $high, $meaning)$(.$label())?),*
        ];

        /// What reads each.
        pub(super) static $values: [fn($from) -> f32; $facts.len()] = [$($read),*];
    };
}

mod facts;
mod row;
mod terms;
mod things;
mod ways;

use crate::observe::View;
use rl_gym::{
    Space, Spec, Vocabulary,
    vocabulary::{Fact, Kind, Term, Verb},
};

/// Version of what the words mean.
const VERSION: u32 = 2;

/// Kinds of arguments, as indices into [`KINDS`].
const THING: usize = 0;
const DIRECTION: usize = 1;
const TOPIC: usize = 2;

/// The kinds of arguments.
static KINDS: [Kind; 3] = [
    Kind { name: "thing", features: &things::FEATURES },
    Kind { name: "direction", features: &ways::DIRECTIONS },
    Kind { name: "topic", features: &ways::TOPICS },
];

/// The game's words for skills.
///
/// An argument of kind `thing` is the entity's id + 1 as the row has it, the same for the whole game, or 0 for one that
/// the table has no room for; of kind `direction` the number of the direction in [`crate::Dir::ALL`]; of kind `topic`
/// its number in the story. Of what is not in sight every feature is 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SkillWords {
    has_terms: bool,
}

impl SkillWords {
    /// Words for environments whose actions are indices into the list of what works now (`actions=id`).
    pub const LISTED: Self = Self { has_terms: true };

    /// Words for environments of this spec. Of other interfaces than `actions=id` no action has a term.
    pub const fn of(spec: &Spec) -> Self {
        Self { has_terms: matches!(spec.action, Space::Discrete { .. }) }
    }
}

impl Vocabulary for SkillWords {
    fn version(&self) -> u32 {
        VERSION
    }

    fn facts(&self) -> &'static [Fact] {
        &facts::FACTS
    }

    #[inline]
    fn fact(&self, obs: &[u8], fact: usize) -> f32 {
        facts::VALUES[fact](View::read(obs))
    }

    fn verbs(&self) -> &'static [Verb] {
        &terms::VERBS
    }

    fn kinds(&self) -> &'static [Kind] {
        &KINDS
    }

    #[inline]
    fn term(&self, obs: &[u8], action: u32) -> Option<Term> {
        if self.has_terms { terms::term(View::read(obs), action) } else { None }
    }

    #[inline]
    fn feature(&self, obs: &[u8], kind: usize, arg: u16, feature: usize) -> f32 {
        let view = View::read(obs);
        match kind {
            THING => row::find(view, arg).map_or(0.0, |thing| things::VALUES[feature](thing)),
            DIRECTION => ways::way(view, arg).map_or(0.0, |way| ways::DIRECTION_VALUES[feature](way)),
            _ => ways::subject(view, arg).map_or(0.0, |subject| ways::TOPIC_VALUES[feature](subject)),
        }
    }
}

/// The tables as Markdown, as `docs/words.md` holds them.
pub fn skill_words_markdown() -> String {
    fn table(out: &mut String, title: &str, facts: &[Fact]) {
        *out += &format!("\n## {title}\n\n| name | range | meaning |\n|---|---|---|\n");
        for f in facts {
            let range = if f.is_predicate() { "holds".into() } else { format!("{} to {}", f.low, f.high) };
            *out += &format!("| `{}` | {range} | {} |\n", f.name, f.meaning);
        }
    }
    let words = SkillWords::LISTED;
    let mut out = format!("Version {VERSION}.\n");
    table(&mut out, "Facts", words.facts());
    out += "\n## Verbs\n\n| verb | arguments |\n|---|---|\n";
    for verb in words.verbs() {
        let args: Vec<&str> = verb.args.iter().map(|k| KINDS[*k].name).collect();
        let args = if args.is_empty() { "none".to_owned() } else { args.join(", ") };
        out += &format!("| `{}` | {args} |\n", verb.name);
    }
    for kind in words.kinds() {
        table(&mut out, &format!("Features of a {}", kind.name), kind.features);
    }
    out
}
