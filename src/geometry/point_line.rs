//! Point against line, segment and circle.
//!
//! Comes in: a point and a shape. Goes out: the nearest point, the side, or whether it is inside. Does not know contacts.
//!
//! Source: Ericson, Real-Time Collision Detection, 5.1.2; each value is the `f32` nearest to the exact one.

use super::circle_segment::Pose;
use super::{Circle, Feature, Line, Segment, Vec2};
use crate::exact::{
    Number, P, Part, V, Value, compare_to_point, cross, diff, dot, lift, measure, norm2, side_of_vector,
};
use bytemuck::{Pod, Zeroable};
use std::cmp::Ordering;

/// The point of a line nearest to another.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct NearestOnLine {
    /// The foot of the perpendicular.
    pub foot: Vec2,
    /// `foot = base + t direction`, saturated to ±`f32::MAX`.
    pub t: f32,
    /// From the point to the foot, zero or more.
    pub distance: f32,
}

/// The point of a segment nearest to another.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct NearestOnSegment {
    /// The point of the core segment, inside its box.
    pub foot: Vec2,
    /// 0 at the start, 1 at the end.
    pub t: f32,
    /// From the point to the foot, zero or more.
    pub distance: f32,
    /// Which part the foot is on; exactly on an end is that end.
    pub feature: Feature,
}

/// On which side of a line a point is, and how far off.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SignedDistance {
    /// `Greater` on the left of the direction, `Less` on the right, `Equal` on the line: exact, even where the height rounds to zero.
    pub side: Ordering,
    /// Distance from the line, positive on the left, negative on the right.
    pub height: f32,
}

/// The foot of the perpendicular from `point` to a line: t = w · v / v², w from the base to the point.
///
/// Each value is the `f32` nearest to the exact one. Zero direction: t = 0, foot = base. A number that is not finite: all zero.
#[must_use]
pub fn nearest_on_line(point: impl Into<Vec2>, line: Line) -> NearestOnLine {
    let p = point.into();
    if !(p.is_finite() && line.is_valid()) {
        return NearestOnLine::default();
    }
    let (p, a, v): (P, P, P) = (p.into(), line.base.into(), line.direction.into());
    if v == [0.0, 0.0] {
        return NearestOnLine { foot: Vec2::new(a[0] + 0.0, a[1] + 0.0), t: 0.0, distance: measure!(distance(p, a)) };
    }
    NearestOnLine {
        foot: Vec2::new(measure!(line_foot(p, a, v, 0)), measure!(line_foot(p, a, v, 1))),
        t: measure!(line_parameter(p, a, v)),
        distance: line_height(p, a, v).abs(),
    }
}

/// The point of a segment nearest to `point`, t kept within 0..=1; the radius of a capsule plays no part.
///
/// The feature is decided exactly, each value is the `f32` nearest to the exact one; a t strictly inside may round to 0 or 1. Equal
/// ends: t = 0, feature `Start`. A number that is not finite: all zero.
#[must_use]
pub fn nearest_on_segment(point: impl Into<Vec2>, segment: Segment) -> NearestOnSegment {
    let p = point.into();
    if !(p.is_finite() && segment.start.is_finite() && segment.end.is_finite()) {
        return NearestOnSegment::default();
    }
    let pose = Pose::new(p.into(), segment.with_radius(0.0));
    let (foot, distance) = pose.nearest();
    NearestOnSegment { foot, t: place(&pose), distance, feature: pose.part.into() }
}

/// Where on the segment its point nearest to the centre is.
pub(super) fn place(pose: &Pose) -> f32 {
    match pose.part {
        Part::Start => 0.0,
        Part::End => 1.0,
        Part::Interior => measure!(segment_parameter(pose.center, pose.a, pose.b)),
    }
}

/// Side and height of a point over a line: v × w / |v|.
///
/// The side is decided exactly, the height is the `f32` nearest to the exact one. Zero direction: on the line, height the distance to
/// the base. A number that is not finite: on the line, height 0.
#[must_use]
pub fn signed_distance(point: impl Into<Vec2>, line: Line) -> SignedDistance {
    let p = point.into();
    if !(p.is_finite() && line.is_valid()) {
        return SignedDistance { side: Ordering::Equal, height: 0.0 };
    }
    let (p, a, v): (P, P, P) = (p.into(), line.base.into(), line.direction.into());
    if v == [0.0, 0.0] {
        return SignedDistance { side: Ordering::Equal, height: measure!(distance(p, a)) };
    }
    SignedDistance { side: side_of_vector(a, v, p), height: line_height(p, a, v) }
}

/// Whether a closed disc holds the point, decided exactly; invalid circles hold none.
#[must_use]
pub fn point_in_circle(point: impl Into<Vec2>, circle: Circle) -> bool {
    let p = point.into();
    p.is_finite()
        && circle.is_valid()
        && compare_to_point(p.into(), circle.center.into(), circle.radius, 0.0) != Ordering::Greater
}

/// The rows of all closed discs that hold the point, decided exactly, in ascending order: one tap against many buttons.
///
/// `x`, `y`, `radius` are columns; rows beyond the shortest are left out, rows with a negative or non-finite number hold nothing.
pub fn points_in_circles<'a, T: Into<Vec2>>(
    point: T,
    x: &'a [f32],
    y: &'a [f32],
    radius: &'a [f32],
) -> impl Iterator<Item = usize> + use<'a, T> {
    let point = point.into();
    let rows = x.iter().zip(y).zip(radius).enumerate();
    rows.filter_map(move |(row, ((&x, &y), &r))| point_in_circle(point, Circle::new([x, y], r)).then_some(row))
}

fn line_height(p: P, a: P, v: P) -> f32 {
    measure!(height(p, a, v))
}

#[inline(always)]
fn distance<N: Number>(p: P, q: P) -> Value<N> {
    Value::surd(N::from(0.0), N::from(1.0), norm2(diff(p, q)), N::from(1.0))
}

/// `w · v / l`.
#[inline(always)]
fn parameter<N: Number>(w: V<N>, v: V<N>) -> Value<N> {
    Value::ratio(dot(w, v), norm2(v))
}

#[inline(always)]
fn line_parameter<N: Number>(p: P, a: P, v: P) -> Value<N> {
    parameter(diff(p, a), lift(v))
}

#[inline(always)]
fn segment_parameter<N: Number>(p: P, a: P, b: P) -> Value<N> {
    parameter(diff(p, a), diff(b, a))
}

#[inline(always)]
pub(super) fn line_foot<N: Number>(p: P, a: P, v: P, axis: usize) -> Value<N> {
    let (w, v) = (diff::<N>(p, a), lift::<N>(v));
    let l = norm2(v);
    Value::ratio(N::from(a[axis]) * l + dot(w, v) * v[axis], l)
}

/// `v × w / √l`, over l.
#[inline(always)]
fn over_length<N: Number>(v: V<N>, w: V<N>) -> Value<N> {
    let l = norm2(v);
    Value::surd(N::from(0.0), cross(v, w), l, l)
}

#[inline(always)]
fn height<N: Number>(p: P, a: P, v: P) -> Value<N> {
    over_length(lift(v), diff(p, a))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_foot_on_a_line() {
        // w = (0, 5), v = (10, 6): t = 30 / 136 = 15/68, foot (5 + 150/68, 5 + 90/68), height 10 * 5 / √136.
        let line = Line::new([5.0, 5.0], [10.0, 6.0]);
        let nearest = nearest_on_line([5.0, 10.0], line);
        assert_eq!(nearest.t, (15.0f64 / 68.0) as f32);
        assert_eq!(nearest.foot, Vec2::new((245.0f64 / 34.0) as f32, (215.0f64 / 34.0) as f32));
        assert_eq!(nearest.distance, (50.0 / 136.0f64.sqrt()) as f32);
        let left = signed_distance([5.0, 10.0], line);
        assert_eq!((left.side, left.height), (Ordering::Greater, nearest.distance));
        assert_eq!(signed_distance([5.0, 0.0], line).height, -nearest.distance);
    }

    #[test]
    fn a_zero_direction_is_the_base() {
        let base = nearest_on_line([3.0, 4.0], Line::new([-0.0, -0.0], [0.0, 0.0]));
        assert_eq!((base.foot.x.to_bits(), base.foot.y.to_bits(), base.distance), (0, 0, 5.0));
        // What is not valid: either.
        let (line, none) = (Line::new([0.0, 0.0], [1.0, 0.0]), Line::new([0.0, 0.0], [f32::INFINITY, 0.0]));
        for height in [signed_distance([0.0, f32::NAN], line), signed_distance([0.0, 1.0], none)] {
            assert_eq!((height.side, height.height), (Ordering::Equal, 0.0));
        }
        // (3, 4) from (1, 1): √13.
        let nearest = nearest_on_line([3.0, 4.0], Line::new([1.0, 1.0], [0.0, 0.0]));
        assert_eq!((nearest.foot, nearest.t), (Vec2::new(1.0, 1.0), 0.0));
        assert_eq!(nearest.distance, 13.0f64.sqrt() as f32);
        // A direction whose square leaves f32 is still one: the foot of (1, 0) is (1, 0), t = 2^149 saturates.
        let nearest = nearest_on_line([1.0, 0.0], Line::new([0.0, 0.0], [f32::from_bits(1), 0.0]));
        assert_eq!((nearest.foot, nearest.t), (Vec2::new(1.0, 0.0), f32::MAX));
    }

    #[test]
    fn the_nearest_point_of_a_segment() {
        let segment = Segment::new([0.0, 0.0], [10.0, 0.0]);
        let nearest = nearest_on_segment([2.5, -3.0], segment);
        assert_eq!((nearest.t, nearest.distance, nearest.foot), (0.25, 3.0, Vec2::new(2.5, 0.0)));
        let nearest = nearest_on_segment([13.0, 4.0], segment.with_radius(2.0));
        assert_eq!((nearest.t, nearest.distance, nearest.feature), (1.0, 5.0, Feature::End));
        assert_eq!(nearest_on_segment([f32::NAN, 4.0], segment), NearestOnSegment::default());
    }

    #[test]
    fn a_tap_on_the_rim_counts() {
        let circle = Circle::new([0.0, 0.0], 5.0);
        assert!(point_in_circle([3.0, 4.0], circle));
        assert!(!point_in_circle([3.0, 4.0f32.next_up()], circle));
        assert!(!point_in_circle([0.0, 0.0], Circle::new([0.0, 0.0], -1.0)));
        let rows = points_in_circles([3.0, 4.0], &[0.0, 9.0, 3.0, 0.0], &[0.0, 9.0, 4.0, 0.0], &[5.0, 1.0, 0.0, -9.0]);
        assert_eq!(rows.collect::<Vec<_>>(), [0, 2]);
    }
}
