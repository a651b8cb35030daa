//! Trade with other seats: what to offer, when to accept, whom to take.

use super::features::{self, After, Values};
use super::player::{Decider, value};
use super::view::Deals;
use crate::action::{Action, ActionId};
use crate::counts::{Counts, Resource};
use crate::observe::at;
use crate::state::Offer;

/// Most candidate offers: 5 wants times 4 single and 10 double gives.
const CANDIDATES: usize = 70;

impl Decider<'_> {
    /// Gain of own value when `give` leaves the hand and `get` comes.
    fn gain(&self, give: Counts, get: Counts) -> f32 {
        let hand = self.now.hand;
        if !hand.covers(give) {
            return f32::NEG_INFINITY;
        }
        let after = After { hand: hand.minus(give).plus(get), ..self.now };
        let mut x: Values = self.base;
        features::hand(self.view, &after, &mut x);
        value(self.weights, &x) - self.base_value
    }

    /// Gain that a partner at place `k` must bring on top.
    fn aversion(&self, k: usize) -> f32 {
        let share = f32::from(self.view.seats[k].points) / f32::from(self.view.target);
        self.style.leader_aversion * share * share
    }

    /// The offer number `nth` of this turn, best first; `None` when no further one is worth it.
    fn plan(&self, nth: usize) -> Option<Offer> {
        let hand = self.view.hand;
        let held = self.view.held_by_others();
        let mut found = [(f32::NEG_INFINITY, 0, Offer::default()); CANDIDATES];
        let mut count = 0;
        let mut consider = |give: Counts, want: usize| {
            let want = Counts::one(want);
            let gain = self.gain(give, want);
            if gain > self.style.offer_gain {
                found[count] = (gain, count, Offer { give, want });
                count += 1;
            }
        };
        for want in (0..5).filter(|&w| held.get(w) > 0) {
            for g in (0..5).filter(|&g| g != want) {
                let one = Counts::one(g);
                if !hand.covers(one) {
                    continue;
                }
                consider(one, want);
                for h in (g..5).filter(|&h| self.style.offer_two && h != want) {
                    let two = one.plus(Counts::one(h));
                    if hand.covers(two) {
                        consider(two, want);
                    }
                }
            }
        }
        // The best gains first; equal ones keep the order in which they were found.
        let found = &mut found[..count];
        found.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        found.get(nth).map(|f| f.2)
    }

    /// The first step of an offer, when one is worth making and allowed.
    pub(super) fn open_offer(&self) -> Option<u32> {
        let made = self.row[at::offers_made];
        let left = self.row[at::offers_left];
        let allowed = (self.style.offer_eager * f32::from(made + left)).ceil();
        if left == 0 || f32::from(made) >= allowed {
            return None;
        }
        let offer = self.plan(made.into())?;
        self.legal(Action::OfferGive(first(offer.give, Counts::ZERO)?))
    }

    /// The next step of the draft: on with the plan, or drop it.
    pub(super) fn draft(&self) -> u32 {
        let deals = Deals::read(self.row);
        let drop = || self.legal(Action::OfferDrop);
        let step = || {
            let offer = self.plan(usize::from(self.view.offers_made).checked_sub(1)?)?;
            if !offer.give.covers(deals.draft_give) || !offer.want.covers(deals.draft_want) {
                return None;
            }
            if let Some(r) = first(offer.give, deals.draft_give) {
                return self.legal(Action::OfferGive(r));
            }
            match first(offer.want, deals.draft_want) {
                Some(r) => self.legal(Action::OfferWant(r)),
                None => self.legal(Action::OfferSend),
            }
        };
        step().or_else(drop).unwrap_or_else(|| self.first_legal())
    }

    /// Accepts what gains more than the margin and does not help a leader. Never counters.
    pub(super) fn answer(&self) -> u32 {
        let deals = Deals::read(self.row);
        let needed = self.style.accept_gain + self.aversion(self.view.turn);
        let accept = self.gain(deals.want, deals.give) > needed;
        let choice = if accept { self.legal(Action::Accept) } else { None };
        choice.or_else(|| self.legal(Action::Reject)).unwrap_or_else(|| self.first_legal())
    }

    /// A seat that composes a counter offer here was seated in the middle of one: it drops it.
    pub(super) fn counter_draft(&self) -> u32 {
        self.legal(Action::OfferDrop).unwrap_or_else(|| self.first_legal())
    }

    /// Takes the partner that leaves the most, its standing counted; nobody when nothing is gained.
    pub(super) fn confirm(&self) -> u32 {
        let deals = Deals::read(self.row);
        let mut best = (0.0, None);
        for k in 1..self.view.num_seats {
            let Some(id) = self.legal(Action::Confirm(k as u8)) else { continue };
            let (give, get) = if self.row[at::countered + k] == 1 {
                let counter = |at: usize| super::view::counts(self.row, at + 5 * k);
                (counter(at::counter_want), counter(at::counter_give))
            } else {
                (deals.give, deals.want)
            };
            let gain = self.gain(give, get) - self.aversion(k);
            if gain > best.0 {
                best = (gain, Some(id));
            }
        }
        best.1.or_else(|| self.legal(Action::CancelTrade)).unwrap_or_else(|| self.first_legal())
    }

    fn legal(&self, action: Action) -> Option<u32> {
        let ActionId(id) = action.id();
        self.mask.get(id.into()).then_some(id.into())
    }
}

/// The lowest resource of `plan` that `done` lacks.
fn first(plan: Counts, done: Counts) -> Option<Resource> {
    (0..5).find(|&r| done.get(r) < plan.get(r)).map(Resource::from_index)
}
