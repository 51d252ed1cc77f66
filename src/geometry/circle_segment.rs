//! Circle against segment, and against the capsule that a segment with a radius is.
//!
//! Comes in: a circle and a segment. Goes out: whether and how they touch, and where the circle has to go. Does not know motion.
//!
//! Source: Ericson, Real-Time Collision Detection, 5.1.2 and 5.2.5; the part of the segment by the signs of two dot products, the flank
//! by cross² against r² |d|², all unrounded, each value rounded once.

use super::arrow::{Arrow, gap, minus_both, unit, vector};
use super::{Circle, Contact, Feature, Segment, Vec2};
use crate::exact::{
    Number, P, Part, U, V, Value, compare_to_line, compare_to_point, cross, diff, dot, exact_sum, excess_over_line,
    foot, measure, nearest, nearest_part, norm2, orient, reach,
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

/// How a circle touches a segment or a capsule, or `None`; whether, and which part, is decided exactly.
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
/// `f - (r + s) normal`, each coordinate the `f32` nearest to the exact value: the separation afterwards is zero up to that rounding. A circle that does not
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
        let arrow = self.arrow();
        Contact { point: self.outline_point(&arrow), ..self.beyond_point(&arrow, radius, touch) }
    }

    #[inline]
    pub(super) fn contact_without_point(&self, radius: f32, touch: Ordering) -> Contact {
        self.beyond_point(&self.arrow(), radius, touch)
    }

    /// All of a contact but its point.
    #[inline(always)]
    fn beyond_point(&self, arrow: &Arrow, radius: f32, touch: Ordering) -> Contact {
        Contact {
            point: Vec2::ZERO,
            normal: self.unit_normal(arrow),
            separation: if touch.is_eq() { 0.0 } else { self.separation(arrow, radius) },
            feature: self.part.into(),
        }
    }

    #[inline]
    pub(super) fn normal(&self) -> Vec2 {
        self.unit_normal(&self.arrow())
    }

    /// The point of the outline nearest to the centre, and how far it is from there, negative inside.
    #[inline]
    pub(super) fn nearest(&self) -> (Vec2, f32) {
        self.nearest_to(0.0)
    }

    /// The same, and how far it is from a circle of this radius.
    #[inline]
    pub(super) fn nearest_to(&self, radius: f32) -> (Vec2, f32) {
        let arrow = self.arrow();
        (self.outline_point(&arrow), self.separation(&arrow, radius))
    }

    /// How far the outline is from a circle of this radius, negative where they overlap.
    #[inline]
    pub(super) fn gap(&self, radius: f32) -> f32 {
        self.separation(&self.arrow(), radius)
    }

    /// `r + s` from the nearest point, against the normal.
    pub(super) fn offset(&self, r: f32, s: f32) -> Vec2 {
        let arrow = self.arrow();
        Vec2::new(self.moved(&arrow, r, s, 0), self.moved(&arrow, r, s, 1))
    }

    /// The normal before it is made a unit: components off by u of themselves.
    #[inline(always)]
    fn arrow(&self) -> Arrow {
        let e = vector(self.b, self.a);
        Arrow::new(match self.aim {
            Aim::Right => [e[1], 0.0 - e[0]],
            Aim::Left => [0.0 - e[1], e[0]],
            Aim::At(end) => vector(end, self.center),
            Aim::Up => [0.0, 1.0],
        })
    }

    #[inline(always)]
    fn unit_normal(&self, arrow: &Arrow) -> Vec2 {
        let component = |axis: usize| arrow.normal(axis).unwrap_or_else(|| measure!(normal(self, axis)));
        Vec2::new(component(0), component(1))
    }

    #[inline(always)]
    fn outline_point(&self, arrow: &Arrow) -> Vec2 {
        if self.radius > 0.0 {
            return Vec2::new(self.moved(arrow, 0.0, self.radius, 0), self.moved(arrow, 0.0, self.radius, 1));
        }
        let coordinate = |axis: usize| {
            let (value, off) = self.near(arrow, axis);
            nearest(value, off)
                .or_else(|| foot(self.center, self.a, self.b, axis))
                .unwrap_or_else(|| measure!(foot_of(self, axis)))
        };
        Vec2::new(coordinate(0), coordinate(1))
    }

    /// The point of the core segment nearest to the centre, and how far off it is: not at all at an end, on the core and beside a
    /// segment along an axis, where it is one of the numbers given.
    ///
    /// Else a + (w · e) (e_i / |e|²): the dot product is off by 4u m, m = |wx ex| + |wy ey|; |e|² is off by 7u of itself, the quotient by 9u,
    /// the product by 4u m |e_i| / |e|² and 10u of itself, the sum by u of both terms: 15u of them, and u for `nearest`.
    #[inline(always)]
    fn near(&self, arrow: &Arrow, axis: usize) -> (f64, f64) {
        match self.part {
            Part::Start => (f64::from(self.a[axis]), 0.0),
            Part::End => (f64::from(self.b[axis]), 0.0),
            Part::Interior if self.on_core => (f64::from(self.center[axis]), 0.0),
            Part::Interior => {
                let (e, w) = (vector(self.b, self.a), vector(self.center, self.a));
                if e[axis] == 0.0 {
                    return (f64::from(self.a[axis]), 0.0);
                }
                if e[1 - axis] == 0.0 {
                    return (f64::from(self.center[axis]), 0.0);
                }
                let (x, y, base) = (w[0] * e[0], w[1] * e[1], f64::from(self.a[axis]));
                // On the flank the arrow is as long as the segment.
                let share = e[axis] / (arrow.length * arrow.length);
                let most = (x.abs() + y.abs()) * share.abs();
                (base + (x + y) * share, (base.abs() + most) * (17.0 * U))
            }
        }
    }

    /// The nearest point less `r + s` along the normal: the product is off by 7u of itself, the sum by u.
    #[inline(always)]
    fn moved(&self, arrow: &Arrow, r: f32, s: f32, axis: usize) -> f32 {
        let (from, off) = self.near(arrow, axis);
        let way = arrow.unit[axis] * (f64::from(r) + f64::from(s));
        nearest(from - way, off + (from.abs() + way.abs()) * (12.0 * U))
            .or_else(|| {
                let n = -arrow.unit[axis];
                let sum = exact_sum([from, n * f64::from(r), n * f64::from(s)])?;
                if off == 0.0 && arrow.straight() { nearest(sum, 0.0) } else { None }
            })
            .unwrap_or_else(|| measure!(offset(self, r, s, axis)))
    }

    #[inline(always)]
    fn separation(&self, arrow: &Arrow, radius: f32) -> f32 {
        match self.aim {
            _ if self.on_core => minus_both(radius, self.radius),
            Aim::At(end) => gap(arrow, self.center, end, radius, self.radius),
            _ => self.flank(arrow, radius),
        }
    }

    /// `|e × w| / |e| - (r + s)`: the cross product is off by 4u m, m = |ex wy| + |ey wx|, the quotient by 4u more of itself, the difference
    /// by u, the sum of radii by u.
    #[inline(always)]
    fn flank(&self, arrow: &Arrow, radius: f32) -> f32 {
        let (e, w) = (vector(self.b, self.a), vector(self.center, self.a));
        let (x, y, radii) = (e[0] * w[1], e[1] * w[0], f64::from(radius) + f64::from(self.radius));
        let (height, most) = ((x - y).abs() / arrow.length, (x.abs() + y.abs()) / arrow.length);
        nearest(height - radii, (most + radii) * (12.0 * U))
            .unwrap_or_else(|| self.close_flank(arrow, radius, height, most))
    }

    /// The same where height and radii cancel: h / √l - R = (h² - R² l) / (l S), S = h / √l + R, l = |e|². The numerator is right to 2u, l
    /// to 7u, of which 6u are twice what √l is off by, which takes as much as it adds from what h / √l is. That is off by 3u `most` and 2u of
    /// itself besides, radii and sum by 2u of S less u of h / √l; product, quotient and `nearest` take 3u: 14u and 3u `most` / S.
    #[inline(never)]
    fn close_flank(&self, arrow: &Arrow, radius: f32, height: f64, most: f64) -> f32 {
        let (r, s) = (radius, self.radius);
        if arrow.straight() {
            // One of the two: the other component of e is zero.
            let axis = usize::from(arrow.v[0] == 0.0);
            let (low, high) =
                if self.center[axis] < self.a[axis] { (self.center, self.a) } else { (self.a, self.center) };
            if let Some(sum) = exact_sum([high[axis], -low[axis], -r, -s].map(f64::from)) {
                return nearest(sum, 0.0).unwrap_or(0.0);
            }
        }
        excess_over_line(self.center, self.a, self.b, r, s)
            .and_then(|excess| {
                let both = height + (f64::from(r) + f64::from(s));
                // All of that is for small errors: the sum may be nothing else, and the quotient then has nothing to do with its bound.
                if most * (1024.0 * U) >= both {
                    return None;
                }
                let gap = excess / (arrow.length * arrow.length * both);
                nearest(gap, gap.abs() * ((15.0 + 4.0 * (most / both)) * U))
            })
            .unwrap_or_else(|| measure!(flank_gap(self, radius)))
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
fn foot_of<N: Number>(pose: &Pose, axis: usize) -> Value<N> {
    let e = diff::<N>(pose.b, pose.a);
    let l = norm2(e);
    Value::ratio(N::from(pose.a[axis]) * l + dot(diff(pose.center, pose.a), e) * e[axis], l)
}

/// The point of the core nearest to the centre, times `l`, which is |e|² on the flank.
#[inline(always)]
pub(super) fn core_point<N: Number>(pose: &Pose, l: N, axis: usize) -> N {
    match pose.part {
        Part::Interior => {
            let e = diff::<N>(pose.b, pose.a);
            N::from(pose.a[axis]) * l + dot(diff(pose.center, pose.a), e) * e[axis]
        }
        Part::Start => N::from(pose.a[axis]) * l,
        Part::End => N::from(pose.b[axis]) * l,
    }
}

/// `f - (r + s) aim / √l`, over l = |aim|²; on the flank that is the |e|² of the foot as well.
#[inline(always)]
fn offset<N: Number>(pose: &Pose, r: f32, s: f32, axis: usize) -> Value<N> {
    let aim = aim::<N>(pose);
    let l = norm2(aim);
    Value::surd(core_point(pose, l, axis), -(reach::<N>(r, s) * aim[axis]), l, l)
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
        // What only touches stays as it is, to the bit.
        let touching = push_out(Circle::new([-0.0, 1.0], 1.0), Segment::new([-3.0, 0.0], [3.0, 0.0]));
        assert_eq!((touching.x.to_bits(), touching.y), ((-0.0f32).to_bits(), 1.0));
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
