//! Circle against segment, and against the capsule that a segment with a radius is.
//!
//! Comes in: a circle and a segment. Goes out: whether and how they touch, and where the circle has to go. Does not know motion.
//!
//! Source: Ericson, Real-Time Collision Detection, 5.1.2 and 5.2.5; the part of the segment by the signs of two dot products, the flank
//! by cross² against r² |d|², all unrounded, each value rounded once.

use super::circle_circle::unit;
use super::{Circle, Contact, Feature, Segment, Vec2};
use crate::exact::{
    Number, P, Part, V, Value, compare_to_line, compare_to_point, cross, diff, dot, measure, nearest_part, norm2,
    orient, reach,
};
use std::cmp::Ordering;

impl From<Part> for Feature {
    fn from(part: Part) -> Feature {
        match part {
            Part::Interior => Feature::Interior,
            Part::Start => Feature::Start,
            Part::End => Feature::End,
        }
    }
}

/// Whether a closed disc and a closed segment (capsule) have a point in common, decided exactly.
///
/// Invalid shapes touch nothing.
#[must_use]
pub fn circle_touches_segment(circle: Circle, segment: Segment) -> bool {
    circle.is_valid() && segment.is_valid() && Pose::new(circle.center.into(), segment).reaches(circle.radius).is_le()
}

/// How a circle touches a segment or a capsule, or `None`.
///
/// With f the point of the segment nearest to the centre c and s the segment's radius: `separation` = |f - c| - (r + s), `normal` =
/// (f - c) / |f - c|, from the circle to the segment, and `point` = f - s `normal`, each the `f32` nearest to the exact
/// value. Centre on the segment: its left normal, or (0, 1) where its ends are equal. Invalid shapes: `None`.
#[must_use]
pub fn circle_segment(circle: Circle, segment: Segment) -> Option<Contact> {
    if !(circle.is_valid() && segment.is_valid()) {
        return None;
    }
    let pose = Pose::new(circle.center.into(), segment);
    let touch = pose.reaches(circle.radius);
    touch.is_le().then(|| pose.contact(circle.radius, touch))
}

/// The centre a circle has to be moved to, along the contact's normal, to just touch the segment or capsule.
///
/// `f - (r + s) normal`, rounded once: the separation afterwards is zero up to that rounding. A circle that does not
/// touch, or is invalid, stays where it is; one whose centre is on the segment goes to the side its right normal points to.
#[must_use]
pub fn push_out(circle: Circle, segment: Segment) -> Vec2 {
    if !(circle.is_valid() && segment.is_valid()) {
        return circle.center;
    }
    let pose = Pose::new(circle.center.into(), segment);
    if pose.reaches(circle.radius).is_lt() { pose.offset(circle.radius, segment.radius) } else { circle.center }
}

/// What the normal is: the segment's right or left normal, the direction to a point, or (0, 1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Aim {
    Right,
    Left,
    At(P),
    Up,
}

/// A centre and a segment, with everything decided that the values depend on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pose {
    pub(super) center: P,
    pub(super) a: P,
    pub(super) b: P,
    pub(super) radius: f32,
    pub(super) part: Part,
    pub(super) aim: Aim,
    /// The centre is a point of the core segment.
    pub(super) on_core: bool,
}

impl Pose {
    #[inline]
    pub(super) fn new(center: P, segment: Segment) -> Pose {
        let (a, b): (P, P) = (segment.start.into(), segment.end.into());
        let part = nearest_part(center, a, b);
        let end = if part == Part::End { b } else { a };
        let (aim, on_core) = match part {
            Part::Interior => match orient(a, b, center) {
                Ordering::Greater => (Aim::Right, false),
                Ordering::Less => (Aim::Left, false),
                Ordering::Equal => (Aim::Left, true),
            },
            _ if center != end => (Aim::At(end), false),
            _ if a == b => (Aim::Up, true),
            _ => (Aim::Left, true),
        };
        Pose { center, a, b, radius: segment.radius, part, aim, on_core }
    }

    /// The distance against the sum of the radii.
    #[inline]
    pub(super) fn reaches(&self, radius: f32) -> Ordering {
        match self.part {
            Part::Interior => compare_to_line(self.center, self.a, self.b, radius, self.radius),
            Part::Start => compare_to_point(self.center, self.a, radius, self.radius),
            Part::End => compare_to_point(self.center, self.b, radius, self.radius),
        }
    }

    #[inline]
    pub(super) fn contact(&self, radius: f32, touch: Ordering) -> Contact {
        Contact {
            point: self.point(),
            normal: self.normal(),
            separation: if touch.is_eq() { 0.0 } else { self.separation(radius) },
            feature: self.part.into(),
        }
    }

    #[inline]
    pub(super) fn normal(&self) -> Vec2 {
        Vec2::new(measure!(normal(self, 0)), measure!(normal(self, 1)))
    }

    /// The point of the outline nearest to the centre.
    #[inline]
    pub(super) fn point(&self) -> Vec2 {
        if self.radius > 0.0 {
            return self.offset(0.0, self.radius);
        }
        match self.part {
            Part::Interior => Vec2::new(measure!(foot(self, 0)), measure!(foot(self, 1))),
            Part::Start => Vec2::new(self.a[0] + 0.0, self.a[1] + 0.0),
            Part::End => Vec2::new(self.b[0] + 0.0, self.b[1] + 0.0),
        }
    }

    /// `r + s` from the nearest point, against the normal.
    pub(super) fn offset(&self, r: f32, s: f32) -> Vec2 {
        Vec2::new(measure!(offset(self, r, s, 0)), measure!(offset(self, r, s, 1)))
    }

    #[inline]
    fn separation(&self, radius: f32) -> f32 {
        match self.part {
            _ if self.on_core => measure!(depth(self, radius)),
            Part::Interior => measure!(flank_gap(self, radius)),
            _ => measure!(end_gap(self, radius)),
        }
    }
}

/// The normal, not yet of unit length.
#[inline(always)]
pub(super) fn aim<N: Number>(pose: &Pose) -> V<N> {
    let e = diff::<N>(pose.b, pose.a);
    match pose.aim {
        Aim::Right => [e[1], -e[0]],
        Aim::Left => [-e[1], e[0]],
        Aim::At(end) => diff(end, pose.center),
        Aim::Up => [N::from(0.0), N::from(1.0)],
    }
}

#[inline(always)]
fn normal<N: Number>(pose: &Pose, axis: usize) -> Value<N> {
    unit(aim(pose), axis)
}

/// `a + e (w · e) / |e|²`: Ericson 5.1.2.
#[inline(always)]
fn foot<N: Number>(pose: &Pose, axis: usize) -> Value<N> {
    let e = diff::<N>(pose.b, pose.a);
    let l = norm2(e);
    Value::ratio(N::from(pose.a[axis]) * l + dot(diff(pose.center, pose.a), e) * e[axis], l)
}

/// `f - (r + s) aim / √l`, over l = |aim|²; on the flank that is the |e|² of the foot as well.
#[inline(always)]
fn offset<N: Number>(pose: &Pose, r: f32, s: f32, axis: usize) -> Value<N> {
    let aim = aim::<N>(pose);
    let l = norm2(aim);
    let core = match pose.part {
        Part::Interior => {
            let e = diff::<N>(pose.b, pose.a);
            N::from(pose.a[axis]) * l + dot(diff(pose.center, pose.a), e) * e[axis]
        }
        Part::Start => N::from(pose.a[axis]) * l,
        Part::End => N::from(pose.b[axis]) * l,
    };
    Value::surd(core, -(reach::<N>(r, s) * aim[axis]), l, l)
}

/// `-(r + s)`.
#[inline(always)]
fn depth<N: Number>(pose: &Pose, radius: f32) -> Value<N> {
    Value::ratio(-reach::<N>(radius, pose.radius), N::from(1.0))
}

/// `|e × w| / √l - (r + s)`, over l = |e|².
#[inline(always)]
fn flank_gap<N: Number>(pose: &Pose, radius: f32) -> Value<N> {
    let e = diff::<N>(pose.b, pose.a);
    let l = norm2(e);
    let height = cross(e, diff(pose.center, pose.a));
    let height = if pose.aim == Aim::Left { -height } else { height };
    Value::surd(-(reach::<N>(radius, pose.radius) * l), height, l, l)
}

/// `√|f - c|² - (r + s)`.
#[inline(always)]
fn end_gap<N: Number>(pose: &Pose, radius: f32) -> Value<N> {
    let l = norm2(aim::<N>(pose));
    Value::surd(-reach::<N>(radius, pose.radius), N::from(1.0), l, N::from(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wall() -> Segment {
        Segment::new([0.0, 0.0], [10.0, 0.0])
    }

    #[test]
    fn flank_ends_and_the_feet_between() {
        // 2 above the flank with radius 3: 1 deep, normal down to the wall.
        let contact = circle_segment(Circle::new([5.0, 2.0], 3.0), wall()).unwrap();
        assert_eq!((contact.separation, contact.feature), (-1.0, Feature::Interior));
        assert_eq!((contact.normal, contact.point), (Vec2::new(0.0, -1.0), Vec2::new(5.0, 0.0)));
        // The foot exactly on an end is that end.
        assert_eq!(circle_segment(Circle::new([10.0, 2.0], 3.0), wall()).unwrap().feature, Feature::End);
        // (13, 4) is (3, 4) off the end: distance 5, normal back to it (-0.6, -0.8).
        let contact = circle_segment(Circle::new([13.0, 4.0], 5.5), wall()).unwrap();
        assert_eq!((contact.separation, contact.normal), (-0.5, Vec2::new(-0.6, -0.8)));
        assert_eq!(circle_segment(Circle::new([13.0, 4.0], 5.0), wall()).unwrap().separation, 0.0);
        assert_eq!(circle_segment(Circle::new([13.0, 4.0], 5.0f32.next_down()), wall()), None);
    }

    #[test]
    fn a_centre_on_the_segment_has_the_left_normal() {
        for x in [0.0, 4.0, 10.0] {
            let contact = circle_segment(Circle::new([x, 0.0], 1.0), wall()).unwrap();
            assert_eq!((contact.normal, contact.separation), (Vec2::new(0.0, 1.0), -1.0));
            // Pushed against the normal: to the right-hand side.
            assert_eq!(push_out(Circle::new([x, 0.0], 1.0), wall()), Vec2::new(x, -1.0));
        }
        let point = Segment::new([2.0, 2.0], [2.0, 2.0]);
        assert_eq!(circle_segment(Circle::new([2.0, 2.0], 1.0), point).unwrap().normal, Vec2::new(0.0, 1.0));
    }

    #[test]
    fn capsules_stand_where_segments_may() {
        // Radius 1 about the wall: from 3 above, circle 2.5 is 0.5 deep; the outline's nearest point is at y = 1.
        let capsule = wall().with_radius(1.0);
        let contact = circle_segment(Circle::new([5.0, 3.0], 2.5), capsule).unwrap();
        assert_eq!((contact.separation, contact.point), (-0.5, Vec2::new(5.0, 1.0)));
        assert_eq!(push_out(Circle::new([5.0, 3.0], 2.5), capsule), Vec2::new(5.0, 3.5));
        // (13, 4): outline point 1 from the end along (0.6, 0.8).
        let contact = circle_segment(Circle::new([13.0, 4.0], 4.0), capsule).unwrap();
        assert_eq!((contact.separation, contact.point), (0.0, Vec2::new(10.6, 0.8)));
    }

    #[test]
    fn pushed_out_to_the_side_the_centre_is_on() {
        // 0.5 below with radius 1: to y = -1. Off the end by (0.3, 0.4) to (0.6, 0.8).
        assert_eq!(push_out(Circle::new([5.0, -0.5], 1.0), wall()), Vec2::new(5.0, -1.0));
        assert_eq!(push_out(Circle::new([5.0, -2.0], 1.0), wall()), Vec2::new(5.0, -2.0));
        let end = push_out(Circle::new([10.0 + 0.375, 0.5], 1.0), wall());
        assert_eq!(end, Vec2::new(10.6, 0.8));
    }

    #[test]
    fn invalid_shapes_touch_nothing() {
        assert_eq!(circle_segment(Circle::new([5.0, 0.0], -1.0), wall()), None);
        assert_eq!(circle_segment(Circle::new([5.0, 0.0], 1.0), wall().with_radius(f32::NAN)), None);
        assert_eq!(push_out(Circle::new([5.0, 0.0], -1.0), wall()), Vec2::new(5.0, 0.0));
        assert!(!circle_touches_segment(Circle::new([5.0, f32::INFINITY], 1.0), wall()));
    }
}
