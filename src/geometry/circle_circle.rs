//! Circle against circle.
//!
//! Comes in: two circles. Goes out: whether and how they touch. Does not know segments or motion.
//!
//! Source: Ericson, Real-Time Collision Detection, 4.3.1, with the decision on unrounded squares and each value rounded once.

use super::arrow::{Arrow, gap, minus_both, unit, vector};
use super::{Circle, Contact, Feature, Vec2};
use crate::exact::{
    Number, P, U, Value, compare_to_point, compare_to_point_by_three, diff, exact_sum, measure, nearest, norm2,
};
use std::cmp::Ordering;

/// Whether two closed discs have a point in common: |c2 - c1|² <= (r1 + r2)², decided exactly.
///
/// Invalid circles touch nothing.
#[must_use]
pub fn circles_touch(a: Circle, b: Circle) -> bool {
    compare(a, b).is_some_and(Ordering::is_le)
}

/// Whether two closed discs come within `margin` of each other: |c2 - c1| <= r1 + r2 + `margin`, decided exactly.
///
/// Invalid circles, and a margin that is negative or not finite, are near nothing.
#[must_use]
pub fn circles_within(a: Circle, b: Circle, margin: f32) -> bool {
    let valid = a.is_valid() && b.is_valid() && margin >= 0.0 && margin.is_finite();
    valid && compare_to_point_by_three(a.center.into(), b.center.into(), [a.radius, b.radius, margin]).is_le()
}

/// How two circles touch, or `None`, decided exactly; one inside the other is a hit.
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
    let (p, q): (P, P) = (a.center.into(), b.center.into());
    let arrow = Arrow::new(vector(q, p));
    Some(Contact {
        point: Vec2::new(between(a, b, &arrow, 0), between(a, b, &arrow, 1)),
        normal: direction(p, q, &arrow),
        separation: if touch.is_eq() { 0.0 } else { gap(&arrow, p, q, a.radius, b.radius) },
        feature: Feature::Interior,
    })
}

fn compare(a: Circle, b: Circle) -> Option<Ordering> {
    (a.is_valid() && b.is_valid()).then(|| compare_to_point(a.center.into(), b.center.into(), a.radius, b.radius))
}

/// The unit vector from `from` to another point `to`, the arrow between them.
#[inline(always)]
fn direction(from: P, to: P, arrow: &Arrow) -> Vec2 {
    let component = |axis: usize| arrow.normal(axis).unwrap_or_else(|| measure!(component(from, to, axis)));
    Vec2::new(component(0), component(1))
}

#[inline(always)]
fn component<N: Number>(from: P, to: P, axis: usize) -> Value<N> {
    unit(diff(to, from), axis)
}

/// Midway between the outlines. With h = n (r1 - r2), off by 7u of itself: (c1 + c2 + h) / 2 is off by u |c1 + c2| + 4u |h| at most, and
/// `nearest` takes u / 2 of both.
#[inline(always)]
fn between(a: Circle, b: Circle, arrow: &Arrow, axis: usize) -> f32 {
    let (p, q): (P, P) = (a.center.into(), b.center.into());
    let sum = f64::from(p[axis]) + f64::from(q[axis]);
    let beside = arrow.unit[axis] * (f64::from(a.radius) - f64::from(b.radius));
    nearest((sum + beside) * 0.5, (sum.abs() + beside.abs()) * (5.0 * U))
        .or_else(|| between_rationally(p[axis], q[axis], a.radius, b.radius, arrow, axis))
        .unwrap_or_else(|| measure!(midway(a, b, axis)))
}

/// The same without rounding, where the normal takes no part or is ±1: the middle of two neighbouring `f32`, and zero, come up here.
#[inline(never)]
fn between_rationally(p: f32, q: f32, r: f32, s: f32, arrow: &Arrow, axis: usize) -> Option<f32> {
    let n = if r == s || arrow.v[axis] == 0.0 {
        0.0
    } else if arrow.straight() {
        arrow.unit[axis]
    } else {
        return None;
    };
    let sum = exact_sum([f64::from(p), f64::from(q), n * f64::from(r), -n * f64::from(s)])?;
    nearest(sum * 0.5, 0.0)
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
    fn height<N: Number>(y: f32, a: f32, b: f32) -> Value<N> {
        Value::ratio(N::from(2.0) * N::from(y) + N::from(a) - N::from(b), N::from(2.0))
    }
    Contact {
        point: Vec2::new(
            a.center.x + 0.0,
            exact_sum([a.center.y, a.center.y, a.radius, -b.radius].map(f64::from))
                .and_then(|sum| nearest(sum * 0.5, 0.0))
                .unwrap_or_else(|| measure!(height(a.center.y, a.radius, b.radius))),
        ),
        normal: Vec2::new(0.0, 1.0),
        separation: minus_both(a.radius, b.radius),
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
    fn what_is_not_valid_is_near_nothing() {
        let (a, b, none) =
            (Circle::new([0.0, 0.0], 2.0), Circle::new([3.0, 4.0], 3.0), Circle::new([0.0, f32::NAN], 1.0));
        assert!(circles_within(a, b, 0.0) && !circles_within(a, Circle::new([3.0, 4.0], 2.5), 0.25));
        assert!(!circles_within(none, b, 9.0) && !circles_within(a, none, 9.0));
        // What radii of which one is below zero add up to would be enough.
        let below = Circle::new([0.0, 0.0], -1.0);
        assert!(!circles_within(below, b, 9.0) && !circles_within(b, below, 9.0));
        assert!([-1.0, f32::NAN, f32::INFINITY].iter().all(|&bad| !circles_within(a, b, bad)));
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
        // Radii 1 and 2^-60, whose sum no f64 holds: -(1 + 2^-60) to the nearest f32. No coordinate is -0.
        let (a, b) = (Circle::new([-0.0, -0.0], 1.0), Circle::new([0.0, 0.0], (2.0f32).powi(-60)));
        assert_eq!([circle_circle(a, b), circle_circle(b, a)].map(|contact| contact.unwrap().separation), [-1.0; 2]);
        let point = circle_circle(a, a).unwrap().point;
        assert_eq!([point.x.to_bits(), point.y.to_bits()], [0, 0]);
    }

    #[test]
    fn the_middle_of_two_neighbours_between_circles_along_an_axis() {
        // (c1 + c2 + r1 - r2) / 2 = (2^23 + 2^23 + 2 - 1) / 2 = 2^23 + 1/2 ties to 2^23; two farther on, 2^23 + 3/2 to 2^23 + 2.
        for (radii, other, middle) in [([4.0, 5.0], 2.0, 0.0), ([3.0, 4.0], 2.0, 0.0), ([3.0, 4.0], 4.0, 2.0)] {
            let base = 8_388_608.0;
            let (a, b) = (Circle::new([base, 0.0], radii[0]), Circle::new([base + other, 0.0], radii[1]));
            assert_eq!(circle_circle(a, b).unwrap().point, Vec2::new(base + middle, 0.0));
            let (a, b) = (Circle::new([0.0, -base], radii[0]), Circle::new([0.0, -base - other], radii[1]));
            assert_eq!(circle_circle(a, b).unwrap().point, Vec2::new(0.0, -base - middle));
        }
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
