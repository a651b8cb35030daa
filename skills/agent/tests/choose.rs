//! Finding skills by words, and choosing among them by what is known.

mod common;

use agon_skill::{Seed, Seeds, Train};
use agon_skill_agent::{
    Chooser, Context, Ended, Episode, Experience, Horizon, Index, PlayConfig, UserConfig, arm, play,
};
use common::{bot, skill, task, win_or_block, with_skills};
use std::sync::Arc;

fn seeds(first: u32, count: u32) -> Vec<Seed<Train>> {
    Seeds::new(5, 0).range(first, count).collect()
}

fn mean(episodes: &[Episode]) -> f64 {
    episodes.iter().map(|e| e.score).sum::<f64>() / episodes.len() as f64
}

/// Loses as it can: never wins, never blocks, keeps to edges.
fn spoiler() -> agon_skill::Skill {
    let pick = "ctx.pick('place', nil, { wins = -5, blocks = -5, is_centre = -1, is_corner = -1 })";
    skill("spoiler", &format!("while true do coroutine.yield({pick}) end"))
}

#[test]
fn words_find_skills_and_rare_words_count_more() {
    let mut take = skill("take_key", "");
    take.doc = "takes the key in sight".into();
    let mut open = skill("open_chest", "");
    open.doc = "opens the chest in sight with the key".into();
    open.tags = vec!["treasure".into()];
    let mut walk = skill("walk", "");
    walk.doc = "walks on in sight of nobody".into();
    let index = Index::new([&take, &open, &walk]);
    assert_eq!(index.search("Open the TREASURE chest", 3), [1, 0], "the shortest text with `the` comes next");
    assert_eq!(index.search("key", 3), [0, 1], "twice in a short text");
    assert_eq!(index.search("unicorn_dragon", 3), Vec::<usize>::new());
    assert_eq!(index.search("sight", 2).len(), 2);
    assert!(Index::new(std::iter::empty()).scores("key").is_empty());
    // By hand: one of three texts holds "treasure"; 11 words where the mean is 25 / 3.
    let (length, mean) = (11.0, 25.0 / 3.0);
    let expected = (1.0 + 2.5_f64 / 1.5).ln() * 2.2 / (1.0 + 1.2 * (0.25 + 0.75 * length / mean));
    assert!((index.scores("treasure")[1] - expected).abs() < 1e-9, "{:?}", index.scores("treasure"));
}

#[test]
fn a_bandit_learns_which_skill_to_trust_and_when_to_do_without() {
    let task = task("random");
    let skills = vec![spoiler(), win_or_block()];
    let hashes: Vec<String> = skills.iter().map(|s| s.hash.clone()).collect();
    let mut known = Experience::default();
    for round in 0..6 {
        let chooser = Chooser::Bandit(Arc::new(known.clone()));
        let user = with_skills(skills.clone(), UserConfig { chooser, ..UserConfig::default() });
        let played = play(&task, &user, &seeds(100 * round, 100), &PlayConfig::default()).expect("plays");
        assert!(played.iter().all(|e| !e.choices.is_empty()));
        known.learn(&played, |i| hashes[i].clone());
    }
    let start = Context::default();
    let mean_of = |hash: &str| known.mean(hash, start).0;
    assert!(mean_of(&hashes[1]) > mean_of("") + 0.1, "{known:?}");
    assert!(mean_of("") > mean_of(&hashes[0]), "{known:?}");
    let with = |chooser| {
        let user = with_skills(skills.clone(), UserConfig { chooser, ..UserConfig::default() });
        play(&task, &user, &seeds(1000, 400), &PlayConfig::default()).expect("plays")
    };
    let (learned, eager) = (with(Chooser::Bandit(Arc::new(known.clone()))), with(Chooser::Eager));
    let base = play(&task, &arm(bot("random")), &seeds(1000, 400), &PlayConfig::default()).expect("plays");
    assert!(mean(&eager) < mean(&base) - 0.1, "the spoiler comes first: {} {}", mean(&eager), mean(&base));
    assert!(mean(&learned) > mean(&base) + 0.1, "{} {}", mean(&learned), mean(&base));
    let used = |skill| learned.iter().flat_map(|e| &e.uses).filter(|u| u.skill == skill).count();
    assert!(used(1) > 5 * used(0), "{} {}", used(1), used(0));
}

#[test]
fn an_episode_holds_on_to_what_it_tries() {
    let task = task("random");
    let config = UserConfig { chooser: Chooser::Bandit(Arc::default()), ..UserConfig::default() };
    let user = with_skills(vec![win_or_block()], config);
    for episode in play(&task, &user, &seeds(0, 100), &PlayConfig::default()).expect("plays") {
        let began = episode.choices.iter().position(|c| c.arm.is_some());
        assert_eq!(began.is_some(), !episode.uses.is_empty());
        let mut contexts: Vec<Context> = episode.choices.iter().map(|c| c.context).collect();
        contexts.sort();
        contexts.dedup();
        assert_eq!(contexts.len(), episode.choices.len(), "one choice a context");
        assert!(episode.uses.iter().all(|u| u.ended == Ended::Cut || u.ended == Ended::Done));
    }
}

#[test]
fn search_takes_the_skill_that_is_worth_most_and_no_bad_one() {
    let task = task("random");
    let base = play(&task, &arm(bot("random")), &seeds(0, 80), &PlayConfig::default()).expect("plays");
    let with = |skills: Vec<agon_skill::Skill>, deals| {
        let chooser = Chooser::Search(Horizon { deals, ..Horizon::default() });
        let user = with_skills(skills, UserConfig { chooser, ..UserConfig::default() });
        play(&task, &user, &seeds(0, 80), &PlayConfig::default()).expect("plays")
    };
    let good = with(vec![spoiler(), win_or_block()], 24);
    assert!(mean(&good) > mean(&base) + 0.15, "{} {}", mean(&good), mean(&base));
    let began = |skill| good.iter().filter(|e| e.uses.first().is_some_and(|u| u.skill == skill)).count();
    assert!(began(1) > 60, "{} of 80", began(1));
    // With nothing but a bad skill at hand it mostly does without.
    let bad = with(vec![spoiler()], 24);
    assert!(mean(&bad) > mean(&base) - 0.08, "{} {}", mean(&bad), mean(&base));
    let again = with(vec![spoiler(), win_or_block()], 24);
    assert_eq!(good, again);
}

#[test]
fn search_leaves_code_that_does_not_work_alone_and_is_not_held_up_by_it() {
    let task = task("random");
    let mut endless = skill("endless", "while true do end");
    endless.budget.step_safepoints = 1_000_000;
    endless.hash = endless.content_hash();
    let skills = vec![endless, skill("wrong", "error('no')"), win_or_block()];
    let chooser = Chooser::Search(Horizon { deals: 24, ..Horizon::default() });
    let user = with_skills(skills, UserConfig { chooser, ..UserConfig::default() });
    let played = play(&task, &user, &seeds(0, 20), &PlayConfig::default()).expect("plays");
    assert!(played.iter().flat_map(|e| &e.uses).all(|u| u.skill == 2), "{played:?}");
    assert!(played.iter().filter(|e| !e.uses.is_empty()).count() > 14);
}
