//! What one seat types into.

use super::{
    Ambiguity, ErrorKind, Outcome, Reply, Settings, Typos,
    ask::ask_which,
    memory::{Memory, Past, Sight},
    rank::{Found, MAX_CHOICES},
    reader::{Filled, Meaning, Reader, Reading},
    tokens::{Token, Tokens},
    turn::fresh_line,
};
use crate::{
    action::Action,
    grammar::{Kind, Meta, Role},
    lexicon::Words,
    log::Log,
    prose, rules,
    scope::Scope,
    set::{Ent, NONE},
    world::{End, World},
};

/// Clauses of one line at most, each a turn of its own.
pub const MAX_CLAUSES: usize = 4;

/// Words that are corrected in one clause at most.
const MAX_CORRECTED: usize = 2;

/// What the next line may answer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pending {
    pub(super) reading: Reading,
    pub(super) is_second: bool,
    /// What may be answered; everything in sight when a thing is missing.
    pub(super) choices: Option<[Ent; MAX_CHOICES]>,
}

/// What `again` does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Again {
    #[default]
    Nothing,
    Action(Action),
    /// The clause from token to token of the last line.
    Clause(usize, usize),
}

/// One seat's side of a game: what it spoke of, what it was asked, what it can take back.
///
/// It is scratch beside the world: a game goes on the same without it, but for words like `it` and `again`.
#[derive(Clone, Debug)]
pub struct Session {
    /// Which seat.
    pub(super) seat: usize,
    /// How commands are read.
    pub settings: Settings,
    pub(super) memory: Memory,
    pub(super) sight: Sight,
    pub(super) pending: Option<Pending>,
    pub(super) again: Again,
    /// The tokens of this line and of the last ones: those of `again` and those of the fault stay.
    pub(super) tokens: Tokens,
    pub(super) kept: Tokens,
    pub(super) faulty: Tokens,
    /// Where the last line went wrong.
    pub(super) fault_at: Option<usize>,
    pub(super) past: Past,
    pub(super) log: Log,
    pub(super) scratch: String,
}

impl Session {
    /// The session of a seat.
    pub fn new(seat: usize, settings: Settings) -> Self {
        Self {
            seat,
            settings,
            memory: Memory::default(),
            sight: Sight::default(),
            pending: None,
            again: Again::Nothing,
            tokens: Tokens::default(),
            kept: Tokens::default(),
            faulty: Tokens::default(),
            fault_at: None,
            past: Past::default(),
            log: Log::default(),
            scratch: String::new(),
        }
    }

    /// Forgets everything, for a new game.
    pub fn reset(&mut self) {
        self.memory = Memory::default();
        self.pending = None;
        self.again = Again::Nothing;
        self.fault_at = None;
        self.past.clear();
        self.log.clear();
    }

    /// What the seat sees now.
    ///
    /// While nothing has changed since it was looked at last (after each line it was), this costs next to nothing.
    #[inline]
    pub fn scope(&mut self, words: &Words, world: &World) -> Scope {
        self.sight.of(words, world, words.story().seats[self.seat])
    }

    /// What happened in the last line, for others to be told of.
    pub const fn log(&self) -> &Log {
        &self.log
    }

    /// Whether the last line led to a question.
    pub const fn is_asked(&self) -> bool {
        self.pending.is_some()
    }

    /// What the question of the last line lists: entities, or topics when it asks about what to speak.
    pub fn choices(&self) -> impl Iterator<Item = Ent> {
        let choices = self.pending.and_then(|p| p.choices).unwrap_or([NONE; MAX_CHOICES]);
        choices.into_iter().filter(|c| *c != NONE)
    }

    /// The words after `save`, `restore` or `say` of the last line.
    pub fn words_after(&self) -> &str {
        &self.scratch
    }

    /// Takes the last turn back. False when there is none.
    pub fn undo(&mut self, world: &mut World) -> bool {
        self.pending = None;
        match self.past.pop() {
            Some(before) => {
                *world = before;
                true
            }
            None => false,
        }
    }

    /// Reads a line of commands, carries it out and appends what the seat is told to `out`.
    ///
    /// Clauses are carried out one after the other, each a turn of its own, up to the first one that does not work or
    /// ends the game. A line that is not understood costs no turn and changes nothing.
    pub fn command(&mut self, words: &Words, world: &mut World, text: &str, out: &mut String) -> Reply {
        self.log.clear();
        self.scratch.clear();
        let mut reply =
            Reply { outcome: Outcome::ParseError(ErrorKind::Empty), action: None, turns: 0, corrected: 0 };
        if self.tokens.read(words, text).is_err() {
            self.pending = None;
            reply.outcome = self.tell_fault(words, ErrorKind::TooLong, None, 0, out);
            return reply;
        }
        let pending = self.pending.take();
        if let Some(pending) = pending
            && self.answer(words, world, pending, &mut reply, out)
        {
            return reply;
        }
        if self.tokens.list().first().is_some_and(|t| t.is(Role::Oops)) && !self.mend(words) {
            reply.outcome = self.tell_fault(words, ErrorKind::PronounUnset, Some(0), 0, out);
            return reply;
        }
        self.fault_at = None;
        let stops = self.tokens.list().split(Token::stops).filter(|c| !c.is_empty()).count();
        if stops > MAX_CLAUSES {
            reply.outcome = self.tell_fault(words, ErrorKind::TooLong, None, 0, out);
            return reply;
        }
        self.clauses(words, world, &mut reply, out);
        if out.ends_with('\n') {
            out.pop();
        }
        // What is neither an answer nor a command leaves the question open.
        if reply.outcome == Outcome::ParseError(ErrorKind::UnknownVerb) && self.pending.is_none() {
            self.pending = pending;
        }
        reply
    }

    fn clauses(&mut self, words: &Words, world: &mut World, reply: &mut Reply, out: &mut String) {
        let mut at = 0;
        let mut done = 0;
        loop {
            while self.tokens.list().get(at).is_some_and(|t| t.stops() || t.joins()) {
                at += 1;
            }
            if at >= self.tokens.list().len() {
                if done == 0 {
                    reply.outcome = self.tell_fault(words, ErrorKind::Empty, None, 0, out);
                }
                return;
            }
            if done == MAX_CLAUSES {
                reply.outcome = self.tell_fault(words, ErrorKind::TooLong, None, 0, out);
                return;
            }
            let end = self.clause_end(words, world, at);
            self.clause(words, world, at, end, reply, out);
            done += 1;
            at = end;
            if world.end() != End::Open
                || !matches!(reply.outcome, Outcome::Ok { .. } | Outcome::Meta(Meta::Undo))
            {
                return;
            }
        }
    }

    /// Where the clause that begins at `at` ends: at a full stop, at `then`, or where a list goes on with a verb.
    fn clause_end(&mut self, words: &Words, world: &World, at: usize) -> usize {
        let is_end = |t: &Token| t.stops() || t.joins();
        let Some(first) = self.tokens.list()[at..].iter().position(is_end) else {
            return self.tokens.list().len();
        };
        let seen = self.scope(words, world).seen;
        let list = self.tokens.list();
        let begins = |t: &Token| {
            let is_name = words.word(t.word).is_some_and(|w| !((w.any | w.plural) & seen).is_empty());
            !is_name && t.grammar().is_some_and(|w| !w.lines.is_empty() || w.dir.is_some())
        };
        let ends = |i: &usize| {
            let next = list[i + 1..].iter().find(|t| !t.joins());
            list[*i].stops() || (list[*i].joins() && *i > at && next.is_some_and(|t| t.stops() || begins(t)))
        };
        (at + first..list.len()).find(ends).unwrap_or(list.len())
    }

    /// Reads and carries out one clause.
    pub(super) fn clause(
        &mut self,
        words: &Words,
        world: &mut World,
        from: usize,
        to: usize,
        reply: &mut Reply,
        out: &mut String,
    ) {
        fresh_line(out);
        if to == from + 1 && self.tokens.list()[from].is(Role::Again) {
            return self.again(words, world, reply, out);
        }
        let scope = self.scope(words, world);
        for left in (0..=MAX_CORRECTED).rev() {
            let list = &self.tokens.list()[from..to];
            let mut reader = Reader::new(words, world, &scope, list, &self.memory, &self.settings);
            let (kind, at) = match reader.read() {
                Ok(meaning) => return self.carry_out(words, world, &scope, &meaning, (from, to), reply, out),
                Err(fault) => fault,
            };
            let at = from + at;
            if left > 0
                && self.settings.typos == Typos::Correct
                && self.correct(words, world, &scope, kind, at, out)
            {
                reply.corrected += 1;
                continue;
            }
            reply.outcome = self.tell_fault(words, kind, Some(at).filter(|a| *a < to), from, out);
            self.suggest(words, world, &scope, kind, at, to, out);
            return;
        }
    }

    /// `again`.
    fn again(&mut self, words: &Words, world: &mut World, reply: &mut Reply, out: &mut String) {
        match self.again {
            Again::Nothing => {
                reply.outcome = self.tell_fault(words, ErrorKind::PronounUnset, Some(0), 0, out)
            }
            Again::Action(action) => {
                let scope = self.scope(words, world);
                let verdict = rules::check(words.story(), world, &scope, action);
                self.one(words, world, &scope, action, verdict, reply, out);
            }
            Again::Clause(from, to) => {
                // The rest of this line waits while the earlier one is looked at.
                let line = std::mem::replace(&mut self.tokens, self.kept.clone());
                self.clause(words, world, from, to, reply, out);
                self.tokens = line;
            }
        }
    }

    #[allow(
        clippy::too_many_arguments,
        reason = "one clause: what it means, where it stands, where its results go"
    )]
    fn carry_out(
        &mut self,
        words: &Words,
        world: &mut World,
        scope: &Scope,
        meaning: &Meaning,
        (from, to): (usize, usize),
        reply: &mut Reply,
        out: &mut String,
    ) {
        match meaning {
            &Meaning::Meta(meta, text_from, text_to) => {
                for at in from + text_from..from + text_to {
                    if self.tokens.text(at).is_empty() {
                        continue;
                    }
                    if !self.scratch.is_empty() {
                        self.scratch.push(' ');
                    }
                    self.scratch.push_str(self.tokens.text(at));
                }
                if meta == Meta::Undo {
                    let line =
                        if self.undo(world) { prose::Line::Undone } else { prose::Line::NothingToUndo };
                    prose::Prose::get().line(line).write(&prose::Fill::new(words.story(), NONE), out);
                }
                reply.outcome = Outcome::Meta(meta);
            }
            Meaning::Lacks(reading, is_second) => {
                reply.outcome = self.ask_for(words.story(), *reading, *is_second, out);
            }
            Meaning::One(reading, found) => self.found(words, world, scope, reading, found, reply, out),
            Meaning::Many(reading, verb) => {
                self.kept.clone_from(&self.tokens);
                self.again = Again::Clause(from, to);
                self.many(words, world, scope, reading, *verb, (from, to), reply, out);
            }
        }
    }

    /// Carries out the one action that was meant, or asks which.
    #[allow(
        clippy::too_many_arguments,
        reason = "one clause: what it means, where it stands, where its results go"
    )]
    pub(super) fn found(
        &mut self,
        words: &Words,
        world: &mut World,
        scope: &Scope,
        reading: &Reading,
        found: &Found,
        reply: &mut Reply,
        out: &mut String,
    ) {
        let story = words.story();
        if found.others > 0 {
            match self.settings.ambiguity {
                Ambiguity::First => {}
                Ambiguity::Error => {
                    reply.outcome = self.tell_fault(words, ErrorKind::Ambiguous, None, 0, out);
                    return;
                }
                Ambiguity::Ask => {
                    let pending = Pending {
                        reading: *reading,
                        is_second: found.is_second,
                        choices: Some(found.choices),
                    };
                    ask_which(story, found, out);
                    self.pending = Some(pending);
                    reply.outcome = Outcome::Question;
                    return;
                }
            }
        }
        for (slot, (filled, e)) in
            [(&reading.a, found.action.a), (&reading.b, found.action.b)].into_iter().enumerate()
        {
            if matches!(*filled, Filled::Open(kind) if kind != Kind::Topic) && usize::from(e) < story.len() {
                prose::assuming(story, found.action.verb, slot == 1, e, out);
                out.push('\n');
            }
        }
        self.again = Again::Action(found.action);
        self.one(words, world, scope, found.action, found.verdict, reply, out);
    }
}
