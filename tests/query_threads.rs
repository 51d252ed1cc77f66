//! Promise: questions may be asked from many threads at once, whoever owns them, also the first one after an edit, which has cells to be made.

#![cfg(feature = "parallel")]

use gridlane::{
    Circle, Circles, Contacts, Detector, DetectorConfig, NeighborLists, QueryFilter, Ray, Segment, Target, Threads,
    World, WorldConfig,
};
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use std::sync::mpsc::channel;
use std::time::Duration;

/// Circles of radius 0.25 in a square of so many rows, two apart; those of row `k` are met by a ray at height `2k`.
fn world(side: u32, threads: Threads) -> World {
    let mut world = World::new(WorldConfig::default().with_threads(threads)).unwrap();
    for k in 0..side * side {
        world.add_circle(Circle::new([(k % side) as f32 * 2.0, (k / side) as f32 * 2.0], 0.25)).unwrap();
    }
    world
}

/// Moves the first circle of one row out of the way and asks along all rows at once, from within a pool.
fn ask(world: &mut World, side: u32, round: u32, pool: &rayon::ThreadPool) {
    let row = round % side;
    let first = world.circles().handles()[(row * side) as usize];
    world.move_circle(first, [0.0, -100.0]).unwrap();
    let cast = |k: u32| world.cast_ray(Ray::new([-1.0, k as f32 * 2.0], [1.0, 0.0]), QueryFilter::new()).unwrap();
    let met: Vec<Target> =
        pool.install(|| (0..side).into_par_iter().map(|k| cast(k).expect("a circle of its row").target).collect());
    for (k, target) in (0..side).zip(met) {
        assert_eq!(target, Target::circle(k * side + u32::from(k == row)), "round {round}, row {k}");
    }
    world.move_circle(first, [0.0, row as f32 * 2.0]).unwrap();
}

/// A thread that waits in a pool takes up other work; if that comes to what the thread itself is about to make, nobody may wait for it. Both with
/// threads of its own, and with those of the pool that asks.
#[test]
fn the_first_question_after_an_edit_ends_in_whatever_pool_it_is_asked() {
    let (done, ended) = channel();
    std::thread::spawn(move || {
        for (side, threads, rounds) in [(64, Threads::Fixed(2), 100), (200, Threads::Auto, 60)] {
            let mut world = world(side, threads);
            let pool = rayon::ThreadPoolBuilder::new().num_threads(6).build().unwrap();
            (0..rounds).for_each(|round| ask(&mut world, side, round, &pool));
        }
        done.send(()).unwrap();
    });
    // Some seconds at most; for ever if somebody waits for himself.
    let waited = ended.recv_timeout(Duration::from_secs(300));
    assert!(waited.is_ok(), "{waited:?}");
}

/// Run by the test below in a process of its own.
#[test]
#[ignore = "the pool of all has to be untouched: part of another test"]
fn nothing_small_has_come_to_the_pool_of_all() {
    for threads in [Threads::Auto, Threads::Fixed(1)] {
        let mut world = world(60, threads);
        for k in 0..500 {
            world.add_segment(Segment::new([k as f32, -1.0], [k as f32 + 0.5, -2.0])).unwrap();
        }
        for _ in 0..3 {
            assert_eq!(world.step(0.01).unwrap().threads, 1);
            let mut lists = NeighborLists::new();
            world.queries().neighbors(1.5, QueryFilter::new(), &mut lists).unwrap();
            assert!(!lists.items().is_empty());
        }
        let mut detector = Detector::new(DetectorConfig::default().with_threads(threads)).unwrap();
        let circles = Circles { x: world.circles().x(), y: world.circles().y(), radius: world.circles().radius() };
        detector.detect(circles, &mut Contacts::new()).unwrap();
    }
    // It can be made once, by whoever comes first.
    assert!(rayon::ThreadPoolBuilder::new().num_threads(2).build_global().is_ok());
}

#[test]
fn small_worlds_never_touch_the_pool() {
    let name = "query_threads::nothing_small_has_come_to_the_pool_of_all";
    let mut alone = std::process::Command::new(std::env::current_exe().unwrap());
    let output = alone.args(["--exact", name, "--ignored"]).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("1 passed"), "{text}");
}
