//! The circle as a shape.

use super::Vec2;
use bytemuck::{Pod, Zeroable};

/// A closed disc. A radius of zero is a point; a negative or non-finite number makes it touch nothing.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Circle {
    /// Its middle.
    pub center: Vec2,
    /// Zero or more.
    pub radius: f32,
}

impl Circle {
    /// A circle about `center`.
    #[must_use]
    pub fn new(center: impl Into<Vec2>, radius: f32) -> Circle {
        Circle { center: center.into(), radius }
    }

    /// All numbers are finite and the radius is not negative: only such a circle can touch anything.
    #[must_use]
    pub const fn is_valid(self) -> bool {
        self.center.is_finite() && self.radius.is_finite() && self.radius >= 0.0
    }
}
