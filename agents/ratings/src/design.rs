//! The Luce likelihood compiled for speed: identical games once, one row of seats, a few subset terms.
//!
//! With x the log-strength of a seat (its player's theta plus its seat term), a game contributes
//!
//! ```text
//! sum_s c_s x_s  -  sum_k w_k ln sum_{s in R_k} e^{x_s}
//! ```
//!
//! where each R_k is a set of seats still to be placed. An evaluation costs games x terms x seats^2.

use nalgebra::{DMatrix, DVector};

use crate::newton::Derivatives;
use crate::scale::Meetings;
use crate::{GameResult, MAX_SEATS, Placing};

/// Marks "no player" or "no seat term" in a slot, and "not a parameter" in the layout.
const NONE: u32 = u32::MAX;

/// A game stripped to what the likelihood depends on, in canonical seat order.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Pattern {
    placing: Placing,
    /// `(rank, player, seat term)`; sorted, so that equal games in any seat order are equal.
    seats: Vec<(u8, u32, u32)>,
}

impl Pattern {
    pub(crate) fn new(game: &GameResult, with_seat_terms: bool) -> Self {
        let entry = |(seat, &player): (usize, &usize)| {
            let term = if with_seat_terms { seat as u32 } else { NONE };
            (game.informative_rank(seat), player as u32, term)
        };
        let mut seats: Vec<_> = game.seats.iter().enumerate().map(entry).collect();
        seats.sort_unstable();
        Self { placing: game.placing, seats }
    }

    /// Records in `meetings` who met and who was placed above whom.
    pub(crate) fn record(&self, meetings: &mut Meetings) {
        for (index, &(rank_a, a, _)) in self.seats.iter().enumerate() {
            for &(rank_b, b, _) in self.seats[index + 1..].iter().filter(|seat| seat.1 != a) {
                let (a, b) = (a as usize, b as usize);
                meetings.record_met(a, b);
                if self.placing == Placing::WinnerOnly && rank_a > 0 && rank_b > 0 {
                    continue;
                }
                if rank_a <= rank_b {
                    meetings.record_beat(a, b);
                }
                if rank_b <= rank_a {
                    meetings.record_beat(b, a);
                }
            }
        }
    }
}

/// Which entries of the parameter vector stand for which player and seat.
pub(crate) struct Layout {
    /// Parameter of each player; `None` for anchored ones.
    pub(crate) free: Vec<Option<usize>>,
    /// Strength of each player where the search starts; anchored ones stay there.
    pub(crate) start: Vec<f64>,
    /// First parameter that is a seat term.
    pub(crate) seat_offset: usize,
    /// Number of seat terms, 0 when they are not fitted.
    pub(crate) seat_terms: usize,
}

impl Layout {
    pub(crate) fn parameters(&self) -> usize {
        self.seat_offset + self.seat_terms
    }

    /// Strength of every player, free or anchored, at a parameter vector.
    pub(crate) fn theta(&self, at: &DVector<f64>) -> Vec<f64> {
        self.free
            .iter()
            .zip(&self.start)
            .map(|(free, &start)| free.map_or(start, |index| at[index]))
            .collect()
    }
}

/// One compiled game.
struct Row {
    seats: usize,
    player: [u32; MAX_SEATS],
    seat_term: [u32; MAX_SEATS],
    /// How often each seat's x is counted (c above).
    chosen: [f64; MAX_SEATS],
    first_term: usize,
    terms: usize,
    /// How many games look like this.
    count: f64,
}

/// One `w ln sum_{s in R} e^x`.
struct Term {
    seats: u8,
    weight: f64,
}

/// Derivatives of one row with respect to its seats.
struct Local {
    score: [f64; MAX_SEATS],
    information: [[f64; MAX_SEATS]; MAX_SEATS],
}

/// All compiled games, then the virtual ones of the prior.
pub(crate) struct Design {
    rows: Vec<Row>,
    terms: Vec<Term>,
    /// Rows from here on are virtual.
    virtual_from: usize,
}

impl Design {
    /// Compiles `(pattern, count)` pairs; `scales` says which players have finite differences.
    pub(crate) fn new(patterns: &[(Pattern, u64)], scales: &[usize]) -> Self {
        let mut design =
            Self { rows: Vec::with_capacity(patterns.len()), terms: Vec::new(), virtual_from: 0 };
        for (pattern, count) in patterns {
            design.push_pattern(pattern, *count as f64, scales);
        }
        design.virtual_from = design.rows.len();
        design
    }

    /// Adds the prior: `half_games` virtual wins for each side of each pair, of players and of seats.
    pub(crate) fn push_prior(&mut self, players: &[(usize, usize)], seat_terms: usize, half_games: f64) {
        for &(i, j) in players {
            self.push_virtual_draw([i as u32, j as u32], [NONE; 2], half_games);
        }
        for i in 0..seat_terms as u32 {
            for j in i + 1..seat_terms as u32 {
                self.push_virtual_draw([NONE; 2], [i, j], half_games);
            }
        }
    }

    fn push_virtual_draw(&mut self, player: [u32; 2], seat_term: [u32; 2], half_games: f64) {
        let mut row = self.empty_row(2, 2.0 * half_games);
        row.player[..2].copy_from_slice(&player);
        row.seat_term[..2].copy_from_slice(&seat_term);
        row.chosen[..2].fill(0.5);
        row.terms = 1;
        self.terms.push(Term { seats: 0b11, weight: 1.0 });
        self.rows.push(row);
    }

    fn empty_row(&self, seats: usize, count: f64) -> Row {
        Row {
            seats,
            player: [NONE; MAX_SEATS],
            seat_term: [NONE; MAX_SEATS],
            chosen: [0.0; MAX_SEATS],
            first_term: self.terms.len(),
            terms: 0,
            count,
        }
    }

    fn push_pattern(&mut self, pattern: &Pattern, count: f64, scales: &[usize]) {
        let mut row = self.empty_row(pattern.seats.len(), count);
        for (seat, &(_, player, term)) in pattern.seats.iter().enumerate() {
            row.player[seat] = player;
            row.seat_term[seat] = term;
        }
        let mut from = 0;
        while from < row.seats {
            let rank = pattern.seats[from].0;
            let to = pattern.seats.iter().position(|seat| seat.0 > rank).unwrap_or(row.seats);
            self.push_group(&mut row, from..to, pattern.placing, scales);
            from = if pattern.placing == Placing::WinnerOnly { row.seats } else { to };
        }
        row.terms = self.terms.len() - row.first_term;
        self.rows.push(row);
    }

    /// One tie group and everyone behind it: the mean over its orders, as a mean over the subsets
    /// that may already have been placed when the next one is chosen.
    ///
    /// Strengths outside the chosen one's scale are infinitely below it and drop out of the sum.
    fn push_group(
        &mut self,
        row: &mut Row,
        group: std::ops::Range<usize>,
        placing: Placing,
        scales: &[usize],
    ) {
        let size = group.len();
        let scale = scales[row.player[group.start] as usize];
        let same_scale = |seat: &usize| scales[row.player[*seat] as usize] == scale;
        let remaining: u8 = (group.start..row.seats).filter(same_scale).map(|seat| 1u8 << seat).sum();
        let (stages, chosen) = match placing {
            Placing::WinnerOnly => (1, 1.0 / size as f64),
            Placing::Full => (size, 1.0),
        };
        row.chosen[group.clone()].fill(chosen);
        for placed in (0..1u32 << size).filter(|placed| (placed.count_ones() as usize) < stages) {
            let left = remaining & !((placed as u8) << group.start);
            let weight = 1.0 / binomial(size, placed.count_ones() as usize);
            if left.count_ones() > 1 {
                self.terms.push(Term { seats: left, weight });
            } else {
                row.chosen[left.trailing_zeros() as usize] -= weight;
            }
        }
    }

    /// Log-likelihood of the real games and of the virtual ones.
    pub(crate) fn log_likelihood(&self, theta: &[f64], seat_terms: &[f64]) -> (f64, f64) {
        let part = |rows: &[Row]| rows.iter().map(|row| row.count * self.value(row, theta, seat_terms)).sum();
        (part(&self.rows[..self.virtual_from]), part(&self.rows[self.virtual_from..]))
    }

    /// Gradient and information of everything, virtual games included.
    pub(crate) fn derivatives(&self, layout: &Layout, theta: &[f64], seat_terms: &[f64]) -> Derivatives {
        let size = layout.parameters();
        let mut gradient = DVector::zeros(size);
        let mut information = DMatrix::zeros(size, size);
        for row in &self.rows {
            let local = self.local(row, theta, seat_terms);
            let parameters = row.parameters(layout);
            for s in 0..row.seats {
                for a in parameters[s].into_iter().flatten() {
                    gradient[a] += row.count * local.score[s];
                    for (t, others) in parameters[..row.seats].iter().enumerate() {
                        for b in others.iter().flatten() {
                            information[(*b, a)] += row.count * local.information[s][t];
                        }
                    }
                }
            }
        }
        Derivatives { gradient, information }
    }

    /// Adds the score of one real game that looks like row `row` to `total` and lists what it touched.
    pub(crate) fn add_score(
        &self,
        row: usize,
        layout: &Layout,
        scores: &[[f64; MAX_SEATS]],
        total: &mut Touched,
    ) {
        let compiled = &self.rows[row];
        let parameters = compiled.parameters(layout);
        for (slots, score) in parameters.iter().zip(&scores[row]).take(compiled.seats) {
            for index in slots.iter().flatten() {
                total.add(*index, *score);
            }
        }
    }

    /// Score per seat of every real row.
    pub(crate) fn scores(&self, theta: &[f64], seat_terms: &[f64]) -> Vec<[f64; MAX_SEATS]> {
        self.rows[..self.virtual_from].iter().map(|row| self.local(row, theta, seat_terms).score).collect()
    }

    fn value(&self, row: &Row, theta: &[f64], seat_terms: &[f64]) -> f64 {
        let (x, e, top) = row.strengths(theta, seat_terms);
        let linear: f64 = x[..row.seats].iter().zip(&row.chosen).map(|(x, c)| x * c).sum();
        self.terms(row)
            .iter()
            .fold(linear, |value, term| value - term.weight * (top + sum(&e, term.seats).ln()))
    }

    fn local(&self, row: &Row, theta: &[f64], seat_terms: &[f64]) -> Local {
        let (_, e, _) = row.strengths(theta, seat_terms);
        let mut local = Local { score: row.chosen, information: [[0.0; MAX_SEATS]; MAX_SEATS] };
        for term in self.terms(row) {
            let total = sum(&e, term.seats);
            let mut share = [0.0; MAX_SEATS];
            for s in (0..row.seats).filter(|s| term.seats >> s & 1 == 1) {
                share[s] = e[s] / total;
                local.score[s] -= term.weight * share[s];
                local.information[s][s] += term.weight * share[s];
            }
            for s in 0..row.seats {
                for t in 0..row.seats {
                    local.information[s][t] -= term.weight * share[s] * share[t];
                }
            }
        }
        local
    }

    fn terms(&self, row: &Row) -> &[Term] {
        &self.terms[row.first_term..row.first_term + row.terms]
    }
}

impl Row {
    /// x per seat, e^(x - top), and the largest x.
    fn strengths(&self, theta: &[f64], seat_terms: &[f64]) -> ([f64; MAX_SEATS], [f64; MAX_SEATS], f64) {
        let mut x = [0.0; MAX_SEATS];
        let mut e = [0.0; MAX_SEATS];
        let mut top = f64::NEG_INFINITY;
        for (s, x) in x.iter_mut().enumerate().take(self.seats) {
            let player = theta.get(self.player[s] as usize).copied().unwrap_or(0.0);
            *x = player + seat_terms.get(self.seat_term[s] as usize).copied().unwrap_or(0.0);
            top = top.max(*x);
        }
        for s in 0..self.seats {
            e[s] = (x[s] - top).exp();
        }
        (x, e, top)
    }

    /// The player's and the seat's parameter of each seat.
    fn parameters(&self, layout: &Layout) -> [[Option<usize>; 2]; MAX_SEATS] {
        let mut parameters = [[None; 2]; MAX_SEATS];
        for (s, slots) in parameters.iter_mut().enumerate().take(self.seats) {
            slots[0] = layout.free.get(self.player[s] as usize).copied().flatten();
            let term = self.seat_term[s] as usize;
            slots[1] = (term < layout.seat_terms).then_some(layout.seat_offset + term);
        }
        parameters
    }
}

/// A sparse vector that remembers which entries it touched, so that clearing is cheap.
pub(crate) struct Touched {
    pub(crate) values: Vec<f64>,
    pub(crate) indices: Vec<usize>,
    seen: Vec<bool>,
}

impl Touched {
    pub(crate) fn new(size: usize) -> Self {
        Self { values: vec![0.0; size], indices: Vec::new(), seen: vec![false; size] }
    }

    pub(crate) fn add(&mut self, index: usize, amount: f64) {
        if !self.seen[index] {
            self.seen[index] = true;
            self.indices.push(index);
        }
        self.values[index] += amount;
    }

    pub(crate) fn clear(&mut self) {
        for index in self.indices.drain(..) {
            self.values[index] = 0.0;
            self.seen[index] = false;
        }
    }
}

fn sum(e: &[f64; MAX_SEATS], seats: u8) -> f64 {
    let total: f64 = (0..MAX_SEATS).filter(|s| seats >> s & 1 == 1).map(|s| e[s]).sum();
    total.max(f64::MIN_POSITIVE)
}

/// n over k for n <= 8.
fn binomial(n: usize, k: usize) -> f64 {
    (0..k).fold(1.0, |value, i| value * (n - i) as f64 / (i + 1) as f64)
}
