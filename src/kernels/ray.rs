//! A ray, or a circle on its way, against shapes: what both texts compute, and on what.
//!
//! Comes in: a [`Beam`], columns of segments or circles. Goes out: eight bits, each set unless the shape is *surely* missed. This room does
//! not know fractions: whoever asks evaluates the few that are left.
//!
//! The beam is o + p d / |d|², p >= 0, with d the direction times a power of two that brings its longer component into 1..2; so products
//! with it are of the size of the positions. With A the vector from o to a shape's end or centre, `c = d × A` is |d| times the distance
//! from the line, `p = d · A` how far along. The tests, each taken only where it is sure:
//!
//! 1. A plain segment from A to B: c(A) and c(B) of the same sign: apart from the whole line. Of opposite signs, the line is
//!    met at `t = A × e / d × e`, e = B - A, `d × e = c(B) - c(A)`: behind the start where `A × e` has the sign against that.
//!    Beyond the end, at `last`, if `|A × e|` is above `last (|c(A)| + |c(B)|)`.
//! 2. With R the sum of both radii: c(A) and c(B) both above, or both below, R |d|: apart from the strip. p(A) and p(B) both below -R |d|:
//!    behind; both above `far + R |d|`: beyond. The set of points within R of a segment is convex, so what holds for
//!    both discs about the ends holds for all of it. Circles are the same with A = B.
//!
//! **Sure**, u = 2^-24: as worked out in [`super::segment_segment`], `x = l - r` (or `l + r`) of two products, of which one
//! factor is now exact and the other a difference, or both are differences, is off by less than `4.01 u (|l| + |r|) + 2^-148`, and
//! `e = fl(8u fl(|l| + |r|) + floor)`, floor = 2^-100, is above that. To it `m = fl(fl(r1 + r2) · side)` is added, where
//! `side >= |d| (1 + 2^-18)`: three roundings take 3u of it, far less. Overflow makes e infinite or x not a number, and the comparison false:
//! not sure. `far` and
//! `last` are rounded up by 2^-18 of themselves too, which covers the three roundings of `last (|c(A)| + |c(B)|)`, the bounds of both c
//! added, and what underflows there is below floor.
//!
//! The shorter component of d is a `f32` unless it falls below 2^-126; where it is below 2^-60, and not zero, floor is infinite
//! and nothing is sure. A direction of zero makes all c and p zero: nothing is sure either.

/// See the head of the module.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Beam {
    pub(crate) x: f32,
    pub(crate) y: f32,
    pub(crate) dx: f32,
    pub(crate) dy: f32,
    /// The radius of what flies.
    pub(crate) radius: f32,
    /// |d|, rounded up by more than what is lost on the way.
    pub(crate) side: f32,
    /// `p` at the end, rounded up likewise.
    pub(crate) far: f32,
    /// The last t, counted in d and rounded up likewise.
    pub(crate) last: f32,
    /// Added to all bounds.
    pub(crate) floor: f32,
    /// A length of the direction in units of p, and of d.
    unit: f64,
    length: f64,
}

/// 2^-60.
const SHORT: f64 = 1.0 / (1u64 << 60) as f64;
/// 1 + 2^-18.
const UP: f64 = 1.0 + 1.0 / 262_144.0;

impl Beam {
    /// From a point along a direction of any length, both finite.
    #[inline(always)]
    pub(crate) fn new([x, y]: [f32; 2], direction: [f32; 2], radius: f32) -> Beam {
        let [vx, vy] = direction.map(f64::from);
        let (long, short) = if vx.abs() < vy.abs() { (vy.abs(), vx.abs()) } else { (vx.abs(), vy.abs()) };
        // 2^-k for 2^k <= long < 2^(k+1); as f64 even the least f32 has an exponent of its own.
        let scale = if long > 0.0 { f64::from_bits((2046 - (long.to_bits() >> 52)) << 52) } else { 0.0 };
        let (dx, dy) = (vx * scale, vy * scale);
        let blind = short > 0.0 && short * scale < SHORT;
        let square = dx * dx + dy * dy;
        Beam {
            x,
            y,
            dx: dx as f32,
            dy: dy as f32,
            radius,
            side: (square.sqrt() * UP) as f32,
            far: f32::INFINITY,
            last: f32::INFINITY,
            floor: if blind { f32::INFINITY } else { super::TINY },
            unit: if scale > 0.0 { square / scale * UP } else { 0.0 },
            length: if scale > 0.0 { UP / scale } else { 0.0 },
        }
    }

    /// Nothing behind this many lengths of the direction, zero or more, matters.
    #[inline(always)]
    pub(crate) fn set_limit(&mut self, lengths: f64) {
        // t v · d = t |d|² / scale; what underflows is far below floor.
        self.far = (lengths * self.unit) as f32;
        // Nothing is lost if it is taken for longer than it is; where it is very short, its own rounding would show.
        let last = lengths * self.length;
        self.last = if last > SHORT { last as f32 } else { SHORT as f32 };
    }
}
