//! Generated games: certified, deterministic, of their fold, alike in nothing.

use agon_text_adventure::{
    End,
    generate::{LEVELS, benchmark, digest, generate, level},
    planner::act,
};

#[test]
fn a_sample_of_every_level_is_won_and_made_alike_again() {
    for n in 1..=LEVELS {
        for seed in benchmark(n).take(2) {
            let game = generate(&level(n), seed).unwrap_or_else(|e| panic!("level {n}: {e}"));
            let story = &game.story;
            let mut world = story.start;
            for &action in &game.plan {
                assert_eq!(world.end(), End::Open);
                act(story, &mut world, story.seats[0], action).unwrap_or_else(|e| panic!("{action:?}: {e:?}"));
            }
            assert_eq!((world.end(), world.score(0)), (End::Won, story.max_score));
            let again = generate(&level(n), seed).expect("made before");
            assert_eq!((digest(story), &game.plan), (digest(&again.story), &again.plan));
        }
    }
}
