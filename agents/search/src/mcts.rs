//! Monte Carlo tree search over information sets: one tree, a fresh deal in every round.

use crate::{
    Search,
    playout::{Luck, playout},
    table::{MAX_SEATS, Status, Table, Values},
};
use rl_gym::{AnyState, Bits, Fault, Pcg64};

/// How much an [`Mcts`] looks at; work is counted as in [`crate::Breadth`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rounds {
    /// Work a decision.
    pub work: u32,
    /// Most rounds a decision: small games end before their work does.
    pub rounds: u32,
    /// Weight of exploring, in shares of winning.
    pub explore: f32,
    /// Share of the prior that the suggested action gets; the others share the rest.
    pub trust: f32,
    /// Stages (turns) after the present one that are played out before a line is judged.
    pub ahead: u32,
}

/// One state of information: what the root seat could tell apart along a line.
#[derive(Clone)]
struct Node {
    visits: u32,
    sums: Values,
    /// (action or outcome, node).
    children: Vec<(u32, u32)>,
}

/// UCT with priors on redrawn states.
///
/// Every round draws the hidden cards anew, walks down the one tree by the seats' own shares (nature by its
/// probabilities), adds one node and plays on from there as the heuristic suggests until the next stage. Where
/// the heuristic suggests an action for another seat, that seat takes it. The most visited action is chosen.
pub struct Mcts {
    limits: Rounds,
    nodes: Vec<Node>,
    used: usize,
    root: AnyState,
    path: Vec<u32>,
    legal: Vec<u32>,
}

impl Mcts {
    /// A search of these limits.
    pub fn new(limits: Rounds) -> Self {
        Self { limits, nodes: Vec::new(), used: 0, root: Box::new(()), path: Vec::new(), legal: Vec::new() }
    }

    /// A fresh node, in memory of earlier decisions where there is some.
    fn add(&mut self) -> u32 {
        if self.used == self.nodes.len() {
            self.nodes.push(Node { visits: 0, sums: [0.0; MAX_SEATS], children: Vec::new() });
        }
        let node = &mut self.nodes[self.used];
        (node.visits, node.sums) = (0, [0.0; MAX_SEATS]);
        node.children.clear();
        self.used += 1;
        self.used as u32 - 1
    }

    fn child(&self, at: u32, key: u32) -> Option<u32> {
        self.nodes[at as usize].children.iter().find(|c| c.0 == key).map(|c| c.1)
    }

    /// The action of `seat` at node `at` with the highest upper bound among the legal ones.
    fn select(&self, at: u32, seat: usize, hint: Option<u32>) -> Option<u32> {
        let node = &self.nodes[at as usize];
        let visits = node.visits.max(1) as f32;
        let mean = node.sums[seat] / visits;
        let others = (self.legal.len() - usize::from(hint.is_some())).max(1) as f32;
        let trust = if hint.is_some() { self.limits.trust } else { 0.0 };
        let mut best: Option<(f32, u32)> = None;
        for &action in &self.legal {
            let prior = if hint == Some(action) { trust } else { (1.0 - trust) / others };
            let (share, count) = self.child(at, action).map_or((mean, 0.0), |c| {
                let child = &self.nodes[c as usize];
                (child.sums[seat] / child.visits.max(1) as f32, child.visits as f32)
            });
            let bound = share + self.limits.explore * prior * visits.sqrt() / (1.0 + count);
            if best.is_none_or(|b| bound > b.0) {
                best = Some((bound, action));
            }
        }
        best.map(|b| b.1)
    }

    /// One round from the root on the table.
    fn round(&mut self, table: &mut Table<'_>, line: &Line) -> Result<(), Fault> {
        let (mut at, mut status, mut stage) = (0, Status::Turn(line.seat), table.stage());
        let mut dice = line.luck.at(stage);
        self.path.clear();
        self.path.push(0);
        let values = loop {
            let now = table.stage();
            if now != stage {
                (stage, dice) = (now, line.luck.at(now));
            }
            if status == Status::Over || stage >= line.until {
                break table.values();
            }
            let (key, next) = match status {
                Status::Over => break table.values(),
                Status::Chance => {
                    let outcome = table.draw(&mut dice)?;
                    (outcome, table.happen(outcome)?)
                }
                Status::Turn(seat) => {
                    let hint = table.suggest(seat, &mut line.luck.at(stage));
                    if let Some(action) = hint.filter(|_| seat != line.seat) {
                        status = table.step(seat, action)?;
                        continue;
                    }
                    self.legal.clear();
                    table.legal(seat, &mut self.legal);
                    let Some(action) = self.select(at, seat, hint) else {
                        return Err(Fault::new(format!("seat {seat} is to act and has no legal action")));
                    };
                    (action, table.step(seat, action)?)
                }
            };
            status = next;
            match self.child(at, key) {
                Some(child) => {
                    at = child;
                    self.path.push(at);
                }
                None => {
                    let fresh = self.add();
                    self.nodes[at as usize].children.push((key, fresh));
                    self.path.push(fresh);
                    break playout(table, status, line.until, line.luck)?;
                }
            }
        };
        for &at in &self.path {
            let node = &mut self.nodes[at as usize];
            node.visits += 1;
            node.sums.iter_mut().zip(values).for_each(|(sum, v)| *sum += v);
        }
        Ok(())
    }
}

/// What stays the same during one round.
struct Line {
    seat: usize,
    until: u32,
    luck: Luck,
}

impl Search for Mcts {
    fn decide(
        &mut self,
        table: &mut Table<'_>,
        seat: usize,
        mask: Bits<'_>,
        rng: &mut Pcg64,
    ) -> Result<u32, Fault> {
        let mut root = std::mem::replace(&mut self.root, Box::new(()));
        table.save(&mut root);
        let until = table.stage() + 1 + self.limits.ahead;
        self.used = 0;
        self.add();
        for _ in 0..self.limits.rounds.max(1) {
            table.load(&root)?;
            table.redraw(seat, rng);
            let key = u128::from(rng.next_u64()) << 64 | u128::from(rng.next_u64());
            self.round(table, &Line { seat, until, luck: Luck { key } })?;
            if table.work >= self.limits.work {
                break;
            }
        }
        self.root = root;
        let worth = |c: &(u32, u32)| {
            let node = &self.nodes[c.1 as usize];
            (node.visits, node.sums[seat] / node.visits.max(1) as f32)
        };
        let children = self.nodes[0].children.iter().filter(|c| mask.is_empty() || mask.get(c.0 as usize));
        let best = children.max_by(|a, b| {
            let (a, b) = (worth(a), worth(b));
            a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))
        });
        best.map(|c| c.0).ok_or_else(|| Fault::new(format!("seat {seat} has no legal action to search")))
    }
}
