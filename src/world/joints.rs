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
    /// **join**: one-sided segments and joined ones; nothing where nothing is answered.
    pub(super) fn join(&mut self, split: Split) {
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
        join(joints, config, detection, circles, segments, (&mut next.contacts, split));
        self.join_across();
    }
}

/// The same for any contacts.
pub(super) fn join(
    joints: &mut Joints,
    config: &WorldConfig,
    detection: &Detection,
    (circles, labels): (Circles<'_>, &Labels),
    segments: &SegmentColumns,
    (contacts, split): (&mut Contacts, Split),
) {
    let scene = Joined {
        circles,
        filters: labels.filters(),
        sensors: labels.sensors(),
        segments,
        backend: detection.backend(),
        set: detection.set(),
    };
    joints.apply(&scene, config.joints, &mut contacts.circle_segment, split);
}
