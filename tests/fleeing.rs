//! Promise: who flies beside what flees, or beside what has stopped, goes where it should: a floor that sinks holds nobody by the hair, a wall that turns or
//! a corner that comes pushes aside whoever has room, and who stands is met where he stands.

use gridlane::{Bounds, Circle, Segment, World, WorldConfig};

#[test]
fn a_ball_flies_on_along_a_floor_that_sinks() {
    for (speed, sink, gravity) in [(30.0, 0.01, -9.8), (100.0, 0.01, -9.8), (30.0, 0.001, -9.8), (40.0, 0.5, 0.0)] {
        let config = WorldConfig::default().with_gravity([0.0, gravity]).with_restitution(0.0);
        let mut world = World::new(config).unwrap();
        world.add_segment(Segment::new([-1e3, 0.0], [1e3, 0.0]).with_velocity([0.0, -sink])).unwrap();
        let ball = world.add_circle(Circle::new([0.0, 0.5], 0.5).with_velocity([speed, -sink])).unwrap();
        for _ in 0..64 {
            // No more than it meets of a floor that stands, and one for having followed it.
            assert!(world.step(1.0 / 64.0).unwrap().impacts <= 2, "{speed} {sink}");
        }
        let center = world.circle(ball).unwrap().shape.center;
        assert!((center.x - speed).abs() < 1e-3 * speed, "{speed} {sink}: {center:?}");
        assert!((center.y - (0.5 - sink)).abs() < 0.01, "{speed} {sink}: {center:?}");
    }
}

#[test]
fn two_walls_that_meet_push_out_whom_they_come_upon() {
    for angle in [20.0f64, 40.0, 60.0, 90.0] {
        for (radius, way) in [(0.0f32, 0.1f32), (0.05, 0.1), (0.05, 0.5)] {
            // A corner that opens to the right and goes there; all of the plane to the right of it is free.
            let half = (angle / 2.0).to_radians();
            let [c, s] = [half.cos(), half.sin()].map(|v| (10.0 * v) as f32);
            let mut world = World::new(WorldConfig::default()).unwrap();
            for y in [s, -s] {
                world.add_segment(Segment::new([0.0, 0.0], [c, y]).with_velocity([way, 0.0])).unwrap();
            }
            let x = (f64::from(radius) / half.sin()) as f32 + 0.01;
            let ball = world.add_circle(Circle::new([x, 0.0], radius)).unwrap();
            for step in 0..10 {
                world.step(1.0).unwrap();
                let center = world.circle(ball).unwrap().shape.center;
                let inside = f64::from(center.x - way * (step + 1) as f32) * half.tan() > f64::from(center.y.abs());
                assert!(world.squeezed().is_empty() && inside, "{angle} {radius} {way} {step}: {center:?}");
            }
        }
    }
}

/// One side of a square that turns about its middle, and a circle beside it, with the whole plane as room.
#[test]
fn a_wall_that_turns_pushes_aside_whom_it_comes_upon() {
    let mut state = 1u64;
    let mut part = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 53) as f64
    };
    let (mut pushed, mut squeezed) = (0, 0);
    for _ in 0..4000 {
        let (middle, start, turn) = ([part() * 4.0 - 2.0, part() * 4.0 - 2.0], part() * std::f64::consts::TAU, 0.1);
        let tip = |angle: f64| [middle[0] + 3.0 * angle.cos(), middle[1] + 3.0 * angle.sin()].map(|v| v as f32);
        let side = std::f64::consts::FRAC_PI_2;
        let [a, b, c, d] = [start, start + side, start + turn, start + side + turn].map(tip);
        let velocities = [[c[0] - a[0], c[1] - a[1]], [d[0] - b[0], d[1] - b[1]]];
        let (along, depth) = (0.05 + 0.9 * part(), 0.3 * part() * part());
        let inwards = [-(start + side / 2.0).cos(), -(start + side / 2.0).sin()];
        let place =
            [0, 1].map(|k| (f64::from(a[k]) * (1.0 - along) + f64::from(b[k]) * along + inwards[k] * depth) as f32);
        let mut world = World::new(WorldConfig::default()).unwrap();
        world.add_segment(Segment::new(a, b).with_end_velocities(velocities[0], velocities[1])).unwrap();
        let ball = world.add_circle(Circle::new(place, 0.05)).unwrap();
        world.step(1.0).unwrap();
        let center = world.circle(ball).unwrap().shape.center;
        pushed += u32::from([center.x, center.y] != place);
        squeezed += world.squeezed().len();
    }
    assert!(pushed > 500 && squeezed == 0, "{squeezed} of {pushed}");
}

#[test]
fn an_immovable_circle_that_a_wall_has_stopped_is_met_where_it_stands() {
    // It comes to 10 from 0 after a tenth of the step; who crosses its way later meets nobody.
    let mut world = World::new(WorldConfig::default()).unwrap();
    world.add_segment(Segment::new([10.5, -20.0], [10.5, 20.0])).unwrap();
    let heavy = Circle::new([0.0, 0.0], 0.5).with_velocity([100.0, 0.0]).with_inverse_mass(0.0);
    world.add_circle(heavy).unwrap();
    let bullet = Circle::new([5.0, -50.0], 0.5).with_velocity([0.0, 100.0]).with_bullet(true);
    let bullet = world.add_circle(bullet).unwrap();
    world.step(1.0).unwrap();
    assert!(world.circle_impacts().is_empty());
    assert_eq!(world.circle(bullet).unwrap().shape.center, [5.0, 50.0].into());
    // Pressed against a wall, whatever it would do it stands: a bullet comes back from it as from a wall at 9.9.
    for idle in [0.0, 40.0, 100.0] {
        let mut world = World::new(WorldConfig::default()).unwrap();
        world.add_segment(Segment::new([10.0, -20.0], [10.0, 20.0])).unwrap();
        let heavy = Circle::new([9.9, 0.0], 0.5).with_velocity([idle, 0.0]).with_inverse_mass(0.0);
        let heavy = world.add_circle(heavy).unwrap();
        world.step(1.0).unwrap();
        let stands = world.circle(heavy).unwrap().shape.center.x;
        let bullet = Circle::new([0.0, 0.0], 0.5).with_velocity([50.0, 0.0]).with_bullet(true);
        let bullet = world.add_circle(bullet).unwrap();
        world.step(1.0).unwrap();
        let met: Vec<f32> = world.circle_impacts().iter().map(|met| met.approach_speed).collect();
        assert_eq!(met, [50.0], "{idle}");
        // To a diameter before it, and the rest of 50 back.
        let expected = 2.0 * (stands - 1.0) - 50.0;
        assert!((world.circle(bullet).unwrap().shape.center.x - expected).abs() < 1e-3, "{idle}");
    }
}

/// Who has met as many walls as it may stands for the rest of the step, and is come near to as fast as the other one comes.
#[test]
fn nobody_comes_near_slower_than_not_at_all() {
    let mut world = World::new(WorldConfig::default()).unwrap();
    for x in [-1.0, 1.0] {
        world.add_segment(Segment::new([x, -100.0], [x, 100.0])).unwrap();
    }
    world.add_circle(Circle::new([0.0, 0.0], 0.5).with_velocity([1000.0, 300.0]).with_bullet(true)).unwrap();
    world.add_circle(Circle::new([-0.5, -10.0], 0.1).with_velocity([0.0, 200.0]).with_bullet(true)).unwrap();
    world.step(0.1).unwrap();
    let [met] = world.circle_impacts() else { panic!("one") };
    // No faster than the one that goes; it is hit nearly from below.
    assert!(met.approach_speed > 150.0 && met.approach_speed <= 200.0, "{met:?}");
}

#[test]
fn what_falls_onto_the_bound_neither_sinks_nor_loses_height() {
    let bounds = Bounds::Reflect { min: [0.0, 0.0].into(), max: [10.0, 20.0].into() };
    for (restitution, start) in [(1.0, 4.0f32), (0.0, 4.0), (0.5, 0.6), (1.0, 0.5)] {
        let config = WorldConfig::default().with_gravity([0.0, -10.0]).with_restitution(restitution);
        let mut world = World::new(config.with_bounds(bounds)).unwrap();
        let ball = world.add_circle(Circle::new([5.0, start], 0.5)).unwrap();
        let y = |world: &World| world.circle(ball).unwrap().shape.center.y;
        let (mut low, mut high) = (f32::MAX, f32::MIN);
        for _ in 0..36_000 {
            world.step(1.0 / 64.0).unwrap();
            (low, high) = (low.min(y(&world)), high.max(y(&world)));
        }
        // Out by no more than a step of the fall, and as high as at first but for what a step of rounding adds.
        let fall = (20.0 * (start - 0.5)).sqrt() / 64.0 + 10.0 / 4096.0;
        assert!(low > 0.5 - fall - 0.01 && (high - start).abs() < 0.02, "{restitution} {start}: {low} {high}");
    }
}

#[test]
fn a_crowd_in_bounds_stays_in_them_under_gravity() {
    let bounds = Bounds::Reflect { min: [0.0, 0.0].into(), max: [10.0, 20.0].into() };
    let config = WorldConfig::default().with_gravity([0.0, -10.0]).with_restitution(0.5).with_bounds(bounds);
    let mut world = World::new(config).unwrap();
    for k in 0..100 {
        world.add_circle(Circle::new([0.5 + (k % 10) as f32, 0.6 + (k / 10) as f32 * 1.1], 0.4)).unwrap();
    }
    for _ in 0..3_000 {
        world.step(1.0 / 64.0).unwrap();
    }
    let lowest = world.circles().y().iter().fold(f32::MAX, |low, &y| low.min(y));
    assert!(lowest > -0.4, "{lowest}");
}
