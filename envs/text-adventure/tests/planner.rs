//! The planner against blind search, and what it says when there is no plan.

mod common;

use agon_text_adventure::{
    Action, Bit, Cond, End, NONE, Pred, Scope, Story, Term, World,
    generate::{Knobs, Quest, benchmark, generate, level},
    planner::{Budget, Goal, NoPlan, Planner, act, plan},
    rules,
};
use rl_gym::Pcg64;
use std::collections::BTreeSet;

const EXACT: Budget = Budget { nodes: 30_000, shortest: true, shorten: false };

/// Length of a shortest plan by looking at every state in the order of its distance; `None` beyond `most` states.
fn blind(story: &Story, goal: &Goal, most: usize) -> Option<usize> {
    let me = story.seats[0];
    let mut seen = BTreeSet::from([story.start.hash()]);
    let (mut level, mut steps, mut listed) = (vec![story.start], 0, Vec::new());
    while !level.is_empty() && seen.len() < most {
        if level.iter().any(|w| goal.is_met(story, w, me)) {
            return Some(steps);
        }
        let mut next = Vec::new();
        for world in &level {
            rules::admissible(story, world, &Scope::of(story, world, me), &mut listed);
            for action in &listed {
                let mut after = *world;
                act(story, &mut after, me, *action).expect("listed");
                if seen.insert(after.hash()) {
                    next.push(after);
                }
            }
        }
        (level, steps) = (next, steps + 1);
    }
    None
}

fn wins(story: &Story, from: &World, actions: &[Action]) -> bool {
    let mut world = *from;
    actions.iter().for_each(|a| act(story, &mut world, story.seats[0], *a).expect("a plan works"));
    Goal::Win.is_met(story, &world, story.seats[0])
}

#[test]
fn the_exact_search_agrees_with_blind_search_and_the_quick_one_is_never_shorter() {
    let mut planner = Planner::default();
    let mut compared = 0;
    let kinds =
        [Quest::Fetch, Quest::Deliver, Quest::Place, Quest::Escort, Quest::Obey, Quest::Trade, Quest::Cook];
    for (i, &quest) in kinds.iter().cycle().take(21).enumerate() {
        let knobs = Knobs {
            rooms: 2 + i as u8 / 7,
            gates: (i % 2) as u8,
            dark: (i % 3 == 0).into(),
            distractors: 0,
            pieces: 1,
            hidden: 30,
            quests: vec![quest],
            ..Knobs::default()
        };
        let game = generate(&knobs, i as u64).expect("a game");
        let story = &game.story;
        let Some(shortest) = blind(story, &Goal::Win, 8_000) else { continue };
        compared += 1;
        let exact = planner.plan(story, &story.start, 0, &Goal::Win, &EXACT).expect("a plan");
        assert_eq!((exact.actions.len(), exact.is_shortest), (shortest, true), "{quest:?} {i}");
        assert!(wins(story, &story.start, &exact.actions));
        assert!(game.plan.len() >= shortest, "{quest:?} {i}: {} < {shortest}", game.plan.len());
        assert!(game.plan.len() <= shortest * 2, "{quest:?} {i}: {} > 2 x {shortest}", game.plan.len());
    }
    assert!(compared >= 10, "only {compared} worlds are small enough for blind search");
}

#[test]
fn it_wins_the_cellar_and_says_when_nothing_leads_there() {
    let (mut story, cast) = common::cellar();
    let found = plan(&story, &story.start, 0, &Budget::default()).expect("a plan");
    assert!(wins(&story, &story.start, &found.actions), "{found:?}");
    // The shortest one is that of `the_cellar_is_won`, by hand.
    let mut planner = Planner::default();
    let budget = Budget { nodes: 200_000, ..EXACT };
    let exact = planner.plan(&story, &story.start, 0, &Goal::Win, &budget).expect("a plan");
    // The lamp burns down by itself, so no length is claimed to be least.
    assert_eq!((exact.actions.len(), exact.is_shortest), (12, false));
    assert!(found.actions.len() <= 14, "{}", found.actions.len());
    let few = Budget { nodes: 1, shortest: true, shorten: false };
    let error = planner.plan(&story, &story.start, 0, &Goal::Win, &few).expect_err("too few");
    assert!(matches!(error, NoPlan::Budget { .. }) && error.to_string().contains("larger budget"), "{error}");
    story.start.place(cast.key, NONE);
    let error = plan(&story, &story.start, 0, &Budget::default()).expect_err("no key");
    assert!(matches!(error, NoPlan::Impossible { .. }), "{error}");
}

#[test]
fn it_plans_for_any_condition_and_from_any_state() {
    let (story, cast) = common::cellar();
    let mut planner = Planner::default();
    let lit = Goal::All(vec![Cond::yes(Pred::Has(Term::Ent(cast.lamp), Bit::On))]);
    let found = planner.plan(&story, &story.start, 0, &lit, &EXACT).expect("a plan");
    assert_eq!(found.actions.len(), 1);
    let below = Goal::All(vec![
        Cond::yes(Pred::At(Term::Me, Term::Ent(cast.cellar))),
        Cond::no(Pred::Has(Term::Ent(cast.door), Bit::Locked)),
    ]);
    let mut world = story.start;
    let mut steps = 0;
    while let Some(action) = planner.next(&story, &world, 0, &below, &Budget::default()).expect("a plan") {
        common::act(&story, &mut world, action).expect("it works");
        steps += 1;
        assert!(steps < 20, "it walks in circles");
    }
    assert_eq!(world.parent(cast.you), cast.cellar);
}

/// Random play of up to `steps` actions.
fn wander(story: &Story, seed: u64, steps: u32) -> World {
    let (mut world, mut rng, mut listed) = (story.start, Pcg64::seed(seed), Vec::new());
    for _ in 0..steps {
        rules::admissible(story, &world, &Scope::of(story, &world, story.seats[0]), &mut listed);
        if listed.is_empty() {
            break;
        }
        let action = listed[rng.below(listed.len() as u32) as usize];
        let mut next = world;
        act(story, &mut next, story.seats[0], action).expect("listed");
        if next.end() != End::Open {
            break;
        }
        world = next;
    }
    world
}

#[test]
fn games_without_dead_ends_can_be_won_after_anything() {
    let mut planner = Planner::default();
    for n in (2..=20).step_by(2) {
        for seed in benchmark(n).take(3) {
            let game = generate(&level(n), seed).expect("a game");
            for prefix in 0..6 {
                let world = wander(&game.story, prefix, 20 + 40 * prefix as u32);
                let found = planner.plan(&game.story, &world, 0, &Goal::Win, &Budget::default());
                let found = found.unwrap_or_else(|e| panic!("level {n}, seed {seed}, prefix {prefix}: {e}"));
                assert!(wins(&game.story, &world, &found.actions));
            }
        }
    }
}

#[test]
#[ignore = "30,000 prefixes of games: cargo test --release -p agon-text-adventure --test planner -- --ignored"]
fn games_without_dead_ends_can_be_won_after_anything_at_length() {
    let mut planner = Planner::default();
    let (mut failed, mut tried) = (Vec::new(), 0);
    for n in 1..=30 {
        for seed in benchmark(n).take(10) {
            let game = generate(&Knobs { dead_end_free: true, ..level(n) }, seed).expect("a game");
            for prefix in 0..100 {
                let world = wander(&game.story, prefix, 10 + 4 * prefix as u32);
                tried += 1;
                if let Err(e) = planner.plan(&game.story, &world, 0, &Goal::Win, &Budget::default()) {
                    failed.push(format!("level {n}, seed {seed}, prefix {prefix}, {:?}: {e}", game.quests));
                }
            }
        }
    }
    assert!(failed.is_empty(), "{} of {tried} failed: {failed:#?}", failed.len());
}
