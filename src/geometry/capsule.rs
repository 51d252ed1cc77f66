//! Capsule against capsule: two segments with radii.
//!
//! Comes in: two segments. Goes out: whether and how the capsules about them touch. Does not know motion.
//!
//! Source: Ericson, Real-Time Collision Detection, 5.1.9: core segments that do not meet are nearest to each other at an end of one of
//! them. Which end is decided exactly, each value rounded once.

use super::arrow::{minus_both, unit};
use super::circle_segment::{Pose, aim, core_point};
use super::point_line::place;
use super::segment_segment::{SegmentRelation, ends, segment_segment};
use super::{Contact, Feature, Segment, Vec2};
use crate::exact::{Number, P, Part, Relation, V, Value, cross, decide, diff, measure, nearest_part, norm2, relate};

/// How two capsules (segments with a radius, which may be zero) touch, or `None`.
///
/// `separation` = distance of the core segments less both radii; `normal` from the first to the second; `point` midway between the two
/// outlines on the common normal; `feature` the part of the *second* that is nearest. Core segments that meet: the left normal of
/// the first (of the second where the first is a point, (0, 1) where both are), at the common point, or the first
/// end of the overlap. Of several nearest pairs (parallel segments) the first in the order first's start, first's end,
/// second's start, second's end. Invalid segments: `None`. Whether they touch, and which part, is decided exactly; each value is the
/// `f32` nearest to the exact one.
#[must_use]
pub fn capsule_capsule(a: Segment, b: Segment) -> Option<Contact> {
    if !(a.is_valid() && b.is_valid()) {
        return None;
    }
    match relate(ends(a), ends(b)) {
        Relation::Disjoint => beside(a, b).map(|(contact, _)| contact),
        relation => Some(through(a, b, relation)),
    }
}

/// The contact of capsules whose cores do not meet, and where on both cores the nearest points are, each the `f32` nearest to the
/// exact parameter.
pub(crate) fn beside(a: Segment, b: Segment) -> Option<(Contact, [f32; 2])> {
    let poses = [
        Pose::new(a.start.into(), b),
        Pose::new(a.end.into(), b),
        Pose::new(b.start.into(), a),
        Pose::new(b.end.into(), a),
    ];
    let mut best = 0;
    for i in 1..poses.len() {
        if decide!(farther(&poses[i], &poses[best])).is_lt() {
            best = i;
        }
    }
    let pose = &poses[best];
    let own = if best < 2 { a.radius } else { b.radius };
    let touch = pose.reaches(own);
    if touch.is_gt() {
        return None;
    }
    let contact = pose.contact_without_point(own, touch);
    let point = Vec2::new(measure!(midway(pose, own, 0)), measure!(midway(pose, own, 1)));
    let (normal, feature) = match best {
        0 | 1 => (contact.normal, contact.feature),
        // Seen from the second: turn round.
        2 => (Vec2::new(0.0 - contact.normal.x, 0.0 - contact.normal.y), Feature::Start),
        _ => (Vec2::new(0.0 - contact.normal.x, 0.0 - contact.normal.y), Feature::End),
    };
    let on_other = place(pose);
    let parameters = match best {
        0 | 1 => [best as f32, on_other],
        _ => [on_other, (best - 2) as f32],
    };
    Some((Contact { point, normal, feature, ..contact }, parameters))
}

/// The square of the distance as a quotient.
#[inline(always)]
fn square<N: Number>(pose: &Pose) -> (N, N) {
    match pose.part {
        Part::Interior => {
            let e = diff::<N>(pose.b, pose.a);
            let k = cross(e, diff(pose.center, pose.a));
            (k * k, norm2(e))
        }
        _ => (norm2(aim::<N>(pose)), N::from(1.0)),
    }
}

#[inline(always)]
fn farther<N: Number>(one: &Pose, other: &Pose) -> N {
    let (one, other) = (square::<N>(one), square::<N>(other));
    one.0 * other.1 - other.0 * one.1
}

/// `(c + f) / 2 + n (r - s) / (2 √l)`, over 2 l.
#[inline(always)]
fn midway<N: Number>(pose: &Pose, own: f32, axis: usize) -> Value<N> {
    let aim = aim::<N>(pose);
    let l = norm2(aim);
    let c = N::from(pose.center[axis]);
    let core = core_point(pose, l, axis);
    let offset = (N::from(own) - N::from(pose.radius)) * aim[axis];
    Value::surd(c * l + core, offset, l, N::from(2.0) * l)
}

/// The contact of capsules whose cores meet.
fn through(a: Segment, b: Segment, relation: Relation) -> Contact {
    let [s, r] = [ends(a), ends(b)];
    let across = if s[0] != s[1] {
        Across::Left(s)
    } else if r[0] != r[1] {
        Across::Left(r)
    } else {
        Across::Up
    };
    let (point, feature) = match relation {
        Relation::Touch(_, on_b) => (common_point(a, b), on_b.into()),
        Relation::Overlap(from, _) => (from, nearest_part(from, r[0], r[1]).into()),
        _ => (common_point(a, b), Feature::Interior),
    };
    let point = if a.radius == b.radius {
        Vec2::new(point[0] + 0.0, point[1] + 0.0)
    } else if relation == Relation::Cross {
        let radii = [a.radius, b.radius];
        Vec2::new(measure!(cross_beside(s, r, radii, 0)), measure!(cross_beside(s, r, radii, 1)))
    } else {
        let radii = [a.radius, b.radius];
        Vec2::new(measure!(point_beside(point, across, radii, 0)), measure!(point_beside(point, across, radii, 1)))
    };
    let normal = Vec2::new(measure!(normal(across, 0)), measure!(normal(across, 1)));
    Contact { point, normal, separation: minus_both(a.radius, b.radius), feature }
}

fn common_point(a: Segment, b: Segment) -> P {
    match segment_segment(a, b) {
        SegmentRelation::Cross { point, .. } | SegmentRelation::Touch { point, .. } => point.into(),
        SegmentRelation::Overlap { from, .. } => from.into(),
        SegmentRelation::Disjoint => a.start.into(),
    }
}

/// The normal where cores meet: left of a segment, or up.
#[derive(Clone, Copy, Debug)]
enum Across {
    Left([P; 2]),
    Up,
}

#[inline(always)]
fn across_vector<N: Number>(across: Across) -> V<N> {
    match across {
        Across::Left(s) => {
            let e = diff::<N>(s[1], s[0]);
            [-e[1], e[0]]
        }
        Across::Up => [N::from(0.0), N::from(1.0)],
    }
}

#[inline(always)]
fn normal<N: Number>(across: Across, axis: usize) -> Value<N> {
    unit(across_vector(across), axis)
}

/// `p + n (r - s) / (2 √l)`, over 2 l.
#[inline(always)]
fn point_beside<N: Number>(p: P, across: Across, radii: [f32; 2], axis: usize) -> Value<N> {
    let n = across_vector::<N>(across);
    let l = norm2(n);
    let two_l = N::from(2.0) * l;
    Value::surd(N::from(p[axis]) * two_l, (N::from(radii[0]) - N::from(radii[1])) * n[axis], l, two_l)
}

/// The same about an unrounded crossing point: `a₀ + e t + n (r - s) / (2 √l)`, over 2 l (e × f).
#[inline(always)]
fn cross_beside<N: Number>(s: [P; 2], r: [P; 2], radii: [f32; 2], axis: usize) -> Value<N> {
    let (e, f) = (diff::<N>(s[1], s[0]), diff::<N>(r[1], r[0]));
    let (d, l) = (cross(e, f), norm2(e));
    let two_l = N::from(2.0) * l;
    let crossing = N::from(s[0][axis]) * d + cross(diff(r[0], s[0]), f) * e[axis];
    let n = [-e[1], e[0]];
    Value::surd(crossing * two_l, (N::from(radii[0]) - N::from(radii[1])) * n[axis] * d, l, two_l * d)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seg(x0: f32, y0: f32, x1: f32, y1: f32, r: f32) -> Segment {
        Segment::new([x0, y0], [x1, y1]).with_radius(r)
    }

    #[test]
    fn an_end_over_a_flank() {
        // The end (5, 4) is 4 above the first; radii 1 + 2.5: separation 0.5 apart. With 3.5: 0.5 deep, outlines
        // at y = 1 and y = 0.5, midway 0.75.
        let wall = seg(0.0, 0.0, 10.0, 0.0, 1.0);
        assert_eq!(capsule_capsule(wall, seg(5.0, 4.0, 6.0, 9.0, 2.5)), None);
        let contact = capsule_capsule(wall, seg(5.0, 4.0, 6.0, 9.0, 3.5)).unwrap();
        assert_eq!((contact.separation, contact.feature), (-0.5, Feature::Start));
        assert_eq!((contact.normal, contact.point), (Vec2::new(0.0, 1.0), Vec2::new(5.0, 0.75)));
        let turned = capsule_capsule(seg(5.0, 4.0, 6.0, 9.0, 3.5), wall).unwrap();
        assert_eq!((turned.normal, turned.point), (Vec2::new(0.0, -1.0), Vec2::new(5.0, 0.75)));
        assert_eq!((turned.separation, turned.feature), (-0.5, Feature::Interior));
    }

    #[test]
    fn where_on_both_cores_the_nearest_points_are() {
        // The end (5, 4) is over the middle of the wall: half way along it, at 0 or at 1 of the other.
        let (wall, post, turned) =
            (seg(0.0, 0.0, 10.0, 0.0, 1.0), seg(5.0, 4.0, 6.0, 9.0, 3.5), seg(6.0, 9.0, 5.0, 4.0, 3.5));
        let parameters = |a: Segment, b: Segment| beside(a, b).unwrap().1;
        assert_eq!([parameters(wall, post), parameters(wall, turned)], [[0.5, 0.0], [0.5, 1.0]]);
        assert_eq!([parameters(post, wall), parameters(turned, wall)], [[0.0, 0.5], [1.0, 0.5]]);
    }

    #[test]
    fn a_common_point_has_no_negative_zero() {
        let (a, b) = (seg(-0.0, -0.0, 5.0, -0.0, 1.0), seg(-1.0, 0.0, 3.0, 0.0, 1.0));
        let point = capsule_capsule(a, b).unwrap().point;
        assert_eq!([point.x.to_bits(), point.y.to_bits()], [0, 0]);
    }

    #[test]
    fn two_ends_three_four_five() {
        let contact = capsule_capsule(seg(-9.0, 0.0, 0.0, 0.0, 2.0), seg(3.0, 4.0, 9.0, 9.0, 3.0)).unwrap();
        assert_eq!((contact.separation, contact.feature), (0.0, Feature::Start));
        assert_eq!((contact.normal, contact.point), (Vec2::new(0.6, 0.8), Vec2::new(1.2, 1.6)));
        assert_eq!(capsule_capsule(seg(-9.0, 0.0, 0.0, 0.0, 2.0), seg(3.0, 4.0, 9.0, 9.0, 3.0f32.next_down())), None);
    }

    #[test]
    fn cores_that_meet_part_along_the_left_normal() {
        // Crossing at (2, 0); radii 3 and 1: outlines at y = 3 (of the first) and y = -1, midway 1.
        let contact = capsule_capsule(seg(0.0, 0.0, 9.0, 0.0, 3.0), seg(2.0, -5.0, 2.0, 5.0, 1.0)).unwrap();
        assert_eq!((contact.separation, contact.normal), (-4.0, Vec2::new(0.0, 1.0)));
        assert_eq!((contact.point, contact.feature), (Vec2::new(2.0, 1.0), Feature::Interior));
        let points = capsule_capsule(seg(1.0, 1.0, 1.0, 1.0, 2.0), seg(1.0, 1.0, 1.0, 1.0, 0.0)).unwrap();
        assert_eq!((points.normal, points.point, points.separation), (Vec2::new(0.0, 1.0), Vec2::new(1.0, 2.0), -2.0));
        assert_eq!(capsule_capsule(seg(0.0, 0.0, 9.0, 0.0, -1.0), seg(2.0, -5.0, 2.0, 5.0, 1.0)), None);
    }
}
