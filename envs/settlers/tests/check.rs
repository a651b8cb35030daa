//! The conformance check of `rl-gym` over option sets that together reach every rule, allocations counted.
use agon_counting_allocator::{Counting, on_this_thread};
use agon_settlers::game;
use rl_gym::{CheckConfig, check};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn every_option_set_passes_the_conformance_check() {
    let sets: [&[(&str, &str)]; 10] = [
        &[],
        &[("turn_cap", "80")],
        &[("seats", "2"), ("layout", "random"), ("turn_cap", "150")],
        &[("seats", "3"), ("layout", "beginner"), ("friendly_robber", "on"), ("turn_cap", "150")],
        &[("board", "mini"), ("seats", "3"), ("victory_points", "5")],
        &[("board", "mini"), ("seats", "2"), ("victory_points", "4"), ("auto_advance", "on")],
        &[("trade", "off"), ("auto_advance", "on")],
        &[("counter_offers", "off"), ("max_offers", "20"), ("discard_limit", "3"), ("turn_cap", "60")],
        &[("turn_cap", "40"), ("victory_points", "3")],
        &[
            ("compat_best_rate_only", "on"),
            ("compat_win_any_time", "on"),
            ("compat_proposer_answers", "on"),
            ("compat_offers_not_listed", "on"),
            ("compat_lr_holder_after_cut", "on"),
            ("compat_discard_one_by_one", "on"),
        ],
    ];
    for set in sets {
        let options = game().resolve(set.iter().copied()).expect("valid options");
        let config = CheckConfig {
            episodes: 2,
            max_steps: 20_000,
            allocations: Some(on_this_thread),
            ..CheckConfig::default()
        };
        let report = check(&game(), &options, config);
        assert!(report.is_clean(), "{set:?}\n{report}");
        assert!(report.steps > 500, "{set:?}: only {} steps were checked", report.steps);
    }
}
