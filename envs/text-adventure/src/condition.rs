//! Conditions of rules and topics: a closed vocabulary of named predicates.

use crate::{
    entity::{Attr, Bit},
    scope::Scope,
    set::{Ent, NONE},
    story::Story,
    world::World,
};

/// Whom or what a condition or effect is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Term {
    /// This entity.
    Ent(Ent),
    /// The first object of the action.
    A,
    /// The second object of the action.
    B,
    /// Whoever acts.
    Me,
    /// The room of whoever acts.
    Here,
    /// Where the action leads (walking).
    Dest,
    /// Out of play.
    Nowhere,
}

/// What may hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pred {
    /// The first lies directly in, on or with the second. `At(x, Me)`: one holds it.
    At(Term, Term),
    /// The first lies within the second at any depth.
    Within(Term, Term),
    /// An attribute, fixed by the story.
    Is(Term, Attr),
    /// A bit of the state.
    Has(Term, Bit),
    /// A flag is raised.
    Flag(u8),
    /// A counter has at least this value.
    AtLeast(u8, i16),
    /// A topic was spoken of.
    Learned(u8),
    /// A rule has fired.
    Fired(u8),
    /// Whoever acts sees it.
    Visible(Term),
    /// Whoever acts can touch it.
    Reachable(Term),
    /// There is light where whoever acts is.
    Lit,
    /// Both are the same.
    Same(Term, Term),
    /// So many turns have passed.
    Turn(u16),
    /// Whoever acts has at least so many points.
    Score(i16),
}

/// A predicate that must hold, or must not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cond {
    /// The predicate.
    pub pred: Pred,
    /// Whether it must hold.
    pub want: bool,
}

impl Cond {
    /// `pred` must hold.
    pub const fn yes(pred: Pred) -> Self {
        Self { pred, want: true }
    }

    /// `pred` must not hold.
    pub const fn no(pred: Pred) -> Self {
        Self { pred, want: false }
    }
}

/// What terms stand for in one action.
#[derive(Clone, Copy, Debug)]
pub struct Binding {
    /// Whoever acts.
    pub me: Ent,
    /// The first object.
    pub a: Ent,
    /// The second object.
    pub b: Ent,
    /// Where the action leads.
    pub dest: Ent,
}

impl Binding {
    /// Nobody in particular acts: for rules of the turn.
    pub const fn of(me: Ent) -> Self {
        Self { me, a: NONE, b: NONE, dest: NONE }
    }

    /// The entity that `term` stands for now.
    #[inline]
    pub fn resolve(&self, world: &World, term: Term) -> Ent {
        match term {
            Term::Ent(e) => e,
            Term::A => self.a,
            Term::B => self.b,
            Term::Me => self.me,
            Term::Here => world.outermost(self.me),
            Term::Dest => self.dest,
            Term::Nowhere => NONE,
        }
    }
}

/// Whether all of `conds` hold. Slots that hold no entity make a predicate about them false.
pub fn all_hold(conds: &[Cond], story: &Story, world: &World, binding: &Binding) -> bool {
    conds.iter().all(|c| holds(c.pred, story, world, binding) == c.want)
}

fn holds(pred: Pred, story: &Story, world: &World, binding: &Binding) -> bool {
    let get = |term| binding.resolve(world, term);
    let known = |e: Ent| usize::from(e) < story.len();
    match pred {
        Pred::At(x, place) => {
            let (x, place) = (get(x), get(place));
            known(x) && world.parent(x) == place
        }
        Pred::Within(x, place) => {
            let (x, place) = (get(x), get(place));
            known(x) && known(place) && world.is_within(x, place)
        }
        Pred::Is(x, attr) => {
            let x = get(x);
            known(x) && story.is(x, attr)
        }
        Pred::Has(x, bit) => {
            let x = get(x);
            known(x) && world.is(x, bit)
        }
        Pred::Flag(flag) => world.flag(flag),
        Pred::AtLeast(counter, n) => world.counter(counter) >= n,
        Pred::Learned(topic) => world.has_learned(topic),
        Pred::Fired(rule) => world.has_fired(rule),
        Pred::Visible(x) => {
            let x = get(x);
            known(x) && Scope::of(story, world, binding.me).seen.has(x)
        }
        Pred::Reachable(x) => {
            let x = get(x);
            known(x) && Scope::of(story, world, binding.me).reach.has(x)
        }
        Pred::Lit => Scope::of(story, world, binding.me).is_lit,
        Pred::Same(x, y) => get(x) == get(y),
        Pred::Turn(n) => world.turn() >= n,
        Pred::Score(n) => story.seat_of(binding.me).is_some_and(|seat| world.score(seat) >= n),
    }
}
