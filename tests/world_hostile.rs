//! Promise: no number, handle or configuration makes a world panic, lie or change when it refuses.

use gridlane::{
    Backend, Bounds, CellSize, Circle, CircleBodies, Error, Filter, Kind, Segment, SegmentBodies, Threads, Vec2, World,
    WorldConfig,
};

const BAD: [f32; 3] = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY];

fn world() -> World {
    World::new(WorldConfig::default()).unwrap()
}

/// The field an error names; an empty name if there is none.
fn field<T>(result: Result<T, Error>) -> &'static str {
    match result {
        Err(Error::NotFinite { field, .. } | Error::Negative { field, .. } | Error::Config { field, .. }) => field,
        _ => "",
    }
}

#[test]
fn every_bad_number_is_named_and_refused() {
    for bad in BAD {
        let mut w = world();
        let circle = |values: [f32; 6]| {
            let [x, y, radius, vx, vy, m] = values;
            Circle::new([x, y], radius).with_velocity([vx, vy]).with_inverse_mass(m)
        };
        let segment = |values: [f32; 9]| {
            let [x0, y0, x1, y1, radius, a, b, c, d] = values;
            Segment::new([x0, y0], [x1, y1]).with_radius(radius).with_end_velocities([a, b], [c, d])
        };
        let c = w.add_circle(circle([0.5; 6])).unwrap();
        let s = w.add_segment(segment([0.5; 9])).unwrap();
        let before = w.state_hash();
        for (k, name) in ["x", "y", "radius", "velocity_x", "velocity_y", "inverse_mass"].into_iter().enumerate() {
            let mut values = [0.5; 6];
            values[k] = bad;
            assert_eq!(field(w.add_circle(circle(values))), name);
            assert_eq!(field(w.set_circle(c, circle(values))), name);
        }
        let names = ["x0", "y0", "x1", "y1", "radius", "velocity_x0", "velocity_y0", "velocity_x1", "velocity_y1"];
        for (k, name) in names.into_iter().enumerate() {
            let mut values = [0.5; 9];
            values[k] = bad;
            assert_eq!(field(w.add_segment(segment(values))), name);
            assert_eq!(field(w.set_segment(s, segment(values))), name);
        }
        assert_eq!(field(w.set_circle_velocity(c, [0.0, bad])), "velocity_y");
        assert_eq!(field(w.push_circle(c, [bad, 0.0])), "impulse_x");
        assert_eq!(field(w.set_gravity([0.0, bad])), "gravity");
        assert_eq!(w.state_hash(), before);
        assert_eq!(w.config(), &WorldConfig::default());
    }
}

#[test]
fn negative_radius_and_mass_are_refused() {
    let mut w = world();
    let row = 0;
    assert_eq!(
        w.add_circle(Circle::new([0.0, 0.0], -1.0)),
        Err(Error::Negative { kind: Kind::Circle, row, field: "radius", value: -1.0 })
    );
    assert_eq!(
        w.add_circle(Circle::new([0.0, 0.0], 1.0).with_inverse_mass(-0.5)),
        Err(Error::Negative { kind: Kind::Circle, row, field: "inverse_mass", value: -0.5 })
    );
    assert_eq!(
        w.add_segment(Segment::new([0.0, 0.0], [1.0, 0.0]).with_radius(-2.0)),
        Err(Error::Negative { kind: Kind::Segment, row, field: "radius", value: -2.0 })
    );
    // An edit names the handle's index.
    w.add_circle(Circle::new([0.0, 0.0], 1.0)).unwrap();
    let second = w.add_circle(Circle::new([0.0, 0.0], 1.0)).unwrap();
    assert_eq!(
        w.set_circle(second, Circle::new([0.0, 0.0], -1.0)),
        Err(Error::Negative { kind: Kind::Circle, row: 1, field: "radius", value: -1.0 })
    );
}

#[test]
fn bulk_adds_are_all_or_nothing() {
    let mut w = world();
    let good = CircleBodies { x: &[0.0; 3], y: &[0.0; 3], radius: &[1.0; 3], ..Default::default() };
    assert_eq!(
        w.add_circles(CircleBodies { y: &[0.0; 2], ..good }),
        Err(Error::ColumnLength { kind: Kind::Circle, field: "y", length: 2, expected: 3 })
    );
    assert!(matches!(
        w.add_circles(CircleBodies { velocity_y: &[0.0, 0.0, f32::NAN], ..good }),
        Err(Error::NotFinite { kind: Kind::Circle, row: 2, field: "velocity_y", .. })
    ));
    let walls = SegmentBodies { x0: &[0.0; 2], y0: &[0.0; 2], x1: &[1.0; 2], y1: &[1.0; 2], ..Default::default() };
    assert_eq!(
        w.add_segments(SegmentBodies { radius: &[1.0, -1.0], ..walls }),
        Err(Error::Negative { kind: Kind::Segment, row: 1, field: "radius", value: -1.0 })
    );
    for (wrong, negative) in [(1.5, false), (-0.5, true), (f32::NAN, false), (f32::INFINITY, false)] {
        let restitution = &[0.5, wrong];
        let error = w.add_segments(SegmentBodies { restitution, ..walls }).unwrap_err();
        let right = match error {
            Error::AboveOne { row, .. } => row == 1 && wrong == 1.5,
            Error::Negative { row, .. } => row == 1 && negative,
            Error::NotFinite { row, .. } => row == 1 && !wrong.is_finite(),
            _ => false,
        };
        assert!(right, "{wrong}: {error}");
        assert!(w.add_circle(Circle::new([0.0, 0.0], 1.0).with_restitution(wrong)).is_err());
        assert!(w.add_segment(Segment::new([0.0, 0.0], [1.0, 0.0]).with_restitution(wrong)).is_err());
    }
    assert_eq!((w.circles().len(), w.segments().len(), w.state_hash()), (0, 0, world().state_hash()));
    assert_eq!(w.add_circles(CircleBodies::default()), Ok(vec![]));
    assert_eq!(w.add_circles(good).unwrap()[0].index(), 0);
}

#[test]
fn configurations_out_of_range_are_named() {
    let config = WorldConfig::default;
    let reflect = |min: [f32; 2], max: [f32; 2]| Bounds::Reflect { min: min.into(), max: max.into() };
    for (wrong, name) in [
        (config().with_gravity([f32::NAN, 0.0]), "gravity"),
        (config().with_restitution(-0.1), "restitution"),
        (config().with_restitution(1.1), "restitution"),
        (config().with_restitution(f32::NAN), "restitution"),
        (config().with_substeps(0), "substeps"),
        (config().with_substeps(257), "substeps"),
        (config().with_cell_size(CellSize::Fixed(0.0)), "cell_size"),
        (config().with_cell_size(CellSize::Fixed(f32::INFINITY)), "cell_size"),
        (config().with_threads(Threads::Fixed(0)), "threads"),
        (config().with_threads(Threads::Fixed(1025)), "threads"),
        (config().with_bounds(reflect([0.0, 0.0], [1.0, 0.0])), "bounds"),
        (config().with_bounds(reflect([0.0, f32::NEG_INFINITY], [1.0, 1.0])), "bounds"),
        (config().with_bounds(reflect([f32::NAN, 0.0], [1.0, 1.0])), "bounds"),
    ] {
        assert_eq!(field(World::new(wrong)), name);
    }
}

#[test]
fn empty_worlds_step() {
    let mut w = world();
    for dt in [0.0, -0.0, 1.0, f32::MAX, f32::from_bits(1)] {
        let stats = w.step(dt).unwrap();
        assert_eq!((stats.circles, stats.circle_circle, stats.begins), (0, 0, 0));
    }
    w.add_segment(Segment::new([0.0, 0.0], [0.0, 0.0])).unwrap();
    assert_eq!(w.step(1.0).unwrap().segments, 1);
}

#[test]
fn nothing_that_comes_out_is_ever_nan() {
    // Numbers from the corners of f32, many bodies in the same places, points, zero-length walls, huge masses.
    const CORNERS: [f32; 12] = [0.0, -0.0, 1.0, -1.0, 1e-45, -1e-45, 1e-38, 1e19, -1e19, 1e30, 3.4e38, -3.4e38];
    let mut state = 5u64;
    let mut pick = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        CORNERS[(state >> 33) as usize % CORNERS.len()]
    };
    let mut refused = 0;
    for round in 0..400 {
        let bounds = Bounds::Reflect { min: Vec2::new(-1e19, -1.0), max: Vec2::new(1.0, 1e30) };
        let config = WorldConfig::default()
            .with_gravity([pick() * 1e-9, pick() * 1e-9])
            .with_restitution([0.0, 0.5, 1.0][round % 3])
            .with_bounds(if round % 2 == 0 { Bounds::None } else { bounds });
        let mut w = World::new(config).unwrap();
        for _ in 0..8 {
            let body = Circle::new([pick(), pick()], pick().abs()).with_velocity([pick() * 1e-9, pick()]);
            w.add_circle(body.with_inverse_mass(pick().abs())).unwrap();
        }
        for _ in 0..4 {
            let shape = Segment::new([pick(), pick()], [pick(), pick()]).with_radius(pick().abs());
            w.add_segment(shape.with_end_velocities([pick() * 1e-9, 0.0], [0.0, pick() * 1e-9])).unwrap();
        }
        for dt in [0.0, 1e-20, 1.0 / 60.0, 1.0] {
            let before = w.state_hash();
            if w.step(dt).is_err() {
                refused += 1;
                assert_eq!(w.state_hash(), before);
            }
            let view = w.circles();
            for column in [view.x(), view.y(), view.velocity_x(), view.velocity_y()] {
                assert!(column.iter().all(|v| v.is_finite()), "round {round}, dt {dt}");
            }
            let walls = w.segments();
            for column in [walls.x0(), walls.y0(), walls.x1(), walls.y1(), walls.velocity_x0()] {
                assert!(column.iter().all(|v| v.is_finite()), "round {round}, dt {dt}");
            }
            assert!(!w.kinetic_energy().is_nan());
        }
    }
    assert!(refused > 100 && refused < 1500, "{refused} of 1600 steps refused");
}

#[test]
fn crowd_in_one_point_stays_finite_and_parts() {
    let mut w = world();
    for _ in 0..60 {
        w.add_circle(Circle::new([1.0, 1.0], 0.5)).unwrap();
    }
    let crowded = w.step(0.0).unwrap().circle_circle;
    assert_eq!(crowded, 60 * 59 / 2);
    for _ in 0..200 {
        w.step(1.0 / 60.0).unwrap();
    }
    assert!(w.stats().circle_circle < crowded / 2);
}

#[test]
fn worlds_go_between_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<World>();
}

#[test]
fn who_touches_nobody_refuses_no_step_by_any_backend() {
    // Once moved out of itself the giant would be beyond the range; but it is alone, and no lane has any business with it.
    for (radius, y) in [(1e37, -3.4e38), (3e38, -2.9e38), (1e38, -3.3e38), (2e38, 3.3e38)] {
        for backend in [Backend::Scalar, Backend::Wide] {
            for pairs in [3, 8, 11, 21] {
                let mut w = World::new(WorldConfig::default().with_backend(backend)).unwrap();
                w.add_circle(Circle::new([0.0, y], radius).with_filter(Filter::NOTHING)).unwrap();
                for k in 0..2 * pairs {
                    w.add_circle(Circle::new([(k / 2) as f32 * 10.0 + (k % 2) as f32, 0.0], 1.0)).unwrap();
                }
                let stats = w.step(0.01);
                assert_eq!(stats.map(|stats| stats.circle_circle), Ok(pairs), "{backend:?} {radius} {y}");
            }
        }
    }
}
