//! Line and segment against the outline of a circle.
//!
//! Comes in: a line or a segment, and a circle. Goes out: where the outline is crossed. The disc's inside plays no part.
//!
//! Source: Ericson, Real-Time Collision Detection, 5.3.2, with the discriminant as r² v² - (v × w)², which does not cancel and is
//! decided exactly; each value rounded once.

use super::point_line::line_foot;
use super::{Circle, Line, Segment, Vec2};
use crate::exact::{Number, P, Value, compare_to_line, compare_to_point, cross, decide, diff, dot, measure, norm2};
use bytemuck::{Pod, Zeroable};
use std::cmp::Ordering;

/// A point where an outline is met.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct OutlinePoint {
    /// The point.
    pub point: Vec2,
    /// Where it is on the line, in lengths of its direction, saturated to ±`f32::MAX`; on a segment 0 at its start, 1 at its end.
    pub t: f32,
}

/// How a line meets the outline of a circle.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum LineCrossing {
    /// In no point.
    Miss,
    /// In one point: exactly tangent.
    Tangent(OutlinePoint),
    /// In two, the first at the lower t.
    Secant(OutlinePoint, OutlinePoint),
}

/// How a line lies to a circle.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LineCircle {
    /// The point of the line nearest to the centre, also for a miss.
    pub foot: Vec2,
    /// `foot = base + t direction`, saturated to ±`f32::MAX`.
    pub t: f32,
    /// Where the outline is met.
    pub crossing: LineCrossing,
}

/// Where a segment crosses the outline of a circle.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum SegmentCircle {
    /// Nowhere: outside, or wholly inside.
    None,
    /// Once, or exactly tangent.
    One(OutlinePoint),
    /// Twice, the first nearer to the start.
    Two(OutlinePoint, OutlinePoint),
}

/// Where a line meets the outline of a circle: t = (-b ∓ √(r² v² - (v × w)²)) / v², w = base - c, b = w · v.
///
/// Zero direction: tangent where the base is exactly on the outline, else a miss. Zero radius: tangent where the centre is exactly
/// on the line. Which of the three it is, is decided exactly; each value is the `f32` nearest to the exact one. Invalid circle or
/// line: a miss with foot zero.
#[must_use]
pub fn line_circle(line: Line, circle: Circle) -> LineCircle {
    if !(line.is_valid() && circle.is_valid()) {
        return LineCircle { foot: Vec2::ZERO, t: 0.0, crossing: LineCrossing::Miss };
    }
    let (a, v): (P, P) = (line.base.into(), line.direction.into());
    let (c, r): (P, f32) = (circle.center.into(), circle.radius);
    if v == [0.0, 0.0] {
        let base = OutlinePoint { point: Vec2::new(a[0] + 0.0, a[1] + 0.0), t: 0.0 };
        let on_rim = compare_to_point(a, c, r, 0.0) == Ordering::Equal;
        let crossing = if on_rim { LineCrossing::Tangent(base) } else { LineCrossing::Miss };
        return LineCircle { foot: base.point, t: 0.0, crossing };
    }
    let foot = Vec2::new(measure!(line_foot(c, a, v, 0)), measure!(line_foot(c, a, v, 1)));
    let t = measure!(middle(a, v, [0.0, 0.0], c));
    let crossing = match decide!(discriminant(a, v, [0.0, 0.0], c, r)) {
        Ordering::Less => LineCrossing::Miss,
        Ordering::Equal => LineCrossing::Tangent(OutlinePoint { point: foot, t }),
        Ordering::Greater => LineCrossing::Secant(
            outline_point(a, v, [0.0, 0.0], c, r, -1.0),
            outline_point(a, v, [0.0, 0.0], c, r, 1.0),
        ),
    };
    LineCircle { foot, t, crossing }
}

/// The points where a segment crosses or touches the outline of a circle; ends exactly on it count.
///
/// How many there are is decided exactly; each value is the `f32` nearest to the exact one. A segment of equal ends crosses nothing, nor
/// does one wholly inside; a capsule counts as its core segment. Invalid shapes: `None`.
#[must_use]
pub fn segment_circle(segment: Segment, circle: Circle) -> SegmentCircle {
    if !(segment.is_valid() && circle.is_valid()) || segment.start == segment.end {
        return SegmentCircle::None;
    }
    let (a, b): (P, P) = (segment.start.into(), segment.end.into());
    let (c, r): (P, f32) = (circle.center.into(), circle.radius);
    // The square of the distance less r² falls, then rises along the line: its sign and its slope at both ends say which of its two
    // zeros lie between them.
    let (at_a, at_b) = (compare_to_point(a, c, r, 0.0), compare_to_point(b, c, r, 0.0));
    let (falls_at_a, rises_at_b) = (decide!(slope(a, a, b, c)).is_le(), decide!(slope(b, a, b, c)).is_ge());
    match compare_to_line(c, a, b, r, 0.0) {
        Ordering::Greater => SegmentCircle::None,
        Ordering::Equal if falls_at_a && rises_at_b => SegmentCircle::One(tangent_point(a, b, c)),
        Ordering::Equal => SegmentCircle::None,
        Ordering::Less => {
            let first = at_a.is_ge() && falls_at_a && (at_b.is_le() || rises_at_b);
            let second = at_b.is_ge() && rises_at_b && (at_a.is_le() || falls_at_a);
            let root = |sign| outline_point(a, b, a, c, r, sign);
            match (first, second) {
                (true, true) => SegmentCircle::Two(root(-1.0), root(1.0)),
                (true, false) => SegmentCircle::One(root(-1.0)),
                (false, true) => SegmentCircle::One(root(1.0)),
                (false, false) => SegmentCircle::None,
            }
        }
    }
}

// The direction is `tip - tail`: of a line its direction less zero, of a segment its end less its start, unrounded.

#[inline(always)]
fn slope<N: Number>(p: P, a: P, b: P, c: P) -> N {
    dot(diff::<N>(p, c), diff(b, a))
}

#[inline(always)]
fn discriminant<N: Number>(a: P, tip: P, tail: P, c: P, r: f32) -> N {
    let (v, w) = (diff::<N>(tip, tail), diff(a, c));
    let (r, k) = (N::from(r), cross(v, w));
    r * r * norm2(v) - k * k
}

#[inline(always)]
fn middle<N: Number>(a: P, tip: P, tail: P, c: P) -> Value<N> {
    let v = diff::<N>(tip, tail);
    Value::ratio(dot(diff(c, a), v), norm2(v))
}

#[inline(always)]
fn root<N: Number>(a: P, tip: P, tail: P, c: P, r: f32, sign: f32) -> Value<N> {
    let v = diff::<N>(tip, tail);
    Value::surd(dot(diff(c, a), v), N::from(sign), discriminant(a, tip, tail, c, r), norm2(v))
}

#[inline(always)]
fn root_point<N: Number>(a: P, tip: P, tail: P, c: P, r: f32, sign: f32, axis: usize) -> Value<N> {
    let v = diff::<N>(tip, tail);
    let l = norm2(v);
    let p = N::from(a[axis]) * l + dot(diff(c, a), v) * v[axis];
    Value::surd(p, N::from(sign) * v[axis], discriminant(a, tip, tail, c, r), l)
}

/// Where the line through two points touches: the foot of the centre. The root in [`root_point`] is zero there, and a root is least well
/// known about zero.
fn tangent_point(a: P, b: P, c: P) -> OutlinePoint {
    OutlinePoint {
        point: Vec2::new(measure!(foot(a, b, c, 0)), measure!(foot(a, b, c, 1))),
        t: measure!(middle(a, b, a, c)),
    }
}

#[inline(always)]
fn foot<N: Number>(a: P, b: P, c: P, axis: usize) -> Value<N> {
    let v = diff::<N>(b, a);
    let l = norm2(v);
    Value::ratio(N::from(a[axis]) * l + dot(diff(c, a), v) * v[axis], l)
}

fn outline_point(a: P, tip: P, tail: P, c: P, r: f32, sign: f32) -> OutlinePoint {
    OutlinePoint {
        point: Vec2::new(
            measure!(root_point(a, tip, tail, c, r, sign, 0)),
            measure!(root_point(a, tip, tail, c, r, sign, 1)),
        ),
        t: measure!(root(a, tip, tail, c, r, sign)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(x: f32, y: f32, t: f32) -> OutlinePoint {
        OutlinePoint { point: Vec2::new(x, y), t }
    }

    #[test]
    fn a_line_misses_touches_or_cuts() {
        let circle = Circle::new([0.0, 0.0], 5.0);
        // y = 3 cuts x² + 9 = 25 at x = ∓4, 6 and 14 from x = -10.
        let cut = line_circle(Line::new([-10.0, 3.0], [1.0, 0.0]), circle);
        assert_eq!(cut.crossing, LineCrossing::Secant(at(-4.0, 3.0, 6.0), at(4.0, 3.0, 14.0)));
        assert_eq!((cut.foot, cut.t), (Vec2::new(0.0, 3.0), 10.0));
        // 3x + 4y = 25 touches at (3, 4), which is its base.
        let touch = line_circle(Line::new([3.0, 4.0], [-4.0, 3.0]), circle);
        assert_eq!(touch.crossing, LineCrossing::Tangent(at(3.0, 4.0, 0.0)));
        let miss = line_circle(Line::new([3.0, 4.0f32.next_up()], [-4.0, 3.0]), circle);
        assert_eq!(miss.crossing, LineCrossing::Miss);
    }

    #[test]
    fn lines_that_are_points() {
        let circle = Circle::new([0.0, 0.0], 5.0);
        assert_eq!(
            line_circle(Line::new([3.0, 4.0], [0.0, 0.0]), circle).crossing,
            LineCrossing::Tangent(at(3.0, 4.0, 0.0))
        );
        assert_eq!(line_circle(Line::new([3.0, 3.0], [0.0, 0.0]), circle).crossing, LineCrossing::Miss);
        let base = line_circle(Line::new([-0.0, -0.0], [0.0, 0.0]), circle).foot;
        assert_eq!([base.x.to_bits(), base.y.to_bits()], [0, 0]);
        let bad = line_circle(Line::new([3.0, 3.0], [1.0, 0.0]), Circle::new([0.0, 0.0], -5.0));
        assert_eq!(bad.crossing, LineCrossing::Miss);
    }

    #[test]
    fn a_segment_crosses_what_lies_between_its_ends() {
        let circle = Circle::new([0.0, 0.0], 5.0);
        let along = |x0: f32, x1: f32| segment_circle(Segment::new([x0, 3.0], [x1, 3.0]), circle);
        // Crossings at x = ∓4; t counts from x0 in x1 - x0.
        assert_eq!(along(-8.0, 8.0), SegmentCircle::Two(at(-4.0, 3.0, 0.25), at(4.0, 3.0, 0.75)));
        assert_eq!(along(0.0, 8.0), SegmentCircle::One(at(4.0, 3.0, 0.5)));
        assert_eq!(along(-8.0, 0.0), SegmentCircle::One(at(-4.0, 3.0, 0.5)));
        assert_eq!(along(-1.0, 1.0), SegmentCircle::None);
        assert_eq!(along(5.0, 9.0), SegmentCircle::None);
        // Ends on the outline count: from the rim inwards, outwards, and right across.
        assert_eq!(along(-4.0, 0.0), SegmentCircle::One(at(-4.0, 3.0, 0.0)));
        assert_eq!(along(4.0, 8.0), SegmentCircle::One(at(4.0, 3.0, 0.0)));
        assert_eq!(along(-4.0, 4.0), SegmentCircle::Two(at(-4.0, 3.0, 0.0), at(4.0, 3.0, 1.0)));
        // Tangent at an end; and straight away from the centre, or to it, from an end or to one that is exactly on the outline.
        for other in [[-1.0, 7.0], [6.0, 8.0]] {
            let (from, to) = (Segment::new([3.0, 4.0], other), Segment::new(other, [3.0, 4.0]));
            assert_eq!(segment_circle(from, circle), SegmentCircle::One(at(3.0, 4.0, 0.0)));
            assert_eq!(segment_circle(to, circle), SegmentCircle::One(at(3.0, 4.0, 1.0)));
        }
        assert_eq!(
            segment_circle(Segment::new([-1.0, 5.0], [3.0, 5.0]), circle),
            SegmentCircle::One(at(0.0, 5.0, 0.25))
        );
        assert_eq!(segment_circle(Segment::new([1.0, 5.0], [3.0, 5.0]), circle), SegmentCircle::None);
        assert_eq!(segment_circle(Segment::new([3.0, 4.0], [3.0, 4.0]), circle), SegmentCircle::None);
    }
}
