//! Development cards.

use crate::chance::Pending;
use crate::counts::{Counts, DevCard, Resource};
use crate::state::{DEV_COST, Phase, State};

impl State {
    pub(super) fn buy_dev(&mut self) {
        self.pay(DEV_COST);
        self.pending = Some(Pending::DevDraw);
    }

    pub(super) fn drawn(&mut self, card: DevCard) {
        let one = Counts::one(card.index());
        self.deck = self.deck.minus(one);
        self.bought = self.bought.plus(one);
        let own = &mut self.seats[usize::from(self.turn)].dev;
        *own = own.plus(one);
    }

    /// Takes the card out of the hand and marks the turn.
    fn play(&mut self, card: DevCard) {
        self.card_played = true;
        let own = &mut self.seats[usize::from(self.turn)];
        own.dev = own.dev.minus(Counts::one(card.index()));
        own.played[card.index()] += 1;
    }

    /// The army counts before the robber moves, so that a knight can win by itself.
    pub(super) fn knight(&mut self) {
        self.play(DevCard::Knight);
        self.award_army();
        self.phase = Phase::MoveRobber;
    }

    pub(super) fn road_building(&mut self) {
        self.play(DevCard::RoadBuilding);
        self.free_roads = 2.min(self.seats[usize::from(self.turn)].roads_left);
        self.phase = Phase::FreeRoads;
    }

    pub(super) fn year_of_plenty(&mut self, first: Resource, second: Option<Resource>) {
        self.play(DevCard::YearOfPlenty);
        let second = second.map_or(Counts::ZERO, |r| Counts::one(r.index()));
        let cards = Counts::one(first.index()).plus(second);
        self.bank = self.bank.minus(cards);
        let own = &mut self.seats[usize::from(self.turn)];
        own.hand = own.hand.plus(cards);
    }

    pub(super) fn monopoly(&mut self, resource: Resource) {
        self.play(DevCard::Monopoly);
        let r = resource.index();
        let mut all = Counts::ZERO;
        for seat in &mut self.seats {
            let cards = Counts::of(r, seat.hand.get(r));
            seat.hand = seat.hand.minus(cards);
            all = all.plus(cards);
        }
        let own = &mut self.seats[usize::from(self.turn)];
        own.hand = own.hand.plus(all);
    }
}
