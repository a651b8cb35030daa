//! All games of this crate keep all rules, a warm step without allocations included.
use agon_counting_allocator::{Counting, on_this_thread};
use rl_gym::{CheckConfig, check};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn the_four_games_keep_all_rules() {
    for game in agon_classic::games() {
        let config = CheckConfig { allocations: Some(on_this_thread), ..CheckConfig::default() };
        let report = check(&game, &game.defaults(), config);
        assert!(report.is_clean(), "{report}");
        assert!(report.episodes > 30 && report.steps > 500, "{report}");
    }
}

#[test]
fn other_options_keep_them_too() {
    for (game, options) in [
        (agon_classic::cartpole(), vec![("max_steps", "7"), ("sutton_barto_reward", "true")]),
        (agon_classic::rock_paper_scissors(), vec![("rounds", "1")]),
    ] {
        let options = game.resolve(options).expect("options");
        let report = check(&game, &options, CheckConfig { seed: 2, ..CheckConfig::default() });
        assert!(report.is_clean(), "{report}");
    }
}
