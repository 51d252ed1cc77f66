//! What a body does within a step, substep by substep.
//!
//! Comes in: velocities, and what changes them. Goes out: ways. This room does not know other bodies.

use super::super::impulse::Pair;

/// What a body does within a step.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
pub(super) struct Motion {
    pub(super) velocity: Pair,
    /// How far it has come from where it started.
    pub(super) way: Pair,
    /// Gravity in a substep.
    pub(super) pull: Pair,
    /// What its bonds give it at the start of the next substep, if not one by one.
    pub(super) borne: Pair,
}

impl Motion {
    /// The start of a substep.
    #[inline(always)]
    pub(super) fn start(&mut self) {
        for axis in 0..2 {
            self.velocity[axis] += self.pull[axis] + self.borne[axis];
        }
        self.borne = [0.0; 2];
    }

    /// It moves on, whatever is in its way.
    #[inline(always)]
    pub(super) fn coast(&mut self, h: f64) {
        for axis in 0..2 {
            self.way[axis] += self.velocity[axis] * h;
        }
    }
}
