//! Typed actions: a verb with up to two objects.

use crate::{
    entity::named,
    set::{Ent, NONE},
};

named! {
    /// The canonical verbs. Synonyms and grammar lines that lead to them are data of the parser.
    Verb {
        /// Walk in a direction.
        Go = "go",
        /// See where one is.
        Look = "look",
        /// Look at something.
        Examine = "examine",
        /// See what one carries.
        Inventory = "inventory",
        /// Let a turn pass.
        Wait = "wait",
        /// Pick something up.
        Take = "take",
        /// Put something down.
        Drop = "drop",
        /// Put something into a container.
        PutIn = "put_in",
        /// Put something on a supporter.
        PutOn = "put_on",
        /// Open a door or container.
        Open = "open",
        /// Close a door or container.
        Close = "close",
        /// Unlock something with its key.
        Unlock = "unlock",
        /// Lock something with its key.
        Lock = "lock",
        /// Read what is written.
        Read = "read",
        /// Look for something hidden in, on or behind.
        Search = "search",
        /// Put on a garment.
        Wear = "wear",
        /// Take off a garment.
        Remove = "remove",
        /// Eat.
        Eat = "eat",
        /// Drink.
        Drink = "drink",
        /// Light a lamp, switch a machine on.
        Light = "light",
        /// Put a lamp out, switch a machine off.
        Extinguish = "extinguish",
        /// Cut into slices with something sharp.
        Slice = "slice",
        /// Cut into dice with something sharp.
        Dice = "dice",
        /// Chop with something sharp.
        Chop = "chop",
        /// Cook food with an appliance.
        Cook = "cook",
        /// Put two parts together.
        Combine = "combine",
        /// Push.
        Push = "push",
        /// Pull.
        Pull = "pull",
        /// Turn.
        Turn = "turn",
        /// Give something to somebody.
        Give = "give",
        /// Show something to somebody.
        Show = "show",
        /// Ask somebody about a topic.
        Ask = "ask",
        /// Tell somebody about a topic.
        Tell = "tell",
        /// Offer something of one's own for something that somebody else holds.
        Offer = "offer",
        /// Accept the offer of another seat.
        Accept = "accept",
        /// Decline the offer of another seat.
        Decline = "decline",
        /// Take something out of another seat's hands.
        Steal = "steal",
        /// Attack somebody or something.
        Attack = "attack",
    }
}

named! {
    /// Directions in which exits lead.
    Dir {
        /// North.
        North = "north",
        /// Northeast.
        Northeast = "northeast",
        /// East.
        East = "east",
        /// Southeast.
        Southeast = "southeast",
        /// South.
        South = "south",
        /// Southwest.
        Southwest = "southwest",
        /// West.
        West = "west",
        /// Northwest.
        Northwest = "northwest",
        /// Up.
        Up = "up",
        /// Down.
        Down = "down",
        /// Inside.
        In = "in",
        /// Outside.
        Out = "out",
    }
}

/// The object slot of the first direction; the others follow. Directions lie above every entity.
pub const DIR_BASE: Ent = crate::set::MAX_ENTITIES as Ent;

impl Dir {
    /// The way back.
    pub const fn opposite(self) -> Self {
        match self {
            Self::Up => Self::Down,
            Self::Down => Self::Up,
            Self::In => Self::Out,
            Self::Out => Self::In,
            compass => Self::ALL[(compass as usize + 4) % 8],
        }
    }

    /// Its object slot in an [`Action`].
    pub const fn slot(self) -> Ent {
        DIR_BASE + self as Ent
    }

    /// The direction in this object slot.
    pub fn of_slot(slot: Ent) -> Option<Self> {
        slot.checked_sub(DIR_BASE).and_then(|d| Self::ALL.get(usize::from(d)).copied())
    }
}

/// What goes into an object slot of a verb.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Slot {
    /// Nothing: [`NONE`].
    None,
    /// A direction, see [`Dir::slot`].
    Dir,
    /// An entity.
    Thing,
    /// The index of a topic of the story.
    Topic,
}

/// One move of one actor.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Action {
    /// What is done.
    pub verb: Verb,
    /// To what, or whither; for people verbs of goods ([`Verb::Give`], [`Verb::Show`], [`Verb::Offer`]) the good.
    pub a: Ent,
    /// With, in, on, to, about or for what.
    pub b: Ent,
}

impl Action {
    /// A verb alone.
    pub const fn bare(verb: Verb) -> Self {
        Self { verb, a: NONE, b: NONE }
    }

    /// A verb and one object.
    pub const fn on(verb: Verb, a: Ent) -> Self {
        Self { verb, a, b: NONE }
    }

    /// A verb and two objects.
    pub const fn with(verb: Verb, a: Ent, b: Ent) -> Self {
        Self { verb, a, b }
    }

    /// Verb and objects as one number, different for different actions.
    pub const fn code(self) -> u64 {
        (self.verb as u64) << 16 | (self.a as u64) << 8 | self.b as u64
    }

    /// A walk.
    pub const fn go(dir: Dir) -> Self {
        Self { verb: Verb::Go, a: dir.slot(), b: NONE }
    }
}

/// A set of verbs: those that a story uses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Verbs(u64);

impl Verbs {
    /// Every verb.
    pub const ALL: Self = Self((1 << Verb::COUNT) - 1);
    /// No verb.
    pub const NONE: Self = Self(0);
    /// The verbs that every story has: walking, looking, waiting.
    pub const BASE: Self = Self(
        1 << Verb::Go as u8
            | 1 << Verb::Look as u8
            | 1 << Verb::Examine as u8
            | 1 << Verb::Inventory as u8
            | 1 << Verb::Wait as u8,
    );

    /// These and `verb`.
    #[must_use]
    pub const fn with(self, verb: Verb) -> Self {
        Self(self.0 | 1 << verb as u8)
    }

    /// Whether `verb` is one of them.
    #[inline]
    pub const fn has(self, verb: Verb) -> bool {
        self.0 >> verb as u8 & 1 == 1
    }

    /// These verbs in order.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = Verb> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let verb = *Verb::ALL.get(rest.trailing_zeros() as usize)?;
            rest &= rest - 1;
            Some(verb)
        })
    }
}

const _: () = assert!(Verb::COUNT < 64 && DIR_BASE as usize + Dir::COUNT < NONE as usize);
