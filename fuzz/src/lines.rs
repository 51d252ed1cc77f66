//! Lines, outlines and mirrors: every answer of `geometry` against exact rational arithmetic.
//!
//! Comes in: bytes. Goes out: nothing, or a panic.

use crate::choices::Choices;
use crate::draw::Draw;
use crate::oracle::*;
use gridlane::geometry::*;
use num_traits::{One, Signed, Zero};
use std::cmp::Ordering;

pub fn line(d: &mut Draw<'_>) {
    let line = match d.script.below(3) {
        0 => d.line(),
        1 => Line::through(d.segment()),
        _ => Line::new(d.point(), d.segment().end),
    };
    let aside = Segment::new(line.base, line.base);
    let circle = d.circle_by(aside);
    let what = format!("{circle:?} {line:?}");
    let (near, signed) = (nearest_on_line(circle.center, line), signed_distance(circle.center, line));
    let cut = line_circle(line, circle);
    if !(line.is_valid() && circle.center.is_finite()) {
        assert_eq!(near, NearestOnLine::default(), "{what}");
        assert_eq!(signed, SignedDistance { side: Ordering::Equal, height: 0.0 }, "{what}");
    }
    if !(line.is_valid() && circle.is_valid()) {
        assert_eq!(cut, LineCircle { foot: Vec2::ZERO, t: 0.0, crossing: LineCrossing::Miss }, "{what}");
        return;
    }
    let (c, a, v) = (q2(circle.center), q2(line.base), q2(line.direction));
    let l = square(&v);
    let t = if l.is_zero() { Q::zero() } else { dot(&sub(&c, &a), &v) / &l };
    let foot = along(&a, &v, &t);
    let distance2 = square(&sub(&c, &foot));
    assert_eq!((near.t, near.foot), (nearest(&t), nearest2(&foot)), "{what}");
    assert_eq!(near.distance, nearest(&root(&distance2)), "{what}");
    // Left is where the quarter turn of the direction points.
    let side = dot(&[-&v[1], v[0].clone()], &sub(&c, &a)).cmp(&Q::zero());
    let height = if side == Ordering::Less { 0.0 - near.distance } else { near.distance };
    assert_eq!((signed.side, signed.height), (side, height), "{what}");
    assert_eq!((cut.foot, cut.t), (near.foot, near.t), "{what}");
    let r2 = q(circle.radius) * q(circle.radius);
    let expected = match distance2.cmp(&r2) {
        Ordering::Equal => vec![t.clone()],
        Ordering::Less if !l.is_zero() => {
            let half = root(&((&r2 - &distance2) / &l));
            vec![&t - &half, &t + &half]
        }
        _ => vec![],
    };
    let found = match cut.crossing {
        LineCrossing::Miss => vec![],
        LineCrossing::Tangent(p) => vec![p],
        LineCrossing::Secant(p, q) => vec![p, q],
    };
    let at = |t: &Q| OutlinePoint { t: nearest(t), point: nearest2(&along(&a, &v, t)) };
    assert_eq!(found, expected.iter().map(at).collect::<Vec<_>>(), "{what}");
}

/// Where a segment crosses the outline of a circle.
pub fn outline(circle: Circle, segment: Segment, what: &str) {
    let (c, a, b) = (q2(circle.center), q2(segment.start), q2(segment.end));
    let (e, r2) = (sub(&b, &a), q(circle.radius) * q(circle.radius));
    let l = square(&e);
    let mut expected = vec![];
    if !l.is_zero() {
        let t = dot(&sub(&c, &a), &e) / &l;
        let half2 = (&r2 - square(&sub(&c, &along(&a, &e, &t)))) / &l;
        if !half2.is_negative() {
            let half = root(&half2);
            // Whether t ∓ half lies in 0..=1 is asked of squares: roots are rounded.
            let signed = |x: Q| if x.is_negative() { -(&x * &x) } else { &x * &x };
            if signed(t.clone()) >= half2 && signed(&t - Q::one()) <= half2 {
                expected.push(&t - &half);
            }
            if signed(Q::one() - &t) >= half2 && signed(-&t) <= half2 && !half2.is_zero() {
                expected.push(&t + &half);
            }
        }
    }
    let found = match segment_circle(segment, circle) {
        SegmentCircle::None => vec![],
        SegmentCircle::One(p) => vec![p],
        SegmentCircle::Two(p, q) => vec![p, q],
    };
    let at = |t: &Q| OutlinePoint { t: nearest(t), point: nearest2(&along(&a, &e, t)) };
    assert_eq!(found, expected.iter().map(at).collect::<Vec<_>>(), "{what}");
}

pub fn two_lines(d: &mut Draw<'_>) {
    let (a, b) = (d.line(), d.line());
    let what = format!("{a:?} {b:?}");
    let found = line_line(a, b);
    if !(a.is_valid() && b.is_valid()) {
        assert_eq!(found, LineLine::Parallel, "{what}");
        return;
    }
    let (e, f, g) = (q2(a.direction), q2(b.direction), sub(&q2(b.base), &q2(a.base)));
    let det = &e[1] * &f[0] - &e[0] * &f[1];
    let expected = if det.is_zero() {
        LineLine::Parallel
    } else {
        // t e - u f = g, by Cramer's rule on the columns.
        let t = (&g[1] * &f[0] - &g[0] * &f[1]) / &det;
        let u = (&g[1] * &e[0] - &g[0] * &e[1]) / &det;
        LineLine::Cross { point: nearest2(&along(&q2(a.base), &e, &t)), t: nearest(&t), u: nearest(&u) }
    };
    assert_eq!(found, expected, "{what}");
}

pub fn mirror(d: &mut Draw<'_>) {
    let (v, n) = (d.point(), d.point());
    let what = format!("{v:?} {n:?}");
    let (mirrored, bounced) = (reflect(v, n), bounce(v, n));
    if !(v.is_finite() && n.is_finite()) {
        let calm = |v: Vec2| !v.x.is_nan() && !v.y.is_nan();
        assert!(calm(mirrored) && calm(bounced), "{what}: {mirrored:?} {bounced:?}");
        return;
    }
    let (e, f) = (q2(v), q2(n));
    // The part along the normal, twice, taken away.
    let expected = if square(&f).is_zero() {
        v
    } else {
        nearest2(&along(&e, &f, &(dot(&e, &f) / square(&f) * Q::from(-2))))
    };
    assert_eq!(mirrored, expected, "{what}");
    assert_eq!(bounced, if dot(&e, &f).is_negative() { expected } else { v }, "{what}");
}
