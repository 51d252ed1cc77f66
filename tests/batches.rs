//! Promise: what is asked of many at once is what is asked one by one, bit for bit, on any number of threads, also where the plane repeats; and a
//! fault is that of the first question which has one.

use crate::common::casts::{Bodies, bits, scenes};
use crate::common::scenes::Rng;
use gridlane::{
    Aabb, Bounds, Circle, Circles, Error, Fan, Hit, HitLists, Kind, Lists, MovingCircles, Nearest, NearestLists,
    NeighborLists, QueryFilter, QueryPoints, Ray, Rays, Response, Scan, Scans, Segment, Segments, Target, TargetLists,
    Threads, World, WorldConfig,
};
use std::f32::consts::TAU;

fn number(rng: &mut Rng, low: f64, high: f64) -> f32 {
    rng.range(low, high) as f32
}

fn world(bodies: &Bodies, config: &WorldConfig) -> World {
    let mut world = World::new(config.clone().with_response(Response::None)).unwrap();
    for &circle in &bodies.circles {
        world.add_circle(circle).unwrap();
    }
    for &segment in &bodies.segments {
        world.add_segment(segment).unwrap();
    }
    world
}

/// Circles and walls in a square that repeats.
fn torus() -> (Bodies, WorldConfig) {
    let (mut rng, mut bodies) = (Rng::new(5), Bodies::default());
    for k in 0..60 {
        bodies
            .circles
            .push(Circle::new([number(&mut rng, 0.0, 63.9), number(&mut rng, 0.0, 63.9)], number(&mut rng, 0.0, 3.0)));
        if k % 4 == 0 {
            let at = [number(&mut rng, 0.0, 60.0), number(&mut rng, 0.0, 60.0)];
            bodies
                .segments
                .push(Segment::new(at, [at[0] + number(&mut rng, -9.0, 9.0), at[1] + number(&mut rng, -9.0, 9.0)]));
        }
    }
    (bodies, WorldConfig::default().with_bounds(Bounds::periodic([0.0, 0.0], [64.0, 64.0])))
}

/// All scenes on a plane, and one that repeats, on some numbers of threads.
fn worlds() -> Vec<World> {
    let threads = |config: WorldConfig, k: usize| config.with_threads(Threads::Fixed(1 + k % 3));
    let plain = scenes().into_iter().enumerate().map(|(k, bodies)| world(&bodies, &threads(WorldConfig::default(), k)));
    let (bodies, config) = torus();
    plain.chain((0..3).map(|k| world(&bodies, &threads(config.clone(), k)))).collect()
}

/// Points among the bodies of a world, and for each a circle that it leaves out; no row at all now and then.
fn places(world: &World, count: usize, seed: u64) -> (Vec<f32>, Vec<f32>, Vec<u32>) {
    let (mut rng, circles, segments) = (Rng::new(seed), world.circles(), world.segments());
    let (mut x, mut y, mut skip) = (vec![], vec![], vec![]);
    for _ in 0..count {
        let (row, wall) = (rng.bits() as usize % circles.len().max(1), rng.bits() as usize % segments.len().max(1));
        let at = match (circles.x().get(row), segments.x0().get(wall)) {
            (Some(&x), _) if rng.bits() % 3 > 0 => [x, circles.y()[row]],
            (_, Some(&x)) => [x, segments.y1()[wall]],
            (found, None) => [found.copied().unwrap_or(0.5), 0.25],
        };
        x.push(at[0]);
        y.push(at[1]);
        skip.push(if rng.bits() % 5 == 0 { u32::MAX } else { row as u32 });
    }
    (x, y, skip)
}

fn hits(all: &[Hit]) -> Vec<[u32; 8]> {
    all.iter().map(bits).collect()
}

#[test]
fn fans_are_what_each_fan_is() {
    let (mut scans, mut scan, mut met) = (Scans::new(), Scan::new(), 0);
    for (k, world) in worlds().iter().enumerate() {
        for count in [0, 1, 3, 4, 5, 23] {
            let (x, y, skip) = places(world, count, (k + count) as u64);
            let mut rng = Rng::new(k as u64);
            let fans: Vec<Fan> = (0..count)
                .map(|row| Fan {
                    origin: [x[row], y[row]].into(),
                    heading: number(&mut rng, -4.0, 4.0),
                    spread: [TAU, 1.5, 0.0][row % 3],
                    beams: [90, 0, 17, 1, 400][(row + k) % 5],
                    range: [30.0, 100.0][row % 2],
                })
                .collect();
            let sees = |target: Target| !target.row.is_multiple_of(7);
            let all = QueryFilter::new();
            for (filter, skip) in [(all, &skip[..]), (all.with_condition(&sees), &skip), (all, &[])] {
                world.cast_fans(&fans, skip, filter, &mut scans).unwrap();
                assert_eq!((scans.len(), scans.offsets().len()), (count, count + 1));
                for (row, &fan) in fans.iter().enumerate() {
                    let own = |row: usize| skip.get(row).map_or(Target::NOTHING, |&row| Target::circle(row));
                    world.cast_fan(fan, filter.without(own(row)), &mut scan).unwrap();
                    let (found, distances) = scans.scan(row);
                    assert_eq!(hits(found), hits(scan.hits()), "world {k}, {fan:?}");
                    assert_eq!(distances, scan.distances());
                    met += found.iter().filter(|hit| hit.is_hit()).count();
                }
            }
            assert_eq!(scans.hits().len(), fans.iter().map(|fan| fan.beams as usize).sum::<usize>());
            assert_eq!(scans.scan(count), (&[][..], &[][..]));
        }
    }
    assert!(met > 20_000, "{met}");
}

#[test]
fn the_nearest_of_each_are_those_of_one() {
    let (mut lists, mut one, mut total) = (NearestLists::new(), Vec::<Nearest>::new(), 0);
    for (k, world) in worlds().iter().enumerate() {
        let (x, y, skip) = places(world, 300, k as u64);
        for (count, most) in [(0, 9.0), (1, f32::MAX), (6, 5.0), (128, f32::MAX), (129, 40.0), (usize::MAX, 12.0)] {
            for skip in [&skip[..], &[]] {
                let points = QueryPoints { x: &x, y: &y, skip };
                world.nearest_k_all(points, count, most, QueryFilter::new(), &mut lists).unwrap();
                assert_eq!((lists.len(), lists.offsets().len()), (300, 301));
                for row in (0..300).step_by(if count > 6 { 7 } else { 1 }) {
                    let own = skip.get(row).map_or(Target::NOTHING, |&row| Target::circle(row));
                    let filter = QueryFilter::new().without(own);
                    world.nearest_k([x[row], y[row]], count, most, filter, &mut one).unwrap();
                    assert_eq!(lists.get(row), one, "world {k}, {count} of row {row}");
                    total += one.len();
                }
            }
        }
    }
    assert!(total > 50_000, "{total}");
}

#[test]
fn no_more_records_than_the_limit() {
    let (bodies, config) = torus();
    for (config, threads) in [WorldConfig::default(), config].iter().flat_map(|config| [1, 3].map(|n| (config, n))) {
        let world = world(&bodies, &config.clone().with_threads(Threads::Fixed(threads)));
        let (x, y, _) = places(&world, 40, 1);
        let points = QueryPoints { x: &x, y: &y, skip: &[] };
        for (limit, fits) in [(200, true), (199, false)] {
            let mut lists = NearestLists::new().with_limit(limit);
            let result = world.nearest_k_all(points, 5, f32::MAX, QueryFilter::new(), &mut lists);
            assert_eq!(result, if fits { Ok(()) } else { Err(Error::TooManyResults { limit }) });
            assert_eq!(lists.len(), if fits { 40 } else { 0 });
        }
        // Of rays and of circles on their way: as many hits as there are, and one fewer.
        let ((x, y, _), direction, radius) = (places(&world, 3000, 2), vec![9.0; 3000], vec![1.0; 3000]);
        let rays = Rays { x: &x, y: &y, direction_x: &direction, direction_y: &direction, max: &radius, skip: &[] };
        let (motion_x, motion_y) = (&direction, &direction);
        let circles = MovingCircles { x: &x, y: &y, radius: &radius, motion_x, motion_y, skip: &[] };
        for thick in [false, true] {
            let ask = |lists: &mut HitLists| match thick {
                false => world.cast_rays_all(rays, QueryFilter::new(), lists),
                true => world.cast_circles_all(circles, QueryFilter::new(), lists),
            };
            let mut all = HitLists::new();
            ask(&mut all).unwrap();
            let count = all.hits().len();
            assert!(count > 3000, "{count}");
            let mut lists = HitLists::new().with_limit(count);
            assert_eq!((ask(&mut lists), lists.limit(), lists.hits()), (Ok(()), count, all.hits()));
            let mut lists = lists.with_limit(count - 1);
            assert_eq!(ask(&mut lists), Err(Error::TooManyResults { limit: count - 1 }));
            assert_eq!((lists.len(), lists.offsets(), lists.hits()), (0, &[][..], &[][..]));
        }
        let mut scans = Scans::new();
        let fans = [Fan::around([0.0, 0.0], Fan::MOST_BEAMS, 1.0), Fan::around([0.0, 0.0], 1, 1.0)];
        let (result, limit) = (world.cast_fans(&fans, &[], QueryFilter::new(), &mut scans), Fan::MOST_BEAMS as usize);
        assert_eq!((result, scans.len()), (Err(Error::TooManyResults { limit }), 0));
        let more = Fan { beams: Fan::MOST_BEAMS + 1, ..fans[0] };
        let mut scan = Scan::new();
        assert_eq!(world.cast_fan(more, QueryFilter::new(), &mut scan), Err(Error::TooManyResults { limit }));
    }
}

#[test]
fn what_is_wrong_is_named_and_nothing_is_written() {
    let (bodies, config) = torus();
    let (world, filter) = (world(&bodies, &config.clone().with_threads(Threads::Fixed(3))), QueryFilter::new());
    let fan = Fan::around([1.0, 1.0], 8, 10.0);
    let mut scans = Scans::new();
    world.cast_fans(&[fan], &[], filter, &mut scans).unwrap();
    let before = hits(scans.hits());
    let short = Error::ColumnLength { kind: Kind::Ray, field: "skip", length: 1, expected: 2 };
    assert_eq!(world.cast_fans(&[fan, fan], &[0], filter, &mut scans), Err(short));
    let negative = Error::Negative { kind: Kind::Ray, row: 1, field: "range", value: -1.0 };
    assert_eq!(world.cast_fans(&[fan, Fan { range: -1.0, ..fan }], &[], filter, &mut scans), Err(negative));
    // A beam that goes on and on without meeting anything.
    let lost = Fan { range: 1e9, ..fan };
    let nobody = |_: Target| false;
    let refused = world.cast_fans(&[fan, fan, lost], &[], filter.with_condition(&nobody), &mut scans);
    assert!(matches!(refused, Err(Error::TooManyPeriods { kind: Kind::Ray, row: 2, .. })), "{refused:?}");
    assert_eq!((hits(scans.hits()), scans.len()), (before, 1));

    let mut lists = NearestLists::new();
    let points = QueryPoints { x: &[1.0, 2.0], y: &[1.0, 2.0], skip: &[] };
    world.nearest_k_all(points, 3, f32::MAX, filter, &mut lists).unwrap();
    let bad = QueryPoints { y: &[0.0, f32::NAN], ..points };
    let refused = world.nearest_k_all(bad, 3, f32::MAX, filter, &mut lists);
    assert!(matches!(refused, Err(Error::NotFinite { kind: Kind::Query, row: 1, field: "y", .. })), "{refused:?}");
    let short = Error::ColumnLength { kind: Kind::Query, field: "skip", length: 1, expected: 2 };
    let refused = world.nearest_k_all(QueryPoints { skip: &[3], ..points }, 3, f32::MAX, filter, &mut lists);
    assert_eq!((refused, lists.len(), lists.items().len()), (Err(short), 2, 6));

    // Of several faults that of the first column that has one, whatever is asked.
    let (x, y, fine) = (&[1.0, f32::NAN][..], &[f32::NAN, 1.0][..], &[1.0, 1.0][..]);
    let (mut nearest, mut targets) = (vec![], TargetLists::new());
    let segments = Segments { x0: x, y0: y, x1: fine, y1: fine };
    for refused in [
        world.nearest_all(x, y, 9.0, filter, &mut nearest),
        world.nearest_k_all(QueryPoints { x, y, skip: &[] }, 3, 9.0, filter, &mut lists),
        world.overlap_points(x, y, filter, &mut targets),
        world.overlap_circles(Circles { x, y, radius: fine }, filter, &mut targets),
        world.overlap_segments(segments, filter, &mut targets),
    ] {
        let named = matches!(refused, Err(Error::NotFinite { kind: Kind::Query, row: 1, field: "x" | "x0", .. }));
        assert!(named, "{refused:?}");
    }
}

/// In a plane that repeats: every form of a batch, row by row, on one thread and on several.
#[test]
fn where_the_plane_repeats_many_are_as_one() {
    let (bodies, config) = torus();
    let filter = QueryFilter::new();
    let mut rng = Rng::new(3);
    let mut column = |low: f64, high: f64| -> Vec<f32> { (0..1000).map(|_| number(&mut rng, low, high)).collect() };
    let (x, y, radius) = (column(-70.0, 140.0), column(-70.0, 140.0), column(0.0, 5.0));
    let (dx, dy) = (column(-40.0, 40.0), column(-40.0, 40.0));
    let skip: Vec<u32> = (0..1000).map(|row| if row % 3 == 0 { u32::MAX } else { row % 60 }).collect();
    let max = vec![1.5; 1000];
    let (x1, y1): (Vec<f32>, Vec<f32>) = (0..1000).map(|k| (x[k] + dx[k] / 4.0, y[k] + dy[k] / 4.0)).unzip();
    let boxes: Vec<Aabb> = (0..1000).map(|k| Aabb::new([x[k], y[k]], [x[k] + radius[k], y[k] + 3.0])).collect();
    for threads in 1..4 {
        let world = world(&bodies, &config.clone().with_threads(Threads::Fixed(threads)));
        let rays = Rays { x: &x, y: &y, direction_x: &dx, direction_y: &dy, max: &max, skip: &skip };
        let circles = MovingCircles { x: &x, y: &y, radius: &radius, motion_x: &dx, motion_y: &dy, skip: &skip };
        let (mut first, mut any, mut all) = (vec![Hit::NOTHING; 3], vec![true; 5000], HitLists::new());
        let (mut thick, mut thick_any, mut thick_all) = (vec![], vec![], HitLists::new());
        world.cast_rays(rays, filter, &mut first).unwrap();
        world.cast_rays_any(rays, filter, &mut any).unwrap();
        world.cast_rays_all(rays, filter, &mut all).unwrap();
        world.cast_circles(circles, filter, &mut thick).unwrap();
        world.cast_circles_any(circles, filter, &mut thick_any).unwrap();
        world.cast_circles_all(circles, filter, &mut thick_all).unwrap();
        let [mut points, mut discs, mut in_boxes, mut walls] = [(); 4].map(|()| TargetLists::new());
        world.overlap_points(&x, &y, filter, &mut points).unwrap();
        world.overlap_circles(Circles { x: &x, y: &y, radius: &radius }, filter, &mut discs).unwrap();
        world.overlap_aabbs(&boxes, filter, &mut in_boxes).unwrap();
        world.overlap_segments(Segments { x0: &x, y0: &y, x1: &x1, y1: &y1 }, filter, &mut walls).unwrap();
        let mut nearest = vec![];
        world.nearest_all(&x, &y, 4.0, filter, &mut nearest).unwrap();
        assert_eq!([first.len(), any.len(), thick.len(), thick_any.len(), nearest.len()], [1000; 5]);
        let (mut list, mut found, mut total) = (vec![], vec![], [0; 4]);
        for row in 0..1000 {
            let at = [x[row], y[row]];
            let own = filter.without(Target::circle(skip[row]));
            let ray = Ray::new(at, [dx[row], dy[row]]).with_max(1.5);
            let (circle, motion) = (Circle::new(at, radius[row]), [dx[row], dy[row]]);
            assert_eq!(first[row].found(), world.cast_ray(ray, own).unwrap(), "row {row}");
            assert_eq!(any[row], world.cast_ray_any(ray, own).unwrap());
            world.cast_ray_all(ray, own, &mut list).unwrap();
            assert_eq!(all.list(row), list);
            total[0] += list.len();
            assert_eq!(thick[row].found(), world.cast_circle(circle, motion, own).unwrap());
            assert_eq!(thick_any[row], world.cast_circle_any(circle, motion, own).unwrap());
            world.cast_circle_all(circle, motion, own, &mut list).unwrap();
            assert_eq!(thick_all.list(row), list);
            total[1] += list.len();
            world.overlap_point(at, filter, &mut found).unwrap();
            assert_eq!(points.get(row), found);
            world.overlap_circle(circle, filter, &mut found).unwrap();
            assert_eq!(discs.get(row), found);
            total[2] += found.len();
            world.overlap_aabb(boxes[row], filter, &mut found).unwrap();
            assert_eq!(in_boxes.get(row), found);
            world.overlap_segment(Segment::new(at, [x1[row], y1[row]]), filter, &mut found).unwrap();
            assert_eq!(walls.get(row), found);
            total[3] += found.len();
            let near = world.nearest(at, 4.0, filter).unwrap();
            assert_eq!(nearest[row], near.unwrap_or_default());
        }
        assert!(total.iter().all(|&total| total > 500), "{total:?}");
    }
}

/// What every number of threads has to find alike.
#[test]
fn neighbours_where_the_plane_repeats_do_not_depend_on_threads() {
    let (mut rng, mut bodies) = (Rng::new(9), Bodies::default());
    for _ in 0..1500 {
        bodies.circles.push(Circle::new([number(&mut rng, 0.0, 63.9), number(&mut rng, 0.0, 63.9)], 0.5));
    }
    let config = torus().1;
    let find = |threads: usize, limit: usize| {
        let world = world(&bodies, &config.clone().with_threads(Threads::Fixed(threads)));
        let (mut lists, mut rows) = (NeighborLists::new().with_limit(limit), Lists::<Target>::new());
        world.neighbor_rows(1.0, QueryFilter::new(), &mut rows).unwrap();
        let result = world.neighbors(1.0, QueryFilter::new(), &mut lists);
        let targets: Vec<Target> = lists.items().iter().map(|near| near.target).collect();
        assert!(result.is_err() || (targets == rows.items() && lists.offsets() == rows.offsets()));
        (result, lists.items().to_vec(), rows.items().to_vec())
    };
    let (result, lists, rows) = find(1, usize::MAX);
    assert!(result.is_ok() && lists.len() > 5000 && lists.len() % 2 == 0, "{}", lists.len());
    for threads in [2, 3] {
        assert_eq!(find(threads, usize::MAX), (Ok(()), lists.clone(), rows.clone()));
        assert_eq!(find(threads, lists.len()).0, Ok(()));
        let limit = lists.len() - 1;
        assert_eq!(find(threads, limit), (Err(Error::TooManyResults { limit }), vec![], rows.clone()));
    }
}
