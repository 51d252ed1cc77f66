//! Promise: questions about overlaps and nearness see the truth at any moment (before the first step, after every edit, in an empty world),
//! see whom they are told to see, refuse numbers that mean nothing without touching what they would have written over, and keep to limits.

use crate::common::near_truth::NearTruth;
use crate::common::scenes::Rng;
use crate::common::truth::Columns;
use gridlane::{
    Aabb, Bounds, Circle, CircleBody, Circles, Error, Filter, Kind, Nearest, NeighborLists, QueryFilter, Ray, Segment,
    SegmentBody, Segments, Target, TargetKind, TargetLists, Vec2, World, WorldConfig,
};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The bodies of a world as columns, in its rows.
fn columns(world: &World) -> Columns {
    let (circles, segments) = (world.circles(), world.segments());
    let mut scene = Columns::default();
    for row in 0..circles.len() {
        scene.push_circle([circles.x()[row], circles.y()[row]], circles.radius()[row]);
    }
    for &handle in segments.handles() {
        let shape = world.segment(handle).unwrap().shape;
        scene.push_segment(shape.start.into(), shape.end.into());
        *scene.wall_radius.last_mut().unwrap() = shape.radius;
    }
    scene
}

fn check(world: &World, rng: &mut Rng, what: &str) -> usize {
    let scene = columns(world);
    let truth = NearTruth { scene: &scene, sees: &|_| true };
    let (queries, filter, mut found) = (world.queries(), QueryFilter::new(), Vec::new());
    let mut total = 0;
    for _ in 0..6 {
        let point = [rng.range(-12.0, 12.0) as f32, rng.range(-12.0, 12.0) as f32];
        let circle = Circle::new(point, rng.range(0.0, 4.0) as f32);
        queries.overlap_circle(circle, filter, &mut found).unwrap();
        assert_eq!(found, truth.of_circle(circle), "{what}");
        total += found.len();
        let nearest = truth.nearest(point, f32::MAX);
        assert_eq!(queries.nearest(point, f32::MAX, filter).unwrap(), nearest.first().copied(), "{what}");
    }
    let mut lists = NeighborLists::new();
    queries.neighbors(0.5, filter, &mut lists).unwrap();
    for row in 0..scene.x.len() {
        assert_eq!(lists.get(row), truth.neighbors(row, 0.5), "{what}");
    }
    total
}

#[test]
fn every_moment_has_its_truth() {
    let mut world = World::new(WorldConfig::default()).unwrap();
    let mut rng = Rng::new(77);
    assert_eq!(check(&world, &mut rng, "empty"), 0);
    let mut total = 0;
    for k in 0..60 {
        let at = |rng: &mut Rng| [rng.range(-9.0, 9.0) as f32, rng.range(-9.0, 9.0) as f32];
        let velocity = at(&mut rng);
        world.add_circle(Circle::new(at(&mut rng), 0.4).with_velocity(velocity)).unwrap();
        let wall = Segment::new(at(&mut rng), at(&mut rng)).with_radius(if k % 3 == 0 { 0.2 } else { 0.0 });
        if k % 4 == 0 {
            world.add_segment(wall.with_velocity([1.0, -0.5])).unwrap();
        } else if k % 4 == 1 {
            world.add_segment(wall).unwrap();
        }
        total += check(&world, &mut rng, "after an addition");
        if k % 5 == 4 {
            world.step(1.0 / 30.0).unwrap();
            total += check(&world, &mut rng, "after a step");
        }
        if k % 7 == 6 {
            let handles = world.circles().handles();
            let (gone, moved) = (handles[k % handles.len()], handles[(k * 5 + 1) % handles.len()]);
            if gone != moved {
                let shape = Circle::new(at(&mut rng), 1.0);
                let body = world.circle(moved).unwrap();
                world.set_circle(moved, CircleBody { shape, ..body }).unwrap();
                world.remove_circle(gone).unwrap();
            }
            let handle = world.segments().handles()[0];
            let body = world.segment(handle).unwrap();
            let shape = Segment { start: at(&mut rng).into(), ..body.shape };
            world.set_segment(handle, SegmentBody { shape, ..body }).unwrap();
            total += check(&world, &mut rng, "after edits");
        }
    }
    assert!(total > 500, "{total}");
}

#[test]
fn filters_sensors_handles_and_closures_say_who_is_seen() {
    let mut world = World::new(WorldConfig::default()).unwrap();
    let a = world.add_circle(Circle::new([0.0, 0.0], 1.0)).unwrap();
    let b = world.add_circle(Circle::new([0.5, 0.0], 1.0)).unwrap();
    let wall = world.add_segment(Segment::new([-5.0, 0.0], [5.0, 0.0])).unwrap();
    let other = world.add_segment(Segment::new([0.0, -5.0], [0.0, 5.0])).unwrap();
    world.set_circle_filter(b, Filter::new(2, u32::MAX)).unwrap();
    world.set_segment_sensor(other, true).unwrap();
    let all = [Target::circle(0), Target::circle(1), Target::segment(0), Target::segment(1)];
    let odd = |target: Target| target.row == 1;
    let open = QueryFilter::new();
    let cases: [(QueryFilter<'_>, &[usize]); 9] = [
        (open, &[0, 1, 2, 3]),
        (open.with_filter(Filter::new(1, 2)), &[1]),
        (open.with_filter(Filter::new(1, 1)), &[0, 2, 3]),
        (open.without_sensors(), &[0, 1, 2]),
        (open.circles_only(), &[0, 1]),
        (open.segments_only().without(Target::segment(0)), &[3]),
        (open.without_circle(a), &[1, 2, 3]),
        (open.without_segment(wall).without(Target::circle(1)), &[0, 3]),
        (open.with_condition(&odd), &[1, 3]),
    ];
    let (queries, mut found, mut near) = (world.queries(), Vec::new(), Vec::new());
    for (filter, seen) in cases {
        let expected: Vec<Target> = seen.iter().map(|&k| all[k]).collect();
        queries.overlap_point([0.0, 0.0], filter, &mut found).unwrap();
        assert_eq!(found, expected, "{filter:?}");
        let around = Aabb::new([-1.0, -1.0], [1.0, 1.0]);
        queries.overlap_aabb(around, filter, &mut found).unwrap();
        assert_eq!(found, expected, "{filter:?}");
        queries.overlap_segment(Segment::new([-1.0, -1.0], [1.0, 1.0]), filter, &mut found).unwrap();
        assert_eq!(found, expected, "{filter:?}");
        queries.nearest_k([0.0, 0.0], 9, f32::MAX, filter, &mut near).unwrap();
        assert_eq!(near.iter().map(|near| near.target).collect::<Vec<_>>(), expected, "{filter:?}");
        assert!(near.iter().all(|near| near.distance == 0.0));
        // The second circle's neighbours, itself left out.
        let mut lists = TargetLists::new();
        queries.neighbor_rows(0.0, filter, &mut lists).unwrap();
        let expected: Vec<Target> = expected.into_iter().filter(|&target| target != Target::circle(1)).collect();
        assert_eq!(lists.get(1), expected, "{filter:?}");
    }
    // A stale handle takes nothing away.
    world.remove_circle(a).unwrap();
    world.queries().overlap_point([0.5, 0.0], QueryFilter::new().without_circle(a), &mut found).unwrap();
    assert_eq!(found, [Target::circle(0), Target::segment(0)]);
}

#[test]
fn numbers_that_mean_nothing_are_refused_and_change_nothing() {
    let mut world = World::new(WorldConfig::default()).unwrap();
    world.add_circle(Circle::new([0.0, 0.0], 1.0)).unwrap();
    let (queries, filter) = (world.queries(), QueryFilter::new());
    let (mut found, mut near) = (vec![Target::segment(7)], vec![Nearest::default()]);
    let (mut lists, mut neighbors) = (TargetLists::new(), NeighborLists::new());
    queries.overlap_points(&[0.0], &[0.0], filter, &mut lists).unwrap();
    queries.neighbors(1.0, filter, &mut neighbors).unwrap();
    let not_finite = |row, field, value| Err(Error::NotFinite { kind: Kind::Query, row, field, value });
    let negative = |row, field, value| Err(Error::Negative { kind: Kind::Query, row, field, value });
    let inf = f32::INFINITY;
    let circle = |x, r| Circle::new([x, 0.0], r);
    assert_eq!(queries.overlap_circle(circle(inf, 1.0), filter, &mut found), not_finite(0, "x", inf));
    assert_eq!(queries.overlap_circle(circle(0.0, -1.0), filter, &mut found), negative(0, "radius", -1.0));
    assert_eq!(queries.is_free(circle(0.0, -1.0), filter).map(|_| ()), negative(0, "radius", -1.0));
    assert_eq!(queries.overlap_point([0.0, -inf], filter, &mut found), not_finite(0, "y", -inf));
    let bad = Aabb::new([0.0, 0.0], [1.0, inf]);
    assert_eq!(queries.overlap_aabb(bad, filter, &mut found), not_finite(0, "max.y", inf));
    let thin = Segment::new([0.0, 0.0], [1.0, 1.0]);
    let bad = thin.with_radius(-0.5);
    assert_eq!(queries.overlap_segment(bad, filter, &mut found), negative(0, "radius", -0.5));
    assert_eq!(queries.nearest([0.0, inf], 1.0, filter).map(|_| ()), not_finite(0, "y", inf));
    assert_eq!(queries.nearest([0.0, 0.0], inf, filter).map(|_| ()), not_finite(0, "max_distance", inf));
    assert_eq!(queries.nearest_k([0.0, 0.0], 3, -1.0, filter, &mut near), negative(0, "max_distance", -1.0));
    assert!(queries.nearest([f32::NAN, 0.0], 1.0, filter).is_err());
    let (zeros, some) = ([0.0; 3], [0.0, inf, f32::NAN]);
    assert_eq!(queries.overlap_points(&zeros, &some, filter, &mut lists), not_finite(1, "y", inf));
    let circles = Circles { x: &zeros, y: &zeros, radius: &[0.0, 1.0, -2.0] };
    assert_eq!(queries.overlap_circles(circles, filter, &mut lists), negative(2, "radius", -2.0));
    let segments = Segments { x0: &zeros, y0: &zeros, x1: &some, y1: &zeros };
    assert_eq!(queries.overlap_segments(segments, filter, &mut lists), not_finite(1, "x1", inf));
    let short = Err(Error::ColumnLength { kind: Kind::Query, field: "y", length: 2, expected: 3 });
    assert_eq!(queries.overlap_points(&zeros, &zeros[..2], filter, &mut lists), short);
    assert_eq!(queries.nearest_all(&zeros, &zeros[..2], 1.0, filter, &mut near), short);
    assert_eq!(queries.nearest_all(&zeros, &some, 1.0, filter, &mut near), not_finite(1, "y", inf));
    assert_eq!(queries.neighbors(-1.0, filter, &mut neighbors), negative(0, "distance", -1.0));
    assert_eq!(queries.neighbors(inf, filter, &mut neighbors), not_finite(0, "distance", inf));
    // Nothing was written over.
    assert_eq!((found, near.len()), (vec![Target::segment(7)], 1));
    assert_eq!((lists.get(0), neighbors.len()), (&[Target::circle(0)][..], 1));
    // -0 is zero; a box whose corners are the wrong way round is empty.
    let mut found = vec![Target::segment(7)];
    queries.overlap_aabb(Aabb::new([1.0, 0.0], [-1.0, 1.0]), filter, &mut found).unwrap();
    assert!(found.is_empty());
    queries.overlap_circle(circle(1.0, -0.0), filter, &mut found).unwrap();
    assert_eq!(found, [Target::circle(0)]);
}

#[test]
fn limits_hold() {
    let mut world = World::new(WorldConfig::default()).unwrap();
    for _ in 0..40 {
        world.add_circle(Circle::new([3.0, 3.0], 1.0)).unwrap();
    }
    let (queries, filter) = (world.queries(), QueryFilter::new());
    // Each of 40 has the 39 others.
    for (limit, fits) in [(40 * 39, true), (40 * 39 - 1, false), (0, false)] {
        let mut lists = NeighborLists::new().with_limit(limit);
        let result = queries.neighbors(0.0, filter, &mut lists);
        assert_eq!(result, if fits { Ok(()) } else { Err(Error::TooManyResults { limit }) });
        assert_eq!((lists.len(), lists.items().len()), if fits { (40, limit) } else { (0, 0) });
    }
    // 5 points in all 40.
    let (x, y) = ([3.0; 5], [3.0; 5]);
    for (limit, fits) in [(200, true), (199, false)] {
        let mut lists = TargetLists::new().with_limit(limit);
        let result = queries.overlap_points(&x, &y, filter, &mut lists);
        assert_eq!(result, if fits { Ok(()) } else { Err(Error::TooManyResults { limit }) });
        assert_eq!((lists.len(), lists.items().len()), if fits { (5, 200) } else { (0, 0) });
    }
}

/// Records and lists as they stand in memory and in words.
#[test]
fn records_are_plain_numbers() {
    let record = Nearest { point: Vec2::new(1.0, 2.0), distance: 3.0, target: Target::circle(4), ..Default::default() };
    let words: &[u32] = bytemuck::cast_slice(std::slice::from_ref(&record));
    assert_eq!(words, [1.0f32.to_bits(), 2.0f32.to_bits(), 3.0f32.to_bits(), 0, 1, 4]);
    assert!(record.is_something() && !Nearest::default().is_something());
    let lists = TargetLists::new();
    assert!(lists.is_empty() && lists.get(0).is_empty() && lists.iter().next().is_none());
    assert_eq!(Error::TooManyResults { limit: 3 }.to_string(), "more results than the limit of 3");
    let error = Error::Negative { kind: Kind::Query, row: 2, field: "radius", value: -1.0 };
    assert_eq!(error.to_string(), "query 2: radius is -1, expected zero or more");
}

/// Segments that have been removed stay in the cells, without numbers, until those are made anew.
#[test]
fn a_condition_is_asked_about_bodies_that_are_there() {
    let mut world = World::new(WorldConfig::default()).unwrap();
    let mut walls = Vec::new();
    for k in 0..400 {
        let [x, y] = [k % 20, k / 20].map(|v| v as f32);
        walls.push(world.add_segment(Segment::new([x, y], [x + 0.7, y + 0.4])).unwrap());
        world.add_circle(Circle::new([x + 0.3, y + 0.6], 0.1)).unwrap();
    }
    world.step(0.0).unwrap();
    let mut found = Vec::new();
    world.queries().overlap_aabb(Aabb::new([0.0, 0.0], [5.0, 5.0]), QueryFilter::new(), &mut found).unwrap();
    for k in [0, 3, 25, 41, 44, 60, 61, 399] {
        world.remove_segment(walls[k]).unwrap();
    }
    let count = [world.circles().len() as u32, world.segments().len() as u32];
    let asked = AtomicUsize::new(0);
    for agrees in [true, false] {
        let sees = |target: Target| {
            asked.fetch_add(1, Ordering::Relaxed);
            let is_circle = target.kind == TargetKind::Circle;
            assert!(target.row < count[usize::from(!is_circle)], "{target:?} of {count:?}");
            agrees && target.row.is_multiple_of(2)
        };
        let scene = columns(&world);
        let truth = NearTruth { scene: &scene, sees: &|target: Target| agrees && target.row.is_multiple_of(2) };
        let (queries, filter) = (world.queries(), QueryFilter::new().with_condition(&sees));
        let (aabb, disc) = (Aabb::new([0.0, 0.0], [20.0, 20.0]), Circle::new([2.0, 2.0], 2.0));
        let [long, round] = [0.0, 0.3].map(|radius| Segment::new([0.0, 0.1], [20.0, 19.0]).with_radius(radius));
        queries.overlap_aabb(aabb, filter, &mut found).unwrap();
        assert_eq!(found, truth.of_aabb(aabb));
        queries.overlap_circle(disc, filter, &mut found).unwrap();
        assert_eq!(found, truth.of_circle(disc));
        for segment in [long, round] {
            queries.overlap_segment(segment, filter, &mut found).unwrap();
            assert_eq!(found, truth.of_segment(segment));
        }
        assert_eq!(queries.is_free(disc, filter).unwrap(), truth.of_circle(disc).is_empty());
        assert_eq!(
            queries.nearest([2.0, 2.0], f32::MAX, filter).unwrap(),
            truth.nearest([2.0, 2.0], f32::MAX).first().copied()
        );
        // Whatever they meet, nobody else is asked about.
        let (ray, mut hits, mut lists) = (Ray::new([0.0, 0.1], [20.0, 19.0]), Vec::new(), NeighborLists::new());
        queries.cast_ray(ray, filter).unwrap();
        queries.cast_ray_any(ray, filter).unwrap();
        queries.cast_ray_all(ray, filter, &mut hits).unwrap();
        queries.cast_circle(Circle::new([0.0, 0.1], 0.3), [20.0, 19.0], filter).unwrap();
        queries.neighbors(1.0, filter, &mut lists).unwrap();
        assert_eq!(hits.is_empty(), !agrees);
    }
    assert!(asked.into_inner() > 1_000);
}

/// Across the border of a plane that repeats along x, boxes that end along y where numbers do: about -3.9, radius 0.5, so from -4 on, which is 4, to
/// -3.4; its image about 4.1 begins at 3.6.
#[test]
fn boxes_as_high_as_numbers_go_reach_across_the_border() {
    let mut world = World::new(WorldConfig::default().with_bounds(Bounds::periodic_x(-4.0, 4.0))).unwrap();
    world.add_circle(Circle::new([-3.9, 0.0], 0.5)).unwrap();
    world.add_segment(Segment::new([-3.75, -1.0], [-3.75, 1.0]).with_radius(0.5)).unwrap();
    for high in [100.0, 1e38, 2e38, f32::MAX] {
        for [low, high] in [[-high, high], [-high, 1.0], [-1.0, high]] {
            for (left, right, expected) in [
                (3.0, 3.9, &[Target::circle(0), Target::segment(0)][..]),
                (3.0, 3.7, &[Target::circle(0)]),
                (3.0, 3.5, &[]),
                (-3.5, -3.0, &[Target::circle(0), Target::segment(0)]),
            ] {
                let (aabb, mut found) = (Aabb::new([left, low], [right, high]), Vec::new());
                world.overlap_aabb(aabb, QueryFilter::new(), &mut found).unwrap();
                assert_eq!(found, expected, "{aabb:?}");
            }
        }
    }
}
