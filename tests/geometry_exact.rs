//! Promise: the pairwise functions decide as exact arithmetic does, and every value is the `f32` nearest to the exact one.
//!
//! Tens of thousands of hard random pairs against the oracle of `common`. The bound on values is half an ulp: bit equality with
//! the oracle's value rounded once.

mod common;

use common::oracle::*;
use common::oracle_cases::Random;
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
    for _ in 0..8_000 {
        let (a, b) = random.circles();
        let (p, r) = (q2(a.center), q2(b.center));
        let distance2 = square(&sub(&r, &p));
        let reach = q(a.radius) + q(b.radius);
        let hit = distance2 <= &reach * &reach;
        assert_eq!(circles_touch(a, b), hit, "{a:?} {b:?}");
        let contact = circle_circle(a, b);
        assert_eq!(contact.is_some(), hit, "{a:?} {b:?}");
        let Some(contact) = contact else { continue };
        hits += 1;
        let normal = if p == r { [Q::zero(), Q::one()] } else { unit(&p, &r) };
        let half = Q::new(1.into(), 2.into());
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
    assert!((2000..6000).contains(&hits), "{hits}");
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
    for _ in 0..8_000 {
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
    assert!(seen.iter().all(|&n| n > 500), "{seen:?}");
}

#[test]
fn segments() {
    let mut random = Random::new(3);
    let mut seen = [0; 4];
    for _ in 0..12_000 {
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
        let contact = capsule_capsule(a, b);
        assert_eq!(contact.is_some(), hit, "{a:?} {b:?}");
        if let Some(contact) = contact {
            assert_eq!(contact.separation, nearest(&(root(&distance2) - reach)), "{a:?} {b:?}");
            assert!(is_unit(contact.normal) && contact.point.is_finite(), "{a:?} {b:?} {contact:?}");
        }
    }
    assert!(seen.iter().all(|&n| n > 500), "{seen:?}");
}

/// Two components rounded to nearest: the length is off by at most √2 half ulps of one.
fn is_unit(n: Vec2) -> bool {
    let length = (f64::from(n.x) * f64::from(n.x) + f64::from(n.y) * f64::from(n.y)).sqrt();
    (length - 1.0).abs() < 6e-8
}

/// The midpoints to the neighbours of a fraction: the exact one lies between them.
fn around(x: f32) -> [Q; 2] {
    let half = Q::new(1.into(), 2.into());
    [(q(x) + q(x.next_down())) * &half, (q(x) + q(x.next_up())) * &half]
}

/// What a first touch after the start has to be: fraction, contact, all within half an ulp.
fn check_touch(motion: &Motion, t: &Q, radius: f32, own: f32, fraction: f32, contact: Contact, what: &str) {
    let [before, after] = around(fraction);
    if fraction < f32::MAX {
        assert!(motion.touched_by(&after), "{what}");
    }
    assert!(before.is_negative() || !motion.touched_by(&before) || *t == before, "{what}");
    assert_eq!(fraction, nearest(t), "{what}");
    let (then, near) = (along(&motion.c, &motion.v, t), motion.at(t));
    let reach = q(radius) + q(own);
    if !reach.is_zero() {
        let d = sub(&near.foot, &then);
        let normal = [&d[0] / &reach, &d[1] / &reach];
        // On the flank or at a rational root the rounding is that of the exact value; t itself carries 800 places.
        assert_eq!(contact.normal, nearest2(&normal), "{what}");
        assert_eq!(contact.point, nearest2(&along(&near.foot, &normal, &-q(own))), "{what}");
    } else {
        assert!(is_unit(contact.normal), "{what}");
        assert_eq!(contact.point, nearest2(&near.foot), "{what}");
    }
}

#[test]
fn sweeps() {
    let mut random = Random::new(4);
    let mut seen = [0; 5];
    for _ in 0..4_000 {
        let (circle, v, segment) = random.sweep();
        let what = format!("{circle:?} {v:?} {segment:?}");
        let motion = Motion::new(circle, v, segment);
        let sweep = sweep_circle_segment(circle, v, segment);
        assert_eq!(sweep.is_some(), motion.touched_by(&Q::one()), "{what}");
        let Some(sweep) = sweep else {
            seen[0] += 1;
            continue;
        };
        let start = circle_segment(circle, segment);
        if let Some(start) = start {
            seen[1] += 1;
            assert_eq!((sweep.fraction, sweep.contact), (0.0, start), "{what}");
            let near = motion.at(&Q::zero());
            if !near.distance2.is_zero() {
                let ahead = dot(&sub(&near.foot, &motion.c), &motion.v).is_positive();
                assert_eq!(sweep.approaching, ahead, "{what}");
            }
            continue;
        }
        assert_eq!(sweep.contact.separation, 0.0, "{what}");
        let t = motion.first_touch(&Q::one());
        check_touch(&motion, &t, circle.radius, segment.radius, sweep.fraction, sweep.contact, &what);
        let found = sweep.contact.feature;
        check_feature(&motion, &t, found, &what);
        seen[if found == Feature::Interior { 2 } else { 3 }] += 1;
        seen[4] += usize::from(!sweep.approaching);
    }
    assert!(seen[..4].iter().all(|&n| n > 200) && seen[4] > 30, "{seen:?}");
}

/// The part nearest at the first touch: of rational moments exactly, of others to 800 places.
fn check_feature(motion: &Motion, t: &Q, found: Feature, what: &str) {
    let exact = motion.at(t);
    // A root that is not rational leaves the foot off an end by its own error: look again at the moment the foot is there.
    let e = sub(&motion.b, &motion.a);
    let speed = dot(&motion.v, &e);
    for (end, at) in [(&motion.a, Feature::Start), (&motion.b, Feature::End)] {
        if speed.is_zero() {
            break;
        }
        let passing = -dot(&sub(&motion.c, end), &e) / &speed;
        let near = point_segment(&along(&motion.c, &motion.v, &passing), &motion.a, &motion.b);
        if near.distance2 == &motion.reach * &motion.reach
            && (&passing - t).abs() < Q::new(1.into(), num_bigint::BigInt::one() << 300)
        {
            return assert_eq!(found, at, "{what}");
        }
    }
    assert_eq!(found, feature(exact.at), "{what}");
}

#[test]
fn sweeps_of_two_circles() {
    let mut random = Random::new(5);
    let mut seen = [0; 3];
    for _ in 0..4_000 {
        let (a, b) = random.circles();
        let (v, w) = (random.vector(), if random.below(2) == 0 { random.vector() } else { Vec2::ZERO });
        let what = format!("{a:?} {v:?} {b:?} {w:?}");
        let segment = Segment::new(b.center, b.center).with_radius(b.radius);
        let mut motion = Motion::new(a, v, segment);
        motion.v = sub(&q2(v), &q2(w));
        let sweep = sweep_circle_circle(a, v, b, w);
        assert_eq!(sweep.is_some(), motion.touched_by(&Q::one()), "{what}");
        let Some(sweep) = sweep else {
            seen[0] += 1;
            continue;
        };
        if let Some(start) = circle_circle(a, b) {
            seen[1] += 1;
            assert_eq!((sweep.fraction, sweep.contact), (0.0, start), "{what}");
            continue;
        }
        seen[2] += 1;
        let t = motion.first_touch(&Q::one());
        assert_eq!(sweep.fraction, nearest(&t), "{what}");
        let centres = [along(&q2(a.center), &q2(v), &t), along(&q2(b.center), &q2(w), &t)];
        let reach = q(a.radius) + q(b.radius);
        if reach.is_zero() {
            assert_eq!(sweep.contact.point, nearest2(&centres[1]), "{what}");
            continue;
        }
        let d = sub(&centres[1], &centres[0]);
        let normal = [&d[0] / &reach, &d[1] / &reach];
        assert_eq!(sweep.contact.normal, nearest2(&normal), "{what}");
        assert_eq!(sweep.contact.point, nearest2(&along(&centres[1], &normal, &-q(b.radius))), "{what}");
    }
    assert!(seen.iter().all(|&n| n > 200), "{seen:?}");
}

#[test]
fn rays() {
    let mut random = Random::new(6);
    let mut seen = [0; 3];
    for i in 0..4_000 {
        let (mut circle, v, segment) = random.sweep();
        let (segment, disc) = if i % 2 == 0 {
            (segment, false)
        } else {
            (Segment::new(segment.start, segment.start).with_radius(circle.radius), true)
        };
        circle.radius = 0.0;
        let max = random.nudged(1.0, 3) * [0.0, 0.5, 1.0, 1.0, 3.0, f32::MAX / 2.0][random.below(6) as usize];
        let ray = Ray::new(circle.center, v).with_max(max);
        let what = format!("{ray:?} {segment:?}");
        let motion = Motion::new(circle, v, segment);
        let hit =
            if disc { ray_circle(ray, Circle::new(segment.start, segment.radius)) } else { ray_segment(ray, segment) };
        assert_eq!(hit.is_some(), motion.touched_by(&q(max)), "{what}");
        let Some(hit) = hit else {
            seen[0] += 1;
            continue;
        };
        let normal = Vec2::new(0.0 - hit.normal.x, 0.0 - hit.normal.y);
        if let Some(start) = circle_segment(circle, segment) {
            seen[1] += 1;
            assert_eq!((hit.t, hit.point, normal), (0.0, ray.origin, start.normal), "{what}");
            continue;
        }
        seen[2] += 1;
        let contact = Contact { point: hit.point, normal, separation: 0.0, feature: hit.feature };
        let t = motion.first_touch(&q(max));
        check_touch(&motion, &t, 0.0, segment.radius, hit.t, contact, &what);
        if !disc {
            check_feature(&motion, &t, hit.feature, &what);
        }
    }
    assert!(seen.iter().all(|&n| n > 200), "{seen:?}");
}

#[test]
fn lines() {
    let mut random = Random::new(7);
    let mut seen = [0; 3];
    for _ in 0..5_000 {
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
        assert_eq!((signed.side, signed.height.abs()), (side, near.distance), "{what}");
        if side == Ordering::Less {
            assert!(signed.height <= 0.0, "{what}");
        }
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
    assert!(seen.iter().all(|&n| n > 100), "{seen:?}");
}

#[test]
fn segments_across_outlines() {
    let mut random = Random::new(8);
    let mut seen = [0; 3];
    for _ in 0..6_000 {
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
    assert!(seen.iter().all(|&n| n > 100), "{seen:?}");
}

#[test]
fn two_lines_and_mirrors() {
    let mut random = Random::new(9);
    let mut parallel = 0;
    for _ in 0..5_000 {
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
            along(&e, &f, &(&part * Q::new((-2).into(), 1.into())))
        };
        assert_eq!(reflect(v, w), nearest2(&mirrored), "{v:?} {w:?}");
        let bounced = if dot(&e, &f).is_negative() { nearest2(&mirrored) } else { v };
        assert_eq!(bounce(v, w), bounced, "{v:?} {w:?}");
    }
    assert!((100..4000).contains(&parallel), "{parallel}");
}
