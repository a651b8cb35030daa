//! Actions as verbs with arguments.

use super::{DIRECTION, THING, TOPIC};
use crate::{
    action::{Dir, Slot, Verb as Does},
    observe::{ACTIONS, DIR_CODE, NO_ROW, TOPIC_CODE, View, at, col},
    rules,
};
use rl_gym::vocabulary::{MAX_ARGS, Term, Verb};

/// The verbs, numbered as in [`Does::ALL`], with their objects as arguments.
pub(super) static VERBS: [Verb; Does::COUNT] = {
    let mut verbs = [Verb { name: "", args: &[] }; Does::COUNT];
    let mut i = 0;
    while i < Does::COUNT {
        let entry = &rules::TABLE[i];
        verbs[i].name = Does::ALL[i].name();
        verbs[i].args = match (entry.a, entry.b) {
            (Slot::None, _) => &[],
            (Slot::Dir, _) => &[DIRECTION],
            (_, Slot::Thing) => &[THING, THING],
            (_, Slot::Topic) => &[THING, TOPIC],
            (_, _) => &[THING],
        };
        i += 1;
    }
    verbs
};

/// The listed action with this index; `None` past the end of the list.
#[inline]
pub(super) fn term(view: View<'_>, action: u32) -> Option<Term> {
    let index = usize::try_from(action).ok().filter(|i| *i < ACTIONS)?;
    let cell = at::actions + 3 * index;
    let verb = usize::from(view.get(cell).checked_sub(1)?);
    let mut args = [0; MAX_ARGS];
    for (k, (kind, arg)) in VERBS.get(verb)?.args.iter().zip(&mut args).enumerate() {
        let code = view.get(cell + 1 + k);
        *arg = match *kind {
            DIRECTION => u16::from(code.checked_sub(DIR_CODE).filter(|d| usize::from(*d) < Dir::COUNT)?),
            TOPIC => u16::from(code.checked_sub(TOPIC_CODE)?),
            // What the table has no row for is nothing in particular.
            _ if code == NO_ROW => 0,
            _ => u16::from(view.entity(code)?.get(col::id)),
        };
    }
    Some(Term { verb: verb as u16, args })
}
