//! Whole detections and whole steps over the built-in scenes: both backends, one and two threads.
//!
//! `detect` counts bodies (circles and segments) a second and `detect_pairs` contacts a second, of the same work. `step`
//! counts bodies, `rest` contacts of a heap that lies still. `plain_grid` is the grid one writes by hand, circle–circle and circle–segment only; for ratios use the
//! bench `ratio`, which times both in turns.

mod common;

use common::plain_grid::PlainGrid;
use common::{Counts, Way, assert_counts, bodies, circles, detector, known, scene, world};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use gridlane::{Backend, Circle, Response, Segment, Threads, World, WorldConfig};
use std::hint::black_box;

/// What `Detector::detect` is timed with.
const DETECTORS: [(&str, Backend, usize); 4] = [
    ("wide, 1 thread", Backend::Wide, 1),
    ("wide, 2 threads", Backend::Wide, 2),
    ("scalar, 1 thread", Backend::Scalar, 1),
    ("scalar, 2 threads", Backend::Scalar, 2),
];

fn detect(c: &mut Criterion) {
    let mut group = c.benchmark_group("detect");
    for (name, expected) in known() {
        let scene = scene(name);
        group.throughput(Throughput::Elements(bodies(&scene) as u64));
        for (way, backend, threads) in DETECTORS {
            let mut detector = detector(&scene, backend, threads);
            let mut contacts = assert_counts(&mut detector, &scene, expected);
            group.bench_function(BenchmarkId::new(way, name), |b| {
                b.iter(|| detector.detect(black_box(circles(&scene)), &mut contacts));
            });
        }
    }
    group.finish();
}

fn detect_pairs(c: &mut Criterion) {
    let mut group = c.benchmark_group("detect_pairs");
    for (name, expected) in known() {
        let scene = scene(name);
        // Pairs of static segments are found once and kept: they are no work of these calls.
        let pairs = expected[0] + expected[1];
        if pairs == 0 {
            continue;
        }
        group.throughput(Throughput::Elements(pairs as u64));
        let mut detector = detector(&scene, Backend::Wide, 1);
        let mut contacts = assert_counts(&mut detector, &scene, expected);
        group.bench_function(BenchmarkId::new("wide, 1 thread", name), |b| {
            b.iter(|| detector.detect(black_box(circles(&scene)), &mut contacts));
        });
    }
    group.finish();
}

/// Segments set anew before each detection, so that their pairs have to be found again.
fn segments_anew(c: &mut Criterion) {
    let mut group = c.benchmark_group("segments_anew");
    for (name, expected) in known().filter(|(_, [.., segments])| *segments > 100) {
        let mut scene = scene(name);
        for column in [&mut scene.x, &mut scene.y, &mut scene.radius] {
            column.clear();
        }
        group.throughput(Throughput::Elements(scene.x0.len() as u64));
        for threads in [1, 2] {
            let mut detector = detector(&scene, Backend::Wide, threads);
            let mut contacts = assert_counts(&mut detector, &scene, [0, 0, expected[2]]);
            group.bench_function(BenchmarkId::new(format!("wide, {threads} threads"), name), |b| {
                b.iter(|| {
                    detector.set_segments(black_box(common::segments(&scene)))?;
                    detector.detect(circles(&scene), &mut contacts)
                });
            });
        }
    }
    group.finish();
}

fn plain_grid(c: &mut Criterion) {
    let mut group = c.benchmark_group("plain_grid");
    for (name, expected) in known() {
        let scene = scene(name);
        if scene.x.is_empty() {
            continue;
        }
        let mut grid = PlainGrid::new(&scene);
        let (mut circles, mut segments) = (vec![], vec![]);
        grid.detect(&scene, &mut circles, &mut segments);
        assert_nearly(name, [circles.len(), segments.len()], expected);
        group.throughput(Throughput::Elements(bodies(&scene) as u64));
        group.bench_function(BenchmarkId::new("scalar, 1 thread", name), |b| {
            b.iter(|| grid.detect(black_box(&scene), &mut circles, &mut segments));
        });
    }
    group.finish();
}

/// Rounded arithmetic decides a few pairs in ten thousand the other way.
fn assert_nearly(name: &str, found: [usize; 2], expected: Counts) {
    for (found, expected) in found.into_iter().zip(expected) {
        assert!(found.abs_diff(expected) <= 1 + expected / 5_000, "{name}: {found} of {expected}");
    }
}

fn step(c: &mut Criterion) {
    let off = Way { response: Response::None, events: false, ..Way::WHOLE };
    let ways = [
        ("no response, no events", off),
        ("no response, events", Way { events: true, ..off }),
        ("impulses, no events", Way { events: false, ..Way::WHOLE }),
        ("impulses, events", Way::WHOLE),
        ("impulses, events, 2 threads", Way { threads: 2, ..Way::WHOLE }),
        ("impulses, events, scalar", Way { backend: Backend::Scalar, ..Way::WHOLE }),
    ];
    let mut group = c.benchmark_group("step");
    for (name, expected) in known().filter(|(name, _)| !name.starts_with("soup")) {
        let scene = scene(name);
        group.throughput(Throughput::Elements(bodies(&scene) as u64));
        for (label, way) in ways {
            let mut world = world(&scene, way, expected);
            group.bench_function(BenchmarkId::new(label, name), |b| {
                b.iter(|| world.step(black_box(common::DT)).expect("in range"));
            });
        }
    }
    group.finish();
}

/// A heap of ten thousand that lies still, a hundred wide; `substeps` is what it is solved in. It is not waited for where benches are only tried.
fn rest(c: &mut Criterion) {
    let tried = std::env::args().any(|argument| argument == "--test");
    let mut group = c.benchmark_group("rest");
    for substeps in [8, 12] {
        let config = WorldConfig::default().with_gravity([0.0, -9.81]).with_restitution(0.0).with_substeps(substeps);
        let mut world = World::new(config.with_threads(Threads::Fixed(1))).expect("in range");
        for [x0, y0, x1, y1] in [[0.0f32, 0.0, 100.0, 0.0], [0.0, 0.0, 0.0, 200.0], [100.0, 0.0, 100.0, 200.0]] {
            world.add_segment(Segment::new([x0, y0], [x1, y1])).expect("in range");
        }
        for k in 0..10_000 {
            // Radii and places by the multiples of two odd numbers, so that no layer is like another.
            let (one, two) = ((k * 37 % 101) as f32 / 101.0, (k * 59 % 103) as f32 / 103.0);
            let center = [0.55 + (k % 99) as f32 + 0.1 * one, 0.6 + 1.01 * (k / 99) as f32];
            world.add_circle(Circle::new(center, 0.47 + 0.03 * two)).expect("in range");
        }
        let dt = 1.0 / 60.0;
        for _ in 0..if tried { 12 } else { 1_200 } {
            world.step(dt).expect("in range");
        }
        let stats = world.stats();
        assert!(tried || stats.circle_circle > 18_000 && world.kinetic_energy() < 10.0, "{stats:?}");
        group.throughput(Throughput::Elements((stats.circle_circle + stats.circle_segment) as u64));
        group.bench_function(BenchmarkId::new(format!("{substeps} substeps, 1 thread"), "pile-10k"), |b| {
            b.iter(|| world.step(black_box(dt)).expect("in range"));
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = common::criterion();
    targets = detect, detect_pairs, segments_anew, plain_grid, step, rest
}
criterion_main!(benches);
