//! What a step pays, and the metric columns.

use super::{
    config::{Config, Mode, Reward},
    state::{Over, State},
};
use crate::world::MAX_SEATS;

/// Names of the metric columns, in order, with their meaning.
pub const METRICS: &[(&str, &str)] = &[
    ("won", "1 once the quest is done; rivals: once the game is settled by the banking of every treasure"),
    (
        "score_share",
        "points of all seats / points that can be had, 0 to 1; rivals: banked share of the best seat",
    ),
    ("turns", "turns (rounds) passed"),
    ("efficiency", "once won: length of the certified plan / turns, at most 1"),
    ("invalid_rate", "commands that were refused or not understood / all commands"),
    ("no_effect_rate", "commands that changed nothing / all commands"),
    ("revisit_rate", "commands that led to one of the last situations met (about 256) / all commands"),
    ("rooms_share", "rooms seen by any seat / all rooms"),
    ("questions", "questions asked back"),
    ("collisions", "commands that another seat's command of the same round made impossible"),
    ("trades", "offers between seats that were accepted"),
];

impl State {
    /// Writes the metric columns.
    pub(crate) fn metrics(&self, config: &Config, out: &mut [f32]) {
        let t = &self.tally;
        let rate = |n: u32| if t.commands == 0 { 0.0 } else { n as f32 / t.commands as f32 };
        let (story, turns) = (&self.game.story, f32::from(self.world.turn()));
        let is_won = match config.mode {
            Mode::Rival => self.over != Over::No && self.game.stakes.is_settled(&self.world),
            _ => self.over == Over::Won,
        };
        let seats = 0..self.num_seats();
        let known = seats.clone().fold(crate::set::Set::EMPTY, |k, s| k | *self.world.known(s));
        let rooms = (known & crate::set::Set::below(story.rooms.into())).len();
        let efficiency = self.game.plan_len() as f32 / turns.max(1.0);
        let values = [
            f32::from(is_won),
            self.score_share(config),
            turns,
            if is_won && !self.game.plan.is_empty() { efficiency.min(1.0) } else { 0.0 },
            rate(t.invalid),
            rate(t.no_effect),
            rate(t.revisits),
            rooms as f32 / f32::from(story.rooms.max(1)),
            t.questions as f32,
            t.collisions as f32,
            t.trades as f32,
        ];
        out.copy_from_slice(&values);
    }

    fn score_share(&self, config: &Config) -> f32 {
        let seats = 0..self.num_seats();
        if config.mode == Mode::Rival {
            let banked = self.game.stakes.banked(&self.world);
            let share = |s: usize| f32::from(banked[s]) / f32::from(self.game.stakes.best(s).max(1));
            return seats.map(share).fold(0.0, f32::max);
        }
        let points: i32 = seats.map(|s| i32::from(self.world.score(s))).sum();
        (points as f32 / f32::from(self.game.story.max_score.max(1))).clamp(0.0, 1.0)
    }

    /// Potentials now, by seat: the lead of rivals, else minus the share of the quest that is left. 0 at the end of an
    /// episode by the rules, so that shaping adds nothing to a whole episode but a constant (with `gamma` 1).
    fn potentials(&self, config: &Config) -> [f32; MAX_SEATS] {
        let seats = self.num_seats();
        match (config.mode, self.over) {
            (Mode::Rival, Over::No | Over::Cut) => self.game.stakes.lead(&self.world, seats),
            (_, Over::No | Over::Cut) => {
                let mut potentials = [0.0; MAX_SEATS];
                potentials[..seats].fill(self.game.milestones.potential(&self.world));
                potentials
            }
            _ => [0.0; MAX_SEATS],
        }
    }

    /// Notes the potentials and points of the start.
    pub(crate) fn open_books(&mut self, config: &Config) {
        if config.reward == Reward::Shaped {
            self.potential = self.potentials(config);
        }
        self.paid_turns = self.world.turn();
        for seat in 0..self.num_seats() {
            self.paid[seat] = self.world.score(seat);
        }
    }

    /// Pays every seat for what the last command led to.
    pub(crate) fn pay(&mut self, is_invalid: bool, config: &Config, reward: &mut [f32]) {
        let seats = reward.len();
        match config.mode {
            Mode::Rival => self.pay_rivals(reward),
            Mode::Solo | Mode::Coop => self.pay_team(is_invalid, config, reward),
        }
        if config.reward == Reward::Shaped {
            let now = self.potentials(config);
            for seat in 0..seats {
                reward[seat] += config.gamma * now[seat] - self.potential[seat];
            }
            self.potential = now;
        }
    }

    /// At the end each seat gets the mean over its rivals of 1 for being ahead and -1 for being behind.
    fn pay_rivals(&self, reward: &mut [f32]) {
        if self.over != Over::Settled {
            return;
        }
        let banked = self.game.stakes.banked(&self.world);
        let seats = reward.len();
        for (seat, reward) in reward.iter_mut().enumerate() {
            let ahead =
                (0..seats).map(|o| i32::from(banked[seat] > banked[o]) - i32::from(banked[seat] < banked[o]));
            *reward = ahead.sum::<i32>() as f32 / (seats - 1).max(1) as f32;
        }
    }

    fn pay_team(&mut self, is_invalid: bool, config: &Config, reward: &mut [f32]) {
        let most = f32::from(self.game.story.max_score.max(1));
        let mut gained = 0;
        let seats = self.num_seats();
        for seat in 0..seats {
            let points = self.world.score(seat);
            gained += i32::from(points) - i32::from(self.paid[seat]);
            self.paid[seat] = points;
        }
        let turns = self.world.turn() - self.paid_turns;
        self.paid_turns += turns;
        let mut pay = gained as f32 / most - config.step_penalty * f32::from(turns);
        if is_invalid {
            pay -= config.invalid_penalty;
        }
        if config.loss_penalty && self.over == Over::Lost {
            pay -= 1.0;
        }
        reward.fill(pay);
    }
}
