//! Circles and segments against the image of another shape, in a plane that repeats.
//!
//! Comes in: one pair, and by how many periods the second of it is moved. Goes out: how they touch, each value the `f32` nearest to the
//! exact one, seen from the first: points are beside it as it stands. This room does not know which image is meant.
//!
//! Source: as `circle_circle` and `circle_segment`, whose formulas these are, with the second shape moved and nothing rounded. Asked
//! only where double precision leaves something open, so every value goes through the tiers of `exact`.

use super::arrow::unit;
use super::{Aabb, Circle, Contact, Feature, Segment, Vec2};
use crate::exact::{
    Number, P, Part, Shift, V, Value, compare_to_image, compare_to_line_image, cross, decide, diff, dot, image,
    is_image, is_within_image, lift, measure, nearest_part_of_image, norm2, reach, side_of_image, to_image,
};
use std::cmp::Ordering;

/// `geometry::circle_circle` of `a` and the image of `b`.
pub(crate) fn circle_circle_image(a: Circle, b: Circle, by: &Shift) -> Option<Contact> {
    let (p, q): (P, P) = (a.center.into(), b.center.into());
    let touch = compare_to_image(p, q, by, a.radius, b.radius);
    if touch.is_gt() {
        return None;
    }
    let apart = !is_image(p, q, by);
    let value = |axis: usize| match apart {
        true => [measure!(toward(p, q, by, axis)), measure!(midway(a, b, by, axis))],
        false => [axis as f32, measure!(above(a, b, axis))],
    };
    let [[nx, x], [ny, y]] = [value(0), value(1)];
    let separation = match touch {
        Ordering::Equal => 0.0,
        _ => measure!(gap(p, q, by, a.radius, b.radius)),
    };
    Some(Contact { point: Vec2::new(x, y), normal: Vec2::new(nx, ny), separation, feature: Feature::Interior })
}

#[inline(always)]
fn toward<N: Number>(p: P, q: P, by: &Shift, axis: usize) -> Value<N> {
    unit(to_image(p, q, by), axis)
}

/// `√l - (r + s)`, l the squared distance.
#[inline(always)]
fn gap<N: Number>(p: P, q: P, by: &Shift, r: f32, s: f32) -> Value<N> {
    Value::surd(-reach::<N>(r, s), N::from(1.0), norm2(to_image(p, q, by)), N::from(1.0))
}

/// `(c1 + c2) / 2 + d (r1 - r2) / (2 √l)`, over 2 l.
#[inline(always)]
fn midway<N: Number>(a: Circle, b: Circle, by: &Shift, axis: usize) -> Value<N> {
    let (p, q): (P, P) = (a.center.into(), b.center.into());
    let (d, q) = (to_image::<N>(p, q, by), image::<N>(q, by));
    let l = norm2(d);
    let sum = N::from(p[axis]) + q[axis];
    Value::surd(sum * l, d[axis] * (N::from(a.radius) - N::from(b.radius)), l, N::from(2.0) * l)
}

/// The same of coincident centres, whose normal is (0, 1).
#[inline(always)]
fn above<N: Number>(a: Circle, b: Circle, axis: usize) -> Value<N> {
    let p: P = a.center.into();
    let twice = N::from(2.0) * N::from(p[axis]);
    let beside = N::from(axis as f32) * (N::from(a.radius) - N::from(b.radius));
    Value::ratio(twice + beside, N::from(2.0))
}

/// `geometry::circle_segment` of a circle and the image of a segment.
pub(crate) fn circle_segment_image(circle: Circle, segment: Segment, by: &Shift) -> Option<Contact> {
    let pose = Pose::new(circle.center.into(), segment, *by);
    let touch = pose.reaches(circle.radius);
    if touch.is_gt() {
        return None;
    }
    let coordinate = |axis: usize| {
        if pose.radius > 0.0 { measure!(outline(&pose, axis)) } else { measure!(core(&pose, axis)) }
    };
    let component = |axis: usize| measure!(normal(&pose, axis));
    let separation = match touch {
        Ordering::Equal => 0.0,
        _ => measure!(beyond(&pose, circle.radius)),
    };
    Some(Contact {
        point: Vec2::new(coordinate(0), coordinate(1)),
        normal: Vec2::new(component(0), component(1)),
        separation,
        feature: pose.part.into(),
    })
}

/// Whether a circle comes within `margin` of the image of a segment with its radius, decided exactly.
pub(crate) fn circle_within_image(circle: Circle, segment: Segment, by: &Shift, margin: f32) -> bool {
    let lengths = [circle.radius, segment.radius, margin];
    is_within_image(circle.center.into(), segment.start.into(), segment.end.into(), by, lengths)
}

/// Whether the image of a disc and a box have a point in common: per axis the box is passed by nothing, or by what the nearer side lacks.
pub(crate) fn circle_image_touches_aabb(circle: Circle, aabb: Aabb, by: &Shift) -> bool {
    let (c, low, high): (P, P, P) = (circle.center.into(), aabb.min.into(), aabb.max.into());
    let side = |axis: usize| {
        if decide!(passed(low, c, by, axis)).is_lt() {
            Some(low)
        } else if decide!(passed(high, c, by, axis)).is_gt() {
            Some(high)
        } else {
            None
        }
    };
    let sides = [side(0), side(1)];
    decide!(beyond_sides(sides, c, by, circle.radius)).is_le()
}

#[inline(always)]
fn passed<N: Number>(side: P, c: P, by: &Shift, axis: usize) -> N {
    to_image::<N>(side, c, by)[axis]
}

#[inline(always)]
fn beyond_sides<N: Number>(sides: [Option<P>; 2], c: P, by: &Shift, radius: f32) -> N {
    let part = |axis: usize| sides[axis].map_or(N::from(0.0), |side| passed::<N>(side, c, by, axis));
    let (x, y, r) = (part(0), part(1), N::from(radius));
    x * x + y * y - r * r
}

/// What the normal is: the segment's right or left normal, the direction to the nearest end, or (0, 1).
#[derive(Clone, Copy, Debug, PartialEq)]
enum Aim {
    Right,
    Left,
    End,
    Up,
}

/// A centre and the image of a segment, with everything decided that the values depend on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pose {
    pub(super) center: P,
    pub(super) a: P,
    pub(super) b: P,
    pub(super) by: Shift,
    pub(super) radius: f32,
    pub(super) part: Part,
    aim: Aim,
    /// The centre is a point of the core segment.
    on_core: bool,
}

impl Pose {
    pub(super) fn new(center: P, segment: Segment, by: Shift) -> Pose {
        let (a, b): (P, P) = (segment.start.into(), segment.end.into());
        let part = nearest_part_of_image(center, a, b, &by);
        let end = if part == Part::End { b } else { a };
        let (aim, on_core) = match part {
            Part::Interior => match side_of_image(center, a, b, &by) {
                Ordering::Greater => (Aim::Right, false),
                Ordering::Less => (Aim::Left, false),
                Ordering::Equal => (Aim::Left, true),
            },
            _ if !is_image(center, end, &by) => (Aim::End, false),
            _ if a == b => (Aim::Up, true),
            _ => (Aim::Left, true),
        };
        Pose { center, a, b, by, radius: segment.radius, part, aim, on_core }
    }

    /// The distance against the sum of the radii.
    pub(super) fn reaches(&self, radius: f32) -> Ordering {
        match self.part {
            Part::Interior => compare_to_line_image(self.center, self.a, self.b, &self.by, radius, self.radius),
            _ => compare_to_image(self.center, self.end(), &self.by, radius, self.radius),
        }
    }

    /// The nearest end; the start of a flank.
    pub(super) fn end(&self) -> P {
        if self.part == Part::End { self.b } else { self.a }
    }
}

/// The normal, not yet of unit length.
#[inline(always)]
pub(super) fn aim<N: Number>(pose: &Pose) -> V<N> {
    let e = diff::<N>(pose.b, pose.a);
    match pose.aim {
        Aim::Right => [e[1], -e[0]],
        Aim::Left => [-e[1], e[0]],
        Aim::End => to_image(pose.center, pose.end(), &pose.by),
        Aim::Up => lift([0.0, 1.0]),
    }
}

#[inline(always)]
fn normal<N: Number>(pose: &Pose, axis: usize) -> Value<N> {
    unit(aim(pose), axis)
}

/// The point of the core nearest to the centre, times `l`, which is the squared length of the segment on its flank.
#[inline(always)]
pub(super) fn foot<N: Number>(pose: &Pose, l: N, axis: usize) -> N {
    let end = image::<N>(pose.end(), &pose.by)[axis] * l;
    match pose.part {
        Part::Interior => {
            let e = diff::<N>(pose.b, pose.a);
            end - dot(to_image(pose.center, pose.a, &pose.by), e) * e[axis]
        }
        _ => end,
    }
}

#[inline(always)]
fn core<N: Number>(pose: &Pose, axis: usize) -> Value<N> {
    let l = match pose.part {
        Part::Interior => norm2(diff::<N>(pose.b, pose.a)),
        _ => N::from(1.0),
    };
    Value::ratio(foot(pose, l, axis), l)
}

/// `f - s aim / √l`, over l = |aim|², which on the flank is that of the foot.
#[inline(always)]
fn outline<N: Number>(pose: &Pose, axis: usize) -> Value<N> {
    let aim = aim::<N>(pose);
    let l = norm2(aim);
    Value::surd(foot(pose, l, axis), -(N::from(pose.radius) * aim[axis]), l, l)
}

/// The distance less both radii.
#[inline(always)]
fn beyond<N: Number>(pose: &Pose, radius: f32) -> Value<N> {
    let (reach, zero, one) = (reach::<N>(radius, pose.radius), N::from(0.0), N::from(1.0));
    let w = to_image::<N>(pose.center, pose.end(), &pose.by);
    if pose.on_core {
        return Value::surd(-reach, zero, one, one);
    }
    if pose.aim == Aim::End {
        return Value::surd(-reach, one, norm2(w), one);
    }
    let e = diff::<N>(pose.b, pose.a);
    let (l, height) = (norm2(e), cross(w, e));
    Value::surd(-(reach * l), if pose.aim == Aim::Left { -height } else { height }, l, l)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{circle_circle, circle_segment, circle_segment_within, circle_touches_aabb};

    /// A period of 16 along both axes: images of small dyadic numbers are numbers, so the plain functions know the answers.
    const BY: Shift = Shift { count: [1, -2], low: [-8.0, -8.0], high: [8.0, 8.0] };

    fn moved(p: Vec2) -> [f32; 2] {
        [p.x + 16.0, p.y - 32.0]
    }

    #[test]
    fn images_of_circles_are_circles() {
        let mut touching = 0;
        for k in 0..400u32 {
            let place = |k: u32| [(k % 7) as f32 * 0.75 + 14.0, (k / 7 % 5) as f32 * 0.5 - 33.0];
            let (a, b) =
                (Circle::new(place(k), 1.0), Circle::new([(k / 35) as f32 * 0.25 - 1.0, 0.25], 0.5 + (k % 3) as f32));
            let image = Circle::new(moved(b.center), b.radius);
            let found = circle_circle_image(a, b, &BY);
            assert_eq!(found, circle_circle(a, image), "{a:?} {b:?}");
            touching += usize::from(found.is_some());
        }
        assert!(touching > 50 && touching < 350, "{touching}");
        let (a, b) = (Circle::new([17.0, -31.0], 2.0), Circle::new([1.0, 1.0], 1.0));
        assert_eq!(circle_circle_image(a, b, &BY).unwrap().normal, Vec2::new(0.0, 1.0));
        // Radii 2 and 1 about (17, -31): outlines at y = -29 and -32, midway -30.5.
        assert_eq!(circle_circle_image(a, b, &BY).unwrap().point, Vec2::new(17.0, -30.5));
        // 3-4-5, and the radii are 5 in all, or a float less.
        let (a, b) = (Circle::new([14.0, -35.0], 2.0), Circle::new([1.0, 1.0], 3.0));
        assert_eq!(circle_circle_image(a, b, &BY).unwrap().separation.to_bits(), 0);
        assert_eq!(circle_circle_image(a, Circle::new(b.center, 3.0f32.next_down()), &BY), None);
    }

    #[test]
    fn images_of_segments_are_segments() {
        let mut touching = [0; 4];
        for k in 0..3000u32 {
            let circle = Circle::new(
                [(k % 11) as f32 * 0.5 + 13.5, (k / 11 % 9) as f32 * 0.5 - 34.0],
                0.25 + (k % 4) as f32 * 0.25,
            );
            let end = [[3.0, 1.0], [0.0, 2.0], [0.0, 0.0], [-1.0, 0.0]][(k % 4) as usize];
            let wall = Segment::new([0.0, 0.0], end).with_radius((k % 3) as f32 * 0.5);
            let image = Segment::new(moved(wall.start), moved(wall.end)).with_radius(wall.radius);
            let found = circle_segment_image(circle, wall, &BY);
            assert_eq!(found, circle_segment(circle, image), "{circle:?} {wall:?}");
            touching[(k % 4) as usize] += usize::from(found.is_some());
        }
        assert!(touching.iter().all(|&count| count > 50 && count < 700), "{touching:?}");
    }

    #[test]
    fn images_come_within_a_margin_and_touch_boxes_as_what_they_are_images_of() {
        let (wall, aabb) =
            (Segment::new([0.0, 0.0], [3.0, 1.0]).with_radius(0.5), Aabb::new([15.0, -33.0], [18.0, -32.0]));
        let image = Segment::new(moved(wall.start), moved(wall.end)).with_radius(0.5);
        let (mut within, mut touching) = (0, 0);
        for k in 0..2000u32 {
            let place = [(k % 23) as f32 * 0.5 - 4.0, (k / 23 % 19) as f32 * 0.5 - 5.0];
            let margin = (k % 3) as f32 * 0.5;
            let circle = Circle::new(moved(place.into()), 1.0);
            let found = circle_within_image(circle, wall, &BY, margin);
            assert_eq!(found, circle_segment_within(circle, image, margin), "{circle:?} {margin}");
            within += usize::from(found);
            let circle = Circle::new(place, (k % 6) as f32 * 0.5);
            let found = circle_image_touches_aabb(circle, aabb, &BY);
            assert_eq!(
                found,
                circle_touches_aabb(Circle::new(moved(circle.center), circle.radius), aabb),
                "{circle:?}"
            );
            touching += usize::from(found);
        }
        assert!(within.min(touching) > 100 && within.max(touching) < 1900, "{within} {touching}");
        // (5, 5) + (16, -32) is (3, 4) off the corner (18, -31): 5.
        let (corner, circle) = (Aabb::new([15.0, -33.0], [18.0, -31.0]), Circle::new([5.0, 5.0], 5.0));
        assert!(circle_image_touches_aabb(circle, corner, &BY));
        assert!(!circle_image_touches_aabb(Circle::new([5.0, 5.0], 5.0f32.next_down()), corner, &BY));
    }
}
