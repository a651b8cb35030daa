//! The conformance check of `rl-gym` over option sets.

use crate::{common::cellar, fixture::arena_game};
use agon_text_adventure::{TextAdventure, config, game};
use rl_gym::{CheckConfig, Game, check};

/// The game with the hand-made cellar in place of generated quests.
fn cellar_game() -> Game {
    Game {
        make: |options| Ok(Box::new(TextAdventure::of_story(&config(options)?, cellar().0, None)?)),
        ..game()
    }
}

fn is_clean(game: &Game, sets: &[&[(&str, &str)]]) {
    for set in sets {
        let options = game.resolve(set.iter().copied()).expect("valid options");
        let config = CheckConfig { episodes: 2, max_steps: 2_000, batch_steps: 24, ..CheckConfig::default() };
        let report = check(game, &options, config);
        assert!(report.is_clean(), "{set:?}\n{report}");
        assert!(report.steps > 300, "{set:?}: only {} steps were checked", report.steps);
    }
}

#[test]
fn rivals_in_the_arena_pass() {
    is_clean(
        &arena_game(),
        &[
            &[],
            &[("reward", "shaped"), ("theft", "on")],
            &[("seats", "4"), ("hearing", "off")],
            &[("actions", "triple")],
        ],
    );
}

#[test]
fn a_quest_alone_passes() {
    is_clean(
        &cellar_game(),
        &[&[("mode", "solo")], &[("mode", "solo"), ("actions", "triple"), ("invalid_penalty", "0.01")]],
    );
}
