//! What happened in a turn, as data: the words are made from it when somebody asks for them.

use crate::{
    action::{Action, Verb},
    rules::Refusal,
    set::{Ent, NONE},
    story::TextId,
};

/// Notes of one turn at most; later ones are dropped.
pub const MAX_NOTES: usize = 32;

/// What kind of thing happened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    /// An action was carried out.
    Did(Action),
    /// An action was understood and did not work.
    Refused(Action, Refusal),
    /// A text of the story is told.
    Told(TextId),
    /// Somebody walked to this room by themselves.
    Walked(Ent),
    /// A lamp burned out.
    BurnedOut,
    /// Points were won or lost.
    Scored(i16),
}

/// One thing that happened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Note {
    /// Who did it, or what it happened to.
    pub who: Ent,
    /// In which room: whoever is there notices. For a walk the room that was left.
    pub room: Ent,
    /// What happened.
    pub what: What,
}

impl Note {
    /// The note as one number, for hashes.
    pub(crate) const fn code(&self) -> u64 {
        let what = match self.what {
            What::Did(action) => 1 | action.code() << 3,
            What::Refused(action, why) => 2 | action.code() << 3 | (why as u64) << 27,
            What::Told(text) => 3 | (text as u64) << 3,
            What::Walked(to) => 4 | (to as u64) << 3,
            What::BurnedOut => 5,
            What::Scored(points) => 6 | (points as u16 as u64) << 3,
        };
        what << 16 | (self.who as u64) << 8 | self.room as u64
    }

    pub(crate) const fn did(who: Ent, room: Ent, action: Action) -> Self {
        Self { who, room, what: What::Did(action) }
    }

    /// An action that was refused.
    pub const fn refused(who: Ent, room: Ent, action: Action, why: Refusal) -> Self {
        Self { who, room, what: What::Refused(action, why) }
    }

    pub(crate) const fn told(who: Ent, room: Ent, text: TextId) -> Self {
        Self { who, room, what: What::Told(text) }
    }

    pub(crate) const fn walked(who: Ent, from: Ent, to: Ent) -> Self {
        Self { who, room: from, what: What::Walked(to) }
    }

    pub(crate) const fn burned_out(lamp: Ent, room: Ent) -> Self {
        Self { who: lamp, room, what: What::BurnedOut }
    }

    pub(crate) const fn scored(who: Ent, room: Ent, points: i16) -> Self {
        Self { who, room, what: What::Scored(points) }
    }
}

/// What happened in a turn, in order. Plain data of fixed size.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Log {
    notes: [Note; MAX_NOTES],
    len: u8,
}

impl Default for Log {
    fn default() -> Self {
        let nothing = Note::did(NONE, NONE, Action::bare(Verb::Wait));
        Self { notes: [nothing; MAX_NOTES], len: 0 }
    }
}

impl Log {
    /// Forgets everything.
    pub const fn clear(&mut self) {
        self.len = 0;
    }

    /// Adds a note, unless the turn is full of them.
    pub const fn push(&mut self, note: Note) {
        if (self.len as usize) < MAX_NOTES {
            self.notes[self.len as usize] = note;
            self.len += 1;
        }
    }

    /// The notes in order.
    pub fn notes(&self) -> &[Note] {
        &self.notes[..usize::from(self.len)]
    }
}
