//! How a pair meets: what comes back of an impact, and since when it may have been.
//!
//! Comes in: what the law says of a pair. Goes out: the same, alone or as one of four. This room does not know where a pair stands.

use crate::kernels::bonds::Manners;

/// What counts on impact alone.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Manner {
    pub(super) restitution: f64,
    /// They part at least this fast.
    pub(super) speed: f64,
    /// No longer ago than this they have met.
    pub(super) since: f64,
    /// One of them has flown the whole step already, and may be deep in the other: it is never let through.
    pub(super) flown: bool,
}

impl Manner {
    /// That of one of four.
    pub(super) fn of(four: &Manners, k: usize) -> Manner {
        Manner {
            restitution: four.restitution[k],
            speed: four.speed[k],
            since: four.since[k],
            flown: four.flown[k] > 0.0,
        }
    }

    /// As that of one of four.
    pub(super) fn put(&self, four: &mut Manners, k: usize) {
        (four.restitution[k], four.speed[k]) = (self.restitution, self.speed);
        (four.since[k], four.flown[k]) = (self.since, f64::from(self.flown));
    }

    /// Something comes back of an impact, or one of them would go through.
    pub(super) fn may_hit(&self) -> bool {
        self.restitution > 0.0 || self.flown || self.speed > 0.0
    }
}
