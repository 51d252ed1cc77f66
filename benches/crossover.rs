//! Where the grid wins: all pairs by brute force in plain f32 against a `Detector`, from 8 to 2048 circles with one
//! segment to ten of them, as dense as the gas scenes. Throughput counts circles.

mod common;

use common::plain_grid::brute_force;
use common::scenes::{Rng, Scene};
use common::{circles, counts, detector};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use gridlane::{Backend, Contacts};
use std::hint::black_box;

/// A small gas: radius 0.25 to 0.5, packing 0.3, segments up to 7 long.
fn gas(count: usize) -> Scene {
    let mut rng = Rng::new(count as u64);
    // The mean square of the radius is (0.5^3 - 0.25^3) / (3 * 0.25) = 0.1458, so the area is 0.458 a circle; / 0.3.
    let half = (count as f64 * 0.458 / 0.3).sqrt() / 2.0;
    let mut column =
        |rows: usize, low: f64, high: f64| -> Vec<f32> { (0..rows).map(|_| rng.range(low, high) as f32).collect() };
    let walls = count / 10;
    let (x, y, radius) = (column(count, -half, half), column(count, -half, half), column(count, 0.25, 0.5));
    let (x0, y0) = (column(walls, -half, half), column(walls, -half, half));
    let beside = |from: &[f32], way: Vec<f32>| from.iter().zip(way).map(|(a, b)| a + b).collect();
    let x1 = beside(&x0, column(walls, -5.0, 5.0));
    let y1 = beside(&y0, column(walls, -5.0, 5.0));
    let (velocity_x, velocity_y) = (vec![], vec![]);
    Scene { name: "gas", half_width: half as f32, x, y, radius, velocity_x, velocity_y, x0, y0, x1, y1 }
}

fn crossover(c: &mut Criterion) {
    let mut group = c.benchmark_group("crossover");
    for count in [8, 16, 32, 64, 128, 256, 512, 1024, 2048] {
        let scene = gas(count);
        let (mut found, mut touching) = (vec![], vec![]);
        brute_force(&scene, &mut found, &mut touching);
        let mut detector = detector(&scene, Backend::Wide, 1);
        let mut contacts = Contacts::new();
        detector.detect(circles(&scene), &mut contacts).expect("finite");
        assert_eq!(counts(&contacts)[..2], [found.len(), touching.len()], "{count} circles");
        group.throughput(Throughput::Elements(count as u64));
        group.bench_function(BenchmarkId::new("brute force", count), |b| {
            b.iter(|| brute_force(black_box(&scene), &mut found, &mut touching));
        });
        group.bench_function(BenchmarkId::new("detector", count), |b| {
            b.iter(|| detector.detect(black_box(circles(&scene)), &mut contacts));
        });
    }
    group.finish();
}

criterion_group! { name = benches; config = common::criterion(); targets = crossover }
criterion_main!(benches);
