//! What an episode pays.

use crate::{
    common::cellar,
    fixture::{arena_env, typed},
    stage::Stage,
};
use agon_text_adventure::{Action, Dir, Over, TextAdventure, Verb};
use rl_gym::Pcg64;

/// The way through the cellar.
fn walk(stage: &Stage) -> Vec<Action> {
    let (_, c) = cellar();
    let rock = stage.env.state().world().parent(c.salt);
    vec![
        Action::on(Verb::Open, c.door + 1),
        Action::on(Verb::Take, c.key),
        Action::on(Verb::Take, c.lamp),
        Action::on(Verb::Light, c.lamp),
        Action::with(Verb::Unlock, c.door, c.key),
        Action::on(Verb::Open, c.door),
        Action::go(Dir::Down),
        Action::on(Verb::Search, rock),
        Action::on(Verb::Take, c.salt),
        Action::go(Dir::Up),
        Action::go(Dir::East),
        Action::with(Verb::Give, c.salt, c.cook),
    ]
}

fn solo(given: &[(&str, &str)]) -> Stage {
    let all: Vec<_> = [("mode", "solo")].iter().chain(given).copied().collect();
    Stage::new(TextAdventure::of_story(&typed(&all), cellar().0, None).expect("an environment"), 1)
}

#[test]
fn a_won_quest_pays_one_in_all_and_costs_are_taken_off() {
    for (given, expected) in [(&[][..], 1.0), (&[("step_penalty", "0.01")][..], 0.88)] {
        let mut stage = solo(given);
        let mut paid = 0.0;
        for action in walk(&stage) {
            stage.act(action);
            paid += stage.reward[0];
        }
        assert_eq!(stage.env.state().over(), Over::Won);
        assert!((paid - expected).abs() < 1e-5, "{paid}");
        assert_eq!((stage.metrics[0], stage.metrics[1], stage.metrics[2]), (1.0, 1.0, 12.0));
    }
}

#[test]
fn shaping_adds_a_constant_to_every_whole_episode_of_rivals() {
    // With gamma 1 the differences of the potential telescope: last potential (0 at the end) less the first.
    for seed in 0..6 {
        let mut plain = Stage::new(arena_env(&[]), seed);
        let mut shaped = Stage::new(arena_env(&[("reward", "shaped")]), seed);
        let mut rng = Pcg64::seed(seed);
        let mut sums = [[0.0f32; 2]; 2];
        while !plain.is_over() {
            let k = rng.below(plain.env.actions().len() as u32);
            for (stage, sum) in [&mut plain, &mut shaped].into_iter().zip(&mut sums) {
                stage.send(&[k]);
                sum[0] += stage.reward[0];
                sum[1] += stage.reward[1];
                assert!((stage.reward[0] + stage.reward[1]).abs() < 1e-6);
            }
        }
        assert!((sums[0][0] - sums[1][0]).abs() < 1e-4, "seed {seed}: {sums:?}");
    }
}

#[test]
fn the_potential_of_generated_quests_rises_along_the_plan_and_walking_is_worth_nothing() {
    for level in ["1", "4", "8", "12"] {
        let given = [("mode", "solo"), ("level", level), ("reward", "shaped"), ("games", "3")];
        let mut stage = Stage::new(TextAdventure::new(&typed(&given)).expect("games"), 1);
        let plan = stage.env.plan(0);
        assert!(!plan.is_empty(), "level {level}");
        let start = stage.env.state().quest_potential();
        assert_eq!(start, -1.0, "level {level}: the whole plan is left");
        let mut paid = 0.0;
        let mut rises = 0;
        while !stage.is_over() {
            let before = stage.env.state().quest_potential();
            let action = stage.env.plan(0)[0];
            stage.act(action);
            paid += stage.reward[0];
            if !stage.is_over() {
                let after = stage.env.state().quest_potential();
                rises += i32::from(after > before) - i32::from(after < before);
                assert!(action.verb != Verb::Go || after == before, "level {level}: {action:?}");
            }
        }
        assert_eq!(stage.env.state().over(), Over::Won, "level {level}");
        // The points, and the potential from -1 to 0.
        assert!((paid - 2.0).abs() < 1e-4, "level {level}: {paid}");
        assert!(rises >= 0, "level {level}: {rises}");
    }
}
