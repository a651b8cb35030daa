//! What arguments are bound to: the one of before, a constant, or a parameter; and code that binds them works.

#![allow(clippy::print_stdout, reason = "`--nocapture` shows the code that was found")]

use agon_skill::{ParamKind, Seed, Seeds, Train};
use agon_skill_distill::{Bound, Candidate, Config, Rollouts, distill};
use agon_skill_runtime::{Decision, Machine, Prepared};
use rl_gym::{
    Bits, Pcg64,
    vocabulary::{Fact, Kind, Term, Verb, Vocabulary},
};
use std::sync::Arc;

const DOORS: u32 = 6;
const DIGITS: u32 = 10;
const ACTIONS: usize = (2 * DOORS + DIGITS + 2) as usize;

/// Doors that are unlocked before they open, and a telephone that is dialled before one talks.
struct Office;

impl Vocabulary for Office {
    fn version(&self) -> u32 {
        1
    }
    fn facts(&self) -> &'static [Fact] {
        const {
            &[
                Fact::number("opened", 0.0, 255.0, "doors opened"),
                Fact::number("calls", 0.0, 255.0, "calls made"),
                Fact::holds("unlocked", "a door is unlocked"),
                Fact::holds("dialled", "a digit is dialled"),
                Fact::holds("idle", "waited an odd number of times"),
            ]
        }
    }
    fn fact(&self, obs: &[u8], fact: usize) -> f32 {
        f32::from(obs[fact])
    }
    fn verbs(&self) -> &'static [Verb] {
        const {
            &[
                Verb { name: "unlock", args: &[0] },
                Verb { name: "open", args: &[0] },
                Verb { name: "dial", args: &[1] },
                Verb { name: "talk", args: &[] },
                Verb { name: "wait", args: &[] },
            ]
        }
    }
    fn kinds(&self) -> &'static [Kind] {
        const {
            &[
                Kind { name: "door", features: &[Fact::holds("is_red", "a red door")] },
                Kind { name: "digit", features: &[] },
            ]
        }
    }
    fn term(&self, _: &[u8], action: u32) -> Option<Term> {
        let (verb, arg) = match action {
            a if a < DOORS => (0, a),
            a if a < 2 * DOORS => (1, a - DOORS),
            a if a < 2 * DOORS + DIGITS => (2, a - 2 * DOORS),
            a if a == 2 * DOORS + DIGITS => (3, 0),
            a if (a as usize) < ACTIONS => (4, 0),
            _ => return None,
        };
        Some(Term { verb, args: [arg as u16, 0, 0] })
    }
    fn feature(&self, obs: &[u8], _: usize, arg: u16, _: usize) -> f32 {
        f32::from(obs[5 + usize::from(arg)])
    }
}

struct World {
    obs: Vec<u8>,
    door: Option<u32>,
    digit: Option<u32>,
}

impl World {
    fn new(rng: &mut Pcg64) -> Self {
        let mut obs = vec![0; 5];
        obs.extend((0..DOORS).map(|_| rng.below(2) as u8));
        Self { obs, door: None, digit: None }
    }

    fn step(&mut self, action: u32) -> f32 {
        let term = Office.term(&self.obs, action).expect("it has words");
        let arg = u32::from(term.args[0]);
        let mut reward = 0.0;
        match term.verb {
            0 => self.door = Some(arg),
            1 if self.door == Some(arg) => {
                self.obs[0] += 1;
                self.door = None;
                reward = 0.05;
            }
            2 => self.digit = Some(arg),
            3 if self.digit.is_some() => {
                self.obs[1] += 1;
                self.digit = None;
                reward = 0.05;
            }
            4 => self.obs[4] ^= 1,
            _ => {}
        }
        self.obs[2] = u8::from(self.door.is_some());
        self.obs[3] = u8::from(self.digit.is_some());
        reward
    }
}

/// A player that waits, and then opens some door or makes some call, whose digit `dial` gives.
fn rollouts(dial: impl Fn(&mut Pcg64) -> u32) -> Rollouts {
    let mut rollouts = Rollouts::in_words("office-v1", Arc::new(Office));
    let mask = [(1_u64 << ACTIONS) - 1];
    for seed in Seeds::<Train>::new(5, 0).range(0, 40) {
        let mut rng = seed.rng(0);
        let mut world = World::new(&mut rng);
        let id = rollouts.begin(seed.number().into(), seed, 0, "clerk");
        for _ in 0..10 {
            let mut plan = vec![ACTIONS as u32 - 1; 1 + rng.below(4) as usize];
            if rng.below(2) == 0 {
                let door = rng.below(DOORS);
                plan.extend([door, door + DOORS]);
            } else {
                plan.extend([2 * DOORS + dial(&mut rng), 2 * DOORS + DIGITS]);
            }
            for action in plan {
                rollouts.decision(id, &world.obs, Bits::new(&mask, ACTIONS), action).expect("legal");
                rollouts.reward(id, world.step(action)).expect("finite");
            }
        }
        rollouts.end(id, Some(&world.obs), 0.5).expect("open");
    }
    rollouts
}

fn find<'a>(found: &'a [Candidate], verbs: &[&str]) -> &'a Candidate {
    let is_it = |c: &&Candidate| c.ir.selectors().iter().map(|s| s.verb.as_str()).eq(verbs.iter().copied());
    found.iter().find(is_it).unwrap_or_else(|| panic!("no {verbs:?}"))
}

/// One use in a fresh world: what it did, and how it ended.
fn run(candidate: &Candidate, args: &[f32], seed: Seed<Train>) -> (Vec<u32>, Decision) {
    let prepared = Prepared::new(candidate.skill.clone(), "office-v1", Arc::new(Office)).expect("it fits");
    let mut machine = Machine::new(Arc::new(prepared));
    let mut world = World::new(&mut seed.rng(0));
    machine.begin(args, seed.rng(1)).expect("it loads");
    let mut done = Vec::new();
    loop {
        match machine.decide(&world.obs, Bits::new(&[(1 << ACTIONS) - 1], ACTIONS)) {
            Decision::Act(action) => {
                done.push(action);
                world.step(action);
            }
            end => return (done, end),
        }
    }
}

#[test]
fn the_same_argument_comes_back_as_a_variable() {
    let found = distill(&rollouts(|rng| rng.below(DIGITS)), &Config::default()).expect("it can be mined");
    let open = find(&found.candidates, &["unlock", "open"]);
    println!("{}", open.skill.code);
    assert_eq!(open.ir.selectors()[1].args, [Bound::Same("door".into())]);
    assert!(open.skill.code.contains("local door = ctx.arg(unlock, 1)"));
    assert!(open.skill.code.contains("ctx.find(\"open\", door)"));
    for seed in Seeds::<Train>::new(6, 0).range(0, 20) {
        let (done, end) = run(open, &[], seed);
        assert_eq!((done.len(), end), (2, Decision::Done));
        assert_eq!(done[1], done[0] + DOORS);
    }
}

#[test]
fn what_nothing_tells_becomes_a_parameter() {
    let found = distill(&rollouts(|rng| rng.below(DIGITS)), &Config::default()).expect("it can be mined");
    let call = find(&found.candidates, &["dial", "talk"]);
    println!("{}", call.skill.code);
    let [param] = &call.skill.params[..] else { panic!("{:?}", call.skill.params) };
    assert_eq!((param.name.as_str(), &param.kind), ("digit", &ParamKind::Arg("digit".into())));
    assert_eq!(call.ir.selectors()[0].args, [Bound::Param("digit".into())]);
    let seed = Seeds::<Train>::new(6, 0).get(0);
    for digit in 0..DIGITS {
        let (done, end) = run(call, &[digit as f32], seed);
        assert_eq!((done[0], end), (2 * DOORS + digit, Decision::Done));
    }
}

#[test]
fn what_is_always_the_same_is_a_constant() {
    let found = distill(&rollouts(|_| 7), &Config::default()).expect("it can be mined");
    let call = find(&found.candidates, &["dial", "talk"]);
    println!("{}", call.skill.code);
    assert_eq!(call.skill.params, []);
    assert_eq!(call.ir.selectors()[0].args, [Bound::Constant(7)]);
    assert!(call.skill.code.contains("ctx.find(\"dial\", 7)"));
    let (done, end) = run(call, &[], Seeds::<Train>::new(6, 0).get(0));
    assert_eq!((done, end), (vec![2 * DOORS + 7, 2 * DOORS + DIGITS], Decision::Done));
}
