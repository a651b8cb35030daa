//! Why an action that was understood does not happen.

use crate::entity::named;

named! {
    /// Why an action that was understood does not happen. The words for it are data.
    Refusal {
        /// No such thing is to be seen.
        NotVisible = "not_visible",
        /// It is seen, but cannot be touched.
        OutOfReach = "out_of_reach",
        /// One does not hold it.
        NotHeld = "not_held",
        /// One has it already.
        AlreadyHeld = "already_held",
        /// It is worn: take it off first.
        WornNow = "worn_now",
        /// It cannot be carried.
        Fixed = "fixed",
        /// People are not taken.
        Somebody = "somebody",
        /// That is oneself.
        Yourself = "yourself",
        /// Too much to carry.
        HandsFull = "hands_full",
        /// There is no way there.
        NoExit = "no_exit",
        /// The door there is closed.
        DoorClosed = "door_closed",
        /// It cannot be opened or closed.
        NotOpenable = "not_openable",
        /// It is open already.
        AlreadyOpen = "already_open",
        /// It is closed already.
        AlreadyClosed = "already_closed",
        /// It is locked.
        LockedShut = "locked_shut",
        /// It has no lock.
        NotLockable = "not_lockable",
        /// It is locked already.
        AlreadyLocked = "already_locked",
        /// It is unlocked already.
        AlreadyUnlocked = "already_unlocked",
        /// It has to be closed first.
        StillOpen = "still_open",
        /// The key does not fit.
        WrongKey = "wrong_key",
        /// Nothing can be put into it.
        NotContainer = "not_container",
        /// Nothing can be put on it.
        NotSupporter = "not_supporter",
        /// It is closed.
        ShutTight = "shut_tight",
        /// There is no room left in or on it.
        NoRoom = "no_room",
        /// It is there already.
        AlreadyThere = "already_there",
        /// A thing cannot be in itself.
        InItself = "in_itself",
        /// Nothing is written on it.
        NotReadable = "not_readable",
        /// There is no light to read by.
        TooDark = "too_dark",
        /// It is no garment.
        NotWearable = "not_wearable",
        /// It is worn already.
        AlreadyWorn = "already_worn",
        /// It is not worn.
        NotWorn = "not_worn",
        /// It is not for eating.
        NotEdible = "not_edible",
        /// It is not for drinking.
        NotDrinkable = "not_drinkable",
        /// It cannot be lit or switched.
        NotSwitch = "not_switch",
        /// It is on already.
        AlreadyOn = "already_on",
        /// It is off already.
        AlreadyOff = "already_off",
        /// Nothing is left to burn.
        NoFuel = "no_fuel",
        /// It is broken.
        Broken = "broken",
        /// It is not for cutting.
        NotCuttable = "not_cuttable",
        /// It is cut already.
        AlreadyCut = "already_cut",
        /// That does not cut.
        NotSharp = "not_sharp",
        /// It is not for cooking.
        NotCookable = "not_cookable",
        /// It is burned already.
        AlreadyBurned = "already_burned",
        /// That does not cook.
        NotHeat = "not_heat",
        /// These do not go together.
        NoRecipe = "no_recipe",
        /// They go together, but not prepared like this.
        Unprepared = "unprepared",
        /// It cannot be pushed.
        NotPush = "not_push",
        /// It cannot be pulled.
        NotPull = "not_pull",
        /// It cannot be turned.
        NotTurn = "not_turn",
        /// That is nobody.
        NotActor = "not_actor",
        /// They do not want it.
        Unwilling = "unwilling",
        /// They cannot carry more.
        TheyAreFull = "they_are_full",
        /// They have nothing to say about it.
        NoTopic = "no_topic",
        /// It is not to be had.
        NotForSale = "not_for_sale",
        /// That is too little for it.
        TooLittle = "too_little",
        /// It is nobody's.
        Nobodys = "nobodys",
        /// Nobody has offered anything.
        NoOffer = "no_offer",
        /// The offer cannot be kept any more.
        OfferGone = "offer_gone",
        /// Somebody else was quicker.
        TakenFirst = "taken_first",
        /// It is not the way to treat it.
        Peaceful = "peaceful",
        /// Theft is not allowed here.
        Honest = "honest",
        /// That verb does nothing in this story.
        Useless = "useless",
        /// A rule of the story forbids it, and says why.
        Forbidden = "forbidden",
        /// The game is over.
        GameOver = "game_over",
    }
}

/// How far a refused action is from working: among several meanings of a command the best is taken.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Weight {
    /// It makes no sense.
    Refused,
    /// What it would bring about is the case already.
    Already,
}

impl Refusal {
    /// How far it is from working.
    pub const fn weight(self) -> Weight {
        match self {
            Self::AlreadyHeld
            | Self::AlreadyOpen
            | Self::AlreadyClosed
            | Self::AlreadyLocked
            | Self::AlreadyUnlocked
            | Self::AlreadyThere
            | Self::AlreadyWorn
            | Self::NotWorn
            | Self::AlreadyOn
            | Self::AlreadyOff
            | Self::AlreadyCut
            | Self::AlreadyBurned => Weight::Already,
            _ => Weight::Refused,
        }
    }
}
