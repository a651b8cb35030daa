//! Which of several meanings is meant: the one that works, then the one that is named in full, lies at hand, or was
//! spoken of last. Things of one name stand for each other, the lowest first.

use super::{
    implicit,
    noun::Noun,
    reader::{Filled, Reader, Reading},
};
use crate::{
    action::{Action, Dir, Verb},
    entity::Attr,
    grammar::{Kind, Leads},
    rules::{self, Refusal, Weight},
    set::{Ent, NONE, Set},
};

/// Choices that one question lists at most.
pub const MAX_CHOICES: usize = 8;

/// Pairs of objects that are weighed at most for one reading: beyond that a command says too little anyway.
const MAX_PAIRS: usize = 512;

/// How likely a meaning is meant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Rank {
    /// It does not work, nor could it.
    Refused,
    /// It does not work now, but is a way to treat such things.
    Fitting,
    /// What it would bring about is the case already.
    Already,
    /// It works after something that goes without saying.
    Implicit,
    /// It works.
    Possible,
}

/// The best action of a reading.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    pub(crate) action: Action,
    pub(crate) verdict: Result<(), Refusal>,
    pub(crate) rank: Rank,
    /// Further meanings that are just as good: the objects of all of them, the action's own first.
    pub(crate) choices: [Ent; MAX_CHOICES],
    /// How many of them there are beside the action's own; 0 when it is the only one.
    pub(crate) others: usize,
    /// Whether they differ in the second object.
    pub(crate) is_second: bool,
    score: u8,
}

/// Candidates of one slot.
#[derive(Clone, Copy)]
enum Pool {
    One(Ent),
    Things { set: Set, exact: Set, is_held: bool },
    Doors(Set),
    Topics(u64, u64),
}

impl Pool {
    fn of(reader: &Reader<'_>, filled: &Filled) -> Self {
        match *filled {
            Filled::Empty | Filled::Many(..) | Filled::Text(..) => Self::One(NONE),
            Filled::Dir(dir) => Self::One(dir),
            Filled::Door(noun) => Self::Doors(noun.set),
            Filled::Noun(noun, kind) => {
                Self::Things { set: noun.set, exact: noun.exact, is_held: kind.is_held() }
            }
            Filled::Topic(0, _) => Self::One(NONE),
            Filled::Topic(set, exact) => Self::Topics(set, exact),
            Filled::Open(Kind::Topic) => Self::Topics(u64::MAX, 0),
            Filled::Open(Kind::Dir) => Self::One(NONE),
            Filled::Open(kind) => {
                let scope = reader.scope;
                // What is to be held may be taken first.
                let set = match (kind.is_held(), reader.settings.implicit) {
                    (true, false) => scope.held,
                    (true, true) => scope.held | (scope.reach & *reader.story.all(Attr::Portable)),
                    (false, _) => scope.seen,
                };
                let anything = Noun { set, exact: Set::EMPTY, is_all: false, has_place: false };
                match reader.fitting(&anything, kind) {
                    Ok(Filled::Noun(noun, _)) => {
                        Self::Things { set: noun.set, exact: Set::EMPTY, is_held: kind.is_held() }
                    }
                    Ok(Filled::Door(noun)) => Self::Doors(noun.set),
                    _ => Self::One(NONE),
                }
            }
        }
    }

    fn each(self, mut visit: impl FnMut(Ent)) {
        match self {
            Self::One(e) => visit(e),
            Self::Things { set, .. } | Self::Doors(set) => set.iter().for_each(visit),
            Self::Topics(set, _) => (0..64).filter(|t| set >> t & 1 == 1).for_each(|t| visit(t as Ent)),
        }
    }
}

/// The best action of `reading`, and whether others are as good.
pub(crate) fn find(reader: &Reader<'_>, reading: &Reading) -> Found {
    let Leads::Act(verb) = reading.leads else { return nothing(Verb::Wait) };
    let (a, b) = (Pool::of(reader, &reading.a), Pool::of(reader, &reading.b));
    let best = best(reader, verb, a, b, false);
    // What could work after something else is weighed only when nothing works at once.
    if best.rank < Rank::Possible && reader.settings.implicit {
        best.or(self::best(reader, verb, a, b, true))
    } else {
        best
    }
}

impl Found {
    fn or(self, other: Self) -> Self {
        if other.rank == Rank::Implicit { other } else { self }
    }
}

const fn nothing(verb: Verb) -> Found {
    Found {
        action: Action::bare(verb),
        verdict: Err(Refusal::NotVisible),
        rank: Rank::Refused,
        choices: [NONE; MAX_CHOICES],
        others: 0,
        is_second: false,
        score: 0,
    }
}

fn best(reader: &Reader<'_>, verb: Verb, a: Pool, b: Pool, with_implicit: bool) -> Found {
    let mut best = nothing(verb);
    let mut seen = 0;
    a.each(|first| {
        b.each(|second| {
            if seen < MAX_PAIRS {
                weigh(reader, verb, (a, first), (b, second), with_implicit, &mut best, seen == 0);
                seen += 1;
            }
        });
    });
    // A question makes sense only when the answer matters.
    if best.rank <= Rank::Already {
        best.others = 0;
    }
    best
}

fn weigh(
    reader: &Reader<'_>,
    verb: Verb,
    a: (Pool, Ent),
    b: (Pool, Ent),
    with_implicit: bool,
    best: &mut Found,
    is_first: bool,
) {
    let first = if let Pool::Doors(_) = a.0 { reader.way_through(a.1) } else { a.1 };
    let mut action = Action { verb, a: first, b: b.1 };
    let verdict = rules::check(reader.story, reader.world, reader.scope, action);
    if verdict == Err(Refusal::NoTopic) {
        // A topic that cannot come up is like one that there is not.
        action.b = NONE;
    }
    let rank = match verdict {
        Ok(()) => Rank::Possible,
        Err(why) if with_implicit && implicit::helps(reader, action, why) => Rank::Implicit,
        Err(why) if why.weight() == Weight::Already => Rank::Already,
        Err(_) if is_fitting(reader, verb, 0, action.a) && is_fitting(reader, verb, 1, action.b) => {
            Rank::Fitting
        }
        Err(_) => Rank::Refused,
    };
    let score = score(reader, a) + score(reader, b);
    // Things of one name: the first stands for all, however well a later one lies at hand.
    if !is_first && rank == best.rank && reader.is_same(action, best.action) {
        if score > best.score {
            (best.score, best.others) = (score, 0);
        }
        return;
    }
    if is_first || (rank, score) > (best.rank, best.score) {
        *best = Found { action, verdict, rank, score, ..nothing(verb) };
        best.choices[0] = a.1;
        return;
    }
    if (rank, score) < (best.rank, best.score) {
        return;
    }
    // As good as the best: another choice, in the first slot in which it differs.
    let in_first = !reader.is_same_thing(action.a, best.action.a);
    let is_new = best.others == 0 || best.is_second != in_first;
    if is_new {
        if best.others == 0 {
            best.is_second = !in_first;
            best.choices[0] = if in_first { best.action.a } else { best.action.b };
        }
        let choice = if in_first { action.a } else { action.b };
        let listed = &best.choices[..=best.others];
        if !listed.iter().any(|c| reader.is_same_thing(*c, choice)) && best.others + 1 < MAX_CHOICES {
            best.others += 1;
            best.choices[best.others] = choice;
        }
    }
}

/// Whether its attributes let an object be what the verb wants.
fn is_fitting(reader: &Reader<'_>, verb: Verb, slot: usize, e: Ent) -> bool {
    usize::from(e) >= reader.story.len() || reader.story.fitting[verb as usize][slot].has(e)
}

/// How well one object goes with what was said.
fn score(reader: &Reader<'_>, (pool, e): (Pool, Ent)) -> u8 {
    match pool {
        Pool::Things { exact, is_held, .. } => {
            let at_hand = if is_held { reader.scope.held.has(e) } else { reader.scope.reach.has(e) };
            let was_spoken_of = reader.memory.spoken.iter().any(|s| s.has(e));
            u8::from(exact.has(e)) * 8 + u8::from(at_hand) * 2 + u8::from(was_spoken_of)
        }
        Pool::Topics(_, exact) => u8::from(exact >> e & 1 == 1) * 8,
        Pool::One(_) | Pool::Doors(_) => 0,
    }
}

/// Why a reading that lacks its second object cannot work whatever that is: the fault lies in the first one.
pub(crate) fn hopeless(reader: &Reader<'_>, reading: &Reading) -> Option<Found> {
    let Leads::Act(verb) = reading.leads else { return None };
    let found = best(reader, verb, Pool::of(reader, &reading.a), Pool::One(NONE), false);
    let is_known = usize::from(found.action.a) < reader.story.len();
    match found.verdict {
        Ok(()) => None,
        Err(
            Refusal::NotVisible
            | Refusal::NotHeld
            | Refusal::WornNow
            | Refusal::OutOfReach
            | Refusal::NoTopic,
        ) => None,
        Err(_) => is_known.then_some(Found { others: 0, ..found }),
    }
}

/// How likely a list is meant with this verb.
pub(crate) fn of_list(reader: &Reader<'_>, verb: Verb) -> Rank {
    if reader.story.verbs.has(verb) { Rank::Implicit } else { Rank::Refused }
}

impl Reader<'_> {
    /// Whether two objects have the same name.
    fn is_same_thing(&self, x: Ent, y: Ent) -> bool {
        let name = |e: Ent| self.story.entities.get(usize::from(e)).map_or(e, |thing| thing.twin);
        x == y || (Dir::of_slot(x).is_none() && name(x) == name(y))
    }

    fn is_same(&self, x: Action, y: Action) -> bool {
        let is_topic = matches!(x.verb, Verb::Ask | Verb::Tell);
        self.is_same_thing(x.a, y.a) && if is_topic { x.b == y.b } else { self.is_same_thing(x.b, y.b) }
    }
}
