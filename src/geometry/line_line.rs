//! Line against line.
//!
//! Comes in: two lines. Goes out: their common point, or that they are parallel. Knows no ends.
//!
//! Source: Cramer's rule (O'Rourke, Computational Geometry in C, 7.2); parallel is decided exactly, each value rounded once.

use super::{Line, Vec2};
use crate::exact::{Number, P, Value, cross, decide, diff, lift, measure};
use std::cmp::Ordering;

/// How two lines meet.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum LineLine {
    /// In one point.
    Cross {
        /// The point, saturated to ±`f32::MAX`.
        point: Vec2,
        /// `point = base + t direction` on the first line, saturated.
        t: f32,
        /// The same on the second.
        u: f32,
    },
    /// Directions parallel or zero: no point, or more than one.
    Parallel,
}

/// The point where two lines cross: t = (b₂ - b₁) × v₂ / (v₁ × v₂), u = (b₂ - b₁) × v₁ / (v₁ × v₂).
///
/// Parallel where v₁ × v₂ = 0 exactly, so also where a direction is zero, and where a number is not finite. Each value
/// is the `f32` nearest to the exact one.
#[must_use]
pub fn line_line(a: Line, b: Line) -> LineLine {
    if !(a.is_valid() && b.is_valid()) {
        return LineLine::Parallel;
    }
    let (p, v): (P, P) = (a.base.into(), a.direction.into());
    let (q, w): (P, P) = (b.base.into(), b.direction.into());
    if decide!(determinant(v, w)) == Ordering::Equal {
        return LineLine::Parallel;
    }
    LineLine::Cross {
        point: Vec2::new(measure!(point(p, v, q, w, 0)), measure!(point(p, v, q, w, 1))),
        t: measure!(parameter(p, v, q, w)),
        u: measure!(parameter(q, w, p, v)),
    }
}

#[inline(always)]
fn determinant<N: Number>(v: P, w: P) -> N {
    cross(lift::<N>(v), lift(w))
}

#[inline(always)]
fn parameter<N: Number>(p: P, v: P, q: P, w: P) -> Value<N> {
    Value::ratio(cross(diff(q, p), lift(w)), determinant(v, w))
}

#[inline(always)]
fn point<N: Number>(p: P, v: P, q: P, w: P, axis: usize) -> Value<N> {
    let d = determinant::<N>(v, w);
    Value::ratio(N::from(p[axis]) * d + cross(diff::<N>(q, p), lift(w)) * N::from(v[axis]), d)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_textbook_formulas_give_the_point() {
        // Determinant form: (5,5) + t (10,6) against (5,10) + u (10,-4): v × w = -40 - 60 = -100, (0,5) × w = -50, t = 1/2.
        let (a, b) = (Line::new([5.0, 5.0], [10.0, 6.0]), Line::new([5.0, 10.0], [10.0, -4.0]));
        assert_eq!(line_line(a, b), LineLine::Cross { point: Vec2::new(10.0, 8.0), t: 0.5, u: 0.5 });
        // Ratio form: heights of base and tip over the other line, 50 and -50 over |w|: 50 / (50 + 50).
        let (h0, h1) = (super::super::signed_distance([5.0, 5.0], b), super::super::signed_distance([15.0, 11.0], b));
        assert_eq!(h0.height.abs() / (h0.height.abs() + h1.height.abs()), 0.5);
    }

    #[test]
    fn parallel_is_exact() {
        let a = Line::new([0.0, 0.0], [3.0, 1.0]);
        assert_eq!(line_line(a, Line::new([0.0, 1.0], [-9.0, -3.0])), LineLine::Parallel);
        assert_eq!(line_line(a, a), LineLine::Parallel);
        assert_eq!(line_line(a, Line::new([7.0, 7.0], [0.0, 0.0])), LineLine::Parallel);
        assert!(matches!(line_line(a, Line::new([0.0, 1.0], [9.0, 3.0f32.next_up()])), LineLine::Cross { .. }));
        assert_eq!(line_line(a, Line::new([f32::NAN, 1.0], [9.0, 4.0])), LineLine::Parallel);
    }

    #[test]
    fn a_point_out_of_range_saturates() {
        // y = 0 and y = 1 + 2^-149 x cross at x = -2^149.
        let (a, b) = (Line::new([0.0, 0.0], [1.0, 0.0]), Line::new([0.0, 1.0], [1.0, f32::from_bits(1)]));
        let LineLine::Cross { point, t, u } = line_line(a, b) else { panic!("not parallel") };
        assert_eq!((point, t, u), (Vec2::new(f32::MIN, 0.0), f32::MIN, f32::MIN));
    }
}
