//! What edits between steps cost: a thousand of them in worlds of ten thousand circles and more.
//!
//! Times are of a thousand edits and have to be the same whatever the size of the world, but for caches. The first look for a
//! handle after a step, which writes all rows anew, is a row of its own, and so is the step that follows.

mod common;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use gridlane::{CircleBodies, CircleHandle, Threads, World, WorldConfig};
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

criterion_group! {
    name = benches;
    config = common::criterion();
    targets = edits
}
criterion_main!(benches);
