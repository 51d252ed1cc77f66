//! The impulse of a circle on a wall.
//!
//! Comes in: a contact of the two. Goes out: the circle, mirrored in the wall as that moves, and how large the impulse is. This room does not know
//! what comes before or after.

use super::bouncing::LATE;
use super::impulse::{self, Meeting, Pair};
use super::law::Law;
use super::push_out;
use super::resolve::{to_end, wall_velocity};
use super::taken::{Body, Circles, difference};
use crate::kernels::bounce::LONGEST;
use crate::narrow_phase::{Across, CircleSegmentContact};
use crate::storage::SegmentColumns;

/// The impulse of a circle on a segment, which has infinite mass: mirrored in the wall as it moves. How large it is.
pub(super) fn mirror(
    circles: &mut Circles<'_>,
    (segments, across): (&SegmentColumns, &Across<'_>),
    law: &Law<'_>,
    contact: &CircleSegmentContact,
) -> f64 {
    let (a, b) = (contact.a as usize, contact.b as usize);
    let mut body = circles.take(a);
    if body.inverse_mass > 0.0 {
        let u = difference(body.velocity, wall_velocity(segments, across, contact));
        if let Some(met) = meet(&body, (segments, across), law, contact, u) {
            // No farther back than it may be moved: it turns where it was then, with the time and the speed of that place.
            let since = if law.pulls() { met.since_within(LONGEST * body.radius) } else { met.since };
            let approach = law.at_touch(met.approach, met.normal, since);
            let change = met.change_of(approach, 1.0, law.speed_of_wall(a, b));
            circles.kick(a, &mut body, met.normal, -change, since);
            return change / body.inverse_mass;
        }
    }
    0.0
}

/// A flank is a half plane; an end is a disc of the segment's radius.
fn meet(
    body: &Body,
    (segments, across): (&SegmentColumns, &Across<'_>),
    law: &Law<'_>,
    contact: &CircleSegmentContact,
    u: Pair,
) -> Option<Meeting> {
    let b = contact.b as usize;
    let speed = law.speed_of_wall(contact.a as usize, b);
    let d = to_end((segments, across), contact, body.position).unwrap_or([0.0, 0.0]);
    if d == [0.0, 0.0] {
        // Also where the centre is on an end: only the contact knows a normal then.
        let (normal, penetration) = push_out::half_plane(contact, body);
        let met = impulse::flank(normal, penetration, u, law.dt);
        let still = speed > 0.0 && penetration >= 0.0 && met.is_none();
        return if still { impulse::standing(normal, 0.0, u, speed) } else { met };
    }
    let reach = body.radius + f64::from(segments.radius[b]);
    let met = impulse::discs(d, u, reach, LATE * law.dt);
    if speed > 0.0 { met.or_else(|| impulse::thrown(d, u, reach, speed)) } else { met }
}
