//! Expectimax: the best line within a few own decisions, nature taken at its expectation.

use crate::{
    Search,
    playout::{Luck, playout},
    table::{Status, Table, Values},
};
use rl_gym::{AnyState, Bits, Fault, Pcg64};

/// How much an [`Expectimax`] looks at. Work is counted in steps, outcomes and judgements, never in time, so
/// that equal seeds give equal play on any machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Breadth {
    /// Work a decision, over all deals.
    pub work: u32,
    /// Deals of the hidden cards; 1 is enough where nothing is hidden.
    pub deals: u32,
    /// Most decisions in a line.
    pub depth: u32,
    /// Most actions tried at the root.
    pub width: usize,
    /// Most actions tried further down.
    pub inner_width: usize,
    /// Stages (turns) after the present one that are played out before a line is judged.
    pub ahead: u32,
}

/// One level of the tree, reused by all its nodes.
struct Level {
    state: AnyState,
    actions: Vec<u32>,
    outcomes: Vec<(u32, f64)>,
}

/// Deepening expectimax on redrawn states.
///
/// Every seat maximises its own share of winning (max^n); where the heuristic suggests an action for another
/// seat, that seat takes it at once. Behind the last decision of a line all seats play on as suggested until
/// the next stage, so that states are judged where nobody is in the middle of a turn. Lines grow by one
/// decision at a time until the work is used up; a depth that could not be finished counts for nothing.
pub struct Expectimax {
    breadth: Breadth,
    levels: Vec<Level>,
    root: AnyState,
    /// First value found for an action at the root, for ordering further down; by action.
    known: Vec<f32>,
    found: Vec<Found>,
}

/// An action of the root with its value in each completed depth.
#[derive(Clone, Copy)]
struct Found {
    action: u32,
    /// Sum of its final values over the deals.
    total: f32,
    /// Value in the last completed depth of this deal.
    value: f32,
    /// Value in the depth being searched.
    next: f32,
}

/// What stays the same during one deal.
struct Line {
    seat: usize,
    until: u32,
    luck: Luck,
    /// Work at which the deal ends.
    limit: u32,
    /// Whether some line ended for want of depth.
    cut: bool,
}

/// The work of a deal is used up.
const SPENT: Option<Values> = None;

impl Expectimax {
    /// A search of this breadth.
    pub fn new(breadth: Breadth) -> Self {
        Self { breadth, levels: Vec::new(), root: Box::new(()), known: Vec::new(), found: Vec::new() }
    }

    /// Tries every action for one step and keeps the best, a suggested one first.
    fn order(&mut self, table: &mut Table<'_>, mask: Bits<'_>, line: &Line) -> Result<(), Fault> {
        let mut level = self.level(0);
        table.save(&mut level.state);
        level.actions.clear();
        if mask.is_empty() {
            table.legal(line.seat, &mut level.actions);
        } else {
            level.actions.extend(mask.ones().map(|a| a as u32));
        }
        let hint = table.suggest(line.seat, &mut line.luck.at(0));
        self.found.clear();
        for &action in &level.actions {
            let value = if Some(action) == hint {
                f32::INFINITY
            } else if level.actions.len() <= self.breadth.width {
                0.0
            } else {
                table.load(&level.state)?;
                table.step(line.seat, action)?;
                table.values()[line.seat]
            };
            self.found.push(Found { action, total: 0.0, value, next: 0.0 });
        }
        table.load(&level.state)?;
        self.found.sort_by(|a, b| b.value.total_cmp(&a.value));
        self.found.truncate(self.breadth.width.max(1));
        self.levels[0] = level;
        Ok(())
    }

    /// Takes level `ply` out, making it when it is new.
    fn level(&mut self, ply: usize) -> Level {
        let empty = || Level { state: Box::new(()), actions: Vec::new(), outcomes: Vec::new() };
        while self.levels.len() <= ply {
            self.levels.push(empty());
        }
        std::mem::replace(&mut self.levels[ply], Level { state: Box::new(()), ..empty() })
    }

    /// Values all root actions on one deal, depth by depth.
    fn deepen(&mut self, table: &mut Table<'_>, line: &mut Line) -> Result<(), Fault> {
        let mut level = self.level(0);
        table.save(&mut level.state);
        for depth in 0..self.breadth.depth.max(1) {
            line.cut = false;
            let mut done = true;
            for i in 0..self.found.len() {
                table.load(&level.state)?;
                let status = table.step(line.seat, self.found[i].action)?;
                // The first depth is always finished, so that every action has a value.
                let limit = if depth == 0 { u32::MAX } else { line.limit };
                match self.node(table, line, status, depth, 1, limit)? {
                    Some(values) => self.found[i].next = values[line.seat],
                    None => done = false,
                }
                if !done {
                    break;
                }
            }
            if !done {
                break;
            }
            for found in &mut self.found {
                found.value = found.next;
                if depth == 0 {
                    let at = found.action as usize;
                    if self.known.len() <= at {
                        self.known.resize(at + 1, f32::INFINITY);
                    }
                    self.known[at] = found.value;
                }
            }
            if !line.cut || table.work >= line.limit {
                break;
            }
        }
        self.found.iter_mut().for_each(|f| f.total += f.value);
        self.levels[0] = level;
        Ok(())
    }

    /// The value of the state on the table, with `depth` more decisions to choose.
    fn node(
        &mut self,
        table: &mut Table<'_>,
        line: &mut Line,
        mut status: Status,
        depth: u32,
        ply: usize,
        limit: u32,
    ) -> Result<Option<Values>, Fault> {
        loop {
            if table.work >= limit {
                return Ok(SPENT);
            }
            if status == Status::Over || table.stage() >= line.until {
                return Ok(Some(table.values()));
            }
            let Status::Turn(seat) = status else {
                return self.expect(table, line, depth, ply, limit);
            };
            if seat != line.seat
                && let Some(action) = table.suggest(seat, &mut line.luck.at(table.stage()))
            {
                status = table.step(seat, action)?;
                continue;
            }
            if depth == 0 {
                line.cut = true;
                return playout(table, status, line.until, line.luck).map(Some);
            }
            return self.choose(table, line, seat, depth, ply, limit);
        }
    }

    /// The mean over nature's moves.
    fn expect(
        &mut self,
        table: &mut Table<'_>,
        line: &mut Line,
        depth: u32,
        ply: usize,
        limit: u32,
    ) -> Result<Option<Values>, Fault> {
        let mut level = self.level(ply);
        table.save(&mut level.state);
        table.outcomes(&mut level.outcomes)?;
        let mut mean = Some([0.0; _]);
        for &(outcome, chance) in &level.outcomes {
            table.load(&level.state)?;
            let status = table.happen(outcome)?;
            match (self.node(table, line, status, depth, ply + 1, limit)?, &mut mean) {
                (Some(values), Some(mean)) => {
                    mean.iter_mut().zip(values).for_each(|(m, v): (&mut f32, f32)| *m += chance as f32 * v);
                }
                _ => mean = SPENT,
            }
            if mean.is_none() {
                break;
            }
        }
        self.levels[ply] = level;
        Ok(mean)
    }

    /// The values of the action that `seat` likes best.
    fn choose(
        &mut self,
        table: &mut Table<'_>,
        line: &mut Line,
        seat: usize,
        depth: u32,
        ply: usize,
        limit: u32,
    ) -> Result<Option<Values>, Fault> {
        let mut level = self.level(ply);
        table.save(&mut level.state);
        level.actions.clear();
        table.legal(seat, &mut level.actions);
        if level.actions.len() > self.breadth.inner_width {
            // The suggested action, then what the root did not have, then what was good there.
            let hint = table.suggest(seat, &mut line.luck.at(table.stage()));
            let known = |a: u32| self.known.get(a as usize).copied().unwrap_or(f32::INFINITY);
            level.actions.sort_by(|&a, &b| {
                let (first, second) = (Some(a) == hint, Some(b) == hint);
                second.cmp(&first).then(known(b).total_cmp(&known(a))).then(a.cmp(&b))
            });
            level.actions.truncate(self.breadth.inner_width.max(1));
        }
        // A forced move is no decision.
        let depth = if level.actions.len() == 1 { depth } else { depth - 1 };
        let mut best: Option<Values> = None;
        let mut spent = false;
        for &action in &level.actions {
            table.load(&level.state)?;
            let status = table.step(seat, action)?;
            let Some(values) = self.node(table, line, status, depth, ply + 1, limit)? else {
                spent = true;
                break;
            };
            if best.is_none_or(|b| values[seat] > b[seat]) {
                best = Some(values);
            }
        }
        self.levels[ply] = level;
        Ok(if spent { SPENT } else { best })
    }
}

impl Search for Expectimax {
    fn decide(
        &mut self,
        table: &mut Table<'_>,
        seat: usize,
        mask: Bits<'_>,
        rng: &mut Pcg64,
    ) -> Result<u32, Fault> {
        let mut root = std::mem::replace(&mut self.root, Box::new(()));
        table.save(&mut root);
        let deals = if table.has_deals() { self.breadth.deals.max(1) } else { 1 };
        let until = table.stage() + 1 + self.breadth.ahead;
        self.known.clear();
        for deal in 0..deals {
            if deal > 0 {
                table.load(&root)?;
                table.redraw(seat, rng);
            }
            let key = u128::from(rng.next_u64()) << 64 | u128::from(rng.next_u64());
            let limit = (u64::from(self.breadth.work) * u64::from(deal + 1) / u64::from(deals)) as u32;
            let mut line = Line { seat, until, luck: Luck { key }, limit, cut: false };
            if deal == 0 {
                self.order(table, mask, &line)?;
            }
            self.deepen(table, &mut line)?;
        }
        self.root = root;
        // The first of equals: suggested before ordered.
        let best = self.found.iter().fold(None::<Found>, |best, f| match best {
            Some(b) if b.total >= f.total => Some(b),
            _ => Some(*f),
        });
        best.map(|f| f.action).ok_or_else(|| Fault::new(format!("seat {seat} has no legal action to search")))
    }
}
