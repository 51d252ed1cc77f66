//! What edits between steps cost: a thousand of them in worlds of ten thousand circles and more.
//!
//! Times are of a thousand edits and have to be the same whatever the size of the world, but for caches. The first look for a
//! handle after a step, which writes all rows anew, is a row of its own, and so is the step that follows. Of static segments times are of a step
//! and what one edit, or a thousand, add to it: what is kept about them is mended then.

mod common;

use common::{DT, KNOWN, Way, scene};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use gridlane::{CircleBodies, CircleHandle, Segment, SegmentHandle, Threads, World, WorldConfig};
use std::hint::black_box;

/// Edits at once.
const EDITS: usize = 1_000;

/// Circles in a square, hardly touching, with the handles of every so many of them.
fn world(circles: usize) -> (World, Vec<CircleHandle>) {
    let side = (circles as f64).sqrt() as usize;
    let x: Vec<f32> = (0..circles).map(|k| (k % side) as f32).collect();
    let y: Vec<f32> = (0..circles).map(|k| (k / side) as f32).collect();
    let mut w = World::new(WorldConfig::default().with_threads(Threads::Fixed(1))).expect("in range");
    let columns = CircleBodies { x: &x, y: &y, radius: &vec![0.5; circles], ..CircleBodies::default() };
    let handles = w.add_circles(columns).expect("finite");
    w.step(0.0).expect("in range");
    (w, handles.into_iter().step_by(circles / EDITS).take(EDITS).collect())
}

fn edits(c: &mut Criterion) {
    let large = std::env::var_os("GRIDLANE_BENCH_LARGE").is_some();
    let mut group = c.benchmark_group("edits");
    group.throughput(Throughput::Elements(EDITS as u64));
    let at: Vec<f32> = (0..EDITS).map(|k| 0.25 + k as f32).collect();
    let radius = vec![0.5; EDITS];
    for circles in [10_000, 100_000, 1_000_000].into_iter().filter(|&n| large || n < 1_000_000) {
        let (mut w, mut handles) = world(circles);
        let columns = CircleBodies { x: &at, y: &at, radius: &radius, ..CircleBodies::default() };
        group.bench_function(BenchmarkId::new("remove and add", circles), |b| {
            b.iter(|| {
                w.remove_circles(black_box(&handles)).expect("live");
                handles = w.add_circles(columns).expect("finite");
            });
        });
        group.bench_function(BenchmarkId::new("move", circles), |b| {
            b.iter(|| w.move_circles(black_box(&handles), &at, &at).expect("live"));
        });
        group.bench_function(BenchmarkId::new("disable and enable", circles), |b| {
            b.iter(|| {
                for enabled in [false, true] {
                    for &handle in &handles {
                        w.set_circle_enabled(handle, enabled).expect("live");
                    }
                }
            });
        });
        group.bench_function(BenchmarkId::new("step", circles), |b| b.iter(|| w.step(0.0).expect("in range")));
        group.bench_function(BenchmarkId::new("step, first look", circles), |b| {
            b.iter(|| {
                w.step(0.0).expect("in range");
                w.circle_row(handles[0])
            });
        });
        group.bench_function(BenchmarkId::new("step, remove and add", circles), |b| {
            b.iter(|| {
                w.step(0.0).expect("in range");
                w.remove_circles(black_box(&handles)).expect("live");
                handles = w.add_circles(columns).expect("finite");
            });
        });
    }
    group.finish();
}

/// A step after so many static segments were edited.
fn static_segments(c: &mut Criterion) {
    let mut group = c.benchmark_group("static segments");
    for name in ["gas-10k", "gas-100k", "city-100k"] {
        let known = KNOWN.into_iter().find(|known| known.0 == name).expect("a built-in scene").1;
        let mut w = common::world(&scene(name), Way::WHOLE, known);
        let handles: Vec<SegmentHandle> = w.segments().handles().to_vec();
        let mut on = false;
        for count in [0, 1, EDITS.min(handles.len() / 20)] {
            let some = || handles.iter().step_by(handles.len() / (count + 1)).take(count);
            group.bench_function(BenchmarkId::new(format!("step, {count} moved"), name), |b| {
                b.iter(|| {
                    on = !on;
                    for &handle in some() {
                        let mut body = w.segment(handle).expect("live");
                        body.shape.start.x += if on { 0.125 } else { -0.125 };
                        w.set_segment(handle, body).expect("finite");
                    }
                    w.step(DT).expect("in range")
                });
            });
            group.bench_function(BenchmarkId::new(format!("step, {count} disabled or enabled"), name), |b| {
                b.iter(|| {
                    on = !on;
                    some().for_each(|&handle| w.set_segment_enabled(handle, on).expect("live"));
                    w.step(DT).expect("in range")
                });
            });
            let body = |k: usize| Segment::new([k as f32, 0.5], [k as f32 + 1.0, 0.75]);
            let mut added: Vec<SegmentHandle> = (0..count).map(|k| w.add_segment(body(k)).expect("finite")).collect();
            group.bench_function(BenchmarkId::new(format!("step, {count} removed and added"), name), |b| {
                b.iter(|| {
                    w.remove_segments(&added).expect("live");
                    added.clear();
                    added.extend((0..count).map(|k| w.add_segment(body(k)).expect("finite")));
                    w.step(DT).expect("in range")
                });
            });
            w.remove_segments(&added).expect("live");
        }
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = common::criterion();
    targets = edits, static_segments
}
criterion_main!(benches);
