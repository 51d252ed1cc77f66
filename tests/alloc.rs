//! Promise: a warm world steps, a warm detector detects, and warm lists are filled again, without asking for memory.

#![allow(unsafe_code, reason = "a global allocator can only be counted by being one")]

#[path = "../src/bin/gridlane/scenes.rs"]
mod scenes;

use gridlane::{
    Bounds, Circle, CircleBody, CircleColumns, Circles, ContactSlices, Contacts, Detector, DetectorConfig, Fan, Filter,
    Filters, Frame, HitLists, Neighbors, PairLists, QueryFilter, Ray, Rays, Scan, Segment, SegmentBody, SegmentColumns,
    Segments, Threads, Vec2, World, WorldConfig,
};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    /// Calls of this thread; the test harness has threads of its own.
    static CALLS: Cell<usize> = const { Cell::new(0) };
    /// Bytes that this thread has asked for, less those that it has given back.
    static BYTES: Cell<isize> = const { Cell::new(0) };
}

struct Counting;

fn count() {
    // While a thread ends its locals are gone; what it frees then is of no interest.
    let _ = CALLS.try_with(|calls| calls.set(calls.get() + 1));
}

fn weigh(more: usize, less: usize) {
    let _ = BYTES.try_with(|bytes| bytes.set(bytes.get() + more as isize - less as isize));
}

// SAFETY: every call is handed on unchanged to the system's allocator, which keeps the contract.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        weigh(layout.size(), 0);
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count();
        weigh(layout.size(), 0);
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        weigh(size, layout.size());
        unsafe { System.realloc(at, layout, size) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        weigh(0, layout.size());
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn warm_steps_do_not_allocate() {
    warm_steps(false, 1.0);
}

/// Nor where bodies may rest: what is near, how they stand, what they bear.
#[test]
fn warm_steps_of_bodies_that_may_rest_do_not_allocate() {
    warm_steps(true, 0.99);
}

/// With filters, sensors and user data there are more columns to sort and lists to make.
#[test]
fn warm_steps_of_labelled_bodies_do_not_allocate() {
    warm_steps(true, 1.0);
}

/// Nor where circles fly from wall to wall, once lists of what is near have been as long as they come to be.
#[test]
fn warm_steps_of_fast_circles_do_not_allocate() {
    let bounds = Bounds::Reflect { min: Vec2::ZERO, max: Vec2::new(40.0, 40.0) };
    let config = WorldConfig::default().with_threads(Threads::Fixed(1)).with_bounds(bounds);
    let mut w = World::new(config).unwrap();
    for k in 0..150 {
        let (x, y) = ((k % 20) as f32 * 2.0 + 1.0, (k / 20) as f32 * 5.0 + 1.0);
        let velocity = [(k * 7 % 13) as f32 * 100.0 - 600.0, (k * 5 % 11) as f32 * 100.0 - 500.0];
        // They pass through each other, so that nobody slows down.
        w.add_circle(Circle::new([x, y], 0.3).with_velocity(velocity).with_filter(Filter::new(2, 1))).unwrap();
    }
    for k in 0..10 {
        let x = 4.0 * k as f32;
        w.add_segment(Segment::new([x, 3.0], [x + 2.0, 37.0])).unwrap();
        w.add_segment(Segment::new([x, 20.0], [x + 3.0, 20.0]).with_velocity([1.0, 0.5])).unwrap();
    }
    for _ in 0..1200 {
        w.step(1.0 / 60.0).unwrap();
    }
    let before = CALLS.get();
    let (mut impacts, mut events) = (0, 0);
    for _ in 0..100 {
        w.step(1.0 / 60.0).unwrap();
        (impacts, events) = (impacts + w.impacts().len(), events + w.events().len());
    }
    assert_eq!(CALLS.get() - before, 0);
    assert!(impacts > 5_000 && events > 5_000, "a scene without life: {impacts} impacts, {events} events");
}

/// Nor where many walls move, of which cells are made once in a while: slowly and at a pace.
#[test]
fn warm_steps_among_many_moving_walls_do_not_allocate() {
    for speed in [0.1, 8.0] {
        let bounds = Bounds::Reflect { min: Vec2::ZERO, max: Vec2::new(60.0, 60.0) };
        let config = WorldConfig::default().with_threads(Threads::Fixed(1)).with_bounds(bounds).with_restitution(1.0);
        let mut w = World::new(config).unwrap();
        for k in 0..400 {
            let (x, y) = ((k % 20) as f32 * 3.0 + 1.0, (k / 20) as f32 * 3.0 + 1.0);
            // Some are fast.
            let fast = if k % 5 == 0 { 10.0 } else { 1.0 };
            let velocity = [((k * 7 % 13) as f32 - 6.0) * fast, ((k * 5 % 11) as f32 - 5.0) * fast];
            w.add_circle(Circle::new([x, y], 0.8).with_velocity(velocity)).unwrap();
        }
        for k in 0..200 {
            let (x, y) = ((k % 15) as f32 * 4.0 + 1.0, (k / 15) as f32 * 4.0 + 2.0);
            let velocity = [(k * 3 % 7) as f32 - 3.0, (k * 5 % 9) as f32 - 4.0].map(|v| v / 5.0 * speed);
            let wall = Segment::new([x, y], [x + 2.0, y + (k % 3) as f32 - 1.0]).with_velocity(velocity);
            w.add_segment(wall).unwrap();
        }
        for _ in 0..5000 {
            w.step(1.0 / 60.0).unwrap();
        }
        let (before, mut impacts) = (CALLS.get(), 0);
        for _ in 0..100 {
            impacts += w.step(1.0 / 60.0).unwrap().impacts;
        }
        assert_eq!(CALLS.get() - before, 0, "at {speed}");
        assert!(impacts > 100, "a scene without life: {impacts} impacts");
    }
}

/// Nor where bullets meet others, and are turned by them.
#[test]
fn warm_steps_of_bullets_do_not_allocate() {
    let bounds = Bounds::Reflect { min: Vec2::ZERO, max: Vec2::new(40.0, 40.0) };
    let config = WorldConfig::default().with_threads(Threads::Fixed(1)).with_bounds(bounds);
    let mut w = World::new(config).unwrap();
    for k in 0..150 {
        let (x, y) = ((k % 20) as f32 * 2.0 + 1.0, (k / 20) as f32 * 5.0 + 1.0);
        let velocity = [(k * 7 % 13) as f32 * 20.0 - 120.0, (k * 5 % 11) as f32 * 20.0 - 100.0];
        w.add_circle(Circle::new([x, y], 0.3).with_velocity(velocity).with_bullet(k % 3 == 0)).unwrap();
    }
    for k in 0..10 {
        let x = 4.0 * k as f32;
        w.add_segment(Segment::new([x, 3.0], [x + 2.0, 37.0])).unwrap();
    }
    for _ in 0..10_000 {
        w.step(1.0 / 60.0).unwrap();
    }
    let before = CALLS.get();
    let mut met = 0;
    for _ in 0..100 {
        w.step(1.0 / 60.0).unwrap();
        met += w.circle_impacts().len();
    }
    assert!(met > 500, "a scene without life: {met} meetings");
    assert_eq!(CALLS.get() - before, 0);
}

fn warm_steps(labelled: bool, restitution: f32) {
    let bounds = Bounds::Reflect { min: Vec2::ZERO, max: Vec2::new(40.0, 40.0) };
    let config = WorldConfig::default().with_threads(Threads::Fixed(1)).with_bounds(bounds);
    let config = config.with_restitution(restitution);
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
    for k in (0..400).step_by(3).take(if labelled { 400 } else { 0 }) {
        let handle = w.circles().handles()[k];
        // Each asks for all but its own kind.
        w.set_circle_filter(handle, Filter::new(1 << (k % 4), !(1 << (k % 4)))).unwrap();
        w.set_circle_sensor(handle, k % 2 == 0).unwrap();
        w.set_circle_user_data(handle, k as u64).unwrap();
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
            // Steps so short that they move nobody, but bodies that may rest are answered in them.
            let short = if restitution < 1.0 { 1e-9 } else { 0.0 };
            w.step(if grown > 0.0 { short } else { 1.0 / 60.0 }).unwrap();
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

/// A kind of label that nobody has needs no memory, before a step and after, until somebody looks at its column.
#[test]
fn labels_that_nobody_has_need_no_memory() {
    type Say = fn(CircleBody) -> CircleBody;
    const ROWS: usize = 4_000;
    // Bytes of a world of so many circles far apart, what of these was there before the first step, and what a step changed.
    let weight = |label: Say| {
        let before = BYTES.get();
        let mut w = World::new(WorldConfig::default().with_threads(Threads::Fixed(1)).with_events(false)).unwrap();
        for k in 0..ROWS {
            let body = CircleBody::from(Circle::new([(k % 64) as f32 * 4.0, (k / 64) as f32 * 4.0], 1.0));
            w.add_circle(if k == ROWS - 1 { label(body) } else { body }).unwrap();
        }
        let start = BYTES.get() - before;
        w.step(0.0).unwrap();
        (w, start, BYTES.get() - before)
    };
    let (plain, start, stepped) = weight(|body| body);
    // A column as it is made, and in a step another, in the new order; what holds the columns is small.
    let labels: [(Say, usize); 6] = [
        (|body| body.with_filter(Filter::new(2, 3)), 8),
        (|body| body.with_sensor(true), 1),
        (|body| body.with_user_data(7), 8),
        (|body| body.with_restitution(0.5), 4),
        (|body| body.with_bullet(true), 1),
        // It meets nothing, and its own filter is kept aside.
        (|body| body.with_enabled(false), 8 + 1 + 8),
    ];
    for (k, (label, each)) in labels.into_iter().enumerate() {
        let (_, one, two) = weight(label);
        let held = [one - start, two - stepped].map(|more| more - (each * ROWS) as isize);
        assert!((0..600).contains(&held[0]), "{k}: {held:?}");
        assert!(held[1] >= (each * ROWS) as isize, "{k}: {held:?}");
    }
    // All that a circle is but for labels: six numbers and a handle, twice those of the step, where columns grow by doubling; cells.
    assert!(start < 100 * ROWS as isize, "{start} bytes");
    let (c, before) = (plain.circles(), BYTES.get());
    let seen = |what: usize| BYTES.get() - before - what as isize;
    let mut sum = 0;
    for each in [4, 4, 1, 8, 4, 1, 1] {
        match sum {
            0 => assert_eq!(c.category(), [1; ROWS]),
            4 => assert_eq!(c.mask(), [u32::MAX; ROWS]),
            8 => assert_eq!(c.sensor(), [false; ROWS]),
            9 => assert_eq!(c.user_data(), [0; ROWS]),
            17 => assert_eq!(c.restitution(), [-1.0; ROWS]),
            21 => assert_eq!(c.enabled(), [true; ROWS]),
            _ => assert_eq!(c.bullet(), [false; ROWS]),
        }
        sum += each;
        assert!((1..600).contains(&seen(sum * ROWS)), "{sum} bytes a circle: {}", seen(sum * ROWS));
    }
    // The second look is free.
    let calls = CALLS.get();
    assert_eq!((c.category().len(), c.bullet().len(), CALLS.get()), (ROWS, ROWS, calls));
}

/// Detection alone over columns that change a little from call to call, in worlds of one level, of several, and sparse ones.
#[test]
fn warm_detectors_do_not_allocate() {
    for (name, filtered) in
        [("gas-10k", false), ("mixed-100k", false), ("cluster-100k", false), ("city-100k", false), ("city-100k", true)]
    {
        let scene = scenes::scene(name).expect("a built-in scene");
        // One in four circles meets none of its kind.
        let category: Vec<u32> = (0..scene.x.len()).map(|i| if filtered && i % 4 == 0 { 2 } else { 1 }).collect();
        let mask: Vec<u32> = category.iter().map(|&category| if category == 2 { !2 } else { !0 }).collect();
        let filters =
            if filtered { Filters { category: &category, mask: &mask } } else { Filters { category: &[], mask: &[] } };
        let mut d = Detector::new(DetectorConfig::default().with_threads(Threads::Fixed(1))).unwrap();
        d.set_segments(Segments { x0: &scene.x0, y0: &scene.y0, x1: &scene.x1, y1: &scene.y1 }).unwrap();
        let (mut x, mut y) = (scene.x.clone(), scene.y.clone());
        let mut contacts = Contacts::new();
        let mut detect = |x: &[f32], y: &[f32], contacts: &mut Contacts| {
            d.detect_filtered(Circles { x, y, radius: &scene.radius }, filters, contacts).unwrap();
        };
        // Warm: radii do not change, positions wander and come back.
        let mut wander = |k: usize| {
            for i in 0..x.len() {
                let by = if k.is_multiple_of(2) { 0.01 } else { -0.01 };
                (x[i], y[i]) = (x[i] + by, y[i] - by);
            }
            (x.clone(), y.clone())
        };
        for k in 0..4 {
            let (x, y) = wander(k);
            detect(&x, &y, &mut contacts);
        }
        for k in 4..8 {
            let (x, y) = wander(k);
            let before = CALLS.get();
            detect(&x, &y, &mut contacts);
            assert_eq!(CALLS.get() - before, 0, "{name}, call {k}");
            assert!(contacts.len() > 8_000, "{name}");
        }
    }
}

/// Every way in and out of a detector: columns in records, one radius, moving segments with filters; rows alone, a visitor, slices,
/// neighbour lists, pairs between two sets.
#[test]
fn warm_detectors_do_not_allocate_on_any_way() {
    for name in ["gas-10k", "mixed-100k", "cluster-100k"] {
        let scene = scenes::scene(name).expect("a built-in scene");
        let mut d = Detector::new(DetectorConfig::default().with_threads(Threads::Fixed(1))).unwrap();
        d.set_segments(Segments { x0: &scene.x0, y0: &scene.y0, x1: &scene.x1, y1: &scene.y1 }).unwrap();
        let mut circles: Vec<[f32; 3]> =
            (0..scene.x.len()).map(|i| [scene.x[i], scene.y[i], scene.radius[i]]).collect();
        // A tenth of the walls again, somewhat further on: they move.
        let count = scene.x0.len().div_ceil(10);
        let mut moving: Vec<[f32; 4]> =
            (0..count).map(|i| [scene.x0[i] + 0.5, scene.y0[i], scene.x1[i] + 0.5, scene.y1[i]]).collect();
        let mask: Vec<u32> = (0..count).map(|i| if i % 7 == 0 { 0 } else { u32::MAX }).collect();
        let (mut contacts, mut pairs, mut neighbors) = (Contacts::new(), PairLists::new(), Neighbors::new());
        let (mut one_size, mut between) = (Neighbors::new(), Vec::new());
        let mut seen = 0;
        let mut room = (vec![], vec![], vec![]);
        for k in 0..8 {
            let by = if k % 2 == 0 { 0.01 } else { -0.01 };
            circles.iter_mut().for_each(|c| (c[0], c[1]) = (c[0] + by, c[1] - by));
            moving.iter_mut().for_each(|s| (s[0], s[2]) = (s[0] - by, s[2] - by));
            let mut calls = [0; 6];
            let frame = Frame::new(&circles)
                .with_moving(SegmentColumns::from(&moving).with_radius(0.125))
                .with_moving_filters(Filters { category: &[], mask: &mask });
            let mut count = |way: usize, work: &mut dyn FnMut()| {
                let before = CALLS.get();
                work();
                calls[way] += CALLS.get() - before;
            };
            count(0, &mut || d.detect(frame, &mut contacts).unwrap());
            if k == 0 {
                // Room for half as many again, as a caller would have it.
                let more = |n: usize| n + n / 2 + 64;
                room.0.resize(more(contacts.circle_circle().len()), Default::default());
                room.1.resize(more(contacts.circle_segment().len()), Default::default());
                room.2.resize(more(contacts.segment_segment().len()), Default::default());
            }
            count(1, &mut || d.pairs(frame, &mut pairs).unwrap());
            count(2, &mut || d.visit(frame, |_| seen += 1).unwrap());
            count(3, &mut || {
                let slices = ContactSlices {
                    circle_circle: &mut room.0,
                    circle_segment: &mut room.1,
                    segment_segment: &mut room.2,
                };
                let counts = d.detect_into(frame, slices).unwrap();
                assert_eq!(counts.circle_circle, pairs.circle_circle().len());
            });
            count(4, &mut || {
                d.neighbors(Frame::new(&circles), 0.25, &mut neighbors).unwrap();
                let points = CircleColumns { radius: 0.5.into(), ..CircleColumns::from(&circles) };
                d.neighbors(points, 0.0, &mut one_size).unwrap();
            });
            count(5, &mut || {
                let filters = Filters { category: &[], mask: &mask };
                d.segments_between(&moving, filters, &mut between).unwrap();
            });
            assert!(k < 4 || calls == [0; 6], "{name}, call {k}: {calls:?}");
        }
        let least = contacts.circle_circle().len();
        assert!(least > 5_000 && pairs.len() >= least && seen >= 8 * least, "{name}");
        assert!(neighbors.rows().len() > 2 * least && !one_size.rows().is_empty(), "{name}");
    }
}

/// Single questions that return one record, and those that fill a buffer that is warm.
#[test]
fn warm_casts_do_not_allocate() {
    let scene = scenes::scene("gas-1k").unwrap();
    let mut detector = Detector::new(DetectorConfig::default().with_threads(Threads::Fixed(1))).unwrap();
    detector.set_segments(Segments { x0: &scene.x0, y0: &scene.y0, x1: &scene.x1, y1: &scene.y1 }).unwrap();
    let circles = Circles { x: &scene.x, y: &scene.y, radius: &scene.radius };
    detector.set_circles(circles, Filters::default()).unwrap();
    let ones = vec![1.0; scene.x.len()];
    let rays = Rays { x: &scene.x, y: &scene.y, direction_x: &ones, direction_y: &scene.radius, max: &[], skip: &[] };
    let (mut hits, mut all, mut met, mut lists) = (Vec::new(), Vec::new(), Vec::new(), HitLists::new());
    let (mut scan, mut scans) = (Scan::new(), gridlane::Scans::new());
    let mut ask = |detector: &Detector| {
        let (queries, filter) = (detector.queries(), QueryFilter::new());
        let ray = Ray::new([0.0, 0.0], [1.0, 0.3]);
        let first = queries.cast_ray(ray, filter).unwrap();
        assert_eq!(first.is_some(), queries.cast_ray_any(ray, filter).unwrap());
        queries.cast_ray_all(ray, filter, &mut all).unwrap();
        queries.cast_circle(Circle::new([1.0, 1.0], 0.3), [9.0, 4.0], filter).unwrap();
        queries.cast_rays(rays, filter, &mut hits).unwrap();
        queries.cast_rays_any(rays, filter, &mut met).unwrap();
        queries.cast_rays_all(rays, filter, &mut lists).unwrap();
        queries.cast_fan(Fan::around([0.0, 0.0], 90, 50.0), filter, &mut scan).unwrap();
        queries.cast_fans(&[Fan::around([0.0, 0.0], 90, 50.0); 9], &[7; 9], filter, &mut scans).unwrap();
    };
    ask(&detector);
    let before = CALLS.with(Cell::get);
    ask(&detector);
    assert_eq!(CALLS.with(Cell::get), before);
    assert!(met.contains(&true) && lists.hits().len() > 1_000 && scans.hits().iter().any(|hit| hit.is_hit()));
}

/// Questions about overlaps and nearness, one by one and many, over lists that have been filled before.
#[test]
fn warm_questions_do_not_allocate() {
    use gridlane::{Aabb, NearestLists, NeighborLists, QueryFilter, TargetLists};
    let scene = scenes::scene("gas-10k").expect("a built-in scene");
    let mut d = Detector::new(DetectorConfig::default().with_threads(Threads::Fixed(1))).unwrap();
    d.set_segments(Segments { x0: &scene.x0, y0: &scene.y0, x1: &scene.x1, y1: &scene.y1 }).unwrap();
    let circles = Circles { x: &scene.x, y: &scene.y, radius: &scene.radius };
    d.set_circles(circles, Filters::default()).unwrap();
    let filter = QueryFilter::new();
    let (mut found, mut near, mut all) = (Vec::new(), Vec::new(), Vec::new());
    let (mut lists, mut neighbors, mut several) = (TargetLists::new(), NeighborLists::new(), NearestLists::new());
    for round in 0..2 {
        let before = CALLS.get();
        let (queries, mut total) = (d.queries(), 0);
        for (&x, &y) in scene.x.iter().zip(&scene.y).take(500) {
            queries.overlap_circle(Circle::new([x, y], 2.0), filter, &mut found).unwrap();
            queries.overlap_aabb(Aabb::new([x, y], [x + 1.0, y + 2.0]), filter, &mut found).unwrap();
            queries.overlap_segment(Segment::new([x, y], [x + 30.0, y + 20.0]), filter, &mut found).unwrap();
            queries.nearest_k([x, y], 50, f32::MAX, filter, &mut near).unwrap();
            total += found.len() + usize::from(queries.is_free(Circle::new([x, y], 0.1), filter).unwrap());
            total += usize::from(queries.nearest([x + 0.5, y], 9.0, filter).unwrap().is_some());
        }
        queries.overlap_circles(circles, filter, &mut lists).unwrap();
        queries.neighbors(0.5, filter, &mut neighbors).unwrap();
        queries.nearest_all(&scene.x, &scene.y, 2.0, filter, &mut all).unwrap();
        let points = gridlane::QueryPoints { x: &scene.x, y: &scene.y, skip: &[] };
        queries.nearest_k_all(points, 8, 2.0, filter, &mut several).unwrap();
        assert!(total > 2_000 && neighbors.items().len() > 20_000 && lists.items().len() > 10_000);
        assert!(round == 0 || CALLS.get() == before, "{} calls", CALLS.get() - before);
    }
}
