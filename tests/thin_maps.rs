//! Promise: of walls that are strewn thinly, so that most of the plane is empty and cells of those there are wind around it, whatever is asked is what a
//! loop over all finds, however long or wide, or far from all of them, the question is.

use crate::common::casts::{Bodies, Flight, all};
use crate::common::near_truth::NearTruth;
use crate::common::scenes::Rng;
use crate::common::truth::Columns;
use crate::query_near::{check, detector};
use gridlane::geometry::Ray;
use gridlane::{Aabb, Circle, DetectorConfig, Queries, QueryFilter, Rays, Segment, Vec2};

/// Where the walls are: in towns, along a line aslant, around a circle, in a narrow strip, on a lattice; and in towns with one far out.
const KINDS: [&str; 6] = ["towns", "line", "ring", "strip", "lattice", "far"];

fn map(kind: &str, length: f64, rng: &mut Rng) -> Columns {
    let (mut scene, towns) = (Columns::default(), [[-900.0, 300.0], [40.0, -700.0], [800.0, 850.0], [801.0, 870.0]]);
    for k in 0..1200 {
        let along = rng.range(-1000.0, 1000.0);
        let at = match kind {
            "line" => [along, along + rng.range(-1.0, 1.0)],
            "ring" => [(along / 300.0).cos() * 1000.0, (along / 300.0).sin() * 1000.0],
            "strip" => [along, rng.range(-0.5, 0.5)],
            "lattice" => [f64::from(k % 35) * 57.0 - 1000.0, f64::from(k / 35) * 57.0 - 1000.0],
            "far" if k == 700 => [3e6, -5e6],
            _ => towns[k as usize % 4].map(|v| v + rng.range(-3.0, 3.0)),
        };
        let end = at.map(|v| (v + rng.range(-length, length)) as f32);
        scene.push_segment(at.map(|v| v as f32), end);
        if k % 40 == 0 {
            scene.push_circle(at.map(|v| (v + rng.range(-9.0, 9.0)) as f32), rng.range(0.0, 2.0) as f32);
        }
    }
    scene
}

/// From anywhere to anywhere, long and thin or wide.
fn check_across(scene: &Columns, queries: Queries<'_>, rng: &mut Rng, what: &str) -> usize {
    let (truth, filter) = (NearTruth { scene, sees: &|_| true }, QueryFilter::new());
    let (mut found, mut near, mut total) = (Vec::new(), Vec::new(), 0);
    for k in 0..60 {
        let mut place = || [0; 2].map(|_| rng.range(-1200.0, 1200.0) as f32);
        let (from, to) = (place(), place());
        let to = [to, [to[0], from[1]], [from[0] + 0.125, to[1]]][k % 3];
        let segment = Segment::new(from, to).with_radius([0.0, 0.5, 20.0][k / 3 % 3]);
        queries.overlap_segment(segment, filter, &mut found).unwrap();
        assert_eq!(found, truth.of_segment(segment), "{what}: {segment:?}");
        total += found.len();
        let lower = |k: usize| if from[k] < to[k] { from[k] } else { to[k] };
        let upper = |k: usize| if from[k] < to[k] { to[k] } else { from[k] };
        let aabb = Aabb::new([lower(0), lower(1)], [upper(0), upper(1)]);
        queries.overlap_aabb(aabb, filter, &mut found).unwrap();
        assert_eq!(found, truth.of_aabb(aabb), "{what}: {aabb:?}");
        total += found.len();
        let expected = truth.nearest(from, f32::MAX);
        for k in [1, 9, 200] {
            queries.nearest_k(from, k, f32::MAX, filter, &mut near).unwrap();
            assert_eq!(near, expected[..k], "{what}: {from:?}, {k}");
        }
    }
    total
}

/// Thin and thick, from one place to the other and beyond, or to somebody, or beside the lot; one by one, and thin ones all at once.
fn check_casts(scene: &Columns, queries: Queries<'_>, rng: &mut Rng, what: &str) -> usize {
    let bodies = Bodies {
        name: "thin",
        circles: (0..scene.x.len()).map(|k| scene.circle(k)).collect(),
        segments: (0..scene.x0.len()).map(|k| scene.segment(k)).collect(),
    };
    let (filter, mut hits, mut met) = (QueryFilter::new(), Vec::new(), 0);
    let (mut columns, mut firsts): ([Vec<f32>; 4], Vec<Option<gridlane::Hit>>) = Default::default();
    for k in 0..150 {
        let mut place = || [0; 2].map(|_| rng.range(-1500.0, 1500.0) as f32);
        let (from, mut to) = (place(), place());
        if k % 3 > 0 {
            let wall = rng.bits() as usize % scene.x0.len();
            to = [scene.x0[wall], scene.y0[wall]];
        }
        let direction = Vec2::new(to[0] - from[0], to[1] - from[1]);
        let ray = Ray { origin: from.into(), direction, max: 1.25 };
        let expected = all(&bodies, Flight::Ray(ray), |_| true);
        queries.cast_ray_all(ray, filter, &mut hits).unwrap();
        assert_eq!(hits, expected, "{what}: {ray:?}");
        assert_eq!(queries.cast_ray(ray, filter).unwrap(), expected.first().copied(), "{what}: {ray:?}");
        assert_eq!(queries.cast_ray_any(ray, filter), Ok(!expected.is_empty()), "{what}: {ray:?}");
        columns.iter_mut().zip([from[0], from[1], direction.x, direction.y]).for_each(|(column, v)| column.push(v));
        firsts.push(expected.first().copied());
        let circle = Circle::new(from, [0.1, 3.0, 50.0][k / 3 % 3]);
        let expected = all(&bodies, Flight::Circle(circle, direction), |_| true);
        queries.cast_circle_all(circle, direction, filter, &mut hits).unwrap();
        assert_eq!(hits, expected, "{what}: {circle:?} {direction:?}");
        assert_eq!(
            queries.cast_circle(circle, direction, filter).unwrap(),
            expected.first().copied(),
            "{what}: {circle:?}"
        );
        assert_eq!(queries.cast_circle_any(circle, direction, filter), Ok(!expected.is_empty()), "{what}: {circle:?}");
        met += expected.len();
    }
    let [x, y, direction_x, direction_y] = &columns;
    let rays = Rays { x, y, direction_x, direction_y, max: &[1.25; 150], skip: &[] };
    queries.cast_rays(rays, filter, &mut hits).unwrap();
    assert!(hits.iter().map(|&hit| hit.target.is_something().then_some(hit)).eq(firsts), "{what}");
    met
}

#[test]
fn whatever_is_asked_of_thin_maps_equals_the_loop() {
    let mut total = 0;
    for (seed, kind) in KINDS.into_iter().enumerate() {
        for length in [0.3, 15.0, 60.0, 120.0] {
            let mut rng = Rng::new(seed as u64);
            let scene = map(kind, length, &mut rng);
            let what = format!("{kind}, {length}");
            let detector = detector(&scene, DetectorConfig::default());
            total += check(&scene, detector.queries(), seed as u64 + 5, 40, &what);
            total += check_across(&scene, detector.queries(), &mut rng, &what);
            total += check_casts(&scene, detector.queries(), &mut rng, &what);
        }
    }
    assert!(total > 100_000, "{total}");
}
