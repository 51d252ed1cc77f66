//! Promise: a handle names its body for as long as it lives, and nothing ever after.

use gridlane::{
    Circle, CircleBodies, CircleHandle, Error, Kind, Segment, SegmentBodies, SegmentHandle, World, WorldConfig,
};
use std::collections::HashMap;

fn world() -> World {
    World::new(WorldConfig::default()).unwrap()
}

#[test]
fn handles_follow_bodies_through_reordering() {
    // Circles added from right to left, each with its own radius, flying through each other's order.
    let mut w = world();
    let mut radius_of = HashMap::new();
    for k in 0..100 {
        let radius = 0.001 * (k + 1) as f32;
        let x = 100.0 - k as f32;
        let speed = (k % 7) as f32 * 3.0;
        let handle = w.add_circle(Circle::new([x, 5.0 * k as f32], radius).with_velocity([speed, 0.0])).unwrap();
        radius_of.insert(handle, radius);
    }
    for _ in 0..50 {
        w.step(0.1).unwrap();
        let view = w.circles();
        for (row, &handle) in view.handles().iter().enumerate() {
            assert_eq!(view.radius()[row], radius_of[&handle]);
            assert_eq!(w.circle_row(handle), Some(row));
            assert_eq!(w.circle(handle).unwrap().shape.radius, radius_of[&handle]);
        }
    }
}

#[test]
fn removed_handles_are_stale_for_every_call() {
    let mut w = world();
    let circle = w.add_circle(Circle::new([1.0, 2.0], 3.0)).unwrap();
    let segment = w.add_segment(Segment::new([0.0, 0.0], [1.0, 1.0])).unwrap();
    assert_eq!(w.remove_circle(circle).unwrap().shape, Circle::new([1.0, 2.0], 3.0));
    assert_eq!(w.remove_segment(segment).unwrap().shape, Segment::new([0.0, 0.0], [1.0, 1.0]));
    let stale = Err(Error::StaleHandle { kind: Kind::Circle, bits: circle.to_bits() });
    assert_eq!(w.remove_circle(circle).map(|_| ()), stale);
    assert_eq!(w.set_circle(circle, Circle::new([0.0, 0.0], 1.0)), stale);
    assert_eq!(w.set_circle_velocity(circle, [0.0, 0.0]), stale);
    assert_eq!(w.push_circle(circle, [0.0, 0.0]), stale);
    assert_eq!((w.circle(circle), w.circle_row(circle)), (None, None));
    let stale = Err(Error::StaleHandle { kind: Kind::Segment, bits: segment.to_bits() });
    assert_eq!(w.remove_segment(segment).map(|_| ()), stale);
    assert_eq!(w.set_segment(segment, Segment::new([0.0, 0.0], [1.0, 0.0])), stale);
    assert_eq!((w.segment(segment), w.segment_row(segment)), (None, None));
    // The index is used again, the handle is not.
    let next = w.add_circle(Circle::new([0.0, 0.0], 1.0)).unwrap();
    assert_eq!((next.index(), next.generation()), (circle.index(), circle.generation() + 1));
    assert_eq!(w.circle(circle), None);
    // Made-up and foreign handles are stale or name the body of the same index and generation, never a panic.
    assert_eq!(w.circle(CircleHandle::from_bits(u64::MAX)), None);
    assert_eq!(w.segment(SegmentHandle::from_bits(9)), None);
}

#[test]
fn bulk_and_single_adds_agree() {
    let mut bulk = world();
    let handles = bulk
        .add_circles(CircleBodies {
            x: &[1.0, 2.0],
            y: &[3.0, 4.0],
            radius: &[0.5, 0.25],
            velocity_x: &[0.0, 7.0],
            inverse_mass: &[1.0, 0.0],
            ..Default::default()
        })
        .unwrap();
    bulk.add_segments(SegmentBodies { x0: &[0.0], y0: &[1.0], x1: &[2.0], y1: &[3.0], ..Default::default() }).unwrap();
    let mut single = world();
    let first = single.add_circle(Circle::new([1.0, 3.0], 0.5)).unwrap();
    let body = Circle::new([2.0, 4.0], 0.25).with_velocity([7.0, 0.0]).with_inverse_mass(0.0);
    let second = single.add_circle(body).unwrap();
    single.add_segment(Segment::new([0.0, 1.0], [2.0, 3.0])).unwrap();
    assert_eq!(handles, [first, second]);
    assert_eq!(bulk.circle(second), Some(body));
    assert_eq!(bulk.state_hash(), single.state_hash());
}

#[test]
fn edits_by_hand_take_effect() {
    let mut w = world();
    let a = w.add_circle(Circle::new([0.0, 0.0], 1.0)).unwrap();
    let b = w.add_circle(Circle::new([9.0, 0.0], 1.0).with_inverse_mass(0.5)).unwrap();
    w.set_circle_velocity(a, [1.0, 2.0]).unwrap();
    w.push_circle(b, [4.0, -2.0]).unwrap();
    assert_eq!(w.circle(a).unwrap().velocity, [1.0, 2.0].into());
    // Impulse times inverse mass.
    assert_eq!(w.circle(b).unwrap().velocity, [2.0, -1.0].into());
    w.set_circle(b, Circle::new([0.0, 30.0], 2.0).with_inverse_mass(0.0)).unwrap();
    w.push_circle(b, [4.0, -2.0]).unwrap();
    assert_eq!(w.circle(b), Some(Circle::new([0.0, 30.0], 2.0).with_inverse_mass(0.0)));
    let wall = w.add_segment(Segment::new([0.0, 5.0], [1.0, 5.0])).unwrap();
    w.set_segment(wall, Segment::new([0.0, 6.0], [1.0, 6.0]).with_velocity([0.0, 1.0])).unwrap();
    w.step(1.0).unwrap();
    assert_eq!(w.segment(wall).unwrap().shape, Segment::new([0.0, 7.0], [1.0, 7.0]));
    w.set_segment(wall, Segment::new([0.0, 6.0], [1.0, 6.0])).unwrap();
    w.step(1.0).unwrap();
    assert_eq!(w.segment(wall).unwrap().shape, Segment::new([0.0, 6.0], [1.0, 6.0]));
}

#[test]
fn random_edits_agree_with_a_map() {
    // The model: handles to radii. Xorshift chooses what happens.
    let mut state = 99u64;
    let mut choose = |n: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 33) as usize % n
    };
    let mut w = world();
    let mut model: Vec<(CircleHandle, f32)> = Vec::new();
    let mut dead: Vec<CircleHandle> = Vec::new();
    for round in 0..4000 {
        match choose(8) {
            0..=2 => {
                let radius = 0.001 * (1 + choose(100)) as f32;
                let at = [choose(1000) as f32, choose(1000) as f32];
                let velocity = [choose(9) as f32 - 4.0, choose(9) as f32 - 4.0];
                model.push((w.add_circle(Circle::new(at, radius).with_velocity(velocity)).unwrap(), radius));
            }
            3..=4 if !model.is_empty() => {
                let (handle, radius) = model.swap_remove(choose(model.len()));
                assert_eq!(w.remove_circle(handle).unwrap().shape.radius, radius);
                dead.push(handle);
            }
            5 if !model.is_empty() => {
                let at = choose(model.len());
                model[at].1 = 0.5;
                w.set_circle(model[at].0, Circle::new([choose(1000) as f32, 0.0], 0.5)).unwrap();
            }
            6 => assert_eq!(w.detect().unwrap().begins, 0),
            _ => assert_eq!(w.step(0.5).unwrap().circles, model.len()),
        }
        if round % 16 == 0 {
            assert_eq!(w.circles().len(), model.len());
            assert!(model.iter().all(|&(handle, radius)| w.circle(handle).unwrap().shape.radius == radius));
            assert!(dead.iter().all(|&handle| w.circle(handle).is_none()));
        }
    }
    assert!(dead.len() > 500 && model.len() > 100);
}
