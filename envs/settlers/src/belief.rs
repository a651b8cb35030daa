//! What each seat can know of the others' hands: public memory of a table, beside the rules.
//!
//! Nearly everything that moves resource cards is public: production, payments, discards, bank and player trades,
//! year of plenty and monopoly show in the bank and in the hand sizes. The one hidden transfer is a card stolen
//! between two other seats. So the memory is a list of steals, and between two of them no more than
//!
//! - the public change of each hand,
//! - how far public payments drew a hand down, and what an offer or acceptance showed it to hold (a hand before
//!   must have covered that),
//! - the most that a hand can have held, from a monopoly (a seat that gave nothing more has nothing left) or from
//!   an offer that wants what others must hold.
//!
//! All of it is differences of hands and so the same whatever the hidden cards are. From it [`Filter`] computes,
//! for one viewer, every joint deal of hands that agrees with all that this seat has seen, with its probability:
//! nature's own, each steal taking a uniform card of the victim. What players choose says nothing beyond that
//! the choice was legal. This is the exact posterior of the hands given the public events under that rule.
//!
//! A position put in by hand has no past, so nothing is counted from there on; nor is it once more than
//! [`filter::MOST_WORLDS`] deals agree. [`Belief::worlds`] then says `None`.

mod filter;
mod packed;

pub(crate) use filter::{Filter, World};

use crate::action::{ActionId, at};
use crate::counts::{Counts, Resource};
use crate::state::{BANK_EACH, Phase, State};
use crate::topology::{MAX_SEATS, Seat};
use packed::{Packed, least};
use std::sync::Arc;

/// Steals that a table has room for, 64 bytes each: more than a game of 1000 turns sees. A full list is folded
/// into one list of deals a seat, which alone allocates in a step.
const MOST_STEALS: usize = 256;

/// One value a seat.
pub(crate) type Each<T> = [T; MAX_SEATS];

/// What is public between two steals, as differences to the hands at the start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Span {
    /// Cards that each hand must have held at the start.
    need: Each<Packed>,
    /// Most cards that each hand may have held at the start.
    room: Each<Packed>,
    /// Public change up to the end, modulo 2^40: it wraps where a count falls.
    change: Each<Packed>,
}

/// A stolen card and the public events before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Steal {
    /// What was public before it: [`Span`] in the least memory.
    before: [Each<[u8; 5]>; 3],
    thief: Seat,
    victim: Seat,
    /// Which card; read for the two seats alone.
    card: Resource,
}

/// Where the list of steals starts.
#[derive(Clone, PartialEq, Debug)]
enum Base {
    /// At the start of a game: all hands empty.
    Start,
    /// Unknown past.
    Unknown,
    /// The deals that agree with what each seat saw before; `None` for a seat of which that is not known.
    Worlds(Arc<Each<Option<Vec<World>>>>),
}

/// The public memory of one table. Part of a snapshot.
#[derive(PartialEq, Debug)]
pub(crate) struct Belief {
    base: Base,
    steals: Vec<Steal>,
    /// True hands after the last steal.
    start: Each<Packed>,
    /// Least that each hand has held since, or what it has shown less than that.
    least: Each<Packed>,
    /// As [`Span::room`], since the last steal.
    room: Each<Packed>,
}

impl Clone for Belief {
    fn clone(&self) -> Self {
        Self { base: self.base.clone(), steals: self.steals.clone(), ..*self }
    }

    fn clone_from(&mut self, other: &Self) {
        self.base.clone_from(&other.base);
        self.steals.clone_from(&other.steals);
        (self.start, self.least, self.room) = (other.start, other.least, other.room);
    }
}

fn hands(state: &State) -> Each<Packed> {
    std::array::from_fn(|s| state.seats[s].hand.bits())
}

impl Belief {
    /// The memory of a game that has not begun.
    pub(crate) fn new() -> Self {
        Self {
            base: Base::Start,
            steals: Vec::with_capacity(MOST_STEALS),
            start: [0; MAX_SEATS],
            least: [0; MAX_SEATS],
            room: [packed::MOST; MAX_SEATS],
        }
    }

    /// A game begins: all hands empty.
    pub(crate) fn begin(&mut self) {
        self.restart(Base::Start, [0; MAX_SEATS]);
    }

    /// A position of unknown past.
    pub(crate) fn forget(&mut self, state: &State) {
        self.restart(Base::Unknown, hands(state));
    }

    fn restart(&mut self, base: Base, hands: Each<Packed>) {
        self.base = base;
        self.steals.clear();
        self.begin_span(hands);
    }

    fn begin_span(&mut self, hands: Each<Packed>) {
        (self.start, self.least, self.room) = (hands, hands, [packed::MOST; MAX_SEATS]);
    }

    /// Takes in a decision of `actor` in `phase`; `state` is the one after it.
    #[inline]
    pub(crate) fn decided(&mut self, state: &State, phase: Phase, actor: Seat, action: ActionId) {
        match action.0 {
            at::SETTLEMENT..at::ROLL | at::BUY_DEV | at::DISCARD..at::OFFER_GIVE => {
                self.shown(state, actor, Counts::ZERO);
            }
            at::MONOPOLY..at::ROBBER => self.monopoly(state, (action.0 - at::MONOPOLY).into()),
            at::OFFER_SEND => {
                let is_counter = phase == Phase::CounterDraft;
                let sent =
                    if is_counter { state.trade.counters[usize::from(actor)] } else { state.trade.offer };
                self.shown(state, actor, sent.give);
                let others = Counts::splat(BANK_EACH).minus(state.bank).minus(sent.want);
                self.bounded(state, actor.into(), others.bits());
            }
            at::ACCEPT => self.shown(state, actor, state.trade.offer.want),
            at::CONFIRM..at::CANCEL_TRADE => {
                (0..state.config.seats).for_each(|seat| self.shown(state, seat, Counts::ZERO));
            }
            _ => {}
        }
    }

    /// The hand of `seat` covers `cards`.
    #[inline]
    fn shown(&mut self, state: &State, seat: Seat, cards: Counts) {
        let s = usize::from(seat);
        self.least[s] = least(self.least[s], state.seats[s].hand.minus(cards).bits());
    }

    /// The hand of seat `s` holds at most `most`.
    fn bounded(&mut self, state: &State, s: usize, most: Packed) {
        let at_start = self.start[s].wrapping_add(most).wrapping_sub(state.seats[s].hand.bits());
        self.room[s] = least(self.room[s], at_start);
    }

    /// Every other seat gave all it had of resource `r`.
    fn monopoly(&mut self, state: &State, r: usize) {
        let nothing = Counts::splat(BANK_EACH).minus(Counts::of(r, BANK_EACH)).bits();
        for s in (0..state.num_seats()).filter(|&s| s != usize::from(state.turn)) {
            self.shown(state, s as Seat, Counts::ZERO);
            self.bounded(state, s, nothing);
        }
    }

    /// Takes in a stolen card; `state` is the one after it.
    pub(crate) fn stolen(&mut self, state: &State, victim: Seat, card: Resource, filter: &mut Filter) {
        let after = hands(state);
        let mut before = after;
        packed::give(&mut before, state.turn, victim, card.index());
        if self.steals.len() == MOST_STEALS {
            self.fold(state.num_seats(), filter);
        }
        let before = self.span(before).slim();
        self.steals.push(Steal { before, thief: state.turn, victim, card });
        self.begin_span(after);
    }

    /// What is public since the last steal, up to the hands `now`.
    fn span(&self, now: Each<Packed>) -> Span {
        Span {
            need: std::array::from_fn(|s| self.start[s] - self.least[s]),
            room: self.room,
            change: std::array::from_fn(|s| packed::change(self.start[s], now[s])),
        }
    }

    /// Turns the list of steals into one list of deals a seat.
    fn fold(&mut self, seats: usize, filter: &mut Filter) {
        let lists =
            std::array::from_fn(|v| (v < seats).then(|| self.past(v, filter).map(<[_]>::to_vec)).flatten());
        self.base = Base::Worlds(Arc::new(lists));
        self.steals.clear();
    }

    /// The deals right after the last steal.
    fn past<'a>(&self, viewer: usize, filter: &'a mut Filter) -> Option<&'a [World]> {
        match &self.base {
            Base::Start => filter.run(viewer, None, &self.steals),
            Base::Worlds(lists) => filter.run(viewer, Some(lists[viewer].as_deref()?), &self.steals),
            Base::Unknown => None,
        }
    }

    /// Whether the hands are public knowledge for `viewer` because no card was ever stolen behind its back.
    fn is_open(&self, viewer: usize) -> bool {
        let sees = |steal: &Steal| usize::from(steal.thief) == viewer || usize::from(steal.victim) == viewer;
        self.base == Base::Start && self.steals.iter().all(sees)
    }

    /// The list of `viewer` when nothing has happened since it was made, for it alone.
    fn ready(&self, now: Each<Packed>, viewer: usize) -> Option<&[World]> {
        match &self.base {
            Base::Worlds(lists)
                if self.steals.is_empty()
                    && self.span(now) == Span::STILL
                    && (0..MAX_SEATS).all(|s| s == viewer || lists[s].is_none()) =>
            {
                lists[viewer].as_deref()
            }
            _ => None,
        }
    }

    /// Every deal of hands that agrees with all that `viewer` has seen, with the sum of the chances up to each.
    ///
    /// `None` when that is not known: the past is unknown or too many deals agree.
    pub(crate) fn worlds<'a>(
        &'a self,
        state: &State,
        viewer: usize,
        filter: &'a mut Filter,
    ) -> Option<&'a [World]> {
        let now = hands(state);
        if let Some(worlds) = self.ready(now, viewer) {
            return Some(worlds);
        }
        if self.is_open(viewer) {
            return Some(filter.only(now));
        }
        self.past(viewer, filter)?;
        filter.end(&self.span(now))
    }

    /// Puts the hands of one of [`Belief::worlds`] into `state`, the one at `x` in 0..1 when they lie side by side
    /// by chance, and keeps what `viewer` knows and nothing else. False, and the past forgotten, when the deals
    /// are not known.
    pub(crate) fn redraw(&mut self, state: &mut State, viewer: usize, filter: &mut Filter, x: f64) -> bool {
        let now = hands(state);
        let drawn = if let Some(worlds) = self.ready(now, viewer) {
            filter::pick(worlds, x).hands
        } else {
            let Some(worlds) = self.worlds(state, viewer, filter) else {
                self.forget(state);
                return false;
            };
            let drawn = filter::pick(worlds, x).hands;
            let mut lists = Each::default();
            lists[viewer] = Some(worlds.to_vec());
            self.base = Base::Worlds(Arc::new(lists));
            drawn
        };
        for (seat, hand) in state.seats.iter_mut().zip(drawn) {
            seat.hand = packed::counts(hand);
        }
        self.steals.clear();
        self.begin_span(drawn);
        true
    }
}

impl Span {
    /// Nothing happened.
    const STILL: Self =
        Self { need: [0; MAX_SEATS], room: [packed::MOST; MAX_SEATS], change: [0; MAX_SEATS] };

    fn slim(&self) -> [Each<[u8; 5]>; 3] {
        [self.need, self.room, self.change].map(|hands| hands.map(packed::bytes))
    }

    fn of(slim: &[Each<[u8; 5]>; 3]) -> Self {
        let [need, room, change] = slim.map(|hands| hands.map(|b| Counts::new(b).bits()));
        Self { need, room, change }
    }
}

#[cfg(test)]
mod tests;
