//! Bodies as they go into a world and come out of it: a shape, how it moves, how heavy it is, whom it meets.
//!
//! Comes in: a shape, and what is said of it. Goes out: a body, with the usual value for all that was not said, and word of the first number that may
//! not be. This room does not know rows.

use super::{Filter, Label};
use crate::geometry::{Circle, Segment, Vec2};

/// A circle that a world moves. Made from a [`Circle`]; at rest, of inverse mass 1, no sensor and meeting everything unless told
/// otherwise.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CircleBody {
    /// The shape.
    pub shape: Circle,
    /// Length units per second.
    pub velocity: Vec2,
    /// One over the mass; 0 for a circle that nothing can push and gravity does not pull.
    pub inverse_mass: f32,
    /// Whom it meets: pairs that do not are no contacts, wherever they are.
    pub filter: Filter,
    /// What it touches is reported, but neither it nor the other is pushed.
    pub sensor: bool,
    /// The caller's own: kept and handed back, of no influence.
    pub user_data: u64,
    /// How much of the approach speed comes back, 0 to 1; `None`: as the world says. Of two bodies the larger counts.
    #[cfg_attr(feature = "serde", serde(default))]
    pub restitution: Option<f32>,
    /// It takes part. Else it keeps its place (but for whole periods of bounds that repeat), its velocity and its handle, is not moved, meets nothing, and no question sees it.
    pub enabled: bool,
    /// Where it goes farther than half its radius in a step it meets other circles on its way, instead of passing through them; see
    /// [`World::circle_impacts`](crate::World::circle_impacts).
    #[cfg_attr(feature = "serde", serde(default))]
    pub bullet: bool,
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

    /// Sets whom it meets.
    #[must_use]
    pub fn with_filter(self, filter: Filter) -> CircleBody {
        CircleBody { filter, ..self }
    }

    /// Makes it a sensor, or not.
    #[must_use]
    pub fn with_sensor(self, sensor: bool) -> CircleBody {
        CircleBody { sensor, ..self }
    }

    /// Sets the caller's own 64 bits.
    #[must_use]
    pub fn with_user_data(self, user_data: u64) -> CircleBody {
        CircleBody { user_data, ..self }
    }

    /// Sets how much of the approach speed comes back, 0 to 1. Of two bodies the larger counts.
    #[must_use]
    pub fn with_restitution(self, restitution: f32) -> CircleBody {
        CircleBody { restitution: Some(restitution), ..self }
    }

    /// Lets it take part, or not.
    #[must_use]
    pub fn with_enabled(self, enabled: bool) -> CircleBody {
        CircleBody { enabled, ..self }
    }

    /// Makes it a bullet, or not.
    #[must_use]
    pub fn with_bullet(self, bullet: bool) -> CircleBody {
        CircleBody { bullet, ..self }
    }

    pub(super) fn with_label(self, label: Label) -> CircleBody {
        let Label { filter, sensor, user_data, restitution, enabled, bullet } = label;
        CircleBody { filter, sensor, user_data, restitution, enabled, bullet, ..self }
    }

    pub(super) fn label(&self) -> Label {
        let (filter, sensor, user_data, restitution) = (self.filter, self.sensor, self.user_data, self.restitution);
        Label { filter, sensor, user_data, restitution, enabled: self.enabled, bullet: self.bullet }
    }
}

impl From<Circle> for CircleBody {
    fn from(shape: Circle) -> CircleBody {
        let Label { filter, sensor, user_data, restitution, enabled, bullet } = Label::default();
        let (velocity, inverse_mass) = (Vec2::ZERO, 1.0);
        CircleBody { shape, velocity, inverse_mass, filter, sensor, user_data, restitution, enabled, bullet }
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

    /// This circle as a body that meets whom the filter says.
    #[must_use]
    pub fn with_filter(self, filter: Filter) -> CircleBody {
        CircleBody::from(self).with_filter(filter)
    }

    /// This circle as a body that is a sensor, or not.
    #[must_use]
    pub fn with_sensor(self, sensor: bool) -> CircleBody {
        CircleBody::from(self).with_sensor(sensor)
    }

    /// This circle as a body with 64 bits of the caller's own.
    #[must_use]
    pub fn with_user_data(self, user_data: u64) -> CircleBody {
        CircleBody::from(self).with_user_data(user_data)
    }

    /// This circle as a body with a restitution of its own, 0 to 1.
    #[must_use]
    pub fn with_restitution(self, restitution: f32) -> CircleBody {
        CircleBody::from(self).with_restitution(restitution)
    }

    /// This circle as a body that is a bullet, or not.
    #[must_use]
    pub fn with_bullet(self, bullet: bool) -> CircleBody {
        CircleBody::from(self).with_bullet(bullet)
    }
}

/// A segment of a world. Made from a [`Segment`]; static unless a velocity is given to it or `moving` is set.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SegmentBody {
    /// The shape.
    pub shape: Segment,
    /// Velocity of the first end.
    pub start_velocity: Vec2,
    /// Velocity of the second end.
    pub end_velocity: Vec2,
    /// Static segments are binned once, and anew where circles go so far, or become so dense, that cells change; else they cost nothing per step. Moving ones
    /// are binned each step.
    pub moving: bool,
    /// Solid only for circles whose centre is to the right of start → end: from its left, and on it, a centre passes freely. On the line, but beyond
    /// an end, counts as right of it; one of length zero has no left. Who has come through overlaps it still: it is let out by that much, up to its radius, sooner
    /// than it would fly.
    pub one_sided: bool,
    /// Whom it meets: pairs that do not are no contacts, wherever they are.
    pub filter: Filter,
    /// What it touches is reported, but not pushed.
    pub sensor: bool,
    /// The caller's own: kept and handed back, of no influence.
    pub user_data: u64,
    /// How much of the approach speed comes back, 0 to 1; `None`: as the world says. Of two bodies the larger counts.
    #[cfg_attr(feature = "serde", serde(default))]
    pub restitution: Option<f32>,
    /// It takes part. Else it keeps its place (but for whole periods of bounds that repeat), its velocity and its handle, is not moved, meets nothing, and no question sees it.
    pub enabled: bool,
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

    /// Makes it solid from the right of start → end only, or from both sides.
    #[must_use]
    pub fn with_one_sided(self, one_sided: bool) -> SegmentBody {
        SegmentBody { one_sided, ..self }
    }

    /// Sets whom it meets.
    #[must_use]
    pub fn with_filter(self, filter: Filter) -> SegmentBody {
        SegmentBody { filter, ..self }
    }

    /// Makes it a sensor, or not.
    #[must_use]
    pub fn with_sensor(self, sensor: bool) -> SegmentBody {
        SegmentBody { sensor, ..self }
    }

    /// Sets the caller's own 64 bits.
    #[must_use]
    pub fn with_user_data(self, user_data: u64) -> SegmentBody {
        SegmentBody { user_data, ..self }
    }

    /// Sets how much of the approach speed comes back, 0 to 1. Of two bodies the larger counts.
    #[must_use]
    pub fn with_restitution(self, restitution: f32) -> SegmentBody {
        SegmentBody { restitution: Some(restitution), ..self }
    }

    /// Lets it take part, or not.
    #[must_use]
    pub fn with_enabled(self, enabled: bool) -> SegmentBody {
        SegmentBody { enabled, ..self }
    }

    pub(super) fn with_label(self, label: Label) -> SegmentBody {
        let Label { filter, sensor, user_data, restitution, enabled, .. } = label;
        SegmentBody { filter, sensor, user_data, restitution, enabled, ..self }
    }

    pub(super) fn label(&self) -> Label {
        let (filter, sensor, user_data, restitution) = (self.filter, self.sensor, self.user_data, self.restitution);
        Label { filter, sensor, user_data, restitution, enabled: self.enabled, bullet: false }
    }
}

impl From<Segment> for SegmentBody {
    fn from(shape: Segment) -> SegmentBody {
        let Label { filter, sensor, user_data, restitution, enabled, .. } = Label::default();
        SegmentBody {
            shape,
            start_velocity: Vec2::ZERO,
            end_velocity: Vec2::ZERO,
            moving: false,
            one_sided: false,
            filter,
            sensor,
            user_data,
            restitution,
            enabled,
        }
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

    /// This segment as a static body that is solid from the right of start → end only, or from both sides.
    #[must_use]
    pub fn with_one_sided(self, one_sided: bool) -> SegmentBody {
        SegmentBody::from(self).with_one_sided(one_sided)
    }

    /// This segment as a static body that meets whom the filter says.
    #[must_use]
    pub fn with_filter(self, filter: Filter) -> SegmentBody {
        SegmentBody::from(self).with_filter(filter)
    }

    /// This segment as a static body that is a sensor, or not.
    #[must_use]
    pub fn with_sensor(self, sensor: bool) -> SegmentBody {
        SegmentBody::from(self).with_sensor(sensor)
    }

    /// This segment as a static body with 64 bits of the caller's own.
    #[must_use]
    pub fn with_user_data(self, user_data: u64) -> SegmentBody {
        SegmentBody::from(self).with_user_data(user_data)
    }

    /// This segment as a body with a restitution of its own, 0 to 1.
    #[must_use]
    pub fn with_restitution(self, restitution: f32) -> SegmentBody {
        SegmentBody::from(self).with_restitution(restitution)
    }
}
