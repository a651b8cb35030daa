//! Text adventure: parser interactive fiction, generated or written by hand, alone or against rivals.
//!
//! A [`Story`] is everything about a game that never changes; a [`World`] is what changes, plain data of about a
//! kilobyte. [`rules::check`], [`rules::admissible`] and [`rules::apply`] read one closed table of verbs
//! ([`rules::TABLE`]) and the story's own rules, which come from a closed vocabulary too ([`Cond`], [`Effect`]).
//! Nothing here reads a clock, a file or the network while a game is played.

mod action;
pub mod bots;
mod condition;
mod effect;
mod entity;
mod env;
pub mod generate;
mod grammar;
mod lexicon;
pub mod loader;
mod log;
mod modes;
pub mod observe;
pub mod parser;
pub mod planner;
pub mod predicates;
pub mod prose;
pub mod rules;
mod scope;
mod set;
mod story;
mod words;
mod world;

pub use action::{Action, DIR_BASE, Dir, Slot, Verb, Verbs};
pub use condition::{Binding, Cond, Pred, Term, all_hold};
pub use effect::{Effect, happen};
pub use entity::{Attr, Bit, Entity, Name, Persona};
pub use env::{
    Config, Interface, METRICS, Mode, Over, Reward, State, TextAdventure, Verdict, config, game, options,
    options_markdown,
};
pub use lexicon::Words;
pub use log::{Log, MAX_NOTES, Note, What};
pub use modes::Stakes;
pub use scope::Scope;
pub use set::{Ent, Iter, MAX_ENTITIES, NONE, Set};
pub use story::{Exit, NO_EXIT, Pattern, Recipe, Rule, Story, TextId, Topic, Trigger};
pub use words::{SkillWords, skill_words_markdown};
pub use world::{Deal, End, MAX_COUNTERS, MAX_DEPTH, MAX_FLAGS, MAX_RULES, MAX_SEATS, NO_DEAL, World};
