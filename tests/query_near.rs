//! Promise: overlaps, nearest bodies and neighbours are those that a loop over all bodies finds, bit for bit, in the same order, from worlds and
//! detectors, from every backend, instruction set and number of threads, one by one and in batches.

use crate::common::casts::scenes;
use crate::common::flavours::{FLAVOURS, make};
use crate::common::hostile_scenes::HOSTILE;
use crate::common::near_truth::{NearTruth, Probes};
use crate::common::scenes::{self as built_in, Rng};
use crate::common::truth::Columns;
use gridlane::internals::{instruction_sets, with_instruction_set};
use gridlane::{
    Backend, Circles, Detector, DetectorConfig, Lists, Neighbor, NeighborLists, Queries, QueryFilter, Segments, Target,
    TargetLists, Threads, World, WorldConfig,
};
use std::sync::atomic::{AtomicUsize, Ordering};

pub(crate) fn detector(scene: &Columns, config: DetectorConfig) -> Detector {
    let mut detector = Detector::new(config).unwrap();
    detector.set_segments(scene.segments()).unwrap();
    detector.set_circles(scene.circles(), Default::default()).unwrap();
    detector
}

/// The bodies in the order of the scene: rows of a world that has not stepped are those.
fn world(scene: &Columns, config: WorldConfig) -> World {
    let mut world = World::new(config).unwrap();
    for row in 0..scene.x.len() {
        world.add_circle(scene.circle(row)).unwrap();
    }
    for row in 0..scene.x0.len() {
        let segment = scene.segment(row);
        if row % 5 == 1 {
            let moving = gridlane::SegmentBody::from(segment).with_velocity([0.0, 0.0]);
            world.add_segment(moving).unwrap();
        } else {
            world.add_segment(segment).unwrap();
        }
    }
    world
}

/// `count` questions of each kind against the loop; how many bodies were found in all.
pub(crate) fn check(scene: &Columns, queries: Queries<'_>, seed: u64, count: usize, what: &str) -> usize {
    let odd =
        |target: Target| !(target.row + u32::from(target.kind == gridlane::TargetKind::Segment)).is_multiple_of(3);
    let mut probes = Probes { scene, rng: Rng::new(seed) };
    let (mut found, mut near, mut total) = (vec![Target::circle(9)], Vec::new(), 0);
    for k in 0..count {
        let (some, filter) = (k % 4 == 3, QueryFilter::new());
        let filter = if some { filter.with_condition(&odd) } else { filter };
        let sees = |target: Target| !some || odd(target);
        let truth = NearTruth { scene, sees: &sees };
        let what = format!("{what}, question {k}");
        let circle = probes.circle();
        queries.overlap_circle(circle, filter, &mut found).unwrap();
        let expected = truth.of_circle(circle);
        assert_eq!(found, expected, "{what}: {circle:?}");
        assert_eq!(queries.is_free(circle, filter), Ok(expected.is_empty()), "{what}: {circle:?}");
        total += found.len();
        let point = probes.point();
        queries.overlap_point(point, filter, &mut found).unwrap();
        assert_eq!(found, truth.of_circle(gridlane::Circle::new(point, 0.0)), "{what}: {point:?}");
        let aabb = probes.aabb();
        queries.overlap_aabb(aabb, filter, &mut found).unwrap();
        assert_eq!(found, truth.of_aabb(aabb), "{what}: {aabb:?}");
        let segment = probes.segment();
        queries.overlap_segment(segment, filter, &mut found).unwrap();
        assert_eq!(found, truth.of_segment(segment), "{what}: {segment:?}");
        total += found.len();

        let most = if k % 3 == 0 { probes.size() } else { f32::MAX };
        let expected = truth.nearest(point, most);
        let first = |kind: Option<gridlane::TargetKind>| {
            expected.iter().find(|near| kind.is_none_or(|kind| near.target.kind == kind)).copied()
        };
        let what = format!("{what}: {point:?} within {most}");
        assert_eq!(queries.nearest(point, most, filter), Ok(first(None)), "{what}");
        let circle = first(Some(gridlane::TargetKind::Circle));
        assert_eq!(queries.nearest_circle(point, most, filter), Ok(circle), "{what}");
        let segment = first(Some(gridlane::TargetKind::Segment));
        assert_eq!(queries.nearest_segment(point, most, filter), Ok(segment), "{what}");
        for k in [0, 1, 2, 7, 40, 130, usize::MAX] {
            queries.nearest_k(point, k, most, filter, &mut near).unwrap();
            assert_eq!(near, expected[..k.min(expected.len())], "{what}, {k}");
        }
    }
    total
}

/// All neighbours against the loop.
fn check_neighbors(scene: &Columns, queries: Queries<'_>, distance: f32, what: &str) -> usize {
    let (mut lists, mut rows) = (NeighborLists::new(), TargetLists::new());
    queries.neighbors(distance, QueryFilter::new(), &mut lists).unwrap();
    queries.neighbor_rows(distance, QueryFilter::new(), &mut rows).unwrap();
    assert_eq!((lists.len(), rows.offsets()), (scene.x.len(), lists.offsets()), "{what}");
    let truth = NearTruth { scene, sees: &|_| true };
    for row in 0..scene.x.len() {
        let expected = truth.neighbors(row, distance);
        assert_eq!(lists.get(row), expected, "{what}, row {row}, distance {distance}");
        let targets: Vec<Target> = expected.iter().map(|near| near.target).collect();
        assert_eq!(rows.get(row), targets, "{what}, row {row}");
    }
    lists.items().len()
}

#[test]
fn flavours_in_detectors_and_worlds_equal_the_loop() {
    let mut total = [0; 2];
    for flavour in &FLAVOURS {
        for seed in 0..3 {
            let sizes = [(60, 40), (300, 120), (3, 200)][seed as usize];
            let flat = make(flavour, seed, sizes.0, sizes.1, false);
            let round = make(flavour, seed, sizes.0, sizes.1, true);
            for backend in [Backend::Wide, Backend::Scalar] {
                let what = format!("{}, seed {seed}, {backend:?}", flavour.0);
                let detector = detector(&flat, DetectorConfig::default().with_backend(backend));
                total[0] += check(&flat, detector.queries(), seed, 40, &what);
                let world = world(&round, WorldConfig::default().with_backend(backend));
                total[0] += check(&round, world.queries(), seed + 9, 40, &what);
                let mut probes = Probes { scene: &round, rng: Rng::new(seed) };
                for distance in [0.0, probes.size(), probes.size()] {
                    total[1] += check_neighbors(&flat, detector.queries(), distance, &what);
                    total[1] += check_neighbors(&round, world.queries(), distance, &what);
                }
            }
        }
    }
    assert!(total[0] > 50_000 && total[1] > 100_000, "{total:?}");
}

/// The bodies of a world, by its rows of now.
fn bodies(world: &World) -> Columns {
    let (circles, walls) = (world.circles(), world.segments());
    Columns {
        x: circles.x().to_vec(),
        y: circles.y().to_vec(),
        radius: circles.radius().to_vec(),
        x0: walls.x0().to_vec(),
        y0: walls.y0().to_vec(),
        x1: walls.x1().to_vec(),
        y1: walls.y1().to_vec(),
        wall_radius: walls.radius().to_vec(),
    }
}

/// Cause: what stands where a removed wall stood was taken for one at an unknown distance.
#[test]
fn bodies_that_are_removed_are_not_near() {
    let mut total = 0;
    for (seed, round) in [(0, false), (1, true), (2, false), (3, true)] {
        let scene = make(&FLAVOURS[seed as usize % FLAVOURS.len()], seed, 60, 90, round);
        for backend in [Backend::Wide, Backend::Scalar] {
            let config = WorldConfig::default().with_backend(backend);
            let mut world = world(&scene, config);
            total += check(&scene, world.queries(), seed, 5, "before");
            // One by one, until nobody is left, with a step in the midst now and then.
            for turn in 0.. {
                let (circles, walls) = (world.circles().handles(), world.segments().handles());
                let (circle, wall) = (
                    circles.get(turn * 7 % circles.len().max(1)).copied(),
                    walls.get(turn * 11 % walls.len().max(1)).copied(),
                );
                if circle.is_none() && wall.is_none() {
                    break;
                }
                if let Some(wall) = wall {
                    world.remove_segment(wall).unwrap();
                }
                if let Some(circle) = circle.filter(|_| turn % 2 == 0) {
                    world.remove_circle(circle).unwrap();
                }
                if turn % 16 == 15 {
                    world.step(0.0).unwrap();
                }
                let (now, what) = (
                    bodies(&world),
                    format!("{}, {backend:?}, turn {turn}", FLAVOURS[seed as usize % FLAVOURS.len()].0),
                );
                total += check(&now, world.queries(), seed + turn as u64, 2, &what);
                if turn % 8 == 0 {
                    total += check_neighbors(&now, world.queries(), 1.0, &what);
                }
            }
        }
    }
    assert!(total > 20_000, "{total}");
}

#[test]
fn hostile_scenes_equal_the_loop() {
    for hostile in HOSTILE {
        let scene = (hostile.make)(400);
        let detector = detector(&scene, DetectorConfig::default());
        let mut total = [check(&scene, detector.queries(), 1, 25, hostile.name), 0];
        let mut probes = Probes { scene: &scene, rng: Rng::new(3) };
        for _ in 0..2 {
            total[1] += check_neighbors(&scene, detector.queries(), probes.size(), hostile.name);
        }
        // Points alone have no size that others could be within.
        let sized = scene.radius.iter().any(|&radius| radius > 0.0);
        assert!(total[0] > 500 && (total[1] > 0 || !sized), "{}: {total:?}", hostile.name);
    }
}

/// Clumps so far apart that questions cross wide empty space; so many questions that what is kept to pass it at once has been made.
#[test]
fn clumps_far_apart_equal_the_loop() {
    for name in ["clumps", "clumps on a line", "clumps far away", "clumps of tiny ones", "clumps everywhere"] {
        let bodies = scenes().into_iter().find(|bodies| bodies.name == name).expect("a scene");
        let mut scene = Columns::default();
        for circle in &bodies.circles {
            scene.push_circle(circle.center.into(), circle.radius);
        }
        let detector = detector(&scene, DetectorConfig::default());
        assert!(check(&scene, detector.queries(), 2, 60, name) > 0);
        // From between the clumps, with nothing else near.
        let (mut rng, truth, mut near) = (Rng::new(4), NearTruth { scene: &scene, sees: &|_| true }, Vec::new());
        for _ in 0..200 {
            let mut mix = |column: &[f32]| {
                let [a, b] = [0; 2].map(|_| f64::from(column[rng.bits() as usize % column.len()]));
                (a + (b - a) * rng.range(-0.2, 1.2)) as f32
            };
            let point = [mix(&scene.x), mix(&scene.y)];
            let expected = truth.nearest(point, f32::MAX);
            let first = detector.queries().nearest(point, f32::MAX, QueryFilter::new()).unwrap();
            assert_eq!(first, expected.first().copied(), "{name}: {point:?}");
            for k in [5, 70] {
                detector.queries().nearest_k(point, k, f32::MAX, QueryFilter::new(), &mut near).unwrap();
                assert_eq!(near, expected[..k], "{name}: {point:?}, {k}");
            }
        }
    }
}

/// Worlds of many levels of sizes, far and near, at scales from end to end.
#[test]
fn scales_from_end_to_end_equal_the_loop() {
    for exponent in [-30, -20, -10, 0, 10, 20, 30] {
        let scale = 10f64.powi(exponent);
        let mut rng = Rng::new(exponent as u64);
        let mut scene = Columns::default();
        for i in 0..150 {
            let spread = if i % 3 == 0 { 50.0 } else { 5.0 };
            let at = [rng.range(-spread, spread), rng.range(-spread, spread)].map(|v| (v * scale) as f32);
            let size = 10f64.powf(rng.range(-3.0, 1.0));
            scene.push_circle(at, (0.1 * size * scale) as f32);
            let end = [rng.range(-size, size), rng.range(-size, size)].map(|v| (v * scale) as f32);
            scene.push_segment(at, [at[0] + end[0], at[1] + end[1]]);
        }
        scene.push_circle([1e30, 3.0], 1e29);
        let detector = detector(&scene, DetectorConfig::default());
        let what = format!("scale 1e{exponent}");
        let mut total = [check(&scene, detector.queries(), 7, 60, &what), 0];
        for distance in [0.1, 3.0] {
            let distance = (distance * scale) as f32;
            total[1] += check_neighbors(&scene, detector.queries(), distance, &what);
        }
        assert!(total.iter().all(|&total| total > 1000), "{what}: {total:?}");
    }
}

/// All questions of a few scenes in batches, in one way after another: the same bytes.
#[test]
fn batches_are_single_questions_in_every_way() {
    type All = (Vec<Lists<Target>>, Vec<gridlane::Nearest>, NeighborLists);
    for name in ["gas-1k", "cluster-100k", "city-100k"] {
        let mut scene = Columns::from(built_in::scene(name).unwrap());
        for column in [&mut scene.x, &mut scene.y, &mut scene.radius] {
            column.truncate(3_000);
        }
        let mut probes = Probes { scene: &scene, rng: Rng::new(5) };
        let questions: Vec<_> =
            (0..700).map(|_| (probes.circle(), probes.aabb(), probes.segment().with_radius(0.0))).collect();
        let column = |pick: fn(&(gridlane::Circle, gridlane::Aabb, gridlane::Segment)) -> f32| -> Vec<f32> {
            questions.iter().map(pick).collect()
        };
        let (x, y, radius) = (column(|q| q.0.center.x), column(|q| q.0.center.y), column(|q| q.0.radius.min(9.0)));
        let (x0, y0) = (column(|q| q.2.start.x), column(|q| q.2.start.y));
        let (x1, y1) = (column(|q| q.2.end.x), column(|q| q.2.end.y));
        let boxes: Vec<_> = questions.iter().map(|q| q.1).collect();
        let all = |queries: Queries<'_>| -> All {
            let mut lists: Vec<TargetLists> = (0..4).map(|_| TargetLists::new()).collect();
            let filter = QueryFilter::new();
            queries.overlap_points(&x, &y, filter, &mut lists[0]).unwrap();
            let circles = Circles { x: &x, y: &y, radius: &radius };
            queries.overlap_circles(circles, filter, &mut lists[1]).unwrap();
            queries.overlap_aabbs(&boxes, filter, &mut lists[2]).unwrap();
            let segments = Segments { x0: &x0, y0: &y0, x1: &x1, y1: &y1 };
            queries.overlap_segments(segments, filter, &mut lists[3]).unwrap();
            let (mut nearest, mut neighbors) = (Vec::new(), NeighborLists::new());
            queries.nearest_all(&x, &y, 3.0, filter, &mut nearest).unwrap();
            queries.neighbors(0.5, filter, &mut neighbors).unwrap();
            (lists, nearest, neighbors)
        };
        let one_by_one = detector(&scene, DetectorConfig::default().with_threads(Threads::Fixed(1)));
        let (lists, nearest, neighbors) = all(one_by_one.queries());
        let (queries, mut found, filter) = (one_by_one.queries(), Vec::new(), QueryFilter::new());
        for row in 0..questions.len() {
            let circle = gridlane::Circle::new([x[row], y[row]], radius[row]);
            queries.overlap_point(circle.center, filter, &mut found).unwrap();
            assert_eq!(lists[0].get(row), found);
            queries.overlap_circle(circle, filter, &mut found).unwrap();
            assert_eq!(lists[1].get(row), found);
            queries.overlap_aabb(boxes[row], filter, &mut found).unwrap();
            assert_eq!(lists[2].get(row), found);
            queries.overlap_segment(questions[row].2, filter, &mut found).unwrap();
            assert_eq!(lists[3].get(row), found);
            let near = queries.nearest(circle.center, 3.0, filter).unwrap().unwrap_or_default();
            assert_eq!(nearest[row], near);
        }
        for set in instruction_sets() {
            for (backend, threads) in
                [(Backend::Wide, 1), (Backend::Wide, 2), (Backend::Wide, 3), (Backend::Wide, 8), (Backend::Scalar, 8)]
            {
                let config = DetectorConfig::default().with_backend(backend).with_threads(Threads::Fixed(threads));
                let detector = with_instruction_set(set, || detector(&scene, config)).unwrap();
                let found = all(detector.queries());
                let what = format!("{name}, {set}, {backend:?}, {threads}");
                for (found, expected) in found.0.iter().zip(&lists) {
                    assert_eq!((found.offsets(), found.items()), (expected.offsets(), expected.items()), "{what}");
                }
                let bytes = |records: &[gridlane::Nearest]| bytemuck::cast_slice::<_, u8>(records).to_vec();
                assert!(bytes(&found.1) == bytes(&nearest), "{what}");
                let bytes = |records: &[Neighbor]| bytemuck::cast_slice::<_, u8>(records).to_vec();
                assert!(bytes(found.2.items()) == bytes(neighbors.items()), "{what}");
                assert_eq!(found.2.offsets(), neighbors.offsets(), "{what}");
            }
        }
    }
}

/// Cause: a distance was added to a radius of the largest size, which swallowed it, and the box was taken from the rounded sum.
#[test]
fn a_distance_that_a_radius_swallows_still_counts() {
    let mut scene = Columns::default();
    scene.push_circle([f32::MAX, 0.0], f32::MAX);
    scene.push_circle([-1e19, 0.0], 0.0);
    let detector = detector(&scene, DetectorConfig::default());
    assert_eq!(check_neighbors(&scene, detector.queries(), 1e19, "swallowed"), 2);
}

/// A town of 1 600 bodies, small circles or short walls, and one large body far away, of either kind. From inside of that one nobody in the town is
/// nearer than 0: levels of towns come last, and are left alone.
#[test]
fn a_town_far_from_the_point_is_not_searched() {
    for (walls, wall, far) in [false, true]
        .into_iter()
        .flat_map(|walls| [false, true].map(|wall| (walls, wall)))
        .flat_map(|(walls, wall)| [1e4f32, 1e6].map(|far| (walls, wall, far)))
    {
        let mut scene = Columns::default();
        let large = if wall {
            scene.push_segment([far, 1.0], [far * 1.5, 1.0]);
            Target::segment(0)
        } else {
            scene.push_circle([far, 1.0], far * 0.4);
            Target::circle(0)
        };
        for k in 0..1600 {
            let at = [k % 40 * 2, k / 40 * 2].map(|v| v as f32);
            if walls {
                scene.push_segment(at, [at[0] + 1.0, at[1]]);
            } else {
                scene.push_circle(at, 0.5);
            }
        }
        for backend in [Backend::Wide, Backend::Scalar] {
            let detector = detector(&scene, DetectorConfig::default().with_backend(backend));
            let (queries, asked) = (detector.queries(), AtomicUsize::new(0));
            let sees = |_: Target| asked.fetch_add(1, Ordering::Relaxed) < usize::MAX;
            let filter = QueryFilter::new().with_condition(&sees);
            let what = format!("{backend:?}, walls {walls}, {large:?} at {far}");
            let on = queries.nearest([far * 1.2, 1.0], f32::MAX, filter).unwrap().unwrap();
            assert_eq!((on.target, on.distance), (large, 0.0), "{what}");
            // A wall is in several cells, and is asked about in each.
            assert!(asked.swap(0, Ordering::Relaxed) < 16, "{what}");
            let truth = NearTruth { scene: &scene, sees: &|_| true };
            let mut near = Vec::new();
            for x in [far * 1.2, far * 0.5, far * 0.61, 85.0, 78.0, 11.25, -30.0] {
                let expected = truth.nearest([x, 1.25], f32::MAX);
                for k in [1, 2, 5, 40, 130, usize::MAX] {
                    queries.nearest_k([x, 1.25], k, f32::MAX, filter, &mut near).unwrap();
                    assert_eq!(near, expected[..k.min(expected.len())], "{what}: {x}, {k}");
                }
            }
        }
    }
}

/// Circles of two sizes to one side of the point, walls all about it: walls are looked at first. All numbers are small and whole, so that many are
/// equally near: circles come first all the same, then lower rows.
#[test]
fn of_equally_near_ones_the_order_does_not_depend_on_who_is_looked_at_first() {
    let (mut rng, mut ties) = (Rng::new(8), 0);
    let mut whole = |low: i64, high: i64| (low + (rng.bits() % (high - low) as u64) as i64) as f32;
    for round in 0..12 {
        let mut scene = Columns::default();
        for k in 0..200 {
            let radius = if round % 2 == 1 && k % 20 == 0 { 8.0 } else { 1.0 };
            scene.push_circle([whole(20, 60), whole(-20, 20)], radius);
            let at = [whole(-40, 40), whole(-40, 40)];
            scene.push_segment(at, if k % 3 == 0 { at } else { [at[0] + whole(0, 4), at[1]] });
        }
        for backend in [Backend::Wide, Backend::Scalar] {
            let detector = detector(&scene, DetectorConfig::default().with_backend(backend));
            let (queries, all, mut near) = (detector.queries(), QueryFilter::new(), Vec::new());
            let truth = NearTruth { scene: &scene, sees: &|_| true };
            for _ in 0..60 {
                let (point, most) = ([whole(-40, 20), whole(-30, 30)], [f32::MAX, 24.0][round % 3 % 2]);
                let expected = truth.nearest(point, most);
                let mixed = |pair: &[gridlane::Nearest]| {
                    pair[0].distance == pair[1].distance && pair[0].target.kind != pair[1].target.kind
                };
                ties += expected.windows(2).filter(|pair| mixed(pair)).count();
                let what = format!("round {round}, {backend:?}: {point:?} within {most}");
                assert_eq!(queries.nearest(point, most, all), Ok(expected.first().copied()), "{what}");
                for k in [0, 1, 2, 3, 8, 9, 31, 60, 128, 129, 300, usize::MAX] {
                    queries.nearest_k(point, k, most, all, &mut near).unwrap();
                    assert_eq!(near, expected[..k.min(expected.len())], "{what}, {k}");
                }
            }
        }
    }
    assert!(ties > 300, "{ties}");
}
