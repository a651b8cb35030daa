//! Skills as options inside search: each is played ahead to its end, and play goes on as the game's heuristic suggests.

use crate::Kit;
use agon_skill_runtime::{Abort, Decision, Machine, Prepared};
use rl_gym::{AnyState, Arena, Ask, DynEnv, Dynamics, Fault, Flags, Luck, Pcg64, Rows, Shape, Space, Spec};
use std::sync::Arc;

/// Worth of a skill that cannot be used at all: less than anything.
const USELESS: f32 = -1e9;

/// Moves of one line of play at most, so that no game can hold a search.
const MOST_MOVES: u32 = 512;

/// How far skills are played ahead.
#[derive(Clone, Debug)]
pub struct Horizon {
    /// Deals of what is hidden, or lines of luck, that every option is played on.
    pub deals: u32,
    /// Stages (turns, as the game's heuristic counts them) until a line of play is judged.
    pub stages: u32,
    /// By how much the mean value of a skill must be above that of the base policy.
    pub margin: f32,
    /// A skill of kind value that judges in place of the game's heuristic.
    pub value: Option<Arc<Prepared>>,
}

impl Default for Horizon {
    fn default() -> Self {
        Self { deals: 8, stages: 8, margin: 0.0, value: None }
    }
}

/// Row memory of a search, kept warm between decisions.
pub(crate) struct Lookahead {
    horizon: Horizon,
    desk: Option<Desk>,
    judge: Option<Machine>,
    root: AnyState,
    deal: AnyState,
    machines: Vec<Option<Machine>>,
    outcomes: Vec<(u32, f64)>,
    weights: Vec<f64>,
}

struct Desk {
    rows: Arena,
    actions: u32,
}

impl Desk {
    fn new(spec: &Spec) -> Result<Self, Fault> {
        let refuse =
            |why: &str| Err(Fault::new(format!("skills cannot be searched in {}: {why}", spec.id())));
        if !matches!(spec.dynamics, Dynamics::TurnBased | Dynamics::SingleAgent) {
            return refuse("its seats do not move one at a time");
        }
        let Space::Discrete { n } = spec.action else {
            return refuse("its actions are not one discrete choice");
        };
        Ok(Self { rows: Arena::new(Shape::new(spec, 1)), actions: n })
    }

    fn flags(&self) -> &[Flags] {
        self.rows.lane_flags(0)
    }

    /// The seat that is to act.
    fn turn(&self) -> Option<usize> {
        self.flags().iter().position(|f| f.contains(Flags::TO_ACT))
    }

    fn is_over(&self) -> bool {
        !self.flags().iter().any(|f| f.contains(Flags::ALIVE))
    }

    /// Makes `seat` the one to act, as after a load.
    fn set_turn(&mut self, seat: usize) {
        let (_, frame) = self.rows.lane(0);
        frame.out.flags.fill(Flags::ALIVE);
        frame.out.flags[seat] |= Flags::TO_ACT;
    }

    fn observe(&mut self, env: &dyn DynEnv) {
        let (_, mut frame) = self.rows.lane(0);
        frame.observe(env, Rows::Acting);
    }

    fn clear(&mut self) {
        let (_, frame) = self.rows.lane(0);
        frame.out.reward.fill(0.0);
        frame.out.flags.fill(Flags::empty());
    }
}

impl Lookahead {
    pub(crate) fn new(horizon: Horizon, skills: usize) -> Self {
        let judge = horizon.value.clone().map(Machine::new);
        Self {
            horizon,
            desk: None,
            judge,
            root: Box::new(()),
            deal: Box::new(()),
            machines: (0..skills).map(|_| None).collect(),
            outcomes: Vec::new(),
            weights: Vec::new(),
        }
    }

    /// Remembers the state of the simulator that was lent, before anybody plays in it.
    ///
    /// # Errors
    /// A game that cannot be searched.
    pub(crate) fn remember(&mut self, ask: &mut Ask<'_>) -> Result<(), Fault> {
        let Some(env) = ask.simulator.as_deref_mut() else {
            return Err(Fault::new(
                "skills are searched without a simulator: the caller must serve wants_simulator()",
            ));
        };
        check(env)?;
        if self.desk.is_none() {
            self.desk = Some(Desk::new(env.spec())?);
        }
        if let Some(env) = env.as_snapshot() {
            env.save_any_into(&mut self.root);
        }
        Ok(())
    }

    /// The skill of `open` that is worth most when played ahead from the remembered state, if it is worth more than the
    /// action `base`. `args` holds arguments by skill; `rng` is the search's own. The simulator is left as it was.
    ///
    /// # Errors
    /// What the game says of itself.
    pub(crate) fn best(
        &mut self,
        open: &[usize],
        kit: &Kit,
        args: &[Vec<f32>],
        ask: &mut Ask<'_>,
        base: u32,
        mut rng: Pcg64,
    ) -> Result<Option<usize>, Fault> {
        let seat = ask.seat;
        let Some(env) = ask.simulator.as_deref_mut() else { return Ok(None) };
        let mut totals = vec![0.0; open.len() + 1];
        for deal in 0..self.horizon.deals.max(1) {
            load(env, &self.root)?;
            // The first deal is the one that was lent.
            if deal > 0
                && let Some(env) = env.as_resample()
            {
                env.resample(seat, &mut rng);
            }
            if let Some(env) = env.as_snapshot() {
                env.save_any_into(&mut self.deal);
            }
            let key = u128::from(rng.next_u64()) << 64 | u128::from(rng.next_u64());
            for (i, total) in totals.iter_mut().enumerate().filter(|(_, total)| **total > USELESS) {
                load(env, &self.deal)?;
                let skill = i.checked_sub(1).map(|i| (open[i], kit.skills()[open[i]].clone()));
                let given = skill.as_ref().map_or(&[][..], |(i, _)| args[*i].as_slice());
                let first = skill.is_none().then_some(base);
                *total += self.worth(env, seat, (skill, first), given, key)?;
            }
        }
        load(env, &self.root)?;
        let deals = self.horizon.deals.max(1) as f32;
        let mut best = (totals[0] / deals + self.horizon.margin, None);
        for (i, total) in totals[1..].iter().enumerate() {
            if total / deals > best.0 {
                best = (total / deals, Some(open[i]));
            }
        }
        Ok(best.1)
    }

    /// What the seat's position is worth after a skill, or after a first action, and play as suggested, on one line of luck.
    fn worth(
        &mut self,
        env: &mut dyn DynEnv,
        seat: usize,
        (skill, mut first): (Option<(usize, Arc<Prepared>)>, Option<u32>),
        args: &[f32],
        key: u128,
    ) -> Result<f32, Fault> {
        let Some(desk) = &mut self.desk else { return Ok(0.0) };
        let mut machine = None;
        if let Some((i, skill)) = skill {
            let idle = self.machines[i].take().unwrap_or_else(|| Machine::new(skill));
            let running = machine.insert((i, idle));
            if running.1.begin(args, Pcg64::from_parts(key, 3)).is_err() {
                self.machines[i] = machine.map(|(_, idle)| idle);
                return Ok(USELESS);
            }
        }
        let stage = |env: &dyn DynEnv| env.as_heuristic().map_or(0, |h| h.stage());
        let until = stage(env).saturating_add(self.horizon.stages);
        let mut taste = Pcg64::from_parts(!key, 1);
        desk.set_turn(seat);
        for _ in 0..MOST_MOVES {
            let now = stage(env);
            if desk.is_over() || now >= until {
                break;
            }
            let Some(mover) = desk.turn() else {
                // Luck by stage: lines that differ in a move meet the same dice in later turns.
                let mut dice = Pcg64::from_parts(key ^ u128::from(now) << 64, now.into());
                desk.clear();
                happen(env, desk, &mut self.outcomes, &mut self.weights, &mut dice)?;
                continue;
            };
            let mut action = if mover == seat { first.take() } else { None };
            if mover == seat && machine.is_some() {
                desk.observe(env);
                let mut is_broken = false;
                if let Some((_, running)) = &mut machine {
                    match running.decide(desk.rows.obs_row(seat), desk.rows.mask_row(seat)) {
                        Decision::Act(a) => action = Some(a),
                        // Code that does not work will not on another deal either, and may take long to show it.
                        Decision::Aborted(
                            Abort::Safepoints | Abort::Memory | Abort::Load(_) | Abort::Error(_),
                        ) => is_broken = true,
                        Decision::Done | Decision::Aborted(_) => {}
                    }
                }
                if action.is_none()
                    && let Some((i, ended)) = machine.take()
                {
                    self.machines[i] = Some(ended);
                }
                if is_broken {
                    return Ok(USELESS);
                }
            }
            let action =
                match action.or_else(|| env.as_heuristic().and_then(|h| h.suggest(mover, &mut taste))) {
                    Some(action) => action,
                    None => draw_legal(env, desk, mover, &mut taste),
                };
            step(env, desk, mover, action)?;
        }
        if let Some((i, mut running)) = machine {
            running.end();
            self.machines[i] = Some(running);
        }
        judge(env, desk, seat, &mut self.judge, key)
    }
}

/// What the seat's position is worth, 0 to 1.
fn judge(
    env: &mut dyn DynEnv,
    desk: &mut Desk,
    seat: usize,
    judge: &mut Option<Machine>,
    key: u128,
) -> Result<f32, Fault> {
    if let Some(judge) = judge
        && !desk.is_over()
    {
        desk.set_turn(seat);
        desk.observe(env);
        let (obs, mask) = (desk.rows.obs_row(seat), desk.rows.mask_row(seat));
        if let Ok(value) = judge.value(obs, mask, Pcg64::from_parts(key, 5)) {
            return Ok(value.clamp(0.0, 1.0));
        }
    }
    let mut values = vec![0.0; env.spec().seats];
    if let Some(heuristic) = env.as_heuristic() {
        heuristic.values(&mut values);
    }
    Ok(values[seat])
}

fn check(env: &mut dyn DynEnv) -> Result<(), Fault> {
    let lacks = |env: &dyn DynEnv, what: &str| {
        let id = env.spec().id();
        Fault::new(format!(
            "skills cannot be searched in {id}: the game offers no {what}; choose them by a bandit"
        ))
    };
    if env.as_heuristic().is_none() {
        return Err(lacks(env, "Heuristic"));
    }
    if env.as_snapshot().is_none() {
        return Err(lacks(env, "Snapshot"));
    }
    // Luck that the simulator draws by itself would come from the generator in the state: foreknowledge.
    let has_luck = env.spec().luck != Luck::Deterministic;
    match env.as_chance() {
        Some(chance) => chance.set_explicit(true),
        None if has_luck => return Err(lacks(env, "Chance")),
        None => {}
    }
    Ok(())
}

fn load(env: &mut dyn DynEnv, state: &AnyState) -> Result<(), Fault> {
    env.as_snapshot().map_or(Ok(()), |env| env.load_any(state))
}

fn step(env: &mut dyn DynEnv, desk: &mut Desk, seat: usize, action: u32) -> Result<(), Fault> {
    desk.rows.acts_mut()[4 * seat..4 * seat + 4].copy_from_slice(&action.to_ne_bytes());
    desk.clear();
    let (acts, mut frame) = desk.rows.lane(0);
    env.step(acts, frame.out.reborrow())?;
    if frame.out.flags[seat].contains(Flags::ILLEGAL) {
        return Err(Fault::new(format!("action {action} of seat {seat} was refused in the simulator")));
    }
    Ok(())
}

fn happen(
    env: &mut dyn DynEnv,
    desk: &mut Desk,
    outcomes: &mut Vec<(u32, f64)>,
    weights: &mut Vec<f64>,
    dice: &mut Pcg64,
) -> Result<(), Fault> {
    let id = env.spec().id();
    let chance = env.as_chance().filter(|chance| chance.outcomes(outcomes) && !outcomes.is_empty());
    let Some(chance) = chance else {
        return Err(Fault::new(format!("{id} waits for nature but offers no outcomes")));
    };
    weights.clear();
    weights.extend(outcomes.iter().map(|o| o.1));
    let (_, mut frame) = desk.rows.lane(0);
    chance.apply_outcome(outcomes[dice.weighted(weights)].0, frame.out.reborrow())
}

fn draw_legal(env: &dyn DynEnv, desk: &mut Desk, seat: usize, rng: &mut Pcg64) -> u32 {
    desk.observe(env);
    let mask = desk.rows.mask_row(seat);
    match mask.count() {
        0 => rng.below(desk.actions),
        count => mask.nth(rng.below(count as u32) as usize).unwrap_or(0) as u32,
    }
}
