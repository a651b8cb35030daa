//! The map so far: rooms that were entered, on a grid by their compass exits.

use agon_text_adventure::{Dir, Ent, NONE, Story, World};
use std::collections::{BTreeMap, VecDeque};

/// Columns of a room's name.
const WIDTH: usize = 14;
/// Columns between two rooms.
const GAP: usize = 3;

type Place = (i32, i32);

/// Draws what seat 0 has entered. `here` is marked; exits that were seen and not yet taken end in `?`.
pub(super) fn draw(story: &Story, world: &World, here: Ent) -> String {
    let known = |r: Ent| story.is_room(r) && world.known(0).has(r);
    let (places, rest) = lay_out(story, here, &known);
    let columns: Vec<i32> = places.values().map(|p| p.0).collect();
    let rows: Vec<i32> = places.values().map(|p| p.1).collect();
    let (left, top) = (least(&columns), least(&rows));
    let (wide, high) = (most(&columns) - left + 1, most(&rows) - top + 1);
    let mut canvas = Canvas::new(wide as usize * (WIDTH + GAP) + GAP, high as usize * 2 + 1);
    for (&room, &(x, y)) in &places {
        let at = |dx: i32| ((x - left) as usize * (WIDTH + GAP) + GAP) as i32 + dx;
        let row = (y - top) * 2 + 1;
        canvas.write(at(0), row, &label(story, room, here));
        for &dir in Dir::ALL {
            let Some((dx, dy)) = step(dir) else { continue };
            let exit = story.exit(room, dir);
            if exit.to == NONE || (exit.door != NONE && world.is(exit.door, agon_text_adventure::Bit::Hidden))
            {
                continue;
            }
            let is_met = places.get(&exit.to) == Some(&(x + dx, y + dy));
            let sign = match (is_met, dx, dy) {
                (false, ..) => '?',
                (true, 0, _) => '|',
                (true, _, 0) => '-',
                (true, 1, 1) | (true, -1, -1) => '\\',
                _ => '/',
            };
            let column = match dx {
                0 => at(WIDTH as i32 / 2),
                1 => at(WIDTH as i32),
                _ => at(-1),
            };
            if dy == 0 && is_met {
                (0..GAP as i32)
                    .for_each(|i| canvas.put(if dx > 0 { column + i } else { column - i }, row, sign));
            } else {
                canvas.put(column, row + dy, sign);
            }
        }
    }
    let mut out = canvas.text();
    for line in ways(story, &places, &known) {
        out.push_str(&line);
        out.push('\n');
    }
    for room in rest {
        out.push_str(&format!("Elsewhere: {}\n", story.entity(room).name.phrase()));
    }
    out.trim_end().to_owned()
}

fn least(numbers: &[i32]) -> i32 {
    numbers.iter().copied().min().unwrap_or(0)
}

fn most(numbers: &[i32]) -> i32 {
    numbers.iter().copied().max().unwrap_or(0)
}

fn label(story: &Story, room: Ent, here: Ent) -> String {
    let name = story.entity(room).name.phrase();
    let (open, close) = if room == here { ('<', '>') } else { ('[', ']') };
    let mut short: String = name.chars().take(WIDTH - 2).collect();
    while short.chars().count() < WIDTH - 2 {
        short.push(' ');
    }
    format!("{open}{short}{close}")
}

/// The step on the grid of a compass direction.
const fn step(dir: Dir) -> Option<Place> {
    Some(match dir {
        Dir::North => (0, -1),
        Dir::Northeast => (1, -1),
        Dir::East => (1, 0),
        Dir::Southeast => (1, 1),
        Dir::South => (0, 1),
        Dir::Southwest => (-1, 1),
        Dir::West => (-1, 0),
        Dir::Northwest => (-1, -1),
        Dir::Up | Dir::Down | Dir::In | Dir::Out => return None,
    })
}

/// Places for the known rooms, nearest first from `here`; rooms that find no free place come behind.
fn lay_out(story: &Story, here: Ent, known: &dyn Fn(Ent) -> bool) -> (BTreeMap<Ent, Place>, Vec<Ent>) {
    let mut places = BTreeMap::from([(here, (0, 0))]);
    let mut queue = VecDeque::from([here]);
    while let Some(room) = queue.pop_front() {
        let (x, y) = places[&room];
        for &dir in Dir::ALL {
            let to = story.exit(room, dir).to;
            let Some((dx, dy)) = step(dir) else { continue };
            let place = (x + dx, y + dy);
            if to != NONE && known(to) && !places.contains_key(&to) && !places.values().any(|p| *p == place) {
                places.insert(to, place);
                queue.push_back(to);
            }
        }
    }
    let rest = (0..story.rooms).filter(|r| known(*r) && !places.contains_key(r)).collect();
    (places, rest)
}

/// Ways that no grid shows: up, down, in, out, and those that lead elsewhere than they point.
fn ways(story: &Story, places: &BTreeMap<Ent, Place>, known: &dyn Fn(Ent) -> bool) -> Vec<String> {
    let mut lines = Vec::new();
    for room in (0..story.rooms).filter(|r| known(*r)) {
        for &dir in Dir::ALL {
            let to = story.exit(room, dir).to;
            if to == NONE {
                continue;
            }
            let is_drawn = match (step(dir), places.get(&room), places.get(&to)) {
                (Some((dx, dy)), Some(p), Some(q)) => *q == (p.0 + dx, p.1 + dy),
                (Some(_), Some(_), None) => !known(to),
                _ => false,
            };
            if !is_drawn {
                let name = |r: Ent| if known(r) { story.entity(r).name.phrase() } else { "?".into() };
                lines.push(format!("{} from the {}: {}", dir.name(), name(room), name(to)));
            }
        }
    }
    lines
}

struct Canvas {
    rows: Vec<Vec<char>>,
}

impl Canvas {
    fn new(wide: usize, high: usize) -> Self {
        Self { rows: vec![vec![' '; wide]; high] }
    }

    fn put(&mut self, x: i32, y: i32, c: char) {
        let cell = usize::try_from(y).ok().and_then(|y| self.rows.get_mut(y));
        if let Some(cell) = cell.and_then(|row| usize::try_from(x).ok().and_then(|x| row.get_mut(x)))
            && (*cell == ' ' || *cell == '?')
        {
            *cell = c;
        }
    }

    fn write(&mut self, x: i32, y: i32, text: &str) {
        for (i, c) in text.chars().enumerate() {
            if let Some(cell) = self.rows.get_mut(y as usize).and_then(|row| row.get_mut(x as usize + i)) {
                *cell = c;
            }
        }
    }

    fn text(&self) -> String {
        let lines = self.rows.iter().map(|row| row.iter().collect::<String>().trim_end().to_owned() + "\n");
        let lines: Vec<String> = lines.collect();
        let filled = |l: &String| !l.trim().is_empty();
        let first = lines.iter().position(filled).unwrap_or(0);
        let last = lines.iter().rposition(filled).map_or(0, |i| i + 1);
        lines[first..last].concat()
    }
}
