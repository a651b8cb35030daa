//! Matched episodes with and without skills.

mod common;

use agon_skill::{Gate, Report, Seed, Seeds, Train};
use agon_skill_agent::{Ended, Episode, PlayConfig, Status, UserConfig, arm, play};
use agon_skill_runtime::Abort;
use common::{bot, skill, task, win_or_block, with_skills};

fn seeds(count: u32) -> Vec<Seed<Train>> {
    Seeds::new(1, 0).range(0, count).collect()
}

fn mean(episodes: &[Episode]) -> f64 {
    episodes.iter().map(|e| e.score).sum::<f64>() / episodes.len() as f64
}

#[test]
fn a_good_skill_lifts_random_play() {
    let task = task("random");
    let base = play(&task, &arm(bot("random")), &seeds(600), &PlayConfig::default()).expect("plays");
    let user = with_skills(vec![win_or_block()], UserConfig::default());
    let skilled = play(&task, &user, &seeds(600), &PlayConfig::default()).expect("plays");
    assert!((mean(&base) - 0.5).abs() < 0.07, "{}", mean(&base));
    assert!(mean(&skilled) > mean(&base) + 0.2, "{} against {}", mean(&skilled), mean(&base));
    assert!(base.iter().all(|e| e.uses.is_empty() && e.status == Status::Ended));
    for episode in &skilled {
        assert_eq!(episode.uses.len(), 1, "it is begun once and acts to the end");
        let used = &episode.uses[0];
        assert_eq!((used.at, used.decisions), (0, episode.decisions));
        assert_eq!(used.ended == Ended::Done, episode.is_won, "{episode:?}");
    }
}

#[test]
fn what_an_episode_gives_depends_on_its_seed_alone() {
    let task = task("perfect");
    let user = with_skills(vec![win_or_block()], UserConfig { share: 0.4, ..UserConfig::default() });
    let config = |workers, lanes| PlayConfig { workers, lanes, ..PlayConfig::default() };
    let all = play(&task, &user, &seeds(60), &config(1, 1)).expect("plays");
    assert_eq!(play(&task, &user, &seeds(60), &config(2, 7)).expect("plays"), all);
    let some: Vec<_> = seeds(60).into_iter().skip(17).step_by(5).collect();
    let expected: Vec<_> = all.iter().skip(17).step_by(5).cloned().collect();
    assert_eq!(play(&task, &user, &some, &config(2, 3)).expect("plays"), expected);
}

#[test]
fn a_skill_that_is_never_offered_changes_nothing() {
    let task = task("random");
    let base = play(&task, &arm(bot("random")), &seeds(80), &PlayConfig::default()).expect("plays");
    let never = with_skills(vec![win_or_block()], UserConfig { share: 0.0, ..UserConfig::default() });
    let shadowed = play(&task, &never, &seeds(80), &PlayConfig::default()).expect("plays");
    for (a, b) in base.iter().zip(&shadowed) {
        assert_eq!(
            (a.score, a.decisions, a.steps),
            (b.score, b.decisions, b.steps),
            "not a draw is different"
        );
        let told: Vec<_> = b.uses.iter().map(|u| u.ended.clone()).collect();
        assert!(told.contains(&Ended::Passed { came_about: b.is_won }), "{told:?} where won is {}", b.is_won);
    }
}

#[test]
fn a_broken_skill_leaves_the_base_policy_as_it_is_and_is_left_alone_after_three_aborts() {
    let task = task("random");
    let base = play(&task, &arm(bot("random")), &seeds(40), &PlayConfig::default()).expect("plays");
    let broken = [
        ("error('no')", "error"),
        ("coroutine.yield(9)", "illegal"),
        ("while true do end", "safepoints"),
        ("return", "done"),
    ];
    for (body, kind) in broken {
        let user = with_skills(vec![skill("broken", body)], UserConfig::default());
        let played = play(&task, &user, &seeds(40), &PlayConfig::default()).expect("plays");
        for (a, b) in base.iter().zip(&played) {
            assert_eq!((a.score, a.steps), (b.score, b.steps), "{kind}");
            assert!(kind == "done" || b.uses.len() <= 3, "{kind}: {:?}", b.uses);
            for used in &b.uses {
                let is = match &used.ended {
                    Ended::Aborted(why) => why.kind(),
                    Ended::Done => "done",
                    other => panic!("{other:?}"),
                };
                assert_eq!(is, kind);
            }
        }
    }
    let deep =
        with_skills(vec![skill("deep", "local function f() return 1 + f() end f()")], UserConfig::default());
    let played = play(&task, &deep, &seeds(3), &PlayConfig::default()).expect("plays");
    assert!(
        played
            .iter()
            .flat_map(|e| &e.uses)
            .all(|u| matches!(u.ended, Ended::Aborted(Abort::Error(_) | Abort::Memory)))
    );
}

#[test]
fn purposes_play_different_episodes() {
    let task = task("random");
    let scores =
        |episodes: Vec<Episode>| episodes.iter().map(|e| (e.score > 0.5, e.steps)).collect::<Vec<_>>();
    let config = PlayConfig::default();
    let arm = arm(bot("random"));
    let train = scores(play(&task, &arm, &seeds(60), &config).expect("plays"));
    let gate: Vec<Seed<Gate>> = Seeds::new(1, 0).range(0, 60).collect();
    let report: Vec<Seed<Report>> = Seeds::new(1, 0).range(0, 60).collect();
    let gate = scores(play(&task, &arm, &gate, &config).expect("plays"));
    assert_ne!(train, gate);
    assert_ne!(gate, scores(play(&task, &arm, &report, &config).expect("plays")));
}
