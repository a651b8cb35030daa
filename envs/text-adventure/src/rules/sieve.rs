//! What is asked of one object, for all entities at once and with nothing to decide on the way.
//!
//! The needs of the table that change during a game are numbered once, when the program is compiled. A list of actions
//! begins with the sets behind all numbers; what passes a verb is then a few words combined.

use super::{
    check::Around,
    table::{Need, TABLE, What},
};
use crate::{
    action::Verb,
    entity::Bit,
    set::{Ent, Set},
    story::Story,
};

/// Predicates that change during a game.
const KINDS: usize = Bit::COUNT + OTHERS.len();
/// Those that are no bits of the world, in the order in which [`numbers`] counts them.
const OTHERS: [What; 5] = [What::Reach, What::Held, What::Me, What::Access, What::Cut];
/// The number that everything passes.
const ALL: u8 = 2 * KINDS as u8;
/// Needs of one object that change during a game, at most.
const MOST: usize = 4;

/// Per verb and object the numbers of the needs that change during a game: twice the predicate, one more where it must
/// not hold. Attributes are not among them: [`Story::fitting`] has those.
static PLAN: [[[u8; MOST]; 2]; Verb::COUNT] = {
    let mut plan = [[[ALL; MOST]; 2]; Verb::COUNT];
    let mut verb = 0;
    while verb < Verb::COUNT {
        plan[verb] = [numbers(TABLE[verb].need_a), numbers(TABLE[verb].need_b)];
        verb += 1;
    }
    plan
};

const fn numbers(needs: &[Need]) -> [u8; MOST] {
    let (mut numbers, mut used, mut i) = ([ALL; MOST], 0, 0);
    while i < needs.len() {
        let kind = match needs[i].what {
            What::Bit(bit) => Some(bit as usize),
            What::Reach => Some(Bit::COUNT),
            What::Held => Some(Bit::COUNT + 1),
            What::Me => Some(Bit::COUNT + 2),
            What::Access => Some(Bit::COUNT + 3),
            What::Cut => Some(Bit::COUNT + 4),
            // Whatever is needed, objects must be seen.
            What::Attr(_) | What::Seen => None,
        };
        if let Some(kind) = kind {
            assert!(used < MOST, "more needs of one object than the sieve has room for");
            numbers[used] = (2 * kind) as u8 + !needs[i].want as u8;
            used += 1;
        }
        i += 1;
    }
    numbers
}

/// The sets behind the numbers of [`PLAN`], `N` words of each: one word holds 64 entities.
pub(super) struct Sieve<const N: usize> {
    seen: [u64; N],
    sets: [[u64; N]; 2 * KINDS + 1],
}

impl<const N: usize> Sieve<N> {
    #[inline]
    pub(super) fn of(around: &Around<'_>) -> Self {
        let mut sets = [[u64::MAX; N]; 2 * KINDS + 1];
        let mut fill = |kind: usize, set: &Set| {
            for (i, word) in set.words().iter().enumerate().take(N) {
                sets[2 * kind][i] = *word;
                sets[2 * kind + 1][i] = !word;
            }
        };
        Bit::ALL.iter().for_each(|bit| fill(*bit as usize, around.world.set(*bit)));
        OTHERS.iter().enumerate().for_each(|(i, what)| fill(Bit::COUNT + i, &around.set(*what)));
        Self { seen: std::array::from_fn(|i| around.scope.seen.words()[i]), sets }
    }

    /// Everything in sight that passes what `verb` needs of its first (0) or second object (1) alone; `None` when
    /// nothing does, as with most verbs at most times.
    #[inline(always)]
    pub(super) fn passing(&self, story: &Story, verb: Verb, slot: usize) -> Option<Few<N>> {
        let fitting = story.fitting[verb as usize][slot].words();
        let [a, b, c, d] = PLAN[verb as usize][slot].map(|number| &self.sets[usize::from(number)]);
        let words = std::array::from_fn(|i| fitting[i] & self.seen[i] & a[i] & b[i] & c[i] & d[i]);
        (words.iter().fold(0, |any, word| any | word) != 0).then_some(Few(words))
    }
}

/// A set as far as it has members.
#[derive(Clone, Copy)]
pub(super) struct Few<const N: usize>([u64; N]);

impl<const N: usize> Few<N> {
    /// The same set in full.
    #[inline]
    pub(super) fn set(self) -> Set {
        let mut words = [0; 4];
        words[..N].copy_from_slice(&self.0);
        Set::of_words(words)
    }

    /// Whether none of `others` is in it.
    #[inline]
    pub(super) fn has_none_of(&self, others: &Set) -> bool {
        self.0.iter().zip(others.words()).fold(0, |any, (mine, other)| any | mine & other) == 0
    }

    /// Its members in ascending order.
    #[inline]
    pub(super) fn each(self, mut visit: impl FnMut(Ent)) {
        for (i, mut word) in self.0.into_iter().enumerate() {
            while word != 0 {
                visit((i << 6) as Ent | word.trailing_zeros() as Ent);
                word &= word - 1;
            }
        }
    }
}
