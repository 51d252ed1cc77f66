//! The contacts that are answered: those without a sensor, of which a hook has not said otherwise.
//!
//! Comes in: contacts, which bodies are sensors, a hook. Goes out: the contacts between all others, in their order; the very same
//! columns where nobody is a sensor and nobody asks. This room does not know what an answer is.

use super::events::EventPair;
use super::hook::{Hook, Listener, Verdict};
use crate::narrow_phase::{CircleCircleContact, CircleSegmentContact, Contacts};
use crate::storage::Labels;

/// Buffers for the contacts that are left, reused.
#[derive(Debug, Default)]
pub(super) struct Solid {
    circle_circle: Vec<CircleCircleContact>,
    circle_segment: Vec<CircleSegmentContact>,
    /// Circles and segments that a hook has let pass: bits of their handles.
    pub(super) passed: Vec<[u64; 2]>,
}

impl Solid {
    /// Those of circles and of circles and segments. Labels are by the rows of the contacts.
    pub(super) fn of<'a>(
        &'a mut self,
        contacts: &'a Contacts,
        circles: &Labels,
        segments: &Labels,
        hook: Option<(Listener<'_>, &mut Hook<'_>)>,
    ) -> (&'a [CircleCircleContact], &'a [CircleSegmentContact]) {
        self.passed.clear();
        let (circle_circle, circle_segment) = (contacts.circle_circle(), contacts.circle_segment());
        let (circles, segments) = (circles.sensors(), segments.sensors());
        if circles.is_empty() && segments.is_empty() && hook.is_none() {
            return (circle_circle, circle_segment);
        }
        let mut hook = hook;
        let is_sensor = |column: &[bool], row: u32| column.get(row as usize).copied().unwrap_or(false);
        self.circle_circle.clear();
        self.circle_circle.extend(circle_circle.iter().filter(|c| {
            let solid = !(is_sensor(circles, c.a) | is_sensor(circles, c.b));
            let asked = hook.as_mut().filter(|_| solid);
            solid && asked.is_none_or(|(listener, hook)| hook(&listener.circle_circle(c)) == Verdict::Act)
        }));
        let Solid { circle_segment: left, passed, .. } = self;
        left.clear();
        left.extend(circle_segment.iter().filter(|c| {
            let solid = !(is_sensor(circles, c.a) | is_sensor(segments, c.b));
            let asked = hook.as_mut().filter(|_| solid);
            solid
                && asked.is_none_or(|(listener, hook)| {
                    let met = listener.circle_segment(c);
                    let acts = hook(&met) == Verdict::Act;
                    if let (false, EventPair::CircleSegment(circle, segment)) = (acts, met.pair) {
                        passed.push([circle.to_bits(), segment.to_bits()]);
                    }
                    acts
                })
        }));
        passed.sort_unstable();
        (&self.circle_circle, &self.circle_segment)
    }
}
