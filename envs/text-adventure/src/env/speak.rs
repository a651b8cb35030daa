//! A line of text as the command of a seat.

use super::{
    TextAdventure,
    config::{Config, Mode},
    frame::{fill, frame},
    state::{State, Verdict},
};
use crate::{
    action::{Action, Verb},
    log::What,
    parser::{Meta, Outcome, Reply, Session, Settings},
};

/// How lines are read under these options. States are saved as snapshots, so that nothing is taken back by `undo`; where
/// several seats move, nothing is done that was not said.
fn settings(config: &Config) -> Settings {
    let is_alone = config.mode == Mode::Solo;
    Settings {
        ambiguity: config.ambiguity,
        typos: config.typo,
        implicit: config.implicit && is_alone,
        ends_turn: is_alone,
        verbose: true,
        undo_depth: 0,
    }
}

impl TextAdventure {
    /// Takes the line of the asked seat.
    pub(super) fn speak(&mut self, seat: usize, row: &[u32]) {
        let bytes: &[u8] = bytemuck::cast_slice(row);
        let end = bytes.iter().position(|b| *b == 0).unwrap_or(bytes.len());
        let line = String::from_utf8_lossy(&bytes[..end]);
        let state = &mut self.state;
        let mut sessions = std::mem::take(&mut state.sessions);
        if sessions.is_empty() {
            let seats = state.num_seats();
            sessions = (0..seats).map(|s| Session::new(s, settings(&self.config))).collect();
        }
        state.told.clear();
        state.told_to = seat as u8;
        if self.config.mode == Mode::Solo {
            state.speak_alone(&mut sessions[seat], &line, &self.config);
        } else {
            state.speak_among(&mut sessions[seat], seat, &line, &self.config);
        }
        self.state.sessions = sessions;
    }
}

impl State {
    /// A line of the only seat: as many turns as it has commands.
    fn speak_alone(&mut self, session: &mut Session, line: &str, config: &Config) {
        let game = self.game.clone();
        let mut told = std::mem::take(&mut self.told);
        let reply = session.command(&game.words, &mut self.world, line, &mut told);
        self.told = told;
        if let Outcome::Meta(_) = reply.outcome {
            self.told.push_str(&frame().no_meta);
        }
        if reply.turns == 0 {
            return self.turn_down(verdict(&reply), config);
        }
        self.tally.commands += u32::from(reply.turns);
        self.log = *session.log();
        self.seats[0].from = 0;
        self.seats[0].heard = 0;
        self.notice(0, config);
        self.remember_line();
        self.seats[0].verdict = verdict(&reply);
        self.tally.no_effect += u32::from(reply.outcome == Outcome::Ok { changed: false });
        self.meet();
        self.judge(config);
    }

    /// A line of one of several seats: one command, which waits for those of the others.
    fn speak_among(&mut self, session: &mut Session, seat: usize, line: &str, config: &Config) {
        let game = self.game.clone();
        let mut world = self.world;
        let mut told = std::mem::take(&mut self.told);
        let reply = session.command(&game.words, &mut world, line, &mut told);
        self.told = told;
        match (reply.outcome, reply.action) {
            (Outcome::Ok { .. }, Some(action)) => {
                self.told.clear();
                let me = self.figure(seat);
                let own = |n: &&crate::log::Note| n.who == me && matches!(n.what, What::Did(_));
                if reply.turns == 1 && session.log().notes().iter().filter(own).count() == 1 {
                    return self.commit(action, config);
                }
                self.told.push_str(&frame().one_command);
                self.babble(seat, Verdict::NotUnderstood, config);
            }
            (Outcome::Meta(Meta::Say), _) => self.say(seat, session.words_after(), config),
            (Outcome::Meta(_), _) => {
                self.told.push_str(&frame().no_meta);
                self.babble(seat, Verdict::NotUnderstood, config);
            }
            _ => self.babble(seat, verdict(&reply), config),
        }
    }

    /// A line that was no command. Whoever babbles on waits this round, so that the others can play.
    fn babble(&mut self, seat: usize, verdict: Verdict, config: &Config) {
        const MOST: u8 = 8;
        self.turn_down(verdict, config);
        self.seats[seat].babble += 1;
        if self.seats[seat].babble >= MOST && self.over == super::Over::No {
            self.commit(Action::bare(Verb::Wait), config);
        }
    }

    /// Says something to all seats in the same room, once a round.
    fn say(&mut self, seat: usize, words: &str, config: &Config) {
        let room = self.world.outermost(self.figure(seat));
        let story = &*self.game.story;
        let is_listening = |s: &usize| *s != seat && self.world.outermost(story.seats[*s]) == room;
        let others: Vec<usize> = (0..story.seats.len()).filter(is_listening).collect();
        let line = match () {
            () if !config.chat => frame().no_chat.clone(),
            () if others.is_empty() => frame().nobody.clone(),
            () if self.has_spoken >> seat & 1 == 1 => frame().once.clone(),
            () => {
                let mut line = String::new();
                fill(&frame().says, &[&story.entity(story.seats[seat]).name.phrase(), words], &mut line);
                self.chat.resize(story.seats.len(), String::new());
                others.iter().for_each(|s| self.chat[*s].clone_from(&line));
                self.has_spoken |= 1 << seat;
                line.clear();
                fill(&frame().said, &[words], &mut line);
                line
            }
        };
        self.told.push_str(&line);
        self.tally.commands += 1;
        self.cut_if_due(config);
    }

    /// Remembers what the only seat did in the last line.
    fn remember_line(&mut self) {
        let me = self.figure(0);
        for note in self.log.notes() {
            if let What::Did(action) = note.what
                && note.who == me
            {
                self.seats[0].remember(note.room, action);
            }
        }
    }
}

/// What became of a line.
fn verdict(reply: &Reply) -> Verdict {
    match (reply.outcome, reply.action) {
        (Outcome::Ok { changed: true }, _) => Verdict::Done,
        (Outcome::Ok { changed: false }, _) => Verdict::NoEffect,
        (Outcome::Refused(why) | Outcome::NoEffect(why), Some(action)) => Verdict::Refused(action, why),
        (Outcome::Question, _) => Verdict::Asks,
        _ => Verdict::NotUnderstood,
    }
}
