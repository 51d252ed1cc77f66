//! Promise: who flies has the restitution of bodies, turns at bounds and walls, goes no farther than a period, and is held before anybody is asked.
//! Each flight is worked out by hand.

use gridlane::{AxisBounds, Bounds, Circle, CircleBody, Segment, SegmentBody, Vec2, Verdict, World, WorldConfig};

fn world(config: WorldConfig) -> World {
    World::new(config).unwrap()
}

fn floor(w: &mut World) {
    w.add_segment(Segment::new([-10.0, 0.0], [10.0, 0.0])).unwrap();
}

fn near(found: Vec2, expected: [f32; 2]) {
    assert!(
        (found.x - expected[0]).abs() < 1e-3 && (found.y - expected[1]).abs() < 1e-3,
        "{found:?}, not {expected:?}"
    );
}

/// 40 a second down onto y = 0, from 3 up: met after 2.5 of 10, a quarter of the quarter of a second; then 20 up for 3/16 s.
#[test]
fn restitutions_of_bodies_count_in_flight() {
    for (circle, wall) in [(Some(0.5), None), (None, Some(0.5)), (Some(0.5), Some(0.25)), (Some(0.25), Some(0.5))] {
        let mut w = world(WorldConfig::default().with_restitution(0.0));
        let segment = SegmentBody::from(Segment::new([-10.0, 0.0], [10.0, 0.0]));
        w.add_segment(SegmentBody { restitution: wall, ..segment }).unwrap();
        let body = Circle::new([0.0, 3.0], 0.5).with_velocity([0.0, -40.0]);
        let body = w.add_circle(CircleBody { restitution: circle, ..body }).unwrap();
        w.step(0.25).unwrap();
        let body = w.circle(body).unwrap();
        near(body.velocity, [0.0, 20.0]);
        near(body.shape.center, [0.0, 4.25]);
    }
}

/// The gap is half of the way; of equal masses the other goes the rest.
#[test]
fn restitutions_of_bodies_count_for_bullets() {
    for own in [[Some(1.0), None], [None, Some(1.0)]] {
        let mut w = world(WorldConfig::default().with_restitution(0.0));
        let shot = Circle::new([0.0, 0.0], 0.5).with_velocity([100.0, 0.0]).with_bullet(true);
        let target = CircleBody::from(Circle::new([51.0, 0.0], 0.5));
        let bodies = [CircleBody { restitution: own[0], ..shot }, CircleBody { restitution: own[1], ..target }];
        let both = bodies.map(|body| w.add_circle(body).unwrap());
        w.step(1.0).unwrap();
        assert_eq!(both.map(|c| w.circle(c).unwrap().shape.center.x), [50.0, 101.0]);
    }
}

/// 2.5 down, then 17.5 up: beyond the bound, which turns it; with gravity too.
#[test]
fn bounds_turn_who_has_flown() {
    let bounds = Bounds::Reflect { min: Vec2::new(-10.0, -10.0), max: Vec2::new(10.0, 10.0) };
    let mut w = world(WorldConfig::default().with_bounds(bounds));
    floor(&mut w);
    let ball = w.add_circle(Circle::new([0.0, 3.0], 0.5).with_velocity([0.0, -40.0])).unwrap();
    w.step(0.5).unwrap();
    let ball = w.circle(ball).unwrap();
    near(ball.shape.center, [0.0, 18.0]);
    near(ball.velocity, [0.0, -40.0]);
}

/// Gravity has given 2 on the way, 38 is 40 there, and 42 on the way back, from which it takes 2 before anything moves. As well along a wall, where one flies
/// from wall to wall, as after meeting it: 3 down to the floor at 20 a second takes 0.15 s, as slow sideways as it came.
#[test]
fn bounds_that_gravity_pulls_to_turn_who_has_flown_as_others() {
    let bounds = Bounds::PerAxis { x: AxisBounds::Reflect { min: -10.0, max: 10.0 }, y: AxisBounds::None };
    for (has_floor, down) in [(false, 0.0), (true, 0.0), (true, -20.0)] {
        let mut w = world(WorldConfig::default().with_bounds(bounds).with_gravity([4.0, 0.0]));
        if has_floor {
            w.add_segment(Segment::new([-100.0, 0.0], [100.0, 0.0])).unwrap();
        }
        let ball = w.add_circle(Circle::new([5.0, 3.5], 0.5).with_velocity([38.0, down])).unwrap();
        w.step(0.5).unwrap();
        let ball = w.circle(ball).unwrap();
        near(ball.velocity, [-42.0, -down]);
        near(ball.shape.center, [25.0, if down < 0.0 { 7.5 } else { 3.5 }]);
    }
}

#[test]
fn one_axis_reflects_while_the_other_repeats() {
    let (x, y) = (AxisBounds::Reflect { min: -5.0, max: 6.0 }, AxisBounds::Periodic { min: -3.0, max: 3.0 });
    let mut w = world(WorldConfig::default().with_bounds(Bounds::PerAxis { x, y }));
    let ball = w.add_circle(Circle::new([4.0, 2.5], 0.5).with_velocity([4.0, 2.0])).unwrap();
    let mut other = World::from_snapshot(&w.save()).unwrap();
    for w in [&mut w, &mut other] {
        w.step(0.5).unwrap();
        let ball = w.circle(ball).unwrap();
        assert_eq!((ball.shape.center, ball.velocity), (Vec2::new(6.0, -2.5), Vec2::new(-4.0, 2.0)));
    }
}

fn torus() -> World {
    world(WorldConfig::default().with_bounds(Bounds::periodic([0.0; 2], [10.0; 2])))
}

/// Along x 5 to a wall at 45 degrees, half of a way that is cut to 10; half a second is left, 15 up, cut to 10: that is where it was.
#[test]
fn nobody_flies_farther_than_a_period_after_an_impact_either() {
    let mut w = torus();
    w.add_segment(Segment::new([8.25, 5.5], [7.25, 4.5]).with_one_sided(true)).unwrap();
    let ball = w.add_circle(Circle::new([2.0, 5.0], 0.25).with_velocity([30.0, 0.0])).unwrap();
    w.step(1.0).unwrap();
    let ball = w.circle(ball).unwrap();
    assert!(ball.velocity.y > 29.0 && (ball.shape.center.y - 5.0).abs() < 1e-3, "{ball:?}");
}

/// A way of 13 is cut to a period of 10, where there are walls, and where a bullet is fast.
#[test]
fn nobody_flies_farther_than_a_period() {
    for bullet in [false, true] {
        let mut w = torus();
        let ball = w.add_circle(Circle::new([2.0, 5.0], 0.25).with_velocity([13.0, 0.0])).unwrap();
        if bullet {
            w.add_circle(Circle::new([2.0, 8.0], 0.25).with_velocity([1.0, 0.0]).with_bullet(true)).unwrap();
        } else {
            w.add_segment(Segment::new([0.0, 1.0], [10.0, 1.0])).unwrap();
        }
        w.step(1.0).unwrap();
        near(w.circle(ball).unwrap().shape.center, [2.0, 5.0]);
    }
}

/// Nor who is slow for its size: 13 along x, and 6.5 upwards, are cut to 10 and 5, while half a radius is 20.
#[test]
fn no_large_circle_goes_farther_than_a_period() {
    let mut w = world(WorldConfig::default().with_bounds(Bounds::periodic_x(0.0, 10.0)));
    w.add_segment(Segment::new([0.0, 100.0], [10.0, 100.0])).unwrap();
    let ball = w.add_circle(Circle::new([2.0, 5.0], 40.0).with_velocity([13.0, 6.5])).unwrap();
    w.step(1.0).unwrap();
    near(w.circle(ball).unwrap().shape.center, [2.0, 10.0]);
}

#[test]
fn who_flies_is_held_whatever_a_hook_said_before() {
    let mut w = world(WorldConfig::default());
    floor(&mut w);
    let ball = w.add_circle(Circle::new([0.0, 0.4], 0.5)).unwrap();
    w.step_with(1.0 / 64.0, |_| Verdict::Pass).unwrap();
    w.set_circle_velocity(ball, [0.0, -40.0]).unwrap();
    w.step_with(0.25, |_| Verdict::Pass).unwrap();
    assert!(w.circle(ball).unwrap().shape.center.y > 0.0);
}

/// Nine tenths deep in one that nothing can push: pushed by half a radius where there is a segment, wherever that is, and farther where there is none.
#[test]
fn pushes_are_no_longer_than_half_a_radius_where_there_are_segments() {
    for walls in [false, true] {
        let mut w = world(WorldConfig::default());
        if walls {
            w.add_segment(Segment::new([-100.0, 50.0], [100.0, 50.0])).unwrap();
        }
        w.add_circle(Circle::new([0.0, 0.0], 1.0).with_inverse_mass(0.0)).unwrap();
        let pushed = w.add_circle(Circle::new([0.1, 0.0], 1.0)).unwrap();
        w.step(1.0 / 60.0).unwrap();
        let gone = w.circle(pushed).unwrap().shape.center.x - 0.1;
        assert!(if walls { (gone - 0.5).abs() < 1e-6 } else { gone > 0.6 && gone < 1.9 }, "{walls}: {gone}");
    }
}

/// Elastic, so that it comes back to where it was let go, twelve seconds later too.
#[test]
fn an_elastic_ball_on_a_disc_keeps_its_height() {
    let mut w = world(WorldConfig::default().with_gravity([0.0, -10.0]));
    w.add_circle(Circle::new([0.0, 0.0], 1.0).with_inverse_mass(0.0)).unwrap();
    let ball = w.add_circle(Circle::new([0.0, 3.0], 0.5)).unwrap();
    let mut top = 0.0;
    for step in 0..3000 {
        w.step(1.0 / 240.0).unwrap();
        let y = w.circle(ball).unwrap().shape.center.y;
        top = if step > 2700 && y > top { y } else { top };
    }
    assert!((top - 3.0f32).abs() < 0.02, "{top}");
}
