//! Trade with the bank and between seats.
//!
//! An offer is composed a card at a time in one canonical order: gives by ascending resource, then wants by
//! ascending resource, no resource on both sides. A draft may hold [`MAX_SIDE`] cards a side. Starting one uses
//! up one of the turn's offers, starting a counter uses up the responder's one counter, so play terminates.
//! Every seat sees the bank, so a draft may want only what others hold between them (19 less bank less own).

use crate::counts::{Counts, Resource};
use crate::state::{BANK_EACH, MAX_SIDE, Offer, Phase, State, Trade};
use crate::topology::Seat;

/// An offer that [`State::propose`] refuses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OfferError {
    /// Offers are made by the seat on turn after its roll, outside other decisions.
    #[error("offers are made by the seat on turn after its roll; the phase is {0:?}")]
    WrongPhase(Phase),
    /// Each side needs a card, and no resource may be on both.
    #[error("an offer needs cards on both sides and no resource on both: {0:?}")]
    Shape(Offer),
    /// The proposer does not hold what it gives.
    #[error("the proposer does not hold {0:?}")]
    NotHeld(Counts),
    /// Player trade is off or the turn's offers are used up.
    #[error("player trade is off, or the limit of offers is reached")]
    Limit,
}

impl State {
    pub(super) fn bank_trade(&mut self, rate: u8, give: Resource, want: Resource) {
        self.pay(Counts::of(give.index(), rate));
        let card = Counts::one(want.index());
        self.bank = self.bank.minus(card);
        let own = &mut self.seats[usize::from(self.turn)];
        own.hand = own.hand.plus(card);
    }

    /// Makes a whole offer at once instead of composing it, without the limit of [`MAX_SIDE`] cards.
    ///
    /// Under switch 3 (`offers_not_listed`) it is not counted against the turn's offers. As it is no entry of the
    /// action table, it is neither counted in [`State::steps`] nor logged.
    ///
    /// # Errors
    /// When the rules do not allow the offer; the state is unchanged.
    pub fn propose(&mut self, offer: Offer) -> Result<(), OfferError> {
        let counted = !self.config.compat.offers_not_listed;
        let own = self.seats[usize::from(self.turn)].hand;
        let both = offer.give.at_least(1) & offer.want.at_least(1);
        if self.phase != Phase::Main || self.pending.is_some() {
            return Err(OfferError::WrongPhase(self.phase));
        }
        if !self.config.player_trade || counted && self.offers_made >= self.config.max_offers {
            return Err(OfferError::Limit);
        }
        if offer.give.is_empty() || offer.want.is_empty() || both != 0 {
            return Err(OfferError::Shape(offer));
        }
        if !own.covers(offer.give) {
            return Err(OfferError::NotHeld(offer.give));
        }
        self.offers_made += u8::from(counted);
        self.open_offer(offer);
        self.refresh();
        Ok(())
    }

    pub(super) fn draft_give(&mut self, r: Resource) {
        if self.phase == Phase::Main {
            self.offers_made += 1;
            self.phase = Phase::Draft;
        }
        let draft = &mut self.trade.draft;
        draft.give = draft.give.plus(Counts::one(r.index()));
    }

    pub(super) fn draft_want(&mut self, r: Resource) {
        let draft = &mut self.trade.draft;
        draft.want = draft.want.plus(Counts::one(r.index()));
    }

    pub(super) fn send_draft(&mut self) {
        let draft = self.trade.draft;
        if self.phase == Phase::Draft {
            return self.open_offer(draft);
        }
        self.trade.counters[usize::from(self.actor)] = draft;
        self.trade.countered |= 1 << self.actor;
        self.trade.draft = Offer::default();
        self.ask_after(self.actor);
    }

    pub(super) fn drop_draft(&mut self) {
        if self.phase == Phase::Draft {
            return self.close_trade();
        }
        self.trade.draft = Offer::default();
        self.phase = Phase::Answer;
    }

    fn open_offer(&mut self, offer: Offer) {
        self.trade = Trade { offer, ..Trade::default() };
        let n = self.config.seats;
        match self.config.compat.proposer_answers {
            true if self.turn != 0 => self.ask(0),
            true => self.ask(1),
            false => self.ask((self.turn + 1) % n),
        }
    }

    fn ask(&mut self, seat: Seat) {
        self.actor = seat;
        self.phase = Phase::Answer;
        self.trade.counter_used = false;
    }

    /// Asks the responder after `seat`, or lets the proposer choose.
    fn ask_after(&mut self, seat: Seat) {
        let n = self.config.seats;
        let last = if self.config.compat.proposer_answers { n - 1 } else { (self.turn + n - 1) % n };
        if seat != last {
            return self.ask((seat + 1) % n);
        }
        if self.trade.accepted | self.trade.countered == 0 {
            return self.close_trade();
        }
        self.actor = self.turn;
        self.phase = Phase::Confirm;
    }

    pub(super) fn answer(&mut self, accepts: bool) {
        self.trade.accepted |= u8::from(accepts) << self.actor;
        self.ask_after(self.actor);
    }

    pub(super) fn start_counter(&mut self) {
        self.trade.counter_used = true;
        self.phase = Phase::CounterDraft;
    }

    /// Swaps cards with the seat at `offset`: the offer if it accepted, its counter offer if it countered.
    pub(super) fn confirm(&mut self, offset: u8) {
        let partner = self.seat_at(self.turn, offset);
        let Offer { give, want } = self.deal_with(partner);
        let own = &mut self.seats[usize::from(self.turn)].hand;
        *own = own.minus(give).plus(want);
        let other = &mut self.seats[usize::from(partner)].hand;
        *other = other.minus(want).plus(give);
        self.close_trade();
    }

    /// What the seat on turn would give to and get from `partner`.
    fn deal_with(&self, partner: Seat) -> Offer {
        if self.trade.countered >> partner & 1 == 1 {
            let counter = self.trade.counters[usize::from(partner)];
            Offer { give: counter.want, want: counter.give }
        } else {
            self.trade.offer
        }
    }

    pub(super) fn close_trade(&mut self) {
        self.trade = Trade::default();
        self.resume_turn();
    }

    /// Whether both sides still hold what a confirmation would move.
    pub(super) fn can_confirm(&self, partner: Seat) -> bool {
        let open = (self.trade.accepted | self.trade.countered) >> partner & 1 == 1;
        let Offer { give, want } = self.deal_with(partner);
        open && self.seats[usize::from(self.turn)].hand.covers(give)
            && self.seats[usize::from(partner)].hand.covers(want)
    }

    /// What others than `seat` hold of each resource, as the bank tells.
    fn held_by_others(&self, seat: Seat) -> Counts {
        let known = self.bank.plus(self.seats[usize::from(seat)].hand);
        Counts::splat(BANK_EACH).minus(known)
    }

    /// Whether the seat on turn may start an offer, and resources it may start with.
    pub(super) fn first_gives(&self) -> u32 {
        let on = self.config.player_trade && !self.config.compat.offers_not_listed;
        if on && self.offers_made < self.config.max_offers {
            self.draft_gives(self.turn, &Offer::default())
        } else {
            0
        }
    }

    /// Resources that may be added to the giving side.
    pub(crate) fn draft_gives(&self, seat: Seat, draft: &Offer) -> u32 {
        if !draft.want.is_empty() || draft.give.total() >= MAX_SIDE {
            return 0;
        }
        let own = self.seats[usize::from(seat)].hand;
        let wantable = self.held_by_others(seat).at_least(1);
        let given = draft.give.at_least(1);
        let ascending = !((1 << (32 - given.leading_zeros()).saturating_sub(1)) - 1);
        let more = own.exceeds_or_equals(draft.give.plus(Counts::splat(1)));
        // Something must be left to want that is not on the giving side.
        let mut out = 0;
        let mut left = more & ascending;
        while left != 0 {
            let bit = left & left.wrapping_neg();
            if wantable & !(given | bit) != 0 {
                out |= bit;
            }
            left ^= bit;
        }
        out
    }

    /// Resources that may be added to the wanted side.
    pub(super) fn draft_wants(&self, seat: Seat, draft: &Offer) -> u32 {
        if draft.give.is_empty() || draft.want.total() >= MAX_SIDE {
            return 0;
        }
        let wanted = draft.want.at_least(1);
        let ascending = !((1 << (32 - wanted.leading_zeros()).saturating_sub(1)) - 1);
        let more = self.held_by_others(seat).exceeds_or_equals(draft.want.plus(Counts::splat(1)));
        more & ascending & !draft.give.at_least(1)
    }

    /// Whether the responder asked now may start a counter offer.
    pub(super) fn may_counter(&self) -> bool {
        self.config.counter_offers
            && !self.config.compat.offers_not_listed
            && !self.trade.counter_used
            && self.draft_gives(self.actor, &Offer::default()) != 0
    }
}
