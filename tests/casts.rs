//! Promise: a cast finds what a loop over all bodies and the functions of `geometry` find, bit for bit.

use crate::common::casts::{Bodies, Flight, all, bits, cast_many, flights, lattice, scenes};
use gridlane::geometry::{Circle, Ray, Segment};
use gridlane::internals::{instruction_sets, with_instruction_set};
use gridlane::{
    Backend, Bounds, CircleBody, Error, Fan, Filter, Hit, HitLists, Kind, MovingCircles, QueryFilter, Rays, Scan,
    SegmentBody, Target, TargetKind, Threads, World, WorldConfig,
};

/// A world with these bodies, in their rows as long as it is not stepped. Every fifth segment moves.
fn world(bodies: &Bodies, config: WorldConfig) -> World {
    let mut world = World::new(config).unwrap();
    for &circle in &bodies.circles {
        world.add_circle(circle).unwrap();
    }
    for (row, &segment) in bodies.segments.iter().enumerate() {
        let body = SegmentBody::from(segment);
        let body = if row % 5 == 4 { body.with_velocity([1.0, 0.0]) } else { body };
        world.add_segment(body).unwrap();
    }
    world
}

fn serial() -> WorldConfig {
    WorldConfig::default().with_threads(Threads::Fixed(1))
}

/// The bodies of a world as they stand, row by row.
fn bodies(world: &World) -> Bodies {
    let (c, s) = (world.circles(), world.segments());
    let circle = |i: usize| Circle::new([c.x()[i], c.y()[i]], c.radius()[i]);
    let segment = |i: usize| Segment::new([s.x0()[i], s.y0()[i]], [s.x1()[i], s.y1()[i]]).with_radius(s.radius()[i]);
    Bodies {
        name: "of a world",
        circles: (0..c.len()).map(circle).collect(),
        segments: (0..s.len()).map(segment).collect(),
    }
}

/// One flight, asked in all three ways.
fn ask(world: &World, flight: Flight, filter: QueryFilter<'_>, hits: &mut Vec<Hit>) -> (Option<Hit>, bool) {
    let queries = world.queries();
    match flight {
        Flight::Ray(ray) => {
            queries.cast_ray_all(ray, filter, hits).unwrap();
            (queries.cast_ray(ray, filter).unwrap(), queries.cast_ray_any(ray, filter).unwrap())
        }
        Flight::Circle(circle, motion) => {
            queries.cast_circle_all(circle, motion, filter, hits).unwrap();
            let first = queries.cast_circle(circle, motion, filter).unwrap();
            (first, queries.cast_circle_any(circle, motion, filter).unwrap())
        }
    }
}

fn all_bits(hits: &[Hit]) -> Vec<[u32; 8]> {
    hits.iter().map(bits).collect()
}

/// All three ways against the loop, before and after many rays have been cast. The number of flights that met something.
fn check(world: &World, bodies: &Bodies, flights: &[Flight]) -> usize {
    let (mut met, mut hits) = (0, Vec::new());
    let truth: Vec<Vec<Hit>> = flights.iter().map(|&flight| all(bodies, flight, |_| true)).collect();
    for many in [false, true] {
        met = 0;
        for (&flight, expected) in flights.iter().zip(&truth) {
            let (first, any) = ask(world, flight, QueryFilter::new(), &mut hits);
            assert_eq!(all_bits(&hits), all_bits(expected), "{}: {flight:?}\n{hits:?}\n{expected:?}", bodies.name);
            assert_eq!(first.as_ref().map(bits), expected.first().map(bits), "{}: {flight:?} {many}", bodies.name);
            assert_eq!(any, !expected.is_empty(), "{}: {flight:?} {many}", bodies.name);
            met += usize::from(any);
        }
        cast_many(&world.queries());
    }
    met
}

#[test]
fn casts_are_what_a_loop_finds() {
    for (k, bodies) in scenes().into_iter().enumerate() {
        let flights = flights(&bodies, 250, k as u64);
        for backend in [Backend::Wide, Backend::Scalar] {
            let world = world(&bodies, serial().with_backend(backend));
            let met = check(&world, &bodies, &flights);
            assert!(met >= 20 || bodies.segments.len() < 10, "{}: {met}", bodies.name);
        }
    }
}

#[test]
fn along_walls_and_through_joints_of_a_lattice() {
    let bodies = lattice(14);
    let world = world(&bodies, serial());
    let mut flights = Vec::new();
    for x in -1..15 {
        for y in -1..15 {
            for (dx, dy) in [(1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (2, 1), (-1, 3), (0, 0)] {
                let ray = Ray::new([x as f32, y as f32], [dx as f32, dy as f32]);
                let half = Ray::new([x as f32 + 0.5, y as f32], [dx as f32, dy as f32]);
                flights.extend([ray, ray.with_max(1.0), half.with_max(2.5)].map(Flight::Ray));
                let circle = Circle::new([x as f32, y as f32 + 0.5], 0.5);
                flights.push(Flight::Circle(circle, [3.0 * dx as f32, 3.0 * dy as f32].into()));
            }
        }
    }
    assert!(check(&world, &bodies, &flights) > 1000);
}

#[test]
fn what_is_met_at_once_ends_the_search_however_long_the_direction() {
    // Nothing but circles, in four by four cells and more; and the same with a wall so long that it is in no cell.
    let circle = |k: u32| Circle::new([(k % 12) as f32, (k / 12) as f32], 0.5);
    let mut bodies = Bodies { name: "of no length", circles: (0..144).map(circle).collect(), ..Bodies::default() };
    for walls in 0..2 {
        if walls == 1 {
            bodies.segments.push(Segment::new([-3e38, 5.0], [3e38, 5.0]));
        }
        let world = world(&bodies, serial());
        let mut flights = Vec::new();
        for (x, y) in [(1e10, 1e10), (1e10, -3e9), (-1e30, 2e9), (5.0, 3e38), (-3e38, -3e38), (2.0, 1.0), (0.0, 0.0)] {
            for at in [[5.0, 5.0], [5.25, 6.0], [0.0, 11.0], [11.5, 0.0], [5.5, 5.5], [0.5, 0.5]] {
                flights.extend([0.0, 1e-45, 1e-10].map(|max| Flight::Ray(Ray::new(at, [x, y]).with_max(max))));
            }
        }
        assert!(check(&world, &bodies, &flights) > 80);
    }
}

#[test]
fn no_ray_leaves_a_closed_polygon() {
    // Corners on a rounded circle: walls share them bit for bit, so the polygon is closed.
    for (corners, radius, middle) in
        [(3, 10.0, 0.0), (7, 1.0, 1e5), (360, 50.0, -3.0), (5, 1e-30, 0.0), (64, 1e30, 0.0)]
    {
        let corner = |k: usize| {
            let a = (k % corners) as f64 / corners as f64 * std::f64::consts::TAU + 0.1;
            [(middle + radius * a.cos()) as f32, (middle + radius * a.sin()) as f32]
        };
        let segments = (0..corners).map(|k| Segment::new(corner(k), corner(k + 1))).collect();
        let bodies = Bodies { name: "polygon", circles: Vec::new(), segments };
        let world = world(&bodies, serial());
        let middle = [middle as f32; 2];
        let filter = QueryFilter::new();
        for k in 0..4000 {
            // At corners, at what lies just beside them, and all around; not unit.
            let to = corner(k % corners);
            let d = [to[0] - middle[0], to[1] - middle[1]];
            let d = match k % 4 {
                0 => d,
                1 => [d[0].next_up(), d[1]],
                2 => [d[0], d[1] * 1.000_001],
                _ => [((k as f64).cos() * radius * 0.3) as f32, ((k as f64).sin() * radius * 0.3) as f32],
            };
            let ray = Ray::new(middle, d).with_max(100.0);
            let hit = world.queries().cast_ray(ray, filter).unwrap();
            assert!(hit.is_some_and(|hit| hit.fraction > 0.0), "{corners}: {ray:?}");
            assert!(world.queries().cast_ray_any(ray, filter).unwrap());
        }
    }
}

#[test]
fn bits_do_not_depend_on_backend_threads_or_instruction_set() {
    for bodies in [crate::common::casts::built_in("city-100k", 20), lattice(12)] {
        let flights = flights(&bodies, 3000, 7);
        let mut columns: [Vec<f32>; 5] = Default::default();
        let mut moves: [Vec<f32>; 5] = Default::default();
        let mut skip = Vec::new();
        for (k, flight) in flights.iter().enumerate() {
            match *flight {
                Flight::Ray(Ray { origin, direction, max }) => {
                    let row = [origin.x, origin.y, direction.x, direction.y, max];
                    columns.iter_mut().zip(row).for_each(|(column, v)| column.push(v));
                    skip.push(if k % 2 == 0 { u32::MAX } else { k as u32 });
                }
                Flight::Circle(circle, motion) => {
                    let row = [circle.center.x, circle.center.y, circle.radius, motion.x, motion.y];
                    moves.iter_mut().zip(row).for_each(|(column, v)| column.push(v));
                }
            }
        }
        let [x, y, direction_x, direction_y, max] = &columns;
        let rays = Rays { x, y, direction_x, direction_y, max, skip: &skip };
        let [x, y, radius, motion_x, motion_y] = &moves;
        let circles = MovingCircles { x, y, radius, motion_x, motion_y, skip: &[] };
        let answers = |backend, threads| {
            let config = WorldConfig::default().with_backend(backend).with_threads(Threads::Fixed(threads));
            let world = world(&bodies, config);
            let (queries, filter) = (world.queries(), QueryFilter::new());
            let (mut hits, mut met, mut lists) = (Vec::new(), Vec::new(), HitLists::new());
            let mut out = Vec::new();
            queries.cast_rays(rays, filter, &mut hits).unwrap();
            out.extend(all_bits(&hits));
            cast_many(&queries);
            queries.cast_rays_any(rays, filter, &mut met).unwrap();
            queries.cast_rays_all(rays, filter, &mut lists).unwrap();
            assert_eq!(lists.len(), hits.len());
            for (k, hit) in hits.iter().enumerate() {
                assert_eq!((hit.is_hit(), hit.found()), (met[k], lists.list(k).first().copied()));
            }
            out.extend(all_bits(lists.hits()));
            assert_eq!(lists.offsets().last(), Some(&lists.hits().len()));
            queries.cast_circles(circles, filter, &mut hits).unwrap();
            out.extend(all_bits(&hits));
            queries.cast_circles_all(circles, filter, &mut lists).unwrap();
            out.extend(all_bits(lists.hits()));
            out
        };
        let expected = answers(Backend::Scalar, 1);
        for threads in [1, 2, 3, 8] {
            assert!(answers(Backend::Wide, threads) == expected, "{threads} threads");
            assert!(answers(Backend::Scalar, threads) == expected, "{threads} threads, scalar");
        }
        for set in instruction_sets() {
            assert!(with_instruction_set(set, || answers(Backend::Wide, 1)).unwrap() == expected, "{set}");
        }
        // Batches are the single questions one after the other.
        let world = world(&bodies, serial());
        let mut hits = Vec::new();
        world.queries().cast_rays(Rays { skip: &[], ..rays }, QueryFilter::new(), &mut hits).unwrap();
        let one_by_one = flights.iter().filter_map(|flight| match *flight {
            Flight::Ray(ray) => Some(world.queries().cast_ray(ray, QueryFilter::new()).unwrap()),
            Flight::Circle(..) => None,
        });
        assert!(hits.iter().map(|hit| hit.found()).eq(one_by_one));
    }
}

#[test]
fn what_is_not_seen_is_as_if_it_were_not_there() {
    let shapes = crate::common::casts::built_in("city-100k", 60);
    let mut world = World::new(serial()).unwrap();
    let mut filters = [Vec::new(), Vec::new()];
    let filter_of = |row: usize| Filter::new(1 << (row % 5), u32::MAX ^ (1 << (row % 7)));
    let mut handles = Vec::new();
    for (row, &circle) in shapes.circles.iter().enumerate() {
        let body = CircleBody::from(circle).with_filter(filter_of(row)).with_sensor(row % 6 == 0);
        handles.push(world.add_circle(body).unwrap());
        filters[0].push((filter_of(row), row % 6 == 0));
    }
    let mut walls = Vec::new();
    for (row, &segment) in shapes.segments.iter().enumerate() {
        let body = SegmentBody::from(segment).with_filter(filter_of(row + 2)).with_sensor(row % 8 == 0);
        walls.push(world.add_segment(body).unwrap());
        filters[1].push((filter_of(row + 2), row % 8 == 0));
    }
    let odd = |target: Target| target.row % 2 == 1;
    let asks = [
        QueryFilter::new(),
        QueryFilter::new().with_filter(Filter::new(0b11, 0b101)),
        QueryFilter::new().without_sensors(),
        QueryFilter::new().circles_only(),
        QueryFilter::new().segments_only().without_segment(walls[7]),
        QueryFilter::new().with_condition(&odd),
        QueryFilter::new().without(Target::circle(12)).without_circle(handles[40]),
        QueryFilter::new().without(Target::segment(3)),
    ];
    let mut hits = Vec::new();
    for (k, filter) in asks.iter().chain(&asks).enumerate() {
        // Before and after many have been cast.
        let which = k % asks.len();
        if k == asks.len() {
            cast_many(&world.queries());
        }
        let sees = |target: Target| {
            let kind = usize::from(target.kind == TargetKind::Segment);
            let (of_body, sensor) = filters[kind][target.row as usize];
            let shown = if kind == 0 { filter.circles } else { filter.segments };
            let left_out = match which {
                4 => target == Target::segment(7),
                5 => !odd(target),
                6 => target == Target::circle(12) || target == Target::circle(40),
                7 => target == Target::segment(3),
                _ => false,
            };
            shown && !left_out && (filter.sensors || !sensor) && filter.filter.meets(of_body)
        };
        for flight in flights(&shapes, 150, which as u64) {
            let expected = all(&shapes, flight, sees);
            let (first, any) = ask(&world, flight, *filter, &mut hits);
            assert_eq!(all_bits(&hits), all_bits(&expected), "{which}: {flight:?}");
            assert_eq!(first.as_ref().map(bits), expected.first().map(bits));
            assert_eq!(any, !expected.is_empty());
        }
    }
}

#[test]
fn questions_see_what_has_just_been_done() {
    let shapes = crate::common::casts::strewn("edited", 400, 15.0, 0.0, |rng| rng.range(0.5, 2.0));
    let mut world = world(&shapes, serial());
    for round in 0..12 {
        let now = bodies(&world);
        check(&world, &now, &flights(&now, 40, round));
        let (circle, wall) = (world.circles().handles()[round as usize], world.segments().handles()[round as usize]);
        match round % 6 {
            0 => world.set_circle(circle, Circle::new([0.5, 0.25], 3.0)).unwrap(),
            1 => world.set_segment(wall, Segment::new([-50.0, 0.0], [50.0, 1.0])).unwrap(),
            2 => drop(world.remove_circle(circle).unwrap()),
            3 => drop(world.remove_segment(wall).unwrap()),
            4 => drop(world.add_segment(Segment::new([0.0, -9.0], [0.0, 9.0])).unwrap()),
            _ => drop(world.step(0.05).unwrap()),
        }
    }
}

#[test]
fn wrong_numbers_are_refused_and_nothing_is_written() {
    let world = world(&lattice(4), serial());
    let (queries, filter) = (world.queries(), QueryFilter::new());
    let old = [Hit { fraction: 7.0, ..Hit::NOTHING }];
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let mut hits = old.to_vec();
        for ray in [
            Ray::new([bad, 0.0], [1.0, 0.0]),
            Ray::new([0.0, bad], [1.0, 0.0]),
            Ray::new([0.0, 0.0], [bad, 0.0]),
            Ray::new([0.0, 0.0], [0.0, bad]),
            Ray::new([0.0, 0.0], [1.0, 0.0]).with_max(bad),
        ] {
            assert!(matches!(queries.cast_ray(ray, filter), Err(Error::NotFinite { kind: Kind::Ray, row: 0, .. })));
            assert!(queries.cast_ray_any(ray, filter).is_err());
            assert!(queries.cast_ray_all(ray, filter, &mut hits).is_err());
        }
        let columns = [[0.0, 1.0], [0.0, bad]];
        let [good, wrong] = &columns;
        let rays = Rays { x: good, y: good, direction_x: good, direction_y: wrong, ..Rays::default() };
        let error = queries.cast_rays(rays, filter, &mut hits).unwrap_err();
        assert!(matches!(error, Error::NotFinite { kind: Kind::Ray, row: 1, field: "direction_y", .. }), "{error}");
        let circles = MovingCircles { x: good, y: good, radius: wrong, motion_x: good, motion_y: good, skip: &[] };
        let error = queries.cast_circles(circles, filter, &mut hits).unwrap_err();
        assert!(matches!(error, Error::NotFinite { kind: Kind::Circle, row: 1, field: "radius", .. }), "{error}");
        assert!(queries.cast_circle(Circle::new([0.0, bad], 1.0), [1.0, 0.0], filter).is_err());
        let fan = Fan { heading: bad, ..Fan::around([0.0, 0.0], 8, 1.0) };
        assert!(matches!(
            queries.cast_fan(fan, filter, &mut Scan::new()),
            Err(Error::NotFinite { field: "heading", .. })
        ));
        assert_eq!(hits, old);
    }
    let ray = Ray::new([0.0, 0.0], [1.0, 0.0]).with_max(-1.0);
    assert!(matches!(queries.cast_ray(ray, filter), Err(Error::Negative { field: "max", .. })));
    assert!(queries.cast_circle(Circle::new([0.0, 0.0], -1.0), [1.0, 0.0], filter).is_err());
    let short = Rays { x: &[0.0], y: &[0.0], direction_x: &[1.0], direction_y: &[], ..Rays::default() };
    let error = queries.cast_rays(short, filter, &mut Vec::new()).unwrap_err();
    let expected = Error::ColumnLength { kind: Kind::Ray, field: "direction_y", length: 0, expected: 1 };
    assert_eq!(error, expected);
    let skip =
        Rays { x: &[0.0], y: &[0.0], direction_x: &[1.0], direction_y: &[1.0], skip: &[1, 2], ..Rays::default() };
    assert!(queries.cast_rays(skip, filter, &mut Vec::new()).is_err());
}

#[test]
fn a_fan_is_its_beams_one_by_one_and_skipped_circles_are_not_seen() {
    let bodies = crate::common::casts::built_in("city-100k", 40);
    let world = world(&bodies, serial());
    let (queries, filter, mut scan) = (world.queries(), QueryFilter::new(), Scan::new());
    for fan in [
        Fan::around([1.0, 2.0], 360, 50.0),
        Fan { origin: [-30.0, 4.0].into(), heading: 1.0, spread: 2.0, beams: 33, range: 12.5 },
        Fan { beams: 0, ..Fan::around([0.0, 0.0], 0, 1.0) },
    ] {
        queries.cast_fan(fan, filter, &mut scan).unwrap();
        assert_eq!((scan.hits().len(), scan.distances().len()), (fan.beams as usize, fan.beams as usize));
        for beam in 0..fan.beams {
            let d = fan.direction(beam);
            assert!((d.x * d.x + d.y * d.y - 1.0).abs() < 3e-7);
            let ray = Ray::new(fan.origin, d).with_max(fan.range);
            let expected = queries.cast_ray(ray, filter).unwrap();
            let k = beam as usize;
            assert_eq!(scan.hits()[k].found(), expected);
            assert_eq!(scan.distances()[k], expected.map_or(fan.range, |hit| hit.fraction));
        }
    }
    // Each circle looks ahead from its own centre and does not see itself.
    let count = bodies.circles.len();
    let x: Vec<f32> = bodies.circles.iter().map(|c| c.center.x).collect();
    let y: Vec<f32> = bodies.circles.iter().map(|c| c.center.y).collect();
    let (direction_x, direction_y, skip) = (vec![3.0; count], vec![0.5; count], (0..count as u32).collect::<Vec<_>>());
    let max = vec![2.0; count];
    let rays = Rays { x: &x, y: &y, direction_x: &direction_x, direction_y: &direction_y, max: &max, skip: &skip };
    let mut hits = Vec::new();
    queries.cast_rays(rays, filter, &mut hits).unwrap();
    for k in (0..count).step_by(17) {
        let ray = Ray::new([x[k], y[k]], [3.0, 0.5]).with_max(2.0);
        let expected = all(&bodies, Flight::Ray(ray), |target| target != Target::circle(k as u32));
        assert_eq!(hits[k].found(), expected.first().copied());
    }
}

/// Circles of radius 1 about 3, 6, 9 and 12 on a line along x, seen from 0: the first three are left out, each in another way, and the fourth begins
/// at 11. Where one more row is named that nobody has, it takes nothing away, and gives nothing back.
#[test]
fn all_ways_to_leave_a_circle_out_hold_at_once() {
    for bounds in [Bounds::None, Bounds::periodic([0.0, -50.0], [100.0, 50.0])] {
        let mut world = World::new(serial().with_bounds(bounds)).unwrap();
        let handles = [3.0, 6.0, 9.0, 12.0].map(|x| world.add_circle(Circle::new([x, 0.0], 1.0)).unwrap());
        let filter = QueryFilter::new().without(Target::circle(0)).without_circle(handles[1]);
        let (zero, one, queries) = (&[0.0][..], &[1.0][..], world.queries());
        for (skip, first) in [([2], 3), ([77], 2), ([u32::MAX], 2), ([0], 2), ([1], 2)] {
            let mut rays = Rays { x: zero, y: zero, direction_x: one, direction_y: zero, max: &[50.0], skip: &skip };
            let circles = |far: &'static [f32]| MovingCircles {
                x: zero,
                y: zero,
                radius: &[0.5],
                motion_x: far,
                motion_y: zero,
                skip: &skip,
            };
            let (mut hits, mut met, mut lists) = (Vec::new(), Vec::new(), HitLists::new());
            queries.cast_rays(rays, filter, &mut hits).unwrap();
            // The near side of the circle about 3 (first + 1).
            assert_eq!(
                (hits[0].target, hits[0].fraction),
                (Target::circle(first), 3.0 * first as f32 + 2.0),
                "{skip:?}"
            );
            queries.cast_rays_all(rays, filter, &mut lists).unwrap();
            let targets: Vec<Target> = lists.list(0).iter().map(|hit| hit.target).collect();
            assert_eq!(targets, (first..4).map(Target::circle).collect::<Vec<_>>(), "{skip:?}");
            queries.cast_circles(circles(&[20.0]), filter, &mut hits).unwrap();
            assert_eq!(hits[0].target, Target::circle(first), "{skip:?}");
            // Not as far as to that one.
            rays.max = if first == 3 { &[10.5] } else { &[7.5] };
            queries.cast_rays(rays, filter, &mut hits).unwrap();
            assert!(!hits[0].target.is_something(), "{skip:?}");
            queries.cast_rays_any(rays, filter, &mut met).unwrap();
            assert!(!met[0], "{skip:?}");
            let far: &[f32] = if first == 3 { &[10.0] } else { &[7.0] };
            queries.cast_circles_any(circles(far), filter, &mut met).unwrap();
            assert!(!met[0], "{skip:?}");
        }
    }
}
