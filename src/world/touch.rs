//! How two bodies met: where, along which normal, how fast.
//!
//! Comes in: a contact, and the velocities that bodies flew with. Goes out: a [`Touch`]. This room does not know events or rows
//! of another step. In double precision, in which no product of numbers of a column overflows.

use super::events::Touch;
use crate::geometry::Vec2;
use crate::narrow_phase::{Across, CircleCircleContact, CircleSegmentContact, SegmentSegmentContact};
use crate::response::{CirclesMet, Met, MetWithin, wall_velocity};
use crate::storage::SegmentColumns;

/// Two circles.
pub(super) fn circle_circle(contact: &CircleCircleContact, velocities: [Vec2; 2]) -> Touch {
    met(contact.point, contact.normal, wide(velocities[0]), wide(velocities[1]))
}

/// A circle and a segment.
pub(super) fn circle_segment(
    contact: &CircleSegmentContact,
    velocity: Vec2,
    segments: &SegmentColumns,
    across: &Across<'_>,
) -> Touch {
    met(contact.point, contact.normal, wide(velocity), wall_velocity(segments, across, contact))
}

/// A circle and a segment that it met in flight.
pub(super) fn in_flight(met: &Met) -> Touch {
    let [point, normal] = [met.point, met.normal].map(|[x, y]| Vec2::new(narrow(x), narrow(y)));
    Touch { point, normal, approach_speed: narrow(met.approach) }
}

/// Two circles that met in flight, told from the lower handle.
pub(super) fn circles_in_flight(met: &CirclesMet) -> Touch {
    let [point, normal] = [met.point, met.normal].map(|[x, y]| Vec2::new(narrow(x), narrow(y)));
    // A sum, so that no zero is negative.
    Touch { point, normal: Vec2::new(normal.x + 0.0, normal.y + 0.0), approach_speed: narrow(met.approach) }
}

/// Two that met while contacts were answered.
pub(super) fn within(met: &MetWithin) -> Touch {
    let [point, normal] = [met.point, met.normal].map(|[x, y]| Vec2::new(narrow(x), narrow(y)));
    // As above.
    Touch { point, normal: Vec2::new(normal.x + 0.0, normal.y + 0.0), approach_speed: narrow(met.approach) }
}

/// Two segments: they have a point and no normal.
pub(super) fn segment_segment(contact: &SegmentSegmentContact) -> Touch {
    Touch { point: contact.point, normal: Vec2::ZERO, approach_speed: 0.0 }
}

/// The same, told from the other side if that is so: the approach is the same.
pub(super) fn turned_round_if(touch: Touch, so: bool) -> Touch {
    let sign = if so { -1.0 } else { 1.0 };
    // A sum, so that no zero is negative.
    Touch { normal: Vec2::new(touch.normal.x * sign + 0.0, touch.normal.y * sign + 0.0), ..touch }
}

fn wide(vector: Vec2) -> [f64; 2] {
    [f64::from(vector.x), f64::from(vector.y)]
}

fn met(point: Vec2, normal: Vec2, [ax, ay]: [f64; 2], [bx, by]: [f64; 2]) -> Touch {
    let speed = (ax - bx) * f64::from(normal.x) + (ay - by) * f64::from(normal.y);
    Touch { point, normal, approach_speed: narrow(speed) }
}

/// The nearest `f32`; beyond the largest, that one.
pub(super) fn narrow(value: f64) -> f32 {
    let near = value as f32;
    if near.is_finite() {
        near
    } else if value > 0.0 {
        f32::MAX
    } else {
        f32::MIN
    }
}
