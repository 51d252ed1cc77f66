//! Moving circles: the first moment of touch.
//!
//! Comes in: shapes, and how far the circle moves in the step. Goes out: the fraction of the step, the contact there, and whether
//! it matters. Does not know what is done about it.
//!
//! Method (van den Bergen, Collision Detection in Interactive 3D Environments, 3.4, worked out for the plane): the centre, a point, runs into the
//! set of points within R = r + s of the segment. Entering the strip of half width R about the line at fraction
//! (|k| - R √l) / |k'|, it meets the flank there if its foot is strictly between the ends, else it can only meet the disc about
//! the end on whose side that foot is: whoever passes from beyond an end, inside the strip, to its flank crosses that disc. So one flank
//! test and at most one disc test decide, exactly; each value is rounded once.

use super::arrow::unit;
use super::circle_circle::circle_circle;
use super::circle_segment::{Aim, Pose, aim, circle_segment};
use super::segment_segment::plain;
use super::{Circle, Contact, Feature, Segment, Vec2};
use crate::exact::{
    Number, P, Part, Surd, V, Value, compare_to_line, cross, decide, diff, dot, lift, measure, norm2, orient, reach,
};

/// The first touch of a moving circle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Sweep {
    /// The part of the motion before the touch, 0..=1; 0 where the shapes touch at the start.
    pub fraction: f32,
    /// The contact at that moment; its separation is 0, or that of the start where the shapes overlap there.
    pub contact: Contact,
    /// The motion goes into the other shape there (motion · normal > 0, exactly). False for what slides, grazes or leaves.
    pub approaching: bool,
}

/// The first touch of a circle that moves by `motion` with a segment or capsule at rest, or `None`; decided exactly.
///
/// Closed at both ends of the motion. Touching or overlapping at the start: fraction 0 and the contact of
/// [`circle_segment`]. The end point `center + motion` is not rounded. Zero motion: touching at the start or `None`. Feature and
/// `approaching` are decided exactly too; fraction, point and normal are each the `f32` nearest to the exact value. Two shapes without
/// a radius: the normal is that of the flank, or, at an end, the direction of the motion. Invalid shapes or motion: `None`.
#[must_use]
pub fn sweep_circle_segment(circle: Circle, motion: impl Into<Vec2>, segment: Segment) -> Option<Sweep> {
    let motion = motion.into();
    if !(circle.is_valid() && segment.is_valid() && motion.is_finite()) {
        return None;
    }
    let approach = Approach {
        center: circle.center.into(),
        motion: motion.into(),
        against: [0.0, 0.0],
        radius: circle.radius,
        limit: 1.0,
    };
    let meeting = first_meeting(&approach, Obstacle::Segment(segment))?;
    let contact = if meeting.at_start { circle_segment(circle, segment)? } else { meeting.contact };
    Some(Sweep { fraction: meeting.fraction, contact, approaching: meeting.approaching })
}

/// The first touch of two moving circles, or `None`; decided exactly on the unrounded relative motion.
///
/// Closed at both ends of the motion; touching or overlapping at the start: fraction 0 and the contact of [`circle_circle`].
/// `approaching` is about the motion of the first relative to the second, and decided exactly; each value is the `f32` nearest to the
/// exact one. Two points: the normal is the direction of that motion. Invalid circles or motions: `None`.
#[must_use]
pub fn sweep_circle_circle(
    a: Circle,
    motion_a: impl Into<Vec2>,
    b: Circle,
    motion_b: impl Into<Vec2>,
) -> Option<Sweep> {
    let (motion, against) = (motion_a.into(), motion_b.into());
    if !(a.is_valid() && b.is_valid() && motion.is_finite() && against.is_finite()) {
        return None;
    }
    let approach = Approach {
        center: a.center.into(),
        motion: motion.into(),
        against: against.into(),
        radius: a.radius,
        limit: 1.0,
    };
    let meeting = first_meeting(&approach, Obstacle::Circle(b))?;
    let contact = if meeting.at_start { circle_circle(a, b)? } else { meeting.contact };
    Some(Sweep { fraction: meeting.fraction, contact, approaching: meeting.approaching })
}

/// A disc about `center` that moves by `limit (motion - against)` relative to the obstacle, which itself moves by `against`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Approach {
    pub(super) center: P,
    pub(super) motion: P,
    pub(super) against: P,
    pub(super) radius: f32,
    pub(super) limit: f32,
}

/// What is run into.
#[derive(Clone, Copy, Debug)]
pub(super) enum Obstacle {
    Segment(Segment),
    Circle(Circle),
}

/// The first touch. At the start only the contact's normal and feature are filled in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meeting {
    pub(super) fraction: f32,
    pub(super) at_start: bool,
    pub(super) contact: Contact,
    pub(super) approaching: bool,
}

/// The first touch of valid shapes.
pub(super) fn first_meeting(approach: &Approach, obstacle: Obstacle) -> Option<Meeting> {
    let segment = match obstacle {
        Obstacle::Segment(segment) => segment,
        Obstacle::Circle(circle) => Segment::new(circle.center, circle.center).with_radius(circle.radius),
    };
    let pose = Pose::new(approach.center, segment);
    let mut meeting = if pose.reaches(approach.radius).is_le() {
        let contact = Contact { normal: pose.normal(), feature: pose.part.into(), ..Contact::default() };
        let approaching = decide!(advance(&pose, approach)).is_gt();
        Meeting { fraction: 0.0, at_start: true, contact, approaching }
    } else if approach.motion == approach.against {
        return None;
    } else {
        later_meeting(approach, &pose)?
    };
    if matches!(obstacle, Obstacle::Circle(_)) {
        meeting.contact.feature = Feature::Interior;
    }
    Some(meeting)
}

/// Motion along the normal.
#[inline(always)]
fn advance<N: Number>(pose: &Pose, approach: &Approach) -> N {
    dot(aim::<N>(pose), velocity(approach))
}

/// The first touch of shapes that are apart at the start, in relative motion.
fn later_meeting(approach: &Approach, pose: &Pose) -> Option<Meeting> {
    let (a, b) = (pose.a, pose.b);
    if a == b {
        return meet_end(approach, pose, Part::Start);
    }
    if compare_to_line(pose.center, a, b, approach.radius, pose.radius).is_le() {
        // Inside the strip but apart: beyond an end.
        return meet_end(approach, pose, pose.part);
    }
    let side = orient(a, b, pose.center);
    let flank = Flank { a, b, s: pose.radius, left: side.is_gt() };
    if decide!(rate(approach, &flank)).is_le() {
        return None;
    }
    if decide!(foot_from(approach, &flank, a)).is_le() {
        return meet_end(approach, pose, Part::Start);
    }
    if decide!(foot_from(approach, &flank, b)).is_ge() {
        return meet_end(approach, pose, Part::End);
    }
    if decide!(flank_late(approach, &flank)).is_gt() {
        return None;
    }
    let normal = Pose { aim: if flank.left { Aim::Right } else { Aim::Left }, ..*pose }.normal();
    let point = if reaches_at_all(approach.radius, pose.radius) {
        Vec2::new(measure!(flank_point(approach, &flank, 0)), measure!(flank_point(approach, &flank, 1)))
    } else {
        Vec2::new(measure!(flank_crossing(approach, &flank, 0)), measure!(flank_crossing(approach, &flank, 1)))
    };
    let contact = Contact { point, normal, separation: 0.0, feature: Feature::Interior };
    Some(Meeting { fraction: measure!(flank_fraction(approach, &flank)), at_start: false, contact, approaching: true })
}

fn reaches_at_all(r: f32, s: f32) -> bool {
    r > 0.0 || s > 0.0
}

#[inline(always)]
fn velocity<N: Number>(approach: &Approach) -> V<N> {
    diff(approach.motion, approach.against)
}

/// The core segment, its radius, and the side the centre comes from.
#[derive(Clone, Copy, Debug)]
struct Flank {
    a: P,
    b: P,
    s: f32,
    left: bool,
}

/// |e × w|, w from the start to the centre.
#[inline(always)]
fn height<N: Number>(approach: &Approach, flank: &Flank) -> N {
    let k = cross(diff::<N>(flank.b, flank.a), diff(approach.center, flank.a));
    if flank.left { k } else { -k }
}

/// How fast that falls.
#[inline(always)]
fn rate<N: Number>(approach: &Approach, flank: &Flank) -> N {
    let k = cross(diff::<N>(flank.b, flank.a), velocity(approach));
    if flank.left { -k } else { k }
}

/// Where the foot is along the segment, seen from one of its ends, when the strip is entered; times `rate`.
#[inline(always)]
fn foot_from<N: Number>(approach: &Approach, flank: &Flank, end: P) -> Surd<N> {
    let e = diff::<N>(flank.b, flank.a);
    let ahead = dot(velocity(approach), e);
    let p = dot(diff(approach.center, end), e) * rate(approach, flank) + height::<N>(approach, flank) * ahead;
    Surd { p, q: -(reach::<N>(approach.radius, flank.s) * ahead), l: norm2(e) }
}

/// Whether the strip is entered after the limit: `|k| - R √l - limit rate`.
#[inline(always)]
fn flank_late<N: Number>(approach: &Approach, flank: &Flank) -> Surd<N> {
    let p = height::<N>(approach, flank) - N::from(approach.limit) * rate(approach, flank);
    Surd { p, q: -reach::<N>(approach.radius, flank.s), l: norm2(diff(flank.b, flank.a)) }
}

/// `(|k| - R √l) / rate`.
#[inline(always)]
fn flank_fraction<N: Number>(approach: &Approach, flank: &Flank) -> Value<N> {
    let l = norm2(diff::<N>(flank.b, flank.a));
    Value::surd(height(approach, flank), -reach::<N>(approach.radius, flank.s), l, rate(approach, flank))
}

/// The centre then, and r along the normal from it: `c + v (|k| - R √l) / rate + r n / √l`, over rate l.
#[inline(always)]
fn flank_point<N: Number>(approach: &Approach, flank: &Flank, axis: usize) -> Value<N> {
    let (e, v) = (diff::<N>(flank.b, flank.a), velocity::<N>(approach));
    let (l, rate) = (norm2(e), rate::<N>(approach, flank));
    let normal = if flank.left { [e[1], -e[0]] } else { [-e[1], e[0]] };
    let p = (N::from(approach.center[axis]) * rate + height::<N>(approach, flank) * v[axis]) * l;
    let q = N::from(approach.radius) * normal[axis] * rate - reach::<N>(approach.radius, flank.s) * v[axis] * l;
    Value::surd(p, q, l, rate * l)
}

/// The same for two radii of zero: `c + v |k| / rate`.
#[inline(always)]
fn flank_crossing<N: Number>(approach: &Approach, flank: &Flank, axis: usize) -> Value<N> {
    let (v, rate) = (velocity::<N>(approach), rate::<N>(approach, flank));
    Value::ratio(N::from(approach.center[axis]) * rate + height::<N>(approach, flank) * v[axis], rate)
}

/// The disc about an end of the segment.
#[derive(Clone, Copy, Debug)]
struct Cap {
    end: P,
    s: f32,
}

/// The first touch with the disc about an end.
fn meet_end(approach: &Approach, pose: &Pose, part: Part) -> Option<Meeting> {
    let cap = Cap { end: if part == Part::End { pose.b } else { pose.a }, s: pose.radius };
    if decide!(ahead(approach, &cap)).is_ge() {
        return None;
    }
    let depth = decide!(discriminant(approach, &cap));
    if depth.is_lt() || decide!(cap_late(approach, &cap)).is_gt() {
        return None;
    }
    let at_rest = approach.against == [0.0, 0.0];
    let round = reaches_at_all(approach.radius, pose.radius);
    let normal = if round {
        Vec2::new(measure!(cap_normal(approach, &cap, 0)), measure!(cap_normal(approach, &cap, 1)))
    } else {
        Vec2::new(measure!(heading(approach, 0)), measure!(heading(approach, 1)))
    };
    let point = if at_rest && pose.radius == 0.0 {
        plain(cap.end)
    } else if round {
        Vec2::new(measure!(cap_point(approach, &cap, 0)), measure!(cap_point(approach, &cap, 1)))
    } else {
        Vec2::new(measure!(carried(approach, &cap, 0)), measure!(carried(approach, &cap, 1)))
    };
    let contact = Contact { point, normal, separation: 0.0, feature: part.into() };
    // Two points that meet, meet head on.
    let approaching = depth.is_gt() || !round;
    Some(Meeting { fraction: measure!(cap_fraction(approach, &cap)), at_start: false, contact, approaching })
}

/// `b = w · v`, w from the end to the centre: negative while it comes nearer.
#[inline(always)]
fn ahead<N: Number>(approach: &Approach, cap: &Cap) -> N {
    dot(diff::<N>(approach.center, cap.end), velocity(approach))
}

/// `v × w`.
#[inline(always)]
fn aside<N: Number>(approach: &Approach, cap: &Cap) -> N {
    cross(velocity::<N>(approach), diff(approach.center, cap.end))
}

/// `R² v² - (v × w)²`.
#[inline(always)]
fn discriminant<N: Number>(approach: &Approach, cap: &Cap) -> N {
    let (reach, k) = (reach::<N>(approach.radius, cap.s), aside::<N>(approach, cap));
    reach * reach * norm2(velocity(approach)) - k * k
}

/// Whether the disc is met after the limit: `-b - √disc - limit v²`.
#[inline(always)]
fn cap_late<N: Number>(approach: &Approach, cap: &Cap) -> Surd<N> {
    let p = -ahead::<N>(approach, cap) - N::from(approach.limit) * norm2(velocity(approach));
    Surd { p, q: N::from(-1.0), l: discriminant(approach, cap) }
}

/// `(-b - √disc) / v²`.
#[inline(always)]
fn cap_fraction<N: Number>(approach: &Approach, cap: &Cap) -> Value<N> {
    let l = norm2(velocity::<N>(approach));
    Value::surd(-ahead::<N>(approach, cap), N::from(-1.0), discriminant(approach, cap), l)
}

/// `(v √disc - (v × w) v⊥) / (R v²)`: the centre then lies `(v × w) v⊥ / v²` beside the end and `√disc / |v|` before it.
#[inline(always)]
fn cap_normal<N: Number>(approach: &Approach, cap: &Cap, axis: usize) -> Value<N> {
    let v = velocity::<N>(approach);
    let k = aside::<N>(approach, cap);
    let p = if axis == 0 { k * v[1] } else { -(k * v[0]) };
    Value::surd(p, v[axis], discriminant(approach, cap), reach::<N>(approach.radius, cap.s) * norm2(v))
}

/// The end, carried along, less s times the normal; over R v².
#[inline(always)]
fn cap_point<N: Number>(approach: &Approach, cap: &Cap, axis: usize) -> Value<N> {
    let (v, carry) = (velocity::<N>(approach), N::from(approach.against[axis]));
    let (reach, s) = (reach::<N>(approach.radius, cap.s), N::from(cap.s));
    let (l, k) = (norm2(v), aside::<N>(approach, cap));
    let beside = if axis == 0 { k * v[1] } else { -(k * v[0]) };
    let p = N::from(cap.end[axis]) * reach * l - carry * ahead::<N>(approach, cap) * reach - s * beside;
    Value::surd(p, -(carry * reach) - s * v[axis], discriminant(approach, cap), reach * l)
}

/// The normal of a point that meets a point: `v / |v|`.
#[inline(always)]
fn heading<N: Number>(approach: &Approach, axis: usize) -> Value<N> {
    unit(velocity(approach), axis)
}

/// Where a moving point is when another meets it: the two lie in line with their motion, so `end - carry b / v²`.
#[inline(always)]
fn carried<N: Number>(approach: &Approach, cap: &Cap, axis: usize) -> Value<N> {
    let l = norm2(velocity::<N>(approach));
    let carry = lift::<N>(approach.against)[axis];
    Value::ratio(N::from(cap.end[axis]) * l - carry * ahead::<N>(approach, cap), l)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wall() -> Segment {
        Segment::new([0.0, 0.0], [10.0, 0.0])
    }

    #[test]
    fn a_fall_onto_the_flank() {
        // From y = 9 by -16 with radius 1: the gap of 8 is half the way.
        let sweep = sweep_circle_segment(Circle::new([4.0, 9.0], 1.0), [0.0, -16.0], wall()).unwrap();
        assert_eq!((sweep.fraction, sweep.approaching), (0.5, true));
        assert_eq!((sweep.contact.point, sweep.contact.normal), (Vec2::new(4.0, 0.0), Vec2::new(0.0, -1.0)));
        // A capsule of radius 3 is met 3 earlier: 5/16, at its outline.
        let sweep = sweep_circle_segment(Circle::new([4.0, 9.0], 1.0), [0.0, -16.0], wall().with_radius(3.0)).unwrap();
        assert_eq!((sweep.fraction, sweep.contact.point), (0.3125, Vec2::new(4.0, 3.0)));
    }

    #[test]
    fn the_end_is_met_where_the_foot_leaves_the_flank() {
        // Straight down on the end: the foot is exactly on it.
        let sweep = sweep_circle_segment(Circle::new([10.0, 9.0], 1.0), [0.0, -16.0], wall()).unwrap();
        assert_eq!((sweep.contact.feature, sweep.fraction), (Feature::End, 0.5));
        // 3 beside the end with radius 5: the centre stops 4 above, after 5 of 10; normal (-3, -4) / 5.
        let sweep = sweep_circle_segment(Circle::new([13.0, 9.0], 5.0), [0.0, -10.0], wall()).unwrap();
        assert_eq!((sweep.fraction, sweep.contact.normal), (0.5, Vec2::new(-0.6, -0.8)));
        assert_eq!((sweep.contact.point, sweep.contact.separation), (Vec2::new(10.0, 0.0), 0.0));
    }

    #[test]
    fn grazes_are_touches_that_do_not_matter() {
        let circle = Circle::new([-10.0, 1.0], 1.0);
        let sweep = sweep_circle_segment(circle, [20.0, 0.0], wall()).unwrap();
        assert_eq!((sweep.fraction, sweep.contact.feature, sweep.approaching), (0.5, Feature::Start, false));
        assert!(sweep_circle_segment(Circle::new([-10.0, 1.0f32.next_up()], 1.0), [20.0, 0.0], wall()).is_none());
        // Leaving: touching at the start, not approaching.
        let sweep = sweep_circle_segment(Circle::new([5.0, 1.0], 1.0), [0.0, 1.0], wall()).unwrap();
        assert_eq!((sweep.fraction, sweep.approaching), (0.0, false));
        let sweep = sweep_circle_segment(Circle::new([5.0, 0.5], 1.0), [0.0, -1.0], wall()).unwrap();
        assert_eq!((sweep.fraction, sweep.contact.separation, sweep.approaching), (0.0, -0.5, true));
    }

    #[test]
    fn the_end_of_the_motion_is_closed_and_unrounded() {
        // A gap of one ulp of 1, 2^-23, crossed by a motion of exactly that; 1 + 2^-23 - 2^-24 would round.
        let circle = Circle::new([5.0, 1.0 + f32::EPSILON], 1.0);
        assert_eq!(sweep_circle_segment(circle, [0.0, -f32::EPSILON], wall()).unwrap().fraction, 1.0);
        assert!(sweep_circle_segment(circle, [0.0, -f32::EPSILON.next_down()], wall()).is_none());
        assert!(sweep_circle_segment(circle, [0.0, 0.0], wall()).is_none());
    }

    #[test]
    fn two_moving_circles() {
        // 20 apart, radii 3 + 2: 15 of the relative 30 is half; the first is then at 10 and its outline at 13.
        let (a, b) = (Circle::new([0.0, 0.0], 3.0), Circle::new([20.0, 0.0], 2.0));
        let sweep = sweep_circle_circle(a, [20.0, 0.0], b, [-10.0, 0.0]).unwrap();
        assert_eq!((sweep.fraction, sweep.contact.normal), (0.5, Vec2::new(1.0, 0.0)));
        assert_eq!(sweep.contact.point, Vec2::new(13.0, 0.0));
        assert!(sweep_circle_circle(a, [20.0, 0.0], b, [20.0, 0.0]).is_none());
        // Two points: they meet at x = 10 on parallel terms.
        let (a, b) = (Circle::new([0.0, 4.0], 0.0), Circle::new([20.0, 4.0], 0.0));
        let sweep = sweep_circle_circle(a, [20.0, 0.0], b, [-20.0, 0.0]).unwrap();
        assert_eq!((sweep.fraction, sweep.contact.point, sweep.approaching), (0.5, Vec2::new(10.0, 4.0), true));
    }
}
