//! From a verdict to the contact of two segments.
//!
//! Comes in: two segments in the order of the caller's rows, what the kernels found. Goes out: the contact, with the values
//! that [`geometry::segment_segment`] gives, bit for bit: those are exact results rounded once, so any way to them will do.
//! This room does not know where the pair came from.
//!
//! Crossings are the bulk (47 000 of a city), so their values are first computed in plain `f64` with a bound, in
//! [`quick_crossing`]; only where the bound leaves two `f32` to choose from is the exact function asked.

use super::{SegmentClass, SegmentSegmentContact};
use crate::geometry::{self, Segment, SegmentRelation, Vec2};
use crate::kernels::segment_segment::{Ends, Verdict};

/// The ends and the radius of a segment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Capsule {
    pub(crate) ends: Ends,
    pub(crate) radius: f32,
}

impl Capsule {
    fn segment(self) -> Segment {
        let [x0, y0, x1, y1] = self.ends;
        Segment::new([x0, y0], [x1, y1]).with_radius(self.radius)
    }
}

/// The contact of `a` and `b`, its rows still 0; none if they do not touch. `verdict` is about their cores.
#[inline]
pub(crate) fn contact(a: Capsule, b: Capsule, verdict: Verdict) -> Option<SegmentSegmentContact> {
    if verdict == Verdict::CROSS {
        return Some(quick_crossing(a.ends, b.ends).unwrap_or_else(|| exact(a, b).unwrap_or_default()));
    }
    if let Some((end_of_a, end_of_b)) = verdict.ends() {
        let [x0, y0, x1, y1] = a.ends;
        let (x, y) = if end_of_a { (x1, y1) } else { (x0, y0) };
        let point = Vec2::new(x + 0.0, y + 0.0); // never -0, as in `geometry`
        let at = |end: bool| if end { 1.0 } else { 0.0 };
        let (t, u) = (at(end_of_a), at(end_of_b));
        return Some(SegmentSegmentContact {
            class: SegmentClass::Touch,
            point,
            t,
            u,
            to: point,
            ..Default::default()
        });
    }
    let cores = if verdict == Verdict::OPEN { exact(a, b) } else { None };
    if cores.is_none() && a.radius + b.radius > 0.0 { near(a, b) } else { cores }
}

/// What `geometry` says of the cores.
#[cold]
#[inline(never)]
fn exact(a: Capsule, b: Capsule) -> Option<SegmentSegmentContact> {
    let blank = SegmentSegmentContact::default();
    match geometry::segment_segment(a.segment(), b.segment()) {
        SegmentRelation::Disjoint => None,
        SegmentRelation::Cross { point, t, u } => {
            Some(SegmentSegmentContact { class: SegmentClass::Cross, point, t, u, to: point, ..blank })
        }
        SegmentRelation::Touch { point, t, u } => {
            Some(SegmentSegmentContact { class: SegmentClass::Touch, point, t, u, to: point, ..blank })
        }
        SegmentRelation::Overlap { from, to } => {
            let (t, u) = (place(from, a.ends), place(from, b.ends));
            Some(SegmentSegmentContact { class: SegmentClass::Overlap, point: from, t, u, to, ..blank })
        }
    }
}

/// Where on a segment one of its points is that is an end of it or of another one on the same line: the share of the way on
/// the first axis that the segment is not at right angles to.
fn place(p: Vec2, [x0, y0, x1, y1]: Ends) -> f32 {
    let (at, from, to) = if x0 == x1 { (p.y, y0, y1) } else { (p.x, x0, x1) };
    let share = (f64::from(at) - f64::from(from)) / (f64::from(to) - f64::from(from));
    // Both differences have the same sign and the first is not the longer; rounding is monotone, so this is in 0..=1. The
    // sum turns -0 into 0.
    share as f32 + 0.0
}

/// 2^-53, the rounding unit of `f64`.
const E: f64 = f64::EPSILON / 2.0;

/// The values of a crossing, if `f64` is sure of the `f32` nearest to each.
///
/// With r = a₁ - a₀, s = b₁ - b₀, w = b₀ - a₀: t = w × s / r × s, u = w × r / r × s, point = a₀ + t r. A difference is rounded by at
/// most E relative, so a product of two by 3.01 E, and a cross product, with S the sum of its two absolute products, by
/// 4.01 E S in all: below K S with K = 8 E, with room for the rounding of S and of the bound itself. Nothing underflows: nonzero
/// products of two differences of `f32` are at least 2^-298. With d = r × s and K S_d <= |d| / 4 its exact value is above |d| / 2, so
/// t = n / d is off by at most (K S_n + t K S_d) / (|d| / 2), and 3 E t for the quotient by way of 1 / d. A coordinate is off by that
/// error times r, 3 E |t r| for the rounding of r and the product, and E |x| for the sum; and it is in both boxes.
#[inline]
fn quick_crossing(a: Ends, b: Ends) -> Option<SegmentSegmentContact> {
    const K: f64 = 8.0 * E;
    let ([ax0, ay0, ax1, ay1], [bx0, by0, bx1, by1]) = (a.map(f64::from), b.map(f64::from));
    let (rx, ry, sx, sy) = (ax1 - ax0, ay1 - ay0, bx1 - bx0, by1 - by0);
    let (wx, wy) = (bx0 - ax0, by0 - ay0);
    let cross = |px: f64, py: f64, qx: f64, qy: f64| {
        let (left, right) = (px * qy, py * qx);
        (left - right, left.abs() + right.abs())
    };
    let (d, sum_d) = cross(rx, ry, sx, sy);
    let (n_t, sum_t) = cross(wx, wy, sx, sy);
    let (n_u, sum_u) = cross(wx, wy, rx, ry);
    if K * sum_d > d.abs() * 0.25 {
        return None;
    }
    let inverse = 1.0 / d;
    let (t, u) = (n_t * inverse, n_u * inverse);
    let scale = 2.0 * K * inverse.abs();
    let off = |value: f64, sum: f64| (sum + value.abs() * sum_d) * scale + 4.0 * E * value.abs();
    let (off_t, off_u) = (off(t, sum_t), off(u, sum_u));
    let coordinate = |a0: f64, a1: f64, r: f64, b0: f64, b1: f64| {
        let step = t * r;
        let value = a0 + step;
        let off = off_t * r.abs() * 1.01 + 4.0 * E * (step.abs() + value.abs());
        let ((a_low, a_high), (b_low, b_high)) = (ordered(a0, a1), ordered(b0, b1));
        let (low, high) = (value - off, value + off);
        let low = if low < a_low { a_low } else { low };
        let low = if low < b_low { b_low } else { low };
        let high = if high > a_high { a_high } else { high };
        let high = if high > b_high { b_high } else { high };
        round(low, high)
    };
    let (x, sure_x) = coordinate(ax0, ax1, rx, bx0, bx1);
    let (y, sure_y) = coordinate(ay0, ay1, ry, by0, by1);
    let (t, sure_t) = round(t - off_t, t + off_t);
    let (u, sure_u) = round(u - off_u, u + off_u);
    if !(sure_x & sure_y & sure_t & sure_u) {
        return None;
    }
    let point = Vec2::new(x, y);
    Some(SegmentSegmentContact { class: SegmentClass::Cross, point, t, u, to: point, ..Default::default() })
}

#[inline(always)]
fn ordered(p: f64, q: f64) -> (f64, f64) {
    if p < q { (p, q) } else { (q, p) }
}

/// The nearest `f32`, and whether it is that of the whole interval.
#[inline(always)]
fn round(low: f64, high: f64) -> (f32, bool) {
    let (low, high) = (low as f32, high as f32);
    (low + 0.0, low == high)
}

/// Two capsules whose cores do not meet: a contact if their distance is at most the sum of the radii, decided exactly; its values
/// are computed in `f64` and rounded to the nearest.
///
/// Disjoint segments are nearest at an end of one of them (Ericson, Real-Time Collision Detection, 5.1.9); of several such pairs the
/// first in the order start of a, end of a, start of b, end of b is told of. `point` is midway between the outlines on the line of
/// the two closest points, `t` and `u` are where those are on the cores.
#[cold]
#[inline(never)]
fn near(a: Capsule, b: Capsule) -> Option<SegmentSegmentContact> {
    if !geometry::segments_touch(a.segment(), b.segment()) {
        return None;
    }
    let ([ax0, ay0, ax1, ay1], [bx0, by0, bx1, by1]) = (a.ends.map(f64::from), b.ends.map(f64::from));
    let mut best = (f64::INFINITY, [0.0; 2], [0.0; 2], 0.0, 0.0);
    let mut offer = |p: [f64; 2], q: [f64; 2], t: f64, u: f64| {
        let (dx, dy) = (q[0] - p[0], q[1] - p[1]);
        let square = dx * dx + dy * dy;
        if square < best.0 {
            best = (square, p, q, t, u);
        }
    };
    for (p, t) in [([ax0, ay0], 0.0), ([ax1, ay1], 1.0)] {
        let (q, u) = foot(p, [bx0, by0], [bx1, by1]);
        offer(p, q, t, u);
    }
    for (q, u) in [([bx0, by0], 0.0), ([bx1, by1], 1.0)] {
        let (p, t) = foot(q, [ax0, ay0], [ax1, ay1]);
        offer(p, q, t, u);
    }
    let (square, p, q, t, u) = best;
    let distance = square.sqrt();
    let h = (distance + f64::from(a.radius) - f64::from(b.radius)) * 0.5;
    let share = if distance > 0.0 { h / distance } else { 0.0 };
    let coordinate = |i: usize| finite(p[i] + (q[i] - p[i]) * share);
    let point = Vec2::new(coordinate(0), coordinate(1));
    let (t, u) = (t as f32, u as f32);
    Some(SegmentSegmentContact { class: SegmentClass::Near, point, t, u, to: point, ..Default::default() })
}

/// The point of the segment from `s` to `e` nearest to `p`, and where it is.
fn foot(p: [f64; 2], s: [f64; 2], e: [f64; 2]) -> ([f64; 2], f64) {
    let (dx, dy) = (e[0] - s[0], e[1] - s[1]);
    let along = (p[0] - s[0]) * dx + (p[1] - s[1]) * dy;
    let square = dx * dx + dy * dy;
    if along <= 0.0 {
        (s, 0.0)
    } else if along >= square {
        (e, 1.0)
    } else {
        let t = along / square;
        ([s[0] + t * dx, s[1] + t * dy], t)
    }
}

/// Rounded into the finite range, without -0.
fn finite(v: f64) -> f32 {
    let v = v as f32;
    if v > f32::MAX {
        f32::MAX
    } else if v < -f32::MAX {
        -f32::MAX
    } else {
        v + 0.0
    }
}
