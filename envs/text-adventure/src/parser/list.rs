//! Lists of things, and answers to questions.

use super::{
    ErrorKind,
    noun::Noun,
    rank::{self, MAX_CHOICES, Rank},
    reader::{Filled, Reader, Reading},
};
use crate::{
    grammar::{Kind, Role},
    rules::Refusal,
    set::{Ent, Set},
};

/// Things that one command names at most.
const MAX_ITEMS: usize = 48;

/// The items of a list in order.
#[derive(Clone, Copy)]
pub(crate) struct Things {
    list: [Noun; MAX_ITEMS],
    len: usize,
}

impl Things {
    pub(crate) fn items(&self) -> impl Iterator<Item = Noun> {
        self.list[..self.len].iter().copied()
    }

    fn push(&mut self, noun: Noun) {
        if self.len < MAX_ITEMS {
            self.list[self.len] = noun;
            self.len += 1;
        }
    }
}

impl Reader<'_> {
    /// What the list of a reading names: things as they were said, and whatever `all` applies to.
    pub(crate) fn things(&self, reading: &Reading) -> Result<Things, ErrorKind> {
        let Filled::Many(from, to, kind) = reading.a else { return Err(ErrorKind::NothingApplies) };
        let mut things = Things { list: [Noun::one(0); MAX_ITEMS], len: 0 };
        let except = self.list[from..to].iter().position(|t| t.is(Role::Except)).map(|i| from + i);
        let mut left_out = Set::EMPTY;
        let mut at = except.map(|e| e + 1);
        while let Some(next) = at.filter(|a| *a < to) {
            let (noun, end) = self.item(next, kind).map_err(|f| f.0)?;
            left_out |= noun.set;
            at = self.after_joint(end);
        }
        let mut at = Some(from);
        let mut was_left_out = false;
        while let Some(next) = at.filter(|a| *a < except.unwrap_or(to)) {
            let (noun, end) = self.item(next, kind).map_err(|f| f.0)?;
            if noun.is_all {
                let fits = self.applies(reading, noun.set);
                was_left_out |= !(fits & left_out).is_empty();
                (fits - left_out).iter().for_each(|e| things.push(Noun::one(e)));
            } else {
                things.push(noun);
            }
            at = self.after_joint(end);
        }
        match things.len {
            0 if was_left_out => Err(ErrorKind::ExceptEmpty),
            0 if kind.is_held() && self.scope.held.is_empty() => Err(ErrorKind::NotHeld),
            0 => Err(ErrorKind::NothingApplies),
            _ => Ok(things),
        }
    }

    /// Those of `set` to which the verb applies: it works, at least after something else, or fails for want of room.
    fn applies(&self, reading: &Reading, set: Set) -> Set {
        let applies = |e: &Ent| {
            let one = Reading { a: Filled::Noun(Noun::one(*e), Kind::Multi), ..*reading };
            let found = rank::find(self, &one);
            found.rank >= Rank::Implicit || matches!(found.verdict, Err(Refusal::HandsFull | Refusal::NoRoom))
        };
        set.iter().filter(applies).collect()
    }

    /// The slot `asked` filled by this clause, taken as an answer: one of the choices, or anything where nothing was
    /// said. `None` when it is no such answer.
    pub(crate) fn answer(&self, asked: Filled, choices: Option<&[Ent; MAX_CHOICES]>) -> Option<Filled> {
        if self.list.is_empty() {
            return None;
        }
        if let Filled::Topic(..) | Filled::Open(Kind::Topic) = asked {
            return match (self.topic(0), asked) {
                (Filled::Topic(0, _), _) => None,
                (Filled::Topic(set, exact), Filled::Topic(asked, _)) if set & asked != 0 => {
                    Some(Filled::Topic(set & asked, exact & asked))
                }
                (topic, Filled::Open(_)) => Some(topic),
                _ => None,
            };
        }
        let (noun, end, _) = self.phrase(0, usize::MAX).ok()?;
        let (noun, end) = self.placed(&noun, end).unwrap_or((noun, end));
        if end < self.list.len() {
            return None;
        }
        let (kind, allowed) = match (asked, choices) {
            (Filled::Noun(_, kind), Some(choices)) => (kind, self.named_like(choices)),
            (Filled::Door(doors), _) => (Kind::Door, doors.set),
            (Filled::Open(kind), _) => (kind, self.scope.seen),
            _ => return None,
        };
        let noun = Noun { set: noun.set & allowed, exact: noun.exact & allowed, is_all: false, ..noun };
        if noun.set.is_empty() { None } else { self.fitting(&noun, kind).ok() }
    }

    /// Everything with the name of one of these.
    fn named_like(&self, choices: &[Ent; MAX_CHOICES]) -> Set {
        let twin = |e: Ent| self.story.entities.get(usize::from(e)).map(|x| x.twin);
        let is_like = |e: &Ent| choices.iter().any(|c| twin(*c).is_some() && twin(*c) == twin(*e));
        self.scope.seen.iter().filter(is_like).collect()
    }
}
