//! Once warm, reading, carrying out and telling a command allocates nothing.

#![allow(unsafe_code, reason = "a counting allocator must implement an unsafe trait")]

mod common;
mod parser_world;

use agon_text_adventure::{
    Scope, Words,
    parser::{Session, Settings, Typos, parse_action},
};
use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
    sync::Arc,
};

struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: every call is passed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // No count is kept while the thread ends.
        let _ = ALLOCATIONS.try_with(|n| n.set(n.get() + 1));
        // SAFETY: as above.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

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
            let before = ALLOCATIONS.with(Cell::get);
            session.command(&words, &mut world, line, &mut out);
            let made = ALLOCATIONS.with(Cell::get) - before;
            assert!(round == 0 || made == 0, "\"{line}\" allocates {made} times: {out}");
            let scope = Scope::of(story, &world, story.seats[0]);
            let before = ALLOCATIONS.with(Cell::get);
            let _ = parse_action(&words, &world, &scope, line);
            let made = ALLOCATIONS.with(Cell::get) - before;
            assert!(round == 0 || made == 0, "reading \"{line}\" allocates {made} times");
        }
    }
}
