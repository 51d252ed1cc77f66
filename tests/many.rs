//! Promise: many worlds stepped together are what each is alone, bit for bit, whatever the threads; one that refuses stops no other.

use crate::common::choices::Drawn;
use crate::common::goldens::DT;
use crate::common::world_bytes::world_of_everything;
use crate::common::worlds::{SMALL, record};
use gridlane::{Backend, CellSize, Circle, Error, Kind, Segment, Threads, Vec2, World, WorldConfig, Worlds, step_many};

/// Worlds of all sorts, side by side: other backends, cells, pair kinds, limits, labels, moving segments, sizes from nothing on.
fn zoo() -> Vec<World> {
    let mut zoo: Vec<World> = (0..300).map(|seed| world_of_everything(&mut Drawn(seed))).collect();
    for (k, (_, start)) in SMALL.into_iter().enumerate() {
        let config = WorldConfig::default().with_backend(if k % 2 == 0 { Backend::Scalar } else { Backend::Wide });
        zoo.insert(40 * k, start(config.with_threads(Threads::Fixed(2)).with_cell_size(CellSize::Fixed(2.5))));
        zoo.insert(60 * k, World::new(WorldConfig::default()).unwrap());
    }
    zoo
}

fn one(world: &mut World, k: usize) {
    let center = [k as f32 % 7.0, k as f32 % 5.0];
    world.add_circle(Circle::new(center, 0.5).with_velocity([1.0, -1.0])).unwrap();
    if k.is_multiple_of(3) {
        let wall = Segment::new(center, [0.0, 0.0]);
        world.add_segment(wall.with_velocity([0.5, 0.0])).unwrap();
    }
}

#[test]
fn worlds_stepped_together_are_what_they_are_alone() {
    let (mut together, mut alone) = (zoo(), zoo());
    let (mut refused, mut contacts) = (0, 0);
    for step in 0..12 {
        let first = alone.iter_mut().map(|world| world.step(DT)).enumerate().filter_map(|(k, result)| {
            refused += usize::from(result.is_err());
            result.err().map(|error| (k, error))
        });
        let first = first.collect::<Vec<_>>().into_iter().next();
        let result = step_many(&mut together, DT);
        assert_eq!(result.err(), first.map(|(world, error)| Error::InWorld { world, error: Box::new(error) }));
        for (k, (one, other)) in together.iter().zip(&alone).enumerate() {
            assert_eq!(record(one), record(other), "world {k}, step {step}");
            contacts += one.contacts().len();
        }
        // What was handed on between worlds is no part of any: they can be stepped, edited and looked at one by one.
        for worlds in [&mut together, &mut alone] {
            for (k, world) in worlds.iter_mut().enumerate().filter(|(k, _)| k % 5 == step % 5) {
                one(world, k + step);
                let _ = if k % 2 == 0 { world.step(DT) } else { world.detect() };
            }
        }
    }
    assert!(contacts > 10_000 && refused > 0, "{contacts} contacts, {refused} refused");
}

fn template(threads: Threads) -> World {
    let config = WorldConfig::default().with_gravity([0.0, -9.81]).with_restitution(0.8).with_threads(threads);
    let mut world = World::new(config).unwrap();
    for k in 0..20 {
        world.add_circle(Circle::new([k as f32 * 0.9 - 9.0, 2.0 + (k % 4) as f32], 0.5)).unwrap();
    }
    world.add_segment(Segment::new([-9.0, 0.0], [9.0, 0.5])).unwrap();
    world
}

#[test]
fn threads_do_not_matter() {
    let mut expected = None;
    for threads in [Threads::Fixed(1), Threads::Fixed(2), Threads::Fixed(3), Threads::Fixed(8), Threads::Auto] {
        let mut worlds = Worlds::new(&template(threads), 1_100).unwrap();
        for (k, world) in worlds.worlds_mut().iter_mut().enumerate() {
            one(world, k);
        }
        for _ in 0..40 {
            worlds.step(DT).unwrap();
        }
        let found: Vec<_> = worlds.worlds().iter().map(record).collect();
        assert!(worlds.worlds().iter().all(|world| world.stats().threads == 1));
        let expected = expected.get_or_insert_with(|| found.clone());
        assert!(found == *expected, "{threads:?}");
    }
    let expected = expected.unwrap();
    assert!(expected.windows(2).filter(|pair| pair[0].state != pair[1].state).count() > 1_000);
    // The first against a world by itself.
    let mut world = template(Threads::Fixed(1));
    one(&mut world, 0);
    for _ in 0..40 {
        world.step(DT).unwrap();
    }
    assert_eq!(record(&world), expected[0]);
}

#[test]
fn those_that_refuse_are_as_before_and_the_others_go_on() {
    let mut worlds = Worlds::new(&template(Threads::Fixed(2)), 200).unwrap();
    let mut bits = 0;
    for bad in [150, 71, 72] {
        let body = Circle::new([0.0, 50.0], 1.0).with_velocity([0.0, f32::MAX]);
        bits = worlds.worlds_mut()[bad].add_circle(body).unwrap().to_bits();
    }
    let before: Vec<u64> = worlds.worlds().iter().map(World::state_hash).collect();
    let refusal = Error::OutOfRange { kind: Kind::Circle, bits, field: "y" };
    let error = worlds.step(16.0).unwrap_err();
    assert_eq!(error, Error::InWorld { world: 71, error: Box::new(refusal.clone()) });
    assert_eq!(error.to_string(), format!("world 71: {refusal}"));
    for (k, (world, before)) in worlds.worlds().iter().zip(&before).enumerate() {
        assert_eq!(world.state_hash() == *before, [71, 72, 150].contains(&k), "world {k}");
    }
    let before: Vec<u64> = worlds.worlds().iter().map(World::state_hash).collect();
    assert!(matches!(worlds.step(f32::NAN), Err(Error::TimeStep { .. })));
    assert_eq!(worlds.worlds().iter().map(World::state_hash).collect::<Vec<_>>(), before);
    assert_eq!(step_many(&mut [], 1.0), Ok(()));
}

#[test]
fn one_is_reset_and_the_others_are_not() {
    let start = template(Threads::Fixed(2));
    let mut worlds = Worlds::new(&start, 30).unwrap();
    let mut fresh = Worlds::new(&start, 1).unwrap();
    for _ in 0..25 {
        worlds.step(DT).unwrap();
    }
    let before: Vec<_> = worlds.worlds().iter().map(record).collect();
    worlds.reset(7).unwrap();
    for (k, (world, before)) in worlds.worlds().iter().zip(&before).enumerate() {
        assert_eq!(record(world) == *before, k != 7, "world {k}");
    }
    assert_eq!(worlds.worlds()[7].state_hash(), start.state_hash());
    for _ in 0..25 {
        worlds.step(DT).unwrap();
        fresh.step(DT).unwrap();
    }
    assert_eq!(record(&worlds.worlds()[7]), record(&fresh.worlds()[0]));
    worlds.reset_all().unwrap();
    assert!(worlds.worlds().iter().all(|world| world.state_hash() == start.state_hash()));
    assert_eq!(worlds.reset(30), Err(Error::NoWorld { world: 30, worlds: 30 }));
}

#[test]
fn columns_are_world_by_world_in_the_order_of_indices() {
    // Rows are not those of the handles: one is gone from the middle, and the last stands there; another came at the end.
    let mut start = template(Threads::Fixed(1));
    start.remove_circle(start.circles().handles()[3]).unwrap();
    start.add_circle(Circle::new([9.0, 7.0], 0.5)).unwrap();
    let mut worlds = Worlds::new(&start, 3).unwrap();
    let handles = {
        let mut handles = worlds.worlds()[0].circles().handles().to_vec();
        handles.sort_unstable();
        handles
    };
    for _ in 0..50 {
        worlds.step(DT).unwrap();
    }
    // In one world some are gone, and one has come in the place of the last that went.
    let second = &mut worlds.worlds_mut()[1];
    for gone in [handles[4], handles[2]] {
        second.remove_circle(gone).unwrap();
    }
    let new = second.add_circle(Circle::new([1.0, 2.0], 3.0)).unwrap();
    assert_eq!(new.index(), 2);
    let (mut offsets, mut x, mut v, mut mixed) = (vec![9], vec![9.0], vec![], vec![]);
    worlds.offsets_into(&mut offsets);
    worlds.positions_into(&mut x);
    worlds.velocities_into(&mut v);
    worlds.circles_into(&mut mixed, |body| [body.shape.radius, body.velocity.x, 7.0]);
    assert_eq!(offsets, [0, 20, 39, 59]);
    assert_eq!([x.len(), v.len(), mixed.len()], [118, 118, 177]);
    let (mut at, mut moved) = (0, 0);
    for (k, world) in worlds.worlds().iter().enumerate() {
        let mut handles = world.circles().handles().to_vec();
        moved += usize::from(!handles.is_sorted());
        handles.sort_unstable();
        assert_eq!(at, offsets[k]);
        for handle in handles {
            let body = world.circle(handle).unwrap();
            assert_eq!(Vec2::new(x[2 * at], x[2 * at + 1]), body.shape.center);
            assert_eq!(Vec2::new(v[2 * at], v[2 * at + 1]), body.velocity);
            assert_eq!(mixed[3 * at..][..3], [body.shape.radius, body.velocity.x, 7.0]);
            at += 1;
        }
    }
    assert_eq!(moved, 3, "rows in the order of the handles would say nothing");
}
