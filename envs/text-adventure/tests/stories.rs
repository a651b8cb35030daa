//! The bundled stories, through the parser: each is won with every point by its author's commands, nothing done by
//! itself, and by a plan.

use agon_text_adventure::{
    End, Words,
    loader::{Loaded, STORIES, lint, load},
    parser::{Outcome, Session, Settings},
    planner::{Budget, plan},
};

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
        let mut session = Session::new(0, Settings { implicit: false, ..Settings::default() });
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
        let found =
            plan(story, &story.start, 0, &Budget::default()).unwrap_or_else(|why| panic!("{name}: {why:?}"));
        assert!(found.actions.len() <= loaded.solution.len() + 10, "{name}: {}", found.actions.len());
        // Nobody could know the way: its author's is not much longer.
        assert!(found.actions.len() * 3 >= loaded.solution.len() * 2, "{name}: {:?}", found.actions);
    });
}

#[test]
fn the_lint_finds_nothing_in_them() {
    each(|name, loaded| assert_eq!(lint(loaded), [], "{name}"));
}

#[test]
fn the_lint_finds_what_is_wrong() {
    let sound = STORIES.iter().find(|s| s.name == "salt_cellar").expect("bundled").text;
    for (from, to, part) in [
        ("\"east\": (to: \"tower\")", "\"east\": (to: \"hall\")", "no way leads to the tower room"),
        (
            "is: [\"portable\"],\n            at: \"kitchen\"",
            "is: [\"portable\"]",
            "the bent ladle never comes into play",
        ),
        ("name: \"bent ladle\"", "name: \"brass key\"", "two different things are called brass key"),
        (
            "counters: {\"lamp_oil\": 60}",
            "counters: {\"lamp_oil\": 60, \"spare\": 0}",
            "the counter spare is never read",
        ),
        ("text: \"It has seen things.\",", "", "the bent ladle has no text"),
        ("max_score: 5", "max_score: 9", "the rules give 5 points and max_score is 9"),
        (
            "\"go east\", \"open iron box\"",
            "\"go south\", \"open iron box\"",
            "the solution stops at \"go south\"",
        ),
        ("starts: [\"locked\"],\n            key: \"brass_key\"", "starts: [\"locked\"]", "no plan wins"),
        ("cap: 80", "cap: 12", "the cap is 12"),
    ] {
        assert!(sound.contains(from), "{from}");
        let loaded = load("broken.ron", &sound.replacen(from, to, 1), None).expect("loads");
        let found = lint(&loaded);
        assert!(found.iter().any(|f| f.what.contains(part)), "{to}: {found:?}");
    }
}
