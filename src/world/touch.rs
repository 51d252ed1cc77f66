//! How two bodies met: where, along which normal, how fast.
//!
//! Comes in: a contact, and the velocities that bodies flew with. Goes out: a [`Touch`]. This room does not know events or rows
//! of another step. In double precision, in which no product of numbers of a column overflows.

use super::events::Touch;
use crate::geometry::{Feature, Periods, Vec2};
use crate::narrow_phase::{CircleCircleContact, CircleSegmentContact, SegmentSegmentContact};
use crate::response::{CirclesMet, Met, MetWithin};
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
    periods: &Periods,
) -> Touch {
    met(contact.point, contact.normal, wide(velocity), wall_velocity(segments, contact, periods))
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

/// The velocity of a moving segment where it is touched: between those of its ends, as the point of its axis that is nearest to
/// the contact's is between them.
pub(super) fn wall_velocity(segments: &SegmentColumns, contact: &CircleSegmentContact, periods: &Periods) -> [f64; 2] {
    let row = contact.b as usize;
    if !segments.moving[row] {
        return [0.0, 0.0];
    }
    let start = wide(Vec2::new(segments.velocity_x0[row], segments.velocity_y0[row]));
    let end = wide(Vec2::new(segments.velocity_x1[row], segments.velocity_y1[row]));
    let t = match contact.feature {
        Feature::Start => 0.0,
        Feature::End => 1.0,
        _ => {
            let from = wide(Vec2::new(segments.x0[row], segments.y0[row]));
            let to = wide(Vec2::new(segments.x1[row], segments.y1[row]));
            let [along, reached] = [to, wide(contact.point)].map(|p| [p[0] - from[0], p[1] - from[1]]);
            let reached = periods.nearest_to([along[0] * 0.5, along[1] * 0.5], reached);
            let length2 = along[0] * along[0] + along[1] * along[1];
            let t = (along[0] * reached[0] + along[1] * reached[1]) / length2;
            // Not a number where the segment is a point.
            if t > 1.0 {
                1.0
            } else if t > 0.0 {
                t
            } else {
                0.0
            }
        }
    };
    [start[0] + (end[0] - start[0]) * t, start[1] + (end[1] - start[1]) * t]
}
