//! What is near: overlaps, nearest bodies and neighbours, in the scenes of the other benches. Throughput counts questions, or records of
//! neighbours; what is found in all is counted by a loop over all bodies for some of the questions before the clock starts.

mod common;

use common::scenes::Rng;
use common::{circles, scene, segments};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use gridlane::geometry;
use gridlane::{
    Circle, Detector, DetectorConfig, Filters, NeighborLists, Queries, QueryFilter, Segment, Target, TargetLists,
    Threads,
};
use std::hint::black_box;

const SCENES: [&str; 4] = ["city-100k", "gas-100k", "mixed-100k", "cluster-100k"];
const QUESTIONS: usize = 1000;

/// Some of the answers, by the loop.
fn assert_overlaps(scene: &common::scenes::Scene, queries: Queries<'_>, points: &[[f32; 2]]) {
    let mut found = Vec::new();
    for &point in &points[..20] {
        let shape = Circle::new(point, 1.0);
        queries.overlap_circle(shape, QueryFilter::new(), &mut found).expect("finite");
        let circle =
            |&i: &usize| geometry::circles_touch(shape, Circle::new([scene.x[i], scene.y[i]], scene.radius[i]));
        let segment = |&i: &usize| {
            let segment = Segment::new([scene.x0[i], scene.y0[i]], [scene.x1[i], scene.y1[i]]);
            geometry::circle_touches_segment(shape, segment)
        };
        let circles = (0..scene.x.len()).filter(circle).map(|i| Target::circle(i as u32));
        let segments = (0..scene.x0.len()).filter(segment).map(|i| Target::segment(i as u32));
        assert!(circles.chain(segments).eq(found.iter().copied()), "{}", scene.name);
    }
}

fn near(c: &mut Criterion) {
    for name in SCENES {
        let scene = scene(name);
        let config = DetectorConfig::default().with_threads(Threads::Fixed(1));
        let mut detector = Detector::new(config).expect("in range");
        detector.set_segments(segments(&scene)).expect("finite");
        detector.set_circles(circles(&scene), Filters::default()).expect("finite");
        let (queries, filter, half) = (detector.queries(), QueryFilter::new(), f64::from(scene.half_width));
        let mut rng = Rng::new(0x0EA5);
        let mut coordinate = || rng.range(-half, half) as f32;
        let points: Vec<[f32; 2]> = (0..QUESTIONS).map(|_| [coordinate(), coordinate()]).collect();
        assert_overlaps(&scene, queries, &points);
        let (mut found, mut best) = (Vec::new(), Vec::new());
        let mut group = c.benchmark_group("near");
        group.throughput(Throughput::Elements(QUESTIONS as u64));
        let mut each = |what: &str, ask: &mut dyn FnMut([f32; 2])| {
            group.bench_function(BenchmarkId::new(what, name), |b| {
                b.iter(|| points.iter().for_each(|&point| ask(black_box(point))));
            });
        };
        each("overlap_circle, radius 1", &mut |p| {
            queries.overlap_circle(Circle::new(p, 1.0), filter, &mut found).expect("finite");
        });
        each("is_free, radius 1", &mut |p| {
            black_box(queries.is_free(Circle::new(p, 1.0), filter).expect("finite"));
        });
        each("overlap_point", &mut |p| queries.overlap_point(p, filter, &mut found).expect("finite"));
        each("overlap_segment, 10 long", &mut |[x, y]| {
            let segment = Segment::new([x, y], [x + 8.0, y + 6.0]);
            queries.overlap_segment(segment, filter, &mut found).expect("finite");
        });
        each("nearest_circle", &mut |p| {
            black_box(queries.nearest_circle(p, f32::MAX, filter).expect("finite"));
        });
        each("nearest_segment", &mut |p| {
            black_box(queries.nearest_segment(p, f32::MAX, filter).expect("finite"));
        });
        each("nearest_k, 10", &mut |p| queries.nearest_k(p, 10, f32::MAX, filter, &mut best).expect("finite"));
        drop(group);
        if name == "mixed-100k" {
            continue; // two radii of its largest circles are half of the scene
        }
        neighbors(c, name, queries, 2.0 * scene.radius.iter().fold(0.0, |most, &r| if r > most { r } else { most }));
    }
}

fn neighbors(c: &mut Criterion, name: &str, queries: Queries<'_>, distance: f32) {
    let (mut lists, mut rows, filter) = (NeighborLists::new(), TargetLists::new(), QueryFilter::new());
    queries.neighbors(distance, filter, &mut lists).expect("below the limit");
    queries.neighbor_rows(distance, filter, &mut rows).expect("below the limit");
    // Nearness is mutual.
    for (row, list) in lists.iter().enumerate().take(2000) {
        for near in list.iter().filter(|near| near.target.kind == gridlane::TargetKind::Circle) {
            let back = rows.get(near.target.row as usize);
            assert!(back.contains(&Target::circle(row as u32)), "{name}: {row}");
        }
    }
    let mut group = c.benchmark_group("neighbors");
    group.throughput(Throughput::Elements(lists.items().len() as u64));
    group.bench_function(BenchmarkId::new("two radii", name), |b| {
        b.iter(|| queries.neighbors(black_box(distance), filter, &mut lists));
    });
    group.bench_function(BenchmarkId::new("two radii, rows", name), |b| {
        b.iter(|| queries.neighbor_rows(black_box(distance), filter, &mut rows));
    });
    group.finish();
}

criterion_group! { name = benches; config = common::criterion(); targets = near }
criterion_main!(benches);
