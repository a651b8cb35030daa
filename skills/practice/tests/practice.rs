//! Rollouts, comparisons, chains, play and fading, on the games that bring words.

use agon_skill::{Seed, Seeds, Skill, Train};
use agon_skill_agent::{MakePolicy, PlayConfig, Status, Task, UserConfig, arm, play};
use agon_skill_bank::{
    Bank,
    gates::{Played, Settings},
};
use agon_skill_distill::{Config, Proposers};
use agon_skill_practice::{
    ChainConfig, ExploreConfig, FadeConfig, LearnConfig, LessonConfig, chain, collect, compare, explore,
    fade, play_report, with_skills,
};
use rl_gym::Game;
use std::sync::Arc;

fn bot(game: &Game, name: &'static str) -> MakePolicy {
    let game = game.clone();
    Arc::new(move |spec| (agon_policy::Players::of(&game).find(name).expect("known").make)(spec))
}

fn tic_tac_toe() -> Game {
    agon_classic::games().into_iter().find(|g| g.name == "tic-tac-toe").expect("there")
}

/// Tic-tac-toe against random play.
fn small() -> Task {
    let game = tic_tac_toe();
    Task::new(&game, game.defaults(), vec![bot(&game, "random")]).expect("a task")
}

/// Quests of a level, alone.
fn quest(level: &str) -> Task {
    let game = agon_text_adventure::game();
    let options = game.resolve([("mode", "solo"), ("level", level), ("games", "0")]).expect("options");
    Task::new(&game, options, vec![]).expect("a task")
}

fn seeds(count: u32) -> Vec<Seed<Train>> {
    Seeds::new(9, 0).range(0, count).collect()
}

fn workers(workers: usize) -> PlayConfig {
    PlayConfig { workers, ..PlayConfig::default() }
}

#[test]
fn rollouts_hold_what_was_decided_whatever_the_threads() {
    let task = small();
    let player = arm(bot(&task.game, "perfect"));
    let gather = |n| collect(&task, &player, "perfect", &seeds(60), &workers(n)).expect("plays");
    let (rollouts, episodes) = gather(1);
    assert_eq!((rollouts.len(), rollouts.players()), (60, vec!["perfect".to_owned()]));
    assert_eq!(rollouts.decisions(), episodes.iter().map(|e| e.decisions as usize).sum::<usize>());
    let (other, again) = gather(2);
    assert_eq!(episodes, again);
    let mined = |r| agon_skill_distill::distill(r, &Config::default()).expect("mines");
    assert_eq!(mined(&rollouts), mined(&other));
}

#[test]
fn equal_ways_to_play_differ_by_nothing_and_a_better_one_shows() {
    let task = small();
    let (random, perfect) = (arm(bot(&task.game, "random")), arm(bot(&task.game, "perfect")));
    let same = compare(&task, &random, &random, &[], &seeds(50), &workers(2)).expect("plays");
    assert_eq!((same.pairs, same.gain.mean, same.decisions.mean, same.void), (50, 0.0, 0.0, 0));
    let better = compare(&task, &random, &perfect, &[], &seeds(200), &workers(2)).expect("plays");
    assert!(better.gain.low > 0.3 && better.won[1] > better.won[0], "{better:?}");
    assert!(
        better.decisions_won[1].mean < better.decisions_won[0].mean,
        "perfect play wins as early as it can"
    );
    let worse = compare(&task, &perfect, &random, &[], &seeds(200), &workers(2)).expect("plays");
    assert!((worse.gain.mean + better.gain.mean).abs() < 1e-12);
}

/// A task in which every episode fails.
#[test]
fn a_player_that_gives_up_loses_and_teaches_nothing() {
    struct Quitter;
    impl rl_gym::Policy for Quitter {
        fn act(&mut self, _: &mut rl_gym::Decisions<'_>) -> Result<(), rl_gym::Fault> {
            Err(rl_gym::Fault::new("no"))
        }
    }
    let task = small();
    let quitter = arm(Arc::new(|_| Box::new(Quitter)));
    let (rollouts, episodes) = collect(&task, &quitter, "quitter", &seeds(5), &workers(1)).expect("plays");
    assert!(
        rollouts.is_empty() && episodes.iter().all(|e| matches!(e.status, Status::Lost(_)) && e.score == 0.0)
    );
    let void = Task { opponents: vec![Arc::new(|_| Box::new(Quitter))], ..task.clone() };
    let random = arm(bot(&task.game, "random"));
    let told = compare(&void, &random, &random, &[], &seeds(8), &workers(1)).expect("plays");
    assert_eq!((told.pairs, told.void), (0, 8), "an opponent that quits says nothing");
}

#[test]
fn a_chain_learns_along_its_way_and_goes_the_same_way_again() {
    let task = quest("3");
    let base = bot(&task.game, "random");
    let run = |threads: usize| {
        let folder = tempfile::tempdir().expect("folder");
        let mut bank =
            Bank::create(folder.path(), &task.game.id(), task.words().expect("words")).expect("a bank");
        let (name, play, starts) = ("random", workers(threads), (Seeds::new(3, 0), 30));
        let tasks = vec![task.clone()];
        let mut trials = Played::new(name, tasks, base.clone(), UserConfig::default(), play.clone(), starts)
            .expect("trials");
        let lesson = LessonConfig {
            rounds: 6,
            proposers: Proposers {
                miner: Config { permutations: 199, max_skills: 6, ..Config::default() },
                ..Proposers::default()
            },
            gates: Settings { uses: 60, suite: 200, seeds: 600, ..Settings::default() },
            ..LessonConfig::default()
        };
        let config = ChainConfig { blocks: 2, tasks: 80, number: 0, lesson };
        let mut heard = 0;
        let told = chain(&task, &base, &mut bank, &mut trials, &config, &play, |block, _| heard += block + 1)
            .expect("a chain");
        assert_eq!((heard, told.blocks.len(), told.lessons.len()), (3, 2, 1));
        told
    };
    let told = run(1);
    let first = &told.blocks[0];
    assert_eq!(
        (first.skills, first.against.gain.mean, first.against.pairs),
        (0, 0.0, 80),
        "a bank is empty at first"
    );
    assert!(!told.lessons[0].proposed.is_empty(), "{told:?}");
    assert_eq!(told, run(2), "threads do not show");
}

#[test]
fn play_finds_goals_and_verifies_what_it_keeps() {
    let task = quest("3");
    let base = bot(&task.game, "random");
    let config = ExploreConfig {
        passes: 1,
        episodes: 120,
        goals: 2,
        verify: 80,
        miner: Config { permutations: 99, max_skills: 8, ..Config::default() },
        ..ExploreConfig::default()
    };
    let found = explore(&task, &base, &config, &workers(2)).expect("plays");
    assert!(!found.goals.is_empty());
    for goal in &found.goals {
        assert!((config.hard..=config.easy).contains(&goal.rate), "{goal:?}");
        assert!(goal.kept.len() <= config.per_goal && goal.verified.len() >= goal.kept.len());
    }
    for candidate in &found.skills {
        let goal = found.goals.iter().find(|g| g.kept.contains(&candidate.skill.name)).expect("has a goal");
        assert!(candidate.skill.contract.effect.iter().any(|l| l.fact == goal.fact), "{goal:?}");
        assert!(candidate.skill.contract.rate >= 0.6);
        with_skills(&task, &base, std::slice::from_ref(&candidate.skill), &UserConfig::default())
            .expect("fits");
    }
    let again = explore(&task, &base, &config, &workers(1)).expect("plays");
    assert_eq!(again, found);
    let undirected = ExploreConfig { is_directed: false, ..config };
    let control = explore(&task, &base, &undirected, &workers(2)).expect("plays");
    let skills = |e: &agon_skill_practice::Explored| -> Vec<Skill> {
        e.skills.iter().map(|c| c.skill.clone()).collect()
    };
    let learning = LearnConfig { rounds: 2, episodes: 40, root: 1 };
    let told = play_report(&task, &base, [&skills(&found), &skills(&control)], learning, 60, &workers(2))
        .expect("compares");
    assert_eq!((told.none.pairs, told.random.pairs), (60, 60));
}

#[test]
fn fading_ends_without_skills_and_measures_what_remains() {
    let task = quest("3");
    let config = FadeConfig {
        shares: vec![1.0, 0.0],
        generations: 1,
        population: 4,
        episodes: 12,
        report: 40,
        root: 2,
    };
    let told = fade(&task, &[], &config, &workers(2)).expect("fades");
    assert_eq!(told.stages.iter().map(|s| s.share).collect::<Vec<_>>(), [1.0, 0.0]);
    assert_eq!(told.residue.gain.mean, 0.0, "without skills both learners are the same");
    assert_eq!(told.still_needed.gain.mean, 0.0);
    let small = small();
    let error = fade(&small, &[], &config, &workers(1)).expect_err("no genome").to_string();
    assert_eq!(error, "tic-tac-toe-v1 has no parametric player, so nothing that learns");
}

#[test]
fn streams_of_train_seeds_play_different_episodes() {
    // Purposes are apart by type; that streams of one purpose do not meet either is for numbers to show.
    let task = small();
    let random = arm(bot(&task.game, "random"));
    let of = |stream: u32| -> Vec<(u64, u32)> {
        let seeds: Vec<Seed<Train>> = Seeds::new(9, stream).range(0, 40).collect();
        let played = play(&task, &random, &seeds, &workers(1)).expect("plays");
        played.iter().map(|e| (e.score.to_bits(), e.steps)).collect()
    };
    assert_ne!(of(1), of(2));
}
