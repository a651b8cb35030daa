//! The table of predicates.

use crate::{
    action::{Action, Dir, Verb},
    effect::{COOKED, CUT},
    entity::{Attr, Bit},
    rules,
    scope::Scope,
    set::{Ent, NONE, Set},
    story::Story,
    world::{End, World},
};

/// What an argument is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arg {
    /// A room, thing, door or actor.
    Entity,
    /// A direction.
    Dir,
    /// A flag of the story.
    Flag,
    /// A counter of the story.
    Counter,
    /// A topic, by its first word.
    Topic,
    /// A whole number.
    Number,
}

impl Arg {
    /// In the words of the pages.
    pub const fn words(self) -> &'static str {
        ["entity", "direction", "flag", "counter", "topic", "number"][self as usize]
    }
}

/// What a seat may know of a predicate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Knowledge {
    /// Always: it is about the seat itself or the whole game.
    Always,
    /// While everything that it is about is in sight.
    InSight,
    /// What it remembers of the things it was told about: always, even of what is out of sight.
    Memory,
    /// Never: it is the author's own bookkeeping.
    Author,
}

impl Knowledge {
    /// In the words of the pages.
    pub const fn words(self) -> &'static str {
        ["always", "in sight", "always (memory)", "never"][self as usize]
    }
}

/// A state seen by one seat.
#[derive(Clone, Copy)]
pub(super) struct Case<'a> {
    pub(super) story: &'a Story,
    pub(super) world: &'a World,
    pub(super) seat: usize,
    pub(super) scope: &'a Scope,
}

impl Case<'_> {
    fn is(&self, e: i32, bit: Bit) -> bool {
        self.world.is(e as Ent, bit)
    }

    fn any(&self, e: i32, bits: &[Bit]) -> bool {
        bits.iter().any(|b| self.is(e, *b))
    }

    fn attr(&self, e: i32, attr: Attr) -> bool {
        self.story.is(e as Ent, attr)
    }

    fn works(&self, action: Action) -> bool {
        rules::check(self.story, self.world, self.scope, action).is_ok()
    }
}

/// One predicate.
#[derive(Clone, Copy)]
pub struct Predicate {
    /// Its name.
    pub name: &'static str,
    /// What its arguments are.
    pub args: &'static [Arg],
    /// What a seat may know of it.
    pub knowledge: Knowledge,
    /// What it means.
    pub meaning: &'static str,
    pub(super) test: fn(&Case<'_>, &[i32]) -> bool,
}

impl std::fmt::Debug for Predicate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.name, self.args.len())
    }
}

const E: &[Arg] = &[Arg::Entity];
const EE: &[Arg] = &[Arg::Entity, Arg::Entity];
const N: &[Arg] = &[Arg::Number];

macro_rules! predicates {
    ($($name:ident $args:expr, $knowledge:ident, $meaning:literal, $test:expr;)*) => {
        /// Every predicate.
        pub const PREDICATES: &[Predicate] = &[$(Predicate {
            name: stringify!($name),
            args: $args,
            knowledge: Knowledge::$knowledge,
            meaning: $meaning,
            test: $test,
        }),*];
    };
}

predicates! {
    holding E, Always, "the seat holds it, worn things included", |c, x| c.scope.held.has(x[0] as Ent);
    carrying E, Always, "the seat carries it at any depth", |c, x| c.world.is_within(x[0] as Ent, c.scope.me);
    at E, Always, "the seat is in this room", |c, x| i32::from(c.scope.room) == x[0];
    here E, InSight, "it is in the seat's room, at any depth", |c, x| c.world.is_within(x[0] as Ent, c.scope.room);
    in EE, InSight, "the first lies directly in the second, a container or room", |c, x| {
        i32::from(c.world.parent(x[0] as Ent)) == x[1] && !c.attr(x[1], Attr::Supporter)
    };
    on EE, InSight, "the first lies directly on the second, a supporter", |c, x| {
        i32::from(c.world.parent(x[0] as Ent)) == x[1] && c.attr(x[1], Attr::Supporter)
    };
    within EE, InSight, "the first lies in the second at any depth", |c, x| c.world.is_within(x[0] as Ent, x[1] as Ent);
    held_by EE, InSight, "the first is in the hands of the second", |c, x| {
        i32::from(c.world.parent(x[0] as Ent)) == x[1] && c.attr(x[1], Attr::Actor)
    };
    visible E, Always, "the seat sees it now", |c, x| c.scope.seen.has(x[0] as Ent);
    reachable E, Always, "the seat can touch it now", |c, x| c.scope.reach.has(x[0] as Ent);
    open E, InSight, "it is open", |c, x| c.is(x[0], Bit::Open);
    closed E, InSight, "it can be opened and is closed", |c, x| c.attr(x[0], Attr::Openable) && !c.is(x[0], Bit::Open);
    locked E, InSight, "it is locked", |c, x| c.is(x[0], Bit::Locked);
    unlocked E, InSight, "it has a lock and is not locked", |c, x| c.attr(x[0], Attr::Lockable) && !c.is(x[0], Bit::Locked);
    lit E, InSight, "it is lit or runs", |c, x| c.is(x[0], Bit::On);
    light &[], Always, "there is light where the seat is", |c, _| c.scope.is_lit;
    dark &[], Always, "there is no light where the seat is", |c, _| !c.scope.is_lit;
    seen E, Memory, "the seat has seen it before", |c, x| c.world.known(c.seat).has(x[0] as Ent);
    visited E, Memory, "the seat has been in this room with light", |c, x| {
        c.story.is_room(x[0] as Ent) && c.world.known(c.seat).has(x[0] as Ent)
    };
    rooms_visited N, Memory, "the seat has been in at least so many rooms", |c, x| {
        (*c.world.known(c.seat) & Set::below(c.story.rooms.into())).len() as i32 >= x[0]
    };
    worn E, InSight, "it is worn", |c, x| c.is(x[0], Bit::Worn);
    wearable E, InSight, "it can be worn", |c, x| c.attr(x[0], Attr::Wearable);
    portable E, InSight, "it can be carried", |c, x| c.attr(x[0], Attr::Portable);
    edible E, InSight, "it can be eaten", |c, x| c.attr(x[0], Attr::Edible);
    broken E, InSight, "it is broken", |c, x| c.is(x[0], Bit::Broken);
    moved E, InSight, "a seat has taken it before", |c, x| c.is(x[0], Bit::Moved);
    fried E, InSight, "it is fried", |c, x| c.is(x[0], Bit::Fried);
    roasted E, InSight, "it is roasted", |c, x| c.is(x[0], Bit::Roasted);
    grilled E, InSight, "it is grilled", |c, x| c.is(x[0], Bit::Grilled);
    burned E, InSight, "it is burned", |c, x| c.is(x[0], Bit::Burned);
    cooked E, InSight, "it was cooked in any way", |c, x| c.any(x[0], &COOKED);
    sliced E, InSight, "it is sliced", |c, x| c.is(x[0], Bit::Sliced);
    diced E, InSight, "it is diced", |c, x| c.is(x[0], Bit::Diced);
    chopped E, InSight, "it is chopped", |c, x| c.is(x[0], Bit::Chopped);
    cut E, InSight, "it was cut in any way", |c, x| c.any(x[0], &CUT);
    following E, InSight, "it goes where a seat goes", |c, x| c.is(x[0], Bit::Following);
    hidden E, Author, "it is not found yet", |c, x| c.is(x[0], Bit::Hidden);
    exit &[Arg::Dir], Always, "an exit leads there from the seat's room", |c, x| {
        let exit = c.story.exit(c.scope.room, Dir::ALL[x[0] as usize]);
        exit.to != NONE && (exit.door == NONE || !c.world.is(exit.door, Bit::Hidden))
    };
    passable &[Arg::Dir], Always, "the seat can walk there now", |c, x| c.works(Action::go(Dir::ALL[x[0] as usize]));
    can_take E, Always, "the seat could pick it up now", |c, x| c.works(Action::on(Verb::Take, x[0] as Ent));
    full &[], Always, "what the seat carries leaves no strength for a thing of size 1", |c, _| {
        let loose = c.scope.held - *c.world.set(Bit::Worn);
        let load: u32 = loose.iter().map(|e| u32::from(c.story.entity(e).size)).sum();
        load >= u32::from(c.story.entity(c.scope.me).capacity)
    };
    wants EE, Author, "the first, an actor, gladly takes the second", |c, x| c.story.entity(x[0] as Ent).wants.has(x[1] as Ent);
    sells EE, Author, "the first, an actor, gives the second for enough value", |c, x| c.story.entity(x[0] as Ent).sells.has(x[1] as Ent);
    knows &[Arg::Topic], Always, "the topic was spoken of", |c, x| c.world.has_learned(x[0] as u8);
    offered &[], Always, "an offer waits for the seat", |c, _| c.world.deal(c.seat) != crate::world::NO_DEAL;
    flag &[Arg::Flag], Author, "a flag of the story is raised", |c, x| c.world.flag(x[0] as u8);
    stage &[Arg::Counter, Arg::Number], Author, "a quest has reached this stage: the counter has at least this value", |c, x| {
        i32::from(c.world.counter(x[0] as u8)) >= x[1]
    };
    counter &[Arg::Counter, Arg::Number], Author, "the counter has exactly this value", |c, x| {
        i32::from(c.world.counter(x[0] as u8)) == x[1]
    };
    score N, Always, "the seat has at least so many points", |c, x| i32::from(c.world.score(c.seat)) >= x[0];
    turn N, Always, "at least so many turns have passed", |c, x| i32::from(c.world.turn()) >= x[0];
    playing &[], Always, "the game goes on", |c, _| c.world.end() == End::Open;
    won &[], Always, "the game is won", |c, _| c.world.end() == End::Won;
    lost &[], Always, "the game is lost", |c, _| c.world.end() == End::Lost;
}
