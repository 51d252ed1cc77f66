//! Promise: the pairwise functions about shapes at rest decide as exact arithmetic does, and every value is the `f32` nearest to the
//! exact one.
//!
//! Tens of thousands of hard random pairs against the oracle of `common`. The bound on values is half an ulp: bit equality with
//! the oracle's value rounded once. `GRIDLANE_ORACLE_CASES=40` makes it forty times as many, `GRIDLANE_ORACLE_SEED=3` others.
//!
//! | function | decision | values | test |
//! |---|---|---|---|
//! | `circles_touch` | yes or no | | `circles` |
//! | `circles_within` | yes or no | | `circles` |
//! | `circle_circle` | yes or no | point, normal, separation, feature | `circles` |
//! | `circle_touches_segment` | yes or no | | `circles_and_segments` |
//! | `circle_segment` | yes or no, feature | point, normal, separation | `circles_and_segments` |
//! | `push_out` | whether it moves | the centre | `circles_and_segments` |
//! | `nearest_on_segment` | feature | t, foot, distance | `circles_and_segments` |
//! | `segment_segment` | class | point, t, u; from, to | `segments` |
//! | `segments_touch` | yes or no | | `segments`, `capsules` |
//! | `capsule_capsule` | yes or no, feature | point, normal, separation | `capsules` |
//! | `point_in_circle`, `points_in_circles` | yes or no; which rows | | `taps` |
//! | `nearest_on_line` | | t, foot, distance | `lines` |
//! | `signed_distance` | side | height | `lines` |
//! | `line_circle` | how often | foot, t; points and their t | `lines` |
//! | `segment_circle` | how often | points and their t | `segments_across_outlines` |
//! | `line_line` | parallel | point, t, u | `two_lines_and_mirrors` |
//! | `reflect`, `bounce` | approaching | the velocity | `two_lines_and_mirrors` |
//! | `sweep_circle_segment`, `sweep_circle_circle` | yes or no, feature, approaching | fraction, point, normal, separation | `motions_exact` |
//! | `ray_segment`, `ray_circle` | yes or no, feature | t, point, normal | `motions_exact` |

use crate::common::oracle::*;
use crate::common::oracle_cases::{Random, cases};
use gridlane::geometry::*;
use num_traits::{One, Signed, Zero};
use std::cmp::Ordering;

fn feature(at: Where) -> Feature {
    match at {
        Where::Start => Feature::Start,
        Where::Interior => Feature::Interior,
        Where::End => Feature::End,
    }
}

#[test]
fn circles() {
    let mut random = Random::new(1);
    let mut hits = 0;
    let n = cases(8_000);
    for _ in 0..n {
        let (a, b) = random.circles();
        let (p, r) = (q2(a.center), q2(b.center));
        let distance2 = square(&sub(&r, &p));
        let reach = q(a.radius) + q(b.radius);
        let hit = distance2 <= &reach * &reach;
        assert_eq!(circles_touch(a, b), hit, "{a:?} {b:?}");
        // As a third radius any of the two will do, and what is left of one: where the two touch exactly, so do these.
        for margin in [0.0, a.radius, b.radius * 0.5, b.radius * 2.0f32.powi(-26), f32::from_bits(3)] {
            let less = Circle { radius: b.radius - margin, ..b };
            let b = if less.is_valid() { less } else { b };
            let reach = q(a.radius) + q(b.radius) + q(margin);
            assert_eq!(circles_within(a, b, margin), distance2 <= &reach * &reach, "{a:?} {b:?} {margin:e}");
        }
        let contact = circle_circle(a, b);
        assert_eq!(contact.is_some(), hit, "{a:?} {b:?}");
        let Some(contact) = contact else { continue };
        hits += 1;
        let normal = if p == r { [Q::zero(), Q::one()] } else { unit(&p, &r) };
        let half = Q::from_parts(1.into(), 2u8.into());
        let outlines = [along(&p, &normal, &q(a.radius)), along(&r, &normal, &-q(b.radius))]
            .map(|x| [&x[0] * &half, &x[1] * &half]);
        let point = along(&outlines[0], &outlines[1], &Q::one());
        let expected = Contact {
            point: nearest2(&point),
            normal: nearest2(&normal),
            separation: nearest(&(root(&distance2) - reach)),
            feature: Feature::Interior,
        };
        assert_eq!(contact, expected, "{a:?} {b:?}");
    }
    assert!((n / 4..3 * n / 4).contains(&hits), "{hits}");
}

/// The contact of a circle with a segment, worked out from the nearest point.
fn expected_contact(circle: Circle, segment: Segment) -> (Option<Contact>, Vec2) {
    let c = q2(circle.center);
    let near = point_segment(&c, &q2(segment.start), &q2(segment.end));
    let reach = q(circle.radius) + q(segment.radius);
    if near.distance2 > &reach * &reach {
        return (None, circle.center);
    }
    let normal = if near.distance2.is_zero() { left_of(segment) } else { unit(&c, &near.foot) };
    let touching = near.distance2 == &reach * &reach;
    let contact = Contact {
        point: nearest2(&along(&near.foot, &normal, &-q(segment.radius))),
        normal: nearest2(&normal),
        separation: nearest(&(root(&near.distance2) - &reach)),
        feature: feature(near.at),
    };
    let pushed = if touching { circle.center } else { nearest2(&along(&near.foot, &normal, &-reach)) };
    (Some(contact), pushed)
}

#[test]
fn circles_and_segments() {
    let mut random = Random::new(2);
    let mut seen = [0; 4];
    let n = cases(8_000);
    for _ in 0..n {
        let (circle, segment) = random.circle_and_segment();
        let (expected, pushed) = expected_contact(circle, segment);
        let contact = circle_segment(circle, segment);
        assert_eq!(contact, expected, "{circle:?} {segment:?}");
        assert_eq!(circle_touches_segment(circle, segment), expected.is_some(), "{circle:?} {segment:?}");
        assert_eq!(push_out(circle, segment), pushed, "{circle:?} {segment:?}");
        seen[match contact.map(|c| c.feature) {
            None => 0,
            Some(Feature::Interior) => 1,
            Some(Feature::Start) => 2,
            Some(_) => 3,
        }] += 1;
        let near = point_segment(&q2(circle.center), &q2(segment.start), &q2(segment.end));
        let found = nearest_on_segment(circle.center, segment);
        assert_eq!((found.t, found.foot), (nearest(&near.t), nearest2(&near.foot)), "{circle:?} {segment:?}");
        assert_eq!(found.distance, nearest(&root(&near.distance2)), "{circle:?} {segment:?}");
        assert_eq!(found.feature, feature(near.at), "{circle:?} {segment:?}");
    }
    assert!(seen.iter().all(|&k| k > n / 30), "{seen:?}");
}

#[test]
fn segments() {
    let mut random = Random::new(3);
    let mut seen = [0; 4];
    let n = cases(12_000);
    for _ in 0..n {
        let (a, b) = random.segments();
        let ends = [q2(a.start), q2(a.end), q2(b.start), q2(b.end)];
        let (e, f) = ([&ends[0], &ends[1]], [&ends[2], &ends[3]]);
        let found = segment_segment(a, b);
        let (class, expected) = match meet(e, f) {
            Meet::Disjoint => (0, SegmentRelation::Disjoint),
            Meet::Cross { point, t, u } => {
                (1, SegmentRelation::Cross { point: nearest2(&point), t: nearest(&t), u: nearest(&u) })
            }
            Meet::Touch { point, t, u } => {
                (2, SegmentRelation::Touch { point: nearest2(&point), t: nearest(&t), u: nearest(&u) })
            }
            Meet::Overlap { from, to } => {
                // In the direction of the first.
                let turn = dot(&sub(&to, &from), &sub(&ends[1], &ends[0])).is_negative();
                let (from, to) = (nearest2(&from), nearest2(&to));
                (
                    3,
                    if turn {
                        SegmentRelation::Overlap { from: to, to: from }
                    } else {
                        SegmentRelation::Overlap { from, to }
                    },
                )
            }
        };
        assert_eq!(found, expected, "{a:?} {b:?}");
        seen[class] += 1;
        let reach = q(a.radius) + q(b.radius);
        let distance2 = segment_distance2(e, f);
        let hit = distance2 <= &reach * &reach;
        assert_eq!(segments_touch(a, b), hit, "{a:?} {b:?}");
    }
    assert!(seen.iter().all(|&k| k > n / 30), "{seen:?}");
}

#[test]
fn lines() {
    let mut random = Random::new(7);
    let mut seen = [0; 3];
    let n = cases(5_000);
    for _ in 0..n {
        let (circle, segment) = random.circle_and_segment();
        let line = Line::new(
            segment.start,
            if random.below(2) == 0 { random.vector() } else { Line::through(segment).direction },
        );
        if !line.is_valid() {
            continue;
        }
        let what = format!("{circle:?} {line:?}");
        let (c, a, v) = (q2(circle.center), q2(line.base), q2(line.direction));
        let l = square(&v);
        let t = if l.is_zero() { Q::zero() } else { dot(&sub(&c, &a), &v) / &l };
        let foot = along(&a, &v, &t);
        let distance2 = square(&sub(&c, &foot));
        let near = nearest_on_line(circle.center, line);
        assert_eq!((near.t, near.foot), (nearest(&t), nearest2(&foot)), "{what}");
        assert_eq!(near.distance, nearest(&root(&distance2)), "{what}");
        let signed = signed_distance(circle.center, line);
        // Left is where the quarter turn of the direction points.
        let side = dot(&[-&v[1], v[0].clone()], &sub(&c, &a)).cmp(&Q::zero());
        // A zero direction has no side, and a height all the same.
        let sign = if side == Ordering::Less { -1.0 } else { 1.0 };
        assert_eq!((signed.side, signed.height), (side, sign * near.distance), "{what}");
        let r2 = q(circle.radius) * q(circle.radius);
        let cut = line_circle(line, circle);
        assert_eq!((cut.foot, cut.t), (near.foot, near.t), "{what}");
        let (class, expected) = match distance2.cmp(&r2) {
            Ordering::Greater => (0, vec![]),
            Ordering::Equal => (1, vec![t.clone()]),
            Ordering::Less if l.is_zero() => (0, vec![]),
            Ordering::Less => {
                let half = root(&((&r2 - &distance2) / &l));
                (2, vec![&t - &half, &t + &half])
            }
        };
        seen[class] += 1;
        let found = match cut.crossing {
            LineCrossing::Miss => vec![],
            LineCrossing::Tangent(p) => vec![p],
            LineCrossing::Secant(p, q) => vec![p, q],
        };
        let expected: Vec<_> =
            expected.iter().map(|t| OutlinePoint { t: nearest(t), point: nearest2(&along(&a, &v, t)) }).collect();
        assert_eq!(found, expected, "{what}");
    }
    assert!(seen.iter().all(|&k| k > n / 60), "{seen:?}");
}

#[test]
fn segments_across_outlines() {
    let mut random = Random::new(8);
    let mut seen = [0; 3];
    let n = cases(6_000);
    for _ in 0..n {
        let (circle, segment) = random.circle_and_segment();
        let what = format!("{circle:?} {segment:?}");
        let (c, a, b) = (q2(circle.center), q2(segment.start), q2(segment.end));
        let (e, r2) = (sub(&b, &a), q(circle.radius) * q(circle.radius));
        let l = square(&e);
        let mut expected = vec![];
        if !l.is_zero() {
            let t = dot(&sub(&c, &a), &e) / &l;
            let height2 = square(&sub(&c, &along(&a, &e, &t)));
            if height2 <= r2 {
                let half2 = (&r2 - &height2) / &l;
                let half = root(&half2);
                // Whether t ∓ half lies in 0..=1 is asked of squares: roots are rounded.
                let square_sign = |x: &Q| if x.is_negative() { -(x * x) } else { x * x };
                let low_in = square_sign(&t) >= half2 && square_sign(&(&t - Q::one())) <= half2;
                let high_in = square_sign(&(Q::one() - &t)) >= half2 && square_sign(&-&t) <= half2;
                if low_in {
                    expected.push(&t - &half);
                }
                if high_in && !half2.is_zero() {
                    expected.push(&t + &half);
                }
            }
        }
        let expected: Vec<_> =
            expected.iter().map(|t| OutlinePoint { t: nearest(t), point: nearest2(&along(&a, &e, t)) }).collect();
        let found = match segment_circle(segment, circle) {
            SegmentCircle::None => vec![],
            SegmentCircle::One(p) => vec![p],
            SegmentCircle::Two(p, q) => vec![p, q],
        };
        seen[found.len()] += 1;
        assert_eq!(found, expected, "{what}");
    }
    assert!(seen.iter().all(|&k| k > n / 60), "{seen:?}");
}

#[test]
fn two_lines_and_mirrors() {
    let mut random = Random::new(9);
    let mut parallel = 0;
    let n = cases(5_000);
    for _ in 0..n {
        let (p, v, r, w) = (random.point(), random.vector(), random.point(), random.vector());
        let (a, b) = (Line::new(p, v), Line::new(r, w));
        let (e, f, g) = (q2(v), q2(w), sub(&q2(r), &q2(p)));
        let det = &e[1] * &f[0] - &e[0] * &f[1];
        let expected = if det.is_zero() {
            parallel += 1;
            LineLine::Parallel
        } else {
            // t e - u f = g, by Cramer's rule on the columns.
            let t = (&g[1] * &f[0] - &g[0] * &f[1]) / &det;
            let u = (&g[1] * &e[0] - &g[0] * &e[1]) / &det;
            LineLine::Cross { point: nearest2(&along(&q2(p), &e, &t)), t: nearest(&t), u: nearest(&u) }
        };
        assert_eq!(line_line(a, b), expected, "{a:?} {b:?}");
        // The mirror: subtract the part along the normal twice.
        let mirrored = if square(&f).is_zero() {
            q2(v)
        } else {
            let part = dot(&e, &f) / square(&f);
            along(&e, &f, &(&part * Q::from(-2)))
        };
        assert_eq!(reflect(v, w), nearest2(&mirrored), "{v:?} {w:?}");
        let bounced = if dot(&e, &f).is_negative() { nearest2(&mirrored) } else { v };
        assert_eq!(bounce(v, w), bounced, "{v:?} {w:?}");
    }
    assert!((n / 50..4 * n / 5).contains(&parallel), "{parallel}");
}

/// The contact of two capsules, from the pair of points that are nearest and both outlines beyond them.
fn expected_capsules(a: Segment, b: Segment) -> Option<Contact> {
    let ends = [q2(a.start), q2(a.end), q2(b.start), q2(b.end)];
    let (e, f) = ([&ends[0], &ends[1]], [&ends[2], &ends[3]]);
    let part = |p: &Q2| point_segment(p, f[0], f[1]).at;
    // On the first, on the second, and the unit vector from one to the other, where there is one.
    let (on_a, on_b, at, normal) = match meet(e, f) {
        Meet::Cross { point, .. } | Meet::Touch { point, .. } => (point.clone(), point.clone(), part(&point), None),
        Meet::Overlap { from, to } => {
            let turn = dot(&sub(&to, &from), &sub(e[1], e[0])).is_negative();
            let first = if turn { to } else { from };
            (first.clone(), first.clone(), part(&first), None)
        }
        Meet::Disjoint => {
            let near_a = e.map(|p| (point_segment(p, f[0], f[1]), p));
            let near_b = f.map(|p| (point_segment(p, e[0], e[1]), p));
            let [a0, a1] = near_a.map(|(near, p)| (near.distance2, p.clone(), near.foot, near.at));
            let [b0, b1] = near_b.map(|(near, p)| (near.distance2, near.foot, p.clone(), Where::Start));
            let all = [a0, a1, b0, (b1.0, b1.1, b1.2, Where::End)];
            // The first of equals.
            let (_, on_a, on_b, at) = all.into_iter().reduce(|x, y| if y.0 < x.0 { y } else { x }).unwrap();
            let normal = unit(&on_a, &on_b);
            (on_a, on_b, at, Some(normal))
        }
    };
    let normal = normal.unwrap_or_else(|| left_of(if a.start == a.end { b } else { a }));
    let (distance2, reach) = (square(&sub(&on_b, &on_a)), q(a.radius) + q(b.radius));
    if distance2 > &reach * &reach {
        return None;
    }
    let outlines = [along(&on_a, &normal, &q(a.radius)), along(&on_b, &normal, &-q(b.radius))];
    let half = Q::from_parts(1.into(), 2u8.into());
    Some(Contact {
        point: nearest2(&[0, 1].map(|axis: usize| (&outlines[0][axis] + &outlines[1][axis]) * &half)),
        normal: nearest2(&normal),
        separation: nearest(&(root(&distance2) - reach)),
        feature: feature(at),
    })
}

#[test]
fn capsules() {
    let mut random = Random::new(10);
    let mut seen = [0; 5];
    let n = cases(10_000);
    for i in 0..n {
        let (a, b) = if i % 2 == 0 { random.capsules() } else { random.segments() };
        let expected = expected_capsules(a, b);
        assert_eq!(capsule_capsule(a, b), expected, "{a:?} {b:?}");
        assert_eq!(segments_touch(a, b), expected.is_some(), "{a:?} {b:?}");
        seen[match expected {
            None => 0,
            Some(contact) if contact.separation == 0.0 => 1,
            Some(contact) if contact.feature == Feature::Interior => 2,
            Some(contact) if contact.feature == Feature::Start => 3,
            Some(_) => 4,
        }] += 1;
    }
    assert!(seen.iter().all(|&k| k > n / 30), "{seen:?}");
}

#[test]
fn taps() {
    let mut random = Random::new(11);
    let mut hits = 0;
    let n = cases(8_000);
    for _ in 0..n {
        // A tap is a circle of radius zero: the other one has to reach all the way.
        let (a, b) = random.circles();
        let grown = random.reaching(a.center, b);
        let inside = |c: &Circle| square(&sub(&q2(c.center), &q2(a.center))) <= q(c.radius) * q(c.radius);
        for c in [b, grown] {
            assert_eq!(point_in_circle(a.center, c), inside(&c), "{a:?} {c:?}");
            hits += u64::from(inside(&c));
        }
        let buttons = [b, a, grown];
        let columns = [buttons.map(|c| c.center.x), buttons.map(|c| c.center.y), buttons.map(|c| c.radius)];
        let rows: Vec<_> = points_in_circles(a.center, &columns[0], &columns[1], &columns[2]).collect();
        let expected: Vec<_> = (0..3).filter(|&row| inside(&buttons[row])).collect();
        assert_eq!(rows, expected, "{a:?} {b:?}");
    }
    assert!((n / 3..2 * n).contains(&hits), "{hits} of {}", 2 * n);
}
