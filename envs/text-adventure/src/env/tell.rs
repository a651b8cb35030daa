//! What a seat is told, made from data when somebody asks for it.

use super::{
    config::{Config, Mode},
    frame::{fill, frame},
    state::{State, Verdict},
};
use crate::{
    action::Dir,
    prose::{self, Style},
    scope::Scope,
    world::NO_DEAL,
};

/// Begins a line of its own.
pub(super) fn new_line(out: &mut String) {
    if !out.is_empty() && !out.ends_with('\n') {
        out.push('\n');
    }
}

impl State {
    /// Appends what came of the last command of `seat`, and what it noticed since.
    pub fn feedback(&self, seat: usize, out: &mut String) {
        let story = &*self.game.story;
        let is_own = usize::from(self.told_to) == seat;
        if is_own && !self.told.is_empty() {
            new_line(out);
            out.push_str(self.told.trim_end());
        } else {
            let scope = Scope::of(story, &self.world, self.figure(seat));
            for note in self.news(seat) {
                prose::narrate(story, &self.world, &scope, std::slice::from_ref(note), Style::default(), out);
            }
            self.answer(seat, &scope, out);
        }
        let heard = self.seats[seat].heard;
        for dir in Dir::ALL.iter().filter(|d| heard >> **d as u16 & 1 == 1) {
            new_line(out);
            fill(&frame().heard, &[dir.name()], out);
        }
        if let Some(line) = self.chat.get(seat).filter(|line| !line.is_empty()) {
            new_line(out);
            out.push_str(line);
        }
    }

    /// Why the last command came to nothing.
    fn answer(&self, seat: usize, scope: &Scope, out: &mut String) {
        let (Verdict::Refused(action, why) | Verdict::TakenFirst(action, why)) = self.seats[seat].verdict
        else {
            return;
        };
        new_line(out);
        prose::refused(&self.game.story, &self.world, scope, action, why, out);
        if matches!(self.seats[seat].verdict, Verdict::TakenFirst(..)) {
            new_line(out);
            out.push_str(&frame().too_late);
        }
    }

    /// Appends the points of `seat` and the time.
    pub(crate) fn standing(&self, seat: usize, config: &Config, out: &mut String) {
        let number = |n: i32| n.to_string();
        let (turn, cap) = (number(self.world.turn().into()), number(self.cap(config).into()));
        new_line(out);
        if config.mode == Mode::Rival {
            fill(&frame().banked, &[&number(self.world.score(seat).into()), &turn, &cap], out);
            return;
        }
        let points: i32 = (0..self.num_seats()).map(|s| i32::from(self.world.score(s))).sum();
        let most = number(self.game.story.max_score.into());
        fill(&frame().score, &[&number(points), &most, &turn, &cap], out);
    }

    /// Appends what the treasures in sight are worth to `seat`, and the offer that waits for it.
    pub(crate) fn stakes_in_sight(&self, seat: usize, scope: &Scope, out: &mut String) {
        let (story, stakes) = (&*self.game.story, &self.game.stakes);
        let mut list = String::new();
        for e in scope.seen & stakes.treasures() {
            if !list.is_empty() {
                list.push_str(", ");
            }
            list.push_str(&story.entity(e).name.phrase());
            list.push(' ');
            list.push_str(&stakes.worth(e, seat).to_string());
        }
        if !list.is_empty() {
            new_line(out);
            fill(&frame().worth, &[&list], out);
        }
        let deal = self.world.deal(seat);
        if deal != NO_DEAL {
            let name =
                |e: u8| story.entities.get(usize::from(e)).map_or_else(String::new, |e| e.name.phrase());
            new_line(out);
            fill(&frame().offered, &[&name(deal.give), &name(deal.want)], out);
        }
    }

    /// Appends everything that `seat` may see, in words: what happened, the room, its things, what it is after, how it
    /// stands.
    pub(crate) fn describe(&self, seat: usize, config: &Config, out: &mut String) {
        let story = &*self.game.story;
        let scope = Scope::of(story, &self.world, self.figure(seat));
        let begin = out.len();
        let mut text = String::new();
        if self.world.turn() == 0 && self.log.notes().is_empty() && !story.intro.is_empty() {
            text.push_str(&story.intro);
            text.push('\n');
        }
        self.feedback(seat, &mut text);
        let mut room = String::new();
        prose::room(story, &self.world, &scope, &mut room);
        // A walk or a look has told it just now.
        if !text.contains(room.trim()) {
            new_line(&mut text);
            text.push_str(&room);
        }
        new_line(&mut text);
        prose::inventory(story, &self.world, &scope, &mut text);
        if config.mode == Mode::Rival {
            self.stakes_in_sight(seat, &scope, &mut text);
        }
        new_line(&mut text);
        fill(&frame().objective, &[story.objective.trim()], &mut text);
        self.standing(seat, config, &mut text);
        debug_assert!(out.len() == begin, "nothing is written before it is whole");
        out.push_str(&text);
    }
}
