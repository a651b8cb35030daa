//! One predicate with its arguments.

use super::table::{Arg, Case, Knowledge, PREDICATES, Predicate};
use crate::{
    action::Dir,
    scope::Scope,
    set::{Ent, Set},
    story::Story,
    world::World,
};
use rl_gym::suggest;

/// Why a text is no predicate. The text is made from the fields.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum QueryError {
    /// No such predicate.
    #[error("unknown predicate \"{name}\"{}; known: {}", .nearest.as_ref().map_or_else(String::new, |n| format!(", nearest: \"{n}\"")), .known)]
    Unknown {
        /// The name as written.
        name: String,
        /// The most similar name.
        nearest: Option<String>,
        /// All names.
        known: String,
    },
    /// Another number of arguments.
    #[error("{name} takes {wanted}, not {given} arguments")]
    Arguments {
        /// The predicate.
        name: &'static str,
        /// What it takes, in words.
        wanted: String,
        /// How many were given.
        given: usize,
    },
    /// An argument that means nothing in this story.
    #[error("\"{text}\" is no {kind} of \"{story}\"{}", .nearest.as_ref().map_or_else(String::new, |n| format!(", nearest: \"{n}\"")))]
    Argument {
        /// The argument as written.
        text: String,
        /// What it should be.
        kind: &'static str,
        /// The story's title.
        story: String,
        /// The most similar name.
        nearest: Option<String>,
    },
    /// A call without its closing bracket.
    #[error("\"{0}\" has no closing bracket: write name(argument, argument)")]
    Bracket(String),
}

/// One predicate with its arguments in one story.
#[derive(Clone, Debug)]
pub struct Query {
    predicate: &'static Predicate,
    args: Vec<i32>,
}

impl Query {
    /// Reads `name(argument, argument)`, or a name alone. Entities are called by their full name without an article.
    ///
    /// # Errors
    /// What is wrong with it and what is nearest.
    pub fn parse(story: &Story, text: &str) -> Result<Self, QueryError> {
        let text = text.trim();
        let (name, inside) = match text.split_once('(') {
            None => (text, ""),
            Some((name, rest)) => {
                (name.trim(), rest.strip_suffix(')').ok_or_else(|| QueryError::Bracket(text.into()))?)
            }
        };
        let predicate = PREDICATES.iter().find(|p| p.name == name).ok_or_else(|| {
            let names: Vec<String> = PREDICATES.iter().map(|p| p.name.to_owned()).collect();
            QueryError::Unknown {
                name: name.into(),
                nearest: suggest(name, &names).cloned(),
                known: names.join(", "),
            }
        })?;
        let given: Vec<&str> =
            if inside.trim().is_empty() { Vec::new() } else { inside.split(',').map(str::trim).collect() };
        if given.len() != predicate.args.len() {
            let kinds: Vec<&str> = predicate.args.iter().map(|a| a.words()).collect();
            let wanted = if kinds.is_empty() { "nothing".to_owned() } else { kinds.join(" and ") };
            return Err(QueryError::Arguments { name: predicate.name, wanted, given: given.len() });
        }
        let args = predicate.args.iter().zip(given).map(|(kind, text)| argument(story, *kind, text));
        Ok(Self { predicate, args: args.collect::<Result<_, _>>()? })
    }

    /// The predicate.
    pub const fn predicate(&self) -> &'static Predicate {
        self.predicate
    }

    /// Whether it holds in truth for `seat`.
    pub fn holds(&self, story: &Story, world: &World, seat: usize) -> bool {
        let scope = Scope::of(story, world, story.seats[seat]);
        (self.predicate.test)(&Case { story, world, seat, scope: &scope }, &self.args)
    }

    /// Whether `seat` knows it to hold; `None` when it cannot know. The answer comes from what the seat sees and
    /// remembers, so it never tells anything new.
    pub fn known_to(&self, story: &Story, world: &World, seat: usize) -> Option<bool> {
        let scope = Scope::of(story, world, story.seats[seat]);
        let mut in_sight = scope.seen;
        in_sight.insert(scope.room);
        let is_answered = match self.predicate.knowledge {
            Knowledge::Always | Knowledge::Memory => true,
            Knowledge::Author => false,
            Knowledge::InSight => self.entities().iter().all(|e| in_sight.has(e)),
        };
        is_answered.then(|| (self.predicate.test)(&Case { story, world, seat, scope: &scope }, &self.args))
    }

    /// The entities that it is about.
    fn entities(&self) -> Set {
        let pairs = self.predicate.args.iter().zip(&self.args);
        pairs.filter(|(kind, _)| **kind == Arg::Entity).map(|(_, e)| *e as Ent).collect()
    }
}

fn argument(story: &Story, kind: Arg, text: &str) -> Result<i32, QueryError> {
    let names: Vec<String> = match kind {
        Arg::Entity => story.entities.iter().map(|e| e.name.phrase()).collect(),
        Arg::Dir => Dir::ALL.iter().map(|d| d.name().to_owned()).collect(),
        Arg::Flag => story.flags.clone(),
        Arg::Counter => story.counters.clone(),
        Arg::Topic => story.topics.iter().map(|t| t.words.first().cloned().unwrap_or_default()).collect(),
        Arg::Number => {
            let refuse = || QueryError::Argument {
                text: text.into(),
                kind: "whole number",
                story: story.title.clone(),
                nearest: None,
            };
            return text.parse().map_err(|_| refuse());
        }
    };
    names.iter().position(|n| n.eq_ignore_ascii_case(text)).map(|i| i as i32).ok_or_else(|| {
        QueryError::Argument {
            text: text.into(),
            kind: kind.words(),
            story: story.title.clone(),
            nearest: suggest(text, &names).cloned(),
        }
    })
}
