//! Plans: short sequences of own decisions, each judged on the same many deals.

use crate::{
    Search,
    playout::{Luck, Playout},
    table::Table,
};
use rl_gym::{AnyState, Bits, Fault, Pcg64};

/// Most decisions of a plan.
const LONGEST: usize = 8;
/// Deals after which a plan that is surely worse is dropped; later at each doubling.
const FIRST_LOOK: usize = 8;
/// Standard errors of the difference that count as surely.
const SURE: f32 = 2.0;
/// Deals on which the next decision of a plan is looked up.
const PROBES: usize = 3;

/// How much a [`Plans`] looks at; work is counted as in [`crate::Breadth`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scope {
    /// Work a decision. Every action at the root is judged once whatever that takes.
    pub work: u32,
    /// Deals of the hidden cards and of luck on which plans are compared.
    pub deals: u32,
    /// Fresh deals on which the best plans are judged again, so that no plan is chosen for its luck; 0 = none.
    pub again: u32,
    /// Plans judged again, each with another first action.
    pub finalists: usize,
    /// Most decisions of a plan, up to 8.
    pub depth: usize,
    /// Most actions tried at the root.
    pub width: usize,
    /// Most actions by which a plan is extended.
    pub inner_width: usize,
    /// Stages (turns) after the present one that are played out before a line is judged.
    pub ahead: u32,
}

/// A deal: a state of which everything hidden was redrawn, and the luck that goes with it.
struct Deal {
    state: AnyState,
    luck: Luck,
}

/// A sequence of own decisions; behind it the seat plays as suggested.
#[derive(Clone, Copy)]
struct Plan {
    moves: [u32; LONGEST],
    len: usize,
    /// Deals it was judged on; fewer than all when it was dropped.
    judged: usize,
    mean: f32,
    /// Whether it may still be extended.
    is_open: bool,
}

impl Plan {
    const NONE: Self = Self { moves: [0; LONGEST], len: 0, judged: 0, mean: 0.0, is_open: true };

    fn moves(&self) -> &[u32] {
        &self.moves[..self.len]
    }

    /// The same and then `action`.
    fn then(&self, action: u32) -> Self {
        let mut plan = Self { len: self.len + 1, judged: 0, mean: 0.0, is_open: true, ..*self };
        plan.moves[self.len] = action;
        plan
    }
}

/// Best-first search over plans.
///
/// A plan is the same on every deal, so it cannot use what the seat does not know: a search that looks for the
/// best line on each deal apart believes that it will know the cards by its next decision, and puts off what
/// it should do now. All plans meet the same deals and the same luck, so their differences are those of the
/// moves. The best plan is extended first, by one decision, until the work is used up; what was best is judged
/// again on fresh deals. For games whose heuristic suggests actions ([`rl_gym::Heuristic::suggest`]).
pub struct Plans {
    scope: Scope,
    root: AnyState,
    deals: Vec<Deal>,
    plans: Vec<Plan>,
    /// Values of each plan by deal, a row a plan.
    scores: Vec<f32>,
    actions: Vec<u32>,
    legal: Vec<u32>,
}

impl Plans {
    /// A search of this scope.
    pub fn new(scope: Scope) -> Self {
        Self {
            scope,
            root: Box::new(()),
            deals: Vec::new(),
            plans: Vec::new(),
            scores: Vec::new(),
            actions: Vec::new(),
            legal: Vec::new(),
        }
    }

    fn count(&self, table: &mut Table<'_>) -> usize {
        let has_luck = table.has_deals() || table.has_luck();
        if has_luck { self.scope.deals.max(1) as usize } else { 1 }
    }

    /// Lays `count` deals; the first one is the state as it was lent when `is_first`.
    fn deal(
        &mut self,
        table: &mut Table<'_>,
        seat: usize,
        count: usize,
        is_first: bool,
        rng: &mut Pcg64,
    ) -> Result<(), Fault> {
        while self.deals.len() < count {
            self.deals.push(Deal { state: Box::new(()), luck: Luck { key: 0 } });
        }
        for (i, deal) in self.deals[..count].iter_mut().enumerate() {
            table.load(&self.root)?;
            if i > 0 || !is_first {
                table.redraw(seat, rng);
            }
            table.save(&mut deal.state);
            deal.luck.key = u128::from(rng.next_u64()) << 64 | u128::from(rng.next_u64());
        }
        Ok(())
    }

    /// The actions of the root worth a look, the suggested one first.
    fn list(&mut self, table: &mut Table<'_>, seat: usize, mask: Bits<'_>) -> Result<(), Fault> {
        table.load(&self.root)?;
        self.actions.clear();
        if mask.is_empty() {
            table.legal(seat, &mut self.actions);
        } else {
            self.actions.extend(mask.ones().map(|a| a as u32));
        }
        let hint = table.suggest(seat, &mut self.deals[0].luck.at(0));
        let mut worth = Vec::new();
        for &action in &self.actions {
            let value = if Some(action) == hint {
                f32::INFINITY
            } else if self.actions.len() <= self.scope.width {
                0.0
            } else {
                table.load(&self.root)?;
                table.step(seat, action)?;
                table.values()[seat]
            };
            worth.push((value, action));
        }
        worth.sort_by(|a, b| b.0.total_cmp(&a.0));
        self.actions.clear();
        self.actions.extend(worth.iter().take(self.scope.width.max(1)).map(|w| w.1));
        Ok(())
    }

    /// Judges `plan` on the deals, in order, and adds it to the list. Drops it as soon as it is surely worse than
    /// the plan `best`.
    fn judge(
        &mut self,
        table: &mut Table<'_>,
        way: &Way,
        mut plan: Plan,
        best: Option<usize>,
    ) -> Result<usize, Fault> {
        let row = self.scores.len();
        let mut look = FIRST_LOOK;
        let (mut sum, mut difference, mut squares) = (0.0f32, 0.0f32, 0.0f32);
        for (i, deal) in self.deals[..way.deals].iter().enumerate() {
            let value = way.play(table, deal, plan.moves())?;
            self.scores.push(value);
            sum += value;
            plan.judged = i + 1;
            let Some(best) = best else { continue };
            let d = value - self.scores[best * way.deals + i];
            difference += d;
            squares += d * d;
            if plan.judged == look {
                look *= 2;
                let n = plan.judged as f32;
                let mean = difference / n;
                let error = ((squares / n - mean * mean).max(0.0) / (n - 1.0)).sqrt();
                if plan.judged < way.deals && mean + SURE * error < 0.0 {
                    break;
                }
            }
        }
        plan.mean = sum / plan.judged as f32;
        plan.is_open = plan.judged == way.deals;
        self.scores.resize(row + way.deals, 0.0);
        self.plans.push(plan);
        Ok(self.plans.len() - 1)
    }

    /// Judges every plan that extends plan `at` by one decision; returns the best plan of all.
    fn extend(
        &mut self,
        table: &mut Table<'_>,
        way: &Way,
        at: usize,
        mut best: usize,
    ) -> Result<usize, Fault> {
        self.plans[at].is_open = false;
        let mut plan = self.plans[at];
        let mut common = None;
        loop {
            self.legal.clear();
            for (i, deal) in self.deals[..way.deals.min(PROBES)].iter().enumerate() {
                let hint = way.probe(table, deal, plan.moves(), &mut self.legal)?;
                // What is suggested is what the plan does already.
                common = if i == 0 || common == hint { hint } else { None };
            }
            self.legal.sort_unstable();
            self.legal.dedup();
            // A forced move is no decision.
            if self.legal.len() != 1 || plan.len + 1 >= LONGEST {
                break;
            }
            plan = plan.then(self.legal[0]);
        }
        if plan.len >= LONGEST {
            return Ok(best);
        }
        self.legal.retain(|&a| Some(a) != common);
        // What the root did not have, then what was good there.
        let known = |a: u32| {
            let first = self.plans[..self.actions.len()].iter().find(|p| p.moves[0] == a);
            first.map_or(f32::INFINITY, |p| p.mean)
        };
        let mut legal = std::mem::take(&mut self.legal);
        legal.sort_by(|&a, &b| known(b).total_cmp(&known(a)).then(a.cmp(&b)));
        legal.truncate(self.scope.inner_width);
        for &action in &legal {
            if table.work >= way.limit {
                break;
            }
            let next = self.judge(table, way, plan.then(action), Some(best))?;
            if self.is_better(way, next, best) {
                best = next;
            }
        }
        self.legal = legal;
        Ok(best)
    }

    fn is_better(&self, way: &Way, a: usize, b: usize) -> bool {
        self.plans[a].judged == way.deals && self.plans[a].mean > self.plans[b].mean
    }

    /// The best plans with different first actions, judged on fresh deals: the one to follow.
    fn choose(
        &mut self,
        table: &mut Table<'_>,
        way: &mut Way,
        best: usize,
        rng: &mut Pcg64,
    ) -> Result<Plan, Fault> {
        if self.scope.again == 0 || way.deals == 1 {
            return Ok(self.plans[best]);
        }
        // The sort is stable: of equals the first stays first.
        let mut order: Vec<Plan> = self.plans.iter().filter(|p| p.judged == way.deals).copied().collect();
        order.sort_by(|a, b| b.mean.total_cmp(&a.mean));
        let mut finalists: Vec<Plan> = Vec::new();
        for plan in order {
            if finalists.len() < self.scope.finalists && finalists.iter().all(|f| f.moves[0] != plan.moves[0])
            {
                finalists.push(plan);
            }
        }
        if finalists.len() < 2 {
            return Ok(self.plans[best]);
        }
        way.deals = self.scope.again as usize;
        self.deal(table, way.seat, way.deals, false, rng)?;
        self.plans.clear();
        self.scores.clear();
        let mut best = self.judge(table, way, finalists[0], None)?;
        for plan in &finalists[1..] {
            let next = self.judge(table, way, *plan, Some(best))?;
            if self.is_better(way, next, best) {
                best = next;
            }
        }
        Ok(self.plans[best])
    }
}

/// What stays the same during one decision.
struct Way {
    seat: usize,
    until: u32,
    deals: usize,
    limit: u32,
}

impl Way {
    /// What following `moves` and then playing as suggested is worth to the seat.
    fn play(&self, table: &mut Table<'_>, deal: &Deal, moves: &[u32]) -> Result<f32, Fault> {
        table.load(&deal.state)?;
        let mut playout = Playout::new(table, deal.luck, self.seat);
        playout.follow(table, moves, self.until)?;
        playout.finish(table, self.until)?;
        Ok(table.values()[self.seat])
    }

    /// Appends what the seat may do after `moves`, when it is to decide before the line ends; returns what is
    /// suggested.
    fn probe(
        &self,
        table: &mut Table<'_>,
        deal: &Deal,
        moves: &[u32],
        legal: &mut Vec<u32>,
    ) -> Result<Option<u32>, Fault> {
        table.load(&deal.state)?;
        let mut playout = Playout::new(table, deal.luck, self.seat);
        if !playout.follow(table, moves, self.until)? || !playout.reach(table, self.until)? {
            return Ok(None);
        }
        table.legal(self.seat, legal);
        Ok(playout.suggestion(table))
    }
}

impl Search for Plans {
    fn decide(
        &mut self,
        table: &mut Table<'_>,
        seat: usize,
        mask: Bits<'_>,
        rng: &mut Pcg64,
    ) -> Result<u32, Fault> {
        table.save(&mut self.root);
        let until = table.stage() + 1 + self.scope.ahead;
        let mut way = Way { seat, until, deals: self.count(table), limit: self.scope.work };
        self.deal(table, seat, way.deals, true, rng)?;
        self.list(table, seat, mask)?;
        self.plans.clear();
        self.scores.clear();
        if self.actions.is_empty() {
            return Err(Fault::new(format!("seat {seat} has no legal action to search")));
        }
        let before = table.work;
        let mut best = 0;
        for i in 0..self.actions.len() {
            let plan = Plan::NONE.then(self.actions[i]);
            let next = self.judge(table, &way, plan, (i > 0).then_some(best))?;
            if self.is_better(&way, next, best) {
                best = next;
            }
        }
        // What judging again will take at most is set aside.
        let judged: usize = self.plans.iter().map(|p| p.judged).sum();
        let each = (table.work - before) as usize / judged.max(1) + 1;
        let reserve = each * self.scope.finalists * self.scope.again as usize;
        way.limit = self.scope.work.saturating_sub(reserve as u32);
        while table.work < way.limit {
            let open = |p: &Plan| p.is_open && p.len < self.scope.depth.min(LONGEST);
            let mut at = None::<usize>;
            for (i, plan) in self.plans.iter().enumerate().filter(|(_, p)| open(p)) {
                if at.is_none_or(|a| plan.mean > self.plans[a].mean) {
                    at = Some(i);
                }
            }
            let Some(at) = at else { break };
            best = self.extend(table, &way, at, best)?;
        }
        let plan = self.choose(table, &mut way, best, rng)?;
        Ok(plan.moves[0])
    }
}
