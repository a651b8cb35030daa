//! The rules: one decision, one chance outcome at a time.

mod build;
mod dev;
mod legal;
mod production;
mod robber;
mod scoring;
mod trade;
mod why;

use crate::action::{Action, ActionId};
use crate::chance::{ImpossibleOutcome, Outcome, Outcomes, Pending};
use crate::counts::{DevCard, Resource};
use crate::error::IllegalAction;
use crate::state::{GameOutcome, LOG, Phase, Record, State};

pub(crate) use scoring::{LEAST_ARMY, LEAST_ROAD};
pub use trade::OfferError;

/// What a call of [`State::step`] did; the details are in [`State::recent`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StepEvents {
    /// Decisions taken: 1, more where `auto_advance` took forced ones.
    pub decisions: u32,
    /// Whether the game is over now.
    pub is_over: bool,
}

impl State {
    /// Takes one decision of the actor and lets the state's own generator decide what chance has to.
    ///
    /// # Errors
    /// An illegal action (or any action while chance is pending or the game is over); the state is unchanged.
    #[inline]
    pub fn step(&mut self, action: ActionId) -> Result<StepEvents, IllegalAction> {
        let before = self.steps;
        self.decide(action)?;
        self.settle();
        if self.config.auto_advance {
            while let Some(forced) = self.legal.only() {
                self.perform(forced);
                self.settle();
            }
        }
        Ok(StepEvents { decisions: self.steps - before, is_over: self.outcome.is_some() })
    }

    /// Takes one decision and stops where chance is due: then [`State::pending`] is set and
    /// [`State::resolve`] must follow. Never takes forced decisions by itself.
    ///
    /// # Errors
    /// As [`State::step`].
    #[inline]
    pub fn decide(&mut self, action: ActionId) -> Result<Option<Pending>, IllegalAction> {
        if !self.legal.contains(action) {
            return Err(self.refusal(action));
        }
        self.perform(action);
        Ok(self.pending)
    }

    /// Lets chance come out as given.
    ///
    /// # Errors
    /// When nothing is pending or the outcome is impossible (dice outside 1..=6, a card not there); the state
    /// is unchanged.
    pub fn resolve(&mut self, outcome: Outcome) -> Result<(), ImpossibleOutcome> {
        let possible = match (self.pending, outcome) {
            (Some(Pending::Roll), Outcome::Dice(a, b)) => (1..=6).contains(&a) && (1..=6).contains(&b),
            (Some(Pending::DevDraw), Outcome::Drawn(card)) => self.deck.get(card.index()) > 0,
            (Some(Pending::Steal { victim }), Outcome::Stolen(r)) => {
                self.seats[usize::from(victim)].hand.get(r.index()) > 0
            }
            _ => false,
        };
        if !possible {
            return Err(ImpossibleOutcome { outcome, pending: self.pending });
        }
        self.happen(outcome);
        Ok(())
    }

    /// Draws the outcome of the pending event from the state's generator: uniform over dice faces, cards of the
    /// deck, or cards of the victim. `Certain` (and nothing drawn) when nothing is pending.
    #[inline]
    pub fn sample(&mut self) -> Outcome {
        match self.pending {
            None => Outcome::Certain,
            Some(Pending::Roll) => {
                let first = self.rng.below(6) as u8;
                Outcome::Dice(first + 1, self.rng.below(6) as u8 + 1)
            }
            Some(Pending::DevDraw) => {
                let at = self.rng.below(self.deck.total().into()) as u8;
                Outcome::Drawn(DevCard::ALL[self.deck.kind_at(at)])
            }
            Some(Pending::Steal { victim }) => {
                let hand = self.seats[usize::from(victim)].hand;
                let at = self.rng.below(hand.total().into()) as u8;
                Outcome::Stolen(Resource::from_index(hand.kind_at(at)))
            }
        }
    }

    /// All outcomes of the pending event with probabilities; empty when nothing is pending.
    pub fn outcomes(&self) -> Outcomes {
        let mut out = Outcomes::NONE;
        let mut cards = |counts: crate::Counts, make: &dyn Fn(usize) -> Outcome| {
            for k in (0..5).filter(|&k| counts.get(k) > 0) {
                out.push(make(k), f64::from(counts.get(k)) / f64::from(counts.total()));
            }
        };
        match self.pending {
            None => {}
            Some(Pending::Roll) => {
                for sum in 2..=12u8 {
                    let low = sum.saturating_sub(6).max(1);
                    let ways = 6 - sum.abs_diff(7);
                    out.push(Outcome::Dice(low, sum - low), f64::from(ways) / 36.0);
                }
            }
            Some(Pending::DevDraw) => cards(self.deck, &|k| Outcome::Drawn(DevCard::ALL[k])),
            Some(Pending::Steal { victim }) => {
                cards(self.seats[usize::from(victim)].hand, &|k| Outcome::Stolen(Resource::from_index(k)));
            }
        }
        out
    }

    #[inline]
    fn settle(&mut self) {
        if self.pending.is_some() {
            let outcome = self.sample();
            self.happen(outcome);
        }
    }

    /// Applies a legal action.
    fn perform(&mut self, id: ActionId) {
        let Some(action) = id.action() else { return };
        self.log[self.steps as usize % LOG] =
            Record { seat: self.actor, action: id, outcome: Outcome::Certain };
        self.steps += 1;
        match action {
            Action::Settlement(node) => self.settlement(node),
            Action::City(node) => self.city(node),
            Action::Road(edge) => self.road(edge),
            Action::Roll => self.pending = Some(Pending::Roll),
            Action::EndTurn => self.end_turn(),
            Action::BuyDev => self.buy_dev(),
            Action::Knight => self.knight(),
            Action::RoadBuilding => self.road_building(),
            Action::YearOfPlenty(r, s) => self.year_of_plenty(r, Some(s)),
            Action::YearOfPlentyOne(r) => self.year_of_plenty(r, None),
            Action::Monopoly(r) => self.monopoly(r),
            Action::Robber { tile, victim } => self.move_robber(tile, victim),
            Action::Discard(r) => self.discard(r),
            Action::Bank { rate, give, want } => self.bank_trade(rate, give, want),
            Action::OfferGive(r) => self.draft_give(r),
            Action::OfferWant(r) => self.draft_want(r),
            Action::OfferSend => self.send_draft(),
            Action::OfferDrop => self.drop_draft(),
            Action::Accept => self.answer(true),
            Action::Reject => self.answer(false),
            Action::Counter => self.start_counter(),
            Action::Confirm(offset) => self.confirm(offset),
            Action::CancelTrade => self.close_trade(),
        }
        self.close_step();
    }

    /// Applies a possible outcome of the pending event.
    fn happen(&mut self, outcome: Outcome) {
        self.log[(self.steps as usize - 1) % LOG].outcome = outcome;
        match (self.pending.take(), outcome) {
            (Some(Pending::Steal { victim }), Outcome::Stolen(resource)) => self.stolen(victim, resource),
            (_, Outcome::Dice(a, b)) => self.rolled(a, b),
            (_, Outcome::Drawn(card)) => self.drawn(card),
            _ => {}
        }
        self.close_step();
    }

    /// Looks for a winner, then renews the legal set.
    #[inline]
    fn close_step(&mut self) {
        if self.pending.is_none() {
            self.check_winner();
        }
        self.refresh();
    }

    fn end_turn(&mut self) {
        self.turns += 1;
        self.turn = (self.turn + 1) % self.config.seats;
        self.actor = self.turn;
        self.phase = Phase::BeforeRoll;
        self.rolled = false;
        self.card_played = false;
        self.bought = crate::Counts::ZERO;
        self.offers_made = 0;
        self.check_winner();
        self.check_turn_cap();
    }

    fn check_turn_cap(&mut self) {
        let setup_turns = 2 * u32::from(self.config.seats) - 2;
        let capped = self.config.turn_cap > 0 && self.turns >= self.config.turn_cap;
        let limited = self.config.compat.turn_limit_1000 && self.turns + setup_turns >= 1000;
        if self.outcome.is_none() && (capped || limited) {
            self.finish(GameOutcome::Truncated);
        }
    }

    fn finish(&mut self, outcome: GameOutcome) {
        self.outcome = Some(outcome);
        self.phase = Phase::Over;
    }

    /// Back to the seat on turn after a card or a robber move.
    fn resume_turn(&mut self) {
        self.actor = self.turn;
        self.phase = if self.rolled { Phase::Main } else { Phase::BeforeRoll };
    }
}
