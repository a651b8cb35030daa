//! The first rule that a refused action breaks; only run after a refusal.

use crate::action::{Action, ActionId};
use crate::counts::{Counts, DevCard};
use crate::error::{IllegalAction, Reason};
use crate::state::{CITY_COST, DEV_COST, Phase, ROAD_COST, SETTLEMENT_COST, State};
use crate::topology::{EdgeId, NodeId};

impl State {
    #[cold]
    pub(super) fn refusal(&self, action: ActionId) -> IllegalAction {
        IllegalAction {
            action,
            actor: self.actor(),
            phase: self.phase,
            step: self.steps,
            reason: self.why_not(action),
            legal: self.legal,
        }
    }

    fn why_not(&self, id: ActionId) -> Reason {
        let Some(action) = id.action() else { return Reason::OutsideTable };
        if self.phase == Phase::Over {
            return Reason::GameOver;
        }
        if self.pending.is_some() {
            return Reason::ChancePending;
        }
        if !belongs(action, self.phase) {
            return Reason::WrongPhase(self.phase);
        }
        let own = &self.seats[usize::from(self.actor)];
        let main = self.phase == Phase::Main;
        match action {
            Action::Settlement(node) => self.why_not_settlement(node, main),
            Action::City(_) if own.cities_left == 0 => Reason::NoPiece,
            Action::City(node) if own.settlements >> node & 1 == 0 => Reason::NoSettlement,
            Action::City(_) => unpaid(own.hand, CITY_COST),
            Action::Road(edge) => self.why_not_road(edge, main),
            Action::BuyDev if self.deck.is_empty() => Reason::BankEmpty,
            Action::BuyDev => unpaid(own.hand, DEV_COST),
            Action::Knight => self.why_not_card(DevCard::Knight),
            Action::RoadBuilding => self.why_not_card(DevCard::RoadBuilding),
            Action::YearOfPlenty(..) | Action::YearOfPlentyOne(_) => self.why_not_card(DevCard::YearOfPlenty),
            Action::Monopoly(_) => self.why_not_card(DevCard::Monopoly),
            Action::Robber { .. } => Reason::Robber,
            Action::Bank { rate, give, want } => {
                if self.bank.get(want.index()) == 0 {
                    Reason::BankEmpty
                } else if own.hand.get(give.index()) < rate {
                    Reason::NotAffordable
                } else {
                    Reason::NoRate
                }
            }
            Action::OfferGive(_) if main && self.first_gives() == 0 => Reason::TradeLimit,
            Action::OfferGive(_) | Action::OfferWant(_) | Action::OfferSend => Reason::Draft,
            Action::Counter => Reason::TradeLimit,
            Action::Confirm(_) => Reason::NothingToConfirm,
            _ => Reason::NotAffordable,
        }
    }

    fn why_not_settlement(&self, node: NodeId, main: bool) -> Reason {
        let own = &self.seats[usize::from(self.actor)];
        match self.building_at(node) {
            _ if self.board.node_set() >> node & 1 == 0 => Reason::OffBoard,
            Some((seat, _)) => Reason::Taken(seat),
            None if self.settleable >> node & 1 == 0 => Reason::TooClose,
            None if main && own.road_nodes >> node & 1 == 0 => Reason::NotConnected,
            None if own.settlements_left == 0 => Reason::NoPiece,
            None => unpaid(own.hand, SETTLEMENT_COST),
        }
    }

    fn why_not_road(&self, edge: EdgeId, main: bool) -> Reason {
        let own = &self.seats[usize::from(self.actor)];
        match self.road_at(edge) {
            _ if self.board.edge_set() >> edge & 1 == 0 => Reason::OffBoard,
            Some(seat) => Reason::Taken(seat),
            None if !main || own.open_roads >> edge & 1 == 0 => Reason::NotConnected,
            None if own.roads_left == 0 => Reason::NoPiece,
            None => unpaid(own.hand, ROAD_COST),
        }
    }

    fn why_not_card(&self, card: DevCard) -> Reason {
        let own = &self.seats[usize::from(self.turn)];
        let k = card.index();
        if self.card_played {
            Reason::CardPlayed
        } else if own.dev.get(k) <= self.bought.get(k) {
            Reason::NoCard
        } else if card == DevCard::RoadBuilding {
            if own.roads_left == 0 { Reason::NoPiece } else { Reason::NoPlace }
        } else {
            Reason::BankEmpty
        }
    }
}

fn unpaid(hand: Counts, cost: Counts) -> Reason {
    debug_assert!(!hand.covers(cost), "{hand:?} covers {cost:?}, yet the action was refused");
    Reason::NotAffordable
}

/// Whether the kind of `action` can be legal in `phase` at all.
fn belongs(action: Action, phase: Phase) -> bool {
    use Phase::*;
    match action {
        Action::Settlement(_) => matches!(phase, SetupSettlement | Main),
        Action::Road(_) => matches!(phase, SetupRoad | FreeRoads | Main),
        Action::City(_) | Action::EndTurn | Action::BuyDev | Action::Bank { .. } => phase == Main,
        Action::Roll => phase == BeforeRoll,
        Action::Knight
        | Action::RoadBuilding
        | Action::YearOfPlenty(..)
        | Action::YearOfPlentyOne(_)
        | Action::Monopoly(_) => matches!(phase, BeforeRoll | Main),
        Action::Robber { .. } => phase == MoveRobber,
        Action::Discard(_) => phase == Discard,
        Action::OfferGive(_) => matches!(phase, Main | Draft | CounterDraft),
        Action::OfferWant(_) | Action::OfferSend | Action::OfferDrop => matches!(phase, Draft | CounterDraft),
        Action::Accept | Action::Reject | Action::Counter => phase == Answer,
        Action::Confirm(_) | Action::CancelTrade => phase == Confirm,
    }
}
