//! Promise: an edit does what it says, at once, to all or to none, and the next step tells what it ended.
//!
//! Random orders of all edits are held against a plain model in `world_model.rs`.

use gridlane::{
    Circle, CircleBodies, CircleHandle, EndReason, Error, EventKind, EventPair, Filter, Kind, QueryFilter, Ray,
    Response, Segment, SegmentBodies, Vec2, World, WorldConfig,
};

/// Circles of radius 1 in a row, each touching the next, across a long wall.
fn row(count: usize) -> (World, Vec<CircleHandle>) {
    let mut w = World::new(WorldConfig::default().with_response(Response::None)).unwrap();
    let x: Vec<f32> = (0..count).map(|k| 1.5 * k as f32).collect();
    let (y, radius) = (vec![0.0; count], vec![1.0; count]);
    let all = w.add_circles(CircleBodies { x: &x, y: &y, radius: &radius, ..Default::default() }).unwrap();
    w.step(0.0).unwrap();
    assert_eq!(w.events().len(), count - 1);
    (w, all)
}

/// What a step without motion tells, sorted by pair.
fn told(w: &mut World) -> Vec<(EventPair, EventKind)> {
    w.step(0.0).unwrap();
    let mut events: Vec<_> = w.events().iter().map(|event| (event.pair, event.kind)).collect();
    events.sort_by_key(|event| event.0);
    events
}

fn pair(a: CircleHandle, b: CircleHandle) -> EventPair {
    EventPair::CircleCircle(a.min(b), a.max(b))
}

const fn end(reason: EndReason) -> EventKind {
    EventKind::End(reason)
}

#[test]
fn moved_and_resized_by_hand() {
    let (mut w, all) = row(4);
    w.set_circle_velocity(all[0], [3.0, 4.0]).unwrap();
    let before = w.circle(all[0]).unwrap();
    w.move_circle(all[0], [90.0, 7.0]).unwrap();
    let mut after = before;
    after.shape.center = Vec2::new(90.0, 7.0);
    assert_eq!(w.circle(all[0]), Some(after), "nothing but its place");
    w.set_circle_radius(all[3], 0.25).unwrap();
    let edited = end(EndReason::Edited);
    assert_eq!(told(&mut w), [(pair(all[0], all[1]), edited), (pair(all[2], all[3]), edited)]);
    // Large enough again: begins. Where it still touches, nothing happens.
    w.set_circle_radius(all[3], 2.5).unwrap();
    w.move_circle(all[1], [1.25, 0.0]).unwrap();
    assert_eq!(told(&mut w), [(pair(all[1], all[3]), EventKind::Begin), (pair(all[2], all[3]), EventKind::Begin)]);
    let row = all[1].index() as usize;
    for (result, error) in [
        (w.move_circle(all[1], [0.0, f32::INFINITY]), ("y", f32::INFINITY)),
        (w.set_circle_radius(all[1], f32::INFINITY), ("radius", f32::INFINITY)),
    ] {
        assert_eq!(result, Err(Error::NotFinite { kind: Kind::Circle, row, field: error.0, value: error.1 }));
    }
    let negative = Error::Negative { kind: Kind::Circle, row, field: "radius", value: -1.0 };
    assert_eq!(w.set_circle_radius(all[1], -1.0), Err(negative));
    assert_eq!(told(&mut w), []);
}

#[test]
fn a_disabled_circle_stays_and_takes_no_part() {
    let config = WorldConfig::default().with_gravity([0.0, -10.0]);
    let mut w = World::new(config).unwrap();
    let body =
        Circle::new([0.0, 5.0], 1.0).with_velocity([1.0, f32::MAX]).with_filter(Filter::new(6, 2)).with_user_data(4);
    let a = w.add_circle(body.with_enabled(false)).unwrap();
    let b = w.add_circle(Circle::new([0.5, 5.0], 1.0).with_inverse_mass(0.0)).unwrap();
    let floor = w.add_segment(Segment::new([-9.0, 4.5], [9.0, 4.5])).unwrap();
    let hash = w.state_hash();
    // With that velocity it would leave the range of numbers, if it moved.
    for _ in 0..3 {
        w.step(0.5).unwrap();
        assert_eq!(w.circle(a), Some(body.with_enabled(false)));
        assert_eq!((w.contacts().circle_circle().len(), w.contacts().circle_segment().len()), (0, 1));
    }
    assert_eq!(w.kinetic_energy(), 0.0);
    let all = QueryFilter::new();
    let mut found = Vec::new();
    w.overlap_circle(Circle::new([0.0, 5.0], 0.1), all, &mut found).unwrap();
    assert_eq!(found.len(), 1, "b alone");
    let ray = Ray::new([-5.0, 5.9], [10.0, 0.0]);
    let hit = w.cast_ray(ray, all).unwrap().unwrap();
    // (0.5, 5) with height 0.9 of its radius 1: enters sqrt(1 - 0.81) = 0.436 before 0.5, so 5.064 of 10.
    assert!((hit.fraction - 0.5064).abs() < 1e-4, "{hit:?}");
    // Enabled, with a velocity that can be flown: it falls, and meets whom its filter says: category 2, not 1.
    w.set_circle_velocity(a, [0.0, 0.0]).unwrap();
    w.set_circle_enabled(a, true).unwrap();
    assert_ne!(w.state_hash(), hash);
    assert!(told(&mut w).is_empty());
    w.set_circle_filter(a, Filter::DEFAULT).unwrap();
    let begin = EventKind::Begin;
    assert_eq!(told(&mut w), [(pair(a, b), begin), (EventPair::CircleSegment(a, floor), begin)]);
    // And out again: all it touched ends, for that reason even where it is moved too; a new filter waits.
    w.set_circle_enabled(a, false).unwrap();
    w.move_circle(a, [100.0, 0.0]).unwrap();
    w.set_circle_filter(a, Filter::NOTHING).unwrap();
    let disabled = end(EndReason::Disabled);
    assert_eq!(told(&mut w), [(pair(a, b), disabled), (EventPair::CircleSegment(a, floor), disabled)]);
    assert_eq!(w.circle(a).unwrap().filter, Filter::NOTHING);
    let (at, columns) = (w.circle_row(a).unwrap(), w.circles());
    assert_eq!((columns.category()[at], columns.mask()[at], columns.enabled()[at]), (0, 0, false));
    assert_eq!((columns.category()[1 - at], columns.enabled()[1 - at]), (1, true));
    // Removed while disabled: what it touched has ended before.
    w.remove_circle(a).unwrap();
    assert!(told(&mut w).is_empty());
}

#[test]
fn a_disabled_segment_stays_and_takes_no_part() {
    for moving in [false, true] {
        let mut w = World::new(WorldConfig::default()).unwrap();
        let a = w.add_circle(Circle::new([0.0, 0.5], 1.0).with_inverse_mass(0.0)).unwrap();
        let wall = Segment::new([-2.0, 0.0], [2.0, 0.0]);
        let b = w.add_segment(if moving { wall.with_velocity([0.0, 0.25]) } else { wall.into() }).unwrap();
        let c = w.add_segment(Segment::new([1.0, -1.0], [1.0, 1.0])).unwrap();
        let (touch, cross) = (EventPair::CircleSegment(a, b), EventPair::SegmentSegment(b, c));
        let with_c = EventPair::CircleSegment(a, c);
        let begin = EventKind::Begin;
        assert_eq!(told(&mut w), [(touch, begin), (with_c, begin), (cross, begin)]);
        let before = w.segment(b).unwrap();
        w.set_segment_enabled(b, false).unwrap();
        let disabled = end(EndReason::Disabled);
        assert_eq!(told(&mut w), [(touch, disabled), (cross, disabled)]);
        w.step(1.0).unwrap();
        assert_eq!(w.segment(b), Some(before.with_enabled(false)));
        assert!(w.events().is_empty());
        let hit = w.cast_ray(Ray::new([-1.5, -5.0], [0.0, 10.0]), QueryFilter::new()).unwrap();
        assert_eq!(hit, None, "the wall stands in the way and is not seen");
        // Again on, at the end of the road: saved and restored in between.
        let bytes = w.save();
        w = World::from_snapshot(&bytes).unwrap();
        w.set_segment_enabled(b, true).unwrap();
        assert_eq!(w.segment(b), Some(before));
        assert_eq!(told(&mut w), [(touch, begin), (cross, begin)]);
        w.step(1.0).unwrap();
        assert_eq!(w.segment(b).unwrap().shape.start.y, if moving { 0.25 } else { 0.0 });
    }
}

#[test]
fn many_at_once_or_none() {
    let (mut w, all) = row(6);
    let gone = all[5];
    w.remove_circle(gone).unwrap();
    assert_eq!(told(&mut w), [(pair(all[4], gone), end(EndReason::Removed))]);
    let hash = w.state_hash();
    let stale = Error::StaleHandle { kind: Kind::Circle, bits: gone.to_bits() };
    let two = [all[0], gone];
    let bodies = CircleBodies { x: &[1.0; 2], y: &[1.0; 2], radius: &[1.0; 2], ..Default::default() };
    assert_eq!(w.remove_circles(&two), Err(stale.clone()));
    assert_eq!(w.set_circles(&two, bodies), Err(stale.clone()));
    assert_eq!(w.move_circles(&two, &[5.0; 2], &[5.0; 2]), Err(stale.clone()));
    assert_eq!(w.set_circle_velocities(&two, &[5.0; 2], &[5.0; 2]), Err(stale));
    let two = [all[0], all[1]];
    let short = |field, length| Error::ColumnLength { kind: Kind::Circle, field, length, expected: 2 };
    assert_eq!(w.move_circles(&two, &[5.0; 2], &[5.0]), Err(short("y", 1)));
    assert_eq!(w.set_circle_velocities(&two, &[5.0; 3], &[5.0; 3]), Err(short("velocity_x", 3)));
    let error = Error::ColumnLength { kind: Kind::Circle, field: "x", length: 2, expected: 1 };
    assert_eq!(w.set_circles(&two[..1], bodies), Err(error));
    let wrong = |field, value| Error::NotFinite { kind: Kind::Circle, row: 1, field, value };
    let inf = f32::INFINITY;
    assert_eq!(w.move_circles(&two, &[5.0; 2], &[5.0, inf]), Err(wrong("y", inf)));
    assert_eq!(w.set_circle_velocities(&two, &[5.0, inf], &[5.0; 2]), Err(wrong("velocity_x", inf)));
    assert_eq!(w.set_circles(&two, CircleBodies { y: &[5.0, inf], ..bodies }), Err(wrong("y", inf)));
    assert_eq!(w.state_hash(), hash);
    assert_eq!(told(&mut w), []);
    // The same ones twice: the last row stands.
    w.move_circles(&[all[0], all[0]], &[50.0, 60.0], &[0.0, 1.0]).unwrap();
    w.set_circle_velocities(&[all[1], all[1]], &[1.0, 2.0], &[0.0, 3.0]).unwrap();
    let set =
        CircleBodies { x: &[70.0, 80.0], y: &[0.0; 2], radius: &[1.0, 2.0], user_data: &[1, 2], ..Default::default() };
    w.set_circles(&[all[4], all[4]], set).unwrap();
    assert_eq!(w.circle(all[0]).unwrap().shape.center, Vec2::new(60.0, 1.0));
    assert_eq!(w.circle(all[1]).unwrap().velocity, Vec2::new(2.0, 3.0));
    assert_eq!(w.circle(all[4]), Some(Circle::new([80.0, 0.0], 2.0).with_user_data(2)));
    let edited = end(EndReason::Edited);
    assert_eq!(told(&mut w), [(pair(all[0], all[1]), edited), (pair(all[3], all[4]), edited)]);
    // Removed once.
    w.remove_circles(&[all[2], all[1], all[2]]).unwrap();
    assert_eq!(w.circles().len(), 3);
    let removed = end(EndReason::Removed);
    assert_eq!(told(&mut w), [(pair(all[1], all[2]), removed), (pair(all[2], all[3]), removed)]);
    w.remove_circles(&[]).unwrap();
}

#[test]
fn a_block_of_walls_is_replaced() {
    let mut w = World::new(WorldConfig::default()).unwrap();
    let x: Vec<f32> = (0..8).map(|k| k as f32).collect();
    let columns = SegmentBodies { x0: &x, y0: &[0.0; 8], x1: &x, y1: &[1.0; 8], ..Default::default() };
    let all = w.add_segments(columns).unwrap();
    let a = w.add_circle(Circle::new([2.5, 0.5], 0.75)).unwrap();
    w.step(0.0).unwrap();
    assert_eq!(w.events().len(), 2);
    // Walls 2 to 4 become one floor below, in three pieces.
    let floor = SegmentBodies { x0: &x[2..5], y0: &[-5.0; 3], x1: &x[3..6], y1: &[-5.0; 3], ..Default::default() };
    w.replace_segments(&all[2..5], floor).unwrap();
    assert_eq!(w.segment(all[3]), Some(Segment::new([3.0, -5.0], [4.0, -5.0]).into()));
    let (edited, begin) = (end(EndReason::Edited), EventKind::Begin);
    let joint = |k: usize| EventPair::SegmentSegment(all[k], all[k + 1]);
    let touch = |k: usize| EventPair::CircleSegment(a, all[k]);
    assert_eq!(told(&mut w), [(touch(2), edited), (touch(3), edited), (joint(2), begin), (joint(3), begin)]);
    let error = Error::ColumnLength { kind: Kind::Segment, field: "x0", length: 3, expected: 2 };
    assert_eq!(w.replace_segments(&all[2..4], floor), Err(error));
    w.remove_segments(&[all[3], all[3]]).unwrap();
    let removed = end(EndReason::Removed);
    assert_eq!(told(&mut w), [(joint(2), removed), (joint(3), removed)]);
    let stale = Err(Error::StaleHandle { kind: Kind::Segment, bits: all[3].to_bits() });
    assert_eq!((w.replace_segments(&all[2..5], floor), w.remove_segments(&all)), (stale.clone(), stale));
    assert_eq!(w.segments().len(), 7);
}
