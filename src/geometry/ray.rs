//! The ray as a shape, and what it hits.
//!
//! Comes in: a ray and a segment, a capsule or a circle. Goes out: the first point of the shape on the ray. Does not know worlds.
//!
//! Method: the same as for a swept circle, with a circle of radius zero (see `sweep.rs`).

use super::sweep::{Approach, Obstacle, first_meeting};
use super::{Circle, Feature, Segment, Vec2};
use bytemuck::{Pod, Zeroable};

/// The points `origin + t direction`, 0 <= t <= `max`. A direction of zero makes it the point `origin`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Ray {
    /// The point of t = 0.
    pub origin: Vec2,
    /// Of any length: t counts in it.
    pub direction: Vec2,
    /// The last t, zero or more.
    pub max: f32,
}

impl Ray {
    /// A ray as long as `f32` can say: `max` is `f32::MAX`.
    #[must_use]
    pub fn new(origin: impl Into<Vec2>, direction: impl Into<Vec2>) -> Ray {
        Ray { origin: origin.into(), direction: direction.into(), max: f32::MAX }
    }

    /// The same ray up to t = `max`.
    #[must_use]
    pub const fn with_max(self, max: f32) -> Ray {
        Ray { max, ..self }
    }

    /// All numbers are finite and `max` is not negative: only such a ray can hit anything.
    #[must_use]
    pub const fn is_valid(self) -> bool {
        self.origin.is_finite() && self.direction.is_finite() && self.max.is_finite() && self.max >= 0.0
    }
}

/// Where a ray first meets a shape.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RayHit {
    /// How far along the ray, in lengths of its direction, 0 to `max`; 0 where it starts on or inside the shape.
    pub t: f32,
    /// The point hit.
    pub point: Vec2,
    /// Unit, out of the shape: from the nearest point of the core segment (the centre) to the point hit. For a plain segment, the side the
    /// ray comes from; against the ray where it meets an end, which has no side.
    pub normal: Vec2,
    /// The part of the segment that is nearest; `Interior` for a circle.
    pub feature: Feature,
}

/// Where a ray first meets a segment or a capsule, or `None`; whether, and which part, is decided exactly.
///
/// Closed at both ends of both: an end of the segment counts, and so does t = `max`. A ray that starts on the shape hits it with t = 0
/// and the negated normal of [`super::circle_segment`] for a point-circle there. Each value is the `f32` nearest to the exact one.
/// Invalid shapes: `None`.
#[must_use]
pub fn ray_segment(ray: Ray, segment: Segment) -> Option<RayHit> {
    (ray.is_valid() && segment.is_valid()).then(|| cast(ray, Obstacle::Segment(segment)))?
}

/// Where a ray first meets a closed disc, or `None`; whether is decided exactly, a tangent counts.
///
/// t = (-b - √(r² v² - (v × w)²)) / v², w = o - c, b = w · v (Ericson, Real-Time Collision Detection, 5.3.2). A ray that starts inside hits
/// with t = 0. Each value is the `f32` nearest to the exact one. Invalid shapes: `None`.
#[must_use]
pub fn ray_circle(ray: Ray, circle: Circle) -> Option<RayHit> {
    (ray.is_valid() && circle.is_valid()).then(|| cast(ray, Obstacle::Circle(circle)))?
}

fn cast(ray: Ray, obstacle: Obstacle) -> Option<RayHit> {
    let approach = Approach {
        center: ray.origin.into(),
        motion: ray.direction.into(),
        against: [0.0, 0.0],
        radius: 0.0,
        limit: ray.max,
    };
    let meeting = first_meeting(&approach, obstacle)?;
    let contact = meeting.contact;
    // The contact's normal points into the shape. Starting inside, the point is the origin, not the outline.
    let point = if meeting.at_start { ray.origin } else { contact.point };
    Some(RayHit {
        t: meeting.fraction,
        point: Vec2::new(point.x + 0.0, point.y + 0.0),
        normal: Vec2::new(0.0 - contact.normal.x, 0.0 - contact.normal.y),
        feature: contact.feature,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_are_closed_at_both_ends_and_so_is_the_ray() {
        let ray = Ray::new([0.0, 0.0], [1.0, 0.0]);
        let wall = Segment::new([5.0, -1.0], [5.0, 1.0]);
        let hit = ray_segment(ray, wall).unwrap();
        assert_eq!((hit.t, hit.point, hit.normal), (5.0, Vec2::new(5.0, 0.0), Vec2::new(-1.0, 0.0)));
        assert!(ray_segment(ray.with_max(5.0), wall).is_some());
        assert!(ray_segment(ray.with_max(5.0f32.next_down()), wall).is_none());
        let above = Segment::new([5.0, 0.0], [5.0, 1.0]);
        assert_eq!(ray_segment(ray, above).unwrap().feature, Feature::Start);
        // A ray that starts on an end.
        let from = |y: f32| ray_segment(Ray::new([5.0, y], [1.0, 0.0]), wall).unwrap();
        assert_eq!([from(-1.0), from(0.0), from(1.0)].map(|hit| hit.t), [0.0; 3]);
        assert_eq!(
            [from(-1.0), from(0.0), from(1.0)].map(|hit| hit.feature),
            [Feature::Start, Feature::Interior, Feature::End]
        );
        assert!(ray_segment(ray, Segment::new([5.0, f32::from_bits(1)], [5.0, 1.0])).is_none());
        assert!(ray_segment(Ray::new([0.0, 0.0], [-1.0, 0.0]), wall).is_none());
        // A ray of no length meets what it starts on, and no point has a coordinate -0.
        let point = Ray::new([-0.0, -0.0], [1.0, 0.0]).with_max(0.0);
        let hit = ray_circle(point, Circle::new([0.0, 0.0], 1.0)).unwrap();
        assert_eq!((hit.t, hit.point.x.to_bits(), hit.point.y.to_bits()), (0.0, 0, 0));
    }

    #[test]
    fn in_line_with_the_segment() {
        let ray = Ray::new([0.0, 0.0], [2.0, 0.0]);
        let hit = ray_segment(ray, Segment::new([9.0, 0.0], [3.0, 0.0])).unwrap();
        // Its near end is at x = 3 = 1.5 * 2.
        assert_eq!((hit.t, hit.feature, hit.normal), (1.5, Feature::End, Vec2::new(-1.0, 0.0)));
        assert_eq!(ray_segment(ray, Segment::new([3.0, 0.0], [3.0, 0.0])).unwrap().t, 1.5);
        let inside = ray_segment(ray, Segment::new([-1.0, 0.0], [3.0, 0.0])).unwrap();
        assert_eq!((inside.t, inside.point), (0.0, Vec2::ZERO));
    }

    #[test]
    fn capsules_and_circles() {
        // The flank at y = 2, reached from y = 5 after 3.
        let capsule = Segment::new([0.0, 0.0], [10.0, 0.0]).with_radius(2.0);
        let hit = ray_segment(Ray::new([4.0, 5.0], [0.0, -1.0]), capsule).unwrap();
        assert_eq!((hit.t, hit.point, hit.normal), (3.0, Vec2::new(4.0, 2.0), Vec2::new(0.0, 1.0)));
        // The cap: along y = 1.2 the disc of 2 about (10, 0) begins at 10 + 1.6.
        let hit = ray_segment(Ray::new([20.0, 1.2], [-1.0, 0.0]), capsule).unwrap();
        assert_eq!((hit.feature, hit.point), (Feature::End, Vec2::new(11.6, 1.2)));
        // Tangent to the unit disc at (0, 1), after 5.
        let hit = ray_circle(Ray::new([-5.0, 1.0], [1.0, 0.0]), Circle::new([0.0, 0.0], 1.0)).unwrap();
        assert_eq!((hit.t, hit.point, hit.normal), (5.0, Vec2::new(0.0, 1.0), Vec2::new(0.0, 1.0)));
        assert!(ray_circle(Ray::new([-5.0, 1.0f32.next_up()], [1.0, 0.0]), Circle::new([0.0, 0.0], 1.0)).is_none());
        assert!(ray_circle(Ray::new([2.0, 0.0], [1.0, 0.0]), Circle::new([0.0, 0.0], 1.0)).is_none());
        let inside = ray_circle(Ray::new([0.0, 0.5], [1.0, 0.0]), Circle::new([0.0, 0.0], 1.0)).unwrap();
        assert_eq!((inside.t, inside.point, inside.normal), (0.0, Vec2::new(0.0, 0.5), Vec2::new(0.0, 1.0)));
    }

    #[test]
    fn points_and_invalid_rays() {
        let wall = Segment::new([0.0, 0.0], [1.0, 0.0]);
        assert_eq!(ray_segment(Ray::new([0.5, 0.0], [0.0, 0.0]), wall).unwrap().t, 0.0);
        assert!(ray_segment(Ray::new([0.5, 1.0], [0.0, 0.0]), wall).is_none());
        assert!(ray_segment(Ray::new([0.5, 1.0], [0.0, -1.0]).with_max(-1.0), wall).is_none());
        assert!(ray_segment(Ray::new([0.5, 1.0], [0.0, f32::NAN]), wall).is_none());
    }
}
