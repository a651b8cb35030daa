//! Questions and their answers, faults and what may mend them.

use super::{
    ErrorKind, Outcome, Reply, Session, Typos,
    rank::{self, Found, Rank},
    reader::{Filled, Meaning, Reader, Reading},
    session::Pending,
    tokens::Token,
};
use crate::{
    grammar::{Kind, Leads, Role},
    lexicon::Words,
    prose,
    rules::{self, Refusal},
    scope::Scope,
    set::NONE,
    story::Story,
    world::{End, World},
};

impl Session {
    /// Takes a line as the answer to a question. False when it is none: it is then a new command.
    pub(super) fn answer(
        &mut self,
        words: &Words,
        world: &mut World,
        pending: Pending,
        reply: &mut Reply,
        out: &mut String,
    ) -> bool {
        let story = words.story();
        let scope = self.scope(words, world);
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
            Ok(Meaning::One(reading, found)) => {
                self.found(words, world, &scope, &reading, &found, reply, out)
            }
            Ok(Meaning::Lacks(reading, is_second)) => {
                reply.outcome = self.ask_for(story, reading, is_second, out);
            }
            Err((kind, _)) => reply.outcome = self.tell_fault(words, kind, None, 0, out),
            Ok(_) => return false,
        }
        true
    }

    /// Corrects the word of a fault, if one word alone is near, and tells so.
    pub(super) fn correct(
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

    pub(super) fn near<'a>(
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
    pub(super) fn suggest(
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
    pub(super) fn tell_fault(
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
    pub(super) fn ask_for(
        &mut self,
        story: &Story,
        reading: Reading,
        is_second: bool,
        out: &mut String,
    ) -> Outcome {
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

    /// `oops WORD`: the last line with that word in the place of its fault. False when there is no such line.
    pub(super) fn mend(&mut self, words: &Words) -> bool {
        let (Some(at), true) = (self.fault_at, self.tokens.list().len() == 2) else { return false };
        self.scratch.clear();
        self.scratch.push_str(self.tokens.text(1));
        std::mem::swap(&mut self.tokens, &mut self.faulty);
        self.tokens.correct(at, words, &self.scratch);
        self.scratch.clear();
        true
    }
}

/// Asks which of several things is meant.
pub(super) fn ask_which(story: &Story, found: &Found, out: &mut String) {
    debug_assert!(found.rank > Rank::Already, "an answer would not matter");
    let is_topic = found.is_second && rules::entry(found.action.verb).b == crate::action::Slot::Topic;
    prose::ask_which(story, &found.choices[..=found.others], is_topic, out);
}
