//! The call by which a step asks which contacts with joined walls count.
//!
//! Comes in: the moved circles, in the rows of their contacts, and what detection found. Goes out: the contacts that are answered and
//! reported. This room does not know the rules.

use super::{Response, World, WorldConfig};
use crate::geometry::Circles;
use crate::narrow_phase::{Contacts, Detection, Joined, Joints};
use crate::parallel::Split;
use crate::storage::{Labels, SegmentColumns};

impl World {
    /// **join**: one-sided segments and joined ones; nothing where nothing is answered. What is dropped is kept where a hook asks.
    pub(super) fn join(&mut self, asks: bool, split: Split) {
        if self.config.response == Response::None {
            return;
        }
        let across = self.across();
        let World { config, segments, detection, joints, next, .. } = self;
        let c = &next.circles;
        let circles = (Circles { x: &c.x, y: &c.y, radius: &c.radius }, &c.labels);
        // Those across the border are not of joints; they come behind.
        let own = next.contacts.circle_segment.len() - across;
        next.contacts.circle_segment.truncate(own);
        let hidden = &mut next.solid.hidden;
        hidden.before(if asks { &next.contacts.circle_segment } else { &[] });
        join(joints, config, detection, circles, segments, (&mut next.contacts, split));
        hidden.after(next.contacts.circle_segment.len());
        self.join_across();
    }
}

/// The same for any contacts.
pub(super) fn join(
    joints: &mut Joints,
    config: &WorldConfig,
    detection: &Detection,
    circles: (Circles<'_>, &Labels),
    segments: &SegmentColumns,
    (contacts, split): (&mut Contacts, Split),
) {
    joints.apply(&scene(detection, circles, segments), config.joints, &mut contacts.circle_segment, split);
}

/// What joints have to know.
pub(super) fn scene<'a>(
    detection: &Detection,
    (circles, labels): (Circles<'a>, &'a Labels),
    segments: &'a SegmentColumns,
) -> Joined<'a> {
    Joined {
        circles,
        filters: labels.filters(),
        sensors: labels.sensors(),
        segments,
        backend: detection.backend(),
        set: detection.set(),
        gone: &[],
    }
}
