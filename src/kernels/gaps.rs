//! How far outlines are from a circle: what both texts compute.
//!
//! Comes in: eight pairs of circles, or of a circle and a segment with a radius. Goes out: the nearest point of the outline (of two circles
//! that of each, as the other one is told it), the separation, the feature,
//! where double precision is sure that each is the `f32` nearest to the exact one: then it is what `geometry::circle_circle_gap` and
//! `circle_segment_gap` say, and those say the rest. The scalar text is sure of nothing: its values are those of `geometry`, the reference.
//!
//! A value v that is off by at most o is sure where v - o and v + o round to the same finite `f32`. e = 2^-53; nothing under- or overflows,
//! and every bound leaves room for the rounding of v - o and v + o themselves.
//!
//! **Circles**: d = B - A; l = |d|; separation = l - (ra + rb), off by 3e l, e of the sum of radii, e of the difference: o = 8e (l + ra + rb).
//! point = B - d (1/l) rb: the product is off by 8e of itself (d by 1, l by 3, one more each for 1/l and two products and their sum),
//! the difference by e: o = 16e (|B| + |d (1/l) rb|). Equal centres make it NaN, which is never sure. The other one's is A + d (1/l) ra: what
//! changes is a sign, so it is the same whoever comes first. A pair is sure where both points are.
//!
//! **Segments**: feature, D, g and n as for contacts in the head of [`super`], T = r + R, S = (|dx wy| + |dy wx|) / |g| on the flank and 0 at
//! an end. D is off by 4.01e S + 5e D, so separation = D - T by that and 2e (D + T): o = 16e (S + D + T). The point of the outline is at an end
//! Q - n R: n is off by 6e of itself, o = 16e (|Q| + R); on the flank p + n (D - R), where D - R is off by 4.01e S + 6e (D + R), n by
//! 6e: o = 24e (|p| + S + D + R). The feature is sure as it is for contacts, the side of the flank if |c| exceeds its bound.

use super::LANES;

/// What is known of eight pairs of circles.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CircleGaps {
    /// Points of the second ones' outlines, as the first ones are told.
    pub(crate) second: [[f32; LANES]; 2],
    /// Points of the first ones' outlines, as the second ones are told.
    pub(crate) first: [[f32; LANES]; 2],
    pub(crate) separation: [f32; LANES],
    /// Bits of the lanes of which all is sure.
    pub(crate) sure: u32,
}

/// What is known of eight circles and segments.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Gaps {
    /// First coordinates of the points.
    pub(crate) x: [f32; LANES],
    /// Second coordinates.
    pub(crate) y: [f32; LANES],
    pub(crate) separation: [f32; LANES],
    /// Bits of the lanes whose feature is the interior; the start.
    pub(crate) inside: u32,
    pub(crate) start: u32,
    /// Bits of the lanes of which all is sure.
    pub(crate) sure: u32,
}
