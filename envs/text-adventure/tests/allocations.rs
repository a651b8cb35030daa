//! The conformance check of `rl-gym` over generated games, and reading the words of skills: allocations counted.

use agon_counting_allocator::{Counting, on_this_thread};
use agon_text_adventure::{SkillWords, game};
use rl_gym::{BatchConfig, BatchEnv, CheckConfig, VecEnv, Vocabulary, check};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Four games are all known before warm steps are counted.
#[test]
fn every_option_set_passes_the_conformance_check() {
    let sets: [&[(&str, &str)]; 9] = [
        &[("games", "4")],
        &[("games", "4"), ("seats", "3"), ("theft", "on"), ("reward", "shaped"), ("fair", "loose")],
        &[("games", "4"), ("actions", "triple"), ("hearing", "off")],
        &[("mode", "solo"), ("games", "4"), ("level", "3")],
        &[("mode", "solo"), ("games", "4"), ("level", "9"), ("reward", "shaped"), ("loss_penalty", "on")],
        &[
            ("mode", "solo"),
            ("games", "4"),
            ("level", "6"),
            ("actions", "triple"),
            ("invalid_penalty", "0.01"),
        ],
        &[("mode", "coop"), ("games", "4"), ("level", "4"), ("step_penalty", "0.005")],
        &[("mode", "solo"), ("games", "4"), ("level", "2"), ("actions", "text"), ("typo", "correct")],
        &[("games", "4"), ("actions", "text"), ("chat", "on")],
    ];
    for set in sets {
        let options = game().resolve(set.iter().copied()).expect("valid options");
        let is_text = set.contains(&("actions", "text"));
        let config = CheckConfig {
            episodes: 1,
            max_steps: 3_000,
            batch_steps: 32,
            // Lines of text are read by sessions, which may grow.
            allocations: (!is_text).then_some(on_this_thread as fn() -> u64),
            ..CheckConfig::default()
        };
        let report = check(&game(), &options, config);
        assert!(report.is_clean(), "{set:?}\n{report}");
        assert!(report.steps > 300, "{set:?}: only {} steps were checked", report.steps);
    }
}

#[test]
fn reading_every_word_allocates_nothing() {
    let options = game().resolve([("mode", "solo"), ("level", "25"), ("games", "4")]).expect("valid options");
    let mut batch = VecEnv::new(&game().factory(options), BatchConfig::lanes(4)).expect("a batch");
    batch.reset(1);
    let words = SkillWords::LISTED;
    let mut values = vec![0.0; words.facts().len()];
    let (mut sum, mut terms) = (0.0, 0);
    let before = on_this_thread();
    for row in 0..4 {
        let obs = batch.view().obs(row);
        words.read(obs, &mut values);
        sum += values.iter().sum::<f32>();
        for term in (0..).map_while(|action| words.term(obs, action)) {
            terms += 1;
            let kinds = words.verbs()[usize::from(term.verb)].args;
            for (kind, arg) in kinds.iter().zip(term.args) {
                let features = 0..words.kinds()[*kind].features.len();
                sum += features.map(|f| words.feature(obs, *kind, arg, f)).sum::<f32>();
            }
        }
    }
    assert_eq!(on_this_thread() - before, 0, "allocations");
    assert!(terms > 20 && sum > 0.0, "{terms} terms");
}
