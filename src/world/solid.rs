//! The contacts that are answered: those without a sensor, of which a hook has not said otherwise.
//!
//! Comes in: contacts, which bodies are sensors, a hook. Goes out: the contacts between all others, in their order; the very same
//! columns where nobody is a sensor and nobody asks. This room does not know what an answer is.

use super::events::EventPair;
use super::hidden::Hidden;
use super::hook::{Changes, Hook, Listener};
use crate::narrow_phase::{CircleCircleContact, CircleSegmentContact, Contacts, Joined, Joints};
use crate::storage::{Labels, is_set};

/// Buffers for the contacts that are left, reused.
#[derive(Debug, Default)]
pub(super) struct Solid {
    circle_circle: Vec<CircleCircleContact>,
    circle_segment: Vec<CircleSegmentContact>,
    /// Circles and segments that a hook has let pass: bits of their handles.
    pub(super) passed: Vec<[u64; 2]>,
    /// What a hook has said about others.
    changes: Changes,
    /// The contacts that joints have dropped.
    pub(super) hidden: Hidden,
}

/// What is left, and what has been said about it.
pub(super) struct Picked<'a> {
    pub(super) circle_circle: &'a [CircleCircleContact],
    pub(super) circle_segment: &'a [CircleSegmentContact],
    pub(super) changes: &'a Changes,
}

/// Who is asked, and what is to be known for that.
pub(super) struct Asked<'a, 'h> {
    pub(super) listener: Listener<'a>,
    pub(super) hook: &'a mut Hook<'h>,
    pub(super) joints: &'a mut Joints,
    pub(super) scene: Joined<'a>,
}

impl Solid {
    /// Those of circles and of circles and segments. Labels are by the rows of the contacts.
    pub(super) fn of<'a>(
        &'a mut self,
        contacts: &'a Contacts,
        circles: &Labels,
        segments: &Labels,
        hook: Option<Asked<'_, '_>>,
    ) -> Picked<'a> {
        self.passed.clear();
        self.changes.clear();
        let (circle_circle, circle_segment) = (contacts.circle_circle(), contacts.circle_segment());
        let (circles, segments) = (circles.sensors(), segments.sensors());
        if circles.is_empty() && segments.is_empty() && hook.is_none() {
            return Picked { circle_circle, circle_segment, changes: &self.changes };
        }
        let mut hook = hook;
        let Solid { circle_circle: pairs, circle_segment: left, passed, changes, hidden } = self;
        pairs.clear();
        pairs.extend(circle_circle.iter().filter(|c| {
            let solid = !(is_set(circles, c.a as usize) | is_set(circles, c.b as usize));
            let asked = hook.as_mut().filter(|_| solid);
            solid
                && asked.is_none_or(|Asked { listener, hook, .. }| {
                    changes.ask(0, [c.a, c.b], || hook(&listener.circle_circle(c)))
                })
        }));
        left.clear();
        let of_walls = circle_segment.iter().filter(|c| {
            let solid = !(is_set(circles, c.a as usize) | is_set(segments, c.b as usize));
            let asked = hook.as_mut().filter(|_| solid);
            solid
                && asked.is_none_or(|Asked { listener, hook, .. }| {
                    let acts = acts(listener, *hook, (&mut *changes, &mut *passed), c);
                    hidden.asked(c, acts);
                    acts
                })
        });
        left.extend(of_walls);
        if let Some(Asked { listener, hook, joints, scene }) = hook {
            let ask = |c: &CircleSegmentContact| acts(&listener, hook, (&mut *changes, &mut *passed), c);
            hidden.look_again(circle_segment, (joints, &scene), ask, left);
        }
        passed.sort_unstable();
        changes.sort();
        Picked { circle_circle: pairs, circle_segment: left, changes }
    }
}

/// Asks whether a contact with a wall acts. Who is let through is told so.
fn acts(
    listener: &Listener<'_>,
    hook: &mut Hook<'_>,
    (changes, passed): (&mut Changes, &mut Vec<[u64; 2]>),
    contact: &CircleSegmentContact,
) -> bool {
    let met = listener.circle_segment(contact);
    let acts = changes.ask(1, [contact.a, contact.b], || hook(&met));
    if let (false, EventPair::CircleSegment(circle, segment)) = (acts, met.pair) {
        passed.push([circle.to_bits(), segment.to_bits()]);
    }
    acts
}
