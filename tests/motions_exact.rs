//! Promise: the pairwise functions about motion decide as exact arithmetic does, and every value is the `f32` nearest to the exact
//! one.
//!
//! As `geometry_exact`, which has the table of all functions and the test that holds each of their values.

use crate::common::oracle::*;
use crate::common::oracle_cases::{Random, cases};
use dashu_int::{IBig, UBig};
use gridlane::geometry::*;
use num_traits::{One, Signed, Zero};

fn feature(at: Where) -> Feature {
    match at {
        Where::Start => Feature::Start,
        Where::Interior => Feature::Interior,
        Where::End => Feature::End,
    }
}

/// Closer to zero than anything but zero can come: moments and their points are known to 800 places and more.
fn tiny(size: &Q) -> Q {
    (Q::one() + size) / Q::from(IBig::ONE << 700)
}

/// Whether the motion goes into what is touched: exactly 0 where it grazes.
fn goes_into(motion: &Motion, d: &Q2) -> bool {
    let ahead = dot(d, &motion.v);
    ahead > tiny(&(square(d) + square(&motion.v)))
}

/// The normal of a point that meets a segment without radius: across the segment inside it, along the motion at an end.
fn normal_of_points(motion: &Motion, found: Feature) -> Q2 {
    let origin = [Q::zero(), Q::zero()];
    if found != Feature::Interior || motion.a == motion.b {
        return unit(&origin, &motion.v);
    }
    let e = sub(&motion.b, &motion.a);
    let across = unit(&origin, &[-&e[1], e[0].clone()]);
    if dot(&across, &motion.v).is_negative() { across.map(|x| -x) } else { across }
}

/// The midpoints to the neighbours of a fraction: the exact one lies between them.
fn around(x: f32) -> [Q; 2] {
    let half = Q::from_parts(1.into(), 2u8.into());
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
        assert_eq!(contact.normal, nearest2(&normal_of_points(motion, contact.feature)), "{what}");
        assert_eq!(contact.point, nearest2(&near.foot), "{what}");
    }
}

#[test]
fn sweeps() {
    let mut random = Random::new(4);
    let mut seen = [0; 5];
    let n = cases(4_000);
    for _ in 0..n {
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
            let normal = if near.distance2.is_zero() { left_of(segment) } else { sub(&near.foot, &motion.c) };
            assert_eq!(sweep.approaching, goes_into(&motion, &normal), "{what}");
            continue;
        }
        assert_eq!(sweep.contact.separation, 0.0, "{what}");
        let t = motion.first_touch(&Q::one());
        check_touch(&motion, &t, circle.radius, segment.radius, sweep.fraction, sweep.contact, &what);
        let found = sweep.contact.feature;
        check_feature(&motion, &t, found, &what);
        let then = along(&motion.c, &motion.v, &t);
        let into = motion.reach.is_zero() || goes_into(&motion, &sub(&motion.at(&t).foot, &then));
        assert_eq!(sweep.approaching, into, "{what}");
        seen[if found == Feature::Interior { 2 } else { 3 }] += 1;
        seen[4] += u64::from(!sweep.approaching);
    }
    assert!(seen[..4].iter().all(|&k| k > n / 20) && seen[4] > n / 150, "{seen:?}");
}

#[test]
fn an_end_is_met_a_hair_after_the_line_of_the_flank() {
    // Along x to an upright wall: where its line would be met, its lower end lies 3.5e-92 above the way. The end is met later by 1e-121 of the
    // reach, and the point of the outline is then 6.1e-156 off the middle of two numbers, on the side of the odd one (root and quotient to
    // 1500 digits).
    let wall = Segment::new([-9.62965e-35, -1.175_494_4e-38], [-9.62965e-35, -9.62965e-35]).with_radius(9.629_653e-35);
    let circle = Circle::new([-3.226_371_5e19, -9.629_651e-35], 9.841_504e-32);
    let v = Vec2::new(6.452_743e19, 2.2959e-41);
    let sweep = sweep_circle_segment(circle, v, wall).unwrap();
    assert_eq!((sweep.fraction, sweep.contact.feature), (0.5, Feature::End));
    assert_eq!(sweep.contact.point, Vec2::new(-1.925_930_2e-34, -9.62965e-35));
    assert_eq!(sweep.contact.point.x.to_bits() % 2, 1);
    let motion = Motion::new(circle, v, wall);
    let t = motion.first_touch(&Q::one());
    check_touch(&motion, &t, circle.radius, wall.radius, sweep.fraction, sweep.contact, "a hair");
    check_feature(&motion, &t, sweep.contact.feature, "a hair");
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
            && (&passing - t).abs() < Q::from_parts(1.into(), UBig::ONE << 300)
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
    let n = cases(4_000);
    for _ in 0..n {
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
            let apart = sub(&q2(b.center), &q2(a.center));
            let normal = if square(&apart).is_zero() { [Q::zero(), Q::one()] } else { apart };
            assert_eq!(sweep.approaching, goes_into(&motion, &normal), "{what}");
            continue;
        }
        seen[2] += 1;
        let t = motion.first_touch(&Q::one());
        assert_eq!((sweep.fraction, sweep.contact.separation), (nearest(&t), 0.0), "{what}");
        assert_eq!(sweep.contact.feature, Feature::Interior, "{what}");
        let centres = [along(&q2(a.center), &q2(v), &t), along(&q2(b.center), &q2(w), &t)];
        let reach = q(a.radius) + q(b.radius);
        if reach.is_zero() {
            assert_eq!(sweep.contact.point, nearest2(&centres[1]), "{what}");
            assert_eq!(sweep.contact.normal, nearest2(&unit(&[Q::zero(), Q::zero()], &motion.v)), "{what}");
            assert!(sweep.approaching, "{what}");
            continue;
        }
        let d = sub(&centres[1], &centres[0]);
        assert_eq!(sweep.approaching, goes_into(&motion, &d), "{what}");
        let normal = [&d[0] / &reach, &d[1] / &reach];
        assert_eq!(sweep.contact.normal, nearest2(&normal), "{what}");
        assert_eq!(sweep.contact.point, nearest2(&along(&centres[1], &normal, &-q(b.radius))), "{what}");
    }
    assert!(seen.iter().all(|&k| k > n / 20), "{seen:?}");
}

#[test]
fn what_is_not_valid_meets_nothing() {
    // Where a radius is below zero, what both add up to would be enough, on the way.
    let (circle, other) = (Circle::new([-20.0, 0.0], 5.0), Circle::new([1.0, 0.0], 5.0));
    let wall = Segment::new([1.0, 0.0], [2.0, 0.0]).with_radius(5.0);
    let below = |circle: Circle| Circle::new(circle.center, -1.0);
    let (way, rest) = ([40.0, 0.0], [0.0, 0.0]);
    assert!(sweep_circle_segment(circle, way, wall).is_some());
    assert!(sweep_circle_circle(circle, way, other, rest).is_some());
    assert_eq!(sweep_circle_segment(below(circle), way, wall), None);
    assert_eq!(sweep_circle_segment(circle, way, wall.with_radius(-1.0)), None);
    assert_eq!(sweep_circle_circle(below(circle), way, other, rest), None);
    assert_eq!(sweep_circle_circle(circle, way, below(other), rest), None);
    for bad in [f32::NAN, f32::INFINITY].map(|v| [0.0, v]) {
        assert_eq!(sweep_circle_segment(circle, bad, wall), None);
        assert_eq!(sweep_circle_circle(circle, bad, other, rest), None);
        assert_eq!(sweep_circle_circle(circle, way, other, bad), None);
    }
}

#[test]
fn rays() {
    let mut random = Random::new(6);
    let mut seen = [0; 3];
    let n = cases(4_000);
    for i in 0..n {
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
    assert!(seen.iter().all(|&k| k > n / 20), "{seen:?}");
}
