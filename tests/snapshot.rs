//! Promise: a world that was saved goes on from its bytes with the same bits, in any world, and no bytes break one.

use crate::common::choices::Drawn;
use crate::common::goldens::DT;
use crate::common::world_bytes::{check_damaged, damaged, go_back, world_of_everything};
use crate::common::worlds::{SMALL, edit, record};
use gridlane::internals::seal_snapshot;
use gridlane::{
    Backend, Bounds, CellSize, Circle, CircleBodies, Error, Filter, PairKinds, Response, Segment, SegmentBodies,
    Threads, Vec2, World, WorldConfig,
};

/// Every few steps another way back, while edits go on; against the world that nobody touches.
#[test]
fn a_restored_world_goes_on_with_the_same_bits() {
    for (name, start) in SMALL {
        let edited = !["pile", "map"].contains(&name);
        let mut world = start(WorldConfig::default());
        let mut other = start(WorldConfig::default().with_backend(Backend::Scalar).with_threads(Threads::Fixed(2)));
        let mut events = 0;
        for step in 0..24 {
            if step % 4 == 0 {
                let bytes = world.save();
                assert!(bytes == other.save(), "{name}, step {step}: other bytes");
                go_back(&mut other, &bytes, step / 4 % 3);
            }
            for world in [&mut world, &mut other] {
                if edited {
                    edit(world, step);
                }
                world.step(DT).unwrap();
            }
            assert_eq!(record(&world), record(&other), "{name}, step {step}");
            events += world.events().len();
        }
        assert!(events > 20, "{name}: {events} events");
    }
}

/// What a netcode does: save every step, and when an input comes late go back and do the steps once more.
#[test]
fn going_back_and_doing_it_again_gives_the_same_bits() {
    let mut world = SMALL[1].1(WorldConfig::default());
    let (mut saved, mut records) = (Vec::new(), Vec::new());
    let play = |world: &mut World, step: usize| {
        edit(world, step);
        world.step(DT).unwrap();
        record(world)
    };
    for step in 0..20 {
        saved.push(world.save());
        records.push(play(&mut world, step));
    }
    for back in [19, 10, 0] {
        world.restore(&saved[back]).unwrap();
        for step in back..20 {
            assert!(world.save() == saved[step], "back to {back}, step {step}");
            assert_eq!(play(&mut world, step), records[step], "back to {back}, step {step}");
        }
    }
}

/// The sizes are those that the documentation of [`World::save_into`] tells.
#[test]
fn bytes_are_few() {
    let column = |k: usize| (0..1000).map(|i| (i * 10 + k) as f32).collect::<Vec<f32>>();
    let (x, y, vx, vy) = (column(0), column(1), column(2), column(3));
    let (radius, inverse_mass) = (column(4), column(5));
    let empty = World::new(WorldConfig::default()).unwrap().save().len();
    assert!(empty < 256, "{empty}");
    let len = |circles: CircleBodies<'_>, segments: SegmentBodies<'_>| {
        let mut world = World::new(WorldConfig::default()).unwrap();
        world.add_circles(circles).unwrap();
        world.add_segments(segments).unwrap();
        world.save().len() - empty
    };
    let none = SegmentBodies::default();
    let plain = CircleBodies { x: &x, y: &y, radius: &[1.0; 1000], ..Default::default() };
    // A few bytes more for each of the columns that are all the same: at most eight of 9 bytes.
    let within = |len: usize, each: usize| assert!((each * 1000..=each * 1000 + 72).contains(&len), "{len}, {each}");
    within(len(plain, none), 4 + 4 + 4);
    let moving = CircleBodies { velocity_x: &vx, velocity_y: &vy, ..plain };
    within(len(moving, none), 20);
    let all = CircleBodies { radius: &radius, inverse_mass: &inverse_mass, ..moving };
    within(len(all, none), 28);
    let data: Vec<u64> = (0..1000).collect();
    let sensor: Vec<bool> = (0..1000).map(|i| i % 2 == 0).collect();
    let category: Vec<u32> = (0..1000).collect();
    within(len(CircleBodies { category: &category, mask: &category, ..all }, none), 36);
    within(len(CircleBodies { user_data: &data, sensor: &sensor, ..all }, none), 37);
    let walls = SegmentBodies { x0: &x, y0: &y, x1: &vx, y1: &vy, ..none };
    within(len(CircleBodies::default(), walls), 20);
    within(len(CircleBodies::default(), SegmentBodies { radius: &radius, ..walls }), 24);
    within(len(CircleBodies::default(), SegmentBodies { velocity_x0: &inverse_mass, ..walls }), 20 + 24);

    // Half of the indices in a later generation: four bytes more a circle. What touches: eight bytes a pair.
    let mut world = World::new(WorldConfig::default().with_response(Response::None)).unwrap();
    let handles = world.add_circles(all).unwrap();
    for &handle in handles.iter().step_by(2) {
        let body = world.remove_circle(handle).unwrap();
        world.add_circle(body).unwrap();
    }
    world.step(0.0).unwrap();
    let pairs = world.contacts().len();
    assert!(pairs > 1000);
    within(world.save().len() - empty - 8 * pairs, 32);
}

#[test]
fn the_configuration_comes_along_but_for_backend_and_threads() {
    let configs = [
        WorldConfig::default(),
        WorldConfig::default()
            .with_gravity([1.0, -2.0])
            .with_restitution(0.25)
            .with_substeps(3)
            .with_response(Response::None)
            .with_bounds(Bounds::Reflect { min: Vec2::new(-1.0, -2.0), max: Vec2::new(3.0, 4.0) })
            .with_cell_size(CellSize::Fixed(0.5))
            .with_pair_kinds(PairKinds { circle_segment: false, ..PairKinds::ALL })
            .with_contact_limit(77)
            .with_events(false),
    ];
    for config in &configs {
        let bytes = World::new(config.clone()).unwrap().save();
        for own in &configs {
            let own = own.clone().with_backend(Backend::Scalar).with_threads(Threads::Fixed(1));
            let mut world = World::new(own).unwrap();
            world.restore(&bytes).unwrap();
            let expected = config.clone().with_backend(Backend::Scalar).with_threads(Threads::Fixed(1));
            assert_eq!(world.config(), &expected);
            // Detection knows of it too.
            world.add_circle(Circle::new([0.0, 0.0], 1.0)).unwrap();
            world.add_segment(Segment::new([0.0, 0.0], [1.0, 0.0])).unwrap();
            let stats = world.step(0.0).unwrap();
            let looked_for = config.pair_kinds.circle_segment;
            assert_eq!((stats.circle_segment == 1, stats.begins == 1), (looked_for, looked_for && config.events));
        }
        assert_eq!(World::from_snapshot(&bytes).unwrap().config(), config);
    }
}

#[test]
fn handles_stay_what_they_are() {
    let mut world = World::new(WorldConfig::default()).unwrap();
    let circles: Vec<_> = (0..5).map(|k| world.add_circle(Circle::new([k as f32, 0.0], 0.5)).unwrap()).collect();
    for gone in [circles[3], circles[1]] {
        world.remove_circle(gone).unwrap();
    }
    let mut other = World::from_snapshot(&world.save()).unwrap();
    for &handle in &circles {
        assert_eq!(world.circle(handle), other.circle(handle));
    }
    // The same next names: the index freed last comes first.
    for _ in 0..3 {
        let body = Circle::new([9.0, 9.0], 0.5).with_filter(Filter::NOTHING);
        assert_eq!(world.add_circle(body).unwrap(), other.add_circle(body).unwrap());
    }
}

#[test]
fn every_cut_and_every_flipped_bit_is_told() {
    let mut world = world_of_everything(&mut Drawn(5));
    while world.circles().len() < 4 || world.segments().len() < 3 {
        world.add_circle(Circle::new([0.5, 0.25], 1.0).with_sensor(true)).unwrap();
        world.add_segment(Segment::new([0.0, 0.0], [1.0, 0.0]).with_velocity([1.0, 0.0])).unwrap();
    }
    let bytes = world.save();
    let mut other = World::new(WorldConfig::default()).unwrap();
    let before = other.save();
    for length in 0..bytes.len() {
        assert!(matches!(other.restore(&bytes[..length]), Err(Error::Snapshot { at, .. }) if at <= length));
    }
    for bit in 0..8 * bytes.len() {
        let mut changed = bytes.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        assert!(matches!(other.restore(&changed), Err(Error::Snapshot { .. })), "bit {bit}");
    }
    assert!(other.save() == before);
    let longer = [&bytes[..], &[0]].concat();
    assert!(other.restore(&longer).is_err() && other.restore(&[]).is_err());
    assert_eq!(other.restore(&bytes[..4]).unwrap_err().to_string(), "snapshot: after 0 bytes: expected more bytes");
    let mut newer = bytes.clone();
    newer[8] += 1;
    assert_eq!(other.restore(&newer).unwrap_err().to_string(), "snapshot: after 12 bytes: expected version 8");
    other.restore(&bytes).unwrap();
}

/// Damage that the checksum does not tell: refused with nothing changed, or a world like any other.
#[test]
fn damaged_bytes_break_nothing() {
    let (mut taken, mut refused) = (0, 0);
    for seed in 0..400 {
        let mut choices = Drawn(seed);
        let world = world_of_everything(&mut choices);
        assert!(check_damaged(&world, &world.save()), "seed {seed}: sound bytes are refused");
        for _ in 0..20 {
            let bytes = damaged(&world, &mut choices);
            if check_damaged(&world, &bytes) { taken += 1 } else { refused += 1 }
        }
    }
    // Most numbers may be any others.
    assert!(taken > 500 && refused > 2_000, "{taken} taken, {refused} refused");
}

/// Byte by byte as the head of `src/world/snapshot.rs` says: what was written by one build is read by another, whatever the machine.
#[test]
fn the_layout_is_the_one_that_is_written_down() {
    let mut world = World::new(WorldConfig::default()).unwrap();
    world.add_circle(Circle::new([1.0, 2.0], 0.5).with_velocity([3.0, 4.0])).unwrap();
    let mut expected: Vec<u8> = Vec::new();
    let mut put = |bytes: &[u8]| expected.extend_from_slice(bytes);
    let (zero, one) = (0u64.to_le_bytes(), 1u64.to_le_bytes());
    put(b"gridlane");
    put(&8u32.to_le_bytes());
    // Gravity, restitution; substeps; impulses, no bounds, cells of our choice; three kinds of pairs, events, joints; the limit of contacts.
    for v in [0.0f32, 0.0, 1.0] {
        put(&v.to_le_bytes());
    }
    put(&12u32.to_le_bytes());
    put(&[1, 0, 0, 1, 1, 1, 1, 1]);
    put(&(1u64 << 26).to_le_bytes());
    // One circle of index 0; all of generation 0; no free indices, none retired.
    put(&one);
    put(&[0, 0, 0, 0, 1, 0, 0, 0, 0]);
    put(&[zero; 2].concat());
    // Position, velocity, radius, inverse mass: each the same in all rows.
    for v in [1.0f32, 2.0, 3.0, 4.0, 0.5, 1.0] {
        put(&[0]);
        put(&v.to_le_bytes());
    }
    // Category 1, all in the mask, no sensor, user data 0, no restitution of its own, enabled, no bullet.
    put(&[0, 1, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    put(&(-1.0f32).to_le_bytes());
    put(&[0, 1, 0, 0]);
    // No segments: their number, all of one generation, no free indices, none retired, none with a velocity.
    put(&zero);
    put(&[1]);
    put(&[zero; 3].concat());
    // No substep has been long, no pairs of circles, nor of circles and segments, bear anything, nor does any circle; nobody was let pass.
    put(&[zero; 5].concat());
    // No rows at the last report, of circles and of segments, unmoved, nothing edited; four lists of pairs; segments as reported.
    for _ in 0..2 {
        put(&[0, 0, 0, 0, 0]);
        put(&zero);
    }
    put(&[zero; 4].concat());
    put(&[0]);
    let bytes = world.save();
    assert_eq!(bytes[..bytes.len() - 8], expected);
}

#[test]
fn nothing_added_is_nothing_changed() {
    let mut world = World::new(WorldConfig::default()).unwrap();
    world.add_segment(Segment::new([0.0, 0.0], [1.0, 0.0])).unwrap();
    world.step(0.5).unwrap();
    let before = world.save();
    world.add_segments(SegmentBodies::default()).unwrap();
    world.add_circles(CircleBodies::default()).unwrap();
    assert!(world.save() == before);
}

/// No world has circles beyond the stretch that repeats, so no bytes may: questions would look through all periods up to there.
#[test]
fn circles_beyond_periodic_bounds_are_no_bytes_of_a_world() {
    let bounds = Bounds::periodic([-6.0, -6.0], [6.0, 6.0]);
    let mut world = World::new(WorldConfig::default().with_bounds(bounds)).unwrap();
    world.add_circle(Circle::new([1.0, 2.0], 0.5)).unwrap();
    let bytes = world.save();
    World::from_snapshot(&bytes).unwrap();
    // Columns whose rows are all the same one: x, and others.
    let one = [0, 0, 0, 128, 63];
    let places: Vec<usize> = (0..bytes.len() - 4).filter(|&k| bytes[k..k + 5] == one).collect();
    let mut refused = 0;
    for k in places {
        let mut forged = bytes.clone();
        forged[k + 1..k + 5].copy_from_slice(&1e9f32.to_le_bytes());
        seal_snapshot(&mut forged);
        let found = World::from_snapshot(&forged).err().map(|error| error.to_string());
        refused += u32::from(found.is_some_and(|text| text.ends_with("circles between periodic bounds")));
    }
    assert_eq!(refused, 1);
}
