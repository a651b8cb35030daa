//! What one seat may see, as a row of bytes.
//!
//! Every value is a small whole number, so a byte holds it exactly at a quarter of the size of a float; divide
//! by the field's bound for a value in 0..=1. Seats are rotated so that the viewer is seat 0 and the next in
//! turn order is seat 1, as in the action table. All tables and both boards share one layout: what is absent
//! (seats, tiles, harbours) is zero. The row holds what a player at the table sees now; counting the cards
//! that others drew earlier is left to memory. [`Relational`] reads the same row as tables.

pub mod graph;
pub mod relational;
mod table;

pub use relational::{Relational, TableView};
pub use table::{OBS_LEN, PARTS, Part, Sight, Table, at, markdown, space};

use crate::board::Port;
use crate::counts::{Counts, Resource};
use crate::state::{Offer, State};
use crate::topology::{EDGES, MAX_SEATS, NODES, PORTS, Seat, TILES};

/// Ways of two dice that make each sum.
pub(crate) const PIPS: [u8; 13] = [0, 0, 1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1];

/// Writes what `viewer` sees, replacing all of `row`.
///
/// # Panics
/// When `row` is not [`OBS_LEN`] long.
pub fn write(state: &State, viewer: Seat, row: &mut [u8]) {
    assert_eq!(row.len(), OBS_LEN, "an observation row has {OBS_LEN} elements");
    write_board(state, row);
    // Planes of nodes spill two bytes into the plane behind them, which is written later; those of edges fill theirs.
    let mut order = [None; MAX_SEATS];
    let n = state.num_seats();
    for (k, slot) in order.iter_mut().enumerate().take(n) {
        *slot = Some((usize::from(viewer) + k) % n);
    }
    row[at::hand..].fill(0);
    for (k, s) in order.iter().enumerate() {
        let settlements = s.map_or(0, |s| state.seats[s].settlements);
        plane(settlements, NODES, &mut row[at::settlements + k * NODES..]);
    }
    for (k, s) in order.iter().enumerate() {
        plane(s.map_or(0, |s| state.seats[s].cities), NODES, &mut row[at::cities + k * NODES..]);
    }
    for (k, s) in order.iter().enumerate() {
        let roads = s.map_or(0, |s| state.seats[s].roads);
        plane(roads as u64, 64, &mut row[at::roads + k * EDGES..]);
        plane((roads >> 64) as u64, EDGES - 64, &mut row[at::roads + k * EDGES + 64..]);
    }
    write_own(state, viewer, row);
    for (k, s) in order.iter().enumerate() {
        if let Some(s) = *s {
            write_seat(state, s, k, row);
        }
    }
    write_table(state, viewer, row);
    write_trade(state, viewer, row);
}

/// Terrain, tokens, harbours and robber.
fn write_board(state: &State, row: &mut [u8]) {
    let board = state.board();
    row[..at::settlements].fill(0);
    for t in 0..board.tile_count() {
        let number = board.number(t as u8);
        let kind = board.resource(t as u8).map_or(5, Resource::index);
        row[at::tile_terrain + t * 6 + kind] = 1;
        row[at::tile_number + t] = number;
        row[at::tile_pips + t] = PIPS[usize::from(number)];
    }
    for p in 0..PORTS {
        let kind = match board.ports()[p] {
            Port::None => continue,
            Port::Of(r) => r.index(),
            Port::Any => 5,
        };
        row[at::port_kind + p * 6 + kind] = 1;
    }
    row[at::tile_robber + usize::from(state.robber).min(TILES - 1)] = 1;
}

fn write_own(state: &State, viewer: Seat, row: &mut [u8]) {
    let own = &state.seats[usize::from(viewer)];
    counts(own.hand, &mut row[at::hand..]);
    counts(own.dev, &mut row[at::dev_cards..]);
    if state.turn == viewer {
        counts(state.bought, &mut row[at::dev_bought..]);
    }
    row[at::own_points] = own.true_points();
}

/// What everyone sees of seat `s`, at place `k`.
fn write_seat(state: &State, s: usize, k: usize, row: &mut [u8]) {
    let seat = &state.seats[s];
    row[at::seated + k] = 1;
    row[at::hand_size + k] = seat.hand.total();
    row[at::dev_count + k] = seat.dev.total();
    row[at::dev_played + 4 * k..][..4].copy_from_slice(&seat.played);
    row[at::points + k] = seat.points;
    row[at::roads_left + k] = seat.roads_left;
    row[at::settlements_left + k] = seat.settlements_left;
    row[at::cities_left + k] = seat.cities_left;
    row[at::road_length + k] = state.shown_road_length(s as Seat);
    row[at::longest_road + k] = u8::from(state.road_holder == Some(s as Seat));
    row[at::largest_army + k] = u8::from(state.army_holder == Some(s as Seat));
    for p in 0..6 {
        row[at::ports + 6 * k + p] = seat.ports >> p & 1;
    }
    row[at::discards_left + k] = state.discards[s];
    row[at::turn_seat + k] = u8::from(usize::from(state.turn) == s);
    row[at::actor + k] = u8::from(state.actor() == Some(s as Seat));
    row[at::accepted + k] = state.trade.accepted >> s & 1;
    if state.trade.countered >> s & 1 == 1 {
        row[at::countered + k] = 1;
        offer(state.trade.counters[s], &mut row[at::counter_give + 5 * k..], 5 * MAX_SEATS);
    }
}

fn write_table(state: &State, viewer: Seat, row: &mut [u8]) {
    counts(state.bank, &mut row[at::bank..]);
    row[at::deck] = state.deck.total();
    row[at::phase + state.phase as usize] = 1;
    row[at::rolled] = state.rolled.into();
    row[at::card_played] = state.card_played.into();
    row[at::last_roll] = state.dice[0] + state.dice[1];
    row[at::free_roads] = state.free_roads;
    row[at::setup_placed] = state.placed;
    row[at::rounds] = (state.turns / u32::from(state.config.seats)).min(255) as u8;
    row[at::target_points] = state.config.victory_points;
    row[at::discard_limit] = state.config.discard_limit;
    row[at::offers_made] = state.offers_made;
    let offers = if state.config.player_trade { state.config.max_offers } else { 0 };
    row[at::offers_left] = offers.saturating_sub(state.offers_made);
    row[at::counter_used] = u8::from(state.trade.counter_used && state.actor == viewer);
}

fn write_trade(state: &State, viewer: Seat, row: &mut [u8]) {
    if state.actor == viewer {
        offer(state.trade.draft, &mut row[at::draft_give..], 5);
    }
    offer(state.trade.offer, &mut row[at::offer_give..], 5);
}

/// The giving side at the start of `out`, the wanted side `apart` elements later.
fn offer(offer: Offer, out: &mut [u8], apart: usize) {
    counts(offer.give, out);
    counts(offer.want, &mut out[apart..]);
}

fn counts(c: Counts, out: &mut [u8]) {
    out[..5].copy_from_slice(&c.array());
}

/// Bit `i` of `bits` becomes element `i`; writes whole groups of eight, so up to seven bytes too many.
#[inline]
fn plane(bits: u64, len: usize, out: &mut [u8]) {
    for (i, group) in out[..len.next_multiple_of(8)].chunks_exact_mut(8).enumerate() {
        group.copy_from_slice(&spread((bits >> (8 * i)) as u8).to_le_bytes());
    }
}

/// Eight bits as eight bytes, lowest first.
#[inline]
const fn spread(bits: u8) -> u64 {
    let picked = (bits as u64).wrapping_mul(0x0101_0101_0101_0101) & 0x8040_2010_0804_0201;
    (picked.wrapping_add(0x7f7f_7f7f_7f7f_7f7f) >> 7) & 0x0101_0101_0101_0101
}

/// The inverse of the planes: elements 0 or 1 as bits.
#[inline]
pub(crate) fn bits_of(elements: &[u8]) -> u128 {
    let mut bits = 0;
    let groups = elements.chunks_exact(8);
    let tail = groups.remainder();
    let mut at = 0;
    for group in groups {
        let mut word = [0; 8];
        word.copy_from_slice(group);
        let gathered = u64::from_le_bytes(word).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        bits |= u128::from(gathered) << at;
        at += 8;
    }
    for (i, &x) in tail.iter().enumerate() {
        bits |= u128::from(x & 1) << (at + i);
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planes_and_bits_are_inverse() {
        let mut rng = rl_gym::Pcg64::seed(1);
        for len in [NODES, 64, EDGES - 64] {
            for _ in 0..200 {
                let bits = rng.next_u64() & (u64::MAX >> (64 - len));
                let mut row = [0; 80];
                plane(bits, len, &mut row);
                assert_eq!(bits_of(&row[..len]), bits.into());
                assert!(row.iter().all(|&x| x < 2));
            }
        }
    }

    /// The same table with everybody moved one seat on.
    fn rotated(state: &State) -> State {
        let n = state.num_seats();
        let next = |s: Seat| (s + 1) % n as Seat;
        let bits = |set: u8| ((set << 1) | (set >> (n - 1))) & ((1 << n) - 1);
        let mut out = *state;
        out.seats[..n].rotate_right(1);
        out.discards[..n].rotate_right(1);
        out.trade.counters[..n].rotate_right(1);
        (out.turn, out.actor) = (next(state.turn), next(state.actor));
        out.road_holder = state.road_holder.map(next);
        out.army_holder = state.army_holder.map(next);
        out.trade.accepted = bits(state.trade.accepted);
        out.trade.countered = bits(state.trade.countered);
        out.log.iter_mut().for_each(|r| r.seat = next(r.seat));
        out
    }

    #[test]
    fn a_rotated_table_looks_the_same_from_the_moved_seats() {
        for seats in 2..=4 {
            let config = crate::Config { seats, turn_cap: 120, ..crate::Config::default() };
            let mut state = State::new(&config, rl_gym::SeedSequence::new(seats.into())).unwrap();
            let mut rng = rl_gym::Pcg64::seed(4);
            while state.outcome().is_none() {
                let k = rng.below(state.legal().count());
                state.step(state.legal().nth(k).unwrap()).unwrap();
                let mut moved = rotated(&state);
                moved.refresh();
                assert_eq!(moved.legal(), state.legal());
                for viewer in 0..seats {
                    let (mut here, mut there) = ([0; OBS_LEN], [1; OBS_LEN]);
                    write(&state, viewer, &mut here);
                    write(&moved, (viewer + 1) % seats, &mut there);
                    assert_eq!(here, there);
                }
            }
        }
    }

    #[test]
    fn the_table_and_the_space_agree() {
        let space = space();
        assert_eq!(space.len(), OBS_LEN);
        assert_eq!(space.row_bytes(), OBS_LEN);
        let offsets = space.offsets();
        for (name, at) in [("hand", at::hand), ("roads", at::roads), ("counter_want", at::counter_want)] {
            assert!(offsets.iter().any(|(start, f)| *start == at && f.name == name), "{name}");
        }
        for (i, p) in PARTS.iter().enumerate() {
            assert!(PARTS[..i].iter().all(|q| q.name != p.name), "{} is there twice", p.name);
        }
    }
}
