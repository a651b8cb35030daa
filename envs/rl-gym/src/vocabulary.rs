//! What skills are written in: named facts of what a seat sees, and actions as verbs with arguments.
//!
//! A game that offers a [`Vocabulary`] can be mined for skills, and skills can be run in it. Everything here is read
//! from an observation row, so that a skill can know no more than the seat that plays it.

/// A named number of an observation (a predicate is one that is 0 or 1) or of one argument of an action.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Fact {
    /// Name, `snake_case`, unique in its list.
    pub name: &'static str,
    /// Least value.
    pub low: f32,
    /// Greatest value.
    pub high: f32,
    /// What it says, with its unit.
    pub meaning: &'static str,
    /// Whether its number is a name (of a room, a direction) that can be compared with others of its sort and is no
    /// quantity: nothing is learned about more or less of it.
    pub is_label: bool,
}

impl Fact {
    /// A fact that holds (1) or does not (0).
    pub const fn holds(name: &'static str, meaning: &'static str) -> Self {
        Self { name, low: 0.0, high: 1.0, meaning, is_label: false }
    }

    /// A number within bounds.
    pub const fn number(name: &'static str, low: f32, high: f32, meaning: &'static str) -> Self {
        Self { name, low, high, meaning, is_label: false }
    }

    /// The same as a label.
    #[must_use]
    pub const fn label(self) -> Self {
        Self { is_label: true, ..self }
    }

    /// Whether it can only hold or not.
    pub fn is_predicate(&self) -> bool {
        (self.low, self.high) == (0.0, 1.0)
    }
}

/// A kind of argument: a node of a board, a resource, a thing, a direction.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Kind {
    /// Name, `snake_case`.
    pub name: &'static str,
    /// What can be said of one such argument as it is seen now.
    pub features: &'static [Fact],
}

/// A verb: a family of actions that differ in their arguments.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Verb {
    /// Name, `snake_case`.
    pub name: &'static str,
    /// Kinds of its arguments, as indices into [`Vocabulary::kinds`].
    pub args: &'static [usize],
}

/// Most arguments of a verb.
pub const MAX_ARGS: usize = 3;

/// An action as a verb with arguments.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Term {
    /// The verb, as an index into [`Vocabulary::verbs`].
    pub verb: u16,
    /// The arguments; those past the verb's own are 0.
    pub args: [u16; MAX_ARGS],
}

/// A game's words for skills. Every answer depends on the observation row alone.
///
/// Reading costs no allocation, and every index must be one of its list.
pub trait Vocabulary: Send + Sync {
    /// Version of what the words mean. Skills name the one that they were written for.
    fn version(&self) -> u32;

    /// Facts of an observation, at least 30 of them for a game that wants to be mined.
    fn facts(&self) -> &'static [Fact];

    /// The value of one fact.
    fn fact(&self, obs: &[u8], fact: usize) -> f32;

    /// Writes the value of every fact; `values` has one element a fact.
    fn read(&self, obs: &[u8], values: &mut [f32]) {
        values.iter_mut().enumerate().for_each(|(i, value)| *value = self.fact(obs, i));
    }

    /// The verbs.
    fn verbs(&self) -> &'static [Verb];

    /// The kinds of arguments.
    fn kinds(&self) -> &'static [Kind];

    /// The action with this index, as it is meant in this observation; `None` for one that has no words.
    fn term(&self, obs: &[u8], action: u32) -> Option<Term>;

    /// The value of one feature of one argument of a kind.
    fn feature(&self, obs: &[u8], kind: usize, arg: u16, feature: usize) -> f32;

    /// Writes the value of one feature for each of `args`, as [`Vocabulary::feature`] gives them; `values` has one element
    /// an argument. Words that share work between arguments do it here.
    fn feature_of_each(&self, obs: &[u8], kind: usize, args: &[u16], feature: usize, values: &mut [f32]) {
        for (value, arg) in values.iter_mut().zip(args) {
            *value = self.feature(obs, kind, *arg, feature);
        }
    }
}

/// A fact by name.
pub fn fact(facts: &[Fact], name: &str) -> Option<usize> {
    facts.iter().position(|f| f.name == name)
}
