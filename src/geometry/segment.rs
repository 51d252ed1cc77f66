//! The segment as a shape, and, with a radius, the capsule.

use super::Vec2;
use bytemuck::{Pod, Zeroable};

/// The closed segment from `start` to `end`; with a radius above zero, a capsule about it. Equal ends make it a point
/// (a disc). A negative or non-finite number makes it touch nothing.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Segment {
    /// First end.
    pub start: Vec2,
    /// Second end.
    pub end: Vec2,
    /// Zero for a plain segment.
    pub radius: f32,
}

impl Segment {
    /// A plain segment, of radius 0.
    #[must_use]
    pub fn new(start: impl Into<Vec2>, end: impl Into<Vec2>) -> Segment {
        Segment { start: start.into(), end: end.into(), radius: 0.0 }
    }

    /// The capsule of this radius about the segment.
    #[must_use]
    pub const fn with_radius(self, radius: f32) -> Segment {
        Segment { radius, ..self }
    }

    /// The same set of points, walked the other way.
    #[must_use]
    pub const fn reversed(self) -> Segment {
        Segment { start: self.end, end: self.start, radius: self.radius }
    }

    /// All numbers are finite and the radius is not negative: only such a segment can touch anything.
    #[must_use]
    pub const fn is_valid(self) -> bool {
        self.start.is_finite() && self.end.is_finite() && self.radius.is_finite() && self.radius >= 0.0
    }
}
