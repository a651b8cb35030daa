//! The policy that uses skills.

use crate::Kit;
use agon_skill_runtime::{Abort, Decision, Machine, Prepared};
use rl_gym::{Ask, Decisions, Fault, Pcg64, Policy};
use std::sync::Arc;

/// A policy whose use of skills can be asked for.
pub trait Learner: Policy {
    /// The episode of `row` is over; `obs` is the row's last observation, where there is one. Gives the uses of skills
    /// in it, in order, and forgets them.
    fn end(&mut self, row: usize, obs: Option<&[u8]>) -> Vec<Use>;
}

/// A policy that uses no skills.
pub struct Plain(pub Box<dyn Policy>);

impl Policy for Plain {
    fn begin(&mut self, row: usize, seat: usize) {
        self.0.begin(row, seat);
    }

    fn wants_simulator(&self) -> bool {
        self.0.wants_simulator()
    }

    fn act(&mut self, decisions: &mut Decisions<'_>) -> Result<(), Fault> {
        self.0.act(decisions)
    }
}

impl Learner for Plain {
    fn end(&mut self, _: usize, _: Option<&[u8]>) -> Vec<Use> {
        Vec::new()
    }
}

/// How a use ended.
#[derive(Clone, PartialEq, Debug)]
pub enum Ended {
    /// What the skill promises came about.
    Done,
    /// It was broken off.
    Aborted(Abort),
    /// The episode ended before it did.
    Cut,
    /// It applied and was not begun, since its share of chances left it out.
    Passed {
        /// Whether what it promises came about all the same, within the time that it promises.
        came_about: bool,
    },
}

/// One use of a skill in an episode.
#[derive(Clone, PartialEq, Debug)]
pub struct Use {
    /// The skill, as an index into the kit.
    pub skill: usize,
    /// Own decision of the episode at which it began, from 0.
    pub at: u32,
    /// Decisions that it made.
    pub decisions: u32,
    /// The context in which it began, as [`crate::Kit`] users bucket it.
    pub context: u64,
    /// How it ended.
    pub ended: Ended,
}

/// How skills are used.
#[derive(Clone, PartialEq, Debug)]
pub struct UserConfig {
    /// Share of chances at which any skill is offered, 0 to 1: 1 always, less to let an agent go without.
    pub share: f64,
    /// For single skills, by index into the kit, the share of chances at which they are offered.
    pub shares: Vec<(usize, f64)>,
    /// Aborts of a skill in an episode after which it is left alone there.
    pub patience: u32,
}

impl Default for UserConfig {
    fn default() -> Self {
        Self { share: 1.0, shares: Vec::new(), patience: 3 }
    }
}

/// A skill at work in a row.
struct Running {
    skill: usize,
    machine: Machine,
    at: u32,
    decisions: u32,
    context: u64,
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
    uses: Vec<Use>,
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
        Self {
            base,
            shares,
            config,
            idle: kit.skills().iter().map(|_| Vec::new()).collect(),
            args: kit.skills().iter().map(|s| s.defaults()).collect(),
            rows: Vec::new(),
            for_base: Vec::new(),
            kit,
        }
    }

    fn row(&mut self, row: usize) -> &mut Row {
        if self.rows.len() <= row {
            self.rows.resize_with(row + 1, Row::default);
        }
        &mut self.rows[row]
    }

    /// Decides a row by a skill; `false` leaves it to the base policy.
    fn decide(&mut self, ask: &mut Ask<'_>) -> bool {
        let mut row = std::mem::take(self.row(ask.row));
        self.look_after(&mut row, ask.obs);
        let is_decided = self.go_on(&mut row, ask) || self.set_out(&mut row, ask);
        row.decision += 1;
        self.rows[ask.row] = row;
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
        row.uses.push(Use { skill, at, decisions, context, ended });
        self.idle[skill].push(machine);
    }

    /// Begins the first skill that applies and acts.
    fn set_out(&mut self, row: &mut Row, ask: &mut Ask<'_>) -> bool {
        for skill in 0..self.kit.len() {
            if row.aborts.get(skill).is_some_and(|n| *n >= self.config.patience)
                || !self.applies(skill, ask.obs)
            {
                continue;
            }
            // Numbers of its own: what the base policy draws does not depend on the skills at hand.
            let mut rng = own_rng(ask.rng, skill as u64);
            if self.shares[skill] < 1.0 && rng.unit() >= self.shares[skill] {
                if !row.passed.iter().any(|p| p.skill == skill) {
                    let mut start = vec![0.0; self.kit.words().facts().len()];
                    self.kit.words().read(ask.obs, &mut start);
                    row.passed.push(Passed { skill, at: row.decision, start });
                }
                continue;
            }
            let prepared = self.kit.skills()[skill].clone();
            let machine = self.idle[skill].pop().unwrap_or_else(|| Machine::new(prepared));
            let mut running = Running { skill, machine, at: row.decision, decisions: 0, context: 0 };
            if let Err(why) = running.machine.begin(&self.args[skill], rng) {
                self.put_away(row, running, Ended::Aborted(why));
                continue;
            }
            row.running = Some(running);
            if self.go_on(row, ask) {
                return true;
            }
        }
        false
    }

    /// Notes what became of the promises of skills that were not begun.
    fn look_after(&self, row: &mut Row, obs: &[u8]) {
        let Row { passed, uses, decision, .. } = row;
        passed.retain(|p| {
            let came_about = self.came_about(p, obs);
            let within = self.kit.skills()[p.skill].skill().contract.within;
            let is_open = !came_about && *decision - p.at < within;
            if !is_open {
                uses.push(p.told(came_about));
            }
            is_open
        });
    }

    fn came_about(&self, passed: &Passed, obs: &[u8]) -> bool {
        let prepared = &self.kit.skills()[passed.skill];
        let now = |fact| self.kit.words().fact(obs, fact);
        prepared.has_effect() && prepared.is_done(now, &passed.start, &self.args[passed.skill])
    }

    /// Whether a skill may begin: its precondition holds, and what it promises has not come about yet.
    fn applies(&self, skill: usize, obs: &[u8]) -> bool {
        let prepared: &Arc<Prepared> = &self.kit.skills()[skill];
        let now = |fact| self.kit.words().fact(obs, fact);
        prepared.applies(now, &self.args[skill]) && !prepared.is_pointless(now, &self.args[skill])
    }
}

impl Passed {
    const fn told(&self, came_about: bool) -> Use {
        Use { skill: self.skill, at: self.at, decisions: 0, context: 0, ended: Ended::Passed { came_about } }
    }
}

/// Random numbers that follow from the row's generator without drawing from it.
fn own_rng(rng: &Pcg64, salt: u64) -> Pcg64 {
    let (state, increment) = rng.state();
    let salt = u128::from(salt.wrapping_add(1)).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
    Pcg64::from_parts(state ^ salt, increment >> 1)
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
        self.base.wants_simulator()
    }

    fn act(&mut self, decisions: &mut Decisions<'_>) -> Result<(), Fault> {
        let mut for_base = std::mem::take(&mut self.for_base);
        for_base.clear();
        for i in 0..decisions.len() {
            let mut ask = decisions.ask(i);
            if !self.decide(&mut ask) {
                for_base.push(ask.row as u32);
            }
        }
        let result = if for_base.is_empty() { Ok(()) } else { self.base.act(&mut decisions.only(&for_base)) };
        self.for_base = for_base;
        result
    }
}

impl Learner for SkillUser {
    fn end(&mut self, row: usize, obs: Option<&[u8]>) -> Vec<Use> {
        let mut row = std::mem::take(self.row(row));
        if let Some(mut running) = row.running.take() {
            let is_done = obs.is_some_and(|obs| running.machine.finish(obs));
            running.machine.end();
            self.put_away(&mut row, running, if is_done { Ended::Done } else { Ended::Cut });
        }
        for passed in std::mem::take(&mut row.passed) {
            row.uses.push(passed.told(obs.is_some_and(|obs| self.came_about(&passed, obs))));
        }
        row.uses
    }
}
