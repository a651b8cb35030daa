//! All games of this crate keep all rules, a warm step without allocations included.
#![allow(unsafe_code, reason = "an allocator that counts can only be written with unsafe")]

use rl_gym::{CheckConfig, check};
use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
};

struct Counting;

thread_local! {
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: every call goes on to the system allocator unchanged; counting touches a plain thread-local cell.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.with(|count| count.set(count.get() + 1));
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        // SAFETY: `ptr` came from `alloc` above, that is from the system allocator.
        unsafe { System.dealloc(ptr, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn counted() -> u64 {
    COUNT.with(Cell::get)
}

#[test]
fn the_four_games_keep_all_rules() {
    for game in agon_classic::games() {
        let config = CheckConfig { allocations: Some(counted), ..CheckConfig::default() };
        let report = check(&game, &game.defaults(), config);
        assert!(report.is_clean(), "{report}");
        assert!(report.episodes > 30 && report.steps > 500, "{report}");
    }
}

#[test]
fn other_options_keep_them_too() {
    for (game, options) in [
        (agon_classic::cartpole(), vec![("max_steps", "7"), ("sutton_barto_reward", "true")]),
        (agon_classic::rock_paper_scissors(), vec![("rounds", "1")]),
    ] {
        let options = game.resolve(options).expect("options");
        let report = check(&game, &options, CheckConfig { seed: 2, ..CheckConfig::default() });
        assert!(report.is_clean(), "{report}");
    }
}
