//! The law of the parser: the canonical command of every action that works is read as that action, without a question.

mod common;
mod parser_world;

use agon_text_adventure::{
    Action, End, Log, NONE, Scope, Set, Story, Verb, Words,
    loader::{STORIES, load},
    parser::{Outcome, Session, Settings, parse_action},
    prose,
    rules::{self, admissible},
};
use rl_gym::Pcg64;
use std::sync::Arc;

/// Plays `games` games at random, all seats in turn, and checks every admissible action of every state on the way.
/// Returns the verbs that were read.
fn hold(story: Arc<Story>, games: u64, turns: usize) -> Set {
    let words = Words::new(story);
    let story = words.story();
    let (mut listed, mut text, mut told) = (Vec::new(), String::new(), String::new());
    let settings = Settings { ends_turn: false, undo_depth: 0, ..Settings::default() };
    let mut sessions: Vec<_> = (0..story.seats.len()).map(|seat| Session::new(seat, settings)).collect();
    let mut verbs = Set::EMPTY;
    for seed in 0..games {
        let mut rng = Pcg64::seed(seed);
        let mut world = story.start;
        sessions.iter_mut().for_each(Session::reset);
        for turn in 0..turns {
            let seat = turn % story.seats.len();
            let scope = Scope::of(story, &world, story.seats[seat]);
            admissible(story, &world, &scope, &mut listed);
            for &action in &listed {
                text.clear();
                prose::command_text(story, action, &mut text);
                assert_eq!(
                    parse_action(&words, &world, &scope, &text),
                    Ok(action),
                    "\"{text}\" in {}",
                    story.title
                );
                // The session, whatever it remembers, reads the same.
                let mut copy = world;
                told.clear();
                let session = &mut sessions[seat];
                let reply = session.command(&words, &mut copy, &text, &mut told);
                assert!(matches!(reply.outcome, Outcome::Ok { .. }), "\"{text}\": {reply:?}: {told}");
                assert_eq!((reply.action, session.is_asked()), (Some(action), false), "\"{text}\"");
                assert!(!told.contains(['{', '}']) && !told.contains("  "), "\"{text}\": \"{told}\"");
                verbs.insert(action.verb as u8);
            }
            if listed.is_empty() {
                assert_ne!(world.end(), End::Open);
                break;
            }
            let action: Action = listed[rng.below(listed.len() as u32) as usize];
            let mut log = Log::default();
            rules::apply(story, &mut world, &scope, action, &mut log).expect("listed");
            rules::end_turn(story, &mut world, &mut log);
        }
    }
    verbs
}

#[test]
fn every_admissible_action_of_two_made_worlds_is_read_back() {
    let verbs = hold(Arc::new(common::cellar().0), 12, 50) | hold(Arc::new(parser_world::fair()), 30, 60);
    let unread: Vec<_> = Verb::ALL.iter().filter(|v| !verbs.has(**v as u8)).collect();
    assert!(unread.is_empty(), "never admissible: {unread:?}");
}

#[test]
fn every_admissible_action_of_the_bundled_stories_is_read_back() {
    for bundled in STORIES {
        for player in load(bundled.file, bundled.text, None).expect(bundled.name).players {
            hold(load(bundled.file, bundled.text, Some(&player)).expect(bundled.name).story, 2, 50);
        }
    }
}

#[test]
#[ignore = "the long form: cargo test --release -p agon-text-adventure --test roundtrip -- --ignored"]
fn every_admissible_action_is_read_back_for_long() {
    hold(Arc::new(common::cellar().0), 300, 200);
    hold(Arc::new(parser_world::fair()), 300, 200);
    for bundled in STORIES {
        hold(load(bundled.file, bundled.text, None).expect(bundled.name).story, 60, 200);
    }
}

#[test]
fn another_one_of_several_alike_is_told_by_its_place() {
    let words = Words::new(Arc::new(parser_world::fair()));
    let story = words.story();
    let world = story.start;
    let scope = Scope::of(story, &world, story.seats[0]);
    let coins: Vec<u8> = (0..story.len() as u8)
        .filter(|e| story.entity(*e).name.noun == "coin" && scope.seen.has(*e))
        .collect();
    let mut texts = Vec::new();
    for &coin in &coins {
        let mut text = String::new();
        let action = Action::on(Verb::Take, coin);
        assert!(prose::command_in(&words, &world, &scope, action, &mut text), "{text}");
        assert_eq!(parse_action(&words, &world, &scope, &text), Ok(action));
        texts.push(text);
    }
    assert_eq!(texts, ["take gold coin", "take gold coin on bench", "take gold coin on stone fountain"]);
    // Two of one name in one place cannot be told apart.
    let mut world = story.start;
    world.place(coins[1], scope.room);
    let mut text = String::new();
    assert!(!prose::command_in(&words, &world, &scope, Action::on(Verb::Take, coins[1]), &mut text));
    assert_eq!((text.as_str(), NONE), ("take gold coin", 255));
}
