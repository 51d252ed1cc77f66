//! Mirrored velocities.
//!
//! Comes in: a velocity and a normal of any length. Goes out: the velocity after the mirror. Does not know masses or contacts.
//!
//! Source: v - 2 n (v · n) / (n · n) (Ericson, Real-Time Collision Detection, 3.3.4), rounded once.

use super::Vec2;
use crate::exact::{Number, P, Value, decide, dot, lift, measure, norm2};
use std::cmp::Ordering;

/// `velocity` mirrored in the line at right angles to `normal`, whichever way the normal points.
///
/// Each component is the `f32` nearest to the exact one, saturated to ±`f32::MAX`; the normal need not be of unit length. Zero or
/// non-finite normal: unchanged. A velocity that is not finite: zero.
#[must_use]
pub fn reflect(velocity: impl Into<Vec2>, normal: impl Into<Vec2>) -> Vec2 {
    let (velocity, normal) = (velocity.into(), normal.into());
    if !velocity.is_finite() {
        return Vec2::ZERO;
    }
    if !normal.is_finite() || normal == Vec2::ZERO {
        return velocity;
    }
    let (v, n): (P, P) = (velocity.into(), normal.into());
    Vec2::new(measure!(mirrored(v, n, 0)), measure!(mirrored(v, n, 1)))
}

/// [`reflect`] where the velocity approaches the surface, else the velocity unchanged.
///
/// `normal` points out of the surface, towards the moving body: of a contact of a circle with a segment that is the contact's normal
/// *negated*. Approaching is v · n < 0, decided exactly, so what already leaves or slides is left alone.
#[must_use]
pub fn bounce(velocity: impl Into<Vec2>, normal: impl Into<Vec2>) -> Vec2 {
    let (velocity, normal) = (velocity.into(), normal.into());
    if !(velocity.is_finite() && normal.is_finite()) {
        return reflect(velocity, normal);
    }
    let (v, n): (P, P) = (velocity.into(), normal.into());
    if decide!(along(v, n)) == Ordering::Less { reflect(velocity, normal) } else { velocity }
}

#[inline(always)]
fn along<N: Number>(v: P, n: P) -> N {
    dot(lift::<N>(v), lift(n))
}

#[inline(always)]
fn mirrored<N: Number>(v: P, n: P, axis: usize) -> Value<N> {
    let (v, n) = (lift::<N>(v), lift::<N>(n));
    let l = norm2(n);
    Value::ratio(v[axis] * l - N::from(2.0) * dot(v, n) * n[axis], l)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mirrors_need_no_unit_normal() {
        assert_eq!(reflect([3.0, -4.0], [0.0, 7.0]), Vec2::new(3.0, 4.0));
        // n = (1, 1): components swap and change sign.
        assert_eq!(reflect([3.0, 4.0], [1.0, 1.0]), Vec2::new(-4.0, -3.0));
        assert_eq!(reflect([3.0, 4.0], [1e-30, 1e-30]), Vec2::new(-4.0, -3.0));
        assert_eq!(reflect([1.0, 1.0], [0.0, 0.0]), Vec2::new(1.0, 1.0));
        assert_eq!(reflect([1.0, f32::NAN], [0.0, 1.0]), Vec2::ZERO);
    }

    #[test]
    fn what_leaves_is_left_alone() {
        assert_eq!(bounce([1.0, -1.0], [0.0, 1.0]), Vec2::new(1.0, 1.0));
        assert_eq!(bounce([1.0, 1.0], [0.0, 1.0]), Vec2::new(1.0, 1.0));
        assert_eq!(bounce([1.0, 0.0], [0.0, 1.0]), Vec2::new(1.0, 0.0));
    }
}
