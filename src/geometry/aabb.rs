//! The box with sides along the axes.

use super::Vec2;
use bytemuck::{Pod, Zeroable};

/// The closed box of all points from `min` to `max` on both axes. Equal corners make it a point or a side; it is empty, and touches
/// nothing, where `min` is above `max` or a number is not finite.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
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
