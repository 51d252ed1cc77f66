//! Scenes made to hurt, each once: time and peak memory of a first detection, and time of a second one. One thread, default settings
//! but for a contact limit where a scene has too many pairs. `docs/hostile.md` has the table. Times are those of the processor where
//! the system tells them (Linux), so that a busy machine does not count; elsewhere those of the clock.
//!
//! `cargo bench --bench hostile [-- PART OF A NAME]`; `--test` makes all scenes small.

#![allow(unsafe_code, reason = "a global allocator can only be counted by being one")]

#[path = "../tests/common/mod.rs"]
mod common;

use common::hostile_scenes::{HOSTILE, Hostile};
use gridlane::{Contacts, Detector, DetectorConfig, Error, Threads};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Instant;

/// Counts the bytes that are held, and the most there were.
struct Counting;

static HELD: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

fn taken(size: usize) {
    MOST.fetch_max(HELD.fetch_add(size, Relaxed) + size, Relaxed);
}

// SAFETY: every call is handed on unchanged to the system's allocator, which keeps the contract.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        taken(layout.size());
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        taken(layout.size());
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Relaxed);
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Milliseconds that this thread has worked.
fn now(start: Instant) -> f64 {
    let spent = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let spent = spent.and_then(|line| line.split(' ').next()?.parse::<u64>().ok());
    spent.map_or(start.elapsed().as_secs_f64() * 1e3, |nanoseconds| nanoseconds as f64 / 1e6)
}

fn run(hostile: &Hostile, size: usize) {
    let scene = (hostile.make)(size);
    let bodies = scene.x.len() + scene.x0.len();
    let limit = hostile.limit.map_or(1 << 26, |limit| limit.min(size));
    let config = DetectorConfig::default().with_threads(Threads::Fixed(1)).with_contact_limit(limit);
    let before = HELD.load(Relaxed);
    MOST.store(before, Relaxed);
    let clock = Instant::now();
    let start = now(clock);
    let mut detector = Detector::new(config).expect("in range");
    let mut contacts = Contacts::new();
    detector.set_segments(scene.segments()).expect("finite");
    let first = detector.detect(scene.circles(), &mut contacts);
    let first_ms = now(clock) - start;
    let peak = (MOST.load(Relaxed) - before) as f64;
    let start = now(clock);
    let second = detector.detect(scene.circles(), &mut contacts);
    let second_ms = now(clock) - start;
    assert_eq!(first, second);
    assert!(first.is_ok() || first == Err(Error::TooManyContacts { limit }), "{first:?}");
    if let "all in a row" | "all in a column" | "all in a diagonal" = hostile.name {
        assert_eq!(contacts.len(), scene.x.len() - 1, "{}: each touches the next", hostile.name);
    }
    let pairs = if first.is_ok() { contacts.len().to_string() } else { format!("> {limit}") };
    let counted = if first.is_ok() { contacts.len() } else { limit };
    println!(
        "| {} | {} | {} | {pairs} | {first_ms:.1} | {second_ms:.1} | {:.0} | {:.0} | {:.0} |",
        hostile.name,
        scene.x.len(),
        scene.x0.len(),
        second_ms * 1e6 / (bodies + counted) as f64,
        peak / 1e6,
        peak / (bodies + counted) as f64,
    );
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let small = arguments.iter().any(|a| a == "--test");
    let part = arguments.iter().find(|a| !a.starts_with('-'));
    println!(
        "| scene | circles | segments | pairs | first (ms) | again (ms) | ns a body and pair | peak (MB) | bytes a body and pair |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for hostile in HOSTILE.iter().filter(|h| part.is_none_or(|part| h.name.contains(part.as_str()))) {
        run(hostile, if small { 2_000 } else { hostile.size });
    }
}
