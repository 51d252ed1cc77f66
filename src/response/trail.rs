//! The legs that centres flew, for whoever wants to replay them.
//!
//! Comes in: a row and a straight leg. Goes out: all of them, in their order. Costs one look at a flag where nobody asked.

use crate::exact::P;

/// A straight piece of the path of a centre.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Leg {
    pub(crate) row: u32,
    pub(crate) from: P,
    pub(crate) to: P,
}

/// Legs, if they are asked for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trail {
    pub(crate) on: bool,
    pub(crate) legs: Vec<Leg>,
}

impl Trail {
    /// Forgets what is past; `on`: whether what comes is to be kept.
    pub(crate) fn start(&mut self, on: bool) {
        self.on = on;
        self.legs.clear();
    }

    /// Nothing of this row, after all.
    #[cold]
    pub(crate) fn forget(&mut self, row: u32) {
        self.legs.retain(|leg| leg.row != row);
    }

    /// One more.
    #[inline]
    pub(crate) fn leg(&mut self, row: u32, from: P, to: P) {
        if self.on {
            self.legs.push(Leg { row, from, to });
        }
    }
}
