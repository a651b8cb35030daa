//! Once warm, reading, carrying out and telling a command allocates nothing.

mod common;
mod parser_world;

use agon_counting_allocator::{Counting, on_this_thread};
use agon_text_adventure::{
    Scope, Words,
    parser::{Session, Settings, Typos, parse_action},
};
use std::sync::Arc;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const LINES: &[&str] = &[
    "look",
    "take ball",
    "red",
    "take all",
    "drop all but keys",
    "x fountain",
    "inventory",
    "unlock gate with iron key. w",
    "read note with numbers",
    "e",
    "give apple to ann",
    "ask ann about the fair",
    "ask ann",
    "take pearl",
    "take dragon",
    "tkae iron key",
    "g",
    "it",
    "put rusty key on bench then take it",
    "put all in box",
    "n",
    "buy sword",
    "slice plank",
    "dance",
    "undo",
    "s",
];

#[test]
fn a_warm_session_allocates_nothing() {
    let words = Words::new(Arc::new(parser_world::fair()));
    let story = words.story();
    let mut session = Session::new(0, Settings { typos: Typos::Correct, ..Settings::default() });
    let mut out = String::with_capacity(8192);
    for round in 0..3 {
        let mut world = story.start;
        session.reset();
        for line in LINES {
            out.clear();
            let before = on_this_thread();
            session.command(&words, &mut world, line, &mut out);
            let made = on_this_thread() - before;
            assert!(round == 0 || made == 0, "\"{line}\" allocates {made} times: {out}");
            let scope = Scope::of(story, &world, story.seats[0]);
            let before = on_this_thread();
            let _ = parse_action(&words, &world, &scope, line);
            let made = on_this_thread() - before;
            assert!(round == 0 || made == 0, "reading \"{line}\" allocates {made} times");
        }
    }
}
