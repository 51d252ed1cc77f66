//! Swept circles and rays: every answer of `geometry` against exact rational arithmetic.
//!
//! Comes in: bytes. Goes out: nothing, or a panic.

use crate::choices::Choices;
use crate::draw::Draw;
use crate::oracle::*;
use crate::pairs::{feature, same_contact};
use gridlane::geometry::*;
use num_traits::{One, Signed, Zero};

pub fn sweep(d: &mut Draw<'_>) {
    let segment = d.segment();
    let circle = d.circle_by(segment);
    let (circle, v) = motion(d, circle);
    let what = format!("{circle:?} {v:?} {segment:?}");
    let found = sweep_circle_segment(circle, v, segment);
    if !(circle.is_valid() && segment.is_valid() && v.is_finite()) {
        assert!(found.is_none(), "{what}");
        return;
    }
    let motion = Motion::new(circle, v, segment);
    assert_eq!(found.is_some(), motion.touched_by(&Q::one()), "{what}");
    let Some(sweep) = found else { return };
    if let Some(start) = circle_segment(circle, segment) {
        assert_eq!(sweep.fraction.to_bits(), 0, "{what}");
        same_contact(Some(sweep.contact), Some(start), &what);
        let near = motion.at(&Q::zero());
        if !near.distance2.is_zero() {
            let ahead = dot(&sub(&near.foot, &motion.c), &motion.v).is_positive();
            assert_eq!(sweep.approaching, ahead, "{what}");
        }
        return;
    }
    assert_eq!(sweep.contact.separation.to_bits(), 0, "{what}");
    let t = motion.first_touch(&Q::one());
    check_touch(&motion, &t, segment.radius, sweep.fraction, sweep.contact, &what);
    check_feature(&motion, &t, sweep.contact.feature, &what);
}

/// The same circle with a motion, or from elsewhere on its way to, or through, where it was.
fn motion(d: &mut Draw<'_>, circle: Circle) -> (Circle, Vec2) {
    let (other, kind) = (d.point(), d.script.below(4));
    if kind < 2 {
        return (circle, other);
    }
    let k = [1.0, 2.0][kind - 2];
    let c = circle.center;
    (Circle::new(other, circle.radius), Vec2::new((c.x - other.x) * k, (c.y - other.y) * k))
}

pub fn sweep_of_circles(d: &mut Draw<'_>) {
    let (a, b) = d.circles();
    let (a, v) = motion(d, a);
    let w = if d.script.once_in(2) { d.point() } else { Vec2::ZERO };
    let what = format!("{a:?} {v:?} {b:?} {w:?}");
    let found = sweep_circle_circle(a, v, b, w);
    if !(a.is_valid() && b.is_valid() && v.is_finite() && w.is_finite()) {
        assert!(found.is_none(), "{what}");
        return;
    }
    let mut motion = Motion::new(a, v, Segment::new(b.center, b.center).with_radius(b.radius));
    motion.v = sub(&q2(v), &q2(w));
    assert_eq!(found.is_some(), motion.touched_by(&Q::one()), "{what}");
    let Some(sweep) = found else { return };
    if let Some(start) = circle_circle(a, b) {
        assert_eq!(sweep.fraction.to_bits(), 0, "{what}");
        same_contact(Some(sweep.contact), Some(start), &what);
        return;
    }
    let t = motion.first_touch(&Q::one());
    assert_eq!(sweep.fraction, nearest(&t), "{what}");
    let centres = [along(&q2(a.center), &q2(v), &t), along(&q2(b.center), &q2(w), &t)];
    if motion.reach.is_zero() {
        assert_eq!(sweep.contact.point, nearest2(&centres[1]), "{what}");
        return;
    }
    let d = sub(&centres[1], &centres[0]);
    let normal = [&d[0] / &motion.reach, &d[1] / &motion.reach];
    assert_eq!(sweep.contact.normal, nearest2(&normal), "{what}");
    assert_eq!(sweep.contact.point, nearest2(&along(&centres[1], &normal, &-q(b.radius))), "{what}");
}

pub fn ray(d: &mut Draw<'_>) {
    let mut segment = d.segment();
    let disc = d.script.once_in(2);
    if disc {
        segment.end = segment.start;
    }
    let ray = d.ray();
    let what = format!("{ray:?} {segment:?} {disc}");
    let hit =
        if disc { ray_circle(ray, Circle::new(segment.start, segment.radius)) } else { ray_segment(ray, segment) };
    if !(ray.is_valid() && segment.is_valid()) {
        assert!(hit.is_none(), "{what}");
        return;
    }
    let point = Circle::new(ray.origin, 0.0);
    let motion = Motion::new(point, ray.direction, segment);
    let max = q(ray.max);
    assert_eq!(hit.is_some(), motion.touched_by(&max), "{what}");
    let Some(hit) = hit else { return };
    let normal = Vec2::new(0.0 - hit.normal.x, 0.0 - hit.normal.y);
    if let Some(start) = circle_segment(point, segment) {
        assert_eq!((hit.t, hit.point, normal), (0.0, ray.origin, start.normal), "{what}");
        return;
    }
    let contact = Contact { point: hit.point, normal, separation: 0.0, feature: hit.feature };
    let t = motion.first_touch(&max);
    check_touch(&motion, &t, segment.radius, hit.t, contact, &what);
    if !disc {
        check_feature(&motion, &t, hit.feature, &what);
    }
}

/// Two components rounded to nearest: the length is off by at most √2 half ulps of one.
fn is_unit(n: Vec2) -> bool {
    let (x, y) = (f64::from(n.x), f64::from(n.y));
    ((x * x + y * y).sqrt() - 1.0).abs() < 6e-8
}

/// What a first touch after the start has to be: fraction and contact, within half an ulp.
fn check_touch(motion: &Motion, t: &Q, own: f32, fraction: f32, contact: Contact, what: &str) {
    assert_eq!(fraction, nearest(t), "{what}");
    let (then, near) = (along(&motion.c, &motion.v, t), motion.at(t));
    if motion.reach.is_zero() {
        assert!(is_unit(contact.normal), "{what}");
        assert_eq!(contact.point, nearest2(&near.foot), "{what}");
        return;
    }
    let d = sub(&near.foot, &then);
    let normal = [&d[0] / &motion.reach, &d[1] / &motion.reach];
    assert_eq!(contact.normal, nearest2(&normal), "{what}");
    assert_eq!(contact.point, nearest2(&along(&near.foot, &normal, &-q(own))), "{what}");
}

/// The part nearest at the first touch: of rational moments exactly, of others to 800 places.
fn check_feature(motion: &Motion, t: &Q, found: Feature, what: &str) {
    // A root that is not rational leaves the foot off an end by its own error: look again at the moment the foot is there.
    let e = sub(&motion.b, &motion.a);
    let speed = dot(&motion.v, &e);
    for (end, at) in [(&motion.a, Feature::Start), (&motion.b, Feature::End)] {
        if speed.is_zero() {
            break;
        }
        let passing = -dot(&sub(&motion.c, end), &e) / &speed;
        let near = motion.at(&passing);
        let close = (&passing - t).abs() < t.abs() * Q::from_parts(1.into(), dashu_int::UBig::ONE << 300);
        if close && near.distance2 == &motion.reach * &motion.reach {
            return assert_eq!(found, at, "{what}");
        }
    }
    assert_eq!(found, feature(motion.at(t).at), "{what}");
}
