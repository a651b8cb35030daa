//! What one seat types into.

use super::{
    Ambiguity, ErrorKind, Outcome, Reply, Settings, Typos,
    implicit::{self, MAX_IMPLICIT},
    rank::{self, Found, MAX_CHOICES, Rank},
    reader::{Filled, Meaning, Reader, Reading},
    tokens::{Token, Tokens},
};
use crate::{
    action::{Action, Verb},
    entity::Attr,
    grammar::{Kind, Leads, Meta, Role},
    lexicon::Words,
    log::{Log, What},
    prose::{self, Style},
    rules::{self, Refusal, Weight},
    scope::Scope,
    set::{Ent, NONE, Set},
    story::Story,
    world::{End, World},
};

/// Clauses of one line at most, each a turn of its own.
pub const MAX_CLAUSES: usize = 4;

/// Words that are corrected in one clause at most.
const MAX_CORRECTED: usize = 2;

/// What pronouns mean: it, them, him, her.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Memory {
    pub(crate) spoken: [Set; 4],
}

impl Memory {
    /// One thing was spoken of.
    fn mention(&mut self, story: &Story, me: Ent, e: Ent) {
        if usize::from(e) >= story.len() || e == me {
            return;
        }
        let is = |attr| story.is(e, attr);
        let slots = match () {
            () if is(Attr::Male) => [false, false, true, false],
            () if is(Attr::Female) => [false, false, false, true],
            () if is(Attr::Plural) => [false, true, false, false],
            () if is(Attr::Actor) => [true; 4],
            () => [true, false, false, false],
        };
        self.spoken
            .iter_mut()
            .zip(slots)
            .filter(|(_, is_meant)| *is_meant)
            .for_each(|(s, _)| *s = Set::one(e));
    }
}

/// What the next line may answer.
#[derive(Clone, Copy, Debug)]
struct Pending {
    reading: Reading,
    is_second: bool,
    /// What may be answered; everything in sight when a thing is missing.
    choices: Option<[Ent; MAX_CHOICES]>,
}

/// What `again` does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Again {
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
    seat: usize,
    /// How commands are read.
    pub settings: Settings,
    memory: Memory,
    pending: Option<Pending>,
    again: Again,
    /// The tokens of this line and of the last ones: those of `again` and those of the fault stay.
    tokens: Tokens,
    kept: Tokens,
    faulty: Tokens,
    /// Where the last line went wrong.
    fault_at: Option<usize>,
    ring: Vec<World>,
    log: Log,
    scratch: String,
}

impl Session {
    /// The session of a seat.
    pub fn new(seat: usize, settings: Settings) -> Self {
        Self {
            seat,
            settings,
            memory: Memory::default(),
            pending: None,
            again: Again::Nothing,
            tokens: Tokens::default(),
            kept: Tokens::default(),
            faulty: Tokens::default(),
            fault_at: None,
            ring: Vec::with_capacity(usize::from(settings.undo_depth)),
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
        self.ring.clear();
        self.log.clear();
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
        match self.ring.pop() {
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
    fn clause_end(&self, words: &Words, world: &World, at: usize) -> usize {
        let list = self.tokens.list();
        let scope = Scope::of(words.story(), world, words.story().seats[self.seat]);
        let begins = |t: &Token| {
            let is_name = words.word(t.word).is_some_and(|w| !((w.any | w.plural) & scope.seen).is_empty());
            !is_name && t.grammar().is_some_and(|w| !w.lines.is_empty() || w.dir.is_some())
        };
        let ends = |i: &usize| {
            let next = list[i + 1..].iter().find(|t| !t.joins());
            list[*i].stops() || (list[*i].joins() && *i > at && next.is_some_and(|t| t.stops() || begins(t)))
        };
        (at..list.len()).find(ends).unwrap_or(list.len())
    }

    /// `oops WORD`: the last line with that word in the place of its fault. False when there is no such line.
    fn mend(&mut self, words: &Words) -> bool {
        let (Some(at), true) = (self.fault_at, self.tokens.list().len() == 2) else { return false };
        self.scratch.clear();
        self.scratch.push_str(self.tokens.text(1));
        std::mem::swap(&mut self.tokens, &mut self.faulty);
        self.tokens.correct(at, words, &self.scratch);
        self.scratch.clear();
        true
    }

    /// Reads and carries out one clause.
    fn clause(
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
        let story = words.story();
        let scope = Scope::of(story, world, story.seats[self.seat]);
        for left in (0..=MAX_CORRECTED).rev() {
            let list = &self.tokens.list()[from..to];
            let reader = Reader::new(words, world, &scope, list, &self.memory, &self.settings);
            let ((kind, at), lacks) = match reader.read() {
                Ok(meaning) => return self.carry_out(words, world, &scope, meaning, (from, to), reply, out),
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
            reply.outcome = match lacks {
                Some((reading, is_second)) if kind == ErrorKind::MissingNoun => {
                    self.ask_for(story, reading, is_second, out)
                }
                _ => {
                    let outcome = self.tell_fault(words, kind, Some(at).filter(|a| *a < to), from, out);
                    self.suggest(words, world, &scope, kind, at, to, out);
                    outcome
                }
            };
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
                let story = words.story();
                let scope = Scope::of(story, world, story.seats[self.seat]);
                let verdict = rules::check(story, world, &scope, action);
                self.one(words, world, &scope, action, verdict, reply, out);
            }
            Again::Clause(from, to) => {
                // The rest of this line waits while the earlier one is looked at.
                std::mem::swap(&mut self.tokens, &mut self.kept);
                self.clause(words, world, from, to, reply, out);
                std::mem::swap(&mut self.tokens, &mut self.kept);
                self.again = Again::Clause(from, to);
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
        meaning: Meaning,
        (from, to): (usize, usize),
        reply: &mut Reply,
        out: &mut String,
    ) {
        match meaning {
            Meaning::Meta(meta, text_from, text_to) => {
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
            Meaning::One(reading, found) => self.found(words, world, scope, reading, found, reply, out),
            Meaning::Many(reading, verb) => {
                if (from, to) != (0, 0) {
                    self.kept.clone_from(&self.tokens);
                    self.again = Again::Clause(from, to);
                }
                self.many(words, world, scope, reading, verb, (from, to), reply, out);
            }
        }
    }

    /// Carries out the one action that was meant, or asks which.
    #[allow(
        clippy::too_many_arguments,
        reason = "one clause: what it means, where it stands, where its results go"
    )]
    fn found(
        &mut self,
        words: &Words,
        world: &mut World,
        scope: &Scope,
        reading: Reading,
        found: Found,
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
                    let pending =
                        Pending { reading, is_second: found.is_second, choices: Some(found.choices) };
                    ask_which(story, &found, out);
                    self.pending = Some(pending);
                    reply.outcome = Outcome::Question;
                    return;
                }
            }
        }
        for (slot, (filled, e)) in
            [(reading.a, found.action.a), (reading.b, found.action.b)].into_iter().enumerate()
        {
            if matches!(filled, Filled::Open(kind) if kind != Kind::Topic) && usize::from(e) < story.len() {
                prose::assuming(story, found.action.verb, slot == 1, e, out);
                out.push('\n');
            }
        }
        self.again = Again::Action(found.action);
        self.one(words, world, scope, found.action, found.verdict, reply, out);
    }

    /// Carries out one action as a turn.
    #[allow(clippy::too_many_arguments, reason = "one action: what is known of it and where its results go")]
    fn one(
        &mut self,
        words: &Words,
        world: &mut World,
        scope: &Scope,
        action: Action,
        verdict: Result<(), Refusal>,
        reply: &mut Reply,
        out: &mut String,
    ) {
        let story = words.story();
        let before = *world;
        let notes = self.log.notes().len();
        let mut implicit_left = MAX_IMPLICIT;
        reply.action = Some(action);
        self.speak_of(story, action);
        match self.act(story, world, scope, action, verdict, &mut implicit_left) {
            Ok(()) => {
                self.end_turn(words, world, before, reply);
                self.tell(words, world, &before, scope, notes, action, out);
                reply.outcome = Outcome::Ok { changed: world.hash() != before.hash() };
            }
            Err(why) => {
                prose::refused(story, world, scope, action, why, out);
                reply.outcome = refusal(why);
            }
        }
    }

    /// Carries out one action, and first what goes without saying. When it does not work nothing has changed.
    fn act(
        &mut self,
        story: &Story,
        world: &mut World,
        scope: &Scope,
        action: Action,
        verdict: Result<(), Refusal>,
        implicit_left: &mut usize,
    ) -> Result<(), Refusal> {
        match verdict {
            Ok(()) => rules::apply(story, world, scope, action, &mut self.log),
            Err(why) if self.settings.implicit && *implicit_left > 0 => {
                let (mut next, mut log) = (*world, self.log);
                let done = implicit::run(story, &mut next, scope, action, why, *implicit_left, &mut log)?;
                (*world, self.log) = (next, log);
                *implicit_left -= done;
                Ok(())
            }
            Err(why) => Err(why),
        }
    }

    /// Ends a turn that began with the world as `before`.
    fn end_turn(&mut self, words: &Words, world: &mut World, before: World, reply: &mut Reply) {
        let story = words.story();
        let depth = usize::from(self.settings.undo_depth);
        if depth > 0 {
            if self.ring.len() == depth {
                self.ring.remove(0);
            }
            self.ring.push(before);
        }
        if self.settings.ends_turn {
            rules::end_turn(story, world, &mut self.log);
        }
        reply.turns += 1;
        for (seat, &me) in story.seats.iter().enumerate() {
            world.see(seat, Scope::of(story, world, me).noticed());
        }
    }

    /// Tells what happened from note `first` on, and remembers what came into sight.
    #[allow(clippy::too_many_arguments, reason = "the turn before and after")]
    fn tell(
        &mut self,
        words: &Words,
        world: &World,
        before: &World,
        old: &Scope,
        first: usize,
        main: Action,
        out: &mut String,
    ) {
        let story = words.story();
        let scope = Scope::of(story, world, old.me);
        let known = *before.known(self.seat);
        let style = Style { brief: !self.settings.verbose && known.has(scope.room) };
        let mut is_first = first;
        for (index, note) in self.log.notes().iter().enumerate().skip(first) {
            match note.what {
                What::Did(action) if note.who == scope.me && action != main => {
                    prose::first_doing(story, scope.me, action, out);
                    out.push('\n');
                    is_first = index + 1;
                }
                What::Did(_) if note.who == scope.me => break,
                _ => {}
            }
        }
        prose::narrate(story, world, &scope, &self.log.notes()[is_first..], style, out);
        if world.end() != End::Open {
            out.push('\n');
            prose::ending(story, world, out);
        }
        let new = scope.seen - known - Set::one(scope.me);
        if let (Some(e), true) = (new.only(), scope.room == old.room) {
            self.memory.mention(story, scope.me, e);
        }
    }

    fn speak_of(&mut self, story: &Story, action: Action) {
        let me = story.seats[self.seat];
        let entry = rules::entry(action.verb);
        if entry.b == crate::action::Slot::Thing
            && usize::from(action.b) < story.len()
            && story.is(action.b, Attr::Actor)
        {
            self.memory.mention(story, me, action.b);
        }
        self.memory.mention(story, me, action.a);
    }

    /// Carries out one action a thing of a list, all in one turn.
    #[allow(
        clippy::too_many_arguments,
        reason = "one clause: what it means, where it stands, where its results go"
    )]
    fn many(
        &mut self,
        words: &Words,
        world: &mut World,
        scope: &Scope,
        reading: Reading,
        verb: Verb,
        (from, to): (usize, usize),
        reply: &mut Reply,
        out: &mut String,
    ) {
        let story = words.story();
        if world.end() != End::Open {
            prose::refused(story, world, scope, Action::bare(verb), Refusal::GameOver, out);
            reply.outcome = Outcome::Refused(Refusal::GameOver);
            return;
        }
        let list = &self.tokens.list()[from..to];
        let reader = Reader::new(words, world, scope, list, &self.memory, &self.settings);
        let things = match reader.things(&reading) {
            Ok(things) => things,
            Err(kind) => {
                reply.outcome = self.tell_fault(words, kind, None, from, out);
                return;
            }
        };
        let before = *world;
        let mut implicit_left = MAX_IMPLICIT;
        let (mut worked, mut why) = (Set::EMPTY, None);
        let first = self.log.notes().len();
        let mut main = Action::bare(verb);
        let mut spoken = Set::EMPTY;
        for item in things.items() {
            let scope = Scope::of(story, world, scope.me);
            let list = &self.tokens.list()[from..to];
            let reader = Reader::new(words, world, &scope, list, &self.memory, &self.settings);
            let one = Reading { a: Filled::Noun(item, Kind::Multi), ..reading };
            let found = rank::find(&reader, &one);
            main = found.action;
            reply.action = Some(main);
            spoken.insert(main.a);
            let notes = self.log.notes().len();
            match self.act(story, world, &scope, main, found.verdict, &mut implicit_left) {
                Ok(()) => {
                    worked.insert(main.a);
                    let after = Scope::of(story, world, scope.me);
                    self.tell_item(story, world, &after, notes, main, out);
                }
                Err(reason) => {
                    why = why.or(Some(reason));
                    fresh_line(out);
                    prose::which_of_list(story, main.a, out);
                    prose::refused(story, world, &scope, main, reason, out);
                }
            }
            if world.end() != End::Open {
                break;
            }
        }
        self.memory.spoken[1] = spoken;
        if let Some(e) = spoken.only() {
            self.memory.mention(story, scope.me, e);
        }
        if worked.is_empty() {
            reply.outcome = why.map_or(Outcome::ParseError(ErrorKind::NothingApplies), refusal);
            return;
        }
        let told = self.log.notes().len();
        self.end_turn(words, world, before, reply);
        debug_assert!(first <= told);
        self.tell(words, world, &before, scope, told, main, out);
        reply.outcome = Outcome::Ok { changed: world.hash() != before.hash() };
    }

    fn tell_item(
        &self,
        story: &Story,
        world: &World,
        scope: &Scope,
        first: usize,
        main: Action,
        out: &mut String,
    ) {
        for note in &self.log.notes()[first..] {
            fresh_line(out);
            match note.what {
                What::Did(action) if note.who == scope.me && action != main => {
                    prose::first_doing(story, scope.me, action, out);
                }
                _ => prose::narrate(story, world, scope, std::slice::from_ref(note), Style::default(), out),
            }
        }
    }

    /// Takes a line as the answer to a question. False when it is none: it is then a new command.
    fn answer(
        &mut self,
        words: &Words,
        world: &mut World,
        pending: Pending,
        reply: &mut Reply,
        out: &mut String,
    ) -> bool {
        let story = words.story();
        let scope = Scope::of(story, world, story.seats[self.seat]);
        let list = self.tokens.list();
        let end = list.iter().rposition(|t| !t.stops()).map_or(0, |last| last + 1);
        let reader = Reader::new(words, world, &scope, &list[..end], &self.memory, &self.settings);
        let mut reading = pending.reading;
        let Some(filled) = reader.answer(*reading.slot(pending.is_second), pending.choices.as_ref()) else {
            return false;
        };
        *reading.slot(pending.is_second) = filled;
        let lacks_second = !pending.is_second && matches!(reading.b, Filled::Open(_));
        let settled = if lacks_second {
            reader.settle(reading, true)
        } else {
            let found = rank::find(&reader, &reading);
            Ok(Meaning::One(reading, found))
        };
        match settled {
            Ok(Meaning::One(reading, found)) => self.found(words, world, &scope, reading, found, reply, out),
            Err(((ErrorKind::MissingNoun, _), Some((reading, is_second)))) => {
                reply.outcome = self.ask_for(story, reading, is_second, out);
            }
            Err(((kind, _), _)) => reply.outcome = self.tell_fault(words, kind, None, 0, out),
            Ok(_) => return false,
        }
        true
    }

    /// Corrects the word of a fault, if one word alone is near, and tells so.
    fn correct(
        &mut self,
        words: &Words,
        world: &World,
        scope: &Scope,
        kind: ErrorKind,
        at: usize,
        out: &mut String,
    ) -> bool {
        let Some(near) = self.near(words, world, scope, kind, at) else { return false };
        self.scratch.clear();
        self.scratch.push_str(near);
        let fill = prose::Fill {
            word: self.tokens.text(at),
            text: &self.scratch,
            ..prose::Fill::new(words.story(), NONE)
        };
        prose::Prose::get().line(prose::Line::Corrected).write(&fill, out);
        out.push('\n');
        self.tokens.correct(at, words, &self.scratch);
        self.scratch.clear();
        true
    }

    fn near<'a>(
        &self,
        words: &'a Words,
        world: &World,
        scope: &Scope,
        kind: ErrorKind,
        at: usize,
    ) -> Option<&'a str> {
        if !matches!(kind, ErrorKind::UnknownVerb | ErrorKind::UnknownWord) || at >= self.tokens.list().len()
        {
            return None;
        }
        super::typo::suggestion(words, scope, kind, self.tokens.text(at)).filter(|_| world.end() == End::Open)
    }

    #[allow(clippy::too_many_arguments, reason = "a fault and where it lies")]
    fn suggest(
        &self,
        words: &Words,
        world: &World,
        scope: &Scope,
        kind: ErrorKind,
        at: usize,
        to: usize,
        out: &mut String,
    ) {
        if self.settings.typos == Typos::Off || at >= to {
            return;
        }
        if let Some(text) = self.near(words, world, scope, kind, at) {
            out.push(' ');
            let fill = prose::Fill { text, ..prose::Fill::new(words.story(), NONE) };
            prose::Prose::get().line(prose::Line::Suggest).write(&fill, out);
        }
    }

    /// Tells a fault of the clause from `from`; `at` is the token at which it lies. The next `oops` mends that one.
    fn tell_fault(
        &mut self,
        words: &Words,
        kind: ErrorKind,
        at: Option<usize>,
        from: usize,
        out: &mut String,
    ) -> Outcome {
        let upto = &mut self.scratch;
        upto.clear();
        for i in from..at.unwrap_or(from) {
            if !upto.is_empty() {
                upto.push(' ');
            }
            upto.push_str(self.tokens.text(i));
        }
        let word = at.map_or("", |at| self.tokens.text(at));
        let is_pronoun = |t: &Token| [Role::It, Role::Them, Role::Him, Role::Her].iter().any(|r| t.is(*r));
        if kind == ErrorKind::NotVisible && at.is_some_and(|at| is_pronoun(&self.tokens.list()[at])) {
            prose::Prose::get()
                .refused(Refusal::NotVisible)
                .write(&prose::Fill::new(words.story(), NONE), out);
        } else {
            prose::error(words.story(), kind, word, upto, out);
        }
        upto.clear();
        if kind != ErrorKind::TooLong && at.is_some() {
            self.faulty.clone_from(&self.tokens);
            self.fault_at = at;
        }
        Outcome::ParseError(kind)
    }

    /// Asks for the object that is missing.
    fn ask_for(&mut self, story: &Story, reading: Reading, is_second: bool, out: &mut String) -> Outcome {
        let Leads::Act(verb) = reading.leads else { return Outcome::ParseError(ErrorKind::MissingNoun) };
        let asked = match if is_second { reading.b } else { reading.a } {
            Filled::Open(Kind::Actor) => prose::Line::Whom,
            Filled::Open(Kind::Dir) => prose::Line::Where,
            _ => prose::Line::What,
        };
        let known = match reading.a {
            Filled::Noun(noun, _) if is_second => noun.set.first(),
            _ => None,
        };
        prose::ask_for(story, verb, known, is_second, asked, out);
        self.pending = Some(Pending { reading, is_second, choices: None });
        Outcome::ParseError(ErrorKind::MissingNoun)
    }
}

/// Begins a new line, unless one has just begun.
fn fresh_line(out: &mut String) {
    if !out.is_empty() && !out.ends_with('\n') {
        out.push('\n');
    }
}

/// Which outcome a refusal is.
const fn refusal(why: Refusal) -> Outcome {
    match why.weight() {
        Weight::Already => Outcome::NoEffect(why),
        Weight::Refused => Outcome::Refused(why),
    }
}

/// Asks which of several things is meant.
fn ask_which(story: &Story, found: &Found, out: &mut String) {
    debug_assert!(found.rank > Rank::Already, "an answer would not matter");
    let is_topic = found.is_second && rules::entry(found.action.verb).b == crate::action::Slot::Topic;
    prose::ask_which(story, &found.choices[..=found.others], is_topic, out);
}
