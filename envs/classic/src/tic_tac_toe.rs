//! Tic-tac-toe: three in a row on nine cells. Turns, masks, nothing hidden, no luck.

mod words;

use crate::common::{Each, parse_name, stable_hash};
use rl_gym::{
    Ask, BitsMut, Bot, Dtype, DynSnapshot, Dynamics, Env, EpisodeSeed, Fault, Field, Game, Heuristic,
    Information, Luck, Outcome, ParseError, Placing, Policy, Snapshot, Space, Spec, TextEnv, Utility,
};

/// All nine cells as bits.
const FULL: u16 = 0x1ff;
/// The eight lines: rows, columns, diagonals. Bit `3 * row + column` is a cell.
const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
/// Action names, by cell.
const NAMES: [&str; 9] = ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"];

/// The game as the registry holds it.
pub fn tic_tac_toe() -> Game {
    Game {
        name: "tic-tac-toe",
        version: 1,
        summary: "three in a row on nine cells; perfect play draws",
        options: Vec::new(),
        make: |_| Ok(Box::new(TicTacToe::new())),
        bots: vec![Bot {
            name: "perfect",
            version: 1,
            summary: "minimax: never loses, wins as early as it can, picks evenly among equal moves",
            anchor: true,
            make: |_| perfect(),
        }],
        genome: None,
        traces: None,
        vocabulary: Some(|_| std::sync::Arc::new(words::Words)),
    }
}

/// A position: the stones of both seats as nine bits each.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
struct Board {
    stones: [u16; 2],
}

impl Board {
    const fn empty(self) -> u16 {
        FULL & !(self.stones[0] | self.stones[1])
    }

    /// Seat 0 moves when both have as many stones.
    const fn to_move(self) -> usize {
        ((self.stones[0] | self.stones[1]).count_ones() % 2) as usize
    }

    fn wins(self, seat: usize) -> bool {
        // All eight tests without a branch: faster than stopping at the first line.
        LINES.iter().fold(false, |won, line| won | (self.stones[seat] & line == *line))
    }

    fn is_over(self) -> bool {
        self.empty() == 0 || self.wins(0) || self.wins(1)
    }

    /// Value for the seat to move under perfect play, scaled so that an early win beats a late one.
    fn value(self) -> i32 {
        let mover = self.to_move();
        if self.wins(1 - mover) {
            return -1 - self.empty().count_ones() as i32;
        }
        cells(self.empty()).map(|cell| -self.after(cell).value()).max().unwrap_or(0)
    }

    const fn after(mut self, cell: u32) -> Self {
        self.stones[self.to_move()] |= 1 << cell;
        self
    }
}

fn cells(bits: u16) -> impl Iterator<Item = u32> {
    (0..9).filter(move |cell| bits >> cell & 1 == 1)
}

/// Best moves of every position that was met, so that each is searched once.
fn perfect() -> Box<dyn Policy> {
    let mut known = std::collections::BTreeMap::<Board, Vec<u32>>::new();
    Box::new(Each(move |ask: &mut Ask<'_>| {
        let (mine, theirs) = stones_seen(ask.obs_as());
        let board = Board { stones: if ask.seat == 0 { [mine, theirs] } else { [theirs, mine] } };
        let best = known.entry(board).or_insert_with(|| best_moves(board));
        best.get(ask.rng.below(best.len().max(1) as u32) as usize).copied().unwrap_or(0)
    }))
}

fn best_moves(board: Board) -> Vec<u32> {
    let value = board.value();
    cells(board.empty()).filter(|&cell| -board.after(cell).value() == value).collect()
}

fn stones_seen(obs: &[f32]) -> (u16, u16) {
    let bits = |row: &[f32]| row.iter().rev().fold(0, |bits, &x| bits << 1 | u16::from(x > 0.5));
    (bits(&obs[..9]), bits(&obs[9..18]))
}

/// The environment.
pub struct TicTacToe {
    board: Board,
    spec: Box<Spec>,
}

impl TicTacToe {
    /// An environment; reset it before the first step.
    pub fn new() -> Self {
        Self { board: Board::default(), spec: Box::new(spec()) }
    }

    fn signal(&self, out: &mut Outcome<'_>) {
        if self.board.is_over() {
            out.terminate();
        } else {
            out.turn(self.board.to_move());
        }
    }

    fn legal(&self, seat: usize) -> u16 {
        if self.board.to_move() == seat && !self.board.is_over() { self.board.empty() } else { 0 }
    }
}

impl Default for TicTacToe {
    fn default() -> Self {
        Self::new()
    }
}

fn spec() -> Spec {
    Spec {
        game: "tic-tac-toe".into(),
        version: 1,
        seats: 2,
        obs: Space::Fields {
            dtype: Dtype::F32,
            fields: vec![
                Field::new("mine", &[3, 3], 0.0, 1.0, "1 where the viewer has a stone"),
                Field::new("theirs", &[3, 3], 0.0, 1.0, "1 where the rival has a stone"),
            ],
        },
        action: Space::Discrete { n: 9 },
        masked: true,
        dynamics: Dynamics::TurnBased,
        information: Information::Perfect,
        luck: Luck::Deterministic,
        utility: Utility::ZeroSum,
        placing: Placing::Full,
        reward: (-1.0, 1.0),
        metrics: Vec::new(),
        max_steps: None,
    }
}

impl Env for TicTacToe {
    type Obs = f32;
    type Act = u32;

    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn reset(&mut self, _seed: EpisodeSeed, mut out: Outcome<'_>) -> Result<(), Fault> {
        self.board = Board::default();
        out.turn(0);
        Ok(())
    }

    #[inline]
    fn step(&mut self, acts: &[u32], mut out: Outcome<'_>) -> Result<(), Fault> {
        let seat = self.board.to_move();
        let cell = acts[seat];
        if cell >= 9 || self.legal(seat) >> cell & 1 == 0 {
            self.signal(&mut out);
            out.refuse(seat);
            return Ok(());
        }
        self.board.stones[seat] |= 1 << cell;
        if self.board.wins(seat) {
            out.reward[seat] = 1.0;
            out.reward[1 - seat] = -1.0;
            out.terminate();
        } else if self.board.empty() == 0 {
            out.terminate();
        } else {
            out.turn(1 - seat);
        }
        Ok(())
    }

    #[inline]
    fn observe(&self, seat: usize, obs: &mut [f32], mut mask: BitsMut<'_>) {
        let both = u32::from(self.board.stones[seat]) | u32::from(self.board.stones[1 - seat]) << 9;
        for (cell, value) in obs.iter_mut().enumerate() {
            *value = (both >> cell & 1) as f32;
        }
        mask.copy_from(&[u64::from(self.board.empty())]);
    }

    fn ranks(&self, ranks: &mut [u8]) -> bool {
        for (seat, rank) in ranks.iter_mut().enumerate() {
            *rank = u8::from(self.board.wins(1 - seat));
        }
        self.board.is_over()
    }

    fn state_hash(&self) -> Option<u64> {
        Some(stable_hash(&self.board))
    }

    fn as_snapshot(&mut self) -> Option<&mut dyn DynSnapshot> {
        Some(self)
    }

    fn as_text(&self) -> Option<&dyn TextEnv> {
        Some(self)
    }

    fn as_heuristic(&self) -> Option<&dyn Heuristic> {
        Some(self)
    }
}

impl Heuristic for TicTacToe {
    /// 1, 0 or one half at the end, one half before it: the tree is small enough to be searched whole.
    fn values(&self, values: &mut [f32]) {
        for (seat, value) in values.iter_mut().enumerate() {
            let (won, lost) = (self.board.wins(seat), self.board.wins(1 - seat));
            *value = 0.5 + 0.5 * (f32::from(u8::from(won)) - f32::from(u8::from(lost)));
        }
    }
}

/// The saved position, opaque.
#[derive(Clone, Copy, Debug)]
pub struct TicTacToeState(Board);

impl Snapshot for TicTacToe {
    type State = TicTacToeState;

    fn save(&self) -> TicTacToeState {
        TicTacToeState(self.board)
    }

    fn load(&mut self, state: &TicTacToeState) {
        self.board = state.0;
    }
}

impl TextEnv for TicTacToe {
    fn observe_text(&self, seat: usize, out: &mut String) {
        out.push_str(if seat == 0 { "You play X.\n  a b c" } else { "You play O.\n  a b c" });
        for cell in 0..9 {
            if cell % 3 == 0 {
                out.push('\n');
                out.push(char::from(b'1' + cell / 3));
            }
            let has = |seat: usize| self.board.stones[seat] >> cell & 1 == 1;
            out.push_str(if has(0) {
                " X"
            } else if has(1) {
                " O"
            } else {
                " ."
            });
        }
    }

    fn legal_text(&self, seat: usize, each: &mut dyn FnMut(u32, &str)) {
        cells(self.legal(seat)).for_each(|cell| each(cell, NAMES[cell as usize]));
    }

    fn action_name(&self, action: u32) -> Option<String> {
        NAMES.get(action as usize).map(|&name| name.to_owned())
    }

    fn parse(&self, seat: usize, text: &str) -> Result<u32, ParseError> {
        let legal: Vec<_> =
            cells(self.legal(seat)).map(|cell| (cell, NAMES[cell as usize].to_owned())).collect();
        parse_name(text, &legal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_empty_board_is_a_draw_and_every_first_move_keeps_it() {
        assert_eq!(Board::default().value(), 0);
        assert_eq!(best_moves(Board::default()).len(), 9);
        // A stone in the corner is answered in the centre only.
        assert_eq!(best_moves(Board::default().after(0)), [4]);
    }

    #[test]
    fn an_early_win_beats_a_late_one() {
        // X: a1 b1, O: a2 b2, X to move: c1 wins at once.
        let board = Board { stones: [0b011, 0b011_000] };
        assert_eq!(best_moves(board), [2]);
    }
}
