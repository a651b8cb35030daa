//! What one actor sees and can touch.

use crate::{
    entity::{Attr, Bit},
    set::{Ent, Set},
    story::Story,
    world::{MAX_DEPTH, World},
};

/// The surroundings of one actor in one state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scope {
    /// Who.
    pub me: Ent,
    /// In which room.
    pub room: Ent,
    /// Whether there is light.
    pub is_lit: bool,
    /// Everything that can be seen: things, doors and actors, never rooms. In the dark only what one carries.
    pub seen: Set,
    /// What can be touched: seen, not behind glass, not in somebody else's hands.
    pub reach: Set,
    /// What one holds directly, worn things among them.
    pub held: Set,
}

impl Scope {
    /// The surroundings of `me`.
    pub fn of(story: &Story, world: &World, me: Ent) -> Self {
        // Most stories have so few entities that one word holds a set of them.
        if story.len() <= 64 { Self::look::<1>(story, world, me) } else { Self::look::<4>(story, world, me) }
    }

    /// [`Scope::of`] with `N` words a set, which have a bit for each entity of the story.
    fn look<const N: usize>(story: &Story, world: &World, me: Ent) -> Self {
        let word = |set: &Set| -> [u64; N] { std::array::from_fn(|i| set.words()[i]) };
        let all = |attr: Attr| word(story.all(attr));
        let room = world.outermost(me);
        let hidden = word(world.set(Bit::Hidden));
        let [here, held, nested] =
            world.placed::<N>(story.rooms, room, me).map(|set| zip(set, hidden, |x, h| x & !h));
        let mut carried = held;
        let mut seen = zip(here, held, |x, y| x | y);
        let mut reach = seen;
        // What shows what lies in it, and what lets one touch it. From what is in sight one looks a level deeper each
        // time: most of what lies in something lies in a thing of another room, and is passed over at once.
        let (glass, actor) = (all(Attr::Transparent), all(Attr::Actor));
        let closable = zip(all(Attr::Openable), all(Attr::Supporter), |x, s| x & !s);
        let open = zip(word(world.set(Bit::Open)), closable, |x, c| x | !c);
        let shows = zip(open, zip(glass, actor, |g, a| g | a), |x, y| x | y);
        let gives = zip(open, actor, |x, a| x & !a);
        let mut left = zip(nested, held, |x, h| x & !h);
        let mut holders = zip(seen, shows, |x, s| x & s);
        for _ in 1..MAX_DEPTH {
            let mut found = [0; N];
            for i in 0..N {
                let mut rest = left[i];
                while rest != 0 {
                    let bit = rest & rest.wrapping_neg();
                    let place = world.parent((i << 6) as Ent | rest.trailing_zeros() as Ent);
                    rest ^= bit;
                    if has(&holders, place) {
                        found[i] |= bit;
                        reach[i] |= if has(&reach, place) && has(&gives, place) { bit } else { 0 };
                        carried[i] |= if has(&carried, place) { bit } else { 0 };
                    }
                }
            }
            seen = zip(seen, found, |x, f| x | f);
            holders = zip(found, shows, |x, s| x & s);
            if is_empty(&holders) {
                break;
            }
            left = zip(left, found, |x, f| x & !f);
        }
        let lamps = zip(all(Attr::Lamp), word(world.set(Bit::On)), |x, y| x & y);
        let is_lit = !story.is(room, Attr::Dark) || !is_empty(&zip(seen, lamps, |x, y| x & y));
        if !is_lit {
            seen = carried;
            reach = zip(reach, carried, |x, y| x & y);
        }
        // Doors lie in no room but between two; one finds them in the dark, by feel.
        let doors = story
            .doors
            .get(usize::from(room))
            .map_or([0; N], |doors| zip(word(doors), hidden, |x, h| x & !h));
        let mut seen = set(zip(seen, doors, |x, y| x | y));
        let mut reach = set(zip(reach, doors, |x, y| x | y));
        if !is_lit {
            seen.insert(me);
        }
        reach.remove(me);
        Self { me, room, is_lit, seen, reach, held: set(held) }
    }

    /// What a seat comes to know here: what it sees and, with light, the room.
    pub const fn noticed(&self) -> Set {
        let mut noticed = self.seen;
        noticed.insert(self.room);
        noticed
    }
}

#[inline(always)]
fn zip<const N: usize>(x: [u64; N], y: [u64; N], f: impl Fn(u64, u64) -> u64) -> [u64; N] {
    std::array::from_fn(|i| f(x[i], y[i]))
}

/// Whether `e` is in the set; an entity past its words is in none.
#[inline(always)]
fn has<const N: usize>(words: &[u64; N], e: Ent) -> bool {
    usize::from(e >> 6) < N && words[usize::from(e >> 6)] >> (e & 63) & 1 == 1
}

#[inline(always)]
fn is_empty<const N: usize>(words: &[u64; N]) -> bool {
    words.iter().fold(0, |any, word| any | word) == 0
}

fn set<const N: usize>(words: [u64; N]) -> Set {
    Set::of_words(std::array::from_fn(|i| words.get(i).copied().unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        generate::{Knobs, generate},
        rules::{admissible, perform},
    };
    use rl_gym::Pcg64;

    /// Whether `e` is seen and touched in a lit room: each step from it outwards, as the words of the rule have it.
    fn slow(story: &Story, world: &World, scope: &Scope, e: Ent) -> (bool, bool) {
        let (mut at, mut can_touch) = (e, true);
        loop {
            if world.is(at, Bit::Hidden) {
                return (false, false);
            }
            at = world.parent(at);
            if at == scope.room || at == scope.me {
                return (true, can_touch);
            }
            if usize::from(at) >= story.len() || story.is_room(at) {
                return (false, false);
            }
            let is_shut = story.is(at, Attr::Openable)
                && !story.is(at, Attr::Supporter)
                && !world.is(at, Bit::Open)
                && !story.is(at, Attr::Actor);
            if is_shut && !story.is(at, Attr::Transparent) {
                return (false, false);
            }
            can_touch &= !is_shut && !story.is(at, Attr::Actor);
        }
    }

    #[test]
    fn sight_goes_through_whatever_shows_its_contents() {
        let mut rng = Pcg64::seed(3);
        let (mut list, mut log) = (Vec::new(), crate::Log::default());
        let mut nested = 0;
        for seed in 0..6 {
            let knobs = Knobs { rooms: 6, distractors: 12, people: 1, ..Knobs::default() };
            let story = generate(&knobs, seed).expect("a game").story;
            let mut world = story.start;
            let things = Set::below(story.len()) - *story.all(Attr::Door) - Set::below(story.rooms.into());
            for _ in 0..150 {
                // Things lie anywhere in each other, deeper than play has it.
                let all: Vec<Ent> = things.iter().collect();
                let pick = |rng: &mut Pcg64| all[rng.below(all.len() as u32) as usize];
                let (x, place) = (pick(&mut rng), pick(&mut rng));
                let depth = std::iter::successors(Some(place), |e| Some(world.parent(*e)))
                    .take_while(|e| *e != crate::set::NONE)
                    .count();
                let is_leaf = x != place && !story.is(x, Attr::Actor) && world.children(x) == 0;
                if is_leaf && depth < MAX_DEPTH - 1 {
                    world.place(x, place);
                    world.put(place, Bit::Open, rng.below(3) > 0);
                    world.put(x, Bit::Hidden, rng.below(12) == 0);
                }
                let scope = Scope::of(&story, &world, story.seats[0]);
                assert_eq!(scope, Scope::look::<4>(&story, &world, story.seats[0]));
                if scope.is_lit {
                    for e in things {
                        let want = slow(&story, &world, &scope, e);
                        let want = (want.0, want.1 && e != scope.me);
                        assert_eq!((scope.seen.has(e), scope.reach.has(e)), want, "{e} in {scope:?}");
                        let is_deep = !story.is_room(world.parent(e)) && !scope.held.has(e);
                        nested += usize::from(want.0 && is_deep);
                    }
                }
                admissible(&story, &world, &scope, &mut list);
                if let Some(action) = list.get(rng.below(list.len().max(1) as u32) as usize) {
                    log.clear();
                    perform(&story, &mut world, &scope, *action, &mut log);
                }
            }
        }
        assert!(nested > 1_000, "only {nested} things lay in others in sight");
    }
}
