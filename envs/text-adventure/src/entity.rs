//! What an entity is (attributes, fixed by the story) and how it stands (bits, part of the world's state).

use crate::set::{Ent, NONE, Set};

macro_rules! named {
    ($(#[$doc:meta])* $name:ident { $($(#[$item_doc:meta])* $item:ident = $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        pub enum $name {
            $($(#[$item_doc])* $item,)*
        }

        impl $name {
            /// Every one, in order.
            pub const ALL: &'static [Self] = &[$(Self::$item),*];
            /// How many there are.
            pub const COUNT: usize = Self::ALL.len();

            /// Its name in story files and contracts, `snake_case`.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$item => $text),* }
            }

            /// The one with this name.
            pub fn named(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|x| x.name() == name)
            }
        }
    };
}
pub(crate) use named;

named! {
    /// What an entity is. Fixed by the story.
    Attr {
        /// Can be carried.
        Portable = "portable",
        /// Part of the room's description: not listed beside it.
        Scenery = "scenery",
        /// Somebody: an NPC or a player's figure.
        Actor = "actor",
        /// The figure of a seat.
        Seat = "seat",
        /// Joins two rooms.
        Door = "door",
        /// Holds things inside.
        Container = "container",
        /// Holds things on top.
        Supporter = "supporter",
        /// Can be opened and closed.
        Openable = "openable",
        /// Can be locked and unlocked with its key.
        Lockable = "lockable",
        /// Shows what is inside even when closed.
        Transparent = "transparent",
        /// Can be worn.
        Wearable = "wearable",
        /// Has something written on it.
        Readable = "readable",
        /// Can be eaten.
        Edible = "edible",
        /// Can be drunk.
        Drinkable = "drinkable",
        /// Gives light while on.
        Lamp = "lamp",
        /// Can be lit or switched on, and put out or switched off.
        Switch = "switch",
        /// Cuts.
        Sharp = "sharp",
        /// An appliance that cooks.
        Heat = "heat",
        /// Can be cooked.
        Cookable = "cookable",
        /// Can be sliced, diced and chopped.
        Cuttable = "cuttable",
        /// Can be pushed.
        Push = "push",
        /// Can be pulled.
        Pull = "pull",
        /// Can be turned.
        Turn = "turn",
        /// A room without light of its own.
        Dark = "dark",
        /// A part of an assembly: can be combined with other parts.
        Part = "part",
        /// Can be attacked, if only to be broken.
        Fragile = "fragile",
        /// Called by its name alone, without an article.
        Proper = "proper",
        /// Spoken of as "they".
        Plural = "plural",
        /// Spoken of as "some".
        Mass = "mass",
        /// Spoken of as "she".
        Female = "female",
        /// Spoken of as "he".
        Male = "male",
    }
}

named! {
    /// How an entity stands: the changing part of the world, one set of entities a bit.
    Bit {
        /// Open (doors, containers).
        Open = "open",
        /// Locked.
        Locked = "locked",
        /// Lit or running.
        On = "on",
        /// Not found yet: no seat knows that it is there.
        Hidden = "hidden",
        /// Worn by its holder.
        Worn = "worn",
        /// Broken.
        Broken = "broken",
        /// Was taken at least once by a seat.
        Moved = "moved",
        /// Goes where a seat goes that leaves its room.
        Following = "following",
        /// Fried.
        Fried = "fried",
        /// Roasted.
        Roasted = "roasted",
        /// Grilled.
        Grilled = "grilled",
        /// Burned: cooked twice. Good for nothing.
        Burned = "burned",
        /// Cut into slices.
        Sliced = "sliced",
        /// Cut into dice.
        Diced = "diced",
        /// Chopped.
        Chopped = "chopped",
    }
}

/// What an entity is called.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Name {
    /// Adjectives in spoken order: `["small", "brass"]`.
    pub adjectives: Vec<String>,
    /// The noun, which may be several words: `key`, `salt cellar`.
    pub noun: String,
    /// Further words that mean it.
    pub synonyms: Vec<String>,
}

impl Name {
    /// A name of adjectives and a noun given as one phrase, the noun last.
    pub fn of(phrase: &str) -> Self {
        let mut words: Vec<String> = phrase.split_whitespace().map(str::to_owned).collect();
        let noun = words.pop().unwrap_or_default();
        Self { adjectives: words, noun, synonyms: Vec::new() }
    }

    /// The whole name without an article: `small brass key`.
    pub fn phrase(&self) -> String {
        let words = self.adjectives.iter().map(String::as_str);
        words.chain([self.noun.as_str()]).collect::<Vec<_>>().join(" ")
    }
}

/// Traits of an actor, 0 to 100. They move thresholds of rules, never prose.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Persona {
    /// Gives hints for nothing.
    pub kind: u8,
    /// Percent that it asks above the value of what it sells.
    pub greedy: u8,
    /// Comes from next door to see what is loud.
    pub curious: u8,
    /// Leaves the room where somebody smashes or snatches.
    pub timid: u8,
    /// Keeps its place: only what is stronger than this shows.
    pub loyal: u8,
}

/// One room, thing, door or actor: everything about it that never changes.
#[derive(Clone, PartialEq, Debug)]
pub struct Entity {
    /// What it is called.
    pub name: Name,
    /// What one sees on examining it; for a room its description.
    pub text: String,
    /// What is written on it.
    pub writing: String,
    /// How a room tells of it before it was first moved; empty for the usual listing.
    pub first: String,
    /// The lowest entity with the same name: twins can stand for each other.
    pub twin: Ent,
    /// What opens its lock.
    pub key: Ent,
    /// The two rooms that a door joins.
    pub sides: [Ent; 2],
    /// Things that it holds at most; for an actor the size that it can carry.
    pub capacity: u8,
    /// How much of an actor's strength it takes, 1 to 10.
    pub size: u8,
    /// What it is worth, in trade and as a treasure.
    pub value: u8,
    /// The counter of turns that a lamp still burns; `None` for one that burns for ever.
    pub fuel: Option<u8>,
    /// What an appliance makes of food: fried, roasted or grilled.
    pub heat: Bit,
    /// What an actor gladly takes.
    pub wants: Set,
    /// What an actor gives for something of enough value.
    pub sells: Set,
    /// Rooms that an actor walks through, one step every [`Entity::pace`] turns.
    pub patrol: Vec<Ent>,
    /// Turns between two steps of a patrol; 0 stands still.
    pub pace: u8,
    /// Traits of an actor.
    pub persona: Persona,
}

impl Entity {
    /// An entity with this name and nothing special about it.
    pub fn new(phrase: &str) -> Self {
        Self {
            name: Name::of(phrase),
            text: String::new(),
            writing: String::new(),
            first: String::new(),
            twin: NONE,
            key: NONE,
            sides: [NONE; 2],
            capacity: 20,
            size: 1,
            value: 0,
            fuel: None,
            heat: Bit::Fried,
            wants: Set::EMPTY,
            sells: Set::EMPTY,
            patrol: Vec::new(),
            pace: 0,
            persona: Persona::default(),
        }
    }
}
