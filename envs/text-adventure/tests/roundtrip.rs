//! The law of the parser: the canonical command of every action that works is read as that action, without a question.

mod common;

use agon_text_adventure::{
    Action, End, Scope, Story, Words,
    parser::{Outcome, Session, Settings, parse_action},
    prose,
    rules::admissible,
};
use common::{act, cellar};
use rl_gym::Pcg64;
use std::sync::Arc;

/// Plays `games` games at random and checks every admissible action of every state on the way.
fn hold(story: Story, games: u64, turns: usize) {
    let words = Words::new(Arc::new(story));
    let story = words.story();
    let (mut listed, mut text, mut told) = (Vec::new(), String::new(), String::new());
    let mut session = Session::new(0, Settings { ends_turn: false, ..Settings::default() });
    for seed in 0..games {
        let mut rng = Pcg64::seed(seed);
        let mut world = story.start;
        session.reset();
        for _ in 0..turns {
            let scope = Scope::of(story, &world, story.seats[0]);
            admissible(story, &world, &scope, &mut listed);
            for &action in &listed {
                text.clear();
                prose::command_text(story, action, &mut text);
                assert_eq!(parse_action(&words, &world, &scope, &text), Ok(action), "\"{text}\"");
                // The session, whatever it remembers, reads the same.
                let mut copy = world;
                told.clear();
                let reply = session.command(&words, &mut copy, &text, &mut told);
                assert!(matches!(reply.outcome, Outcome::Ok { .. }), "\"{text}\": {reply:?}: {told}");
                assert_eq!((reply.action, session.is_asked()), (Some(action), false), "\"{text}\"");
            }
            if listed.is_empty() {
                assert_ne!(world.end(), End::Open);
                break;
            }
            let action: Action = listed[rng.below(listed.len() as u32) as usize];
            act(story, &mut world, action).expect("listed");
        }
    }
}

#[test]
fn every_admissible_action_of_the_cellar_is_read_back() {
    hold(cellar().0, 20, 60);
}
