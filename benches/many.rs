//! Many small worlds against one large one of as many bodies: least of interleaved rounds, nanoseconds a circle and step, one thread
//! and all of them. 4 096 worlds of 50 circles and 20 segments against 204 800 circles and 81 920 segments.
//!
//! `cargo bench --bench many`; `--test` makes everything small.

#[path = "../src/bin/gridlane/scenes.rs"]
mod scenes;

use gridlane::{Bounds, Circle, Segment, Threads, World, WorldConfig, Worlds, step_many};
use scenes::Rng;
use std::time::Instant;

const DT: f32 = 1.0 / 240.0;
const CIRCLES: usize = 50;
const SEGMENTS: usize = 20;

/// A gas of radii from 0.25 to 0.5 that covers three tenths of its box, with short segments.
fn gas(times: usize, threads: Threads, seed: u64) -> World {
    let mut rng = Rng::new(seed);
    // The mean square of the radius is 0.1458, so the area is 0.458 a circle.
    let half = ((CIRCLES * times) as f64 * 0.458 / 0.3).sqrt() / 2.0;
    let corner = half as f32;
    let bounds = Bounds::Reflect { min: [-corner, -corner].into(), max: [corner, corner].into() };
    let mut world = World::new(WorldConfig::default().with_threads(threads).with_bounds(bounds)).expect("in range");
    let mut point = |most: f64| [rng.range(-most, most) as f32, rng.range(-most, most) as f32];
    for _ in 0..CIRCLES * times {
        let (center, velocity) = (point(half), point(4.0));
        let radius = 0.375 + point(0.125)[0];
        world.add_circle(Circle::new(center, radius).with_velocity(velocity)).expect("finite");
    }
    for _ in 0..SEGMENTS * times {
        let ([x, y], [dx, dy]) = (point(half), point(1.0));
        world.add_segment(Segment::new([x, y], [x + dx, y + dy])).expect("finite");
    }
    world
}

fn main() {
    let small = std::env::args().any(|argument| argument == "--test");
    let (count, rounds) = if small { (16, 2) } else { (4096, 40) };
    let gases = |count: usize| (0..count).map(|k| gas(1, Threads::Fixed(1), k as u64)).collect::<Vec<World>>();
    // Worlds that start alike, with one thread for all of them; the same worlds with the threads of the pool.
    let mut alike = Worlds::new(&gas(1, Threads::Fixed(1), 0), count).expect("in range");
    for (into, from) in alike.worlds_mut().iter_mut().zip(gases(count)) {
        into.restore(&from.save()).expect("what was saved");
    }
    let mut pooled = gases(count);
    let mut single = gases(1);
    let mut large = gas(count, Threads::Fixed(1), 0);
    // The overlap that all begin with is pushed apart.
    for _ in 0..20 {
        alike.step(DT).expect("in range");
        step_many(&mut pooled, DT).expect("in range");
        single[0].step(DT).expect("in range");
        large.step(DT).expect("in range");
    }
    let hashes = [alike.worlds(), &pooled].map(|worlds| worlds.iter().map(World::state_hash).collect::<Vec<_>>());
    assert!(hashes[0] == hashes[1], "the same worlds");
    let mut least = [f64::INFINITY; 4];
    for _ in 0..rounds {
        let mut time = |which: usize, calls: usize, work: &mut dyn FnMut()| {
            let start = Instant::now();
            (0..calls).for_each(|_| work());
            let spent = start.elapsed().as_secs_f64() / calls as f64;
            if spent < least[which] {
                least[which] = spent;
            }
        };
        time(0, 1, &mut || alike.step(DT).expect("in range"));
        time(1, 1, &mut || step_many(&mut pooled, DT).expect("in range"));
        time(2, 100, &mut || drop(single[0].step(DT)));
        time(3, 1, &mut || drop(large.step(DT)));
    }
    let contacts = pooled.iter().map(|world| world.contacts().len()).sum::<usize>();
    println!("{count} worlds, {contacts} contacts; one large world, {} contacts", large.contacts().len());
    println!("| | ms a step | ns a circle | against the large world |\n|---|---|---|---|");
    let circles = (CIRCLES * count) as f64;
    let names = ["many, 1 thread", "many, all threads", "one of them, warm", "one large world, 1 thread"];
    for (name, (seconds, circles)) in names.into_iter().zip(least.into_iter().zip([circles, circles, 50.0, circles])) {
        let each = seconds / circles * 1e9;
        let ratio = each / (least[3] / (CIRCLES * count) as f64 * 1e9);
        println!("| {name} | {:.4} | {each:.1} | {ratio:.2} |", seconds * 1e3);
    }
}
