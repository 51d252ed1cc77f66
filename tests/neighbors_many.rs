//! Promise: neighbours of very many circles are those that the detector's own search finds, with the values of `geometry`, in any order of the
//! columns, on any number of threads, filtered or not. So many that strips of rows, and pairs that lead out of them, matter.

use crate::common::scenes::{self, Rng, Scene, scene};
use crate::common::truth::Columns;
use gridlane::internals::Binned;
use gridlane::{
    Backend, Circle, Circles, Detector, DetectorConfig, Filters, Neighbor, NeighborLists, Neighbors, QueryFilter,
    Segments, Target, TargetKind, TargetLists, Threads, geometry,
};

fn detector(scene: &Scene, threads: usize) -> Detector {
    let mut detector = Detector::new(DetectorConfig::default().with_threads(Threads::Fixed(threads))).unwrap();
    let segments = Segments { x0: &scene.x0, y0: &scene.y0, x1: &scene.x1, y1: &scene.y1 };
    detector.set_segments(segments).unwrap();
    detector.set_circles(circles(scene), Filters::default()).unwrap();
    detector
}

fn circles(scene: &Scene) -> Circles<'_> {
    Circles { x: &scene.x, y: &scene.y, radius: &scene.radius }
}

fn circle(scene: &Scene, row: u32) -> Circle {
    let row = row as usize;
    Circle::new([scene.x[row], scene.y[row]], scene.radius[row])
}

/// Rows by height, and some way along: few pairs lead far in such columns.
fn by_height(scene: &Scene) -> Scene {
    let mut order: Vec<usize> = (0..scene.x.len()).collect();
    order.sort_by(|&a, &b| scene.y[a].total_cmp(&scene.y[b]));
    in_order("by height", scene, order.into_iter())
}

/// As a world keeps them: nothing is left to be sorted.
fn by_cells(scene: &Scene) -> Scene {
    let mut binned = Binned::default();
    binned.bin(circles(scene));
    let scene = in_order("by cells", scene, binned.order().iter().map(|&row| row as usize));
    binned.bin(circles(&scene));
    assert!(binned.order().iter().copied().eq(0..scene.x.len() as u32));
    scene
}

fn in_order(name: &'static str, scene: &Scene, order: impl Iterator<Item = usize> + Clone) -> Scene {
    let taken = |column: &[f32]| order.clone().map(|row| column[row]).collect();
    Scene {
        name,
        x: taken(&scene.x),
        y: taken(&scene.y),
        radius: taken(&scene.radius),
        x0: scene.x0.clone(),
        y0: scene.y0.clone(),
        x1: scene.x1.clone(),
        y1: scene.y1.clone(),
        ..Scene::default()
    }
}

/// Lists of circles against those of the other search; values and segments against `geometry`, for some rows.
fn check(scene: &Scene, distance: f32) -> usize {
    let (mut lists, mut rows, mut neighbors) = (NeighborLists::new(), TargetLists::new(), Neighbors::new());
    let mut one = detector(scene, 1);
    one.queries().neighbors(distance, QueryFilter::new(), &mut lists).unwrap();
    one.neighbors(circles(scene), distance, &mut neighbors).unwrap();
    for row in 0..scene.x.len() {
        let found = lists.get(row).iter().map(|near| near.target).filter(|target| target.kind == TargetKind::Circle);
        assert!(found.map(|target| target.row).eq(neighbors.of(row).iter().copied()), "{} row {row}", scene.name);
    }
    for row in (0..scene.x.len()).step_by(23) {
        let own = circle(scene, row as u32);
        for near in lists.get(row) {
            let k = near.target.row as usize;
            let gap = if near.target.kind == TargetKind::Circle {
                geometry::circle_circle_gap(own, circle(scene, near.target.row))
            } else {
                let wall = geometry::Segment::new([scene.x0[k], scene.y0[k]], [scene.x1[k], scene.y1[k]]);
                geometry::circle_segment_gap(own, wall)
            };
            let gap = gap.unwrap();
            assert_eq!((near.point, near.separation, near.feature), (gap.point, gap.separation, gap.feature));
        }
    }
    // Rows alone, and on several threads, the same; and with a filter what is left without those it refuses.
    let sees = |target: Target| target.row % 4 != 1;
    let filter = QueryFilter::new().with_condition(&sees);
    for threads in [1, 3] {
        let mut detector = detector(scene, threads);
        let mut others = Neighbors::new();
        detector.neighbors(circles(scene), distance, &mut others).unwrap();
        assert!(others.offsets() == neighbors.offsets() && others.rows() == neighbors.rows(), "{threads}");
        detector.queries().neighbor_rows(distance, QueryFilter::new(), &mut rows).unwrap();
        assert_eq!(rows.offsets(), lists.offsets());
        assert!(rows.items().iter().eq(lists.items().iter().map(|near| &near.target)), "{threads}");
        let mut again = NeighborLists::new();
        detector.queries().neighbors(distance, QueryFilter::new(), &mut again).unwrap();
        assert!(again.items() == lists.items(), "{threads}");
        detector.queries().neighbors(distance, filter, &mut again).unwrap();
        for (row, list) in again.iter().enumerate() {
            assert!(list.iter().eq(lists.get(row).iter().filter(|near| sees(near.target))), "{threads}, row {row}");
        }
    }
    lists.items().len()
}

#[test]
fn in_boxes_of_cells_and_around_tori_in_any_order() {
    for (name, distance) in [("gas-100k", 1.0), ("cluster-100k", 0.25), ("mixed-100k", 0.02)] {
        let scene = scene(name).expect("a built-in scene");
        let found = check(&scene, distance);
        assert!(found > 100_000, "{name}: {found}");
        assert_eq!(check(&by_height(&scene), distance), found, "{name}");
        assert_eq!(check(&by_cells(&scene), distance), found, "{name}");
    }
}

/// Lists longer than anything that is computed at a time, of circles, of segments and of both, where many records are of pairs of which lanes
/// are not sure: centres that coincide or touch a wall. In columns of any order, in lists that have held longer ones.
#[test]
fn in_a_crowd_among_walls_each_record_is_that_of_the_pair() {
    let mut crowd = Scene { name: "crowd", ..Scene::default() };
    for k in 0..900u16 {
        // Three in each place, of three sizes; every thirtieth place far off, where walls are and nobody else.
        let place = k / 3 * 7 % 300;
        let (x, y) = (f32::from(place % 15) * 0.25, f32::from(place / 15) * 0.5);
        crowd.x.push(if place % 30 == 0 { x + 100.0 } else { x });
        crowd.y.push(y);
        crowd.radius.push(f32::from(k % 3) * 0.125);
    }
    for k in 0..40u8 {
        // Through centres, along lines on which many stand; every fourth is a point.
        let y = f32::from(k % 20) * 0.5;
        let (from, to) = if k < 20 { (0.25, 3.0) } else { (99.0, 104.0) };
        crowd.x0.push(from);
        crowd.y0.push(y);
        crowd.x1.push(if k % 4 == 3 { from } else { to });
        crowd.y1.push(if k % 4 == 3 { y } else { y + f32::from(k % 4) * 0.25 });
    }
    for scene in [by_cells(&crowd), by_height(&crowd), crowd] {
        for backend in [Backend::Wide, Backend::Scalar] {
            let mut detector = Detector::new(DetectorConfig::default().with_backend(backend)).unwrap();
            let segments = Segments { x0: &scene.x0, y0: &scene.y0, x1: &scene.x1, y1: &scene.y1 };
            detector.set_segments(segments).unwrap();
            detector.set_circles(circles(&scene), Filters::default()).unwrap();
            let mut lists = NeighborLists::new();
            let mut rows = TargetLists::new();
            // From the longest lists to the shortest.
            for distance in [200.0, 2.0, 0.25, 0.0] {
                let queries = detector.queries();
                queries.neighbors(distance, QueryFilter::new(), &mut lists).unwrap();
                queries.neighbor_rows(distance, QueryFilter::new(), &mut rows).unwrap();
                for row in 0..scene.x.len() as u32 {
                    let (own, mut left) = (circle(&scene, row), lists.get(row as usize).iter());
                    let named = rows.get(row as usize).iter();
                    assert!(named.eq(left.clone().map(|near| &near.target)), "{} {distance} {row}", scene.name);
                    for other in (0..scene.x.len() as u32).filter(|&other| other != row) {
                        let body = circle(&scene, other);
                        if geometry::circles_within(own, body, distance) {
                            let gap = geometry::circle_circle_gap(own, body).unwrap();
                            let expected = (gap.point, gap.separation, gap.feature, Target::circle(other));
                            let near = left.next().expect("one more");
                            assert_eq!((near.point, near.separation, near.feature, near.target), expected);
                        }
                    }
                    for k in 0..scene.x0.len() {
                        let wall = geometry::Segment::new([scene.x0[k], scene.y0[k]], [scene.x1[k], scene.y1[k]]);
                        if geometry::circle_segment_within(own, wall, distance) {
                            let gap = geometry::circle_segment_gap(own, wall).unwrap();
                            let expected = (gap.point, gap.separation, gap.feature, Target::segment(k as u32));
                            let near = left.next().expect("one more");
                            assert_eq!((near.point, near.separation, near.feature, near.target), expected);
                        }
                    }
                    assert_eq!(left.next(), None, "{} {distance} {row}", scene.name);
                }
                // At the longest distance all lists are longer than what is taken at a time.
                assert!(distance < 200.0 || lists.items().len() == 900 * (899 + 40));
            }
        }
    }
}

/// Small ones about large ones of several levels, within a few units in the last place of being near: what lanes get wrong is of the size of the
/// large ones, whoever asks.
#[test]
fn about_large_circles_the_last_place_decides() {
    let (mut ring, distance) = (Scene { name: "ring", ..Scene::default() }, 0.375f32);
    for (k, large) in [30.0f32, 1_000.0, 40_000.0].into_iter().enumerate() {
        let center = [(k as f32) * 200_000.0 + 0.7, -3.3f32];
        ring.x.push(center[0]);
        ring.y.push(center[1]);
        ring.radius.push(large);
        for n in 0..300 {
            let (small, angle) = (0.25 + 0.001 * (n % 7) as f32, f64::from(n) * 0.0209);
            let reach = f64::from(large) + f64::from(small) + f64::from(distance);
            let away = reach * (1.0 + f64::from(n % 5 - 2) * 3e-8);
            ring.x.push((f64::from(center[0]) + away * angle.cos()) as f32);
            ring.y.push((f64::from(center[1]) + away * angle.sin()) as f32);
            ring.radius.push(small);
        }
    }
    let mut near_and_not = [0; 2];
    for backend in [Backend::Wide, Backend::Scalar] {
        let mut detector = Detector::new(DetectorConfig::default().with_backend(backend)).unwrap();
        detector.set_circles(circles(&ring), Filters::default()).unwrap();
        let mut lists = TargetLists::new();
        detector.queries().neighbor_rows(distance, QueryFilter::new(), &mut lists).unwrap();
        for row in 0..ring.x.len() as u32 {
            let near = |&other: &u32| {
                row != other && geometry::circles_within(circle(&ring, row), circle(&ring, other), distance)
            };
            let expected = (0..ring.x.len() as u32).filter(near);
            assert!(lists.get(row as usize).iter().map(|near| near.row).eq(expected), "{backend:?} {row}");
        }
        for large in [0, 301, 602] {
            let near = lists.get(large).len();
            near_and_not = [near_and_not[0] + near, near_and_not[1] + 300 - near];
        }
    }
    assert!(near_and_not.iter().all(|&n| n > 300), "{near_and_not:?}");
}

/// Towns of tiny circles, further apart than cells are counted one by one: what is near is as near there, and is found among those of the town alone.
#[test]
fn in_towns_beyond_where_cells_are_counted() {
    let mut towns = Scene { name: "towns", ..Scene::default() };
    let mut rng = scenes::Rng::new(17);
    for [x, y] in [[0.0, 0.0], [2e5, 0.0], [-3e5, 2e5], [1e6, -4e6], [-7e7, -7e7]] {
        for _ in 0..3000 {
            // Where numbers are coarse, several stand in one place.
            towns.x.push((x + rng.range(0.0, 60.0)) as f32);
            towns.y.push((y + rng.range(0.0, 60.0)) as f32);
            towns.radius.push(rng.range(0.1, 0.5) as f32);
        }
        for _ in 0..100 {
            let [a, b] = [0; 2].map(|_| [x + rng.range(0.0, 60.0), y + rng.range(0.0, 60.0)].map(|v| v as f32));
            towns.x0.push(a[0]);
            towns.y0.push(a[1]);
            towns.x1.push((a[0] + b[0]) / 2.0);
            towns.y1.push((a[1] + b[1]) / 2.0);
        }
    }
    let found = check(&towns, 0.5);
    assert!(found > 50_000, "{found}");
    assert_eq!(check(&by_cells(&towns), 0.5), found);
    // Areas and rays there, against the loop, for some.
    let (detector, all) = (detector(&towns, 1), 0..towns.x.len() as u32);
    let queries = detector.queries();
    for row in (0..towns.x.len()).step_by(101) {
        let (at, mut targets) = ([towns.x[row], towns.y[row]], Vec::new());
        let (disc, filter) = (Circle::new(at, 0.75), QueryFilter::new().circles_only());
        queries.overlap_circle(disc, filter, &mut targets).unwrap();
        let expected = all.clone().filter(|&other| geometry::circles_touch(disc, circle(&towns, other)));
        assert!(targets.iter().map(|target| target.row).eq(expected), "{row}");
        let ray = geometry::Ray::new(at, [0.6, -0.8]).with_max(3.0);
        let mut hits = Vec::new();
        queries.cast_ray_all(ray, filter, &mut hits).unwrap();
        let expected = all.clone().filter(|&other| geometry::ray_circle(ray, circle(&towns, other)).is_some());
        let mut met: Vec<u32> = hits.iter().map(|hit| hit.target.row).collect();
        met.sort_unstable();
        assert!(met.into_iter().eq(expected), "{row}");
        let first = queries.cast_ray(ray, filter).unwrap();
        assert_eq!(first, hits.first().copied(), "{row}");
    }
}

/// Fewer than a quarter as many circles as walls, and just as many, one of which is large; at each distance the walls that are near by brute force. First
/// some walls are near few of them, then all are near each, last the distance leads beyond the range of numbers.
#[test]
fn few_circles_among_many_walls_have_those_near() {
    let mut counts = [0; 5];
    for seed in 0..24 {
        let (mut rng, mut scene) = (Rng::new(seed), Columns::default());
        // Walls around circles in one place, and far from the origin, now and then.
        let [spread, long] = [[500.0, 3.0], [500.0, 60.0], [20.0, 2.0]][seed as usize % 3];
        let middle = [0.0, 1e6][seed as usize % 2];
        let circles = [1, 30, 249, 250][seed as usize / 6];
        for k in 0..circles {
            let at = [0; 2].map(|_| (middle + rng.range(-spread, spread)) as f32);
            scene.push_circle(at, if k == 17 { 90.0 } else { rng.range(0.0, 1.5) as f32 });
        }
        for _ in 0..1000 {
            let start = [0; 2].map(|_| middle + rng.range(-spread, spread));
            let end = start.map(|v| (v + rng.range(-long, long)) as f32);
            scene.push_segment(start.map(|v| v as f32), end);
        }
        for (case, distance) in [0.0, 2.0, 3e3, 3e38, f32::MAX].into_iter().enumerate() {
            let near = |row: usize| {
                let is_near =
                    |&k: &usize| geometry::circle_segment_within(scene.circle(row), scene.segment(k), distance);
                (0..1000).filter(is_near).map(|k| k as u32).collect()
            };
            let expected: Vec<Vec<u32>> = (0..circles).map(near).collect();
            for threads in [1, 3] {
                let config = DetectorConfig::default().with_threads(Threads::Fixed(threads));
                let mut detector = Detector::new(config).unwrap();
                detector.set_segments(scene.segments()).unwrap();
                detector.set_circles(scene.circles(), Filters::default()).unwrap();
                check_walls(&detector, &scene, distance, &expected);
            }
            counts[case] += expected.iter().map(Vec::len).sum::<usize>();
        }
    }
    // All of 530 circles, six times.
    let [touching, near, all @ ..] = counts;
    assert!(touching > 3_000 && near > touching && all == [530 * 6 * 1000; 3], "{counts:?}");
}

/// The walls in neighbour lists of circles, with a filter and without, also after lists of circles alone; where they are few also what is told of each.
fn check_walls(detector: &Detector, scene: &Columns, distance: f32, expected: &[Vec<u32>]) {
    let walls = |near: &[Neighbor]| -> Vec<u32> {
        near.iter()
            .map(|near| near.target)
            .filter(|wall| wall.kind == TargetKind::Segment)
            .map(|wall| wall.row)
            .collect()
    };
    let (mut lists, mut some, sees) =
        (NeighborLists::new(), NeighborLists::new(), |target: Target| target.row % 5 != 2);
    let filter = QueryFilter::new();
    detector.queries().neighbors(distance, filter.circles_only(), &mut lists).unwrap();
    assert!(lists.iter().all(|near| walls(near).is_empty()));
    detector.queries().neighbors(distance, filter, &mut lists).unwrap();
    detector.queries().neighbors(distance, filter.with_condition(&sees), &mut some).unwrap();
    for (row, expected) in expected.iter().enumerate() {
        assert_eq!(walls(lists.get(row)), *expected, "{distance}, {row}");
        assert!(walls(some.get(row)).into_iter().eq(expected.iter().copied().filter(|k| k % 5 != 2)));
        for near in lists.get(row).iter().filter(|near| distance < 3.0 && near.target.kind == TargetKind::Segment) {
            let wall = scene.segment(near.target.row as usize);
            let gap = geometry::circle_segment_gap(scene.circle(row), wall).unwrap();
            assert_eq!((near.point, near.separation, near.feature), (gap.point, gap.separation, gap.feature));
        }
    }
}
