//! Bodies as they go into a world and come out of it: a shape, how it moves, how heavy it is.

use crate::geometry::{Circle, Segment, Vec2};

/// A circle that a world moves. Made from a [`Circle`]; at rest and of inverse mass 1 unless told otherwise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CircleBody {
    /// The shape.
    pub shape: Circle,
    /// Length units per second.
    pub velocity: Vec2,
    /// One over the mass; 0 for a circle that nothing can push and gravity does not pull.
    pub inverse_mass: f32,
}

impl CircleBody {
    /// Sets the velocity.
    #[must_use]
    pub fn with_velocity(self, velocity: impl Into<Vec2>) -> CircleBody {
        CircleBody { velocity: velocity.into(), ..self }
    }

    /// Sets one over the mass; 0 is immovable.
    #[must_use]
    pub fn with_inverse_mass(self, inverse_mass: f32) -> CircleBody {
        CircleBody { inverse_mass, ..self }
    }
}

impl From<Circle> for CircleBody {
    fn from(shape: Circle) -> CircleBody {
        CircleBody { shape, velocity: Vec2::ZERO, inverse_mass: 1.0 }
    }
}

impl Circle {
    /// This circle as a body with a velocity.
    #[must_use]
    pub fn with_velocity(self, velocity: impl Into<Vec2>) -> CircleBody {
        CircleBody::from(self).with_velocity(velocity)
    }

    /// This circle as a body with one over its mass; 0 is immovable.
    #[must_use]
    pub fn with_inverse_mass(self, inverse_mass: f32) -> CircleBody {
        CircleBody::from(self).with_inverse_mass(inverse_mass)
    }
}

/// A segment of a world. Made from a [`Segment`]; static unless a velocity is given to it or `moving` is set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SegmentBody {
    /// The shape.
    pub shape: Segment,
    /// Velocity of the first end.
    pub start_velocity: Vec2,
    /// Velocity of the second end.
    pub end_velocity: Vec2,
    /// Static segments are binned once and cost nothing per step; moving ones are binned each step.
    pub moving: bool,
}

impl SegmentBody {
    /// One velocity for both ends, and makes it a moving segment.
    #[must_use]
    pub fn with_velocity(self, velocity: impl Into<Vec2>) -> SegmentBody {
        let velocity = velocity.into();
        self.with_end_velocities(velocity, velocity)
    }

    /// A velocity for each end, and makes it a moving segment.
    #[must_use]
    pub fn with_end_velocities(self, start: impl Into<Vec2>, end: impl Into<Vec2>) -> SegmentBody {
        SegmentBody { start_velocity: start.into(), end_velocity: end.into(), moving: true, ..self }
    }
}

impl From<Segment> for SegmentBody {
    fn from(shape: Segment) -> SegmentBody {
        SegmentBody { shape, start_velocity: Vec2::ZERO, end_velocity: Vec2::ZERO, moving: false }
    }
}

impl Segment {
    /// This segment as a moving body with one velocity for both ends.
    #[must_use]
    pub fn with_velocity(self, velocity: impl Into<Vec2>) -> SegmentBody {
        SegmentBody::from(self).with_velocity(velocity)
    }

    /// This segment as a moving body with a velocity for each end.
    #[must_use]
    pub fn with_end_velocities(self, start: impl Into<Vec2>, end: impl Into<Vec2>) -> SegmentBody {
        SegmentBody::from(self).with_end_velocities(start, end)
    }
}
