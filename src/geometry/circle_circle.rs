//! Circle against circle.
//!
//! Comes in: two circles. Goes out: whether and how they touch. Does not know segments or motion.
//!
//! Source: Ericson, Real-Time Collision Detection, 4.3.1, with the decision on unrounded squares and each value rounded once.

use super::{Circle, Contact, Feature, Vec2};
use crate::exact::{Number, P, V, Value, compare_to_point, diff, measure, norm2, reach};
use std::cmp::Ordering;

/// Whether two closed discs have a point in common: |c2 - c1|² <= (r1 + r2)², decided exactly.
///
/// Invalid circles touch nothing.
#[must_use]
pub fn circles_touch(a: Circle, b: Circle) -> bool {
    compare(a, b).is_some_and(Ordering::is_le)
}

/// How two circles touch, or `None`; one inside the other is a hit.
///
/// `separation` = |c2 - c1| - (r1 + r2), `normal` = (c2 - c1) / |c2 - c1| and `point` = (c1 + c2) / 2 + `normal` (r1 - r2) / 2, each
/// the `f32` nearest to the exact value. Coincident centres: normal (0, 1). Invalid circles: `None`.
#[must_use]
pub fn circle_circle(a: Circle, b: Circle) -> Option<Contact> {
    let touch = compare(a, b)?;
    if touch.is_gt() {
        return None;
    }
    if a.center == b.center {
        return Some(concentric(a, b));
    }
    Some(Contact {
        point: Vec2::new(measure!(midway(a, b, 0)), measure!(midway(a, b, 1))),
        normal: direction(a.center.into(), b.center.into()),
        separation: if touch.is_eq() { 0.0 } else { measure!(gap(a, b)) },
        feature: Feature::Interior,
    })
}

fn compare(a: Circle, b: Circle) -> Option<Ordering> {
    (a.is_valid() && b.is_valid()).then(|| compare_to_point(a.center.into(), b.center.into(), a.radius, b.radius))
}

/// The unit vector from `from` to another point `to`.
#[inline(always)]
pub(super) fn direction(from: P, to: P) -> Vec2 {
    Vec2::new(measure!(component(from, to, 0)), measure!(component(from, to, 1)))
}

/// `d / |d|` = `d √l / l` with l = |d|².
#[inline(always)]
pub(super) fn unit<N: Number>(d: V<N>, axis: usize) -> Value<N> {
    let l = norm2(d);
    Value::surd(N::from(0.0), d[axis], l, l)
}

#[inline(always)]
fn component<N: Number>(from: P, to: P, axis: usize) -> Value<N> {
    unit(diff(to, from), axis)
}

/// `√l - (r1 + r2)`.
#[inline(always)]
fn gap<N: Number>(a: Circle, b: Circle) -> Value<N> {
    let l = norm2(diff::<N>(a.center.into(), b.center.into()));
    Value::surd(-reach::<N>(a.radius, b.radius), N::from(1.0), l, N::from(1.0))
}

/// `(c1 + c2) / 2 + d (r1 - r2) / (2 √l)`, over 2 l.
#[inline(always)]
fn midway<N: Number>(a: Circle, b: Circle, axis: usize) -> Value<N> {
    let (p, q): (P, P) = (a.center.into(), b.center.into());
    let d = diff::<N>(q, p);
    let l = norm2(d);
    let sum = N::from(p[axis]) + N::from(q[axis]);
    Value::surd(sum * l, d[axis] * (N::from(a.radius) - N::from(b.radius)), l, N::from(2.0) * l)
}

fn concentric(a: Circle, b: Circle) -> Contact {
    #[inline(always)]
    fn depth<N: Number>(a: f32, b: f32) -> Value<N> {
        Value::ratio(-reach::<N>(a, b), N::from(1.0))
    }
    #[inline(always)]
    fn height<N: Number>(y: f32, a: f32, b: f32) -> Value<N> {
        Value::ratio(N::from(2.0) * N::from(y) + N::from(a) - N::from(b), N::from(2.0))
    }
    Contact {
        point: Vec2::new(a.center.x + 0.0, measure!(height(a.center.y, a.radius, b.radius))),
        normal: Vec2::new(0.0, 1.0),
        separation: measure!(depth(a.radius, b.radius)),
        feature: Feature::Interior,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_four_five() {
        // Centres 5 apart, radii 2 + 4: 1 deep. Outlines on the line of centres at 2 and 5 - 4 = 1, midway 1.5 (0.6, 0.8).
        let contact = circle_circle(Circle::new([0.0, 0.0], 2.0), Circle::new([3.0, 4.0], 4.0)).unwrap();
        assert_eq!(contact.separation, -1.0);
        assert_eq!(contact.normal, Vec2::new(0.6, 0.8));
        assert_eq!(contact.point, Vec2::new(0.9, 1.2));
    }

    #[test]
    fn touching_is_a_hit_and_one_ulp_less_is_none() {
        let (a, b) = (Circle::new([0.0, 0.0], 2.0), Circle::new([3.0, 4.0], 3.0));
        assert_eq!(circle_circle(a, b).unwrap().separation.to_bits(), 0);
        assert_eq!(circle_circle(a, Circle::new([3.0, 4.0], 3.0f32.next_down())), None);
        // The sum 2 + (3 - ulp) rounds to 5 in f32: only an unrounded sum sees the gap.
        assert_eq!(2.0 + 3.0f32.next_down(), 5.0);
    }

    #[test]
    fn coincident_centres_point_up() {
        // Radii 2 and 1 about (1, 1): outlines at y = 3 and y = 0, midway 1.5; 3 deep.
        let contact = circle_circle(Circle::new([1.0, 1.0], 2.0), Circle::new([1.0, 1.0], 1.0)).unwrap();
        assert_eq!((contact.normal, contact.separation), (Vec2::new(0.0, 1.0), -3.0));
        assert_eq!(contact.point, Vec2::new(1.0, 1.5));
    }

    #[test]
    fn squares_outside_of_f32_and_invalid_circles() {
        let tiny = f32::from_bits(1);
        assert!(!circles_touch(Circle::new([tiny, 0.0], 0.0), Circle::new([0.0, 0.0], 0.0)));
        assert!(circles_touch(Circle::new([tiny, 0.0], tiny), Circle::new([0.0, 0.0], 0.0)));
        let huge =
            circle_circle(Circle::new([-f32::MAX, 0.0], f32::MAX), Circle::new([f32::MAX, 0.0], f32::MAX)).unwrap();
        assert_eq!((huge.separation, huge.normal, huge.point), (0.0, Vec2::new(1.0, 0.0), Vec2::ZERO));
        for bad in [f32::NAN, f32::INFINITY, -1.0] {
            assert!(!circles_touch(Circle::new([0.0, 0.0], bad), Circle::new([0.0, 0.0], 1.0)));
        }
        assert!(!circles_touch(Circle::new([f32::NAN, 0.0], 1.0), Circle::new([0.0, 0.0], 1.0)));
    }
}
