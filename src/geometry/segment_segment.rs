//! Segment against segment.
//!
//! Comes in: two segments. Goes out: how they meet, and where. Radii take part only where it says so.
//!
//! Source: O'Rourke, Computational Geometry in C, 1.5 and 7.2; classes decided exactly, each value rounded once. Rounding is
//! monotone and the corners of a box are `f32`, so a point rounded once never leaves the boxes of the segments it is on.

use super::{Segment, Vec2};
use crate::exact::{Number, P, Part, Relation, Value, cross, diff, measure, relate, segments_within};

/// How two closed segments meet.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum SegmentRelation {
    /// In no point.
    Disjoint,
    /// In one point, interior to both.
    Cross {
        /// The point, inside both boxes.
        point: Vec2,
        /// Where it is on the first: 0 at its start, 1 at its end.
        t: f32,
        /// Where it is on the second.
        u: f32,
    },
    /// In one point, an end of at least one of them.
    Touch {
        /// That end, unrounded.
        point: Vec2,
        /// Where it is on the first: exactly 0 or 1 at an end, and 0 where the first is a point.
        t: f32,
        /// Where it is on the second.
        u: f32,
    },
    /// In a common piece of more than one point.
    Overlap {
        /// Its first end in the direction of the first segment, an end of one of the two, unrounded.
        from: Vec2,
        /// Its last end.
        to: Vec2,
    },
}

impl SegmentRelation {
    /// Anything but `Disjoint`.
    #[must_use]
    pub const fn is_hit(self) -> bool {
        !matches!(self, SegmentRelation::Disjoint)
    }
}

/// How two segments meet; of capsules, how their core segments meet (radii are ignored, see [`segments_touch`]).
///
/// The class is decided exactly. `Cross`: t = (b₀ - a₀) × e_b / (e_a × e_b), u = (b₀ - a₀) × e_a / (e_a × e_b), point = a₀ + t e_a, each the `f32` nearest to the exact value,
/// where e is end less start; a t strictly inside may round to 0 or 1. A segment of equal ends is a point: disjoint or
/// touching. Invalid segments: `Disjoint`.
#[must_use]
pub fn segment_segment(a: Segment, b: Segment) -> SegmentRelation {
    if !(a.is_valid() && b.is_valid()) {
        return SegmentRelation::Disjoint;
    }
    let (s, r) = (ends(a), ends(b));
    match relate(s, r) {
        Relation::Disjoint => SegmentRelation::Disjoint,
        Relation::Cross => SegmentRelation::Cross {
            point: Vec2::new(measure!(crossing(s, r, 0)), measure!(crossing(s, r, 1))),
            t: measure!(parameter(s, r)),
            u: measure!(parameter(r, s)),
        },
        Relation::Touch(on_a, on_b) => {
            let point = match (on_a, on_b) {
                (Part::Start, _) => s[0],
                (Part::End, _) => s[1],
                (Part::Interior, Part::End) => r[1],
                _ => r[0],
            };
            SegmentRelation::Touch { point: plain(point), t: place(on_a, point, s), u: place(on_b, point, r) }
        }
        Relation::Overlap(from, to) => SegmentRelation::Overlap { from: plain(from), to: plain(to) },
    }
}

/// Whether two closed segments or capsules have a point in common, decided exactly.
///
/// Invalid segments touch nothing.
#[must_use]
pub fn segments_touch(a: Segment, b: Segment) -> bool {
    a.is_valid() && b.is_valid() && segments_within(ends(a), ends(b), a.radius, b.radius)
}

pub(super) fn ends(s: Segment) -> [P; 2] {
    [s.start.into(), s.end.into()]
}

/// An input point as an output: without -0.
pub(super) fn plain(p: P) -> Vec2 {
    Vec2::new(p[0] + 0.0, p[1] + 0.0)
}

/// The parameter of a point of the segment.
fn place(part: Part, p: P, s: [P; 2]) -> f32 {
    match part {
        Part::Start => 0.0,
        Part::End => 1.0,
        Part::Interior => share_of(p, s),
    }
}

/// Where on a segment one of its points is, which has to lie on its line exactly.
pub(crate) fn share_of(p: P, s: [P; 2]) -> f32 {
    // Every axis the segment is not at right angles to gives the same quotient.
    let axis = usize::from(s[0][0] == s[1][0]);
    measure!(share(p[axis], s[0][axis], s[1][axis]))
}

#[inline(always)]
fn share<N: Number>(p: f32, from: f32, to: f32) -> Value<N> {
    Value::ratio(N::from(p) - N::from(from), N::from(to) - N::from(from))
}

#[inline(always)]
fn parameter<N: Number>(s: [P; 2], r: [P; 2]) -> Value<N> {
    let (e, f) = (diff::<N>(s[1], s[0]), diff::<N>(r[1], r[0]));
    Value::ratio(cross(diff(r[0], s[0]), f), cross(e, f))
}

#[inline(always)]
fn crossing<N: Number>(s: [P; 2], r: [P; 2], axis: usize) -> Value<N> {
    let (e, f) = (diff::<N>(s[1], s[0]), diff::<N>(r[1], r[0]));
    let d = cross(e, f);
    Value::ratio(N::from(s[0][axis]) * d + cross(diff(r[0], s[0]), f) * e[axis], d)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seg(x0: f32, y0: f32, x1: f32, y1: f32) -> Segment {
        Segment::new([x0, y0], [x1, y1])
    }

    #[test]
    fn the_worked_exercise_crosses_halfway() {
        // (5,5) + t (10,6) = (5,10) + u (10,-4): t = u from x, 5 + 6t = 10 - 4t, t = 1/2, point (10, 8).
        let relation = segment_segment(seg(5.0, 5.0, 15.0, 11.0), seg(5.0, 10.0, 15.0, 6.0));
        assert_eq!(relation, SegmentRelation::Cross { point: Vec2::new(10.0, 8.0), t: 0.5, u: 0.5 });
    }

    #[test]
    fn no_common_point_is_minus_zero() {
        for (a, b) in [([-0.0, -0.0], [3.0, 1.0]), ([3.0, 1.0], [-0.0, -0.0])] {
            let (s, r) = (Segment::new(a, b), Segment::new([-0.0, -0.0], [1.0, 3.0]));
            let SegmentRelation::Touch { point, .. } = segment_segment(s, r) else { panic!() };
            assert_eq!([point.x.to_bits(), point.y.to_bits()], [0, 0]);
        }
    }

    #[test]
    fn the_ratio_form_gives_the_same_parameter() {
        // t = |a × c| / (|a × c| + |a × d|): a the direction of the other segment, c and d from its start to the two ends.
        // Here a = (10, -4), c = (0, -5), d = (10, 1): |a×c| = 50, |a×d| = 10 + 40 = 50, t = 50 / 100.
        let cross = |a: [f64; 2], b: [f64; 2]| (a[0] * b[1] - a[1] * b[0]).abs();
        for (s, r) in [
            ([[5.0, 5.0], [15.0, 11.0]], [[5.0, 10.0], [15.0, 6.0]]),
            ([[0.0, 0.0], [7.0, 3.0]], [[1.0, 4.0], [6.0, -3.0]]),
            ([[-3.0, 2.5], [4.0, -1.0]], [[-1.0, -8.0], [0.5, 9.0]]),
        ] {
            let a = [r[1][0] - r[0][0], r[1][1] - r[0][1]];
            let c = [s[0][0] - r[0][0], s[0][1] - r[0][1]];
            let d = [s[1][0] - r[0][0], s[1][1] - r[0][1]];
            let expected = cross(a, c) / (cross(a, c) + cross(a, d));
            let single = |p: [f64; 2]| [p[0] as f32, p[1] as f32];
            let relation =
                segment_segment(Segment::new(single(s[0]), single(s[1])), Segment::new(single(r[0]), single(r[1])));
            let SegmentRelation::Cross { t, .. } = relation else { panic!("{relation:?}") };
            assert_eq!(t, expected as f32);
        }
    }

    #[test]
    fn joints() {
        let wall = seg(0.0, 0.0, 10.0, 0.0);
        let corner = SegmentRelation::Touch { point: Vec2::new(10.0, 0.0), t: 1.0, u: 0.0 };
        assert_eq!(segment_segment(wall, seg(10.0, 0.0, 10.0, 10.0)), corner);
        // A T at 2.5: t = 2.5 / 10.
        let tee = SegmentRelation::Touch { point: Vec2::new(2.5, 0.0), t: 0.25, u: 1.0 };
        assert_eq!(segment_segment(wall, seg(3.0, 7.0, 2.5, -0.0)), tee);
        let overlap = SegmentRelation::Overlap { from: Vec2::new(4.0, 0.0), to: Vec2::new(10.0, 0.0) };
        assert_eq!(segment_segment(wall, seg(15.0, 0.0, 4.0, 0.0)), overlap);
        assert_eq!(segment_segment(wall, seg(5.0, 1.0, 5.0, f32::from_bits(1))), SegmentRelation::Disjoint);
    }

    #[test]
    fn capsules_reach_as_far_as_their_radii() {
        let wall = seg(0.0, 0.0, 10.0, 0.0);
        // 5 above: radii 2 + 3 touch, one ulp less does not. The cores stay disjoint.
        let other = seg(3.0, 5.0, 20.0, 5.0);
        assert!(segments_touch(wall.with_radius(2.0), other.with_radius(3.0)));
        assert!(!segments_touch(wall.with_radius(2.0), other.with_radius(3.0f32.next_down())));
        assert!(!segment_segment(wall.with_radius(2.0), other.with_radius(3.0)).is_hit());
        assert!(!segments_touch(wall.with_radius(-1.0), wall));
        assert!(!segment_segment(wall, seg(f32::NAN, 0.0, 1.0, 0.0)).is_hit());
    }
}
