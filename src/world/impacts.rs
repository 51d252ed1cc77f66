//! What circles met in flight, told to whoever asks.
//!
//! Comes in: what the flight of a step met, by rows. Goes out: the same by handles, as numbers that columns hold. This room does not know
//! who flies, nor what became of it.

use super::events::Touch;
use super::{World, touch};
use crate::geometry::Vec2;
use crate::response::Met;
use crate::storage::{CircleColumns, CircleHandle, SegmentColumns, SegmentHandle};
use bytemuck::{Pod, Zeroable};

/// A circle that goes further than half its radius in a step met a segment on its way and was turned by it.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Impact {
    /// The circle.
    pub circle: CircleHandle,
    /// The segment.
    pub segment: SegmentHandle,
    /// Where: the point of the segment, or of its outline where it has a radius. Where the plane repeats it is told from where the
    /// circle's step began, and may lie beyond the border.
    pub point: Vec2,
    /// Unit, from the circle to the segment.
    pub normal: Vec2,
    /// How fast the circle came near the segment along the normal before it was turned, length units per second: its velocity less that of the
    /// segment where it was touched, times the normal. Above zero (or 0, where that is too small for an `f32`) but where the segment
    /// flees: segments stand still while circles fly, so one that goes away may be met as well, which turns nobody. No larger than the largest number.
    pub approach_speed: f32,
    /// How much of the step had passed, 0 to 1.
    pub fraction: f32,
}

impl World {
    /// The segments that fast circles met in flight in the last [`World::step`], in the order of the rows that the circles had before it,
    /// then in time. Circles that go no further than half their radius in a step do not fly: what they meet are contacts where the step
    /// ends. Nor are there any of sensors, of circles of inverse mass 0 (which stop, or slide on), or without a response.
    ///
    /// ```
    /// use gridlane::{Circle, Segment, World, WorldConfig};
    ///
    /// let mut world = World::new(WorldConfig::default())?;
    /// let ball = world.add_circle(Circle::new([0.0, 0.0], 1.0).with_velocity([100.0, 0.0]))?;
    /// let wall = world.add_segment(Segment::new([51.0, -9.0], [51.0, 9.0]))?;
    /// world.step(1.0)?;
    /// let [met] = world.impacts() else { panic!("one") };
    /// assert_eq!((met.circle, met.segment, met.fraction, met.approach_speed), (ball, wall, 0.5, 100.0));
    /// assert_eq!((met.point.x, met.normal.x), (51.0, 1.0));
    /// assert!(world.contacts().is_empty() && world.events().len() == 2); // it is back where it was, and was there
    /// # Ok::<(), gridlane::Error>(())
    /// ```
    #[must_use]
    pub fn impacts(&self) -> &[Impact] {
        &self.impacts
    }
}

/// What was met, by the handles that the rows have.
pub(super) fn name_impacts(met: &[Met], circles: &CircleColumns, segments: &SegmentColumns, to: &mut Vec<Impact>) {
    to.clear();
    to.extend(met.iter().map(|met| {
        let Touch { point, normal, approach_speed } = touch::in_flight(met);
        Impact {
            circle: circles.handle[met.circle as usize],
            segment: segments.handle[met.segment as usize],
            point,
            normal,
            approach_speed,
            fraction: met.fraction as f32,
        }
    }));
}
