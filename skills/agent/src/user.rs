//! The policy that uses skills.

use crate::{
    Choice, Context, Ended, Experience, Kit, Learner, Trail, Use,
    context::Reader,
    lookahead::{Horizon, Lookahead},
    retrieval::Index,
};
use agon_skill_runtime::{Decision, Machine, Prepared};
use rl_gym::{Ask, Decisions, Fault, Pcg64, Policy, discrete};
use std::sync::Arc;

/// Which of the skills that apply is used.
#[derive(Clone, Debug, Default)]
pub enum Chooser {
    /// The first one, always: to measure what a skill does.
    #[default]
    Eager,
    /// The one of at most [`SHOWN`] that fits best, or the base policy, by what is known.
    Bandit(Arc<Experience>),
    /// The one of at most [`SHOWN`] that is worth most when played ahead, or the base policy.
    Search(Horizon),
}

/// Skills that a chooser looks at.
pub const SHOWN: usize = 3;

/// How skills are used.
#[derive(Clone, Debug)]
pub struct UserConfig {
    /// Which of the skills that apply is used.
    pub chooser: Chooser,
    /// What the agent is after, in words; skills are found by it. Empty: those known for the nearest contexts.
    pub goal: String,
    /// Share of chances at which any skill is offered, 0 to 1: 1 always, less to let an agent go without.
    pub share: f64,
    /// For single skills, by index into the kit, the share of chances at which they are offered.
    pub shares: Vec<(usize, f64)>,
    /// Aborts of a skill in an episode after which it is left alone there.
    pub patience: u32,
    /// Whether uses tell the context in which they began, for whoever asks why they failed.
    pub contexts: bool,
}

impl Default for UserConfig {
    fn default() -> Self {
        Self {
            chooser: Chooser::Eager,
            goal: String::new(),
            share: 1.0,
            shares: Vec::new(),
            patience: 3,
            contexts: false,
        }
    }
}

/// A skill at work in a row.
struct Running {
    skill: usize,
    machine: Machine,
    at: u32,
    decisions: u32,
    context: Context,
}

/// A skill that was not begun, and what becomes of its promise without it.
struct Passed {
    skill: usize,
    at: u32,
    start: Vec<f32>,
}

/// What is known about a row.
#[derive(Default)]
struct Row {
    running: Option<Running>,
    passed: Vec<Passed>,
    decision: u32,
    aborts: Vec<u32>,
    trail: Trail,
    /// Numbers of the episode for its samples, and the choices that it holds on to.
    salt: Option<Pcg64>,
    held: Vec<(Context, u128, Option<usize>)>,
}

/// A base policy with skills at hand.
pub struct SkillUser {
    base: Box<dyn Policy>,
    kit: Kit,
    config: UserConfig,
    shares: Vec<f64>,
    /// Idle machines by skill. What a machine did before does not show, so rows share them.
    idle: Vec<Vec<Machine>>,
    args: Vec<Vec<f32>>,
    rows: Vec<Row>,
    for_base: Vec<u32>,
    open: Vec<usize>,
    reader: Reader,
    /// How well each skill fits the goal.
    fits: Vec<f64>,
    lookahead: Option<Lookahead>,
}

impl SkillUser {
    /// `base` with the skills of `kit`.
    pub fn new(base: Box<dyn Policy>, kit: Kit, config: UserConfig) -> Self {
        let mut shares = vec![config.share; kit.len()];
        for (skill, share) in &config.shares {
            if let Some(slot) = shares.get_mut(*skill) {
                *slot = *share;
            }
        }
        let reader = Reader::new(kit.words().facts());
        let fits = Index::new(kit.skills().iter().map(|s| s.skill())).scores(&config.goal);
        let lookahead = match &config.chooser {
            Chooser::Search(horizon) => Some(Lookahead::new(horizon.clone(), kit.len())),
            _ => None,
        };
        Self {
            base,
            lookahead,
            reader,
            fits,
            shares,
            config,
            idle: kit.skills().iter().map(|_| Vec::new()).collect(),
            args: kit.skills().iter().map(|s| s.defaults()).collect(),
            rows: Vec::new(),
            for_base: Vec::new(),
            open: Vec::new(),
            kit,
        }
    }

    fn row(&mut self, row: usize) -> &mut Row {
        if self.rows.len() <= row {
            self.rows.resize_with(row + 1, Row::default);
        }
        &mut self.rows[row]
    }

    /// Decides number `i` by a skill; `false` leaves it to the base policy. Where skills are searched, the base policy has
    /// decided before, so that they are measured by what it would do.
    fn decide(&mut self, decisions: &mut Decisions<'_>, i: usize) -> Result<bool, Fault> {
        let mut ask = decisions.ask(i);
        let at = ask.row;
        let mut row = std::mem::take(self.row(at));
        self.look_after(&mut row, ask.obs);
        let is_decided = if self.go_on(&mut row, &mut ask) {
            Ok(true)
        } else if let Some(lookahead) = &mut self.lookahead {
            lookahead.remember(&mut ask).and_then(|()| {
                self.base.act(&mut decisions.only(&[at as u32]))?;
                self.set_out(&mut row, &mut decisions.ask(i))?;
                Ok(true)
            })
        } else {
            self.set_out(&mut row, &mut ask)
        };
        row.decision += 1;
        self.rows[at] = row;
        is_decided
    }

    /// Goes on with the skill that is at work.
    fn go_on(&mut self, row: &mut Row, ask: &mut Ask<'_>) -> bool {
        let Some(mut running) = row.running.take() else { return false };
        match running.machine.decide(ask.obs, ask.mask) {
            Decision::Act(action) => {
                ask.choose(action);
                running.decisions += 1;
                row.running = Some(running);
                true
            }
            Decision::Done => {
                self.put_away(row, running, Ended::Done);
                false
            }
            Decision::Aborted(why) => {
                self.put_away(row, running, Ended::Aborted(why));
                false
            }
        }
    }

    fn put_away(&mut self, row: &mut Row, running: Running, ended: Ended) {
        let Running { skill, machine, at, decisions, context } = running;
        if matches!(ended, Ended::Aborted(_)) {
            row.aborts.resize(self.kit.len(), 0);
            row.aborts[skill] += 1;
        }
        row.trail.uses.push(Use { skill, at, decisions, context, ended });
        self.idle[skill].push(machine);
    }

    /// Begins a skill that applies, if the chooser takes one, and acts by it.
    fn set_out(&mut self, row: &mut Row, ask: &mut Ask<'_>) -> Result<bool, Fault> {
        let mut open = std::mem::take(&mut self.open);
        open.clear();
        for skill in 0..self.kit.len() {
            let is_left = row.aborts.get(skill).is_some_and(|n| *n >= self.config.patience);
            if !is_left && self.applies(skill, ask.obs) && self.is_offered(skill, row, ask) {
                open.push(skill);
            }
        }
        let context = self.choose(row, ask, &mut open).map(|context| match context {
            Some(context) => context,
            None if self.config.contexts => self.reader.read(&**self.kit.words(), ask.obs),
            None => Context::default(),
        });
        let has_acted =
            context.map(|context| open.iter().any(|skill| self.begin_use(*skill, context, row, ask)));
        self.open = open;
        has_acted
    }

    /// Whether a skill that applies is offered; one that is not is looked after.
    fn is_offered(&self, skill: usize, row: &mut Row, ask: &Ask<'_>) -> bool {
        let share = self.shares[skill];
        if share >= 1.0 || own_rng(ask.rng, row.decision, 2 * skill as u64).unit() < share {
            return true;
        }
        if !row.passed.iter().any(|p| p.skill == skill) {
            let mut start = vec![0.0; self.kit.words().facts().len()];
            self.kit.words().read(ask.obs, &mut start);
            row.passed.push(Passed { skill, at: row.decision, start });
        }
        false
    }

    /// Leaves in `open` the skills to try, in order. Gives the context of the choice, if it was looked at.
    fn choose(
        &mut self,
        row: &mut Row,
        ask: &mut Ask<'_>,
        open: &mut Vec<usize>,
    ) -> Result<Option<Context>, Fault> {
        if open.is_empty() {
            return Ok(None);
        }
        match &self.config.chooser {
            Chooser::Eager => Ok(None),
            Chooser::Bandit(known) => Ok(Some(self.draw(&known.clone(), row, ask, open))),
            Chooser::Search(_) => {
                open.sort_by(|a, b| self.fits[*b].total_cmp(&self.fits[*a]).then(a.cmp(b)));
                open.truncate(SHOWN);
                let rng = own_rng(ask.rng, row.decision, u64::MAX - 2);
                if let Some(lookahead) = &mut self.lookahead {
                    let base = discrete(ask.action);
                    let best = lookahead.best(open, &self.kit, &self.args, ask, base, rng)?;
                    open.clear();
                    open.extend(best);
                }
                Ok(None)
            }
        }
    }

    /// Leaves in `open` the skill whose sampled worth is above that of the base policy and of the others, if any.
    fn draw(&self, known: &Experience, row: &mut Row, ask: &Ask<'_>, open: &mut Vec<usize>) -> Context {
        let context = self.reader.read(&**self.kit.words(), ask.obs);
        let hash = |skill: usize| self.kit.skills()[skill].skill().hash.as_str();
        // Those that fit the goal best, or else those known best around here, are looked at.
        let rank = |skill: usize| (self.fits[skill], known.mean(hash(skill), context).0);
        open.sort_by(|a, b| {
            let ((fit_a, mean_a), (fit_b, mean_b)) = (rank(*a), rank(*b));
            fit_b.total_cmp(&fit_a).then(mean_b.total_cmp(&mean_a)).then(a.cmp(b))
        });
        open.truncate(SHOWN);
        let set = open.iter().fold(0, |set: u128, skill| set | 1 << (skill % 128));
        let held = row.held.iter().find(|(c, s, _)| (*c, *s) == (context, set)).map(|(_, _, arm)| *arm);
        let arm = held.unwrap_or_else(|| {
            let salt = row.salt.get_or_insert(*ask.rng);
            let mut best = (known.sample("", context, &mut own_rng(salt, 0, u64::MAX - 1)), None);
            for skill in open.iter() {
                let worth = known.sample(hash(*skill), context, &mut own_rng(salt, 0, 2 * *skill as u64 + 1));
                if worth > best.0 {
                    best = (worth, Some(*skill));
                }
            }
            row.held.push((context, set, best.1));
            row.trail.choices.push(Choice { at: row.decision, context, arm: best.1 });
            best.1
        });
        open.clear();
        open.extend(arm);
        context
    }

    /// Begins a skill; whether it acts.
    fn begin_use(&mut self, skill: usize, context: Context, row: &mut Row, ask: &mut Ask<'_>) -> bool {
        let prepared = self.kit.skills()[skill].clone();
        let machine = self.idle[skill].pop().unwrap_or_else(|| Machine::new(prepared));
        let mut running = Running { skill, machine, at: row.decision, decisions: 0, context };
        // Numbers of its own: what the base policy draws does not depend on the skills at hand.
        let rng = own_rng(ask.rng, row.decision, 2 * skill as u64 + 1);
        if let Err(why) = running.machine.begin(&self.args[skill], rng) {
            self.put_away(row, running, Ended::Aborted(why));
            return false;
        }
        row.running = Some(running);
        self.go_on(row, ask)
    }

    /// Notes what became of the promises of skills that were not begun.
    fn look_after(&self, row: &mut Row, obs: &[u8]) {
        let Row { passed, trail, decision, .. } = row;
        passed.retain(|p| {
            let came_about = self.came_about(p, obs);
            let within = self.kit.skills()[p.skill].skill().contract.within;
            let is_open = !came_about && *decision - p.at < within;
            if !is_open {
                trail.uses.push(p.told(came_about));
            }
            is_open
        });
    }

    fn came_about(&self, passed: &Passed, obs: &[u8]) -> bool {
        let prepared = &self.kit.skills()[passed.skill];
        let now = |fact| self.kit.words().fact(obs, fact);
        prepared.has_effect() && prepared.is_done(now, |i| passed.start[i], &self.args[passed.skill])
    }

    /// Whether a skill may begin: its precondition holds, and what it promises has not come about yet.
    fn applies(&self, skill: usize, obs: &[u8]) -> bool {
        let prepared: &Arc<Prepared> = &self.kit.skills()[skill];
        let now = |fact| self.kit.words().fact(obs, fact);
        prepared.applies(now, &self.args[skill]) && !prepared.is_pointless(now, &self.args[skill])
    }
}

impl Passed {
    fn told(&self, came_about: bool) -> Use {
        let ended = Ended::Passed { came_about };
        Use { skill: self.skill, at: self.at, decisions: 0, context: Context::default(), ended }
    }
}

/// Random numbers that follow from the row's generator without drawing from it. It may stand still between decisions.
fn own_rng(rng: &Pcg64, decision: u32, what: u64) -> Pcg64 {
    let (state, increment) = rng.state();
    let salt = u128::from(what.wrapping_add(1)) << 32 | u128::from(decision);
    Pcg64::from_parts(state ^ salt.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835), increment >> 1)
}

impl Policy for SkillUser {
    fn begin(&mut self, row: usize, seat: usize) {
        let old = std::mem::take(self.row(row));
        if let Some(mut running) = old.running {
            running.machine.end();
            self.idle[running.skill].push(running.machine);
        }
        self.base.begin(row, seat);
    }

    fn wants_simulator(&self) -> bool {
        self.lookahead.is_some() || self.base.wants_simulator()
    }

    fn act(&mut self, decisions: &mut Decisions<'_>) -> Result<(), Fault> {
        let mut for_base = std::mem::take(&mut self.for_base);
        for_base.clear();
        for i in 0..decisions.len() {
            let row = decisions.ask(i).row as u32;
            match self.decide(decisions, i) {
                Ok(true) => {}
                Ok(false) => for_base.push(row),
                Err(why) => decisions.give_up(i, why),
            }
        }
        let result = if for_base.is_empty() { Ok(()) } else { self.base.act(&mut decisions.only(&for_base)) };
        self.for_base = for_base;
        result
    }
}

impl Learner for SkillUser {
    fn end(&mut self, row: usize, obs: Option<&[u8]>) -> Trail {
        let mut row = std::mem::take(self.row(row));
        if let Some(mut running) = row.running.take() {
            let is_done = obs.is_some_and(|obs| running.machine.finish(obs));
            running.machine.end();
            self.put_away(&mut row, running, if is_done { Ended::Done } else { Ended::Cut });
        }
        for passed in std::mem::take(&mut row.passed) {
            row.trail.uses.push(passed.told(obs.is_some_and(|obs| self.came_about(&passed, obs))));
        }
        row.trail
    }
}
