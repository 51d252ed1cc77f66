//! Promise: an event says whom it is about in the caller's own words, and a beginning how the two met: where, along which
//! normal, and how fast before anything was answered.

use gridlane::{Circle, EventKind, EventPair, Response, Segment, Touch, Vec2, World, WorldConfig};

/// The only beginning of the last step.
fn met(world: &World) -> (EventPair, [u64; 2], Touch) {
    let [event] = world.events() else { panic!("{:?}", world.events()) };
    assert_eq!(event.kind, EventKind::Begin);
    (event.pair, event.user_data, event.touch.expect("a beginning has one"))
}

#[test]
fn a_beginning_says_where_and_how_fast_they_met() {
    // Gravity 2 down for a quarter of a second: 0.5 down for the first, whose fall of 1.0 becomes 1.5; the other is immovable.
    let config = WorldConfig::default().with_gravity([0.0, -2.0]);
    let mut w = World::new(config.clone()).unwrap();
    let falling = Circle::new([0.0, 2.375], 1.0).with_velocity([0.75, -1.0]).with_user_data(5);
    let a = w.add_circle(falling).unwrap();
    let b = w.add_circle(Circle::new([0.1875, 0.0], 1.0).with_inverse_mass(0.0).with_user_data(6)).unwrap();
    w.step(0.25).unwrap();
    // x = 0 + 0.75/4 = 0.1875, y = 2.375 - 1.5/4 = 2: just touching, straight above.
    let (pair, user_data, touch) = met(&w);
    assert_eq!((pair, user_data), (EventPair::CircleCircle(a, b), [5, 6]));
    let expected = Touch { point: Vec2::new(0.1875, 1.0), normal: Vec2::new(0.0, -1.0), approach_speed: 1.5 };
    assert_eq!(touch, expected);
    assert!(w.circle(a).unwrap().velocity.y > 0.0, "and it has been answered");
    // The other way round in the world, the same circles: the first of the pair is now the lower one.
    let mut w = World::new(config).unwrap();
    let b = w.add_circle(Circle::new([0.1875, 0.0], 1.0).with_inverse_mass(0.0)).unwrap();
    let a = w.add_circle(falling).unwrap();
    w.step(0.25).unwrap();
    let (pair, user_data, touch) = met(&w);
    assert_eq!((pair, user_data), (EventPair::CircleCircle(b, a), [0, 5]));
    assert_eq!(touch, Touch { normal: Vec2::new(0.0, 1.0), ..expected });
}

#[test]
fn a_moving_segment_is_met_with_the_velocity_of_the_touched_point() {
    let mut w = World::new(WorldConfig::default().with_response(Response::None)).unwrap();
    let a = w.add_circle(Circle::new([3.0, 3.0], 1.0).with_velocity([0.0, -1.0]).with_user_data(1)).unwrap();
    // From (0, 0) to (4, 0), the far end rising at 8: three quarters of the way, 6. Set back so that it lies flat after a second.
    let wall = Segment::new([0.0, 1.0], [4.0, -7.0]).with_end_velocities([0.0, 0.0], [0.0, 8.0]).with_user_data(2);
    let b = w.add_segment(wall).unwrap();
    w.step(1.0).unwrap();
    let (pair, user_data, touch) = met(&w);
    assert_eq!((pair, user_data), (EventPair::CircleSegment(a, b), [1, 2]));
    // The circle comes down at 1, the wall up at 6.
    assert_eq!(touch, Touch { point: Vec2::new(3.0, 1.0), normal: Vec2::new(0.0, -1.0), approach_speed: 7.0 });
    // Ends have their own: of an upright wall below the circle, whichever end is the upper one, which rises at 8.
    let (up, still) = ([0.0, 8.0], [0.0, 0.0]);
    for wall in [
        Segment::new([3.0, -8.0], [3.0, -9.0]).with_end_velocities(up, still),
        Segment::new([3.0, -9.0], [3.0, -8.0]).with_end_velocities(still, up),
    ] {
        let mut w = World::new(WorldConfig::default().with_response(Response::None)).unwrap();
        w.add_circle(Circle::new([3.0, 2.0], 1.0).with_velocity([0.0, -1.0])).unwrap();
        w.add_segment(wall).unwrap();
        w.step(1.0).unwrap();
        // Centre at 1, upper end at 0.
        let touch = Touch { point: Vec2::new(3.0, 0.0), normal: Vec2::new(0.0, -1.0), approach_speed: 9.0 };
        assert_eq!(met(&w).2, touch);
    }
}

#[test]
fn segments_meet_at_a_point_without_a_normal() {
    let mut w = World::new(WorldConfig::default()).unwrap();
    let a = w.add_segment(Segment::new([0.0, 0.0], [4.0, 0.0]).with_user_data(8)).unwrap();
    let b = w.add_segment(Segment::new([1.0, -1.0], [1.0, 1.0]).with_user_data(9)).unwrap();
    w.step(0.0).unwrap();
    let touch = Touch { point: Vec2::new(1.0, 0.0), normal: Vec2::ZERO, approach_speed: 0.0 };
    assert_eq!(met(&w), (EventPair::SegmentSegment(a, b), [8, 9], touch));
}

#[test]
fn the_fastest_approach_is_a_number() {
    let mut w = World::new(WorldConfig::default().with_response(Response::None)).unwrap();
    w.add_circle(Circle::new([0.0, 0.0], 1.0).with_velocity([f32::MAX, 0.0])).unwrap();
    w.add_circle(Circle::new([1.0, 0.0], 1.0).with_velocity([f32::MIN, 0.0])).unwrap();
    w.step(0.0).unwrap();
    assert_eq!(met(&w).2.approach_speed, f32::MAX);
    // And the fastest parting.
    let mut w = World::new(WorldConfig::default().with_response(Response::None)).unwrap();
    w.add_circle(Circle::new([0.0, 0.0], 1.0).with_velocity([f32::MIN, 0.0])).unwrap();
    w.add_circle(Circle::new([1.0, 0.0], 1.0).with_velocity([f32::MAX, 0.0])).unwrap();
    w.step(0.0).unwrap();
    assert_eq!(met(&w).2.approach_speed, f32::MIN);
}

#[test]
fn user_data_are_the_present_ones_and_the_last_of_what_is_gone() {
    let mut w = World::new(WorldConfig::default().with_response(Response::None)).unwrap();
    let a = w.add_circle(Circle::new([0.0, 0.0], 1.0).with_user_data(1)).unwrap();
    let b = w.add_circle(Circle::new([1.0, 0.0], 1.0).with_user_data(2)).unwrap();
    let c = w.add_circle(Circle::new([2.0, 0.0], 1.0).with_user_data(3)).unwrap();
    let wall = w.add_segment(Segment::new([0.0, 0.0], [0.0, -9.0]).with_user_data(4)).unwrap();
    w.step(0.0).unwrap();
    // a b, b c, and a c, which just touch; the wall in the centre of a, and on the outline of b.
    assert_eq!(w.events().len(), 5);
    w.set_circle_user_data(a, 10).unwrap();
    w.set_segment_user_data(wall, 40).unwrap();
    w.set_circle_user_data(b, 20).unwrap();
    w.remove_circle(b).unwrap();
    w.add_circle(Circle::new([50.0, 0.0], 1.0).with_user_data(99)).unwrap();
    w.set_circle_velocity(a, [-100.0, 0.0]).unwrap();
    w.step(1.0).unwrap();
    let mut ended: Vec<_> = w.events().iter().map(|event| (event.pair, event.user_data, event.touch)).collect();
    ended.sort_by_key(|event| event.0);
    let expected = [
        (EventPair::CircleCircle(a, b), [10, 20], None),
        (EventPair::CircleCircle(a, c), [10, 3], None),
        (EventPair::CircleCircle(b, c), [20, 3], None),
        (EventPair::CircleSegment(a, wall), [10, 40], None),
        (EventPair::CircleSegment(b, wall), [20, 40], None),
    ];
    assert_eq!(ended, expected);
}
