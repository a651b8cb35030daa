//! The bundled stories, through the parser: each is won with every point by its author's commands and by a plan, and
//! every command that is offered on the way is understood.

use agon_text_adventure::{
    Action, End, Scope, Words,
    loader::{Loaded, STORIES, load},
    parser::{Outcome, Session, Settings, parse_action},
    planner::{Budget, plan},
    prose, rules,
};
use rl_gym::Pcg64;

/// Every story with every player.
fn each(mut check: impl FnMut(&str, &Loaded)) {
    for story in STORIES {
        let usual = load(story.file, story.text, None).expect("loads");
        for player in &usual.players {
            let loaded = load(story.file, story.text, Some(player)).expect("loads");
            check(&format!("{} as {player}", story.name), &loaded);
        }
    }
}

#[test]
fn the_authors_commands_win_with_every_point() {
    each(|name, loaded| {
        let words = Words::new(loaded.story.clone());
        let mut world = loaded.story.start;
        let mut session = Session::new(0, Settings::default());
        let mut told = String::new();
        for line in &loaded.solution {
            assert_eq!(world.end(), End::Open, "{name}: over before \"{line}\"");
            told.clear();
            let reply = session.command(&words, &mut world, line, &mut told);
            assert!(matches!(reply.outcome, Outcome::Ok { .. }), "{name}: \"{line}\": {reply:?}: {told}");
        }
        let got = (world.end(), world.score(0));
        assert_eq!(got, (End::Won, loaded.story.max_score), "{name}: {told}");
        assert!(world.turn() < loaded.story.cap, "{name}");
    });
}

#[test]
fn a_plan_wins_too() {
    each(|name, loaded| {
        let story = &loaded.story;
        let found = plan(story, &story.start, 0, &Budget::default())
            .unwrap_or_else(|why| panic!("{name}: {why:?}"));
        assert!(found.actions.len() <= loaded.solution.len() + 10, "{name}: {}", found.actions.len());
        // Nobody could know the way: its author's is not much longer.
        assert!(found.actions.len() * 3 >= loaded.solution.len() * 2, "{name}: {:?}", found.actions);
    });
}

#[test]
fn every_command_that_is_offered_is_understood() {
    each(|name, loaded| {
        let words = Words::new(loaded.story.clone());
        let story = words.story();
        let (mut listed, mut text) = (Vec::<Action>::new(), String::new());
        let mut log = agon_text_adventure::Log::default();
        for seed in 0..3 {
            let mut rng = Pcg64::seed(seed);
            let mut world = story.start;
            for _ in 0..50 {
                let scope = Scope::of(story, &world, story.seats[0]);
                rules::admissible(story, &world, &scope, &mut listed);
                for &action in &listed {
                    text.clear();
                    prose::command_text(story, action, &mut text);
                    assert_eq!(parse_action(&words, &world, &scope, &text), Ok(action), "{name}: \"{text}\"");
                }
                if listed.is_empty() {
                    break;
                }
                let action = listed[rng.below(listed.len() as u32) as usize];
                rules::apply(story, &mut world, &scope, action, &mut log).expect("listed");
                rules::end_turn(story, &mut world, &mut log);
            }
        }
    });
}
