//! Playing on from a leaf to a state that can be judged.

use crate::table::{Status, Table, Values};
use rl_gym::{Fault, Pcg64};

/// Most moves of one playout: more than any sensible turn has, so that no game can hold a search.
const MOST_MOVES: u32 = 512;

/// The luck of one deal: drawn anew at the start of every stage from key and stage alone.
///
/// Lines that differ in a move then still meet the same dice in the turns that follow, and their difference is
/// that of the moves and not that of the dice.
#[derive(Clone, Copy)]
pub(crate) struct Luck {
    pub(crate) key: u128,
}

impl Luck {
    pub(crate) const fn at(self, stage: u32) -> Pcg64 {
        Pcg64::from_parts(self.key ^ ((stage as u128) << 64), stage as u128)
    }
}

/// Play ahead in which every seat does what the heuristic suggests, and one may follow a plan first.
pub(crate) struct Playout {
    seat: usize,
    status: Status,
    luck: Luck,
    stage: u32,
    dice: Pcg64,
    taste: Pcg64,
    moves: u32,
}

impl Playout {
    /// From the state on the table, in which `seat` is to act.
    pub(crate) fn new(table: &Table<'_>, luck: Luck, seat: usize) -> Self {
        Self::from(table, Status::Turn(seat), luck, seat)
    }

    fn from(table: &Table<'_>, status: Status, luck: Luck, seat: usize) -> Self {
        let stage = table.stage();
        let taste = Pcg64::from_parts(!luck.key, 1);
        Self { seat, status, luck, stage, dice: luck.at(stage), taste, moves: 0 }
    }

    /// One move of whoever moves next; false where the line ends.
    fn advance(&mut self, table: &mut Table<'_>, until: u32) -> Result<bool, Fault> {
        let now = table.stage();
        if now != self.stage {
            (self.stage, self.dice) = (now, self.luck.at(now));
        }
        if self.stage >= until || self.moves >= MOST_MOVES {
            return Ok(false);
        }
        self.moves += 1;
        self.status = match self.status {
            Status::Over => return Ok(false),
            Status::Chance => {
                let outcome = table.draw(&mut self.dice)?;
                table.happen(outcome)?
            }
            Status::Turn(seat) => match table.suggest(seat, &mut self.taste) {
                Some(action) => table.step(seat, action)?,
                None => return Ok(false),
            },
        };
        Ok(true)
    }

    /// Plays on until the seat is to act; false where the line ends before.
    pub(crate) fn reach(&mut self, table: &mut Table<'_>, until: u32) -> Result<bool, Fault> {
        while self.status != Status::Turn(self.seat) {
            if !self.advance(table, until)? {
                return Ok(false);
            }
        }
        Ok(table.stage() < until)
    }

    /// Plays on with `moves` as the seat's next decisions; false where one of them was not possible or did not
    /// come.
    pub(crate) fn follow(&mut self, table: &mut Table<'_>, moves: &[u32], until: u32) -> Result<bool, Fault> {
        for &action in moves {
            if !self.reach(table, until)? {
                return Ok(false);
            }
            match table.attempt(self.seat, action)? {
                Some(status) => self.status = status,
                None => return Ok(false),
            }
            self.moves += 1;
        }
        Ok(true)
    }

    /// Plays on to the end of the line.
    pub(crate) fn finish(&mut self, table: &mut Table<'_>, until: u32) -> Result<(), Fault> {
        while self.advance(table, until)? {}
        Ok(())
    }

    /// What the seat, which is to act, would do of itself.
    pub(crate) fn suggestion(&mut self, table: &Table<'_>) -> Option<u32> {
        table.suggest(self.seat, &mut self.taste)
    }
}

/// Lets every seat play as the heuristic suggests until stage `until` begins, the game ends, or nothing is
/// suggested; then judges the state.
pub(crate) fn playout(
    table: &mut Table<'_>,
    status: Status,
    until: u32,
    luck: Luck,
) -> Result<Values, Fault> {
    Playout::from(table, status, luck, 0).finish(table, until)?;
    Ok(table.values())
}
