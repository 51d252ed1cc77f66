//! How far apart shapes are, touching or not.
//!
//! Comes in: a point or a circle, and a circle or a segment with its radius. Goes out: the nearest point, the gap, whether that is
//! within a distance. Does not know what else is near.
//!
//! Method: a disc is a capsule of one point, so all are asked of `circle_segment`'s pose, but for `distance_to_disc`, which comes to the same.
//! Each value is the `f32` nearest to the exact one; that is monotone, so a gap that is rounded to less than a distance is less than it, and only one that is rounded to the distance
//! itself is asked about exactly.

use super::arrow::{Arrow, gap, vector};
use super::circle_segment::Pose;
use super::{Circle, Feature, Segment, Vec2};
use crate::exact::{P, Part, compare_to_line_by_three, compare_to_point_by_three};
use bytemuck::{Pod, Zeroable};
use std::cmp::Ordering;

/// The point of a shape that is nearest to another point.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct NearestPoint {
    /// On the outline, or the other point itself where that is in the shape.
    pub point: Vec2,
    /// Zero in the shape.
    pub distance: f32,
    /// The part of the core segment that is nearest; `Interior` for a circle.
    pub feature: Feature,
}

/// How far an outline is from a circle.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Gap {
    /// The point of the other's outline that is nearest to the circle's centre.
    pub point: Vec2,
    /// From outline to outline: 0 where they just touch, negative where they overlap.
    pub separation: f32,
    /// The part of the core segment that is nearest; `Interior` for a circle.
    pub feature: Feature,
}

/// The disc as a capsule.
fn as_capsule(circle: Circle) -> Segment {
    Segment { start: circle.center, end: circle.center, radius: circle.radius }
}

/// The point of a closed disc nearest to `point`, each value the `f32` nearest to the exact one; `None` for what is not valid.
#[must_use]
pub fn nearest_on_circle(point: impl Into<Vec2>, circle: Circle) -> Option<NearestPoint> {
    let nearest = nearest_on_capsule(point, as_capsule(circle))?;
    Some(NearestPoint { feature: Feature::Interior, ..nearest })
}

/// The point of a closed segment (capsule) nearest to `point`, each value the `f32` nearest to the exact one, the feature exact; `None`
/// for what is not valid.
#[must_use]
pub fn nearest_on_capsule(point: impl Into<Vec2>, segment: Segment) -> Option<NearestPoint> {
    let p = point.into();
    if !(p.is_finite() && segment.is_valid()) {
        return None;
    }
    let pose = Pose::new(p.into(), segment);
    let feature = pose.part.into();
    // Less than zero only inside; zero to the last bit of f32 may be either.
    let distance = pose.gap(0.0);
    if distance < 0.0 || (distance == 0.0 && pose.reaches(0.0).is_le()) {
        return Some(NearestPoint { point: Vec2::new(p.x + 0.0, p.y + 0.0), distance: 0.0, feature });
    }
    Some(NearestPoint { point: pose.nearest().0, distance, feature })
}

/// The distance of [`nearest_on_capsule`] alone; valid shapes.
#[inline]
pub(crate) fn distance_to(p: P, segment: Segment) -> f32 {
    let gap = Pose::new(p, segment).gap(0.0);
    if gap > 0.0 { gap } else { 0.0 }
}

/// The same of a circle.
#[inline(always)]
pub(crate) fn distance_to_disc(p: P, circle: Circle) -> f32 {
    let center: P = circle.center.into();
    if p == center {
        return 0.0;
    }
    let gap = gap(&Arrow::new(vector(center, p)), p, center, 0.0, circle.radius);
    if gap > 0.0 { gap } else { 0.0 }
}

/// How far the second circle's outline is from the first circle: `separation` = |c2 - c1| - (r1 + r2), `point` = c2 - `n` r2 with `n` the
/// unit vector from c1 to c2, (0, 1) where they are equal. Each value is the `f32` nearest to the exact one. Invalid circles: `None`.
#[must_use]
pub fn circle_circle_gap(a: Circle, b: Circle) -> Option<Gap> {
    let gap = circle_segment_gap(a, as_capsule(b))?;
    Some(Gap { feature: Feature::Interior, ..gap })
}

/// How far a segment's outline (a capsule's) is from a circle: the values of [`super::circle_segment`], whether they touch or not. Invalid
/// shapes: `None`.
#[must_use]
pub fn circle_segment_gap(circle: Circle, segment: Segment) -> Option<Gap> {
    if !(circle.is_valid() && segment.is_valid()) {
        return None;
    }
    let pose = Pose::new(circle.center.into(), segment);
    let (point, separation) = pose.nearest_to(circle.radius);
    Some(Gap { point, separation, feature: pose.part.into() })
}

/// Whether a closed disc and a closed segment (capsule) are at most `distance` apart, decided exactly.
///
/// Invalid shapes, a distance that is negative or not finite: false.
#[must_use]
pub fn circle_segment_within(circle: Circle, segment: Segment, distance: f32) -> bool {
    if !(circle.is_valid() && segment.is_valid() && distance.is_finite() && distance >= 0.0) {
        return false;
    }
    let pose = Pose::new(circle.center.into(), segment);
    let (c, lengths) = (pose.center, [circle.radius, segment.radius, distance]);
    let compared = match pose.part {
        Part::Start => compare_to_point_by_three(c, pose.a, lengths),
        Part::End => compare_to_point_by_three(c, pose.b, lengths),
        Part::Interior => {
            // Nearly always the rounded gap knows.
            let gap = pose.gap(circle.radius);
            if gap != distance {
                return gap < distance;
            }
            compare_to_line_by_three(c, pose.a, pose.b, lengths)
        }
    };
    compared != Ordering::Greater
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::circles_within;

    #[test]
    fn in_and_beside_a_disc_and_a_capsule() {
        // (3, 4) is 5 from the centre: 3 from the outline of radius 2, at 2 (0.6, 0.8).
        let disc = Circle::new([0.0, 0.0], 2.0);
        let near = nearest_on_circle([3.0, 4.0], disc).unwrap();
        assert_eq!((near.distance, near.point, near.feature), (3.0, Vec2::new(1.2, 1.6), Feature::Interior));
        let inside = nearest_on_circle([-0.0, -0.0], disc).unwrap();
        assert_eq!((inside.distance, inside.point.x.to_bits(), inside.point.y.to_bits()), (0.0, 0, 0));
        let capsule = Segment::new([0.0, 0.0], [10.0, 0.0]).with_radius(1.0);
        let near = nearest_on_capsule([5.0, -4.0], capsule).unwrap();
        assert_eq!((near.distance, near.point, near.feature), (3.0, Vec2::new(5.0, -1.0), Feature::Interior));
        let near = nearest_on_capsule([13.0, 4.0], capsule).unwrap();
        assert_eq!((near.distance, near.point, near.feature), (4.0, Vec2::new(10.6, 0.8), Feature::End));
        assert_eq!(nearest_on_circle([f32::NAN, 0.0], disc), None);
        assert_eq!(
            [[5.0, 0.5], [5.0, 1.0], [5.0, 4.0], [13.0, 4.0]].map(|p| distance_to(p, capsule)),
            [0.0, 0.0, 3.0, 4.0]
        );
    }

    #[test]
    fn what_is_asked_of_discs_alone_is_the_same() {
        // From the whole range, and a few steps of a lattice apart, where all touch.
        let pool = [0.0, -0.0, 1.0, 2.0, 3.0, -4.0, 0.1, 1e-45, -3e-39, 1e-20, 7e18, -1e30, f32::MAX, -f32::MAX];
        let mut state = 9u64;
        let mut number = |lattice: bool| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let bits = (state >> 33) as usize;
            if lattice { (bits % 9) as f32 - 4.0 } else { pool[bits % pool.len()] }
        };
        let mut found = [0; 2];
        for case in 0..40_000 {
            let lattice = case % 3 == 0;
            let mut next = || number(lattice);
            let (p, circle) = ([next(), next()], Circle::new([next(), next()], next().abs()));
            let near = nearest_on_circle(p, circle).expect("finite");
            let distance = distance_to_disc(p, circle);
            assert_eq!(distance.to_bits(), near.distance.to_bits(), "{p:?} {circle:?}");
            assert_eq!(distance.to_bits(), distance_to(p, as_capsule(circle)).to_bits(), "{p:?} {circle:?}");
            found[usize::from(distance > 0.0)] += 1;
        }
        assert!(found.iter().all(|&many| many > 2000), "{found:?}");
    }

    #[test]
    fn gaps_of_what_touches_and_what_does_not() {
        let (a, b) = (Circle::new([0.0, 0.0], 1.0), Circle::new([3.0, 4.0], 2.5));
        let gap = circle_circle_gap(a, b).unwrap();
        // 5 - 3.5; the other's outline is 2.5 from (0, 0), at 2.5 (0.6, 0.8).
        assert_eq!((gap.separation, gap.point, gap.feature), (1.5, Vec2::new(1.5, 2.0), Feature::Interior));
        assert!(circles_within(a, b, 1.5) && !circles_within(a, b, 1.5f32.next_down()));
        let gap = circle_circle_gap(b, Circle::new([3.0, 4.0], 1.0)).unwrap();
        assert_eq!((gap.separation, gap.point), (-3.5, Vec2::new(3.0, 3.0)));
        let wall = Segment::new([-9.0, -3.0], [9.0, -3.0]);
        let gap = circle_segment_gap(a, wall).unwrap();
        assert_eq!((gap.separation, gap.point), (2.0, Vec2::new(0.0, -3.0)));
        assert!(circle_segment_within(a, wall, 2.0) && !circle_segment_within(a, wall, 2.0f32.next_down()));
        assert!(!circles_within(a, b, -1.0) && !circles_within(a, a, f32::NAN));
        assert!(circle_segment_within(a, wall, 3.0) && !circle_segment_within(a, wall, 1.0));
        let touching = Segment::new([-9.0, -1.0], [9.0, -1.0]);
        assert!(circle_segment_within(a, touching, 0.0) && !circle_segment_within(a, touching, -0.5));
        assert!([f32::NAN, f32::INFINITY].iter().all(|&bad| !circle_segment_within(a, touching, bad)));
        let (no_circle, no_wall) = (Circle::new([0.0, 0.0], -1.0), wall.with_radius(-1.0));
        assert!(!circle_segment_within(no_circle, wall, 9.0) && !circle_segment_within(a, no_wall, 9.0));
        assert_eq!([circle_segment_gap(no_circle, wall), circle_segment_gap(a, no_wall)], [None; 2]);
    }
}
