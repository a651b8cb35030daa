//! What a whole state is worth to each seat: the judgement that search stands on.
//!
//! Each seat gets a score, linear in the features of `greedy` (read from that seat's own observation row), and
//! its share of winning is the softmax over the seats. The weights are fitted to the winners of recorded play,
//! so a value is a probability and not a hand-made sum.

mod weights;

use crate::bots::{GREEDY, POSITION, Player, position};
use crate::env::SettlersEnv;
use crate::observe::{self, OBS_LEN};
use crate::state::{CITY_COST, DEV_COST, GameOutcome, SETTLEMENT_COST, State};
use crate::topology::MAX_SEATS;
use rl_gym::{Bits, Heuristic, Pcg64};
use std::sync::LazyLock;
use weights::WEIGHTS;

/// Features behind those of `greedy`: three steps of points near the target, what is affordable, and who is next.
const EXTRA: usize = 3 + 3 + MAX_SEATS;
/// Features of one seat.
const SIDE: usize = POSITION + EXTRA;
/// Inputs of the score: each feature as it is, and times the leader's share of the target.
pub const INPUTS: usize = 2 * SIDE;

/// Writes the inputs of `seat`'s score into `x`. `lead` is the leader's share of the target.
pub fn inputs(state: &State, seat: u8, lead: f32, x: &mut [f32; INPUTS]) {
    let mut row = [0; OBS_LEN];
    observe::write(state, seat, &mut row);
    x[..POSITION].copy_from_slice(&position(&row));
    let own = state.seat(seat);
    let share = f32::from(own.true_points()) / f32::from(state.config().victory_points);
    let yes = |condition: bool| f32::from(u8::from(condition));
    let mut extra = [0.0; EXTRA];
    extra[0] = (share - 0.65).max(0.0) * 4.0;
    extra[1] = (share - 0.75).max(0.0) * 4.0;
    extra[2] = (share - 0.85).max(0.0) * 4.0;
    let can_upgrade = own.settlements != 0 && own.cities_left > 0;
    extra[3] = yes(can_upgrade && own.hand.covers(CITY_COST));
    let can_settle = own.settlements_left > 0 && own.road_nodes & state.settleable() != 0;
    extra[4] = yes(can_settle && own.hand.covers(SETTLEMENT_COST));
    extra[5] = yes(!state.deck().is_empty() && own.hand.covers(DEV_COST));
    let n = state.num_seats();
    extra[6 + (usize::from(seat) + n - usize::from(state.turn_seat())) % n] = 1.0;
    x[POSITION..SIDE].copy_from_slice(&extra);
    for i in 0..SIDE {
        x[SIDE + i] = x[i] * lead;
    }
}

/// The leader's share of the target, hidden points included.
pub fn lead(state: &State) -> f32 {
    let most = (0..state.num_seats()).map(|s| state.true_points(s as u8)).max().unwrap_or(0);
    f32::from(most) / f32::from(state.config().victory_points)
}

fn score(x: &[f32; INPUTS]) -> f32 {
    // Eight running sums, so that the compiler may use wide registers; the order of addition is fixed.
    let mut sums = [0.0f32; 8];
    for (w, x) in WEIGHTS.chunks(8).zip(x.chunks(8)) {
        w.iter().zip(x).zip(&mut sums).for_each(|((w, x), sum)| *sum += w * x);
    }
    sums.iter().sum()
}

impl Heuristic for SettlersEnv {
    fn values(&self, values: &mut [f32]) {
        let state = self.state();
        match state.outcome() {
            Some(GameOutcome::Winner(winner)) => {
                values.fill(0.0);
                values[usize::from(winner)] = 1.0;
            }
            Some(GameOutcome::Truncated) => values.fill(1.0 / values.len() as f32),
            None => {
                let lead = lead(state);
                let mut x = [0.0; INPUTS];
                for (seat, value) in values.iter_mut().enumerate() {
                    inputs(state, seat as u8, lead, &mut x);
                    *value = score(&x);
                }
                softmax(values);
            }
        }
    }

    /// Turns begun; the whole setup is stage 0.
    fn stage(&self) -> u32 {
        let state = self.state();
        let setup = usize::from(state.setup_placed()) < 2 * state.num_seats();
        if setup { 0 } else { 1 + state.turns() }
    }

    /// What `greedy` would do.
    fn suggest(&self, seat: usize, rng: &mut Pcg64) -> Option<u32> {
        static PLAYER: LazyLock<Player> = LazyLock::new(|| Player::new(&GREEDY));
        let legal = self.state().legal();
        if let Some(forced) = legal.only() {
            return Some(forced.0.into());
        }
        let mut row = [0; OBS_LEN];
        observe::write(self.state(), seat as u8, &mut row);
        Some(PLAYER.decide(&row, Bits::new(legal.words(), crate::ACTIONS), rng))
    }
}

fn softmax(values: &mut [f32]) {
    let most = values.iter().fold(f32::NEG_INFINITY, |a, &b| a.max(b));
    values.iter_mut().for_each(|v| *v = (*v - most).exp());
    let sum: f32 = values.iter().sum();
    values.iter_mut().for_each(|v| *v /= sum);
}
