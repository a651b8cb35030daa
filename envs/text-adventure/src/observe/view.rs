//! Reads a row back: what players look at.

use super::fields::{ACTIONS, COLUMNS, DIR_CODE, ENTITY_ROWS, NO_ROW, TOPIC_CODE, at, col};
use crate::action::{DIR_BASE, Dir, Verb};

/// One row of the entity table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Seen<'a>(&'a [u8]);

impl Seen<'_> {
    /// A column, see [`col`].
    #[inline]
    pub fn get(&self, column: usize) -> u8 {
        self.0[column]
    }

    /// Entity id, the same for the whole game.
    #[inline]
    pub fn id(&self) -> u8 {
        self.0[col::id].wrapping_sub(1)
    }

    /// Private value once banked.
    #[inline]
    pub fn worth(&self) -> u8 {
        self.0[col::worth]
    }
}

/// One row of the table of actions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice {
    /// Index of the action.
    pub index: u32,
    /// What is done.
    pub verb: Verb,
    /// Code of the first object, see [`View::entity`] and [`Choice::dir`].
    pub a: u8,
    /// Code of the second object.
    pub b: u8,
}

impl Choice {
    /// The direction of a walk.
    #[inline]
    pub fn dir(&self) -> Option<Dir> {
        let d = self.a.checked_sub(DIR_CODE)?;
        if self.verb == Verb::Go { Dir::ALL.get(usize::from(d)).copied() } else { None }
    }
}

/// An observation row by name.
#[derive(Clone, Copy, Debug)]
pub struct View<'a>(&'a [u8]);

impl<'a> View<'a> {
    /// A view of `row`.
    pub const fn read(row: &'a [u8]) -> Self {
        Self(row)
    }

    /// The whole row.
    #[inline]
    pub(crate) const fn bytes(&self) -> &'a [u8] {
        self.0
    }

    /// One element, see [`at`].
    #[inline]
    pub const fn get(&self, at: usize) -> u8 {
        self.0[at]
    }

    /// The entity of a code of the action table or of a `holder` cell; `None` for none, directions and topics.
    #[inline]
    pub fn entity(&self, code: u8) -> Option<Seen<'a>> {
        let row = usize::from(code).checked_sub(1).filter(|r| *r < ENTITY_ROWS)?;
        let start = at::entities + row * COLUMNS.len();
        let seen = Seen(&self.0[start..start + COLUMNS.len()]);
        (seen.0[col::id] > 0).then_some(seen)
    }

    /// The value of a code of the action table as an object of a triple.
    pub fn object(&self, code: u8) -> u32 {
        match code {
            0 => 0,
            DIR_CODE..TOPIC_CODE => u32::from(code - DIR_CODE) + u32::from(DIR_BASE) + 1,
            NO_ROW => 0,
            TOPIC_CODE.. => u32::from(code - TOPIC_CODE) + 1,
            _ => self.entity(code).map_or(0, |e| u32::from(e.id()) + 1),
        }
    }

    /// Everything in sight: the room, oneself, then by id.
    pub fn entities(&self) -> impl Iterator<Item = Seen<'a>> + use<'a> {
        let view = *self;
        (1..=ENTITY_ROWS as u8).map_while(move |code| view.entity(code))
    }

    /// The room's id.
    pub fn room(&self) -> u8 {
        self.entity(1).map_or(0, |r| r.id())
    }

    /// What can be done now, in order.
    pub fn choices(&self) -> impl Iterator<Item = Choice> + use<'a> {
        let table = &self.0[at::actions..at::actions + 3 * ACTIONS];
        table.chunks_exact(3).zip(0..).map_while(|(cells, index)| {
            let verb = *Verb::ALL.get(usize::from(cells[0]).checked_sub(1)?)?;
            Some(Choice { index, verb, a: cells[1], b: cells[2] })
        })
    }

    /// The exit in a direction: 0 none, 1 open, 2 a closed door; the room behind it when it was walked.
    pub const fn exit(&self, dir: Dir) -> (u8, Option<u8>) {
        let cell = at::exits + 3 * dir as usize;
        (self.0[cell], self.0[cell + 1].checked_sub(1))
    }

    /// The planner's next action, with `advice=on`.
    pub const fn advice(&self) -> Option<u32> {
        let number = self.0[at::advice] as u32 | (self.0[at::advice + 1] as u32) << 8;
        number.checked_sub(1)
    }
}
