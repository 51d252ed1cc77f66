//! The records that detection hands out: `repr(C)`, `Pod`, rows in, rows out.

use crate::geometry::{Feature, Vec2};
use bytemuck::{Pod, Zeroable};

/// Two touching circles, `a < b`.
///
/// That they touch is exact. Values are near the exact ones whatever the scale, in units in the last place (ulp): separation and normal
/// within 5, the point within 1 and 9·2^-24 of the sum of the radii. [`crate::geometry::circle_circle`] gives the nearest `f32`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CircleCircleContact {
    /// Row of the first circle.
    pub a: u32,
    /// Row of the second circle.
    pub b: u32,
    /// Midway between the two outlines, on the line of centres.
    pub point: Vec2,
    /// Unit, from `a` to `b`; (0, 1) for coincident centres.
    pub normal: Vec2,
    /// 0 when just touching, negative when penetrating.
    pub separation: f32,
}

/// A circle that touches a segment.
///
/// That they touch, and the feature, are exact. Separation, normal and point are within one unit in the last place of the exact values; a
/// coordinate of the point that is small beside what it is computed from, within 2^-48 of that.
/// [`crate::geometry::circle_segment`] gives the nearest `f32`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CircleSegmentContact {
    /// Row of the circle.
    pub a: u32,
    /// Row of the segment.
    pub b: u32,
    /// The point of the segment (of the capsule's outline) nearest to the centre.
    pub point: Vec2,
    /// Unit, from the circle to the segment; the segment's left normal when the centre is on it.
    pub normal: Vec2,
    /// 0 when just touching, negative when penetrating.
    pub separation: f32,
    /// The part of the segment that is nearest.
    pub feature: Feature,
}

/// Two touching segments, `a < b`.
///
/// Touch and class are exact; every value is the `f32` nearest to the exact one, so a crossing point lies inside the boxes of both.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SegmentSegmentContact {
    /// Row of the first segment.
    pub a: u32,
    /// Row of the second segment.
    pub b: u32,
    /// How they touch.
    pub class: SegmentClass,
    /// The crossing point, the common point, the first end of the overlap (in the direction of `a`); in class `Near` midway between the
    /// outlines, on the line of the two closest points.
    pub point: Vec2,
    /// Where `point` is on `a`: 0 at its start, 1 at its end.
    pub t: f32,
    /// Where `point` is on `b`.
    pub u: f32,
    /// The last end of the overlap in the direction of `a`; equal to `point` in the other classes.
    pub to: Vec2,
}

/// How two segments touch. `Pod`: `0` to `3`.
#[repr(transparent)]
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Pod, Zeroable)]
pub struct SegmentClass(u32);

#[allow(non_upper_case_globals, reason = "reads and matches like the variants of an enum, which cannot be Pod")]
impl SegmentClass {
    /// One point, interior to both.
    pub const Cross: SegmentClass = SegmentClass(0);
    /// One point, an end of at least one of them.
    pub const Touch: SegmentClass = SegmentClass(1);
    /// A common piece of more than one point.
    pub const Overlap: SegmentClass = SegmentClass(2);
    /// No common point: only their radii make the two capsules touch.
    pub const Near: SegmentClass = SegmentClass(3);

    /// `"cross"`, `"touch"`, `"overlap"` or `"near"`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self.0 {
            0 => "cross",
            1 => "touch",
            2 => "overlap",
            _ => "near",
        }
    }
}

impl std::fmt::Debug for SegmentClass {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_have_their_names() {
        let all = [SegmentClass::Cross, SegmentClass::Touch, SegmentClass::Overlap, SegmentClass::Near];
        assert_eq!(all.map(SegmentClass::name), ["cross", "touch", "overlap", "near"]);
    }
}
