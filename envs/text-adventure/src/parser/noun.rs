//! Noun phrases: words to sets of entities.

use super::{ErrorKind, reader::Reader, tokens::Mark};
use crate::{
    entity::Attr,
    grammar::{Kind, Role},
    lexicon::{FNV_START, hash_phrase},
    set::{Ent, Set},
};

/// What a noun phrase can mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Noun {
    /// Everything in sight that it can mean.
    pub(crate) set: Set,
    /// Those whose whole name it is.
    pub(crate) exact: Set,
    /// Whether all of them are meant.
    pub(crate) is_all: bool,
    /// Whether the place was said.
    pub(crate) has_place: bool,
}

impl Noun {
    pub(crate) const fn one(e: Ent) -> Self {
        Self { set: Set::one(e), exact: Set::one(e), is_all: false, has_place: false }
    }
}

/// A fault, and the token at which it lies.
pub(crate) type Fault = (ErrorKind, usize);

impl Reader<'_> {
    /// The longest noun phrase from token `at` on, of at most `most` words, and the token after it.
    pub(crate) fn phrase(&self, at: usize, most: usize) -> Result<(Noun, usize, usize), Fault> {
        let (mut next, mut used, mut name) = (at, 0, FNV_START);
        let mut left = self.scope.seen;
        let mut is_mine = false;
        let mut last = None;
        while let Some(token) = self.list.get(next) {
            let word = if token.mark == Mark::Word { self.words.word(token.word) } else { None };
            let narrowed = word.map_or(Set::EMPTY, |w| (w.any | w.plural) & left);
            if !narrowed.is_empty() && used < most {
                left = narrowed;
                name = hash_phrase(name, token.hash);
                last = word;
                used += 1;
            } else if token.is(Role::Article) {
                // Between the words of a name an article belongs to it only when a word of the name follows.
                if used > 0 && !self.goes_on(next + 1, left) {
                    break;
                }
            } else if token.is(Role::One) {
                // "one coin", "the red one".
            } else if token.is(Role::Mine) && used == 0 {
                is_mine = true;
            } else {
                break;
            }
            next += 1;
        }
        let Some(last) = last else { return self.pronoun(next) };
        if is_mine && !(left & self.scope.held).is_empty() {
            left &= self.scope.held;
        }
        let nouns = last.noun & left;
        let many = last.plural & left;
        let is_all = nouns.is_empty() && !many.is_empty();
        if !nouns.is_empty() {
            left = nouns;
        } else if is_all {
            left = many;
        }
        let exact = left.iter().filter(|e| self.words.name_hash(*e) == name).collect();
        Ok((Noun { set: left, exact, is_all, has_place: is_mine }, next, used))
    }

    fn goes_on(&self, at: usize, left: Set) -> bool {
        let word = self.list.get(at).and_then(|t| self.words.word(t.word));
        word.is_some_and(|w| !((w.any | w.plural) & left).is_empty())
    }

    /// A pronoun, or why there is no noun at this token.
    fn pronoun(&self, at: usize) -> Result<(Noun, usize, usize), Fault> {
        let Some(token) = self.list.get(at) else { return Err((ErrorKind::MissingNoun, at)) };
        if token.is(Role::Me) {
            return Ok((Noun::one(self.scope.me), at + 1, 1));
        }
        let roles = [Role::It, Role::Them, Role::Him, Role::Her];
        if let Some(which) = roles.iter().position(|r| token.is(*r)) {
            let seen = self.memory.spoken[which] & self.scope.seen;
            if self.memory.spoken[which].is_empty() {
                return Err((ErrorKind::PronounUnset, at));
            }
            if seen.is_empty() {
                return Err((ErrorKind::NotVisible, at));
            }
            let is_all = seen.len() > 1;
            return Ok((Noun { set: seen, exact: seen, is_all, has_place: false }, at + 1, 1));
        }
        Err((self.fault_of_word(at), at))
    }

    /// What is wrong with a word where a noun should be.
    pub(crate) fn fault_of_word(&self, at: usize) -> ErrorKind {
        let Some(token) = self.list.get(at) else { return ErrorKind::MissingNoun };
        if token.mark != Mark::Word {
            return ErrorKind::MultiNotAllowed;
        }
        let is_known =
            self.words.word(token.word).is_some_and(|w| !((w.any | w.plural) & self.known).is_empty());
        match (is_known, token.grammar()) {
            (true, _) => ErrorKind::NotVisible,
            (false, None) => ErrorKind::UnknownWord,
            (false, Some(word)) if word.is(Role::All) => ErrorKind::MultiNotAllowed,
            (false, Some(_)) => ErrorKind::Partial,
        }
    }

    /// `noun` narrowed by where it is ("on the table", "from the cook", "on the floor"), if that is said next.
    pub(crate) fn placed(&self, noun: &Noun, at: usize) -> Option<(Noun, usize)> {
        let token = self.list.get(at)?;
        if !token.is(Role::Inside) {
            return None;
        }
        let mut next = at + 1;
        while self.list.get(next).is_some_and(|t| t.is(Role::Article) || t.is(Role::Of)) {
            next += 1;
        }
        let is_floor = self.list.get(next).is_some_and(|t| t.is(Role::Floor));
        let (places, end) = if is_floor && !self.goes_on(next, self.scope.seen) {
            (Set::one(self.scope.room), next + 1)
        } else {
            let (place, end, _) = self.phrase(at + 1, usize::MAX).ok()?;
            (place.set, end)
        };
        let lies_there = |e: &Ent| places.has(self.world.parent(*e));
        let set: Set = noun.set.iter().filter(lies_there).collect();
        let exact = noun.exact & set;
        (!set.is_empty()).then_some((Noun { set, exact, has_place: true, ..*noun }, end))
    }

    /// One item of a list: everything of a kind, or one thing, and the token after it.
    pub(crate) fn item(&self, at: usize, kind: Kind) -> Result<(Noun, usize), Fault> {
        let has_all =
            self.list.get(at).is_some_and(|t| t.is(Role::All)) && !self.goes_on(at, self.scope.seen);
        if !has_all {
            let (noun, end, _) = self.phrase(at, usize::MAX)?;
            return Ok(self.placed(&noun, end).unwrap_or((noun, end)));
        }
        let mut next = at + 1;
        while self.list.get(next).is_some_and(|t| t.is(Role::Of)) {
            next += 1;
        }
        let pool = self.pool(kind);
        let everything = Noun { set: pool, exact: Set::EMPTY, is_all: true, has_place: false };
        match self.phrase(next, usize::MAX) {
            Ok((noun, end, _)) => {
                let narrow = Noun { set: noun.set, is_all: true, ..noun };
                Ok(self.placed(&narrow, end).unwrap_or((narrow, end)))
            }
            Err((ErrorKind::NotVisible | ErrorKind::UnknownWord, place)) if place == next => {
                Err((self.fault_of_word(next), next))
            }
            Err(_) => {
                let nested = Noun { set: self.scope.seen, ..everything };
                Ok(self.placed(&nested, next).unwrap_or((everything, next)))
            }
        }
    }

    /// What `all` can mean for a slot: what lies about, or what one holds.
    pub(crate) fn pool(&self, kind: Kind) -> Set {
        let (scope, story) = (self.scope, self.story);
        if kind.is_held() {
            return scope.held - *self.world.set(crate::entity::Bit::Worn);
        }
        let loose =
            (scope.reach & *story.all(Attr::Portable)) - *story.all(Attr::Actor) - *story.all(Attr::Scenery);
        loose.iter().filter(|e| !self.world.is_within(*e, scope.me)).collect()
    }
}
