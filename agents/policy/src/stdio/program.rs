//! A program as a player on a ladder: one child process a worker.

use super::{Decision, End, Protocol, TIME_LIMIT, Wire, answer::Foul};
use rl_gym::{Decisions, Fault, Policy};
use std::{
    collections::BTreeMap,
    process::{Child, Command, Stdio},
    sync::Arc,
    time::Duration,
};

/// Fouls without a right answer in between after which a program is not started again.
const MOST_FOULS: u32 = 3;

/// A program that can take seats: `cmd:PROGRAM ARGS` on a ladder.
#[derive(Clone, Debug)]
pub struct Program {
    protocol: Arc<Protocol>,
    program: String,
    args: Vec<String>,
    limit: Duration,
}

impl Program {
    /// The program of a command line. Words are separated by blanks; quotes, single or double, hold them together.
    ///
    /// # Errors
    /// [`Foul::NotStarted`] when it names nothing, leaves a quote open, or cannot be started (this is tried).
    pub fn new(protocol: Protocol, command: &str) -> Result<Self, Foul> {
        let refused = |why: &str| Foul::NotStarted { program: format!("{command:?}"), why: why.into() };
        let mut words = words(command).ok_or_else(|| refused("a quote is not closed"))?;
        if words.is_empty() {
            return Err(refused("it is empty"));
        }
        let program = words.remove(0);
        let made = Self { protocol: Arc::new(protocol), program, args: words, limit: TIME_LIMIT };
        made.start().map(|running| {
            drop(running);
            made
        })
    }

    /// The same with another time limit a decision.
    #[must_use]
    pub fn with_limit(self, limit: Duration) -> Self {
        Self { limit, ..self }
    }

    /// A player of its own process, which ends with it.
    ///
    /// A crash, a late answer or nonsense forfeits that match only; the program is started anew and told which of
    /// its other matches go on. After three such fouls in a row it is not started again, and forfeits.
    pub fn policy(&self) -> Box<dyn Policy> {
        Box::new(Seated {
            program: self.clone(),
            running: None,
            rows: BTreeMap::new(),
            games: 0,
            asked: 0,
            fouls: 0,
        })
    }

    fn start(&self) -> Result<Running, Foul> {
        let failed =
            |e: std::io::Error| Foul::NotStarted { program: self.program.clone(), why: e.to_string() };
        let mut command = Command::new(&self.program);
        command.args(&self.args).stdin(Stdio::piped()).stdout(Stdio::piped());
        // Ctrl-C is for us: games in flight are finished, so their players must live on.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(failed)?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            unreachable!("both were asked for as pipes")
        };
        match Wire::new(stdout, stdin) {
            Ok(wire) => Ok(Running { child, wire }),
            Err(e) => {
                end(&mut child);
                Err(failed(e))
            }
        }
    }
}

/// Blanks separate words, quotes hold them together; `None` for an open quote.
fn words(text: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in text.chars() {
        match (quote, c) {
            (Some(q), c) if c == q => quote = None,
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

fn end(child: &mut Child) {
    // It may have ended by itself; either way nothing of it is left behind.
    _ = child.kill();
    _ = child.wait();
}

struct Running {
    child: Child,
    wire: Wire,
}

impl Drop for Running {
    fn drop(&mut self) {
        end(&mut self.child);
    }
}

/// A match in flight, as the program knows it.
struct Row {
    game: u64,
    /// Drawn from the seat's generator at the first decision.
    seed: Option<u32>,
    /// Whether the running process was told of it.
    told: bool,
}

struct Seated {
    program: Program,
    running: Option<Running>,
    rows: BTreeMap<usize, Row>,
    games: u64,
    asked: u64,
    fouls: u32,
}

impl Seated {
    fn begin_row(&mut self, row: usize) {
        let new = Row { game: self.games, seed: None, told: false };
        self.games += 1;
        self.rows.insert(row, new);
    }

    fn running(&mut self) -> Result<&mut Running, Foul> {
        if self.running.is_none() {
            let running = self.program.start()?;
            running.wire.tell(self.program.protocol.hello(self.program.limit));
            self.rows.values_mut().for_each(|row| row.told = false);
            self.running = Some(running);
        }
        let Some(running) = &mut self.running else { unreachable!("started above") };
        Ok(running)
    }

    fn answer(&mut self, ask: &mut rl_gym::Ask<'_>) -> Result<u32, Foul> {
        if !self.rows.contains_key(&ask.row) {
            self.begin_row(ask.row);
        }
        self.running()?;
        let (Some(row), Some(running)) = (self.rows.get_mut(&ask.row), &mut self.running) else {
            unreachable!("both were made above")
        };
        let protocol = &self.program.protocol;
        if !row.told {
            let resumed = row.seed.is_some();
            let seed = *row.seed.get_or_insert_with(|| ask.rng.next_u32());
            running.wire.tell(protocol.start(row.game, ask.seat, seed, resumed));
            row.told = true;
        }
        self.asked += 1;
        let decision = Decision {
            game: row.game,
            id: self.asked,
            seat: ask.seat,
            obs: ask.obs,
            mask: ask.mask,
            text: None,
            events: None,
            limit: self.program.limit,
        };
        running.wire.ask(protocol, &decision)
    }
}

impl Policy for Seated {
    fn begin(&mut self, row: usize, seat: usize) {
        if let (Some(old), Some(running)) = (self.rows.get(&row).filter(|r| r.told), &self.running) {
            let end = End { game: old.game, seat, ..End::default() };
            running.wire.tell(self.program.protocol.end(&end));
        }
        self.begin_row(row);
    }

    fn act(&mut self, decisions: &mut Decisions<'_>) -> Result<(), Fault> {
        for i in 0..decisions.len() {
            if self.fouls >= MOST_FOULS {
                let why = format!(
                    "{} failed {MOST_FOULS} times in a row and is not started again",
                    self.program.program
                );
                decisions.give_up(i, Fault::new(why));
                continue;
            }
            let mut ask = decisions.ask(i);
            match self.answer(&mut ask) {
                Ok(action) => {
                    ask.choose(action);
                    self.fouls = 0;
                }
                Err(foul) => {
                    self.fouls += 1;
                    self.running = None;
                    decisions.give_up(i, Fault::new(format!("{}: {foul}", self.program.program)));
                }
            }
        }
        Ok(())
    }
}
