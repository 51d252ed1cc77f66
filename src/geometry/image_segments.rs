//! A segment against the image of another, in a plane that repeats.
//!
//! Comes in: two segments, with radii that may be zero, and by how many periods the second is moved. Goes out: how they meet, each
//! value the `f32` nearest to the exact one, seen from the first: points are on it as it stands. This room does not know which image is meant.
//!
//! Source: as `segment_segment` and `capsule`, whose formulas these are, with the second segment moved and nothing rounded.

use super::images::{Pose, aim, foot};
use super::segment_segment::{ends, plain};
use super::{Segment, SegmentRelation, Vec2};
use crate::exact::{
    Corner, ImageRelation, Number, P, Part, Shift, Value, cross, decide, diff, dot, image, measure, norm2,
    relate_image, to_image,
};

/// How two segments touch: their cores as `segment_segment` says, or only their outlines.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum ImageTouch {
    /// In one point, or in a piece: then with the place of its first end on both.
    Cores { relation: SegmentRelation, t: f32, u: f32 },
    /// Midway between the outlines of the nearest points, which are there on both.
    Near { point: Vec2, t: f32, u: f32 },
}

/// How `a` and the image of `b` touch, or `None`, decided exactly.
pub(crate) fn segment_segment_image(a: Segment, b: Segment, by: &Shift) -> Option<ImageTouch> {
    let (s, r) = (ends(a), ends(b));
    let corner = |corner: Corner| match corner {
        Corner::First(i) => plain(s[i]),
        Corner::Second(j) => Vec2::new(measure!(coordinate(r[j], by, 0)), measure!(coordinate(r[j], by, 1))),
    };
    let on_first = |corner: Corner| match corner {
        Corner::First(i) => i as f32,
        Corner::Second(j) => measure!(share_of_first(s, r[j], by)),
    };
    let on_second = |corner: Corner| match corner {
        Corner::First(i) => measure!(share_of_second(s[i], r, by)),
        Corner::Second(j) => j as f32,
    };
    let end = |part: Part| usize::from(part == Part::End);
    match relate_image(s, r, by) {
        ImageRelation::Disjoint => near(a, b, by),
        ImageRelation::Cross => {
            let point = Vec2::new(measure!(crossing(s, r, by, 0)), measure!(crossing(s, r, by, 1)));
            let (t, u) = (measure!(parameter(s, r, by, false)), measure!(parameter(s, r, by, true)));
            Some(ImageTouch::Cores { relation: SegmentRelation::Cross { point, t, u }, t, u })
        }
        ImageRelation::Touch(on_a, on_b) => {
            let at = if on_a == Part::Interior { Corner::Second(end(on_b)) } else { Corner::First(end(on_a)) };
            let t = if on_a == Part::Interior { on_first(at) } else { end(on_a) as f32 };
            let u = if on_b == Part::Interior { on_second(at) } else { end(on_b) as f32 };
            Some(ImageTouch::Cores { relation: SegmentRelation::Touch { point: corner(at), t, u }, t, u })
        }
        ImageRelation::Overlap(from, to) => {
            let relation = SegmentRelation::Overlap { from: corner(from), to: corner(to) };
            Some(ImageTouch::Cores { relation, t: on_first(from), u: on_second(from) })
        }
    }
}

#[inline(always)]
fn coordinate<N: Number>(p: P, by: &Shift, axis: usize) -> Value<N> {
    Value::ratio(image::<N>(p, by)[axis], N::from(1.0))
}

/// The axis that a segment is not at right angles to, the first of both.
fn axis_of(s: [P; 2]) -> usize {
    usize::from(s[0][0] == s[1][0])
}

#[inline(always)]
fn share_of_first<N: Number>(s: [P; 2], p: P, by: &Shift) -> Value<N> {
    let axis = axis_of(s);
    Value::ratio(to_image::<N>(s[0], p, by)[axis], diff::<N>(s[1], s[0])[axis])
}

#[inline(always)]
fn share_of_second<N: Number>(p: P, r: [P; 2], by: &Shift) -> Value<N> {
    let axis = axis_of(r);
    Value::ratio(-to_image::<N>(p, r[0], by)[axis], diff::<N>(r[1], r[0])[axis])
}

#[inline(always)]
fn parameter<N: Number>(s: [P; 2], r: [P; 2], by: &Shift, of_second: bool) -> Value<N> {
    let (e, f) = (diff::<N>(s[1], s[0]), diff::<N>(r[1], r[0]));
    Value::ratio(cross(to_image(s[0], r[0], by), if of_second { e } else { f }), cross(e, f))
}

#[inline(always)]
fn crossing<N: Number>(s: [P; 2], r: [P; 2], by: &Shift, axis: usize) -> Value<N> {
    let (e, f) = (diff::<N>(s[1], s[0]), diff::<N>(r[1], r[0]));
    let d = cross(e, f);
    Value::ratio(N::from(s[0][axis]) * d + cross(to_image(s[0], r[0], by), f) * e[axis], d)
}

/// Cores that do not meet are nearest to each other at an end of one of them.
fn near(a: Segment, b: Segment, by: &Shift) -> Option<ImageTouch> {
    if a.radius == 0.0 && b.radius == 0.0 {
        return None;
    }
    let back = Shift { count: by.count.map(|count| -count), ..*by };
    let (s, r) = (ends(a), ends(b));
    let poses = [Pose::new(s[0], b, *by), Pose::new(s[1], b, *by), Pose::new(r[0], a, back), Pose::new(r[1], a, back)];
    let mut best = 0;
    for i in 1..poses.len() {
        if decide!(farther(&poses[i], &poses[best])).is_lt() {
            best = i;
        }
    }
    let pose = &poses[best];
    let (own, seen_from_b) = if best < 2 { (a.radius, false) } else { (b.radius, true) };
    if pose.reaches(own).is_gt() {
        return None;
    }
    let on_other = match pose.part {
        Part::Start => 0.0,
        Part::End => 1.0,
        Part::Interior => measure!(place(pose)),
    };
    let point = Vec2::new(measure!(midway(pose, own, seen_from_b, 0)), measure!(midway(pose, own, seen_from_b, 1)));
    let (t, u) = if seen_from_b { (on_other, (best - 2) as f32) } else { (best as f32, on_other) };
    Some(ImageTouch::Near { point, t, u })
}

/// The square of the distance as a quotient.
#[inline(always)]
fn square<N: Number>(pose: &Pose) -> (N, N) {
    let w = to_image::<N>(pose.center, pose.end(), &pose.by);
    if pose.part == Part::Interior {
        let e = diff::<N>(pose.b, pose.a);
        let height = cross(w, e);
        (height * height, norm2(e))
    } else {
        (norm2(w), N::from(1.0))
    }
}

#[inline(always)]
fn farther<N: Number>(one: &Pose, other: &Pose) -> N {
    let (one, other) = (square::<N>(one), square::<N>(other));
    one.0 * other.1 - other.0 * one.1
}

#[inline(always)]
fn place<N: Number>(pose: &Pose) -> Value<N> {
    let e = diff::<N>(pose.b, pose.a);
    Value::ratio(-dot(to_image(pose.center, pose.a, &pose.by), e), norm2(e))
}

/// `(c + f) / 2 + n (r - s) / (2 √l)`, over 2 l; what is seen from the second segment is moved back to the first.
#[inline(always)]
fn midway<N: Number>(pose: &Pose, own: f32, seen_from_b: bool, axis: usize) -> Value<N> {
    let aim = aim::<N>(pose);
    let l = norm2(aim);
    let sum = N::from(pose.center[axis]) * l + foot(pose, l, axis);
    let zero = [0.0, 0.0];
    let sum =
        if seen_from_b { sum - (image::<N>(zero, &pose.by)[axis] + image::<N>(zero, &pose.by)[axis]) * l } else { sum };
    let offset = (N::from(own) - N::from(pose.radius)) * aim[axis];
    Value::surd(sum, offset, l, N::from(2.0) * l)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{beside, segment_segment};

    const BY: Shift = Shift { count: [-1, 1], low: [-8.0, -8.0], high: [8.0, 8.0] };

    /// How far along a segment of integers, which is no point, a point of it is: one rounding, of the quotient.
    fn share_of(p: P, [from, to]: [P; 2]) -> f32 {
        let axis = usize::from(from[0] == to[0]);
        (p[axis] - from[axis]) / (to[axis] - from[axis])
    }

    #[test]
    fn images_of_segments_meet_as_segments_do() {
        let mut counts = [0; 5];
        let mut state = 7u64;
        let mut draw = |n: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % n
        };
        for k in 0..6000 {
            let mut point = |from: [f32; 2]| [from[0] + draw(5) as f32, from[1] + draw(5) as f32];
            let (a, mut b) = ([point([0.0, 0.0]), point([0.0, 0.0])], [point([0.0, 0.0]), point([0.0, 0.0])]);
            b = if k % 9 == 0 { [b[0]; 2] } else { b };
            let radius = [[0.5, 0.5], [0.0, 0.0], [0.5, 0.0], [0.0, 0.5]][k % 4];
            let a = Segment::new(a[0], a[1]).with_radius(radius[0]);
            let stands = Segment::new(b[0], b[1]).with_radius(radius[1]);
            let [start, end] = b.map(|[x, y]| [x + 16.0, y - 16.0]);
            let b = Segment::new(start, end).with_radius(radius[1]);
            let found = segment_segment_image(a, b, &BY);
            let expected = match segment_segment(a, stands) {
                SegmentRelation::Disjoint if radius != [0.0; 2] => {
                    beside(a, stands).map(|(contact, [t, u])| ImageTouch::Near { point: contact.point, t, u })
                }
                SegmentRelation::Disjoint => None,
                relation @ (SegmentRelation::Cross { t, u, .. } | SegmentRelation::Touch { t, u, .. }) => {
                    Some(ImageTouch::Cores { relation, t, u })
                }
                relation @ SegmentRelation::Overlap { from, .. } => {
                    let [t, u] = [a, stands].map(|segment| share_of(from.into(), ends(segment)));
                    Some(ImageTouch::Cores { relation, t, u })
                }
            };
            assert_eq!(found, expected, "{a:?} {stands:?}");
            counts[match found {
                None => 0,
                Some(ImageTouch::Near { .. }) => 1,
                Some(ImageTouch::Cores { relation: SegmentRelation::Cross { .. }, .. }) => 2,
                Some(ImageTouch::Cores { relation: SegmentRelation::Touch { .. }, .. }) => 3,
                _ => 4,
            }] += 1;
        }
        assert!(counts.iter().all(|&count| count > 30), "{counts:?}");
    }
}
