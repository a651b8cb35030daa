//! Whether one action works now, and if not why.

use super::{
    Refusal,
    table::{Entry, Need, Pair, What, entry},
};
use crate::{
    action::{Action, Dir, Slot, Verb},
    condition::{Binding, all_hold},
    effect::{COOKED, CUT},
    entity::{Attr, Bit},
    scope::Scope,
    set::{Ent, NONE, Set},
    story::{Story, Trigger},
    world::{End, MAX_COUNTERS, World},
};

/// Whether `action` of the actor of `scope` works now.
///
/// # Errors
/// The first thing in the way, in the order of the table. Objects that do not exist count as not seen.
pub fn check(story: &Story, world: &World, scope: &Scope, action: Action) -> Result<(), Refusal> {
    if world.end() != End::Open {
        return Err(Refusal::GameOver);
    }
    if !story.verbs.has(action.verb) {
        return Err(Refusal::Useless);
    }
    let entry = entry(action.verb);
    let around = Around { story, world, scope };
    around.slot(entry.a, entry.need_a, action.a)?;
    around.slot(entry.b, entry.need_b, action.b)?;
    around.together(entry, action)
}

/// The actor's surroundings with the story and the state behind them.
#[derive(Clone, Copy)]
pub(super) struct Around<'a> {
    pub(super) story: &'a Story,
    pub(super) world: &'a World,
    pub(super) scope: &'a Scope,
}

impl Around<'_> {
    /// All entities of which a predicate is true.
    #[inline(always)]
    pub(super) fn set(&self, what: What) -> Set {
        match what {
            What::Attr(attr) => *self.story.all(attr),
            What::Bit(bit) => *self.world.set(bit),
            What::Seen => self.scope.seen,
            What::Reach => self.scope.reach,
            What::Held => self.scope.held,
            What::Me => Set::one(self.scope.me),
            What::Access => *self.world.set(Bit::Open) | !*self.story.all(Attr::Openable),
            What::Cut => CUT.iter().fold(Set::EMPTY, |cut, b| cut | *self.world.set(*b)),
        }
    }

    /// Whether a predicate is true of one entity.
    #[inline]
    fn holds(&self, what: What, e: Ent) -> bool {
        match what {
            What::Attr(attr) => self.story.is(e, attr),
            What::Bit(bit) => self.world.is(e, bit),
            What::Seen => self.scope.seen.has(e),
            What::Reach => self.scope.reach.has(e),
            What::Held => self.scope.held.has(e),
            What::Me => self.scope.me == e,
            What::Access => self.world.is(e, Bit::Open) || !self.story.is(e, Attr::Openable),
            What::Cut => CUT.iter().any(|b| self.world.is(e, *b)),
        }
    }

    fn slot(&self, slot: Slot, needs: &[Need], object: Ent) -> Result<(), Refusal> {
        match slot {
            Slot::None if object == NONE => Ok(()),
            Slot::Dir if Dir::of_slot(object).is_some() => Ok(()),
            Slot::Topic if usize::from(object) < self.story.topics.len() => Ok(()),
            Slot::Thing if usize::from(object) < self.story.len() => needs
                .iter()
                .try_for_each(|n| if self.holds(n.what, object) == n.want { Ok(()) } else { Err(n.or) }),
            Slot::Dir => Err(Refusal::NoExit),
            Slot::Topic => Err(Refusal::NoTopic),
            Slot::None | Slot::Thing => Err(Refusal::NotVisible),
        }
    }

    /// What must hold of both objects, and what the rules of the story forbid.
    #[inline]
    pub(super) fn together(&self, entry: &Entry, action: Action) -> Result<(), Refusal> {
        entry.pairs.iter().try_for_each(|p| self.pair(*p, action))?;
        self.not_forbidden(action)
    }

    /// [`Around::together`] for objects that [`super::admissible`] has narrowed down already: what it has asked of each
    /// alone is not asked again.
    #[inline]
    pub(super) fn together_narrowed(&self, entry: &Entry, action: Action) -> bool {
        entry.pairs.iter().all(|p| p.is_of_one() || self.pair(*p, action).is_ok())
            && self.not_forbidden(action).is_ok()
    }

    /// The binding of `action`.
    pub(super) fn binding(&self, action: Action) -> Binding {
        binding(self.story, self.scope, action)
    }

    fn not_forbidden(&self, action: Action) -> Result<(), Refusal> {
        if !self.story.forbids.has(action.verb) {
            return Ok(());
        }
        match self.forbidding(action) {
            Some(_) => Err(Refusal::Forbidden),
            None => Ok(()),
        }
    }

    /// The rule that forbids `action` now.
    fn forbidding(&self, action: Action) -> Option<usize> {
        self.story.rules.iter().position(|rule| {
            matches!(rule.trigger, Trigger::Forbid(p) if p.fits(action))
                && all_hold(&rule.when, self.story, self.world, &self.binding(action))
        })
    }

    fn pair(&self, pair: Pair, action: Action) -> Result<(), Refusal> {
        let (story, world, scope) = (self.story, self.world, self.scope);
        let (a, b) = (action.a, action.b);
        let ask = |holds: bool, or: Refusal| if holds { Ok(()) } else { Err(or) };
        match pair {
            Pair::Way => {
                let exit = Dir::of_slot(a).map_or(crate::story::NO_EXIT, |d| story.exit(scope.room, d));
                ask(exit.to != NONE, Refusal::NoExit)?;
                let hides = exit.door != NONE && world.is(exit.door, Bit::Hidden);
                ask(!hides, Refusal::NoExit)?;
                ask(exit.door == NONE || world.is(exit.door, Bit::Open), Refusal::DoorClosed)
            }
            Pair::Strength => ask(self.can_carry(scope.me, a), Refusal::HandsFull),
            Pair::Apart => {
                ask(a != b && !world.is_within(b, a), Refusal::InItself)?;
                ask(world.parent(a) != b, Refusal::AlreadyThere)
            }
            Pair::Space => ask(self.has_space(b), Refusal::NoRoom),
            Pair::Key => ask(story.opens(a, b), Refusal::WrongKey),
            Pair::Light => ask(scope.is_lit, Refusal::TooDark),
            Pair::Fuel => ask(self.has_fuel(a), Refusal::NoFuel),
            Pair::Distinct => ask(a != b, Refusal::InItself),
            Pair::Recipe => {
                let recipe = story.recipe(a, b).ok_or(Refusal::NoRecipe)?;
                let fits =
                    |e, bit: Option<Bit>| bit.is_none_or(|bit| world.is(e, bit) && !self.is_spoiled(e, bit));
                ask(fits(a, recipe.bits[0]) && fits(b, recipe.bits[1]), Refusal::Unprepared)
            }
            Pair::Wants => {
                let willing = story.is(b, Attr::Seat) || story.entity(b).wants.has(a);
                ask(willing, Refusal::Unwilling)?;
                ask(!story.is(b, Attr::Seat) || self.can_carry(b, a), Refusal::TheyAreFull)
            }
            Pair::Asked | Pair::Told => {
                let topic = story.topics.get(usize::from(b)).ok_or(Refusal::NoTopic)?;
                let is_told = pair == Pair::Told;
                let comes_up = topic.actor == a
                    && topic.is_told == is_told
                    && all_hold(&topic.when, story, world, &self.binding(action));
                ask(comes_up, Refusal::NoTopic)
            }
            Pair::Trade => self.trade(a, b),
            Pair::Pending => {
                let seat = story.seat_of(scope.me).ok_or(Refusal::NoOffer)?;
                let deal = world.deal(seat);
                ask(deal.from == a, Refusal::NoOffer)?;
                // Declining works even when the offer cannot be kept any more.
                let can_be_kept = world.parent(deal.give) == a && world.parent(deal.want) == scope.me;
                ask(action.verb == Verb::Decline || can_be_kept, Refusal::OfferGone)
            }
            Pair::Theft => {
                let holder = world.parent(a);
                ask(holder != NONE && story.is(holder, Attr::Seat), Refusal::Honest)?;
                ask(self.can_carry(scope.me, a), Refusal::HandsFull)
            }
        }
    }

    fn trade(&self, a: Ent, b: Ent) -> Result<(), Refusal> {
        let (story, world) = (self.story, self.world);
        let holder = world.parent(b);
        if holder == NONE || !story.is(holder, Attr::Actor) || holder == self.scope.me {
            return Err(Refusal::Nobodys);
        }
        if !self.scope.reach.has(holder) {
            return Err(Refusal::OutOfReach);
        }
        if story.is(holder, Attr::Seat) {
            return Ok(());
        }
        let seller = story.entity(holder);
        if !seller.sells.has(b) {
            return Err(Refusal::NotForSale);
        }
        let paid = u32::from(story.entity(a).value) * 100;
        let asked = u32::from(story.entity(b).value) * (100 + u32::from(seller.persona.greedy));
        if paid < asked { Err(Refusal::TooLittle) } else { Ok(()) }
    }

    /// Whether `actor` can carry `thing` besides what it holds.
    fn can_carry(&self, actor: Ent, thing: Ent) -> bool {
        u32::from(self.story.entity(thing).size) <= self.strength_left(actor)
    }

    /// The size of what `actor` can carry besides what it holds.
    pub(super) fn strength_left(&self, actor: Ent) -> u32 {
        let story = self.story;
        let held = self.world.inside(actor, story.len());
        let worn = self.world.set(Bit::Worn);
        let weight = |e: Ent| if worn.has(e) { 0 } else { u32::from(story.entity(e).size) };
        let carried: u32 = held.iter().map(weight).sum();
        u32::from(story.entity(actor).capacity).saturating_sub(carried)
    }

    /// Whether there is room for one thing more in or on `place`.
    pub(super) fn has_space(&self, place: Ent) -> bool {
        self.world.count_inside(place, self.story.len()) < usize::from(self.story.entity(place).capacity)
    }

    pub(super) fn has_fuel(&self, lamp: Ent) -> bool {
        let fuel = self.story.entity(lamp).fuel;
        fuel.is_none_or(|c| usize::from(c) < MAX_COUNTERS && self.world.counter(c) > 0)
    }

    /// Whether a prepared ingredient was cooked once too often.
    fn is_spoiled(&self, e: Ent, wanted: Bit) -> bool {
        COOKED.iter().any(|&b| b == Bit::Burned && wanted != Bit::Burned && self.world.is(e, b))
    }
}

/// The binding of an action of the actor of `scope`.
pub(crate) fn binding(story: &Story, scope: &Scope, action: Action) -> Binding {
    let dest = match (action.verb, Dir::of_slot(action.a)) {
        (Verb::Go, Some(dir)) => story.exit(scope.room, dir).to,
        _ => NONE,
    };
    Binding { me: scope.me, a: action.a, b: action.b, dest }
}

/// The rule that forbids `action` now, by index: its text says why.
pub fn forbidding(story: &Story, world: &World, scope: &Scope, action: Action) -> Option<usize> {
    Around { story, world, scope }.forbidding(action)
}
