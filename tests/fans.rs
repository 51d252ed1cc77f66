//! Promise: a fan finds what its beams find one by one, bit for bit, whatever stands around its origin and however many beams there are.

use crate::common::casts::{Bodies, bits, scenes};
use crate::common::scenes::Rng;
use gridlane::geometry::{Circle, Ray, Segment};
use gridlane::{
    Backend, Bounds, CircleBody, Error, Fan, Filter, Kind, QueryFilter, Scan, Scans, SegmentBody, Target, Threads,
    World, WorldConfig,
};
use std::f32::consts::{PI, TAU};

fn world(bodies: &Bodies, backend: Backend, threads: usize) -> World {
    let config = WorldConfig::default().with_threads(Threads::Fixed(threads)).with_backend(backend);
    let mut world = World::new(config).unwrap();
    for &circle in &bodies.circles {
        world.add_circle(circle).unwrap();
    }
    for &segment in &bodies.segments {
        world.add_segment(segment).unwrap();
    }
    world
}

/// Every beam against the ray it is; how many meet something.
fn check(world: &World, fan: Fan, filter: QueryFilter<'_>, scan: &mut Scan, what: &str) -> usize {
    let queries = world.queries();
    queries.cast_fan(fan, filter, scan).unwrap();
    assert_eq!((scan.hits().len(), scan.distances().len()), (fan.beams as usize, fan.beams as usize));
    let mut met = 0;
    for (beam, hit) in scan.hits().iter().enumerate() {
        let ray = Ray::new(fan.origin, fan.direction(beam as u32)).with_max(fan.range);
        let expected = queries.cast_ray(ray, filter).unwrap();
        assert_eq!(hit.found().as_ref().map(bits), expected.as_ref().map(bits), "{what}, {fan:?}, beam {beam}");
        met += usize::from(hit.is_hit());
    }
    met
}

/// As many of each kind as fit, spread over the columns.
fn thinned(bodies: &Bodies, most: usize) -> Bodies {
    let every = |count: usize| count.div_ceil(most).max(1);
    Bodies {
        name: bodies.name,
        circles: bodies.circles.iter().copied().step_by(every(bodies.circles.len())).collect(),
        segments: bodies.segments.iter().copied().step_by(every(bodies.segments.len())).collect(),
    }
}

#[test]
fn around_few_bodies_and_many() {
    let (mut scan, mut met) = (Scan::new(), 0);
    for (k, bodies) in scenes().iter().enumerate() {
        for most in [3, 40, usize::MAX] {
            let bodies = thinned(bodies, most);
            let backend = if k % 2 == 0 { Backend::Wide } else { Backend::Scalar };
            let world = world(&bodies, backend, 1 + k % 3);
            let mut rng = Rng::new(k as u64);
            let mut points: Vec<[f32; 2]> = vec![[0.0, 0.0], [1e-3, -2.0], [3e38, 1.0]];
            points.extend(bodies.circles.iter().map(|c| <[f32; 2]>::from(c.center)));
            for segment in &bodies.segments {
                let (a, b): ([f32; 2], [f32; 2]) = (segment.start.into(), segment.end.into());
                points.extend([a, [a[0] / 2.0 + b[0] / 2.0, a[1] / 2.0 + b[1] / 2.0], b]);
            }
            for round in 0..8 {
                let point = |rng: &mut Rng| points[rng.bits() as usize % points.len()];
                let (p, q) = (point(&mut rng), point(&mut rng));
                let origin = if round % 2 == 0 { p } else { [0, 1].map(|axis| p[axis] / 2.0 + q[axis] / 2.0) };
                let range = [1.0, 30.0, f32::MAX][round % 3];
                let heading = [0.0, 2.5, -700.0, 1e9][round % 4];
                let spread = [TAU, PI, 0.3, TAU.next_down().next_down(), 1e-3, 7.0, 0.0, 6.0][round];
                let beams = [16, 360, 77, 15][(round + k) % 4];
                let fan = Fan { origin: origin.into(), heading, spread, beams, range };
                let sees = |target: Target| !target.row.is_multiple_of(3);
                let filters = [
                    QueryFilter::new(),
                    QueryFilter::new().segments_only(),
                    QueryFilter::new().circles_only(),
                    QueryFilter::new().with_condition(&sees),
                ];
                met += check(&world, fan, filters[(round / 2 + k) % 4], &mut scan, bodies.name);
                met += check(&world, fan, QueryFilter::new(), &mut scan, bodies.name);
            }
        }
    }
    assert!(met > 10_000, "{met}");
}

#[test]
fn who_is_not_seen_hides_nobody() {
    let (mut scan, mut met, mut rng) = (Scan::new(), [0; 9], Rng::new(23));
    for round in 0..12 {
        let config = WorldConfig::default().with_threads(Threads::Fixed(1 + round % 2));
        let mut world = World::new(config).unwrap();
        let filter = |row: u32| Filter::new(1 << (row % 3), if row.is_multiple_of(5) { 0b11 } else { u32::MAX });
        let (mut circles, mut segments) = (vec![], vec![]);
        for row in 0..60 {
            let [x, y] = [0; 2].map(|_| rng.range(-9.0, 9.0) as f32);
            let circle = CircleBody::from(Circle::new([x, y], rng.range(0.0, 2.0) as f32));
            // Half of the worlds have neither filters nor sensors.
            let labelled = circle.with_filter(filter(row)).with_sensor(row % 4 == 1);
            circles.push(world.add_circle(if round % 2 == 0 { labelled } else { circle }).unwrap());
            let [u, v] = [x, y].map(|v| v + rng.range(-4.0, 4.0) as f32);
            let segment = SegmentBody::from(Segment::new([-y, x], [-v, u]));
            let labelled = segment.with_filter(filter(row + 1)).with_sensor(row % 4 == 2);
            segments.push(world.add_segment(if round % 2 == 0 { labelled } else { segment }).unwrap());
        }
        // From within a circle, which the beams of a robot do not see.
        let (row, all) = (rng.bits() as usize % 60, QueryFilter::new());
        let near = |target: Target| target.row != row as u32 && target.row % 7 != 3;
        let filters = [
            all.without_circle(circles[row]),
            all.without(Target::circle(row as u32)),
            all.without_segment(segments[row]),
            all.without(Target::segment(row as u32)),
            all.without_circle(circles[row]).without(Target::segment(row as u32)),
            all.with_filter(Filter::new(u32::MAX, 0b101)),
            all.with_filter(Filter::new(0b100, u32::MAX)).without_circle(circles[row]),
            all.without_sensors().without_circle(circles[row]),
            all.with_condition(&near).without_sensors(),
        ];
        let origin = world.circle(circles[row]).unwrap().shape.center;
        let fan = Fan { heading: rng.range(-3.0, 3.0) as f32, ..Fan::around(origin, 90 + 31 * round as u32, 20.0) };
        for (met, filter) in met.iter_mut().zip(filters) {
            *met += check(&world, fan, filter, &mut scan, "left out");
            // Who robots are is left out for each of many fans, too.
            let mut scans = Scans::new();
            world.cast_fans(&[fan, fan], &[row as u32; 2], filter, &mut scans).unwrap();
            world.cast_fan(fan, filter.without_circle(circles[row]), &mut scan).unwrap();
            for k in 0..2 {
                assert!(scans.scan(k).0.iter().map(bits).eq(scan.hits().iter().map(bits)), "{fan:?} {filter:?}");
            }
        }
    }
    assert!(met.iter().all(|&met| met > 1_000), "{met:?}");
}

#[test]
fn from_on_and_within_what_is_seen() {
    // A closed room with pillars, one of them round, seen from its corners, from on its walls, from in its pillars and beside them.
    let mut bodies = Bodies { name: "room", ..Bodies::default() };
    let corners = [[-4.0, -3.0], [4.0, -3.0], [4.0, 3.0], [-4.0, 3.0]];
    for k in 0..4 {
        bodies.segments.push(Segment::new(corners[k], corners[(k + 1) % 4]));
    }
    bodies.segments.push(Segment::new([1.0, 1.0], [2.0, 1.0]).with_radius(0.5));
    bodies.segments.push(Segment::new([-1.0, 0.0], [-1.0, 0.0]));
    bodies.circles.push(Circle::new([-2.0, 1.0], 0.75));
    bodies.circles.push(Circle::new([0.0, -1.0], 0.0));
    let world = world(&bodies, Backend::Wide, 1);
    let mut scan = Scan::new();
    for origin in [
        [0.0, 0.0],
        [4.0, 3.0],
        [4.0, 0.5],
        [-4.0, -3.0f32.next_down()],
        [1.5, 1.25],
        [1.5, 0.5],
        [0.5, 1.0],
        [1.5, 0.499_999],
        [-2.0, 1.0],
        [-2.75, 1.0],
        [-1.0, 0.0],
        [-1.0, 1e-30],
        [0.0, -1.0],
    ] {
        for beams in [16, 360, 1441] {
            let met = check(&world, Fan::around(origin, beams, 100.0), QueryFilter::new(), &mut scan, "room");
            // Nobody looks out of a closed room, but for who stands behind its wall.
            assert!(met == beams as usize || origin[1] < -3.0, "{met} of {beams} from {origin:?}");
        }
    }
}

#[test]
fn a_short_wall_before_one_that_is_nearly_as_long_as_the_range() {
    // Both ends of the long ones are so far to either side that single precision has no number for the sum.
    let mut bodies = Bodies { name: "before long ones", ..Bodies::default() };
    for (x, y, half) in [(0.5, 0.0, 1.5e38), (0.25, 0.0, 1.0), (-0.5, 0.0, 1.7e38), (-0.25, 0.0, 1.0)] {
        bodies.segments.push(Segment::new([x, y - half], [x, y + half]));
    }
    bodies.circles.push(Circle::new([0.1, 0.1], 0.01));
    for backend in [Backend::Wide, Backend::Scalar] {
        let (world, mut scan) = (world(&bodies, backend, 1), Scan::new());
        for beams in [16, 90, 361] {
            let met = check(&world, Fan::around([0.0, 0.0], beams, 1e9), QueryFilter::new(), &mut scan, bodies.name);
            assert!(met + 4 >= beams as usize, "{met} of {beams}");
        }
    }
}

#[test]
fn a_fan_that_is_refused_is_one_question() {
    let mut world = World::new(WorldConfig::default().with_bounds(Bounds::periodic_x(0.0, 1.0))).unwrap();
    world.add_circle(Circle::new([0.5, 10.0], 0.25)).unwrap();
    // Down, along and up: the second sees nobody, period after period, and the third the circle, 9.75 up.
    let fan = Fan { origin: [0.5, 0.0].into(), heading: 0.0, spread: PI, beams: 3, range: 20.0 };
    let (all, mut scan, mut scans) = (QueryFilter::new(), Scan::new(), Scans::new());
    world.cast_fan(fan, all, &mut scan).unwrap();
    let before = scan.distances().to_vec();
    assert_eq!(before[..2], [20.0; 2]);
    assert!((before[2] - 9.75).abs() < 1e-5, "{before:?}");
    let (long, refused) =
        (Fan { range: 1e6, ..fan }, |row| Err(Error::TooManyPeriods { kind: Kind::Ray, row, limit: 256 }));
    assert_eq!(world.cast_fan(long, all, &mut scan), refused(0));
    assert_eq!(scan.distances(), before);
    assert_eq!(world.cast_fans(&[fan, long], &[], all, &mut scans), refused(1));
}

/// 2π as an `f32`, and the number before it, are all around, and the last beam is left out; who is narrower has a beam at either end.
#[test]
fn all_around_is_told_of_both_roundings() {
    let all = [[-1.0, 0.0], [0.0, -1.0], [1.0, 0.0], [0.0, 1.0]];
    for (spread, around) in [(TAU, true), (TAU.next_down(), true), (TAU.next_down().next_down(), false), (7.0, true)] {
        let fan = Fan { spread, ..Fan::around([0.0; 2], 4, 1.0) };
        let is = (0..4).zip(all).all(|(beam, [x, y])| {
            let d = fan.direction(beam);
            (d.x - x).abs() < 1e-6 && (d.y - y).abs() < 1e-6
        });
        assert_eq!(is, around, "{spread}");
    }
}

#[test]
fn large_headings_are_angles() {
    for heading in [2.0f32.powi(20), 2.0f32.powi(21), -3e7, 1e10] {
        let fan = Fan { heading, ..Fan::around([0.0; 2], 1, 1.0) };
        let (d, (sine, cosine)) = (fan.direction(0), f64::from(heading).sin_cos());
        assert!((f64::from(d.x) - cosine).abs() < 1e-6 && (f64::from(d.y) - sine).abs() < 1e-6, "{heading}: {d:?}");
    }
}
