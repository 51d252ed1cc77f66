//! Scenes made to hurt, each once: time and peak memory of a first detection, and time of a second one. One thread, default settings
//! but for a contact limit where a scene has too many pairs. `docs/hostile.md` has the table. Times are those of the processor where
//! the system tells them (Linux), so that a busy machine does not count; elsewhere those of the clock.
//!
//! Then steps of built-in scenes with one wall more, far out or across everything: the least of a few, by the clock.
//!
//! `cargo bench --bench hostile [-- PART OF A NAME]`; `--test` makes all scenes small.

#![allow(unsafe_code, reason = "a global allocator can only be counted by being one")]

#[path = "../tests/common/mod.rs"]
mod common;

use common::hostile_scenes::{HOSTILE, Hostile};
use common::scenes::scene;
use common::truth::Columns;
use gridlane::{Contacts, Detector, DetectorConfig, Error, Segment, SegmentBody, Threads, World, WorldConfig};
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

/// A wall that a world of any size does without.
const WALLS: [(&str, Option<[f32; 4]>); 4] = [
    ("none", None),
    ("at 1e6", Some([1e6, 1e6, 1.001e6, 1e6])),
    ("at 1e30", Some([1e30, 1e30, 1.001e30, 1e30])),
    ("across", Some([-1e30, -1e30, 1e30, 1e30])),
];

/// Steps of a built-in scene as it is and with each of [`WALLS`], of seconds so long; `moving`: all of its walls do.
fn steps(name: &str, dt: f32, moving: bool, count: usize) {
    let scene = Columns::from(scene(name).expect("a built-in scene"));
    let times = WALLS.map(|(_, wall)| {
        let mut world = World::new(WorldConfig::default().with_threads(Threads::Fixed(1))).expect("in range");
        for row in 0..scene.x.len() {
            let angle = row as f32;
            let body = scene.circle(row).with_velocity([angle.cos() * 10.0, angle.sin() * 10.0]);
            world.add_circle(body).expect("finite");
        }
        let more = wall.map(|[x0, y0, x1, y1]| Segment::new([x0, y0], [x1, y1]));
        for segment in (0..scene.x0.len()).map(|row| scene.segment(row)).chain(more) {
            let body = SegmentBody::from(segment);
            let body = if moving { body.with_velocity([0.1, 0.0]) } else { body };
            world.add_segment(body).expect("finite");
        }
        let step = |_| {
            let start = Instant::now();
            world.step(dt).expect("in range");
            start.elapsed().as_secs_f64() * 1e3
        };
        (0..count).map(step).fold(f64::INFINITY, f64::min)
    });
    let times = times.map(|ms| format!("{ms:.2}")).join(" | ");
    println!("| {name} | {} | {dt} | {times} |", if moving { "moving" } else { "standing" });
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
    let names = WALLS.map(|(name, _)| name).join(" | ");
    println!("\n| steps of | walls | seconds | {names} |\n|---|---|---|---|---|---|---|");
    let (scenes, count): (&[&str], usize) = if small { (&["gas-1k"], 2) } else { (&["gas-10k", "city-100k"], 8) };
    for name in scenes.iter().filter(|name| part.is_none_or(|part| name.contains(part.as_str()))) {
        for (dt, moving) in [(0.004, false), (0.2, false), (0.004, true), (0.2, true)] {
            steps(name, dt, moving, count);
        }
    }
}
