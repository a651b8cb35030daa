//! Everything that changes in an episode.

use super::{config::Config, library::Loaded, seat::SeatState};
use crate::{
    action::{Action, Dir},
    entity::Bit,
    log::{Log, MAX_NOTES, Note},
    parser::Session,
    rules::Refusal,
    scope::Scope,
    set::{Ent, NONE},
    world::{MAX_SEATS, World, mix},
};
use rl_gym::Pcg64;
use std::sync::Arc;

/// What became of a seat's last command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// There was none yet.
    Nothing,
    /// It was carried out and something changed.
    Done,
    /// It was carried out and nothing changed.
    NoEffect,
    /// It was understood and does not work: no turn was spent.
    Refused(Action, Refusal),
    /// It was not understood: no turn was spent.
    NotUnderstood,
    /// It could mean several things, and a question is open: no turn was spent.
    Asks,
    /// Another seat was quicker in this round: the seat is asked again.
    TakenFirst(Action, Refusal),
}

impl Verdict {
    /// Number in the observation's one-hot.
    pub(crate) const fn index(self) -> Option<usize> {
        match self {
            Self::Nothing => None,
            Self::Done => Some(0),
            Self::NoEffect => Some(1),
            Self::Refused(..) => Some(2),
            Self::NotUnderstood => Some(3),
            Self::Asks => Some(4),
            Self::TakenFirst(..) => Some(5),
        }
    }
}

/// How an episode stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Over {
    /// It goes on.
    No,
    /// The quest is done.
    Won,
    /// The quest has failed.
    Lost,
    /// Rivals: all treasures are banked, or the rounds are used up. Banked value decides.
    Settled,
    /// Cut by the turn cap.
    Cut,
}

/// Counts behind the metrics.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Tally {
    /// Commands of all seats, whatever became of them.
    pub(crate) commands: u32,
    pub(crate) invalid: u32,
    pub(crate) no_effect: u32,
    pub(crate) revisits: u32,
    pub(crate) questions: u32,
    pub(crate) collisions: u32,
    pub(crate) trades: u32,
}

/// Slots of the table of situations that were met.
pub(crate) const MET: usize = 256;

/// An episode. Copying it copies a few kilobytes and shares the story.
#[derive(Clone, Debug)]
pub struct State {
    pub(crate) game: Arc<Loaded>,
    pub(crate) world: World,
    pub(crate) log: Log,
    /// Which seats noticed each note of the log, a bit a seat.
    pub(crate) witness: [u8; MAX_NOTES],
    pub(crate) seats: [SeatState; MAX_SEATS],
    /// Seats whose command of this round is not carried out yet, a bit a seat.
    pub(crate) open: u8,
    /// The seat that is asked for its command.
    pub(crate) asked: u8,
    /// The seat that goes first in even rounds.
    pub(crate) flip: u8,
    pub(crate) over: Over,
    pub(crate) tally: Tally,
    /// Potential of each seat as last paid.
    pub(crate) potential: [f32; MAX_SEATS],
    /// Points of each seat as last paid.
    pub(crate) paid: [i16; MAX_SEATS],
    /// Turns as last paid for.
    pub(crate) paid_turns: u16,
    /// Situations met, newest in each slot.
    pub(crate) met: [u32; MET],
    pub(crate) rng: Pcg64,
    /// What a line of text was answered, to which seat.
    pub(crate) told: String,
    pub(crate) told_to: u8,
    /// Seats that have talked in this round, a bit a seat.
    pub(crate) has_spoken: u8,
    /// What was last said to each seat; empty without chat.
    pub(crate) chat: Vec<String>,
    /// What seats type into; empty before the first line of text.
    pub(crate) sessions: Vec<Session>,
}

impl State {
    /// The start of `game`.
    pub(crate) fn new(game: Arc<Loaded>, rng: Pcg64) -> Self {
        let world = game.story.start;
        let seats = game.story.seats.len();
        Self {
            game,
            world,
            log: Log::default(),
            witness: [0; MAX_NOTES],
            seats: [SeatState::NEW; MAX_SEATS],
            open: (1 << seats) - 1,
            asked: 0,
            flip: 0,
            over: Over::No,
            tally: Tally::default(),
            potential: [0.0; MAX_SEATS],
            paid: [0; MAX_SEATS],
            paid_turns: 0,
            met: [0; MET],
            rng,
            told: String::new(),
            told_to: 0,
            has_spoken: 0,
            chat: Vec::new(),
            sessions: Vec::new(),
        }
    }

    /// Begins an episode of `game` in place of the last one.
    pub(crate) fn begin(&mut self, game: Arc<Loaded>, rng: Pcg64, flip: u8, luck: u64, config: &Config) {
        self.world = game.story.start;
        self.world.set_seed(luck);
        let seats = game.story.seats.len();
        self.game = game;
        self.log.clear();
        self.seats[..seats].fill(SeatState::NEW);
        self.open = (1 << seats) - 1;
        (self.asked, self.flip, self.over) = (0, flip, Over::No);
        self.tally = Tally::default();
        self.met = [0; MET];
        self.rng = rng;
        self.told.clear();
        (self.told_to, self.has_spoken) = (0, 0);
        self.chat.clear();
        self.sessions.iter_mut().for_each(Session::reset);
        self.look_around();
        self.open_books(config);
    }

    /// The world as it stands: everything, hidden parts included.
    pub const fn world(&self) -> &World {
        &self.world
    }

    /// The story that is played.
    pub fn story(&self) -> &crate::story::Story {
        &self.game.story
    }

    /// What seats are rivals for.
    pub fn stakes(&self) -> &crate::modes::Stakes {
        &self.game.stakes
    }

    /// How the episode stands.
    pub const fn over(&self) -> Over {
        self.over
    }

    /// The seat that is asked for its command; `None` once the episode is over.
    pub const fn asked(&self) -> Option<usize> {
        if matches!(self.over, Over::No) { Some(self.asked as usize) } else { None }
    }

    /// What became of a seat's last command.
    pub const fn verdict(&self, seat: usize) -> Verdict {
        self.seats[seat].verdict
    }

    /// Number of seats.
    pub fn num_seats(&self) -> usize {
        self.game.story.seats.len()
    }

    /// The figure of a seat.
    pub(crate) fn figure(&self, seat: usize) -> Ent {
        self.game.story.seats[seat]
    }

    /// Notes of the log that `seat` noticed and was not told yet.
    pub fn news(&self, seat: usize) -> impl Iterator<Item = &Note> {
        let from = usize::from(self.seats[seat].from);
        let notes = self.log.notes().iter().zip(&self.witness).skip(from);
        notes.filter(move |(_, w)| **w >> seat & 1 == 1).map(|(note, _)| note)
    }

    /// What was last said to `seat`.
    pub fn heard_words(&self, seat: usize) -> &str {
        self.chat.get(seat).map_or("", String::as_str)
    }

    /// What an open question of `seat` lists.
    pub fn question(&self, seat: usize) -> impl Iterator<Item = Ent> {
        let session = self.sessions.get(seat).filter(|s| s.is_asked());
        session.into_iter().flat_map(Session::choices)
    }

    /// Ways out of the room of `scope` that can be seen: direction, whether it is open, the room behind it once `seat`
    /// has walked there.
    pub fn ways(&self, seat: usize, scope: &Scope) -> impl Iterator<Item = (Dir, bool, Option<Ent>)> {
        let walked = self.seats[seat].walked.get(usize::from(scope.room)).copied().unwrap_or(0);
        let (story, world, room) = (self.story(), &self.world, scope.room);
        Dir::ALL.iter().filter_map(move |&dir| {
            let exit = story.exit(room, dir);
            let has_door = exit.door != NONE;
            let is_seen = exit.to != NONE && !(has_door && world.is(exit.door, Bit::Hidden));
            let is_open = !has_door || world.is(exit.door, Bit::Open);
            is_seen.then_some((dir, is_open, (walked >> dir as u16 & 1 == 1).then_some(exit.to)))
        })
    }

    /// Ways that `seat` has walked: from, direction, to.
    pub fn map(&self, seat: usize) -> impl Iterator<Item = (Ent, Dir, Ent)> {
        let story = self.story();
        let rooms = self.seats[seat].walked.iter().enumerate().take(story.rooms.into());
        rooms.flat_map(move |(room, walked)| {
            let ways = Dir::ALL.iter().filter(move |d| walked >> **d as u16 & 1 == 1);
            ways.map(move |d| (room as Ent, *d, story.exit(room as Ent, *d).to))
        })
    }

    /// Minus the share of the certified plan that is left, -1 to 0.
    pub fn quest_potential(&self) -> f32 {
        self.game.milestones.potential(&self.world)
    }

    /// The seat that goes first this round.
    pub(crate) fn initiative(&self) -> usize {
        (usize::from(self.world.turn()) + usize::from(self.flip)) % self.num_seats()
    }

    /// Hash of everything, generator included.
    pub fn hash(&self) -> u64 {
        let mut h = self.world.full_hash() ^ u64::from(self.asked) << 8 ^ u64::from(self.open) << 16;
        let mut add = |x: u64| h = mix(h ^ x).rotate_left(11);
        add(u64::from(self.flip) << 8 | self.over as u64);
        for (note, witness) in self.log.notes().iter().zip(&self.witness) {
            add(note.code() ^ u64::from(*witness) << 56);
        }
        for (seat, s) in self.seats.iter().enumerate().take(self.num_seats()) {
            add(s.pending.map_or(1, Action::code) ^ (seat as u64) << 40);
            add(s.verdict.code());
            add(u64::from(s.heard) | u64::from(s.from) << 16 | u64::from(s.babble) << 24);
            s.walked
                .iter()
                .enumerate()
                .filter(|(_, w)| **w != 0)
                .for_each(|(r, w)| add((r << 16) as u64 | u64::from(*w)));
            s.taken.words().iter().for_each(|w| add(*w));
            add(u64::from(self.potential[seat].to_bits()) << 16 | self.paid[seat] as u16 as u64);
        }
        let t = &self.tally;
        for x in [t.commands, t.invalid, t.no_effect, t.revisits, t.questions, t.collisions, t.trades] {
            add(u64::from(x));
        }
        let text = self.chat.iter().chain([&self.told]).flat_map(|t| t.bytes());
        add(text
            .fold(u64::from(self.has_spoken) << 8 | u64::from(self.told_to), |h, b| mix(h ^ u64::from(b))));
        let (state, increment) = self.rng.state();
        for x in [state, increment] {
            add(x as u64);
            add((x >> 64) as u64);
        }
        h
    }
}

impl Verdict {
    const fn code(self) -> u64 {
        match self {
            Self::Refused(action, why) => 10 | action.code() << 8 | (why as u64) << 40,
            Self::TakenFirst(action, why) => 11 | action.code() << 8 | (why as u64) << 40,
            Self::Nothing => 12,
            Self::Done => 13,
            Self::NoEffect => 14,
            Self::NotUnderstood => 15,
            Self::Asks => 16,
        }
    }
}
