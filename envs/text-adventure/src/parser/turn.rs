//! Carrying out what was meant, as a turn of one seat, and telling what came of it.

use super::{
    ErrorKind, Outcome, Reply, Session,
    implicit::{self, MAX_IMPLICIT},
    rank,
    reader::{Filled, Reader, Reading},
};
use crate::{
    action::{Action, Verb},
    entity::Attr,
    grammar::Kind,
    lexicon::Words,
    log::{Note, What},
    prose::{self, Style},
    rules::{self, Refusal, Weight},
    scope::Scope,
    set::Set,
    story::Story,
    world::{End, World},
};

/// What one still needs of the world as it was before a turn.
#[derive(Clone, Copy)]
pub(super) struct Before {
    hash: u64,
    /// What the seat knew.
    known: Set,
}

/// What one turn has had so far.
#[derive(Default)]
pub(super) struct Turn {
    /// Actions that went without saying.
    implicit: usize,
    /// Whether the world before it is kept.
    is_kept: bool,
}

impl Session {
    /// Carries out one action as a turn.
    #[allow(clippy::too_many_arguments, reason = "one action: what is known of it and where its results go")]
    pub(super) fn one(
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
        let before = Before { hash: world.hash(), known: *world.known(self.seat) };
        let notes = self.log.notes().len();
        let mut turn = Turn::default();
        reply.action = Some(action);
        self.speak_of(story, action);
        match self.act(story, world, scope, action, verdict, &mut turn) {
            Ok(()) => {
                self.end_turn(words, world, reply);
                self.tell(words, world, &before, scope, notes, action, out);
                reply.outcome = Outcome::Ok { changed: world.hash() != before.hash };
            }
            Err(why) => {
                prose::refused(story, world, scope, action, why, out);
                reply.outcome = refusal(why);
            }
        }
    }

    /// Carries out one action, and first what goes without saying. When it does not work nothing has changed; when it
    /// does and is the first of its turn, the world before it is kept.
    pub(super) fn act(
        &mut self,
        story: &Story,
        world: &mut World,
        scope: &Scope,
        action: Action,
        verdict: Result<(), Refusal>,
        turn: &mut Turn,
    ) -> Result<(), Refusal> {
        let implicit_left = MAX_IMPLICIT - turn.implicit;
        match verdict {
            Ok(()) => {
                self.keep(world, turn);
                rules::perform(story, world, scope, action, &mut self.log);
                Ok(())
            }
            Err(why) if self.settings.implicit && implicit_left > 0 => {
                let (mut next, mut log) = (*world, self.log);
                let done = implicit::run(story, &mut next, scope, action, why, implicit_left, &mut log)?;
                self.keep(world, turn);
                (*world, self.log) = (next, log);
                turn.implicit += done;
                Ok(())
            }
            Err(why) => Err(why),
        }
    }

    /// Keeps the world as it is before the first action of a turn.
    fn keep(&mut self, world: &World, turn: &mut Turn) {
        if !turn.is_kept {
            self.past.push(world, usize::from(self.settings.undo_depth));
            turn.is_kept = true;
        }
    }

    /// Ends a turn in which something was done.
    pub(super) fn end_turn(&mut self, words: &Words, world: &mut World, reply: &mut Reply) {
        let story = words.story();
        if self.settings.ends_turn {
            rules::end_turn(story, world, &mut self.log);
        }
        reply.turns += 1;
        for (seat, &me) in story.seats.iter().enumerate() {
            let scope =
                if seat == self.seat { self.scope(words, world) } else { Scope::of(story, world, me) };
            world.see(seat, scope.noticed());
        }
    }

    /// Tells what happened from note `first` on, and remembers what came into sight.
    #[allow(clippy::too_many_arguments, reason = "the turn before and after")]
    pub(super) fn tell(
        &mut self,
        words: &Words,
        world: &World,
        before: &Before,
        old: &Scope,
        first: usize,
        main: Action,
        out: &mut String,
    ) {
        let story = words.story();
        let scope = self.scope(words, world);
        let known = before.known;
        let style = Style { brief: !self.settings.verbose && known.has(scope.room) };
        let notes = &self.log.notes()[first..];
        let is_main = |n: &Note| n.who == scope.me && n.what == What::Did(main);
        let (before, rest) = notes.split_at(notes.iter().position(is_main).unwrap_or(0));
        for note in before {
            match note.what {
                What::Did(action) if note.who == scope.me => {
                    fresh_line(out);
                    prose::first_doing(story, scope.me, action, out);
                }
                _ => prose::narrate(story, world, &scope, std::slice::from_ref(note), style, out),
            }
        }
        prose::narrate(story, world, &scope, rest, style, out);
        if world.end() != End::Open {
            out.push('\n');
            prose::ending(story, world, out);
        }
        let new = scope.seen - known - Set::one(scope.me);
        if let (Some(e), true) = (new.only(), scope.room == old.room) {
            self.memory.mention(story, scope.me, e);
        }
    }

    pub(super) fn speak_of(&mut self, story: &Story, action: Action) {
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
    pub(super) fn many(
        &mut self,
        words: &Words,
        world: &mut World,
        scope: &Scope,
        reading: &Reading,
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
        let things = match reader.things(reading) {
            Ok(things) => things,
            Err(kind) => {
                reply.outcome = self.tell_fault(words, kind, None, from, out);
                return;
            }
        };
        let before = Before { hash: world.hash(), known: *world.known(self.seat) };
        let mut turn = Turn::default();
        let (mut worked, mut why) = (Set::EMPTY, None);
        let first = self.log.notes().len();
        let mut main = Action::bare(verb);
        let mut spoken = Set::EMPTY;
        for item in things.items() {
            let scope = self.scope(words, world);
            let list = &self.tokens.list()[from..to];
            let reader = Reader::new(words, world, &scope, list, &self.memory, &self.settings);
            let one = Reading { a: Filled::Noun(item, Kind::Multi), ..*reading };
            let found = rank::find(&reader, &one);
            main = found.action;
            reply.action = Some(main);
            spoken.insert(main.a);
            let notes = self.log.notes().len();
            match self.act(story, world, &scope, main, found.verdict, &mut turn) {
                Ok(()) => {
                    worked.insert(main.a);
                    let after = self.scope(words, world);
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
        self.end_turn(words, world, reply);
        debug_assert!(first <= told);
        self.tell(words, world, &before, scope, told, main, out);
        reply.outcome = Outcome::Ok { changed: world.hash() != before.hash };
    }

    pub(super) fn tell_item(
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
}

/// Begins a new line, unless one has just begun.
pub(super) fn fresh_line(out: &mut String) {
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
