//! Rollouts that are empty, broken or odd give errors that say so, never panics.

mod common;

use agon_skill::{Seeds, Train};
use agon_skill_distill::{
    Config, DistillError, PickConfig, PolicyConfig, Rollouts, distill, pick_rules, policy,
};
use common::{ACTIONS, GAME, Who, Words, World};
use rl_gym::{
    Bits,
    vocabulary::{Fact, Kind, Term, Verb, Vocabulary},
};
use std::sync::Arc;

fn empty() -> Rollouts {
    Rollouts::in_words(GAME, Arc::new(Words))
}

fn text<T: std::fmt::Debug>(result: Result<T, DistillError>) -> String {
    result.expect_err("an error").to_string()
}

#[test]
fn nothing_to_mine_is_an_error() {
    let config = Config::default();
    let mut rollouts = empty();
    let seed = Seeds::<Train>::new(0, 0).get(0);
    let what = "no trace of larder-v1 has ended with a decision in it: play episodes to their end first";
    assert_eq!(text(distill(&rollouts, &config)), what);
    let id = rollouts.begin(0, seed, 0, "nobody");
    assert_eq!(text(distill(&rollouts, &config)), what);
    rollouts.end(id, None, 0.0).expect("open");
    assert_eq!(text(distill(&rollouts, &config)), what);
    assert_eq!(text(pick_rules(&rollouts, &PickConfig::default(), &config)), what);
    assert_eq!(text(policy(&rollouts, &PolicyConfig::default(), &config)), what);
    let nobody = PickConfig { player: Some("somebody".into()), ..PickConfig::default() };
    common::add(&mut rollouts, Who::Random, 0, 2);
    assert_eq!(text(pick_rules(&rollouts, &nobody, &config)), what);
}

#[test]
fn few_or_short_traces_give_nothing_and_no_panic() {
    let config = Config::default();
    for steps in 0..4 {
        let mut rollouts = empty();
        for seed in Seeds::<Train>::new(0, 0).range(0, 3) {
            let mut world = World::new(seed.rng(0));
            let id = rollouts.begin(seed.number().into(), seed, 0, "short");
            for _ in 0..=steps {
                rollouts.decision(id, &world.obs(), Bits::new(&[world.mask()], ACTIONS), 15).expect("legal");
                world.step(15);
            }
            // Nobody saw the end.
            rollouts.end(id, None, 0.5).expect("open");
        }
        let found = distill(&rollouts, &config).expect("it can be mined");
        assert_eq!((found.candidates.len(), found.summary.rewarded), (0, 0));
        assert_eq!(pick_rules(&rollouts, &PickConfig::default(), &config).expect("it can be fitted"), []);
        policy(&rollouts, &PolicyConfig::default(), &config).expect("it can be fitted");
    }
}

#[test]
fn bad_numbers_and_order_are_refused() {
    let mut rollouts = empty();
    let seed = Seeds::<Train>::new(0, 0).get(0);
    let world = World::new(seed.rng(0));
    let id = rollouts.begin(0, seed, 0, "x");
    let mask = [world.mask()];
    let mask = Bits::new(&mask, ACTIONS);
    let closed = (0..ACTIONS as u32).find(|a| !mask.get(*a as usize)).expect("something is not legal");
    assert_eq!(
        text(rollouts.decision(id, &world.obs(), mask, closed)),
        format!("action {closed} of decision 0 is not legal there: give the mask of the same decision")
    );
    assert_eq!(text(rollouts.reward(id, f32::NAN)), "a reward is NaN: a reward is a finite number");
    assert_eq!(text(rollouts.end(id, None, 1.5)), "a score is 1.5: a score is a share from 0 to 1");
    assert_eq!(text(rollouts.end(id, None, f64::NAN)), "a score is NaN: a score is a share from 0 to 1");
    rollouts.decision(id, &world.obs(), mask, 15).expect("waiting is legal");
    rollouts.end(id, None, 1.0).expect("open");
    let closed = "trace 0 is not open: begin it, and end it once";
    assert_eq!(text(rollouts.end(id, None, 1.0)), closed);
    assert_eq!(text(rollouts.decision(id, &world.obs(), mask, 15)), closed);
    assert_eq!(text(rollouts.reward(id, 0.0)), closed);
    let other = Rollouts::in_words("other-v1", Arc::new(Words));
    assert!(text(rollouts.absorb(other)).contains("keep games apart"));
}

/// Words whose fact is no number.
struct Broken;

impl Vocabulary for Broken {
    fn version(&self) -> u32 {
        1
    }
    fn facts(&self) -> &'static [Fact] {
        const { &[Fact::holds("odd", "no number")] }
    }
    fn fact(&self, obs: &[u8], _: usize) -> f32 {
        if obs[0] == 0 { f32::NAN } else { 0.0 }
    }
    fn verbs(&self) -> &'static [Verb] {
        const { &[Verb { name: "do", args: &[0] }] }
    }
    fn kinds(&self) -> &'static [Kind] {
        const { &[Kind { name: "it", features: &[Fact::holds("end", "a word of the language")] }] }
    }
    fn term(&self, _: &[u8], action: u32) -> Option<Term> {
        Some(Term { verb: 0, args: [action as u16, 0, 0] })
    }
    fn feature(&self, obs: &[u8], _: usize, arg: u16, _: usize) -> f32 {
        if obs[0] == 1 { f32::INFINITY } else { f32::from(arg % 2) }
    }
}

#[test]
fn words_that_give_no_numbers_are_named() {
    let mut rollouts = Rollouts::in_words("broken-v1", Arc::new(Broken));
    let id = rollouts.begin(0, Seeds::<Train>::new(0, 0).get(0), 0, "x");
    let mask = Bits::new(&[0xff], 8);
    assert!(text(rollouts.decision(id, &[0], mask, 1)).starts_with("fact odd is NaN"));
    assert!(text(rollouts.decision(id, &[1], mask, 1)).starts_with("feature end of a it is inf"));
    rollouts.decision(id, &[2], mask, 1).expect("these are numbers");
}

#[test]
fn words_of_the_language_as_names_print_as_code_that_loads() {
    let mut rollouts = Rollouts::in_words("broken-v1", Arc::new(Broken));
    for seed in Seeds::<Train>::new(0, 0).range(0, 40) {
        let id = rollouts.begin(seed.number().into(), seed, 0, "x");
        let mut rng = seed.rng(0);
        for _ in 0..5 {
            // Always an odd one.
            rollouts.decision(id, &[2], Bits::new(&[0xff], 8), rng.below(4) * 2 + 1).expect("legal");
        }
        rollouts.end(id, Some(&[2]), 0.5).expect("open");
    }
    let found = pick_rules(&rollouts, &PickConfig::default(), &Config::default()).expect("it can be fitted");
    assert_eq!(found.len(), 1);
    assert!(
        found[0].skill.code.contains("local do_it = ctx.best(\"do\", \"end\")"),
        "{}",
        found[0].skill.code
    );
}
