//! Snapshots that have been damaged, under checksums that fit: refused with nothing changed, or worlds that go on; never a panic, never
//! memory out of proportion to the bytes.
#![no_main]

use gridlane::{World, WorldConfig};
use gridlane_fuzz::choices::{Choices, Script};
use gridlane_fuzz::world_bytes::{check_damaged, damaged, world_of_everything};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Counts the bytes that are held, and the most there were.
struct Counting;

static HELD: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call goes to the system's allocator unchanged; only numbers are kept beside it.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        MOST.fetch_max(HELD.fetch_add(layout.size(), Relaxed) + layout.size(), Relaxed);
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Bytes that reading may hold for each byte, and in any case: a column of one value takes nine bytes and becomes one of eight a row,
/// a row is paid for with four bytes, and lists double.
const BYTES_A_BYTE: usize = 64;
const BYTES: usize = 1 << 16;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let mut script = Script::new(bytes);
    let world = world_of_everything(&mut script);
    let mut rounds = 1 + script.below(4);
    while rounds > 0 {
        let bytes = damaged(&world, &mut script);
        let before = HELD.load(Relaxed);
        MOST.store(before, Relaxed);
        let mut other = World::new(WorldConfig::default()).expect("the default");
        let _ = other.restore(&bytes);
        let held = MOST.load(Relaxed) - before;
        assert!(held <= BYTES + BYTES_A_BYTE * bytes.len(), "{held} bytes held for {}", bytes.len());
        check_damaged(&world, &bytes);
        rounds -= 1;
    }
});
