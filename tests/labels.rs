//! Promise: columns of labels are whole whenever somebody looks, and a label that nobody has any more leaves no trace.

use crate::common::choices::{Choices, Drawn};
use crate::common::goldens::DT;
use crate::common::world_draw::Hand;
use crate::common::worlds::{SMALL, edit, record};
use gridlane::{CircleBody, Filter, SegmentBody, World, WorldConfig};

/// Each column has a row for each body, with what the body says of itself.
fn look(world: &World, when: &str) {
    let c = world.circles();
    let bodies: Vec<CircleBody> = c.handles().iter().map(|&handle| world.circle(handle).unwrap()).collect();
    let in_force = |filter: Filter, enabled: bool| if enabled { filter } else { Filter::NOTHING };
    let filters: Vec<Filter> = bodies.iter().map(|body| in_force(body.filter, body.enabled)).collect();
    assert!(c.category().iter().eq(filters.iter().map(|filter| &filter.category)), "categories of circles, {when}");
    assert!(c.mask().iter().eq(filters.iter().map(|filter| &filter.mask)), "masks of circles, {when}");
    assert!(c.sensor().iter().eq(bodies.iter().map(|body| &body.sensor)), "sensors among circles, {when}");
    assert!(c.user_data().iter().eq(bodies.iter().map(|body| &body.user_data)), "data of circles, {when}");
    assert!(c.enabled().iter().eq(bodies.iter().map(|body| &body.enabled)), "enabled circles, {when}");
    assert!(c.bullet().iter().eq(bodies.iter().map(|body| &body.bullet)), "bullets, {when}");
    let own = bodies.iter().map(|body| body.restitution.unwrap_or(-1.0));
    assert!(c.restitution().iter().copied().eq(own), "restitutions of circles, {when}");

    let s = world.segments();
    let bodies: Vec<SegmentBody> = s.handles().iter().map(|&handle| world.segment(handle).unwrap()).collect();
    let filters: Vec<Filter> = bodies.iter().map(|body| in_force(body.filter, body.enabled)).collect();
    assert!(s.category().iter().eq(filters.iter().map(|filter| &filter.category)), "categories of segments, {when}");
    assert!(s.mask().iter().eq(filters.iter().map(|filter| &filter.mask)), "masks of segments, {when}");
    assert!(s.sensor().iter().eq(bodies.iter().map(|body| &body.sensor)), "sensors among segments, {when}");
    assert!(s.user_data().iter().eq(bodies.iter().map(|body| &body.user_data)), "data of segments, {when}");
    assert!(s.enabled().iter().eq(bodies.iter().map(|body| &body.enabled)), "enabled segments, {when}");
    let own = bodies.iter().map(|body| body.restitution.unwrap_or(-1.0));
    assert!(s.restitution().iter().copied().eq(own), "restitutions of segments, {when}");
}

/// One of the things a caller may do; few of them leave a label. Bodies may be refused.
fn act(world: &mut World, choices: &mut Drawn, saved: &mut Vec<u8>) {
    let (what, which) = (choices.below(16), choices.below(1 << 16));
    let of = |count: usize| which.checked_rem(count);
    let mut hand = Hand::new(choices);
    let (circle, segment) = (hand.circle(), hand.segment());
    let circle_at = of(world.circles().len()).map(|row| world.circles().handles()[row]);
    let segment_at = of(world.segments().len()).map(|row| world.segments().handles()[row]);
    let (Some(one), Some(wall)) = (circle_at, segment_at) else {
        let _ = (world.add_circle(circle.shape), world.add_segment(SegmentBody { sensor: false, ..segment }));
        return;
    };
    let _ = match what {
        0 | 1 => world.add_circle(circle.shape).map(|_| ()),
        2 => world.add_circle(circle).map(|_| ()),
        3 => world.add_segment(segment).map(|_| ()),
        4 => world.remove_circle(one).map(|_| ()),
        5 => world.remove_segment(wall).map(|_| ()),
        6 => world.set_circle(one, circle),
        7 => world.set_segment(wall, segment),
        8 => world.set_circle_bullet(one, circle.bullet),
        9 => world.set_circle_enabled(one, circle.enabled),
        10 => world.set_segment_filter(wall, segment.filter),
        11 => {
            *saved = world.save();
            Ok(())
        }
        12 if !saved.is_empty() => world.restore(saved),
        13 => world.detect().map(|_| ()),
        14 => {
            // All labels go.
            for &handle in &world.circles().handles().to_vec() {
                let body = world.circle(handle).unwrap();
                let plain = CircleBody::from(body.shape).with_velocity(body.velocity);
                world.set_circle(handle, plain.with_inverse_mass(body.inverse_mass)).unwrap();
            }
            Ok(())
        }
        _ => world.step(DT).map(|_| ()),
    };
}

#[test]
fn columns_are_whole_whenever_somebody_looks() {
    for seed in 0..300 {
        // Four worlds: at one somebody looks all the time, at one never, at the others now and then.
        let config = Hand::new(&mut Drawn(seed)).config();
        let mut worlds: Vec<World> = (0..4).map(|_| World::new(config.clone()).unwrap()).collect();
        let mut saved = vec![Vec::new(); worlds.len()];
        for turn in 0..40 {
            for (k, world) in worlds.iter_mut().enumerate() {
                act(world, &mut Drawn(seed << 8 | turn), &mut saved[k]);
                if k > 0 && turn % [1, 1, 7, 20][k] == 0 {
                    look(world, &format!("seed {seed}, turn {turn}, world {k}"));
                }
            }
            let expected = (record(&worlds[0]), worlds[0].save());
            for world in &worlds {
                assert!((record(world), world.save()) == expected, "seed {seed}, turn {turn}");
            }
        }
        look(&worlds[0], "at the end");
    }
}

/// Says something of everybody's labels and takes it back, without a step in between.
fn come_and_go(world: &mut World, step: usize) {
    let circles = world.circles().handles().to_vec();
    for &handle in circles.iter().skip(step % 5).step_by(7) {
        for on in [true, false] {
            world.set_circle_filter(handle, if on { Filter::new(2, 6) } else { Filter::DEFAULT }).unwrap();
            world.set_circle_sensor(handle, on).unwrap();
            world.set_circle_user_data(handle, if on { 9 } else { 0 }).unwrap();
            world.set_circle_enabled(handle, !on).unwrap();
            world.set_circle_bullet(handle, on).unwrap();
        }
    }
    let segments = world.segments().handles().to_vec();
    for &handle in segments.iter().skip(step % 5).step_by(7) {
        for on in [true, false] {
            world.set_segment_filter(handle, if on { Filter::new(2, 6) } else { Filter::DEFAULT }).unwrap();
            world.set_segment_sensor(handle, on).unwrap();
            world.set_segment_user_data(handle, if on { 9 } else { 0 }).unwrap();
            world.set_segment_enabled(handle, !on).unwrap();
        }
    }
}

#[test]
fn a_label_that_is_gone_leaves_no_trace() {
    for (name, start) in SMALL {
        let [mut plain, mut other] = [(); 2].map(|()| start(WorldConfig::default()));
        for step in 0..12 {
            for world in [&mut plain, &mut other] {
                if !["pile", "map"].contains(&name) {
                    edit(world, step);
                }
            }
            if step % 3 == 0 {
                come_and_go(&mut other, step);
            }
            assert_eq!(other.state_hash(), plain.state_hash(), "{name}, step {step}");
            for world in [&mut plain, &mut other] {
                world.step(DT).unwrap();
            }
            assert_eq!(record(&other), record(&plain), "{name}, step {step}");
            assert!(other.save() == plain.save(), "{name}, step {step}");
        }
        look(&other, name);
        // Nor do data that stay over steps: they are of no influence.
        let tagged = other.circles().handles()[0];
        other.set_circle_user_data(tagged, 1 << 63).unwrap();
        for world in [&mut plain, &mut other] {
            for _ in 0..5 {
                world.step(DT).unwrap();
            }
        }
        assert_ne!(other.state_hash(), plain.state_hash(), "{name}");
        other.set_circle_user_data(tagged, 0).unwrap();
        assert_eq!(record(&other), record(&plain), "{name}");
        assert!(other.save() == plain.save(), "{name}");
    }
}
