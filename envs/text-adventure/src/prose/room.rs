//! Rooms, inventories and things as they look.

use super::{
    line::Line,
    names,
    sentences::Prose,
    template::{Fill, is_plural},
};
use crate::{
    action::Dir,
    effect::{COOKED, CUT},
    entity::{Attr, Bit},
    scope::Scope,
    set::{Ent, NONE, Set},
    story::Story,
    world::World,
};

/// Things that are listed at most in one sentence.
const MAX_LISTED: usize = 48;

/// Appends what the actor of `scope` sees around: name, text, things, people, exits.
pub fn room(story: &Story, world: &World, scope: &Scope, out: &mut String) {
    tell(story, world, scope, false, out);
}

/// The same, perhaps without the room's text.
pub(super) fn tell(story: &Story, world: &World, scope: &Scope, is_brief: bool, out: &mut String) {
    let prose = Prose::get();
    let fill = Fill::new(story, scope.me);
    if !scope.is_lit {
        prose.line(Line::DarkName).write(&fill, out);
        out.push('\n');
        prose.line(Line::Dark).write(&fill, out);
        exits(story, world, scope, out);
        return;
    }
    let begin = out.len();
    names::push_bare(story, scope.room, out);
    names::capitalise(begin, out);
    let text = &story.entity(scope.room).text;
    if !is_brief && !text.is_empty() {
        out.push('\n');
        out.push_str(text);
    }
    things(story, world, scope, out);
    exits(story, world, scope, out);
}

fn things(story: &Story, world: &World, scope: &Scope, out: &mut String) {
    let (mut loose, mut people) = (Listed::new(story, world, true), Listed::new(story, world, true));
    let listed = scope.seen - *story.all(Attr::Scenery) - *story.all(Attr::Door);
    let actors = *story.all(Attr::Actor);
    let mut top = scope.seen & world.inside(scope.room, story.len());
    top.remove(scope.me);
    for e in top & (listed | actors) {
        // What is told of somebody is told of the place where they are at home.
        let first = &story.entity(e).first;
        let is_actor = actors.has(e);
        let is_usual = if is_actor { story.start.parent(e) != scope.room } else { world.is(e, Bit::Moved) };
        if first.is_empty() || is_usual {
            if is_actor { people.push(e) } else { loose.push(e) }
        } else {
            out.push('\n');
            out.push_str(first);
        }
    }
    let nested = listed - top - scope.held;
    let mut places = Set::EMPTY;
    for e in nested {
        let place = world.parent(e);
        if place != NONE && !story.is_room(place) && !world.is_within(e, scope.me) {
            places.insert(place);
        }
    }
    let fill = Fill::new(story, scope.me);
    if !loose.is_empty() {
        out.push('\n');
        loose.sentence(Line::Here, &fill, out);
    }
    let mut has_line = !loose.is_empty();
    for place in (places - actors).into_iter().chain(places & actors) {
        if actors.has(place) {
            people.tell(&mut has_line, &fill, out);
        }
        let mut inside = Listed::new(story, world, true);
        nested.iter().filter(|e| world.parent(*e) == place).for_each(|e| inside.push(e));
        out.push(if has_line { ' ' } else { '\n' });
        has_line = true;
        let line = match () {
            () if actors.has(place) => Line::Holds,
            () if story.is(place, Attr::Container) => Line::In,
            () => Line::On,
        };
        inside.sentence(line, &Fill { a: place, ..fill }, out);
    }
    people.tell(&mut has_line, &fill, out);
}

fn exits(story: &Story, world: &World, scope: &Scope, out: &mut String) {
    // In the dark one finds doors by feel, and the ways that one has come.
    let known = story.seat_of(scope.me).map_or(Set::EMPTY, |seat| *world.known(seat));
    let seen = |d: &&Dir| {
        let exit = story.exit(scope.room, **d);
        let hides = exit.door != NONE && world.is(exit.door, Bit::Hidden);
        exit.to != NONE && !hides && (scope.is_lit || exit.door != NONE || known.has(exit.to))
    };
    let mut ways = [Dir::North; Dir::COUNT];
    let mut count = 0;
    for dir in Dir::ALL.iter().filter(seen) {
        ways[count] = *dir;
        count += 1;
    }
    let prose = Prose::get();
    let fill = Fill::new(story, scope.me);
    out.push('\n');
    if count == 0 {
        return prose.line(Line::NoExits).write(&fill, out);
    }
    let list = |out: &mut String| {
        names::push_list(count, &prose.raw.and, out, |i, list| {
            let door = story.exit(scope.room, ways[i]).door;
            let fill = Fill { dir: Some(ways[i]), a: door, ..fill };
            match door {
                NONE => list.push_str(names::direction(ways[i])),
                door if world.is(door, Bit::Open) => prose.line(Line::Through).write(&fill, list),
                _ => prose.line(Line::ThroughClosed).write(&fill, list),
            }
        });
    };
    prose.line(Line::Exits).write(&Fill { list: Some(&list), ..fill }, out);
}

/// Appends what the actor of `scope` carries and wears.
pub fn inventory(story: &Story, world: &World, scope: &Scope, out: &mut String) {
    let fill = Fill::new(story, scope.me);
    let worn = scope.held & *world.set(Bit::Worn);
    let (mut carried, mut clothes) = (Listed::new(story, world, true), Listed::new(story, world, false));
    (scope.held - worn).iter().for_each(|e| carried.push(e));
    worn.iter().for_each(|e| clothes.push(e));
    if carried.is_empty() {
        if clothes.is_empty() {
            return Prose::get().line(Line::EmptyHanded).write(&fill, out);
        }
    } else {
        carried.sentence(Line::Carrying, &fill, out);
        for e in scope.held {
            let inside = Listed::inside(story, world, scope, e);
            if !inside.is_empty() {
                out.push(' ');
                let line = if story.is(e, Attr::Container) { Line::In } else { Line::On };
                inside.sentence(line, &Fill { a: e, ..fill }, out);
            }
        }
        if !clothes.is_empty() {
            out.push(' ');
        }
    }
    if !clothes.is_empty() {
        clothes.sentence(Line::Wearing, &fill, out);
    }
}

/// Appends how a thing looks: its text and how it stands.
pub fn examine(story: &Story, world: &World, scope: &Scope, e: Ent, out: &mut String) {
    let prose = Prose::get();
    let fill = Fill { a: e, ..Fill::new(story, scope.me) };
    let begin = out.len();
    out.push_str(&story.entity(e).text);
    let say = |line: Line, out: &mut String| {
        if out.len() > begin {
            out.push(' ');
        }
        prose.line(line).write(&fill, out);
    };
    if story.is(e, Attr::Openable) {
        let line = match () {
            () if world.is(e, Bit::Open) => Line::IsOpen,
            () if world.is(e, Bit::Locked) => Line::IsLocked,
            () => Line::IsClosed,
        };
        say(line, out);
    }
    if story.is(e, Attr::Switch) {
        say(if world.is(e, Bit::On) { Line::IsOn } else { Line::IsOff }, out);
    }
    if world.is(e, Bit::Worn) && scope.held.has(e) {
        say(Line::IsWorn, out);
    }
    if world.is(e, Bit::Broken) {
        say(Line::IsBroken, out);
    }
    let states = |b: &&Bit| world.is(e, **b);
    let count = CUT.iter().chain(&COOKED).filter(states).count();
    if count > 0 {
        let list = |out: &mut String| {
            let mut rest = CUT.iter().chain(&COOKED).filter(states);
            names::push_list(count, &prose.raw.and, out, |_, out| {
                out.push_str(rest.next().map_or("", |b| prose.state(*b)));
            });
        };
        if out.len() > begin {
            out.push(' ');
        }
        prose.line(Line::IsState).write(&Fill { list: Some(&list), ..fill }, out);
    }
    let inside = Listed::inside(story, world, scope, e);
    if !inside.is_empty() {
        if out.len() > begin {
            out.push(' ');
        }
        let line = match () {
            () if story.is(e, Attr::Actor) => Line::Holds,
            () if story.is(e, Attr::Container) => Line::Contains,
            () => Line::Bears,
        };
        inside.sentence(line, &fill, out);
    } else if story.is(e, Attr::Container) && (world.is(e, Bit::Open) || !story.is(e, Attr::Openable)) {
        say(Line::IsEmpty, out);
    }
    if out.len() == begin {
        say(Line::NothingSpecial, out);
    }
}

/// Things to be listed, those of one name together.
#[derive(Clone, Copy)]
pub(super) struct Listed<'a> {
    story: &'a Story,
    world: &'a World,
    list: [Ent; MAX_LISTED],
    len: usize,
    /// Whether it is told how things stand: lit, worn, open.
    with_marks: bool,
    has_the: bool,
}

impl<'a> Listed<'a> {
    const fn new(story: &'a Story, world: &'a World, with_marks: bool) -> Self {
        Self { story, world, list: [NONE; MAX_LISTED], len: 0, with_marks, has_the: false }
    }

    /// What is seen directly in, on or with `place`.
    pub(super) fn inside(story: &'a Story, world: &'a World, scope: &Scope, place: Ent) -> Self {
        let mut listed = Self::new(story, world, true);
        scope.seen.iter().filter(|e| world.parent(*e) == place).for_each(|e| listed.push(e));
        listed
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Tells of people on a line of their own, once.
    fn tell(&mut self, has_line: &mut bool, fill: &Fill<'_>, out: &mut String) {
        if self.is_empty() {
            return;
        }
        out.push('\n');
        *has_line = true;
        match self.len {
            1 => Prose::get().line(Line::Person).write(&Fill { a: self.list[0], ..*fill }, out),
            _ => Self { has_the: true, ..*self }.sentence(Line::People, fill, out),
        }
        self.len = 0;
    }

    fn push(&mut self, e: Ent) {
        if self.len < MAX_LISTED {
            self.list[self.len] = e;
            self.len += 1;
        }
    }

    /// Whether two things are told of together.
    fn is_like(&self, x: Ent, y: Ent) -> bool {
        let mark = |e| self.with_marks.then(|| self.mark(e));
        self.story.entity(x).twin == self.story.entity(y).twin && mark(x) == mark(y)
    }

    fn mark(&self, e: Ent) -> Option<Line> {
        let (story, world) = (self.story, self.world);
        match () {
            () if world.is(e, Bit::Broken) => Some(Line::MarkBroken),
            () if world.is(e, Bit::On) => Some(Line::MarkOn),
            () if world.is(e, Bit::Worn) => Some(Line::MarkWorn),
            () if !story.is(e, Attr::Openable) => None,
            () if world.is(e, Bit::Open) => Some(Line::MarkOpen),
            () => Some(Line::MarkClosed),
        }
    }

    /// Writes a sentence of which this is the list.
    pub(super) fn sentence(&self, line: Line, fill: &Fill<'_>, out: &mut String) {
        let things = &self.list[..self.len];
        let is_first = |i: usize| !things[..i].iter().any(|e| self.is_like(*e, things[i]));
        let count = (0..self.len).filter(|i| is_first(*i)).count();
        let prose = Prose::get();
        let list = |out: &mut String| {
            let mut firsts = (0..self.len).filter(|i| is_first(*i));
            names::push_list(count, &prose.raw.and, out, |_, out| {
                let Some(i) = firsts.next() else { return };
                let alike = things.iter().filter(|e| self.is_like(**e, things[i])).count();
                match alike {
                    1 if self.has_the => names::push_the(self.story, things[i], out),
                    1 => names::push_a(self.story, things[i], out),
                    _ => names::push_several(self.story, things[i], alike, out),
                }
                if self.with_marks
                    && let Some(mark) = self.mark(things[i])
                {
                    out.push_str(" (");
                    prose.line(mark).write(fill, out);
                    out.push(')');
                }
            });
        };
        // The verb agrees with how many there are, and with a name that is plural by itself.
        let is_many = self.len > 1 || things.first().is_some_and(|e| is_plural(self.story, *e));
        prose.line(line).write(&Fill { list: Some(&list), n: if is_many { 2 } else { 1 }, ..*fill }, out);
    }
}
