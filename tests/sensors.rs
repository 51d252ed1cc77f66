//! Promise: sensors report what they touch and push nothing, nor are they pushed; user data are kept and change nothing; both, and
//! filters, are part of the state.

use crate::common::scenes::Rng;
use crate::common::truth::bytes;
use crate::common::worlds::{SMALL, edit};
use gridlane::{
    Backend, Bounds, Circle, CircleBody, CircleHandle, Error, EventKind, EventPair, Filter, Kind, Response, Segment,
    SegmentBody, SegmentHandle, Threads, World, WorldConfig,
};

const DT: f32 = 1.0 / 60.0;

/// Every bit of the motion, by rows, and whose it is.
fn motion(world: &World) -> (Vec<u32>, Vec<CircleHandle>) {
    let (c, s) = (world.circles(), world.segments());
    let columns = [c.x(), c.y(), c.velocity_x(), c.velocity_y(), s.x0(), s.y0(), s.x1(), s.y1(), s.velocity_x0()];
    let bits = columns.iter().flat_map(|column| column.iter().map(|v| v.to_bits())).collect();
    (bits, c.handles().to_vec())
}

/// The bodies that a choice falls on: every third or so, other ones at other times.
fn chosen(index: u32, round: usize) -> bool {
    (index.wrapping_mul(0x9E37_79B9) >> 16) % 3 == round as u32 % 3
}

/// Makes the chosen ones sensors, or lets them meet nothing, and the others neither.
fn choose(world: &mut World, round: usize, sensors: bool) {
    for handle in world.circles().handles().to_vec() {
        let on = chosen(handle.index(), round);
        if sensors {
            world.set_circle_sensor(handle, on).unwrap();
        } else {
            world.set_circle_filter(handle, if on { Filter::NOTHING } else { Filter::DEFAULT }).unwrap();
        }
    }
    for handle in world.segments().handles().to_vec() {
        let on = chosen(handle.index(), round + 1);
        if sensors {
            world.set_segment_sensor(handle, on).unwrap();
        } else {
            world.set_segment_filter(handle, if on { Filter::NOTHING } else { Filter::DEFAULT }).unwrap();
        }
    }
}

/// A sensor is to motion what a body is that meets nothing: all worlds move on bit by bit alike, whichever of the two the same
/// bodies are, while who that is changes, and bodies come and go. Nothing of the answer to contacts is asked of itself here.
#[test]
fn worlds_with_sensors_move_as_if_those_met_nothing() {
    for start in SMALL {
        for (backend, threads) in [(Backend::Wide, 1), (Backend::Scalar, 1), (Backend::Wide, 3)] {
            let config = WorldConfig::default().with_backend(backend).with_threads(Threads::Fixed(threads));
            let (mut sensing, mut parted, mut plain) =
                ((start.1)(config.clone()), (start.1)(config.clone()), (start.1)(config));
            let mut extra = 0;
            for step in 0..24 {
                if step % 8 == 0 {
                    choose(&mut sensing, step / 8, true);
                    choose(&mut parted, step / 8, false);
                }
                if step % 5 == 4 {
                    for world in [&mut sensing, &mut parted, &mut plain] {
                        edit(world, step);
                    }
                }
                for world in [&mut sensing, &mut parted, &mut plain] {
                    world.step(DT).unwrap();
                }
                assert!(motion(&sensing) == motion(&parted), "{}, step {step}", start.0);
                extra += sensing.contacts().len() - parted.contacts().len();
            }
            assert!(extra > 100 && motion(&plain) != motion(&sensing), "{}: {extra}", start.0);
        }
    }
}

/// What is reported does not depend on who is a sensor.
#[test]
fn sensors_touch_as_all_others_do() {
    for start in SMALL {
        let config = WorldConfig::default().with_response(Response::None);
        let (mut sensing, mut plain) = ((start.1)(config.clone()), (start.1)(config));
        for step in 0..12 {
            if step % 4 == 0 {
                choose(&mut sensing, step / 4, true);
            }
            for world in [&mut sensing, &mut plain] {
                world.step(DT).unwrap();
            }
            assert!(bytes(sensing.contacts()) == bytes(plain.contacts()) && sensing.events() == plain.events());
        }
    }
}

#[test]
fn each_of_a_pair_may_be_the_sensor() {
    // Two circles that fly at each other and overlap, one on a wall it flies into; with e = 1 any impulse turns a velocity.
    for (a_senses, b_senses, wall_senses) in (0..8).map(|bits| (bits & 1 > 0, bits & 2 > 0, bits & 4 > 0)) {
        let mut w = World::new(WorldConfig::default()).unwrap();
        let circle = |x: f32, v: f32| Circle::new([x, 0.5], 1.0).with_velocity([v, -1.0]);
        let a = w.add_circle(circle(0.0, 1.0).with_sensor(a_senses)).unwrap();
        let b = w.add_circle(circle(1.5, -1.0).with_sensor(b_senses)).unwrap();
        w.add_segment(Segment::new([-9.0, 0.0], [9.0, 0.0]).with_sensor(wall_senses)).unwrap();
        let stats = w.step(0.0625).unwrap();
        assert_eq!((stats.circle_circle, stats.circle_segment, stats.begins), (1, 2, 3));
        let v = |handle: CircleHandle| w.circle(handle).unwrap().velocity;
        let turned = [v(a).x < 0.0, v(b).x > 0.0, v(a).y > 0.0, v(b).y > 0.0];
        let pair = !a_senses && !b_senses;
        assert_eq!(turned, [pair, pair, !a_senses && !wall_senses, !b_senses && !wall_senses]);
        if a_senses {
            let body = w.circle(a).unwrap();
            assert_eq!((body.shape.center.x, body.shape.center.y), (0.0625, 0.5 - 0.0625), "only its own flight");
        }
    }
}

#[test]
fn a_sensor_holds_nobody_up_and_bounds_turn_it_as_all() {
    // A pile of three under gravity: the middle one is a sensor, so the upper one falls through it onto the lowest.
    let config = WorldConfig::default().with_gravity([0.0, -10.0]).with_restitution(0.0);
    let mut w = World::new(config.clone()).unwrap();
    w.add_segment(Segment::new([-9.0, 0.0], [9.0, 0.0])).unwrap();
    let [low, middle, top] = [1.0, 3.0, 5.0].map(|y| w.add_circle(Circle::new([0.0, y], 1.0)).unwrap());
    w.set_circle_sensor(middle, true).unwrap();
    for _ in 0..240 {
        w.step(DT).unwrap();
    }
    let y = |handle: CircleHandle| w.circle(handle).unwrap().shape.center.y;
    assert!((0.9..1.1).contains(&y(low)) && (2.8..3.1).contains(&y(top)), "{} {}", y(low), y(top));
    // g t²/2 = 80 below where it was.
    assert!(y(middle) < -70.0, "{}", y(middle));

    let bounds = Bounds::Reflect { min: [-2.0; 2].into(), max: [2.0; 2].into() };
    let mut w = World::new(WorldConfig::default().with_bounds(bounds)).unwrap();
    let s = w.add_circle(Circle::new([1.5, 0.0], 1.0).with_velocity([1.0, 0.0]).with_sensor(true)).unwrap();
    w.step(DT).unwrap();
    assert_eq!(w.circle(s).unwrap().velocity.x, -1.0);
}

#[test]
fn becoming_a_sensor_is_no_event() {
    let mut w = World::new(WorldConfig::default()).unwrap();
    let a = w.add_circle(Circle::new([0.0, 0.0], 1.0).with_inverse_mass(0.0)).unwrap();
    let wall = w.add_segment(Segment::new([-9.0, 0.0], [9.0, 0.0])).unwrap();
    w.step(DT).unwrap();
    assert_eq!(w.events().len(), 1);
    for sensor in [true, false] {
        w.set_circle_sensor(a, sensor).unwrap();
        w.set_segment_sensor(wall, sensor).unwrap();
        assert_eq!((w.circle(a).unwrap().sensor, w.segment(wall).unwrap().sensor), (sensor, sensor));
        assert_eq!((w.circles().sensor(), w.segments().sensor()), (&[sensor][..], &[sensor][..]));
        w.step(DT).unwrap();
        assert_eq!(w.events(), []);
    }
    w.remove_segment(wall).unwrap();
    w.step(DT).unwrap();
    assert!(matches!(w.events()[0].kind, EventKind::End(_)));
    assert_eq!(w.events()[0].pair, EventPair::CircleSegment(a, wall));
}

/// Two worlds, one with user data: equal motion, contacts and events; the data stay with their handles.
#[test]
fn user_data_follow_their_handles_and_change_nothing() {
    for start in SMALL {
        let (mut marked, mut plain) = ((start.1)(WorldConfig::default()), (start.1)(WorldConfig::default()));
        let data = |handle: CircleHandle| handle.to_bits().wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let wall_data = |handle: SegmentHandle| !handle.to_bits();
        for handle in marked.circles().handles().to_vec() {
            marked.set_circle_user_data(handle, data(handle)).unwrap();
        }
        for handle in marked.segments().handles().to_vec() {
            marked.set_segment_user_data(handle, wall_data(handle)).unwrap();
        }
        for step in 0..20 {
            if step % 4 == 3 {
                // Others come without any; one goes, and the last rows move.
                for world in [&mut marked, &mut plain] {
                    edit(world, step);
                }
            }
            for world in [&mut marked, &mut plain] {
                world.step(DT).unwrap();
            }
            assert!(motion(&marked) == motion(&plain), "{}, step {step}", start.0);
            let told = |w: &World| w.events().iter().map(|e| (e.kind, e.pair, e.touch)).collect::<Vec<_>>();
            assert!(bytes(marked.contacts()) == bytes(plain.contacts()) && told(&marked) == told(&plain));
            assert_ne!(marked.state_hash(), plain.state_hash());
            let circles = marked.circles();
            let mut kept = 0;
            for (&handle, &found) in circles.handles().iter().zip(circles.user_data()) {
                assert_eq!(marked.circle(handle).unwrap().user_data, found);
                // 0 for those that came later or were overwritten.
                assert!(found == data(handle) || found == 0, "{handle:?} has {found}");
                kept += usize::from(found == data(handle));
            }
            assert!(kept * 2 > circles.len(), "{}: {kept} of {}", start.0, circles.len());
            let segments = marked.segments();
            for (&handle, &found) in segments.handles().iter().zip(segments.user_data()) {
                assert!(found == wall_data(handle) || found == 0, "{handle:?} has {found}");
            }
        }
    }
}

#[test]
fn labels_are_state_and_the_default_is_none() {
    let start = || {
        let mut w = World::new(WorldConfig::default()).unwrap();
        let c = [0.0, 9.0].map(|x| w.add_circle(Circle::new([x, 0.0], 1.0)).unwrap());
        let s = [20.0, 30.0].map(|x| w.add_segment(Segment::new([x, 0.0], [x, 1.0])).unwrap());
        (w, c, s)
    };
    let plain = start().0.state_hash();
    let mut seen = vec![plain];
    type Change = fn(&mut World, CircleHandle, SegmentHandle, bool);
    let changes: [Change; 9] = [
        |w, c, _, on| w.set_circle_filter(c, if on { Filter::new(2, u32::MAX) } else { Filter::DEFAULT }).unwrap(),
        |w, c, _, on| w.set_circle_filter(c, if on { Filter::new(1, 2) } else { Filter::DEFAULT }).unwrap(),
        |w, _, s, on| w.set_segment_filter(s, if on { Filter::new(1, 2) } else { Filter::DEFAULT }).unwrap(),
        |w, c, _, on| w.set_circle_sensor(c, on).unwrap(),
        |w, _, s, on| w.set_segment_sensor(s, on).unwrap(),
        |w, c, _, on| w.set_circle_user_data(c, u64::from(on)).unwrap(),
        |w, _, s, on| w.set_segment_user_data(s, u64::from(on) << 63).unwrap(),
        |w, c, _, on| {
            let body = w.circle(c).unwrap();
            w.set_circle(c, CircleBody { restitution: on.then_some(0.5), ..body }).unwrap();
        },
        |w, _, s, on| {
            let body = w.segment(s).unwrap();
            w.set_segment(s, SegmentBody { restitution: on.then_some(0.5), ..body }).unwrap();
        },
    ];
    for change in changes {
        for which in 0..2 {
            let (mut w, c, s) = start();
            change(&mut w, c[which], s[which], true);
            let changed = w.state_hash();
            assert!(!seen.contains(&changed));
            seen.push(changed);
            // The same after a step in which nothing moves, whatever the rows.
            w.step(0.0).unwrap();
            assert_eq!(w.state_hash(), changed);
            change(&mut w, c[which], s[which], false);
            assert_eq!(w.state_hash(), plain);
        }
    }
}

#[test]
fn bodies_bring_their_labels_and_take_them_along() {
    let mut w = World::new(WorldConfig::default()).unwrap();
    let filter = Filter::new(6, 9);
    let body = Circle::new([0.0, 0.0], 1.0).with_filter(filter).with_sensor(true).with_user_data(77);
    let wall = Segment::new([0.0, 0.0], [1.0, 0.0]).with_user_data(5).with_filter(filter).with_sensor(true);
    let mut handles = Vec::new();
    for k in 0..20 {
        let shape = Circle::new([3.0 * ((k * 7) % 20) as f32, 0.0], 1.0);
        handles.push(w.add_circle(CircleBody { shape, ..body }.with_user_data(k)).unwrap());
    }
    let walls = [w.add_segment(wall).unwrap(), w.add_segment(wall.with_user_data(6)).unwrap()];
    w.step(DT).unwrap();
    for (k, &handle) in handles.iter().enumerate() {
        let found = w.circle(handle).unwrap();
        assert_eq!((found.filter, found.sensor, found.user_data), (filter, true, k as u64));
    }
    // What is handed back is what went in; the last row comes to the place of the one that is gone.
    assert_eq!(w.remove_circle(handles[3]).unwrap().user_data, 3);
    assert_eq!(w.remove_segment(walls[0]), Ok(wall));
    assert_eq!(w.segment(walls[1]), Some(wall.with_user_data(6)));
    // Set as a whole, a body has what it says and no more.
    w.set_circle(handles[4], Circle::new([0.0, 0.0], 1.0)).unwrap();
    w.set_segment(walls[1], Segment::new([0.0, 0.0], [1.0, 0.0])).unwrap();
    assert_eq!(w.circle(handles[4]), Some(CircleBody::from(Circle::new([0.0, 0.0], 1.0))));
    assert_eq!(w.segment(walls[1]), Some(SegmentBody::from(Segment::new([0.0, 0.0], [1.0, 0.0]))));
    // A stale handle names nobody.
    let before = w.state_hash();
    let stale = |kind, bits| Err(Error::StaleHandle { kind, bits });
    let (gone, gone_wall) = (handles[3], walls[0]);
    let circle = [w.set_circle_filter(gone, filter), w.set_circle_sensor(gone, true), w.set_circle_user_data(gone, 1)];
    assert!(circle.iter().all(|result| *result == stale(Kind::Circle, gone.to_bits())));
    let segment = [
        w.set_segment_filter(gone_wall, filter),
        w.set_segment_sensor(gone_wall, true),
        w.set_segment_user_data(gone_wall, 1),
    ];
    assert!(segment.iter().all(|result| *result == stale(Kind::Segment, gone_wall.to_bits())));
    assert_eq!(w.state_hash(), before);
}

/// A step that is refused leaves labels where they were, in whatever order it had brought them.
#[test]
fn a_refused_step_leaves_labels_alone() {
    let mut w = World::new(WorldConfig::default().with_contact_limit(2)).unwrap();
    let mut rng = Rng::new(3);
    for k in 0..60 {
        let at = [rng.range(0.0, 400.0) as f32, rng.range(0.0, 400.0) as f32];
        let body = Circle::new(at, 0.5).with_user_data(k).with_filter(Filter::new(1 << (k % 3), 7));
        w.add_circle(body.with_sensor(k % 2 == 0)).unwrap();
    }
    let record = |w: &World| {
        let c = w.circles();
        let labels = (c.category().to_vec(), c.mask().to_vec(), c.sensor().to_vec(), c.user_data().to_vec());
        (labels, c.handles().to_vec(), w.state_hash())
    };
    for _ in 0..3 {
        let crowd = [0.0; 3].map(|x| w.add_circle(Circle::new([x, 0.0], 1.0).with_filter(Filter::new(7, 7))).unwrap());
        let before = record(&w);
        assert_eq!(w.step(DT), Err(Error::TooManyContacts { limit: 2 }));
        assert_eq!(record(&w), before);
        for handle in crowd {
            w.remove_circle(handle).unwrap();
        }
        w.step(DT).unwrap();
        let (c, found) = (w.circles(), record(&w).0);
        for (row, handle) in c.handles().iter().enumerate() {
            let k = u64::from(handle.index());
            assert_eq!((found.0[row], found.2[row], found.3[row]), (1 << (k % 3), k % 2 == 0, k));
        }
    }
}
