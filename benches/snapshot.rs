//! Saving a world and going back to it: bytes a second, and how many bytes there are. What is restored is asked for its hash first.

mod common;

use common::{Way, known, scene, world};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

fn snapshot(c: &mut Criterion) {
    let mut group = c.benchmark_group("snapshot");
    for (name, expected) in known().filter(|(name, _)| ["gas-1k", "gas-10k", "gas-100k", "gas-1m"].contains(name)) {
        let mut world = world(&scene(name), Way::WHOLE, expected);
        let (mut bytes, hash) = (world.save(), world.state_hash());
        let bodies = world.circles().len() + world.segments().len();
        // 8 a pair that touches, 32 a body, and a header.
        assert!(bytes.len() <= 256 + 32 * bodies + 8 * world.contacts().len(), "{name}: {} bytes", bytes.len());
        world.restore(&bytes).expect("what was saved");
        assert_eq!(world.state_hash(), hash, "{name}");
        group.throughput(Throughput::Bytes(bytes.len() as u64));
        group.bench_function(BenchmarkId::new("save", name), |b| b.iter(|| world.save_into(&mut bytes)));
        group.bench_function(BenchmarkId::new("restore", name), |b| {
            b.iter(|| world.restore(&bytes).expect("what was saved"));
        });
    }
    group.finish();
}

criterion_group! { name = benches; config = common::criterion(); targets = snapshot }
criterion_main!(benches);
