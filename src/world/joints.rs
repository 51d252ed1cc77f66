//! The call by which a step asks which contacts with joined walls count.
//!
//! Comes in: the moved circles, in the rows of their contacts, and what detection found. Goes out: the contacts that are answered and
//! reported. This room does not know the rules.

use super::{Response, World};
use crate::geometry::Circles;
use crate::narrow_phase::Joined;

impl World {
    /// **join**: one-sided segments and joined ones; nothing where nothing is answered.
    pub(super) fn join(&mut self) {
        if self.config.response == Response::None {
            return;
        }
        let circles = &self.next.circles;
        let scene = Joined {
            circles: Circles { x: &circles.x, y: &circles.y, radius: &circles.radius },
            filters: circles.labels.filters(),
            sensors: circles.labels.sensors(),
            segments: &self.segments,
            backend: self.detection.backend(),
            set: self.detection.set(),
        };
        self.joints.apply(&scene, self.config.joints, &mut self.next.contacts.circle_segment);
    }
}
