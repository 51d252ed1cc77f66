//! Sorting circles into cells, for every scene that has circles: in the caller's order, which is random in space, and in
//! the order of the cells, which is how a world finds them at its next step. Throughput counts circles.

mod common;

use common::{circles, in_cell_order, known, scene};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use gridlane::internals::Binned;
use std::hint::black_box;

fn bin(c: &mut Criterion) {
    let mut group = c.benchmark_group("bin");
    for (name, _) in known() {
        let random = scene(name);
        if random.x.is_empty() {
            continue;
        }
        group.throughput(Throughput::Elements(random.x.len() as u64));
        let sorted = in_cell_order(scene(name));
        for (order, scene) in [("caller's order", &random), ("cell order", &sorted)] {
            let mut binned = Binned::default();
            binned.bin(circles(scene));
            let mut rows = binned.order().to_vec();
            rows.sort_unstable();
            assert!(rows.iter().copied().eq(0..scene.x.len() as u32), "{name}: each circle once");
            group.bench_function(BenchmarkId::new(order, name), |b| {
                b.iter(|| binned.bin(black_box(circles(scene))));
            });
        }
    }
    group.finish();
}

criterion_group! { name = benches; config = common::criterion(); targets = bin }
criterion_main!(benches);
