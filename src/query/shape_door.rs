//! The door of overlaps and of what is near: numbers that are not finite, or negative where they may not be, do not get in.
//!
//! Comes in: what is asked about. Goes out: the first fault, with its row and its field. This room keeps nothing.

use crate::error::{Error, Kind};
use crate::geometry::{Aabb, Circle, Segment, Vec2};

/// The fields of a shape, and whether each may be negative.
pub(super) trait Numbers: Copy {
    /// In the order of the public struct.
    fn numbers(&self, look: &mut impl FnMut(&'static str, f32, bool));
}

impl Numbers for Vec2 {
    fn numbers(&self, look: &mut impl FnMut(&'static str, f32, bool)) {
        look("x", self.x, true);
        look("y", self.y, true);
    }
}

impl Numbers for Circle {
    fn numbers(&self, look: &mut impl FnMut(&'static str, f32, bool)) {
        self.center.numbers(look);
        look("radius", self.radius, false);
    }
}

impl Numbers for Segment {
    fn numbers(&self, look: &mut impl FnMut(&'static str, f32, bool)) {
        look("x0", self.start.x, true);
        look("y0", self.start.y, true);
        look("x1", self.end.x, true);
        look("y1", self.end.y, true);
        look("radius", self.radius, false);
    }
}

impl Numbers for Aabb {
    fn numbers(&self, look: &mut impl FnMut(&'static str, f32, bool)) {
        look("min.x", self.min.x, true);
        look("min.y", self.min.y, true);
        look("max.x", self.max.x, true);
        look("max.y", self.max.y, true);
    }
}

/// All numbers are finite, and not negative where that means nothing.
#[inline]
pub(super) fn check(row: usize, shape: impl Numbers) -> Result<(), Error> {
    let mut fine = true;
    shape.numbers(&mut |_, value, negative| fine &= value.is_finite() & (negative | (value >= 0.0)));
    if fine { Ok(()) } else { Err(fault(row, shape)) }
}

#[cold]
fn fault(row: usize, shape: impl Numbers) -> Error {
    let mut first = None;
    shape.numbers(&mut |field, value, negative| {
        if first.is_none() && !value.is_finite() {
            first = Some(Error::NotFinite { kind: Kind::Query, row, field, value });
        } else if first.is_none() && !negative && value < 0.0 {
            first = Some(Error::Negative { kind: Kind::Query, row, field, value });
        }
    });
    first.unwrap_or(Error::NotFinite { kind: Kind::Query, row, field: "x", value: f32::NAN })
}
