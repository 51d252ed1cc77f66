//! Promise: a warm world steps without asking for memory.

#![allow(unsafe_code, reason = "a global allocator can only be counted by being one")]

use gridlane::{Bounds, Circle, CircleBody, Segment, SegmentBody, Threads, Vec2, World, WorldConfig};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    /// Calls of this thread; the test harness has threads of its own.
    static CALLS: Cell<usize> = const { Cell::new(0) };
}

struct Counting;

fn count() {
    // While a thread ends its locals are gone; what it frees then is of no interest.
    let _ = CALLS.try_with(|calls| calls.set(calls.get() + 1));
}

// SAFETY: every call is handed on unchanged to the system's allocator, which keeps the contract.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count();
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        unsafe { System.realloc(at, layout, size) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn warm_steps_do_not_allocate() {
    let bounds = Bounds::Reflect { min: Vec2::ZERO, max: Vec2::new(40.0, 40.0) };
    let config = WorldConfig::default().with_threads(Threads::Fixed(1)).with_bounds(bounds);
    let mut w = World::new(config).unwrap();
    for k in 0..400 {
        let (x, y) = ((k % 20) as f32 * 2.0 + 1.0, (k / 20) as f32 * 2.0 + 1.0);
        let velocity = [(k * 7 % 13) as f32 - 6.0, (k * 5 % 11) as f32 - 5.0];
        w.add_circle(Circle::new([x, y], 0.8).with_velocity(velocity)).unwrap();
    }
    for k in 0..10 {
        let x = 4.0 * k as f32;
        w.add_segment(Segment::new([x, 3.0], [x + 2.0, 37.0])).unwrap();
        w.add_segment(Segment::new([x, 20.0], [x + 3.0, 20.0]).with_velocity([1.0, 0.5])).unwrap();
    }
    // Warm: every buffer has met more than it will meet again. Twice all radii are blown up for a while.
    let circles: Vec<_> = w.circles().handles().iter().map(|&handle| (handle, w.circle(handle).unwrap())).collect();
    let segments: Vec<_> = w.segments().handles().iter().map(|&handle| (handle, w.segment(handle).unwrap())).collect();
    for grown in [0.8, 0.0, 0.8, 0.0] {
        for &(handle, body) in &circles {
            let shape = Circle { radius: body.shape.radius + grown, ..body.shape };
            w.set_circle(handle, CircleBody { shape, ..body }).unwrap();
        }
        for &(handle, body) in &segments {
            w.set_segment(handle, SegmentBody { shape: body.shape.with_radius(grown), ..body }).unwrap();
        }
        for _ in 0..50 {
            w.step(if grown > 0.0 { 0.0 } else { 1.0 / 60.0 }).unwrap();
        }
    }
    let (mut contacts, mut events) = (0, 0);
    let before = CALLS.get();
    assert!(before > 0, "nothing is counted");
    for _ in 0..100 {
        let stats = w.step(1.0 / 60.0).unwrap();
        contacts += stats.circle_circle + stats.circle_segment + stats.segment_segment;
        events += w.events().len();
    }
    assert_eq!(CALLS.get() - before, 0);
    assert!(contacts > 5_000 && events > 1000, "a scene without life: {contacts} contacts, {events} events");
}
