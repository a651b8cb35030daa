//! Reading one clause: every line of the grammar that fits, and the best of their meanings.

use super::{
    ErrorKind, Settings,
    memory::Memory,
    noun::{Fault, Noun},
    rank::{self, Found, Rank},
    tokens::Token,
};
use crate::{
    action::Verb,
    grammar::{Grammar, Kind, Leads, Meta, Role},
    lexicon::{FNV_START, StoryWord, Words, hash_phrase},
    scope::Scope,
    set::{Ent, Set},
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
    /// One object is missing, and not to be guessed; is it the second one?
    Lacks(Reading, bool),
}

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
    /// Whether a list may stand in the clause: most have none, and are then read once and not twice.
    /// Not known before a line asks.
    may_list: Option<bool>,
    pub(super) best: Option<(Rank, Meaning)>,
    /// The fault that came furthest.
    pub(super) fault: Fault,
    /// The first line that only lacks an object.
    pub(super) lacks: Option<(Reading, bool)>,
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
            may_list: None,
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
    /// The fault that came furthest and where it is.
    pub(crate) fn read(&mut self) -> Result<Meaning, Fault> {
        let grammar = Grammar::get();
        // Politeness and articles before the verb are passed over.
        let begin = self.list.iter().position(|t| !t.is(Role::Article)).unwrap_or(self.list.len());
        let Some(first) = self.list.get(begin) else { return Err((ErrorKind::Empty, 0)) };
        let by_word = first.grammar().map_or(&[][..], |w| &w.lines);
        let open =
            if first.grammar().is_some_and(|w| w.dir.is_some()) { &grammar.open_lines[..] } else { &[] };
        self.fault = (ErrorKind::UnknownVerb, begin);
        for &index in by_word.iter().chain(open) {
            let line = &grammar.lines[usize::from(index)];
            let mut reading = Reading { leads: line.leads, a: Filled::Empty, b: Filled::Empty };
            self.walk(&line.pieces, begin, &mut reading);
            if matches!(self.best, Some((Rank::Possible, _))) {
                break;
            }
        }
        if let Some((_, meaning)) = self.best.take() {
            return Ok(meaning);
        }
        if let (Some((reading, is_second)), true) = (self.lacks, self.fault.0 == ErrorKind::MissingNoun) {
            return self.settle(reading, is_second);
        }
        Err(self.fault)
    }

    /// A reading that lacks an object: with the one thing that works in its place, if there is one alone.
    ///
    /// # Errors
    /// One holds nothing at all that could be it.
    pub(crate) fn settle(&self, reading: Reading, is_second: bool) -> Result<Meaning, Fault> {
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
        if kind.is_held() && self.scope.held.is_empty() {
            return Err((ErrorKind::NotHeld, self.list.len()));
        }
        Ok(Meaning::Lacks(reading, is_second))
    }

    pub(super) fn fail(&mut self, kind: ErrorKind, at: usize) -> bool {
        if (at, kind) > (self.fault.1, self.fault.0) {
            self.fault = (kind, at);
        }
        false
    }

    /// Whether a list may stand in the clause.
    pub(super) fn may_list(&mut self) -> bool {
        let names_many = |t: &Token| {
            let of_word = |w: &StoryWord| !(w.plural & self.scope.seen).is_empty();
            t.joins() || t.is(Role::All) || t.is(Role::Them) || self.words.word(t.word).is_some_and(of_word)
        };
        let may_list = self.may_list.unwrap_or_else(|| self.list.iter().any(names_many));
        self.may_list = Some(may_list);
        may_list
    }

    /// The end of a list that begins at `at`; `None` when one thing alone stands there, or nothing.
    pub(super) fn many(&mut self, at: usize, kind: Kind) -> Option<usize> {
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
}
