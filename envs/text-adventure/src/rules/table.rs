//! The table of verbs.

use super::Refusal as R;
use crate::{
    action::{Slot, Verb},
    condition::Term::{A, B, Dest, Here, Me},
    effect::Effect::{self, *},
    entity::{Attr, Bit},
};

/// A predicate of one object, asked about all entities at once as a set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    /// An attribute of the story.
    Attr(Attr),
    /// A bit of the world.
    Bit(Bit),
    /// It can be seen.
    Seen,
    /// It can be touched.
    Reach,
    /// Whoever acts holds it.
    Held,
    /// It is whoever acts.
    Me,
    /// It is open, or is never closed.
    Access,
    /// It was cut.
    Cut,
}

/// What must hold of one object, and the answer when it does not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Need {
    /// The predicate.
    pub what: What,
    /// Whether it must hold.
    pub want: bool,
    /// The answer when it is otherwise.
    pub or: R,
}

/// What must hold of both objects together (or of the one with its surroundings). Each knows its own answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pair {
    /// There is an exit that way and its door is open.
    Way,
    /// One can carry that much more.
    Strength,
    /// The first is not the second and does not hold it, nor lies in it already.
    Apart,
    /// There is room for one thing more in or on the second.
    Space,
    /// The second is the key of the first.
    Key,
    /// There is light.
    Light,
    /// Something is left to burn.
    Fuel,
    /// Both are different.
    Distinct,
    /// A recipe has them in this order and they are prepared as it wants.
    Recipe,
    /// Whoever is given it wants it and can carry it.
    Wants,
    /// The topic is of this person and can come up.
    Asked,
    /// The topic is for this person and can come up.
    Told,
    /// Whoever holds the second would give it for the first.
    Trade,
    /// The first has made an offer that both can keep.
    Pending,
    /// Another seat holds it in plain sight and one can carry it.
    Theft,
}

impl Pair {
    /// Whether it is about one of the objects with its surroundings, so that it can be asked of each candidate alone.
    #[inline]
    pub(super) const fn is_of_one(self) -> bool {
        matches!(self, Self::Strength | Self::Space | Self::Light | Self::Fuel)
    }
}

/// One verb: what it takes, needs and does.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Entry {
    /// The verb.
    pub verb: Verb,
    /// What goes into the first slot.
    pub a: Slot,
    /// What goes into the second slot.
    pub b: Slot,
    /// What must hold of the first object, asked in this order.
    pub need_a: &'static [Need],
    /// What must hold of the second object.
    pub need_b: &'static [Need],
    /// What must hold of both together.
    pub pairs: &'static [Pair],
    /// What it does.
    pub effects: &'static [Effect],
}

/// The entry of a verb.
#[inline]
pub const fn entry(verb: Verb) -> &'static Entry {
    &TABLE[verb as usize]
}

const fn is(what: What, or: R) -> Need {
    Need { what, want: true, or }
}

const fn not(what: What, or: R) -> Need {
    Need { what, want: false, or }
}

const SEEN: Need = is(What::Seen, R::NotVisible);
const REACH: Need = is(What::Reach, R::OutOfReach);
const HELD: Need = is(What::Held, R::NotHeld);
const LOOSE: Need = not(What::Bit(Bit::Worn), R::WornNow);
const OTHER: Need = not(What::Me, R::Yourself);
const ACTOR: Need = is(What::Attr(Attr::Actor), R::NotActor);
const OPENABLE: Need = is(What::Attr(Attr::Openable), R::NotOpenable);
const LOCKABLE: Need = is(What::Attr(Attr::Lockable), R::NotLockable);
const SHARP: &[Need] = &[SEEN, HELD, is(What::Attr(Attr::Sharp), R::NotSharp)];
const CUTTABLE: &[Need] =
    &[SEEN, is(What::Attr(Attr::Cuttable), R::NotCuttable), HELD, not(What::Cut, R::AlreadyCut)];
const SWITCH: Need = is(What::Attr(Attr::Switch), R::NotSwitch);

const fn bare(verb: Verb) -> Entry {
    Entry { verb, a: Slot::None, b: Slot::None, need_a: &[], need_b: &[], pairs: &[], effects: &[] }
}

const fn one(
    verb: Verb,
    need_a: &'static [Need],
    pairs: &'static [Pair],
    effects: &'static [Effect],
) -> Entry {
    Entry { verb, a: Slot::Thing, b: Slot::None, need_a, need_b: &[], pairs, effects }
}

const fn two(
    verb: Verb,
    need_a: &'static [Need],
    need_b: &'static [Need],
    pairs: &'static [Pair],
    effects: &'static [Effect],
) -> Entry {
    Entry { verb, a: Slot::Thing, b: Slot::Thing, need_a, need_b, pairs, effects }
}

/// Every verb, in the order of [`Verb::ALL`].
pub static TABLE: [Entry; Verb::COUNT] = [
    Entry { a: Slot::Dir, pairs: &[Pair::Way], effects: &[Move(Me, Dest)], ..bare(Verb::Go) },
    bare(Verb::Look),
    one(Verb::Examine, &[SEEN, OTHER], &[], &[]),
    bare(Verb::Inventory),
    bare(Verb::Wait),
    one(
        Verb::Take,
        &[
            SEEN,
            OTHER,
            not(What::Attr(Attr::Actor), R::Somebody),
            is(What::Attr(Attr::Portable), R::Fixed),
            not(What::Held, R::AlreadyHeld),
            REACH,
        ],
        &[Pair::Strength],
        &[Move(A, Me), Set(Bit::Moved, A)],
    ),
    one(Verb::Drop, &[SEEN, HELD, LOOSE], &[], &[Move(A, Here)]),
    two(
        Verb::PutIn,
        &[SEEN, HELD, LOOSE],
        &[SEEN, is(What::Attr(Attr::Container), R::NotContainer), REACH, is(What::Access, R::ShutTight)],
        &[Pair::Apart, Pair::Space],
        &[Move(A, B)],
    ),
    two(
        Verb::PutOn,
        &[SEEN, HELD, LOOSE],
        &[SEEN, is(What::Attr(Attr::Supporter), R::NotSupporter), REACH],
        &[Pair::Apart, Pair::Space],
        &[Move(A, B)],
    ),
    one(
        Verb::Open,
        &[
            SEEN,
            OPENABLE,
            REACH,
            not(What::Bit(Bit::Open), R::AlreadyOpen),
            not(What::Bit(Bit::Locked), R::LockedShut),
        ],
        &[],
        &[Set(Bit::Open, A)],
    ),
    one(
        Verb::Close,
        &[SEEN, OPENABLE, REACH, is(What::Bit(Bit::Open), R::AlreadyClosed)],
        &[],
        &[Clear(Bit::Open, A)],
    ),
    two(
        Verb::Unlock,
        &[SEEN, LOCKABLE, REACH, is(What::Bit(Bit::Locked), R::AlreadyUnlocked)],
        &[SEEN, HELD],
        &[Pair::Key],
        &[Clear(Bit::Locked, A)],
    ),
    two(
        Verb::Lock,
        &[
            SEEN,
            LOCKABLE,
            REACH,
            not(What::Bit(Bit::Locked), R::AlreadyLocked),
            not(What::Bit(Bit::Open), R::StillOpen),
        ],
        &[SEEN, HELD],
        &[Pair::Key],
        &[Set(Bit::Locked, A)],
    ),
    one(Verb::Read, &[SEEN, is(What::Attr(Attr::Readable), R::NotReadable)], &[Pair::Light], &[]),
    one(Verb::Search, &[SEEN, OTHER, not(What::Attr(Attr::Actor), R::Somebody), REACH], &[], &[Reveal(A)]),
    one(
        Verb::Wear,
        &[
            SEEN,
            is(What::Attr(Attr::Wearable), R::NotWearable),
            HELD,
            not(What::Bit(Bit::Worn), R::AlreadyWorn),
        ],
        &[],
        &[Set(Bit::Worn, A)],
    ),
    one(Verb::Remove, &[SEEN, HELD, is(What::Bit(Bit::Worn), R::NotWorn)], &[], &[Clear(Bit::Worn, A)]),
    one(Verb::Eat, &[SEEN, is(What::Attr(Attr::Edible), R::NotEdible), HELD], &[], &[Vanish(A)]),
    one(Verb::Drink, &[SEEN, is(What::Attr(Attr::Drinkable), R::NotDrinkable), HELD], &[], &[Vanish(A)]),
    one(
        Verb::Light,
        &[SEEN, SWITCH, REACH, not(What::Bit(Bit::On), R::AlreadyOn), not(What::Bit(Bit::Broken), R::Broken)],
        &[Pair::Fuel],
        &[Set(Bit::On, A)],
    ),
    one(
        Verb::Extinguish,
        &[SEEN, SWITCH, REACH, is(What::Bit(Bit::On), R::AlreadyOff)],
        &[],
        &[Clear(Bit::On, A)],
    ),
    two(Verb::Slice, CUTTABLE, SHARP, &[Pair::Distinct], &[Set(Bit::Sliced, A)]),
    two(Verb::Dice, CUTTABLE, SHARP, &[Pair::Distinct], &[Set(Bit::Diced, A)]),
    two(Verb::Chop, CUTTABLE, SHARP, &[Pair::Distinct], &[Set(Bit::Chopped, A)]),
    two(
        Verb::Cook,
        &[
            SEEN,
            is(What::Attr(Attr::Cookable), R::NotCookable),
            HELD,
            not(What::Bit(Bit::Burned), R::AlreadyBurned),
        ],
        &[SEEN, is(What::Attr(Attr::Heat), R::NotHeat), REACH, not(What::Bit(Bit::Broken), R::Broken)],
        &[Pair::Distinct],
        &[Cook(A, B)],
    ),
    two(
        Verb::Combine,
        &[SEEN, is(What::Attr(Attr::Part), R::NoRecipe), HELD],
        &[SEEN, is(What::Attr(Attr::Part), R::NoRecipe), HELD],
        &[Pair::Recipe],
        &[Assemble(A, B)],
    ),
    one(Verb::Push, &[SEEN, is(What::Attr(Attr::Push), R::NotPush), REACH], &[], &[]),
    one(Verb::Pull, &[SEEN, is(What::Attr(Attr::Pull), R::NotPull), REACH], &[], &[]),
    one(Verb::Turn, &[SEEN, is(What::Attr(Attr::Turn), R::NotTurn), REACH], &[], &[]),
    two(Verb::Give, &[SEEN, HELD, LOOSE], &[SEEN, OTHER, ACTOR, REACH], &[Pair::Wants], &[Move(A, B)]),
    two(Verb::Show, &[SEEN, HELD], &[SEEN, OTHER, ACTOR, REACH], &[], &[]),
    Entry { b: Slot::Topic, ..one(Verb::Ask, &[SEEN, OTHER, ACTOR, REACH], &[Pair::Asked], &[]) },
    Entry { b: Slot::Topic, ..one(Verb::Tell, &[SEEN, OTHER, ACTOR, REACH], &[Pair::Told], &[]) },
    two(
        Verb::Offer,
        &[SEEN, HELD, LOOSE],
        &[SEEN, not(What::Held, R::AlreadyHeld)],
        &[Pair::Trade],
        &[Trade(A, B)],
    ),
    one(Verb::Accept, &[SEEN, OTHER, ACTOR, REACH], &[Pair::Pending], &[Settle(A)]),
    one(Verb::Decline, &[SEEN, OTHER, ACTOR, REACH], &[Pair::Pending], &[Refuse]),
    one(
        Verb::Steal,
        &[SEEN, not(What::Held, R::AlreadyHeld), LOOSE],
        &[Pair::Theft],
        &[Move(A, Me), Set(Bit::Moved, A)],
    ),
    one(
        Verb::Attack,
        &[
            SEEN,
            OTHER,
            is(What::Attr(Attr::Fragile), R::Peaceful),
            REACH,
            not(What::Bit(Bit::Broken), R::Broken),
        ],
        &[],
        &[Set(Bit::Broken, A)],
    ),
];

const _: () = {
    let mut i = 0;
    while i < Verb::COUNT {
        assert!(TABLE[i].verb as usize == i, "the table follows the order of the verbs");
        i += 1;
    }
};
