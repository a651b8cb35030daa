//! The skeleton of a map: a random tree of rooms on a grid, further connections, locked gates and the order in which
//! they open.

use super::knobs::Knobs;
use crate::action::Dir;
use rl_gym::Pcg64;

/// A connection of two rooms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Edge {
    pub(super) from: u8,
    pub(super) dir: Dir,
    pub(super) to: u8,
    /// Whether it leads from `from` to `to` only.
    pub(super) one_way: bool,
    /// The gate that it is, counted in the order of opening from 1; 0 for none.
    pub(super) gate: u8,
}

/// Rooms and connections. Room 0 is where the player begins.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Skeleton {
    pub(super) rooms: u8,
    /// The tree first: edge `i` leads to room `i + 1`.
    pub(super) edges: Vec<Edge>,
    /// After how many gates each room can be reached.
    pub(super) stage: Vec<u8>,
    /// Steps from room 0 to each room.
    pub(super) far: Vec<u16>,
}

type Cell = (i8, i8, i8);

const fn offset(dir: Dir) -> Cell {
    match dir {
        Dir::North => (0, 1, 0),
        Dir::Northeast => (1, 1, 0),
        Dir::East => (1, 0, 0),
        Dir::Southeast => (1, -1, 0),
        Dir::South => (0, -1, 0),
        Dir::Southwest => (-1, -1, 0),
        Dir::West => (-1, 0, 0),
        Dir::Northwest => (-1, 1, 0),
        Dir::Up | Dir::In => (0, 0, 1),
        Dir::Down | Dir::Out => (0, 0, -1),
    }
}

fn beside(cell: Cell, dir: Dir) -> Cell {
    let o = offset(dir);
    (cell.0 + o.0, cell.1 + o.1, cell.2 + o.2)
}

/// The four directions in which most connections lead, then the others.
const STRAIGHT: [Dir; 4] = [Dir::North, Dir::East, Dir::South, Dir::West];
const OBLIQUE: [Dir; 6] =
    [Dir::Up, Dir::Down, Dir::Northeast, Dir::Southeast, Dir::Southwest, Dir::Northwest];

impl Skeleton {
    /// A random skeleton.
    pub(super) fn random(knobs: &Knobs, rng: &mut Pcg64) -> Self {
        let mut cells: Vec<Cell> = vec![(0, 0, 0)];
        let mut edges: Vec<Edge> = Vec::new();
        while cells.len() < usize::from(knobs.rooms) {
            // Often on from the newest room, so that there are ways and not only a star.
            let from = match rng.below(100) < 55 {
                true => cells.len() - 1,
                false => rng.below(cells.len() as u32) as usize,
            };
            let dir = match rng.below(100) < 88 {
                true => STRAIGHT[rng.below(4) as usize],
                false => OBLIQUE[rng.below(6) as usize],
            };
            let cell = beside(cells[from], dir);
            if cells.contains(&cell) {
                continue;
            }
            edges.push(Edge { from: from as u8, dir, to: cells.len() as u8, one_way: false, gate: 0 });
            cells.push(cell);
        }
        let mut skeleton = Self { rooms: knobs.rooms, edges, stage: vec![0; cells.len()], far: Vec::new() };
        skeleton.choose_gates(knobs.gates, rng);
        skeleton.add_loops(knobs, &cells, rng);
        skeleton.measure();
        skeleton
    }

    /// Makes some connections of the tree gates and numbers them in an order in which they can be opened.
    fn choose_gates(&mut self, gates: u8, rng: &mut Pcg64) {
        let mut candidates: Vec<usize> = (0..self.edges.len()).collect();
        rng.shuffle(&mut candidates);
        candidates.truncate(gates.into());
        let mut next = 1;
        while !candidates.is_empty() {
            // A gate can be opened once every gate on the way to it is.
            let can_open: Vec<usize> = (0..candidates.len())
                .filter(|i| self.gates_before(candidates[*i]).all(|e| !candidates.contains(&e)))
                .collect();
            let pick = can_open[rng.below(can_open.len() as u32) as usize];
            self.edges[candidates.swap_remove(pick)].gate = next;
            next += 1;
        }
        for room in 1..usize::from(self.rooms) {
            let edge = self.edges[room - 1];
            self.stage[room] = self.stage[usize::from(edge.from)].max(edge.gate);
        }
    }

    /// The connections of the tree between room 0 and edge `e`.
    fn gates_before(&self, e: usize) -> impl Iterator<Item = usize> {
        let mut room = self.edges[e].from;
        std::iter::from_fn(move || {
            let edge = usize::from(room.checked_sub(1)?);
            room = self.edges[edge].from;
            Some(edge)
        })
    }

    /// Connects further rooms that lie beside each other. What leads around a gate leads outwards only.
    fn add_loops(&mut self, knobs: &Knobs, cells: &[Cell], rng: &mut Pcg64) {
        let mut free = Vec::new();
        for from in 0..self.rooms {
            for dir in STRAIGHT {
                let cell = beside(cells[usize::from(from)], dir);
                let Some(to) = cells.iter().position(|c| *c == cell).map(|i| i as u8) else { continue };
                let zone = |r: u8| self.stage[usize::from(r)];
                let joined = self.edges.iter().any(|e| {
                    (e.from, e.to) == (from, to)
                        || (e.from, e.to) == (to, from)
                        || (e.from == from && e.dir == dir)
                        || (e.to == to && e.dir == dir)
                });
                if !joined && zone(from) >= zone(to) && self.is_behind(from, to) {
                    free.push((from, dir, to));
                }
            }
        }
        rng.shuffle(&mut free);
        let wanted = (u32::from(knobs.rooms) * u32::from(knobs.loops)).div_ceil(100) as usize;
        let tree = self.edges.len();
        for (from, dir, to) in free {
            if self.edges.len() - tree == wanted {
                break;
            }
            if self.edges.iter().any(|e| (e.from, e.to) == (to, from) || (e.from, e.to) == (from, to)) {
                continue;
            }
            let same = self.is_behind(to, from);
            let one_way = !same || rng.below(100) < u32::from(knobs.one_way);
            if !same && knobs.one_way == 0 {
                continue;
            }
            self.edges.push(Edge { from, dir, to, one_way, gate: 0 });
        }
    }

    /// Whether every gate on the way to room `b` is also on the way to room `a`.
    fn is_behind(&self, a: u8, b: u8) -> bool {
        let gates = |room: u8| {
            let edge = room.checked_sub(1).map(usize::from);
            edge.into_iter()
                .flat_map(|e| self.gates_before(e).chain([e]))
                .map(|e| self.edges[e].gate)
                .filter(|g| *g > 0)
        };
        gates(b).all(|g| gates(a).any(|o| o == g))
    }

    fn measure(&mut self) {
        self.far = self.distances(0);
    }

    /// Steps from `room` to every other, gates open.
    pub(super) fn distances(&self, room: u8) -> Vec<u16> {
        let mut far = vec![u16::MAX; self.rooms.into()];
        let mut queue = vec![room];
        far[usize::from(room)] = 0;
        let mut next = 0;
        while let Some(&at) = queue.get(next) {
            next += 1;
            for e in &self.edges {
                let other = match at {
                    _ if e.from == at => e.to,
                    _ if e.to == at && !e.one_way => e.from,
                    _ => continue,
                };
                if far[usize::from(other)] == u16::MAX {
                    far[usize::from(other)] = far[usize::from(at)] + 1;
                    queue.push(other);
                }
            }
        }
        far
    }

    /// A number that two skeletons share only when they are drawn alike.
    pub(super) fn digest(&self) -> u64 {
        self.edges.iter().fold(u64::from(self.rooms), |h, e| {
            let edge = u64::from(e.from) << 32
                | u64::from(e.to) << 16
                | (e.dir as u64) << 8
                | u64::from(e.gate) << 1
                | u64::from(e.one_way);
            crate::world::mix(h.rotate_left(9) ^ edge ^ 0x5EED)
        })
    }
}
