//! What events say.
//!
//! The records that a step hands out; `report` makes them.

use crate::geometry::Vec2;
use crate::storage::{CircleHandle, SegmentHandle};
use bytemuck::{Pod, Zeroable};

/// Which two bodies an event is about: the lower kind first, of one kind the lower handle first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum EventPair {
    /// Two circles.
    CircleCircle(CircleHandle, CircleHandle),
    /// A circle and a segment.
    CircleSegment(CircleHandle, SegmentHandle),
    /// Two segments.
    SegmentSegment(SegmentHandle, SegmentHandle),
}

/// Why two bodies no longer touch. Where several reasons hold, it is the first of: removed, disabled, filter changed, edited, apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum EndReason {
    /// They are no contact any more, and for none of the other reasons: they moved apart, or another wall hides what they touched with.
    Apart,
    /// One of them was removed.
    Removed,
    /// One of them was set, moved or resized by hand, and they do not touch where they are now.
    Edited,
    /// The filter of one of them was set by hand, and they do not meet any more, wherever they are now.
    FilterChanged,
    /// One of them was disabled by hand.
    Disabled,
}

/// Beginning or end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum EventKind {
    /// They touch, or have met on the way of the step, and did not touch at the last one.
    Begin,
    /// They touched at the last step, or have met on the way since, and do not touch now.
    End(EndReason),
}

/// How two bodies met.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Touch {
    /// Where: the point of the contact.
    pub point: Vec2,
    /// Unit, from the first body of the pair to the second: that of the contact, turned round where the event names two circles
    /// the other way round. (0, 0) for two segments, whose contacts have none.
    pub normal: Vec2,
    /// How fast they came near each other along the normal, length units per second: the velocity of the first body less that of
    /// the second, times the normal. Above zero when they approach. The velocities are those that the bodies flew with in this
    /// step, gravity and bounds included, before any contact was answered; a moving segment has the one of the point that is
    /// touched. Of a circle that met the segment in flight: before the first time it was turned. Of two that
    /// met while others were answered: before they were, by what the hit, or the substep that stopped them, took. 0 for two segments; no larger than the largest number.
    pub approach_speed: f32,
}

/// Two bodies began or ended to touch.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Event {
    /// Beginning or end.
    pub kind: EventKind,
    /// Of which two bodies. A removed body's handle is stale.
    pub pair: EventPair,
    /// The user data of both, in the order of the pair: as they are now, of a removed body as they were then.
    pub user_data: [u64; 2],
    /// How they met, of a beginning; `None` of an end.
    pub touch: Option<Touch>,
}
