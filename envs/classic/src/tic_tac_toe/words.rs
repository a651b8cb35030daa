//! The words for skills of tic-tac-toe: what a seat sees on the nine cells, and what a stone on one would do.

use super::{FULL, LINES};
use rl_gym::vocabulary::{Fact, Kind, Term, Verb, Vocabulary};

const FACTS: &[Fact] = &[
    Fact::number("free_cells", 0.0, 9.0, "cells without a stone"),
    Fact::number("my_stones", 0.0, 5.0, "the viewer's stones"),
    Fact::number("their_stones", 0.0, 5.0, "the rival's stones"),
    Fact::number("winning_cells", 0.0, 9.0, "free cells on which the viewer would win"),
    Fact::number("losing_cells", 0.0, 9.0, "free cells on which the rival would win"),
    Fact::holds("can_win", "the viewer wins with its next stone"),
    Fact::holds("must_block", "the rival would win with its next stone"),
    Fact::holds("centre_free", "the centre is free"),
    Fact::number("free_corners", 0.0, 4.0, "corners without a stone"),
    Fact::holds("has_won", "the viewer has three in a row"),
    Fact::holds("has_lost", "the rival has three in a row"),
];

const FEATURES: &[Fact] = &[
    Fact::holds("wins", "a stone there completes three of the viewer's in a row"),
    Fact::holds("blocks", "a stone there keeps the rival from completing three in a row"),
    Fact::number("open_lines", 0.0, 4.0, "lines through it without a stone of the rival"),
    Fact::number("threats", 0.0, 4.0, "lines through it with one stone of the viewer and none of the rival"),
    Fact::holds("is_centre", "the centre"),
    Fact::holds("is_corner", "a corner"),
    Fact::holds("is_opposite", "the opposite corner of a corner of the rival"),
];

const CORNERS: u16 = 0o505;
const CENTRE: u16 = 0o020;

/// The words of tic-tac-toe, version 1.
pub(super) struct Words;

/// The viewer's and the rival's stones.
fn stones(obs: &[u8]) -> (u16, u16) {
    // Rows are 18 floats in native order; only 0 and 1 occur, and 0 has no bit set.
    let is_one = |i: usize| obs[4 * i..4 * i + 4].iter().any(|b| *b != 0);
    let bits = |first: usize| (0..9).filter(|i| is_one(first + i)).fold(0, |bits, i| bits | 1 << i);
    (bits(0), bits(9))
}

/// Free cells that complete three of `own` in a row.
fn completing(own: u16, other: u16) -> u16 {
    let free = FULL & !(own | other);
    LINES.iter().fold(0, |cells, line| {
        let rest = line & !own;
        if rest.count_ones() == 1 { cells | (rest & free) } else { cells }
    })
}

fn is_row(stones: u16) -> bool {
    LINES.iter().any(|line| stones & line == *line)
}

impl Vocabulary for Words {
    fn version(&self) -> u32 {
        1
    }

    fn facts(&self) -> &'static [Fact] {
        FACTS
    }

    fn fact(&self, obs: &[u8], fact: usize) -> f32 {
        let (mine, theirs) = stones(obs);
        let free = FULL & !(mine | theirs);
        let yes = |holds: bool| f32::from(u8::from(holds));
        let count = |cells: u16| cells.count_ones() as f32;
        match fact {
            0 => count(free),
            1 => count(mine),
            2 => count(theirs),
            3 => count(completing(mine, theirs)),
            4 => count(completing(theirs, mine)),
            5 => yes(completing(mine, theirs) != 0),
            6 => yes(completing(theirs, mine) != 0),
            7 => yes(free & CENTRE != 0),
            8 => count(free & CORNERS),
            9 => yes(is_row(mine)),
            _ => yes(is_row(theirs)),
        }
    }

    fn verbs(&self) -> &'static [Verb] {
        &[Verb { name: "place", args: &[0] }]
    }

    fn kinds(&self) -> &'static [Kind] {
        &[Kind { name: "cell", features: FEATURES }]
    }

    fn term(&self, _: &[u8], action: u32) -> Option<Term> {
        (action < 9).then_some(Term { verb: 0, args: [action as u16, 0, 0] })
    }

    fn feature(&self, obs: &[u8], _: usize, arg: u16, feature: usize) -> f32 {
        let (mine, theirs) = stones(obs);
        let cell = 1u16.checked_shl(arg.into()).unwrap_or(0);
        let yes = |holds: bool| f32::from(u8::from(holds));
        let lines = |fits: &dyn Fn(u16) -> bool| {
            LINES.iter().filter(|line| *line & cell != 0 && fits(**line)).count() as f32
        };
        match feature {
            0 => yes(completing(mine, theirs) & cell != 0),
            1 => yes(completing(theirs, mine) & cell != 0),
            2 => lines(&|line| line & theirs == 0),
            3 => lines(&|line| line & theirs == 0 && (line & mine).count_ones() == 1),
            4 => yes(cell == CENTRE),
            5 => yes(cell & CORNERS != 0),
            _ => yes(cell & CORNERS != 0 && theirs >> (8 - arg.min(8)) & 1 == 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(mine: u16, theirs: u16) -> Vec<u8> {
        let stones = u32::from(mine) | u32::from(theirs) << 9;
        (0..18).flat_map(|i| ((stones >> i & 1) as f32).to_ne_bytes()).collect()
    }

    #[test]
    fn what_is_said_of_a_position_is_so() {
        // X holds a1 and b1, O holds the centre and c3: X wins at c1, O at a1 only if it were free.
        let obs = row(0o003, 0o420);
        let fact = |name: &str| Words.fact(&obs, rl_gym::vocabulary::fact(FACTS, name).expect("known"));
        let feature = |cell, name: &str| {
            Words.feature(&obs, 0, cell, rl_gym::vocabulary::fact(FEATURES, name).expect("known"))
        };
        assert_eq!((fact("free_cells"), fact("can_win"), fact("must_block")), (5.0, 1.0, 0.0));
        assert_eq!((fact("centre_free"), fact("free_corners"), fact("has_won")), (0.0, 2.0, 0.0));
        assert_eq!((feature(2, "wins"), feature(2, "blocks"), feature(5, "wins")), (1.0, 0.0, 0.0));
        assert_eq!(
            (feature(6, "is_corner"), feature(6, "is_opposite"), feature(6, "threats")),
            (1.0, 0.0, 1.0)
        );
        assert_eq!(Words.feature(&row(0, 0o001), 0, 8, 6), 1.0, "opposite of a1 is c3");
    }

    #[test]
    fn every_value_is_within_its_bounds_in_every_position() {
        for both in 0..1u32 << 18 {
            let (mine, theirs) = ((both & 0x1ff) as u16, (both >> 9) as u16);
            if mine & theirs != 0 || mine.count_ones().abs_diff(theirs.count_ones()) > 1 {
                continue;
            }
            let obs = row(mine, theirs);
            for (i, f) in FACTS.iter().enumerate() {
                assert!((f.low..=f.high).contains(&Words.fact(&obs, i)), "{} of {mine:o} {theirs:o}", f.name);
            }
            for (i, f) in FEATURES.iter().enumerate() {
                for cell in 0..9 {
                    let value = Words.feature(&obs, 0, cell, i);
                    assert!((f.low..=f.high).contains(&value), "{} at {cell} of {mine:o} {theirs:o}", f.name);
                }
            }
        }
    }
}
