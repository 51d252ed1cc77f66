//! The line as a shape.

use super::{Segment, Vec2};

/// All points `base + t direction`, t any number. A direction of zero makes it the point `base`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Line {
    /// The point of t = 0.
    pub base: Vec2,
    /// Of any length: t counts in it.
    pub direction: Vec2,
}

impl Line {
    /// The line through `base` along `direction`.
    #[must_use]
    pub fn new(base: impl Into<Vec2>, direction: impl Into<Vec2>) -> Line {
        Line { base: base.into(), direction: direction.into() }
    }

    /// The line from the start of a segment through its end, its direction rounded to `f32`: exact questions about the
    /// segment itself are better asked of the segment.
    #[must_use]
    pub fn through(segment: Segment) -> Line {
        let (a, b) = (segment.start, segment.end);
        Line { base: a, direction: Vec2::new(b.x - a.x, b.y - a.y) }
    }

    /// All numbers are finite.
    #[must_use]
    pub const fn is_valid(self) -> bool {
        self.base.is_finite() && self.direction.is_finite()
    }
}
