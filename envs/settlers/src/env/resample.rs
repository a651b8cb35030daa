//! Redrawing what a seat cannot know.
//!
//! The draw is uniform over the deals of the unseen cards that agree with the viewer's *present* sight: hand
//! sizes, the totals that the bank tells, its own cards, cards played, offers and acceptances on the table (who
//! offers or accepts holds the cards), and that nobody who is not on the winning turn already has the points.
//! What the viewer could have counted earlier in the game (who drew what) is not used yet.

use super::SettlersEnv;
use crate::counts::{Counts, DevCard};
use crate::state::{BANK_EACH, DECK, Phase, State};
use crate::topology::MAX_SEATS;
use rl_gym::{Pcg64, Resample};

/// Draws that may be thrown away before a deal is mended by hand.
const TRIES: u32 = 64;

impl Resample for SettlersEnv {
    fn resample(&mut self, viewer: usize, rng: &mut Pcg64) {
        redraw_hands(&mut self.state, viewer, rng);
        redraw_cards(&mut self.state, viewer, rng);
        let seed = Pcg64::from_parts(wide(rng), wide(rng));
        self.state.set_rng(seed);
        self.state.refresh();
        self.drawn.clear();
    }
}

fn wide(rng: &mut Pcg64) -> u128 {
    u128::from(rng.next_u64()) << 64 | u128::from(rng.next_u64())
}

/// A pool of cards of five kinds, drawn without putting back.
struct Pool(Counts);

impl Pool {
    fn draw(&mut self, count: u8, rng: &mut Pcg64) -> Counts {
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

/// The cards that a seat surely holds because of what lies on the table.
fn shown(state: &State, seat: usize) -> Counts {
    let trade = &state.trade;
    let mut least = Counts::ZERO;
    let mut holds = |cards: Counts| {
        least = Counts::new(std::array::from_fn(|r| least.get(r).max(cards.get(r))));
    };
    if usize::from(state.actor) == seat && matches!(state.phase, Phase::Draft | Phase::CounterDraft) {
        holds(trade.draft.give);
    }
    if usize::from(state.turn) == seat {
        holds(trade.offer.give);
    }
    if trade.accepted >> seat & 1 == 1 {
        holds(trade.offer.want);
    }
    if trade.countered >> seat & 1 == 1 {
        holds(trade.counters[seat].give);
    }
    least
}

fn redraw_hands(state: &mut State, viewer: usize, rng: &mut Pcg64) {
    let n = state.num_seats();
    let others: [bool; MAX_SEATS] = std::array::from_fn(|s| s < n && s != viewer);
    let unseen = Counts::splat(BANK_EACH).minus(state.bank.plus(state.seats[viewer].hand));
    let sizes: [u8; MAX_SEATS] = std::array::from_fn(|s| state.seats[s].hand.total());
    let least: [Counts; MAX_SEATS] =
        std::array::from_fn(|s| if others[s] { shown(state, s) } else { Counts::ZERO });
    for _ in 0..TRIES {
        let mut pool = Pool(unseen);
        let deal: [Counts; MAX_SEATS] =
            std::array::from_fn(|s| if others[s] { pool.draw(sizes[s], rng) } else { state.seats[s].hand });
        if (0..n).all(|s| deal[s].covers(least[s])) {
            (0..n).for_each(|s| state.seats[s].hand = deal[s]);
            return;
        }
    }
    // The shown cards first, the rest at random.
    let mut pool = Pool(least.iter().fold(unseen, |left, &cards| left.minus(cards)));
    for s in (0..n).filter(|&s| others[s]) {
        state.seats[s].hand = least[s].plus(pool.draw(sizes[s] - least[s].total(), rng));
    }
}

/// Most victory point cards that a seat may hide while the game goes on.
fn most_hidden_points(state: &State, seat: usize) -> u8 {
    let goal = state.config.victory_points;
    let holds_road = state.road_holder == Some(seat as u8);
    // The longest road may have come to a seat out of its turn; all other points come in its own.
    let spare = if holds_road && usize::from(state.turn) != seat { 2 } else { 0 };
    (goal + spare).saturating_sub(state.seats[seat].points + 1)
}

fn redraw_cards(state: &mut State, viewer: usize, rng: &mut Pcg64) {
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
