//! Ways to ask a row that several words share.

use crate::{
    action::Verb,
    observe::{ACTIONS, ENTITY_ROWS, Seen, View, at, col},
};
use std::ops::Range;

/// 1 for what holds.
#[inline]
pub(super) fn yes(holds: bool) -> f32 {
    f32::from(u8::from(holds))
}

/// Something in sight.
#[derive(Clone, Copy)]
pub(super) struct Thing<'a> {
    pub(super) view: View<'a>,
    /// Its row + 1.
    pub(super) code: u8,
    seen: Seen<'a>,
}

impl Thing<'_> {
    /// A column.
    #[inline]
    pub(super) fn get(self, column: usize) -> u8 {
        self.seen.get(column)
    }

    /// Whether a column is not 0.
    #[inline]
    pub(super) fn is(self, column: usize) -> bool {
        self.get(column) > 0
    }

    /// Whether the viewer holds it.
    #[inline]
    pub(super) fn is_held(self) -> bool {
        self.get(col::place) == 3
    }

    /// Whether it opens and is not open.
    #[inline]
    pub(super) fn is_shut(self) -> bool {
        self.is(col::openable) && !self.is(col::open)
    }

    /// Whether it lies about: it can be carried and touched, and nobody holds it.
    #[inline]
    pub(super) fn is_loose(self) -> bool {
        self.is(col::portable) && self.is(col::reach) && self.get(col::place) < 3
    }

    /// Whether it can be carried and has no use that can be seen: a key, a good, a treasure.
    #[inline]
    pub(super) fn is_plain(self) -> bool {
        const USES: [usize; 15] = [
            col::container,
            col::supporter,
            col::openable,
            col::lockable,
            col::wearable,
            col::readable,
            col::edible,
            col::lamp,
            col::switch,
            col::sharp,
            col::heat,
            col::cookable,
            col::cuttable,
            col::part,
            col::machine,
        ];
        self.is(col::portable) && USES.iter().fold(0, |any, c| any | self.get(*c)) == 0
    }

    /// Whether its whole name occurs in the objective.
    #[inline]
    pub(super) fn is_asked(self) -> bool {
        self.get(col::asked) == 2
    }

    /// Whether it lies in or on a thing that is asked for.
    #[inline]
    pub(super) fn is_in_asked(self) -> bool {
        matches!(self.get(col::place), 1 | 2)
            && thing(self.view, self.get(col::holder)).is_some_and(Thing::is_asked)
    }

    /// What it lies in, on or with, is a vault: 0 no, 1 the viewer's, 2 another seat's.
    #[inline]
    pub(super) fn holder_vault(self) -> u8 {
        self.view.entity(self.get(col::holder)).map_or(0, |h| h.get(col::vault))
    }

    /// Whether an action of `verb` is listed that has it as its first (0) or second (1) object.
    #[inline]
    pub(super) fn is_listed(self, verb: Verb, slot: usize) -> bool {
        self.times_listed(verb, slot) > 0
    }

    /// How many actions of `verb` are listed that have it as their first (0) or second (1) object.
    #[inline]
    pub(super) fn times_listed(self, verb: Verb, slot: usize) -> u16 {
        let cell = |i: usize| self.view.get(at::actions + 3 * i + 1 + slot);
        listed(self.view, verb).map(|i| u16::from(cell(i) == self.code)).sum()
    }
}

/// Whether one of these words occurs in the objective, or one that shares its id.
#[inline]
pub(super) fn goal_says(view: View<'_>, ids: &[u8]) -> f32 {
    yes(ids.iter().any(|id| view.get(at::goal_words + usize::from(*id)) > 0))
}

/// The thing of a code of the action table.
#[inline]
pub(super) fn thing(view: View<'_>, code: u8) -> Option<Thing<'_>> {
    view.entity(code).map(|seen| Thing { view, code, seen })
}

/// Everything in sight but the room and oneself.
#[inline]
pub(super) fn things(view: View<'_>) -> impl Iterator<Item = Thing<'_>> {
    (3..=ENTITY_ROWS as u8).map_while(move |code| thing(view, code))
}

/// What is in sight with this id + 1; `None` when nothing is.
#[inline]
pub(super) fn find(view: View<'_>, id: u16) -> Option<Thing<'_>> {
    let id = u8::try_from(id).ok().filter(|id| *id > 0)?;
    let id_of = |code: u8| view.get(at::entities + (usize::from(code) - 1) * crate::observe::COLUMNS.len());
    if id_of(1) == id {
        return thing(view, 1);
    }
    if id_of(2) == id {
        return thing(view, 2);
    }
    // From the third row on they follow their ids, and empty rows come last, as an id above all others. Every search
    // takes the same steps, which is what a processor foresees.
    let (mut low, mut left) = (3, ENTITY_ROWS as u8 - 2);
    while left > 1 {
        let half = left / 2;
        low += if id_of(low + half).wrapping_sub(1) < id { half } else { 0 };
        left -= half;
    }
    thing(view, low).filter(|t| t.get(col::id) == id)
}

/// First action of this verb or a later one. The list ascends by verbs, and empty rows come last.
#[inline]
fn first(view: View<'_>, verb: u8) -> usize {
    // The upper part of the table is nearly always empty, so that branches foresee the first steps.
    let (mut low, mut high) = (0, ACTIONS);
    while low < high {
        let middle = (low + high) / 2;
        // An empty row is a verb above all others.
        let is_before = view.get(at::actions + 3 * middle).wrapping_sub(1) < verb;
        (low, high) = if is_before { (middle + 1, high) } else { (low, middle) };
    }
    low
}

/// Indices of the listed actions of a verb.
#[inline]
pub(super) fn listed(view: View<'_>, verb: Verb) -> Range<usize> {
    let code = verb as u8 + 1;
    let begin = first(view, verb as u8);
    // Few actions share a verb.
    let mut to = begin;
    while to < ACTIONS && view.get(at::actions + 3 * to) == code {
        to += 1;
    }
    begin..to
}

/// Whether an action of the verb is listed.
#[inline]
pub(super) fn can(view: View<'_>, verb: Verb) -> bool {
    let begin = first(view, verb as u8);
    begin < ACTIONS && view.get(at::actions + 3 * begin) == verb as u8 + 1
}

/// How many actions are listed.
#[inline]
pub(super) fn actions(view: View<'_>) -> u16 {
    first(view, Verb::COUNT as u8) as u16
}

/// The first and second object of a listed action.
#[inline]
pub(super) fn objects(view: View<'_>, index: usize) -> [u8; 2] {
    [1, 2].map(|k| view.get(at::actions + 3 * index + k))
}
