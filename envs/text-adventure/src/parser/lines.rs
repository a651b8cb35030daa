//! Matching the words of a clause against the lines of the grammar.

use super::{
    ErrorKind,
    noun::Noun,
    rank::{self, Rank},
    reader::{Filled, Meaning, Reader, Reading},
    tokens::Mark,
};
use crate::{
    action::Dir,
    entity::Attr,
    grammar::{Grammar, Kind, Leads, Piece, Role},
    set::{Ent, NONE, Set},
};

impl Reader<'_> {
    /// Matches the rest of a line from token `at` on. True when some way of matching came to its end.
    pub(super) fn walk(&mut self, pieces: &[Piece], at: usize, reading: &mut Reading) -> bool {
        let Some((&piece, rest)) = pieces.split_first() else {
            return if at == self.list.len() { self.keep(reading) } else { self.too_much(at) };
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
                    && self.may_list()
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
            for (noun, end) in placed.iter().map(|(noun, end)| (noun, *end)).chain([(&noun, end)]) {
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
    pub(crate) fn fitting(&self, noun: &Noun, kind: Kind) -> Result<Filled, ErrorKind> {
        let narrowed = |set: Set| Noun { set: noun.set & set, exact: noun.exact & set, ..*noun };
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
                Ok(Filled::Noun(if cookers.set.is_empty() { *noun } else { cookers }, kind))
            }
            Kind::Door => {
                let doors = narrowed(*self.story.all(Attr::Door));
                Ok(if doors.set.is_empty() { Filled::Dir(NONE) } else { Filled::Door(doors) })
            }
            _ => Ok(Filled::Noun(*noun, kind)),
        }
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
        // Only an object may be missing, not a word that comes before the first or after the last one.
        let is_begun = !matches!((reading.a, reading.b), (Filled::Empty, Filled::Empty));
        let lacks_word = matches!(pieces.last(), Some(Piece::Word(..)))
            || (!is_begun && matches!(pieces.first(), Some(Piece::Word(..))));
        if let (Some((kind, is_second)), Leads::Act(_)) = (slot, reading.leads)
            && self.lacks.is_none()
            && !lacks_word
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
    fn keep(&mut self, reading: &Reading) -> bool {
        let (rank, meaning) = match (reading.leads, reading.a) {
            (Leads::Meta(meta), Filled::Text(from, to)) => (Rank::Already, Meaning::Meta(meta, from, to)),
            (Leads::Meta(meta), _) => (Rank::Possible, Meaning::Meta(meta, 0, 0)),
            (Leads::Act(verb), Filled::Many(..)) => {
                (rank::of_list(self, verb), Meaning::Many(*reading, verb))
            }
            (Leads::Act(_), _) => {
                let found = rank::find(self, reading);
                if self.is_better(found.rank) {
                    self.best = Some((found.rank, Meaning::One(*reading, found)));
                }
                return true;
            }
        };
        if self.is_better(rank) {
            self.best = Some((rank, meaning));
        }
        true
    }

    fn is_better(&self, rank: Rank) -> bool {
        self.best.as_ref().is_none_or(|(best, _)| rank > *best)
    }

    /// The direction that leads through a door of this room.
    pub(crate) fn way_through(&self, door: Ent) -> Ent {
        let leads = |d: &&Dir| self.story.exit(self.scope.room, **d).door == door;
        Dir::ALL.iter().find(leads).map_or(NONE, |d| d.slot())
    }
}
