//! What can be said of a direction and of a topic.

use super::row::{listed, objects, yes};
use crate::{
    action::{Dir, Verb},
    observe::{TOPIC_CODE, View, at, col, word_id},
};

/// A direction as the viewer sees it.
#[derive(Clone, Copy)]
pub(super) struct Way<'a> {
    view: View<'a>,
    dir: Dir,
    /// 0 no exit, 1 open, 2 a closed door.
    state: u8,
    /// Room id + 1 behind it once walked through.
    room: u8,
}

/// The direction with this number; `None` when there is none.
#[inline]
pub(super) fn way(view: View<'_>, arg: u16) -> Option<Way<'_>> {
    let dir = *Dir::ALL.get(usize::from(arg))?;
    let cell = at::exits + 3 * dir as usize;
    Some(Way { view, dir, state: view.get(cell), room: view.get(cell + 1) })
}

impl Way<'_> {
    /// A column of the door in this direction, 0 without one.
    fn door(self, column: usize) -> u8 {
        let code = self.view.get(at::exits + 3 * self.dir as usize + 2);
        self.view.entity(code).map_or(0, |door| door.get(column))
    }

    /// Whether the words from `part` on hold the direction's name.
    fn says(self, part: usize) -> bool {
        const NAMES: [u8; Dir::COUNT] = {
            let (mut names, mut i) = ([0; Dir::COUNT], 0);
            while i < Dir::COUNT {
                names[i] = word_id(Dir::ALL[i].name());
                i += 1;
            }
            names
        };
        self.view.get(part + usize::from(NAMES[self.dir as usize])) > 0
    }
}

readings! { DIRECTIONS, DIRECTION_VALUES, Way<'_>;
    open 0.0 1.0 "an exit without a closed door" |w| yes(w.state == 1);
    shut 0.0 1.0 "an exit behind a closed door" |w| yes(w.state == 2);
    walked 0.0 1.0 "the viewer has walked through it from here" |w| yes(w.room > 0);
    fresh 0.0 1.0 "an open exit that the viewer never walked through from here" |w| yes(w.state == 1 && w.room == 0);
    room #label 0.0 255.0 "id + 1 of the room behind it once walked through from here, 0 before; only to be compared with the fact `room`" |w| w.room.into();
    has_door 0.0 1.0 "there is a door" |w| yes(w.door(col::id) > 0);
    locked 0.0 1.0 "the door is locked" |w| yes(w.door(col::locked) > 0);
    heard 0.0 1.0 "somebody walked in the room there since the last command" |w| {
        yes(w.view.get(at::heard + w.dir as usize) > 0)
    };
    asked 0.0 1.0 "its name occurs in the objective" |w| yes(w.says(at::goal_words));
    named 0.0 1.0 "its name occurs in the news, as in a map that is read; walking does not put it there" |w| yes(w.says(at::news_words));
    opposite #label 0.0 11.0 "the number of the opposite direction" |w| f32::from(w.dir.opposite() as u8);
    level 0.0 1.0 "one of the eight compass directions" |w| yes((w.dir as u8) < Dir::Up as u8);
}

/// A topic that can come up now.
#[derive(Clone, Copy)]
pub(super) struct Subject<'a> {
    view: View<'a>,
    /// Row + 1 of the person.
    person: u8,
    code: u8,
    is_told: bool,
}

/// The topic with this number; `None` when it cannot come up now.
#[inline]
pub(super) fn subject(view: View<'_>, arg: u16) -> Option<Subject<'_>> {
    let code = u8::try_from(arg).ok().and_then(|t| t.checked_add(TOPIC_CODE))?;
    topics(view).find(|t| t.code == code)
}

/// All topics that can come up now, those to ask about first.
fn topics(view: View<'_>) -> impl Iterator<Item = Subject<'_>> {
    [(Verb::Ask, false), (Verb::Tell, true)].into_iter().flat_map(move |(verb, is_told)| {
        listed(view, verb).map(move |i| {
            let [person, code] = objects(view, i);
            Subject { view, person, code, is_told }
        })
    })
}

impl<'a> Subject<'a> {
    /// The other topics that can come up with the same person.
    fn others(self) -> impl Iterator<Item = Subject<'a>> {
        topics(self.view).filter(move |t| t.person == self.person && t.code != self.code)
    }
}

readings! { TOPICS, TOPIC_VALUES, Subject<'_>;
    told 0.0 1.0 "one tells of it rather than asking" |t| yes(t.is_told);
    rank 0.0 64.0 "topics of the same person that can come up and have a lower number" |t| {
        t.others().map(|o| yes(o.code < t.code)).sum()
    };
    last 0.0 1.0 "no topic of the same person that can come up has a higher number" |t| {
        yes(t.others().all(|o| o.code < t.code))
    };
    others 0.0 64.0 "other topics of the same person that can come up" |t| t.others().count() as f32;
}
