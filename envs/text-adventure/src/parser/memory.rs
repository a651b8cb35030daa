//! What a seat spoke of, for words like `it`.

use crate::{
    entity::Attr,
    set::{Ent, Set},
    story::Story,
};

/// What pronouns mean: it, them, him, her.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Memory {
    pub(crate) spoken: [Set; 4],
}

impl Memory {
    /// One thing was spoken of.
    pub(crate) fn mention(&mut self, story: &Story, me: Ent, e: Ent) {
        if usize::from(e) >= story.len() || e == me {
            return;
        }
        let is = |attr| story.is(e, attr);
        let slots = match () {
            () if is(Attr::Male) => [false, false, true, false],
            () if is(Attr::Female) => [false, false, false, true],
            () if is(Attr::Plural) => [false, true, false, false],
            () if is(Attr::Actor) => [true; 4],
            () => [true, false, false, false],
        };
        self.spoken
            .iter_mut()
            .zip(slots)
            .filter(|(_, is_meant)| *is_meant)
            .for_each(|(s, _)| *s = Set::one(e));
    }
}
