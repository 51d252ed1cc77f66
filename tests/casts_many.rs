//! Promise: a ray among many finds what a loop over all bodies and the functions of `geometry` find, bit for bit.

use crate::common::casts::{Bodies, Flight, all, bits, built_in, cast_many, clumps, flights, lattice, scenes, strewn};
use crate::common::scenes::Rng;
use gridlane::geometry::{Circle, Ray, Segment};
use gridlane::internals::{instruction_sets, with_instruction_set};
use gridlane::{
    Backend, Circles, Detector, DetectorConfig, Filters, Hit, Queries, QueryFilter, Rays, SegmentBody, Segments,
    Target, TargetKind, Threads, World, WorldConfig,
};

/// All segments at rest, without radii.
fn detector(bodies: &Bodies, backend: Backend) -> Detector {
    let config = DetectorConfig::default().with_backend(backend).with_threads(Threads::Fixed(1));
    let mut detector = Detector::new(config).unwrap();
    let segment = |get: fn(&Segment) -> f32| bodies.segments.iter().map(get).collect::<Vec<f32>>();
    let circle = |get: fn(&Circle) -> f32| bodies.circles.iter().map(get).collect::<Vec<f32>>();
    let [x0, y0] = [segment(|s| s.start.x), segment(|s| s.start.y)];
    let [x1, y1] = [segment(|s| s.end.x), segment(|s| s.end.y)];
    detector.set_segments(Segments { x0: &x0, y0: &y0, x1: &x1, y1: &y1 }).unwrap();
    let [x, y, radius] = [circle(|c| c.center.x), circle(|c| c.center.y), circle(|c| c.radius)];
    detector.set_circles(Circles { x: &x, y: &y, radius: &radius }, Filters::default()).unwrap();
    detector
}

fn thin(mut bodies: Bodies) -> Bodies {
    bodies.segments.iter_mut().for_each(|segment| segment.radius = 0.0);
    bodies
}

/// Rays from body to body, and from anywhere to anywhere near by.
fn rays(bodies: &Bodies, count: usize, seed: u64) -> Vec<Ray> {
    let mut rays: Vec<Ray> = flights(bodies, count, seed)
        .into_iter()
        .filter_map(|flight| match flight {
            Flight::Ray(ray) => Some(ray),
            Flight::Circle(..) => None,
        })
        .collect();
    let mut rng = Rng::new(seed);
    let points: Vec<_> =
        bodies.circles.iter().map(|c| c.center).chain(bodies.segments.iter().map(|s| s.start)).collect();
    let sizes: Vec<f32> = bodies.circles.iter().map(|c| c.radius).collect();
    for _ in 0..if sizes.is_empty() { 0 } else { count } {
        let (p, size) = (points[rng.bits() as usize % points.len()], sizes[rng.bits() as usize % sizes.len()]);
        let size = f64::from(if size < 1e30 { size } else { 1.0 });
        let mut near = |far: f64| (size * rng.range(-far, far)) as f32;
        let (origin, direction) = ([p.x + near(6.0), p.y + near(6.0)], [near(9.0), near(9.0)]);
        rays.push(Ray::new(origin, direction).with_max([0.25, 1.0, 20.0, f32::MAX][(rng.bits() % 4) as usize]));
    }
    rays
}

fn cast(detector: &Detector, rays: &[Ray], skip: &[u32], filter: QueryFilter<'_>) -> Vec<Hit> {
    ask(&detector.queries(), rays, skip, filter)
}

fn ask(queries: &Queries<'_>, rays: &[Ray], skip: &[u32], filter: QueryFilter<'_>) -> Vec<Hit> {
    let column = |get: fn(&Ray) -> f32| rays.iter().map(get).collect::<Vec<f32>>();
    let [x, y] = [column(|r| r.origin.x), column(|r| r.origin.y)];
    let [direction_x, direction_y] = [column(|r| r.direction.x), column(|r| r.direction.y)];
    let max = column(|r| r.max);
    let rays = Rays { x: &x, y: &y, direction_x: &direction_x, direction_y: &direction_y, max: &max, skip };
    let (mut hits, mut again, mut met) = (Vec::new(), Vec::new(), Vec::new());
    queries.cast_rays(rays, filter, &mut hits).unwrap();
    queries.cast_rays_any(rays, filter, &mut met).unwrap();
    assert!(hits.iter().map(|hit| hit.is_hit()).eq(met.iter().copied()), "any");
    cast_many(queries);
    queries.cast_rays(rays, filter, &mut again).unwrap();
    queries.cast_rays_any(rays, filter, &mut met).unwrap();
    assert!(hits.iter().map(bits).eq(again.iter().map(bits)), "after many");
    assert!(hits.iter().map(|hit| hit.is_hit()).eq(met.iter().copied()), "any after many");
    hits
}

fn first(bodies: &Bodies, ray: Ray, sees: impl Fn(Target) -> bool) -> Option<[u32; 8]> {
    all(bodies, Flight::Ray(ray), sees).first().map(bits)
}

/// The number of rays that meet something.
fn check(bodies: &Bodies, rays: &[Ray], backend: Backend) -> usize {
    // So many are asked of each that they are not many.
    let few = bodies.circles.len() + bodies.segments.len() + 1;
    let some = |rays: &[Ray]| cast(&detector(bodies, backend), rays, &[], QueryFilter::new());
    let hits: Vec<Hit> = rays.chunks(few).flat_map(some).collect();
    for (&ray, hit) in rays.iter().zip(&hits) {
        let found = hit.found().as_ref().map(bits);
        assert_eq!(found, first(bodies, ray, |_| true), "{}: {ray:?} {hit:?}", bodies.name);
    }
    hits.iter().filter(|hit| hit.is_hit()).count()
}

#[test]
fn in_scenes_of_many_kinds() {
    for (k, bodies) in scenes().into_iter().map(thin).enumerate() {
        let rays = rays(&bodies, 250, k as u64);
        let met = check(&bodies, &rays, Backend::Wide);
        assert!(met >= 20 || bodies.segments.len() < 10, "{}: {met}", bodies.name);
        assert_eq!(check(&bodies, &rays[..100], Backend::Scalar), check(&bodies, &rays[..100], Backend::Wide));
    }
}

#[test]
fn where_bodies_are_as_many_as_in_the_built_in_scenes() {
    // Circles and segments of one size each: each in one box of cells.
    let even = strewn("even", 1500, 22.0, 0.0, |_| 1.0);
    let one_kind = |circles: bool| {
        let mut bodies = even.clone();
        if circles {
            bodies.segments.clear()
        } else {
            bodies.circles.clear()
        }
        bodies
    };
    let empty = strewn("nearly empty", 200, 150.0, 0.0, |_| 1.0);
    for bodies in
        [built_in("gas-1k", 1), built_in("city-100k", 50), even.clone(), one_kind(true), one_kind(false), empty]
    {
        let rays = rays(&bodies, 1200, 3);
        let met = check(&bodies, &rays, Backend::Wide);
        assert!(met > 300 && met < rays.len(), "{}: {met} of {}", bodies.name, rays.len());
    }
}

#[test]
fn where_bodies_stand_in_clumps_far_apart() {
    for (k, mut bodies) in [
        clumps("clumps", 12, 1e5, 0.0, 1.0),
        clumps("clumps on a line", 30, 0.0, 1e5, 1.0),
        clumps("clumps far away", 9, 4e7, 6.4e6, 2.0),
        clumps("one by one", 400, 3e4, 0.0, 1.0),
    ]
    .into_iter()
    .enumerate()
    {
        let beside = |c: &Circle| {
            let (x, y, r) = (c.center.x, c.center.y, c.radius);
            Segment::new([x + 2.0 * r, y - r], [x + 3.0 * r, y + 2.0 * r])
        };
        bodies.segments = bodies.circles.iter().step_by(3).map(beside).collect();
        let rays = rays(&bodies, 1500, 7 + k as u64);
        let met = check(&bodies, &rays, Backend::Wide);
        assert!(met > 300 && met < rays.len(), "{}: {met} of {}", bodies.name, rays.len());
    }
}

#[test]
fn along_walls_through_joints_and_at_the_rims_of_a_lattice() {
    let bodies = lattice(14);
    let mut rays = Vec::new();
    for (x, y) in (-2..=32).flat_map(|x| (-2..=32).map(move |y| (x as f32 / 2.0, y as f32 / 2.0))) {
        for (dx, dy) in [(1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (2, 1), (-1, 3), (0, 0)] {
            rays.push(Ray::new([x, y], [dx as f32, dy as f32]).with_max([1.0, 2.5, 40.0][(rays.len()) % 3]));
        }
    }
    assert!(check(&bodies, &rays, Backend::Wide) > 3000);
}

#[test]
fn circles_that_are_left_out_and_kinds_that_are_not_seen() {
    let bodies = strewn("even", 1000, 18.0, 0.0, |_| 1.0);
    let (detector, rays) = (detector(&bodies, Backend::Wide), rays(&bodies, 600, 8));
    let skip: Vec<u32> = (0..rays.len()).map(|k| if k % 3 == 0 { u32::MAX } else { (k * 7 % 1000) as u32 }).collect();
    let only = |circle: bool| move |target: Target| (target.kind == TargetKind::Circle) == circle;
    let all = cast(&detector, &rays, &skip, QueryFilter::new());
    let circles = cast(&detector, &rays, &[], QueryFilter::new().circles_only());
    let segments = cast(&detector, &rays, &[], QueryFilter::new().segments_only());
    let bits_of = |hit: &Hit| hit.found().as_ref().map(bits);
    for (k, &ray) in rays.iter().enumerate() {
        assert_eq!(bits_of(&all[k]), first(&bodies, ray, |target| target != Target::circle(skip[k])), "{ray:?}");
        assert_eq!(bits_of(&circles[k]), first(&bodies, ray, only(true)), "{ray:?}");
        assert_eq!(bits_of(&segments[k]), first(&bodies, ray, only(false)), "{ray:?}");
    }
}

#[test]
fn short_walls_before_those_that_are_nearly_as_long_as_the_range() {
    // Where they are few they lie in the cells of the others, which are 3e36 long. Both ends are so far to either side of rays from near by that
    // single precision has no number for the sum.
    let mut bodies = strewn("before long ones", 3000, 3e37, 0.0, |_| 3e36);
    bodies.circles.clear();
    bodies.segments.retain(|s| s.start.x.abs() + s.start.y.abs() > 1.5e37);
    for (x, half) in [(0.5, 1.4e38), (0.25, 1.5e36), (-0.5, 1.4e38), (-0.25, 1.5e36)] {
        bodies.segments.push(Segment::new([x, -half], [x, half]));
    }
    let mut rng = Rng::new(12);
    let mut number = |far: f64| rng.range(-far, far) as f32;
    let rays: Vec<Ray> =
        (0..200).map(|_| Ray::new([number(0.6), number(1e30)], [number(1.99), number(0.01)])).collect();
    for backend in [Backend::Wide, Backend::Scalar] {
        assert!(check(&bodies, &rays, backend) > 150);
    }
}

#[test]
fn where_segments_that_move_and_segments_at_rest_have_cells_each() {
    let bodies = strewn("even", 900, 18.0, 0.0, |_| 1.0);
    let mut world = World::new(WorldConfig::default()).unwrap();
    for &circle in bodies.circles.iter().take(300) {
        world.add_circle(circle).unwrap();
    }
    for (row, &segment) in bodies.segments.iter().enumerate() {
        let body = SegmentBody::from(segment);
        world.add_segment(if row % 2 == 0 { body.with_velocity([1.0, 0.0]) } else { body }).unwrap();
    }
    let bodies = Bodies { circles: bodies.circles[..300].to_vec(), ..bodies };
    let rays = rays(&bodies, 300, 4);
    let found = ask(&world.queries(), &rays, &[], QueryFilter::new());
    let mut met = [0; 2];
    for (&ray, hit) in rays.iter().zip(&found) {
        assert_eq!(hit.found().as_ref().map(bits), first(&bodies, ray, |_| true), "{ray:?} {hit:?}");
        if hit.target.kind == TargetKind::Segment {
            met[(hit.target.row % 2) as usize] += 1;
        }
    }
    assert!(met.iter().all(|&met| met > 50), "{met:?}");
}

#[test]
fn where_walls_that_were_edited_have_cells_of_their_own_or_are_gone() {
    let bodies = strewn("even", 900, 18.0, 0.0, |_| 1.0);
    let mut rng = Rng::new(8);
    for (share, long) in [(0, 0), (9, 0), (9, 3), (0, 20)] {
        let mut world = World::new(WorldConfig::default()).unwrap();
        for &circle in bodies.circles.iter().take(200) {
            world.add_circle(circle).unwrap();
        }
        for (row, &segment) in bodies.segments.iter().enumerate() {
            let body = SegmentBody::from(segment);
            let moves = share > 0 && row % share == 0;
            world.add_segment(if moves { body.with_velocity([1.0, 0.0]) } else { body }).unwrap();
        }
        let mut met = 0;
        // So many are edited before the next question: so few that they are held against every ray, more, and so many that all is made anew.
        for edits in [0, 1, 1, 3, 30, 30, 200, 1] {
            for _ in 0..edits {
                let walls = world.segments().handles();
                let wall = walls[rng.bits() as usize % walls.len()];
                let x = rng.range(-16.0, 16.0) as f32;
                match rng.bits() % 3 {
                    0 => drop(world.remove_segment(wall).unwrap()),
                    1 => world.set_segment(wall, Segment::new([x, -3.0], [x + 0.5, 3.0])).unwrap(),
                    _ => drop(world.add_segment(Segment::new([-x, x], [-x, x + 1.0])).unwrap()),
                }
            }
            for k in 0..if edits == 3 { long } else { 0 } {
                // Longer than its cells could be.
                world.add_segment(Segment::new([-1e30, 3.0 + k as f32], [1e30, 5.0])).unwrap();
            }
            let (walls, circles) = (world.segments(), world.circles());
            let shapes = (0..walls.x0().len())
                .map(|k| Segment::new([walls.x0()[k], walls.y0()[k]], [walls.x1()[k], walls.y1()[k]]));
            let discs =
                (0..circles.x().len()).map(|k| Circle::new([circles.x()[k], circles.y()[k]], circles.radius()[k]));
            let now = Bodies { circles: discs.collect(), segments: shapes.collect(), ..bodies.clone() };
            let rays = rays(&now, 150, edits);
            let found = ask(&world.queries(), &rays, &[], QueryFilter::new());
            for (&ray, hit) in rays.iter().zip(&found) {
                assert_eq!(hit.found().as_ref().map(bits), first(&now, ray, |_| true), "{edits}: {ray:?} {hit:?}");
                met += usize::from(hit.target.kind == TargetKind::Segment && hit.is_hit());
            }
        }
        assert!(met > 300, "{met}");
    }
}

#[test]
fn where_circles_have_never_been() {
    let mut bodies = strewn("even", 400, 12.0, 0.0, |_| 1.0);
    bodies.circles.clear();
    let mut world = World::new(WorldConfig::default()).unwrap();
    for &segment in &bodies.segments {
        world.add_segment(segment).unwrap();
    }
    let mut rays = Vec::new();
    for k in 0..64u32 {
        let (x, y) = ((k % 8) as f32 * 3.0 - 10.0, (k / 8) as f32 * 3.0 - 10.0);
        rays.push(Ray::new([x, y], [(k % 5) as f32 - 2.0, (k % 3) as f32 - 1.5]).with_max(5.0));
    }
    let column = |get: fn(&Ray) -> f32| rays.iter().map(get).collect::<Vec<f32>>();
    let [x, y] = [column(|r| r.origin.x), column(|r| r.origin.y)];
    let [direction_x, direction_y] = [column(|r| r.direction.x), column(|r| r.direction.y)];
    let columns =
        Rays { x: &x, y: &y, direction_x: &direction_x, direction_y: &direction_y, max: &[5.0; 64], skip: &[] };
    let mut hits = Vec::new();
    world.queries().cast_rays(columns, QueryFilter::new(), &mut hits).unwrap();
    let found: Vec<_> = hits.iter().map(|hit| hit.found().as_ref().map(bits)).collect();
    let expected: Vec<_> = rays.iter().map(|&ray| first(&bodies, ray, |_| true)).collect();
    assert_eq!(found, expected);
    assert!(found.iter().flatten().count() > 30);
}

#[test]
fn however_many_there_are_and_on_whatever_machine() {
    let bodies = built_in("gas-1k", 1);
    let (detector, all) = (detector(&bodies, Backend::Wide), rays(&bodies, 400, 5));
    let expected = cast(&detector, &all, &[], QueryFilter::new());
    for count in [0, 1, 3, 4, 5, 31, 32, 33, 64, 255, 256, 257] {
        let hits = cast(&detector, &all[..count], &[], QueryFilter::new());
        assert!(hits.iter().map(bits).eq(expected[..count].iter().map(bits)), "{count}");
    }
    for set in instruction_sets() {
        let made = || cast(&self::detector(&bodies, Backend::Wide), &all, &[], QueryFilter::new());
        let hits = with_instruction_set(set, made).unwrap();
        assert!(hits.iter().map(bits).eq(expected.iter().map(bits)), "{set}");
    }
}

#[test]
fn what_a_detector_is_given_anew_is_seen_though_many_have_been_cast() {
    let mut now = strewn("at first", 300, 12.0, 0.0, |_| 1.0);
    let (mut detector, columns) = (detector(&now, Backend::Wide), |bodies: &Bodies| {
        let shapes = bodies.circles.iter().map(|c| [c.center.x, c.center.y, c.radius]);
        let walls = bodies.segments.iter().map(|s| [s.start.x, s.start.y, s.end.x, s.end.y]);
        (shapes.collect::<Vec<_>>(), walls.collect::<Vec<_>>())
    });
    for turn in 0..7 {
        let rays = rays(&now, 200, turn);
        let found = cast(&detector, &rays, &[], QueryFilter::new());
        for (&ray, hit) in rays.iter().zip(&found) {
            assert_eq!(hit.found().as_ref().map(bits), first(&now, ray, |_| true), "{turn}: {ray:?} {hit:?}");
        }
        assert!(found.iter().filter(|hit| hit.is_hit()).count() > 100);
        // Others: circles, all segments, some of them.
        let rows = if turn % 3 == 2 { 40..60 } else { 0..now.segments.len() };
        if turn % 3 == 0 {
            now.circles.iter_mut().for_each(|circle| circle.center.x += 0.75);
        } else {
            for segment in &mut now.segments[rows.clone()] {
                (segment.start.y, segment.end.y) = (segment.start.y - 0.5, segment.end.y + 0.25);
            }
        }
        let (shapes, walls) = columns(&now);
        let circle = |k: usize| shapes.iter().map(|shape| shape[k]).collect::<Vec<f32>>();
        let wall = |k: usize| walls[rows.clone()].iter().map(|wall| wall[k]).collect::<Vec<f32>>();
        let segments = Segments { x0: &wall(0), y0: &wall(1), x1: &wall(2), y1: &wall(3) };
        match turn % 3 {
            0 => {
                let circles = Circles { x: &circle(0), y: &circle(1), radius: &circle(2) };
                detector.set_circles(circles, Filters::default()).unwrap();
            }
            1 => detector.set_segments(segments).unwrap(),
            _ => detector.replace_segments(rows.clone(), segments).unwrap(),
        }
    }
}

#[test]
fn along_corridors_of_more_cells_than_a_walk_takes() {
    // Two rows of circles, and a wall at the end: cells of 2.46 by the formula in `broad_phase::spread`, some 800 along the way between the rows, all of
    // them with somebody in it; a walk of these cells takes some 470.
    let mut bodies = Bodies { name: "corridor", ..Bodies::default() };
    for k in 0..2000 {
        bodies.circles.extend([-1.5, 1.5].map(|y| Circle::new([k as f32, y], 0.5)));
    }
    bodies.segments.push(Segment::new([2005.0, -2.0], [2005.0, 2.0]));
    let rays: Vec<Ray> = (0..40)
        .map(|k| {
            let (y, max) = ((k % 5) as f32 * 0.2 - 0.4, [2100.0, 2004.0, 1800.0, 900.0][k % 4]);
            let [from, to] = [[0.0, y], [2004.0, 0.7 - y]];
            let [from, to] = if k % 2 == 0 { [from, to] } else { [to, from] };
            Ray::new(from, [(to[0] - from[0]) / 2004.0, (to[1] - from[1]) / 2004.0]).with_max(max)
        })
        .collect();
    for backend in [Backend::Scalar, Backend::Wide] {
        let met = check(&bodies, &rays, backend);
        assert!((5..35).contains(&met), "{met}");
    }
}

#[test]
fn from_outside_near_and_so_far_that_cells_cannot_be_told() {
    let bodies = strewn("even", 1500, 22.0, 0.0, |_| 1.0);
    let mut rng = Rng::new(51);
    // The last are more cells away than double precision tells apart from their neighbours.
    for away in [23.0, 30.0, 1e3, 1e7, 1e12, 1e16, 1e20] {
        let mut rays = Vec::new();
        for _ in 0..160 {
            let angle = rng.range(0.0, std::f64::consts::TAU);
            let (sine, cosine) = angle.sin_cos();
            // Towards the bodies, past them, or away; some end before they are there, some on the way through.
            let aside = rng.range(-30.0, 30.0) + if rng.bits().is_multiple_of(4) { away } else { 0.0 };
            let origin = [away * cosine - aside * sine, away * sine + aside * cosine];
            let ahead = if rng.bits().is_multiple_of(8) { 1.0 } else { -1.0 };
            let direction = [ahead * cosine, ahead * sine].map(|v| (v * rng.range(0.5, 2.0)) as f32);
            let max = [f32::MAX, (away * 0.3) as f32, (away * rng.range(0.4, 2.5)) as f32];
            let origin = origin.map(|v| v as f32);
            rays.push(Ray::new(origin, direction).with_max(max[(rng.bits() % 3) as usize]));
            // Along the axes, straight at the bodies whatever rounding does.
            let across = rng.range(-20.0, 20.0) as f32;
            let (far, toward) = if rng.bits().is_multiple_of(2) { (away, -1.5) } else { (-away, 1.5) };
            let (origin, direction) = ([far as f32, across], [toward, 0.0]);
            let [[x, y], [u, v]] = [origin, direction];
            let turned = [Ray::new([x, y], [u, v]), Ray::new([y, x], [v, u])];
            rays.push(turned[(rng.bits() % 2) as usize]);
        }
        let met = check(&bodies, &rays, Backend::Wide);
        assert!(met > 60 && met < rays.len() - 30, "{away}: {met} of {}", rays.len());
    }
}

#[test]
fn at_the_borders_of_cells() {
    // 384 circles of radius 1/2 in a box of 64 by 64: (c + 1)² 384 / 64² are six in a cell at c = 7 (see `broad_phase::spread`). Rays meet them where
    // two cells meet, or some steps of single precision before or behind.
    let mut bodies = Bodies { name: "borders", ..Bodies::default() };
    let mut rays = Vec::new();
    bodies.circles.extend([Circle::new([0.5, 0.5], 0.5), Circle::new([63.5, 63.5], 0.5)]);
    for k in 0..382 {
        let (column, y, back) = ((k % 8) as f32 + 1.0, 0.7 + 1.3 * (k / 8) as f32, k % 3 == 0);
        let at = (0..k % 13).fold((7.0 * column).next_down().next_down(), |at, _| at.next_up());
        bodies.circles.push(Circle::new([if back { at - 0.5 } else { at + 0.5 }, y], 0.5));
        let from = if back { at + 2.5 } else { at - 2.5 };
        for far in [2.5, 4.0, 60.0] {
            rays.push(Ray::new([from, y], [if back { -far } else { far }, 0.0]));
        }
    }
    for backend in [Backend::Scalar, Backend::Wide] {
        assert!(check(&bodies, &rays, backend) > 1000);
    }
}
