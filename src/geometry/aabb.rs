//! The box with sides along the axes, and what touches it.
//!
//! Comes in: a box and a point, a circle or a segment. Goes out: yes or no. Knows no contact.
//!
//! Method: the point of a box nearest to another is that point with each coordinate cut to the box's, which rounds nothing; so a circle is
//! asked about a point. A segment and a box are apart if one of the axes or the segment's line has them on different sides (Gottschalk,
//! separating axes of convex sets); where they are apart, they are nearest to each other at an end of the one or a corner of the
//! other.

use super::{Circle, Segment, Vec2};
use crate::exact::{P, compare_to_point, is_within, orient};
use bytemuck::{Pod, Zeroable};
use std::cmp::Ordering;

/// The closed box of all points from `min` to `max` on both axes. Equal corners make it a point or a side; it is empty, and touches
/// nothing, where `min` is above `max` or a number is not finite.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Aabb {
    /// Lower left corner.
    pub min: Vec2,
    /// Upper right corner.
    pub max: Vec2,
}

impl Aabb {
    /// From corner to corner.
    #[must_use]
    pub fn new(min: impl Into<Vec2>, max: impl Into<Vec2>) -> Aabb {
        Aabb { min: min.into(), max: max.into() }
    }

    /// All numbers are finite and `min` is nowhere above `max`: only such a box can touch anything.
    #[must_use]
    pub const fn is_valid(self) -> bool {
        self.min.is_finite() && self.max.is_finite() && self.min.x <= self.max.x && self.min.y <= self.max.y
    }
}

/// The point of the box nearest to `p`.
fn cut_to(p: P, aabb: Aabb) -> P {
    let (low, high): (P, P) = (aabb.min.into(), aabb.max.into());
    [0, 1].map(|axis| {
        if p[axis] < low[axis] {
            low[axis]
        } else if p[axis] > high[axis] {
            high[axis]
        } else {
            p[axis]
        }
    })
}

/// Whether a closed disc and a closed box have a point in common, decided exactly. A radius of zero asks about a point.
///
/// Invalid circles and empty boxes touch nothing.
#[must_use]
pub fn circle_touches_aabb(circle: Circle, aabb: Aabb) -> bool {
    let center: P = circle.center.into();
    circle.is_valid()
        && aabb.is_valid()
        && compare_to_point(center, cut_to(center, aabb), circle.radius, 0.0) != Ordering::Greater
}

/// Whether a closed segment (capsule) and a closed box have a point in common, decided exactly.
///
/// Invalid segments and empty boxes touch nothing.
#[must_use]
pub fn segment_touches_aabb(segment: Segment, aabb: Aabb) -> bool {
    if !(segment.is_valid() && aabb.is_valid()) {
        return false;
    }
    let (a, b, r): (P, P, f32) = (segment.start.into(), segment.end.into(), segment.radius);
    let (low, high): (P, P) = (aabb.min.into(), aabb.max.into());
    let corners = [low, [high[0], low[1]], high, [low[0], high[1]]];
    let overlap = |axis: usize| {
        let (least, most) = if a[axis] < b[axis] { (a[axis], b[axis]) } else { (b[axis], a[axis]) };
        least <= high[axis] && low[axis] <= most
    };
    let across = || {
        let side = corners.map(|corner| orient(a, b, corner));
        !(side.iter().all(|side| side.is_lt()) || side.iter().all(|side| side.is_gt()))
    };
    if overlap(0) && overlap(1) && across() {
        return true;
    }
    r > 0.0
        && ([a, b].iter().any(|&end| compare_to_point(end, cut_to(end, aabb), r, 0.0) != Ordering::Greater)
            || corners.iter().any(|&corner| is_within(corner, a, b, r, 0.0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn circles_at_corners_and_sides() {
        let unit = Aabb::new([0.0, 0.0], [1.0, 1.0]);
        // (4, 5) is (3, 4) off the corner (1, 1): 5.
        assert!(circle_touches_aabb(Circle::new([4.0, 5.0], 5.0), unit));
        assert!(!circle_touches_aabb(Circle::new([4.0, 5.0], 5.0f32.next_down()), unit));
        assert!(circle_touches_aabb(Circle::new([-2.0, 0.5], 2.0), unit));
        assert!(!circle_touches_aabb(Circle::new([-2.0, 0.5], 2.0f32.next_down()), unit));
        assert!(!circle_touches_aabb(Circle::new([0.5, -2.0], 2.0f32.next_down()), unit));
        assert!(circle_touches_aabb(Circle::new([0.5, 0.5], 0.0), unit));
        assert!(circle_touches_aabb(Circle::new([1.0, 1.0], 0.0), unit));
        assert!(!circle_touches_aabb(Circle::new([1.0f32.next_up(), 1.0], 0.0), unit));
        assert!(!circle_touches_aabb(Circle::new([0.5, 0.5], -1.0), unit));
        assert!(!circle_touches_aabb(Circle::new([0.5, 0.5], 9.0), Aabb::new([1.0, 0.0], [0.0, 1.0])), "empty");
    }

    #[test]
    fn boxes_without_an_area_and_none_at_all() {
        let (line, point) = (Aabb::new([1.0, 0.0], [1.0, 5.0]), Aabb::new([1.0, 2.0], [1.0, 2.0]));
        assert!(line.is_valid() && point.is_valid() && Aabb::new([0.0, 2.0], [9.0, 2.0]).is_valid());
        let across = Segment::new([0.0, 1.0], [2.0, 3.0]);
        assert!(segment_touches_aabb(across, line) && segment_touches_aabb(across, point));
        let none = [
            Aabb::new([f32::NEG_INFINITY, 0.0], [1.0, 5.0]),
            Aabb::new([0.0, 0.0], [f32::INFINITY, 5.0]),
            Aabb::new([0.0, 5.0], [1.0, 0.0]),
        ];
        for none in none {
            assert!(!none.is_valid() && !segment_touches_aabb(across, none));
        }
        assert!(!segment_touches_aabb(across.with_radius(f32::NAN), line));
    }

    #[test]
    fn segments_across_corners() {
        let unit = Aabb::new([0.0, 0.0], [1.0, 1.0]);
        // x + y = 2 passes through the corner (1, 1); a float further it does not.
        assert!(segment_touches_aabb(Segment::new([2.0, 0.0], [0.0, 2.0]), unit));
        assert!(!segment_touches_aabb(Segment::new([2.0f32.next_up(), 0.0], [0.0, 2.0]), unit));
        // From side to side without an end or a corner inside; a point inside; an end on a side.
        assert!(segment_touches_aabb(Segment::new([-5.0, 0.25], [5.0, 0.5]), unit));
        assert!(segment_touches_aabb(Segment::new([0.5, 0.5], [0.5, 0.5]), unit));
        assert!(segment_touches_aabb(Segment::new([3.0, 0.5], [1.0, 0.5]), unit));
        assert!(!segment_touches_aabb(Segment::new([3.0, 0.5], [1.0f32.next_up(), 0.5]), unit));
        assert!(segment_touches_aabb(Segment::new([-3.0, 0.5], [0.0, 0.5]), unit));
        assert!(segment_touches_aabb(Segment::new([0.5, -3.0], [0.5, 0.0]), unit));
        // x + y = 9 is 7 / sqrt 2 = 4.949... from the corner; an end at (4, 5), 5 from it.
        let aslant = Segment::new([9.0, 0.0], [0.0, 9.0]);
        assert!(
            segment_touches_aabb(aslant.with_radius(4.95), unit)
                && !segment_touches_aabb(aslant.with_radius(4.94), unit)
        );
        let end = Segment::new([4.0, 5.0], [9.0, 9.0]);
        assert!(segment_touches_aabb(end.with_radius(5.0), unit));
        assert!(!segment_touches_aabb(end.with_radius(5.0f32.next_down()), unit));
    }
}
