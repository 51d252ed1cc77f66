//! A direction and its length in plain `f64`, and what is surely right about them.
//!
//! Comes in: two points, or a vector. Goes out: components of a normal, a distance less two radii: each the `f32` nearest to the exact
//! value, as the generic formulas of `exact` give it, at a tenth of their price. Knows no shape.
//!
//! Bounds, u = 2^-53. A difference of two `f32` is off by u of itself, |v|² by 4u, its root r by 3u, v / r by 5u. Nothing under-
//! or overflows. What is asked of [`nearest`] leaves room for its own two roundings.

pub(super) use crate::exact::vector;
use crate::exact::{Number, P, U, V, Value, diff, exact_sum, excess_over_point, measure, nearest, norm2, reach};

/// A vector that is not zero.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arrow {
    pub(super) v: [f64; 2],
    pub(super) length: f64,
    /// v over its length; exactly ±1 and 0 where `straight`.
    pub(super) unit: [f64; 2],
}

impl Arrow {
    #[inline(always)]
    pub(super) fn new(v: [f64; 2]) -> Arrow {
        let length = (v[0] * v[0] + v[1] * v[1]).sqrt();
        Arrow { v, length, unit: [v[0] / length, v[1] / length] }
    }

    /// Along an axis: then the root of the square is the size itself, and all else follows without rounding.
    #[inline(always)]
    pub(super) fn straight(&self) -> bool {
        self.v[0] == 0.0 || self.v[1] == 0.0
    }

    /// A component of the unit vector: off by 5u of itself.
    #[inline(always)]
    pub(super) fn normal(&self, axis: usize) -> Option<f32> {
        nearest(self.unit[axis], self.unit[axis].abs() * (8.0 * U))
    }
}

/// `|q - p| - (r + s)`, where the arrow is that from p to q; `excess` is asked for the exact difference of their squares.
#[inline(always)]
pub(super) fn gap(arrow: &Arrow, p: P, q: P, r: f32, s: f32) -> f32 {
    let radii = f64::from(r) + f64::from(s);
    // Off by 3u of the length, u of the radii, u of the difference; u more for `nearest`: at most 5u of the sum.
    nearest(arrow.length - radii, (arrow.length + radii) * (5.5 * U)).unwrap_or_else(|| close_gap(arrow, p, q, r, s))
}

/// The same where lengths and radii cancel: √l - R = (l - R²) / (√l + R), right to 1u, 4u, and 1u for the quotient; u more for `nearest`.
#[inline(never)]
fn close_gap(arrow: &Arrow, p: P, q: P, r: f32, s: f32) -> f32 {
    if arrow.straight() {
        let axis = usize::from(arrow.v[0] == 0.0);
        let (from, to) = if arrow.v[axis] < 0.0 { (q, p) } else { (p, q) };
        if let Some(sum) = exact_sum([to[axis], -from[axis], -r, -s].map(f64::from)) {
            return nearest(sum, 0.0).unwrap_or(0.0);
        }
    }
    excess_over_point(p, q, r, s)
        .and_then(|excess| {
            let gap = excess / (arrow.length + (f64::from(r) + f64::from(s)));
            nearest(gap, gap.abs() * (7.5 * U))
        })
        .unwrap_or_else(|| measure!(distance_less(p, q, r, s)))
}

/// `√l - (r + s)`, l = |q - p|².
#[inline(always)]
fn distance_less<N: Number>(p: P, q: P, r: f32, s: f32) -> Value<N> {
    Value::surd(-reach::<N>(r, s), N::from(1.0), norm2(diff(q, p)), N::from(1.0))
}

/// `v / |v|` = `v √l / l` with l = |v|².
#[inline(always)]
pub(super) fn unit<N: Number>(v: V<N>, axis: usize) -> Value<N> {
    let l = norm2(v);
    Value::surd(N::from(0.0), v[axis], l, l)
}

/// `-(r + s)`.
#[inline(always)]
pub(super) fn minus_both(r: f32, s: f32) -> f32 {
    #[inline(always)]
    fn depth<N: Number>(r: f32, s: f32) -> Value<N> {
        Value::ratio(-reach::<N>(r, s), N::from(1.0))
    }
    let sum = f64::from(r) + f64::from(s);
    match exact_sum([f64::from(r), f64::from(s)]) {
        Some(sum) => nearest(-sum, 0.0).unwrap_or(0.0),
        None => nearest(-sum, sum * (4.0 * U)).unwrap_or_else(|| measure!(depth(r, s))),
    }
}
