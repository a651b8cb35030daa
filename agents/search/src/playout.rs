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

/// Lets every seat play as the heuristic suggests until stage `until` begins, the game ends, or nothing is
/// suggested; then judges the state.
pub(crate) fn playout(
    table: &mut Table<'_>,
    mut status: Status,
    until: u32,
    luck: Luck,
) -> Result<Values, Fault> {
    let mut stage = table.stage();
    let mut dice = luck.at(stage);
    let mut taste = Pcg64::from_parts(!luck.key, 1);
    for _ in 0..MOST_MOVES {
        let now = table.stage();
        if now != stage {
            (stage, dice) = (now, luck.at(now));
        }
        if stage >= until {
            break;
        }
        status = match status {
            Status::Over => break,
            Status::Chance => {
                let outcome = table.draw(&mut dice)?;
                table.happen(outcome)?
            }
            Status::Turn(seat) => match table.suggest(seat, &mut taste) {
                Some(action) => table.step(seat, action)?,
                None => break,
            },
        };
    }
    Ok(table.values())
}
