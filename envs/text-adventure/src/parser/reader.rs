//! Reading one clause: every line of the grammar that fits, and the best of their meanings.

use super::{
    ErrorKind, Settings,
    noun::{Fault, Noun},
    rank::{self, Found, Rank},
    session::Memory,
    tokens::{Mark, Token},
};
use crate::{
    action::{Dir, Verb},
    grammar::{Grammar, Kind, Leads, Meta, Piece, Role},
    lexicon::{FNV_START, Words, hash_phrase},
    scope::Scope,
    set::{Ent, NONE, Set},
    story::Story,
    world::World,
};

/// What stands in a slot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Filled {
    /// The line has no such slot.
    Empty,
    /// Nothing was said: whatever works, if it is one thing alone.
    Open(Kind),
    /// A direction.
    Dir(Ent),
    /// A door to walk through.
    Door(Noun),
    /// One of these.
    Noun(Noun, Kind),
    /// A list: tokens from, to.
    Many(usize, usize, Kind),
    /// One of these topics, and the exact ones.
    Topic(u64, u64),
    /// Any words: tokens from, to.
    Text(usize, usize),
}

/// A line of the grammar with its slots filled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Reading {
    pub(crate) leads: Leads,
    pub(crate) a: Filled,
    pub(crate) b: Filled,
}

impl Reading {
    pub(crate) const fn slot(&mut self, is_second: bool) -> &mut Filled {
        if is_second { &mut self.b } else { &mut self.a }
    }
}

/// What a clause means.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Meaning {
    /// One action, or a question which one.
    One(Reading, Found),
    /// One action a thing of a list.
    Many(Reading, Verb),
    /// A command about the game, and its words.
    Meta(Meta, usize, usize),
}

/// Why a clause has no meaning, and the reading that lacks an object (the second one?), if that is all.
pub(crate) type Unread = (Fault, Option<(Reading, bool)>);

/// Reads the clause `list` for one seat.
pub(crate) struct Reader<'a> {
    pub(crate) words: &'a Words,
    pub(crate) story: &'a Story,
    pub(crate) world: &'a World,
    pub(crate) scope: &'a Scope,
    /// What the seat has seen: only of this may errors speak.
    pub(crate) known: Set,
    pub(crate) list: &'a [Token],
    pub(crate) memory: &'a Memory,
    pub(crate) settings: &'a Settings,
    best: Option<(Rank, Meaning)>,
    /// The fault that came furthest.
    fault: Fault,
    /// The first line that only lacks an object.
    lacks: Option<(Reading, bool)>,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(
        words: &'a Words,
        world: &'a World,
        scope: &'a Scope,
        list: &'a [Token],
        memory: &'a Memory,
        settings: &'a Settings,
    ) -> Self {
        let story = words.story();
        let known = story.seat_of(scope.me).map_or(Set::EMPTY, |seat| *world.known(seat));
        Self {
            words,
            story,
            world,
            scope,
            known: known | scope.seen,
            list,
            memory,
            settings,
            best: None,
            fault: (ErrorKind::Empty, 0),
            lacks: None,
        }
    }

    /// The best meaning of the clause.
    ///
    /// # Errors
    /// The fault that came furthest and where it is; with it the reading that lacks one object, if that is all.
    pub(crate) fn read(mut self) -> Result<Meaning, Unread> {
        let grammar = Grammar::get();
        // Politeness and articles before the verb are passed over.
        let begin = self.list.iter().position(|t| !t.is(Role::Article)).unwrap_or(self.list.len());
        let Some(first) = self.list.get(begin) else { return Err(((ErrorKind::Empty, 0), None)) };
        let by_word = first.grammar().map_or(&[][..], |w| &w.lines);
        let open =
            if first.grammar().is_some_and(|w| w.dir.is_some()) { &grammar.open_lines[..] } else { &[] };
        self.fault = (ErrorKind::UnknownVerb, begin);
        for &index in by_word.iter().chain(open) {
            let line = &grammar.lines[usize::from(index)];
            let mut reading = Reading { leads: line.leads, a: Filled::Empty, b: Filled::Empty };
            self.walk(&line.pieces, begin, &mut reading);
            if self.best.is_some_and(|(rank, _)| rank == Rank::Possible) {
                break;
            }
        }
        if let Some((_, meaning)) = self.best {
            return Ok(meaning);
        }
        if let (Some((reading, is_second)), true) = (self.lacks, self.fault.0 == ErrorKind::MissingNoun) {
            return self.settle(reading, is_second);
        }
        Err((self.fault, None))
    }

    /// A reading that lacks an object: with the one thing that works in its place, if there is one alone.
    ///
    /// # Errors
    /// What is missing.
    pub(crate) fn settle(&self, reading: Reading, is_second: bool) -> Result<Meaning, Unread> {
        let lacks_both = matches!((reading.a, reading.b), (Filled::Open(_), Filled::Open(_)));
        if !lacks_both {
            let found = rank::find(self, &reading);
            if found.rank >= Rank::Implicit && found.others == 0 {
                return Ok(Meaning::One(reading, found));
            }
            if is_second && let Some(found) = rank::hopeless(self, &reading) {
                return Ok(Meaning::One(Reading { b: Filled::Empty, ..reading }, found));
            }
        }
        let kind = match (reading.a, reading.b) {
            (Filled::Open(kind), _) | (_, Filled::Open(kind)) => kind,
            _ => Kind::Thing,
        };
        let has_none = kind.is_held() && self.scope.held.is_empty();
        let fault = if has_none { ErrorKind::NotHeld } else { ErrorKind::MissingNoun };
        Err(((fault, self.list.len()), (!has_none).then_some((reading, is_second))))
    }

    fn fail(&mut self, kind: ErrorKind, at: usize) -> bool {
        if (at, kind) > (self.fault.1, self.fault.0) {
            self.fault = (kind, at);
        }
        false
    }

    /// Matches the rest of a line from token `at` on. True when some way of matching came to its end.
    fn walk(&mut self, pieces: &[Piece], at: usize, reading: &mut Reading) -> bool {
        let Some((&piece, rest)) = pieces.split_first() else {
            return if at == self.list.len() { self.keep(*reading) } else { self.too_much(at) };
        };
        match piece {
            Piece::Toward(dir) => {
                reading.a = Filled::Dir(dir.slot());
                self.walk(rest, at, reading)
            }
            Piece::Word(from, to) => {
                let is_joint = self.list.get(at).is_some_and(|t| t.mark == Mark::Word);
                if is_joint && Grammar::get().accepts(from, to, self.list[at].gram) {
                    return self.walk(rest, at + 1, reading);
                }
                if at < self.list.len() { self.misplaced(at) } else { self.lacking(pieces, reading) }
            }
            Piece::Slot(kind, is_second) => {
                if at >= self.list.len() {
                    return self.lacking(pieces, reading);
                }
                self.slot(kind, is_second, rest, at, reading)
            }
        }
    }

    fn slot(
        &mut self,
        kind: Kind,
        is_second: bool,
        rest: &[Piece],
        at: usize,
        reading: &mut Reading,
    ) -> bool {
        match kind {
            Kind::Dir => {
                let articles = self.list[at..].iter().take_while(|t| t.is(Role::Article)).count();
                let at = at + articles;
                match self.list.get(at).and_then(|t| t.grammar()).and_then(|w| w.dir) {
                    Some(dir) => {
                        *reading.slot(is_second) = Filled::Dir(dir.slot());
                        self.walk(rest, at + 1, reading)
                    }
                    None => {
                        let kind = self.fault_of_word(at);
                        self.fail(kind, at)
                    }
                }
            }
            Kind::Topic => {
                *reading.slot(is_second) = self.topic(at);
                self.walk(rest, self.list.len(), reading)
            }
            Kind::Text => {
                *reading.slot(is_second) = Filled::Text(at, self.list.len());
                self.walk(rest, self.list.len(), reading)
            }
            _ => {
                if kind.is_multi()
                    && let Some(end) = self.many(at, kind)
                {
                    *reading.slot(is_second) = Filled::Many(at, end, kind);
                    if self.walk(rest, end, reading) {
                        return true;
                    }
                }
                self.noun(kind, is_second, rest, at, reading)
            }
        }
    }

    /// A slot of one thing: the longest phrase first, then shorter ones.
    fn noun(
        &mut self,
        kind: Kind,
        is_second: bool,
        rest: &[Piece],
        at: usize,
        reading: &mut Reading,
    ) -> bool {
        let mut most = usize::MAX;
        loop {
            let (noun, end, used) = match self.phrase(at, most) {
                Ok(found) => found,
                Err((kind, place)) => return self.fail(kind, place),
            };
            let placed = if most == usize::MAX { self.placed(&noun, end) } else { None };
            for (noun, end) in placed.into_iter().chain([(noun, end)]) {
                match self.fitting(noun, kind) {
                    Ok(filled) => {
                        *reading.slot(is_second) = filled;
                        if self.walk(rest, end, reading) {
                            return true;
                        }
                    }
                    Err(kind) => {
                        self.fail(kind, at);
                    }
                }
            }
            if used <= 1 {
                return false;
            }
            most = used - 1;
        }
    }

    /// The slot filled with a noun, if that is of its kind.
    pub(crate) fn fitting(&self, noun: Noun, kind: Kind) -> Result<Filled, ErrorKind> {
        use crate::entity::Attr;
        let narrowed = |set: Set| Noun { set: noun.set & set, exact: noun.exact & set, ..noun };
        match kind {
            Kind::Actor => {
                let people = narrowed(*self.story.all(Attr::Actor));
                if people.set.is_empty() {
                    Err(ErrorKind::NotAnimate)
                } else {
                    Ok(Filled::Noun(people, kind))
                }
            }
            Kind::Cooker(bit) => {
                let cooks = |e: &Ent| self.story.is(*e, Attr::Heat) && self.story.entity(*e).heat == bit;
                let cookers = narrowed(noun.set.iter().filter(cooks).collect());
                Ok(Filled::Noun(if cookers.set.is_empty() { noun } else { cookers }, kind))
            }
            Kind::Door => {
                let doors = narrowed(*self.story.all(Attr::Door));
                Ok(if doors.set.is_empty() { Filled::Dir(NONE) } else { Filled::Door(doors) })
            }
            _ => Ok(Filled::Noun(noun, kind)),
        }
    }

    /// The end of a list that begins at `at`; `None` when one thing alone stands there, or nothing.
    fn many(&mut self, at: usize, kind: Kind) -> Option<usize> {
        let (first, mut end) = match self.item(at, kind) {
            Ok(found) => found,
            Err((kind, place)) => {
                self.fail(kind, place);
                return None;
            }
        };
        let mut is_list = first.is_all;
        while let Some(next) = self.after_joint(end) {
            match self.item(next, kind) {
                Ok((_, after)) => (is_list, end) = (true, after),
                Err((kind, place)) => {
                    self.fail(kind, place);
                    break;
                }
            }
        }
        if is_list && self.list.get(end).is_some_and(|t| t.is(Role::Except)) {
            end += 1;
            loop {
                match self.item(end, kind) {
                    Ok((_, after)) => end = after,
                    Err((kind, place)) => {
                        self.fail(kind, place);
                        return None;
                    }
                }
                let Some(next) = self.after_joint(end) else { break };
                end = next;
            }
        }
        is_list.then_some(end)
    }

    /// The token after a comma, `and`, or both.
    pub(crate) fn after_joint(&self, at: usize) -> Option<usize> {
        let joints = self.list[at.min(self.list.len())..].iter().take(2).take_while(|t| t.joins()).count();
        (joints > 0).then_some(at + joints)
    }

    pub(crate) fn topic(&self, at: usize) -> Filled {
        let (mut left, mut any, mut name) = (u64::MAX, 0, FNV_START);
        for token in self.list[at..].iter().filter(|t| !t.is(Role::Article)) {
            let topics = self.words.word(token.word).map_or(0, |w| w.topics);
            name = hash_phrase(name, token.hash);
            if topics != 0 {
                left &= topics;
                any |= topics;
            }
        }
        let left = left & any;
        let exact = (0..64)
            .filter(|t| left >> t & 1 == 1 && self.words.is_topic_phrase(*t, name))
            .fold(0, |bits, t| bits | 1 << t);
        Filled::Topic(left, exact)
    }

    /// More words than the line takes.
    fn too_much(&mut self, at: usize) -> bool {
        let token = self.list[at];
        // "take all from chest", when nothing of that is there, or no chest.
        if token.is(Role::Inside) {
            match self.phrase(at + 1, usize::MAX) {
                Ok((_, end, _)) if end == self.list.len() => return self.fail(ErrorKind::NothingApplies, at),
                Err((kind @ (ErrorKind::NotVisible | ErrorKind::UnknownWord), place)) => {
                    return self.fail(kind, place);
                }
                _ => {}
            }
        }
        let kind = match self.fault_of_word(at) {
            _ if token.joins() => ErrorKind::MultiNotAllowed,
            _ if self.phrase(at, usize::MAX).is_ok() => ErrorKind::TooManyNouns,
            ErrorKind::Partial if token.grammar().is_some_and(|w| w.is_inner) => ErrorKind::WrongPreposition,
            ErrorKind::Partial => ErrorKind::JunkAfter,
            other => other,
        };
        self.fail(kind, at)
    }

    /// A word where the line has another one.
    fn misplaced(&mut self, at: usize) -> bool {
        let token = self.list[at];
        let kind = match self.fault_of_word(at) {
            _ if token.joins() => ErrorKind::MultiNotAllowed,
            _ if at == 0 => ErrorKind::UnknownVerb,
            _ if self.phrase(at, usize::MAX).is_ok() => ErrorKind::Partial,
            ErrorKind::Partial if token.grammar().is_some_and(|w| w.is_inner) => ErrorKind::WrongPreposition,
            other => other,
        };
        self.fail(kind, at)
    }

    /// The clause ends before the line does.
    fn lacking(&mut self, pieces: &[Piece], reading: &mut Reading) -> bool {
        let mut slots = pieces.iter().filter_map(|p| match p {
            Piece::Slot(kind, is_second) => Some((*kind, *is_second)),
            _ => None,
        });
        let (slot, more) = (slots.next(), slots.next());
        if let (Some((kind, is_second)), Leads::Act(_)) = (slot, reading.leads)
            && self.lacks.is_none()
            && !matches!(reading.a, Filled::Many(..))
        {
            *reading.slot(is_second) = Filled::Open(kind);
            if let Some((kind, is_second)) = more {
                *reading.slot(is_second) = Filled::Open(kind);
            }
            self.lacks = Some((*reading, is_second));
        }
        let kind = if slot.is_some() { ErrorKind::MissingNoun } else { ErrorKind::Partial };
        self.fail(kind, self.list.len())
    }

    /// Keeps a reading when it is better than those before.
    fn keep(&mut self, reading: Reading) -> bool {
        let (rank, meaning) = match (reading.leads, reading.a) {
            (Leads::Meta(meta), Filled::Text(from, to)) => (Rank::Already, Meaning::Meta(meta, from, to)),
            (Leads::Meta(meta), _) => (Rank::Possible, Meaning::Meta(meta, 0, 0)),
            (Leads::Act(verb), Filled::Many(..)) => (rank::of_list(self, verb), Meaning::Many(reading, verb)),
            (Leads::Act(_), _) => {
                let found = rank::find(self, &reading);
                (found.rank, Meaning::One(reading, found))
            }
        };
        if self.best.is_none_or(|(best, _)| rank > best) {
            self.best = Some((rank, meaning));
        }
        true
    }

    /// The direction that leads through a door of this room.
    pub(crate) fn way_through(&self, door: Ent) -> Ent {
        let leads = |d: &&Dir| self.story.exit(self.scope.room, **d).door == door;
        Dir::ALL.iter().find(leads).map_or(NONE, |d| d.slot())
    }
}
