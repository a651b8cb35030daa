//! Redrawing what a seat cannot know.
//!
//! **Hands** agree with everything that the viewer has seen since the start of the game: production, building,
//! trade, offers and who accepted them, discards, monopoly, year of plenty, and the steals it took part in. All
//! these are public changes of hands (the bank and the hand sizes are in every seat's row); a card stolen between
//! two others is the only hidden one. Drawn is from the exact posterior under this rule: every hidden history has
//! nature's own probability (a steal takes a uniform card of the victim), histories that do not agree with what
//! was seen have none, and no inference is made from what others chose beyond that it was legal
//! ([`crate::belief`]). Without a hidden steal the hands are known, and are the true ones.
//!
//! Where the past is unknown (a position put in by hand, or another viewer than that of an earlier redraw) or more
//! than 4096 deals agree, the draw is uniform over the deals that agree with the *present* sight: hand sizes, the
//! totals that the bank tells, and offers and acceptances on the table.
//!
//! **Development cards** are dealt evenly from the pool of unseen ones ([`cards`]).
//!
//! Nothing of the true deal stays behind: a foreign draft begins anew with one card of the redrawn hand, the log
//! keeps no foreign card, and the memory keeps what the viewer knows and no more. States that differ in what the
//! viewer cannot tell apart become one state under one generator. How many decisions were taken is no secret:
//! every seat sees each phase pass.

mod cards;

use super::SettlersEnv;
use crate::action::Action;
use crate::chance::Outcome;
use crate::counts::Counts;
use crate::state::{BANK_EACH, Offer, Phase, Record, State};
use crate::topology::MAX_SEATS;
use cards::{Pool, redraw_cards};
use rl_gym::{Pcg64, Resample};

/// Draws that may be thrown away before a deal is mended by hand.
const TRIES: u32 = 64;

impl Resample for SettlersEnv {
    fn resample(&mut self, viewer: usize, rng: &mut Pcg64) {
        let x = rng.unit();
        if !self.belief.redraw(&mut self.state, viewer, &mut self.filter, x) {
            redraw_hands(&mut self.state, viewer, rng);
            self.belief.forget(&self.state);
        }
        redraw_cards(&mut self.state, viewer, rng);
        redraw_draft(&mut self.state, viewer, rng);
        redact_log(&mut self.state, viewer);
        let seed = Pcg64::from_parts(wide(rng), wide(rng));
        self.state.set_rng(seed);
        self.state.refresh();
        self.drawn.clear();
    }
}

fn wide(rng: &mut Pcg64) -> u128 {
    u128::from(rng.next_u64()) << 64 | u128::from(rng.next_u64())
}

/// The cards that a seat surely holds because of what lies on the table.
fn shown(state: &State, seat: usize) -> Counts {
    let trade = &state.trade;
    let mut least = Counts::ZERO;
    let mut holds = |cards: Counts| {
        least = Counts::new(std::array::from_fn(|r| least.get(r).max(cards.get(r))));
    };
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

/// Deals that agree with the present sight, all alike.
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

/// A foreign draft begins anew, as its phase allows: with one card on the giving side, a counter draft empty.
fn redraw_draft(state: &mut State, viewer: usize, rng: &mut Pcg64) {
    let is_drafting = matches!(state.phase, Phase::Draft | Phase::CounterDraft);
    if !is_drafting || usize::from(state.actor) == viewer {
        return;
    }
    state.trade.draft = Offer::default();
    if state.phase == Phase::Draft {
        let gives = state.draft_gives(state.actor, &Offer::default());
        let nth = rng.below(gives.count_ones().max(1));
        if let Some(r) = (0..5).filter(|r| gives >> r & 1 == 1).nth(nth as usize) {
            state.trade.draft.give = Counts::one(r);
        }
    }
}

/// Takes out of the log what `viewer` may not know: cards drawn by others, cards stolen between others, and the
/// cards of drafts of others.
fn redact_log(state: &mut State, viewer: usize) {
    let n = state.num_seats();
    for record in state.log.iter_mut().filter(|r| usize::from(r.seat) != viewer) {
        match (record.action.action(), record.outcome) {
            (Some(Action::OfferGive(_) | Action::OfferWant(_)), _) => record.action = Record::HIDDEN,
            (_, Outcome::Drawn(_)) => record.outcome = Outcome::Hidden,
            (Some(Action::Robber { victim, .. }), Outcome::Stolen(_))
                if usize::from(record.seat + victim) % n != viewer =>
            {
                record.outcome = Outcome::Hidden;
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counts::{DevCard, Resource};
    use crate::state::DECK;
    use crate::{Board, Config, testing::Position, write_text};
    use rl_gym::SeedSequence;

    fn resampled(env: &mut SettlersEnv, state: &State, viewer: usize, seed: u64) -> State {
        env.set_state(state);
        env.resample(viewer, &mut Pcg64::seed(seed));
        *env.state()
    }

    /// Another true state behind the same sight: other hands, cards, drafts, secrets in the log.
    fn disguised(env: &mut SettlersEnv, state: &State, viewer: usize, rng: &mut Pcg64) -> State {
        let mut other = resampled(env, state, viewer, rng.next_u64());
        other.log = state.log;
        let mut any = || rng.below(5) as usize;
        for record in other.log.iter_mut().filter(|r| usize::from(r.seat) != viewer) {
            let is_robbed = |victim: u8| usize::from(record.seat + victim) % state.num_seats() == viewer;
            match (record.action.action(), record.outcome) {
                (Some(Action::OfferGive(_) | Action::OfferWant(_)), _) => {
                    record.action = Action::OfferWant(Resource::from_index(any())).id();
                }
                (Some(Action::Robber { victim, .. }), Outcome::Stolen(_)) if !is_robbed(victim) => {
                    record.outcome = Outcome::Stolen(Resource::from_index(any()));
                }
                (_, Outcome::Drawn(_)) => record.outcome = Outcome::Drawn(DevCard::ALL[any()]),
                _ => {}
            }
        }
        other
    }

    /// Random games, trade-happy, all seat numbers: `check(env, state)` every few steps.
    fn games(mut check: impl FnMut(&mut SettlersEnv, &State, &mut Pcg64)) {
        for seats in 2..=4 {
            for goal in [4, 10] {
                let config = Config { seats, turn_cap: 150, victory_points: goal, ..Config::default() };
                let mut env = SettlersEnv::new(&config).expect("valid");
                let mut state = State::new(&config, SeedSequence::new(seats.into())).expect("valid");
                let mut rng = Pcg64::seed(u64::from(seats * 20 + goal));
                while state.outcome().is_none() {
                    let k = rng.below(state.legal().count());
                    state.step(state.legal().nth(k).expect("legal")).expect("legal");
                    let is_drafting = matches!(state.phase, Phase::Draft | Phase::CounterDraft);
                    if is_drafting || rng.below(4) == 0 {
                        check(&mut env, &state, &mut rng);
                    }
                }
            }
        }
    }

    #[test]
    fn states_that_look_alike_become_one() {
        let (mut differed, mut drafts) = (0, 0);
        games(|env, state, rng| {
            for viewer in 0..state.num_seats() {
                let other = disguised(env, state, viewer, rng);
                let seed = rng.next_u64();
                differed += u32::from(other.log != state.log && other.seats != state.seats);
                drafts += u32::from(other.trade.draft != state.trade.draft);
                let here = resampled(env, state, viewer, seed);
                assert_eq!(here, resampled(env, &other, viewer, seed), "viewer {viewer}");
                // Resampling what was resampled finds nothing more to hide.
                assert_eq!(here, resampled(env, &here, viewer, seed), "viewer {viewer}");
            }
        });
        assert!(differed > 500 && drafts > 200, "{differed} and {drafts}");
    }

    /// Which true card was drawn, stolen or drafted reaches nobody through the redrawn state.
    #[test]
    fn forced_secrets_leave_no_trace() {
        let config = Config { seats: 3, ..Config::default() };
        let table = || Position::new(&config, Board::beginner()).turn(1).rolled();
        let mut env = SettlersEnv::new(&config).expect("valid");
        let mut same = |a: State, b: State| {
            assert_ne!(a, b);
            for seed in 0..20 {
                let (a, b) = (resampled(&mut env, &a, 0, seed), resampled(&mut env, &b, 0, seed));
                assert_eq!(a, b);
                for seat in 0..3 {
                    let (mut x, mut y) = (String::new(), String::new());
                    write_text(&a, seat, &mut x);
                    write_text(&b, seat, &mut y);
                    assert_eq!(x, y);
                }
            }
        };
        let drawn = |card| {
            let mut state = table().hand(1, [0, 0, 1, 1, 1]).build();
            state.decide(Action::BuyDev.id()).expect("legal");
            state.resolve(Outcome::Drawn(card)).expect("possible");
            state
        };
        same(drawn(DevCard::Knight), drawn(DevCard::VictoryPoint));
        let stolen = |r| {
            let mut state =
                table().hand(2, [1, 1, 0, 0, 0]).settlement(2, 0).dev(1, DevCard::Knight, 1).build();
            state.decide(Action::Knight.id()).expect("legal");
            let tile =
                (0..19).find(|&t| state.seat(2).tiles >> t & 1 == 1 && t != state.robber()).expect("a tile");
            state.decide(Action::Robber { tile, victim: 1 }.id()).expect("legal");
            state.resolve(Outcome::Stolen(r)).expect("possible");
            state
        };
        same(stolen(Resource::Wood), stolen(Resource::Brick));
        let drafted = |r| {
            let mut state = table().hand(1, [1, 1, 0, 0, 0]).hand(2, [0, 0, 1, 0, 0]).build();
            state.step(Action::OfferGive(r).id()).expect("legal");
            state
        };
        same(drafted(Resource::Wood), drafted(Resource::Brick));
    }

    /// Hands, deck and drafts obey the rules, the viewer sees what it saw, and play goes on.
    #[test]
    fn redrawn_states_keep_the_laws_and_the_sight() {
        games(|env, state, rng| {
            for viewer in 0..state.num_seats() {
                let here = resampled(env, state, viewer, rng.next_u64());
                for r in 0..5 {
                    let held: u8 = here.seats.iter().map(|s| s.hand.get(r)).sum();
                    assert_eq!(held + here.bank.get(r), BANK_EACH);
                    let cards: u8 =
                        here.seats.iter().map(|s| s.dev.get(r) + s.played.get(r).copied().unwrap_or(0)).sum();
                    assert_eq!(cards + here.deck.get(r), DECK.get(r));
                }
                assert!(here.seats[usize::from(here.turn)].dev.covers(here.bought));
                let winner = usize::from(here.turn);
                assert!(
                    here.outcome.is_some() || here.seats[winner].true_points() < here.config.victory_points
                );
                assert!(here.outcome.is_some() || !here.legal().is_empty());
                if here.phase == Phase::Draft {
                    let draft = here.trade.draft;
                    let hand = here.seats[usize::from(here.actor)].hand;
                    assert!(hand.covers(draft.give) && !draft.give.is_empty(), "{draft:?} of {hand:?}");
                }
                let look = |state: &State| {
                    let mut row = vec![0; crate::observe::OBS_LEN];
                    crate::observe::write(state, viewer as u8, &mut row);
                    let mut text = String::new();
                    write_text(state, viewer as u8, &mut text);
                    let mask = (state.actor() == Some(viewer as u8)).then_some(*state.legal());
                    (row, text, mask)
                };
                assert_eq!(look(&here), look(state));
                let mut game = here;
                for _ in 0..40 {
                    let Some(action) = game.legal().nth(rng.below(game.legal().count().max(1))) else {
                        break;
                    };
                    game.step(action).expect("legal");
                }
            }
        });
    }
}
