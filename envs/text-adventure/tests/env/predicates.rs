//! Named predicates.

use crate::common::{act, cellar};
use agon_text_adventure::{
    Action, Dir, Story, Verb, World,
    predicates::{PREDICATES, Query},
};

fn holds(story: &Story, world: &World, text: &str) -> bool {
    Query::parse(story, text).unwrap_or_else(|e| panic!("{text}: {e}")).holds(story, world, 0)
}

#[test]
fn there_are_many_and_each_name_once() {
    assert!(PREDICATES.len() >= 30, "{}", PREDICATES.len());
    for (i, p) in PREDICATES.iter().enumerate() {
        assert!(PREDICATES[..i].iter().all(|q| q.name != p.name), "{} twice", p.name);
    }
}

#[test]
fn they_follow_the_game() {
    let (story, c) = cellar();
    let mut world = story.start;
    let told = |world: &World, yes: &[&str], no: &[&str]| {
        yes.iter().for_each(|t| assert!(holds(&story, world, t), "{t} should hold"));
        no.iter().for_each(|t| assert!(!holds(&story, world, t), "{t} should not hold"));
    };
    told(
        &world,
        &[
            "at(hall)",
            "here(iron chest)",
            "in(brass key, iron chest)",
            "on(lamp, long table)",
            "closed(iron chest)",
        ],
        &[
            "holding(lamp)",
            "open(iron chest)",
            "seen(brass key)",
            "visited(kitchen)",
            "lit(lamp)",
            "knows(cellar)",
        ],
    );
    told(
        &world,
        &["locked(oak door)", "exit(down)", "can_take(lamp)", "playing", "light", "hidden(salt)"],
        &["passable(down)"],
    );
    told(
        &world,
        &["passable(east)", "wants(cook, salt)", "sells(cook, stew)", "turn(0)", "score(0)"],
        &["turn(1)", "won"],
    );
    let chest = c.door + 1;
    for action in [
        Action::on(Verb::Open, chest),
        Action::on(Verb::Take, c.key),
        Action::on(Verb::Take, c.lamp),
        Action::on(Verb::Light, c.lamp),
        Action::with(Verb::Unlock, c.door, c.key),
        Action::go(Dir::East),
    ] {
        act(&story, &mut world, action).expect("it works");
    }
    told(
        &world,
        &[
            "at(kitchen)",
            "open(iron chest)",
            "holding(brass key)",
            "carrying(lamp)",
            "lit(lamp)",
            "turn(6)",
            "moved(lamp)",
        ],
        &["locked(oak door)", "here(iron chest)", "at(hall)"],
    );
    told(&world, &["unlocked(oak door)", "portable(red carrot)"], &["full", "dark", "lost", "offered"]);
}

#[test]
fn a_seat_knows_what_it_sees_and_what_it_remembers() {
    let (story, _) = cellar();
    let known = |text: &str| Query::parse(&story, text).expect("valid").known_to(&story, &story.start, 0);
    assert_eq!(known("closed(iron chest)"), Some(true));
    assert_eq!(known("holding(brass key)"), Some(false));
    assert_eq!(known("in(brass key, iron chest)"), None, "the chest is closed");
    assert_eq!(known("fried(red carrot)"), None, "it is in the kitchen");
    assert_eq!(known("seen(red carrot)"), Some(false));
    assert_eq!(known("flag(warned)"), None);
    assert_eq!(known("hidden(salt)"), None);
}

#[test]
fn errors_name_what_was_meant() {
    let (story, _) = cellar();
    let error = |text: &str| Query::parse(&story, text).expect_err("wrong").to_string();
    assert!(error("hold(lamp)").starts_with("unknown predicate \"hold\""), "{}", error("hold(lamp)"));
    assert_eq!(error("holding()"), "holding takes entity, not 0 arguments");
    assert_eq!(error("holding(lamb)"), "\"lamb\" is no entity of \"The Salt Cellar\", nearest: \"lamp\"");
    assert_eq!(error("score(many)"), "\"many\" is no whole number of \"The Salt Cellar\"");
    assert!(error("open(lamp").contains("closing bracket"));
}
