//! Rays: how many a second, against a plain cell walk in ordinary f32, and fans.
//!
//! The plain walk and the exact one have to agree on what is hit, but for one ray in a thousand, before the clock starts.

#[path = "common/mod.rs"]
mod common;
#[path = "common/plain_walk.rs"]
mod plain_walk;

use common::scenes::{Rng, Scene};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use gridlane::{
    Backend, Circles, Detector, DetectorConfig, Fan, Filters, Hit, MovingCircles, QueryFilter, Rays, Scan, Segments,
    Threads,
};
use plain_walk::PlainWalk;
use std::hint::black_box;

const RAYS: usize = 10_000;

/// Columns of rays.
struct Beams {
    columns: [Vec<f32>; 4],
    max: Vec<f32>,
}

impl Beams {
    /// From anywhere in the scene, anywhere, of this length; fractions up to `max`.
    fn strewn(half: f32, length: f64, max: f32) -> Beams {
        let mut rng = Rng::new(11);
        let mut columns: [Vec<f32>; 4] = Default::default();
        for _ in 0..RAYS {
            let (half, angle) = (f64::from(half), rng.range(0.0, std::f64::consts::TAU));
            let row = [rng.range(-half, half), rng.range(-half, half), length * angle.cos(), length * angle.sin()];
            columns.iter_mut().zip(row).for_each(|(column, v)| column.push(v as f32));
        }
        Beams { columns, max: vec![max; RAYS] }
    }

    fn rays(&self) -> Rays<'_> {
        let [x, y, direction_x, direction_y] = &self.columns;
        Rays { x, y, direction_x, direction_y, max: &self.max, skip: &[] }
    }
}

fn detector(scene: &Scene, backend: Backend) -> Detector {
    let config = DetectorConfig::default().with_backend(backend).with_threads(Threads::Fixed(1));
    let mut detector = Detector::new(config).expect("in range");
    let segments = Segments { x0: &scene.x0, y0: &scene.y0, x1: &scene.x1, y1: &scene.y1 };
    detector.set_segments(segments).expect("finite");
    let circles = Circles { x: &scene.x, y: &scene.y, radius: &scene.radius };
    detector.set_circles(circles, Filters::default()).expect("finite");
    detector
}

/// A few hundred bodies where there is room for many more.
fn empty() -> Scene {
    let mut scene = common::scene("gas-1k");
    for column in [&mut scene.x, &mut scene.y, &mut scene.x0, &mut scene.y0, &mut scene.x1, &mut scene.y1] {
        let spread = |v: &f32| *v * 6.0;
        *column = column.iter().map(spread).collect();
    }
    // Walls as long as they were, about their new first ends.
    for k in 0..scene.x0.len() - 4 {
        scene.x1[k] = scene.x0[k] + (scene.x1[k] - scene.x0[k]) / 6.0;
        scene.y1[k] = scene.y0[k] + (scene.y1[k] - scene.y0[k]) / 6.0;
    }
    Scene { name: "empty-1k", half_width: 6.0 * scene.half_width, ..scene }
}

/// Rows may differ where bodies overlap and a ray starts in both; fractions may not.
fn agree(scene: &Scene, hits: &[Hit], walk: &PlainWalk, beams: &Beams) {
    let mut others = 0;
    for (k, hit) in hits.iter().enumerate() {
        let [x, y, dx, dy] = [0, 1, 2, 3].map(|c| beams.columns[c][k]);
        let plain = walk.cast([x, y], [dx, dy], beams.max[k]);
        let same = match (hit.found(), plain) {
            (Some(hit), Some(plain)) => (hit.fraction - plain.t).abs() <= 1e-4 * (1.0 + plain.t),
            (None, None) => true,
            _ => false,
        };
        others += usize::from(!same);
    }
    assert!(others <= RAYS / 500, "{}: {others} of {RAYS} differ", scene.name);
}

fn closest(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("rays");
    group.throughput(Throughput::Elements(RAYS as u64));
    for (scene, cell, length, max) in [
        (common::scene("city-100k"), 1.0, 100.0, 1.0),
        (common::scene("gas-100k"), 1.0, 100.0, 1.0),
        (empty(), 6.0, 1.0, 1000.0),
        (common::scene("soup-100k"), 1.0, 100.0, 1.0),
        // Nearly empty: some bodies a cell of the plain walk.
        (common::scene("cluster-100k"), 500.0, 1000.0, 1.0),
    ] {
        let beams = Beams::strewn(scene.half_width * 0.98, length, max);
        let walk = PlainWalk::new(&scene, cell);
        let mut hits = Vec::new();
        for (name, backend) in [("wide", Backend::Wide), ("scalar", Backend::Scalar)] {
            let detector = detector(&scene, backend);
            detector.queries().cast_rays(beams.rays(), QueryFilter::new(), &mut hits).expect("finite");
            agree(&scene, &hits, &walk, &beams);
            group.bench_function(BenchmarkId::new(name, scene.name), |b| {
                b.iter(|| detector.queries().cast_rays(beams.rays(), QueryFilter::new(), &mut hits));
            });
            if name == "wide" {
                let mut met = Vec::new();
                group.bench_function(BenchmarkId::new("any", scene.name), |b| {
                    b.iter(|| detector.queries().cast_rays_any(beams.rays(), QueryFilter::new(), &mut met));
                });
                group.bench_function(BenchmarkId::new("segments only", scene.name), |b| {
                    let filter = QueryFilter::new().segments_only();
                    b.iter(|| detector.queries().cast_rays(beams.rays(), filter, &mut hits));
                });
                let [x, y, motion_x, motion_y] = &beams.columns;
                let radius = &vec![0.25; RAYS][..];
                let scaled = |v: &[f32]| v.iter().map(|v| v * max).collect::<Vec<f32>>();
                let (motion_x, motion_y) = (&scaled(motion_x)[..], &scaled(motion_y)[..]);
                let circles = MovingCircles { x, y, radius, motion_x, motion_y, skip: &[] };
                group.bench_function(BenchmarkId::new("thick", scene.name), |b| {
                    b.iter(|| detector.queries().cast_circles(circles, QueryFilter::new(), &mut hits));
                });
            }
        }
        group.bench_function(BenchmarkId::new("plain walk", scene.name), |b| {
            b.iter(|| {
                for k in 0..RAYS {
                    let [x, y, dx, dy] = [0, 1, 2, 3].map(|c| beams.columns[c][k]);
                    black_box(walk.cast([x, y], [dx, dy], beams.max[k]));
                }
            });
        });
    }
    group.finish();
}

/// 360 walls about the origin, 360 beams.
fn fan(criterion: &mut Criterion) {
    let corner = |k: i32| {
        let a = f64::from(k % 360).to_radians();
        let far = 10.0 + 3.0 * (5.0 * a).sin() + (17.0 * a).cos();
        [(far * a.cos()) as f32, (far * a.sin()) as f32]
    };
    let mut scene = Scene { name: "room-360", ..Scene::default() };
    for k in 0..360 {
        let ([x0, y0], [x1, y1]) = (corner(k), corner(k + 1));
        for (column, v) in
            [&mut scene.x0, &mut scene.y0, &mut scene.x1, &mut scene.y1].into_iter().zip([x0, y0, x1, y1])
        {
            column.push(v);
        }
    }
    let detector = detector(&scene, Backend::Wide);
    let (mut scan, fan) = (Scan::new(), Fan::around([0.5, -0.25], 360, 100.0));
    detector.queries().cast_fan(fan, QueryFilter::new(), &mut scan).expect("finite");
    assert!(scan.hits().iter().all(|hit| hit.is_hit()));
    let mut group = criterion.benchmark_group("fan");
    group.bench_function("360 beams, 360 walls", |b| {
        b.iter(|| detector.queries().cast_fan(fan, QueryFilter::new(), &mut scan));
    });
    group.finish();
}

criterion_group! {
    name = benches;
    config = common::criterion();
    targets = closest, fan
}
criterion_main!(benches);
