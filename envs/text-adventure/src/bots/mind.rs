//! What a player remembers of one episode: a map, where treasures lay, what was tried.

use crate::{
    action::{Dir, Verb},
    observe::{Choice, View, col},
    world::mix,
};

/// Rooms that are remembered.
const ROOMS: usize = 64;
/// Slots of what was tried.
const TRIED: usize = 1024;
/// No way.
pub(super) const FAR: u8 = u8::MAX;

#[derive(Clone, Copy, Debug, Default)]
struct Room {
    is_known: bool,
    /// By direction: 0 no exit, 1 open and not walked, 2 closed, 3 walked.
    exits: [u8; Dir::COUNT],
    to: [u8; Dir::COUNT],
    /// Worth of treasures that lay there when it was last seen.
    loot: u16,
}

/// Memory of one episode.
#[derive(Clone, Debug)]
pub(super) struct Mind {
    rooms: [Room; ROOMS],
    tried: Box<[u8; TRIED]>,
    pub(super) home: Option<u8>,
    pub(super) here: u8,
    before: u8,
    /// Steps from here, and the first of them, by room.
    dist: [u8; ROOMS],
    first: [u8; ROOMS],
    pub(super) carried: u16,
}

impl Default for Mind {
    fn default() -> Self {
        Self {
            rooms: [Room::default(); ROOMS],
            tried: Box::new([0; TRIED]),
            home: None,
            here: 0,
            before: FAR,
            dist: [FAR; ROOMS],
            first: [FAR; ROOMS],
            carried: 0,
        }
    }
}

impl Mind {
    /// Begins an episode.
    pub(super) fn forget(&mut self) {
        let mut tried = std::mem::replace(&mut self.tried, Box::new([0; TRIED]));
        tried.fill(0);
        *self = Self { tried, ..Self::default() };
    }

    /// Takes in what is seen now.
    pub(super) fn look(&mut self, view: View<'_>) {
        let here = view.room();
        if here != self.here {
            self.before = self.here;
        }
        self.here = here;
        let room = &mut self.rooms[usize::from(here) % ROOMS];
        room.is_known = true;
        for &dir in Dir::ALL {
            let (state, to) = view.exit(dir);
            room.exits[dir as usize] = match (state, to) {
                (1, Some(_)) => 3,
                (state, _) => state,
            };
            room.to[dir as usize] = to.unwrap_or(FAR);
        }
        room.loot = 0;
        self.carried = 0;
        for seen in view.entities() {
            let is_own = seen.get(col::vault) == 1;
            if is_own {
                self.home = Some(here);
            }
            let worth = u16::from(seen.worth());
            let is_banked = view.entity(seen.get(col::holder)).is_some_and(|h| h.get(col::vault) == 1);
            match seen.get(col::place) {
                3 => self.carried += worth,
                0..=2 if !is_banked => room.loot += worth,
                _ => {}
            }
        }
        self.walk();
    }

    /// Distances from here over exits that were walked.
    fn walk(&mut self) {
        (self.dist, self.first) = ([FAR; ROOMS], [FAR; ROOMS]);
        let mut queue = [0u8; ROOMS];
        let (mut head, mut tail) = (0, 1);
        queue[0] = self.here;
        self.dist[usize::from(self.here) % ROOMS] = 0;
        while head < tail {
            let at = usize::from(queue[head]) % ROOMS;
            head += 1;
            for d in 0..Dir::COUNT {
                let to = self.rooms[at].to[d];
                if self.rooms[at].exits[d] != 3 || to == FAR || self.dist[usize::from(to) % ROOMS] != FAR {
                    continue;
                }
                let to_at = usize::from(to) % ROOMS;
                self.dist[to_at] = self.dist[at] + 1;
                self.first[to_at] =
                    if at == usize::from(self.here) % ROOMS { d as u8 } else { self.first[at] };
                if tail < ROOMS {
                    queue[tail] = to;
                    tail += 1;
                }
            }
        }
    }

    /// Steps to a room over known ways; [`FAR`] without one.
    pub(super) fn steps_to(&self, room: u8) -> u8 {
        self.dist[usize::from(room) % ROOMS]
    }

    /// How good a step in `dir` is on the way to the nearest room of which `wanted` is true: 1 beside it, less from
    /// afar, 0 when the way does not begin there.
    fn towards(&self, dir: Dir, wanted: impl Fn(usize) -> bool) -> f32 {
        let nearest = (0..ROOMS)
            .filter(|&r| self.dist[r] != FAR && self.dist[r] > 0 && wanted(r))
            .min_by_key(|&r| (self.dist[r], r));
        match nearest {
            Some(r) if self.first[r] == dir as u8 => 1.0 / f32::from(self.dist[r]),
            _ => 0.0,
        }
    }

    /// How good a step in `dir` is for seeing something new.
    pub(super) fn to_frontier(&self, dir: Dir) -> f32 {
        let here = &self.rooms[usize::from(self.here) % ROOMS];
        if here.exits[dir as usize] == 1 {
            return 1.0;
        }
        if here.exits.contains(&1) {
            return 0.0;
        }
        0.9 * self.towards(dir, |r| self.rooms[r].exits.contains(&1))
    }

    /// How good a step in `dir` is for getting home.
    pub(super) fn to_home(&self, dir: Dir) -> f32 {
        self.home.map_or(0.0, |home| f32::from(self.towards(dir, |r| r == usize::from(home)) > 0.0))
    }

    /// How good a step in `dir` is for getting to treasure.
    pub(super) fn to_loot(&self, dir: Dir) -> f32 {
        self.towards(dir, |r| self.rooms[r].loot > 0)
    }

    /// Whether a step in `dir` leads back to where one came from.
    pub(super) fn is_back(&self, dir: Dir) -> bool {
        let here = &self.rooms[usize::from(self.here) % ROOMS];
        self.before != FAR && here.to[dir as usize] == self.before
    }

    fn slot(&self, view: View<'_>, choice: &Choice) -> usize {
        let name = |code: u8| view.entity(code).map_or(u64::from(code) << 8, |e| u64::from(e.id()) + 1);
        let place = if choice.verb == Verb::Go { u64::from(self.here) } else { 0 };
        let key = choice.verb as u64 | name(choice.a) << 8 | name(choice.b) << 24 | place << 40;
        mix(key) as usize % TRIED
    }

    /// How often an action was chosen before, at most 3.
    pub(super) fn tries(&self, view: View<'_>, choice: &Choice) -> u8 {
        self.tried[self.slot(view, choice)].min(3)
    }

    /// Remembers the choice.
    pub(super) fn choose(&mut self, view: View<'_>, choice: &Choice) {
        let slot = self.slot(view, choice);
        self.tried[slot] = self.tried[slot].saturating_add(1);
    }
}
