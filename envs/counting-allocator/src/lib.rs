//! An allocator that counts, for tests that a warm step allocates nothing. The only unsafe code of the workspace.
//!
//! ```
//! use agon_counting_allocator::{Counting, on_this_thread};
//!
//! #[global_allocator]
//! static ALLOCATOR: Counting = Counting;
//!
//! let before = on_this_thread();
//! let kept = Box::new(1);
//! assert_eq!(on_this_thread() - before, 1);
//! # drop(kept);
//! ```

#![allow(
    unsafe_code,
    reason = "GlobalAlloc is an unsafe trait; every call is passed on to the system's allocator"
)]

use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
    sync::atomic::{AtomicU64, Ordering},
};

/// Passes every call on to the system's allocator and counts allocations and growths.
#[derive(Debug)]
pub struct Counting;

/// Allocations of the threads that called [`count_this_thread`].
static COUNTED: AtomicU64 = AtomicU64::new(0);

thread_local! {
    static HERE: Cell<u64> = const { Cell::new(0) };
    static IS_COUNTED: Cell<bool> = const { Cell::new(false) };
}

fn note() {
    // No count is kept while the thread ends.
    let _ = HERE.try_with(|n| n.set(n.get() + 1));
    if IS_COUNTED.try_with(Cell::get) == Ok(true) {
        COUNTED.fetch_add(1, Ordering::Relaxed);
    }
}

/// Allocations of this thread so far: those of the test harness and of other tests stay out.
pub fn on_this_thread() -> u64 {
    HERE.with(Cell::get)
}

/// From now on the allocations of this thread are among [`on_counted_threads`].
pub fn count_this_thread() {
    IS_COUNTED.with(|c| c.set(true));
}

/// Allocations so far of all threads that are counted, for code that works on several.
pub fn on_counted_threads() -> u64 {
    COUNTED.load(Ordering::Relaxed)
}

/// Allocations of this thread during `run`.
pub fn during(run: impl FnOnce()) -> u64 {
    let before = on_this_thread();
    run();
    on_this_thread() - before
}

// SAFETY: every call is passed on to `System` unchanged, whose contract is the same.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        note();
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        // SAFETY: `ptr` came from `System` with this layout.
        unsafe { System.dealloc(ptr, layout) }
    }

    unsafe fn realloc(&self, ptr: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        note();
        // SAFETY: `ptr` came from `System` with this layout.
        unsafe { System.realloc(ptr, layout, size) }
    }
}
