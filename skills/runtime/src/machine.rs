//! One skill in one machine: begin a use, decide, decide again, end.

use crate::{
    host::{self, Shared, see},
    meter::Meter,
    prepared::Prepared,
    sandbox,
    view::View,
};
use agon_skill::Kind;
use mlua::{Error, Function, Lua, MultiValue, Table, Thread, Value};
use rl_gym::{Bits, Pcg64};
use std::{
    fmt,
    sync::{Arc, Mutex},
};

/// Why a use was broken off. The seat's own policy decides in its place.
#[derive(Clone, PartialEq, Debug)]
pub enum Abort {
    /// The module does not load.
    Load(String),
    /// An error in the code.
    Error(String),
    /// More safepoints than a decision, or a use, may take.
    Safepoints,
    /// More memory than the machine may have. The machine was thrown away.
    Memory,
    /// It did not yield an action.
    NoAction(String),
    /// It yielded an action that is not legal.
    Illegal(f64),
    /// It took more decisions than it may.
    Decisions,
    /// An invariant of its contract broke.
    Invariant(String),
    /// It returned without bringing about what it promises.
    NoEffect,
}

impl Abort {
    /// Its kind, for statistics.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Load(_) => "load",
            Self::Error(_) => "error",
            Self::Safepoints => "safepoints",
            Self::Memory => "memory",
            Self::NoAction(_) => "no_action",
            Self::Illegal(_) => "illegal",
            Self::Decisions => "decisions",
            Self::Invariant(_) => "invariant",
            Self::NoEffect => "no_effect",
        }
    }
}

impl fmt::Display for Abort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Load(why) => write!(f, "the module does not load: {why}"),
            Self::Error(why) => write!(f, "{why}"),
            Self::Safepoints => write!(f, "{}", host::OUT_OF_BUDGET),
            Self::Memory => write!(f, "out of memory"),
            Self::NoAction(what) => write!(f, "it yielded {what}, not the index of an action"),
            Self::Illegal(action) => write!(f, "action {action} is not legal now"),
            Self::Decisions => write!(f, "it took more decisions than its budget allows"),
            Self::Invariant(fact) => write!(f, "its invariant about {fact} broke"),
            Self::NoEffect => write!(f, "it ended without its effect"),
        }
    }
}

/// What a skill says at a decision.
#[derive(Clone, PartialEq, Debug)]
pub enum Decision {
    /// This action.
    Act(u32),
    /// It has ended well: what it promises holds. The seat's own policy decides.
    Done,
    /// It was broken off. The seat's own policy decides.
    Aborted(Abort),
}

/// A skill in a machine of its own. Deterministic: the same observations, masks, arguments and seed give the same
/// decisions, whatever it did before.
pub struct Machine {
    prepared: Arc<Prepared>,
    meter: Meter,
    view: Shared,
    loaded: Option<Loaded>,
    running: Option<Running>,
}

struct Loaded {
    lua: Lua,
    /// The code of the module and of its tools. It is run anew for every use, so that nothing outlives one.
    module: Function,
    tools: Vec<(String, Function)>,
    ctx: Table,
    /// The arguments of skills without parameters: an empty table that cannot be written to.
    nothing: Table,
    thread: Option<Thread>,
    /// Bytes that it had in use when it was loaded.
    bytes: usize,
}

/// Bytes of garbage of past uses that are let lie.
const GARBAGE: usize = 256 << 10;

/// What decides: a coroutine that goes on, or a function that is called at each decision.
enum Code {
    Thread(Thread),
    Call(Function),
}

struct Running {
    code: Code,
    tools: Option<Table>,
    args: Vec<f32>,
    has_begun: bool,
    spent: u64,
}

impl fmt::Debug for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Machine({:?})", self.prepared)
    }
}

impl Machine {
    /// A machine for a skill; its code is loaded at the first use.
    pub fn new(prepared: Arc<Prepared>) -> Self {
        let view = Arc::new(Mutex::new(View::new(prepared.words().clone())));
        Self { prepared, meter: Meter::default(), view, loaded: None, running: None }
    }

    /// The skill.
    pub fn prepared(&self) -> &Arc<Prepared> {
        &self.prepared
    }

    /// Whether a use is going on.
    pub const fn is_running(&self) -> bool {
        self.running.is_some()
    }

    /// Safepoints that the last decision took.
    pub fn safepoints(&self) -> u64 {
        self.meter.used()
    }

    /// Begins a use with these arguments (one a parameter) and these random numbers. A use that was going on is
    /// forgotten.
    ///
    /// # Errors
    /// When the module does not load.
    pub fn begin(&mut self, args: &[f32], rng: Pcg64) -> Result<(), Abort> {
        self.running = None;
        if self.loaded.is_none() {
            self.loaded = Some(self.load()?);
        }
        let Some(loaded) = &mut self.loaded else { return Err(Abort::Memory) };
        let budget = self.prepared.skill().budget;
        loaded.sweep(budget.memory).map_err(|error| Abort::Load(first_line(&error)))?;
        self.meter.allow(budget.step_safepoints);
        let is_option = self.prepared.skill().kind == Kind::Option;
        let mut made = || {
            let tools = loaded.tools()?;
            let run = run_of(&loaded.module)?;
            let code = if is_option { Code::Thread(loaded.thread(run)?) } else { Code::Call(run) };
            Ok((code, tools))
        };
        let (code, tools) = match made() {
            Ok(made) => made,
            Err(error) if is_memory(&error) => {
                self.loaded = None;
                return Err(Abort::Memory);
            }
            Err(error) => return Err(Abort::Load(first_line(&error))),
        };
        let mut view = see(&self.view);
        view.rng = rng;
        view.decision = 0;
        drop(view);
        self.running = Some(Running { code, tools, args: args.to_vec(), has_begun: false, spent: 0 });
        Ok(())
    }

    /// Ends the use that is going on where its episode ended: whether what the skill promises holds there, if anything.
    pub fn finish(&mut self, obs: &[u8]) -> bool {
        let Some(running) = self.running.take() else { return false };
        let view = see(&self.view);
        let words = self.prepared.words();
        let now = |i| words.fact(obs, i);
        running.has_begun && self.prepared.is_done(now, |i| view.at_start(i), &running.args)
    }

    /// Forgets the use that is going on.
    pub fn end(&mut self) {
        self.running = None;
    }

    /// The skill's answer at a decision of its seat. Call [`Machine::begin`] before.
    pub fn decide(&mut self, obs: &[u8], mask: Bits<'_>) -> Decision {
        let Some(mut running) = self.running.take() else {
            return Decision::Aborted(Abort::Error("no use was begun".into()));
        };
        if let Some(end) = self.before(&mut running, obs, mask) {
            return end;
        }
        let budget = self.prepared.skill().budget;
        self.meter.allow(budget.step_safepoints.min(budget.call_safepoints - running.spent));
        let result = self.resume(&mut running);
        running.spent = (running.spent + self.meter.used()).min(budget.call_safepoints);
        // A budget that a `pcall` has swallowed is spent all the same.
        if self.meter.is_spent() {
            return Decision::Aborted(Abort::Safepoints);
        }
        let values = match result {
            Ok(values) => values,
            Err(error) => return Decision::Aborted(self.failed(&error)),
        };
        // An option that returns, or a policy that gives nothing, has ended by itself.
        let has_ended = match &running.code {
            Code::Thread(thread) => thread.is_finished(),
            Code::Call(_) => matches!(values.front(), None | Some(Value::Nil)),
        };
        if has_ended {
            return self.returned(&running);
        }
        match action(values.front()) {
            Ok(action) if mask.get(action as usize) => {
                see(&self.view).decision += 1;
                self.running = Some(running);
                Decision::Act(action)
            }
            Ok(action) => Decision::Aborted(Abort::Illegal(action.into())),
            Err(abort) => Decision::Aborted(abort),
        }
    }

    /// What ends a use before its code is asked: its effect, a broken invariant, too many decisions.
    fn before(&mut self, running: &mut Running, obs: &[u8], mask: Bits<'_>) -> Option<Decision> {
        let mut view = see(&self.view);
        view.look(obs, mask);
        if !running.has_begun {
            view.begin();
            return None;
        }
        let decision = view.decision;
        let prepared = &self.prepared;
        let now = |i| view.value(i);
        let broken = prepared.breaks(now, |i| view.at_start(i), &running.args).map(|l| l.fact.clone());
        let is_done = prepared.has_effect() && prepared.is_done(now, |i| view.at_start(i), &running.args);
        if is_done {
            return Some(Decision::Done);
        }
        if let Some(fact) = broken {
            return Some(Decision::Aborted(Abort::Invariant(fact)));
        }
        let (within, budget) = (prepared.skill().contract.within, prepared.skill().budget.decisions);
        let most = if within == 0 { budget } else { budget.min(within) };
        // Its time is over. One that promises nothing has kept its promise.
        let end = if prepared.has_effect() { Decision::Aborted(Abort::Decisions) } else { Decision::Done };
        (decision >= most).then_some(end)
    }

    fn returned(&self, running: &Running) -> Decision {
        let view = see(&self.view);
        let is_done = self.prepared.is_done(|i| view.value(i), |i| view.at_start(i), &running.args);
        if is_done { Decision::Done } else { Decision::Aborted(Abort::NoEffect) }
    }

    /// What the code of a use gives at a decision.
    fn resume(&self, running: &mut Running) -> mlua::Result<MultiValue> {
        let is_first = !std::mem::replace(&mut running.has_begun, true);
        match &running.code {
            Code::Thread(thread) if !is_first => thread.resume(()),
            code => {
                let ctx = self.loaded.as_ref().map(|l| l.ctx.clone());
                let given = (ctx, self.arguments(&running.args)?, running.tools.clone());
                match code {
                    Code::Thread(thread) => thread.resume(given),
                    Code::Call(run) => run.call(given),
                }
            }
        }
    }

    /// The number that a skill of kind value gives for what its seat sees. It is a use of its own.
    ///
    /// # Errors
    /// Why it gives none.
    pub fn value(&mut self, obs: &[u8], mask: Bits<'_>, rng: Pcg64) -> Result<f32, Abort> {
        self.begin(&self.prepared.defaults(), rng)?;
        let Some(mut running) = self.running.take() else { return Err(Abort::Memory) };
        let mut view = see(&self.view);
        view.look(obs, mask);
        view.begin();
        drop(view);
        let result = self.resume(&mut running);
        if self.meter.is_spent() {
            return Err(Abort::Safepoints);
        }
        match result.map_err(|error| self.failed(&error))?.front() {
            Some(Value::Integer(x)) => Ok(*x as f32),
            Some(Value::Number(x)) if x.is_finite() => Ok(*x as f32),
            Some(Value::Number(x)) => Err(Abort::NoAction(x.to_string())),
            Some(other) => Err(Abort::NoAction(format!("a {}", other.type_name()))),
            None => Err(Abort::NoAction("nothing".into())),
        }
    }

    fn arguments(&self, values: &[f32]) -> mlua::Result<Option<Table>> {
        let Some(loaded) = &self.loaded else { return Ok(None) };
        if values.is_empty() {
            return Ok(Some(loaded.nothing.clone()));
        }
        let args = loaded.lua.create_table()?;
        for (param, value) in self.prepared.skill().params.iter().zip(values) {
            args.set(param.name.as_str(), *value)?;
        }
        Ok(Some(args))
    }

    fn load(&self) -> Result<Loaded, Abort> {
        let skill = self.prepared.skill();
        let build = || -> mlua::Result<Loaded> {
            let lua = sandbox::machine(skill.budget.memory, &self.meter)?;
            let ctx = host::ctx(&lua, &self.view, &self.meter)?;
            let chunk = |skill: &agon_skill::Skill| {
                lua.load(&skill.code).set_name(format!("={}", skill.name)).into_function()
            };
            let module = chunk(skill)?;
            let tools = self.prepared.tools().map(|(name, tool)| Ok((name.to_owned(), chunk(tool)?)));
            let tools = tools.collect::<mlua::Result<_>>()?;
            let nothing = lua.create_table()?;
            nothing.set_readonly(true);
            let bytes = lua.used_memory();
            Ok(Loaded { lua, module, tools, ctx, nothing, thread: None, bytes })
        };
        build().map_err(|error| Abort::Load(first_line(&error)))
    }

    /// The abort that an error means. A machine that ran out of memory is of no use any more.
    fn failed(&mut self, error: &Error) -> Abort {
        if is_memory(error) {
            self.loaded = None;
            return Abort::Memory;
        }
        Abort::Error(first_line(error))
    }
}

impl Loaded {
    /// Gives the use that begins `memory` bytes of its own. Nothing is collected while it lasts, so whether they are
    /// enough depends on what it does alone, and not on the garbage of those before it.
    fn sweep(&mut self, memory: usize) -> mlua::Result<()> {
        if self.lua.used_memory() > self.bytes + GARBAGE {
            self.lua.gc_collect()?;
        }
        self.lua.gc_stop();
        self.lua.set_memory_limit(self.lua.used_memory().saturating_add(memory))?;
        Ok(())
    }

    /// A coroutine for `run`. One is enough for all uses, since they come one after the other; it is wiped between them.
    fn thread(&mut self, run: Function) -> mlua::Result<Thread> {
        if let Some(thread) = &self.thread {
            thread.reset(run)?;
            return Ok(thread.clone());
        }
        Ok(self.thread.insert(self.lua.create_thread(run)?).clone())
    }

    /// The tools, run anew, by name.
    fn tools(&self) -> mlua::Result<Option<Table>> {
        if self.tools.is_empty() {
            return Ok(None);
        }
        let tools = self.lua.create_table()?;
        for (name, module) in &self.tools {
            match module.call::<Value>(())? {
                Value::Table(table) => tools.set(name.as_str(), table)?,
                _ => return Err(Error::runtime(format!("the tool {name} returns no table of functions"))),
            }
        }
        Ok(Some(tools))
    }
}

/// The `run` of a module that is run now.
fn run_of(module: &Function) -> mlua::Result<Function> {
    let run = match module.call::<Value>(())? {
        Value::Table(table) => table.get::<Option<Function>>("run")?,
        _ => None,
    };
    run.ok_or_else(|| Error::runtime("a skill returns a table with a function `run(ctx, args)`"))
}

/// The action that a yielded value names.
fn action(value: Option<&Value>) -> Result<u32, Abort> {
    match value {
        Some(Value::Integer(x)) => u32::try_from(*x).map_err(|_| Abort::Illegal(*x as f64)),
        Some(Value::Number(x)) if x.fract() == 0.0 && (0.0..4_294_967_296.0).contains(x) => Ok(*x as u32),
        Some(Value::Number(x)) => Err(Abort::Illegal(*x)),
        Some(other) => Err(Abort::NoAction(format!("a {}", other.type_name()))),
        None => Err(Abort::NoAction("nothing".into())),
    }
}

fn is_memory(error: &Error) -> bool {
    match error {
        Error::MemoryError(_) => true,
        Error::CallbackError { cause, .. } => is_memory(cause),
        Error::RuntimeError(text) => text.contains("not enough memory"),
        _ => false,
    }
}

/// The message without the traceback.
fn first_line(error: &Error) -> String {
    error.to_string().lines().next().unwrap_or_default().to_owned()
}
