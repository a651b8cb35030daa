//! Story files: what is wrong is said with its place, and the bundled ones load.

use agon_text_adventure::loader::{STORIES, load};

const SMALL: &str = r#"(
    title: "Small", objective: "Take the cup.", cap: 10, max_score: 1, players: ["you"],
    rooms: {"hall": (name: "hall", text: "A hall.", exits: {"north": (to: "yard", door: "gate")}),
            "yard": (name: "yard", text: "A yard.", exits: {"south": (to: "hall", door: "gate")})},
    doors: {"gate": (name: "gate", is: ["openable"])},
    things: {"cup": (name: "tin cup", is: ["portable"], at: "hall")},
    actors: {"you": (name: "you", at: "hall")},
    rules: [(when: [Held("cup")], do: [Score(1), Win])],
)"#;

#[test]
fn a_small_story_loads() {
    let loaded = load("small.ron", SMALL, None).expect("sound");
    assert_eq!((loaded.story.rooms, loaded.story.len(), loaded.story.seats.len()), (2, 5, 1));
    assert_eq!(loaded.story.entity(2).sides, [0, 1]);
}

#[test]
fn errors_show_file_line_key_and_mend() {
    let cases = [
        // (what is changed, into what, line, part of the error, part of the mend)
        (
            "at: \"hall\")},\n    actors",
            "at: \"hal\")},\n    actors",
            6,
            "nothing has the key \"hal\"",
            "did you mean \"hall\"?",
        ),
        ("to: \"yard\"", "to: \"yrad\"", 3, "there is no room \"yrad\"", "did you mean \"yard\"?"),
        ("\"portable\"", "\"portible\"", 6, "is no attribute", "did you mean \"portable\"?"),
        ("\"north\"", "\"nroth\"", 3, "is no direction", "did you mean \"north\"?"),
        ("Held(\"cup\")", "Held(\"cap\")", 8, "nothing has the key \"cap\"", "did you mean \"cup\"?"),
        ("players: [\"you\"]", "players: [\"me\"]", 2, "\"me\" is no actor", "you"),
        ("players: [\"you\"]", "players: []", 2, "nobody can be played", "name an actor"),
        (
            "door: \"gate\")}),\n    ",
            "door: \"grate\")}),\n    ",
            3,
            "there is no door \"grate\"",
            "did you mean \"gate\"?",
        ),
        (
            "(when: [Held",
            "(after: (verb: \"grab\", a: \"cup\"), when: [Held",
            8,
            "\"grab\" is no verb",
            "known are",
        ),
        (
            "(when: [Held",
            "(each_turn: true, after: (verb: \"take\"), when: [Held",
            8,
            "several triggers",
            "one of",
        ),
        ("\"cup\": (name", "\"hall\": (name", 3, "two things have the key \"hall\"", "another"),
    ];
    for (from, to, line, what, mend) in cases {
        assert!(SMALL.contains(from), "{from}");
        let text = SMALL.replacen(from, to, 1);
        let error = *load("small.ron", &text, None).expect_err(to);
        assert!(error.what.contains(what), "{to}: {}", error.what);
        assert!(error.mend.as_deref().unwrap_or_default().contains(mend), "{to}: {:?}", error.mend);
        assert_eq!(error.line, line, "{to}: {error}");
    }
    // Syntax and types: the reader's own words with the line.
    for (from, to, line) in
        [("cap: 10", "cap: ten", 2), ("title:", "titel:", 2), ("\"A hall.\"", "\"A hall.", 4)]
    {
        let error = *load("small.ron", &SMALL.replacen(from, to, 1), None).expect_err(to);
        assert!(error.line >= 2 && error.line <= 10 && error.line.abs_diff(line) <= 8, "{error}");
    }
    let error = *load("small.ron", SMALL, Some("cup")).expect_err("no player");
    assert!(error.to_string().starts_with("small.ron:2: \"cup\" cannot be played"), "{error}");
}

#[test]
fn the_bundled_stories_load_for_every_player() {
    assert!(STORIES.len() >= 5);
    for story in STORIES {
        let usual =
            load(story.file, story.text, None).unwrap_or_else(|e| panic!("{:?}", miette::Report::new(*e)));
        for player in &usual.players {
            let loaded = load(story.file, story.text, Some(player)).expect("loads");
            assert!((15..=40).contains(&loaded.solution.len()), "{}: {}", story.name, loaded.solution.len());
        }
    }
}
