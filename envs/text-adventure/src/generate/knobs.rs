//! What a generated game is to be like.

use crate::entity::named;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

macro_rules! by_name {
    ($($name:ident)*) => {$(
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
                s.serialize_str(self.name())
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
                let name = String::deserialize(d)?;
                Self::named(&name).ok_or_else(|| {
                    let known = Self::ALL.iter().map(|x| x.name()).collect::<Vec<_>>().join(", ");
                    serde::de::Error::custom(format!("unknown {} \"{name}\"; one of {known}", stringify!($name)))
                })
            }
        }
    )*};
}

named! {
    /// Where a game takes place.
    ThemeName {
        /// A family house.
        House = "house",
        /// A castle.
        Castle = "castle",
        /// A station in space.
        Station = "station",
        /// A sailing ship.
        Ship = "ship",
        /// A market town.
        Market = "market",
        /// A forest.
        Forest = "forest",
    }
}

named! {
    /// Which part of all names, recipes and layouts a game may use. The parts have nothing in common.
    Fold {
        /// For training: eight tenths.
        Train = "train",
        /// For choosing: one tenth.
        Dev = "dev",
        /// For reporting: one tenth.
        Test = "test",
    }
}

named! {
    /// What a quest asks for.
    Quest {
        /// Find a thing and take it.
        Fetch = "fetch",
        /// Bring a thing to somebody.
        Deliver = "deliver",
        /// Put things where they belong.
        Place = "place",
        /// Cook a dish after a recipe.
        Cook = "cook",
        /// Trade one thing for another until one has the right one.
        Trade = "trade",
        /// Ask somebody to come along and lead them somewhere.
        Escort = "escort",
        /// Read instructions and follow them.
        Obey = "obey",
        /// Find a thing with a map and bring it back to where one began.
        Return = "return",
        /// Put something together from its parts.
        Assemble = "assemble",
    }
}

named! {
    /// How much the objective gives away.
    Hints {
        /// Every step of a solution.
        Steps = "steps",
        /// What is to be reached.
        Goal = "goal",
        /// Only what comes last.
        Last = "last",
        /// What is to be reached, without naming the things.
        Riddle = "riddle",
    }
}

pub(super) use by_name;
by_name! { ThemeName Fold Quest Hints }

/// What a generated game is to be like. Percentages are of 100.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Knobs {
    /// The theme; `None` draws one.
    pub theme: Option<ThemeName>,
    /// The part of all names, recipes and layouts.
    pub fold: Fold,
    /// Rooms, 1 to 64.
    pub rooms: u8,
    /// Further connections, percent of the rooms, 0 to 50.
    pub loops: u8,
    /// Percent of the further connections that lead one way only.
    pub one_way: u8,
    /// Percent of the connections that have a door, closed but not locked.
    pub doors: u8,
    /// Locked doors with a key each, 0 to 8 and fewer than rooms.
    pub gates: u8,
    /// Keys that lie behind locked doors: the longest such chain, 1 to 8.
    pub nesting: u8,
    /// Dark rooms, fewer than rooms. A lamp lies in a lit room that can be reached without it.
    pub dark: u8,
    /// Percent of the things needed that lie in closed containers.
    pub containers: u8,
    /// Percent of the things needed that are found only by searching.
    pub hidden: u8,
    /// Things that are good for nothing, 0 to 60.
    pub distractors: u8,
    /// Kinds of quests to draw from. None may be missing.
    pub quests: Vec<Quest>,
    /// Quests, 1 to 6.
    pub quest_count: u8,
    /// Things in a quest that has several: to put away, ingredients, trades, instructions, parts; 1 to 5.
    pub pieces: u8,
    /// People without a quest, 0 to 8.
    pub people: u8,
    /// Size of all things that one can carry, 2 to 100.
    pub capacity: u8,
    /// How much the objective gives away.
    pub hints: Hints,
    /// Least and greatest length of the certified plan.
    pub plan_length: [u16; 2],
    /// Least and greatest sum of log2 of the admissible actions along the plan.
    pub choice_bits: [u16; 2],
    /// Turns before the game is cut, in plan lengths, 1 to 50.
    pub cap_factor: u8,
    /// Turns before the game is cut, at least; 1 to 1,000.
    pub cap_floor: u16,
    /// Whether nothing that can be done makes the game unwinnable.
    pub dead_end_free: bool,
}

impl Default for Knobs {
    fn default() -> Self {
        Self {
            theme: None,
            fold: Fold::Train,
            rooms: 6,
            loops: 10,
            one_way: 0,
            doors: 20,
            gates: 1,
            nesting: 1,
            dark: 0,
            containers: 30,
            hidden: 0,
            distractors: 6,
            quests: Quest::ALL.to_vec(),
            quest_count: 1,
            pieces: 2,
            people: 0,
            capacity: 20,
            hints: Hints::Goal,
            plan_length: [1, 400],
            choice_bits: [0, 2000],
            cap_factor: 4,
            cap_floor: 30,
            dead_end_free: true,
        }
    }
}

/// A knob that is set wrong, or that the other knobs leave no room for.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum GenerateError {
    /// A value out of range.
    #[error("knob `{knob}` is {value}, but must be {range}")]
    Knob {
        /// Its name.
        knob: &'static str,
        /// The value seen.
        value: String,
        /// What it may be.
        range: String,
    },
    /// No game was found.
    #[error(
        "no game in {attempts} attempts from seed {seed}; the last failed because {why}; \
         the knobs in the way: {knobs}. Loosen one of them"
    )]
    Attempts {
        /// How often it was tried.
        attempts: u32,
        /// The seed.
        seed: u64,
        /// Why the last attempt failed.
        why: String,
        /// The knobs that attempts ran into, with how often.
        knobs: String,
    },
    /// Too few games of these knobs are built differently.
    #[error(
        "only {found} of {wanted} games are built differently: {tried} seeds in a row gave games that are there \
         already. Ask for fewer, or give more `rooms`, `distractors` or kinds of `quests`"
    )]
    Alike {
        /// How many were asked for.
        wanted: usize,
        /// How many differ.
        found: usize,
        /// Seeds in a row that gave nothing new.
        tried: u64,
    },
    /// The theme file does not fit.
    #[error(transparent)]
    Theme(#[from] super::theme::ThemeError),
}

impl Knobs {
    /// Whether every knob is in its range and they go together.
    ///
    /// # Errors
    /// The first that is not, with the value seen and what it may be.
    pub fn check(&self) -> Result<(), GenerateError> {
        let within = |knob, value: u16, low: u16, high: u16| match (low..=high).contains(&value) {
            true => Ok(()),
            false => {
                Err(GenerateError::Knob { knob, value: value.to_string(), range: format!("{low} to {high}") })
            }
        };
        let rooms = u16::from(self.rooms);
        within("rooms", rooms, 1, 64)?;
        within("loops", self.loops.into(), 0, 50)?;
        within("one_way", self.one_way.into(), 0, 100)?;
        within("doors", self.doors.into(), 0, 100)?;
        within("gates", self.gates.into(), 0, 8.min(rooms - 1))?;
        within("nesting", self.nesting.into(), 1, 8)?;
        within("dark", self.dark.into(), 0, rooms - 1)?;
        within("containers", self.containers.into(), 0, 100)?;
        within("hidden", self.hidden.into(), 0, 100)?;
        within("distractors", self.distractors.into(), 0, 60)?;
        within("quest_count", self.quest_count.into(), 1, 6)?;
        within("pieces", self.pieces.into(), 1, 5)?;
        within("people", self.people.into(), 0, 8)?;
        within("capacity", self.capacity.into(), 2, 100)?;
        within("cap_factor", self.cap_factor.into(), 1, 50)?;
        within("cap_floor", self.cap_floor, 1, 1000)?;
        for (knob, [low, high]) in [("plan_length", self.plan_length), ("choice_bits", self.choice_bits)] {
            if low > high {
                let range = "[least, greatest] with least <= greatest".into();
                return Err(GenerateError::Knob { knob, value: format!("[{low}, {high}]"), range });
            }
        }
        if self.quests.is_empty() {
            let range = "a list of one kind of quest at least".into();
            return Err(GenerateError::Knob { knob: "quests", value: "empty".into(), range });
        }
        if rooms == 1 && self.quests.iter().all(|q| matches!(q, Quest::Escort | Quest::Return)) {
            let range = "more than escort and return when `rooms` is 1: both need a way to go".into();
            return Err(GenerateError::Knob { knob: "quests", value: format!("{:?}", self.quests), range });
        }
        Ok(())
    }
}
