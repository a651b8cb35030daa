//! Hand-made positions for tests; not part of the public interface.

use crate::board::Board;
use crate::counts::{Counts, DevCard};
use crate::options::Config;
use crate::state::{Phase, State};
use crate::topology::{NodeId, Seat, TileId, edge_between};
use rl_gym::Pcg64;

/// Builds a position piece by piece; every setter keeps caches, bank and deck consistent.
pub struct Position {
    state: State,
}

impl Position {
    /// An empty board, seat 0 to roll, setup done.
    pub fn new(config: &Config, board: Board) -> Self {
        let mut state =
            State::on_board(config, board, Pcg64::seed(0)).expect("test configurations are valid");
        state.placed = 2 * state.config.seats;
        state.phase = Phase::BeforeRoll;
        Self { state }
    }

    /// Roads of `seat` along a path of nodes.
    pub fn roads(mut self, seat: Seat, path: &[NodeId]) -> Self {
        for pair in path.windows(2) {
            let edge = edge_between(pair[0], pair[1]).expect("neighbouring nodes");
            self.state.place_road(seat, edge);
        }
        self
    }

    /// A settlement, wherever it is (the distance rule is not checked).
    pub fn settlement(mut self, seat: Seat, node: NodeId) -> Self {
        self.state.place_settlement(seat, node);
        self
    }

    /// A city with its settlement returned.
    pub fn city(mut self, seat: Seat, node: NodeId) -> Self {
        self.state.place_settlement(seat, node);
        self.state.place_city(seat, node);
        self
    }

    /// The hand of `seat`, taken from the bank.
    pub fn hand(mut self, seat: Seat, cards: [u8; 5]) -> Self {
        let hand = &mut self.state.seats[usize::from(seat)].hand;
        self.state.bank = self.state.bank.plus(*hand).minus(Counts::new(cards));
        *hand = Counts::new(cards);
        self
    }

    /// Leaves `cards` in the bank; the rest goes to `seat` on top of its hand.
    pub fn drain_bank(mut self, seat: Seat, cards: [u8; 5]) -> Self {
        let gone = self.state.bank.minus(Counts::new(cards));
        let hand = &mut self.state.seats[usize::from(seat)].hand;
        *hand = hand.plus(gone);
        self.state.bank = Counts::new(cards);
        self
    }

    /// Unplayed development cards of `seat`, taken from the deck.
    pub fn dev(mut self, seat: Seat, card: DevCard, count: u8) -> Self {
        let cards = Counts::of(card.index(), count);
        self.state.deck = self.state.deck.minus(cards);
        let own = &mut self.state.seats[usize::from(seat)].dev;
        *own = own.plus(cards);
        self
    }

    /// Development cards of the seat on turn, bought this turn.
    pub fn bought(mut self, card: DevCard, count: u8) -> Self {
        self.state.bought = self.state.bought.plus(Counts::of(card.index(), count));
        let seat = self.state.turn;
        self.dev(seat, card, count)
    }

    /// Knights played by `seat`; the army card goes to whoever passes three first.
    pub fn knights(mut self, seat: Seat, count: u8) -> Self {
        self.state.deck = self.state.deck.minus(Counts::of(0, count));
        self.state.seats[usize::from(seat)].played[0] += count;
        let turn = std::mem::replace(&mut self.state.turn, seat);
        self.state.award_army();
        self.state.turn = turn;
        self
    }

    /// Empties the deck into `seat`'s *played* pile (knights and so on) except for `left`.
    pub fn deck(mut self, seat: Seat, left: [u8; 5]) -> Self {
        let gone = self.state.deck.minus(Counts::new(left));
        let own = &mut self.state.seats[usize::from(seat)];
        (0..4).for_each(|k| own.played[k] += gone.get(k));
        own.dev = own.dev.plus(Counts::of(4, gone.get(4)));
        self.state.deck = Counts::new(left);
        self
    }

    /// Where the robber stands.
    pub fn robber(mut self, tile: TileId) -> Self {
        self.state.robber = tile;
        self
    }

    /// The seat on turn, before its roll.
    pub fn turn(mut self, seat: Seat) -> Self {
        (self.state.turn, self.state.actor) = (seat, seat);
        self
    }

    /// The seat on turn has rolled.
    pub fn rolled(mut self) -> Self {
        self.state.rolled = true;
        self.state.phase = Phase::Main;
        self
    }

    /// Measures all roads and gives the longest road card by the rules, from its present holder on.
    pub fn road_card(mut self) -> Self {
        (0..self.state.config.seats).for_each(|s| self.state.measure(s));
        self.state.award_road();
        self
    }

    /// The finished position.
    pub fn build(mut self) -> State {
        for s in 0..self.state.config.seats {
            self.state.measure(s);
        }
        self.state.refresh();
        self.state
    }

    /// The finished position, with cards moved between hands in the middle of a trade.
    pub fn move_cards(state: &mut State, from: Seat, to: Seat, cards: [u8; 5]) {
        let cards = Counts::new(cards);
        let hand = &mut state.seats[usize::from(from)].hand;
        *hand = hand.minus(cards);
        let hand = &mut state.seats[usize::from(to)].hand;
        *hand = hand.plus(cards);
        state.refresh();
    }
}

/// Legal set of `state` computed afresh; equals [`State::legal`] unless a cache is wrong.
pub fn recompute_legal(state: &State) -> crate::LegalMask {
    let mut copy = *state;
    copy.refresh();
    copy.legal
}
