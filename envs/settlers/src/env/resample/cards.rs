//! Redrawing development cards: one pool of unseen cards, dealt evenly.
//!
//! Cards are single pieces, and everybody sees which piece is played; the pieces that nobody has seen then stay
//! exchangeable, those bought this turn like the rest of a hand. That nobody has won tells a little more: a seat
//! hides no more point cards than its present points allow. What its points were in earlier turns (it may have
//! lost the longest road since) is not used.

use super::TRIES;
use crate::counts::{Counts, DevCard};
use crate::state::{DECK, State};
use crate::topology::MAX_SEATS;
use rl_gym::Pcg64;

/// A pool of cards of five kinds, drawn without putting back.
pub(super) struct Pool(pub(super) Counts);

impl Pool {
    pub(super) fn draw(&mut self, count: u8, rng: &mut Pcg64) -> Counts {
        let mut out = Counts::ZERO;
        for _ in 0..count {
            let at = rng.below(self.0.total().into()) as u8;
            let card = Counts::one(self.0.kind_at(at));
            self.0 = self.0.minus(card);
            out = out.plus(card);
        }
        out
    }
}

/// Most victory point cards that a seat may hide while the game goes on.
fn most_hidden_points(state: &State, seat: usize) -> u8 {
    let goal = state.config.victory_points;
    let holds_road = state.road_holder == Some(seat as u8);
    // The longest road may have come to a seat out of its turn; all other points come in its own.
    let is_waiting = holds_road && usize::from(state.turn) != seat && !state.config.compat.win_any_time;
    let spare = if is_waiting { 2 } else { 0 };
    (goal + spare).saturating_sub(state.seats[seat].points + 1)
}

pub(super) fn redraw_cards(state: &mut State, viewer: usize, rng: &mut Pcg64) {
    let n = state.num_seats();
    let played = state.seats.iter().fold(Counts::ZERO, |sum, s| {
        sum.plus(Counts::new([s.played[0], s.played[1], s.played[2], s.played[3], 0]))
    });
    let unseen = DECK.minus(played.plus(state.seats[viewer].dev));
    let points = DevCard::VictoryPoint.index();
    let is_over = state.outcome.is_some();
    for attempt in 0..=TRIES {
        let mut pool = Pool(unseen);
        let deal: [Counts; MAX_SEATS] = std::array::from_fn(|s| {
            if s == viewer { state.seats[s].dev } else { pool.draw(state.seats[s].dev.total(), rng) }
        });
        let mut deal = deal;
        if attempt == TRIES && !is_over {
            (0..n).filter(|&s| s != viewer).for_each(|s| {
                give_points_back(&mut deal[s], &mut pool, most_hidden_points(state, s));
            });
        }
        let fits = (0..n).all(|s| s == viewer || deal[s].get(points) <= most_hidden_points(state, s));
        if fits || is_over || attempt == TRIES {
            let turn = usize::from(state.turn);
            if turn != viewer {
                state.bought = Pool(deal[turn]).draw(state.bought.total(), rng);
            }
            (0..n).for_each(|s| state.seats[s].dev = deal[s]);
            state.deck = pool.0;
            return;
        }
    }
}

/// Changes point cards over `most` for other cards of the deck while it has any.
fn give_points_back(hand: &mut Counts, deck: &mut Pool, most: u8) {
    let point = Counts::one(DevCard::VictoryPoint.index());
    while hand.get(DevCard::VictoryPoint.index()) > most
        && let Some(other) = (0..DevCard::VictoryPoint.index()).find(|&k| deck.0.get(k) > 0)
    {
        let other = Counts::one(other);
        *hand = hand.minus(point).plus(other);
        deck.0 = deck.0.minus(other).plus(point);
    }
}
