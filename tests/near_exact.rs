//! Promise: boxes against circles and segments, nearest points, gaps and whether they are within a distance are what exact arithmetic says;
//! and no segment near a point is lost by the lanes.
//!
//! Hard random cases against the oracle of `common`, as in `geometry_exact`: decisions are equal, values the `f32` nearest to the exact one.

use crate::common::oracle::*;
use crate::common::oracle_cases::{Random, cases};
use gridlane::geometry::*;
use gridlane::internals::{Text, near_masks};
use num_traits::{One, Zero};

/// A box with a corner at `p`, or a side through it, that leads away to any side.
fn box_at(random: &mut Random, p: Vec2) -> Aabb {
    let size = |random: &mut Random, p: f32| match random.below(5) {
        0 => 0.0,
        1 => 1.0,
        2 => p.abs(),
        3 => f32::MAX,
        _ => random.grid(5).abs() * 0.25,
    };
    let (w, h) = (size(random, p.x), size(random, p.y));
    let side = |random: &mut Random, p: f32, by: f32| {
        let cut = |v: f32| if v.is_finite() { v } else { f32::MAX.copysign(v) };
        match random.below(3) {
            0 => [p, cut(p + by)],
            1 => [cut(p - by), p],
            _ => [cut(p - by), cut(p + by)],
        }
    };
    let ([x0, x1], [y0, y1]) = (side(random, p.x, w), side(random, p.y, h));
    Aabb::new([x0, y0], [x1, y1])
}

fn corners(aabb: Aabb) -> [Q2; 4] {
    let (low, high) = (q2(aabb.min), q2(aabb.max));
    let at = |x: &Q, y: &Q| [x.clone(), y.clone()];
    [at(&low[0], &low[1]), at(&high[0], &low[1]), at(&high[0], &high[1]), at(&low[0], &high[1])]
}

fn holds(aabb: Aabb, p: &Q2) -> bool {
    let (low, high) = (q2(aabb.min), q2(aabb.max));
    (0..2).all(|axis| low[axis] <= p[axis] && p[axis] <= high[axis])
}

/// A segment is within a distance of a box, given its square: with an end inside, or within that of one of its four sides.
fn is_within(a: &Q2, b: &Q2, aabb: Aabb, distance2: &Q) -> bool {
    let c = corners(aabb);
    holds(aabb, a) || (0..4).any(|k| segment_distance2([a, b], [&c[k], &c[(k + 1) % 4]]) <= *distance2)
}

#[test]
fn boxes() {
    let mut random = Random::new(41);
    let n = cases(6_000);
    let mut hits = [0; 2];
    for _ in 0..n {
        let (circle, segment) = random.circle_and_segment();
        // Its corner is where the circle was, so that the radius is about what it takes.
        let aabb = box_at(&mut random, circle.center);
        let total = circle.radius + segment.radius;
        let wide = Segment { radius: if total.is_finite() { total } else { f32::MAX }, ..segment };
        for segment in [wide, segment.with_radius(0.0), wide.reversed()] {
            let (a, b, r) = (q2(segment.start), q2(segment.end), q(segment.radius));
            let hit = is_within(&a, &b, aabb, &(&r * &r));
            assert_eq!(segment_touches_aabb(segment, aabb), hit, "{segment:?} {aabb:?}");
            hits[0] += u64::from(hit);
        }
        let (one, other) = random.circles();
        let aabb = box_at(&mut random, other.center);
        for circle in [random.reaching(other.center, one), Circle { radius: 0.0, ..one }] {
            let (c, r) = (q2(circle.center), q(circle.radius));
            let hit = is_within(&c, &c, aabb, &(&r * &r));
            assert_eq!(circle_touches_aabb(circle, aabb), hit, "{circle:?} {aabb:?}");
            hits[1] += u64::from(hit);
        }
    }
    assert!((n..5 * n / 2).contains(&hits[0]) && (n / 2..7 * n / 4).contains(&hits[1]), "{hits:?} of {n}");
}

#[test]
fn nearest_points_and_gaps() {
    let mut random = Random::new(42);
    let mut inside = 0;
    let n = cases(5_000);
    for _ in 0..n {
        let (circle, segment) = random.circle_and_segment();
        let c = q2(circle.center);
        let near = point_segment(&c, &q2(segment.start), &q2(segment.end));
        let (distance, s) = (root(&near.distance2), q(segment.radius));
        let normal = if near.distance2.is_zero() { left_of(segment) } else { unit(&c, &near.foot) };
        let outline = nearest2(&along(&near.foot, &normal, &-&s));
        let feature = match near.at {
            Where::Start => Feature::Start,
            Where::Interior => Feature::Interior,
            Where::End => Feature::End,
        };
        let gap = Gap { point: outline, separation: nearest(&(&distance - &s - q(circle.radius))), feature };
        assert_eq!(circle_segment_gap(circle, segment), Some(gap), "{circle:?} {segment:?}");
        let is_inside = near.distance2 <= &s * &s;
        let expected = if is_inside {
            NearestPoint { point: nearest2(&c), distance: 0.0, feature }
        } else {
            NearestPoint { point: outline, distance: nearest(&(&distance - &s)), feature }
        };
        assert_eq!(nearest_on_capsule(circle.center, segment), Some(expected), "{circle:?} {segment:?}");
        inside += u64::from(is_inside);

        let (a, b) = random.circles();
        let (p, r) = (q2(a.center), q2(b.center));
        let distance = root(&square(&sub(&r, &p)));
        let normal = if p == r { [Q::zero(), Q::one()] } else { unit(&p, &r) };
        let point = nearest2(&along(&r, &normal, &-q(b.radius)));
        let separation = nearest(&(distance - q(a.radius) - q(b.radius)));
        assert_eq!(circle_circle_gap(a, b), Some(Gap { point, separation, feature: Feature::Interior }), "{a:?} {b:?}");
    }
    assert!((n / 20..n).contains(&inside), "{inside} of {n}");
}

#[test]
fn within_a_distance() {
    let mut random = Random::new(43);
    let n = cases(8_000);
    let mut hits = [0; 2];
    for k in 0..n {
        // A radius that was about right, in two pieces.
        let pieces = |radius: f32| {
            let part = radius * [0.5, 0.3, 0.0, 1.0, 0.75][k as usize % 5];
            (part, radius - part)
        };
        let (a, b) = random.circles();
        let (r, distance) = pieces(a.radius);
        let a = Circle { radius: r, ..a };
        let reach = q(a.radius) + q(b.radius) + q(distance);
        let hit = square(&sub(&q2(b.center), &q2(a.center))) <= &reach * &reach;
        assert_eq!(circles_within(a, b, distance), hit, "{a:?} {b:?} {distance}");
        hits[0] += u64::from(hit);
        let (circle, segment) = random.circle_and_segment();
        let (r, distance) = pieces(circle.radius);
        let circle = Circle { radius: r, ..circle };
        let reach = q(circle.radius) + q(segment.radius) + q(distance);
        let near = point_segment(&q2(circle.center), &q2(segment.start), &q2(segment.end));
        let hit = near.distance2 <= &reach * &reach;
        assert_eq!(circle_segment_within(circle, segment, distance), hit, "{circle:?} {segment:?} {distance}");
        hits[1] += u64::from(hit);
    }
    assert!(hits.iter().all(|hits| (n / 4..3 * n / 4).contains(hits)), "{hits:?} of {n}");
}

#[test]
fn lanes_lose_no_segment_near_a_point_and_are_sure_of_none_that_is_not() {
    let mut random = Random::new(44);
    let (mut near, mut marked, mut sure) = (0, 0, 0);
    for _ in 0..cases(40_000) {
        let pairs: [(Circle, Segment); 3] = std::array::from_fn(|_| random.circle_and_segment());
        let mut columns: [Vec<f32>; 5] = Default::default();
        for (_, s) in &pairs {
            let row = [s.start.x, s.start.y, s.end.x, s.end.y, s.radius];
            columns.iter_mut().zip(row).for_each(|(column, v)| column.push(v));
        }
        columns.iter_mut().for_each(|column| column.extend([f32::NAN; 8]));
        let flat = pairs.iter().all(|(_, s)| s.radius == 0.0);
        let radius: &[f32] = if flat { &[] } else { &columns[4] };
        let segments = [&columns[0][..], &columns[1], &columns[2], &columns[3], radius];
        for (circle, _) in &pairs {
            let masks = |text| near_masks(text, segments, circle.center.into(), circle.radius, 0, 3);
            let masks = Text::ALL.map(masks);
            assert!(masks.iter().all(|&mask| mask == masks[0]), "{masks:?} {pairs:?}");
            for (text, count) in Text::ALL.into_iter().zip([1, 2, 1, 2]) {
                let few = near_masks(text, segments, circle.center.into(), circle.radius, 0, count);
                assert_eq!(few, masks[0].map(|mask| mask & ((1 << count) - 1)), "{text:?}");
            }
            for (k, &(_, segment)) in pairs.iter().enumerate() {
                let is_near = circle_touches_segment(*circle, segment);
                let [is_marked, is_sure] = masks[0].map(|mask| mask >> k & 1 == 1);
                assert!(is_sure <= is_near && is_near <= is_marked, "{circle:?} {segment:?}");
                near += u64::from(is_near);
                marked += u64::from(is_marked);
                sure += u64::from(is_sure);
            }
        }
    }
    // Most of what is marked is near: these are cases within ulps.
    assert!(near > 20_000 && marked < 2 * near, "{near} near, {marked} marked");
    // And most of that surely is; not all, or it would not have to be asked about.
    assert!(2 * sure > near && sure < near, "{near} near, {sure} surely");
}
