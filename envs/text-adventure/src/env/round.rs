//! A round: every seat commits one command unseen by the others, then they are carried out in order of initiative.
//!
//! Seats are asked one after the other, which comes to the same as all at once, because nobody learns of a command
//! before it is carried out. A command that another seat's command has made impossible in the same round costs its
//! seat nothing: it is asked again before the round ends.

use super::{
    config::{Config, Mode},
    state::{MET, Over, State, Verdict},
};
use crate::{
    action::{Action, Dir, Verb},
    entity::Attr,
    log::{Note, What},
    rules,
    scope::Scope,
    set::{Ent, NONE},
    story::Story,
    world::{End, World},
};

/// Commands that may be given for each turn of the cap: those that spend no turn are limited by this.
const PATIENCE: u32 = 4;

impl State {
    /// Takes the command of the asked seat, and carries the round out once all have given theirs.
    pub(crate) fn commit(&mut self, action: Action, config: &Config) {
        let seat = usize::from(self.asked);
        self.tally.commands += 1;
        if usize::from(self.told_to) == seat {
            self.told.clear();
        }
        if let Some(line) = self.chat.get_mut(seat) {
            line.clear();
        }
        let me = &mut self.seats[seat];
        me.pending = Some(action);
        me.from = self.log.notes().len() as u8;
        (me.heard, me.babble) = (0, 0);
        self.ask_next(config);
    }

    /// Asks the next seat, or carries the round out.
    fn ask_next(&mut self, config: &Config) {
        let waiting =
            (0..self.num_seats()).find(|&s| self.open >> s & 1 == 1 && self.seats[s].pending.is_none());
        match waiting {
            Some(seat) => self.asked = seat as u8,
            None => self.resolve(config),
        }
    }

    /// The asked seat's command came to nothing and cost no turn.
    pub(crate) fn turn_down(&mut self, verdict: Verdict, config: &Config) {
        self.tally.commands += 1;
        match verdict {
            Verdict::Asks => self.tally.questions += 1,
            _ => self.tally.invalid += 1,
        }
        self.seats[usize::from(self.asked)].verdict = verdict;
        self.cut_if_due(config);
    }

    fn resolve(&mut self, config: &Config) {
        let seats = self.num_seats();
        let all = (1 << seats) - 1;
        if self.open == all {
            self.log.clear();
            for seat in &mut self.seats {
                seat.from = 0;
            }
        }
        let first = self.initiative();
        for k in 0..seats {
            let seat = (first + k) % seats;
            if self.open >> seat & 1 == 1 && self.world.end() == End::Open {
                self.carry_out(seat, config);
            }
        }
        if self.open == 0 || self.world.end() != End::Open {
            self.end_round(config);
        }
        if self.over == Over::No {
            self.ask_next(config);
        }
    }

    fn carry_out(&mut self, seat: usize, config: &Config) {
        let Some(action) = self.seats[seat].pending.take() else { return };
        let story = &*self.game.story;
        let me = story.seats[seat];
        let scope = Scope::of(story, &self.world, me);
        let (before, told) = (self.world.hash(), self.log.notes().len());
        match rules::apply(story, &mut self.world, &scope, action, &mut self.log) {
            Ok(()) => {
                self.open &= !(1 << seat);
                let changed = self.world.hash() != before;
                self.seats[seat].verdict = if changed { Verdict::Done } else { Verdict::NoEffect };
                self.tally.no_effect += u32::from(!changed);
                self.tally.trades += u32::from(action.verb == Verb::Accept);
                self.seats[seat].remember(scope.room, action);
                self.meet();
                self.notice(told, config);
            }
            Err(why) => {
                self.tally.collisions += 1;
                self.seats[seat].verdict = Verdict::TakenFirst(action, why);
            }
        }
    }

    /// Counts a situation that was met before.
    pub(super) fn meet(&mut self) {
        let hash = self.world.hash();
        let slot = &mut self.met[hash as usize % MET];
        let mark = (hash >> 32) as u32 | 1;
        self.tally.revisits += u32::from(*slot == mark);
        *slot = mark;
    }

    fn end_round(&mut self, config: &Config) {
        let told = self.log.notes().len();
        let game = &*self.game;
        if self.world.end() == End::Open {
            rules::end_turn(&game.story, &mut self.world, &mut self.log);
        } else {
            self.world.pass_turn();
        }
        self.notice(told, config);
        self.open = (1 << self.num_seats()) - 1;
        self.has_spoken = 0;
        for seat in &mut self.seats {
            seat.pending = None;
        }
        if config.mode == Mode::Rival {
            let banked = self.game.stakes.banked(&self.world);
            for (seat, &points) in banked.iter().enumerate().take(self.num_seats()) {
                self.world.award(seat, points as i16 - self.world.score(seat));
            }
        }
        if self.num_seats() > 1 {
            self.look_around();
        }
        self.judge(config);
    }

    /// Whether the episode is over now.
    pub(super) fn judge(&mut self, config: &Config) {
        self.over = match (config.mode, self.world.end()) {
            (Mode::Rival, End::Open) if self.game.stakes.is_settled(&self.world) => Over::Settled,
            (Mode::Rival, End::Won | End::Lost) => Over::Settled,
            (_, End::Won) => Over::Won,
            (_, End::Lost) => Over::Lost,
            (_, End::Open) => Over::No,
        };
        if self.over == Over::No && self.world.turn() >= self.cap(config) {
            self.over = if config.mode == Mode::Rival { Over::Settled } else { Over::Cut };
        }
        self.cut_if_due(config);
    }

    /// Cuts an episode of commands that spend no turns.
    pub(super) fn cut_if_due(&mut self, config: &Config) {
        let most = u32::from(self.cap(config)) * PATIENCE * self.num_seats() as u32;
        if self.over == Over::No && self.tally.commands >= most {
            self.over = if config.mode == Mode::Rival { Over::Settled } else { Over::Cut };
        }
    }

    /// Turns after which the episode is cut.
    pub(crate) fn cap(&self, _config: &Config) -> u16 {
        self.game.story.cap.max(1)
    }

    /// Works out who noticed the notes from number `first` on, and what seats see now.
    pub(crate) fn notice(&mut self, first: usize, config: &Config) {
        let (story, world) = (&*self.game.story, &self.world);
        for (seat, &figure) in story.seats.iter().enumerate() {
            let room = world.outermost(figure);
            let mut lit = None;
            for (i, note) in self.log.notes().iter().enumerate().skip(first) {
                let to = destination(story, note);
                let own = note.who == figure;
                let private = matches!(note.what, What::Scored(_))
                    || (matches!(note.what, What::Told(_)) && story.seat_of(note.who).is_some());
                let here = note.room == room || to == room;
                let is_noticed = own
                    || (here && !private && *lit.get_or_insert_with(|| is_lit(story, world, figure, room)));
                self.witness[i] = self.witness[i] & !(1 << seat) | u8::from(is_noticed) << seat;
                if config.hearing && !is_noticed && to != NONE {
                    self.seats[seat].heard |=
                        towards(story, world, room, note.room) | towards(story, world, room, to);
                }
            }
        }
    }

    /// Adds what the seats see now to what they know.
    pub(crate) fn look_around(&mut self) {
        let story = &*self.game.story;
        for (seat, &figure) in story.seats.iter().enumerate() {
            let noticed = Scope::of(story, &self.world, figure).noticed();
            self.world.see(seat, noticed);
        }
    }
}

/// Where the walk that a note tells of leads; [`NONE`] for anything else.
fn destination(story: &Story, note: &Note) -> Ent {
    match note.what {
        What::Walked(to) => to,
        What::Did(Action { verb: Verb::Go, a, .. }) => {
            Dir::of_slot(a).map_or(NONE, |d| story.exit(note.room, d).to)
        }
        _ => NONE,
    }
}

fn is_lit(story: &Story, world: &World, figure: Ent, room: Ent) -> bool {
    !story.is(room, Attr::Dark) || Scope::of(story, world, figure).is_lit
}

/// Directions in which `there` lies next to `here`, as bits, behind no hidden door.
fn towards(story: &Story, world: &World, here: Ent, there: Ent) -> u16 {
    let mut bits = 0;
    for &dir in Dir::ALL {
        let exit = story.exit(here, dir);
        let is_hidden = exit.door != NONE && world.is(exit.door, crate::entity::Bit::Hidden);
        bits |= u16::from(exit.to == there && !is_hidden) << dir as u16;
    }
    bits
}
