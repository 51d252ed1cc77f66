//! What a generic formula may do with a number, and the few vector products all formulas are made of.
//!
//! Comes in: `f32`. Goes out: sums and products, in whichever arithmetic the caller asks for. Knows no formula of its own.

use std::ops::{Add, Mul, Neg, Sub};

/// A point or a vector as it is stored.
pub(crate) type P = [f32; 2];
/// A point or a vector in one of the arithmetics.
pub(crate) type V<N> = [N; 2];

/// An arithmetic in which a polynomial of `f32` can be evaluated: [`super::Rough`], [`super::Few`] or [`super::Many`].
pub(crate) trait Number:
    Copy + From<f32> + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Neg<Output = Self>
{
}

/// The coordinates as numbers.
#[inline(always)]
pub(crate) fn lift<N: Number>(a: P) -> V<N> {
    [N::from(a[0]), N::from(a[1])]
}

/// `a - b`, unrounded.
#[inline(always)]
pub(crate) fn diff<N: Number>(a: P, b: P) -> V<N> {
    [N::from(a[0]) - N::from(b[0]), N::from(a[1]) - N::from(b[1])]
}

/// `a · b`.
#[inline(always)]
pub(crate) fn dot<N: Number>(a: V<N>, b: V<N>) -> N {
    a[0] * b[0] + a[1] * b[1]
}

/// `a × b = ax by - ay bx`: positive when `b` lies to the left of `a`.
#[inline(always)]
pub(crate) fn cross<N: Number>(a: V<N>, b: V<N>) -> N {
    a[0] * b[1] - a[1] * b[0]
}

/// `a · a`.
#[inline(always)]
pub(crate) fn norm2<N: Number>(a: V<N>) -> N {
    dot(a, a)
}
