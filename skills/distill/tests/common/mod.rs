//! A toy game with its words: rooms with chests, treasure and pebbles, and players with and without a planted routine.

#![allow(dead_code, unreachable_pub, reason = "each test uses a part of it")]

use agon_skill::{Seeds, Train};
use agon_skill_distill::{Candidate, Rollouts};
use agon_skill_runtime::{Abort, Decision, Machine, Prepared};
use rl_gym::{
    Bits, Pcg64,
    vocabulary::{Fact, Kind, Term, Verb, Vocabulary},
};
use std::sync::Arc;

pub const GAME: &str = "larder-v1";
pub const ACTIONS: usize = 17;
const THINGS: usize = 6;
const WAYS: usize = 3;
const WAIT: u32 = 15;
const SHOUT: u32 = 16;

/// The words of the toy game.
pub struct Words;

const FACTS: &[Fact] = &[
    Fact::number("gold", 0.0, 255.0, "worth of all that was taken"),
    Fact::number("turn", 0.0, 255.0, "decisions so far"),
    Fact::holds("chest_here", "a closed chest is in sight"),
    Fact::holds("treasure_here", "a treasure is in sight"),
    Fact::holds("rested", "waited an odd number of times"),
    Fact::holds("loud", "shouted an odd number of times"),
    Fact::number("pebbles", 0.0, 255.0, "pebbles that were taken"),
];
const VERBS: &[Verb] = &[
    Verb { name: "go", args: &[1] },
    Verb { name: "open", args: &[0] },
    Verb { name: "take", args: &[0] },
    Verb { name: "wait", args: &[] },
    Verb { name: "shout", args: &[] },
];
const KINDS: &[Kind] = &[
    Kind {
        name: "thing",
        features: &[
            Fact::holds("is_chest", "a chest"),
            Fact::holds("is_closed", "a closed chest"),
            Fact::number("worth", 0.0, 9.0, "value of a treasure"),
            Fact::number("size", 0.0, 9.0, "how large it is"),
        ],
    },
    Kind {
        name: "way",
        features: &[
            Fact::holds("is_new", "leads where nobody was"),
            Fact::number("steps", 0.0, 9.0, "how far it leads"),
        ],
    },
];

impl Vocabulary for Words {
    fn version(&self) -> u32 {
        1
    }
    fn facts(&self) -> &'static [Fact] {
        FACTS
    }
    fn fact(&self, obs: &[u8], fact: usize) -> f32 {
        f32::from(obs[fact])
    }
    fn verbs(&self) -> &'static [Verb] {
        VERBS
    }
    fn kinds(&self) -> &'static [Kind] {
        KINDS
    }
    fn term(&self, _: &[u8], action: u32) -> Option<Term> {
        let (verb, arg) = match action {
            0..=2 => (0, action),
            3..=8 => (1, action - 3),
            9..=14 => (2, action - 9),
            15 => (3, 0),
            16 => (4, 0),
            _ => return None,
        };
        Some(Term { verb, args: [arg as u16, 0, 0] })
    }
    fn feature(&self, obs: &[u8], kind: usize, arg: u16, feature: usize) -> f32 {
        let row = match kind {
            0 => 7 + usize::from(arg) * 4,
            _ => 7 + THINGS * 4 + usize::from(arg) * 2,
        };
        f32::from(obs[row + feature])
    }
}

#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct Thing {
    /// 0 nothing, 1 pebble, 2 closed chest, 3 open chest, 4 treasure.
    what: u8,
    worth: u8,
    size: u8,
}

/// The toy game.
#[derive(Clone)]
pub struct World {
    pub gold: u8,
    turn: u8,
    rested: bool,
    loud: bool,
    pebbles: u8,
    things: [Thing; THINGS],
    /// Present, new, steps.
    ways: [(bool, bool, u8); WAYS],
    rng: Pcg64,
}

impl World {
    pub fn new(rng: Pcg64) -> Self {
        let mut world = Self {
            gold: 0,
            turn: 0,
            rested: false,
            loud: false,
            pebbles: 0,
            things: Default::default(),
            ways: Default::default(),
            rng,
        };
        world.enter(false);
        world
    }

    fn free_row(&mut self) -> usize {
        loop {
            let row = self.rng.below(THINGS as u32) as usize;
            if self.things[row].what == 0 {
                return row;
            }
        }
    }

    fn enter(&mut self, is_new: bool) {
        self.things = Default::default();
        for _ in 0..self.rng.below(3) {
            let row = self.free_row();
            self.things[row] = Thing { what: 1, worth: 0, size: 1 + self.rng.below(3) as u8 };
        }
        if is_new && self.rng.unit() < 0.4 {
            let row = self.free_row();
            self.things[row] = Thing { what: 2, worth: 0, size: 9 };
        }
        for way in 0..WAYS {
            let steps = 1 + self.rng.below(9) as u8;
            self.ways[way] = (self.rng.unit() < 0.7, self.rng.unit() < 0.5, steps);
        }
        // There is always a way on, and one that is new.
        let way = self.rng.below(WAYS as u32) as usize;
        self.ways[way].0 = true;
        self.ways[way].1 = true;
    }

    pub fn obs(&self) -> Vec<u8> {
        let has = |what: u8| u8::from(self.things.iter().any(|t| t.what == what));
        let mut obs = vec![
            self.gold,
            self.turn,
            has(2),
            has(4),
            u8::from(self.rested),
            u8::from(self.loud),
            self.pebbles,
        ];
        for t in &self.things {
            obs.extend([u8::from(matches!(t.what, 2 | 3)), u8::from(t.what == 2), t.worth, t.size]);
        }
        for (_, is_new, steps) in &self.ways {
            obs.extend([u8::from(*is_new), *steps]);
        }
        obs
    }

    pub fn mask(&self) -> u64 {
        let mut mask = 1 << WAIT | 1 << SHOUT;
        for way in 0..WAYS {
            mask |= u64::from(self.ways[way].0) << way;
        }
        for (row, t) in self.things.iter().enumerate() {
            mask |= u64::from(t.what == 2) << (3 + row);
            mask |= u64::from(matches!(t.what, 1 | 4)) << (9 + row);
        }
        mask
    }

    /// Carries out a legal action; gives its reward.
    pub fn step(&mut self, action: u32) -> f32 {
        assert!(self.mask() >> action & 1 == 1, "action {action} is not legal");
        self.turn = self.turn.saturating_add(1);
        match action {
            0..=2 => {
                let is_new = self.ways[action as usize].1;
                self.enter(is_new);
            }
            3..=8 => {
                self.things[action as usize - 3].what = 3;
                for _ in 0..2 {
                    let row = self.free_row();
                    let (worth, size) = (1 + self.rng.below(9) as u8, 1 + self.rng.below(9) as u8);
                    self.things[row] = Thing { what: 4, worth, size };
                }
            }
            9..=14 => {
                let thing = std::mem::take(&mut self.things[action as usize - 9]);
                self.gold = self.gold.saturating_add(thing.worth);
                self.pebbles = self.pebbles.saturating_add(u8::from(thing.what == 1));
                return f32::from(thing.worth) / 100.0;
            }
            WAIT => self.rested = !self.rested,
            _ => self.loud = !self.loud,
        }
        0.0
    }

    /// Something without aim.
    pub fn noise(&self, rng: &mut Pcg64) -> u32 {
        let legal: Vec<u32> = (0..ACTIONS as u32).filter(|a| self.mask() >> a & 1 == 1).collect();
        let idle: Vec<u32> = legal.iter().copied().filter(|a| !(3..9).contains(a)).collect();
        let idle: Vec<u32> = idle
            .into_iter()
            .filter(|a| !(9..15).contains(a) || self.things[*a as usize - 9].what == 1)
            .collect();
        match rng.below(4) {
            0 => WAIT,
            1 => SHOUT,
            _ => idle[rng.below(idle.len() as u32) as usize],
        }
    }

    /// The planted routine: on along new ways to a chest, open it, take what has most worth.
    pub fn planted(&self) -> Option<u32> {
        let closed = self.things.iter().position(|t| t.what == 2);
        let treasure: Vec<u8> = self.things.iter().map(|t| if t.what == 4 { t.worth } else { 0 }).collect();
        let best = treasure.iter().copied().max().filter(|w| *w > 0);
        if let Some(best) = best {
            return treasure.iter().position(|w| *w == best).map(|row| row as u32 + 9);
        }
        if let Some(row) = closed {
            return Some(row as u32 + 3);
        }
        (0..WAYS).find(|w| self.ways[*w].0 && self.ways[*w].1).map(|w| w as u32)
    }
}

/// Who plays.
#[derive(Clone, Copy, PartialEq)]
pub enum Who {
    /// Noise of random length, then the routine, again and again.
    Planted,
    /// Anything legal.
    Random,
    /// The routine at every decision.
    Greedy,
}

/// Episodes of `who` on train seeds.
pub fn rollouts(who: Who, root: u64, episodes: u32) -> Rollouts {
    let mut rollouts = Rollouts::in_words(GAME, Arc::new(Words));
    add(&mut rollouts, who, root, episodes);
    rollouts
}

pub fn add(rollouts: &mut Rollouts, who: Who, root: u64, episodes: u32) {
    for seed in Seeds::<Train>::new(root, 0).range(0, episodes) {
        let (mut world, mut rng) = (World::new(seed.rng(0)), seed.rng(1));
        let id = rollouts.begin(
            seed.number().into(),
            seed,
            0,
            if who == Who::Random { "random" } else { "planted" },
        );
        let length = 40 + rng.below(40);
        let mut noise = rng.below(6);
        let mut took = false;
        for _ in 0..length {
            let action = match who {
                Who::Random => {
                    let legal: Vec<u32> =
                        (0..ACTIONS as u32).filter(|a| world.mask() >> a & 1 == 1).collect();
                    legal[rng.below(legal.len() as u32) as usize]
                }
                Who::Greedy => world.planted().unwrap_or(WAIT),
                Who::Planted if noise > 0 => {
                    noise -= 1;
                    world.noise(&mut rng)
                }
                Who::Planted => {
                    let action = world.planted().unwrap_or(WAIT);
                    took = (9..15).contains(&action);
                    action
                }
            };
            rollouts.decision(id, &world.obs(), Bits::new(&[world.mask()], ACTIONS), action).expect("legal");
            let reward = world.step(action);
            rollouts.reward(id, reward).expect("finite");
            if std::mem::take(&mut took) {
                noise = 1 + rng.below(6);
                // The rest of the treasure is left behind.
                world.enter(false);
            }
        }
        let score = f64::from(world.gold).min(100.0) / 100.0;
        rollouts.end(id, Some(&world.obs()), score).expect("open");
    }
}

/// A skill, checked against the toy game.
pub fn prepared(candidate: &Candidate) -> Arc<Prepared> {
    Arc::new(Prepared::new(candidate.skill.clone(), GAME, Arc::new(Words)).expect("it fits"))
}

/// Uses of a skill on fresh worlds, each begun where it applies after some noise: successes, uses, and why others ended.
pub fn try_out(candidate: &Candidate, root: u64, worlds: u32) -> (usize, usize, Vec<Abort>) {
    let prepared = prepared(candidate);
    let mut machine = Machine::new(prepared.clone());
    let args = prepared.defaults();
    let (mut successes, mut uses, mut aborts) = (0, 0, Vec::new());
    for seed in Seeds::<Train>::new(root, 1).range(0, worlds) {
        let (mut world, mut rng) = (World::new(seed.rng(0)), seed.rng(1));
        for _ in 0..60 {
            let obs = world.obs();
            if prepared.applies(|f| Words.fact(&obs, f), &args) {
                break;
            }
            let action = world.noise(&mut rng);
            world.step(action);
        }
        let obs = world.obs();
        if !prepared.applies(|f| Words.fact(&obs, f), &args) {
            continue;
        }
        uses += 1;
        machine.begin(&args, seed.rng(2)).expect("it loads");
        loop {
            match machine.decide(&world.obs(), Bits::new(&[world.mask()], ACTIONS)) {
                Decision::Act(action) => _ = world.step(action),
                Decision::Done => {
                    successes += 1;
                    break;
                }
                Decision::Aborted(abort) => {
                    aborts.push(abort);
                    break;
                }
            }
        }
    }
    (successes, uses, aborts)
}
