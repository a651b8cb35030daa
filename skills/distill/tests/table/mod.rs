//! Plays real games with their own players, and lets a skill decide where it applies.

#![allow(dead_code, unreachable_pub, reason = "each test uses a part of it")]

use agon_skill::{Seed, Seeds, Train};
use agon_skill_distill::{Candidate, Rollouts};
use agon_skill_runtime::{Decision, Machine, Prepared};
use rl_gym::{
    Autoreset, BatchConfig, BatchEnv, Bits, Decisions, Flags, Game, LaneReset, Options, Policy, Spec, VecEnv,
};
use std::sync::Arc;

/// What is seen of an episode.
pub enum Seen<'a> {
    /// A seat saw this, could do this, and did this.
    Decision(usize, &'a [u8], Bits<'a>, u32),
    /// A seat got this since its last decision.
    Reward(usize, f32),
    /// A seat saw this at the end, and has this score.
    End(usize, &'a [u8], f64),
}

/// Decides in place of a seat's player, or leaves it to it.
pub type Decide<'a> = &'a mut dyn FnMut(usize, &[u8], Bits<'_>) -> Option<u32>;

/// A configured game with a player for each seat.
pub struct Table {
    pub game: Game,
    pub options: Options,
    pub spec: Spec,
    pub bots: Vec<&'static str>,
}

impl Table {
    pub fn new(game: Game, options: &[(&str, &str)], bots: &[&'static str]) -> Self {
        let options = game.resolve(options.iter().copied()).expect("they are known");
        let spec = (game.make)(&options).expect("it can be made").spec().clone();
        Self { game, options, spec, bots: bots.to_vec() }
    }

    pub fn solo(level: &'static str, bot: &'static str) -> Self {
        let advice = if bot == "planner" { "on" } else { "off" };
        let options =
            [("mode", "solo"), ("level", level), ("fold", "train"), ("games", "0"), ("advice", advice)];
        Self::new(agon_text_adventure::game(), &options, &[bot])
    }

    pub fn bot(&self, seat: usize) -> &'static str {
        self.bots[seat % self.bots.len()]
    }

    /// Plays one episode.
    pub fn play(&self, seed: Seed<Train>, decide: Decide<'_>, see: &mut dyn FnMut(Seen<'_>)) {
        let config = BatchConfig { autoreset: Autoreset::Disabled, ..BatchConfig::lanes(1) };
        let mut env = VecEnv::new(&self.game.factory(self.options.clone()), config).expect("it can be made");
        let seats = self.spec.seats;
        let make = |seat: usize| {
            let bot = self.game.bots.iter().find(|b| b.name == self.bot(seat)).expect("it is known");
            (bot.make)(&self.spec)
        };
        let mut policies: Vec<Box<dyn Policy>> = (0..seats).map(make).collect();
        env.reset_lanes(&[LaneReset { lane: 0, seed: Some(seed.episode()) }]);
        let mut rngs: Vec<_> = (0..seats as u32).map(|seat| seed.rng(seat)).collect();
        (0..seats).for_each(|seat| policies[seat].begin(seat, seat));
        let mut returns = vec![0.0_f64; seats];
        while (0..seats).any(|s| env.view().flags(s).contains(Flags::TO_ACT)) {
            for seat in
                (0..seats).filter(|s| env.view().flags(*s).contains(Flags::TO_ACT)).collect::<Vec<_>>()
            {
                let (batch, mut actions) = env.parts();
                match decide(seat, batch.obs(seat), batch.mask(seat)) {
                    Some(action) => actions.set(seat, action),
                    None => {
                        let (rows, mut given_up) = ([seat as u32], Vec::new());
                        let mut ask =
                            Decisions::new(batch, actions.reborrow(), &rows, &mut rngs, &mut given_up);
                        policies[seat].act(&mut ask).expect("it decides");
                    }
                }
                let action = u32::from_ne_bytes(actions.row_mut(seat).try_into().expect("an index"));
                see(Seen::Decision(seat, batch.obs(seat), batch.mask(seat), action));
            }
            env.step();
            for (seat, sum) in returns.iter_mut().enumerate() {
                *sum += f64::from(env.view().reward(seat));
                see(Seen::Reward(seat, env.view().reward(seat)));
            }
        }
        let ranks: Vec<u8> = env.view().finals().map(|(end, _)| end.rank).collect();
        for (end, obs) in env.view().finals() {
            let seat = end.seat as usize;
            // Alone the return, else the share of the others that are left behind, ties as halves.
            let behind =
                |rank: &u8| if *rank > end.rank { 1.0 } else { f64::from(u8::from(*rank == end.rank)) / 2.0 };
            let score = match seats {
                1 => returns[0].clamp(0.0, 1.0),
                _ => (ranks.iter().map(behind).sum::<f64>() - 0.5) / (seats - 1) as f64,
            };
            see(Seen::End(seat, obs, score));
        }
    }

    /// Rollouts of every seat over some train seeds.
    pub fn rollouts(&self, root: u64, episodes: u32) -> Rollouts {
        let mut rollouts = Rollouts::new(&self.game, &self.spec).expect("it has words");
        for seed in Seeds::<Train>::new(root, 0).range(0, episodes) {
            let begin = |s: usize| rollouts.begin(seed.number().into(), seed, s, self.bot(s));
            let traces: Vec<_> = (0..self.spec.seats).map(begin).collect();
            self.play(seed, &mut |_, _, _| None, &mut |seen| match seen {
                Seen::Decision(seat, obs, mask, action) => {
                    rollouts.decision(traces[seat], obs, mask, action).expect("legal");
                }
                Seen::Reward(seat, reward) => rollouts.reward(traces[seat], reward).expect("finite"),
                Seen::End(seat, obs, score) => rollouts.end(traces[seat], Some(obs), score).expect("open"),
            });
        }
        rollouts
    }

    /// Mean score of seat 0 over train seeds, and uses of the skill by seat 0: those that brought about their effect, and
    /// all. The skill decides wherever it applies, at most `most` times an episode.
    pub fn with_skill(
        &self,
        skill: Option<&Candidate>,
        root: u64,
        episodes: u32,
        most: u32,
    ) -> (f64, u32, u32) {
        let words = (self.game.vocabulary.expect("it has words"))(&self.spec);
        let prepared = skill.map(|c| {
            Arc::new(Prepared::new(c.skill.clone(), &self.game.id(), words.clone()).expect("it fits"))
        });
        let (mut score, mut good, mut uses) = (0.0, 0, 0);
        let mut machine = prepared.clone().map(Machine::new);
        for seed in Seeds::<Train>::new(root, 0).range(0, episodes) {
            let (mut left, mut start, mut is_running) = (most, Vec::<f32>::new(), false);
            if let Some(machine) = &mut machine {
                machine.end();
            }
            let mut decide = |seat: usize, obs: &[u8], mask: Bits<'_>| {
                let (Some(machine), Some(prepared)) = (&mut machine, &prepared) else { return None };
                if seat != 0 {
                    return None;
                }
                for _ in 0..2 {
                    if !machine.is_running() {
                        let args = prepared.defaults();
                        if left == 0 || !prepared.applies(|f| words.fact(obs, f), &args) {
                            return None;
                        }
                        left -= 1;
                        uses += 1;
                        start.resize(words.facts().len(), 0.0);
                        words.read(obs, &mut start);
                        machine.begin(&args, seed.rng(9)).expect("it loads");
                    }
                    match machine.decide(obs, mask) {
                        Decision::Act(action) => {
                            is_running = true;
                            return Some(action);
                        }
                        // It may begin anew at once.
                        Decision::Done => (good, is_running) = (good + 1, false),
                        Decision::Aborted(_) => {
                            is_running = false;
                            return None;
                        }
                    }
                }
                is_running = false;
                None
            };
            let mut last = (Vec::new(), 0.0);
            self.play(seed, &mut decide, &mut |seen| {
                if let Seen::End(0, obs, s) = seen {
                    last = (obs.to_vec(), s);
                }
            });
            // The episode may end with what the skill was to bring about.
            if let Some(prepared) = prepared.as_ref().filter(|p| is_running && p.has_effect()) {
                let now = |f| words.fact(&last.0, f);
                good += u32::from(prepared.is_done(now, |i| start[i], &prepared.defaults()));
            }
            score += last.1;
        }
        (score / f64::from(episodes), good, uses)
    }
}
